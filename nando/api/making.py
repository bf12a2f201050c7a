"""Generating puzzles."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypedDict, Unpack, overload

from nando.api.rating import chosen_model
from nando.checks import cores, positive, real, seed_of, share, unknown_option, whole
from nando.names import Grade, Kind, Order, Symmetry
from nando.puzzles import as_puzzle
from nando.rating.base import Rater

if TYPE_CHECKING:
    from nando.generators import Record
    from nando.making import Wanted
    from nando.puzzles import PuzzleLike


_CALLED = {"puzzle": "kind", "rated": "rating", "rule": "rules", "jobs": "n_jobs"}
"""Names of options in earlier versions and in the command, with their names here."""


class MakingOptions(TypedDict, total=False):
    """Options of :func:`generate` for every kind of puzzle."""

    minutes: float | None
    points: float | None
    grade: Grade | None
    percentile: float | None
    tolerance: float
    seed: int | None
    model: Rater | str | Path | None
    player: str | None
    history: str | Path | None
    rating: bool | None
    n_jobs: int | None


class SudokuOptions(MakingOptions, total=False):
    """Options for Sudoku, with the fields of :class:`nando.generators.SudokuSource`."""

    order: Order
    symmetry: Symmetry
    givens: int | None
    minimal: bool
    pattern: tuple[bool, ...] | None
    most_per_house: int | None


class NurikabeOptions(MakingOptions, total=False):
    """Options for Nurikabe, with the fields of :class:`nando.generators.NurikabeSource`."""

    shape: tuple[int, int]
    mean_size: float
    largest: int | None
    unknown: int


class VariantOptions(MakingOptions, total=False):
    """Options for variants, with the fields of :class:`nando.generators.VariantSource`."""

    rules: Sequence[str]
    size: int | None
    symmetry: Symmetry
    givens: int | None
    clues: int | None
    singles: int
    layout: "PuzzleLike | None"


@overload
def generate(
    *, count: None = None, kind: Literal["sudoku"] = "sudoku", **options: Unpack[SudokuOptions]
) -> "Record": ...


@overload
def generate(
    *, count: int, kind: Literal["sudoku"] = "sudoku", **options: Unpack[SudokuOptions]
) -> "list[Record]": ...


@overload
def generate(
    *, count: None = None, kind: Literal["nurikabe"], **options: Unpack[NurikabeOptions]
) -> "Record": ...


@overload
def generate(
    *, count: int, kind: Literal["nurikabe"], **options: Unpack[NurikabeOptions]
) -> "list[Record]": ...


@overload
def generate(
    *,
    count: None = None,
    kind: Literal["sudoku", "variant"] = "sudoku",
    **options: Unpack[VariantOptions],
) -> "Record": ...


@overload
def generate(
    *, count: int, kind: Literal["sudoku", "variant"] = "sudoku", **options: Unpack[VariantOptions]
) -> "list[Record]": ...


def generate(
    *,
    minutes: float | None = None,
    points: float | None = None,
    grade: Grade | None = None,
    percentile: float | None = None,
    tolerance: float = 0.1,
    count: int | None = None,
    seed: int | None = 0,
    kind: Kind = "sudoku",
    model: Rater | str | Path | None = None,
    player: str | None = None,
    history: str | Path | None = None,
    rating: bool | None = None,
    n_jobs: int | None = None,
    **source: Any,
) -> "Record | list[Record]":
    """Generate puzzles with exactly one solution, with a predicted difficulty if one is given.

    Parameters
    ----------
    minutes, points, grade, percentile : float or str, optional
        The difficulty, given in one of four ways: a predicted time, points for a model that rates
        in points, the name of a grade, or the percentage of the model's puzzles that are easier.
    tolerance : float
        Largest relative difference between the prediction and the difficulty.
    count : int or None
        Number of puzzles, of which no two are equivalent. None returns a single record.
    seed : int or None
        The same seed gives the same puzzles. None draws a new seed, which the records keep.
    kind : {"sudoku", "nurikabe", "variant"}
        Kind of puzzle, one of :data:`nando.generators.SOURCES`. With rules, a size or a layout, a
        variant is made.
    model : Rater, str, Path or None
        A model or its file; None takes the shipped one.
    player : str or None
        The player whose times to predict; None takes the only one of the history.
    history : str, Path or None
        The player's earlier games, as :func:`nando.games.rater_for_player` reads them.
    rating : bool or None
        If True, rate the puzzles. None rates them if a difficulty, a model or a history is given.
    n_jobs : int or None
        Number of cores; -1 for all. It never changes a result.
    **source
        Fields of the kind's source: ``order``, ``symmetry``, ``givens``, ``minimal``, ``pattern``
        and ``most_per_house`` of :class:`nando.generators.SudokuSource`; ``shape``, ``mean_size``,
        ``largest`` and ``unknown`` of :class:`nando.generators.NurikabeSource`; or ``rules``,
        ``size``, ``symmetry``, ``givens``, ``clues``, ``singles`` and ``layout`` of
        :class:`nando.generators.VariantSource`.

    Returns
    -------
    Record, or list of Record
        The same puzzles as ``nando generate`` makes.

    Raises
    ------
    OutOfReachError
        If no puzzle of the difficulty is found.
    TypeError
        If an option does not exist or has the wrong type.
    ValueError
        If the difficulty is given in several ways, or its value is invalid.

    Examples
    --------
    >>> record = generate(minutes=8, seed=7, symmetry="rotational")
    >>> 7.2 < record.predicted / 60 < 8.8
    True
    >>> generate(rules=["killer", "diagonals"], seed=1).puzzle.rules[1].name
    'diagonals'
    """
    given = {"minutes": minutes, "points": points, "grade": grade, "percentile": percentile}
    records = records_of(
        count,
        given,
        tolerance=tolerance,
        seed=seed,
        kind=kind,
        model=model,
        player=player,
        history=history,
        rating=rating,
        n_jobs=n_jobs,
        source=source,
    )
    return next(records) if count is None else list(records)


def records_of(
    count: int | None,
    given: dict[str, Any],
    *,
    tolerance: float,
    seed: int | None,
    kind: Kind,
    model: Rater | str | Path | None,
    player: str | None,
    history: str | Path | None,
    rating: bool | None,
    n_jobs: int | None,
    source: dict[str, Any],
) -> "Iterator[Record]":
    """Check the options of :func:`generate`, and return its records, made one by one."""
    from nando.generators import Known
    from nando.generators.batch import MOST_PUZZLES
    from nando.generators.kinds import made_kind, source_of, source_options
    from nando.making import Maker

    for name in source:
        if name not in source_options():
            known = (*MakingOptions.__annotations__, "count", "kind", *source_options())
            raise unknown_option("generate", name, known, _CALLED)
    named = [name for name, value in given.items() if value is not None]
    if len(named) > 1:
        raise ValueError(f"{' and '.join(named)} contradict each other: give one of them")
    share("tolerance", tolerance)
    if count is not None:
        count = whole("count", count, 1, MOST_PUZZLES)
    cores(n_jobs)
    if source.get("layout") is not None:
        source["layout"] = as_puzzle(source["layout"], "variant")
    puzzle_kind: Any = made_kind(kind, source)
    drawn_from = source_of(puzzle_kind, source)
    target = _target(tolerance=tolerance, **given)
    if rating is None:
        rating = not (model is history is None and target.is_any)
    rater = chosen_model(model, puzzle_kind, None, player, history) if rating else None
    maker = Maker(rater, seed_of(seed), source.get("symmetry", "none"), n_jobs)
    return maker.make(drawn_from, target, range(count or 1), Known())


def _target(
    *,
    minutes: float | None,
    points: float | None,
    grade: str | None,
    percentile: float | None,
    tolerance: float,
) -> "Wanted":
    """Return the difficulty asked for, of which at most one form is given."""
    from nando.making import Wanted

    if minutes is not None:
        return Wanted(60 * positive("minutes", minutes), tolerance=tolerance, unit="seconds")
    if points is not None:
        return Wanted(positive("points", points), tolerance=tolerance, unit="points")
    if percentile is not None:
        return Wanted(percentile=real("percentile", percentile), tolerance=tolerance)
    return Wanted(grade=grade, tolerance=tolerance)
