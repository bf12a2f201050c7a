"""Cloud Sudoku: mean human solving times of 1,533 puzzles."""

from pathlib import Path
from typing import Any, Literal, Unpack

import numpy as np

from nando.datasets.base import Form, bunch, data_set
from nando.puzzles import Sudoku

CLOUD_SUDOKU = data_set("cloud_sudoku")

Target = Literal["mean_seconds", "D_TO", "D_TR"]


def fetch_cloud_sudoku(
    *,
    target: Target = "mean_seconds",
    data_home: str | Path | None = None,
    **form: Unpack[Form],
) -> Any:
    """Return human solving times of the Cloud Sudoku app.

    Parameters
    ----------
    target : {"mean_seconds", "D_TO", "D_TR"}
        Mean seconds of the players who finished (1,533 puzzles), or the authors' difficulty
        from times alone or from times and completion rates (344 puzzles, without unit).
    return_X_y : bool
        Return only puzzles and target.
    as_frame : bool
        Return ``frame`` as well.
    data_home : path or None
        Folder with a folder ``cloud_sudoku``; None looks in ``NANDO_DATA``, then in the cache.

    Returns
    -------
    Bunch
        ``puzzles`` (list of Sudoku), ``target`` (ndarray of float64), ``weight`` (players behind
        each mean; ones for D_TO and D_TR, whose counts are not published), ``frame`` (columns
        game, puzzle, then players and mean_seconds, or D_TO and D_TR), ``feature_names``,
        ``DESCR``, ``provenance``.

    Raises
    ------
    DataNotFoundError
        If a file is not on this machine and cannot be downloaded.
    ValueError
        For an unknown target, or a file that is not the published one.

    Notes
    -----
    Source: Wang, IEEE Access 12:104254-104262, 2024, doi:10.1109/ACCESS.2024.3434632.
    """
    import pandas as pd

    if target == "mean_seconds":
        path = CLOUD_SUDOKU.path("sudoku_records_20250407.xls", data_home)
        frame = pd.read_excel(path, header=None, engine="calamine")
        frame.columns = pd.Index(["game", "puzzle", "players", "mean_seconds"])
        weight = frame["players"].to_numpy(np.float64)
    elif target in ("D_TO", "D_TR"):
        frame = pd.read_csv(CLOUD_SUDOKU.path("20240415.csv", data_home))
        frame.columns = pd.Index(["game", "puzzle", "D_TO", "D_TR"])
        weight = np.ones(len(frame))
    else:
        raise ValueError(f"target must be 'mean_seconds', 'D_TO' or 'D_TR', got {target!r}")
    puzzles = [Sudoku(text) for text in frame["puzzle"]]
    frame["puzzle"] = [puzzle.text for puzzle in puzzles]
    return bunch(CLOUD_SUDOKU, puzzles, frame, target, {"weight": weight}, **form)
