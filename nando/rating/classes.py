"""Classes of equivalent puzzles: they share a rating, and no fold splits them.

A class is the set of all puzzles equivalent to one. The draws behind a rating come from the class
alone, and what is rated is a member of it drawn by the same rule. So a rating depends neither on a
puzzle's place in a file, nor on how it is turned or relabelled, nor on a seed, nor on what was
rated before; and it may be kept.
"""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from itertools import permutations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nando.arrays import Floats
from nando.features.extractor import FeatureExtractor
from nando.features.parts import in_parts
from nando.puzzles import Puzzle, Sudoku
from nando.puzzles.sudoku.minlex import minlex_many
from nando.puzzles.sudoku.puzzle import grids_of, text_of

_THREE = np.array(list(permutations(range(3))))


def classes_of(puzzles: Sequence[Puzzle]) -> list[str]:
    """Return the class of each puzzle.

    It is the canonical form of a 9x9 Sudoku, and of any other puzzle its own text. Of larger
    Sudokus only a hash of that form is known. A turned Nurikabe is the same puzzle, but the logic
    ladder meets its steps in another order, which moves its points more than a draw does.
    """
    keys = [puzzle.text for puzzle in puzzles]
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
    """Return the member that is rated of the class of each puzzle, its key and its stream."""
    # The canonical form itself is not rated, because its rows, columns and digits are sorted.
    chosen = [puzzle for puzzle, _, _ in drawn]
    with_classes = [i for i, puzzle in enumerate(chosen) if _has_classes(puzzle)]
    if not with_classes:
        return chosen
    forms = grids_of([drawn[i][1] for i in with_classes])
    numbers = np.array([drawn[i][2] for i in with_classes], np.uint64)
    for i, member in zip(
        with_classes, Sudoku.from_table(turned(forms, numbers), hashed=False), strict=True
    ):
        chosen[i] = member
    return chosen


def turned(grids: NDArray[np.int8], numbers: NDArray[np.uint64]) -> NDArray[np.int8]:
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


def columns_of_classes(
    extractor: FeatureExtractor,
    columns: Sequence[str],
    puzzles: Sequence[Puzzle],
    keys: Sequence[str],
) -> Floats:
    """Compute columns of puzzles, drawn from the streams of their classes on their own members.

    Parameters
    ----------
    extractor : FeatureExtractor
    columns : sequence of str
        Names of some of the extractor's columns.
    puzzles : sequence of Puzzle
    keys : sequence of str
        The class of each puzzle.

    Returns
    -------
    ndarray of float64, shape (len(puzzles), len(columns))
    """
    streams = [stream_of(key) for key in keys]
    drawn = list(zip(puzzles, keys, streams, strict=True))
    rated = list(in_parts(members, drawn, extractor.n_jobs))
    return chosen_columns(extractor.table(rated, streams=streams), extractor.columns, columns)


def chosen_columns(table: ArrayLike, names: Iterable[str], columns: Sequence[str]) -> Floats:
    """Return columns of a table of features by their names.

    Parameters
    ----------
    table : array_like, shape (n, n_names)
    names : iterable of str
    columns : sequence of str
        Some of the names.

    Returns
    -------
    ndarray of float64, shape (n, len(columns))

    Raises
    ------
    ValueError
        For a column that the table lacks.
    """
    place = {name: i for i, name in enumerate(names)}
    absent = [name for name in columns if name not in place]
    if absent:
        raise ValueError(f"the features lack column {absent[0]!r} of the model")
    return np.asarray(table, dtype=np.float64)[:, [place[name] for name in columns]]


def grouped_folds(
    groups: Sequence[str] | None, n_puzzles: int, n_splits: int, seed: int
) -> Iterator[tuple[NDArray[np.intp], NDArray[np.intp]]]:
    """Yield random folds over puzzles that keep each group whole.

    Parameters
    ----------
    groups : sequence of str, length n_puzzles, or None
        Equivalence keys; None makes each puzzle its own group.
    n_puzzles, n_splits, seed : int

    Yields
    ------
    train, test : ndarray of intp
        Positions of the puzzles.

    Raises
    ------
    ValueError
        For fewer groups than folds.
    """
    from sklearn.model_selection import GroupKFold, KFold

    if groups is None:
        splitter = KFold(n_splits, shuffle=True, random_state=seed)
        yield from splitter.split(np.empty(n_puzzles))
        return
    _, labels = np.unique(np.asarray(groups), return_inverse=True)
    if labels.max() + 1 < n_splits:
        raise ValueError(f"{labels.max() + 1} different puzzles are too few for {n_splits} folds")
    # GroupKFold alone balances sizes in a fixed way; shuffled labels make each seed differ.
    yield from GroupKFold(n_splits, shuffle=True, random_state=seed).split(
        np.empty(n_puzzles), groups=labels
    )


def _has_classes(puzzle: Puzzle) -> bool:
    return isinstance(puzzle, Sudoku) and puzzle.order == 3
