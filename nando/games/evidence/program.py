"""Programs as predictors: the probability that each gives to every fill of a game.

Before every fill, a program sorts the open cells and fills the first; ties are broken at random.
Two parameters allow for cheats who blur this order and for programs that draw: a sharpness, and a
share of slips, which fall on any open cell. Each program is evaluated with every combination of
both, so that no single deviation clears it.

The last swaps of simulated annealing, the list of a brute force search and the steps of a
refutation search depend on the state of the board in ways that a sort key cannot express. A model
of choices can, as it does for people. Such a program is learnt from its runs on the puzzles of the
honest games.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from nando.arrays import Floats
from nando.games.fill_order import fit_coefficients, place_coefficients, without_zeros
from nando.games.game import Game
from nando.games.kinds import find_kind
from nando.games.orders import log_chances_of_ranks
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
        As in :class:`nando.games.evidence.program.Program`.
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
