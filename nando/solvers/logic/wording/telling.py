"""Put a step into words: the fields that most patterns share, and the reasons for links."""

from collections.abc import Sequence

from nando.puzzles import Sudoku
from nando.solvers.kinds import logic_of
from nando.solvers.logic.chains import assumptions
from nando.solvers.logic.language import Explanation, Words, express
from nando.solvers.logic.marks import PencilMarks
from nando.solvers.logic.step_pattern import path_of
from nando.solvers.logic.technique import LogicStep
from nando.solvers.logic.wording.names import Names

_PATTERNS = ("pointing", "claiming", "locked candidates", "naked pair", "hidden pair", "X-wing")
"""Techniques that assumptions may use and that are named.

Chains are not: their searches are long.
"""


class Reasons:
    """Says why the links of a chain follow, on a Sudoku or on a variant.

    Parameters
    ----------
    step : LogicStep
    marks : PencilMarks
        The marks before the step.
    names : Names
    """

    def __init__(self, step: LogicStep, marks: PencilMarks, names: Names) -> None:
        self.names = names
        self._marks = marks
        self._logic = logic_of(step.technique.kind)
        degree = step.technique.degree if step.links else 0
        named = _PATTERNS if degree >= assumptions.PATTERNS else ()
        self._patterns = tuple(t for t in self._logic.ladder if t.name in named)
        self._nests = degree >= assumptions.WITH_CHAINS

    def of(self, end: assumptions.Literal, starts: Sequence[assumptions.Literal]) -> str:
        """Return why a literal follows from others; empty if there is no short reason."""
        names, (cell, digit, is_on) = self.names, end
        words = names.words
        if is_on:
            house = assumptions.forced_in(end, starts, self._marks)
            if house is None:
                return ""
            return (
                words("because.cell")
                if house < 0
                else words("because.house", house=names.house(house))
            )
        for other, value, true in starts:
            if true and other == cell:
                return words("because.taken", cell=names.cell(cell), digit=names.symbols[value])
            if true and value == digit and (houses := self._marks.houses_of((cell, other))):
                return words(
                    "because.seen",
                    house=names.house(min(houses)),
                    the_digit=names.the(digit),
                    cell=names.cell(other),
                )
        return self.by_rule(end, starts) or self._by_pattern(end, starts)

    def by_rule(self, end: assumptions.Literal, starts: Sequence[assumptions.Literal]) -> str:
        """Return the rule that makes a literal false; empty for a house, and for no rule."""
        names, (cell, digit, is_on) = self.names, end
        if is_on or isinstance(names.puzzle, Sudoku):
            return ""
        for other, value, true in starts:
            in_house = value == digit and self._marks.houses_of((cell, other))
            if not true or other == cell or in_house:
                continue
            rules = names.keeping_apart(cell, other) if value == digit else ()
            if not rules and self._marks.bars(other, value, cell, digit):
                rules = names.rules_between(other, cell)
            if rules:
                return names.words(
                    "because.rule",
                    cell=names.cell(other),
                    digit=names.symbols[value],
                    rules=names.rules(rules, (other, cell)),
                )
        return ""

    def _by_pattern(self, end: assumptions.Literal, starts: Sequence[assumptions.Literal]) -> str:
        """Return the named pattern that rules out a literal; empty if there is none."""
        words, every = self.names.words, self._logic.every
        pattern = assumptions.pattern_behind(end, starts, self._marks, self._patterns, every)
        if pattern is not None:
            return words("because.pattern", name=words.name(pattern.technique.name))
        return words("because.chain") if self._nests else ""


def spoken_trails(step: LogicStep) -> list[assumptions.Trail]:
    """Return the consequences of each assumption in the form that texts use.

    A chain with a true end is read from the assumption that its first end is false.
    """
    if path_of(step) is None:
        return assumptions.trails_of(step.links)
    return assumptions.trails_of(step.links[1:-1])


def link_reasons(step: LogicStep, reasons: Reasons) -> list[str]:
    """Return sentences: each assumption of a chain, then its consequences with their reasons."""
    if not step.links:
        return []
    names, words = reasons.names, reasons.names.words
    sentences = []
    for trail in spoken_trails(step):
        sentences.append(words("because.assumed", fact=fact_of(trail.start, names)))
        for end, starts in trail.parents.items():
            fact, why = fact_of(end, names), reasons.of(end, starts)
            sentences.append(words("because.explained", fact=fact, why=why) if why else fact)
    return sentences


def fact_of(literal: assumptions.Literal, names: Names) -> str:
    """Return a literal in words, for example "r1c2 is not 3"."""
    cell, digit, is_on = literal
    key = f"fact.{'true' if is_on else 'false'}"
    return names.words(key, cell=names.cell(cell), digit=names.symbols[digit])


class Telling:
    """A step, the pencil marks before it, the names of cells and houses, and reasons for links."""

    def __init__(self, step: LogicStep, marks: PencilMarks, words: Words) -> None:
        self.step = step
        self.marks = marks
        self.names = Names(words, marks.puzzle, marks.symbols)
        self.words = words

    def express(self, pattern: str, why: str = "why", **own: object) -> Explanation:
        """Return the step in the words of a pattern; see :func:`express`.

        Every pattern gets fields for the technique, the cells, the digits, the eliminations, the
        placement (or the first cell and digit), and the first house (or one of the first cell).
        `own` adds fields or replaces them.
        """
        step, names = self.step, self.names
        fields = {"name": self.words.name(step.technique.name), "gone": self.gone()}
        if step.cells:
            house = step.houses[0] if step.houses else self.house_of(step.cells[0])
            cell = step.placement[0] if step.placement else step.cells[0]
            fields["house"] = names.house(house)
            fields["cells"] = names.cells(step.cells)
            fields["cell"] = names.cell(cell)
        if step.digits:
            digit = step.placement[1] if step.placement else step.digits[0]
            fields["digits"] = names.bare(step.digits)
            fields["either"] = names.digits(step.digits, "or")
            fields["digit"] = names.symbols[digit]
            fields["the_digit"] = names.the(digit)
        return express(self.words, pattern, why, **{**fields, **own})

    @property
    def reasons(self) -> Reasons:
        """The reasons for the links of a chain."""
        return Reasons(self.step, self.marks, self.names)

    def gone(self) -> str:
        """Return the placement or the eliminations in words; empty if there are neither."""
        if self.step.placement is not None:
            cell, digit = self.step.placement
            return self.words(
                "conclusion.is", cell=self.names.cell(cell), digit=self.names.symbols[digit]
            )
        return self.names.gone(self.step.eliminations) if self.step.eliminations else ""

    def house_of(self, cell: int) -> int:
        """Return the first house of a cell other than a row or column, or else its row."""
        houses = sorted(self.marks.houses_of((cell,)))
        other = (house for house in houses if self.marks.rule_of_house(house) >= 0)
        return next(other, houses[0])

    def cells_or(self) -> str:
        """Return the cells as alternatives: one of them holds the digit."""
        return self.names.cells(self.step.cells, "or")

    def rule(self) -> str:
        """Return the name of the first rule."""
        return self.names.rule(self.step.rules[0])
