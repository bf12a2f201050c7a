"""Which columns models have: those of each kind of puzzle, and the simple models beside them."""

from nando.rating.kinds import KINDS

DEFAULT_COLUMNS = KINDS["sudoku"].columns
"""Columns of the default model."""

BASELINES = dict(KINDS["sudoku"].baselines)
"""Baselines with the same interface: ``LinearRater(BASELINES[name])``."""


def default_columns(kind: str) -> tuple[str, ...]:
    """Columns of a model for a kind of puzzle.

    Raises
    ------
    ValueError
        For a kind without features.
    """
    if kind not in KINDS:
        raise ValueError(f"no features for {kind!r} puzzles; known: {', '.join(KINDS)}")
    return KINDS[kind].columns


def baselines(kind: str) -> dict[str, tuple[str, ...]]:
    """Columns of the simple models with which the model of a kind is compared."""
    return dict(KINDS[kind].baselines) if kind in KINDS else {}
