"""What follows from the candidates of a 9x9 Sudoku, for all digits and bands at once.

A word is one digit in one band of three rows: 27 bits, nine a row. Word ``4 * digit + band`` of a
state makes three vectors: digits 0 to 3, 4 to 7, and 8; every fourth word is 0. The rules:

- In each box of a band a digit stands in another row, so its rows are a permutation of the boxes.
  Of the nine mini-rows (a row within a box) those survive that belong to such a permutation; so
  for the mini-columns of a stack of boxes. With these rules follow all locked candidates and
  hidden singles.
- A cell that is the last of its row for a digit loses all other digits, and a cell with one
  candidate takes it from its row. The other houses follow by the first rule.
- Three digits that alone can be in a mini-row are nowhere else (a naked triple).
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload
from numpy.typing import NDArray

from nando.kernels.lanes import Bytes, Lanes, Vector, Words, any_of, gathered

BAND = 0x7FFFFFF
ROW = 0x1FF
ROWS = 0x40201  # times nine bits: the same in all three rows of a band
MINI_ROWS = 0o111111111  # the first cell of each

WIDTHS = (16, 16, 4)
N_WORDS = sum(WIDTHS)

_FIRST_BOX, _LAST_BOX = 0o001001001, 0o100100100
_FIRST_COLUMN, _LAST_COLUMN = 0o111, 0o444
_LOW, _HIGH = 0xFF * ROWS, 0x100 * ROWS  # the lower eight bits of each row, and the highest

_LANE = np.arange(16)
_NEXT_BAND = np.where(_LANE % 4 < 3, _LANE // 4 * 4 + (_LANE % 4 + 1) % 3, _LANE)
_BAND_AFTER = _NEXT_BAND[_NEXT_BAND]
_EACH_DIGIT = _LANE % 4  # four words of the bands, for each of four digits
_UNUSED = (_LANE % 4 == 3).astype(np.int64)
_USED = 1 - _UNUSED

Vectors = Sequence[Vector]
State = NDArray[np.int32]
"""At least `N_WORDS` words."""


def _boxes_on(minis: Vector, places: int) -> Vector:
    """Mini-rows moved one or two boxes on, within their row."""
    if places == 1:
        return minis << 3 & (BAND ^ _FIRST_BOX) | minis >> 6 & _FIRST_BOX
    return minis << 6 & _LAST_BOX | minis >> 3 & (BAND ^ _LAST_BOX)


def _columns_on(columns: Vector, places: int) -> Vector:
    """Columns moved one or two on, within their box."""
    if places == 1:
        return columns << 1 & (ROW ^ _FIRST_COLUMN) | columns >> 2 & _FIRST_COLUMN
    return columns << 2 & _LAST_COLUMN | columns >> 1 & (ROW ^ _LAST_COLUMN)


def _bands_on(columns: Vector) -> tuple[Vector, Vector]:
    """Columns of the next band and of the one after it."""
    size = len(columns)
    return columns[_NEXT_BAND[:size]], columns[_BAND_AFTER[:size]]


def _mini_rows(word: Vector) -> Vector:
    return (word | word >> 1 | word >> 2) & MINI_ROWS


def _columns(word: Vector) -> Vector:
    return (word | word >> 9 | word >> 18) & ROW


def _in_row_permutations(word: Vector) -> Vector:
    """The cells in mini-rows that with one of each other row and box make a permutation."""
    minis = _mini_rows(word)
    up = minis >> 9 | minis << 18
    down = minis >> 18 | minis << 9
    others = _boxes_on(up, 1) & _boxes_on(down, 2) | _boxes_on(up, 2) & _boxes_on(down, 1)
    minis &= others
    return word & (minis | minis << 1 | minis << 2)


def _in_column_permutations(word: Vector) -> Vector:
    """The same for mini-columns, of the bands of each stack."""
    columns = _columns(word)
    up, down = _bands_on(columns)
    others = _columns_on(up, 1) & _columns_on(down, 2) | _columns_on(up, 2) & _columns_on(down, 1)
    columns &= others
    return word & (columns | columns << 9 | columns << 18)


def _occupied(word: Vector) -> Vector:
    """The highest bit of each row that has a bit."""
    return ((word & _LOW) + _LOW | word) & _HIGH


def _whole_rows(word: Vector) -> Vector:
    """All cells of the rows that have a bit."""
    occupied = _occupied(word)
    return (occupied << 1) - (occupied >> 8)


def _where_naked(naked: Vector) -> Vector:
    """What naked singles leave: of their rows only themselves, and not the second of a row."""
    occupied = _occupied(naked)
    others = naked - (occupied >> 8)
    return naked & ~others | ~((occupied << 1) - (occupied >> 8))


def _lone(word: Vector) -> Vector:
    """Cells that are the only ones of their row; no row may be empty."""
    return word & ~_whole_rows(word & word - ROWS)


def _counted(words: Vectors) -> tuple[Vector, Vector]:
    """Cells of each band that at least one digit, and at least two digits, have; four words."""
    a, b, c = words
    once, twice = a | b, a & b
    for half in (8, 4):
        lower, upper = _LANE[:half], _LANE[half : 2 * half]
        twice = twice[lower] | twice[upper] | once[lower] & once[upper]
        once = once[lower] | once[upper]
    return once | c, twice | once & c


def _for_each_digit(bands: Vector) -> tuple[Vector, Vector, Vector]:
    """Four words of the bands, as wide as the vectors of a state."""
    wide = bands[_EACH_DIGIT]
    return wide, wide, bands


def narrowed(words: Vectors) -> tuple[Vectors, Vectors]:
    """The words after each rule but the last was used once; and where there is a contradiction."""
    words = [_in_column_permutations(_in_row_permutations(word)) for word in words]
    lone = [_lone(word) for word in words]
    filled, twice_filled = _counted(lone)
    some, several = _counted(words)
    kept = []
    for word, own, other, clash, single in zip(
        words,
        lone,
        _for_each_digit(~filled),
        _for_each_digit(~twice_filled),
        _for_each_digit(some & ~several),
        strict=True,
    ):
        kept.append(word & (other | own & clash) & _where_naked(word & single))
    wrong = [(word | _UNUSED[: len(word)]) == 0 for word in words]
    return kept, [*wrong, some != BAND * _USED[:4]]


def _thrice(minis: Vectors) -> tuple[Vector, Vector]:
    """What at least three digits, and what exactly three digits, have; four words."""
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
    """The words after the rule of naked triples; and where there is a contradiction."""
    rows = [_mini_rows(word) for word in words]
    at_least, exactly = _thrice(rows)
    wrong = [at_least != MINI_ROWS * _USED[:4]]
    kept = []
    for word, minis, full in zip(words, rows, _for_each_digit(exactly), strict=True):
        own = minis & full
        gone = own >> 9 | own << 18 | own >> 18 | own << 9 | _boxes_on(own, 1) | _boxes_on(own, 2)
        gone &= MINI_ROWS
        kept.append(word & ~(gone | gone << 1 | gone << 2))
    columns = [_columns(word) for word in words]
    at_least, exactly = _thrice(columns)
    wrong.append(at_least != ROW * _USED[:4])
    for i, full in enumerate(_for_each_digit(exactly)):
        own = columns[i] & full
        up, down = _bands_on(own)
        gone = (up | down | _columns_on(own, 1) | _columns_on(own, 2)) & ROW
        kept[i] = kept[i] & ~(gone | gone << 9 | gone << 18)
    return kept, wrong


def opened(own: Vectors) -> tuple[Vectors, Vectors]:
    """The words with which a search begins, from those of the givens; and equals in a row."""
    given, _ = _counted(own)
    words = []
    wrong = []
    for word, other in zip(own, _for_each_digit(~given), strict=True):
        used = BAND * _USED[: len(word)]
        words.append((other | word) & (~_whole_rows(word) | word) & used)
        wrong.append(word & word - (_occupied(word) >> 8) != 0)
    return words, wrong


# Each of the next functions is plain Python, and below it once more for the compiler.


def narrow(words: State) -> bool:
    """Follow the rules but the last until nothing changes; False at a contradiction."""
    before: Vectors = _vectors(words)
    while True:
        after, wrong = narrowed(before)
        if _any(wrong) or not _differ(before, after):
            words[:N_WORDS] = np.concatenate(after)
            return not _any(wrong)
        before = after


def narrow_triples(words: State, rows: State, columns: State) -> int:
    """Follow the last rule once: 1 where that changes something, -1 at a contradiction, else 0.

    Notes the mini-rows and columns of each word before that, for the choice of a guess.
    """
    before = _vectors(words)
    rows[:N_WORDS] = np.concatenate([_mini_rows(word) for word in before])
    columns[:N_WORDS] = np.concatenate([_columns(word) for word in before])
    after, wrong = without_triples(before)
    words[:N_WORDS] = np.concatenate(after)
    return -1 if _any(wrong) else int(_differ(before, after))


def open_givens(words: State, givens: NDArray[np.int8]) -> bool:
    """Words of the givens, shape (81,); False where a row has two equal ones."""
    own = np.zeros(N_WORDS, np.int32)
    for digit in range(9):
        cells = (givens.reshape(3, 27) == digit + 1) << np.arange(27)
        own[4 * digit : 4 * digit + 3] = cells.sum(axis=1)
    after, wrong = opened(_vectors(own))
    words[:N_WORDS] = np.concatenate(after)
    return not _any(wrong)


def _vectors(words: State) -> list[NDArray[np.uint32]]:
    return np.split(words[:N_WORDS].view(np.uint32).copy(), np.cumsum(WIDTHS)[:-1])


def _any(vectors: Vectors) -> bool:
    return any(bool(vector.any()) for vector in vectors)


def _differ(before: Vectors, after: Vectors) -> bool:
    return _any([x != y for x, y in zip(before, after, strict=True)])


@intrinsic
def _narrow(typing_context: Any, words: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        memory = Words(context, builder, words, args[0], WIDTHS)
        first = memory.load()
        entry = builder.block
        loop, end = builder.append_basic_block("narrow"), builder.append_basic_block("end")
        builder.branch(loop)
        builder.position_at_end(loop)
        before = [Lanes(builder, builder.phi(vector.value.type)) for vector in first]
        after, wrong = narrowed(before)
        contradiction = any_of(builder, wrong)
        changed = any_of(builder, [x ^ y for x, y in zip(before, after, strict=True)])
        again = builder.and_(changed, builder.not_(contradiction))
        builder.cbranch(again, loop, end)
        for phi, start, vector in zip(before, first, after, strict=True):
            phi.value.add_incoming(start.value, entry)
            phi.value.add_incoming(vector.value, loop)
        builder.position_at_end(end)
        memory.store(after)
        return builder.not_(contradiction)

    return types.boolean(words), generate


@intrinsic
def _narrow_triples(typing_context: Any, words: Any, rows: Any, columns: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        memory, row_memory, column_memory = (
            Words(context, builder, kind, array, WIDTHS)
            for kind, array in zip(signature.args, args, strict=True)
        )
        before = memory.load()
        row_memory.store([_mini_rows(word) for word in before])
        column_memory.store([_columns(word) for word in before])
        after, wrong = without_triples(before)
        memory.store(after)
        changed = any_of(builder, [x ^ y for x, y in zip(before, after, strict=True)])
        said = builder.zext(changed, ir.IntType(64))
        return builder.select(any_of(builder, wrong), ir.Constant(said.type, -1), said)

    return types.int64(words, rows, columns), generate


def _right(builder: ir.IRBuilder, bits: ir.Value, places: int) -> ir.Value:
    return builder.lshr(bits, ir.Constant(bits.type, places))


@intrinsic
def _open_givens(typing_context: Any, words: Any, givens: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        # Cells 0 to 53, two bands, and from 49 on: the last band at its end.
        upper, lower = (
            Bytes(context, builder, givens, args[1], at, count) for at, count in ((0, 64), (49, 32))
        )
        own = []
        for value in range(1, 10):
            bits = upper.equal_to(value)
            own += [
                bits,
                _right(builder, bits, 27),
                _right(builder, lower.equal_to(value), 5),
                None,
            ]
        after, wrong = opened(gathered(builder, own, WIDTHS, BAND))
        Words(context, builder, words, args[0], WIDTHS).store(after)
        return builder.not_(any_of(builder, wrong))

    return types.boolean(words, givens), generate


_STATE = types.Array(types.int32, 1, "C")


# Other arrays would be read as if they were these; without an answer numba refuses them.


@overload(narrow)
def _narrow_overload(words):
    return (lambda words: _narrow(words)) if words == _STATE else None


@overload(narrow_triples)
def _narrow_triples_overload(words, rows, columns):
    if words == rows == columns == _STATE:
        return lambda words, rows, columns: _narrow_triples(words, rows, columns)
    return None


@overload(open_givens)
def _open_givens_overload(words, givens):
    if words == _STATE and (givens.dtype, givens.ndim, givens.layout) == (types.int8, 1, "C"):
        return lambda words, givens: _open_givens(words, givens)
    return None
