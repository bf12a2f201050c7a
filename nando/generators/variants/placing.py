"""Givens and rules of a new puzzle: which cells are given together, and how clues become rules."""

from collections.abc import Sequence
from dataclasses import fields, replace
from functools import lru_cache

import numpy as np

from nando.generators.sudoku.symmetry import Symmetry, images_of
from nando.generators.variants.makers import MAKERS
from nando.puzzles.boards.board import Board
from nando.puzzles.boards.rule import Rule


@lru_cache(maxsize=16)
def groups_of(board: Board, symmetry: Symmetry) -> list[list[int]]:
    """Return the numbers of the cells that are given together.

    Raises
    ------
    ValueError
        If the board does not have the symmetry.
    """
    grid = np.full((board.n_rows, board.n_columns), -1)
    for number, (row, column) in enumerate(board.cells):
        grid[row, column] = number
    turns = images_of(grid, symmetry)
    if any(turn.shape != grid.shape or ((turn < 0) != (grid < 0)).any() for turn in turns):
        raise ValueError(f"the board has no {symmetry} symmetry: ask for another, or none")
    images = np.stack([turn.ravel() for turn in turns], axis=1).tolist()
    groups = {tuple(sorted(set(group))) for group in images} - {(-1,)}
    return list(map(list, sorted(groups)))


def joined(clues: Sequence[Rule]) -> list[Rule]:
    """Return the rules that clues stand for: marks of one kind are one rule."""
    rules: list[Rule] = []
    together: dict[type[Rule], list[Rule]] = {}
    for clue in clues:
        if MAKERS[clue.name].joins:
            together.setdefault(type(clue), []).append(clue)
        else:
            rules.append(clue)
    for same in together.values():
        cells = {
            field.name: tuple(cell for clue in same for cell in getattr(clue, field.name))
            for field in fields(same[0])
            if isinstance(getattr(same[0], field.name), tuple)
        }
        rules.append(replace(same[0], **cells))
    return rules
