"""Filled cells and pencil marks during solving, on a Sudoku or a variant."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from nando import puzzles
from nando.puzzles import Puzzle, Sudoku, Values, Variant
from nando.puzzles.frozen import EqualFields
from nando.puzzles.protocol import Fault, FaultKind
from nando.puzzles.sudoku.layout import sudoku_layout
from nando.solvers.logic.language import first_listed
from nando.solvers.variants.network import network_of


class Houses(NamedTuple):
    """The houses of a puzzle. Cells are indices into ``puzzle.givens``.

    Attributes
    ----------
    places : sequence of int
        The cells of the board, as solvers number them.
    cells : list of tuple of int
        The cells of each house. A row, column or box that lacks digits is a house in name only, and
        comes before the others.
    of_cell : dict of int to frozenset of int
        The houses of each cell.
    peers, seen : dict of int to ndarray of int64, and of int to frozenset of int
        The cells that cannot hold the digit of each cell, as an array and as a set.
    rules : sequence of int
        Index of the rule that each house comes from; -1 for rows and columns. The boxes of a Sudoku
        count as rule 0.
    """

    places: Sequence[int]
    cells: list[tuple[int, ...]]
    of_cell: dict[int, frozenset[int]]
    peers: dict[int, NDArray[np.int64]]
    seen: dict[int, frozenset[int]]
    rules: Sequence[int]


def houses_in(puzzle: Sudoku | Variant) -> Houses:
    """Return the houses of a puzzle: rows, columns, boxes, and those of further rules."""
    return _of_order(puzzle.order) if isinstance(puzzle, Sudoku) else _of_variant(puzzle)


@cache
def _of_order(order: int) -> Houses:
    layout = sudoku_layout(order)
    rules = [-1] * (2 * layout.size) + [0] * layout.size
    return _houses(range(layout.n_cells), layout.houses, layout.peers.astype(np.int64), rules)


@lru_cache(maxsize=256)
def _of_variant(puzzle: Variant) -> Houses:
    network, origins = network_of(puzzle)
    places = np.array(puzzle.places)
    peers = np.split(places[network.peers], network.peer_start[1:-1])
    groups = [origins.groups[number] for number in origins.lines]
    lines = [places[list(cells)] for _, cells in groups]
    rules = *(rule for rule, _ in groups), *origins.houses
    return _houses(puzzle.places, [*lines, *places[network.houses]], peers, rules)


def _houses(
    places: Sequence[int],
    houses: Iterable[NDArray[np.integer]],
    peers: Iterable[NDArray[np.int64]],
    rules: Sequence[int],
) -> Houses:
    cells = [tuple(house.tolist()) for house in houses]
    of_cell: dict[int, set[int]] = {place: set() for place in places}
    for number, house in enumerate(cells):
        for cell in house:
            of_cell[cell].add(number)
    houses_of = {cell: frozenset(numbers) for cell, numbers in of_cell.items()}
    peers_of = dict(zip(places, peers, strict=True))
    seen = {cell: frozenset(array.tolist()) for cell, array in peers_of.items()}
    return Houses(places, cells, houses_of, peers_of, seen, rules)


@dataclass(frozen=True, eq=False)
class PencilMarks(EqualFields):
    """A partly filled Sudoku or variant with its candidates. It is immutable.

    Attributes
    ----------
    puzzle : Sudoku or Variant
        The puzzle, with its givens.
    values : ndarray of int8, shape (n_cells,)
        Digit of each filled cell, 0 for a blank and where the board has no cell.
    candidates : ndarray of bool, shape (n_cells, size)
        Candidates of each cell; column d is for digit d + 1. All False for a filled cell, and where
        the board has no cell.
    called : str
        A dot, then what each digit is called; empty for the symbols of the puzzle.

    Examples
    --------
    >>> from nando.solvers import LogicSolver
    >>> puzzle = Sudoku(
    ...     "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    ... )
    >>> marks = PencilMarks.of(puzzle)
    >>> marks.digits(2)
    (1, 2, 4)
    >>> step = next(LogicSolver().steps(puzzle))
    >>> step.placement
    (5, 8)
    >>> int(marks.after(step).values[5])
    8
    >>> marks = PencilMarks.of(Variant("4x4+killer:r1c1r1c2:3+odd:r4c4"))
    >>> marks.n_blanks, marks.digits(15), marks.house(0)
    (16, (1, 3), (0, 1, 2, 3))
    """

    puzzle: Any
    values: Values = field(repr=False)
    candidates: NDArray[np.bool_] = field(repr=False)
    called: str = ""

    @classmethod
    def of(cls, puzzle: Sudoku | Variant) -> Self:
        """Return the marks before the first step.

        A cell has all candidates that no given in a house or a group of different cells rules
        out, and that marks on the cell itself allow.
        """
        return cls.standing(puzzle, puzzle.givens)

    @classmethod
    def standing(
        cls,
        puzzle: Sudoku | Variant,
        values: Values,
        candidates: NDArray[np.bool_] | None = None,
    ) -> Self:
        """Return the marks of a half-solved grid as they stand, right or wrong.

        Parameters
        ----------
        puzzle : Sudoku or Variant
        values : ndarray of int8, shape (n_cells,)
            Digit of each filled cell, 0 for a blank; givens are filled in anyway.
        candidates : ndarray of bool, shape (n_cells, size), or None
            The pencil marks; None for all digits. A blank without any marks gets all digits. Marks
            that a filled cell or a rule on a single cell rules out are dropped.

        Raises
        ------
        ValueError
            For arrays of other shapes, digits that the grid does not have, and a filled cell that
            contradicts a given.
        """
        size, given = puzzle.size, puzzle.givens
        if values.shape != given.shape:
            raise ValueError(f"values must have shape {given.shape}, got {values.shape}")
        if candidates is not None and candidates.shape != (given.size, size):
            raise ValueError(
                f"candidates must have shape ({given.size}, {size}), got {candidates.shape}"
            )
        if values.min() < 0 or values.max() > size:
            raise ValueError(f"values must be 0 to {size}, got {values.min()} to {values.max()}")
        other = np.flatnonzero((given > 0) & (values > 0) & (given != values))
        if other.size:
            raise ValueError(f"{puzzle.cell_name(int(other[0]))} is given: it cannot be changed")
        filled = np.where(given > 0, given, values).astype(np.int8)
        marks = _first_candidates(puzzle)
        if candidates is not None:
            marks &= candidates | ~candidates.any(axis=1, keepdims=True)
        standing = cls(puzzle, filled, marks)
        for cell in np.flatnonzero(filled).tolist():
            standing._fill(marks, cell, int(filled[cell]))
        return standing

    @classmethod
    def read(
        cls, text: str, puzzle: Sudoku | Variant | None = None, kind: type[Puzzle] = Sudoku
    ) -> Self | None:
        """Return the marks in a text, as :func:`nando.puzzles.read_standing` reads them.

        Return None for a text that has nothing but a puzzle. `kind` is the kind of the puzzle if
        it is not given.

        Raises
        ------
        PuzzleError
            For a text of another kind, or of another puzzle.
        """
        standing: Any = puzzles.read_standing(text, puzzle, kind)
        return (
            None
            if standing is None
            else cls.standing(standing.puzzle, standing.entries, standing.candidates)
        )

    def after(self, step: Any) -> Self:
        """Return the marks after the step."""
        values, candidates = self.values.copy(), self.candidates.copy()
        for cell, digit in step.eliminations:
            candidates[cell, digit - 1] = False
        if step.placement is not None:
            cell, digit = step.placement
            values[cell] = digit
            self._fill(candidates, cell, digit)
        return type(self)(self.puzzle, values, candidates, self.called)

    def with_candidates(self, candidates: NDArray[np.bool_]) -> Self:
        """Return the marks with the same digits and other candidates."""
        return type(self)(self.puzzle, self.values, candidates, self.called)

    def supposing(self, literals: Iterable[tuple[int, int, bool]]) -> Self:
        """Return the marks if some candidates are true and others false; no cell is filled."""
        candidates = self.candidates.copy()
        for cell, digit, is_on in literals:
            if is_on:
                self._fill(candidates, cell, digit)
            candidates[cell, digit - 1] = is_on
        return self.with_candidates(candidates)

    @property
    def symbols(self) -> str:
        """A dot, then what stands for each digit in words and drawings."""
        return self.called or str(self.puzzle.symbols)

    @property
    def n_blanks(self) -> int:
        """Number of cells not filled yet."""
        return len(self._houses.places) - int(np.count_nonzero(self.values))

    def digits(self, cell: int) -> tuple[int, ...]:
        """Return the candidates of a cell."""
        return self._digits[cell]

    def house(self, house: int) -> tuple[int, ...]:
        """Return the cells of a house: rows come first, then columns, boxes and others."""
        return self._houses.cells[house]

    def houses_of(self, cells: tuple[int, ...]) -> set[int]:
        """Return the houses that hold all of the cells."""
        of_cell = self._houses.of_cell
        return set(of_cell[cells[0]]).intersection(*(of_cell[cell] for cell in cells[1:]))

    def rule_of_house(self, house: int) -> int:
        """Return the index of the rule that a house comes from; -1 for rows and columns."""
        return self._houses.rules[house]

    def places(self, house: int, digit: int) -> tuple[int, ...]:
        """Return the cells of a house that have a digit as a candidate."""
        return tuple(cell for cell in self.house(house) if self.candidates[cell, digit - 1])

    def sees(self, cell: int, other: int) -> bool:
        """Return True if two different cells cannot hold the same digit."""
        return other in self._houses.seen[cell]

    def bars(self, cell: int, digit: int, other: int, second: int) -> bool:
        """Return True if a relation forbids `digit` in a cell together with `second` in another."""
        if isinstance(self.puzzle, Sudoku):
            return False
        network, _ = network_of(self.puzzle)
        at, to = map(self._houses.places.index, (cell, other))
        arcs = slice(*network.arc_start[at : at + 2].tolist())
        tables = network.arc_table[arcs][network.arc_cell[arcs] == to]
        return bool((network.tables[tables, digit - 1] >> second - 1 & 1 == 0).any())

    def _fill(self, candidates: NDArray[np.bool_], cell: int, digit: int) -> None:
        candidates[cell] = False
        candidates[self._houses.peers[cell], digit - 1] = False

    @cached_property
    def _houses(self) -> Houses:
        return houses_in(self.puzzle)

    @cached_property
    def _digits(self) -> list[tuple[int, ...]]:
        """Candidates of every cell, cached because words and drawings need them often."""
        return [
            tuple(digit for digit, may_be in enumerate(row, 1) if may_be)
            for row in self.candidates.tolist()
        ]


def _first_candidates(puzzle: Sudoku | Variant) -> NDArray[np.bool_]:
    """Return a new array with the candidates that the rules on single cells allow."""
    if isinstance(puzzle, Sudoku):
        return np.ones((puzzle.givens.size, puzzle.size), np.bool_)
    allowed = np.zeros((puzzle.givens.size, puzzle.size), np.bool_)
    # This includes the digits of givens; `standing` removes all candidates of filled cells.
    network, _ = network_of(puzzle)
    allowed[puzzle.places] = network.start[:, None] >> np.arange(puzzle.size) & 1
    return allowed


# Compare a half-solved Sudoku or variant with its solution


def mistakes(marks: PencilMarks, solution: Values) -> list[Fault]:
    """Return a fault with all wrong entries or, if there are none, all wrong eliminations.

    The list is empty if the solution agrees with the marks.

    Examples
    --------
    >>> from nando.puzzles import Sudoku
    >>> puzzle = Sudoku(
    ...     "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    ... )
    >>> values = puzzle.givens.copy()
    >>> values[2] = 1
    >>> solution = np.array([*map(int, "534678912672195348198342567859761423426853791713924856"
    ...     "961537284287419635345286179")], np.int8)
    >>> [fault.message for fault in mistakes(PencilMarks.standing(puzzle, values), solution)]
    ['wrong entry: r1c3 is not 1']
    """
    name, symbols = marks.puzzle.cell_name, marks.puzzle.symbols
    wrong = np.flatnonzero((marks.values > 0) & (marks.values != solution)).tolist()
    if wrong:
        parts = [f"{name(cell)} is not {symbols[marks.values[cell]]}" for cell in wrong]
        return [Fault(FaultKind.WRONG_ENTRY, f"wrong entry: {first_listed(parts)}", tuple(wrong))]
    # A place without a cell has no digit in the solution.
    blanks = np.flatnonzero((marks.values == 0) & (solution > 0))
    has_it = marks.candidates[blanks, solution[blanks] - 1]
    missing = blanks[~has_it].tolist()
    if missing:
        parts = [f"{symbols[solution[cell]]} from {name(cell)}" for cell in missing]
        message = f"wrong elimination: {first_listed(parts)}"
        return [Fault(FaultKind.WRONG_ELIMINATION, message, tuple(missing))]
    return []
