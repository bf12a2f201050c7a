"""RESEDA: estimation of a distribution over grids, restarted around parts that look right.

Each cell has a distribution over the symbols. Grids are drawn from it, the better ones are kept,
and the distribution is moved towards their symbols, until every cell is nearly certain. The result
is often wrong in only a few cells, so parts of it are added to the givens and the estimation is
run again.

Source: Maire and Prissette 2012 (RESEDA, a restarted estimation of distribution algorithm).
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from nando.puzzles import Puzzle, Sudoku, Values
from nando.records import Settings, below_one, between, setting
from nando.solvers.exact.search import unique_solution
from nando.solvers.protocol import (
    STEP,
    Budget,
    Limit,
    Outcome,
    Rule,
    Seed,
    SolveRun,
    check_runs,
    generator,
    run_often,
    unsupported,
)
from nando.solvers.search import distribution

Selection = Literal["tournament", "truncation"]
Approximation = Literal["best", "last", "likeliest"]
Ties = Literal["index", "random"]
Zones = Literal["diagonal boxes", "boxes", "houses"]

_CHUNK = 10
"""Iterations between two checks of the clock."""


@dataclass(frozen=True)
class DistributionEstimationProfile:
    """Statistics of many runs of :class:`DistributionEstimation` on a puzzle.

    Attributes
    ----------
    solved_share : float
        Share of runs that ended solved.
    iterations : float
        Mean number of iterations of a run, over all its restarts.
    iterations_when_solved : float
        The same over the solved runs alone; NaN if there are none. The paper does not say which
        of the two its rounds are.
    grids : float
        Mean number of grids that a run drew.
    grids_to_success : float
        `grids` divided by `solved_share`, the paper's expected time to success, in grids;
        infinite if no run was solved.
    """

    solved_share: float
    iterations: float
    iterations_when_solved: float
    grids: float
    grids_to_success: float


@dataclass(frozen=True)
class DistributionEstimation(Settings):
    """Estimation of distribution; with `zones`, RESEDA.

    Parameters
    ----------
    alpha : float
        Weight of the old distribution against the frequencies in the kept grids, from 0 to 1.
    beta : float
        Settled once every cell has a symbol more probable than this.
    samples, kept : int
        Grids drawn in an iteration, and how many of them are learned from.
    selection : {"tournament", "truncation"}
        Keep the best of each of `kept` groups, or the `kept` best of all. The paper offers both
        and does not say which it used; the tournament is nearer to its tables.
    permutations : bool
        Draw every box as a permutation, its surest cell first; otherwise cells independently.
    precomputation : bool
        Start from the symbols not given among a cell's peers; otherwise from all symbols.
    ties : {"index", "random"}
        Which of equally sure cells of a box is drawn first.
    approximation : {"best", "last", "likeliest"}
        Grid from which partial restarts take zones: the best grid drawn, the best of the last
        iteration, or each cell's most probable symbol.
    zones : {"diagonal boxes", "boxes", "houses"} or None
        Kinds of zone for partial restarts. Each zone of the approximation that holds every symbol
        once is added to the givens, and one estimation is run from these. At order 3 there are 3,
        9 and 27 zones.
    full_restarts : int or None
        Number of restarts from the givens; None means no bound and needs a limit.
    completed_box : int or None
        Try in turn each filling of this box (0-based, row-major) that the givens of its rows
        and columns allow; see :func:`completed_boxes`.
    longest : int
        Iterations after which an estimation that does not settle is ended.

    Notes
    -----
    Steps are grids drawn. The trace has a row for each estimation, first and restarted: `step`
    is the number of grids drawn by its end, `options` its iterations, `cost` the symbols that
    the houses of its best grid lack, `value` the number of its zone from 1 in the order of the
    houses of the layout, or 0 without one. An estimation in which the givens leave a cell
    without a symbol fails at once.
    """

    name: ClassVar[str] = "distribution_estimation"
    alpha: float = setting(0.7, below_one)
    beta: float = setting(0.6, below_one)
    samples: int = setting(100, between(1))
    kept: int = setting(10, between(1))
    selection: Selection = "tournament"
    permutations: bool = True
    precomputation: bool = True
    ties: Ties = "index"
    approximation: Approximation = "best"
    zones: Zones | None = None
    full_restarts: int | None = setting(0, between(0))
    completed_box: int | None = setting(None, between(0))
    longest: int = setting(5_000, between(1))

    def check(self) -> None:
        """Reject a number of kept grids that the samples do not allow."""
        if self.kept > self.samples:
            raise ValueError(f"kept must be at most samples ({self.samples}), got {self.kept!r}")
        if self.selection == "tournament" and self.samples % self.kept:
            raise ValueError(
                f"samples must be a multiple of kept for a tournament, "
                f"got {self.samples!r} and {self.kept!r}"
            )

    def run(self, puzzle: Puzzle, *, limit: Limit | None = None, rng: Seed = None) -> SolveRun:
        """Run the estimation and its restarts.

        The outcome is STUCK if no restart led to a solution.

        Raises
        ------
        ValueError
            If restarts without end have no limit, or the puzzle has no such box.
        """
        limit = limit or Limit()
        if self.full_restarts is None and limit.steps is None and limit.seconds is None:
            raise ValueError("full_restarts=None needs a limit, got none: it might never end")
        return self._run(puzzle, limit, generator(rng))

    def profile(
        self, puzzle: Puzzle, *, runs: int = 100, rng: Seed = None, limit: Limit | None = None
    ) -> DistributionEstimationProfile:
        """Run `runs` times.

        Raises
        ------
        ValueError
            If `runs` is below 1, and as for :meth:`run`.
        """
        done = run_often(self, puzzle, runs, limit, rng)
        solved = np.array([run.outcome is Outcome.SOLVED for run in done])
        iterations = np.array([run.trace["options"].sum() for run in done])
        grids = float(np.mean([run.steps for run in done]))
        return DistributionEstimationProfile(
            solved_share=float(solved.mean()),
            iterations=float(iterations.mean()),
            iterations_when_solved=float(iterations[solved].mean()) if solved.any() else math.nan,
            grids=grids,
            grids_to_success=grids / float(solved.mean()) if solved.any() else math.inf,
        )

    def reliability(
        self, puzzle: Sudoku, *, runs: int = 100, rng: Seed = None
    ) -> NDArray[np.float64]:
        """Return the share of single estimations whose approximation is right, for each cell.

        The paper draws this map and concludes that parts of a wrong grid are often right.

        Returns
        -------
        ndarray of float64, shape (n_cells,)

        Raises
        ------
        PuzzleError
            If the puzzle does not have exactly one solution.
        ValueError
            If `runs` is below 1.
        """
        check_runs(runs)
        solution = unique_solution(puzzle)
        search = _Search(self, puzzle, Limit(), generator(rng))
        right = np.zeros(len(solution))
        for _ in range(runs):
            search.estimate(puzzle.givens, 0)
            right += search.values == solution
        return right / runs

    def _run(self, puzzle: Puzzle, limit: Limit, rng: np.random.Generator) -> SolveRun:
        if not isinstance(puzzle, Sudoku):
            raise unsupported(self, puzzle)
        if self.completed_box is not None and self.completed_box >= puzzle.size:
            raise ValueError(
                f"completed_box must be below {puzzle.size} here, got {self.completed_box}"
            )
        search = _Search(self, puzzle, limit, rng)
        outcome = Outcome.STUCK
        for givens, zone in self._starts(puzzle, search):
            outcome = search.estimate(givens, zone)
            if outcome is not Outcome.STUCK:
                break
        trace = np.array(search.rows, STEP)
        if outcome is not Outcome.SOLVED:
            return SolveRun(outcome, search.steps, None, trace)
        return SolveRun(outcome, search.steps, search.values, trace, 1)

    def _starts(self, puzzle: Sudoku, search: "_Search") -> Iterator[tuple[Values, int]]:
        """Yield the givens of each estimation to make, with the number of its zone.

        The next givens depend on what the last estimation left in `search`.
        """
        layout = puzzle.layout
        houses = {
            None: range(0),
            "diagonal boxes": range(2 * layout.size, 3 * layout.size, layout.order + 1),
            "boxes": range(2 * layout.size, 3 * layout.size),
            "houses": range(3 * layout.size),
        }[self.zones]
        for _ in count() if self.full_restarts is None else range(1 + self.full_restarts):
            before = search.steps
            box = self.completed_box
            for first in [puzzle] if box is None else completed_boxes(puzzle, box):
                yield first.givens, 0
                approximation = search.values
                for house in houses:
                    cells = layout.houses[house]
                    if len(np.unique(approximation[cells])) == layout.size:
                        givens = first.givens.copy()
                        givens[cells] = approximation[cells]
                        yield givens, house + 1
            if search.steps == before:
                return  # every estimation failed at once, and would again


def completed_boxes(puzzle: Sudoku, box: int) -> Iterator[Sudoku]:
    """Yield the puzzle with one box filled, in each way that givens of rows and columns allow.

    One of these puzzles has the solution of `puzzle`, and it is much easier.

    Parameters
    ----------
    puzzle : Sudoku
    box : int
        0-based, row-major.

    Raises
    ------
    ValueError
        If the puzzle has no such box.

    Examples
    --------
    >>> escargot = Sudoku(
    ...     "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3.."
    ... )
    >>> len(list(completed_boxes(escargot, 0)))
    24
    """
    layout = puzzle.layout
    if not 0 <= box < layout.size:
        raise ValueError(f"box must be from 0 to {layout.size - 1}, got {box!r}")
    cells = layout.houses[2 * layout.size + box]
    blanks = cells[puzzle.givens[cells] == 0]
    candidates = [
        np.setdiff1d(np.arange(1, layout.size + 1), puzzle.givens[layout.peers[cell]]).tolist()
        for cell in blanks
    ]

    def fillings(values: list[int]) -> Iterator[Sudoku]:
        if len(values) == len(blanks):
            filled = puzzle.givens.copy()
            filled[blanks] = values
            yield Sudoku.from_values(filled)
            return
        for value in candidates[len(values)]:
            if value not in values:
                yield from fillings([*values, value])

    return fillings([])


class _Search:
    """State shared by the estimations of one run: the budget, the trace and the last result."""

    def __init__(
        self, solver: DistributionEstimation, puzzle: Sudoku, limit: Limit, rng: np.random.Generator
    ) -> None:
        self.solver = solver
        self.puzzle = puzzle
        self.budget = Budget(limit)
        self.rng = rng
        self.parameters = distribution.Parameters(
            solver.alpha,
            solver.beta,
            solver.kept,
            solver.selection == "tournament",
            solver.permutations,
            solver.ties == "random",
        )
        self.steps = 0
        self.rows: list[tuple[int, int, int, int, int, float]] = []
        self.values = puzzle.givens
        """The solution if it was found, otherwise the approximation of the last estimation."""

    def estimate(self, givens: Values, zone: int) -> Outcome:
        """Estimate around `givens`; return STUCK if the estimation settles on a wrong grid."""
        solver, layout = self.solver, self.puzzle.layout
        if self.steps >= self.budget.most:
            return Outcome.STEP_LIMIT
        if self.budget.late:
            return Outcome.TIME_LIMIT
        state = distribution.start(layout, givens, solver.samples, solver.precomputation)
        code = distribution.GOING_ON if state.chances.any(axis=1).all() else distribution.SETTLED
        counts = state.counts
        while (
            code == distribution.GOING_ON
            and counts[distribution.N_ITERATIONS] < solver.longest
            and not self.budget.late
        ):
            iterations = min(_CHUNK, solver.longest - int(counts[distribution.N_ITERATIONS]))
            code = distribution.iterate(
                state, layout, self.parameters, iterations, self.budget.most - self.steps, self.rng
            )
        drawn, iterations, cost = counts.tolist()
        self.steps += drawn
        self.rows.append((self.steps, -1, zone, Rule.GUESS.value, iterations, cost))
        self.values = {
            "best": state.best,
            "last": state.last,
            "likeliest": 1 + state.chances.argmax(axis=1).astype(np.int8),
        }["best" if code == distribution.SOLVED else solver.approximation]
        if code == distribution.SOLVED and self.puzzle.is_solution(self.values):
            return Outcome.SOLVED
        if code == distribution.SPENT:
            return Outcome.STEP_LIMIT
        if code == distribution.GOING_ON and counts[distribution.N_ITERATIONS] < solver.longest:
            return Outcome.TIME_LIMIT
        return Outcome.STUCK
