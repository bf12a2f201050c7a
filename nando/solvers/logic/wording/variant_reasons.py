"""Say why each link of a chain on a variant follows."""

from collections.abc import Sequence

import numpy as np

from nando.puzzles.sudoku.puzzle import SYMBOLS
from nando.solvers.logic.sudoku_chains.assumptions import PATTERNS, WITH_CHAINS
from nando.solvers.logic.sudoku_chains.trails import Literal
from nando.solvers.logic.technique import Ladder
from nando.solvers.logic.variants.chains import FORCING
from nando.solvers.logic.variants.every import every_step
from nando.solvers.logic.variants.marks import VariantMarks
from nando.solvers.logic.variants.step import VariantStep
from nando.solvers.logic.variants.techniques import VARIANT_LADDER
from nando.solvers.logic.wording.reasons import AnyReasons
from nando.solvers.logic.wording.variant_names import VariantNames

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
