"""What stands in cells for digits: the digits themselves, letters, or pictures for children."""

import math
from collections.abc import Callable, Iterator
from itertools import groupby

import numpy as np

from nando.drawing.shapes import (
    FAINT,
    INK,
    Disc,
    GridStyle,
    Picture,
    Placed,
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
_FEW = 0.15
"""Share of givens up to which a solution is drawn in one colour."""


def _ring(n: int, *radii: float) -> tuple[tuple[float, float], ...]:
    """Return points around the middle of a cell at distances in turn, beginning at the top."""
    turns = [(2 * math.pi * i / n, radii[i % len(radii)]) for i in range(n)]
    return tuple((radius * math.sin(turn), -radius * math.cos(turn)) for turn, radius in turns)


def _crescent(radius: float, bay: float, away: float) -> tuple[tuple[float, float], ...]:
    """Return points around a disc without another one, whose middle is to the right of its own."""
    tips = (radius**2 + away**2 - bay**2) / (2 * away)
    rim, inside = math.acos(tips / radius), math.acos((tips - away) / bay)
    shares = [i / 40 for i in range(41)]
    outer = [(0.0, radius, rim + share * 2 * (math.pi - rim)) for share in shares]
    inner = [(away, bay, -inside - share * 2 * (math.pi - inside)) for share in shares]
    return tuple((x + r * math.cos(turn), r * math.sin(turn)) for x, r, turn in outer + inner)


_PICTURES: tuple[tuple[Shape, ...], ...] = (
    (Disc(0, 0, 0.29, ""),),
    (Rect(-0.27, -0.27, 0.54, 0.54, ""),),
    (Polygon(_ring(3, 0.36), ""),),
    (Polygon(_ring(10, 0.36, 0.15), ""),),
    (
        *(Disc(side * 0.14, -0.1, 0.165, "") for side in (-1, 1)),
        Polygon(((-0.29, -0.03), (0.29, -0.03), (0, 0.33)), ""),
    ),
    (Polygon(_crescent(0.31, 0.25, 0.15), ""),),
    (*(Disc(x, y, 0.13, "") for x, y in _ring(5, 0.2)), Disc(0, 0, 0.1, _WHITE)),
    (Polygon(_ring(4, 0.36, 0.24), ""),),
    (Rect(-0.1, -0.32, 0.2, 0.64, ""), Rect(-0.32, -0.1, 0.64, 0.2, "")),
)
"""A picture for each digit, around the middle of a cell and without its colour: disc, square,
triangle, star, heart, moon, flower, diamond, cross."""

PICTURED = "".join(chr(0xE001 + i) for i in range(len(_PICTURES)))
"""Characters of texts in whose place these pictures are drawn, private ones of Unicode."""
IN_DIGITS = str.maketrans(PICTURED, DIGITS)
IN_CAPITALS = str.maketrans(dict.fromkeys(PICTURED, "O"))
"""Translations of these characters: to what is read aloud, and to letters of their width."""
_IN_TYPE = 1.15
"""Size of a picture in a line of text, as a multiple of the type."""


def stand_in(digit: str, symbols: str) -> str:
    """Return the letter or the character of a picture that stands for a digit.

    Raises
    ------
    ValueError
        If there is no picture or letter for the digit.
    """
    if symbols and digit == "0":
        raise ValueError("letters and pictures stand for digits from 1, got 0: leave out symbols")
    if symbols == "letters":
        value = int(digit) if digit in DIGITS else 10 + ord(digit) - ord("A")
        return chr(ord("A") + value - 1)
    if symbols == "pictures":
        if digit not in DIGITS:
            raise ValueError(
                f"pictures stand for the digits 1 to 9, got {digit}: choose symbols = 'letters'"
            )
        return PICTURED[int(digit) - 1]
    return digit


def called(puzzle: Sudoku | Variant, symbols: str) -> str:
    """Return a dot and what stands for each digit of a puzzle; empty for the digits themselves."""
    if not symbols:
        return ""
    digits = puzzle.symbols[1 : puzzle.size + 1]
    return "." + "".join(stand_in(digit, symbols) for digit in digits)


def symbol(text: Text, style: GridStyle, *, is_answer: bool = False) -> Iterator[Shape]:
    """Yield what stands for a digit that would be drawn as `text`; answers of pictures are fainter.

    Raises
    ------
    ValueError
        If there is no picture or letter for the digit.
    """
    char = stand_in(text.text, style.symbols)
    if char in PICTURED:
        yield from _drawn(char, FAINT if is_answer else text.fill, text.x, text.y)
    else:
        yield text._replace(text=char)


def _drawn(char: str, fill: str, x: float, y: float) -> Iterator[Shape]:
    """Yield the picture of a character around a point; what is white in it contrasts with it."""
    for shape in move(_PICTURES[PICTURED.index(char)], x, y):
        own = shape.fill  # type: ignore[union-attr]
        yield shape._replace(fill=INK if own == fill else own or fill)  # type: ignore[call-arg]


def set_pictures(picture: Picture, width_of: Callable[[Text], float]) -> Picture:
    """Return a picture in which pictures are drawn for the characters of `PICTURED`.

    `width_of` returns the width of a line of text.
    """

    def redrawn(shape: Shape) -> Shape:
        if isinstance(shape, Placed):
            return shape._replace(picture=set_pictures(shape.picture, width_of))
        if isinstance(shape, Text) and any(char in PICTURED for char in shape.text):
            parts = Picture(picture.width, picture.height, (*_set_line(shape, width_of),))
            return Placed(0, 0, 1, parts)
        return shape

    return picture._replace(shapes=tuple(map(redrawn, picture.shapes)))


def _set_line(line: Text, width_of: Callable[[Text], float]) -> Iterator[Shape]:
    """Yield the parts of a line of text, and the pictures between them."""
    share = {"start": 0.0, "middle": 0.5, "end": 1.0}[line.align]
    x, size = line.x - share * width_of(line), _IN_TYPE * line.size
    for is_picture, chars in groupby(line.text, key=PICTURED.__contains__):
        run = "".join(chars)
        part = line._replace(x=x, text=run, align="start")
        if is_picture:
            wide = width_of(part) / len(run)
            for i, char in enumerate(run):
                shapes = (*_drawn(char, line.fill, 0.5, 0.5),)
                left = x + (i + 0.5) * wide - size / 2
                yield Placed(left, line.y - size / 2, size, Picture(1, 1, shapes))
        elif text := run.lstrip():  # a browser leaves out spaces at the beginning of a text
            yield part._replace(
                x=x + width_of(part) - width_of(part._replace(text=text)), text=text
            )
        x += width_of(part)


def entries(
    puzzle: Sudoku | Variant, solution: str, style: GridStyle, size: float, y: float
) -> Iterator[Shape]:
    """Draw what stands for the givens of a board, or for its solution with bold givens.

    Other pictures of a solution are fainter, unless nearly all would be. Digits have a size of
    type, and their middle is `y` cells below the upper edge.
    """
    givens = puzzle.solution_text(puzzle.givens)
    fades = bool(solution) and int(np.count_nonzero(puzzle.givens)) > _FEW * puzzle.givens.size
    for place, digit in enumerate(solution or givens):
        if digit != ".":
            row, column = divmod(place, puzzle.shape[1])
            is_given = bool(solution) and bool(puzzle.givens[place])
            text = Text(column + 0.5, row + y, digit, size, style.thick.colour, is_given)
            yield from symbol(text, style, is_answer=fades and not is_given)


def key_of(n: int, style: GridStyle, grey: str) -> Picture:
    """Draw what stands for the digits 1 to `n`, each above its digit."""
    shapes: list[Shape] = []
    for i in range(n):
        digit = Text(i + 0.5, 0.5, DIGITS[i], style.size, style.thick.colour)
        shapes += [*symbol(digit, style), digit._replace(y=1.35, size=0.6 * style.size, fill=grey)]
    return Picture(n, 1.7, tuple(shapes))
