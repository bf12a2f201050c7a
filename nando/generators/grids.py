"""Random full grids, from which puzzles are carved.

For orders 4 and 5 a search fills cells at random and backtracks, and grids that need fewer choices
are more likely: every grid can occur, but not with equal probability.

For order 3 all grids are equally likely. A grid is three bands of three rows. How a band can be
filled depends only on the sets of digits in its nine columns, so a grid is drawn in three steps:

1. The top band, uniformly: given its first box, there are 56 ways to put the digits of the other
   boxes into rows, and six orders of each mini-row.
2. The digits of each column of the middle band, from those that the top band leaves: 56 ways for
   each stack, by the same argument. The bottom band gets the rest. If the column sets allow m
   fillings of the middle band and b of the bottom band, they are kept with a probability
   proportional to m * b, and otherwise everything is drawn again.
3. One of the m fillings, and one of the b.

Column sets allow 16 to 288 fillings, up to an exchange of rows, and more than 86 only if the same
three digits share a column in all three stacks. This bound rejects most proposals without counting.
"""

from itertools import combinations, permutations

import numpy as np

from nando.checks import real, whole
from nando.kernels.compile import drawn_bit, kernel, lean_kernel, lowest_bit, n_bits
from nando.kernels.streams import below, drawn_stream, shuffle
from nando.puzzles import Sudoku, Values
from nando.puzzles.sudoku.layout import shuffled_lines, sudoku_layout
from nando.solvers.exact.houses import BRANCH, WAYS, even_weights, hardest, level, new_house_stack
from nando.solvers.protocol import Seed, generator
from nando.solvers.singles import N_EMPTY, N_OPEN, place, restore

_MOST_CHOICES = 1_000
"""Choices after which a search for a large grid restarts; successful ones need a few hundred."""


def random_grid(order: int = 3, rng: Seed = None) -> Values:
    """Return a full grid.

    Parameters
    ----------
    order : int
        3, 4 or 5.
    rng : seed or Generator

    Returns
    -------
    ndarray of int8, shape (n_cells,)
        For order 3 each of the 6,670,903,752,021,072,936,960 grids is equally likely; for orders
        4 and 5 every grid can occur.

    Raises
    ------
    ValueError
        For another order.
    """
    layout = sudoku_layout(whole("order", order))
    rng = generator(rng)
    grid = np.zeros(layout.n_cells, np.int8)
    if order == 3:
        draw_uniform(grid, new_workspace(), drawn_stream(rng))
        return grid
    while True:
        grid[:] = 0
        _draw_diagonal(grid, order, rng)
        stack, branches = new_house_stack(Sudoku.from_values(grid))
        if _fill(stack, branches, layout, even_weights(layout), grid, _MOST_CHOICES, rng):
            return grid


def root_grid(order: int = 3) -> Values:
    """Return Lewis's root solution: ``(r mod n) n + r div n + c, mod n^2, + 1``, by cell.

    Source: Lewis 2007, section 4.
    """
    size = sudoku_layout(whole("order", order)).size
    row, column = np.divmod(np.arange(size * size), size)
    grid = (row % order * order + row // order + column) % size + 1
    return np.asarray(grid, np.int8)


def lewis_instance(
    p: float, order: int = 3, rng: Seed = None, *, grid: Values | None = None
) -> Sudoku:
    """Return an instance for research on solvers; it has at least one solution, often many.

    Parameters
    ----------
    p : float
        Probability of each cell to be given, 0 to 1.
    order : int
        3, 4 or 5.
    rng : seed or Generator
    grid : ndarray of int8, shape (n_cells,), or None
        Full grid to shuffle; None takes Lewis's root solution.

    Returns
    -------
    Sudoku
        The grid transposed or not, rows and columns permuted within and across bands, each way
        equally likely, and cells deleted with probability 1 - p each. Digits keep their names.

    Raises
    ------
    ValueError
        For a p outside 0 to 1, another order, or a grid that is no solution.

    Notes
    -----
    Source: Lewis 2007, section 4. Use :func:`nando.generators.generate` for puzzles for people.
    """
    if not 0.0 <= real("p", p) <= 1.0:
        raise ValueError(f"p must be between 0 and 1, got {p!r}")
    root = root_grid(order) if grid is None else np.asarray(grid, np.int8)
    if not Sudoku("." * order**4).is_solution(root):
        raise ValueError(f"grid must be a full {order**2}x{order**2} grid that obeys the rules")
    rng = generator(rng)
    square = root.reshape(order**2, order**2)
    if rng.random() < 0.5:
        square = square.T
    square = square[shuffled_lines(order, rng)][:, shuffled_lines(order, rng)]
    return Sudoku.from_values(np.where(rng.random(square.shape) < p, square, 0))


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
def _fill(stack, branches, layout, weights, grid, most_choices, rng):
    """Call :func:`_choose_often` with a generator from Python."""
    return _choose_often(stack, branches, layout, weights, grid, most_choices, rng)


@lean_kernel
def _choose_often(stack, branches, layout, weights, grid, most_choices, rng):
    """Fill the state at the bottom of the stack by random choices; return True if that succeeded.

    `weights` are even; `grid` holds its digits and receives the others.
    """
    depth = 0
    alive = True
    for _ in range(most_choices):
        state = level(stack, depth)
        if alive:
            while alive and state.counts[N_OPEN] > 0:
                cell = int(state.open[state.counts[N_OPEN] - 1])
                digit = int(state.digit[cell])
                grid[cell] = digit + 1
                alive = place(state, layout, cell, digit)
            if alive and state.counts[N_EMPTY] == 0:
                return True
            if alive:
                branch, ways = hardest(state, layout, weights)
                branches[depth, BRANCH] = branch
                branches[depth, WAYS] = ways
        ways = branches[depth, WAYS] if alive else 0
        while ways == 0:
            depth -= 1
            if depth < 0:
                return False
            ways = branches[depth, WAYS]
        way = drawn_bit(ways, n_bits(ways), rng)
        branches[depth, WAYS] = ways & ~(1 << way)
        branch = branches[depth, BRANCH]
        if branch >= 0:
            cell, digit = branch, way
        else:
            house, digit = divmod(-1 - branch, layout.size)
            cell = int(layout.houses[house, way])
        below = level(stack, depth)
        depth += 1
        above = level(stack, depth)
        restore(above, below)
        branches[depth, WAYS] = 0
        grid[cell] = digit + 1
        alive = place(above, layout, cell, digit)
    return False


MOST_FILLINGS = 288
MOST_WITHOUT_TRIPLE = 86
"""Most fillings of a band up to the order of rows, and most if no column set is in all stacks."""

_ORDERS = np.array(list(permutations(range(3))), np.int64)


def _splits() -> np.ndarray:
    """Return the 56 ways to distribute the digits of a box's rows over the rows of the next box.

    No digit keeps its row, and each row gets three digits. Entry ``3 * row + i`` of a way is the
    new row of digit i of a row, shape (56, 9). The columns of a stack are distributed over its
    other bands in the same ways.
    """
    splits = []
    for n_on in range(4):
        # From each row, `n_on` digits go to the next row, and the others to the row before it.
        for chosen in np.ndindex(*[len(list(combinations(range(3), n_on)))] * 3):
            lines = np.zeros((3, 3), np.int64)
            for line in range(3):
                on = list(combinations(range(3), n_on))[chosen[line]]
                for i in range(3):
                    lines[line, i] = (line + (1 if i in on else 2)) % 3
            splits.append(lines.ravel())
    return np.array(splits)


def _turns(stack: int) -> np.ndarray:
    """Return the turns with which three digits fit into one column of the second or third stack.

    From the first stack on, a digit with turn 0 moves by one row to the second stack and by two to
    the third; with turn 1, by two and by one. The digits of a column must be in different rows.

    The result, shape (27,), is indexed by the rows of the digits in the first stack, ``9 * first +
    3 * second + third``. An entry holds two triples of turns, in bits 0 to 2 and 3 to 5. It is 0 if
    all three rows are equal, because the digits then do not fit.
    """
    ways = np.zeros(27, np.int64)
    for index in range(27):
        rows = index // 9, index // 3 % 3, index % 3
        for turns in range(8):
            steps = (1 + (turns >> i & 1) if stack == 1 else 2 - (turns >> i & 1) for i in range(3))
            if len({(row + step) % 3 for row, step in zip(rows, steps, strict=True)}) == 3:
                ways[index] = ways[index] << 3 | turns
    return ways


_SPLITS = _splits()
_SECOND, _THIRD = _turns(1), _turns(2)


_TOP, _SETS, _DIGITS, _TURNS, _END = np.cumsum([0, 27, 18, 27, 9]).tolist()


def new_workspace() -> np.ndarray:
    """Return the workspace of a draw."""
    return np.zeros(_END, np.int64)


@lean_kernel
def draw_uniform(grid, work, stream):
    """Fill a 9x9 grid; all grids are equally likely."""
    middle, bottom = work[_SETS : _SETS + 9], work[_SETS + 9 : _DIGITS]
    digits, turns = work[_DIGITS:_TURNS], work[_TURNS:]
    while True:
        # The product of the fillings of both bands must be more than this.
        needed = below(stream, MOST_FILLINGS * MOST_FILLINGS)
        most = _draw_columns(work, needed, stream)
        if most == 0:
            continue
        n_middle = filling_of(middle, digits, turns, -1)
        if n_middle * most <= needed:
            continue
        n_bottom = filling_of(bottom, digits, turns, -1)
        if n_middle * n_bottom > needed:
            break
    for cell in range(27):
        grid[cell] = work[_TOP + cell]
    filling = filling_of(middle, digits, turns, below(stream, n_middle))
    write_band(grid[27:54], middle, filling, below(stream, 6))
    filling = filling_of(bottom, digits, turns, below(stream, n_bottom))
    write_band(grid[54:], bottom, filling, below(stream, 6))
    for digit in range(9):
        digits[digit] = digit + 1
    shuffle(stream, digits[:9])
    for cell in range(81):
        grid[cell] = digits[grid[cell]]


@lean_kernel
def _draw_columns(work, needed, stream):
    """Draw the top band and the column sets of the others; return the most fillings of a band.

    Return 0 if the product of both bands cannot be more than `needed`.
    """
    top, sets = work[_TOP:_SETS], work[_SETS:_DIGITS]
    for column in range(18):
        sets[column] = 0
    for cell in range(9):
        top[cell // 3 * 9 + cell % 3] = cell
    rows = below(stream, _SPLITS.shape[0])
    shared = 0
    for stack in range(3):
        if stack > 0:
            _fill_box(top, stack, rows, stream)
        _divide_columns(sets, top, stack, below(stream, _SPLITS.shape[0]))
        if stack > 0:
            shared = _n_shared(sets[:9], stack) + _n_shared(sets[9:], stack)
            if shared == 0 and needed >= MOST_WITHOUT_TRIPLE**2:
                return 0
    return MOST_FILLINGS if shared else MOST_WITHOUT_TRIPLE


@lean_kernel
def _fill_box(top, stack, split, stream):
    """Put digits into the second or third box of the top band, in rows by a number of `_SPLITS`."""
    filled = 0
    orders = below(stream, 216)
    for cell in range(9):
        row = _SPLITS[split, cell]
        if stack == 2:
            row = 3 - cell // 3 - row
        order = orders // 36 if row == 0 else orders // 6 % 6 if row == 1 else orders % 6
        column = _ORDERS[order, filled >> 2 * row & 3]
        filled += 1 << 2 * row
        top[9 * row + 3 * stack + column] = cell


@lean_kernel
def _divide_columns(sets, top, stack, split):
    """Divide the digits that the top band leaves to a stack's columns between the other bands."""
    for index in range(9):
        column = index // 3
        digit = top[9 * (index % 3) + 3 * stack + column]
        other = _SPLITS[split, index]
        sets[3 * stack + other] |= 1 << digit
        sets[9 + 3 * stack + 3 - column - other] |= 1 << digit


@lean_kernel
def _n_shared(sets, stack):
    """Return the number of columns of a stack whose digits share a column in all earlier stacks."""
    count = 0
    for column in range(3 * stack, 3 * stack + 3):
        stacks = 0
        for other in range(3 * stack):
            if sets[other] == sets[column]:
                stacks += 1
        if stacks == stack:
            count += 1
    return count


@lean_kernel
def filling_of(sets, digits, turns, chosen):
    """Return the filling with index `chosen` of three rows with the digits of nine columns.

    If there is no such index, for example -1, return the number of fillings. Fillings that differ
    in the order of rows count once: the digits of the first column are in rows 0, 1 and 2.

    A filling is encoded with two bits for the row of each digit in the first stack, and one bit for
    its turn.
    """
    for column in range(9):
        left = sets[column]
        for i in range(3):
            digits[3 * column + i] = lowest_bit(left)
            left &= left - 1
    count = 0
    for orders in range(36):
        rows = 0
        for i in range(3):
            rows |= i << 2 * digits[i]
            rows |= _ORDERS[orders // 6, i] << 2 * digits[3 + i]
            rows |= _ORDERS[orders % 6, i] << 2 * digits[6 + i]
        choices = _turn(digits, rows, turns)
        more = n_bits(choices)
        if count <= chosen < count + more:
            for _ in range(chosen - count):
                choices &= choices - 1
            choice = lowest_bit(choices)
            for digit in range(9):
                rows |= (turns[digit] >> choice & 1) << 18 + digit
            return rows
        count += more
    return count


_CHOICES = np.array([0xAA, 0xCC, 0xF0])
"""Bits of the eight choices in which each column of the second stack takes its second turns."""


@lean_kernel
def _turn(digits, rows, turns):
    """Return which of eight choices of turns in the second stack the third stack allows, as bits.

    `turns` says for each digit in which choices its turn is 1.
    """
    for column in range(3):
        first = 9 + 3 * column
        ways = _SECOND[_rows_of(digits, rows, first)]
        if ways == 0:
            return 0
        for i in range(3):
            turns[digits[first + i]] = (
                -(ways >> i & 1) & ~_CHOICES[column] | -(ways >> 3 + i & 1) & _CHOICES[column]
            )
    allowed = 0xFF
    for column in range(3):
        first = 18 + 3 * column
        ways = _THIRD[_rows_of(digits, rows, first)]
        if ways == 0:
            return 0
        one = other = 0xFF
        for i in range(3):
            one &= turns[digits[first + i]] ^ (ways >> i & 1) - 1
            other &= turns[digits[first + i]] ^ (ways >> 3 + i & 1) - 1
        allowed &= one | other
    return allowed


@lean_kernel
def _rows_of(digits, rows, first):
    """Return the rows of three digits, as a number to the base 3."""
    return (
        9 * (rows >> 2 * digits[first] & 3)
        + 3 * (rows >> 2 * digits[first + 1] & 3)
        + (rows >> 2 * digits[first + 2] & 3)
    )


@lean_kernel
def write_band(cells, sets, filling, order):
    """Write digits from 0 into a band, its rows in one of six orders."""
    for column in range(9):
        left = sets[column]
        while left:
            digit = lowest_bit(left)
            left &= left - 1
            row = filling >> 2 * digit & 3
            turn = filling >> 18 + digit & 1
            if column >= 6:
                row += 2 - turn
            elif column >= 3:
                row += 1 + turn
            cells[9 * _ORDERS[order, row % 3] + column] = digit
