"""Sudokus with levels or ratings, but no times: of publishers, and of Sukaku Explainer."""

import hashlib
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any, Literal, Unpack, get_args

import numpy as np

from nando.datasets import base
from nando.puzzles import Sudoku
from nando.puzzles.files import read_text, shortened


@dataclass(frozen=True)
class Publisher:
    """A publisher's levels: a text file for each, with a line ``date:digits`` for each puzzle.

    Attributes
    ----------
    data_set : DataSet
        Where the files are; its name is the publisher's.
    levels : tuple of (str, str)
        Name and file of each level, easiest first.
    date_format : str
        How dates are written, as ``strptime`` takes it.

    Raises
    ------
    ValueError
        For levels without an order, fewer than two, or two of one name.

    Examples
    --------
    >>> from nando.datasets.base import DataFile, DataSet
    >>> files = DataFile("easy.txt", None, None), DataFile("hard.txt", None, None)
    >>> mine = Publisher(
    ...     DataSet("my_paper", "puzzles of my paper", "mine", files),
    ...     levels=(("easy", "easy.txt"), ("hard", "hard.txt")),
    ...     date_format="%Y-%m-%d",
    ... )

    Then ``fetch_published_levels(publisher=mine, data_home="data")`` reads
    ``data/my_paper/easy.txt`` and ``data/my_paper/hard.txt``.
    """

    data_set: base.DataSet
    levels: tuple[tuple[str, str], ...]
    date_format: str

    def __post_init__(self) -> None:
        name, levels = self.data_set.name, self.levels
        if not isinstance(levels, tuple | list):
            raise ValueError(
                f"levels of {name} are a {type(levels).__name__}, which has no order: give (name, "
                "file) pairs in a tuple, easiest first"
            )
        names = [level for level, _ in levels]
        if len(names) < 2 or len(set(names)) < len(names):
            raise ValueError(
                f"levels of {name} must be two or more different ones, easiest first, got "
                f"{', '.join(map(repr, names)) or 'none'}"
            )


_SUDOKU_OF_THE_DAY = base.data_set("sudoku_of_the_day")
SUDOKU_OF_THE_DAY = Publisher(
    _SUDOKU_OF_THE_DAY,
    levels=tuple((file.name.removesuffix(".txt"), file.name) for file in _SUDOKU_OF_THE_DAY.files),
    date_format="%m-%d-%y",
)

PUBLISHERS: dict[str, Publisher] = {
    publisher.data_set.name: publisher for publisher in (SUDOKU_OF_THE_DAY,)
}
"""Every publisher, by name."""


@dataclass(frozen=True)
class _DatedRow(base.PublishedRow):
    date: datetime


def fetch_published_levels(
    *,
    publisher: str | Publisher = "sudoku_of_the_day",
    data_home: str | Path | None = None,
    **form: Unpack[base.Form],
) -> Any:
    """Return the puzzles with the levels that a publisher gave them.

    Parameters
    ----------
    publisher : str or Publisher
        A name in :data:`PUBLISHERS`, or a publisher of your own, whose files you have.
    return_X_y, as_frame, data_home
        As in :func:`fetch_cloud_sudoku`.

    Returns
    -------
    Bunch
        ``puzzles``, ``target`` (level, 1 the easiest), ``level_names`` (easiest first),
        ``groups`` (list of str: the equivalence class of each puzzle), ``frame`` (a row per
        puzzle: publisher, level, level_name, date, puzzle, equivalence_class), ``problems``
        (lines left out, and lines that repeat a puzzle), ``feature_names``, ``DESCR``,
        ``provenance``.

    Raises
    ------
    DataNotFoundError
        If a file is not on this machine and cannot be downloaded.
    ValueError
        For an unknown publisher, or a file that is not the published one.

    Notes
    -----
    A line that cannot be read, or whose puzzle does not have exactly one solution, is left out. A
    puzzle that was published twice is kept twice, possibly with two levels.
    """
    import pandas as pd

    if isinstance(publisher, str):
        if publisher not in PUBLISHERS:
            raise ValueError(f"unknown publisher {publisher!r}; known: {', '.join(PUBLISHERS)}")
        publisher = PUBLISHERS[publisher]
    published, names = publisher.data_set, [name for name, _ in publisher.levels]
    problems: list[str] = []
    rows: list[_DatedRow] = []
    read = partial(read_line, date_format=publisher.date_format)
    for level, (_, file) in enumerate(publisher.levels, 1):
        lines = read_text(published.path(file, data_home)).splitlines()
        for place, (date, puzzle) in base.read_each(lines, read, f"{file}, line", problems):
            rows.append(_DatedRow(place, level, puzzle, date))
    rows = base.with_one_solution(rows, problems)
    problems += _repeats(rows, names)
    puzzles = [row.puzzle for row in rows]
    groups = [puzzle.equivalence_key() for puzzle in puzzles]
    frame = pd.DataFrame(
        {
            "publisher": published.name,
            "level": np.array([row.level for row in rows], dtype=np.int64),
            "level_name": pd.Categorical.from_codes(
                [row.level - 1 for row in rows], categories=names, ordered=True
            ),
            "date": pd.to_datetime([row.date for row in rows]),
            "puzzle": [puzzle.text for puzzle in puzzles],
            "equivalence_class": groups,
        }
    )
    return base.bunch(
        published,
        puzzles,
        frame,
        "level",
        {"level_names": names, "groups": groups, "problems": problems},
        **form,
    )


def read_line(line: str, date_format: str) -> tuple[datetime, Sudoku]:
    """Return the date and the puzzle of a line of a publisher.

    Raises
    ------
    ValueError
        If the line is damaged.
    """
    written, colon, digits = line.strip().partition(":")
    if not colon:
        raise ValueError(f"{shortened(line)!r}, wanted 'date:digits'")
    try:
        date = datetime.strptime(written, date_format)
    except ValueError:
        raise ValueError(f"date {shortened(written)!r}, wanted the form {date_format}") from None
    puzzle = Sudoku(digits)
    if puzzle.order != 3:
        raise ValueError(f"{len(digits)} digits, wanted 81")
    return date, puzzle


def _repeats(rows: list[_DatedRow], names: list[str]) -> list[str]:
    first: dict[Sudoku, _DatedRow] = {}
    problems = []
    for row in rows:
        earlier = first.setdefault(row.puzzle, row)
        if earlier is not row:
            same = earlier.level == row.level
            other = "" if same else f", which has another level ({names[earlier.level - 1]})"
            problems.append(f"{row.place}: kept, but repeats the puzzle of {earlier.place}{other}")
    return problems


Bucket = Literal["easy", "medium", "hard", "diabolical", "sample"]

SUDOKU_EXCHANGE = base.data_set("sudoku_exchange")


def fetch_sudoku_exchange(
    *,
    bucket: Bucket = "easy",
    data_home: str | Path | None = None,
    **form: Unpack[base.Form],
) -> Any:
    """Return the puzzles with Sukaku Explainer ratings.

    Parameters
    ----------
    bucket : {"easy", "medium", "hard", "diabolical", "sample"}
        A published file of the bank; or ``sample.txt``, an extract over all ratings in the same
        format, which was never published, so that it cannot be downloaded.
    return_X_y, as_frame, data_home
        As in :func:`fetch_cloud_sudoku`.

    Returns
    -------
    Bunch
        ``puzzles``, ``target`` (Sukaku Explainer rating), ``frame`` (columns hash, puzzle,
        rating), ``feature_names``, ``DESCR``, ``provenance``.

    Raises
    ------
    DataNotFoundError
        If the file is not stored locally and cannot be downloaded.
    ValueError
        For an unknown bucket, or a line that is not ``hash puzzle rating`` or has a wrong hash;
        the message has its number.
    """
    import pandas as pd

    if bucket not in get_args(Bucket):
        raise ValueError(f"bucket must be {', '.join(get_args(Bucket))}, got {bucket!r}")
    file = _bucket_set(bucket)
    path = file.path(f"{bucket}.txt", data_home)
    rows = []
    for number, line in enumerate(read_text(path).splitlines(), 1):
        try:
            name, text, rating = line.split()
            row = (name, Sudoku(text), float(rating))
        except ValueError as error:
            raise ValueError(f"{path}, line {number}: not 'hash puzzle rating' ({error})") from None
        # The name of a puzzle is a hash of its digits, which checks each line.
        digest = hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest()[:12]
        if name != digest:
            raise ValueError(
                f"{path}, line {number}: hash is {name}, wanted {digest} for these digits: "
                "the line is not as published"
            )
        rows.append(row)
    puzzles = [puzzle for _, puzzle, _ in rows]
    frame = pd.DataFrame(
        {
            "hash": [name for name, _, _ in rows],
            "puzzle": [puzzle.text for puzzle in puzzles],
            "rating": [rating for _, _, rating in rows],
        }
    )
    return base.bunch(file, puzzles, frame, "rating", **form)


def _bucket_set(bucket: str) -> base.DataSet:
    """Return the data set reduced to one file."""
    if bucket == "sample":
        return replace(
            SUDOKU_EXCHANGE, files=(base.DataFile("sample.txt", None, None),), commit=None
        )
    files = tuple(file for file in SUDOKU_EXCHANGE.files if file.name == f"{bucket}.txt")
    return replace(SUDOKU_EXCHANGE, files=files)
