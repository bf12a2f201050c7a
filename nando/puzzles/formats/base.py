"""What a format is: its name, and how to recognise, read and write it."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple, TypedDict, TypeVar, Unpack

import numpy as np
from numpy.typing import NDArray

from nando.puzzles.boards.board import ONE_GRID, Cells, box_shape
from nando.puzzles.boards.constraints import AllDifferent, Relation, Sum
from nando.puzzles.boards.rule import Rule
from nando.puzzles.files import parse_json, shortened
from nando.puzzles.kinds import PUZZLES, find_puzzle
from nando.puzzles.lines import Entry, Line
from nando.puzzles.protocol import Fault, FaultKind, Puzzle, PuzzleError, UndecidedError, Values
from nando.puzzles.rules.boxes import Boxes
from nando.puzzles.sudoku.layout import ORDERS
from nando.puzzles.sudoku.puzzle import Sudoku
from nando.puzzles.variants.puzzle import Variant, symbol_of
from nando.puzzles.variants.text import digits_of
from nando.tables import load_table

Content = TypeVar("Content")
Form = TypeVar("Form")
Shown = TypeVar("Shown", bound=Puzzle)

Kind = type[Puzzle] | None
"""The requested kind of puzzle; None for any kind."""


class Standing(NamedTuple):
    """A half-solved puzzle.

    Attributes
    ----------
    puzzle : Puzzle
    entries : ndarray of int8, shape (n_cells,)
        Value of each filled cell, givens included: a digit, or 1 for white and 2 for black. Open
        cells are 0.
    candidates : ndarray of bool, shape (n_cells, size), or None
        The pencil marks of a Sudoku; None if there are none.
    """

    puzzle: Puzzle
    entries: Values
    candidates: NDArray[np.bool_] | None


@dataclass(frozen=True, kw_only=True)
class Format:
    """A format of puzzles.

    A format of one line has `pattern` and `read`; a format of whole files has `file_start` and
    `read_file`; a writable one has `write`. Lines, grids and tables have no pattern: they are the
    default for text that matches no other format.

    Attributes
    ----------
    name : str
        Its name for commands and functions.
    title : str
        A short description.
    holds : str
        The puzzles it can hold.
    suffixes : tuple of str
        Suffixes of such files.
    pattern : re.Pattern, optional
        Finds a puzzle in a line.
    read : callable, optional
        Returns the puzzle of a match of `pattern`, of the requested kind.
    read_standing : callable, optional
        Returns the half-solved puzzle of a match of `pattern`, if the format can hold one.
    file_start : re.Pattern, optional
        Matches the first line of such a file.
    read_file : callable, optional
        Yields the entries of the lines of such a file.
    write : callable, optional
        Returns a puzzle in this format; raises ValueError if the format cannot hold it.
    single : bool
        Whether a file holds only one puzzle.
    head, between, tail : str
        Text before the first puzzle, between two, and after the last one and its line end.
    """

    name: str
    title: str
    holds: str
    suffixes: tuple[str, ...] = ()
    pattern: re.Pattern[str] | None = None
    read: "Callable[[re.Match[str], Kind], Puzzle] | None" = None
    read_standing: "Callable[[re.Match[str], Kind], Standing] | None" = None
    file_start: re.Pattern[str] | None = None
    read_file: "Callable[[Iterator[Line], type[Puzzle]], Iterator[Entry]] | None" = None
    write: Callable[[Puzzle], str] | None = None
    single: bool = False
    head: str = ""
    between: str = "\n"
    tail: str = ""

    def write_all(self, puzzles: Iterable[Puzzle]) -> Iterator[str]:
        """Yield the text of a file with these puzzles, piece by piece.

        Raises
        ------
        ValueError
            If the format cannot be written, cannot hold one of the puzzles, or holds one puzzle and
            there are several.
        """
        if self.write is None:
            raise ValueError(f"{self.name} can be read but not written; choose another format")
        yield self.head
        count = 0
        for count, puzzle in enumerate(puzzles, 1):
            if count > 1 and self.single:
                raise ValueError(
                    f"{self.name} holds one puzzle per file; write a file for each, or choose "
                    "a format for several, for example line"
                )
            yield (self.between if count > 1 else "") + self.write(puzzle)
        yield ("\n" if count else "") + self.tail


class Functions(TypedDict, total=False):
    """The patterns and functions of a format, which become its attributes of the same names."""

    pattern: re.Pattern[str]
    read: Callable[[re.Match[str], Kind], Puzzle]
    read_standing: Callable[[re.Match[str], Kind], Standing]
    file_start: re.Pattern[str]
    read_file: Callable[[Iterator[Line], type[Puzzle]], Iterator[Entry]]
    write: Callable[[Puzzle], str]


def declare(name: str, **functions: Unpack[Functions]) -> Format:
    """Return the format that ``formats.toml`` lists by a name, with its functions."""
    table: dict[str, Any] = dict(_table()[name])
    table["suffixes"] = tuple(table.get("suffixes", ()))
    return Format(name=name, **table, **functions)


@cache
def _table() -> dict[str, dict[str, Any]]:
    return load_table("nando.puzzles.formats", "formats.toml")


# Errors of readers


def unreadable(message: str) -> PuzzleError:
    """Return the error for a damaged text whose format is recognisable."""
    return PuzzleError([Fault(FaultKind.UNREADABLE, f"unreadable: {message}")])


def variant(constraints: Iterable[str], known: str) -> PuzzleError:
    """Return the error for a puzzle that a format cannot hold; the message names its rules."""
    named = ", ".join(shortened(name, 60) for name in dict.fromkeys(constraints))
    message = f"variant: it has {named}; nando reads {known} in this format"
    return PuzzleError([Fault(FaultKind.VARIANT, message)])


def unknown_rules(names: Iterable[str]) -> PuzzleError:
    """Return the error for a puzzle with rules that nando cannot read, which the message names."""
    named = ", ".join(shortened(name, 60) for name in dict.fromkeys(names))
    message = f"variant: it has {named}, which nando does not read; no rule is left out"
    return PuzzleError([Fault(FaultKind.VARIANT, message)])


def check_drawings(
    puzzle: Shown, drawings: Sequence[str], error: PuzzleError, solution: object = None
) -> Shown:
    """Return a puzzle without drawings; with drawings, raise the error as `UndecidedError`.

    `solution` is the published solution as a text or a list of digits; anything else is ignored.
    """
    if not drawings:
        return puzzle
    listed = solution if isinstance(solution, list | str) else ""
    text = "".join(map(str, listed))
    known = text if len(text) == puzzle.givens.size and text.isalnum() else None
    raise UndecidedError(error.status, puzzle, tuple(dict.fromkeys(drawings)), known)


# Shared by readers and writers


def puzzle_of_rules(
    rows: Sequence[Sequence[object]],
    rules: Iterable[Rule],
    kind: Kind,
    *,
    corners: Cells = ONE_GRID,
    boxed: bool = True,
) -> Sudoku | Variant:
    """Return the puzzle of a table of givens and the rules beyond the usual boxes.

    Without further rules, it is a Sudoku if the size is one of a Sudoku and `kind` is no variant.
    """
    listed = list(rules)
    size = len(rows)
    is_classic = corners == ONE_GRID and boxed and size in {order**2 for order in ORDERS}
    usual = box_shape(size)
    listed = [rule for rule in listed if usual is None or rule != Boxes(*usual)]
    if is_classic and not listed and kind is not Variant:
        return Sudoku.from_rows(rows)
    symbols = [symbol_of(cell) for row in rows for cell in row]
    return Variant.of("".join(symbols), listed, corners=corners, boxed=boxed)


def as_variant(puzzle: Puzzle, name: str, *, several: bool = False) -> Variant:
    """Return the variant that a format holds; ValueError for other kinds.

    A Sudoku becomes a variant without further rules. Several grids are refused unless `several`.
    """
    if isinstance(puzzle, Sudoku):
        return Variant(puzzle.text)
    if not isinstance(puzzle, Variant):
        raise ValueError(f"{name} holds Sudoku and variants only; this is a {puzzle.kind}")
    if not (several or puzzle.board.is_single):
        raise ValueError(f"{name} holds one grid; this has {len(puzzle.board.corners)}")
    if not puzzle.board.has_usual_digits:
        own = digits_of(puzzle.board)
        raise ValueError(f"{name} holds digits from 1, one for each cell of a row; this has {own}")
    return puzzle


def check_read_back(
    written: Content,
    read: Callable[[Form, type[Puzzle]], Puzzle],
    form: Form,
    puzzle: Variant,
    name: str,
) -> Content:
    """Return a written variant; ValueError if reading it back gives another puzzle.

    `form` is the argument for `read`: the written variant or its parts.
    """
    try:
        back = read(form, Variant)
    except PuzzleError:  # two rules may be written as what looks like a third, which is not read
        back = None
    if not isinstance(back, Variant) or _identity(back) != _identity(puzzle):
        raise ValueError(
            f"{name} cannot hold these rules together; write the puzzle as line or json"
        )
    return written


def json_text(
    puzzle: Puzzle,
    name: str,
    value_of: Callable[[Variant], Any],
    read: Callable[[Any, type[Puzzle]], Puzzle],
    *,
    several: bool = False,
) -> str:
    """Return the JSON of a puzzle; ValueError if the format cannot hold it.

    Parameters
    ----------
    puzzle : Puzzle
    name : str
        Name of the format.
    value_of : callable
        Returns the JSON value of a variant.
    read : callable
        Returns the puzzle of such a value.
    several : bool
        Whether the format holds several grids.
    """
    variant = as_variant(puzzle, name, several=several)
    value = value_of(variant)
    return check_read_back(json.dumps(value, separators=(",", ":")), read, value, variant, name)


def value_in_link(text: str, program: str) -> Any:
    """Return the JSON value of the unpacked text of a link; PuzzleError if it is damaged."""
    try:
        return parse_json(text)
    except ValueError as error:
        raise unreadable(f"the link holds no puzzle of {program} ({error})") from None


def _identity(puzzle: Variant) -> tuple[object, ...]:
    """Return the board, the givens and the meaning of the rules, independent of their order."""
    return puzzle.board, puzzle.givens.tolist(), _meaning(puzzle)


def _meaning(puzzle: Variant) -> set[object]:
    """Return the constraints of a puzzle, independent of the order of cells."""
    meanings: set[object] = set()
    for _, constraint in puzzle.constraints:
        meaning: object = constraint
        if isinstance(constraint, AllDifferent):
            meaning = frozenset(constraint.cells)
        elif isinstance(constraint, Sum):
            weights = constraint.weights or (1,) * len(constraint.cells)
            meaning = frozenset(zip(constraint.cells, weights, strict=True)), constraint.total
        elif isinstance(constraint, Relation) and constraint.second < constraint.first:
            n = range(puzzle.size)
            allowed = tuple(sum((constraint.allowed[a] >> b & 1) << a for a in n) for b in n)
            meaning = Relation(constraint.second, constraint.first, allowed)
        meanings.add(meaning)
    return meanings


def cannot_hold(name: str, rules: Iterable[Rule]) -> ValueError:
    """Return the error for rules that a format cannot hold, which the message names."""
    named = ", ".join(dict.fromkeys(rule.name for rule in rules))
    return ValueError(f"{name} cannot hold {named}; write it as line or json")


def puzzle_of_rows(rows: Sequence[Sequence[object]], kind: Kind) -> Puzzle:
    """Return the puzzle of a table that does not state its kind.

    If `kind` is None, it is the first in `PUZZLES` whose rules the table obeys, or else the
    first that can read it.
    """
    if kind is not None:
        return kind.from_rows(rows)
    invalid: list[Puzzle] = []
    errors: list[PuzzleError] = []
    for possible in PUZZLES:
        try:
            puzzle = possible.from_rows(rows)
        except PuzzleError as error:
            errors.append(error)
            continue
        if puzzle.status().valid:
            return puzzle
        invalid.append(puzzle)
    if not invalid:
        raise errors[0]
    return invalid[0]


def sudoku_standing(puzzle: Sudoku | Variant, entered: Sequence[Sequence[object]]) -> Standing:
    """Return the position of a Sudoku, or of a variant of one grid, and the rows entered in it.

    PuzzleError if an entry is not a digit.
    """
    digits = type(puzzle).from_rows(entered).givens
    return Standing(puzzle, np.where(puzzle.givens > 0, puzzle.givens, digits), None)


def with_marks(standing: Standing, marks: Sequence[object]) -> Standing:
    """Return a position with the pencil marks of its open cells as candidates.

    The marks of a cell are a list of digits, or a text of them. Anything that is not a digit of the
    puzzle is ignored.
    """
    assert isinstance(standing.puzzle, Sudoku | Variant)
    size = standing.puzzle.size
    candidates = np.zeros((standing.entries.size, size), np.bool_)
    for cell in np.flatnonzero(standing.entries == 0).tolist():
        listed = marks[cell]
        for digit in listed if isinstance(listed, list | str) else ():
            if str(digit).isdecimal() and 1 <= int(digit) <= size:
                candidates[cell, int(digit) - 1] = True
    return standing._replace(candidates=candidates) if candidates.any() else standing


def of_genre(genre: str) -> type[Puzzle]:
    """Return the kind that another program calls `genre`; PuzzleError if nando has no such kind."""
    try:
        return find_puzzle(genre.casefold())
    except ValueError:
        known = " and ".join(kind.kind for kind in PUZZLES)
        raise variant([f"the rules of {genre[:30]!r}"], known) from None


def as_sudoku(puzzle: Puzzle, name: str, *, orders: Sequence[int] = (3, 4, 5)) -> Sudoku:
    """Return the Sudoku that a format holds; ValueError for other kinds and sizes."""
    if isinstance(puzzle, Variant) and puzzle.is_plain and puzzle.size in {n**2 for n in ORDERS}:
        puzzle = Sudoku.from_values(puzzle.givens)
    if isinstance(puzzle, Sudoku) and puzzle.order in orders:
        return puzzle
    sizes = ", ".join(f"{order**2}x{order**2}" for order in orders)
    shape = f"{puzzle.shape[0]}x{puzzle.shape[1]}"
    raise ValueError(f"{name} holds Sudoku of {sizes} only; this is a {puzzle.kind} of {shape}")


def digits(puzzle: Sudoku) -> str:
    """Return the givens of a 9x9 as 81 digits, 0 for a blank."""
    return puzzle.text.replace(".", "0")
