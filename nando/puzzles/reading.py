"""Read puzzles from files in all common forms, with the errors of each line.

Forms are recognised by content: links and files of other programs (`nando.puzzles.formats`), one
puzzle per line, alone or among other columns (``hash puzzle rating``), grids over several lines,
CSV with a column of puzzles, spreadsheets, and any of these packed by gzip, bzip2 or xz.
"""

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import get_args

from nando.names import ReadFormat
from nando.puzzles.formats.json_values import puzzles_of_value, value_of
from nando.puzzles.formats.one_line import find_on, of_kind, puzzle_of_text
from nando.puzzles.formats.registry import FORMATS
from nando.puzzles.formats.table import read_table
from nando.puzzles.formats.text import read_text
from nando.puzzles.kinds import PUZZLES, find_puzzle
from nando.puzzles.lines import Entry, Line, Source, first_lines, numbered_lines, text_lines
from nando.puzzles.protocol import Fault, FaultKind, Puzzle, PuzzleError, PuzzleTypeError
from nando.puzzles.sheets import types_of
from nando.puzzles.sudoku.layout import ORDERS
from nando.puzzles.sudoku.puzzle import Sudoku
from nando.puzzles.sudoku.rows import cells_of, whole_puzzle
from nando.puzzles.variants.puzzle import Variant

_WORD = re.compile("[A-Za-z]")
_RULE_LINE = re.compile(r"^[ \t]*\+[ \t]*[a-z]", re.MULTILINE)
"""A line with a rule of a variant, below its grid."""
_SUDOKU_SIZES = frozenset(order**2 for order in ORDERS)
_LONGEST_PUZZLE = 1 << 18
"""Most characters of the text of one puzzle."""
_FEWEST_GIVENS = {4: 4, 6: 8, 9: 17}
"""Least number of givens with one solution, by the size of a Sudoku."""


def read_puzzles(
    source: Source, kind: str | type[Puzzle] = Sudoku, *, format: ReadFormat | None = None
) -> Iterator[Entry]:
    r"""Read puzzles one by one, without holding the file in memory.

    Parameters
    ----------
    source : str, Path, bytes, text stream or binary stream
        A path (``"-"`` for standard input), the content itself as bytes, or an open stream.
        gzip, bzip2, xz and spreadsheets (.xlsx, .ods) are recognised by their first bytes; text is
        UTF-8, UTF-16 with a byte order mark, or Latin-1, with any line ends.
    kind : str or type of Puzzle
        The kind of the puzzles. For kinds other than Sudoku, a line that is not a complete puzzle
        of the kind is a row of a grid that ends at a blank line, comment or title.
    format : {"line", "sdm", "grid", "sdk", "csv"}, optional
        Default: recognised by the content. ``"line"`` and ``"sdm"`` take no line for a row of a
        grid, ``"grid"`` and ``"sdk"`` take none for the header of a CSV, and ``"csv"`` requires a
        header line with a ``puzzle`` column.

    Yields
    ------
    Entry
        Entries in the order of the file. A line that is not a puzzle yields an entry with an error,
        and reading continues with the next line. Blank lines, ``#`` comments, frames and titles are
        skipped.

    Raises
    ------
    ValueError
        For an unknown format. While reading, for a source that is not text, a damaged packed
        file, a line of more than 268,435,456 characters, a packed file that unpacks to more than
        that and more than 250 times its size, a spreadsheet that is damaged or too large, or a
        CSV without a puzzle column.
    OSError
        If the source cannot be opened.

    See Also
    --------
    read_puzzle : Read one puzzle from a text or link.
    as_puzzle : Convert text, an array or a list of numbers to a puzzle.

    Notes
    -----
    Grids of Sudoku need no blank lines between them if every row has its full length. After a row
    of another length, reading resumes at the next blank line, comment or title.

    Examples
    --------
    >>> text = b"# two lines\n" + b"." * 81 + b"\n" + b"." * 80
    >>> [(entry.line, entry.error) for entry in read_puzzles(text)]
    [(2, None), (3, 'wrong length: 80 symbols; wanted 81 (9x9), 256 (16x16) or 625 (25x25)')]
    """
    if format is not None and format not in get_args(ReadFormat):
        known = ", ".join(get_args(ReadFormat))
        raise ValueError(f"format must be one of {known}, got {format!r}")
    return _entries(numbered_lines(source), find_puzzle(kind), format)


def _entries(
    lines: Iterator[Line], kind: type[Puzzle], format: str | None = None
) -> Iterator[Entry]:
    first = next((line for line in lines if line.text.strip()), None)
    if first is None:
        return
    lines = chain([first], lines)
    for known in FORMATS:
        if known.file_start is not None and known.file_start.match(first.text.strip()):
            assert known.read_file is not None
            for entry in known.read_file(lines, kind):
                yield _of_kind(entry, kind)
            return
    yield from read_table(lines, kind) if format == "csv" else read_text(lines, kind, format)


def _of_kind(entry: Entry, kind: type[Puzzle]) -> Entry:
    if entry.puzzle is None:
        return entry
    try:
        return replace(entry, puzzle=of_kind(entry.puzzle, kind))
    except PuzzleError as error:
        return Entry.of(entry.line, entry.text, error)


def read_puzzle(text: str, kind: str | type[Puzzle] | None = None) -> Puzzle:
    """Read the only puzzle in a text: a link, a line, a grid, or the content of a text file.

    Parameters
    ----------
    text : str
        Text in any format that :func:`read_puzzles` reads.
    kind : str or type of Puzzle, optional
        Default: recognised by the text.

    Returns
    -------
    Puzzle

    Raises
    ------
    PuzzleError
        If there is no puzzle or more than one, or the puzzle is wrong; the message lists
        everything wrong.

    See Also
    --------
    format_puzzle : Write a puzzle as a link, or in another format.

    Examples
    --------
    >>> read_puzzle("https://puzz.link/p?nurikabe/5/5/2m3m2l2g").text
    '2..../...3./...../.2.../...2.'
    """
    if not isinstance(text, str):
        message = f"text must be a str, got {type(text).__name__}; see nando.puzzles.as_puzzle"
        raise PuzzleTypeError(message)
    if len(text) > _LONGEST_PUZZLE:
        message = (
            f"unreadable: a text of {len(text):,} characters; a puzzle has at most "
            f"{_LONGEST_PUZZLE:,} (read files with nando.puzzles.read_puzzles)"
        )
        raise PuzzleError([Fault(FaultKind.UNREADABLE, message)])
    line = text.strip()
    kind_of_puzzle = find_puzzle(kind or kind_of_text(line) or _stated_kind([line]) or Sudoku.kind)
    entries = list(_entries(text_lines(text), kind_of_puzzle))
    if len(entries) == 1:
        entry = entries[0]
        if entry.puzzle is not None:
            return entry.puzzle
        if line.startswith(("{", "[")):
            for outcome in puzzles_of_value(value_of(line), kind_of_puzzle):
                if isinstance(outcome, PuzzleError):
                    raise outcome
        elif "\n" not in line:
            puzzle_of_text(line, kind_of_puzzle)  # on failure, this raises an error with all faults
        raise PuzzleError([Fault(FaultKind.UNREADABLE, entry.error or "unreadable")])
    counted = f"{len(entries):,} puzzles" if entries else "no puzzle"
    message = f"unreadable: {counted} in the text; wanted one"
    raise PuzzleError([Fault(FaultKind.UNREADABLE, message)])


def kind_of_text(text: str) -> str | None:
    """Return the kind of the first puzzle in a text; None if no kind can read one.

    If several kinds can, the kind of the first puzzle is chosen, then a kind whose rules the givens
    obey, then a kind for which the text is a complete puzzle, then a kind with givens enough for
    one solution, then the first in `PUZZLES`. A grid that breaks the rules of every kind has no
    kind.

    Examples
    --------
    >>> kind_of_text("2..../...3./...../.2.../....2,90"), kind_of_text("." * 81)
    ('nurikabe', 'sudoku')
    >>> kind_of_text("53..7....") is None
    True
    """
    return next(iter(kinds_of_text(text)), None)


def kinds_of_text(text: str) -> list[str]:
    """Return the kinds that can read the first puzzle in a text, the likeliest first."""
    candidates: list[tuple[int, bool, bool, int, str]] = []
    for kind in (Variant,) if _RULE_LINE.search(text) else PUZZLES:
        try:
            entries = _entries(text_lines(text), kind)
            entry = next((entry for entry in entries if isinstance(entry.undrawn, kind)), None)
        except ValueError:
            continue
        if entry is None or entry.undrawn is None:
            continue
        puzzle = entry.undrawn
        is_valid, is_whole = puzzle.status().valid, kind.is_whole(entry.text)
        # A lone number is not a board; a single row is read only if the kind is given. The formats
        # of other programs state the kind even of a faulty puzzle.
        is_stated = find_on(entry.text) is not None
        is_board = kind.is_whole(puzzle.text) and not (candidates and _is_sudoku(puzzle))
        if is_board and (is_valid or is_whole or is_stated):
            candidates.append((entry.line, not is_valid, not is_whole, _doubt(puzzle), kind.kind))
    return [ranked[-1] for ranked in sorted(candidates, key=lambda ranked: ranked[:4])]


def _is_sudoku(puzzle: Puzzle) -> bool:
    """Return True for a variant that is a Sudoku."""
    return isinstance(puzzle, Variant) and puzzle.is_plain and puzzle.size in _SUDOKU_SIZES


def _doubt(puzzle: Puzzle) -> int:
    """Return 0 for a puzzle that its givens make likely, 2 for one that they make impossible.

    A Sudoku with one solution has all digits but one among its givens.
    """
    if not isinstance(puzzle, Sudoku | Variant):
        return 1
    if isinstance(puzzle, Variant) and not puzzle.is_plain:
        return 0
    digits = puzzle.givens[puzzle.givens > 0]
    least = _FEWEST_GIVENS.get(puzzle.size, puzzle.size - 1)
    return 0 if len(digits) >= least and len(set(digits.tolist())) >= puzzle.size - 1 else 2


def guess_of(text: str, kind: str, option: str = "kind={!r}", *, is_known: bool = True) -> str:
    """Return the end of a message, if the kind of a text was guessed and another is possible.

    `option` is the way to choose a kind. If `is_known` is False, any other kind is possible.
    """
    kinds = kinds_of_text(text) if is_known else [puzzle.kind for puzzle in PUZZLES]
    others = [option.format(other) for other in kinds if other != kind]
    return f"; taken for the kind {kind}: give {' or '.join(others)} if it is one" if others else ""


def kind_of_file(source: str | Path | bytes) -> str:
    """Return the kind of the puzzles in a file, without consuming it; else Sudoku."""
    return recognised_kind(source) or Sudoku.kind


def columns_of_file(source: str | Path | bytes, kind: str) -> dict[str, type]:
    """Return the columns next to the puzzles of a file, and their types, without consuming it.

    They are those of the first puzzle. Only Parquet has types; other columns are text.
    """
    with suppress(ValueError, OSError):  # reported when the file is read
        lines = text_lines("\n".join(first_lines(source)))
        first = next(_entries(lines, find_puzzle(kind)), None)
        types = types_of(source) if first is not None and first.columns else {}
        return {} if first is None else {name: types.get(name, str) for name in first.columns}
    return {}


def recognised_kind(source: str | Path | bytes) -> str | None:
    """Return the kind of the puzzles in a file, without consuming it; None if none is found.

    It is the kind of the first puzzle, but Sudokus in a file with a variant are variants. Only what
    has arrived of standard input is searched. A faulty puzzle has a kind too, so that the reader of
    this kind can report the faults.
    """
    head = first_lines(source)
    lines = [line for line in head if not line.startswith("#")]
    kind = kind_of_text("\n".join(lines)) or _stated_kind(lines)
    if kind == Sudoku.kind:
        is_consumed = not isinstance(source, bytes) and str(source) == "-"
        with suppress(ValueError, OSError):  # reported when the line is reached
            if _holds_variant(
                text_lines("\n".join(head)) if is_consumed else numbered_lines(source)
            ):
                return Variant.kind
    return kind


def _holds_variant(lines: Iterator[Line]) -> bool:
    """Return True if there is a variant among Sudokus."""
    others = (
        line
        for line in lines
        if "+" in line.text or whole_puzzle(line.text, cells_of(line.text)) is None
    )
    return any(
        isinstance(entry.undrawn, Variant)
        and not _is_sudoku(entry.undrawn)
        and entry.undrawn.status().valid
        for entry in _entries(others, Variant)
    )


def _stated_kind(lines: list[str]) -> str | None:
    """Return the kind of the first complete puzzle among the lines, even if it is faulty."""
    for puzzle in PUZZLES:
        if any(puzzle.is_whole(line) for line in lines if "+" in line or not _WORD.search(line)):
            return puzzle.kind
    return None
