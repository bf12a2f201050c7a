"""The rules on one word of a 9x9 Sudoku after the other, in ordinary kernels.

They replace the vectors of :mod:`nando.solvers.exact.lanes` if these cannot be compiled. States and
flags are the same to the last bit.
"""

import numpy as np

from nando.kernels.compile import kernel, lean_kernel
from nando.solvers.exact.words import (
    BAND,
    MINI_ROWS,
    N_WORDS,
    ROW,
    beside_givens,
    columns_of,
    in_column_permutations,
    in_row_permutations,
    lone,
    mini_rows_of,
    repeated,
    without_claimed,
    without_column_triples,
    without_row_triples,
)


@kernel
def narrow(words):
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
def narrow_triples(words, rows, columns):
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
def open_givens(words, givens):
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
