"""Annealing moves on Sudoku and Nurikabe.

On Sudoku each box is filled with a permutation, and a move swaps two cells of a box that are not
given; the cost counts the symbols that rows and columns lack. On Nurikabe a move swaps the colours
of a white cell and a black one.

Source: Lewis 2007; Krivanek 2011, chapter 4 for Nurikabe.
"""

import math
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.kernels.compile import inlined_kernel, kernel, lean_kernel
from nando.puzzles import Sudoku
from nando.puzzles.nurikabe import BLACK, WHITE, Nurikabe
from nando.solvers.nurikabe.cost import ColourBoard, cost_of, new_board
from nando.solvers.search.annealing import COST, N_MOVES, Board

_STEPS_OF_ORDER = {3: 3_000_000, 4: 60_000_000, 5: 675_000_000}
"""Lewis's CPU limits of 2, 40 and 450 s at the rate of moves that fits his table best."""


def _tries_of(propose: Any, settle: Any) -> Any:
    """Return the kernel of the moves on boards of one kind.

    Parameters
    ----------
    propose : kernel
        Takes a state and a generator; returns the numbers of two cells, and the change of the cost.
    settle : kernel
        Takes a state, the two numbers, and whether the move is accepted; returns the two places.
    """

    @kernel
    def try_moves(state, rng, temperature, schedule, moves, costs):
        """Try `moves` moves; return True if one lowered the cost, and the temperature at the end.

        `schedule` and `costs` are as for :data:`nando.solvers.search.annealing.Move`.
        """
        factor, lowest, on_accepted = schedule
        counts = state.counts
        improved = False
        for move in range(moves):
            first, second, delta = propose(state, rng)
            counts[N_MOVES] += 1
            accepted = delta <= 0 or rng.random() < math.exp(-delta / temperature)
            places = settle(state, first, second, accepted)
            if accepted:
                counts[COST] += delta
                improved |= delta < 0
                for place in places:
                    state.last_swap[place] = counts[N_MOVES]
                    state.cost_then[place] = counts[COST]
            if move < costs.shape[0]:
                costs[move] = counts[COST]
            if accepted or not on_accepted:
                temperature *= factor
            if counts[COST] == 0 or temperature <= lowest:
                break
        return improved, temperature

    return try_moves


def filled_board(puzzle: Sudoku, pick: str, rng: np.random.Generator) -> Board:
    """Return a Sudoku whose boxes are filled."""
    state = _filled_boxes(puzzle, pick == "box", rng)
    return Board(
        move=partial(_swap_often, state, rng),
        values=state.values,
        last_swap=state.last_swap,
        cost_then=state.cost_then,
        counts=state.counts,
        places=np.arange(len(state.values)),
        n_movable=len(state.movable),
        n_free=int(np.count_nonzero(puzzle.givens == 0)),
        most_steps=_STEPS_OF_ORDER[puzzle.order],
    )


class _Boxes(NamedTuple):
    """Boxes filled with permutations, and how often each line has each symbol."""

    values: NDArray[np.int8]
    row_of: NDArray[np.int16]
    column_of: NDArray[np.int16]
    movable: NDArray[np.int16]
    """Free cells of boxes with two or more."""
    place: NDArray[np.int16]
    """Index of each free cell in the row of its box in ``mates``."""
    mates: NDArray[np.int16]
    """Free cells of each box, shape (size, size): the first ``n_mates`` entries of its row."""
    n_mates: NDArray[np.int16]
    in_row: NDArray[np.int16]
    """Number of times each row has each symbol, shape (size, size)."""
    in_column: NDArray[np.int16]
    """Number of times each column has each symbol, shape (size, size)."""
    box_of: NDArray[np.int16]
    """Row of ``mates`` of each cell; boxes that can move come first."""
    last_swap: NDArray[np.int64]
    cost_then: NDArray[np.int64]
    counts: NDArray[np.int64]
    """Cost; moves so far; boxes that can move."""
    by_box: bool
    """Whether a move draws the box first."""


def _filled_boxes(puzzle: Sudoku, by_box: bool, rng: np.random.Generator) -> _Boxes:
    """Fill the free cells of every box with its missing symbols in random order."""
    layout = puzzle.layout
    size = layout.size
    values = puzzle.givens.copy()
    mates = np.zeros((size, size), np.int16)
    place = np.zeros(layout.n_cells, np.int16)
    n_mates = np.zeros(size, np.int16)
    for number, box in enumerate(layout.houses[2 * size :]):
        empty = box[values[box] == 0]
        missing = np.setdiff1d(np.arange(1, size + 1), values[box])
        # Givens that conflict inside the box leave too many symbols; the cost then stays up.
        values[empty] = rng.permutation(missing)[: len(empty)]
        mates[number, : len(empty)] = empty
        place[empty] = np.arange(len(empty))
        n_mates[number] = len(empty)
    box_of = (layout.house_of[:, 2] - 2 * size).astype(np.int16)
    free = puzzle.givens == 0
    in_row = np.zeros((size, size), np.int16)
    in_column = np.zeros((size, size), np.int16)
    cells = np.arange(layout.n_cells)
    np.add.at(in_row, (cells // size, values - 1), 1)
    np.add.at(in_column, (cells % size, values - 1), 1)
    cost = int((in_row == 0).sum() + (in_column == 0).sum())
    # Boxes that can move come first, so that one of them can be drawn.
    order = np.argsort(n_mates < 2, kind="stable")
    can_move = int((n_mates >= 2).sum())
    rank = np.argsort(order)
    return _Boxes(
        values,
        (cells // size).astype(np.int16),
        (cells % size).astype(np.int16),
        np.flatnonzero(free & (n_mates[box_of] >= 2)).astype(np.int16),
        place,
        mates[order],
        n_mates[order],
        in_row,
        in_column,
        rank[box_of].astype(np.int16),
        np.zeros(layout.n_cells, np.int64),
        np.zeros(layout.n_cells, np.int64),
        np.array([cost, 0, can_move], np.int64),
        by_box,
    )


@inlined_kernel
def _propose_swap(state, rng):
    """Draw two cells of a box, and return them and the change of the cost."""
    first, second = _draw_pair(state, rng)
    return first, second, _change_of_cost(state, first, second)


@inlined_kernel
def _settle_swap(state, first, second, accepted):
    """Swap two cells if the move is accepted; return them."""
    if accepted:
        _swap(state, first, second)
    return first, second


_swap_often = _tries_of(_propose_swap, _settle_swap)


@inlined_kernel
def _draw_pair(state, rng):
    """Return two free cells of a box: draw the box first, or the first of the cells."""
    if state.by_box:
        box = int(rng.random() * state.counts[2])
        n = int(state.n_mates[box])
        i = int(rng.random() * n)
    else:
        cell = int(state.movable[int(rng.random() * state.movable.shape[0])])
        box = int(state.box_of[cell])
        n = int(state.n_mates[box])
        i = int(state.place[cell])
    j = int(rng.random() * (n - 1))
    if j >= i:
        j += 1
    return int(state.mates[box, i]), int(state.mates[box, j])


@inlined_kernel
def _change_of_cost(state, first, second):
    """Return the change of the cost if two cells swap their symbols."""
    a, b = int(state.values[first]) - 1, int(state.values[second]) - 1
    in_row, in_column = state.in_row, state.in_column
    row_a, row_b = int(state.row_of[first]), int(state.row_of[second])
    column_a, column_b = int(state.column_of[first]), int(state.column_of[second])
    delta = 0
    if row_a != row_b:
        delta += _change(in_row[row_a, a], in_row[row_a, b])
        delta += _change(in_row[row_b, b], in_row[row_b, a])
    if column_a != column_b:
        delta += _change(in_column[column_a, a], in_column[column_a, b])
        delta += _change(in_column[column_b, b], in_column[column_b, a])
    return delta


@inlined_kernel
def _swap(state, first, second):
    """Swap the symbols of two cells, and update the counts of their lines."""
    a, b = int(state.values[first]) - 1, int(state.values[second]) - 1
    in_row, in_column = state.in_row, state.in_column
    row_a, row_b = int(state.row_of[first]), int(state.row_of[second])
    column_a, column_b = int(state.column_of[first]), int(state.column_of[second])
    state.values[first] = b + 1
    state.values[second] = a + 1
    in_row[row_a, a] -= 1
    in_row[row_a, b] += 1
    in_row[row_b, b] -= 1
    in_row[row_b, a] += 1
    in_column[column_a, a] -= 1
    in_column[column_a, b] += 1
    in_column[column_b, b] -= 1
    in_column[column_b, a] += 1


@inlined_kernel
def _change(lost, gained):
    """Return the change of the number of symbols that a line lacks after a swap.

    `lost` and `gained` are how often the line had the symbol that it loses, and that it gains.
    """
    return int(lost == 1) - int(gained == 0)


# Annealing moves on Nurikabe: swap the colours of a white cell and a black one

_MOST_STEPS = 1_000_000


def coloured_board(puzzle: Nurikabe, pick: str, rng: np.random.Generator) -> Board:
    """Return a coloured Nurikabe; `pick` is not used, since there is one way to pick cells."""
    del pick
    state = drawn_colouring(puzzle, rng)
    n_free = len(state.free)
    return Board(
        move=partial(swap_colours, state, rng),
        values=state.board.colour,
        last_swap=state.last_swap,
        cost_then=state.cost_then,
        counts=state.counts,
        places=state.board.cells,
        n_movable=0 if state.n_white in (0, n_free) else n_free,
        n_free=n_free,
        most_steps=_MOST_STEPS,
    )


class Colouring(NamedTuple):
    """A coloured board and the cells that may change."""

    board: ColourBoard
    free: NDArray[np.int32]
    """Places without a number; if the number of white cells is known, the white ones come first."""
    n_white: int
    """Number of white places in `free`; -1 if it is unknown, and a move changes one cell."""
    last_swap: NDArray[np.int64]
    """The move that last changed each place."""
    cost_then: NDArray[np.int64]
    """The cost after that move."""
    counts: NDArray[np.int64]
    """Cost (`COST`); moves so far (`N_MOVES`)."""


def drawn_colouring(puzzle: Nurikabe, rng: np.random.Generator) -> Colouring:
    """Return a colouring with white numbers and as many random white cells as a solution has."""
    board = new_board(puzzle)
    blank = np.asarray(puzzle.numbers) == 0
    free = rng.permutation(board.cells[blank])
    board.colour[board.cells] = WHITE
    if puzzle.n_white is None:
        n_white = -1
        board.colour[free] = rng.integers(WHITE, BLACK + 1, len(free))
    else:
        # If the numbers cannot fit on the board, the cost never becomes 0.
        n_white = min(max(puzzle.n_white - puzzle.n_islands, 0), len(free))
        board.colour[free[n_white:]] = BLACK
    cost, stray = cost_of(board)
    counts = np.array([cost + stray * (n_white < 0), 0], np.int64)
    n_places = len(board.colour)
    return Colouring(
        board, free, n_white, np.zeros(n_places, np.int64), np.zeros(n_places, np.int64), counts
    )


@lean_kernel
def _propose_colours(state, rng):
    """Draw a move, make it, and return its cells, as indices of `free`, and the change of the cost.

    If the number of white cells is unknown, a move changes one cell, and each white cell outside
    all islands costs 1; otherwise a board could break the rules at cost 0.
    """
    colour, free, n_white = state.board.colour, state.free, state.n_white
    if n_white < 0:
        i = int(rng.random() * free.shape[0])
        j = i
        colour[free[i]] = WHITE + BLACK - colour[free[i]]
    else:
        i = int(rng.random() * n_white)
        j = n_white + int(rng.random() * (free.shape[0] - n_white))
        colour[free[i]] = BLACK
        colour[free[j]] = WHITE
    new, stray = cost_of(state.board)
    if n_white < 0:
        new += stray
    return i, j, new - state.counts[COST]


@lean_kernel
def _settle_colours(state, i, j, accepted):
    """Take a move back unless it is accepted; return the places of its cells."""
    colour, free = state.board.colour, state.free
    first, second = free[i], free[j]
    if accepted:
        free[i], free[j] = second, first
    elif state.n_white < 0:
        colour[first] = WHITE + BLACK - colour[first]
    else:
        colour[first] = WHITE
        colour[second] = BLACK
    return first, second


swap_colours = _tries_of(_propose_colours, _settle_colours)
