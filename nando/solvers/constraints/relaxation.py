"""Constraint relaxation: the solutions a puzzle gains when some constraints are weakened.

Cells that still have one value in all solutions are fixed. Hard puzzles gain more solutions and
keep fewer cells fixed. On Sudoku random edges of the graph are removed:
:mod:`nando.solvers.constraints.sudoku_relaxation`. On Nurikabe numbers become unknown.

Source: Krivanek 2011; Pelanek 2014 (fixedness).
"""

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.puzzles import Puzzle, Values
from nando.puzzles.frozen import EqualFields
from nando.puzzles.nurikabe import UNKNOWN, Nurikabe
from nando.records import Settings, between, setting
from nando.solvers.exact.bands import DEPTH, FOUND, GUESSES
from nando.solvers.exact.nurikabe.probing import ProbingSearch
from nando.solvers.exact.search import unique_solution
from nando.solvers.kinds import part_for
from nando.solvers.protocol import Limit, Outcome, Seed, SolveRun, check_runs, generator
from nando.solvers.repeated import Budget


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


# Constraint relaxation on Nurikabe: some of the numbers become unknown.
#
# Pelanek 2014 relaxes Nurikabe too, but does not say which constraints. Here the constraints are
# the sizes of the islands. A relaxed number still belongs to one island, but the size of this
# island is unknown. The relaxed puzzle is a Nurikabe, and the exact search counts its solutions.

_CHUNK = 1_000
"""Guesses between two checks of the clock."""


def relax_numbers(
    puzzle: Nurikabe, solver: Relaxation, runs: int, rng: np.random.Generator, limit: Limit
) -> Samples:
    """Count the solutions of samples with numbers made unknown; a limit holds for each."""
    solution = unique_solution(puzzle)
    counts = np.zeros((runs, 3), np.int64)
    fixed = np.zeros(len(solution))
    for row in counts:
        relaxed_puzzle = hide_numbers(puzzle, solver.relaxed_share, rng)
        row[:], same = count_relaxed(relaxed_puzzle, solution, solver.cap, limit)
        fixed += same
    return Samples(solution, counts, fixed)


def hide_numbers(puzzle: Nurikabe, share: float, rng: np.random.Generator) -> Nurikabe:
    """Return the puzzle with a share of its known numbers, at least one, made unknown."""
    known = np.flatnonzero(puzzle.numbers > 0)
    n_relaxed = min(max(round(share * len(known)), int(share > 0)), len(known))
    numbers = puzzle.numbers.copy()
    numbers[rng.choice(known, n_relaxed, replace=False)] = UNKNOWN
    return Nurikabe.from_numbers(numbers.reshape(puzzle.shape))


def count_relaxed(
    puzzle: Nurikabe, solution: Values, cap: int, limit: Limit
) -> tuple[tuple[int, int, bool], NDArray[np.bool_]]:
    """Count the solutions of a relaxed puzzle, up to a cap and a limit.

    Return a tuple of the number of solutions, the number of guesses, and True if all solutions were
    found; and an array with True for each cell whose value never differs from `solution`.
    """
    search = ProbingSearch(puzzle)
    budget = Budget(limit)
    fixed = np.ones(puzzle.n_cells, np.bool_)
    n_found = 0
    while n_found < cap and search.progress[DEPTH] >= 0:
        guesses = int(search.progress[GUESSES])
        if guesses >= budget.most or budget.late:
            break
        # The search keeps only its first solutions, so each new one is stored as the first.
        search.progress[FOUND] = 0
        search.advance(1, budget.pause(guesses, _CHUNK))
        if search.progress[FOUND]:
            n_found += 1
            fixed &= search.solutions[0] == solution
    # The puzzle's own solution counts even if the limit came before it.
    counted = max(n_found, 1), int(search.progress[GUESSES]), bool(search.progress[DEPTH] < 0)
    return counted, fixed
