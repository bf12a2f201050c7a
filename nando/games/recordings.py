"""Games as SudokuPad, lisudoku and the Sudoku Insight app record them.

A ``.replay`` of SudokuPad has the puzzle and all actions of a player: selections, digits, marks,
undo and redo. Actions record input, so the digits are computed from the state of the board.
lisudoku's steps name the cells and the digit, without the steps that were undone.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from nando.games.game import Move
from nando.puzzles import Puzzle, PuzzleError, Sudoku
from nando.puzzles.files import SPOILT, shortened
from nando.puzzles.formats.json_values import puzzles_of_value
from nando.puzzles.formats.programs.lz import unpack

REPLAY = "replay_v1.0"
"""Version of the ``.replay`` files that are read."""

_PACKING = "clzw"
_TICK_MS = 50
_ACTIONS = ("hl", "vl", "pm", "cd", "co", "cl", "ud", "rd", "sl", "ds", "pe", "pc", "gs", "ge")
_ACTIONS_NOW = (*_ACTIONS, "up", "wt")
"""Actions by letter: select, digit, corner and centre mark, colour, clear, undo, redo, select,
deselect, pen, its colour, start and end of a group, unpause, wait."""
_ACTIONS_BEFORE = ("hl", "vl", "pm", "cd", "co", "pe", "cl", "ud", "rd", "sl", "ds", "gs", "ge")
"""The same in the versions of `_BEFORE`."""
_BEFORE = ((0, 78, 0), (0, 81, 2))
_ACTION = re.compile(r"([A-Z])([^_]*)_(\d{1,12})")
_SELECTIONS = frozenset(["hl", "sl", "ds", "up"])
"""Actions that are undone together with the action before them."""
_LAYERS = {"vl": "digit", "pm": "corner", "cd": "centre", "co": "colour", "pe": "pen"}
_TOOLS = ("digit", "corner", "centre", "colour", "pen")
"""Tools by their number in a clear action, which clears the marks of the tool first."""


class Recording(NamedTuple):
    """A game as another program recorded it.

    Attributes
    ----------
    puzzle : Puzzle
    moves : list of (t_ms, cell, value)
    n_pauses : int
        Number of pauses, whose time is left out.
    n_marks : int
        Number of entries of corner and centre marks.
    """

    puzzle: Puzzle
    moves: list[Move]
    n_pauses: int = 0
    n_marks: int = 0


def is_recording(value: object) -> bool:
    """Return True if a JSON value is a replay of SudokuPad or a game of lisudoku."""
    if isinstance(value, dict):
        return bool({"replay", "steps", "user_solution", "userSolution"} & set(value))
    return isinstance(value, list) and bool(value) and _is_step(value[0])


def read_recording(value: Any) -> Recording:
    """Return the game of a JSON value.

    Raises
    ------
    ValueError
        If the value is damaged, has an unknown version, or lacks its puzzle.
    """
    if isinstance(value, dict) and "replay" in value:
        return _of_replay(value)
    return _of_steps(value)


def _puzzle_of(value: Any) -> Puzzle:
    read = next(iter(puzzles_of_value(value, None)))
    if isinstance(read, PuzzleError):
        raise read
    return read


# SudokuPad


def _of_replay(value: Mapping[str, Any]) -> Recording:
    version, replay = value.get("format"), value["replay"]
    if version != REPLAY:
        raise ValueError(
            f"a replay of the version {shortened(repr(version))}, wanted {REPLAY!r}; export it "
            "again from SudokuPad"
        )
    if not isinstance(replay, dict) or replay.get("type") != _PACKING:
        packing = replay.get("type") if isinstance(replay, dict) else replay
        raise ValueError(f"a replay packed by {shortened(repr(packing))}, wanted {_PACKING!r}")
    puzzle = _puzzle_of(value.get("puzzle"))
    shape = replay.get("rows"), replay.get("cols")
    if shape != puzzle.shape:
        raise ValueError(
            f"a replay on {shape[0]!r} x {shape[1]!r} cells of a puzzle with {puzzle.shape[0]} x "
            f"{puzzle.shape[1]}"
        )
    try:
        actions = unpack(str(replay.get("data")))
    except PuzzleError:
        raise ValueError(
            "the packed actions of the replay are damaged or too long; export it again"
        ) from None
    board = _Pad(len(puzzle.givens), {cell for cell, given in enumerate(puzzle.givens) if given})
    moves: list[Move] = []
    t_ms, n_pauses, n_marks = 0, 0, 0
    for action, argument, ticks in _actions(actions, str(replay.get("version"))):
        t_ms += ticks * _TICK_MS
        if action == "up":
            n_pauses += 1
            t_ms -= min(_pause_seconds(argument) * _TICK_MS, t_ms)
        n_marks += action in ("pm", "cd")
        moves.extend((t_ms, cell, digit) for cell, digit in board.do(action, argument))
    return Recording(puzzle, moves, n_pauses, n_marks)


def _actions(text: str, version: str) -> Iterator[tuple[str, str, int]]:
    """Yield the actions of a replay, their arguments, and the ticks since the previous action."""
    number = re.match(r"(\d{1,6})\.(\d{1,6})\.(\d{1,6})", version)
    before = number is not None and _BEFORE[0] <= tuple(map(int, number.groups())) <= _BEFORE[1]
    known = _ACTIONS_BEFORE if before else _ACTIONS_NOW
    place = 0
    while place < len(text):
        match = _ACTION.match(text, place)
        index = ord(match[1]) - ord("A") if match else len(known)
        if match is None or index >= len(known):
            raise ValueError(
                f"the replay has {shortened(repr(text[place : place + 16]))} for an action, which "
                "nando does not know"
            )
        yield known[index], "" if match[2] == "-" else match[2], int(match[3])
        place = match.end()


def _pause_seconds(argument: str) -> int:
    return int(argument) if argument.isdecimal() and len(argument) <= 12 else 0


class _Change(NamedTuple):
    """An action, and the content that it replaced, to undo it."""

    action: str
    argument: str
    selected: frozenset[int]
    replaced: dict[tuple[str, int], frozenset[str]]


class _Pad:
    """The state of SudokuPad's board: digits and marks of all cells, and the undo history."""

    def __init__(self, n_cells: int, givens: set[int]) -> None:
        self._n_cells = n_cells
        self._givens = givens
        self._width = len(f"{n_cells - 1:x}")
        self._selected: frozenset[int] = frozenset()
        self._entries: dict[tuple[str, int], frozenset[str]] = {}
        self._done: list[_Change] = []
        self._undone: list[_Change] = []
        self._selected_since_undo = 0
        self._grouped = False

    def do(self, action: str, argument: str) -> list[tuple[int, int]]:
        """Perform an action; return the changed cells and their new digits, 0 for none."""
        if action == "ud":
            changed = self._undo()
        elif action == "rd":
            changed = self._redo()
        else:
            change = self._apply(action, argument)
            if change is None:
                return []
            if self._undone and action in _SELECTIONS:
                self._selected_since_undo += 1
            else:
                self._undone.clear()
                self._selected_since_undo = 0
            self._done.append(change)
            changed = _digits_in(change)
        return [(cell, self._digit(cell)) for cell in dict.fromkeys(changed)]

    def _digit(self, cell: int) -> int:
        """Return the digit of a cell, 0 for none, -1 for another symbol."""
        entered = "".join(self._entries.get(("digit", cell), ()))
        if not entered:
            return 0
        return int(entered) if entered.isdecimal() and len(entered) < 3 else -1

    def _apply(self, action: str, argument: str) -> _Change | None:
        before = self._selected
        replaced: dict[tuple[str, int], frozenset[str]] = {}
        if action in ("hl", "sl"):
            self._selected |= self._cells(argument)
        elif action == "ds":
            self._selected -= self._cells(argument) if argument else before
            if self._selected == before:
                return None
        elif action in _LAYERS:
            layer, value = _LAYERS[action], argument.lower()
            cells = [cell for cell in before if self._is_shown(layer, cell)]
            whole = frozenset([value])
            removed = all(whole <= self._entry(layer, cell) for cell in cells)
            for cell in cells:
                old = replaced[layer, cell] = self._entry(layer, cell)
                kept = frozenset() if layer == "digit" else old - whole
                self._entries[layer, cell] = kept if removed else kept | whole
        elif action == "cl":
            cleared = self._layer_to_clear(argument)
            if cleared is None:
                return None
            for cell in before:
                if self._is_shown(cleared, cell):
                    replaced[cleared, cell] = self._entry(cleared, cell)
                    self._entries[cleared, cell] = frozenset()
        elif action in ("gs", "ge"):
            self._grouped = action == "gs"
        return _Change(action, argument, before, replaced)

    def _cells(self, argument: str) -> frozenset[int]:
        try:
            cells = [
                int(argument[i : i + self._width], 16) for i in range(0, len(argument), self._width)
            ]
        except ValueError:
            cells = [-1]
        if len(argument) % self._width or not all(0 <= cell < self._n_cells for cell in cells):
            raise ValueError(
                f"the replay selects {shortened(repr(argument), 40)}, which are not cells of it"
            )
        return frozenset(cells)

    def _entry(self, layer: str, cell: int) -> frozenset[str]:
        return self._entries.get((layer, cell), frozenset())

    def _is_shown(self, layer: str, cell: int) -> bool:
        """Return True if a layer of a cell can be seen and changed."""
        if layer in ("colour", "pen"):
            return True
        hidden = layer != "digit" and self._entry("digit", cell)
        return not hidden and cell not in self._givens

    def _layer_to_clear(self, argument: str) -> str | None:
        """Return the layer that a clear of the selected cells empties."""
        if argument not in ("0", "1", "2", "3", "4"):
            raise ValueError(f"the replay clears with the tool {shortened(repr(argument), 40)}")
        tool = _TOOLS[int(argument)]
        return next(
            (
                layer
                for layer in (tool, *(layer for layer in _TOOLS_TO_CLEAR if layer != tool))
                if any(self._is_shown(layer, c) and self._entry(layer, c) for c in self._selected)
            ),
            None,
        )

    def _undo(self) -> list[int]:
        changed: list[int] = []
        first = True
        while self._done:
            change = self._done.pop()
            self._entries.update(change.replaced)
            changed += _digits_in(change)
            self._selected = change.selected
            if change.action in ("gs", "ge"):
                self._grouped = change.action == "ge"
            if self._selected_since_undo == 0:
                self._undone.append(change)
            else:
                self._selected_since_undo -= 1
                if self._selected_since_undo == 0:
                    break
            if first and change.action == "ds":
                break
            first = False
            if not self._grouped and change.action not in _SELECTIONS:
                break
        self._grouped = False
        return changed

    def _redo(self) -> list[int]:
        changed = self._undo() if self._selected_since_undo else []
        while self._undone:
            undone = self._undone.pop()
            change = self._apply(undone.action, undone.argument)
            self._done.append(change or undone)
            changed += _digits_in(change or undone)
            if not self._grouped and undone.action not in _SELECTIONS:
                break
        return changed


_TOOLS_TO_CLEAR = ("digit", "centre", "corner", "colour", "pen")


def _digits_in(change: _Change) -> list[int]:
    return [cell for layer, cell in change.replaced if layer == "digit"]


# lisudoku


def _is_step(value: object) -> bool:
    return isinstance(value, dict) and {"type", "cells", "time"} <= set(value)


def _of_steps(value: Any) -> Recording:
    if isinstance(value, list):
        raise ValueError(
            'steps without their puzzle; wanted {"puzzle": ..., "steps": [...]}, or what '
            "lisudoku's server sends: user_solution and puzzle_constraints"
        )
    solved = value.get("user_solution", value.get("userSolution", value))
    puzzle = next(
        (
            value[key]
            for key in ("puzzle_constraints", "puzzleConstraints", "constraints", "puzzle")
            if value.get(key)
        ),
        None,
    )
    steps = solved.get("steps") if isinstance(solved, dict) else None
    if not isinstance(steps, list):
        raise ValueError("the game has no list of 'steps'")
    read = _puzzle_of(puzzle)
    n_rows, n_columns = read.shape
    moves: list[Move] = []
    for number, step in enumerate(steps, 1):
        try:
            kind, t_ms = step["type"], 1000.0 * float(step["time"])
            if not 0 <= t_ms < 1e12:
                raise ValueError
            if kind not in ("digit", "delete"):
                continue
            digit = int(step.get("value") or 0) if kind == "digit" else 0
            for cell in step["cells"]:
                row, column = int(cell["row"]), int(cell["col"])
                inside = 0 <= row < n_rows and 0 <= column < n_columns
                moves.append((t_ms, row * n_columns + column if inside else -1, digit))
        except SPOILT:
            raise ValueError(
                f"step {number} is {shortened(repr(step))}, wanted type, cells with row and col, "
                "value and time in seconds"
            ) from None
    return Recording(read, moves)


def read_insight(line: str) -> tuple[Puzzle, list[Move]]:
    """Return the puzzle and the moves in a line of the Sudoku Insight app.

    The line has a puzzle and a JSON list of ``ms,trail,cell[,digit]``.
    """
    from nando.datasets.times import REAL_BOARD, read_moves

    fields = line.split("\t")
    if len(fields) < 2:
        raise ValueError(f"{len(fields)} columns, wanted puzzle and moves")
    moves: list[Move] = [
        (t_ms, cell, value)
        for t_ms, trail, cell, value in read_moves(fields[1])
        if trail == REAL_BOARD
    ]
    return Sudoku(fields[0]), moves
