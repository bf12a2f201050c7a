"""The protocol of puzzles, and the faults of a puzzle."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import ClassVar, Protocol, Self, runtime_checkable

import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.int8]
"""Cell values in row-major order, shape ``(n_cells,)``; 0 means empty."""


_TOLD = 20
"""Most faults in a message; a large board full of conflicts has thousands."""


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
    ANOTHER_KIND = "another kind"
    WRONG_ENTRY = "wrong entry"
    WRONG_ELIMINATION = "wrong elimination"


@dataclass(frozen=True)
class Fault:
    """One fault: its kind, a sentence, and the cells concerned (row-major)."""

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
        """Whether nothing is wrong."""
        return not self.faults

    @property
    def kinds(self) -> frozenset[FaultKind]:
        """The kinds of fault found."""
        return frozenset(fault.kind for fault in self.faults)

    def __or__(self, other: "Status") -> "Status":
        """Faults of both."""
        return Status(self.faults + other.faults)

    def __str__(self) -> str:
        told = [fault.message for fault in self.faults[:_TOLD]]
        if len(self.faults) > _TOLD:
            told.append(f"and {len(self.faults) - _TOLD:,} more faults")
        return "; ".join(told) or "valid"


class PuzzleError(ValueError):
    """A text that is not a puzzle, or an unusable puzzle.

    Attributes
    ----------
    status : Status
        Everything found wrong.
    index : int or None
        Place of the puzzle among those that were given, from 0; None where it was alone.
    """

    def __init__(self, faults: Iterable[Fault] | Status, index: int | None = None) -> None:
        self.status = faults if isinstance(faults, Status) else Status(tuple(faults))
        self.index = index
        told = str(self.status)
        super().__init__(told if index is None else f"puzzles[{index}]: {told}")

    def __reduce__(self) -> tuple[type["PuzzleError"], tuple[Status, int | None]]:
        return type(self), (self.status, self.index)


class PuzzleTypeError(TypeError):
    """A value of a type that no puzzle has.

    Attributes
    ----------
    index : int or None
        As of :class:`PuzzleError`.
    """

    def __init__(self, message: str, index: int | None = None) -> None:
        self.index = index
        super().__init__(message)

    def __reduce__(self) -> tuple[type["PuzzleTypeError"], tuple[str, int | None]]:
        return type(self), (str(self), self.index)


@runtime_checkable
class Puzzle(Protocol):
    """A puzzle kind: frozen, hashable, picklable, and equal to its text.

    Solvers use nothing else of a puzzle. The arrays of kernels come from the layout of its kind.
    """

    kind: ClassVar[str]
    """Name on the command line and in files, such as ``"sudoku"``."""

    @property
    def text(self) -> str:
        """The one line that is the puzzle's identity."""
        ...

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        ...

    @property
    def givens(self) -> Values:
        """Given values, shape ``(n_cells,)``, int8, read-only; 0 where none is given."""
        ...

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read any text form of the kind; PuzzleError names everything wrong."""
        ...

    @classmethod
    def from_rows(cls, rows: Sequence[Sequence[object]]) -> Self:
        """Puzzle of a table of cells, as other programs have it; PuzzleError lists all faults.

        A cell is its number, or the symbol of one; None, the empty text and 0 mean blank.
        """
        ...

    @classmethod
    def is_whole(cls, line: str) -> bool:
        """Return True if a line of a file is a complete puzzle.

        Otherwise it may be a row of a grid.
        """
        ...

    def status(self) -> Status:
        """Return what the rules alone show to be wrong with the givens."""
        ...

    def is_solution(self, values: Values) -> bool:
        """Return True if `values` keeps the givens and obeys every rule."""
        ...

    def solution_text(self, values: Values) -> str:
        """Return the values of all cells as one line, the form of solutions in files."""
        ...

    def solution_values(self, text: str) -> Values:
        """Return the values of such a line, right or wrong; PuzzleError if it is not one."""
        ...

    def grid(self, values: Values | None = None) -> str:
        """Return several lines for people: the puzzle, or `values` in its frame."""
        ...

    def cell_name(self, cell: int) -> str:
        """Name of a cell in the field's notation, such as ``r4c7``."""
        ...

    def shuffled(self, rng: np.random.Generator) -> Self:
        """Return an equivalent puzzle, drawn uniformly from the kind's symmetries."""
        ...

    def equivalence_key(self) -> str:
        """Return a text shared by all equivalent puzzles (see each kind for the converse)."""
        ...

    def __hash__(self) -> int:
        """Equal puzzles have equal hashes."""
        ...

    def equivalence_hash(self) -> int:
        """Return a number shared by all equivalent puzzles, cheap to compare first."""
        ...
