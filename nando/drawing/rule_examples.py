"""A board that shows each rule at work, to explain it."""

import tomllib
from collections import Counter
from collections.abc import Iterator
from functools import cache, lru_cache
from importlib.resources import files

from nando.drawing.grid import GridStyle
from nando.drawing.rules.table import DRAWINGS, nothing
from nando.drawing.shapes import Picture, Rect
from nando.drawing.variants import board
from nando.puzzles import Variant
from nando.puzzles.boards.board import Cell
from nando.puzzles.boards.constraints import AllDifferent, Relation
from nando.puzzles.boards.rule import Rule


@cache
def rule_examples() -> dict[str, str]:
    """Return the text of a puzzle for each rule, in which the digits of the marks are given."""
    place = files("nando.drawing.rules") / "examples.toml"
    return tomllib.loads(place.read_text(encoding="utf-8"))


@lru_cache(maxsize=128)  # a book is laid out until its page numbers stay the same
def rule_example(name: str, style: GridStyle, tint: str) -> Picture:
    """Draw the example of a rule.

    Of a rule without marks, the cells that it compares with a given are tinted.
    """
    puzzle = Variant(rule_examples()[name])
    rule = next(rule for rule in puzzle.rules if rule.name == name)
    picture = board(puzzle, "", style)
    if DRAWINGS[type(rule)] is not nothing:
        return picture
    given = puzzle.board.cells[int(puzzle.givens.nonzero()[0].mean())]
    seen = [Rect(at.column, at.row, 1, 1, tint) for at in sorted(set(_seen(rule, puzzle, given)))]
    return picture._replace(shapes=(*seen, *picture.shapes))


def grids_example(grids: str, style: GridStyle, tint: str) -> Picture:
    """Draw an arrangement of grids, the cells where they overlap tinted."""
    puzzle = Variant(f"9x9+{grids}")
    n = range(puzzle.size)
    covered = Counter(
        Cell(row + i, column + j) for row, column in puzzle.board.corners for i in n for j in n
    )
    shared = [Rect(at.column, at.row, 1, 1, tint) for at, times in covered.items() if times > 1]
    picture = board(puzzle, "", style)
    return picture._replace(shapes=(*shared, *picture.shapes))


def _seen(rule: Rule, puzzle: Variant, given: Cell) -> Iterator[Cell]:
    for own in rule.constraints(puzzle.board):
        if isinstance(own, AllDifferent):
            cells = own.cells
        else:
            assert isinstance(own, Relation)  # rules without marks compare cells
            cells = (own.first, own.second)
        if given in cells:
            yield from (cell for cell in cells if cell != given)
