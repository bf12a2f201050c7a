"""Requests for rules, such as ``whispers:4``."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from nando.generators.variants.clues import CLUES
from nando.puzzles.boards.board import ONE_GRID, Board, Cell, Cells
from nando.puzzles.boards.rule import Rule
from nando.puzzles.rules.boxes import Regions
from nando.puzzles.rules.registry import find_rule
from nando.puzzles.variants.text import DIGITS, LAYOUTS, NO_BOXES

ALIASES = {"jigsaw": "regions", "thermo": "thermometer", "quadruples": "quadruple"}
"""Other names of rules."""


@dataclass(frozen=True)
class Clues:
    """A rule whose clues are generated.

    Attributes
    ----------
    rule : type of Rule
    given : tuple of (str, object)
        Requested parameters.
    """

    rule: type[Rule]
    given: tuple[tuple[str, Any], ...] = ()

    def is_impossible(self, board: Board) -> bool:
        """Return True if no two digits obey the requested number."""
        number = CLUES[self.rule.name].number
        if number not in dict(self.given):
            return False
        cells: Any = (Cell(0, 0), Cell(0, 1))
        make: Any = self.rule
        clue = make((cells,) if number == "value" else cells, **dict(self.given))
        return next(clue.faults(board), None) is not None


@dataclass(frozen=True)
class Asked:
    """The rules of new puzzles.

    Attributes
    ----------
    corners : tuple of Cell
        The grids of the board.
    is_boxed : bool
        True if the usual boxes of the size are houses.
    fixed : tuple of Rule
        Rules without clues.
    clues : tuple of Clues
        Rules whose clues are generated.
    digits : str
        The lowest and the highest digit; empty for the usual ones.
    """

    corners: Cells = ONE_GRID
    is_boxed: bool = True
    fixed: tuple[Rule, ...] = ()
    clues: tuple[Clues, ...] = ()
    digits: str = ""


def read_rules(names: Sequence[str]) -> Asked:
    """Parse the names of rules.

    Raises
    ------
    ValueError
        For an unknown rule or parameter, a rule named twice, or two arrangements of grids.
    """
    corners, boxed, digits = ONE_GRID, True, ""
    fixed: list[Rule] = []
    clues: list[Clues] = []
    for text in names:
        name, *parts = text.strip().casefold().split(":")
        name = ALIASES.get(name, name)
        if name in LAYOUTS:
            if corners != ONE_GRID:
                raise ValueError(f"several arrangements of grids: name {name} or the other alone")
            corners = LAYOUTS[name][1]
        elif name == NO_BOXES:
            boxed = False
        elif name == DIGITS:
            digits = ":".join(parts) or name
        elif name in CLUES:
            clues.append(Clues(find_rule(name), _parameters(name, parts)))
        else:
            fixed.append(find_rule(name).from_text(parts))
    divided = any(clue.rule is Regions for clue in clues)
    named = [type(rule) for rule in fixed] + [clue.rule for clue in clues]
    if twice := [rule.name for rule in named if named.count(rule) > 1]:
        raise ValueError(f"the rule {twice[0]} is named twice: name it once")
    return Asked(corners, boxed and not divided, tuple(fixed), tuple(clues), digits)


def _parameters(name: str, parts: Sequence[str]) -> tuple[tuple[str, Any], ...]:
    """Return the parameters of a rule with clues."""
    kind = CLUES[name]
    given: dict[str, Any] = {}
    for part in parts:
        if kind.flag and part == kind.flag:
            given[kind.flag] = True
        elif kind.number and part.isdecimal() and len(part) < 3:
            given[kind.number] = int(part)
        else:
            known = [f"{name}:{each}" for each in (kind.flag, kind.number and "NUMBER") if each]
            forms = " or ".join([name, *known])
            raise ValueError(f"{name}: {part[:30]!r} is not part of it; ask for {forms}")
    return tuple(given.items())
