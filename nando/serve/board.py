"""Moves as a page sends them, and the board that they make, whatever else a page says.

The page computes the same in ``play/web/game.mjs``, because it plays without a server, too. A test
plays games on both.
"""

import copy
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field

from nando.games.kinds import find_kind
from nando.puzzles import Puzzle, Sudoku, Values, Variant
from nando.puzzles.boards.constraints import AllDifferent, Candidates
from nando.puzzles.sudoku.layout import sudoku_layout
from nando.serve.access import RequestModel

VALUE, CORNER, CENTRE = 0, 1, 2
"""Layers of a board, as the page numbers them."""

Change = tuple[int, int, int, int]
"""Layer, cell, and the values before and after."""

LATE_MS = 2_000
"""Milliseconds; a move that waited longer in the browser was sent after a lost connection."""

_EDITS = ("value", "corner", "centre", "erase", "fill", "undo", "redo")
"""Events that change the board."""

_RUNS = {"start": True, "resume": True, "show": True, "pause": False, "hide": False}
"""Events after which the clock of a game runs, or does not."""


MOST_ATTEMPTS = 1_000
"""How often a player may begin a puzzle again."""


MOST_CELLS = 625
Cell = Annotated[int, Field(ge=0, lt=MOST_CELLS)]
Milliseconds = Annotated[int, Field(ge=0, le=10**13)]


class Event(RequestModel):
    """An event of a game, as the page replays it."""

    e: Literal[
        "value", "corner", "centre", "erase", "fill", "undo", "redo",
        "start", "pause", "resume", "hide", "show", "finish", "aid",
    ]  # fmt: skip
    s: int | None = Field(default=None, ge=1)
    c: list[Cell] | None = Field(default=None, max_length=MOST_CELLS)
    v: Annotated[int, Field(ge=0, le=25)] | bool | None = None
    keep: bool | None = None
    clean: bool | None = None
    g: str | None = Field(default=None, max_length=40, pattern=r"^[\d.]+$")
    n: Literal["conflicts", "same", "clean", "likely"] | None = None
    t: Milliseconds = 0
    w: Milliseconds = 0


class Move(RequestModel):
    """An event of a player.

    Attributes
    ----------
    seq : int
        Number of the event among those of the player, from 1.
    puzzle, attempt : int
    age_ms : int
        Milliseconds for which the event waited in the browser before it was sent.
    event : Event
    changes : list of list of int
        What the event changes according to the page: layer, cell, and the values before and after.
    """

    seq: int = Field(ge=1, le=10**7)
    puzzle: int = Field(ge=0, le=10**4)
    attempt: int = Field(ge=0, le=10**4)
    age_ms: Milliseconds
    event: Event
    changes: list[Annotated[list[Annotated[int, Field(ge=0, lt=1 << 26)]], Field(max_length=4)]] = (
        Field(max_length=3 * MOST_CELLS)
    )


def move_time(received_ms: int, age_ms: int, earliest_ms: int) -> int:
    """Return when a move was made, on the server's clock.

    The page sends how long a move waited for its connection. The time is neither before that of the
    move before or the time at which the player first had the puzzle, nor after the arrival, so that
    a player's clock can decide nothing but the time within these bounds.

    Examples
    --------
    >>> [move_time(5_000, age_ms, 1_000) for age_ms in (0, 3_000, 90_000)]
    [5000, 2000, 1000]
    """
    return min(max(received_ms - age_ms, earliest_ms), received_ms)


class NotStartedError(Exception):
    """The contest has not begun."""

    def __init__(self, milliseconds: int) -> None:
        super().__init__(f"the contest starts in {-(-milliseconds // 1000)} s")


class RemovedError(Exception):
    """The player's seat is gone."""

    def __init__(self) -> None:
        super().__init__("the organiser has removed this player")


class GapError(Exception):
    """Events before the received ones are missing; `seq` numbers the last stored event."""

    def __init__(self, seq: int) -> None:
        super().__init__(seq)
        self.seq = seq


class BadMoveError(ValueError):
    """A move that no page of this server would send."""


class Layout:
    """What all boards of a puzzle have in common.

    Parameters
    ----------
    puzzle : Puzzle
    solution : ndarray of int8, shape (n_cells,)

    Attributes
    ----------
    n_cells, largest : int
        Number of cells, and largest value.
    is_open : list of bool
        Whether players can enter a value in a cell.
    wanted : list of int
        The value that must be entered in each cell; 0 if the cell may stay empty.
    counted : list of bool
        For each value, whether it counts for the solution.
    full : int
        Mask of all digits; 0 if the kind has no pencil marks.
    groups : list of list of int
        Groups of cells whose digits are different.
    allowed : dict of int to int
        Masks of the digits that a cell may hold, where a mark restricts them.
    """

    def __init__(self, puzzle: Puzzle, solution: Values) -> None:
        self.full = 0
        self.largest = int(solution.max())
        self.groups: list[list[int]] = []
        self.allowed: dict[int, int] = {}
        if isinstance(puzzle, Sudoku):
            self.largest = puzzle.size
            self.groups = sudoku_layout(puzzle.order).houses.tolist()
        elif isinstance(puzzle, Variant):
            self.largest = puzzle.size
            for _, constraint in puzzle.constraints:
                if isinstance(constraint, AllDifferent):
                    self.groups.append(puzzle.board.places(constraint.cells))
                elif isinstance(constraint, Candidates):
                    (cell,) = puzzle.board.places((constraint.cell,))
                    self.allowed[cell] = self.allowed.get(cell, -1) & constraint.mask << 1
        if isinstance(puzzle, Sudoku | Variant):
            self.full = (1 << self.largest + 1) - 2
        self.givens: list[int] = puzzle.givens.tolist()
        self.n_cells = len(self.givens)
        cells = set(puzzle.places if isinstance(puzzle, Variant) else range(self.n_cells))
        self.is_open = [not given and c in cells for c, given in enumerate(self.givens)]
        entered = find_kind(puzzle.kind).entered
        self.counted: list[bool] = entered(np.arange(self.largest + 1, dtype=np.int8)).tolist()
        needed = entered(solution) & (puzzle.givens == 0)
        self.wanted: list[int] = np.where(needed, solution, 0).tolist()

    @cached_property
    def near(self) -> list[list[int]]:
        """The cells that share a group with each cell."""
        near: list[set[int]] = [set() for _ in range(self.n_cells)]
        for group in self.groups:
            for cell in group:
                near[cell].update(group)
        return [sorted(cells - {cell}) for cell, cells in enumerate(near)]


class Board:
    """The values and marks on a board, and the steps that can be undone.

    Parameters
    ----------
    layout : Layout
    attempt : int
        How often the player has begun the puzzle again.

    Attributes
    ----------
    layers : list of list of int
        Values, and the masks of the digits marked in corners and centres.
    n_entered, n_late : int
        Number of values that were entered, and of those that arrived late.
    """

    def __init__(self, layout: Layout, attempt: int = 0) -> None:
        self.layout = layout
        self.attempt = attempt
        self.layers = [[0] * layout.n_cells for _ in (VALUE, CORNER, CENTRE)]
        self.n_entered = self.n_late = 0
        self._n_wrong = sum(value > 0 for value in layout.wanted)
        self._has_begun = self._is_running = self._is_over = False
        self._past: list[tuple[str | None, tuple[Change, ...]]] = []
        self._future: list[tuple[str | None, tuple[Change, ...]]] = []

    def copy(self) -> "Board":
        """Return a copy of the board."""
        board = copy.copy(self)
        board.layers = [layer.copy() for layer in self.layers]
        board._past, board._future = self._past.copy(), self._future.copy()
        return board

    @property
    def values(self) -> list[int]:
        """The entered values; 0 for none."""
        return self.layers[VALUE]

    @property
    def solved(self) -> bool:
        """True if all values that people must enter are entered and right."""
        return self._n_wrong == 0

    @property
    def is_mostly_late(self) -> bool:
        """True if more than half of the values arrived late."""
        return 2 * self.n_late > self.n_entered

    def check(
        self, event: Mapping[str, Any], changes: Sequence[Sequence[int]]
    ) -> tuple[Change, ...]:
        """Check that a page would record an event now, and that it makes these changes.

        Raises
        ------
        BadMoveError
        """
        what, cells = event["e"], event.get("c", ())
        value: Any = event.get("v")
        if (what == "start") == self._has_begun:
            raise BadMoveError(f"{what} {'in' if self._has_begun else 'before'} a game")
        if self._is_over:
            raise BadMoveError(f"{what} after the game")
        if what in _EDITS and not self._is_running:
            raise BadMoveError(f"{what} while the game is paused")
        if len(set(cells)) < len(cells) or not all(cell < self.layout.n_cells for cell in cells):
            raise BadMoveError(f"no cells {cells}")
        if what in ("corner", "centre", "value"):
            least = 0 if what == "value" else 1
            is_number = isinstance(value, int) and not isinstance(value, bool)
            if not is_number or not least <= value <= self.layout.largest:
                raise BadMoveError(f"{what} cannot be {value}")
            if what != "value" and not self.layout.full:
                raise BadMoveError("this kind of puzzle has no marks")
        made = self.changes_of(event)
        if sorted(made) != sorted(map(tuple, changes)):
            raise BadMoveError(f"{what} does not change what it says")
        if what in _EDITS and not made:
            raise BadMoveError(f"{what} changes nothing")
        return made

    def apply(self, event: Mapping[str, Any], changes: tuple[Change, ...], age_ms: int) -> None:
        """Make the changes of a checked event that waited `age_ms` to be sent."""
        for layer, cell, before, after in changes:
            self.layers[layer][cell] = after
            if layer == VALUE:
                self._n_wrong += self._is_wrong(cell, after) - self._is_wrong(cell, before)
        self._remember(event, changes)
        what = event["e"]
        if what == "value":
            n_entered = sum(layer == VALUE and after > 0 for layer, _, _, after in changes)
            self.n_entered += n_entered
            self.n_late += n_entered if age_ms > LATE_MS else 0
        self._has_begun = True
        self._is_running = _RUNS.get(what, self._is_running)
        if what == "finish":
            self._is_over = True
            self._past, self._future = [], []  # nothing is undone any more

    def _is_wrong(self, cell: int, value: int) -> bool:
        counted = value if self.layout.counted[value] else 0
        return counted != self.layout.wanted[cell]

    def _remember(self, event: Mapping[str, Any], changes: tuple[Change, ...]) -> None:
        """Save the changes for undo and redo; changes of one stroke (`g`) are undone together."""
        stroke = event.get("g")
        if event["e"] == "undo":
            self._future += [self._past.pop()] if self._past else []
        elif event["e"] == "redo":
            self._past += [self._future.pop()] if self._future else []
        elif changes:
            if stroke and self._past and self._past[-1][0] == stroke and not self._future:
                changes = self._past.pop()[1] + changes
            self._past.append((stroke, changes))
            self._future = []

    def changes_of(self, event: Mapping[str, Any]) -> tuple[Change, ...]:
        """Return the changes that an event makes."""
        cells = [cell for cell in event.get("c", ()) if self.layout.is_open[cell]]
        value: Any = event.get("v")
        match event["e"]:
            case "value":
                return tuple(self._enter(cells, value, event))
            case "corner" | "centre" as mark:
                return tuple(self._mark(CORNER if mark == "corner" else CENTRE, cells, value))
            case "erase":
                layers = [VALUE] if any(self.values[c] for c in cells) else [CORNER, CENTRE]
                each = (self._change(layer, c, 0) for c in cells for layer in layers)
                return tuple(chain.from_iterable(each))
            case "fill":
                return tuple(self._fill_marks())
            case "undo" if self._past:
                past = reversed(self._past[-1][1])
                return tuple((layer, cell, after, before) for layer, cell, before, after in past)
            case "redo" if self._future:
                return self._future[-1][1]
        return ()

    def _change(self, layer: int, cell: int, after: int) -> Iterator[Change]:
        before = self.layers[layer][cell]
        if before != after:
            yield layer, cell, before, after

    def _enter(self, cells: list[int], value: int, event: Mapping[str, Any]) -> Iterator[Change]:
        """Yield the changes of a value; entering it a second time removes it."""
        is_there = value and all(self.values[cell] == value for cell in cells)
        after = 0 if is_there and not event.get("keep") else value
        for cell in cells:
            yield from self._change(VALUE, cell, after)
        if event.get("clean") and after:
            for near in sorted({near for cell in cells for near in self.layout.near[cell]}):
                for layer in (CORNER, CENTRE):
                    yield from self._change(layer, near, self.layers[layer][near] & ~(1 << after))

    def _mark(self, layer: int, cells: list[int], digit: int) -> Iterator[Change]:
        marks, bit = self.layers[layer], 1 << digit
        cells = [cell for cell in cells if not self.values[cell]]
        is_there = all(marks[cell] & bit for cell in cells)
        for cell in cells:
            yield from self._change(
                layer, cell, marks[cell] & ~bit if is_there else marks[cell] | bit
            )

    def _fill_marks(self) -> Iterator[Change]:
        """Yield the changes that mark, in each empty cell, the digits that no peer has."""
        at = [given or value for given, value in zip(self.layout.givens, self.values, strict=True)]
        used = [0] * self.layout.n_cells
        for group in self.layout.groups:
            there = 0
            for cell in group:
                there |= 1 << at[cell] if at[cell] else 0
            for cell in group:
                used[cell] |= there
        for cell, is_open in enumerate(self.layout.is_open):
            if is_open and not at[cell]:
                mask = self.layout.full & self.layout.allowed.get(cell, -1) & ~used[cell]
                yield from self._change(CENTRE, cell, mask)
