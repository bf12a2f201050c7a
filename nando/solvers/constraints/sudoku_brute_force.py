"""Brute force on Sudoku: try every value of every cell in turn.

When the search goes deeper than its list of cells, it appends one of the cells with the fewest
allowed values, drawn at random. The list stays when the search backtracks.

Source: Krivanek 2011.
"""

import numpy as np

from nando.kernels.bits import n_bits
from nando.kernels.compile import kernel, lean_kernel
from nando.puzzles import Sudoku
from nando.solvers.protocol import Limit, Outcome, Rule, SolveRun, trace_of
from nando.solvers.repeated import N_ROWS, STEPS, Budget

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
