"""What a rating model knows of each kind of puzzle. A new kind is one entry of `KINDS`."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from nando.arrays import Floats
from nando.puzzles import Nurikabe, Puzzle, Sudoku, Variant
from nando.puzzles.boards.constraints import Pattern, Relation, Sum
from nando.puzzles.rules.registry import rule_name
from nando.rating import rough
from nando.rating.parts import ALL, NURIKABE, PATTERNS, RELATIONS, SUDOKU, SUMS, VARIANT, Effort
from nando.rating.result import Flags, nobody_timed
from nando.rating.scale import Scale

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


def by_rules(reasons: str, puzzle: Puzzle) -> str:
    """Replace relations, sums and clues in reasons by the names of the puzzle's rules.

    Examples
    --------
    >>> by_rules("sums 4 min", Variant("4x4+killer:r1c1r1c2:3"))
    'cages 4 min'
    """
    if not isinstance(puzzle, Variant):
        return reasons
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
_WITHOUT_PLURAL = (
    *("Anti-", "Non-", "Global", "X and", "Greater", "Whisp", "Between", "Low", "High", "Candi"),
)


def _several(name: str) -> str:
    """Return the plural of a rule's name."""
    name = name[0].lower() + name[1:] if not name.startswith("X") else name
    if name.title().startswith(tuple(map(str.title, _WITHOUT_PLURAL))):
        return name
    return name + ("es" if name.endswith(("ch", "x")) else "s")


class RatingKind(NamedTuple):
    """What a model of a kind of puzzle consists of.

    Attributes
    ----------
    effort : Effort
        The parts of the expected time.
    rough : callable
        Estimates the difficulty from some columns, as in :mod:`nando.rating.rough`.
    baselines : mapping of str to tuple of str
        Columns of the simple models that it is compared with, by name.
    model : str or None
        File name of the shipped model.
    has_crowds : bool
        Whether crowds were timed, which have lines of their own on a common scale.
    unit : float
        Seconds of the unit in which parts of a time are computed. Another unit would change the
        last digits of some times.
    rating_time : callable or None
        Returns the relative time to rate puzzles of a difficulty; None if all take the same.
    untimed : Flags
        Flags of a rating by a model that was fitted to no times.
    said : callable or None
        Returns reasons in the words of a puzzle; None leaves them as they are.
    """

    effort: Effort
    rough: Callable[[Scale, str | None, Mapping[str, Floats]], tuple[Floats, Floats]]
    baselines: Mapping[str, tuple[str, ...]]
    model: str | None = None
    has_crowds: bool = False
    unit: float = 1.0
    rating_time: Callable[[Floats], Floats] | None = None
    untimed: Flags = Flags()
    said: Callable[[str, Puzzle], str] | None = None

    @property
    def columns(self) -> tuple[str, ...]:
        """Columns of the model, as feature groups name them."""
        return self.effort.columns


KINDS: dict[str, RatingKind] = {
    Sudoku.kind: RatingKind(
        effort=SUDOKU,
        rough=rough.of_sudoku,
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
        has_crowds=True,
        unit=60.0,
        rating_time=rough.rating_time,
    ),
    # The baselines are the earlier model, fitted to the levels, and the size with one more column.
    Nurikabe.kind: RatingKind(
        effort=NURIKABE,
        rough=rough.of_nurikabe,
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
        untimed=nobody_timed("Nurikabe"),
    ),
    Variant.kind: RatingKind(
        effort=VARIANT,
        rough=rough.of_variant,
        baselines={"cells": ("variant_fills",), "exact guesses": ("exact_guesses",)},
        model="variant_looks.json",
        untimed=nobody_timed("these rules"),
        said=by_rules,
    ),
}
"""The kinds of puzzle that are rated, by name."""

BASELINES = dict(KINDS["sudoku"].baselines)
"""The columns of the baselines for Sudoku, for :class:`nando.evaluation.LogLinear`."""


def kind_of(kind: str) -> RatingKind:
    """Return the row of a kind of puzzle; ValueError for a kind that has none."""
    if kind not in KINDS:
        raise ValueError(f"no features for {kind!r} puzzles; known: {', '.join(KINDS)}")
    return KINDS[kind]


def default_columns(kind: str) -> tuple[str, ...]:
    """Return the columns of a model for a kind of puzzle.

    Raises
    ------
    ValueError
        For a kind without features.
    """
    return kind_of(kind).columns


def baselines(kind: str) -> dict[str, tuple[str, ...]]:
    """Return the columns of the simple models with which the model of a kind is compared."""
    return dict(KINDS[kind].baselines) if kind in KINDS else {}
