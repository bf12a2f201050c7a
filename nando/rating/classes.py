"""Equivalent puzzles share a rating: what is drawn for a rating depends on the puzzle's class.

A class is the set of all puzzles equivalent to one. The draws behind a rating come from the class
alone, and what is rated is a member of it drawn by the same rule. So a rating depends neither on a
puzzle's place in a file, nor on how it is turned or relabelled, nor on a seed, nor on what was
rated before; and it may be kept.
"""

import hashlib
from collections.abc import Sequence

import numpy as np

from nando.puzzles import Puzzle, Sudoku
from nando.puzzles.sudoku.minlex import minlex_many
from nando.puzzles.sudoku.puzzle import text_of


def classes_of(puzzles: Sequence[Puzzle]) -> list[str]:
    """The class of each puzzle; see :func:`class_of`."""
    keys = [puzzle.text for puzzle in puzzles]
    with_classes = [i for i, puzzle in enumerate(puzzles) if _has_classes(puzzle)]
    forms = minlex_many(np.array([puzzles[i].givens for i in with_classes], np.int8))
    for i, form in zip(with_classes, forms, strict=True):
        keys[i] = text_of(form)
    return keys


def class_of(puzzle: Puzzle) -> str:
    """Canonical form of a 9x9 Sudoku, of any other puzzle its own text.

    Of larger Sudokus only a hash of that form is known. A turned Nurikabe is the same puzzle, but
    the logic ladder meets its steps in another order, which moves its points more than a draw does.
    """
    return classes_of([puzzle])[0]


def stream_of(key: str) -> int:
    """Number of the random stream of a class."""
    return int.from_bytes(hashlib.sha256(key.encode()).digest()[:8], "little")


def members(drawn: Sequence[tuple[Puzzle, str, int]]) -> list[Puzzle]:
    """The member that is rated of the class of each puzzle, its key and its stream."""
    return [_member(puzzle, key, stream) for puzzle, key, stream in drawn]


def _member(puzzle: Puzzle, key: str, stream: int) -> Puzzle:
    # The canonical form is none to rate: its rows, columns and digits are in an order of their own.
    if not _has_classes(puzzle):
        return puzzle
    return Sudoku(key).shuffled(np.random.default_rng(stream))


def _has_classes(puzzle: Puzzle) -> bool:
    return isinstance(puzzle, Sudoku) and puzzle.order == 3
