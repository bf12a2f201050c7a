"""Refutation-based propagation (SiSuS): singles while there are any, else the cheapest refutation.

This is a model of a person without advanced techniques. Among the naked and hidden singles a cell
is drawn at random and filled. At an impasse, where there is no single, each empty cell gets a
score: the number of steps that refute its wrong candidates, by following random singles to a
contradiction. The cell with the lowest score is filled, and this score is that of the impasse. On
Nurikabe, rules seen at a glance take the place of singles:
:mod:`nando.solvers.people.nurikabe_refutation`.

Source: Krivanek 2011 (master thesis, Masaryk University); Pelanek 2014, arXiv:1403.7373.
"""

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.kernels.compile import inlined_kernel
from nando.puzzles import Puzzle, Values
from nando.puzzles.frozen import EqualFields
from nando.solvers.exact.search import unique_solution
from nando.solvers.kinds import part_for
from nando.solvers.people.imitation import Imitation
from nando.solvers.protocol import STEP, Rule

TOTAL, LARGEST, IMPASSES, UNREFUTED = range(4)
"""Indices in :attr:`Refutations.sums`."""


class Refutations(NamedTuple):
    """Sums over runs; all arrays are changed in place.

    Attributes
    ----------
    trace : ndarray of STEP, shape (n_blanks,)
        The last run.
    sums : ndarray of float64, shape (4,)
        Sum of the scores of impasses; sum of the largest score of each run; number of impasses;
        number of those at which nothing could be refuted.
    possibilities : ndarray of float64, shape (n_blanks,)
        Number of cells that could be filled without a refutation, before each step.
    order : ndarray of float64, shape (n_cells,)
        Step, from 1, at which each cell was filled.
    """

    trace: NDArray[np.void]
    sums: NDArray[np.float64]
    possibilities: NDArray[np.float64]
    order: NDArray[np.float64]


def no_refutations(n_cells: int, n_blanks: int) -> Refutations:
    """Return empty sums."""
    return Refutations(np.zeros(n_blanks, STEP), np.zeros(4), np.zeros(n_blanks), np.zeros(n_cells))


@inlined_kernel
def note_run(played, unrefuted):
    """Add the run of the trace to the sums."""
    trace = played.trace
    sums = played.sums
    worst = 0.0
    for k in range(trace.shape[0]):
        played.possibilities[k] += trace[k]["options"]
        played.order[trace[k]["cell"]] += k + 1
        if trace[k]["rule"] == Rule.REFUTATION.value:
            sums[IMPASSES] += 1.0
            sums[TOTAL] += trace[k]["cost"]
            worst = max(worst, trace[k]["cost"])
    sums[LARGEST] += worst
    sums[UNREFUTED] += unrefuted


@dataclass(frozen=True, eq=False)
class RefutationProfile(EqualFields):
    """Statistics of many runs of :class:`Refutation` on a puzzle; means over runs.

    Attributes
    ----------
    refutation_sum : float
        Sum of the scores of the impasses, in steps of the refuted assumptions.
    refutation_max : float
        Largest score of an impasse.
    stuck_steps : float
        Number of impasses.
    unrefuted_steps : float
        Number of impasses at which no cell could be refuted by singles alone.
    possibilities : ndarray of float64, shape (n_blanks,)
        Number of cells that a single could fill, before each step; 0 at an impasse.
    order : ndarray of float64, shape (n_cells,)
        Step, from 1, at which each cell was filled; 0 for givens.
    """

    refutation_sum: float
    refutation_max: float
    stuck_steps: float
    unrefuted_steps: float
    possibilities: NDArray[np.float64]
    order: NDArray[np.float64]

    def dependency(self, steps: int = 25) -> float:
        """Return the mean number of possibilities over the first `steps` steps; larger is easier.

        Source: Pelanek 2014, Table 2.
        """
        if steps < 1:
            raise ValueError(f"steps must be at least 1, got {steps}")
        return float(self.possibilities[:steps].mean()) if self.possibilities.size else 0.0


@dataclass(frozen=True)
class Refutation(Imitation[RefutationProfile]):
    """Refutation-based propagation, SiSuS.

    Parameters
    ----------
    count_assumption : bool
        Count the refuted assumption itself as a step. The papers do not say; counting it agrees
        slightly better with human times on all sets tried.
    unrefuted_score : float
        Score of an impasse at which no cell can be refuted by singles (AI Escargot has some); the
        cell is then drawn among all empty ones.

    Notes
    -----
    The trace has one row per filled cell: `options` is the number of cells a single could fill
    and `cost` the score of an impasse, 0 for singles. Steps of a run are filled cells.

    Examples
    --------
    >>> from nando.puzzles import Sudoku
    >>> puzzle = Sudoku(
    ...     "...6..4..7....36......91.8...........5.18...3...3.6.45.4.2...6.9.3.......2....1.."
    ... )
    >>> run = Refutation().run(puzzle, rng=1)
    >>> run.outcome.value, run.steps
    ('solved', 58)
    """

    name: ClassVar[str] = "refutation"
    count_assumption: bool = True
    unrefuted_score: float = 100.0

    def _play(
        self, puzzle: Puzzle, runs: int, rng: np.random.Generator
    ) -> tuple[Values, NDArray[np.void], RefutationProfile]:
        refute = part_for(self, puzzle, "refute")
        solution = unique_solution(puzzle)
        settings = int(self.count_assumption), float(self.unrefuted_score)
        played: Refutations = refute(puzzle, solution, settings, runs, rng)
        total, largest, impasses, unrefuted = (played.sums / runs).tolist()
        profile = RefutationProfile(
            total, largest, impasses, unrefuted, played.possibilities / runs, played.order / runs
        )
        return solution, played.trace, profile
