"""All rules. A new rule is a class in a file here and its name in `RULES`."""

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

from nando.puzzles import rules
from nando.puzzles.boards.rule import Rule

RULES: tuple[type[Rule], ...] = (
    rules.Boxes,
    rules.Regions,
    rules.Diagonals,
    rules.Windoku,
    rules.DisjointGroups,
    rules.CentreDot,
    rules.Asterisk,
    rules.Girandola,
    rules.Argyle,
    rules.ExtraRegion,
    rules.AntiKnight,
    rules.AntiKing,
    rules.NonConsecutive,
    rules.Cage,
    rules.LittleKiller,
    rules.Sandwich,
    rules.XSums,
    rules.Skyscraper,
    rules.FrameSum,
    rules.NumberedRoom,
    rules.Kropki,
    rules.XV,
    rules.Greater,
    rules.Consecutive,
    rules.Difference,
    rules.Ratio,
    rules.Quadruple,
    rules.Thermometer,
    rules.Arrow,
    rules.Palindrome,
    rules.Renban,
    rules.Whispers,
    rules.Parity,
    rules.Entropic,
    rules.Modular,
    rules.Between,
    rules.Zipper,
    rules.RegionSum,
    rules.Odd,
    rules.Even,
    rules.Low,
    rules.High,
    rules.Minimum,
    rules.Maximum,
    rules.Indexing,
    rules.Clone,
    rules.GivenCandidates,
)
"""Every rule, in the order in which texts list them."""

_BY_NAME = {rule.name: rule for rule in RULES}


def find_rule(name: str) -> type[Rule]:
    """Return the class of a rule by its name.

    Raises
    ------
    ValueError
        For an unknown name; the message suggests the closest name, or lists all.
    """
    if name not in _BY_NAME:
        close = get_close_matches(name[:30], _BY_NAME, 1)
        known = f"did you mean {close[0]!r}?" if close else f"known: {', '.join(_BY_NAME)}"
        raise ValueError(f"unknown rule {name[:30]!r}; {known}")
    return _BY_NAME[name]


def rule_of_text(text: str) -> Rule:
    """Return the rule of a text, for example ``killer:r1c1r1c2:7``; ValueError for other texts."""
    name, *parts = text.strip().split(":")
    return find_rule(name.strip().casefold()).from_text([part.strip() for part in parts])


def rule_of_json(record: Mapping[str, Any]) -> Rule:
    """Return the rule of plain values with its name under ``rule``; ValueError for other values."""
    values = dict(record)
    return find_rule(str(values.pop("rule", ""))).from_json(values)


def place_of(rule: Rule) -> int:
    """Return the place of a rule in the order of texts."""
    return RULES.index(type(rule))
