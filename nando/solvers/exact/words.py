"""The rules of a 9x9 Sudoku on words: on one after the other, and on all at once in vectors.

A word holds the candidates of one digit in one band of three rows: 27 bits, nine for each row. A
state has word ``4 * digit + band`` for each; every fourth word is 0. The rules:

- In each box of a band a digit is in another row, so its rows are a permutation of the boxes.
  Of the nine mini-rows (a row within a box), only those that belong to such a permutation remain.
  The same holds for the mini-columns of a stack of boxes. All locked candidates and hidden
  singles follow from these rules.
- A cell that is the last of its row for a digit loses all other digits, and a cell with one
  candidate takes it from its row. The other houses follow by the first rule.
- Three digits that alone can be in a mini-row are nowhere else (a naked triple).

The formulas take a word, or a vector of words. The words of a state form three vectors: digits 0 to
3, 4 to 7, and 8. With them the search is 3.5 times as fast as word by word. If vectors cannot be
compiled, kernels take one word after the other; states and flags are the same to the last bit.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nando.kernels.compile import kernel, lean_kernel, vector_kernel
from nando.kernels.extensions import before_compiling
from nando.kernels.lanes import Flag, Memory, Vector, any_of, differ, formula

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


_WIDTHS = (16, 16, 4)

_LANE = np.arange(16)
_NEXT_BAND = np.where(_LANE % 4 < 3, _LANE // 4 * 4 + (_LANE % 4 + 1) % 3, _LANE)
_BAND_AFTER = _NEXT_BAND[_NEXT_BAND]
_EACH_DIGIT = _LANE % 4  # four words of the bands, for each of four digits
_UNUSED = (_LANE % 4 == 3).astype(np.int64)
_USED = 1 - _UNUSED

Vectors = Sequence[Vector]
State = NDArray[np.int32]
"""At least `N_WORDS` words."""


def _bands_on(columns: Vector) -> tuple[Vector, Vector]:
    """Return the columns of the next band and of the one after it."""
    size = len(columns)
    return columns[_NEXT_BAND[:size]], columns[_BAND_AFTER[:size]]


def _count_ones(words: Vectors) -> tuple[Vector, Vector]:
    """Return the cells of each band that at least one, and at least two digits have: four words."""
    a, b, c = words
    once, twice = a | b, a & b
    for half in (8, 4):
        lower, upper = _LANE[:half], _LANE[half : 2 * half]
        twice = twice[lower] | twice[upper] | once[lower] & once[upper]
        once = once[lower] | once[upper]
    return once | c, twice | once & c


def _for_each_digit(bands: Vector) -> tuple[Vector, Vector, Vector]:
    """Return four words of the bands as vectors as wide as those of a state."""
    wide = bands[_EACH_DIGIT]
    return wide, wide, bands


def narrow_words(words: Vectors) -> tuple[Vectors, Vectors]:
    """Return the words after each rule but the last was applied once, and contradictions."""
    words = [in_row_permutations(word) for word in words]
    words = [in_column_permutations(word, *_bands_on(columns_of(word))) for word in words]
    own = [lone(word) for word in words]
    claimed, disputed = _count_ones(own)
    some, several = _count_ones(words)
    kept = [
        without_claimed(*each)
        for each in zip(
            words,
            own,
            _for_each_digit(claimed),
            _for_each_digit(disputed),
            _for_each_digit(some & ~several),
            strict=True,
        )
    ]
    wrong = [(word | _UNUSED[: len(word)]) == 0 for word in words]
    return kept, [*wrong, some != BAND * _USED[:4]]


def _thrice(minis: Vectors) -> tuple[Vector, Vector]:
    """Return the bits that at least three digits have, and those of exactly three: four words."""
    a, b, c = minis
    once, twice = a | b, a & b
    thrice = more = twice & 0
    for half in (8, 4):
        (o, p), (t, u), (h, i), (m, n) = (
            (counted[_LANE[:half]], counted[_LANE[half : 2 * half]])
            for counted in (once, twice, thrice, more)
        )
        once = o | p
        twice = t | u | o & p
        thrice = h | i | t & p | o & u
        more = m | n | h & p | o & i | t & u
    more |= thrice & c
    thrice |= twice & c
    return thrice, thrice & ~more


def without_triples(words: Vectors) -> tuple[Vectors, Vectors]:
    """Return the words after the rule of naked triples, and contradictions."""
    minis = [mini_rows_of(word) for word in words]
    at_least, exactly = _thrice(minis)
    wrong = [at_least != MINI_ROWS * _USED[:4]]
    kept = [
        without_row_triples(word, own & full)
        for word, own, full in zip(words, minis, _for_each_digit(exactly), strict=True)
    ]
    columns = [columns_of(word) for word in words]
    at_least, exactly = _thrice(columns)
    wrong.append(at_least != ROW * _USED[:4])
    own_columns = [own & full for own, full in zip(columns, _for_each_digit(exactly), strict=True)]
    kept = [
        without_column_triples(word, own, *_bands_on(own))
        for word, own in zip(kept, own_columns, strict=True)
    ]
    return kept, wrong


def open_words(own: Vectors) -> tuple[Vectors, Vectors]:
    """Return the words of the givens, and cells that repeat a given of their row."""
    given, _ = _count_ones(own)
    words = [
        beside_givens(word, cells) & BAND * _USED[: len(word)]
        for word, cells in zip(own, _for_each_digit(given), strict=True)
    ]
    return words, [repeated(word) != 0 for word in own]


def _narrow(words: Memory) -> Sequence[Flag]:
    after, contradiction = words.until_steady(narrow_words, words.load(_WIDTHS))
    words.store(after)
    return [contradiction]


def _narrow_triples(words: Memory, rows: Memory, columns: Memory) -> Sequence[Flag]:
    before = words.load(_WIDTHS)
    rows.store([mini_rows_of(word) for word in before])
    columns.store([columns_of(word) for word in before])
    after, wrong = without_triples(before)
    words.store(after)
    return [differ(before, after), any_of(wrong)]


def _open_givens(words: Memory, givens: Memory) -> Sequence[Flag]:
    # Cells 0 to 53, two bands, and from 49 on: the last band at its end.
    upper, lower = givens.elements(0, 64), givens.elements(49, 32)
    own: list[Any] = []
    for value in range(1, 10):
        cells = upper.equal_to(value)
        own += [cells, cells >> 27, lower.equal_to(value) >> 5, None]
    after, wrong = open_words(words.gathered(own, _WIDTHS, BAND))
    words.store(after)
    return [any_of(wrong)]


# Kernels call the overloads of the next functions, which are the programs above.


def narrow(words: State) -> bool:
    """Apply the rules but the last until nothing changes; return False at a contradiction."""
    return not narrow_by_words(words)


def narrow_triples(words: State, rows: State, columns: State) -> int:
    """Apply the last rule once; return 1 if that changes something, -1 at a contradiction, else 0.

    `rows` and `columns` receive the mini-rows and columns of each word before that, for the choice
    of a guess.
    """
    flags = int(narrow_triples_by_words(words, rows, columns))
    return -1 if flags & 2 else flags


def open_givens(words: State, givens: NDArray[np.int8]) -> bool:
    """Write the words of the givens, shape (81,); return False if a row has two equal ones."""
    return not open_givens_by_words(words, givens)


@before_compiling
def _extend_numba() -> None:
    """Make kernels run the three functions above on vectors."""
    from numba import types
    from numba.extending import overload

    narrow_vectors = vector_kernel(_narrow, narrow_by_words)
    narrow_triples_vectors = vector_kernel(_narrow_triples, narrow_triples_by_words)
    open_givens_vectors = vector_kernel(_open_givens, open_givens_by_words)
    state = types.Array(types.int32, 1, "C")

    # Other arrays would be misread; without a return value, numba rejects them.

    @overload(narrow)
    def of_narrow(words):
        return (lambda words: narrow_vectors(words) == 0) if words == state else None

    @overload(narrow_triples)
    def of_narrow_triples(words, rows, columns):
        if not words == rows == columns == state:
            return None

        def narrow_triples(words, rows, columns):
            flags = narrow_triples_vectors(words, rows, columns)
            return -1 if flags & 2 else flags

        return narrow_triples

    @overload(open_givens)
    def of_open_givens(words, givens):
        if words == state and (givens.dtype, givens.ndim, givens.layout) == (types.int8, 1, "C"):
            return lambda words, givens: open_givens_vectors(words, givens) == 0
        return None
