"""A board that shows each rule at work, to explain it."""

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache

from nando.drawing.rules.table import DRAWINGS, nothing
from nando.drawing.shapes import GridStyle, Picture, Rect
from nando.drawing.variants import board
from nando.puzzles import Variant
from nando.puzzles.boards.board import Cell
from nando.puzzles.boards.constraints import AllDifferent, Relation
from nando.puzzles.boards.rule import Rule
from nando.puzzles.rules.boxes import Boxes
from nando.puzzles.rules.words import rule_sentences
from nando.tables import shipped_table

_SIZE = 9
"""Digits of the examples."""


@cache
def rule_examples() -> dict[str, str]:
    """Return a puzzle for each rule as text, with givens in the cells of its marks."""
    return shipped_table("nando.drawing.rules", "examples.toml")


@lru_cache(maxsize=128)  # a book is laid out until its page numbers stay the same
def rule_example(
    name: str, style: GridStyle, tint: str, shown: frozenset[str] = frozenset()
) -> Picture:
    """Draw the example of a rule.

    If the rule has no marks, the cells that it compares with a given are tinted. If it has several
    forms (see :func:`forms`), only the forms in `shown` are drawn, or all if `shown` is empty.
    """
    puzzle = _without_others(Variant(rule_examples()[name]), shown)
    rule = next(rule for rule in puzzle.rules if rule.name == name)
    picture = board(puzzle, "", style)
    if DRAWINGS[type(rule)] is not nothing:
        return picture
    given = puzzle.board.cells[int(puzzle.givens.nonzero()[0].mean())]
    seen = [
        Rect(cell.column, cell.row, 1, 1, tint) for cell in sorted(set(_seen(rule, puzzle, given)))
    ]
    return picture._replace(shapes=(*seen, *picture.shapes))


def forms(rules: Iterable[Rule]) -> frozenset[str]:
    """Return the sentences that explain rules; they differ for each form of a rule."""
    return frozenset(text for rule in rules for text in rule_sentences(rule, _SIZE))


def _without_others(puzzle: Variant, shown: frozenset[str]) -> Variant:
    """Return a puzzle without the rules in forms that are not shown, and without their digits."""
    kept = [rule for rule in puzzle.rules if isinstance(rule, Boxes) or forms([rule]) <= shown]
    if len(kept) < 2:
        return puzzle
    cells = {cell for rule in kept for cell in rule.cells_named()}
    dropped = {cell for rule in puzzle.rules if rule not in kept for cell in rule.cells_named()}
    givens = puzzle.givens.copy()
    givens[puzzle.board.places(dropped - cells)] = 0
    return Variant.of(givens, kept)


def grids_example(grids: str, style: GridStyle, tint: str) -> Picture:
    """Draw an arrangement of grids, with tints where they overlap."""
    puzzle = Variant(f"9x9+{grids}")
    n = range(puzzle.size)
    covered = Counter(
        Cell(row + i, column + j) for row, column in puzzle.board.corners for i in n for j in n
    )
    shared = [
        Rect(cell.column, cell.row, 1, 1, tint) for cell, times in covered.items() if times > 1
    ]
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
