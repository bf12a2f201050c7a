"""Sudoku Insight: games of one experienced player, every move timed."""

from pathlib import Path
from typing import Any, Unpack

import numpy as np

from nando.datasets.base import Form, bunch, data_set
from nando.puzzles import PuzzleError, Sudoku
from nando.puzzles.files import parse_json, shortened

_FILE = "games-phone-2013-12-01.tsv"

SUDOKU_INSIGHT = data_set("sudoku_insight")

REAL_BOARD = -1
"""Trail of moves on the real board; what-if trails are numbered from 0."""
_MOST = 10**12
"""Larger numbers are damaged."""


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

    path = SUDOKU_INSIGHT.path(_FILE, data_home)
    puzzles: list[Sudoku] = []
    games: list[tuple[Any, ...]] = []
    events: list[tuple[int, ...]] = []
    problems: list[str] = []
    with path.open(encoding="utf-8") as file:
        for game, line in enumerate(file):
            try:
                puzzle, moves = _game(line)
            except ValueError as error:
                problems.append(f"line {game + 1}: {error}")
                continue
            puzzles.append(puzzle)
            events.extend((game, *move) for move in moves)
            real = [move for move in moves if move[1] == REAL_BOARD]
            seconds = real[-1][0] / 1000 if real else 0.0
            first = moves[0][0] if moves else 0
            games.append((game, puzzle.text, seconds, len(moves), _completed(puzzle, real), first))
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


def _game(line: str) -> tuple[Sudoku, list[tuple[int, int, int, int]]]:
    """Return the puzzle and the moves (t_ms, trail, cell, value) of a line."""
    fields = line.rstrip("\n").split("\t")
    if len(fields) < 2:
        raise ValueError(f"{len(fields)} columns, wanted puzzle and moves")
    try:
        puzzle = Sudoku(fields[0])
    except PuzzleError as error:
        raise ValueError(str(error)) from None
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
        if max(map(abs, (t_ms, cell, value))) > _MOST:
            raise ValueError(f"move {number} has a number above {_MOST:,}")
        moves.append((t_ms, trail, cell, value))
    return moves


def _completed(puzzle: Sudoku, real: list[tuple[int, int, int, int]]) -> bool:
    board = puzzle.givens.copy()
    for _, _, cell, value in real:
        board[cell] = value
    return puzzle.is_solution(board)
