"""Programs whose order follows no short rule: choice models fitted to games that they play.

The last swaps of simulated annealing, the list of a brute force search and the steps of a
refutation search depend on the state of the board in ways that a sort key cannot express. A model
of choices can, as it does for people. A program is learnt from its runs on the puzzles of the
honest games.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from nando.arrays import Floats
from nando.games.fill_order import fit_coefficients, named_coefficients, without_zeros
from nando.games.game import Game
from nando.games.kinds import find_kind
from nando.rating.records import numbers
from nando.solvers import Annealing, BruteForce, Refutation
from nando.solvers.people.fills.choices import Replay, row_chances
from nando.stages import counted

SLIPS = (0.005, 0.05)
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
        return {
            "name": self.name,
            "family": self.family,
            "words": self.words,
            "coefficients": without_zeros(self.coefficients, kind),
        }

    @classmethod
    def from_record(cls, record: Mapping[str, Any], kind: str) -> Self:
        """Rebuild a program from its record; raise ValueError for an invalid one."""
        coefficients = numbers(named_coefficients(record["coefficients"], kind), "coefficients", -1)
        return cls(str(record["name"]), str(record["family"]), str(record["words"]), coefficients)


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
    ndarray of float64, shape (n_moves, n_programs * len(SLIPS))
        The columns of a program, one for each share of slips, are next to each other.
    """
    coefficients = np.array([program.coefficients for program in programs])
    chances = row_chances(replay, coefficients)[replay.chosen].astype(np.float64)
    slips = np.array(SLIPS)
    n_open = np.diff(replay.starts)[:, None, None]
    log_chances = np.log((1 - slips) * chances[:, :, None] + slips / n_open)
    return np.asarray(log_chances.reshape(len(log_chances), -1))
