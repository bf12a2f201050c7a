"""The models of each kind of puzzle, and the class of each format of model files.

A new kind is one entry.
"""

from collections.abc import Mapping
from typing import NamedTuple

from nando.puzzles import Nurikabe, Sudoku, Variant
from nando.rating import looks, rater, variants
from nando.rating.base import Rater
from nando.rating.looks import LOOKS_COLUMNS, LooksRater
from nando.rating.parts import PART_COLUMNS
from nando.rating.rater import DifficultyRater
from nando.rating.variants import EFFORT, VariantRater

_LOG_LINEAR = (
    "search_time",
    "search_time_quarter_1",
    "search_time_quarter_2",
    "search_time_quarter_3",
    "search_time_quarter_4",
    "log_refutation_sum",
    "sweep_easy_visits",
    "mechanistic_seconds",
)
"""Columns of nando's model for Sudoku before the common scale."""


class RatingKind(NamedTuple):
    """The models of a kind of puzzle.

    Attributes
    ----------
    columns : tuple of str
        Columns of its model, as feature groups name them.
    baselines : mapping of str to tuple of str
        Columns of the simple models that it is compared with, by name.
    model : str or None
        File name of the shipped model.
    """

    columns: tuple[str, ...]
    baselines: Mapping[str, tuple[str, ...]]
    model: str | None


KINDS: dict[str, RatingKind] = {
    Sudoku.kind: RatingKind(
        columns=PART_COLUMNS,
        baselines={
            "givens": ("givens",),
            "log-linear": _LOG_LINEAR,
            "dependency": ("dependency_25",),
            "RD": ("refutation_sum", "dependency_25"),
            "search time alone": ("search_time",),
            "digit sweep alone": ("sweep_easy_visits",),
            "mechanistic alone": ("mechanistic_seconds",),
        },
        model="crowds.json",
    ),
    # The baselines are the earlier model, fitted to the levels, and the size with one more column.
    Nurikabe.kind: RatingKind(
        columns=LOOKS_COLUMNS,
        baselines={
            "points": (
                "nurikabe_log_blanks",
                "nurikabe_ladder_rating",
                "nurikabe_log_what_ifs",
                "nurikabe_log_ladder_work",
            ),
            "size alone": ("nurikabe_log_blanks",),
            "area": ("nurikabe_log_blanks", "nurikabe_area"),
            "shared cells": ("nurikabe_log_blanks", "nurikabe_shared_cells"),
            "refutation sum": ("nurikabe_log_blanks", "nurikabe_log_refutation_sum"),
            "exact guesses": ("nurikabe_log_blanks", "exact_guesses"),
            "hardest step": ("nurikabe_log_blanks", "nurikabe_ladder_rating"),
        },
        model="nurikabe_looks.json",
    ),
    Variant.kind: RatingKind(
        columns=EFFORT.columns,
        baselines={"cells": ("variant_fills",), "exact guesses": ("exact_guesses",)},
        model="variant_looks.json",
    ),
}
"""The kinds of puzzle that are rated, by name."""

BASELINES = dict(KINDS["sudoku"].baselines)
"""The columns of the baselines for Sudoku, for :class:`nando.evaluation.LogLinear`."""


def default_columns(kind: str) -> tuple[str, ...]:
    """Return the columns of a model for a kind of puzzle.

    Raises
    ------
    ValueError
        For a kind without features.
    """
    if kind not in KINDS:
        raise ValueError(f"no features for {kind!r} puzzles; known: {', '.join(KINDS)}")
    return KINDS[kind].columns


def baselines(kind: str) -> dict[str, tuple[str, ...]]:
    """Return the columns of the simple models with which the model of a kind is compared."""
    return dict(KINDS[kind].baselines) if kind in KINDS else {}


FORMATS: dict[str, type[Rater]] = {
    rater.FORMAT: DifficultyRater,
    looks.FORMAT: LooksRater,
    variants.FORMAT: VariantRater,
}
"""The class of each format of model files; a model of one person holds one of these."""
