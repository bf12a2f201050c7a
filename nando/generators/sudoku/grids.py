"""Random full grids, from which puzzles are carved.

For order 3 the draw is uniform over all 6,670,903,752,021,072,936,960 grids, up to a total
variation distance of 1.1 %. The three boxes on the diagonal are drawn. The rest follows from
singles and locked candidates; otherwise a cell with few candidates gets one of them, with a weight
that grows with the candidates it leaves to other cells. A contradiction restarts the draw. A grid
reached by choices of probabilities p1, p2, ... is accepted with a probability proportional to
1 / (p1 p2 ...), which makes all grids equally likely. Ratios beyond `_LARGEST_RATIO`, 0.7 % of the
draws, are clipped; that is the 1.1 %.

For orders 4 and 5 a search without backtracking almost never ends. So it backtracks, and grids that
need fewer choices are more likely: every grid can occur, but not with equal probability.
"""

import numpy as np

from nando.kernels.bits import lowest_bit, n_bits
from nando.kernels.compile import kernel
from nando.puzzles import Sudoku, Values
from nando.puzzles.sudoku.layout import sudoku_layout
from nando.solvers.exact.bands import fill_cell, new_states, write
from nando.solvers.exact.houses import fewest_ways, level, new_house_stack
from nando.solvers.exact.lanes import narrow, open_givens
from nando.solvers.exact.words import N_WORDS
from nando.solvers.protocol import Seed, generator
from nando.solvers.sudoku.singles import place, restore

_LARGEST_RATIO = 700_000.0
_STEEPNESS = 0.055
"""How a candidate's weight grows with the candidates it leaves, chosen to vary the ratios least."""

_FULL, _NOT_FULL = -1, -2
"""Codes returned instead of a cell if there is none to choose."""

_MOST_CHOICES = 1_000
"""Choices after which a search for a large grid restarts; successful ones need a few hundred."""


def random_grid(order: int = 3, rng: Seed = None) -> Values:
    """A full grid.

    Parameters
    ----------
    order : int
        3, 4 or 5.
    rng : seed or Generator

    Returns
    -------
    ndarray of int8, shape (n_cells,)
        For order 3 uniform over all grids to within 1.1 % (total variation); for orders 4 and 5
        every grid can occur.

    Raises
    ------
    ValueError
        For another order.
    """
    layout = sudoku_layout(order)
    rng = generator(rng)
    grid = np.zeros(layout.n_cells, np.int8)
    if order == 3:
        _draw_uniform(grid, new_states(10), rng)
        return grid
    while True:
        grid[:] = 0
        _draw_diagonal(grid, order, rng)
        stack, branches = new_house_stack(Sudoku.from_values(grid))
        if _fill(stack, branches, layout, grid, _MOST_CHOICES, rng):
            return grid


def root_grid(order: int = 3) -> Values:
    """Lewis's root solution, shape ``(n_cells,)``: ``(r mod n) n + r div n + c, mod n^2, + 1``.

    Source: Lewis 2007, section 4.
    """
    size = sudoku_layout(order).size
    row, column = np.divmod(np.arange(size * size), size)
    grid = (row % order * order + row // order + column) % size + 1
    return np.asarray(grid, np.int8)


@kernel
def _draw_diagonal(grid, order, rng):
    """Put random permutations into the boxes on the diagonal of an empty grid."""
    size = order * order
    digits = np.arange(1, size + 1)
    for box in range(order):
        corner = box * order * (size + 1)
        for i in range(size):
            j = i + int(rng.random() * (size - i))
            digits[i], digits[j] = digits[j], digits[i]
            grid[corner + i // order * size + i % order] = digits[i]


@kernel
def _draw_uniform(grid, states, rng):
    """Fill a 9x9 grid, uniformly over all grids."""
    while True:
        ratio = _draw(grid, states, rng)
        if ratio > rng.random() * _LARGEST_RATIO:
            return


@kernel
def _draw(grid, states, rng):
    """Fill a 9x9 grid by random choices; 1 / their probability, or 0 at a contradiction."""
    state = states[9]
    weights = np.zeros(9)
    next_cells = np.zeros(9, np.int64)
    grid[:] = 0
    _draw_diagonal(grid, 3, rng)
    open_givens(state, grid)
    ratio = 1.0
    cell = _narrowed(state)
    while cell >= 0:
        cell, probability = _choose(states, weights, next_cells, cell, rng)
        ratio /= probability
    if cell == _NOT_FULL:
        return 0.0
    write(state, grid)
    return ratio


@kernel
def _choose(states, weights, next_cells, cell, rng):
    """Give a cell of ``states[9]`` a random candidate; the next cell, and the probability."""
    state = states[9]
    total = 0.0
    for digit in range(9):
        weights[digit] = 0.0
        if state[4 * digit + cell // 27] >> cell % 27 & 1:
            tried = states[digit]
            _copy_state(tried, state)
            fill_cell(tried, cell, digit)
            next_cells[digit] = _narrowed(tried)
            if next_cells[digit] != _NOT_FULL:
                weights[digit] = np.exp(_STEEPNESS * (_candidates(tried) - 81))
                total += weights[digit]
    if total == 0.0:
        return _NOT_FULL, 1.0
    left = rng.random() * total
    chosen = -1
    for digit in range(9):
        if weights[digit] > 0.0 and left >= 0.0:
            chosen = digit
            left -= weights[digit]
    _copy_state(state, states[chosen])
    return next_cells[chosen], weights[chosen] / total


@kernel
def _narrowed(state):
    """Follow singles and locked candidates; the first cell with the fewest candidates.

    `_FULL` where each cell has one, `_NOT_FULL` where the grid cannot be filled.
    """
    if not narrow(state):
        return _NOT_FULL
    fewest = 10
    best = _FULL
    for band in range(3):
        once = 0
        twice = 0
        for digit in range(9):
            word = int(state[4 * digit + band])
            twice |= once & word
            once |= word
        while twice:
            place = lowest_bit(twice)
            twice &= twice - 1
            count = 0
            for digit in range(9):
                count += int(state[4 * digit + band]) >> place & 1
            if count < fewest:
                fewest = count
                best = 27 * band + place
    return best


@kernel
def _copy_state(target, source):
    for i in range(N_WORDS):
        target[i] = source[i]


@kernel
def _candidates(state):
    """Candidates of all cells together."""
    count = 0
    for i in range(N_WORDS):
        count += n_bits(int(state[i]))
    return count


@kernel
def _drawn_bit(mask, rng):
    """Number of one of the bits of a mask, each equally likely."""
    for _ in range(int(rng.random() * n_bits(mask))):
        mask &= mask - 1
    return lowest_bit(mask)


@kernel
def _fill(stack, branches, layout, grid, most_choices, rng):
    """Fill the state at the bottom of the stack by random choices; whether that succeeded.

    `grid` holds its digits and receives the others.
    """
    depth = 0
    alive = True
    for _ in range(most_choices):
        state = level(stack, depth)
        if alive:
            while alive and state.counts[0] > 0:
                cell = int(state.open[state.counts[0] - 1])
                digit = int(state.digit[cell])
                grid[cell] = digit + 1
                alive = place(state, layout, cell, digit)
            if alive and state.counts[1] == 0:
                return True
            if alive:
                branch, ways = fewest_ways(state, layout)
                branches[depth, 0] = branch
                branches[depth, 1] = ways
        ways = branches[depth, 1] if alive else 0
        while ways == 0:
            depth -= 1
            if depth < 0:
                return False
            ways = branches[depth, 1]
        way = _drawn_bit(ways, rng)
        branches[depth, 1] = ways & ~(1 << way)
        branch = branches[depth, 0]
        if branch >= 0:
            cell, digit = branch, way
        else:
            house, digit = divmod(-1 - branch, layout.size)
            cell = int(layout.houses[house, way])
        below = level(stack, depth)
        depth += 1
        above = level(stack, depth)
        restore(above, below)
        branches[depth, 1] = 0
        grid[cell] = digit + 1
        alive = place(above, layout, cell, digit)
    return False
