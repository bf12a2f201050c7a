"""The protocol that every puzzle class follows, and the faults of a puzzle."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import ClassVar, Protocol, Self, runtime_checkable

import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.int8]
"""Cell values in row-major order, shape ``(n_cells,)``; 0 means empty."""


_MOST_LISTED = 20
"""Most faults listed in a message; a large board full of conflicts has thousands."""


_LONGEST_LIST = 1_500
"""Most characters of the faults in a message, unless the first alone has more."""


class FaultKind(Enum):
    """Kinds of faults of a puzzle, or of a text that should be one."""

    WRONG_LENGTH = "wrong length"
    FOREIGN_SYMBOL = "foreign symbol"
    CONFLICTING_GIVENS = "conflicting givens"
    NO_SOLUTION = "no solution"
    SEVERAL_SOLUTIONS = "several solutions"
    NOT_DECIDED = "not decided"
    UNREADABLE = "unreadable"
    VARIANT = "variant"
    WRONG_RULE = "wrong rule"
    ANOTHER_KIND = "another kind"
    WRONG_ENTRY = "wrong entry"
    WRONG_ELIMINATION = "wrong elimination"


@dataclass(frozen=True)
class Fault:
    """A fault of a puzzle: its kind, a message, and the cells concerned (row-major)."""

    kind: FaultKind
    message: str
    cells: tuple[int, ...] = ()


@dataclass(frozen=True)
class Status:
    """All faults of a puzzle.

    Examples
    --------
    >>> status = Sudoku("11" + "." * 79).status()
    >>> status.valid
    False
    >>> print(status)
    conflicting givens: 1 at r1c1 and r1c2 (row 1, box 1)
    """

    faults: tuple[Fault, ...] = ()

    @property
    def valid(self) -> bool:
        """True if there are no faults."""
        return not self.faults

    @property
    def kinds(self) -> frozenset[FaultKind]:
        """The kinds of the faults."""
        return frozenset(fault.kind for fault in self.faults)

    def __or__(self, other: "Status") -> "Status":
        """Return the faults of both."""
        return Status(self.faults + other.faults)

    def __str__(self) -> str:
        messages: list[str] = []
        length = 0
        for fault in self.faults[:_MOST_LISTED]:
            length += len(fault.message)
            if messages and length > _LONGEST_LIST:
                break
            messages.append(fault.message)
        if len(self.faults) > len(messages):
            messages.append(f"and {len(self.faults) - len(messages):,} more faults")
        return "; ".join(messages) or "valid"


class PuzzleError(ValueError):
    """A text that is not a puzzle, or an unusable puzzle.

    Attributes
    ----------
    status : Status
        All faults of the text or puzzle.
    index : int or None
        Index of the puzzle among several; None if there was only one puzzle.
    """

    def __init__(self, faults: Iterable[Fault] | Status, index: int | None = None) -> None:
        self.status = faults if isinstance(faults, Status) else Status(tuple(faults))
        self.index = index
        message = str(self.status)
        super().__init__(message if index is None else f"puzzles[{index}]: {message}")

    def __reduce__(self) -> tuple[type["PuzzleError"], tuple[Status, int | None]]:
        return type(self), (self.status, self.index)


class UndecidedError(PuzzleError):
    """A puzzle with drawings that are decoration, or a rule that nando does not know.

    They are decoration if the puzzle has exactly one solution without them, which
    :func:`nando.solvers.without_decoration` finds out.

    Attributes
    ----------
    puzzle : Puzzle
        The puzzle without the drawings.
    drawings : tuple of str
        What is drawn.
    solution : str or None
        The published solution, as :meth:`Puzzle.solution_text` writes it.
    """

    def __init__(
        self,
        faults: Iterable[Fault] | Status,
        puzzle: "Puzzle",
        drawings: tuple[str, ...],
        solution: str | None = None,
        index: int | None = None,
    ) -> None:
        super().__init__(faults, index)
        self.puzzle = puzzle
        self.drawings = drawings
        self.solution = solution

    def __reduce__(self) -> tuple[type["UndecidedError"], tuple[object, ...]]:  # type: ignore[override]
        return type(self), (self.status, self.puzzle, self.drawings, self.solution, self.index)


class PuzzleTypeError(TypeError):
    """A value whose type cannot be a puzzle.

    Attributes
    ----------
    index : int or None
        As for :class:`PuzzleError`.
    """

    def __init__(self, message: str, index: int | None = None) -> None:
        self.index = index
        super().__init__(message)

    def __reduce__(self) -> tuple[type["PuzzleTypeError"], tuple[str, int | None]]:
        return type(self), (str(self), self.index)


@runtime_checkable
class Puzzle(Protocol):
    """A puzzle: frozen, hashable, picklable, and equal to its text.

    Solvers use only these members of a puzzle. Kernels take arrays from the layout of its kind.
    """

    kind: ClassVar[str]
    """Name on the command line and in files, for example ``"sudoku"``."""

    @property
    def text(self) -> str:
        """The one-line form, which identifies the puzzle."""
        ...

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        ...

    @property
    def givens(self) -> Values:
        """Given values, shape ``(n_cells,)``, int8, read-only; 0 where blank."""
        ...

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read any text form of the kind; PuzzleError lists everything wrong."""
        ...

    @classmethod
    def from_rows(cls, rows: Sequence[Sequence[object]]) -> Self:
        """Return the puzzle of a table of cells, as other programs store it.

        A cell is a number or its symbol; None, the empty text and 0 mean blank. PuzzleError lists
        everything wrong.
        """
        ...

    @classmethod
    def is_whole(cls, line: str) -> bool:
        """Return True if a line of a file is a complete puzzle, not a row of a grid."""
        ...

    def status(self) -> Status:
        """Return the faults of the givens that follow from the rules without solving the puzzle."""
        ...

    def is_solution(self, values: Values) -> bool:
        """Return True if `values` keep the givens and obey every rule."""
        ...

    def solution_text(self, values: Values) -> str:
        """Return the values of all cells as one line, the form of solutions in files."""
        ...

    def solution_values(self, text: str) -> Values:
        """Return the values of a line as `solution_text` writes it, even if they break a rule.

        PuzzleError if the line has another length or foreign symbols.
        """
        ...

    def grid(self, values: Values | None = None) -> str:
        """Return a readable grid of `values`, by default of the givens."""
        ...

    def cell_name(self, cell: int) -> str:
        """Return the name of a cell in the usual notation, for example ``r4c7``."""
        ...

    def shuffled(self, rng: np.random.Generator) -> Self:
        """Return an equivalent puzzle, drawn uniformly from the symmetries of the kind."""
        ...

    def equivalence_key(self) -> str:
        """Return a text shared by all equivalent puzzles.

        Each kind documents whether other puzzles can share it.
        """
        ...

    def __hash__(self) -> int:
        """Return the hash of the text."""
        ...

    def equivalence_hash(self) -> int:
        """Return a hash shared by all equivalent puzzles; it is cheaper than the key."""
        ...


def blanks_of(puzzle: Puzzle) -> NDArray[np.intp]:
    """Return the places of the blanks, in rising order: cells of the board without a given."""
    blank = puzzle.givens == 0
    places = getattr(puzzle, "places", None)
    if places is not None:
        on_board = np.zeros(len(blank), np.bool_)
        on_board[places] = True
        blank &= on_board
    return np.flatnonzero(blank)
