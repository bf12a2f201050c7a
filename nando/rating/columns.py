"""Which columns models have: those of each kind of puzzle, and the simple models beside them."""

DEFAULT_COLUMNS = (
    "search_time",
    "search_time_quarter_1",
    "search_time_quarter_2",
    "search_time_quarter_3",
    "search_time_quarter_4",
    "log_refutation_sum",
    "sweep_easy_visits",
    "mechanistic_seconds",
)
"""Columns of the default model: the race and where its time is spent, refutation, digit sweep, and
the seconds of the ladder race."""

NURIKABE_COLUMNS = (
    "nurikabe_log_blanks",
    "nurikabe_ladder_rating",
    "nurikabe_log_what_ifs",
    "nurikabe_log_ladder_work",
)
"""Columns of a model of Nurikabe: the size, and what the ladder says of the way to the solution."""

_COLUMNS = {"sudoku": DEFAULT_COLUMNS, "nurikabe": NURIKABE_COLUMNS}


def default_columns(kind: str) -> tuple[str, ...]:
    """Columns of a model for a kind of puzzle.

    Raises
    ------
    ValueError
        For a kind without features.
    """
    if kind not in _COLUMNS:
        raise ValueError(f"no features for {kind!r} puzzles; known: {', '.join(_COLUMNS)}")
    return _COLUMNS[kind]


BASELINES = {
    "givens": ("givens",),
    "dependency": ("dependency_25",),
    "RD": ("refutation_sum", "dependency_25"),
    "search time alone": ("search_time",),
    "digit sweep alone": ("sweep_easy_visits",),
    "mechanistic alone": ("mechanistic_seconds",),
}
"""Baselines with the same interface: ``DifficultyRater(columns=BASELINES[name])``."""

NURIKABE_BASELINES = {
    "size alone": ("nurikabe_log_blanks",),
    "area": ("nurikabe_log_blanks", "nurikabe_area"),
    "shared cells": ("nurikabe_log_blanks", "nurikabe_shared_cells"),
    "refutation sum": ("nurikabe_log_blanks", "nurikabe_log_refutation_sum"),
    "exact guesses": ("nurikabe_log_blanks", "exact_guesses"),
    "hardest step": ("nurikabe_log_blanks", "nurikabe_ladder_rating"),
}
"""Baselines for Nurikabe: the size, and one thing besides."""

_BASELINES = {"sudoku": BASELINES, "nurikabe": NURIKABE_BASELINES}


def baselines(kind: str) -> dict[str, tuple[str, ...]]:
    """Columns of the simple models that the model of a kind stands beside."""
    return dict(_BASELINES.get(kind, {}))
