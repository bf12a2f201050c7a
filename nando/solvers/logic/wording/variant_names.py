"""Names of cells, houses and rules of a variant in a language."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields
from functools import lru_cache

from nando.puzzles import Variant
from nando.puzzles.boards.board import Cell, Line
from nando.puzzles.rules.words import rule_name
from nando.solvers.logic.language import Words, words_of
from nando.solvers.logic.variants.layout import layout_of
from nando.solvers.logic.wording.names import Names
from nando.solvers.variants.network import network_of


def variant_words(language: str) -> Words:
    """Return the texts of steps on a variant, in a language: those of Sudoku, and its own."""
    return words_of(language, "sudoku", "variants")


class VariantNames(Names):
    """Names on a variant.

    Parameters
    ----------
    words : Words
    puzzle : Variant

    Examples
    --------
    >>> puzzle = Variant("9x9+diagonals:rising+killer:r1c1r1c2:7+thermometer:r3c1r2c1r1c1")
    >>> names = VariantNames(variant_words("en"), puzzle)
    >>> names.house(26), names.house(27), names.rule(2)
    ('box 9', 'the rising diagonal', 'the cage of 7 at r1c1')
    >>> VariantNames(variant_words("de"), puzzle).rule(3)
    'Thermometer Z3S1–Z1S1'
    """

    puzzle: Variant

    def houses(self, numbers: Sequence[int], key: str = "house") -> str:
        """Return the houses as a list in a sentence, rows and columns of a single grid together."""
        words, n, parts = self.words, self.puzzle.size, []
        rows = [number for number in sorted(numbers) if number < n]
        columns = [number - n for number in sorted(numbers) if n <= number < 2 * n]
        if not self.puzzle.board.is_single:
            rows, columns = [], []
        for kind, lines in (("row", rows), ("column", columns)):
            if lines:
                numerals = words.listed(str(line + 1) for line in lines)
                parts.append(words.count(f"{key}.{kind}", len(lines), list=numerals))
        lines_named = len(rows) + len(columns) > 0
        parts += [
            self._house(number)
            for number in sorted(numbers)
            if not (lines_named and number < 2 * n)
        ]
        return words.listed(parts)

    def _house(self, number: int) -> str:
        rule, index, cells = _houses_of(self.puzzle)[number]
        places = self.puzzle.places
        named = {
            "n": index,
            "cell": self.cell(places[cells[0]]),
            "last": self.cell(places[cells[-1]]),
        }
        single = self.puzzle.board.is_single
        if rule < 0:
            across = self.puzzle.board.cells[cells[0]].row == self.puzzle.board.cells[cells[-1]].row
            return self.words(f"line.{'row' if across else 'column'}", **named)
        of = self.puzzle.rules[rule]
        name = f"rule.{of.name}"
        if single:
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
            shown |= {"cell": self._named(named[0]), "last": self._named(named[-1])}
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
                keys.append(field.name if value is True else str(value))
            elif (
                isinstance(value, tuple) and value and all(isinstance(item, int) for item in value)
            ):
                if not isinstance(value, Cell):
                    shown[field.name] = self.digits(value)
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

    def _named(self, cell: Cell) -> str:
        return self.cell(cell.row * self.puzzle.shape[1] + cell.column)

    def rules(self, numbers: Iterable[int], cells: Sequence[int] = ()) -> str:
        """Return the rules, and what they require, as a list in a sentence."""
        return self.words.listed(self.meaning(number, cells) for number in numbers)

    def related(self, cell: int, other: int) -> tuple[int, ...]:
        """Return the rules that relate two cells."""
        return _relations_of(self.puzzle).get((cell, other), ())

    def keeping_apart(self, cell: int, other: int) -> tuple[int, ...]:
        """Return the rules other than houses that forbid equal digits in two cells."""
        places = self.puzzle.places
        groups = network_of(self.puzzle)[1].groups
        inside = [rule for rule, cells in groups if {cell, other} <= {places[c] for c in cells}]
        return tuple(dict.fromkeys(inside))


@lru_cache(maxsize=64)
def _houses_of(puzzle: Variant) -> list[tuple[int, int, list[int]]]:
    """Return for each house its rule, its number among the houses of the rule, and its cells."""
    layout, sources = layout_of(puzzle)
    counts: dict[int, int] = {}
    houses = []
    for rule, cells in zip(sources.houses, layout.houses.tolist(), strict=True):
        counts[rule] = counts.get(rule, 0) + 1
        houses.append((rule, counts[rule], cells))
    return houses


@lru_cache(maxsize=64)
def _relations_of(puzzle: Variant) -> dict[tuple[int, int], tuple[int, ...]]:
    return dict(_relations(puzzle))


def _relations(puzzle: Variant) -> Iterator[tuple[tuple[int, int], tuple[int, ...]]]:
    layout, sources = layout_of(puzzle)
    places, start = puzzle.places, layout.arc_start.tolist()
    for cell in range(layout.n_cells):
        for arc in range(start[cell], start[cell + 1]):
            yield (places[cell], places[int(layout.arc_cell[arc])]), sources.arcs[arc]
