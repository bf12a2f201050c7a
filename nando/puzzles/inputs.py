"""Convert values to puzzles: text, arrays, lists of cells, and results that hold a puzzle.

The type of a value, never its length, decides whether it is one puzzle or several:

- text, bytes, a puzzle, a result that holds a puzzle, an array of numbers, a list of cells and a
  list of rows of cells are one puzzle;
- a list of anything else (texts, puzzles, arrays, lists of rows), a column of texts and every other
  iterable are several puzzles. So ``list(array)`` is one puzzle for each row or table of the array.
"""

import math
import numbers
import re
import reprlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol, TypeGuard

import numpy as np
from numpy.typing import NDArray

from nando.puzzles.boards.board import LARGEST
from nando.puzzles.files import decode, shortened
from nando.puzzles.formats.one_line import of_kind
from nando.puzzles.kinds import PUZZLES, find_puzzle
from nando.puzzles.protocol import Fault, FaultKind, Puzzle, PuzzleError, PuzzleTypeError
from nando.puzzles.reading import read_puzzle
from nando.puzzles.sudoku.layout import ORDERS
from nando.puzzles.sudoku.puzzle import Sudoku
from nando.puzzles.variants.puzzle import Variant


class HasPuzzle(Protocol):
    """A result that holds its puzzle, for example a rating, a solution or a record."""

    @property
    def puzzle(self) -> Puzzle:
        """The puzzle of the result."""
        ...


PuzzleLike = (
    Puzzle
    | HasPuzzle
    | str
    | bytes
    | NDArray[Any]
    | Sequence[float | None]
    | Sequence[Sequence[float | None]]
    | Sequence[list[str]]
)
"""A value that :func:`as_puzzle` converts to one puzzle."""

_EXPECTED = (
    "text, a Puzzle, a 9x9, 16x16 or 25x25 array, a list of rows of numbers, or a result that "
    "holds a puzzle"
)
_LARGEST = 10**30
"""Larger integers are treated as infinity; they are too long to print."""
_FEWEST_ROWS = 4
"""Rows of the smallest variant that is recognised by its size."""
_READ = "read a file with nando.puzzles.read_puzzles"
_FILE_NAME = re.compile(
    r"[^\n]+\.(txt|csv|tsv|jsonl?|xlsx?|ods|sd[km]|parquet|toml|xml)", re.IGNORECASE
)
"""A text that cannot be a puzzle, and ends as the name of a file does."""
_SIZES = {order**4: order**2 for order in ORDERS}
"""Number of rows of a Sudoku, by its number of cells."""


def as_puzzle(
    value: PuzzleLike, kind: str | type[Puzzle] | None = None, *, name: str = "puzzle"
) -> Puzzle:
    """Convert a value to a puzzle.

    Parameters
    ----------
    value : Puzzle, str, bytes, array, list, or a result that holds a puzzle
        Text is a line, a grid or a link, never a path. Bytes are text in UTF-8, UTF-16 with a
        byte order mark, or Latin-1.
        Numbers are the cells of a Sudoku, as an array of shape ``(9, 9)`` or ``(81,)`` (or 16x16,
        25x25), a list of rows or a flat list; with ``kind="nurikabe"`` they are rows of any shape,
        with ``kind="variant"`` a square of any size.
        Cells are integers, floats without a fraction, or symbols. 0, -1, None, NaN and masked cells
        are blank, except that -1 in a Nurikabe is an island of unknown size. Booleans are not
        digits.
    kind : str, type of Puzzle or None
        None recognises the kind of a text, and reads numbers as a Sudoku, or as a variant if they
        form a square of another size from 4x4 to 25x25.
    name : str
        Name of the value in messages.

    Returns
    -------
    Puzzle

    Raises
    ------
    PuzzleError
        If the text or the numbers are not a puzzle (the message lists everything wrong), or are a
        puzzle of another kind.
    PuzzleTypeError
        For a value of any other type. Read files with :func:`read_puzzles`.

    Examples
    --------
    >>> rows = [[5, 3, 0, 0, 7, 0, 0, 0, 0]] + [[0] * 9] * 8
    >>> as_puzzle(rows) == as_puzzle(np.array(rows)) == as_puzzle("53..7...." + "." * 72)
    True
    """
    kind_of_puzzle = None if kind is None else find_puzzle(kind)
    if isinstance(value, PUZZLES):
        return of_kind(value, kind_of_puzzle)
    value = _without_array(value)
    if isinstance(value, str):
        try:
            return read_puzzle(value, kind_of_puzzle)
        except PuzzleError:
            # Whether the file exists is not asked: the text may come from somebody on the network.
            if _FILE_NAME.fullmatch(value.strip()):
                message = f"unreadable: {shortened(value)!r} is the name of a file; {_READ}"
                raise PuzzleError([Fault(FaultKind.UNREADABLE, message)]) from None
            raise
    if isinstance(value, bytes | bytearray | memoryview):
        return read_puzzle(_text_of(bytes(value)), kind_of_puzzle)
    if isinstance(value, Puzzle):
        return of_kind(value, kind_of_puzzle)
    if _holds_puzzle(value):
        return of_kind(value.puzzle, kind_of_puzzle)
    cells = _plain(value)
    kind = kind_of_puzzle or _kind_of_size(cells)
    if _is_array(value):
        _check_shape(value, kind)
    if _is_row(cells):
        return _of_row(cells, kind)
    if _is_table(cells):
        table = [[_plain_cell(cell) for cell in row] for row in map(_plain, cells)]
        return kind.from_rows(table)
    raise not_a_puzzle(value, name)


def is_one(value: object) -> bool:
    """Return True if a value is one puzzle, or cannot be several puzzles."""
    value = _without_array(value)
    if isinstance(value, str | bytes | bytearray | memoryview | Mapping | Puzzle):
        return True
    if _holds_puzzle(value) or _is_array(value) or not _is_iterable(value):
        return True
    cells = _plain(value)
    return _is_row(cells) or _is_table(cells)


def several(value: Iterable[PuzzleLike]) -> Iterable[PuzzleLike]:
    """Return the puzzles in a value for which :func:`is_one` is False; a column becomes texts.

    Raises
    ------
    PuzzleTypeError
        For the symbols of one puzzle.
    """
    items: Iterable[PuzzleLike] = _without_array(value)
    if _are_symbols(items):
        raise not_a_puzzle(items, "puzzles")
    return items


def _are_symbols(value: object) -> bool:
    """Return True for a list with a text of one symbol for each cell of a board."""
    return (
        isinstance(value, Sequence)
        and len(value) >= _FEWEST_ROWS**2
        and math.isqrt(len(value)) ** 2 == len(value)
        and all(isinstance(item, str) and len(item) == 1 for item in value)
    )


def as_puzzles(values: Iterable[PuzzleLike], *, name: str = "puzzles") -> list[Puzzle]:
    """Convert values to puzzles, each by :func:`as_puzzle`.

    Raises
    ------
    PuzzleError, PuzzleTypeError
        For the first value that is not a puzzle, with its `index`, and if `values` is a single
        puzzle.
    """
    if is_one(values):
        message = f"{name} must be several puzzles, for example a list of texts"
        raise PuzzleTypeError(f"{message}, got {_describe(values)}")
    puzzles: list[Puzzle] = []
    for index, value in enumerate(several(values)):
        try:
            puzzles.append(as_puzzle(value, name=f"{name}[{index}]"))
        except (PuzzleError, PuzzleTypeError) as error:
            raise placed(error, index) from None
    return puzzles


def placed(error: PuzzleError | PuzzleTypeError, index: int) -> PuzzleError | PuzzleTypeError:
    """Return the error of a puzzle with its index among several puzzles."""
    if isinstance(error, PuzzleError):
        return PuzzleError(error.status, index)
    return PuzzleTypeError(str(error), index)


def as_text(value: object) -> str | None:
    """Return the text of a puzzle that is given as text or bytes; None for anything else."""
    value = _without_array(value)
    if isinstance(value, bytes | bytearray | memoryview):
        return _text_of(bytes(value))
    return value if isinstance(value, str) else None


def not_a_puzzle(value: object, name: str) -> PuzzleTypeError:
    """Return the error for a value whose type cannot be a puzzle."""
    way_out = ""
    if hasattr(value, "__fspath__"):
        way_out = f"; {_READ}"
    elif _are_symbols(value):
        way_out = "; join the symbols of its cells to one text: ''.join(symbols)"
    elif not isinstance(value, Mapping) and _is_iterable(value):
        way_out = "; give one puzzle at a time"
    return PuzzleTypeError(f"{name} must be {_EXPECTED}, got {_describe(value)}{way_out}")


def _describe(value: object) -> str:
    """Return the type and the beginning of a value, for messages."""
    kind = type(value).__name__
    try:
        return f"{kind} {shortened(reprlib.repr(value), 60)}"
    except ValueError:  # integers of thousands of digits have no text
        return kind


def _text_of(data: bytes) -> str:
    try:
        return decode(data)
    except ValueError as error:
        message = (
            f"unreadable: {shortened(error)}; wanted the text of a puzzle "
            "(read files and their content with nando.puzzles.read_puzzles)"
        )
        raise PuzzleError([Fault(FaultKind.UNREADABLE, message)]) from None


def _holds_puzzle(value: object) -> TypeGuard[HasPuzzle]:
    return isinstance(getattr(value, "puzzle", None), Puzzle)


def _is_iterable(value: object) -> bool:
    return isinstance(value, Iterable) or hasattr(value, "__array__")


def _without_array(value: Any) -> Any:
    """Return an array, column or data frame of text as lists, and any other value unchanged."""
    is_text = hasattr(value, "__array__") and not _is_array(value)
    return np.asarray(value).tolist() if is_text else value


def _is_array(value: object) -> bool:
    """Return True for an array, tensor or data frame of numbers, not of text or of objects."""
    return hasattr(value, "__array__") and np.asarray(value).dtype.kind not in "OSTU"


def _plain(value: Any) -> Any:
    """Return an array as lists, with masked cells as 0, and any other value unchanged."""
    if isinstance(value, np.ma.MaskedArray):
        return value.filled(0).tolist()
    return np.asarray(value).tolist() if hasattr(value, "__array__") else value


def _check_shape(value: Any, kind: type[Puzzle]) -> None:
    """Raise PuzzleError unless an array is a table or, for a Sudoku, one row of all cells."""
    shape = np.asarray(value).shape
    if kind is Sudoku:
        fits = shape in {(size, size) for size in _SIZES.values()} or (
            len(shape) == 1 and shape[0] in _SIZES
        )
        expected = "(9, 9) or (81,), (16, 16) or (256,), (25, 25) or (625,)"
    elif kind is Variant:
        side = math.isqrt(shape[0]) if len(shape) == 1 else shape[0] if shape else 0
        fits = shape in ((side, side), (side * side,))
        expected = "a square, for example (6, 6) or (36,)"
    else:
        fits, expected = len(shape) == 2, "two dimensions"
    if not fits:
        several = "; for several puzzles give list(array)" if len(shape) > 1 else ""
        message = f"wrong length: an array of shape {shape}; wanted {expected}{several}"
        raise PuzzleError([Fault(FaultKind.WRONG_LENGTH, message)])


def _first(cells: Sequence[object]) -> object:
    """Return the first cell, or item, that is not missing."""
    return next((cell for cell in cells if not _is_missing(cell)), None)


def _is_list(value: object) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str | bytes | bytearray)


def _is_missing(cell: object) -> bool:
    return cell is None or (isinstance(cell, float) and math.isnan(cell))


def _is_row(cells: Any) -> bool:
    """Return True for a list of numbers."""
    return _is_list(cells) and isinstance(_first(cells), numbers.Number)


def _is_table(cells: Any) -> bool:
    """Return True for a list of rows of numbers, or of symbols."""
    if not _is_list(cells) or not _is_list(row := _first(cells)):
        return False
    inner = _first(row)  # type: ignore[arg-type]
    return inner is None or isinstance(inner, numbers.Number | str)


def _kind_of_size(cells: Any) -> type[Puzzle]:
    """Return the kind of a row or table of cells: a variant for the sizes that no Sudoku has."""
    n_rows = math.isqrt(len(cells)) if _is_row(cells) else len(cells) if _is_table(cells) else 0
    if n_rows in _SIZES.values() or not _FEWEST_ROWS <= n_rows <= LARGEST:
        return Sudoku
    if _is_row(cells):
        return Variant if n_rows**2 == len(cells) else Sudoku
    is_square = all(len(row) == n_rows for row in map(_plain, cells))
    return Variant if is_square else Sudoku


def _of_row(cells: Sequence[object], kind: type[Puzzle]) -> Puzzle:
    size = _SIZES.get(len(cells))
    if kind is Variant and math.isqrt(len(cells)) ** 2 == len(cells):
        size = math.isqrt(len(cells))
    elif kind is not Sudoku or size is None:
        expected = "81 (9x9), 256 (16x16) or 625 (25x25)" if kind is Sudoku else "a list of rows"
        message = f"wrong length: {len(cells):,} cells in a row; wanted {expected}"
        raise PuzzleError([Fault(FaultKind.WRONG_LENGTH, message)])
    assert size is not None
    plain = [_plain_cell(cell) for cell in cells]
    return kind.from_rows([plain[i : i + size] for i in range(0, len(plain), size)])


def _plain_cell(cell: Any) -> object:
    """Return a cell as integer, text or None; any other cell is unchanged, for the message."""
    if _is_missing(cell):
        return None
    if isinstance(cell, np.generic):
        cell = cell.item()
    if isinstance(cell, int) and abs(cell) > _LARGEST:
        return math.inf if cell > 0 else -math.inf
    return int(cell) if isinstance(cell, float) and cell.is_integer() else cell
