"""A Nurikabe during solving, a step of the logic solver on it, and the ladder of techniques.

No public ladder for Nurikabe is rated against people, so the ratings of ``ladders/nurikabe.csv``
only order the techniques. Those that need one cell or one island come first, then those about
reach, then those about the river as a whole, then what-ifs; longer what-ifs rate higher. All
techniques are sound for any number of solutions.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple, Self

import numpy as np

from nando import puzzles
from nando.puzzles import Puzzle, Values
from nando.puzzles.frozen import EqualFields
from nando.puzzles.nurikabe import BLACK, WHITE, Nurikabe
from nando.puzzles.protocol import Fault, FaultKind
from nando.solvers.logic.language import first_listed
from nando.solvers.logic.nurikabe import rungs as kernels
from nando.solvers.logic.technique import Ladder, Scale, Technique, read_ladder

NURIKABE_SCALE = Scale("ladder rating", "nando's ladder for Nurikabe", "what-ifs", 5.0)

NURIKABE_LADDER: Ladder = read_ladder(Nurikabe.kind, vars(kernels))
"""Techniques for Nurikabe, easiest first."""

_WHOLE = (kernels.TOTAL, kernels.ENCLOSED, kernels.UNREACHABLE, kernels.BLOCK_COUNT)
"""Techniques that need the whole board."""

_WHAT_IFS = (kernels.REFUTATION, kernels.DILEMMA, kernels.DEEP_REFUTATION)


class Broken(Enum):
    """The rule that a board can no longer keep."""

    POOL = "pool"
    JOINED = "joined"
    TOO_LARGE = "too_large"
    SHUT_IN = "shut_in"
    NUMBERLESS = "numberless"
    RIVER_APART = "river_apart"
    NO_ROOM = "no_room"


class Contradiction(NamedTuple):
    """A rule that a board can no longer keep.

    Attributes
    ----------
    rule : Broken
    cells : tuple of int
        The first cell of the block, or the cells with the numbers of the islands.
    wanted, size : int
        Number of cells that an island should have, and that it would have.
    """

    rule: Broken
    cells: tuple[int, ...] = ()
    wanted: int = 0
    size: int = 0


@dataclass(frozen=True)
class NurikabeStep:
    """One step: cells that get a colour, and the reason.

    Attributes
    ----------
    technique : Technique
    rating : float
    cells : tuple of int
        Cells decided, row by row from 0.
    colour : int
        Colour of these cells: 1 white, 2 black.
    reason : tuple of int
        Cells to look at: the island, the block, the parts of the river that would fall apart; in
        a dilemma the cell that has either colour.
    supposed : tuple of (cell, colour)
        In a what-if, the assumed colour, then its consequences up to the contradiction.
    contradiction : Contradiction or None
        The rule that the board of a what-if can no longer keep.
    """

    technique: Technique
    rating: float
    cells: tuple[int, ...]
    colour: int
    reason: tuple[int, ...]
    supposed: tuple[tuple[int, int], ...] = ()
    contradiction: Contradiction | None = None


@dataclass(frozen=True, eq=False)
class Shading(EqualFields):
    """A partly shaded Nurikabe. It is immutable.

    Attributes
    ----------
    puzzle : Nurikabe
    values : ndarray of int8, shape (n_cells,)
        1 white, 2 black, 0 open.

    Examples
    --------
    >>> shading = Shading.of(Nurikabe(".3..1/...../..2../...../.4.2."))
    >>> shading.n_blanks
    20
    >>> shading.island(1)
    (1,)
    """

    puzzle: Nurikabe
    values: Values

    @classmethod
    def of(cls, puzzle: Nurikabe) -> Self:
        """Return the board before the first step: only the numbers are white."""
        return cls(puzzle, puzzle.givens.copy())

    @classmethod
    def read(
        cls, text: str, puzzle: Nurikabe | None = None, kind: type[Puzzle] = Nurikabe
    ) -> Self | None:
        """Return the coloured cells in a text, as :func:`nando.puzzles.read_standing` reads them.

        Return None for a text that has nothing but a puzzle.

        Raises
        ------
        PuzzleError
            For a text that is not a Nurikabe, or that belongs to another puzzle.
        """
        standing = puzzles.read_standing(text, puzzle, kind)
        if standing is None:
            return None
        assert isinstance(standing.puzzle, Nurikabe)
        return cls(standing.puzzle, standing.entries)

    def after(self, step: NurikabeStep) -> Self:
        """Return the board after the step."""
        values = self.values.copy()
        values[list(step.cells)] = step.colour
        return type(self)(self.puzzle, values)

    @property
    def n_blanks(self) -> int:
        """Number of open cells."""
        return int((self.values == 0).sum())

    @property
    def n_white(self) -> int:
        """Number of white cells."""
        return int((self.values == WHITE).sum())

    def island(self, cell: int) -> tuple[int, ...]:
        """Return the cells joined to a cell by cells of its colour, in order."""
        return tuple(sorted(self.puzzle._part(cell, self.values.tolist())))

    def numbers_in(self, cells: tuple[int, ...]) -> tuple[int, ...]:
        """Return those of the cells that have a number."""
        return tuple(cell for cell in cells if self.puzzle.numbers[cell])


def is_what_if(step: NurikabeStep) -> bool:
    """Return True if the step makes an assumption."""
    return step.technique.kernel in _WHAT_IFS


def place_of(step: NurikabeStep, shading: Shading) -> tuple[int, ...]:
    """Return the cells to look at first: an island, or a row; none for the whole board."""
    if step.technique.kernel in _WHOLE:
        return ()
    numbered = shading.numbers_in(step.reason)
    if numbered:
        return shading.island(numbered[0])
    row = (step.reason or step.cells)[0] // shading.puzzle.shape[1]
    width = shading.puzzle.shape[1]
    return tuple(range(row * width, (row + 1) * width))


# Find the faults of a partly coloured Nurikabe


def contradiction_of(puzzle: Nurikabe, colours: Sequence[int]) -> Contradiction:
    """Return the first rule that a board can no longer keep.

    Parameters
    ----------
    puzzle : Nurikabe
    colours : sequence of int
        Colour of each cell: 1 white, 2 black, 0 open.
    """
    for fault in (*_pools(puzzle, colours), *_islands(puzzle, colours), *_river(puzzle, colours)):
        return fault
    return Contradiction(Broken.NO_ROOM)


def _pools(puzzle: Nurikabe, colours: Sequence[int]) -> Iterator[Contradiction]:
    n_rows, n_columns = puzzle.shape
    for row in range(n_rows - 1):
        for column in range(n_columns - 1):
            cell = row * n_columns + column
            block = (cell, cell + 1, cell + n_columns, cell + n_columns + 1)
            if all(colours[other] == BLACK for other in block):
                yield Contradiction(Broken.POOL, (cell,))


def _islands(puzzle: Nurikabe, colours: Sequence[int]) -> Iterator[Contradiction]:
    numbers = puzzle.numbers.tolist()
    for part, around in _parts(puzzle, colours, (WHITE,)):
        numbered = [cell for cell in part if numbers[cell]]
        is_shut_in = all(colours[cell] for cell in around)
        if len(numbered) > 1:
            yield Contradiction(Broken.JOINED, tuple(numbered[:2]))
        elif numbered:
            number = numbers[numbered[0]]
            if 0 < number < len(part):
                yield Contradiction(Broken.TOO_LARGE, tuple(numbered), number, len(part))
            elif len(part) < number and is_shut_in:
                yield Contradiction(Broken.SHUT_IN, tuple(numbered), number, len(part))
        elif is_shut_in:
            yield Contradiction(Broken.NUMBERLESS, (part[0],))


def _river(puzzle: Nurikabe, colours: Sequence[int]) -> Iterator[Contradiction]:
    parts = [part for part, _ in _parts(puzzle, colours, (0, BLACK))]
    if sum(any(colours[cell] == BLACK for cell in part) for part in parts) > 1:
        yield Contradiction(Broken.RIVER_APART)


def _parts(
    puzzle: Nurikabe, colours: Sequence[int], members: tuple[int, ...]
) -> Iterator[tuple[list[int], set[int]]]:
    """Yield each group of joined cells of these colours, sorted, and the cells around it."""
    marks = [int(colour in members) for colour in colours]
    seen: set[int] = set()
    for start in range(puzzle.n_cells):
        if marks[start] and start not in seen:
            part = puzzle._part(start, marks)
            seen |= part
            yield sorted(part), {other for c in part for other in puzzle._neighbours(c)} - part


def mistakes(shading: Shading, solution: Values) -> list[Fault]:
    """Return a fault that names the cells of the wrong colour, or nothing if there are none."""
    wrong = np.flatnonzero((shading.values > 0) & (shading.values != solution)).tolist()
    if not wrong:
        return []
    name = shading.puzzle.cell_name
    entries = [
        f"{name(cell)} is not {'black' if shading.values[cell] == BLACK else 'white'}"
        for cell in wrong
    ]
    return [Fault(FaultKind.WRONG_ENTRY, f"wrong entry: {first_listed(entries)}", tuple(wrong))]
