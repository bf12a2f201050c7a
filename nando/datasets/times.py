"""Human solving times: of the Cloud Sudoku app, of Sudoku Insight, and of a web portal."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Unpack, get_args

import numpy as np
from numpy.typing import NDArray

from nando.datasets.base import Form, PublishedRow, bunch, data_set, read_each, with_one_solution
from nando.puzzles import Sudoku
from nando.puzzles.files import parse_json, read_text, shortened

CLOUD_SUDOKU = data_set("cloud_sudoku")

CloudTarget = Literal["mean_seconds", "D_TO", "D_TR"]


def fetch_cloud_sudoku(
    *,
    target: CloudTarget = "mean_seconds",
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


SUDOKU_INSIGHT = data_set("sudoku_insight")

REAL_BOARD = -1
"""Trail of moves on the real board; what-if trails are numbered from 0."""
_LARGEST = 10**12
"""Larger numbers in a move are damaged."""


def fetch_sudoku_insight(
    *,
    data_home: str | Path | None = None,
    **form: Unpack[Form],
) -> Any:
    """Return the move logs of the Sudoku Insight app on a phone.

    Parameters
    ----------
    return_X_y, as_frame, data_home
        As in :func:`fetch_cloud_sudoku`.

    Returns
    -------
    Bunch
        ``puzzles`` (one per game), ``target`` (seconds to the last move on the real board),
        ``events`` (DataFrame, a row per move: game, puzzle, t_ms, trail, cell, value; trail -1 is
        the real board, value 0 an erasure), ``frame`` (a row per game: game, puzzle, seconds,
        moves, completed, first_ms: the first move on any board), ``problems`` (lines that could
        not be read), ``feature_names``, ``DESCR``, ``provenance``.

    Notes
    -----
    A game is completed if the real board ends as a filled grid that obeys the rules. The puzzles
    are not checked for exactly one solution.
    """
    import pandas as pd

    path = SUDOKU_INSIGHT.path("games-phone-2013-12-01.tsv", data_home)
    puzzles: list[Sudoku] = []
    games: list[tuple[Any, ...]] = []
    events: list[tuple[int, ...]] = []
    problems: list[str] = []
    with path.open(encoding="utf-8") as file:
        for game, line in enumerate(file):
            try:
                puzzle, moves = read_game(line)
            except ValueError as error:
                problems.append(f"line {game + 1}: {error}")
                continue
            puzzles.append(puzzle)
            events.extend((game, *move) for move in moves)
            real = [move for move in moves if move[1] == REAL_BOARD]
            seconds = real[-1][0] / 1000 if real else 0.0
            first = moves[0][0] if moves else 0
            games.append((game, puzzle.text, seconds, len(moves), _completes(puzzle, real), first))
    frame = pd.DataFrame(
        games, columns=["game", "puzzle", "seconds", "moves", "completed", "first_ms"]
    )
    logged = pd.DataFrame(events, columns=["game", "t_ms", "trail", "cell", "value"])
    # A category stores each text once, and not once per move.
    text_of = frame.set_index("game")["puzzle"].astype("category")
    logged.insert(1, "puzzle", logged["game"].map(text_of).astype(text_of.dtype))
    return bunch(
        SUDOKU_INSIGHT, puzzles, frame, "seconds", {"events": logged, "problems": problems}, **form
    )


def fill_times(events: Any, puzzle: Sudoku) -> Any:
    """Return when each blank got its last value on the real board: a person's fill order.

    Parameters
    ----------
    events : DataFrame
        Events of one game.
    puzzle : Sudoku

    Returns
    -------
    ndarray of float64, shape (n_cells,)
        Seconds; NaN for givens and for cells that were never filled or erased at the end.
    """
    times = np.full(len(puzzle.givens), np.nan)
    real = events[events["trail"] == REAL_BOARD]
    for t_ms, cell, value in zip(real["t_ms"], real["cell"], real["value"], strict=True):
        times[cell] = t_ms / 1000 if value else np.nan
    times[np.asarray(puzzle.givens) > 0] = np.nan
    return times


def read_game(line: str) -> tuple[Sudoku, list[tuple[int, int, int, int]]]:
    """Return the puzzle and the moves (t_ms, trail, cell, value) of a line of Sudoku Insight.

    Raises
    ------
    ValueError
        If the line is damaged.
    """
    fields = line.rstrip("\n").split("\t")
    if len(fields) < 2:
        raise ValueError(f"{len(fields)} columns, wanted puzzle and moves")
    puzzle = Sudoku(fields[0])
    moves = read_moves(fields[1])
    for number, (t_ms, trail, cell, value) in enumerate(moves, 1):
        if not (0 <= cell < 81 and 0 <= value <= 9):
            raise ValueError(f"move {number} has no such cell or digit")
        if t_ms < 0 or trail < REAL_BOARD:
            raise ValueError(f"move {number} has no such time or trail")
    return puzzle, moves


def read_moves(text: str) -> list[tuple[int, int, int, int]]:
    """Return the moves (t_ms, trail, cell, value) in a JSON list; ValueError if it is damaged."""
    try:
        listed = parse_json(text)
    except ValueError:
        listed = None
    if not isinstance(listed, list):
        raise ValueError("the moves are not a JSON list")
    moves = []
    for number, event in enumerate(listed, 1):
        parts = str(event).split(",")
        try:
            t_ms, trail, cell, value = map(int, parts if len(parts) == 4 else [*parts, "0"])
        except ValueError:
            raise ValueError(
                f"move {number} is {shortened(repr(event))}: wanted 'ms,trail,cell[,digit]'"
            ) from None
        if max(map(abs, (t_ms, cell, value))) > _LARGEST:
            raise ValueError(f"move {number} has a number above {_LARGEST:,}")
        moves.append((t_ms, trail, cell, value))
    return moves


def _completes(puzzle: Sudoku, real: list[tuple[int, int, int, int]]) -> bool:
    board = puzzle.givens.copy()
    for _, _, cell, value in real:
        board[cell] = value
    return puzzle.is_solution(board)


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

PortalTarget = Literal["mean_seconds", "best_seconds"]

SHORTEST, LONGEST = 60, 4 * 3600
"""Seconds; best or mean times outside this range are implausible."""
FARTHEST = 1.2
"""Largest plausible log distance of a time from the median of its equivalence class."""
FEWEST = 3
"""Minimum number of puzzles in a class whose median is trusted."""

_TIME = re.compile(r"(\d{1,4}):([0-5]\d):([0-5]\d)", re.ASCII)
_ROW_MAJOR = np.arange(81).reshape(3, 3, 3, 3).swapaxes(1, 2).ravel()
"""For each cell in row-major order, its position in the files, which list cells box by box."""


@dataclass(frozen=True)
class _TimedRow(PublishedRow):
    best: int
    mean: int


def fetch_sudoku_portal(
    *,
    target: PortalTarget = "mean_seconds",
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

    if target not in get_args(PortalTarget):
        raise ValueError(f"target must be 'mean_seconds' or 'best_seconds', got {target!r}")
    problems: list[str] = []
    rows: list[_TimedRow] = []
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


def _rows_of(path: Path, level: int, problems: list[str]) -> list[_TimedRow]:
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
    entries = read_each(listed, read_row, f"{path.name}, row", problems)
    return [_TimedRow(place, level, *entry) for place, entry in entries]


def read_row(record: Any) -> tuple[Sudoku, int, int]:
    """Return the puzzle and the best and mean seconds of a row of the portal.

    Raises
    ------
    ValueError
        If the row is damaged.
    """
    if not isinstance(record, dict):
        raise ValueError(f"a row must have puzzle, best and time, got {shortened(repr(record))}")
    for name in ("puzzle", "best", "time"):
        if not isinstance(record.get(name), str):
            raise ValueError(f"{name} must be text, got {shortened(repr(record.get(name)))}")
    boxes = record["puzzle"].strip()
    if len(boxes) != 81:
        raise ValueError(f"a puzzle must have 81 symbols, box by box, got {len(boxes)}")
    puzzle = Sudoku("".join(boxes[i] for i in _ROW_MAJOR))
    return puzzle, _seconds(record["best"], "best"), _seconds(record["time"], "time")


def _seconds(text: str, name: str) -> int:
    match = _TIME.fullmatch(text.strip())
    if match is None:
        raise ValueError(f"{name} is {shortened(repr(text))}, wanted hh:mm:ss")
    hours, minutes, seconds = map(int, match.groups())
    return 3600 * hours + 60 * minutes + seconds


def _without_repeats(rows: Sequence[_TimedRow], problems: list[str]) -> list[_TimedRow]:
    first: dict[Sudoku, _TimedRow] = {}
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


def _implausible(rows: Sequence[_TimedRow], classes: Sequence[str]) -> list[str]:
    """Return why the times of each row are implausible; an empty text for plausible times."""
    seconds = np.array([(row.best, row.mean) for row in rows], dtype=np.float64).reshape(-1, 2)
    away = _from_class(seconds, classes)
    return [_doubt(row, *distance) for row, distance in zip(rows, away.tolist(), strict=True)]


def _doubt(row: _TimedRow, best_away: float, mean_away: float) -> str:
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
