"""Rating puzzles."""

from collections.abc import Iterable
from pathlib import Path
from typing import overload

from nando.api.checking import checked_puzzle
from nando.api.models import chosen_model
from nando.puzzles import Puzzle
from nando.rating import Bank, Rating
from nando.rating.base import Rater


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
    checked = [checked_puzzle(puzzle, kind) for puzzle in given]
    if not checked:
        return []
    kinds = sorted({puzzle.kind for puzzle in checked})
    if len(kinds) > 1:
        raise ValueError(f"puzzles of {' and '.join(kinds)} at once: rate each kind by itself")
    rater = chosen_model(model, kinds[0], crowd)
    bank = Bank(rater, n_jobs=n_jobs, runs=runs, coverage=coverage)
    ratings = bank.ratings(checked)
    return ratings[0] if isinstance(puzzles, str | Puzzle) else ratings
