"""Making puzzles."""

from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from nando.api.models import chosen_model
from nando.rating.base import Rater

if TYPE_CHECKING:
    from nando.generators import Record


@overload
def generate(
    *,
    minutes: float | None = None,
    points: float | None = None,
    grade: str | None = None,
    percentile: float | None = None,
    tolerance: float = 0.1,
    count: None = None,
    seed: int = 0,
    kind: str = "sudoku",
    model: Rater | str | Path | None = None,
    rated: bool | None = None,
    n_jobs: int | None = None,
    **source: Any,
) -> "Record": ...


@overload
def generate(
    *,
    minutes: float | None = None,
    points: float | None = None,
    grade: str | None = None,
    percentile: float | None = None,
    tolerance: float = 0.1,
    count: int,
    seed: int = 0,
    kind: str = "sudoku",
    model: Rater | str | Path | None = None,
    rated: bool | None = None,
    n_jobs: int | None = None,
    **source: Any,
) -> "list[Record]": ...


def generate(
    *,
    minutes: float | None = None,
    points: float | None = None,
    grade: str | None = None,
    percentile: float | None = None,
    tolerance: float = 0.1,
    count: int | None = None,
    seed: int = 0,
    kind: str = "sudoku",
    model: Rater | str | Path | None = None,
    rated: bool | None = None,
    n_jobs: int | None = None,
    **source: Any,
) -> "Record | list[Record]":
    """Make puzzles with exactly one solution, at a predicted difficulty if one is asked for.

    Parameters
    ----------
    minutes, points, grade, percentile : float or str, optional
        The difficulty, in one of four ways: a predicted time, points for a model that rates in
        points, the name of a grade, or the share of the model's puzzles that are easier, 0 to 100.
    tolerance : float
        How far the prediction may be off, as a share.
    count : int or None
        Number of puzzles, no two of them equivalent; None makes one and returns it alone.
    seed : int
        The same seed makes the same puzzles.
    kind : str
        Kind of puzzle, one of :data:`nando.generators.SOURCES`.
    model : Rater, str, Path or None
        A model or its file; None takes the shipped one.
    rated : bool or None
        Whether to rate the puzzles; None does if a difficulty or a model is given.
    n_jobs : int or None
        Number of cores; -1 for all. It never changes a result.
    **source
        Fields of the kind's source, such as ``order`` and ``symmetry`` of
        :class:`nando.generators.SudokuSource`.

    Returns
    -------
    Record, or list of Record
        The same puzzles as ``nando generate`` makes.

    Raises
    ------
    OutOfReachError
        Where no puzzle of that difficulty is found.
    ValueError
        For a difficulty given in several ways, and for one that is none.

    Examples
    --------
    >>> record = generate(minutes=8, seed=7, symmetry="rotational")
    >>> 7.2 < record.predicted / 60 < 8.8
    True
    """
    from nando.generators import SOURCES, Known
    from nando.making import Maker, Wanted

    given = {"minutes": minutes, "points": points, "grade": grade, "percentile": percentile}
    named = [name for name, value in given.items() if value is not None]
    if len(named) > 1:
        raise ValueError(f"{' and '.join(named)} contradict each other: give one of them")
    for name in ("minutes", "points"):
        value = given[name]
        if isinstance(value, int | float) and not 0.0 < value < float("inf"):
            raise ValueError(f"{name} must be above 0, got {value!r}")
    if not 0.0 < tolerance < 1.0:
        raise ValueError(f"tolerance must be between 0 and 1, got {tolerance!r}")
    if count is not None and count < 1:
        raise ValueError(f"count must be at least 1, got {count!r}; leave it out for one puzzle")
    if kind not in SOURCES:
        raise ValueError(f"no {kind!r} puzzles are made; known: {', '.join(SOURCES)}")
    if minutes is not None:
        wanted = Wanted(60 * minutes, tolerance=tolerance, unit="seconds")
    elif points is not None:
        wanted = Wanted(points, tolerance=tolerance, unit="points")
    else:
        wanted = Wanted(None, grade, percentile, tolerance)
    if rated is None:
        rated = model is not None or not wanted.is_any
    rater = chosen_model(model, kind) if rated else None
    maker = Maker(rater, seed, source.get("symmetry", "none"), n_jobs)
    made = maker.make(SOURCES[kind](**source), wanted, range(count or 1), Known())
    return next(made) if count is None else list(made)
