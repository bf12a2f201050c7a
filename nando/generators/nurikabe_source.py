"""New Nurikabe: a random solution is changed until it is the only one."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from nando.checks import whole
from nando.generators.nurikabe_board import Board, approach, left_after_move, new_board
from nando.generators.target import MOST_SCORED, FailedDraw
from nando.puzzles import Values
from nando.puzzles.frozen import EqualFields
from nando.puzzles.nurikabe import MAX_LINES, UNKNOWN, Nurikabe
from nando.records import Settings
from nando.solvers.exact.bands import DEPTH, FOUND
from nando.solvers.exact.nurikabe.probing import ProbingSearch
from nando.solvers.nurikabe.state import OPEN, NurikabeState, new_state

_SMALLEST = 3
"""Fewest rows and columns."""

_GUESSES = 20
"""Guesses per cell of an exact search after which a puzzle counts as not unique."""

_NEAR = 0.2
"""Largest share of cells left open by the rules for which the exact search runs."""

_HARD = 0.6
"""Largest share of cells left open by the rules in a puzzle made harder by moves."""

_SEARCHES = 100
"""Exact searches before a board is given up."""

_PATH = 12
"""Length of the path of ever harder puzzles made from one."""

_TRIES = 60
"""Moves tried for the next puzzle near one."""

_RENUMBERED = 0.6
"""Share of these moves at white cells that move a number: they keep the sizes, and often more."""


@dataclass(frozen=True)
class NurikabeSource(Settings):
    """The settings that all puzzles of a batch share.

    Parameters
    ----------
    shape : (int, int)
        Rows and columns, each 3 to 100.
    mean_size : float
        Target mean size of the islands; puzzles keep to it within about a tenth, or one island.
    largest : int or None
        Largest size of an island, rarely exceeded. Default: two and a half times the mean.
    unknown : int
        Islands of unknown size, written ``?``.

    Raises
    ------
    ValueError
        For an impossible combination; the message says why.

    Examples
    --------
    >>> candidate = NurikabeSource((5, 5)).draw(np.random.default_rng(1))
    >>> candidate.puzzle.shape
    (5, 5)
    """

    shape: tuple[int, int] = (10, 10)
    mean_size: float = 3.0
    largest: int | None = None
    unknown: int = 0

    def check(self) -> None:
        """Reject a shape out of range, and sizes that do not fit it."""
        if not isinstance(self.shape, tuple | list) or len(self.shape) != 2:
            raise TypeError(f"shape must be (rows, columns), got {self.shape!r}")
        n_rows, n_columns = (whole("shape", side) for side in self.shape)
        if not (_SMALLEST <= n_rows <= MAX_LINES and _SMALLEST <= n_columns <= MAX_LINES):
            raise ValueError(
                f"shape must be {_SMALLEST} to {MAX_LINES} rows and columns, "
                f"got {n_rows} by {n_columns}"
            )
        most = self.n_cells / 2
        if not 1.5 <= self.mean_size <= most:
            raise ValueError(
                f"mean_size must be 1.5 to {most:g}, half of the cells, got {self.mean_size:g}"
            )
        if self.largest is not None and self.largest < self.mean_size:
            raise ValueError(
                f"largest must be at least mean_size, {self.mean_size:g}, got {self.largest}"
            )
        if not 0 <= self.unknown <= self.n_cells // 4:
            raise ValueError(
                f"unknown must be 0 to {self.n_cells // 4}, a quarter of the cells, "
                f"got {self.unknown}"
            )

    @property
    def most_failed(self) -> int:
        """Draws that may fail before the first puzzle: half a minute, or two draws of a large one.

        The time of a draw grows about as the cube of the number of cells.
        """
        return int(np.clip(2e8 / self.n_cells**3, 2, MOST_SCORED))

    @property
    def hint(self) -> str:
        """Advice if no board gives a suitable puzzle."""
        fewer = "fewer islands of unknown size, " if self.unknown else ""
        return f"ask for {fewer}smaller islands, or another size"

    @property
    def n_cells(self) -> int:
        """Cells of a puzzle."""
        return self.shape[0] * self.shape[1]

    @property
    def sizes(self) -> tuple[float, float]:
        """Mean and largest size."""
        return float(self.mean_size), float(self.largest or max(3, round(2.5 * self.mean_size)))

    def draw(self, rng: np.random.Generator) -> "NurikabeCandidate | FailedDraw | None":
        """Return a puzzle from a new board, or how near a failed draw came.

        None if no moves made the solution unique.
        """
        board, state = self._workspace()
        focus, n_moves = board.cells[:0], 3 * self.n_cells
        for _ in range(_SEARCHES):
            most = _NEAR * self.n_cells
            if approach(board, state, self.sizes, focus, n_moves, most, rng) < 0:
                return None
            puzzle = Nurikabe.from_numbers(inside(board, board.number))
            others = _others(puzzle, board)
            if others is None:
                return self._finish(board, puzzle, rng)
            # The board must change where two solutions differ.
            focus = others if others.size else board.cells[board.known[board.cells] == OPEN]
            n_moves = 0
        return None

    def _workspace(self) -> tuple[Board, NurikabeState]:
        blank = Nurikabe.from_numbers(np.zeros(self.shape, np.int16))
        return new_board(self.shape), new_state(blank)

    def _finish(
        self, board: Board, puzzle: Nurikabe, rng: np.random.Generator
    ) -> "NurikabeCandidate | FailedDraw":
        """Return the puzzle of a board with one solution, unless too few sizes can be hidden."""
        solution = inside(board, board.colour).astype(np.int8).ravel()
        if self.unknown:
            numbers = puzzle.numbers.copy()
            left = self.unknown
            for cell in rng.permutation(np.flatnonzero(numbers)):
                if left == 0:
                    break
                kept, numbers[cell] = numbers[cell], UNKNOWN
                hidden = Nurikabe.from_numbers(numbers.reshape(self.shape))
                if _others(hidden, board) is None:
                    puzzle, left = hidden, left - 1
                else:
                    numbers[cell] = kept
            if left:
                return FailedDraw(left, f"{self.unknown - left} islands of unknown size")
        return NurikabeCandidate(self, puzzle, solution)


@dataclass(frozen=True, eq=False)
class NurikabeCandidate(EqualFields):
    """A puzzle with one solution, and the puzzles it can become.

    Attributes
    ----------
    source : NurikabeSource
    puzzle : Nurikabe
    solution : ndarray of int8, shape (n_cells,)
    """

    source: NurikabeSource
    puzzle: Nurikabe
    solution: Values

    def easier_ones(self, rng: np.random.Generator) -> Sequence["NurikabeCandidate"]:
        """Return puzzles by falling difficulty: harder ones made from this one, then this one.

        A drawn puzzle is rather easy, so the path is made by moves to harder puzzles.
        """
        path = [self]
        while len(path) <= _PATH:
            harder = next(path[-1].moves(rng, harder=True, strictly=True), None)
            if harder is None:
                break
            path.append(harder)
        return path[::-1]

    def moves(
        self, rng: np.random.Generator, *, harder: bool, strictly: bool = False
    ) -> Iterator["NurikabeCandidate"]:
        """Yield other puzzles near this one, in random order; perhaps none.

        Parameters
        ----------
        rng : Generator
        harder : bool
            Make the puzzle harder instead of easier. A number moves within its island, or cells
            between island and river change colour, so islands grow, shrink, merge or split. A board
            counts as harder if the rules leave more cells open.
        strictly : bool
            Leave out boards that leave as many cells open.
        """
        source = self.source
        board, state = source._workspace()
        before = self.n_open
        for _ in range(_TRIES):
            left = self._left_after_move(board, state, _RENUMBERED, rng)
            change = left - before if harder else before - left
            if left < 0 or change < strictly or left > _HARD * source.n_cells:
                continue
            puzzle = Nurikabe.from_numbers(inside(board, board.number))
            is_unique = _others(puzzle, board) is None
            moved = source._finish(board, puzzle, rng) if is_unique else None
            if isinstance(moved, NurikabeCandidate) and moved.puzzle != self.puzzle:
                yield moved

    @cached_property
    def n_open(self) -> int:
        """Cells that the rules leave open if all sizes are known."""
        board, state = self.source._workspace()
        return self._left_after_move(board, state, -1.0, np.random.default_rng(0))

    def _left_after_move(
        self, board: Board, state: NurikabeState, renumbered: float, rng: np.random.Generator
    ) -> int:
        """See :func:`nando.generators.nurikabe_board.left_after_move`."""
        numbers, wanted = self.puzzle.numbers, self.source.sizes
        left = left_after_move(board, state, self.solution, numbers, wanted, renumbered, rng)
        return int(left)


def inside(board: Board, array: NDArray[np.generic]) -> NDArray[np.generic]:
    """Return the part of an array within the walls, shape (rows, columns)."""
    n_walled = board.colour.size - 1
    return array[:n_walled].reshape(-1, board.width)[1:-1, 1:-1]


def _others(puzzle: Nurikabe, board: Board) -> NDArray[np.int32] | None:
    """Return known cells in which two solutions differ; None if there is only one solution."""
    search = ProbingSearch(puzzle)
    search.advance(2, _GUESSES * puzzle.n_cells)
    if search.progress[FOUND] == 1 and search.progress[DEPTH] < 0:
        return None
    if search.progress[FOUND] < 2:
        return board.cells[:0]
    differ: NDArray[np.int32] = board.cells[search.solutions[0] != search.solutions[1]]
    return differ
