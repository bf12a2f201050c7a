"""The kinds of puzzle in books, and what the pages say about each."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from nando.books import examples
from nando.drawing.shapes import GridStyle, Marks, Picture
from nando.puzzles import Puzzle, Sudoku, Variant
from nando.puzzles.variants.genre import Genre


@dataclass(frozen=True)
class BookKind:
    """A kind of puzzle as books name it.

    Attributes
    ----------
    puzzle : str
        Name of the kind in nando.
    rules : str
        Key of the rules to print.
    example : Puzzle
        A puzzle that is drawn with its `solution` to explain the rules.
    first_step : callable or None
        Draws a first step on the example.
    said : mapping
        Values for the placeholders in the texts of the rules.
    source : mapping
        Options of the generator.
    """

    puzzle: str
    rules: str
    example: Puzzle
    solution: str
    first_step: Callable[[GridStyle, Marks], Picture] | None = None
    said: Mapping[str, Any] = field(default_factory=dict)
    source: Mapping[str, Any] = field(default_factory=dict)


KINDS = {
    "9x9": BookKind(
        "sudoku",
        "sudoku",
        examples.SUDOKU,
        examples.SUDOKU_SOLUTION,
        examples.first_sudoku_step,
        {"digit": examples.DIGIT},
        {"order": 3},
    ),
    "16x16": BookKind(
        "sudoku",
        "sudoku",
        examples.LARGE_SUDOKU,
        examples.LARGE_SUDOKU_SOLUTION,
        source={"order": 4},
    ),
    # Two 25x25 grids do not fit on a page: the rules are shown on a smaller one.
    "25x25": BookKind(
        "sudoku",
        "sudoku",
        examples.LARGE_SUDOKU,
        examples.LARGE_SUDOKU_SOLUTION,
        source={"order": 5},
    ),
    "nurikabe": BookKind(
        "nurikabe",
        "nurikabe",
        examples.NURIKABE,
        examples.NURIKABE_SOLUTION,
        examples.first_nurikabe_step,
    ),
}


def kind_of(puzzle: Puzzle) -> str:
    """Return the name that books use for the kind of a puzzle; for a variant, its genre."""
    if isinstance(puzzle, Variant):
        return str(Genre.of(puzzle))
    return f"{puzzle.size}x{puzzle.size}" if isinstance(puzzle, Sudoku) else puzzle.kind
