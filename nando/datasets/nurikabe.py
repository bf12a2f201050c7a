"""Nurikabe of the collection on janko.at: levels, and the order in which people filled them in."""

import re
from pathlib import Path
from typing import Any, NamedTuple, Unpack

import numpy as np

from nando.datasets.base import Form, bunch, data_set
from nando.datasets.janko import NO_PUZZLE, packed_lines, page_of
from nando.puzzles import Nurikabe, Puzzle, PuzzleError
from nando.puzzles.files import shortened
from nando.puzzles.nurikabe import BLACK, WHITE

_FILE = "Nurikabe.jsonl.bz2"

NURIKABE_JANKO = data_set("nurikabe_janko")

_LEVEL = re.compile(r"L([1-9])_i\d+")
"""Pattern of the level in the name that a generator gave a puzzle."""

_COLUMNS = (
    "puzzle",
    "name",
    "rows",
    "columns",
    "level",
    "source",
    "solver",
    "moves",
    "corrections",
)
_BEYOND_Z = re.compile("[0-9]{1,6}")
"""A cell beyond column or row z: a hundred times the column, and the row."""
_COLOURS = {"0": BLACK, "1": WHITE, "": 0, "-": 0}
"""Codes of the log."""


class Move(NamedTuple):
    """An entry of a log: a cell, its new value (0 if erased), and whether it is a pencil mark."""

    cell: int
    value: int
    pencilled: bool


def fetch_nurikabe(
    *,
    data_home: str | Path | None = None,
    path: str | Path | None = None,
    **form: Unpack[Form],
) -> Any:
    """Return Nurikabe with levels and move logs; there are no times.

    Parameters
    ----------
    return_X_y, as_frame, data_home
        As in :func:`fetch_cloud_sudoku`.
    path : str, Path or None
        Another file of the same form; its SHA-256 is not checked.

    Returns
    -------
    Bunch
        ``puzzles``, ``target`` (level 1 to 3, NaN where none is known), ``events`` (DataFrame, a
        row per move: game, cell, value, pencilled; value 1 is white, 2 black, 0 an erasure),
        ``frame`` (a row per puzzle: puzzle, name, rows, columns, level, source, solver, moves,
        corrections), ``problems`` (lines that could not be read), ``feature_names``, ``DESCR``,
        ``provenance``.

    Notes
    -----
    A correction is an entry that changes the colour of a cell. The puzzles are not checked for
    exactly one solution.
    """
    import pandas as pd

    archive = NURIKABE_JANKO.path(_FILE, data_home) if path is None else Path(path)
    puzzles: list[Nurikabe] = []
    rows: list[tuple[Any, ...]] = []
    events: list[tuple[int, int, int, bool]] = []
    problems: list[str] = []
    for number, line in enumerate(packed_lines(archive), 1):
        try:
            puzzle, data, name = _entry(line)
            moves = read_moves(data["moves"], puzzle.shape)
        except ValueError as error:
            problems.append(f"line {number}: {error}")
            continue
        events.extend((len(puzzles), *move) for move in moves)
        level = _LEVEL.search(data["info"])
        rows.append(
            (
                puzzle.text,
                name,
                *puzzle.shape,
                float(level[1]) if level else np.nan,
                data["source"],
                data["solver"],
                len(moves),
                _corrections(moves),
            )
        )
        puzzles.append(puzzle)
    return bunch(
        NURIKABE_JANKO,
        puzzles,
        pd.DataFrame(rows, columns=list(_COLUMNS)),
        "level",
        {
            "events": pd.DataFrame(events, columns=["game", "cell", "value", "pencilled"]),
            "problems": problems,
        },
        **form,
    )


def entry_ranks(events: Any, puzzle: Puzzle) -> Any:
    """Return when each cell got the value that it kept: a person's fill order.

    Parameters
    ----------
    events : DataFrame
        Events of one game.
    puzzle : Puzzle
        A Nurikabe, or a variant of Sudoku.

    Returns
    -------
    ndarray of float64, shape (n_cells,)
        Rank from 1; NaN for givens and for cells without a value at the end. People leave
        some white cells of a Nurikabe open.
    """
    last: dict[int, int] = {}
    # In a log with digits, an entry without a digit holds pencil marks, and erases the digit.
    marked = events.get("pencilled", np.zeros(len(events), bool))
    for cell, value, pencilled in zip(events["cell"], events["value"], marked, strict=True):
        if pencilled:
            continue
        last.pop(cell, None)  # so that the cell moves to the end
        if value:
            last[int(cell)] = int(value)
    ranks = np.full(puzzle.givens.size, np.nan)
    cells = [cell for cell in last if not puzzle.givens[cell]]
    ranks[cells] = np.arange(1, len(cells) + 1)
    return ranks


def read_moves(text: str, shape: tuple[int, int]) -> list[Move]:
    """Return the entries of a log; skip everything else, for example saved positions.

    Raises
    ------
    ValueError
        For a cell that the board does not have.

    Examples
    --------
    >>> read_moves("Z1;ba,0;ab,1;ab,;2600,0", (2, 27))
    [Move(cell=1, value=2, pencilled=False), Move(cell=27, value=1, pencilled=False), \
Move(cell=27, value=0, pencilled=False), Move(cell=26, value=2, pencilled=False)]
    """
    moves = []
    for part in text.split(";"):
        place, _, rest = part.partition(",")
        if re.fullmatch("[a-z]{2}", place):
            column, row = ord(place[0]) - ord("a"), ord(place[1]) - ord("a")
        elif _BEYOND_Z.fullmatch(place) and rest:
            column, row = divmod(int(place), 100)
        else:
            continue
        if row >= shape[0] or column >= shape[1]:
            raise ValueError(
                f"move {shortened(part)!r}: no such cell on {shape[0]} rows of {shape[1]}"
            )
        value, _, mark = rest.partition(",")
        if value in _COLOURS:
            cell = row * shape[1] + column
            moves.append(Move(cell, _COLOURS[value], bool(mark.strip(",")) and value in ("", "-")))
    return moves


def _entry(line: str) -> tuple[Nurikabe, dict[str, str], str]:
    """Return the puzzle, fields and name of a line."""
    page, data = page_of(line)
    fields = {name: str(data.get(name) or "") for name in ("moves", "info", "source", "solver")}
    if not isinstance(data.get("problem"), list):
        raise ValueError(NO_PUZZLE)
    try:
        return Nurikabe.from_rows(data["problem"]), fields, page
    except PuzzleError as error:
        raise ValueError(str(error)) from None
    except (AttributeError, TypeError):
        raise ValueError(NO_PUZZLE) from None


def _corrections(moves: list[Move]) -> int:
    held: dict[int, int] = {}
    corrections = 0
    for cell, value, pencilled in moves:
        if not pencilled:
            corrections += cell in held and held[cell] != value
            held[cell] = value
    return corrections
