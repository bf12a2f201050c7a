"""The rater of variants: the parts of a Sudoku's time, and parts for steps by rules.

A variant without rules is a Sudoku, so parts with the same meaning have the weights of the common
scale (:mod:`nando.rating.parts`), and the seconds of a look are those of its typical crowd.
A step by a rule has the looks of the Sudoku techniques next to it on nando's ladder; some weights
were then changed because of pencil marks in logs and of published levels (docs/model.md). Nobody
was timed on variants.
"""

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from nando.arrays import Floats
from nando.puzzles import Puzzle, Variant
from nando.puzzles.boards.constraints import Pattern, Relation, Sum
from nando.puzzles.rules.registry import rule_name
from nando.rating.looks import LooksRater
from nando.rating.parts import Effort, Part
from nando.rating.result import Flags, nobody_timed

FORMAT = "nando difficulty model 4"

RELATIONS, SUMS, PATTERNS, ALL = "relations", "sums", "clues along lines", "the rules"
"""Words of the parts that are replaced by the names of a puzzle's rules."""

PARTS = (
    Part("entering", "entering digits", {"variant_fills": 0.2}),
    # Going through the digits is added in the same proportion as for Sudoku.
    Part("boxes", "searching", {"variant_glance": 1.9}),
    Part("lines", "searching", {"variant_lines": 1.75, "variant_houses": 1.75}),
    Part(
        "cells",
        "searching",
        {"variant_rests": 1.6, "variant_next": 1.6, "variant_cells": 1.6},
    ),
    Part("relations", RELATIONS, {"variant_relations": 0.1}),
    Part("sums", SUMS, {"variant_small_sums": 0.3, "variant_sums": 2.4}),
    Part("patterns", PATTERNS, {"variant_patterns": 2.4}),
    Part("rules", f"combining {ALL}", {"variant_rules": 8.0}),
    Part("unions", "the 45 rule", {"variant_unions": 5.0, "variant_unions_open": 3.5}),
    Part(
        "locked",
        "locked candidates",
        {"variant_locked_open": 3.5, "variant_direct": 1.2, "variant_locked": 2.4},
    ),
    Part("pairs", "pairs", {"variant_pairs_open": 7.0, "variant_pairs": 3.5}),
    Part("larger", "larger patterns", {"variant_triplets_open": 24.0, "variant_larger": 7.0}),
    Part("trying", "trying digits", {"exact_guesses": 6.0, "variant_tries": 24.0}),
    Part("chains", "chains", {"variant_chains": 3.5, "variant_stuck": 60.0}),
)
"""The parts of the time of a variant, easiest first."""

EFFORT = Effort(PARTS, counted="variant_fills")
"""The effort, which is the sum of the parts."""


def in_words_of(reasons: str, puzzle: Variant) -> str:
    """Replace relations, sums and clues in reasons by the names of the puzzle's rules.

    Examples
    --------
    >>> in_words_of("sums 4 min", Variant("4x4+killer:r1c1r1c2:3"))
    'cages 4 min'
    """
    for words, kinds in _NAMED_AFTER_RULES.items():
        if words in reasons:
            numbers = dict.fromkeys(n for n, own in puzzle.constraints if isinstance(own, kinds))
            names = list(dict.fromkeys(_several(rule_name(puzzle.rules[n])) for n in numbers))
            if 0 < len(names) <= _MOST_NAMES:
                reasons = reasons.replace(words, " and ".join(names))
    return reasons


_NAMED_AFTER_RULES: dict[str, tuple[type, ...]] = {
    RELATIONS: (Relation,),
    SUMS: (Sum,),
    PATTERNS: (Pattern,),
    ALL: (Relation, Sum, Pattern),
}
_MOST_NAMES = 2
_WITHOUT_PLURAL = ("Anti-", "Non-", "X and", "Greater", "Whisp", "Between", "Low", "High", "Candi")


def _several(name: str) -> str:
    """Return the plural of a rule's name."""
    name = name[0].lower() + name[1:] if not name.startswith("X") else name
    if name.title().startswith(tuple(map(str.title, _WITHOUT_PLURAL))):
        return name
    return name + ("es" if name.endswith("ch") else "s")


_ROUGH_ERROR, _ROUGH_ERROR_WITHOUT_STEPS = 0.05, 0.4
"""Standard deviation of log looks from a few runs, with and without the steps of the ladder."""


class VariantRater(LooksRater):
    """Predicted human solving time of a variant of Sudoku; see :class:`LooksRater`."""

    file_format = FORMAT
    columns = EFFORT.columns
    effort: ClassVar[Effort] = EFFORT
    shipped_file: ClassVar[str] = "variant_looks.json"
    untimed: ClassVar[Flags] = nobody_timed("these rules")

    def in_words_of(self, reasons: str, puzzle: Puzzle) -> str:
        """Return reasons with the names of the puzzle's rules."""
        return in_words_of(reasons, puzzle) if isinstance(puzzle, Variant) else reasons

    def rough(self, known: Mapping[str, Floats]) -> tuple[Floats, Floats]:
        """Estimate the prediction from the race with or without the steps of the ladder.

        Without the race there is no estimate.
        """
        n = len(next(iter(known.values())))
        if "variant_fills" not in known:
            return np.full(n, self.line_.offset), np.full(n, np.inf)
        columns = [known.get(name, np.zeros(n)) for name in self.columns]
        log_seconds = self.log_seconds(np.stack(columns, axis=1))
        error = _ROUGH_ERROR if "variant_locked" in known else _ROUGH_ERROR_WITHOUT_STEPS
        return log_seconds, np.full(n, error * self.line_.slope)
