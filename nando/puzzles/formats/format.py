"""What a format is: its name, and how to recognise, read and write it."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.puzzles.entry import Entry
from nando.puzzles.kinds import PUZZLES, find_puzzle
from nando.puzzles.lines import Line
from nando.puzzles.protocol import Fault, FaultKind, Puzzle, PuzzleError, Values
from nando.puzzles.sudoku.puzzle import Sudoku

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

    def written(self, puzzles: Iterable[Puzzle]) -> Iterator[str]:
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


# Errors of readers


def unreadable(message: str) -> PuzzleError:
    """Return the error for a damaged text whose format is recognisable."""
    return PuzzleError([Fault(FaultKind.UNREADABLE, f"unreadable: {message}")])


def variant(constraints: Iterable[str], known: str = "classic Sudoku") -> PuzzleError:
    """Return the error for a puzzle with unsupported rules, which the message names."""
    named = ", ".join(dict.fromkeys(constraints))
    message = f"variant: it has {named}; nando knows {known} only"
    return PuzzleError([Fault(FaultKind.VARIANT, message)])


# Shared by readers and writers


def puzzle_of_rows(rows: Sequence[Sequence[object]], wanted: Kind) -> Puzzle:
    """Return the puzzle of a table that does not state its kind.

    If `wanted` is None, the kind is the first in `PUZZLES` whose rules the table obeys, or else the
    first that can read it.
    """
    if wanted is not None:
        return wanted.from_rows(rows)
    invalid: list[Puzzle] = []
    errors: list[PuzzleError] = []
    for kind in PUZZLES:
        try:
            puzzle = kind.from_rows(rows)
        except PuzzleError as error:
            errors.append(error)
            continue
        if puzzle.status().valid:
            return puzzle
        invalid.append(puzzle)
    if not invalid:
        raise errors[0]
    return invalid[0]


def sudoku_standing(puzzle: Sudoku, entered: Sequence[Sequence[object]]) -> Standing:
    """Return the position of a Sudoku and the rows of the digits entered in it.

    PuzzleError if an entry is not a digit.
    """
    digits = Sudoku.from_rows(entered).givens
    return Standing(puzzle, np.where(puzzle.givens > 0, puzzle.givens, digits), None)


def with_marks(standing: Standing, marks: Sequence[object]) -> Standing:
    """Return a position with the pencil marks of its open cells as candidates.

    The marks of a cell are a list of digits, or a text of them. Anything that is not a digit of the
    puzzle is ignored.
    """
    assert isinstance(standing.puzzle, Sudoku)
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
    if isinstance(puzzle, Sudoku) and puzzle.order in orders:
        return puzzle
    sizes = ", ".join(f"{order**2}x{order**2}" for order in orders)
    shape = f"{puzzle.shape[0]}x{puzzle.shape[1]}"
    raise ValueError(f"{name} holds Sudoku of {sizes} only; this is a {puzzle.kind} of {shape}")


def digits(puzzle: Sudoku) -> str:
    """Return the givens of a 9x9 as 81 digits, 0 for a blank."""
    return puzzle.text.replace(".", "0")
