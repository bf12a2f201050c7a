"""Find the faults of a partly coloured Nurikabe."""

from collections.abc import Iterator, Sequence

import numpy as np

from nando.puzzles import Values
from nando.puzzles.nurikabe import BLACK, WHITE, Nurikabe
from nando.puzzles.protocol import Fault, FaultKind
from nando.solvers.logic.explanation import first_listed
from nando.solvers.logic.nurikabe.shading import Broken, Contradiction, Shading


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
