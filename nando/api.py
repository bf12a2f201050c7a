"""The five-line API: load a model, and rate, explain, solve or generate puzzles, each in a call.

Puzzles are given as text or as :class:`nando.puzzles.Puzzle`; results are objects of the packages.
A call imports what it needs when it runs, so that a rating does not wait for what makes puzzles.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from nando import rating as _rating
from nando.puzzles import Puzzle, PuzzleError, find_puzzle, read_puzzle
from nando.rating import Bank, DifficultyModel, Rating
from nando.rating.base import Rater
from nando.solvers import status

if TYPE_CHECKING:
    from nando.generators import Record
    from nando.solvers import Solution
    from nando.solvers.logic import Ladder, Listing, Position, Walkthrough

__all__ = ["explain", "generate", "list_steps", "load_model", "rate", "solve"]


def load_model(
    path: str | Path | None = None, kind: str | None = None, *, crowd: str | None = None
) -> Rater:
    """Load a model from its file, or one that is shipped with nando.

    A shipped model is loaded once: treat it as read-only. A model predicts; to go on learning, make
    an estimator of it: ``nando.rating.DifficultyRater.of(model)``.

    Parameters
    ----------
    path : str, Path or None
        None takes the shipped model for the kind.
    kind : str or None
        Kind of puzzle that the model should rate. None takes the Sudoku model, or whatever the
        file holds.
    crowd : str or None
        The crowd whose times it should predict; None takes the typical one.

    Raises
    ------
    OSError
        Where the file cannot be read.
    ValueError
        Where it is not a model, or not one for the kind.
    """
    if path is not None:
        return _rating.load_model(path, kind, crowd=crowd)
    return _shipped(kind or "sudoku", crowd)


@cache
def _shipped(kind: str, crowd: str | None) -> Rater:
    return _rating.load_model(None, kind, crowd=crowd)


@overload
def rate(  # type: ignore[overload-overlap]  # a str is an iterable of str, too
    puzzles: Puzzle | str,
    *,
    kind: str | None = None,
    model: Rater | str | Path | None = None,
    coverage: float | None = None,
    crowd: str | None = None,
    runs: int | None = None,
    n_jobs: int | None = None,
) -> Rating: ...


@overload
def rate(
    puzzles: Iterable[Puzzle | str],
    *,
    kind: str | None = None,
    model: Rater | str | Path | None = None,
    coverage: float | None = None,
    crowd: str | None = None,
    runs: int | None = None,
    n_jobs: int | None = None,
) -> list[Rating]: ...


def rate(
    puzzles: Puzzle | str | Iterable[Puzzle | str],
    *,
    kind: str | None = None,
    model: Rater | str | Path | None = None,
    coverage: float | None = None,
    crowd: str | None = None,
    runs: int | None = None,
    n_jobs: int | None = None,
) -> Rating | list[Rating]:
    """Predict how long a puzzle takes a person.

    Parameters
    ----------
    puzzles : Puzzle or str, or an iterable of them
        Each with exactly one solution; all of one kind.
    kind : str or None
        Kind of the puzzles that are text; None recognises it.
    model : Rater, str, Path or None
        A model or its file; None takes the shipped one.
    coverage : float or None
        Coverage of the interval; None takes the model's.
    crowd : str or None
        The crowd whose times to predict, such as "cloud-sudoku"; None takes the typical one.
    runs : int or None
        Runs of each solver; None takes the model's.
    n_jobs : int or None
        Number of cores; -1 for all. It never changes a result.

    Returns
    -------
    Rating, or list of Rating
        The same numbers as ``nando rate`` writes.

    Raises
    ------
    PuzzleError
        Naming everything that is wrong with a puzzle.
    ValueError
        For puzzles of several kinds, and for a model of another kind.

    Examples
    --------
    >>> rating = rate(
    ...     "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    ... )
    >>> rating.grade, rating.low < rating.predicted < rating.high
    ('easy', True)
    """
    given = [puzzles] if isinstance(puzzles, str | Puzzle) else puzzles
    checked = [_checked(puzzle, kind) for puzzle in given]
    if not checked:
        return []
    kinds = sorted({puzzle.kind for puzzle in checked})
    if len(kinds) > 1:
        raise ValueError(f"puzzles of {' and '.join(kinds)} at once: rate each kind by itself")
    rater = _model(model, kinds[0], crowd)
    bank = Bank(rater, n_jobs=n_jobs, runs=runs, coverage=coverage)
    ratings = bank.ratings(checked)
    return ratings[0] if isinstance(puzzles, str | Puzzle) else ratings


def explain(
    puzzle: Puzzle | str,
    *,
    kind: str | None = None,
    position: "Position | str | None" = None,
    only: Sequence[str] | None = None,
    without: Sequence[str] = (),
    shortest: bool = False,
    style: str = "nando",
    language: str = "en",
) -> "Walkthrough":
    """Solve a puzzle as a person would, each step with its reason.

    Parameters
    ----------
    puzzle : Puzzle or str
        With exactly one solution. Entered digits and pencil marks in a text count: the walk begins
        with them.
    kind : str or None
        Kind of a puzzle that is text; None recognises it.
    position : Position, str or None
        Where to begin instead, such as a line with the digits entered so far.
    only, without : sequence of str
        Names of techniques to use alone, and to leave out.
    shortest : bool
        Whether to leave out steps that the next fill does not need.
    style : str
        Whose names the steps take: "nando", "se", "hodoku" or "sudokuwiki".
    language : str
        Of the words: "en" or "de".

    Returns
    -------
    Walkthrough
        ``print`` shows it in words, ``to_dict`` gives plain values.

    Raises
    ------
    PuzzleError
        Naming everything that is wrong with the puzzle, or with the position.
    ValueError
        For an unknown technique, style or language.

    Examples
    --------
    >>> found = explain(
    ...     "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    ... )
    >>> print(found.steps[0].sentence())
    Hidden single: in box 2 the 8 fits only r1c6.
    """
    from nando.solvers.logic import shortest as shortened
    from nando.solvers.logic import walk_through

    checked, start = _standing(puzzle, kind, position)
    ladder = _ladder(checked, only, without)
    walk = walk_through(checked, ladder, start, style=style, language=language)
    return shortened(walk) if shortest else walk


def list_steps(
    puzzle: Puzzle | str,
    *,
    kind: str | None = None,
    position: "Position | str | None" = None,
    only: Sequence[str] | None = None,
    without: Sequence[str] = (),
    style: str = "nando",
    language: str = "en",
    effort: int = 100_000,
) -> "Listing":
    """List every step that a puzzle allows now, by technique.

    Parameters
    ----------
    puzzle, kind, position, only, without, style, language
        As for :func:`explain`.
    effort : int
        Most searches for chains, or what-ifs, nested in an assumption; a 9x9 takes a few thousand.

    Returns
    -------
    Listing
        ``print`` shows it in words, ``to_dict`` gives plain values; `complete` tells whether the
        effort has sufficed.

    Raises
    ------
    PuzzleError, ValueError
        As for :func:`explain`.

    Examples
    --------
    >>> found = list_steps(
    ...     "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
    ...     only=["naked single"],
    ... )
    >>> print(found.steps[0].sentence(1))
    Look for a naked single in box 5.
    """
    from nando.solvers.logic import list_steps as every_step

    checked, start = _standing(puzzle, kind, position)
    ladder = _ladder(checked, only, without)
    return every_step(checked, ladder, start, style=style, language=language, effort=effort)


def _standing(
    puzzle: Puzzle | str, kind: str | None, position: "Position | str | None"
) -> "tuple[Puzzle, Position | None]":
    """The puzzle, and where its solution begins."""
    from nando.solvers.logic import LogicSolver

    checked = _checked(puzzle, kind)
    if isinstance(position, str):
        return checked, LogicSolver().read_position(checked, position, apart=True)
    if position is None and isinstance(puzzle, str):
        return checked, LogicSolver().read_position(checked, puzzle)
    return checked, position


def _ladder(puzzle: Puzzle, only: Sequence[str] | None, without: Sequence[str]) -> "Ladder":
    from nando.solvers.logic import select_techniques, standard_ladder

    return select_techniques(standard_ladder(puzzle.kind), only=only, without=without)


def solve(
    puzzle: Puzzle | str,
    *,
    method: str = "exact",
    steps: int | None = None,
    seed: int = 0,
    kind: str | None = None,
) -> "Solution":
    """Solve a puzzle.

    Parameters
    ----------
    puzzle : Puzzle or str
        With exactly one solution.
    method : str
        Name of a solver; see :data:`nando.solvers.SOLVERS`.
    steps : int or None
        Give up after so many steps.
    seed : int
        Of a solver that draws at random.
    kind : str or None
        Kind of a puzzle that is text; None recognises it.

    Returns
    -------
    Solution
        The same as ``nando solve`` writes.

    Raises
    ------
    PuzzleError
        Naming everything that is wrong with the puzzle.
    ValueError
        For an unknown solver, or one that does not run on the kind.

    Examples
    --------
    >>> print(solve(
    ...     "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    ... ))
    534678912672195348198342567859761423426853791713924856961537284287419635345286179
    """
    from nando.solvers import Limit, solve_by
    from nando.solvers.protocol import spawned

    limit = None if steps is None else Limit(steps=steps)
    return solve_by(_checked(puzzle, kind), method, limit=limit, rng=spawned(seed, 0))


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
    rater = _model(model, kind) if rated else None
    maker = Maker(rater, seed, source.get("symmetry", "none"), n_jobs)
    made = maker.make(SOURCES[kind](**source), wanted, range(count or 1), Known())
    return next(made) if count is None else list(made)


def _model(model: Rater | str | Path | None, kind: str, crowd: str | None = None) -> Rater:
    if not isinstance(model, Rater):
        return load_model(model, kind, crowd=crowd)
    if crowd is None:
        return model
    if not isinstance(model, DifficultyModel):
        raise ValueError(f"the model {model.model_id} knows no crowds; leave out {crowd!r}")
    return model.for_crowd(crowd)


def _checked(puzzle: Puzzle | str, kind: str | None) -> Puzzle:
    """The puzzle, after whatever is wrong with it was told."""
    if isinstance(puzzle, str):
        puzzle = read_puzzle(puzzle, None if kind is None else find_puzzle(kind))
    found = status(puzzle)
    if not found.valid:
        raise PuzzleError(found)
    return puzzle
