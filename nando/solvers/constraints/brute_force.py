"""Brute force as in Krivanek's thesis: try everything, in an order that the search builds up.

On Sudoku every value of every cell is suggested, whether the rules allow it or not:
:mod:`nando.solvers.constraints.sudoku_brute_force`. On Nurikabe every shape of every island is
tried: :mod:`nando.solvers.constraints.nurikabe_islands`.

Source: Krivanek 2011.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from nando.puzzles import Puzzle
from nando.puzzles.frozen import EqualFields
from nando.solvers.kinds import part_for
from nando.solvers.protocol import Limit, Seed, SolveRun, generator
from nando.solvers.repeated import median_steps, run_often, solved_share


@dataclass(frozen=True, eq=False)
class BruteForceProfile(EqualFields):
    """Statistics of many runs of :class:`BruteForce` on a puzzle.

    Attributes
    ----------
    steps : float
        Median number of suggestions, or on Nurikabe of shapes tried; a run that its budget ended
        counts with the budget.
    solved_share : float
        Share of runs that ended solved.
    order : ndarray of float64, shape (n_cells,)
        Mean position, from 1, of each cell in the list; 0 for givens. Cells that a run never
        listed share the mean of the positions after its list.
    """

    steps: float
    solved_share: float
    order: NDArray[np.float64]


@dataclass(frozen=True)
class BruteForce:
    """Brute force with an order of cells that the search builds up.

    Notes
    -----
    Steps are suggestions. The trace has a row per cell of the list, in its order: `options` is
    the number of values allowed when the cell was appended, and `value` is its value at the end,
    or 0 if the search backtracked beyond it.

    On Nurikabe steps are shapes tried. The trace has a row per cell without a number that is
    coloured at the end, in the order of colouring. `options` is the number of shapes tried for
    the island that the cell belongs to or surrounds, and 0 for the remaining river.
    """

    name: ClassVar[str] = "brute_force"

    def run(self, puzzle: Puzzle, *, limit: Limit | None = None, rng: Seed = None) -> SolveRun:
        """Search once, to the first solution."""
        search = part_for(self, puzzle, "brute_force")
        run: SolveRun = search(puzzle, limit or Limit(), generator(rng))
        return run

    def profile(
        self, puzzle: Puzzle, *, runs: int = 100, rng: Seed = None, limit: Limit | None = None
    ) -> BruteForceProfile:
        """Search `runs` times.

        Raises
        ------
        ValueError
            If `runs` is below 1.
        """
        done = run_often(self, puzzle, runs, limit, rng)
        blank = np.asarray(puzzle.givens) == 0
        order = np.zeros(len(blank))
        for run in done:
            listed = len(run.trace)
            places = np.where(blank, (listed + 1 + np.count_nonzero(blank)) / 2, 0.0)
            places[run.trace["cell"]] = np.arange(1, listed + 1)
            order += places
        return BruteForceProfile(
            steps=median_steps(done),
            solved_share=solved_share(done),
            order=order / runs,
        )
