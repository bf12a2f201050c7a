"""The Sudoku Exchange puzzle bank: puzzles with Sudoku Explainer ratings."""

from pathlib import Path
from typing import Any, Literal

import numpy as np

from nando.datasets._base import DataFile, DataSet, bunch
from nando.puzzles import Sudoku

Bucket = Literal["sample", "easy", "medium", "hard", "diabolical"]

_SOURCE = "https://raw.githubusercontent.com/grantm/sudoku-exchange-puzzle-bank/master/"

SUDOKU_EXCHANGE = DataSet(
    "sudoku_exchange",
    "puzzles with Sudoku Explainer ratings, 1.2 to 9.3",
    "public domain",
    (DataFile("sample.txt", None, None),),
)

_BUCKETS = DataSet(
    SUDOKU_EXCHANGE.name,
    SUDOKU_EXCHANGE.summary,
    SUDOKU_EXCHANGE.licence,
    tuple(
        DataFile(f"{bucket}.txt", f"{_SOURCE}{bucket}.txt", None)
        for bucket in ("easy", "medium", "hard", "diabolical")
    ),
)
"""The published files; they have grown over time, so no SHA-256 is known."""


def fetch_sudoku_exchange(
    *,
    bucket: Bucket = "sample",
    return_X_y: bool = False,
    as_frame: bool = False,
    data_home: str | Path | None = None,
) -> Any:
    """Puzzles with Sudoku Explainer ratings.

    Parameters
    ----------
    bucket : {"sample", "easy", "medium", "hard", "diabolical"}
        A published file of the bank, downloaded where it is not on this machine; or
        ``sample.txt``, an extract over all ratings in the same line format, which is only read.
    return_X_y, as_frame, data_home
        As in :func:`fetch_cloud_sudoku`.

    Returns
    -------
    Bunch
        ``puzzles``, ``target`` (Sudoku Explainer rating), ``frame`` (columns hash, puzzle,
        rating), ``feature_names``, ``DESCR``, ``provenance``.

    Raises
    ------
    DataNotFoundError
        Where the file is not on this machine and cannot be downloaded.
    ValueError
        For an unknown bucket, or lines that are not ``hash puzzle rating``, by number.
    """
    import pandas as pd

    if bucket == "sample":
        path = SUDOKU_EXCHANGE.path("sample.txt", data_home)
    elif f"{bucket}.txt" in {file.name for file in _BUCKETS.files}:
        path = _BUCKETS.path(f"{bucket}.txt", data_home)
    else:
        raise ValueError(f"bucket must be sample, easy, medium, hard or diabolical, got {bucket!r}")
    rows = []
    for number, line in enumerate(path.read_text(encoding="ascii").splitlines(), 1):
        fields = line.split()
        try:
            name, text, rating = fields
            rows.append((name, Sudoku(text), float(rating)))
        except ValueError as error:
            raise ValueError(f"{path}, line {number}: not 'hash puzzle rating' ({error})") from None
    puzzles = [puzzle for _, puzzle, _ in rows]
    frame = pd.DataFrame(
        {
            "hash": [name for name, _, _ in rows],
            "puzzle": [puzzle.text for puzzle in puzzles],
            "rating": [rating for _, _, rating in rows],
        }
    )
    return bunch(
        SUDOKU_EXCHANGE,
        as_frame=as_frame,
        return_X_y=return_X_y,
        puzzles=puzzles,
        target=frame["rating"].to_numpy(np.float64),
        frame=frame,
        feature_names=["puzzle"],
        target_names=["rating"],
    )
