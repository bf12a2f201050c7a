"""Harmony search: a memory of filled grids from which new ones are improvised cell by cell.

It never solves an ordinary puzzle; the best cost it reaches is the metric. The original fitness
adds up how far the sum of each house is from that of 1..n and has false zeros, so the thesis
counts missing symbols instead; both are here.

Source: Krivanek 2011, after Geem 2007.
"""

from dataclasses import dataclass
from functools import singledispatchmethod
from typing import ClassVar, Literal

import numpy as np

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
    generator,
    unsupported,
)


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
        """Improvise once, at most ``limit.steps`` times."""
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
        if runs < 1:
            raise ValueError(f"runs must be at least 1, got {runs}")
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
        best = np.zeros(puzzle.layout.n_cells, np.int8)
        progress = np.zeros((most + 1, 2), np.int64)
        rates = (self.considering_rate, self.adjusting_rate)
        steps, n_rows = _improvise(
            puzzle.givens,
            puzzle.layout,
            (self.memory_size, most, self.fitness == "sum"),
            rates,
            rng,
            best,
            progress,
        )
        trace = np.zeros(n_rows, STEP)
        trace["step"] = progress[:n_rows, 0]
        trace["cost"] = progress[:n_rows, 1]
        trace["rule"] = int(Rule.HARMONY)
        trace["cell"] = -1
        if trace["cost"][-1] == 0 and puzzle.is_solution(best):
            return SolveRun(Outcome.SOLVED, steps, best, trace, 1)
        outcome = Outcome.STUCK if most == self.improvisations else Outcome.STEP_LIMIT
        return SolveRun(outcome, steps, None, trace)


def sum_distance(puzzle: Sudoku, values: Values) -> int:
    """Geem's fitness: how far the sum of each house is from that of all values, added up."""
    return int(_sum_distance(np.asarray(values), puzzle.layout))


@kernel
def _improvise(givens, layout, sizes, rates, rng, best, progress):
    """One run; `best` gets the best grid, `progress` step and cost of each new best."""
    memory_size, most, by_sum = sizes
    considering, adjusting = rates
    n_cells = layout.n_cells
    size = layout.size
    memory = np.empty((memory_size, n_cells), np.int8)
    costs = np.empty(memory_size, np.int64)
    for member in range(memory_size):
        for cell in range(n_cells):
            given = int(givens[cell])
            memory[member, cell] = given if given else 1 + int(rng.random() * size)
        costs[member] = _cost(memory[member], layout, by_sum)
    least = int(np.argmin(costs))
    best[:] = memory[least]
    progress[0, 0] = 0
    progress[0, 1] = costs[least]
    n_rows = 1
    worst = int(np.argmax(costs))
    new = np.empty(n_cells, np.int8)
    step = 0
    while step < most and progress[n_rows - 1, 1] > 0:
        step += 1
        for cell in range(n_cells):
            value = int(givens[cell])
            if value == 0:
                if rng.random() < considering:
                    value = int(memory[int(rng.random() * memory_size), cell])
                    draw = rng.random()
                    if draw < adjusting / 2:
                        value = min(value + 1, size)
                    elif draw < adjusting:
                        value = max(value - 1, 1)
                else:
                    value = 1 + int(rng.random() * size)
            new[cell] = value
        cost = _cost(new, layout, by_sum)
        if cost < costs[worst]:
            memory[worst] = new
            costs[worst] = cost
            worst = int(np.argmax(costs))
            if cost < progress[n_rows - 1, 1]:
                progress[n_rows, 0] = step
                progress[n_rows, 1] = cost
                n_rows += 1
                best[:] = new
    return step, n_rows


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
