"""Compare the explanations of a game by the population of people and by every program.

A program is a predictor: before every fill it sorts the open cells and fills the first; ties are
broken at random. Two parameters allow for cheats who blur this order and for programs that draw: a
sharpness, and a share of slips, which fall on any open cell. Each program is evaluated with every
combination of both, so that no single deviation clears it. The last swaps of simulated annealing,
the list of a brute force search and the steps of a refutation search depend on the state of the
board in ways that a sort key cannot express. A model of choices can, as it does for people. Such a
program is learnt from its runs on the puzzles of the honest games.

Each *suspect* explains the order of a game, its times, or both, and belongs to one claim. Somebody
who solves on paper types a finished solution, as somebody does who copies a program's. So the claim
that a grid was entered from a finished solution is kept apart from the claim that no person found
it: a solver's steps count only as far as they explain a game better than any typed order does.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from nando.arrays import Floats
from nando.games.fill_order import fit_coefficients, place_coefficients, without_zeros
from nando.games.game import Game
from nando.games.kinds import KINDS, find_kind
from nando.games.mixtures import Passages, log_odds, mix_chances, passages, predictive_log_ratios
from nando.games.orders import log_chances_of_ranks
from nando.games.people import paces
from nando.games.people.persons import Followed
from nando.games.people.population import Population
from nando.games.said import Said, say_known
from nando.puzzles import Puzzle
from nando.solvers import Annealing, BruteForce, Refutation
from nando.solvers.people.fills.choices import Replay, row_chances
from nando.stages import counted

SHARPNESSES = (0.3, 1.0, 3.0, 20.0)
SLIPS = (0.005, 0.05, 0.2)
STEPS, ENTERED, SCAN = "steps", "entered", "scan"
"""What a program shows: the steps of a solver; a finished solution that was entered, as by people
who solve on paper; or a scan of the grid, as by people who go through it from cell to cell."""
MANNERS = tuple(product(SHARPNESSES, SLIPS))
"""Every combination of sharpness and slips, by which a program's order is blurred."""


class Program(NamedTuple):
    """A program that fills a grid.

    Attributes
    ----------
    family : str
        Group of programs that a cheat would find in the same place. The programs of a family are
        left out together to measure the audit on an unknown program.
    words : str
        Words that follow "a program that".
    order : callable
        Takes a kind's scene (see the modules by kind); returns a sort key for every open cell
        before every fill, shape ``(n_rows,)``. The cell with the least key is filled first.
    claim : str
        `STEPS`, `ENTERED` or `SCAN`.
    """

    family: str
    words: str
    order: Callable[..., NDArray[np.floating] | NDArray[np.integer]]
    claim: str = STEPS


class Chances(NamedTuple):
    """The probabilities that programs give to the fills of a game.

    Attributes
    ----------
    names : tuple of str
        Name of each column.
    log_chances : ndarray of float64, shape (n_moves, n_tellers)
        A teller is a program in one of its manners.
    weights : ndarray of float64, shape (n_tellers,)
        They sum to 1. Families have equal weights, and so do the programs and manners in a family.
    """

    names: tuple[str, ...]
    log_chances: Floats
    weights: Floats


def chances_of(
    names: Sequence[str],
    families: Sequence[str],
    replay: Replay,
    orders: Sequence[NDArray[np.floating] | NDArray[np.integer]],
) -> Chances:
    """Return the probabilities of a game's fills under programs with these orders of open cells.

    Parameters
    ----------
    names, families : sequence of str
        Of each program.
    replay : Replay
    orders : sequence of ndarray, shape (n_rows,)
        Of each program.
    """
    ranks, ties = places_of_chosen(replay, np.stack(orders, axis=1))
    n_open = np.diff(replay.starts)[:, None]
    result = np.empty((len(ranks), len(names), len(MANNERS)))
    for i, (sharpness, slips) in enumerate(MANNERS):
        chance = np.exp(log_chances_of_ranks(ranks, ties, n_open, sharpness))
        result[:, :, i] = np.log((1 - slips) * chance + slips / n_open)
    sizes: Mapping[str, int] = {family: families.count(family) for family in families}
    weights = np.array([1 / (len(sizes) * sizes[family] * len(MANNERS)) for family in families])
    return Chances(
        tuple(np.repeat(names, len(MANNERS)).tolist()),
        result.reshape(len(ranks), -1),
        np.repeat(weights, len(MANNERS)),
    )


def places_of_chosen(replay: Replay, orders: Floats) -> tuple[Floats, Floats]:
    """Return the numbers of open cells that come before the filled cell, and that tie with it.

    Parameters
    ----------
    replay : Replay
    orders : ndarray of float64, shape (n_rows, n_programs)

    Returns
    -------
    before, ties : ndarray of float64, shape (n_moves, n_programs)
        The cell itself is among the ties.
    """
    own = np.repeat(orders[replay.chosen], np.diff(replay.starts), axis=0)
    starts = replay.starts[:-1]
    before = np.add.reduceat(orders < own, starts, axis=0, dtype=np.float64)
    ties = np.add.reduceat(orders == own, starts, axis=0, dtype=np.float64)
    return before, ties


LEARNT_SLIPS = (0.005, 0.05)
"""Shares of fills of a random open cell; each learnt program is evaluated with each share."""

_RIDGE = 3e-4
_DIGITS = 4


class Solver(NamedTuple):
    """A solver from whose runs a program is learnt, with the family and words of a `Program`."""

    family: str
    words: str
    run: Callable[[Any, np.random.Generator], NDArray[np.integer]]


SUDOKU_SOLVERS: Mapping[str, Solver] = {
    "annealing": Solver(
        "search",
        "fills cells as simulated annealing gets them right",
        lambda puzzle, rng: Annealing().run(puzzle, rng=rng).trace["cell"],
    ),
    "brute force": Solver(
        "search",
        "tries every value in turn",
        lambda puzzle, rng: BruteForce().run(puzzle, rng=rng).trace["cell"],
    ),
    "refutation": Solver(
        "singles",
        "fills any cell that propagation decides",
        lambda puzzle, rng: Refutation().run(puzzle, rng=rng).trace["cell"],
    ),
}
"""Solvers by the name of the program."""


class LearntProgram(NamedTuple):
    """A program as a model of choices.

    Attributes
    ----------
    name, family, words : str
        As in :class:`nando.games.evidence.reading.Program`.
    coefficients : ndarray of float64, shape (n_features,)
    """

    name: str
    family: str
    words: str
    coefficients: Floats

    def to_record(self, kind: str) -> dict[str, Any]:
        """Return the program for JSON, without zeros."""
        return {**self._asdict(), "coefficients": without_zeros(self.coefficients, kind)}

    @classmethod
    def from_record(cls, record: Mapping[str, Any], kind: str) -> Self:
        """Rebuild a program from its record; raise ValueError for an invalid one."""
        name, family, words = (str(record[field]) for field in ("name", "family", "words"))
        return cls(name, family, words, place_coefficients(record["coefficients"], kind))


def learnt_programs(games: Sequence[Game], *, seed: int = 0) -> list[LearntProgram]:
    """Learn the programs of a kind of puzzle from their runs on the puzzles of some games.

    Parameters
    ----------
    games : sequence of Game
        Games of one kind of puzzle, at least one.
    seed : int
    """
    rng = np.random.default_rng(seed)
    programs = []
    solvers = find_kind(games[0].puzzle.kind).solvers
    for name, solver in counted(solvers.items(), "programs", len(solvers)):
        runs = [
            Game(
                "",
                "",
                game.puzzle,
                game.solution,
                solver.run(game.puzzle, rng).astype(np.int16),
                np.zeros(game.n_blanks),
            )
            for game in counted(games, f"games of {name}", len(games))
        ]
        fit = fit_coefficients(runs, ridge=_RIDGE)
        programs.append(LearntProgram(name, solver.family, solver.words, np.round(fit, _DIGITS)))
    return programs


def learnt_log_chances(replay: Replay, programs: Sequence[LearntProgram]) -> Floats:
    """Return the log chance of each fill under each program and share of slips.

    Returns
    -------
    ndarray of float64, shape (n_moves, n_programs * len(LEARNT_SLIPS))
        The columns of a program, one for each share of slips, are next to each other.
    """
    coefficients = np.array([program.coefficients for program in programs])
    chances = row_chances(replay, coefficients)[replay.chosen].astype(np.float64)
    slips = np.array(LEARNT_SLIPS)
    n_open = np.diff(replay.starts)[:, None, None]
    log_chances = np.log((1 - slips) * chances[:, :, None] + slips / n_open)
    return np.asarray(log_chances.reshape(len(log_chances), -1))


LADDER, LADDER_FAMILY = "logic ladder", "ladder"
LADDER_WORDS = "takes the easiest step of a logic solver"
"""The program that lists the cells before a game, in the order of the steps of a logic solver."""

ORDER, TIMES, BOTH = "order", "times", "order and times"

HAND = "hand"
"""The claim of a hand faster than fingers; those of programs are in `program`."""

_SHARES = {ORDER: 0.5, TIMES: 0.25, BOTH: 0.25}
"""Weights of the suspects of an entered solution, by the part of the game that they explain."""
_PARTS_OF_ODDS = (0.1, 0.8, 0.1)
"""Weights of 1, of a solver's steps and of a hand in the e-value against a person."""
_TEMPER = 0.8
"""Power to which ratios are raised. With a power below 1, the mean over honest games is at most 1
although real players differ from the persons of the population."""


class Suspects(NamedTuple):
    """The alternatives to a person who finds the cells one by one.

    Attributes
    ----------
    names : tuple of str
        Name of the program, or of the pace of a machine.
    words : tuple of Said
        Words that follow "a program that" or "somebody who".
    part : ndarray of str, shape (n_suspects,)
        Part of the game that the suspect explains: the order, the times, or both.
    claim : ndarray of str, shape (n_suspects,)
        `STEPS`, `HAND`, `ENTERED` or `SCAN`.
    ratios : ndarray of float64, shape (n_moves, n_suspects)
        Log likelihood ratio of each fill to the population.
    weights : ndarray of float64, shape (n_suspects,)
        They sum to 1 for each claim.
    """

    names: tuple[str, ...]
    words: tuple[Said, ...]
    part: NDArray[np.str_]
    claim: NDArray[np.str_]
    ratios: Floats
    weights: Floats

    def of(self, claim: str, *parts: str) -> tuple[Floats, Floats]:
        """Return the ratios and the weights of the suspects of a claim, and of some parts."""
        chosen = self.claim == claim
        if parts:
            chosen &= np.isin(self.part, parts)
        weights = self.weights[chosen]
        return self.ratios[:, chosen], weights / weights.sum() if len(weights) else weights

    def passages(self, claim: str) -> Passages:
        """Find where each suspect of a claim was at work.

        The result counts the suspects of the claim only.
        """
        return passages(*self.of(claim))

    def number_of(self, claim: str, teller: int) -> int:
        """Return the index among all suspects of a suspect of a claim."""
        return int(np.flatnonzero(self.claim == claim)[teller])


def _odds(ratios: Floats, weights: Floats) -> float:
    """Return the log likelihood ratio of suspects at work somewhere to a person throughout."""
    return log_odds(ratios, weights) if len(weights) else 0.0


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

    @cached_property
    def steps_odds(self) -> float:
        """Log odds of a solver's steps against people who find the cells, scan, or type them."""
        typed = _odds(*self.suspects.of(ENTERED, ORDER))
        return _TEMPER * (_odds(*self.suspects.of(STEPS)) - max(0.0, typed, self._scan_odds))

    @cached_property
    def hand_odds(self) -> float:
        """Log odds of a hand faster than fingers; 0 if no times are known."""
        return _TEMPER * _odds(*self.suspects.of(HAND))

    @cached_property
    def log_odds(self) -> float:
        """Log odds against a person, wherever the solution comes from.

        A mean of e-values, a tenth of it 1, so that a typed game hardly speaks for the player's
        other games.
        """
        odds = [0.0, self.steps_odds, self.hand_odds]
        return float(np.logaddexp.reduce(odds + np.log(_PARTS_OF_ODDS)))

    @cached_property
    def entered_odds(self) -> float:
        """Log odds of a finished solution that was entered against cells found one by one."""
        return _TEMPER * (_odds(*self.suspects.of(ENTERED)) - max(0.0, self._scan_odds))

    @cached_property
    def off_screen_odds(self) -> float:
        """Log odds of any other order against cells found one by one on the screen.

        Steps of a solver count here, too, even if a typed order explains them as well.
        """
        steps = _odds(*self.suspects.of(STEPS)) - max(0.0, self._scan_odds)
        return float(np.logaddexp(self.entered_odds, _TEMPER * steps) - np.log(2.0))

    @cached_property
    def _scan_odds(self) -> float:
        return _odds(*self.suspects.of(SCAN))

    def usual_log_chances(self) -> Floats:
        """Return the log probability of each fill, given those before, in any common order.

        Common orders are those of people, of typed solutions and of programs.
        """
        order = self.suspects.part == ORDER
        weights = self.suspects.weights[order]
        ratios = self.suspects.ratios[:, order]
        return self.people + predictive_log_ratios(ratios, weights / weights.sum())


def ladder_of(puzzle: Puzzle) -> Floats | None:
    """Return each cell's position in the list of the logic ladder; None for a kind without it."""
    places = KINDS[puzzle.kind].ladder
    return None if places is None else places(puzzle, 1, np.random.default_rng(0))


def read(
    game: Game,
    population: Population,
    ladder: Floats | None,
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
    ladder : ndarray of float64, shape (n_cells,), or None
        As :func:`ladder_of` returns it.
    learnt : sequence of LearntProgram
    without : collection of str
        Families of programs to leave out.
    """
    kind = KINDS[game.puzzle.kind]
    assert kind.replay is not None
    replay = kind.replay(game.puzzle, game.solution, game.cells)
    followed = population.follow(game.puzzle, game.solution, game.cells, replay)
    n_at_hand = np.add.reduceat(followed.at_hand, replay.starts[:-1], dtype=np.int64)
    programs = _programs(game, followed, ladder, learnt, without)
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


class _Programs(NamedTuple):
    """The probabilities of the order under the programs, with the words and claim of each."""

    chances: Chances
    words: list[Said]
    claims: list[str]


def _programs(
    game: Game,
    followed: Followed,
    ladder: Floats | None,
    learnt: Sequence[LearntProgram],
    without: Collection[str],
) -> _Programs:
    kind, replay = KINDS[game.puzzle.kind], followed.replay
    scene = kind.programs.scene_of(game.puzzle, replay)
    rules = [
        (name, program.family, program.words, program.order(scene), program.claim)
        for name, program in kind.programs.PROGRAMS.items()
        if program.family not in without
    ]
    if ladder is not None and LADDER_FAMILY not in without:
        rules.append((LADDER, LADDER_FAMILY, LADDER_WORDS, ladder[replay.cells], STEPS))
    learnt = [program for program in learnt if program.family not in without]
    names, families, words, orders, claimed = zip(*rules, strict=True)
    by_rules = chances_of(names, families, replay, orders)
    spoken = [say_known("programs", text) for text in words for _ in MANNERS]
    claims = [claim for claim in claimed for _ in MANNERS]
    if not learnt:
        return _Programs(by_rules, spoken, claims)
    # Each family of programs with rules, and each learnt program, has the same share.
    n_shares = len(set(families)) + len(learnt)
    share = 1 / (n_shares * len(LEARNT_SLIPS))
    chances = Chances(
        (*by_rules.names, *(program.name for program in learnt for _ in LEARNT_SLIPS)),
        np.hstack([by_rules.log_chances, learnt_log_chances(replay, learnt)]),
        np.concatenate(
            [
                by_rules.weights * len(set(families)) / n_shares,
                np.full(len(learnt) * len(LEARNT_SLIPS), share),
            ]
        ),
    )
    taught = [say_known("programs", program.words) for program in learnt for _ in LEARNT_SLIPS]
    return _Programs(chances, [*spoken, *taught], [*claims, *[STEPS] * len(taught)])


class _Timing(NamedTuple):
    """The delays of a game: ratios of machines to people, their mixture, and typical delays.

    In `hands`, paces faster than fingers gain nothing from a fill that fingers can enter.
    """

    ratios: Floats
    mixed: Floats
    hands: Floats
    typical: Floats


def _timing(game: Game, followed: Followed) -> _Timing | None:
    delays = game.delays
    if not KINDS[game.puzzle.kind].has_times or not np.isfinite(delays).any():
        return None
    difficulty = paces.difficulty(followed.replay)
    width = paces.clock_width(game.seconds)
    tellers = paces.people_log_chances(delays, width, difficulty)
    people, weights = mix_chances(tellers, paces.people().weights, paces.SHARE)
    machines = paces.machine_log_chances(delays, width)
    mixed, _ = mix_chances(machines, paces.machine_weights(), paces.MACHINE_SHARE)
    by_hand = paces.by_hand(delays, game.solution[game.cells])
    ratios = np.where(by_hand[:, None], machines - people[:, None], 0.0)
    fast = ratios[:, paces.too_fast()]
    return _Timing(
        ratios,
        np.where(by_hand, mixed - people, 0.0),
        np.where((delays < paces.FINGERS)[:, None], fast, np.minimum(fast, 0.0)),
        paces.typical_seconds(difficulty, weights[:-1]),
    )


def _suspects(programs: _Programs, people: Floats, timing: _Timing | None) -> Suspects:
    order, words, claims = programs
    copied = np.array(claims) == ENTERED
    ratios = order.log_chances - people[:, None]
    names, of_claim = np.array(order.names), np.array(claims)
    by_order = np.where(copied, _SHARES[ORDER], 1.0) * order.weights
    weights = by_order.copy()
    columns, parts = [ratios], np.full(len(names), ORDER)
    if timing is not None:
        fast = paces.too_fast()
        paced = [paces.machine_words(i) for i in range(len(fast))]
        typed = [word for word, one in zip(words, copied, strict=True) if one]
        n_paces, n_fast, n_typed = len(fast), int(fast.sum()), len(typed)
        columns += [timing.ratios, ratios[:, copied] + timing.mixed[:, None]]
        columns.append(timing.hands)
        names = np.r_[names, ["even delays"] * n_paces, names[copied], ["even delays"] * n_fast]
        words = [*words, *paced, *typed, *(paced[i] for i in np.flatnonzero(fast))]
        parts = np.r_[parts, [TIMES] * n_paces, [BOTH] * n_typed, [TIMES] * n_fast]
        of_claim = np.r_[of_claim, [ENTERED] * (n_paces + n_typed), [HAND] * n_fast]
        share = order.weights[copied].sum()
        machine = paces.machine_weights()
        weights = np.r_[
            weights,
            share * _SHARES[TIMES] * machine,
            _SHARES[BOTH] * order.weights[copied],
            machine[fast],
        ]
    for claim in (STEPS, HAND, ENTERED, SCAN):
        those = of_claim == claim
        weights[those] /= weights[those].sum() if those.any() else 1.0
    return Suspects(
        tuple(names.tolist()), tuple(words), parts, of_claim, np.hstack(columns), weights
    )
