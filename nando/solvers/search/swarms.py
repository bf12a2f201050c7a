"""Swarms of grids in which every row holds each value once: particles, and a culture.

A grid moves by swaps within rows, and its cost is the number of values that columns and boxes lack.
The operators on such grids are shared with :mod:`nando.solvers.search.cuckoo`.

The geometric particle swarm has no velocity. In each iteration a particle becomes a mixture of
itself, its own best grid so far and the best grid so far of its neighbours, cycle by cycle of each
row, and is then moved by swaps.

The cultural swarm moves under the guidance of a shared memory of good grids, the belief cube. It
has a number for every cell and value, 9 x 9 x 9 at order 3: how often the best members have lately
had that value there. A swap brings a value drawn from the cube to a cell; a move that raises the
cost is undone. The best members then write into the cube. When the least cost has not fallen for a
while, all grids are drawn again and the cube fades.

Source: Moraglio and Togelius 2007, "Geometric particle swarm optimization for the Sudoku puzzle";
the cube is that of Mantere and Koljonen 2008, "Solving and analyzing Sudokus with cultural
algorithms". Both swarms are described in Krivanek 2011.
"""

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.kernels.compile import copy_values, kernel, lean_kernel, n_bits, stable_order
from nando.puzzles import Sudoku, Values
from nando.records import below_one, between, setting
from nando.solvers import protocol

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
        trace=protocol.trace_of(protocol.Rule.SWAP, 2 * layout.n_cells + 2, cell=-1),
        progress=np.zeros(3, np.int64),
    )


class SwarmSearch(protocol.IteratedSearch):
    """A search that moves a swarm of grids.

    `size` names the field that holds the number of grids. Subclasses implement `_mover`.
    """

    size: ClassVar[str]

    def _run(
        self, puzzle: Sudoku, budget: protocol.Budget, rng: np.random.Generator
    ) -> protocol.SolveRun:
        swarm = new_swarm(puzzle, getattr(self, self.size))
        if swarm is None:
            return protocol.SolveRun(protocol.Outcome.EXHAUSTED, 0, None)
        start_swarm(swarm, puzzle.layout, rng)
        note_best(swarm, 0, int(swarm.costs.min()))
        return run_swarm(swarm, budget, _CHUNK, self._mover(puzzle, swarm, rng))

    @abstractmethod
    def _mover(
        self, puzzle: Sudoku, swarm: Swarm, rng: np.random.Generator
    ) -> Callable[[int], object]:
        """Return a function that moves the swarm until a total of iterations, or cost 0."""


def run_swarm(
    swarm: Swarm, budget: protocol.Budget, chunk: int, go_on: Callable[[int], object]
) -> protocol.SolveRun:
    """Move a swarm until its cost is 0 or the budget is spent; see :func:`descend`."""
    trace = protocol.descend(swarm.trace, swarm.progress, budget, chunk, go_on)
    best = swarm.values[int(swarm.costs.argmin())].copy()
    solution = best if trace["cost"][-1] == 0 else None
    return budget.ended(int(swarm.progress[protocol.STEPS]), solution, trace)


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
    return search.trace[search.progress[protocol.N_ROWS] - 1]["cost"]


@lean_kernel
def note_best(search, step, cost):
    """Record a cost and return True if it is below all earlier ones."""
    n_rows = search.progress[protocol.N_ROWS]
    if n_rows and cost >= least_cost(search):
        return False
    search.trace[n_rows]["step"] = step
    search.trace[n_rows]["cost"] = cost
    search.progress[protocol.N_ROWS] = n_rows + 1
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


@dataclass(frozen=True)
class ParticleSwarm(SwarmSearch):
    """Geometric particle swarm with rows as permutations.

    Parameters
    ----------
    particles : int
        Grids in the swarm, at least 2.
    inertia, memory, sociality : float
        Weights of a particle itself, of its own best grid, and of the best grid of its neighbours;
        at least 0. Only their proportion counts.
    reach : int or None
        Number of neighbours on each side of a particle in a ring; None for the whole swarm.
    mutation : float
        Chance of swapping two cells of a row that are not given; after each swap, the chance of
        another one.
    iterations : int
        Most iterations of a run.

    Notes
    -----
    Steps are iterations, in which every particle moves once. The trace has a row (rule SWAP,
    cell -1) for the start and for each iteration that lowered the least cost, which is its
    `cost`.

    The thesis gives about 100 particles, rows as permutations, and a swap as mutation after a
    crossover. The weights, the chance of a mutation, the neighbours, and cycle crossover as the
    way to mix grids are nando's choices.

    Examples
    --------
    >>> from nando.puzzles import Sudoku
    >>> puzzle = Sudoku(
    ...     ".71.39...46..75.1.83..6.7.2.42....586.....97..1.5....4.....846979.342...5....13.."
    ... )
    >>> ParticleSwarm().run(puzzle, rng=1).outcome.value
    'solved'
    """

    name: ClassVar[str] = "particle_swarm"
    size: ClassVar[str] = "particles"
    particles: int = setting(100, between(2))
    inertia: float = setting(0.0, between(0))
    memory: float = setting(0.9, between(0))
    sociality: float = setting(0.1, between(0))
    reach: int | None = setting(1, between(1))
    mutation: float = setting(0.6, below_one)
    iterations: int = setting(2_000, between(1))

    def check(self) -> None:
        """Reject weights that are all 0."""
        if not self.inertia + self.memory + self.sociality > 0.0:
            raise ValueError("inertia, memory or sociality must be above 0, got 0 for all")

    def _mover(
        self, puzzle: Sudoku, swarm: Swarm, rng: np.random.Generator
    ) -> Callable[[int], object]:
        positions = swarm.values.copy()
        return partial(_move_all, swarm, positions, puzzle.layout, self._settings(), rng)

    def _settings(self) -> tuple[float, float, int, float]:
        """Return the shares of memory and of the neighbours' best, the reach, and the mutation."""
        own = self.inertia + self.memory
        most = self.particles // 2
        return (
            float(self.memory / own) if own > 0.0 else 0.0,
            float(self.sociality / (own + self.sociality)),
            most if self.reach is None else min(self.reach, most),
            float(self.mutation),
        )


@kernel
def _move_all(swarm, positions, layout, settings, rng, pause):
    """Move the particles until `pause` iterations or cost 0.

    `positions`, shape (particles, n_cells), holds the present grids; `swarm` holds the best grid so
    far of each particle.
    """
    memory_share, social_share, reach, mutation = settings
    n = swarm.costs.shape[0]
    step = swarm.progress[protocol.STEPS]
    while step < pause and least_cost(swarm) > 0:
        step += 1
        for i in range(n):
            leader = _leader(swarm.costs, i, reach)
            values = positions[i]
            cross_rows(values, swarm.values[i], layout, memory_share, rng)
            cross_rows(values, swarm.values[leader], layout, social_share, rng)
            while swarm.blanks.shape[0] > 0 and rng.random() < mutation:
                swap_blanks(values, swarm.blanks, swarm.givens, layout.size, rng)
            cost = lacking_of(values, layout)
            if cost <= swarm.costs[i]:
                swarm.costs[i] = cost
                copy_values(swarm.values[i], values)
        note_best(swarm, step, swarm.costs.min())
    swarm.progress[protocol.STEPS] = step


@lean_kernel
def _leader(best_costs, i, reach):
    """Find the particle with the least cost, the nearest of equals, within `reach` on each side."""
    n = best_costs.shape[0]
    leader = i
    for distance in range(1, reach + 1):
        for other in ((i + distance) % n, (i - distance) % n):
            if best_costs[other] < best_costs[leader]:
                leader = other
    return leader


@dataclass(frozen=True)
class CulturalSwarm(SwarmSearch):
    """Cultural swarm with a belief cube.

    Parameters
    ----------
    members : int
        Grids in the swarm, at least 2.
    accepted_share : float
        Share of the members that write into the cube: the best ones, and at least one.
    learning_rate : float
        Weight of the new entries against the present content of the cube.
    belief_share : float
        Chance that the cube determines a swap; otherwise it exchanges two random cells of a row.
    going_on : float
        Chance that a swap is followed by another before the member is judged.
    patience : int
        Iterations without a new least cost after which all grids are drawn again.
    fading : float
        Weight of even beliefs against the cube at such a restart.
    iterations : int
        Most iterations of a run.

    Notes
    -----
    Steps are iterations, in which every member moves once. The cost is the number of values that
    columns and boxes lack. The trace has a row (rule SWAP, cell -1) for the start and for each
    iteration that lowered the least cost seen, which is its `cost`.

    The papers describe the cube: it counts the values of the best grids, and new grids are drawn
    with its help. The thesis says no more, so all numbers, and the way in which beliefs move a
    member, are nando's choices.

    Examples
    --------
    >>> from nando.puzzles import Sudoku
    >>> puzzle = Sudoku(
    ...     ".71.39...46..75.1.83..6.7.2.42....586.....97..1.5....4.....846979.342...5....13.."
    ... )
    >>> CulturalSwarm().run(puzzle, rng=1).outcome.value
    'solved'
    """

    name: ClassVar[str] = "cultural_swarm"
    size: ClassVar[str] = "members"
    members: int = setting(100, between(2))
    accepted_share: float = setting(0.2, between(0, 1))
    learning_rate: float = setting(0.1, between(0, 1))
    belief_share: float = setting(0.5, between(0, 1))
    going_on: float = setting(0.3, below_one)
    patience: int = setting(200, between(1))
    fading: float = setting(0.5, between(0, 1))
    iterations: int = setting(2_000, between(1))

    def _mover(
        self, puzzle: Sudoku, swarm: Swarm, rng: np.random.Generator
    ) -> Callable[[int], object]:
        even = _even_beliefs(puzzle)
        settings = (
            max(1, round(self.accepted_share * self.members)),
            float(self.learning_rate),
            float(self.belief_share),
            float(self.going_on),
            self.patience,
            float(self.fading),
        )
        return partial(_evolve, swarm, _Beliefs(even.copy(), even), puzzle.layout, settings, rng)


class _Beliefs(NamedTuple):
    """Beliefs in each value of each cell, shape (n_cells, size)."""

    cube: NDArray[np.float64]
    """Changed in place; the values of a cell add up to 1 at most."""
    even: NDArray[np.float64]
    """The beliefs at the start; 0 where a given rules a value out."""


def _even_beliefs(puzzle: Sudoku) -> NDArray[np.float64]:
    """Return even beliefs in the values that no given peer has, shape (n_cells, size)."""
    layout = puzzle.layout
    cube = np.ones((layout.n_cells, layout.size))
    for cell, given in enumerate(puzzle.givens.tolist()):
        if given:
            cube[cell] = 0.0
            cube[layout.peers[cell], given - 1] = 0.0
    for cell, given in enumerate(puzzle.givens.tolist()):
        if given:
            cube[cell, given - 1] = 1.0
    return np.asarray(cube / np.maximum(cube.sum(axis=1, keepdims=True), 1.0))


@kernel
def _evolve(swarm, beliefs, layout, settings, rng, pause):
    """Move the swarm until `pause` iterations or cost 0."""
    n_accepted, learning_rate, belief_share, going_on, patience, fading = settings
    step = swarm.progress[protocol.STEPS]
    while step < pause and least_cost(swarm) > 0:
        step += 1
        for member in range(swarm.costs.shape[0]):
            _move(swarm, beliefs.cube, layout, member, belief_share, going_on, rng)
        order = stable_order(swarm.costs)
        if note_best(swarm, step, swarm.costs[order[0]]):
            swarm.progress[CHANGED] = step
        _write(swarm, beliefs, order[:n_accepted], learning_rate)
        if step - swarm.progress[CHANGED] >= patience and swarm.costs[order[0]] > 0:
            start_swarm(swarm, layout, rng)
            _fade(beliefs, fading)
            swarm.progress[CHANGED] = step
            note_best(swarm, step, swarm.costs.min())
    swarm.progress[protocol.STEPS] = step


@lean_kernel
def _fade(beliefs, share):
    """Replace a share of the cube by even beliefs."""
    for cell in range(beliefs.cube.shape[0]):
        for value in range(beliefs.cube.shape[1]):
            kept = (1.0 - share) * beliefs.cube[cell, value]
            beliefs.cube[cell, value] = kept + share * beliefs.even[cell, value]


@kernel
def _move(swarm, cube, layout, member, belief_share, going_on, rng):
    """Move one member, unless that raises its cost."""
    if swarm.blanks.shape[0] == 0:
        return
    child = swarm.child
    copy_values(child, swarm.values[member])
    again = True
    while again:
        if rng.random() < belief_share:
            _believe(swarm, cube, layout.size, rng)
        else:
            swap_blanks(child, swarm.blanks, swarm.givens, layout.size, rng)
        again = rng.random() < going_on
    cost = lacking_of(child, layout)
    if cost <= swarm.costs[member]:
        swarm.costs[member] = cost
        copy_values(swarm.values[member], child)


@kernel
def _believe(swarm, cube, size, rng):
    """Swap a value drawn from the cube into a random blank of the child."""
    child = swarm.child
    cell = int(swarm.blanks[int(rng.random() * swarm.blanks.shape[0])])
    left = rng.random() * cube[cell].sum()
    value = 0
    left -= cube[cell, 0]
    while left >= 0.0 and value + 1 < size:
        value += 1
        left -= cube[cell, value]
    other = cell // size * size
    while int(child[other]) != value + 1:
        other += 1
    if swarm.givens[other] == 0:
        child[other] = child[cell]
        child[cell] = value + 1


@lean_kernel
def _write(swarm, beliefs, accepted, learning_rate):
    """Let the accepted members write into the cube, except for values that givens rule out."""
    cube = beliefs.cube
    weight = learning_rate / accepted.shape[0]
    for cell in range(cube.shape[0]):
        if swarm.givens[cell] > 0:
            continue
        for value in range(cube.shape[1]):
            cube[cell, value] *= 1.0 - learning_rate
        for k in range(accepted.shape[0]):
            value = int(swarm.values[accepted[k], cell]) - 1
            if beliefs.even[cell, value] > 0.0:
                cube[cell, value] += weight
