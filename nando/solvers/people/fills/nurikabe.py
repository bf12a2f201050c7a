"""The order in which a Nurikabe is coloured as a chain of choices among open cells.

This module provides :class:`nando.solvers.people.fills.choices.Choices`. A person is assumed to see
what the local rules give (see :mod:`nando.solvers.nurikabe.local`). Cells that take longer are
ordered by their position in the walk of the logic solver.
"""

from enum import IntEnum, auto
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.kernels.compile import kernel, lean_kernel
from nando.puzzles import Values
from nando.puzzles.nurikabe import BLACK, Nurikabe
from nando.solvers.logic.nurikabe.board_walk import walk_places
from nando.solvers.nurikabe import state as nurikabe
from nando.solvers.nurikabe.local import LocalRules, find_local, local_rules
from nando.solvers.people.fills import choices

__all__ = ["FEATURES", "at_hand", "replay", "sample", "supported"]


class Feature(IntEnum):
    """The features, in the order of the columns; shares and places are from 0 to 1."""

    # Whether a local rule gives the cell its colour now, and whether it did before the last fill.
    DEMANDED = 0
    DEMANDED_BLACK = auto()
    NEWLY_DEMANDED = auto()
    DEMANDED_NEAR = auto()
    # What can be found, and where.
    BLACK = auto()
    BESIDE_NUMBER = auto()
    BORDER = auto()
    COLOURED_BESIDE = auto()
    SCAN_RANK = auto()
    # What was filled before.
    LOG_DISTANCE = auto()
    LOG_DISTANCE_2 = auto()
    BESIDE_LAST = auto()
    SAME_COLOUR = auto()
    # The walk of the logic solver: when it colours the cell, and the rating of that step.
    LOGIC_PLACE = auto()
    LOGIC_RANK = auto()
    LOGIC_RATING = auto()


FEATURES = tuple(feature.name.lower() for feature in Feature)


class Board(NamedTuple):
    """The state of a game."""

    width: int
    """Columns of the puzzle."""
    state: nurikabe.NurikabeState
    local: LocalRules
    cells: NDArray[np.int32]
    """Place of each cell of the puzzle on the walled board."""
    solution: NDArray[np.int8]
    fixed: NDArray[np.float32]
    """Features of each cell that never change, shape (n_cells, 4): next to a number, at the border,
    and its place and rating in the logic walk."""
    before: NDArray[np.int8]
    """Colour demanded before the last fill at each place of the walled board."""
    last: NDArray[np.int64]
    """The last fill and the one before; -1 for none."""


def new_board(puzzle: Nurikabe, solution: Values) -> Board:
    """Return the game before the first fill."""
    return board_of_walk(puzzle, solution, *walk_places(puzzle))


def board_of_walk(
    puzzle: Nurikabe, solution: Values, places: NDArray[Any], ratings: NDArray[Any]
) -> Board:
    """Return the game before the first fill, given what `walk_places` returns."""
    n_rows_, width = puzzle.shape
    state = nurikabe.new_state(puzzle)
    row, column = np.divmod(np.arange(puzzle.n_cells), width)
    grid = np.pad(puzzle.numbers.reshape(puzzle.shape) != 0, 1)
    next_to_number = grid[:-2, 1:-1] | grid[2:, 1:-1] | grid[1:-1, :-2] | grid[1:-1, 2:]
    border = (row == 0) | (column == 0) | (row == n_rows_ - 1) | (column == width - 1)
    fixed = np.stack([next_to_number.ravel(), border, places, ratings / 10.0], axis=1).astype(
        np.float32
    )
    return Board(
        width,
        state,
        local_rules(puzzle, state),
        nurikabe.walled_cells(puzzle.shape),
        # A copy: numba compiles read-only arrays separately.
        np.array(solution, np.int8),
        fixed,
        np.zeros(state.colour.size, np.int8),
        np.full(2, -1, np.int64),
    )


def replay(
    puzzle: Nurikabe,
    solution: Values,
    cells: NDArray[np.int16],
    table: NDArray[np.float32] | None = None,
) -> choices.Replay:
    """Describe every open cell before every fill."""
    result = choices.new_replay(puzzle, len(cells), len(FEATURES), table)
    known = np.zeros(puzzle.n_cells, np.bool_)
    _replay(new_board(puzzle, solution), cells, known, *result)
    return result


def replay_of_colour(
    puzzle: Nurikabe, solution: Values, cells: NDArray[np.int16]
) -> choices.Replay:
    """Describe the open cells of the filled cell's colour before every fill.

    Some people enter only the river, some both colours, and most something in between. This replay
    leaves that choice out: it describes which cell was filled among those of its colour. If hardly
    a cell of a colour is entered, its cells count as known as soon as a local rule gives them.

    Parameters
    ----------
    puzzle : Nurikabe
    solution : ndarray of int8, shape (n_cells,)
    cells : ndarray of int16, shape (n_moves,)
        At least one.

    Returns
    -------
    Replay
    """
    blank = puzzle.givens == 0
    entered = np.zeros(puzzle.n_cells, np.bool_)
    entered[cells] = True
    black = np.asarray(solution) == BLACK
    colours = [blank & black, blank & ~black]
    shares = [entered[colour].sum() / max(1, colour.sum()) for colour in colours]
    rarer = int(np.argmin(shares))
    known = colours[rarer] & ~entered & (shares[rarer] < _HARDLY * max(shares))
    result = choices.new_replay(puzzle, len(cells), len(FEATURES), None)
    _replay(new_board(puzzle, solution), cells, known, *result)
    n_rows_ = result.starts[-1]
    table, rows = result.table[:n_rows_], result.cells[:n_rows_]
    kept = black[rows] == np.repeat(black[cells], np.diff(result.starts))
    counts = np.add.reduceat(kept, result.starts[:-1], dtype=np.int64)
    return choices.Replay(
        table[kept],
        np.concatenate([[0], np.cumsum(counts)]),
        (np.cumsum(kept) - 1)[result.chosen],
        rows[kept],
    )


_HARDLY = 0.25
"""Ratio of the shares of the cells entered of both colours, below which the player is assumed to
keep the rarer colour in mind."""


def at_hand(table: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Return True for rows whose cell a local rule colours."""
    return np.asarray(table[:, Feature.DEMANDED] > 0)


def supported(table: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Return the rows at hand, since the model has no other technique."""
    return at_hand(table)


def sample(
    puzzle: Nurikabe,
    solution: Values,
    coefficients: NDArray[np.float64],
    runs: int,
    rng: np.random.Generator,
    slips: tuple[float, float] = (0.0, 0.0),
) -> NDArray[np.int16]:
    """Draw games from a model."""
    cells = choices.new_sample(puzzle, runs)
    _sample(new_board(puzzle, solution), coefficients, slips, rng, cells)
    return cells


@lean_kernel
def describe_all(board, table, open_cells):
    """Write the features of each open cell and, into `open_cells`, its number; return how many."""
    local = board.local
    colour = board.state.colour
    find_local(board.state, local)
    n_open = 0
    for cell in range(board.cells.size):
        if colour[board.cells[cell]] == nurikabe.OPEN:
            open_cells[n_open] = cell
            n_open += 1
    last = board.last[0]
    for i in range(n_open):
        cell = open_cells[i]
        place = board.cells[cell]
        demanded = local.demanded[place] != nurikabe.OPEN
        distance = _distance(board, last, cell)
        table[i, Feature.DEMANDED.value] = demanded
        table[i, Feature.DEMANDED_BLACK.value] = demanded and board.solution[cell] == BLACK
        table[i, Feature.NEWLY_DEMANDED.value] = (
            demanded and last >= 0 and board.before[place] == nurikabe.OPEN
        )
        table[i, Feature.BLACK.value] = board.solution[cell] == BLACK
        table[i, Feature.LOG_DISTANCE.value] = np.log1p(distance)
        table[i, Feature.BESIDE_LAST.value] = distance == 1
        table[i, Feature.LOG_DISTANCE_2.value] = np.log1p(_distance(board, board.last[1], cell))
        table[i, Feature.DEMANDED_NEAR.value] = demanded and 0 < distance <= 2
        table[i, Feature.SAME_COLOUR.value] = (
            last >= 0 and board.solution[cell] == board.solution[last]
        )
        n_coloured = 0
        for step in (-board.state.width, -1, 1, board.state.width):
            neighbour = colour[place + step]
            n_coloured += neighbour == 1 or neighbour == 2
        table[i, Feature.COLOURED_BESIDE.value] = n_coloured / 4
        table[i, Feature.BESIDE_NUMBER.value] = board.fixed[cell, 0]
        table[i, Feature.BORDER.value] = board.fixed[cell, 1]
        table[i, Feature.LOGIC_PLACE.value] = board.fixed[cell, 2]
        n_before = 0
        for j in range(n_open):
            n_before += board.fixed[open_cells[j], 2] < board.fixed[cell, 2]
        table[i, Feature.LOGIC_RANK.value] = n_before / n_open
        table[i, Feature.LOGIC_RATING.value] = board.fixed[cell, 3]
        table[i, Feature.SCAN_RANK.value] = i / n_open
    return n_open


@lean_kernel
def _distance(board, first, second):
    """Return the Manhattan distance of two cells; 0 if the first one is -1."""
    if first < 0:
        return 0
    width = board.width
    return abs(first // width - second // width) + abs(first % width - second % width)


@lean_kernel
def _fill(board, cell):
    """Colour a cell as in the solution."""
    for i in range(board.before.size):
        board.before[i] = board.local.demanded[i]
    nurikabe.colour_cell(board.state, board.cells[cell], board.solution[cell])
    board.last[1] = board.last[0]
    board.last[0] = cell


@lean_kernel
def _colour_known(board, known):
    """Colour the known cells that local rules give, until there are none left."""
    again = known.any()
    while again:
        again = False
        find_local(board.state, board.local)
        for cell in range(known.size):
            place = board.cells[cell]
            is_open = known[cell] and board.state.colour[place] == nurikabe.OPEN
            if is_open and board.local.demanded[place] == board.solution[cell]:
                nurikabe.colour_cell(board.state, place, board.solution[cell])
                again = True


@lean_kernel
def _replay(board, cells, known, table, starts, chosen, open_cells):
    row = 0
    for k in range(cells.shape[0]):
        _colour_known(board, known)
        n_open = describe_all(board, table[row:], open_cells[row:])
        chosen[k] = choices.row_of(open_cells, row, n_open, cells[k])
        row += n_open
        starts[k + 1] = row
        _fill(board, int(cells[k]))


@kernel
def _sample(board, coefficients, slips, rng, cells):
    workspace = choices.new_draws(board.cells.size, coefficients.shape[0])
    table, open_cells, at_hand, _ = workspace
    n_given = board.cells.size - cells.shape[1]
    for run in range(cells.shape[0]):
        nurikabe.take_back(board.state, n_given)
        board.last[:] = -1
        for k in range(cells.shape[1]):
            n_open = describe_all(board, table, open_cells)
            for i in range(n_open):
                at_hand[i] = table[i, Feature.DEMANDED.value] > 0
            cell = choices.draw(workspace, n_open, coefficients, slips, rng)
            cells[run, k] = cell
            _fill(board, cell)
