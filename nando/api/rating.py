"""Load models, rate puzzles of any kind, and compare the times of a player with their ratings."""

import statistics
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Literal, NamedTuple, TypedDict, Unpack, overload

from nando import games
from nando import rating as _rating
from nando.api.solving import BadPuzzle, check_puzzles
from nando.checks import cores, one_of, share
from nando.names import Kind
from nando.puzzles import Puzzle, PuzzleLike
from nando.rating import GRADES, Bank, Rater, Rating, Ratings
from nando.solvers.protocol import check_runs


def load_model(
    path: str | Path | None = None,
    kind: str | None = None,
    *,
    crowd: str | None = None,
    player: str | None = None,
    history: str | Path | None = None,
) -> Rater:
    """Load a model from a file, or one that is shipped with nando.

    A shipped model is loaded once: treat it as read-only. To fit one, start from
    ``sklearn.base.clone(model)``.

    Parameters
    ----------
    path : str, Path or None
        None takes the shipped model for the kind.
    kind : str or None
        Kind of puzzle that the model should rate. None takes the Sudoku model, or whatever the
        file holds.
    crowd : str or None
        The crowd whose times it should predict; None takes the typical one.
    player : str or None
        The player whose times it should predict; None takes the only one of the history.
    history : str, Path or None
        The player's earlier games, as :func:`nando.games.rater_for_player` reads them.

    Raises
    ------
    OSError
        If the file cannot be read.
    ValueError
        If the file holds no model, or one for another kind, or the history has no game with a time
        of the player.
    """
    if path is not None:
        model = _rating.load_model(path, kind, crowd=crowd)
    else:
        model = _load_shipped(kind or "sudoku", crowd)
    return for_person(model, player, history, crowd)


@cache
def _load_shipped(kind: str, crowd: str | None) -> Rater:
    return _rating.load_model(None, kind, crowd=crowd)


def choose_model(
    model: Rater | str | Path | None,
    kind: str,
    crowd: str | None = None,
    player: str | None = None,
    history: str | Path | None = None,
) -> Rater:
    """Return the model to use, adjusted to a crowd, or to the player of a history, if given."""
    if not isinstance(model, Rater):
        if not isinstance(model, str | Path | None):
            allowed = "a model, the path of its file, or None"
            raise TypeError(f"model must be {allowed}, got {type(model).__name__}")
        return load_model(model, kind, crowd=crowd, player=player, history=history)
    model = model if crowd is None else model.for_crowd(crowd)
    return for_person(model, player, history, crowd)


def for_person(
    model: Rater, player: str | None, history: str | Path | None, crowd: str | None = None
) -> Rater:
    """Return the model adjusted to the player of a history, or the model itself without one."""
    if history is None:
        if player is not None:
            raise ValueError(f"nothing is known of {player!r}: give the history of earlier games")
        return model
    if crowd is not None:
        raise ValueError("a crowd and a player contradict each other: give one of them")

    return games.rater_for_player(model, history, player)


class RatingOptions(TypedDict, total=False):
    """Keyword arguments of :func:`rate`, except `errors`."""

    kind: Kind | None
    model: Rater | str | Path | None
    coverage: float | None
    crowd: str | None
    player: str | None
    history: str | Path | None
    runs: int | None
    n_jobs: int | None


@overload
def rate(  # type: ignore[overload-overlap]  # a str is an iterable of str, too
    puzzles: PuzzleLike, *, errors: Literal["raise"] = "raise", **options: Unpack[RatingOptions]
) -> Rating: ...


@overload
def rate(  # type: ignore[overload-overlap]  # a str is an iterable of str, too
    puzzles: PuzzleLike, *, errors: Literal["return"], **options: Unpack[RatingOptions]
) -> Rating | BadPuzzle: ...


@overload
def rate(
    puzzles: Iterable[PuzzleLike],
    *,
    errors: Literal["raise"] = "raise",
    **options: Unpack[RatingOptions],
) -> Ratings[Rating]: ...


@overload
def rate(
    puzzles: Iterable[PuzzleLike], *, errors: Literal["return"], **options: Unpack[RatingOptions]
) -> Ratings[Rating | BadPuzzle]: ...


def rate(
    puzzles: PuzzleLike | Iterable[PuzzleLike],
    *,
    kind: Kind | None = None,
    model: Rater | str | Path | None = None,
    coverage: float | None = None,
    crowd: str | None = None,
    player: str | None = None,
    history: str | Path | None = None,
    runs: int | None = None,
    n_jobs: int | None = None,
    errors: Literal["raise", "return"] = "raise",
) -> Rating | BadPuzzle | Ratings[Rating] | Ratings[Rating | BadPuzzle]:
    """Predict how long a puzzle takes a person.

    Parameters
    ----------
    puzzles : one puzzle, or an iterable of puzzles
        All of one kind, each with exactly one solution. A puzzle is text, bytes, an array of
        numbers, a list of rows, a flat list, a Puzzle, or a result that holds one; see
        :func:`nando.puzzles.as_puzzle`. Any other iterable, for example a list of texts, has
        several puzzles.
    kind : str or None
        Kind of the puzzles; None recognises that of a text, and takes numbers as Sudokus.
    model : Rater, str, Path or None
        A model or its file; None takes the shipped one.
    coverage : float or None
        Coverage of the interval; None takes that of the model.
    crowd : str or None
        The crowd whose times to predict, for example "cloud-sudoku"; None takes the typical one.
    player : str or None
        The player whose times to predict; None takes the only one of the history.
    history : str, Path or None
        The player's earlier games, as :func:`nando.games.rater_for_player` reads them.
    runs : int or None
        Number of runs of each solver; None takes that of the model.
    n_jobs : int or None
        Number of cores; -1 for all. It never changes a result.
    errors : {"raise", "return"}
        With "return", a puzzle that cannot be rated has an error in place of its rating.

    Returns
    -------
    Rating, or Ratings
        The numbers that ``nando rate`` writes. Several ratings are a list, which a notebook shows
        as a table. With ``errors="return"`` the list may also have errors.

    Raises
    ------
    PuzzleError
        If a puzzle is wrong. The message lists everything that is wrong, and `index` is the
        puzzle's index among several.
    PuzzleTypeError
        If a value is not a puzzle; it has an `index` as well.
    ValueError, TypeError
        If the puzzles are of several kinds, the model is for another kind, or an option is
        invalid.

    Examples
    --------
    >>> line = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    >>> rating = rate(line)
    >>> rating.grade, rating.low < rating.predicted < rating.high
    ('easy', True)
    >>> _, bad = rate([line, "11" + "." * 79], errors="return")
    >>> print(bad)
    puzzles[1]: conflicting givens: 1 at r1c1 and r1c2 (row 1, box 1)
    """
    one_of("errors", errors, ("raise", "return"))
    if coverage is not None:
        share("coverage", coverage)
    if runs is not None:
        check_runs(runs)
    cores(n_jobs)
    checked, is_one = check_puzzles(puzzles, kind, keep_errors=errors == "return")
    good = [each for each in checked if not isinstance(each, BadPuzzle)]
    kinds = sorted({puzzle.kind for puzzle in good})
    if len(kinds) > 1:
        raise ValueError(f"puzzles of {' and '.join(kinds)} at once: rate each kind separately")
    ratings: Iterator[Rating] = iter(())
    if good:
        rater = choose_model(model, kinds[0], crowd, player, history)
        bank = Bank(rater, n_jobs=n_jobs, runs=runs, coverage=coverage)
        ratings = iter(bank.rate(good))
    rated = [each if isinstance(each, BadPuzzle) else next(ratings) for each in checked]
    return rated[0] if is_one else Ratings(rated)


_LAST = 5


class OwnTimes(NamedTuple):
    """The times of a player for the puzzles of a grade.

    Attributes
    ----------
    grade : str
    games : int
        Number of games that count: finished without hints, each puzzle for the first time.
    best, median, last : float
        Shortest and median time in seconds, and the median of the last five.
    pace : float
        Median ratio of the time to the time predicted for the typical player.
    left_out : int
        Number of other games: unfinished, with hints, or of a puzzle tried before.
    """

    grade: str
    games: int
    best: float
    median: float
    last: float
    pace: float
    left_out: int


def own_times(log: str | Path, player: str | None = None) -> list[OwnTimes]:
    """Return the times of a player by the grade of the puzzles.

    Parameters
    ----------
    log : str or Path
        A log of games, or a folder of them, as :func:`nando.games.read_games` reads it.
    player : str or None
        None takes the only player of the log.

    Returns
    -------
    list of OwnTimes
        One item for each grade that has a time, the easiest first.

    Raises
    ------
    OSError, ValueError
        If the log cannot be read or has no such player, or if it has several players and none is
        named.

    Examples
    --------
    >>> rows = own_times("examples/games.csv", "ada")
    >>> rows[0].best <= rows[0].median
    True
    """
    from nando.games.times import own_games

    own = own_games(games.read_games(log), player, Path(log))
    puzzles = dict.fromkeys(game.puzzle for game in own)
    ratings: dict[Puzzle, Rating] = {}
    for kind in dict.fromkeys(puzzle.kind for puzzle in puzzles):
        alike = [puzzle for puzzle in puzzles if puzzle.kind == kind]
        ratings |= zip(alike, rate(alike), strict=True)
    all_times = games.solving_times(own).times
    rows = []
    for grade in GRADES:
        times = [time for time in all_times if ratings[time.puzzle].grade == grade]
        if not times:
            continue
        seconds = [time.seconds for time in times]
        paces = [time.seconds / ratings[time.puzzle].predicted for time in times]
        n_games = sum(ratings[game.puzzle].grade == grade for game in own)
        rows.append(
            OwnTimes(
                grade,
                len(seconds),
                min(seconds),
                statistics.median(seconds),
                statistics.median(seconds[-_LAST:]),
                statistics.median(paces),
                n_games - len(seconds),
            )
        )
    return rows
