"""Harmony search: a memory of filled grids from which new ones are improvised cell by cell.

It never solves an ordinary puzzle; the best cost it reaches is the metric. The original fitness
adds up how far the sum of each house is from that of 1..n and has false zeros, so the thesis
counts missing symbols instead; both are here.

Source: Krivanek 2011, after Geem 2007.
"""

import time
from dataclasses import dataclass
from functools import singledispatchmethod
from typing import ClassVar, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.puzzles import Puzzle, Sudoku, Values
from nando.puzzles._bits import n_bits
from nando.puzzles._kernel import kernel
from nando.solvers._base import (
    STEP,
    Limit,
    Outcome,
    Rule,
    Seed,
    SolveRun,
    check_runs,
    generator,
    unsupported,
)

_CHUNK = 1_000
"""Improvisations between two looks at the clock."""


@dataclass(frozen=True)
class HarmonyProfile:
    """What many runs of :class:`HarmonySearch` say about a puzzle.

    Attributes
    ----------
    best_cost : float
        Median over runs of the least cost in memory at the end.
    solved_share : float
        Share of runs that found a solution.
    """

    best_cost: float
    solved_share: float


@dataclass(frozen=True)
class HarmonySearch:
    """Harmony search.

    Parameters
    ----------
    memory_size : int
        Grids in memory.
    considering_rate : float
        Chance that a cell is taken from memory and not drawn afresh.
    adjusting_rate : float
        Chance that a value from memory is moved by one, up or down alike; a move outside the
        values is not made.
    improvisations : int
        New grids per run.
    fitness : {"missing", "sum"}
        Missing symbols over all houses, or Geem's distance of sums.

    Notes
    -----
    Steps are improvisations. The trace has a row for each one that lowered the best cost;
    `step` is its number and `cost` the new best. A run ends at cost 0, which is SOLVED only
    where the grid obeys the rules: the distance of sums is 0 for many that do not.
    """

    name: ClassVar[str] = "harmony"
    memory_size: int = 50
    considering_rate: float = 0.7
    adjusting_rate: float = 0.1
    improvisations: int = 10_000
    fitness: Literal["missing", "sum"] = "missing"

    def __post_init__(self) -> None:
        for name in ("memory_size", "improvisations"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} must be at least 1, got {getattr(self, name)!r}")
        for name in ("considering_rate", "adjusting_rate"):
            if not 0.0 <= getattr(self, name) <= 1.0:
                raise ValueError(f"{name} must be from 0 to 1, got {getattr(self, name)!r}")
        if self.fitness not in ("missing", "sum"):
            raise ValueError(f"fitness must be 'missing' or 'sum', got {self.fitness!r}")

    def run(self, puzzle: Puzzle, *, limit: Limit | None = None, rng: Seed = None) -> SolveRun:
        """Improvise within `improvisations` and the limit.

        The outcome is STUCK where `improvisations` were spent, or the cost is 0 for a grid that
        breaks the rules.
        """
        return self._run(puzzle, limit or Limit(), generator(rng))

    def profile(
        self, puzzle: Puzzle, *, runs: int = 100, rng: Seed = None, limit: Limit | None = None
    ) -> HarmonyProfile:
        """Run `runs` times and take the median of the best cost.

        Raises
        ------
        ValueError
            Where `runs` is below 1.
        """
        check_runs(runs)
        chance = generator(rng)
        done = [self._run(puzzle, limit or Limit(), chance) for _ in range(runs)]
        return HarmonyProfile(
            best_cost=float(np.median([run.trace["cost"][-1] for run in done])),
            solved_share=float(np.mean([run.outcome is Outcome.SOLVED for run in done])),
        )

    @singledispatchmethod
    def _run(self, puzzle: Puzzle, limit: Limit, rng: np.random.Generator) -> SolveRun:
        raise unsupported(self, puzzle)

    @_run.register
    def _(self, puzzle: Sudoku, limit: Limit, rng: np.random.Generator) -> SolveRun:
        most = min(self.improvisations, limit.steps or self.improvisations)
        end = None if limit.seconds is None else time.monotonic() + limit.seconds
        layout = puzzle.layout
        by_sum = self.fitness == "sum"
        memory = _Memory(
            values=np.zeros((self.memory_size, layout.n_cells), np.int8),
            costs=np.zeros(self.memory_size, np.int64),
            best=np.zeros(layout.n_cells, np.int8),
            bests=np.zeros((most + 1, 2), np.int64),
            progress=np.zeros(2, np.int64),
        )
        _fill(memory, puzzle.givens, layout, by_sum, rng)
        rates = (float(self.considering_rate), float(self.adjusting_rate))
        late = False
        while memory.progress[0] < most and memory.lowest > 0 and not late:
            pause = most if end is None else min(most, int(memory.progress[0]) + _CHUNK)
            _improvise(memory, puzzle.givens, layout, pause, by_sum, rates, rng)
            late = end is not None and time.monotonic() > end
        steps, n_rows = memory.progress.tolist()
        trace = np.zeros(n_rows, STEP)
        trace["step"] = memory.bests[:n_rows, 0]
        trace["cost"] = memory.bests[:n_rows, 1]
        trace["rule"] = int(Rule.HARMONY)
        trace["cell"] = -1
        if memory.lowest == 0 and puzzle.is_solution(memory.best):
            return SolveRun(Outcome.SOLVED, steps, memory.best, trace, 1)
        if memory.lowest == 0 or steps == self.improvisations:
            return SolveRun(Outcome.STUCK, steps, None, trace)
        return SolveRun(
            Outcome.STEP_LIMIT if steps == most else Outcome.TIME_LIMIT, steps, None, trace
        )


class _Memory(NamedTuple):
    """Grids in memory, their costs, and the best so far."""

    values: NDArray[np.int8]
    costs: NDArray[np.int64]
    best: NDArray[np.int8]
    bests: NDArray[np.int64]
    """Step and cost of each new best."""
    progress: NDArray[np.int64]
    """Improvisations; rows of ``bests``."""

    @property
    def lowest(self) -> int:
        """Cost of the best grid."""
        return int(self.bests[self.progress[1] - 1, 1])


def sum_distance(puzzle: Sudoku, values: Values) -> int:
    """Geem's fitness: how far the sum of each house is from that of all values, added up."""
    return int(_sum_distance(np.asarray(values), puzzle.layout))


@kernel
def _fill(memory, givens, layout, by_sum, rng):
    """Random values around the givens in every grid of the memory."""
    for member in range(memory.values.shape[0]):
        for cell in range(layout.n_cells):
            given = int(givens[cell])
            memory.values[member, cell] = given if given else 1 + int(rng.random() * layout.size)
        memory.costs[member] = _cost(memory.values[member], layout, by_sum)
    least = int(np.argmin(memory.costs))
    memory.best[:] = memory.values[least]
    memory.bests[0, 1] = memory.costs[least]
    memory.progress[1] = 1


@kernel
def _improvise(memory, givens, layout, pause, by_sum, rates, rng):
    """Go on until `pause` improvisations or cost 0."""
    considering, adjusting = rates
    size = layout.size
    n_members = memory.values.shape[0]
    new = np.empty(layout.n_cells, np.int8)
    step, n_rows = memory.progress
    least = memory.bests[n_rows - 1, 1]
    worst = int(np.argmax(memory.costs))
    while step < pause and least > 0:
        step += 1
        for cell in range(layout.n_cells):
            value = int(givens[cell])
            if value == 0:
                if rng.random() < considering:
                    value = int(memory.values[int(rng.random() * n_members), cell])
                    draw = rng.random()
                    if draw < adjusting / 2:
                        value = min(value + 1, size)
                    elif draw < adjusting:
                        value = max(value - 1, 1)
                else:
                    value = 1 + int(rng.random() * size)
            new[cell] = value
        cost = _cost(new, layout, by_sum)
        if cost < memory.costs[worst]:
            memory.values[worst] = new
            memory.costs[worst] = cost
            worst = int(np.argmax(memory.costs))
            if cost < least:
                least = cost
                memory.best[:] = new
                memory.bests[n_rows, 0] = step
                memory.bests[n_rows, 1] = cost
                n_rows += 1
    memory.progress[0] = step
    memory.progress[1] = n_rows


@kernel
def _cost(values, layout, by_sum):
    if by_sum:
        return _sum_distance(values, layout)
    cost = 0
    for house in range(layout.houses.shape[0]):
        seen = 0
        for i in range(layout.size):
            seen |= 1 << int(values[layout.houses[house, i]])
        cost += layout.size - n_bits(seen)
    return cost


@kernel
def _sum_distance(values, layout):
    wanted = layout.size * (layout.size + 1) // 2
    cost = 0
    for house in range(layout.houses.shape[0]):
        total = 0
        for i in range(layout.size):
            total += int(values[layout.houses[house, i]])
        cost += abs(total - wanted)
    return cost
