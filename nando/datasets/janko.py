"""The collection on janko.at: Nurikabe and variants of Sudoku, and how people filled them in."""

import ast
import bz2
import re
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, Unpack

import numpy as np

from nando.datasets.base import Form, bunch, data_set, read_each
from nando.datasets.pages import GENRES, Genre, read_log, read_page
from nando.puzzles import Nurikabe, Puzzle, Variant
from nando.puzzles.files import parse_json, shortened
from nando.puzzles.nurikabe import BLACK, WHITE
from nando.puzzles.protocol import Values

_LONGEST = 1 << 22
"""Most characters of a line that are read at once."""

_NO_PUZZLE = "not the JSON of a puzzle"
"""The error of a line without a puzzle."""


def _packed_lines(path: Path) -> Iterator[str]:
    """Yield the lines of a packed file; raise ValueError if it is damaged."""
    try:
        with bz2.open(path, "rt", encoding="utf-8") as file:
            while line := file.readline(_LONGEST):
                yield line
    except (EOFError, UnicodeDecodeError, OSError) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise
        raise ValueError(f"{path}: damaged bzip2 file ({error}); take another copy of it") from None


def _page_of(line: str) -> tuple[str, dict[str, Any]]:
    """Return the name of a page and its fields, which may also be written as Python."""
    try:
        record = parse_json(line)
        data = record["data"]
        fields = ast.literal_eval(data) if isinstance(data, str) else data
        if not isinstance(fields, dict):
            raise TypeError
        return str(record["file"]), fields
    except (ValueError, KeyError, TypeError, SyntaxError, RecursionError, MemoryError):
        raise ValueError(_NO_PUZZLE) from None


def _texts(fields: dict[str, Any], *names: str) -> list[str]:
    """Return the texts of fields, which may be missing."""
    return [str(fields.get(name) or "") for name in names]


def _level(pattern: re.Pattern[str], text: str) -> float:
    level = pattern.search(text)
    return float(level[1]) if level else np.nan


NURIKABE_JANKO = data_set("nurikabe_janko")
SUDOKU_VARIANTS = data_set("sudoku_variants")

_GENERATED = re.compile(r"L([1-9])_i\d+")
"""Pattern of the level in the name that a generator gave a Nurikabe."""
_SETTERS = re.compile(r"\[([1-9])\]$")
"""The level that the setter of a variant names at the end of `info`."""
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

    archive = NURIKABE_JANKO.path("Nurikabe.jsonl.bz2", data_home) if path is None else Path(path)
    puzzles: list[Nurikabe] = []
    rows: list[tuple[Any, ...]] = []
    events: list[tuple[int, int, int, bool]] = []
    problems: list[str] = []
    pages = read_each(_packed_lines(archive), read_nurikabe, "line", problems)
    for _, (name, fields, puzzle, moves) in pages:
        events.extend((len(puzzles), *move) for move in moves)
        info, *about = _texts(fields, "info", "source", "solver")
        found = _level(_GENERATED, info), *about, len(moves), _corrections(moves)
        rows.append((puzzle.text, name, *puzzle.shape, *found))
        puzzles.append(puzzle)
    columns = ["puzzle", "name", "rows", "columns", "level", "source", "solver"]
    return bunch(
        NURIKABE_JANKO,
        puzzles,
        pd.DataFrame(rows, columns=[*columns, "moves", "corrections"]),
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


def read_nurikabe(line: str) -> tuple[str, dict[str, Any], Nurikabe, list[Move]]:
    """Return the name, the fields, the puzzle and the log of a page.

    Raises
    ------
    ValueError
        If the line is damaged.
    """
    page, fields = _page_of(line)
    if not isinstance(fields.get("problem"), list):
        raise ValueError(_NO_PUZZLE)
    try:
        puzzle = Nurikabe.from_rows(fields["problem"])
    except (AttributeError, TypeError):
        raise ValueError(_NO_PUZZLE) from None
    (log,) = _texts(fields, "moves")
    return page, fields, puzzle, read_moves(log, puzzle.shape)


def _corrections(moves: list[Move]) -> int:
    held: dict[int, int] = {}
    corrections = 0
    for cell, value, pencilled in moves:
        if not pencilled:
            corrections += cell in held and held[cell] != value
            held[cell] = value
    return corrections


def fetch_sudoku_variants(
    *,
    genres: str | Sequence[str] | None = None,
    data_home: str | Path | None = None,
    **form: Unpack[Form],
) -> Any:
    """Return published variants of Sudoku with their solutions, and how people solved them.

    Parameters
    ----------
    genres : str or sequence of str, optional
        Names in :data:`GENRES`; default all.
    return_X_y, as_frame, data_home
        As in :func:`fetch_cloud_sudoku`.

    Returns
    -------
    Bunch
        ``puzzles`` (list of Variant), ``solutions`` (list of arrays of int8, shape ``(n_places,)``:
        the published ones), ``target`` (level 3 to 6 of a setter of Kropki, NaN elsewhere),
        ``events`` (DataFrame, a row per move: game, cell, value, candidates; value 0 is no entry),
        ``frame`` (a row per puzzle), ``problems`` (pages that could not be read, and why),
        ``feature_names``, ``DESCR``, ``provenance``.

    Raises
    ------
    ValueError
        For an unknown genre, or a damaged file.

    Notes
    -----
    Every published solution obeys its puzzle. Its uniqueness is not checked.
    """
    import pandas as pd

    named = list(GENRES) if genres is None else [genres] if isinstance(genres, str) else [*genres]
    if unknown := [name for name in named if name not in GENRES]:
        raise ValueError(f"unknown genre {unknown[0]!r}; known: {', '.join(GENRES)}")
    puzzles: list[Variant] = []
    solutions: list[Values] = []
    rows: list[tuple[Any, ...]] = []
    events: list[tuple[Any, ...]] = []
    problems: list[str] = []
    for genre in named:
        file = f"Sudoku_{GENRES[genre].file}.jsonl.bz2"
        lines = _packed_lines(SUDOKU_VARIANTS.path(file, data_home))
        pages = read_each(lines, partial(_read_variant, GENRES[genre]), f"{file}, line", problems)
        for place, (name, fields, puzzle, solution) in pages:
            log, info, *about = _texts(fields, "moves", "info", "source", "solver")
            try:
                moves = read_log(log, puzzle, solution, margin=GENRES[genre].margin)
            except ValueError as error:
                problems.append(f"{place}: log left out: {error}")
                moves = []
            events.extend((len(puzzles), *move) for move in moves)
            told = _level(_SETTERS, info), info, *about, len(moves), puzzle.solution_text(solution)
            rows.append((puzzle.text, name, genre, puzzle.size, *puzzle.shape, *told))
            puzzles.append(puzzle)
            solutions.append(solution)
    columns = ["puzzle", "name", "genre", "size", "rows", "columns", "level", "info", "source"]
    return bunch(
        SUDOKU_VARIANTS,
        puzzles,
        pd.DataFrame(rows, columns=[*columns, "solver", "moves", "solution"]),
        "level",
        {
            "solutions": solutions,
            "events": pd.DataFrame(events, columns=["game", "cell", "value", "candidates"]),
            "problems": problems,
        },
        **form,
    )


def _read_variant(genre: Genre, line: str) -> tuple[str, dict[str, Any], Variant, Values]:
    name, fields = _page_of(line)
    return name, fields, *read_page(fields, genre)
