"""The Sudoku Exchange puzzle bank: puzzles with Sukaku Explainer ratings."""

import hashlib
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, Unpack, get_args

from nando.datasets.base import DataFile, DataSet, Form, bunch, data_set
from nando.puzzles import Sudoku
from nando.puzzles.files import read_text

Bucket = Literal["easy", "medium", "hard", "diabolical", "sample"]

_SAMPLE = "sample.txt"

SUDOKU_EXCHANGE = data_set("sudoku_exchange")


def fetch_sudoku_exchange(
    *,
    bucket: Bucket = "easy",
    data_home: str | Path | None = None,
    **form: Unpack[Form],
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
    data_set = _bucket_set(bucket)
    path = data_set.path(f"{bucket}.txt", data_home)
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
    return bunch(data_set, puzzles, frame, "rating", **form)


def _bucket_set(bucket: str) -> DataSet:
    """Return the data set reduced to one file."""
    if bucket == "sample":
        return replace(SUDOKU_EXCHANGE, files=(DataFile(_SAMPLE, None, None),), commit=None)
    files = tuple(file for file in SUDOKU_EXCHANGE.files if file.name == f"{bucket}.txt")
    return replace(SUDOKU_EXCHANGE, files=files)
