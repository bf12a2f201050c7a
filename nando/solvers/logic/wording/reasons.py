"""Say why each link of a chain follows from those before it."""

from collections.abc import Sequence

import numpy as np

from nando.puzzles.sudoku.puzzle import SYMBOLS
from nando.solvers.logic.marks import AnyMarks
from nando.solvers.logic.sudoku import ladder as kernels
from nando.solvers.logic.sudoku.marks import PencilMarks
from nando.solvers.logic.sudoku.pattern import path_of
from nando.solvers.logic.sudoku.replay import pattern_behind, patterns_in
from nando.solvers.logic.sudoku_chains.assumptions import PATTERNS, WITH_CHAINS
from nando.solvers.logic.sudoku_chains.trails import Literal, Trail, forced_in, trails_of
from nando.solvers.logic.technique import Ladder, LogicStep
from nando.solvers.logic.variants.chains import FORCING
from nando.solvers.logic.variants.ladder import VARIANT_LADDER
from nando.solvers.logic.variants.marks import VariantMarks
from nando.solvers.logic.variants.step import VariantStep
from nando.solvers.logic.variants.walk import every_step
from nando.solvers.logic.wording.names import Names, VariantNames

_NESTED = (kernels.CHAIN, kernels.FORCING)
"""Patterns that are chains themselves: their searches are long, so they are not named."""


class AnyReasons:
    """Says why the links of a chain follow, on a Sudoku or on a variant.

    Parameters
    ----------
    marks : AnyMarks
        The marks before the step.
    names : Names
    """

    def __init__(self, marks: AnyMarks, names: Names) -> None:
        self.names = names
        self._marks = marks

    def of(self, end: Literal, starts: Sequence[Literal]) -> str:
        """Return why a literal follows from others; empty if there is no short reason."""
        names, (cell, digit, is_on) = self.names, end
        words = names.words
        if is_on:
            house = forced_in(end, starts, self._marks)
            if house is None:
                return ""
            return (
                words("because.cell")
                if house < 0
                else words("because.house", house=names.house(house))
            )
        for other, value, true in starts:
            if true and other == cell:
                return words("because.taken", cell=names.cell(cell), digit=SYMBOLS[value])
            if true and value == digit and (houses := self._marks.houses_of((cell, other))):
                return words(
                    "because.seen",
                    house=names.house(min(houses)),
                    the_digit=names.the(digit),
                    cell=names.cell(other),
                )
        return self.by_rule(end, starts) or self._by_pattern(end, starts)

    def by_rule(self, end: Literal, starts: Sequence[Literal]) -> str:
        """Return the rule that makes a literal false; empty for a house, and for no rule."""
        del end, starts
        return ""

    def _by_pattern(self, end: Literal, starts: Sequence[Literal]) -> str:
        """Return the named pattern that rules out a literal; empty if there is none."""
        raise NotImplementedError


class Reasons(AnyReasons):
    """Says why the links of a chain on a Sudoku follow.

    Parameters
    ----------
    step : LogicStep
    marks : PencilMarks
        The marks before the step.
    names : Names
    """

    _marks: PencilMarks

    def __init__(self, step: LogicStep, marks: PencilMarks, names: Names) -> None:
        super().__init__(marks, names)
        patterns = patterns_in(step)
        self._patterns: Ladder = tuple(t for t in patterns if t.kernel not in _NESTED)
        self._nests = len(self._patterns) < len(patterns)

    def _by_pattern(self, end: Literal, starts: Sequence[Literal]) -> str:
        words = self.names.words
        pattern = pattern_behind(end, starts, self._marks, self._patterns)
        if pattern is not None:
            return words("because.pattern", name=words.name(pattern.technique.name))
        return words("because.chain") if self._nests else ""


def spoken_trails(step: LogicStep) -> list[Trail]:
    """Return the consequences of each assumption in the form that texts use.

    A chain with a true end is read from the assumption that its first end is false.
    """
    if path_of(step) is None:
        return trails_of(step.links)
    return trails_of(step.links[1:-1])


def link_reasons(step: LogicStep, reasons: AnyReasons) -> list[str]:
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


def fact_of(literal: Literal, names: Names) -> str:
    """Return a literal in words, for example "r1c2 is not 3"."""
    cell, digit, is_on = literal
    key = f"fact.{'true' if is_on else 'false'}"
    return names.words(key, cell=names.cell(cell), digit=SYMBOLS[digit])


# Say why each link of a chain on a variant follows

_PATTERNS = ("locked candidates", "naked pair", "hidden pair", "X-wing")
"""Techniques other than links that assumptions may use."""


class VariantReasons(AnyReasons):
    """Says why the links of a chain on a variant follow.

    Parameters
    ----------
    step : VariantStep
    marks : VariantMarks
        The marks before the step.
    names : VariantNames
    """

    names: VariantNames
    _marks: VariantMarks

    def __init__(self, step: VariantStep, marks: VariantMarks, names: VariantNames) -> None:
        super().__init__(marks, names)
        degree = step.technique.degree if step.technique.kernel == FORCING else -1
        named = _PATTERNS if degree >= PATTERNS else ()
        self._patterns: Ladder = tuple(t for t in VARIANT_LADDER if t.name in named)
        self._nests = degree >= WITH_CHAINS

    def by_rule(self, end: Literal, starts: Sequence[Literal]) -> str:
        """Return the rule that makes a literal false; empty for a house, and for no rule."""
        cell, digit, is_on = end
        if is_on:
            return ""
        for other, value, true in starts:
            if not true or other == cell or self._in_house(end, other, value):
                continue
            rules = self.names.keeping_apart(cell, other) if value == digit else ()
            if not rules and self._marks.bars(other, value, cell, digit):
                rules = self.names.related(other, cell)
            if rules:
                return self.names.words(
                    "because.rule",
                    cell=self.names.cell(other),
                    digit=SYMBOLS[value],
                    rules=self.names.rules(rules, (other, cell)),
                )
        return ""

    def _in_house(self, end: Literal, other: int, value: int) -> bool:
        return end[1] == value and bool(self._marks.houses_of((end[0], other)))

    def _by_pattern(self, end: Literal, starts: Sequence[Literal]) -> str:
        words, effort = self.names.words, np.zeros(1, np.int64)
        if self._patterns:
            candidates = self._marks.candidates.copy()
            for cell, digit, is_on in starts:
                if is_on:
                    candidates[cell] = False
                candidates[cell, digit - 1] = is_on
            there = VariantMarks(self._marks.puzzle, self._marks.values, candidates)
            for step in every_step(there, self._patterns, effort):
                if end[:2] in step.eliminations:
                    return words("because.pattern", name=words.name(step.technique.name))
        return words("because.chain") if self._nests else ""
