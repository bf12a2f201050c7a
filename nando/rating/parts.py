"""The parts that make up the expected time of a puzzle, for each kind of puzzle.

Each part is something a person does. It is a sum of columns from solver runs, with weights in a
common unit, a look: the time to find a lone hidden single in a box. The weights were chosen once.
Those of Sudoku come from the cost of steps in logs of single moves and from the order of techniques
in the literature; a fit moves them a little (:mod:`nando.rating.scale`). For Nurikabe, each kind of
reason on nando's ladder takes twice the looks of the kind below it. A variant without rules is a
Sudoku, so parts with the same meaning have the same weights, and a step by a rule has the looks of
the Sudoku techniques next to it on nando's ladder; some weights were then changed because of pencil
marks in logs and of published levels (docs/model.md).

Since parts are summed, a puzzle harder than all puzzles of a fit gets more minutes of thought, not
a linear extrapolation.

The parts of a variant's rules compound: what is noted is gone through again and again, so their sum
is a product (:class:`Compound`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import itemgetter

import numpy as np

from nando.arrays import Floats
from nando.rating.result import duration

_LEAST_SHARE = 0.05
"""Least share of a part that is listed as a reason."""


@dataclass(frozen=True)
class Part:
    """A part of the expected time.

    Attributes
    ----------
    name : str
        One word for tables and model files.
    words : str
        Words of the reason, which say what a person does; parts with equal words are combined.
    columns : dict of str to float
        Weight of each column in the sum.
    """

    name: str
    words: str
    columns: dict[str, float]


@dataclass(frozen=True)
class Factor:
    """A factor of a product: a power of what some parts or columns add up to.

    Attributes
    ----------
    of : tuple of str
        Names of parts, whose looks are added up, or of columns.
    power : float
        The power of the sum by `typical`.
    typical : float
        The sum, with `least`, at which the factor is 1.
    least : float
        A number that is added to the sum.
    """

    of: tuple[str, ...]
    power: float
    typical: float
    least: float = 0.0


@dataclass(frozen=True)
class Compound:
    """Parts that add up to a product: each makes the others longer.

    Attributes
    ----------
    factors : tuple of Factor
        What the parts are multiplied by.
    looks : float
        Looks of all parts together where each factor is 1.
    """

    factors: tuple[Factor, ...]
    looks: float


@dataclass(frozen=True)
class Effort:
    """The effort that a puzzle takes, as a sum of parts.

    Attributes
    ----------
    parts : tuple of Part
        Parts, easiest first, with the looks of each step or cell.
    counted : str
        The column that counts at least 1, so that a full board has the effort of one cell, not 0.
    logarithmic : str
        The column, if any, that is the logarithm of 1 + its summand.
    compound : Compound or None
        The parts, if any, whose looks are multiplied by one number, so that their sum is a product.
    """

    parts: tuple[Part, ...]
    counted: str
    logarithmic: str = ""
    compound: Compound | None = None

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """The columns from which the parts are computed."""
        return tuple(column for part in self.parts for column in part.columns)

    @cached_property
    def weights(self) -> dict[str, dict[str, float]]:
        """The weight of each column, by part."""
        return {part.name: dict(part.columns) for part in self.parts}

    @cached_property
    def names(self) -> list[str]:
        """Names of the parts."""
        return [part.name for part in self.parts]

    @cached_property
    def _weights(self) -> Floats:
        return np.array(
            [[part.columns.get(name, 0.0) for name in self.columns] for part in self.parts]
        )

    def by_part(self, table: Floats) -> Floats:
        """Return the looks of the parts of puzzles.

        Parameters
        ----------
        table : ndarray of float64, shape (n_puzzles, n_columns)

        Returns
        -------
        ndarray of float64, shape (n_puzzles, n_parts)
            At least 0, and above 0 for the part that is counted.
        """
        counted = np.array(table, dtype=np.float64)
        place = self.columns.index(self.counted)
        counted[:, place] = np.maximum(counted[:, place], 1.0)
        if self.logarithmic:
            place = self.columns.index(self.logarithmic)
            counted[:, place] = np.expm1(counted[:, place])
        # Sums row by row: a matrix product may add in another order for another number of rows.
        parts = np.asarray(np.add.reduce(counted[:, None, :] * self._weights, axis=2))
        if self.compound is not None:
            self._multiply(self.compound, parts, counted)
        return parts

    def _multiply(self, compound: Compound, parts: Floats, columns: Floats) -> None:
        """Multiply the looks of the parts of a compound, in place."""
        values = dict(zip((*self.columns, *self.names), (*columns.T, *parts.T), strict=True))
        names = [name for factor in compound.factors for name in factor.of if name in self.names]
        total, product = np.zeros(len(parts)), np.full(len(parts), float(compound.looks))
        for name in names:
            total += values[name]
        for factor in compound.factors:
            number = sum(values[name] for name in factor.of) + factor.least
            product *= (number / factor.typical) ** factor.power
        scale = np.divide(product, total, out=np.ones_like(total), where=total > 0.0)
        for name in names:
            parts[:, self.names.index(name)] *= scale

    def reasons(self, minutes: Sequence[float]) -> str:
        """Describe the larger parts of a time, longest first; those with equal words are one."""
        by_words: dict[str, float] = {}
        for part, each in zip(self.parts, minutes, strict=True):
            by_words[part.words] = by_words.get(part.words, 0.0) + each
        least = _LEAST_SHARE * sum(by_words.values())
        larger = [item for item in by_words.items() if item[1] >= least]
        larger.sort(key=itemgetter(1), reverse=True)
        return ", ".join(f"{words} {duration(60 * time)}" for words, time in larger)


PARTS = (
    Part("entering", "entering digits", {"race_fills": 0.2}),
    Part("boxes", "searching", {"race_glance": 1.0}),
    Part("lines", "searching", {"race_lines": 1.0}),
    Part("cells", "searching", {"race_cells": 1.0}),
    Part("digits", "searching", {"sweep_easy_visits": 0.15}),
    Part(
        "locked",
        "locked candidates",
        {"race_locked": 3.5, "technique_direct": 1.2, "technique_locked": 2.4},
    ),
    Part("pairs", "pairs", {"race_pairs": 7.0, "technique_pairs": 3.5}),
    Part("larger", "larger patterns", {"race_triplets": 12.0, "technique_larger": 7.0}),
    Part("trying", "trying digits", {"exact_guesses": 6.0}),
    Part(
        "chains",
        "chains",
        {
            "race_beyond": 12.0,
            "race_beyond_blanks": 12.0,
            "technique_chains": 7.5,
            "technique_stuck": 60.0,
        },
    ),
)
"""The parts of the time of a Sudoku, easiest first."""

THOUGHT = ("locked", "pairs", "larger", "trying", "chains")
"""Names of the parts that go beyond looking for singles."""

SUDOKU = Effort(PARTS, counted="race_fills", logarithmic="sweep_easy_visits")
"""The effort that a Sudoku takes."""

PART_COLUMNS = SUDOKU.columns
"""The columns from which the parts of a Sudoku's time are computed."""


def parts_of(table: Floats) -> Floats:
    """Return the parts of Sudokus in the common unit, as :meth:`Effort.by_part` does."""
    return SUDOKU.by_part(table)


NURIKABE = Effort(
    (
        Part("marking", "marking cells", {"nurikabe_blanks": 0.3}),
        Part("near", "seeing near by", {"nurikabe_near_steps": 2.0}),
        Part("far", "reach and connection", {"nurikabe_far_steps": 4.0}),
        Part("impasses", "looking for a way on", {"nurikabe_stuck_steps": 1.5}),
        Part("ahead", "thinking ahead", {"nurikabe_near_what_ifs": 8.0, "nurikabe_what_ifs": 16.0}),
        Part(
            "far_ahead",
            "thinking far ahead",
            {"nurikabe_dilemmas": 32.0, "nurikabe_deep_what_ifs": 64.0},
        ),
    ),
    counted="nurikabe_blanks",
)
"""The effort that a Nurikabe takes."""

RELATIONS, SUMS, PATTERNS, ALL = "relations", "sums", "clues along lines", "the rules"
"""Words of the parts that are replaced by the names of a puzzle's rules."""

_BEYOND_RULES = ("variant_locked_open", "variant_pairs_open", "variant_triplets_open")

VARIANT = Effort(
    (
        Part("entering", "entering digits", {"variant_fills": 0.2}),
        # Going through the digits is added in the same proportion as for Sudoku.
        Part("boxes", "searching", {"variant_glance": 1.9}),
        Part("lines", "searching", {"variant_lines": 1.75, "variant_houses": 1.75}),
        Part(
            "cells",
            "searching",
            {"variant_rests": 1.6, "variant_next": 1.6, "variant_cells": 1.6},
        ),
        Part("marking", f"noting what {ALL} leave", {"variant_marks": 0.3}),
        Part("relations", RELATIONS, {"variant_relations": 0.1}),
        Part("sums", SUMS, {"variant_small_sums": 2.0, "variant_sums": 2.0}),
        Part("patterns", PATTERNS, {"variant_patterns": 2.4}),
        Part("unions", "the 45 rule", {"variant_unions": 8.0, "variant_unions_open": 3.5}),
        Part(
            "rules",
            f"combining {ALL}",
            {"variant_rules": 7.0, "variant_waits": 0.15, "variant_together": 7.0},
        ),
        Part(
            "locked",
            "locked candidates",
            {"variant_locked_open": 3.5, "variant_direct": 1.2, "variant_locked": 2.4},
        ),
        Part("pairs", "pairs", {"variant_pairs_open": 7.0, "variant_pairs": 3.5}),
        Part("larger", "larger patterns", {"variant_triplets_open": 24.0, "variant_larger": 7.0}),
        Part(
            "chains",
            "chains",
            {
                "variant_beyond": 12.0,
                "variant_beyond_blanks": 12.0,
                "variant_chains": 7.5,
                "variant_stuck": 60.0,
            },
        ),
        Part("trying", "trying digits", {"variant_what_ifs": 24.0}),
    ),
    counted="variant_fills",
    compound=Compound(
        (
            Factor(("marking",), power=1.0, typical=60.0),
            Factor(("rules",), power=0.5, typical=250.0, least=20.0),
            Factor(("relations", "sums", "patterns", "unions"), 0.5, typical=250.0, least=30.0),
            Factor(_BEYOND_RULES, power=0.5, typical=1.0, least=1.0),
        ),
        looks=310.0,
    ),
)
"""The effort that a variant takes."""
