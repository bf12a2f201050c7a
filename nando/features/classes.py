"""Classes of equivalent puzzles: they share a rating, and no fold splits them.

A class is the set of all puzzles equivalent to one. The draws behind a rating come from the class
alone, and the puzzle that is rated is a member of the class, drawn by the same rule. A rating
therefore does not depend on a puzzle's place in a file, on its orientation and labels, on a seed,
or on earlier ratings, and it can be cached.
"""

import hashlib
from collections.abc import Sequence
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from nando.puzzles import Puzzle, Sudoku, Variant
from nando.puzzles.sudoku.minlex import minlex_many
from nando.puzzles.sudoku.puzzle import grids_of, text_of

_THREE = np.array(list(permutations(range(3))))


def classes_of(puzzles: Sequence[Puzzle]) -> list[str]:
    """Return the class of each puzzle.

    It is the canonical form of a 9x9 Sudoku, the oriented form of a variant, and of any other
    puzzle its own text. Of larger Sudokus only a hash of the canonical form is known. A turned
    Nurikabe is the same puzzle, but the logic ladder finds its steps in another order, which
    changes its points more than a draw does. Variants with exchanged digits are in other classes.
    """
    keys = [_oriented(puzzle).text for puzzle in puzzles]
    with_classes = [i for i, puzzle in enumerate(puzzles) if _has_classes(puzzle)]
    if with_classes:  # otherwise Nurikabe would wait for a kernel that it does not need
        forms = minlex_many(np.array([puzzles[i].givens for i in with_classes], np.int8))
        for i, form in zip(with_classes, forms, strict=True):
            keys[i] = text_of(form)
    return keys


def stream_of(key: str) -> int:
    """Return the number of the random stream of a class."""
    return int.from_bytes(hashlib.sha256(key.encode()).digest()[:8], "little")


def members(drawn: Sequence[tuple[Puzzle, str, int]]) -> list[Puzzle]:
    """Return the member that is rated, for each tuple of a puzzle, its class and its stream."""
    # The canonical form itself is not rated, because its rows, columns and digits are sorted.
    chosen = [_oriented(puzzle) for puzzle, _, _ in drawn]
    with_classes = [i for i, puzzle in enumerate(chosen) if _has_classes(puzzle)]
    if not with_classes:
        return chosen
    forms = grids_of([drawn[i][1] for i in with_classes])
    numbers = np.array([drawn[i][2] for i in with_classes], np.uint64)
    for i, member in zip(
        with_classes, Sudoku.from_table(turn_grids(forms, numbers), hashed=False), strict=True
    ):
        chosen[i] = member
    return chosen


def turn_grids(grids: NDArray[np.int8], numbers: NDArray[np.uint64]) -> NDArray[np.int8]:
    """Transform 9x9 grids by the symmetries with these numbers.

    The numbers below 2 * 6^8 * 9! enumerate the symmetries; larger numbers repeat them.

    Parameters
    ----------
    grids : ndarray of int8, shape (n, 81)
    numbers : ndarray of uint64, shape (n,)

    Returns
    -------
    ndarray of int8, shape (n, 81)
    """
    n = len(grids)
    rest = numbers.copy()

    def digits(base: int) -> NDArray[np.intp]:
        nonlocal rest
        rest, digit = np.divmod(rest, np.uint64(base))
        return digit.astype(np.intp)

    each = np.arange(n)
    across = digits(2)[:, None, None] == 1
    squares = grids.reshape(n, 9, 9)
    squares = np.where(across, squares.transpose(0, 2, 1), squares)
    rows, columns = (
        np.concatenate([3 * band[:, None] + _THREE[digits(6)] for band in _THREE[digits(6)].T], 1)
        for _ in range(2)
    )
    squares = squares[each[:, None, None], rows[:, :, None], columns[:, None, :]]
    # Fisher-Yates shuffle: each digit is swapped with itself or a later digit.
    relabelled = np.tile(np.arange(10, dtype=np.int8), (n, 1))
    for place in range(1, 9):
        other = place + digits(10 - place)
        relabelled[each, place], relabelled[each, other] = (
            relabelled[each, other],
            relabelled[each, place],
        )
    return np.asarray(relabelled[each[:, None], squares.reshape(n, 81)])


def _oriented(puzzle: Puzzle) -> Puzzle:
    return puzzle.oriented if isinstance(puzzle, Variant) else puzzle


def _has_classes(puzzle: Puzzle) -> bool:
    return isinstance(puzzle, Sudoku) and puzzle.order == 3
