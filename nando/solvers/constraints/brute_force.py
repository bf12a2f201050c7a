"""The thesis's brute force: every value of every cell in turn, cells ordered on the way.

When the search goes deeper than its list of cells, a random one of the cells with the fewest
allowed values at that moment is appended; the list is kept when the search goes back. Each of
the values suggested is a step, whether the rules allow it or not.

On Nurikabe the islands take the place of cells and shapes that of values:
:mod:`nando.solvers.constraints.nurikabe.brute_force`.

Source: Krivanek 2011.
"""

import time
from dataclasses import dataclass
from functools import singledispatchmethod
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from nando.kernels.bits import n_bits
from nando.kernels.compile import kernel
from nando.puzzles import Puzzle, Sudoku
from nando.puzzles.nurikabe.puzzle import Nurikabe
from nando.solvers.constraints.nurikabe.brute_force import (
    N_SET,
    STEPS,
    Islands,
    new_islands,
    try_shapes,
)
from nando.solvers.protocol import (
    STEP,
    Limit,
    Outcome,
    Rule,
    Seed,
    SolveRun,
    generator,
    unsupported,
)
from nando.solvers.repeated import median_steps, run_often, solved_share

_NO_BOUND = 1 << 62
_CHUNK = 1_000_000
"""Steps between two looks at the clock."""
_CHUNK_OF_SHAPES = 10_000


@dataclass(frozen=True)
class BruteForceProfile:
    """What many runs of :class:`BruteForce` say about a puzzle.

    Attributes
    ----------
    steps : float
        Median number of suggestions, on Nurikabe of shapes tried; a run that its budget ended
        counts with the budget.
    solved_share : float
        Share of runs that ended solved.
    order : ndarray of float64, shape (n_cells,)
        Mean place, from 1, of each cell in the list; 0 for givens. Cells that a run never
        listed share the places behind its list.
    """

    steps: float
    solved_share: float
    order: NDArray[np.float64]


@dataclass(frozen=True)
class BruteForce:
    """Brute force with cells ordered on the way.

    Notes
    -----
    Steps are suggestions. The trace has a row per cell of the list, in its order: `options` is
    the number of values allowed when the cell was appended, `value` what it holds at the end
    (0 where the search went back beyond it).

    On Nurikabe steps are shapes tried, and the trace has a row per cell without number that is
    coloured at the end, in the order of colouring: `options` is the number of shapes that were
    tried for its island or the island that it surrounds, 0 for the river that is left.
    """

    name: ClassVar[str] = "brute_force"

    def run(self, puzzle: Puzzle, *, limit: Limit | None = None, rng: Seed = None) -> SolveRun:
        """Search once, to the first solution."""
        return self._run(puzzle, limit or Limit(), generator(rng))

    def profile(
        self, puzzle: Puzzle, *, runs: int = 100, rng: Seed = None, limit: Limit | None = None
    ) -> BruteForceProfile:
        """Search `runs` times.

        Raises
        ------
        ValueError
            Where `runs` is below 1.
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

    @singledispatchmethod
    def _run(self, puzzle: Puzzle, limit: Limit, rng: np.random.Generator) -> SolveRun:
        raise unsupported(self, puzzle)

    @_run.register
    def _(self, puzzle: Sudoku, limit: Limit, rng: np.random.Generator) -> SolveRun:
        values = puzzle.givens.copy()
        trace = np.zeros(int((values == 0).sum()), STEP)
        trace["rule"] = int(Rule.GUESS)
        progress = np.zeros(3, np.int64)
        most = _NO_BOUND if limit.steps is None else limit.steps
        end = None if limit.seconds is None else time.monotonic() + limit.seconds
        while True:
            pause = most if end is None else min(most, int(progress[0]) + _CHUNK)
            _suggest(values, puzzle.layout, pause, most, rng, trace, progress)
            steps, length, depth = progress.tolist()
            ended = not 0 <= depth < len(trace) or steps >= most
            late = not ended and end is not None and time.monotonic() > end
            if ended or late:
                break
        rows = trace[:length]
        rows["step"] = np.arange(1, length + 1)
        rows["value"] = values[rows["cell"]]
        if depth == len(trace):
            return SolveRun(Outcome.SOLVED, steps, values, rows, 1)
        if depth < 0:
            return SolveRun(Outcome.EXHAUSTED, steps, None, rows)
        return SolveRun(Outcome.TIME_LIMIT if late else Outcome.STEP_LIMIT, steps, None, rows)

    @_run.register
    def _(self, puzzle: Nurikabe, limit: Limit, rng: np.random.Generator) -> SolveRun:
        state = new_islands(puzzle, rng)
        most = _NO_BOUND if limit.steps is None else limit.steps
        end = None if limit.seconds is None else time.monotonic() + limit.seconds
        outcome = None
        while outcome is None:
            steps = int(state.progress[STEPS])
            try_shapes(state, most if end is None else min(most, steps + _CHUNK_OF_SHAPES))
            steps, depth, alive = state.progress[:N_SET].tolist()
            if depth < 0:
                outcome = Outcome.EXHAUSTED
            elif depth == puzzle.n_islands and alive:
                outcome = Outcome.SOLVED
            elif steps >= most:
                outcome = Outcome.STEP_LIMIT
            elif end is not None and time.monotonic() > end:
                outcome = Outcome.TIME_LIMIT
        trace = _coloured(puzzle, state)
        if outcome is Outcome.SOLVED:
            return SolveRun(outcome, steps, state.board.colour[state.board.cells], trace, 1)
        return SolveRun(outcome, steps, None, trace)


def _coloured(puzzle: Nurikabe, state: Islands) -> NDArray[np.void]:
    """Trace of the cells coloured on the board, numbers left out."""
    places = state.coloured[: state.progress[N_SET]]
    cells = np.searchsorted(state.board.cells, places)
    blank = puzzle.givens[cells] == 0
    trace = np.zeros(int(blank.sum()), STEP)
    trace["step"] = np.arange(1, len(trace) + 1)
    trace["cell"] = cells[blank]
    trace["value"] = state.board.colour[places[blank]]
    trace["rule"] = int(Rule.GUESS)
    most = np.iinfo(np.int32).max
    trace["options"] = np.minimum(state.tried[state.island[: len(places)][blank]], most)
    return trace


@kernel
def _suggest(values, layout, pause, most, rng, trace, progress):
    """Search on in place until about `pause` suggestions, at most `most`, or the end.

    `progress` holds suggestions, length of the list, and depth (-1 at the end: no solution).
    """
    size = layout.size
    used = np.zeros(3 * size, np.int64)
    for cell in range(layout.n_cells):
        value = int(values[cell])
        if value > 0:
            if _seen(used, layout, cell) >> (value - 1) & 1:
                progress[2] = -1
                return
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
    progress[0] = steps
    progress[1] = length
    progress[2] = depth


@kernel
def _seen(used, layout, cell):
    """The values in the three houses of a cell."""
    return (
        used[layout.house_of[cell, 0]]
        | used[layout.house_of[cell, 1]]
        | used[layout.house_of[cell, 2]]
    )


@kernel
def _toggle(used, layout, cell, value):
    """Enter or leave a value in the three houses of a cell."""
    for kind in range(3):
        used[layout.house_of[cell, kind]] ^= 1 << (value - 1)


@kernel
def _fewest_allowed(values, used, layout, rng):
    """A random one of the empty cells with the fewest allowed values, and that number."""
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
