"""The search-time race: how long a person looks for the next cell to fill.

This model is our own, and the mechanism behind the rating. Each cell that can be filled is found at
a rate that depends on how it can be seen. A hidden single in a box is found sooner than one in a
row or column, which is found sooner than a naked single; the last cell of a house is seen at once.
The searches race: the next cell is drawn with a probability proportional to its rate, and takes 1 /
(sum of rates) to find. A step is fast with many options, and slow with one hidden option. At an
impasse a fixed time is spent, and a cell with the fewest candidates is filled.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from nando.checks import positive
from nando.kernels.compile import kernel, lean_kernel, unsigned
from nando.puzzles import Puzzle, Sudoku, Values
from nando.puzzles.frozen import EqualFields
from nando.records import between, setting
from nando.solvers import singles
from nando.solvers.exact.search import unique_solution
from nando.solvers.people.imitation import Imitation, rule_of_single, winner_of_race, write_fill
from nando.solvers.protocol import STEP, Rule, unsupported


@dataclass(frozen=True, eq=False)
class SearchTimeProfile(EqualFields):
    """Statistics of many runs of :class:`SearchTime` on a puzzle.

    Attributes
    ----------
    total : float
        Mean time of a run, in the model's unit.
    longest : float
        Mean over runs of the longest step.
    stuck_steps : float
        Mean number of impasses: steps without a single.
    times : ndarray of float64, shape (n_blanks,)
        Mean time of each step, first to last.
    order : ndarray of float64, shape (n_cells,)
        Mean step, from 1, at which each cell was filled; 0 for givens.
    """

    total: float
    longest: float
    stuck_steps: float
    times: NDArray[np.float64]
    order: NDArray[np.float64]

    @property
    def first_cell(self) -> int | None:
        """First cell in the mean order, the lowest of equal ones; None without blanks."""
        blanks = np.flatnonzero(self.order)
        return int(blanks[self.order[blanks].argmin()]) if blanks.size else None


@dataclass(frozen=True)
class SearchTime(Imitation[SearchTimeProfile]):
    """The search-time race.

    Parameters
    ----------
    box_rate, line_rate, naked_rate : float
        Rate at which a hidden single in a box, a hidden single in a row or column, and a naked
        single are found.
    last_rate : float
        Rate added for each house in which the cell is the last empty one.
    stuck_time : float
        Time of an impasse.
    entry_time : float
        Time to enter a digit.

    Notes
    -----
    The unit of time is that in which a lone hidden single in a box takes 1. In a trace
    `options` is the number of cells that could be filled and `cost` the time of the step.
    """

    name: ClassVar[str] = "search_time"
    box_rate: float = setting(1.0, positive)
    line_rate: float = setting(0.4, positive)
    naked_rate: float = setting(0.06, positive)
    last_rate: float = setting(0.7, positive)
    stuck_time: float = setting(8.0, between(0))
    entry_time: float = setting(0.05, between(0))

    def _play(
        self, puzzle: Puzzle, runs: int, rng: np.random.Generator
    ) -> tuple[Values, NDArray[np.void], SearchTimeProfile]:
        if not isinstance(puzzle, Sudoku):
            raise unsupported(self, puzzle)
        solution = unique_solution(puzzle)
        given = singles.shared_given_state(puzzle)
        trace = np.zeros(int(given.counts[singles.N_EMPTY]), STEP)
        times = np.zeros(len(trace))
        order = np.zeros(puzzle.layout.n_cells)
        settings = (self._rates, self._times(), np.zeros(len(order)))
        longest, impasses = _race_often(
            given, puzzle.layout, solution, settings, rng, runs, trace, (times, order)
        )
        profile = SearchTimeProfile(
            float(times.sum() / runs), longest / runs, impasses / runs, times / runs, order / runs
        )
        return solution, trace, profile

    @cached_property
    def _rates(self) -> NDArray[np.float64]:
        """Rate of every combination of ways to see a cell, shape (2**7,)."""
        return singles.rates_of_ways(self.box_rate, self.line_rate, self.naked_rate, self.last_rate)

    def _times(self) -> tuple[float, float]:
        return float(self.stuck_time), float(self.entry_time)


@kernel
def _race_often(given, layout, solution, settings, rng, runs, trace, sums):
    """Add up `runs` runs; return the sum of their longest steps and the number of impasses."""
    times, order = sums
    state = singles.copy_of(given)
    longest = 0.0
    impasses = 0.0
    for _ in range(runs):
        singles.restore(state, given)
        _race(state, layout, solution, settings, rng, trace)
        worst = 0.0
        for k in range(trace.shape[0]):
            cost = trace[k]["cost"]
            times[k] += cost
            worst = max(worst, cost)
            order[trace[k]["cell"]] += k + 1
            if trace[k]["options"] == 0:
                impasses += 1.0
        longest += worst
    return longest, impasses


@lean_kernel
def _race(state, layout, solution, settings, rng, trace):
    """Fill the grid of `state`, a row of `trace` per cell.

    `settings` are the rates of the ways to see a cell, the times of an impasse and of an entry, and
    workspace by cell.
    """
    rates, (stuck_time, entry_time), racing = settings
    for k in range(trace.shape[0]):
        options = state.counts[singles.N_OPEN]
        if options > 0:
            total = 0.0
            for i in range(options):
                cell = int(state.open[unsigned(i)])
                racing[unsigned(i)] = rates[unsigned(state.ways[unsigned(cell)])]
                total += racing[unsigned(i)]
            cell = int(state.open[unsigned(winner_of_race(racing, options, total, rng))])
            rule = rule_of_single(state, cell)
            cost = entry_time + 1.0 / total
        else:
            cell = singles.fewest_candidates(state, layout, rng)
            rule = Rule.GUESS.value
            cost = entry_time + stuck_time
        write_fill(trace, k, cell, solution[cell], rule, options, cost)
        singles.place(state, layout, cell, int(solution[cell]) - 1)
