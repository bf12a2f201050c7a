"""What a rating model knows of each kind of puzzle. A new kind is one entry of `KINDS`.

Part of it estimates a rating from some of its columns. The search for puzzles of a given difficulty
estimates thousands of puzzles, and rejects most of them before the slow columns are computed. Means
and errors come from 20,000 new minimal puzzles.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np

from nando.arrays import Floats
from nando.puzzles import Nurikabe, Puzzle, Sudoku, Variant
from nando.puzzles.boards.constraints import Pattern, Relation, Sum
from nando.puzzles.rules.registry import rule_name
from nando.rating.parts import (
    ALL,
    NURIKABE,
    PART_COLUMNS,
    PARTS,
    PATTERNS,
    RELATIONS,
    SUDOKU,
    SUMS,
    VARIANT,
    Effort,
    parts_of,
)
from nando.rating.result import Flags, nobody_timed
from nando.rating.scale import Scale

_WITHOUT_STEPS = np.array(
    [{"locked": 2.6, "pairs": 1.9, "larger": 2.5, "chains": 2.0}.get(p.name, 1.0) for p in PARTS]
)
"""Typical ratio of the parts to their estimate from the race alone."""

_BY_GUESSES = np.array(
    [
        (0.0, 0.7, 1.1, 1.4, 1.8, 2.2, 3.0),
        (3.66, 4.72, 4.97, 5.14, 5.32, 5.46, 5.70),
        (0.28, 0.36, 0.38, 0.39, 0.40, 0.41, 0.42),
    ]
)
"""Mean and standard deviation of the difficulty (the logarithm of the looks that a puzzle takes) by
the logarithm of 1 + guesses, which is the first row."""

_BY_RACE = np.array(
    [
        (2.50, 3.10, 3.50, 3.75, 4.10, 4.25, 4.40, 4.55, 5.00),
        (2.50, 3.10, 3.51, 3.77, 4.08, 4.18, 4.28, 4.41, 4.80),
        (0.03, 0.03, 0.05, 0.07, 0.10, 0.10, 0.11, 0.12, 0.12),
    ]
)
"""The same by the difficulty without steps, for puzzles that the exact search solves without a
guess."""

_OF_GUESSED = {
    "difficulty": 0.593,
    "exact_guesses": 0.150,
    "race_beyond_blanks": 0.940,
    "race_beyond": -1.125,
    "is_beyond": 0.344,
}
_OF_GUESSED_ALL = 1.565
"""For puzzles with guesses: a regression on the difficulty without steps, the logarithms of
1 + these columns, and whether any fill is beyond all patterns."""

_BY_GUESSED = np.array(
    [
        (4.00, 4.45, 4.75, 5.05, 5.50, 6.00),
        (4.00, 4.45, 4.75, 5.05, 5.50, 6.00),
        (0.12, 0.12, 0.16, 0.20, 0.26, 0.27),
    ]
)
"""The same by this regression. The techniques of hard puzzles are hard to predict."""

_BY_STEPS = np.array(
    [
        (2.50, 3.60, 4.10, 4.70, 6.00),
        (2.50, 3.60, 4.10, 4.70, 6.00),
        (0.03, 0.04, 0.055, 0.09, 0.09),
    ]
)
"""The same by the difficulty with steps; the rest is the noise of two games of each kind."""

_MILLISECONDS = np.array(
    [
        (3.50, 4.30, 4.60, 4.75, 4.90, 5.05, 5.20, 5.35, 5.50, 5.65, 5.80, 6.20),
        (0.30, 0.40, 0.50, 0.75, 1.00, 1.50, 2.10, 2.60, 4.10, 6.80, 10.0, 20.0),
    ]
)
"""Time that the human-style solver takes for puzzles of an expected difficulty."""
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


def rough_sudoku(
    scale: Scale, crowd: str | None, known: Mapping[str, Floats]
) -> tuple[Floats, Floats]:
    """Return the expected difficulty of Sudokus, and its standard deviation.

    Parameters
    ----------
    scale : Scale
    crowd : str or None
    known : mapping of str to ndarray of float64, shape (n_puzzles,)
        ``exact_guesses``, or all columns from two runs, with or without those of the group
        ``techniques``.
    """
    if "race_fills" not in known:
        return _read_off(_BY_GUESSES, known["exact_guesses"])
    table = np.zeros((len(known["race_fills"]), len(PART_COLUMNS)))
    for i, name in enumerate(PART_COLUMNS):
        if name in known:
            table[:, i] = known[name]
    parts = parts_of(table)
    if "technique_chains" in known:
        return _read_off(_BY_STEPS, scale.difficulty(parts, crowd))
    difficulty = scale.difficulty(parts * _WITHOUT_STEPS, crowd)
    guessed = {
        "difficulty": difficulty,
        "exact_guesses": known["exact_guesses"],
        "race_beyond_blanks": np.log1p(known["race_beyond_blanks"]),
        "race_beyond": np.log1p(known["race_beyond"]),
        "is_beyond": known["race_beyond"] > 0.0,
    }
    regressed = np.full_like(difficulty, _OF_GUESSED_ALL)
    for name, column in guessed.items():
        regressed += _OF_GUESSED[name] * column
    is_guessed = known["exact_guesses"] > 0.0
    expected, error = _read_off(_BY_RACE, difficulty)
    of_guessed, error_of_guessed = _read_off(_BY_GUESSED, regressed)
    return (
        np.where(is_guessed, of_guessed, expected),
        np.where(is_guessed, error_of_guessed, error),
    )


def rating_time(difficulty: Floats) -> Floats:
    """Return the milliseconds, on one machine, to rate puzzles of an expected difficulty."""
    return np.asarray(np.interp(difficulty, *_MILLISECONDS))


def _read_off(rows: Floats, at: Floats) -> tuple[Floats, Floats]:
    places, mean, error = rows
    # Extrapolate linearly beyond the hardest known puzzles.
    beyond = np.maximum(at - places[-1], 0.0) + np.minimum(at - places[0], 0.0)
    return np.interp(at, places, mean) + beyond, np.interp(at, places, error)


_STUCK = "nurikabe_stuck_steps"
_STEPS = tuple(name for name in NURIKABE.columns if name not in ("nurikabe_blanks", _STUCK))
_STUCK_PER_STEP = 1.2
"""Typical number of impasses for each step beyond a glance, and ..."""
_ERROR = 0.1
"""... the standard deviation of log looks if impasses are estimated from it."""


def rough_nurikabe(
    scale: Scale, crowd: str | None, known: Mapping[str, Floats]
) -> tuple[Floats, Floats]:
    """Return the same for Nurikabe without the impasses, from the steps of the ladder alone."""
    columns = dict(known)
    if _STUCK not in columns:
        columns[_STUCK] = _STUCK_PER_STEP * np.sum([known[name] for name in _STEPS], axis=0)
    table = np.stack([columns[name] for name in NURIKABE.columns], axis=1)
    expected = scale.difficulty(NURIKABE.by_part(table), crowd)
    return expected, np.full_like(expected, _ERROR)


_ERROR_OF_VARIANTS, _ERROR_WITHOUT_STEPS = 0.05, 0.4
"""Standard deviation of log looks from a few runs, with and without the steps of the ladder."""


def rough_variant(
    scale: Scale, crowd: str | None, known: Mapping[str, Floats]
) -> tuple[Floats, Floats]:
    """Return the same for variants from the race, with or without the steps of the ladder.

    Without the race there is no estimate: the error is infinite.
    """
    n = len(next(iter(known.values())))
    if "variant_fills" not in known:
        return np.full(n, scale.reference), np.full(n, np.inf)
    columns = [known.get(name, np.zeros(n)) for name in VARIANT.columns]
    expected = scale.difficulty(VARIANT.by_part(np.stack(columns, axis=1)), crowd)
    error = _ERROR_OF_VARIANTS if "variant_locked" in known else _ERROR_WITHOUT_STEPS
    return expected, np.full(n, error)


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
        Estimates the difficulty from some columns, as :func:`rough_sudoku` does.
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
        rough=rough_sudoku,
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
        rating_time=rating_time,
    ),
    # The baselines are the earlier model, fitted to the levels, and the size with one more column.
    Nurikabe.kind: RatingKind(
        effort=NURIKABE,
        rough=rough_nurikabe,
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
        rough=rough_variant,
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
