"""The rules of a 9x9 Sudoku on single words.

A word holds the candidates of one digit in one band of three rows: 27 bits, nine for each row. A
state has word ``4 * digit + band`` for each; every fourth word is 0. The rules:

- In each box of a band a digit is in another row, so its rows are a permutation of the boxes.
  Of the nine mini-rows (a row within a box), only those that belong to such a permutation remain.
  The same holds for the mini-columns of a stack of boxes. All locked candidates and hidden
  singles follow from these rules.
- A cell that is the last of its row for a digit loses all other digits, and a cell with one
  candidate takes it from its row. The other houses follow by the first rule.
- Three digits that alone can be in a mini-row are nowhere else (a naked triple).

These formulas take a word, or a vector of words: :mod:`nando.solvers.exact.lanes` applies them to
all digits and bands at once, :mod:`nando.solvers.exact.scalars` to one after the other.
"""

from nando.kernels.lanes import Vector, formula

BAND = 0x7FFFFFF
ROW = 0x1FF
ROWS = 0x40201  # times nine bits: the same in all three rows of a band
MINI_ROWS = 0o111111111  # the first cell of each
N_WORDS = 36

_FIRST_BOX, _LAST_BOX = 0o001001001, 0o100100100
_FIRST_COLUMN, _LAST_COLUMN = 0o111, 0o444
_LOW, _HIGH = 0xFF * ROWS, 0x100 * ROWS  # the lower eight bits of each row, and the highest


@formula
def boxes_on(minis: Vector, places: int) -> Vector:
    """Return the mini-rows, moved by one or two boxes within their row."""
    if places == 1:
        return minis << 3 & (BAND ^ _FIRST_BOX) | minis >> 6 & _FIRST_BOX
    return minis << 6 & _LAST_BOX | minis >> 3 & (BAND ^ _LAST_BOX)


@formula
def columns_on(columns: Vector, places: int) -> Vector:
    """Return the columns, moved by one or two within their box."""
    if places == 1:
        return columns << 1 & (ROW ^ _FIRST_COLUMN) | columns >> 2 & _FIRST_COLUMN
    return columns << 2 & _LAST_COLUMN | columns >> 1 & (ROW ^ _LAST_COLUMN)


@formula
def mini_rows_of(word: Vector) -> Vector:
    """Return the mini-rows with a candidate, each at its first cell."""
    return (word | word >> 1 | word >> 2) & MINI_ROWS


@formula
def columns_of(word: Vector) -> Vector:
    """Return the columns with a candidate as nine bits."""
    return (word | word >> 9 | word >> 18) & ROW


@formula
def in_row_permutations(word: Vector) -> Vector:
    """Return the cells in mini-rows that form a permutation with mini-rows of the other rows."""
    minis = mini_rows_of(word)
    up = minis >> 9 | minis << 18
    down = minis >> 18 | minis << 9
    others = boxes_on(up, 1) & boxes_on(down, 2) | boxes_on(up, 2) & boxes_on(down, 1)
    kept = minis & others
    return word & (kept | kept << 1 | kept << 2)


@formula
def in_column_permutations(word: Vector, up: Vector, down: Vector) -> Vector:
    """Return the cells in mini-columns that form a permutation with others of the next two bands.

    `up` and `down` are the columns of these bands.
    """
    others = columns_on(up, 1) & columns_on(down, 2) | columns_on(up, 2) & columns_on(down, 1)
    kept = columns_of(word) & others
    return word & (kept | kept << 9 | kept << 18)


@formula
def occupied(word: Vector) -> Vector:
    """Return the highest bit of each row that has a bit."""
    return ((word & _LOW) + _LOW | word) & _HIGH


@formula
def whole_rows(word: Vector) -> Vector:
    """Return all cells of the rows that have a bit."""
    rows = occupied(word)
    return (rows << 1) - (rows >> 8)


@formula
def where_naked(naked: Vector) -> Vector:
    """Return the cells that naked singles allow: themselves in their rows, and all other rows.

    A row with two naked singles allows no cell.
    """
    rows = occupied(naked)
    others = naked - (rows >> 8)
    return naked & ~others | ~((rows << 1) - (rows >> 8))


@formula
def lone(word: Vector) -> Vector:
    """Return the cells that are the only ones of their row; no row may be empty."""
    return word & ~whole_rows(word & word - ROWS)


@formula
def without_claimed(
    word: Vector, own: Vector, claimed: Vector, disputed: Vector, single: Vector
) -> Vector:
    """Return a digit's word without the cells that other digits claim or naked singles exclude.

    A digit claims its lone cells. `own` are those of this digit, `claimed` those of any digit and
    `disputed` those of several digits; `single` are the cells with one candidate.
    """
    return word & (~claimed | own & ~disputed) & where_naked(word & single)


@formula
def without_row_triples(word: Vector, own: Vector) -> Vector:
    """Return the word without mini-rows that share a row or box with one of `own`.

    `own` are its mini-rows that three digits fill.
    """
    gone = own >> 9 | own << 18 | own >> 18 | own << 9 | boxes_on(own, 1) | boxes_on(own, 2)
    gone = gone & MINI_ROWS
    return word & ~(gone | gone << 1 | gone << 2)


@formula
def without_column_triples(word: Vector, own: Vector, up: Vector, down: Vector) -> Vector:
    """Return the word without mini-columns that share a column or box with a filled one.

    `own`, `up` and `down` are the mini-columns that three digits fill in its band and in the next
    two.
    """
    gone = (up | down | columns_on(own, 1) | columns_on(own, 2)) & ROW
    return word & ~(gone | gone << 9 | gone << 18)


@formula
def beside_givens(word: Vector, given: Vector) -> Vector:
    """Return the candidates of a digit; `given` are the cells with any given."""
    return (~given | word) & (~whole_rows(word) | word) & BAND


@formula
def repeated(word: Vector) -> Vector:
    """Return the cells of a word but the first of each row."""
    return word & word - (occupied(word) >> 8)
