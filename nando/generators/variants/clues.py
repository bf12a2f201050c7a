"""How the clues of each rule are made; a rule without parameters needs no clues."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from nando.generators.variants.areas import draw_clones, draw_further_regions
from nando.generators.variants.board import Canvas
from nando.generators.variants.cages import draw_cages, draw_diagonal_sums, merged_cages, split_cage
from nando.generators.variants.jigsaw import draw_regions
from nando.generators.variants.lines import Shape, different, draw_arrows, draw_lines, near
from nando.generators.variants.marks import (
    draw_candidates,
    draw_cells,
    draw_marks,
    draw_outside,
    draw_quadruples,
)
from nando.puzzles.boards.board import EDGES, Cell
from nando.puzzles.boards.rule import Rule

Draw = Callable[[Canvas, Any, Mapping[str, Any]], Sequence[Rule]]
"""Takes a canvas, the class of the rule and its parameters; returns clues that the digits obey."""


@dataclass(frozen=True)
class Maker:
    """How the clues of a rule are made.

    Attributes
    ----------
    draw : callable
    is_layout : bool
        True if the clues are drawn before the digits.
    keeps_all : bool
        True if the clues belong together: none is left out, even if it is not needed.
    joins : bool
        True if one rule names the cells of all clues.
    refine : callable or None
        Takes a canvas, all clues, the number of one, and other digits; returns all clues with that
        one replaced by clues that exclude the digits or, if these are the known ones, by stricter
        clues. The list is empty if there are none.
    merge : callable or None
        Takes a canvas, all clues and the number of one; returns, for each way to enlarge that clue,
        all clues with the larger one in its place.
    flag, number : str
        Names of the parameters that can be requested; empty for none.
    """

    draw: Draw
    is_layout: bool = False
    keeps_all: bool = False
    joins: bool = False
    refine: Callable[[Canvas, Sequence[Any], int, Mapping[Cell, int]], list[Rule]] | None = None
    merge: Callable[[Canvas, Sequence[Any], int], Iterable[list[Rule]]] | None = None
    flag: str = ""
    number: str = ""


def _lines(shape: Shape, **options: Any) -> Maker:
    return Maker(lambda canvas, rule, given: draw_lines(canvas, rule, given, shape), **options)


def _outside(*edges: str) -> Maker:
    return Maker(lambda canvas, rule, _: draw_outside(canvas, rule, edges))


def _of(draw: Callable[[Canvas], Sequence[Rule]], **options: Any) -> Maker:
    return Maker(lambda canvas, *_: draw(canvas), **options)


_CELLS, _MARKS = Maker(draw_cells, joins=True), Maker(draw_marks, joins=True)
_VALUED = Maker(draw_marks, joins=True, number="value")

MAKERS: dict[str, Maker] = {
    "regions": _of(draw_regions, is_layout=True),
    "extra-region": _of(draw_further_regions, is_layout=True),
    "killer": _of(draw_cages, keeps_all=True, refine=split_cage, merge=merged_cages),
    "little-killer": _of(draw_diagonal_sums),
    "sandwich": _outside("left", "top"),
    "x-sums": _outside(*EDGES),
    "skyscraper": _outside(*EDGES),
    "frame-sum": _outside(*EDGES),
    "numbered-room": _outside(*EDGES),
    **dict.fromkeys(("kropki", "xv", "greater", "consecutive"), _MARKS),
    **dict.fromkeys(("difference", "ratio"), _VALUED),
    "quadruple": _of(draw_quadruples),
    "thermometer": _lines(Shape(3, 6), flag="slow"),
    "arrow": _of(draw_arrows),
    "palindrome": _lines(Shape(3, 7, from_middle=True)),
    "renban": _lines(Shape(3, 5, near)),
    "whispers": _lines(Shape(3, 7), number="difference"),
    "parity": _lines(Shape(4, 8)),
    "entropic": _lines(Shape(4, 8)),
    "modular": _lines(Shape(4, 8)),
    "between": _lines(Shape(3, 6, different)),
    "zipper": _lines(Shape(3, 7, from_middle=True)),
    "region-sum": _lines(Shape(4, 7, different)),
    **dict.fromkeys(("odd", "even", "low", "high", "minimum", "maximum", "indexing"), _CELLS),
    "clone": _of(draw_clones),
    "candidates": _of(draw_candidates),
}
"""The makers of rules with parameters, by name of the rule."""
