"""The board of a new variant: jigsaw regions, random digits, and the canvas of its clues."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from nando.generators.sudoku import Symmetry
from nando.kernels.compile import copy_values, lean_kernel, lowest_bit, n_bits, unsigned
from nando.kernels.streams import below, drawn_stream, next_word
from nando.puzzles.boards.board import Board, Cell, Line, box_shape
from nando.puzzles.rules.boxes import Regions
from nando.puzzles.rules.cells import ADJACENT
from nando.solvers.exact.variants import blame, cell_to_guess, new_memory
from nando.solvers.variants.network import Network
from nando.solvers.variants.propagation import propagate
from nando.solvers.variants.work import CELLS, enlist_all, forget, narrow, new_work

T = TypeVar("T")

AROUND = (*ADJACENT, (1, 1), (1, -1), (-1, 1), (-1, -1))


Span = tuple[int, int]
"""The least and the most of something."""


class Scope(NamedTuple):
    """How many clues of a rule a puzzle may have, and how many cells each of them."""

    clues: Span
    cells: Span = (1, 1)


@dataclass
class Canvas:
    """A board on which clues are drawn, one rule after another.

    Attributes
    ----------
    board : Board
    digits : dict of Cell to int
        The solution; empty while a layout is drawn before the digits.
    rng : Generator
    scopes : dict of str to Scope
        By name of the rule.
    symmetry : str
        Symmetry of lines and areas.
    singles : int
        Most areas of a single cell.
    is_whole : bool
        True if clues that may cover the board, or say all marks, are to do so.
    used : set of Cell
        Cells of the layout through which no line leads.
    """

    board: Board
    digits: dict[Cell, int]
    rng: np.random.Generator
    scopes: Mapping[str, Scope] = field(default_factory=dict)
    symmetry: Symmetry = "none"
    singles: int = 0
    is_whole: bool = True
    used: set[Cell] = field(default_factory=set)

    def sides(self, cell: Cell) -> tuple[Cell, ...]:
        """Return the cells that share an edge with a cell."""
        return _sides_of(self.board)[cell]

    def shuffle(self, items: Iterable[T]) -> list[T]:
        """Return items in random order."""
        listed = list(items)
        return [listed[i] for i in self.rng.permutation(len(listed)).tolist()]

    def below(self, count: int) -> int:
        """Return a random number from 0 to `count` - 1."""
        return int(self.rng.integers(count))

    def image(self, cell: Cell) -> Cell:
        """Return the image of a cell under the symmetry."""
        rows, columns = self.board.n_rows - 1, self.board.n_columns - 1
        if self.symmetry == "mirror":
            return Cell(cell.row, columns - cell.column)
        if self.symmetry == "diagonal":
            return Cell(cell.column, cell.row)
        if self.symmetry == "none":
            return cell
        return Cell(rows - cell.row, columns - cell.column)

    def image_of_line(self, line: Line) -> Line:
        """Return the image of an end of a row or column."""
        ends = tuple(map(self.image, self.board.line(line)[:2]))
        return next(each for each in self.board.views() if self.board.line(each)[:2] == ends)

    def steps(self, cell: Cell) -> Iterator[Cell]:
        """Yield the cells to which a line can go on, in random order."""
        for down, right in self.shuffle(AROUND):
            other = Cell(cell.row + down, cell.column + right)
            if other in self.board.number_of and other not in self.used:
                yield other


@lru_cache(maxsize=16)
def _sides_of(board: Board) -> dict[Cell, tuple[Cell, ...]]:
    return {cell: tuple(board.around(cell, ADJACENT)) for cell in board.cells}


def grow_region(canvas: Canvas, start: Cell, size: int) -> list[Cell]:
    """Return a random connected area of free cells, at most `size` of them."""
    cells: list[Cell] = []
    options = [start]
    while options and len(cells) < size:
        cell = options[canvas.below(len(options))]
        options = [option for option in options if option != cell]
        if cell in canvas.used or cell in cells:
            continue
        cells.append(cell)
        options += list(canvas.board.around(cell, ADJACENT))
    return cells


def connected_parts(cells: Iterable[Cell]) -> list[list[Cell]]:
    """Return the connected parts of some cells."""
    left, parts = set(cells), list[list[Cell]]()
    while left:
        part, waiting = [], [min(left)]
        left.discard(waiting[0])
        while waiting:
            cell = waiting.pop()
            part.append(cell)
            sides = [Cell(cell.row + down, cell.column + right) for down, right in ADJACENT]
            new = [side for side in sides if side in left]
            left.difference_update(new)
            waiting += new
        parts.append(part)
    return parts


_SHUFFLES, _CALMS = 30, 20
"""Exchanges tried for each cell while borders move freely, and while they are made shorter."""

_LOOSE, _TIGHT = 0.9, 0.25
"""Chance to keep an exchange that makes the borders longer by one, at first and at the end."""

_REDRAWS = 20
"""Most draws of regions: those of a small grid are often its boxes again, or boxes on end."""

_WORD = 1 << 32


def draw_regions(canvas: Canvas) -> list[Regions]:
    """Return n compact regions of n cells, with the symmetry of the canvas.

    Raises
    ------
    ValueError
        If regions cannot be made with this symmetry.
    """
    board, n = canvas.board, canvas.board.size
    if not board.is_single:
        raise ValueError("jigsaw regions are made for one grid: leave out the other grids")
    height, width = box_shape(n) or (1, n)
    across, number_of = n // width, board.number_of
    owner = np.array([row // height * across + column // width for row, column in board.cells])
    sides = np.full((len(board.cells), 4), -1)
    for number, cell in enumerate(board.cells):
        others = [number_of[other] for other in board.around(cell, ADJACENT)]
        sides[number, : len(others)] = others
    image = np.array([number_of[canvas.image(cell)] for cell in board.cells])
    partner = np.zeros(n, np.int64)
    partner[owner] = owner[image]
    turns = canvas.symmetry in ("none", "rotational", "rotational-90")
    if (partner[owner] != owner[image]).any() or not (turns or box_shape(n)):
        raise ValueError(
            f"jigsaw regions of {n} cells are not made with {canvas.symmetry} symmetry: ask for "
            "rotational, or none"
        )
    stream, seen, left = drawn_stream(canvas.rng), np.zeros_like(owner), np.zeros_like(owner)
    for _ in range(_REDRAWS):
        move_borders(owner, sides, image, partner, stream, (seen, left), (_SHUFFLES, _CALMS))
        regions: dict[int, list[Cell]] = {}
        for cell, region in zip(board.cells, owner.tolist(), strict=True):
            regions.setdefault(region, []).append(cell)
        if not all(map(_is_rectangle, regions.values())):
            break
    return [Regions(tuple(map(tuple, regions.values())))]


def _is_rectangle(cells: Sequence[Cell]) -> bool:
    return len(cells) == len({cell.row for cell in cells}) * len({cell.column for cell in cells})


@lean_kernel
def move_borders(owner, sides, image, partner, stream, memory, rounds):
    """Exchange cells of neighbouring regions; regions stay connected, and images of each other.

    An exchange that makes the borders longer is kept with a chance that falls in the second part of
    the rounds.

    Parameters
    ----------
    owner : ndarray of int64, shape (n_cells,)
        Number of the region of each cell. Modified in place.
    sides : ndarray of int64, shape (n_cells, 4)
        Cells that share an edge with each cell, then -1.
    image : ndarray of int64, shape (n_cells,)
        The image of each cell under the symmetry.
    partner : ndarray of int64, shape (n_regions,)
        The image of each region.
    stream : ndarray of int64, shape (4,)
    memory : pair of ndarray of int64, shape (n_cells,)
    rounds : pair of int
        Exchanges tried for each cell, in both parts.
    """
    n_cells = owner.size
    free, calm = rounds[0] * n_cells, rounds[1] * n_cells
    for step in range(free + calm):
        chance = _LOOSE - (_LOOSE - _TIGHT) * max(0, step - free) / calm
        first = below(stream, n_cells)
        side = sides[first, below(stream, 4)]
        if side < 0 or owner[side] == owner[first]:
            continue
        a, b = owner[first], owner[side]
        second = _other_end(owner, sides, stream, first, b)
        if second < 0:
            continue
        # If the exchange and its image concern the same cells, they must agree.
        if (image[first] == first and partner[b] != b) or (
            image[first] == second and partner[b] != a
        ):
            continue
        if image[second] == second and partner[a] != a:
            continue
        cells = first, second, image[first], image[second]
        before = owner[first], owner[second], owner[cells[2]], owner[cells[3]]
        length = _border(owner, sides, cells)
        owner[first], owner[second] = b, a
        owner[cells[2]], owner[cells[3]] = partner[b], partner[a]
        longer = _border(owner, sides, cells) - length
        keeps = longer <= 0 or next_word(stream) < chance**longer * _WORD
        if keeps:
            for region in (a, b, partner[a], partner[b]):
                keeps &= _is_whole(owner, sides, region, partner.size, memory)
        if not keeps:
            owner[cells[2]], owner[cells[3]] = before[2], before[3]
            owner[first], owner[second] = before[0], before[1]


@lean_kernel
def _other_end(owner, sides, stream, first, region):
    """Return a random cell of a region that touches the region of `first`; -1 if there is none."""
    chosen = -1
    count = 0
    for cell in range(owner.size):
        if owner[cell] != region:
            continue
        for i in range(4):
            side = sides[cell, i]
            if side >= 0 and side != first and owner[side] == owner[first]:
                count += 1
                if below(stream, count) == 0:
                    chosen = cell
                break
    return chosen


@lean_kernel
def _border(owner, sides, cells):
    """Return the number of edges of some cells that are borders of regions."""
    count = 0
    for cell in cells:
        for i in range(4):
            side = sides[cell, i]
            count += side >= 0 and owner[side] != owner[cell]
    return count


@lean_kernel
def _is_whole(owner, sides, region, size, memory):
    """Return True if a region has `size` cells, and all are connected."""
    seen, left = memory
    start, count = -1, 0
    for cell in range(owner.size):
        seen[cell] = 0
        if owner[cell] == region:
            start = cell
            count += 1
    if count != size:
        return False
    left[0] = start
    seen[start] = 1
    n_left, n_seen = 1, 1
    while n_left > 0:
        n_left -= 1
        cell = left[n_left]
        for i in range(4):
            side = sides[cell, i]
            if side >= 0 and owner[side] == region and seen[side] == 0:
                seen[side] = 1
                left[n_left] = side
                n_left += 1
                n_seen += 1
    return n_seen == size


_FIRST = 200
"""Guesses of the first attempt; each further attempt has half as many more."""

_TRIES = 16
"""Attempts before the search gives up, which takes some seconds at worst. On boards larger than 9x9
a guess takes longer, and there are fewer attempts."""


class NoGridError(ValueError):
    """No full board obeys the rules."""


def random_board(
    network: Network, rng: np.random.Generator, tries: int = _TRIES
) -> NDArray[np.int64] | None:
    """Return random digits of all cells that obey the constraints, shape ``(n_cells,)``.

    Every full board can occur, but not with equal probability. None if the search gave up, after
    so many attempts or less.

    Raises
    ------
    NoGridError
        If the constraints have no solution.
    """
    work, memory = new_work(network), new_memory(network, range(network.n_cells), network.n_cells)
    stream, most = drawn_stream(rng), _FIRST
    larger = max(0.0, math.log2(network.n_cells / 81))
    for _ in range(max(tries - round(4 * larger), tries // 3, 1)):
        answer = fill(memory, network, work, stream, most)
        if answer > 0:
            return np.asarray(memory.solutions[0], np.int64)
        if answer == 0:
            raise NoGridError
        most += most // 2
    return None


@lean_kernel
def fill(memory, network, work, stream, most):
    """Write a random solution; return 1, 0 if there is none, -1 after `most` guesses."""
    stack, guesses, weights = memory.stack, memory.guesses, memory.weights
    copy_values(stack[0], network.start)
    forget(work, CELLS, 0)
    enlist_all(stack[0], network, work)
    depth = 0
    n_guesses = 0
    while depth >= 0:
        masks = stack[depth]
        if propagate(masks, network, work):
            cell, _ = cell_to_guess(masks, network, weights)
            if cell < 0:
                for i in range(network.n_cells):
                    memory.solutions[0, i] = lowest_bit(int(masks[unsigned(i)])) + 1
                return 1
            n_guesses += 1
            if n_guesses > most:
                return -1
            mask = int(masks[cell])
            for _ in range(below(stream, n_bits(mask))):
                mask &= mask - 1
            digit = lowest_bit(mask)
            above = stack[depth + 1]
            copy_values(above, masks)
            guesses[depth, 0] = cell
            guesses[depth, 1] = digit
            depth += 1
            narrow(above, work, cell, 1 << digit)
            continue
        blame(network, work, weights)
        depth -= 1
        if depth >= 0:
            cell = guesses[depth, 0]
            narrow(stack[depth], work, cell, int(stack[depth, cell]) & ~(1 << guesses[depth, 1]))
    return 0
