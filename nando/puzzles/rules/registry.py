"""All rules. A new rule is a class in a file here and its name in `RULES`."""

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

from nando.puzzles.boards.rule import Rule
from nando.puzzles.rules.arrows import Arrow
from nando.puzzles.rules.boxes import Boxes, Regions
from nando.puzzles.rules.cages import Cage, LittleKiller
from nando.puzzles.rules.cells import (
    Even,
    GivenCandidates,
    High,
    Low,
    Maximum,
    Minimum,
    Odd,
)
from nando.puzzles.rules.clones import Clone
from nando.puzzles.rules.houses import (
    Argyle,
    Asterisk,
    CentreDot,
    Diagonals,
    DisjointGroups,
    ExtraRegion,
    Girandola,
    Windoku,
)
from nando.puzzles.rules.lines import (
    Between,
    Entropic,
    Modular,
    Palindrome,
    Parity,
    RegionSum,
    Renban,
    Whispers,
    Zipper,
)
from nando.puzzles.rules.marks import XV, Consecutive, Difference, Greater, Kropki, Ratio
from nando.puzzles.rules.moves import AntiKing, AntiKnight, NonConsecutive
from nando.puzzles.rules.outside import FrameSum, NumberedRoom, Sandwich, Skyscraper, XSums
from nando.puzzles.rules.quadruples import Quadruple
from nando.puzzles.rules.thermometers import Thermometer

RULES: tuple[type[Rule], ...] = (
    Boxes,
    Regions,
    Diagonals,
    Windoku,
    DisjointGroups,
    CentreDot,
    Asterisk,
    Girandola,
    Argyle,
    ExtraRegion,
    AntiKnight,
    AntiKing,
    NonConsecutive,
    Cage,
    LittleKiller,
    Sandwich,
    XSums,
    Skyscraper,
    FrameSum,
    NumberedRoom,
    Kropki,
    XV,
    Greater,
    Consecutive,
    Difference,
    Ratio,
    Quadruple,
    Thermometer,
    Arrow,
    Palindrome,
    Renban,
    Whispers,
    Parity,
    Entropic,
    Modular,
    Between,
    Zipper,
    RegionSum,
    Odd,
    Even,
    Low,
    High,
    Minimum,
    Maximum,
    Clone,
    GivenCandidates,
)
"""Every rule, in the order in which texts list them."""

_BY_NAME = {rule.name: rule for rule in RULES}


def find_rule(name: str) -> type[Rule]:
    """Return the class of a rule by its name.

    Raises
    ------
    ValueError
        For an unknown name; the message has the closest one, or all.
    """
    if name not in _BY_NAME:
        close = get_close_matches(name[:30], _BY_NAME, 1)
        known = f"did you mean {close[0]!r}?" if close else f"known: {', '.join(_BY_NAME)}"
        raise ValueError(f"unknown rule {name[:30]!r}; {known}")
    return _BY_NAME[name]


def rule_of_text(text: str) -> Rule:
    """Return the rule of a text, for example ``killer:r1c1r1c2:7``; ValueError if it is none."""
    name, *parts = text.strip().split(":")
    return find_rule(name.strip().casefold()).from_text([part.strip() for part in parts])


def rule_of_json(record: Mapping[str, Any]) -> Rule:
    """Return the rule of plain values with its name under ``rule``; ValueError if it is none."""
    values = dict(record)
    return find_rule(str(values.pop("rule", ""))).from_json(values)


def place_of(rule: Rule) -> int:
    """Return the place of a rule in the order of texts."""
    return RULES.index(type(rule))
