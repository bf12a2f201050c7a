"""Harmony search: a memory of filled grids from which new ones are improvised cell by cell.

It never solves an ordinary Sudoku; the best cost that it reaches is the metric. The original
fitness adds up how far the sum of each house is from that of 1..n. Wrong grids, too, can have
fitness 0, so the thesis counts missing symbols instead. Both are implemented here.

On Nurikabe the values are the two colours, so a value can move in only one direction. The number of
white cells is not fixed and white cells outside all islands cost nothing, so a wrong board can
have cost 0.

Source: Krivanek 2011, after Geem 2007.
"""

from dataclasses import dataclass
from functools import partial
from typing import ClassVar, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.kernels.compile import copy_values, kernel, lean_kernel
from nando.puzzles import Puzzle, Sudoku
from nando.puzzles.nurikabe import Nurikabe
from nando.puzzles.sudoku.layout import SudokuLayout, sudoku_layout
from nando.records import Settings, between, setting
from nando.solvers import protocol
from nando.solvers.kinds import part_for
from nando.solvers.nurikabe.cost import ColourBoard, cost_of, new_board
from nando.solvers.search.swarms import lacking_from, least_cost, note_best

_CHUNK = 1_000
"""Improvisations between two checks of the clock."""


@dataclass(frozen=True)
class HarmonyProfile:
    """Statistics of many runs of :class:`HarmonySearch` on a puzzle.

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
class HarmonySearch(Settings):
    """Harmony search.

    Parameters
    ----------
    memory_size : int
        Grids in memory.
    considering_rate : float
        Chance that the value of a cell is taken from memory; otherwise it is drawn at random.
    adjusting_rate : float
        Chance that a value from memory is moved by one, up or down with equal chance. A move
        beyond the least or greatest value is not made.
    improvisations : int
        New grids per run.
    fitness : {"missing", "sum"}
        Number of missing symbols over all houses, or Geem's distance of sums; Sudoku only.
        Nurikabe uses the cost of annealing.

    Notes
    -----
    Steps are improvisations. The trace has a row for each one that lowered the best cost;
    `step` is its number and `cost` the new best. A run ends at cost 0. It is SOLVED only if the
    grid obeys the rules: the distance of sums is 0 for many wrong grids, and the cost of a
    Nurikabe can be 0 although white cells lie outside all islands.
    """

    name: ClassVar[str] = "harmony"
    memory_size: int = setting(50, between(1))
    considering_rate: float = setting(0.7, between(0, 1))
    adjusting_rate: float = setting(0.1, between(0, 1))
    improvisations: int = setting(10_000, between(1))
    fitness: Literal["missing", "sum"] = "missing"

    def run(
        self, puzzle: Puzzle, *, limit: protocol.Limit | None = None, rng: protocol.Seed = None
    ) -> protocol.SolveRun:
        """Improvise within `improvisations` and the limit.

        The outcome is STUCK if all `improvisations` are spent, or if a grid of cost 0 breaks the
        rules.
        """
        chance, budget = protocol.generator(rng), protocol.Budget(limit, self.improvisations)
        objective: Objective = part_for(self, puzzle, "harmonies")(puzzle)
        memory = new_memory(self.memory_size, len(puzzle.givens), budget.most)
        common = memory, puzzle.givens, objective, self.fitness == "sum"
        fill_memory(*common, chance)
        rates = (float(self.considering_rate), float(self.adjusting_rate))
        go_on = partial(improvise, *common, rates, chance)
        trace = protocol.descend(memory.trace, memory.progress, budget, _CHUNK, go_on)
        steps, solved = int(memory.progress[protocol.STEPS]), trace["cost"][-1] == 0
        if solved and not puzzle.is_solution(memory.best):
            return protocol.SolveRun(protocol.Outcome.STUCK, steps, None, trace)
        return budget.ended(steps, memory.best if solved else None, trace)

    def profile(
        self,
        puzzle: Puzzle,
        *,
        runs: int = 100,
        rng: protocol.Seed = None,
        limit: protocol.Limit | None = None,
    ) -> HarmonyProfile:
        """Run `runs` times and take the median of the best cost.

        Raises
        ------
        ValueError
            If `runs` is below 1.
        """
        done = protocol.run_often(self, puzzle, runs, limit, rng)
        return HarmonyProfile(
            best_cost=float(np.median([run.trace["cost"][-1] for run in done])),
            solved_share=protocol.solved_share(done),
        )


class Objective(NamedTuple):
    """The cost function of a kind of puzzle, as data for kernels.

    The kernels are compiled once for both kinds. Each objective therefore has a layout and a board,
    but only one of them is that of the puzzle.
    """

    layout: SudokuLayout
    board: ColourBoard
    is_coloured: bool
    largest: int
    """The greatest value."""


def sudoku_objective(puzzle: Sudoku) -> Objective:
    """Return the cost function of a Sudoku."""
    return Objective(puzzle.layout, new_board(Nurikabe("1")), False, puzzle.size)


def nurikabe_objective(puzzle: Nurikabe) -> Objective:
    """Return the cost function of a Nurikabe."""
    return Objective(sudoku_layout(3), new_board(puzzle), True, 2)


class HarmonyMemory(NamedTuple):
    """Grids in memory, their costs, and the best so far."""

    values: NDArray[np.int8]
    costs: NDArray[np.int64]
    best: NDArray[np.int8]
    trace: NDArray[np.void]
    """A row for each new best."""
    progress: NDArray[np.int64]
    """Improvisations (`STEPS`); rows of ``trace`` (`N_ROWS`)."""


def new_memory(memory_size: int, n_cells: int, improvisations: int) -> HarmonyMemory:
    """Return an empty memory with room for the new bests of `improvisations`."""
    return HarmonyMemory(
        values=np.zeros((memory_size, n_cells), np.int8),
        costs=np.zeros(memory_size, np.int64),
        best=np.zeros(n_cells, np.int8),
        trace=protocol.trace_of(protocol.Rule.HARMONY, improvisations + 1, cell=-1),
        progress=np.zeros(2, np.int64),
    )


@kernel
def fill_memory(memory, givens, objective, by_sum, rng):
    """Draw random values around the givens in every grid of the memory, and find the best grid."""
    for member in range(memory.values.shape[0]):
        for cell in range(givens.shape[0]):
            given = int(givens[cell])
            memory.values[member, cell] = (
                given if given else 1 + int(rng.random() * objective.largest)
            )
        memory.costs[member] = _cost(memory.values[member], objective, by_sum)
    least = int(np.argmin(memory.costs))
    copy_values(memory.best, memory.values[least])
    note_best(memory, 0, memory.costs[least])


@kernel
def improvise(memory, givens, objective, by_sum, rates, rng, pause):
    """Improvise until `pause` improvisations or cost 0."""
    new = np.empty(givens.shape[0], np.int8)
    step = memory.progress[protocol.STEPS]
    worst = int(np.argmax(memory.costs))
    while step < pause and least_cost(memory) > 0:
        step += 1
        _draw_harmony(memory, givens, objective.largest, rates, rng, new)
        worst = _keep_harmony(memory, new, _cost(new, objective, by_sum), step, worst)
    memory.progress[protocol.STEPS] = step


@kernel
def _draw_harmony(memory, givens, largest, rates, rng, new):
    """Write a new grid into `new`: values from memory, some moved by one, or random values."""
    considering, adjusting = rates
    n_members = memory.values.shape[0]
    for cell in range(givens.shape[0]):
        value = int(givens[cell])
        if value == 0:
            if rng.random() < considering:
                value = int(memory.values[int(rng.random() * n_members), cell])
                draw = rng.random()
                if draw < adjusting / 2:
                    value = min(value + 1, largest)
                elif draw < adjusting:
                    value = max(value - 1, 1)
            else:
                value = 1 + int(rng.random() * largest)
        new[cell] = value


@kernel
def _keep_harmony(memory, new, cost, step, worst):
    """Replace the worst member if `new` costs less; return the index of the worst member then."""
    if cost >= memory.costs[worst]:
        return worst
    copy_values(memory.values[worst], new)
    memory.costs[worst] = cost
    if note_best(memory, step, cost):
        copy_values(memory.best, new)
    return int(np.argmax(memory.costs))


@lean_kernel
def _cost(values, objective, by_sum):
    if objective.is_coloured:
        for cell in range(values.shape[0]):
            objective.board.colour[objective.board.cells[cell]] = values[cell]
        return cost_of(objective.board)[0]
    if by_sum:
        return sum_distance(values, objective.layout)
    return lacking_from(values, objective.layout, 0)


@lean_kernel
def sum_distance(values, layout):
    """Return Geem's fitness: how far the sums of the houses are from the sum of all values."""
    target = layout.size * (layout.size + 1) // 2
    cost = 0
    for house in range(layout.houses.shape[0]):
        total = 0
        for i in range(layout.size):
            total += int(values[layout.houses[house, i]])
        cost += abs(total - target)
    return cost
