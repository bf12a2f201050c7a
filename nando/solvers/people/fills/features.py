"""The features that make an open cell of a Sudoku likely to be filled next.

Each open cell has one row of numbers before each fill. A choice model gives the cell the utility
`row @ coefficients`. The chance that it is filled next is proportional to its rate, the exponential
of the utility. This is the search-time race with rates that depend on everything that a person
sees.
"""

from enum import IntEnum, auto
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.kernels.compile import inlined_kernel, kernel, lean_kernel, n_bits
from nando.solvers.people.fills import moments


class Feature(IntEnum):
    """The features, in the order of the columns."""

    # How the digit can be seen.
    BOX_SINGLE = 0
    ROW_SINGLE = auto()
    COLUMN_SINGLE = auto()
    NAKED_SINGLE = auto()
    LAST_IN_HOUSE = auto()
    FURTHER_WAYS = auto()
    LOCKED_SINGLE = auto()
    SUBSET_SINGLE = auto()
    TWO_CANDIDATES = auto()
    LOG_CANDIDATES = auto()
    REFUTABLE = auto()
    LOG_REFUTATION = auto()
    LOG_HIDDEN_EMPTIES = auto()
    LOG_NAKED_EMPTIES = auto()
    DIGIT_PLACED = auto()
    LAST_OF_DIGIT = auto()
    DIGIT_SINGLES = auto()
    # Where the cell is.
    ROW = auto()
    COLUMN = auto()
    DIGIT = auto()
    # What was filled before; LOCKED_ stands for any cell that only further techniques fill.
    SAME_DIGIT = auto()
    SAME_ROW = auto()
    SAME_COLUMN = auto()
    SAME_BOX = auto()
    DISTANCE = auto()
    NEXT_DIGIT = auto()
    DIGITS_AHEAD = auto()
    DIGITS_SKIPPED = auto()
    DISTANCE_SAME_DIGIT = auto()
    NAKED_SAME_DIGIT = auto()
    NAKED_SAME_HOUSE = auto()
    LOCKED_SAME_DIGIT = auto()
    LOCKED_SAME_HOUSE = auto()
    LOCKED_DIGITS_AHEAD = auto()
    NEXT_IN_SCAN = auto()
    AHEAD_IN_SCAN = auto()
    ROWS_AHEAD = auto()
    COLUMNS_AHEAD = auto()
    BOXES_AHEAD = auto()
    # Number of singles that a round through the grid, from the last fill on, meets before this one.
    SKIPPED_BY_ROWS = auto()
    SKIPPED_BY_COLUMNS = auto()
    SKIPPED_BY_BOXES = auto()
    SKIPPED_BY_DIGITS = auto()
    DIGIT_BEFORE = auto()
    HOUSE_BEFORE = auto()
    FRESH = auto()
    FRESH_DIGIT = auto()
    FRESH_HOUSE = auto()
    LOG_AGE = auto()
    LOG_OVERLOOKED = auto()
    LOG_DIGIT_REST = auto()
    # Features late in the game: multiplied by the share of the blanks that are filled.
    LATE_BOX_SINGLE = auto()
    LATE_LINE_SINGLE = auto()
    LATE_NAKED_SINGLE = auto()
    LATE_DIGIT = auto()
    LATE_SAME_DIGIT = auto()
    LATE_SAME_HOUSE = auto()
    LATE_DISTANCE = auto()
    LATE_DIGITS_AHEAD = auto()
    LATE_LOG_AGE = auto()
    LATE_FRESH = auto()
    LATE_DIGITS_SKIPPED = auto()
    # Features over the last fills: multiplied by a ramp, 0 until `_LAST_FILLS` blanks are left.
    END_DISTANCE = auto()
    END_SAME_DIGIT = auto()
    END_SAME_HOUSE = auto()
    END_NAKED = auto()
    # Features among many singles: multiplied by the logarithm of their number plus 1.
    CROWDED_SINGLE = auto()
    CROWDED_NAKED = auto()
    CROWDED_LOCKED = auto()
    CROWDED_SAME_DIGIT = auto()


FEATURES = tuple(feature.name.lower() for feature in Feature)
"""Names of the columns."""

_MOST_DIGIT_SINGLES = 3
_MOST_SKIPPED = 6
_LAST_FILLS = 15.0
_NEVER = 0.5
"""Added to the logarithm for a digit that has not been filled yet."""


@lean_kernel
def describe_all(moment, layout, solution, table, cells):
    """Write the features of each open cell and, into `cells`, its number; return how many."""
    n_open = 0
    for cell in range(layout.n_cells):
        if moment.values[cell] == 0:
            row = table[n_open]
            row[:] = 0.0
            digit = int(solution[cell]) - 1
            _describe_cell(moment, layout, cell, digit, row)
            cells[n_open] = cell
            n_open += 1
    describe_rounds(moment, layout.house_of, solution, table, cells, n_open)
    return n_open


@inlined_kernel
def _describe_cell(moment, layout, cell, digit, row):
    """Describe a cell of a Sudoku by its three houses."""
    size, houses = layout.size, layout.house_of
    ways = int(moment.ways[cell])
    hidden_empties = size
    naked_empties = size
    last_in_house = False
    for kind in range(3):
        empties = int(moment.empties[houses[cell, kind]])
        naked_empties = min(naked_empties, empties)
        if ways >> kind & 1:
            hidden_empties = min(hidden_empties, empties)
        last_in_house |= empties == 1
    plan = Plan(size, size, houses, (size, size, size))
    seen = Seen(hidden_empties, naked_empties, last_in_house)
    describe_sight(moment, plan, seen, cell, digit, row)
    last, before = int(moment.history[moments.LAST]), int(moment.history[moments.BEFORE])
    if last >= 0:
        in_row = houses[last, 0] == houses[cell, 0]
        in_column = houses[last, 1] == houses[cell, 1]
        in_box = houses[last, 2] == houses[cell, 2]
        followed = False
        for kind in range(3):
            followed |= before >= 0 and houses[before, kind] == houses[cell, kind]
        joined = Joined(in_row, in_column, in_box, in_row or in_column or in_box, followed)
        describe_sequel(moment, plan, joined, cell, digit, row)


class Plan(NamedTuple):
    """The geometry of a board for kernels that describe cells.

    Attributes
    ----------
    size : int
        Number of digits.
    per_digit : int
        Number of cells with each digit.
    houses : ndarray of int, shape (n_cells, 3)
        Numbers of the row, which count from 0, the column and the box of each cell.
    turns : tuple of int
        Numbers of rows, columns and boxes.
    """

    size: int
    per_digit: int
    houses: NDArray[np.integer]
    turns: tuple[int, int, int]


class Seen(NamedTuple):
    """How full the houses of a cell are.

    Attributes
    ----------
    hidden_empties : int
        Fewest open cells of a house in which the cell is a hidden single.
    naked_empties : int
        Fewest open cells of a house of the cell.
    last_in_house : bool
    """

    hidden_empties: int
    naked_empties: int
    last_in_house: bool


class Joined(NamedTuple):
    """Kinds of house that a cell shares with the last fill, and any with the fill before it."""

    row: bool
    column: bool
    box: bool
    house: bool
    before: bool


@inlined_kernel
def describe_sight(moment, plan, seen, cell, digit, row):
    """Write the features of how and where the digit can be seen, on a Sudoku or a variant."""
    size = plan.size
    phase = moment.history[moments.N_FILLED] / max(int(moment.history[moments.N_BLANKS]), 1)
    crowd = np.log(1.0 + moment.history[moments.N_SINGLES])
    ways = int(moment.ways[cell])
    support = int(moment.support[cell])
    in_row = ways & 1
    in_column = ways >> 1 & 1
    in_box = ways >> 2 & 1
    naked = ways >> 3 & 1

    row[Feature.BOX_SINGLE.value] = in_box
    row[Feature.ROW_SINGLE.value] = in_row
    row[Feature.COLUMN_SINGLE.value] = in_column
    row[Feature.NAKED_SINGLE.value] = naked
    row[Feature.LAST_IN_HOUSE.value] = seen.last_in_house
    row[Feature.FURTHER_WAYS.value] = max(n_bits(ways) - 1, 0)
    row[Feature.LOCKED_SINGLE.value] = support == moments.LOCKED
    row[Feature.SUBSET_SINGLE.value] = support == moments.SUBSET
    n_candidates = n_bits(int(moment.candidates[cell]))
    row[Feature.TWO_CANDIDATES.value] = support == moments.UNSUPPORTED and n_candidates == 2
    row[Feature.LOG_CANDIDATES.value] = np.log(max(n_candidates, 1))
    if moment.history[moments.N_SINGLES] == 0 and moment.refutation[cell]:
        row[Feature.REFUTABLE.value] = 1.0
        row[Feature.LOG_REFUTATION.value] = np.log(moment.refutation[cell])
    if ways & ~moments.NAKED:
        row[Feature.LOG_HIDDEN_EMPTIES.value] = np.log(seen.hidden_empties)
    elif ways:
        row[Feature.LOG_NAKED_EMPTIES.value] = np.log(seen.naked_empties)
    row[Feature.DIGIT_PLACED.value] = moment.digit_placed[digit] / plan.per_digit
    row[Feature.LAST_OF_DIGIT.value] = moment.digit_placed[digit] == plan.per_digit - 1
    others = int(moment.digit_singles[digit]) - (ways > 0)
    row[Feature.DIGIT_SINGLES.value] = min(others, _MOST_DIGIT_SINGLES)
    row[Feature.ROW.value] = plan.houses[cell, 0] / size
    row[Feature.COLUMN.value] = (plan.houses[cell, 1] - plan.houses[0, 1]) / size
    row[Feature.DIGIT.value] = digit / size
    row[Feature.LATE_BOX_SINGLE.value] = phase * in_box
    row[Feature.LATE_LINE_SINGLE.value] = phase * (in_row | in_column)
    row[Feature.LATE_NAKED_SINGLE.value] = phase * naked
    row[Feature.LATE_DIGIT.value] = phase * digit / size
    row[Feature.CROWDED_SINGLE.value] = crowd * (ways > 0)
    row[Feature.CROWDED_NAKED.value] = crowd * (ways == moments.NAKED)
    row[Feature.CROWDED_LOCKED.value] = crowd * (support == moments.LOCKED)
    n_filled = int(moment.history[moments.N_FILLED])
    if ways:
        age = np.log(1.0 + n_filled - moment.seen_since[cell])
        row[Feature.LOG_AGE.value] = age
        row[Feature.LATE_LOG_AGE.value] = phase * age
        since = int(moment.digit_placed[digit]) - int(moment.placed_when_seen[cell])
        row[Feature.LOG_OVERLOOKED.value] = np.log(1.0 + since)
    if moment.digit_filled[digit] >= 0:
        row[Feature.LOG_DIGIT_REST.value] = np.log(n_filled - moment.digit_filled[digit])
    else:
        row[Feature.LOG_DIGIT_REST.value] = np.log(1.0 + n_filled) + _NEVER


@inlined_kernel
def describe_sequel(moment, plan, joined, cell, digit, row):
    """Write the features of how the cell relates to the last fill, on a Sudoku or a variant."""
    size, houses = plan.size, plan.houses
    n_filled = int(moment.history[moments.N_FILLED])
    phase = n_filled / max(int(moment.history[moments.N_BLANKS]), 1)
    ways = int(moment.ways[cell])
    last = int(moment.history[moments.LAST])
    same_digit = moment.values[last] - 1 == digit
    same_house = joined.house
    fresh = ways > 0 and int(moment.seen_since[cell]) == n_filled
    down = houses[cell, 0] - houses[last, 0]
    across = houses[cell, 1] - houses[last, 1]
    distance = np.sqrt(float(down * down + across * across)) / size
    ahead = (digit + 1 - int(moment.values[last])) % size

    skipped = 0
    for step in range(1, ahead):
        skipped += moment.digit_singles[(moment.values[last] - 1 + step) % size] > 0
    unseen = ways == 0 and moment.support[cell] != moments.UNSUPPORTED
    end = max(0.0, 1.0 - (moment.history[moments.N_BLANKS] - n_filled) / _LAST_FILLS)
    row[Feature.DIGITS_SKIPPED.value] = skipped
    row[Feature.DISTANCE_SAME_DIGIT.value] = distance * same_digit
    row[Feature.NAKED_SAME_DIGIT.value] = ways == moments.NAKED and same_digit
    row[Feature.NAKED_SAME_HOUSE.value] = ways == moments.NAKED and same_house
    row[Feature.LOCKED_SAME_DIGIT.value] = unseen and same_digit
    row[Feature.LOCKED_SAME_HOUSE.value] = unseen and same_house
    row[Feature.LOCKED_DIGITS_AHEAD.value] = unseen * ahead / size
    row[Feature.LATE_FRESH.value] = phase * fresh
    row[Feature.LATE_DIGITS_SKIPPED.value] = phase * skipped
    row[Feature.END_DISTANCE.value] = end * distance
    row[Feature.END_SAME_DIGIT.value] = end * same_digit
    row[Feature.END_SAME_HOUSE.value] = end * same_house
    row[Feature.END_NAKED.value] = end * (ways == moments.NAKED)
    row[Feature.SAME_DIGIT.value] = same_digit
    row[Feature.SAME_ROW.value] = joined.row
    row[Feature.SAME_COLUMN.value] = joined.column
    row[Feature.SAME_BOX.value] = joined.box
    row[Feature.DISTANCE.value] = distance
    row[Feature.NEXT_DIGIT.value] = ahead == 1
    row[Feature.DIGITS_AHEAD.value] = ahead / size
    row[Feature.NEXT_IN_SCAN.value] = _is_next(moment, last, cell)
    row[Feature.AHEAD_IN_SCAN.value] = cell > last
    for kind in range(3):
        turn = plan.turns[kind]
        ahead_of_last = (houses[cell, kind] - houses[last, kind]) % turn / turn
        row[Feature.ROWS_AHEAD.value + kind] = ahead_of_last
    row[Feature.FRESH.value] = fresh
    row[Feature.FRESH_DIGIT.value] = fresh and same_digit
    row[Feature.FRESH_HOUSE.value] = fresh and same_house
    row[Feature.LATE_SAME_DIGIT.value] = phase * same_digit
    row[Feature.LATE_SAME_HOUSE.value] = phase * same_house
    row[Feature.LATE_DISTANCE.value] = phase * distance
    row[Feature.LATE_DIGITS_AHEAD.value] = phase * ahead / size
    crowd = np.log(1.0 + moment.history[moments.N_SINGLES])
    row[Feature.CROWDED_SAME_DIGIT.value] = crowd * same_digit
    before = int(moment.history[moments.BEFORE])
    if before >= 0:
        row[Feature.DIGIT_BEFORE.value] = moment.values[before] - 1 == digit
        row[Feature.HOUSE_BEFORE.value] = joined.before


@inlined_kernel
def _is_next(moment, last, cell):
    """Return True if `cell` is the first open cell after `last`, row by row."""
    for other in range(last + 1, moment.values.size):
        if moment.values[other] == 0:
            return other == cell
    return False


@kernel
def describe_rounds(moment, houses, solution, table, cells, n_open):
    """Write how many singles each kind of round through the grid meets before each single."""
    last = max(int(moment.history[moments.LAST]), 0)
    first = moment.history[moments.LAST] < 0
    n_cells = houses.shape[0]
    singles = np.empty(n_open, np.int64)
    n_singles = 0
    for i in range(n_open):
        if moment.ways[cells[i]]:
            singles[n_singles] = i
            n_singles += 1
    steps = np.empty((n_singles, 4), np.int64)
    for i in range(n_singles):
        cell = int(cells[singles[i]])
        for kind in range(4):
            start = -1 if first else _place_in_round(houses, solution, last, kind)
            place = _place_in_round(houses, solution, cell, kind)
            steps[i, kind] = (place - start - 1) % (n_cells * n_cells)
    for i in range(n_singles):
        for kind in range(4):
            skipped = 0
            for j in range(n_singles):
                skipped += steps[j, kind] < steps[i, kind]
            table[singles[i], Feature.SKIPPED_BY_ROWS.value + kind] = min(skipped, _MOST_SKIPPED)


@inlined_kernel
def _place_in_round(houses, solution, cell, kind):
    """Return the position of a cell in a round by rows (0), columns (1), boxes (2), digits (3)."""
    n_cells = houses.shape[0]
    if kind == 3:
        return (int(solution[cell]) - 1) * n_cells + cell
    if kind == 1:
        return int(houses[cell, 1]) * n_cells + houses[cell, 0]
    return int(houses[cell, kind]) * n_cells + cell
