"""Tabu search for a colouring of the Sudoku graph: a full grid, repaired one vertex at a time.

Every vertex that is not given has some colour from the start. The cost is the number of conflicts,
edges whose two vertices have the same colour. A move gives another colour to a vertex in conflict.
A few moves are drawn, and the first that lowers the cost is made; if none does, the best of them
is made. A vertex that was just changed, or the colour that it lost, is tabu for a while.

Source: Hertz and de Werra 1987, "Using tabu search techniques for graph coloring"; its use for
Sudoku is described in Krivanek 2011.
"""

from dataclasses import dataclass
from typing import ClassVar, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.kernels.compile import kernel, lean_kernel
from nando.puzzles import Sudoku, Values
from nando.records import between, setting
from nando.solvers import protocol

_CHUNK = 2_000
"""Iterations between two checks of the clock."""

_LONG_AGO = -(1 << 62)
_UNLISTED, _GIVEN = -1, -2
_CONFLICTS, _N_CLASHING = range(2, 4)
"""Further indices in `progress`."""


@dataclass(frozen=True)
class ColouringTabu(protocol.IteratedSearch):
    """Tabu search for a colouring.

    Parameters
    ----------
    tabu_tenure : int
        Length of the tabu list: the number of iterations for which a change is tabu.
    tabu : {"colour", "cell"}
        What is tabu after a change: giving the cell back the colour that it lost (Hertz and de
        Werra), or changing the cell at all (as in the thesis).
    neighbours : int
        Most moves drawn in an iteration; drawing stops at one that lowers the number of conflicts.
    otherwise : {"best", "any"}
        The move that is made if none lowers the number: the best of them (Hertz and de Werra), or
        the one drawn last (the thesis says any).
    aspiration : bool
        Allow a tabu move if it leads below the least number of conflicts seen so far.
    iterations : int
        Most iterations of a run.

    Notes
    -----
    Steps are iterations. The trace has a row (rule SWAP) for the random start (step 0, cell -1)
    and for each move that led to a new least number of conflicts. It holds the cell, its new
    value, the number of moves drawn (`options`) and the number of conflicts (`cost`).

    The papers give the state, the cost, the moves, and the tabu list, whose length is 7 in Hertz
    and de Werra. They draw among all moves; here only cells in conflict are drawn, because others
    cannot lower the cost. A tabu move counts as drawn. The number of neighbours and the length of
    a run are nando's choices, and so is that every cell can have all colours, not only those that
    the givens leave. If all draws of an iteration are tabu, the grid does not change, but the
    iteration counts for the tabu list.

    Examples
    --------
    >>> from nando.puzzles import Sudoku
    >>> puzzle = Sudoku(
    ...     "...4..7.2.64....5.1....7..921...8..3....5....8..1...759..7....8.8....92.5.7..2..."
    ... )
    >>> ColouringTabu().run(puzzle, rng=1).outcome.value
    'solved'
    """

    name: ClassVar[str] = "colouring_tabu"
    tabu_tenure: int = setting(7, between(0))
    tabu: Literal["colour", "cell"] = "colour"
    neighbours: int = setting(50, between(1))
    otherwise: Literal["best", "any"] = "best"
    aspiration: bool = True
    iterations: int = setting(1_000_000, between(1))

    def _run(
        self, puzzle: Sudoku, budget: protocol.Budget, rng: np.random.Generator
    ) -> protocol.SolveRun:
        layout = puzzle.layout
        state = _new_state(puzzle)
        if _conflicts(state.colours, layout) > 0:  # among the givens
            return protocol.SolveRun(protocol.Outcome.EXHAUSTED, 0, None)
        _colour_at_random(state, layout, rng)
        settings = _Settings(
            self.tabu_tenure,
            self.tabu == "cell",
            self.neighbours,
            self.otherwise == "best",
            self.aspiration,
        )
        for pause in budget.pauses(
            state.progress, _CHUNK, lambda: bool(state.progress[_CONFLICTS])
        ):
            _repair(state, layout, settings, pause, rng)
        steps, n_rows, conflicts, _ = state.progress.tolist()
        solution = state.colours if conflicts == 0 else None
        return budget.ended(steps, solution, state.trace[:n_rows].copy())


class _Settings(NamedTuple):
    tenure: int
    by_cell: bool
    neighbours: int
    best: bool
    aspiration: bool


class _State(NamedTuple):
    """A colouring and its conflicts; all arrays but `blanks` are changed in place."""

    colours: Values
    blanks: NDArray[np.int16]
    like: NDArray[np.int16]
    """Number of peers of each cell with each colour (from 0), shape (n_cells, size)."""
    clashing: NDArray[np.int16]
    """Blanks with a peer of the same colour, in the first ``progress[_N_CLASHING]`` entries."""
    place: NDArray[np.int16]
    """Index of each cell in ``clashing``, or `_UNLISTED` or `_GIVEN`."""
    changed: NDArray[np.int64]
    """Iteration in which each cell last lost each colour, shape (n_cells, size)."""
    trace: NDArray[np.void]
    """A row for each new least number of conflicts."""
    progress: NDArray[np.int64]
    """Iterations (`STEPS`); rows of ``trace`` (`N_ROWS`); `_CONFLICTS`; `_N_CLASHING` cells."""


def _new_state(puzzle: Sudoku) -> _State:
    layout = puzzle.layout
    n_cells, size = layout.n_cells, layout.size
    n_edges = n_cells * layout.peers.shape[1] // 2
    blanks = np.flatnonzero(puzzle.givens == 0).astype(np.int16)
    return _State(
        colours=puzzle.givens.copy(),
        blanks=blanks,
        like=np.zeros((n_cells, size), np.int16),
        clashing=np.zeros(n_cells, np.int16),
        place=np.where(puzzle.givens > 0, _GIVEN, _UNLISTED).astype(np.int16),
        changed=np.full((n_cells, size), _LONG_AGO, np.int64),
        trace=protocol.trace_of(protocol.Rule.SWAP, n_edges + 2),
        progress=np.zeros(4, np.int64),
    )


@lean_kernel
def _conflicts(colours, layout):
    """Return the number of edges between vertices of the same colour, without uncoloured ones."""
    count = 0
    for cell in range(layout.n_cells):
        for i in range(layout.peers.shape[1]):
            peer = int(layout.peers[cell, i])
            count += peer > cell and colours[cell] > 0 and colours[peer] == colours[cell]
    return count


@kernel
def _colour_at_random(state, layout, rng):
    """Give every blank a random colour, and count the conflicts."""
    for i in range(state.blanks.shape[0]):
        state.colours[state.blanks[i]] = 1 + int(rng.random() * layout.size)
    for cell in range(layout.n_cells):
        for i in range(layout.peers.shape[1]):
            state.like[cell, int(state.colours[layout.peers[cell, i]]) - 1] += 1
    for i in range(state.blanks.shape[0]):
        _note(state, int(state.blanks[i]))
    state.progress[_CONFLICTS] = _conflicts(state.colours, layout)
    state.trace[0]["cell"] = -1
    state.trace[0]["cost"] = state.progress[_CONFLICTS]
    state.progress[protocol.N_ROWS] = 1


@kernel
def _repair(state, layout, settings, pause, rng):
    """Call :func:`_move_often` with a generator from Python."""
    _move_often(state, layout, settings, pause, rng)


@lean_kernel
def _move_often(state, layout, settings, pause, rng):
    """Make moves until `pause` iterations or no conflict is left."""
    step, n_rows, conflicts, _ = state.progress
    least = int(state.trace[n_rows - 1]["cost"])
    while step < pause and conflicts > 0:
        step += 1
        cell, colour, change, drawn = _drawn_move(
            state, layout.size, settings, step, least - conflicts, rng
        )
        if cell < 0:
            continue
        old = int(state.colours[cell]) - 1
        state.colours[cell] = colour + 1
        state.changed[cell, old] = step
        if settings.by_cell:
            state.changed[cell, :] = step
        _note(state, cell)
        for i in range(layout.peers.shape[1]):
            peer = int(layout.peers[cell, i])
            state.like[peer, old] -= 1
            state.like[peer, colour] += 1
            _note(state, peer)
        conflicts += change
        if conflicts < least:
            least = conflicts
            state.trace[n_rows]["step"] = step
            state.trace[n_rows]["cell"] = cell
            state.trace[n_rows]["value"] = colour + 1
            state.trace[n_rows]["options"] = drawn
            state.trace[n_rows]["cost"] = conflicts
            n_rows += 1
    state.progress[protocol.STEPS] = step
    state.progress[protocol.N_ROWS] = n_rows
    state.progress[_CONFLICTS] = conflicts


@lean_kernel
def _drawn_move(state, size, settings, step, aspired, rng):
    """Return a cell, its new colour (from 0), the change of the cost, and the number of draws.

    The cell is -1 if all moves were tabu. Aspiration allows a tabu move if its change is below
    `aspired`, which is at most 0.
    """
    chosen, new_colour, least, n_equal = -1, -1, 0, 0
    for drawn in range(1, settings.neighbours + 1):
        cell = int(state.clashing[int(rng.random() * state.progress[_N_CLASHING])])
        old = int(state.colours[cell]) - 1
        colour = int(rng.random() * (size - 1))
        colour += colour >= old
        change = int(state.like[cell, colour]) - int(state.like[cell, old])
        is_tabu = step - state.changed[cell, colour] <= settings.tenure
        if is_tabu and not (settings.aspiration and change < aspired):
            continue
        if change < 0:
            return cell, colour, change, drawn
        if chosen < 0 or not settings.best or change < least:
            chosen, new_colour, least, n_equal = cell, colour, change, 1
        elif change == least:
            n_equal += 1
            if rng.random() * n_equal < 1.0:
                chosen, new_colour = cell, colour
    return chosen, new_colour, least, settings.neighbours


@lean_kernel
def _note(state, cell):
    """Update the list of clashing cells after a change at this cell or a peer."""
    place = int(state.place[cell])
    if place == _GIVEN:
        return
    clashes = state.like[cell, int(state.colours[cell]) - 1] > 0
    count = state.progress[_N_CLASHING]
    if clashes and place == _UNLISTED:
        state.clashing[count] = cell
        state.place[cell] = count
        state.progress[_N_CLASHING] = count + 1
    elif not clashes and place >= 0:
        last = int(state.clashing[count - 1])
        state.clashing[place] = last
        state.place[last] = place
        state.place[cell] = _UNLISTED
        state.progress[_N_CLASHING] = count - 1
