"""Generating puzzles."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypedDict, Unpack, overload

from nando import generators
from nando.api.rating import choose_model
from nando.checks import cores, positive, seed_of, unknown_option, whole
from nando.generators.wishes import Wishes
from nando.names import Grade, Look, Order, Symmetry

if TYPE_CHECKING:
    from nando.generators import Record, Target
    from nando.puzzles import PuzzleLike
    from nando.rating.model import Rater


_CALLED = {
    "puzzle": "kind",
    "rated": "rating",
    "rule": "rules",
    "shape": "size",
    "jobs": "n_jobs",
    "points": "minutes",
}
"""Names of options in earlier versions and in the command, with their names here."""


class WishOptions(TypedDict, total=False):
    """The wishes as options, for type checkers; :class:`nando.generators.Wishes` has the words."""

    kind: str
    minutes: float | None
    grade: Grade | None
    percentile: float | None
    tolerance: float | str
    order: Order | str | None
    size: str | int | None
    rules: str | Sequence[str] | None
    layout: "PuzzleLike | None"
    symmetry: Symmetry | None
    look: Look | None
    givens: int | str | None
    pattern: str | Sequence[bool] | None
    minimal: bool
    most_per_house: int | None
    mean_size: float | None
    largest: int | None
    unknown: int | None
    clues: int | str | None
    cells: int | str | None
    singles: int | None
    needs: str | Sequence[str] | None
    uses: str | Sequence[str] | None
    hardest: str | None
    without: str | Sequence[str] | None
    se: str | float | tuple[float, float] | None


class RunOptions(TypedDict, total=False):
    """The options of :func:`generate` that are not wishes."""

    seed: int | None
    model: "Rater | str | Path | None"
    player: str | None
    history: str | Path | None
    rating: bool | None
    target: "Target | None"
    most_seconds: float | None
    n_jobs: int | None


class GenerateOptions(WishOptions, RunOptions, total=False):
    """All options of :func:`generate` but the number of puzzles."""


@overload
def generate(*, count: None = None, **options: Unpack[GenerateOptions]) -> "Record": ...


@overload
def generate(*, count: int, **options: Unpack[GenerateOptions]) -> "list[Record]": ...


def generate(
    *, count: int | None = None, **options: Unpack[GenerateOptions]
) -> "Record | list[Record]":
    """Generate puzzles with exactly one solution, of a difficulty if one is asked for.

    Parameters
    ----------
    count : int or None
        Number of puzzles, of which no two are equivalent. None returns a single record.
    seed : int or None, default 0
        The same seed gives the same puzzles. None draws a new seed, which the records keep.
    model : Rater, str, Path or None
        A model or its file; None takes the shipped one.
    player : str or None
        The player whose times to predict; None takes the only one of the history.
    history : str, Path or None
        The player's earlier games, as :func:`nando.games.rater_for_player` reads them.
    rating : bool or None
        If True, rate the puzzles. None rates them if a difficulty, a model or a history is given.
    target : Target or None
        A range of scores of your own, instead of a difficulty.
    most_seconds : float or None
        Limit of time of the search for one puzzle, which never changes a puzzle that is found.
        None: a minute for a variant of 9x9, more for larger ones; two minutes where techniques or
        ratings are asked for; no limit otherwise.
    n_jobs : int or None
        Number of cores; -1 for all. It never changes a result.
    **wishes
        What is asked of the puzzles, with the names of :class:`nando.generators.Wishes`: their
        kind, their difficulty as ``minutes``, ``grade`` or ``percentile``, their size, rules and
        looks, and the techniques that they need, use or do without.

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
    from nando.generators.batch import MOST_PUZZLES

    number = 1 if count is None else whole("count", count, 1, MOST_PUZZLES)
    records = make_records(number, None, **options)
    return next(records) if count is None else list(records)


@dataclass(frozen=True)
class Batch:
    """The puzzles of a batch, and why it ended; ``str()`` summarises it in a sentence.

    Attributes
    ----------
    records : list of Record
    wanted : int
        Requested number of puzzles.
    seconds : float
        Elapsed time.
    ended : {"count", "time", "tried"}
        Why the batch ended: there were enough puzzles, the time was up, or a search has tried
        `most` puzzles.
    """

    records: "list[Record]"
    wanted: int
    seconds: float
    ended: Literal["count", "time", "tried"]

    def __str__(self) -> str:
        """Return a summary in one sentence."""
        why = {"count": "", "time": "; the time was up", "tried": "; too few fit"}[self.ended]
        return f"{len(self.records)} of {self.wanted} puzzles, in {self.seconds:.0f} s{why}"


def generate_batch(
    count: int,
    *,
    seconds: float | None = None,
    most: int | None = None,
    **options: Unpack[GenerateOptions],
) -> Batch:
    """Generate puzzles until there are enough, or the time is up.

    Parameters
    ----------
    count : int
        Number of puzzles.
    seconds : float or None
        Limit of time. A puzzle that was begun before the limit is finished.
    most : int or None
        Largest number of puzzles that the search for one of them tries; None: that of the kind.
    **options
        As for :func:`nando.generate`. The same seed gives the same puzzles in the same order; a
        limit of time only cuts the list.

    Returns
    -------
    Batch

    Raises
    ------
    ValueError, TypeError
        As :func:`nando.generate`.

    Examples
    --------
    >>> batch = generate_batch(2, hardest="x-wing", seed=3)
    >>> len(batch.records), batch.ended
    (2, 'count')
    """
    whole("count", count, 1)
    if most is not None:
        whole("most", most, 1)
    if seconds is not None:
        positive("seconds", seconds)
    begun = time.monotonic()
    kept: list[Record] = []
    ended: Literal["count", "time", "tried"] = "count"
    try:
        for record in make_records(count, most, **options):
            kept.append(record)
            is_late = seconds is not None and time.monotonic() - begun >= seconds
            if is_late and len(kept) < count:
                ended = "time"
                break
    except generators.OutOfReachError:
        ended = "tried"
    return Batch(kept, count, time.monotonic() - begun, ended)


def make_records(
    count: int,
    most: int | None,
    *,
    seed: int | None = 0,
    model: "Rater | str | Path | None" = None,
    player: str | None = None,
    history: str | Path | None = None,
    rating: bool | None = None,
    target: "Target | None" = None,
    most_seconds: float | None = None,
    n_jobs: int | None = None,
    **wishes: Any,
) -> "Iterator[Record]":
    """Check the options of :func:`generate`, and return its records, made one by one."""
    from nando.making import Maker

    known = [field.name for field in fields(Wishes)]
    for name in wishes:
        if name not in known:
            options = (*known, "count", *RunOptions.__annotations__)
            raise unknown_option("generate", name, options, _CALLED)
    asked = Wishes(**wishes)
    if target is not None and not asked.is_any_difficulty:
        raise ValueError("target and a difficulty contradict each other: give one of them")
    cores(n_jobs)
    asked.source()  # an impossible wish is an error before a model is loaded
    if rating is None:
        rating = not (model is history is None and asked.is_any_difficulty)
    rater = choose_model(model, asked.puzzle_kind, None, player, history) if rating else None
    maker = Maker(rater, seed_of(seed), n_jobs)
    return maker.make(
        asked, range(count), generators.Known(), most, most_seconds=most_seconds, target=target
    )
