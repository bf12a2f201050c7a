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
all digits and bands at once. If its vectors cannot be compiled, the kernels below take one word
after the other; states and flags are the same to the last bit.
"""

import numpy as np

from nando.kernels.compile import kernel, lean_kernel
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


@kernel
def narrow_by_words(words):
    """Apply the rules but the last until nothing changes; return 1 at a contradiction, else 0."""
    after = np.empty(N_WORDS, np.int64)
    while True:
        _follow_permutations(words, after)
        wrong = False
        changed = False
        for band in range(3):
            some, several, claimed, disputed = 0, 0, 0, 0
            for digit in range(9):
                word = after[4 * digit + band]
                own = lone(word)
                several |= some & word
                some |= word
                disputed |= claimed & own
                claimed |= own
                wrong |= word == 0
            wrong |= some != BAND
            single = some & ~several
            for i in range(band, N_WORDS, 4):
                kept = without_claimed(after[i], lone(after[i]), claimed, disputed, single)
                changed |= kept != words[i]
                words[i] = kept
        if wrong or not changed:
            return int(wrong)


@lean_kernel
def _follow_permutations(words, after):
    """Keep the cells of each word that are in permutations of rows and boxes, then of columns."""
    for i in range(0, N_WORDS, 4):
        for band in range(3):
            after[i + band] = in_row_permutations(int(words[i + band]))
        first, second, third = (
            columns_of(after[i]),
            columns_of(after[i + 1]),
            columns_of(after[i + 2]),
        )
        after[i] = in_column_permutations(after[i], second, third)
        after[i + 1] = in_column_permutations(after[i + 1], third, first)
        after[i + 2] = in_column_permutations(after[i + 2], first, second)


@kernel
def narrow_triples_by_words(words, rows, columns):
    """Apply the last rule once; return 1 if that changes something, plus 2 at a contradiction.

    `rows` and `columns` receive the mini-rows and columns of each word before that.
    """
    wrong = False
    changed = False
    for i in range(N_WORDS):
        rows[i] = mini_rows_of(int(words[i]))
        columns[i] = columns_of(int(words[i]))
    full = np.empty(3, np.int64)
    for band in range(3):
        at_least, exactly = _of_three_digits(rows, band)
        wrong |= at_least != MINI_ROWS
        for i in range(band, N_WORDS, 4):
            word = int(words[i])
            words[i] = without_row_triples(word, int(rows[i]) & exactly)
            changed |= words[i] != word
        at_least, full[band] = _of_three_digits(columns, band)
        wrong |= at_least != ROW
    for i in range(0, N_WORDS, 4):
        for band in range(3):
            up, down = (band + 1) % 3, (band + 2) % 3
            word = int(words[i + band])
            words[i + band] = without_column_triples(
                word,
                int(columns[i + band]) & full[band],
                int(columns[i + up]) & full[up],
                int(columns[i + down]) & full[down],
            )
            changed |= words[i + band] != word
    return int(changed) + 2 * int(wrong)


@lean_kernel
def _of_three_digits(minis, band):
    """Return the mini-rows (columns) that at least, and that exactly, three digits have."""
    once, twice, thrice, more = 0, 0, 0, 0
    for i in range(band, N_WORDS, 4):
        mini = int(minis[i])
        more |= thrice & mini
        thrice |= twice & mini
        twice |= once & mini
        once |= mini
    return thrice, thrice & ~more


@lean_kernel
def open_givens_by_words(words, givens):
    """Write the words of the givens, shape (81,); return 1 if a row has two equal ones, else 0."""
    wrong = False
    for i in range(N_WORDS):
        words[i] = 0
    for band in range(3):
        given = 0
        for place in range(27):
            value = int(givens[27 * band + place])
            if value:
                words[4 * (value - 1) + band] |= 1 << place
                given |= 1 << place
        for i in range(band, N_WORDS, 4):
            own = int(words[i])
            wrong |= repeated(own) != 0
            words[i] = beside_givens(own, given)
    return int(wrong)
