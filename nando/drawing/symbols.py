"""What stands in cells for digits: the digits themselves, letters, or pictures for children."""

import math
from collections.abc import Iterator

from nando.drawing.shapes import (
    FAINT,
    Disc,
    GridStyle,
    Picture,
    Polygon,
    Rect,
    Shape,
    Text,
    move,
)
from nando.puzzles import Sudoku, Variant

DIGITS = "123456789"
KINDS = ("", "letters", "pictures")
"""What may stand for digits; empty for the digits themselves."""

_WHITE = "#ffffff"


def _ring(n: int, *radii: float) -> tuple[tuple[float, float], ...]:
    """Return points around the middle of a cell at distances in turn, beginning at the top."""
    turns = [(2 * math.pi * i / n, radii[i % len(radii)]) for i in range(n)]
    return tuple((radius * math.sin(turn), -radius * math.cos(turn)) for turn, radius in turns)


_PICTURES: tuple[tuple[Shape, ...], ...] = (
    (Disc(0, 0, 0.29, ""),),
    (Rect(-0.27, -0.27, 0.54, 0.54, ""),),
    (Polygon(_ring(3, 0.36), ""),),
    (Polygon(_ring(10, 0.36, 0.15), ""),),
    (
        *(Disc(side * 0.14, -0.1, 0.165, "") for side in (-1, 1)),
        Polygon(((-0.29, -0.03), (0.29, -0.03), (0, 0.33)), ""),
    ),
    (Disc(0, 0, 0.31, ""), Disc(0.14, -0.06, 0.25, _WHITE)),
    (*(Disc(x, y, 0.13, "") for x, y in _ring(5, 0.2)), Disc(0, 0, 0.1, _WHITE)),
    (Polygon(_ring(4, 0.36, 0.24), ""),),
    (Rect(-0.1, -0.32, 0.2, 0.64, ""), Rect(-0.32, -0.1, 0.64, 0.2, "")),
)
"""A picture for each digit, around the middle of a cell and without its colour: disc, square,
triangle, star, heart, moon, flower, diamond, cross."""


def symbol(text: Text, style: GridStyle, *, is_answer: bool = False) -> Iterator[Shape]:
    """Yield what stands for a digit that would be drawn as `text`; answers of pictures are fainter.

    Raises
    ------
    ValueError
        If there is no picture or letter for the digit.
    """
    if style.symbols and text.text == "0":
        raise ValueError("letters and pictures stand for digits from 1, got 0: leave out symbols")
    if style.symbols == "letters":
        value = int(text.text) if text.text in DIGITS else 10 + ord(text.text) - ord("A")
        yield text._replace(text=chr(ord("A") + value - 1))
    elif style.symbols == "pictures":
        if text.text not in DIGITS:
            raise ValueError(
                f"pictures stand for the digits 1 to 9, got {text.text}: choose symbols = 'letters'"
            )
        fill = FAINT if is_answer else text.fill
        for shape in move(_PICTURES[int(text.text) - 1], text.x, text.y):
            yield shape._replace(fill=shape.fill or fill)  # type: ignore[union-attr,call-arg]
    else:
        yield text


def entries(
    puzzle: Sudoku | Variant, solution: str, style: GridStyle, size: float, y: float
) -> Iterator[Shape]:
    """Draw what stands for the givens of a board, or for its solution with bold givens.

    Digits have a size of type, and their middle is `y` cells below the upper edge.
    """
    givens = puzzle.solution_text(puzzle.givens)
    for place, digit in enumerate(solution or givens):
        if digit != ".":
            row, column = divmod(place, puzzle.shape[1])
            is_given = bool(solution) and bool(puzzle.givens[place])
            text = Text(column + 0.5, row + y, digit, size, style.thick.colour, is_given)
            yield from symbol(text, style, is_answer=bool(solution) and not is_given)


def key_of(n: int, style: GridStyle, grey: str) -> Picture:
    """Draw what stands for the digits 1 to `n`, each above its digit."""
    shapes: list[Shape] = []
    for i in range(n):
        digit = Text(i + 0.5, 0.5, DIGITS[i], style.size, style.thick.colour)
        shapes += [*symbol(digit, style), digit._replace(y=1.35, size=0.6 * style.size, fill=grey)]
    return Picture(n, 1.7, tuple(shapes))
