"""Compare the explanations of a game by the population of people and by every program.

Each *suspect* is a program in one of its variants that gives the order, a machine that gives the
times, or both at once. All verdicts rest on the likelihood ratios of suspects to the population at
each fill.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.arrays import Floats
from nando.games.evidence.learnt import SLIPS, LearntProgram, learnt_log_chances
from nando.games.evidence.passages import Passages, log_odds, passages
from nando.games.evidence.program import MANNERS, Chances, chances_of
from nando.games.evidence.program_kinds import KINDS, LADDER, LADDER_FAMILY, LADDER_WORDS
from nando.games.game import Game
from nando.games.people import paces
from nando.games.people.followed import Followed
from nando.games.people.population import Population
from nando.games.people.sharing import mixed_chances
from nando.games.said import Said, known

Lists = Mapping[str, Floats]
"""Each cell's position in the list of a program, by the program's name."""

ORDER, TIMES, BOTH = "order", "times", "order and times"

_SHARES = {ORDER: 0.5, TIMES: 0.25, BOTH: 0.25}
"""Weights of the suspects, by the part of the game that they explain."""
_TEMPER = 0.8
"""Power to which ratios are raised. With a power below 1, the mean over honest games is at most 1
although real players differ from the persons of the population."""


class Suspects(NamedTuple):
    """The alternatives to a person.

    Attributes
    ----------
    names : tuple of str
        Name of the program, or of the pace of a machine.
    words : tuple of Said
        Words that follow "a program that".
    part : ndarray of str, shape (n_suspects,)
        Part of the game that the suspect explains: the order, the times, or both.
    ratios : ndarray of float64, shape (n_moves, n_suspects)
        Log likelihood ratio of each fill to the population.
    weights : ndarray of float64, shape (n_suspects,)
        They sum to 1.
    """

    names: tuple[str, ...]
    words: tuple[Said, ...]
    part: NDArray[np.str_]
    ratios: Floats
    weights: Floats

    def log_odds(self, *parts: str) -> float:
        """Return the tempered log likelihood ratio of programs somewhere to a person throughout.

        Parameters
        ----------
        parts : str
            Parts of the game that the suspects explain; by default all.
        """
        chosen = np.isin(self.part, parts) if parts else np.ones(len(self.part), bool)
        if not chosen.any():
            return 0.0
        weights = self.weights[chosen]
        return _TEMPER * log_odds(self.ratios[:, chosen], weights / weights.sum())

    def passages(self) -> Passages:
        """Find where each suspect was at work."""
        return passages(self.ratios, self.weights)


@dataclass(frozen=True)
class Reading:
    """A game under the models of people and programs.

    Attributes
    ----------
    game : Game
    people : ndarray of float64, shape (n_moves,)
        Log probability of each fill under the population.
    expected : ndarray of float64, shape (n_moves,)
        Probability of the likeliest cell under the population.
    suspects : Suspects
    typical : ndarray of float64, shape (n_moves,), or None
        Seconds that a person of this player's pace, as known before the fill, takes for each fill;
        None if no times are known.
    stuck : ndarray of bool, shape (n_moves,)
        Whether the simplest rules filled no cell before the fill.
    premature : ndarray of bool, shape (n_moves,)
        Whether no technique supports the fill although the simplest rules filled another cell.
        Always False for a kind whose techniques are not searched for.
    """

    game: Game
    people: Floats
    expected: Floats
    suspects: Suspects
    typical: Floats | None
    stuck: NDArray[np.bool_]
    premature: NDArray[np.bool_]


def read(
    game: Game,
    population: Population,
    lists: Lists,
    learnt: Sequence[LearntProgram] = (),
    *,
    without: Collection[str] = (),
) -> Reading:
    """Replay a game under people and programs.

    Parameters
    ----------
    game : Game
        With at least one fill.
    population : Population
    lists : mapping of str to ndarray of float64, shape (n_cells,)
        Lists of the programs that make a list before the game.
    learnt : sequence of LearntProgram
    without : collection of str
        Families of programs to leave out.
    """
    kind = KINDS[game.puzzle.kind]
    replay = kind.replay(game.puzzle, game.solution, game.cells)
    followed = population.follow(game.puzzle, game.solution, game.cells, replay)
    n_at_hand = np.add.reduceat(followed.at_hand, replay.starts[:-1], dtype=np.int64)
    programs = _programs(game, followed, lists, learnt, without)
    timing = _timing(game, followed)
    return Reading(
        game,
        followed.log_chances,
        np.maximum.reduceat(followed.mixed(), replay.starts[:-1]),
        _suspects(programs, followed.log_chances, timing),
        None if timing is None else timing.typical,
        n_at_hand == 0,
        ~followed.supported[replay.chosen] & (n_at_hand > 0) & kind.has_techniques,
    )


def _programs(
    game: Game,
    followed: Followed,
    lists: Lists,
    learnt: Sequence[LearntProgram],
    without: Collection[str],
) -> tuple[Chances, list[Said]]:
    """Return the probabilities of the order under the programs, and the words of each variant."""
    kind, replay = KINDS[game.puzzle.kind], followed.replay
    scene = kind.scene_of(game.puzzle, replay)
    rules = [
        (name, program.family, program.words, program.order(scene))
        for name, program in kind.programs.items()
        if program.family not in without
    ] + [
        (LADDER, LADDER_FAMILY, LADDER_WORDS, places[replay.cells])
        for places in lists.values()
        if LADDER_FAMILY not in without
    ]
    learnt = [program for program in learnt if program.family not in without]
    names, families, words, orders = zip(*rules, strict=True)
    by_rules = chances_of(names, families, replay, orders)
    spoken = [said for text in words for said in [known("programs", text)] * len(MANNERS)]
    if not learnt:
        return by_rules, spoken
    # Each family of programs with rules, and each learnt program, has the same share.
    n_shares = len(set(families)) + len(learnt)
    share = 1 / (n_shares * len(SLIPS))
    return Chances(
        (*by_rules.names, *(program.name for program in learnt for _ in SLIPS)),
        np.hstack([by_rules.log_chances, learnt_log_chances(replay, learnt)]),
        np.concatenate(
            [
                by_rules.weights * len(set(families)) / n_shares,
                np.full(len(learnt) * len(SLIPS), share),
            ]
        ),
    ), [*spoken, *(known("programs", program.words) for program in learnt for _ in SLIPS)]


class _Timing(NamedTuple):
    """The delays of a game: ratios of machines to people, their mixture, and typical delays."""

    ratios: Floats
    mixed: Floats
    typical: Floats


def _timing(game: Game, followed: Followed) -> _Timing | None:
    delays = game.delays
    if not KINDS[game.puzzle.kind].has_times or not np.isfinite(delays).any():
        return None
    difficulty = paces.difficulty(followed.replay)
    width = paces.clock_width(game.seconds)
    tellers = paces.people_log_chances(delays, width, difficulty)
    people, weights = mixed_chances(tellers, paces.people().weights, paces.SHARE)
    machines = paces.machine_log_chances(delays, width)
    mixed, _ = mixed_chances(machines, paces.machine_weights(), paces.MACHINE_SHARE)
    are_known = np.isfinite(delays)
    return _Timing(
        np.where(are_known[:, None], machines - people[:, None], 0.0),
        np.where(are_known, mixed - people, 0.0),
        paces.typical_seconds(difficulty, weights[:-1]),
    )


def _suspects(
    programs: tuple[Chances, list[Said]], people: Floats, timing: _Timing | None
) -> Suspects:
    order, words = programs
    ratios = order.log_chances - people[:, None]
    names, part = list(order.names), [ORDER] * len(order.names)
    if timing is None:
        return Suspects(tuple(names), tuple(words), np.array(part), ratios, order.weights)
    n_paces = timing.ratios.shape[1]
    paced = [paces.machine_words(i) for i in range(n_paces)]
    return Suspects(
        (*names, *["even delays"] * n_paces, *names),
        (*words, *paced, *words),
        np.array([*part, *[TIMES] * n_paces, *[BOTH] * len(names)]),
        np.hstack([ratios, timing.ratios, ratios + timing.mixed[:, None]]),
        np.concatenate(
            [
                _SHARES[ORDER] * order.weights,
                _SHARES[TIMES] * paces.machine_weights(),
                _SHARES[BOTH] * order.weights,
            ]
        ),
    )
