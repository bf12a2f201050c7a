"""Names of cells, houses and digits in a language, and how they are listed in a sentence."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import fields
from itertools import groupby
from typing import Any

from nando.puzzles import Sudoku, Variant
from nando.puzzles.boards.board import Cell, Line
from nando.puzzles.rules.registry import rule_name
from nando.solvers.logic.language import Words
from nando.solvers.logic.marks import houses_in
from nando.solvers.variants.network import network_of

KINDS = ("row", "column", "box")
"""Houses that are named together: the boxes of a variant are named by their rule."""


class Names:
    """Names on a Sudoku or a variant; only a variant has rules.

    Parameters
    ----------
    words : Words
    puzzle : Sudoku or Variant
    symbols : str
        A dot, then what each digit is called; empty for the symbols of the puzzle.

    Examples
    --------
    >>> from nando.solvers.logic.language import words_for
    >>> puzzle = Sudoku("." * 81)
    >>> [Names(words_for("sudoku", tag), puzzle).houses([2, 0, 13]) for tag in ("en", "de")]
    ['rows 1 and 3 and column 5', 'Zeilen 1 und 3 und Spalte 5']
    >>> puzzle = Variant("9x9+diagonals:rising+killer:r1c1r1c2:7+thermometer:r3c1r2c1r1c1")
    >>> names = Names(words_for("variant", "en"), puzzle)
    >>> names.house(26), names.house(27), names.rule(2)
    ('box 9', 'the rising diagonal', 'the cage of 7 at r1c1')
    >>> Names(words_for("variant", "de"), puzzle).rule(3)
    'Thermometer Z3S1–Z1S1'
    """

    def __init__(self, words: Words, puzzle: Sudoku | Variant, symbols: str = "") -> None:
        self.words = words
        self.puzzle: Any = puzzle
        self.symbols = symbols or puzzle.symbols

    def cell(self, cell: int) -> str:
        """Return the name of a cell."""
        return self.words.cell(cell, self.puzzle.shape[1])

    def cells(self, numbers: Iterable[int], joint: str = "and") -> str:
        """Return the names of cells as a list in a sentence, each once and in order."""
        return self.words.listed(map(self.cell, sorted(set(numbers))), joint)

    def group(self, numbers: Iterable[int]) -> str:
        """Return the joint name of one cell, or of several on a line; others are listed.

        Examples
        --------
        >>> from nando.solvers.logic.language import words_for
        >>> names = Names(words_for("sudoku", "en"), Sudoku("." * 81))
        >>> names.group([13, 14]), names.group([13, 22])
        ('r2c56', 'r23c5')
        """
        cells, (height, width) = set(numbers), self.puzzle.shape
        rows = sorted({cell // width + 1 for cell in cells})
        columns = sorted({cell % width + 1 for cell in cells})
        if len(rows) * len(columns) > len(cells):
            return self.cells(cells)
        joint = "" if max(height, width) < 10 else self.words("cell.several")
        row, column = joint.join(map(str, rows)), joint.join(map(str, columns))
        return self.words("cell.name", row=row, column=column)

    def the(self, digit: int) -> str:
        """Return a digit with its article."""
        symbol = self.symbols[digit]
        return self.words("digit.number" if symbol.isdigit() else "digit.letter", digit=symbol)

    def digits(self, values: Iterable[int], joint: str = "and") -> str:
        """Return the digits as a list in a sentence, each once and in order.

        Examples
        --------
        >>> from nando.solvers.logic.language import words_for
        >>> names = Names(words_for("sudoku", "en"), Sudoku("." * 256))
        >>> names.digits([5, 3], "or"), names.digits([2, 12, 4])
        ('3 or 5', '2, 4 and C')
        """
        return self.words.listed((self.symbols[value] for value in sorted(set(values))), joint)

    def bare(self, digits: Iterable[int]) -> str:
        """Return the digits in order, separated by spaces."""
        return " ".join(self.symbols[digit] for digit in sorted(digits))

    def house(self, number: int) -> str:
        """Return the name of a house, for example ``row 1``."""
        return self.houses([number])

    def houses(self, numbers: Sequence[int], key: str = "house") -> str:
        """Return the names of houses as a list in a sentence, those of a kind together.

        With the key ``among`` they have the form that follows "in".
        """
        puzzle, words = self.puzzle, self.words
        parts: list[str] = []
        is_single = isinstance(puzzle, Sudoku) or puzzle.board.is_single
        kinds = KINDS if isinstance(puzzle, Sudoku) else KINDS[: 2 * is_single]
        size = puzzle.shape[0]
        grouped = groupby(sorted(numbers), lambda n: min(n // size, len(kinds)))
        for kind, here in grouped:
            if kind == len(kinds):
                parts += map(self._house_of_rule, here)
            else:
                lines = [number % size + 1 for number in here]
                numerals = words.listed(map(str, lines))
                parts.append(words.count(f"{key}.{kinds[kind]}", len(lines), list=numerals))
        return words.listed(parts)

    def gone(self, eliminations: Iterable[tuple[int, int]]) -> str:
        """Return the candidates that a step removes, by digit or by cell, whichever is shorter.

        Examples
        --------
        >>> from nando.solvers.logic.language import words_for
        >>> names = Names(words_for("sudoku", "en"), Sudoku("." * 81))
        >>> names.gone([(3, 3), (8, 5)])
        'remove 3 from r1c4 and 5 from r1c9'
        >>> names.gone([(3, 3), (3, 5), (8, 3), (8, 5)])
        'remove 3 and 5 from r1c4 and r1c9'
        """
        words, pairs = self.words, _group(eliminations)
        named = [{"digits": self.digits(d), "cells": self.cells(c)} for d, c in pairs]
        parts = [words.count("gone.first", len(pairs[0][0]), **named[0])]
        parts += [words("gone.next", **pair) for pair in named[1:]]
        # Lists within a list are separated by semicolons.
        if len(pairs) > 1 and any(len(d) + len(c) > 2 for d, c in pairs):
            return words("list.semicolon").join(parts)
        return words.listed(parts)

    def _house_of_rule(self, number: int) -> str:
        houses, width = houses_in(self.puzzle), self.puzzle.shape[1]
        rule, cells = houses.rules[number], houses.cells[number]
        index = [*houses.rules[: number + 1]].count(rule)
        named = {"n": index, "cell": self.cell(cells[0]), "last": self.cell(cells[-1])}
        if rule < 0:
            kind = "row" if cells[0] // width == cells[-1] // width else "column"
            return self.words(f"line.{kind}", **named)
        of = self.puzzle.rules[rule]
        name = f"rule.{of.name}"
        if self.puzzle.board.is_single:
            words = (getattr(of, field.name) for field in fields(of))
            keys = [f"{name}.{word}.house" for word in words if isinstance(word, str)]
            keys.append(f"{name}.house_{index}")
        else:
            keys = [f"{name}.house_at"]
        keys.append(f"{name}.house")
        key = next((key for key in keys if key in self.words.table), None)
        return self.rule(rule) if key is None else self.words(key, **named)

    def rule(self, number: int, cells: Sequence[int] = ()) -> str:
        """Return the name of a rule or, with two cells, of its mark between them."""
        named = self._of_rule(number, cells, "name")
        return named or rule_name(self.puzzle.rules[number], self.words.language)

    def meaning(self, number: int, cells: Sequence[int] = ()) -> str:
        """Return the name of a rule and what it requires."""
        means = self._of_rule(number, cells, "means")
        named = self.rule(number, cells)
        return self.words("rules.meaning", rule=named, means=means) if means else named

    def _of_rule(self, number: int, cells: Sequence[int], part: str) -> str:
        rule = self.puzzle.rules[number]
        named = rule.cells_named()
        shown: dict[str, object] = {"cell": "", "last": "", "first": "", "second": ""}
        if named:
            shown |= {"cell": self._cell_name(named[0]), "last": self._cell_name(named[-1])}
        if len(cells) > 1:
            shown |= {"first": self.cell(cells[0]), "second": self.cell(cells[1])}
        keys = []
        for field in fields(rule):
            value = getattr(rule, field.name)
            if isinstance(value, Line):
                key = f"side.{value.edge}"
                shown[field.name] = self.words(key, n=value.number)
            elif isinstance(value, int | str):
                shown[field.name] = value
                # A missing mark has a place only between two cells.
                if len(cells) > 1 or not field.name.startswith("all_"):
                    keys.append(field.name if value is True else str(value))
            elif (
                isinstance(value, tuple) and value and all(isinstance(item, int) for item in value)
            ):
                if not isinstance(value, Cell):
                    lowest = self.puzzle.board.lowest
                    shown[field.name] = self.digits(1 + item - lowest for item in value)
            elif len(cells) > 1 and self._marks(value, cells):
                keys.insert(0, field.name)
        if any(getattr(rule, field.name) is None for field in fields(rule)):
            keys.append("bare")
        for key in [
            *(f"rule.{rule.name}.{key}.{part}" for key in keys),
            f"rule.{rule.name}.{part}",
        ]:
            if key in self.words.table:
                return self.words(key, **shown)
        return ""

    def _marks(self, value: object, cells: Sequence[int]) -> bool:
        """Return True if a value holds marks on pairs of cells, with one between these two."""
        if not isinstance(value, tuple):
            return False
        ends = {Cell(*divmod(cell, self.puzzle.shape[1])) for cell in cells[:2]}
        return any(isinstance(pair, tuple) and set(pair) == ends for pair in value)

    def _cell_name(self, cell: Cell) -> str:
        return self.cell(cell.row * self.puzzle.shape[1] + cell.column)

    def rules(self, numbers: Iterable[int], cells: Sequence[int] = ()) -> str:
        """Return the rules, and what they require, as a list in a sentence."""
        return self.words.listed(self.meaning(number, cells) for number in numbers)

    def rules_between(self, cell: int, other: int) -> tuple[int, ...]:
        """Return the rules that relate two cells."""
        network, origins = network_of(self.puzzle)
        at, to = map(self.puzzle.places.index, (cell, other))
        arcs = range(*network.arc_start[at : at + 2].tolist())
        return tuple(
            dict.fromkeys(origins.arcs[arc] for arc in arcs if network.arc_cell[arc] == to)
        )

    def keeping_apart(self, cell: int, other: int) -> tuple[int, ...]:
        """Return the rules other than houses that forbid equal digits in two cells."""
        places = self.puzzle.places
        groups = network_of(self.puzzle)[1].groups
        inside = [rule for rule, cells in groups if {cell, other} <= {places[c] for c in cells}]
        return tuple(rule for rule in dict.fromkeys(inside) if rule >= 0)


def _group(eliminations: Iterable[tuple[int, int]]) -> list[tuple[list[int], list[int]]]:
    """Group removed digits with their cells, in as few parts as possible."""
    of_digit: dict[int, list[int]] = defaultdict(list)
    of_cell: dict[int, list[int]] = defaultdict(list)
    for cell, digit in sorted(eliminations):
        of_digit[digit].append(cell)
        of_cell[cell].append(digit)
    by_cells: dict[tuple[int, ...], list[int]] = defaultdict(list)
    for digit, where in sorted(of_digit.items()):
        by_cells[tuple(where)].append(digit)
    by_digits: dict[tuple[int, ...], list[int]] = defaultdict(list)
    for cell, which in of_cell.items():
        by_digits[tuple(which)].append(cell)
    pairs = [(which, list(where)) for where, which in by_cells.items()]
    if len(by_digits) < len(pairs):
        pairs = [(list(which), where) for which, where in by_digits.items()]
    return pairs
