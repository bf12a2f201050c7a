"""Constraint relaxation: the solutions a puzzle gains when some constraints are weakened.

Cells that still have one value in all solutions are fixed. Hard puzzles gain more solutions and
keep fewer cells fixed. On Sudoku random edges of the graph are removed:
:mod:`nando.solvers.constraints.sudoku_relaxation`. On Nurikabe numbers become unknown:
:mod:`nando.solvers.constraints.nurikabe_relaxation`.

Source: Krivanek 2011; Pelanek 2014 (fixedness).
"""

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.puzzles import Puzzle, Values
from nando.puzzles.frozen import EqualFields
from nando.records import Settings, between, setting
from nando.solvers.kinds import part_for
from nando.solvers.protocol import (
    Limit,
    Outcome,
    Seed,
    SolveRun,
    check_runs,
    generator,
)


class Samples(NamedTuple):
    """The results of the samples of a puzzle.

    Attributes
    ----------
    solution : ndarray of int8, shape (n_cells,)
        The puzzle's own solution.
    counts : ndarray of int64, shape (runs, 3)
        Solutions, branches of the count, and 1 if all solutions were found.
    fixed : ndarray of float64, shape (n_cells,)
        Number of samples in which a cell has one value in all solutions found.
    """

    solution: Values
    counts: NDArray[np.int64]
    fixed: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class RelaxationProfile(EqualFields):
    """Statistics of the samples of :class:`Relaxation` on a puzzle.

    Attributes
    ----------
    extra_solutions : float
        Mean number of solutions in addition to the puzzle's own; capped samples count with the cap.
    unique_share : float
        Share of samples that keep one solution.
    fixed_blanks : float
        Mean number of blanks with one value in all solutions found.
    capped_share : float
        Share of samples in which counting stopped at the cap or a limit.
    fixedness : ndarray of float64, shape (n_cells,)
        Share of samples in which the cell is fixed; 1 for givens.
    """

    extra_solutions: float
    unique_share: float
    fixed_blanks: float
    capped_share: float
    fixedness: NDArray[np.float64]


@dataclass(frozen=True)
class Relaxation(Settings):
    """Constraint relaxation.

    Parameters
    ----------
    removed_edges : int
        Edges removed from the graph of a Sudoku, drawn without replacement; edges to givens
        count.
    cap : int
        Solutions at which counting stops.
    relaxed_share : float
        Share of the numbers of a Nurikabe that become unknown, at least one.

    Notes
    -----
    A run is one sample: ``run.n_solutions`` counts all solutions up to the cap (at least the
    puzzle's own), steps are the branches of the count, and the trace is empty. The outcome is
    SOLVED at the cap and EXHAUSTED if all solutions were found.
    """

    name: ClassVar[str] = "relaxation"
    removed_edges: int = setting(45, between(0))
    cap: int = setting(1_000, between(2))
    relaxed_share: float = setting(0.1, between(0, 1))

    def run(self, puzzle: Puzzle, *, limit: Limit | None = None, rng: Seed = None) -> SolveRun:
        """Take one sample; a limit of steps bounds the branches.

        Raises
        ------
        PuzzleError
            If the puzzle does not have exactly one solution.
        ValueError
            If more edges are to be removed than there are.
        """
        limit = limit or Limit()
        solution, counts, _ = self._sample(puzzle, 1, generator(rng), limit)
        n_found, steps, ended = counts[0].tolist()
        if n_found >= self.cap:
            outcome = Outcome.SOLVED
        elif ended:
            outcome = Outcome.EXHAUSTED
        else:
            spent = limit.steps is not None and steps >= limit.steps
            outcome = Outcome.STEP_LIMIT if spent else Outcome.TIME_LIMIT
        return SolveRun(outcome, steps, solution, n_solutions=n_found)

    def profile(
        self, puzzle: Puzzle, *, runs: int = 100, rng: Seed = None, limit: Limit | None = None
    ) -> RelaxationProfile:
        """Take `runs` samples and return their means; a limit holds for each.

        Raises
        ------
        PuzzleError
            If the puzzle does not have exactly one solution.
        ValueError
            If `runs` is below 1, or more edges are to be removed than there are.
        """
        check_runs(runs)
        _, counts, fixed = self._sample(puzzle, runs, generator(rng), limit or Limit())
        solutions = counts[:, 0]
        fixedness = fixed / runs
        return RelaxationProfile(
            extra_solutions=float(solutions.mean() - 1),
            unique_share=float((solutions == 1).mean()),
            fixed_blanks=float(fixedness[np.asarray(puzzle.givens) == 0].sum()),
            capped_share=float(((solutions >= self.cap) | (counts[:, 2] == 0)).mean()),
            fixedness=fixedness,
        )

    def _sample(self, puzzle: Puzzle, runs: int, rng: np.random.Generator, limit: Limit) -> Samples:
        relax = part_for(self, puzzle, "relax")
        samples: Samples = relax(puzzle, self, runs, rng, limit)
        return samples
