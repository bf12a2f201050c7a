"""Brute force as in Krivanek's thesis: try everything, in an order that the search builds up.

On Sudoku every value of every cell is suggested, whether the rules allow it or not. On Nurikabe
every shape of every island is tried: :mod:`nando.solvers.constraints.nurikabe_islands`.

Source: Krivanek 2011.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from nando.kernels.compile import kernel, lean_kernel, n_bits
from nando.puzzles import Puzzle, Sudoku
from nando.puzzles.frozen import EqualFields
from nando.puzzles.nurikabe import Nurikabe
from nando.solvers.constraints import nurikabe_islands
from nando.solvers.kinds import part_for
from nando.solvers.protocol import (
    N_ROWS,
    STEPS,
    Budget,
    Limit,
    Outcome,
    Rule,
    Seed,
    SolveRun,
    generator,
    median_steps,
    run_often,
    solved_share,
    trace_of,
)


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


# Brute force on Sudoku: try every value of every cell in turn.
#
# When the search goes deeper than its list of cells, it appends one of the cells with the fewest
# allowed values, drawn at random. The list stays when the search backtracks.

_CHUNK = 1_000_000
"""Suggestions between two checks of the clock."""

_DEPTH = 2
"""A further index in `progress`."""


def suggest_values(puzzle: Sudoku, limit: Limit, rng: np.random.Generator) -> SolveRun:
    """Search once, to the first solution."""
    values = puzzle.givens.copy()
    trace = trace_of(Rule.GUESS, int((values == 0).sum()))
    if not puzzle.status().valid:
        return SolveRun(Outcome.EXHAUSTED, 0, None)
    n_blanks = len(trace)
    progress = np.zeros(3, np.int64)
    budget = Budget(limit)
    for pause in budget.pauses(progress, _CHUNK, lambda: bool(0 <= progress[_DEPTH] < n_blanks)):
        _suggest(values, puzzle.layout, pause, budget.most, rng, trace, progress)
    steps, length, depth = progress.tolist()
    rows = trace[:length]
    rows["step"] = np.arange(1, length + 1)
    rows["value"] = values[rows["cell"]]
    if depth < 0:
        return SolveRun(Outcome.EXHAUSTED, steps, None, rows)
    return budget.ended(steps, values if depth == n_blanks else None, rows)


@kernel
def _suggest(values, layout, pause, most, rng, trace, progress):
    """Continue the search in place until about `pause` suggestions, at most `most`, or the end.

    `progress` holds the number of suggestions, the length of the list, and the depth, which is -1
    at the end if there is no solution.
    """
    size = layout.size
    used = np.zeros(3 * size, np.int64)
    for cell in range(layout.n_cells):
        value = int(values[cell])
        if value > 0:
            _toggle(used, layout, cell, value)
    n_blanks = trace.shape[0]
    every = (1 << size) - 1
    steps, length, depth = progress
    while 0 <= depth < n_blanks and steps < pause:
        if depth == length:
            cell, allowed = _fewest_allowed(values, used, layout, rng)
            trace[length]["cell"] = cell
            trace[length]["options"] = allowed
            length += 1
        cell = int(trace[depth]["cell"])
        value = int(values[cell])
        if value > 0:
            _toggle(used, layout, cell, value)
            values[cell] = 0
        free = every & ~_seen(used, layout, cell)
        entered = False
        while value < size and steps < most and not entered:
            steps += 1
            value += 1
            entered = free >> (value - 1) & 1 == 1
        if entered:
            values[cell] = value
            _toggle(used, layout, cell, value)
            depth += 1
        elif value == size:
            depth -= 1
    progress[STEPS] = steps
    progress[N_ROWS] = length
    progress[_DEPTH] = depth


@lean_kernel
def _seen(used, layout, cell):
    """Return the values in the three houses of a cell."""
    return (
        used[layout.house_of[cell, 0]]
        | used[layout.house_of[cell, 1]]
        | used[layout.house_of[cell, 2]]
    )


@lean_kernel
def _toggle(used, layout, cell, value):
    """Add a value to the three houses of a cell, or remove it."""
    for kind in range(3):
        used[layout.house_of[cell, kind]] ^= 1 << (value - 1)


@kernel
def _fewest_allowed(values, used, layout, rng):
    """Draw one of the empty cells with the fewest allowed values; return it and their number."""
    fewest = layout.size + 1
    ties = 0
    chosen = -1
    for cell in range(layout.n_cells):
        if values[cell] > 0:
            continue
        count = layout.size - n_bits(_seen(used, layout, cell))
        if count < fewest:
            fewest = count
            ties = 0
        if count == fewest:
            ties += 1
            if ties == 1 or rng.random() * ties < 1.0:
                chosen = cell
    return chosen, fewest


_NODES = 10_000
"""Shapes between two checks of the clock."""


def place_islands(puzzle: Nurikabe, limit: Limit, rng: np.random.Generator) -> SolveRun:
    """Search once, to the first solution."""
    state = nurikabe_islands.new_islands(puzzle, rng)
    budget = Budget(limit)

    def goes_on() -> bool:
        depth, alive = state.progress[nurikabe_islands.DEPTH : nurikabe_islands.ALIVE + 1].tolist()
        return depth >= 0 and not (alive and depth == puzzle.n_islands)

    nurikabe_islands.try_shapes(state, 0)  # with no island to place, this alone checks the river
    for pause in budget.pauses(state.progress, _NODES, goes_on):
        nurikabe_islands.try_shapes(state, pause)
    steps, depth = state.progress[: nurikabe_islands.DEPTH + 1].tolist()
    trace = _trace_of(puzzle, state)
    if depth < 0:
        return SolveRun(Outcome.EXHAUSTED, steps, None, trace)
    solution = None if goes_on() else state.board.colour[state.board.cells]
    return budget.ended(steps, solution, trace)


def _trace_of(puzzle: Nurikabe, state: nurikabe_islands.Islands) -> NDArray[np.void]:
    """Return the trace of the cells coloured on the board, except for the numbers."""
    places = state.coloured[: state.progress[nurikabe_islands.N_SET]]
    cells = np.searchsorted(state.board.cells, places)
    blank = puzzle.givens[cells] == 0
    tried = state.tried[state.island[: len(places)][blank]]
    return trace_of(
        Rule.GUESS,
        len(tried),
        step=np.arange(1, len(tried) + 1),
        cell=cells[blank],
        value=state.board.colour[places[blank]],
        options=np.minimum(tried, np.iinfo(np.int32).max),
    )
