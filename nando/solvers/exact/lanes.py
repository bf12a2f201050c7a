"""The rules on all words of a 9x9 Sudoku at once, in vectors.

:mod:`nando.solvers.exact.words` defines words and the rules on them. The words of a state form
three vectors: digits 0 to 3, 4 to 7, and 8. The search is 3.5 times as fast as word by word.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nando.kernels.compile import vector_kernel
from nando.kernels.extensions import before_compiling
from nando.kernels.lanes import Flag, Memory, Vector, any_of, differ
from nando.solvers.exact.words import (
    BAND,
    MINI_ROWS,
    ROW,
    beside_givens,
    columns_of,
    in_column_permutations,
    in_row_permutations,
    lone,
    mini_rows_of,
    narrow_by_words,
    narrow_triples_by_words,
    open_givens_by_words,
    repeated,
    without_claimed,
    without_column_triples,
    without_row_triples,
)

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
