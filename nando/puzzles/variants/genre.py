"""Genres, by which books and lists group variants."""

import re
from dataclasses import dataclass
from typing import Self

from nando.checks import shape_of
from nando.puzzles.boards.board import box_shape
from nando.puzzles.rules.boxes import Boxes, Regions
from nando.puzzles.rules.registry import RULES, find_rule, genre_name
from nando.puzzles.variants.puzzle import Variant
from nando.puzzles.variants.text import LAYOUTS, NO_BOXES

_SIZE = re.compile(r"\d+x\d+")
_ALSO = {"jigsaw": Regions.name}
"""Other names of rules."""
_GRIDS = "grids"


@dataclass(frozen=True)
class Genre:
    """The size of the grids, their arrangement, and the names of the rules, without cells.

    Attributes
    ----------
    digits : int
    grids : str
        A named arrangement of several grids, ``"grids"`` for any other, empty for one grid.
    rules : tuple of str
        Names of the rules in the order of texts, without boxes.
    boxed : bool
        Whether the grids have boxes or regions.

    Examples
    --------
    >>> Genre.of(Variant("6x6+killer:r1c1r1c2:7+killer:r2c1r2c2:5"))
    Genre(digits=6, grids='', rules=('killer',), boxed=True)
    >>> Genre.read("anti-knight,diagonals").name("en")
    'Diagonal + Anti-Knight Sudoku'
    """

    digits: int = 9
    grids: str = ""
    rules: tuple[str, ...] = ()
    boxed: bool = True

    @classmethod
    def of(cls, puzzle: Variant) -> Self:
        """Return the genre of a puzzle."""
        board = puzzle.board
        named = (
            name for name, corners in LAYOUTS.items() if corners == (board.size, board.corners)
        )
        rules = dict.fromkeys(rule.name for rule in puzzle.rules)
        boxed = bool({Boxes.name, Regions.name} & rules.keys())
        rules.pop(Boxes.name, None)
        grids = "" if board.is_single else next(named, _GRIDS)
        return cls(board.size, grids, tuple(rules), boxed)

    @classmethod
    def read(cls, text: str, size: str = "") -> Self:
        """Return the genre of names with commas or plus signs between them, for example ``killer``.

        Parameters
        ----------
        text : str
            Names of rules, of an arrangement of grids such as ``samurai``, and sizes such as
            ``6x6``.
        size : str
            The size, if the text has none; default 9x9.

        Raises
        ------
        ValueError
            For an unknown name, two arrangements, or an invalid size.
        """
        names = [name.strip() for name in re.split("[,+]", text)]
        sizes = {name for name in (*names, size) if _SIZE.fullmatch(name)}
        grids = [name for name in names if name in LAYOUTS or name == _GRIDS]
        others = [_ALSO.get(n, n) for n in names if n not in {*sizes, *grids, NO_BOXES}]
        rules = {find_rule(name) for name in others}
        for several in (grids, sorted(sizes)):
            if len(several) > 1:
                raise ValueError(f"{text!r} has {' and '.join(several)}: give one of them")
        height, digits = shape_of(next(iter(sizes), "9x9"))
        if digits != height or not 2 <= digits <= 25:
            raise ValueError(f"size must be 2x2 to 25x25, for example 6x6, got {min(sizes)!r}")
        boxed = Regions in rules or (box_shape(digits) is not None and NO_BOXES not in names)
        ordered = tuple(rule.name for rule in RULES if rule in rules - {Boxes})
        return cls(digits, next(iter(grids), ""), ordered, boxed)

    @property
    def names(self) -> tuple[str, ...]:
        """All names except the size: grids, missing boxes, rules."""
        without = [NO_BOXES] if box_shape(self.digits) is not None and not self.boxed else []
        return (*filter(None, [self.grids]), *without, *self.rules)

    def __str__(self) -> str:
        """Return the text that `read` reads back, for example ``6x6+killer``."""
        return "+".join([f"{self.digits}x{self.digits}", *self.names])

    def name(self, language: str = "en") -> str:
        """Return the name of the genre in a language of books."""
        return genre_name(
            [*filter(None, [self.grids]), *self.rules], self.digits, language, boxed=self.boxed
        )
