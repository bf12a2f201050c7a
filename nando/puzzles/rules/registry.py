"""All rules, and their words. A new rule is a class in a file here and its name in `RULES`."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from typing import Any

from nando.checks import nearest
from nando.languages import texts
from nando.puzzles import rules
from nando.puzzles.boards.board import Board, box_shape
from nando.puzzles.boards.rule import Rule
from nando.puzzles.rules.boxes import Boxes

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
    rules.AntiTaxicab,
    rules.GlobalEntropy,
    rules.GlobalModular,
    rules.Cage,
    rules.Rellik,
    rules.EqualSums,
    rules.LookAndSay,
    rules.LittleKiller,
    rules.Sandwich,
    rules.XSums,
    rules.Skyscraper,
    rules.FrameSum,
    rules.NumberedRoom,
    rules.FullRank,
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
    rules.Nabner,
    rules.Whispers,
    rules.Parity,
    rules.Entropic,
    rules.Modular,
    rules.Between,
    rules.Lockout,
    rules.Zipper,
    rules.RegionSum,
    rules.DoubleArrow,
    rules.SumLine,
    rules.Lunchbox,
    rules.Odd,
    rules.Even,
    rules.Low,
    rules.High,
    rules.Minimum,
    rules.Maximum,
    rules.Indexing,
    rules.BoxIndexing,
    rules.CountingCircles,
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
        known = nearest(name[:30], _BY_NAME) or f"; known: {', '.join(_BY_NAME)}"
        raise ValueError(f"unknown rule {name[:30]!r}{known}")
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


# Rules in the words of players: a name and a sentence for each, in a table for each language


def rule_name(rule: Rule | type[Rule], language: str = "en") -> str:
    """Return the name of a rule among players."""
    return _texts_of(rule.name, language)["name"]


def rule_sentences(rule: Rule, digits: range, language: str = "en") -> list[str]:
    """Return the sentences that explain a rule on a board with these digits.

    The first sentence is the rule itself; each flag that is set adds a sentence.
    """
    own = _texts_of(rule.name, language)
    values = {field.name: getattr(rule, field.name) for field in fields(rule)}
    named = (f"rule-{value}" for value in values.values())
    first = next((key for key in named if key in own), "rule")
    keys = [first, *(name.replace("_", "-") for name, value in values.items() if value is True)]
    if "distinct" in own and len(keys) == 1:
        keys.append("distinct")
    values |= {"low": digits[0], "n": digits[-1]}
    return [own[key].format(**values) for key in keys if key in own]


def all_sentences(board: Board, rules: Iterable[Rule], language: str = "en") -> list[str]:
    """Return the sentences that explain a board and its rules, each once.

    Examples
    --------
    >>> from nando.puzzles import Variant
    >>> puzzle = Variant("6x6+killer:r1c1r1c2:7+killer:r3c1r3c2:5")
    >>> for sentence in all_sentences(puzzle.board, puzzle.rules):
    ...     print(sentence)
    Every row and every column of a grid holds each digit from 1 to 6 once.
    Every box of 2 rows and 3 columns holds each digit once.
    The digits in a dashed cage sum to its number, if it has one.
    No digit repeats in a cage.
    """
    general = texts(language, "rules")["cells"]
    said = [] if board.is_single else [general["several"]]
    digits = general["some_digits" if board.absent else "digits"]
    said.append(digits.format(low=board.values[0], n=board.values[-1]))
    for rule in rules:
        said += rule_sentences(rule, board.values, language)
    return list(dict.fromkeys(said))


def titles(board: Board, rules: Iterable[Rule], language: str = "en") -> list[str]:
    """Return what distinguishes a puzzle in a list: its size, grids and rules, each once.

    Examples
    --------
    >>> from nando.puzzles import Variant
    >>> puzzle = Variant("6x6+killer:r1c1r1c2:7+killer:r3c1r3c2:5")
    >>> titles(puzzle.board, puzzle.rules)
    ['6x6', 'Cage']
    """
    n, shape = board.size, box_shape(board.size)
    said = [] if n == 9 else [f"{n}x{n}"]
    if not board.has_usual_digits:
        said.append(f"{board.values[0]}-{board.values[-1]}")
    if not board.is_single:
        said.append(texts(language, "rules")["cells"]["title"].format(grids=len(board.corners)))
    own = [rule for rule in rules if shape is None or rule != Boxes(*shape)]
    return list(dict.fromkeys([*said, *(rule_name(rule, language) for rule in own)]))


def genre_name(
    names: Sequence[str], digits: int, language: str = "en", *, boxed: bool = True
) -> str:
    r"""Return the name of puzzles with these rules or arrangements of grids.

    Examples
    --------
    >>> genre_name(["killer"], 6, "de")
    'Killer-Sudoku 6\xa0×\xa06'
    """
    cells: dict[str, str] = texts(language, "rules")["cells"]
    known = [cells[n] if n in cells else _genre_of(n, language) for n in names]
    key = ("plain" if boxed else "latin", "sudoku", "several_genres")[min(len(known), 2)]
    kind = cells[key].format(genre=cells["plus"].join(known))
    return kind if digits == 9 else cells["sized"].format(kind=kind, n=digits)


def _texts_of(name: str, language: str) -> dict[str, str]:
    """Return the texts of a rule, in English if the language has none."""
    own, english = texts(language, "rules"), texts("en", "rules")
    of_rule: dict[str, str] = own.get(name) or english[name]
    return of_rule


def _genre_of(name: str, language: str) -> str:
    own = _texts_of(name, language)
    return own["genre"] if "genre" in own else own["name"]
