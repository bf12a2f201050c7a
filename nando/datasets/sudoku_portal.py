"""Best and mean times of 584 grids on a web portal (2015), most in several equivalent forms."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple, Unpack, get_args

import numpy as np
from numpy.typing import NDArray

from nando.datasets.base import Form, bunch, data_set, with_one_solution
from nando.puzzles import PuzzleError, Sudoku
from nando.puzzles.files import parse_json, read_text, shortened

LEVELS = ("easy", "hard", "very hard")
"""Levels of the portal, easiest first."""

_LEVEL_OF = {
    "easy_data.json": 1,
    "easy_data1.json": 1,
    "hard_data.json": 2,
    "hard_data1.json": 2,
    "vhard_data.json": 3,
    "vvhard_data.json": 3,
}
"""Level of each file, from 1."""

SUDOKU_PORTAL = data_set("sudoku_portal")

Target = Literal["mean_seconds", "best_seconds"]

SHORTEST, LONGEST = 60, 4 * 3600
"""Seconds; best or mean times outside this range are implausible."""
FARTHEST = 1.2
"""Largest plausible log distance of a time from the median of its equivalence class."""
FEWEST = 3
"""Minimum number of puzzles in a class whose median is trusted."""

_TIME = re.compile(r"(\d{1,4}):([0-5]\d):([0-5]\d)", re.ASCII)
_ROW_MAJOR = np.arange(81).reshape(3, 3, 3, 3).swapaxes(1, 2).ravel()
"""For each cell in row-major order, its position in the files, which list cells box by box."""


class _Row(NamedTuple):
    place: str
    level: int
    puzzle: Sudoku
    best: int
    mean: int


def fetch_sudoku_portal(
    *,
    target: Target = "mean_seconds",
    data_home: str | Path | None = None,
    **form: Unpack[Form],
) -> Any:
    """Return human solving times of a web portal, by level.

    Parameters
    ----------
    target : {"mean_seconds", "best_seconds"}
        Mean time of the players, or the best one.
    return_X_y, as_frame, data_home
        As in :func:`fetch_cloud_sudoku`.

    Returns
    -------
    Bunch
        ``puzzles``, ``target``, ``groups`` (list of str: the equivalence class of each puzzle,
        by which every split must be made), ``frame`` (a row per puzzle: puzzle, level from 1,
        level_name, best_seconds, mean_seconds, equivalence_class), ``problems`` (a sentence for
        each row left out, with its file and number), ``feature_names``, ``DESCR``,
        ``provenance``.

    Raises
    ------
    DataNotFoundError
        If a file is not on this machine and cannot be downloaded.
    ValueError
        For an unknown target, or a file that is not the published one or is cut.

    Notes
    -----
    A row is left out if it cannot be read, repeats the puzzle of an earlier row, has a puzzle
    without exactly one solution, or has implausible times: a best time above the mean, or a time
    below a minute, above four hours, or, in a class of three or more, farther than 1.2 on the log
    scale (a factor of 3.3) from the median of its class.
    """
    import pandas as pd

    if target not in get_args(Target):
        raise ValueError(f"target must be 'mean_seconds' or 'best_seconds', got {target!r}")
    problems: list[str] = []
    rows: list[_Row] = []
    for name, level in _LEVEL_OF.items():
        rows += _rows_of(SUDOKU_PORTAL.path(name, data_home), level, problems)
    rows = with_one_solution(_without_repeats(rows, problems), problems)
    classes = [row.puzzle.equivalence_key() for row in rows]
    reasons = _implausible(rows, classes)
    problems += [
        f"{row.place}: implausible time: {reason}"
        for row, reason in zip(rows, reasons, strict=True)
        if reason
    ]
    kept = [i for i, reason in enumerate(reasons) if not reason]
    groups = [classes[i] for i in kept]
    rows = [rows[i] for i in kept]
    puzzles = [row.puzzle for row in rows]
    frame = pd.DataFrame(
        {
            "puzzle": [puzzle.text for puzzle in puzzles],
            "level": np.array([row.level for row in rows], dtype=np.int64),
            "level_name": pd.Categorical.from_codes(
                [row.level - 1 for row in rows], categories=list(LEVELS), ordered=True
            ),
            "best_seconds": np.array([row.best for row in rows], dtype=np.float64),
            "mean_seconds": np.array([row.mean for row in rows], dtype=np.float64),
            "equivalence_class": groups,
        }
    )
    return bunch(
        SUDOKU_PORTAL, puzzles, frame, target, {"groups": groups, "problems": problems}, **form
    )


def _rows_of(path: Path, level: int, problems: list[str]) -> list[_Row]:
    """Return the rows of a file that can be read; the others are named in `problems`."""
    try:
        listed = parse_json(read_text(path))
        if not isinstance(listed, list):
            raise ValueError("not a JSON list of rows")
    except ValueError as error:
        said = str(error).removeprefix(f"{path}: ")
        raise ValueError(
            f"{path}: {said}; the file is cut or damaged: delete it to have it downloaded again"
        ) from None
    rows = []
    for number, record in enumerate(listed, 1):
        place = f"{path.name}, row {number}"
        try:
            rows.append(_Row(place, level, *_entry(record)))
        except ValueError as error:
            problems.append(f"{place}: {error}")
    return rows


def _entry(record: Any) -> tuple[Sudoku, int, int]:
    """Return the puzzle and the best and mean seconds of a row."""
    if not isinstance(record, dict):
        raise ValueError(f"a row must have puzzle, best and time, got {shortened(repr(record))}")
    for name in ("puzzle", "best", "time"):
        if not isinstance(record.get(name), str):
            raise ValueError(f"{name} must be text, got {shortened(repr(record.get(name)))}")
    boxes = record["puzzle"].strip()
    if len(boxes) != 81:
        raise ValueError(f"a puzzle must have 81 symbols, box by box, got {len(boxes)}")
    try:
        puzzle = Sudoku("".join(boxes[i] for i in _ROW_MAJOR))
    except PuzzleError as error:
        raise ValueError(str(error)) from None
    return puzzle, _seconds(record["best"], "best"), _seconds(record["time"], "time")


def _seconds(text: str, name: str) -> int:
    match = _TIME.fullmatch(text.strip())
    if match is None:
        raise ValueError(f"{name} is {shortened(repr(text))}, wanted hh:mm:ss")
    hours, minutes, seconds = map(int, match.groups())
    return 3600 * hours + 60 * minutes + seconds


def _without_repeats(rows: Sequence[_Row], problems: list[str]) -> list[_Row]:
    first: dict[Sudoku, _Row] = {}
    for row in rows:
        earlier = first.setdefault(row.puzzle, row)
        if earlier is not row:
            other = [
                name
                for name, differs in (
                    ("level", row.level != earlier.level),
                    ("times", (row.best, row.mean) != (earlier.best, earlier.mean)),
                )
                if differs
            ]
            differently = f", with other {' and '.join(other)}" if other else ""
            problems.append(f"{row.place}: repeats the puzzle of {earlier.place}{differently}")
    return list(first.values())


def _implausible(rows: Sequence[_Row], classes: Sequence[str]) -> list[str]:
    """Return why the times of each row are implausible; an empty text for plausible times."""
    seconds = np.array([(row.best, row.mean) for row in rows], dtype=np.float64).reshape(-1, 2)
    away = _from_class(seconds, classes)
    return [_doubt(row, *distance) for row, distance in zip(rows, away.tolist(), strict=True)]


def _doubt(row: _Row, best_away: float, mean_away: float) -> str:
    for name, seconds, away in (("best", row.best, best_away), ("mean", row.mean, mean_away)):
        if seconds < SHORTEST:
            return f"{name} {seconds} s is below {SHORTEST} s"
        if seconds > LONGEST:
            return f"{name} {seconds:,} s is above {LONGEST:,} s"
        if abs(away) > FARTHEST:
            times = f"{np.exp(away):.2g} times the median of its equivalence class"
            return f"{name} {seconds:,} s is {times}"
    return f"best {row.best:,} s is above mean {row.mean:,} s" if row.best > row.mean else ""


def _from_class(seconds: NDArray[np.float64], classes: Sequence[str]) -> NDArray[np.float64]:
    """Return the log distance from the median of the class; 0 if the class is too small."""
    away = np.zeros_like(seconds)
    _, labels = np.unique(np.asarray(classes, dtype=object), return_inverse=True)
    # A time of 0 is implausible anyway, and must not make a median infinite.
    logs = np.log(np.maximum(seconds, 1.0))
    for label in np.flatnonzero(np.bincount(labels) >= FEWEST):
        members = labels == label
        away[members] = logs[members] - np.median(logs[members], axis=0)
    return away
