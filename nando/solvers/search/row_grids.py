"""Full grids whose rows hold every value once: operators and costs for swarms of them."""

from abc import abstractmethod
from collections.abc import Callable
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.kernels.compile import kernel, lean_kernel, n_bits
from nando.puzzles import Sudoku, Values
from nando.solvers.protocol import Outcome, Rule, SolveRun, trace_of
from nando.solvers.repeated import N_ROWS, STEPS, Budget, IteratedSearch, descend

_CHUNK = 50
"""Iterations between two checks of the clock."""

CHANGED = 2
"""A further index in the `progress` of a swarm."""


class Swarm(NamedTuple):
    """The grids of a search; all arrays but `givens` and `blanks` are changed in place."""

    givens: Values
    blanks: NDArray[np.int16]
    """The cells that can be moved: empty cells of rows that have at least two of them."""
    values: NDArray[np.int8]
    """The grids, shape (members, n_cells)."""
    costs: NDArray[np.int64]
    child: Values
    """Room for a new grid."""
    trace: NDArray[np.void]
    """A row for each new best."""
    progress: NDArray[np.int64]
    """Iterations (`STEPS`); rows of ``trace`` (`N_ROWS`); and for a swarm that restarts, the
    iteration of its last new best or restart (`CHANGED`)."""


def new_swarm(puzzle: Sudoku, members: int) -> Swarm | None:
    """Return a swarm with empty grids, or None if a value is given twice in a house."""
    layout, givens = puzzle.layout, puzzle.givens
    for cells in layout.houses:
        given = givens[cells][givens[cells] > 0]
        if len(np.unique(given)) < len(given):
            return None
    blank = (givens == 0).reshape(layout.size, layout.size)
    movable = blank & (blank.sum(axis=1) > 1)[:, None]
    return Swarm(
        givens=givens,
        blanks=np.flatnonzero(movable).astype(np.int16),
        values=np.zeros((members, layout.n_cells), np.int8),
        costs=np.zeros(members, np.int64),
        child=np.zeros(layout.n_cells, np.int8),
        trace=trace_of(Rule.SWAP, 2 * layout.n_cells + 2, cell=-1),
        progress=np.zeros(3, np.int64),
    )


class SwarmSearch(IteratedSearch):
    """A search that moves a swarm of grids.

    `size` names the field that holds the number of grids. Subclasses implement `_mover`.
    """

    size: ClassVar[str]

    def _run(self, puzzle: Sudoku, budget: Budget, rng: np.random.Generator) -> SolveRun:
        swarm = new_swarm(puzzle, getattr(self, self.size))
        if swarm is None:
            return SolveRun(Outcome.EXHAUSTED, 0, None)
        start_swarm(swarm, puzzle.layout, rng)
        note_best(swarm, 0, int(swarm.costs.min()))
        return run_swarm(swarm, budget, _CHUNK, self._mover(puzzle, swarm, rng))

    @abstractmethod
    def _mover(
        self, puzzle: Sudoku, swarm: Swarm, rng: np.random.Generator
    ) -> Callable[[int], object]:
        """Return a function that moves the swarm until a total of iterations, or cost 0."""


def run_swarm(swarm: Swarm, budget: Budget, chunk: int, go_on: Callable[[int], object]) -> SolveRun:
    """Move a swarm until its cost is 0 or the budget is spent; see :func:`descend`."""
    trace = descend(swarm.trace, swarm.progress, budget, chunk, go_on)
    best = swarm.values[int(swarm.costs.argmin())].copy()
    solution = best if trace["cost"][-1] == 0 else None
    return budget.ended(int(swarm.progress[STEPS]), solution, trace)


@kernel
def fill_rows(values, givens, layout, rng):
    """Fill each row with the values that its givens lack, in random order."""
    size = layout.size
    lacking = np.empty(size, np.int64)
    for row in range(size):
        given = 0
        for cell in range(row * size, (row + 1) * size):
            given |= 1 << int(givens[cell]) >> 1
        count = 0
        for value in range(size):
            if not given >> value & 1:
                lacking[count] = value + 1
                count += 1
        for cell in range(row * size, (row + 1) * size):
            values[cell] = givens[cell]
            if givens[cell] == 0:
                i = int(rng.random() * count)
                values[cell] = lacking[i]
                count -= 1
                lacking[i] = lacking[count]


@kernel
def start_swarm(swarm, layout, rng):
    """Draw all grids."""
    for member in range(swarm.costs.shape[0]):
        fill_rows(swarm.values[member], swarm.givens, layout, rng)
        swarm.costs[member] = lacking_of(swarm.values[member], layout)


@lean_kernel
def least_cost(search):
    """Return the least cost that was recorded."""
    return search.trace[search.progress[N_ROWS] - 1]["cost"]


@lean_kernel
def note_best(search, step, cost):
    """Record a cost and return True if it is below all earlier ones."""
    n_rows = search.progress[N_ROWS]
    if n_rows and cost >= least_cost(search):
        return False
    search.trace[n_rows]["step"] = step
    search.trace[n_rows]["cost"] = cost
    search.progress[N_ROWS] = n_rows + 1
    return True


@kernel
def cross_rows(child, other, layout, share, rng):
    """Cross each row of `child`, in place, with the same row of `other` by cycle crossover.

    All cells of a cycle come from one parent: from `other` with chance `share`.
    """
    place = np.empty(layout.size + 1, np.int64)
    for row in range(layout.size):
        first = row * layout.size
        for cell in range(first, first + layout.size):
            place[child[cell]] = cell
        done = 0
        for start in range(first, first + layout.size):
            if done >> (start - first) & 1 or child[start] == other[start]:
                continue
            from_other = rng.random() < share
            cell = start
            while not done >> (cell - first) & 1:
                done |= 1 << (cell - first)
                value = int(other[cell])
                if from_other:
                    child[cell] = value
                cell = place[value]


@kernel
def swap_blanks(values, blanks, givens, size, rng):
    """Swap a random blank with another blank of its row."""
    cell = int(blanks[int(rng.random() * blanks.shape[0])])
    first = cell // size * size
    other = cell
    while other == cell or givens[other] > 0:
        other = first + int(rng.random() * size)
    value = values[cell]
    values[cell] = values[other]
    values[other] = value


@lean_kernel
def lacking_of(values, layout):
    """Return the number of values that columns and boxes lack."""
    return lacking_from(values, layout, layout.size)


@lean_kernel
def lacking_from(values, layout, first):
    """Return the number of values that the houses lack, beginning with house `first`."""
    cost = 0
    for house in range(first, 3 * layout.size):
        seen = 0
        for i in range(layout.size):
            seen |= 1 << int(values[layout.houses[house, i]])
        cost += layout.size - n_bits(seen)
    return cost
