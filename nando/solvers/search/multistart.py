"""Multistart colouring: many randomised greedy colourings of the grid as a graph.

A construction walks the graph breadth first or depth first and gives each vertex a colour drawn
from the lowest few that its neighbours do not have. It ends at the first vertex for which no
colour is left; the next construction begins from the givens again.

Source: Cunha, Silva and Maciel 2013.
"""

from dataclasses import dataclass
from typing import ClassVar, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.kernels.compile import copy_values, drawn_bit, inlined_kernel, kernel, n_bits
from nando.puzzles import Puzzle, Sudoku, Values
from nando.puzzles.sudoku.layout import SudokuLayout
from nando.records import between, setting
from nando.solvers import protocol

Traversal = Literal["breadth", "depth"]
Origin = Literal["first", "centre", "random", "most coloured"]
NeighbourOrder = Literal["index", "houses"]

_CHUNK = 500
"""Constructions between two checks of the clock."""


@dataclass(frozen=True)
class MultistartProfile:
    """Statistics of many runs of :class:`Multistart` on a puzzle.

    Attributes
    ----------
    solved_share : float
        Share of runs that ended solved.
    constructions : float
        Median number of constructions; a run that its budget ended counts with the budget.
    least_left : float
        Mean over runs of the fewest cells that a construction left without a colour.
    """

    solved_share: float
    constructions: float
    least_left: float


@dataclass(frozen=True)
class Multistart(protocol.BoundedSearch):
    """Multistart colouring.

    Parameters
    ----------
    traversal : {"breadth", "depth"}
        Colour all neighbours of a vertex before their own neighbours, or continue from each
        neighbour at once. The paper calls these CL and CP.
    list_size : int
        Length of the restricted candidate list: a colour is drawn from this many of the lowest
        feasible ones. With 1 the search is greedy; with the size of the grid every feasible colour
        can be drawn. With a length between them the solution may be out of reach.
    origin : {"first", "centre", "random", "most coloured"}
        Vertex from which to start: the first cell, the one in the middle (below and right of
        it at order 4), a random one for each construction, or the one with the most given
        neighbours. A given origin keeps its colour.
    constructions : int
        Constructions in a run.
    neighbour_order : {"index", "houses"}
        Order in which neighbours are visited: row-major, or the row first, then the column, then
        the rest of the box. The paper does not say.
    random_ties : bool
        Draw the origin among all cells with the most given neighbours, once per run; otherwise it
        is the first of them.

    Notes
    -----
    Steps are constructions. The walk never continues from a given, except for the origin. If no
    coloured vertex is left to continue from, the first uncoloured one is next. The trace has a row
    for each construction that got further than all before; `step` is its number, `cell` the vertex
    at which it ended (-1 for a full colouring) and `cost` the number of cells without a colour.
    """

    name: ClassVar[str] = "multistart"
    bound: ClassVar[str] = "constructions"
    traversal: Traversal = "depth"
    list_size: int = setting(9, between(1))
    origin: Origin = "first"
    constructions: int = setting(10_000, between(1))
    neighbour_order: NeighbourOrder = "index"
    random_ties: bool = False

    def profile(
        self,
        puzzle: Puzzle,
        *,
        runs: int = 10,
        rng: protocol.Seed = None,
        limit: protocol.Limit | None = None,
    ) -> MultistartProfile:
        """Run `runs` times; the paper's tables are shares solved of ten.

        Raises
        ------
        ValueError
            If `runs` is below 1.
        """
        done = protocol.run_often(self, puzzle, runs, limit, rng)
        return MultistartProfile(
            solved_share=protocol.solved_share(done),
            constructions=protocol.median_steps(done),
            least_left=float(np.mean([run.trace["cost"][-1] for run in done])),
        )

    def _run(
        self, puzzle: Sudoku, budget: protocol.Budget, rng: np.random.Generator
    ) -> protocol.SolveRun:
        layout = puzzle.layout
        graph = _Graph(
            puzzle.givens,
            _neighbours(layout, self.neighbour_order),
            (1 << layout.size) - 1,
            self.list_size,
            self._first(puzzle, rng),
            self.traversal == "breadth",
        )
        work = _Work(
            np.zeros(layout.n_cells, np.int8),
            np.zeros(layout.n_cells, np.int64),
            # Each row leaves fewer cells than the one before.
            protocol.trace_of(protocol.Rule.GUESS, layout.n_cells + 1),
            np.zeros(2, np.int64),
        )
        late = solved = False
        while work.progress[protocol.STEPS] < budget.most and not (solved or late):
            pause = budget.pause(int(work.progress[protocol.STEPS]), _CHUNK)
            solved = _construct(work, graph, pause, rng)
            late = budget.late
        steps, n_rows = work.progress.tolist()
        trace = work.trace[:n_rows].copy()
        if solved and not puzzle.is_solution(work.colours):  # the givens conflict
            return protocol.SolveRun(protocol.Outcome.STUCK, steps, None, trace)
        return budget.ended(steps, work.colours if solved else None, trace)

    def _first(self, puzzle: Sudoku, rng: np.random.Generator) -> int:
        """Return the origin, or -1 if each construction draws its own."""
        if self.origin == "first":
            return 0
        if self.origin == "random":
            return -1
        size = puzzle.size
        if self.origin == "centre":
            return size // 2 * size + size // 2
        given = np.count_nonzero(puzzle.givens[puzzle.layout.peers], axis=1)
        best = np.flatnonzero(given == given.max())
        return int(rng.choice(best) if self.random_ties else best[0])


class _Graph(NamedTuple):
    """The graph to colour, and the settings of the walk."""

    givens: Values
    neighbours: NDArray[np.int16]
    colours: int
    """All colours as bits."""
    list_size: int
    origin: int
    breadth_first: bool


class _Work(NamedTuple):
    """Arrays that the constructions of a run use one after another."""

    colours: Values
    waiting: NDArray[np.int64]
    """Vertices from which to continue: a queue, or a stack."""
    trace: NDArray[np.void]
    """Number, last cell and uncoloured cells (the cost) of each construction better than all
    before."""
    progress: NDArray[np.int64]
    """Constructions (`STEPS`); rows of ``trace`` (`N_ROWS`)."""


def _neighbours(layout: SudokuLayout, order: NeighbourOrder) -> NDArray[np.int16]:
    if order == "index":
        return layout.peers
    houses = layout.house_of[layout.peers] == layout.house_of[:, None, :]
    # A stable sort by the first house two cells share keeps row-major order within it.
    ranked = np.argsort(houses.argmax(axis=2), axis=1, kind="stable")
    neighbours = np.take_along_axis(layout.peers, ranked, axis=1)
    neighbours.setflags(write=False)  # like `peers`: numba compiles separately for read-only arrays
    return neighbours


@kernel
def _construct(work, graph, pause, rng):
    """Construct until `pause` constructions or a full colouring; return True if there is one."""
    number, n_rows = work.progress
    n_blanks = 0
    for given in graph.givens:
        n_blanks += given == 0
    least = int(work.trace[n_rows - 1]["cost"]) if n_rows else n_blanks + 1
    while number < pause and least > 0:
        number += 1
        copy_values(work.colours, graph.givens)
        last, coloured = _construction(work, graph, rng)
        if n_blanks - coloured < least:
            least = n_blanks - coloured
            work.trace[n_rows]["step"] = number
            work.trace[n_rows]["cell"] = last
            work.trace[n_rows]["cost"] = least
            n_rows += 1
    work.progress[protocol.STEPS] = number
    work.progress[protocol.N_ROWS] = n_rows
    return least == 0


@kernel
def _construction(work, graph, rng):
    """Walk the graph once; return the vertex left without a colour or -1, and how many got one."""
    colours = work.colours
    waiting = work.waiting
    n_cells = colours.shape[0]
    vertex = graph.origin
    if vertex < 0:
        vertex = int(rng.random() * n_cells)
    coloured = 0
    uncoloured = 0
    while True:
        if colours[vertex] == 0:
            if not _colour(colours, vertex, graph, rng):
                return vertex, coloured
            coloured += 1
        waiting[0] = vertex
        head, tail = 0, 1
        while head < tail:
            if graph.breadth_first:
                here = waiting[head]
                head += 1
            else:
                here = waiting[tail - 1]
            extended = False
            for i in range(graph.neighbours.shape[1]):
                other = int(graph.neighbours[here, i])
                if colours[other]:
                    continue
                if not _colour(colours, other, graph, rng):
                    return other, coloured
                coloured += 1
                waiting[tail] = other
                tail += 1
                extended = True
                if not graph.breadth_first:
                    break
            if not (graph.breadth_first or extended):
                tail -= 1
        while uncoloured < n_cells and colours[uncoloured]:
            uncoloured += 1
        if uncoloured == n_cells:
            return -1, coloured
        vertex = uncoloured


@inlined_kernel
def _colour(colours, vertex, graph, rng):
    """Colour a vertex from its restricted candidate list; return False if the list is empty."""
    feasible = graph.colours
    for i in range(graph.neighbours.shape[1]):
        feasible &= ~(1 << int(colours[graph.neighbours[vertex, i]]) >> 1)
    n = min(n_bits(feasible), graph.list_size)
    if n == 0:
        return False
    colours[vertex] = drawn_bit(feasible, n, rng) + 1
    return True
