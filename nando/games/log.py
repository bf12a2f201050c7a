"""Logged games: who filled which cell when, read from files, with every fault named.

A game is reduced to the order in which the blanks got the digits of the solution, and when. An
entry that was erased or replaced does not count, the last one does; what had to be dropped or
mended is said in the game's notes, and what could not be read at all in the log's problems.
"""

import csv
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from nando.games.kinds import find_kind
from nando.puzzles import Puzzle, Sudoku, Values
from nando.puzzles.files import parse_json, read_text, shortened
from nando.solvers import unique_solution

COLUMNS = ("game", "player", "puzzle", "t_ms", "cell", "value")
"""Columns of a CSV, or keys of JSON records, a row a move; ``player`` may be left out."""

MOST_PROBLEMS = 100_000
"""Bad lines after which a file is no log of games."""

Move = tuple[int, int, int]
"""Milliseconds since the start, cell from 0, value (0 erases)."""

_CELL_NAME = re.compile(r"r(\d+)c(\d+)", re.IGNORECASE)
_REAL_BOARD = -1
_LEAST_REPLAYED = 10
_LATEST = 10**12
"""Milliseconds, some thirty years: what is more is no time of a game, nor a cell, nor a digit."""


@dataclass(frozen=True)
class Game:
    """A game as the order and the times of its fills.

    Attributes
    ----------
    name, player : str
    puzzle : Puzzle
        With exactly one solution.
    solution : ndarray of int8, shape (n_cells,)
    cells : ndarray of int16, shape (n_moves,)
        Different blanks, in the order of their last entries.
    seconds : ndarray of float64, shape (n_moves,)
        Since the start of the game, never falling.
    notes : tuple of str
        What was dropped or mended.
    """

    name: str
    player: str
    puzzle: Puzzle
    solution: Values = field(repr=False)
    cells: NDArray[np.int16] = field(repr=False)
    seconds: NDArray[np.float64] = field(repr=False)
    notes: tuple[str, ...] = ()

    @classmethod
    def from_moves(
        cls, puzzle: Sudoku, moves: Iterable[Move], *, name: str = "", player: str = ""
    ) -> Self:
        """Reduce the entries of a game to its fills.

        Parameters
        ----------
        puzzle : Sudoku
        moves : iterable of (t_ms, cell, value)
            In the order of the log; a value of 0 erases.
        name, player : str

        Raises
        ------
        PuzzleError
            Where the puzzle has not exactly one solution.

        Examples
        --------
        >>> from nando.datasets import load_examples
        >>> puzzle = load_examples().puzzles[0]
        >>> blank = int((puzzle.givens == 0).argmax())
        >>> game = Game.from_moves(puzzle, [(900, blank, 0), (1200, 99, 1)])
        >>> game.notes[0]
        '1 entry outside the grid or the digits, the first: cell 99, value 1'
        """
        solution = unique_solution(puzzle)
        faults = _Faults(puzzle.layout.n_cells)
        times = np.full(puzzle.layout.n_cells, np.nan)
        places = np.zeros(puzzle.layout.n_cells, np.int64)
        latest = 0
        for place, (t_ms, cell, value) in enumerate(moves):
            if not (0 <= cell < len(solution) and 0 <= value <= puzzle.size):
                faults.outside.append(f"cell {cell}, value {value}")
                continue
            if puzzle.givens[cell]:
                faults.given += value != puzzle.givens[cell]
                continue
            faults.backwards += t_ms < latest
            latest = max(latest, t_ms)
            faults.again += bool(np.isfinite(times[cell]))
            faults.wrong[cell] = value not in (0, solution[cell])
            times[cell] = latest / 1000 if value == solution[cell] else np.nan
            places[cell] = place
        filled = np.flatnonzero(np.isfinite(times))
        cells = filled[np.argsort(places[filled], kind="stable")]
        blanks = len(solution) - puzzle.n_givens
        return cls(
            name,
            player,
            puzzle,
            solution,
            cells.astype(np.int16),
            times[cells],
            tuple(faults.notes(blanks - len(cells))),
        )

    @classmethod
    def from_ranks(
        cls, puzzle: Puzzle, ranks: NDArray[np.float64], *, name: str = "", player: str = ""
    ) -> Self:
        """A game of which only the order is known; its seconds are all 0.

        Parameters
        ----------
        puzzle : Puzzle
        ranks : ndarray of float64, shape (n_cells,)
            NaN for cells that were not filled.
        name, player : str

        Raises
        ------
        PuzzleError
            Where the puzzle has not exactly one solution.
        """
        filled = np.flatnonzero(np.isfinite(ranks) & (puzzle.givens == 0))
        cells = filled[np.argsort(ranks[filled], kind="stable")].astype(np.int16)
        return cls(name, player, puzzle, unique_solution(puzzle), cells, np.zeros(len(cells)))

    @property
    def n_blanks(self) -> int:
        """Blanks of the puzzle."""
        return int(np.count_nonzero(self.puzzle.givens == 0))

    @property
    def finished(self) -> bool:
        """Whether every blank was filled rightly; of a Nurikabe, every black cell."""
        wanted = find_kind(self.puzzle.kind).entered(self.solution) & (self.puzzle.givens == 0)
        return bool(np.isin(np.flatnonzero(wanted), self.cells).all())

    def with_seconds(self, seconds: NDArray[np.float64]) -> "Game":
        """The same order at other times."""
        return replace(self, seconds=seconds)


def with_replays_noted(games: Iterable[Game]) -> list[Game]:
    """Games with a note where an earlier one has the same cells in the same order.

    A replay of another's game survives every statistic, for a person made it; but two people who
    fill 51 cells in one order do not exist. Digits may differ: the puzzle may be relabelled.
    """
    first: dict[bytes, Game] = {}
    noted = []
    for game in games:
        known = first.setdefault(game.cells.tobytes(), game)
        if known is not game and len(game.cells) >= _LEAST_REPLAYED:
            whose = f" of {known.player}" if known.player else ""
            note = f"the same cells in the same order as game {known.name}{whose}"
            game = replace(game, notes=(*game.notes, note))
        noted.append(game)
    return noted


class _Faults:
    """Counts of what is wrong with a game."""

    def __init__(self, n_cells: int) -> None:
        self.outside: list[str] = []
        self.given = 0
        self.backwards = 0
        self.again = 0
        self.wrong = np.zeros(n_cells, bool)

    def notes(self, n_missing: int) -> Iterator[str]:
        wrong = int(self.wrong.sum())
        if self.outside:
            entries = _counted(len(self.outside), "entry", "entries")
            yield f"{entries} outside the grid or the digits, the first: {self.outside[0]}"
        if self.given:
            yield f"{_counted(self.given, 'entry', 'entries')} over a given"
        if self.backwards:
            yield f"time goes backwards {_counted(self.backwards, 'time', 'times')}"
        if self.again:
            yield f"{_counted(self.again, 'right entry', 'right entries')} erased or replaced"
        if wrong:
            yield f"{_counted(wrong, 'cell', 'cells')} left with a wrong digit"
        if n_missing:
            yield f"unfinished: {_counted(n_missing, 'blank', 'blanks')} not filled rightly"


def _counted(count: int, one: str, several: str) -> str:
    return f"{count} {one if count == 1 else several}"


@dataclass(frozen=True)
class GameLog:
    """The games of a file, and what could not be read.

    Attributes
    ----------
    games : list of Game
        In the order of the file.
    problems : list of str
        One for each line, or game, that was left out.
    """

    games: list[Game]
    problems: list[str]


def read_games(path: str | Path) -> GameLog:
    """Read a log of games.

    Parameters
    ----------
    path : str or Path
        A ``.csv`` with the columns `COLUMNS`; a ``.json`` list, or ``.jsonl`` lines, of records
        with these keys; or a ``.tsv`` of the Sudoku Insight app.

    Raises
    ------
    OSError
        Where the file cannot be read.
    ValueError
        Where it is none of these, or has none of the columns wanted.
    """
    path = Path(path)
    text = read_text(path)
    suffix = path.suffix.lower()
    try:
        if suffix == ".tsv":
            return _read_insight(text.splitlines())
        if suffix in (".json", ".jsonl"):
            return _gathered(_json_records(text, lines=suffix == ".jsonl"))
        if suffix == ".csv":
            return _gathered(_csv_records(text))
    except (ValueError, csv.Error) as error:
        raise ValueError(f"{path}: {error}") from None
    raise ValueError(f"{path}: a log of games is a .csv, .json, .jsonl or .tsv file")


Record = tuple[str, Mapping[str, Any] | None, str]
"""Place in the file, the record, and what is wrong with it where it is None."""


def _csv_records(text: str) -> Iterator[Record]:
    rows = csv.DictReader(text.splitlines())
    names = [(name or "").strip().casefold() for name in rows.fieldnames or ()]
    absent = [name for name in COLUMNS if name not in names and name != "player"]
    if absent:
        raise ValueError(f"no column {absent[0]!r}; wanted {', '.join(COLUMNS)}")
    rows.fieldnames = names
    for row in rows:
        yield f"line {rows.line_num}", row, ""


def _json_records(text: str, *, lines: bool) -> Iterator[Record]:
    if lines:
        for number, line in enumerate(text.splitlines(), 1):
            if line.strip():
                try:
                    yield _checked(f"line {number}", parse_json(line))
                except ValueError as error:
                    yield f"line {number}", None, str(error)
        return
    listed = parse_json(text)
    if not isinstance(listed, list):
        raise ValueError(f"wanted a JSON list of moves, got {type(listed).__name__}")
    for number, record in enumerate(listed, 1):
        yield _checked(f"record {number}", record)


def _checked(place: str, record: Any) -> Record:
    if not isinstance(record, dict):
        return place, None, f"wanted an object, got {type(record).__name__}"
    absent = [name for name in COLUMNS if name not in record and name != "player"]
    return (place, None, f"no {absent[0]!r}") if absent else (place, record, "")


class _Problems(list[str]):
    """What cannot be used; too much of it is no log."""

    def append(self, problem: str) -> None:
        super().append(problem)
        if len(self) > MOST_PROBLEMS:
            raise ValueError(
                f"more than {MOST_PROBLEMS:,} lines cannot be used, the last: {problem}"
            )


def _gathered(records: Iterator[Record]) -> GameLog:
    """Games of records that may be mixed; a game is known by its name and player."""
    problems = _Problems()
    games: dict[tuple[str, str], tuple[str, str, list[Move]]] = {}
    for place, record, fault in records:
        if record is None:
            problems.append(f"{place}: {fault}")
            continue
        try:
            move = _move(record)
        except ValueError as error:
            problems.append(f"{place}: {error}")
            continue
        name = str(record["game"]).strip()
        player = str(record.get("player") or "").strip()
        text = str(record["puzzle"]).strip()
        _, first_text, moves = games.setdefault((name, player), (place, text, []))
        if text == first_text:
            moves.append(move)
        else:
            problems.append(f"{place}: another puzzle than before in game {shortened(repr(name))}")
    found = []
    for (name, player), (place, text, moves) in games.items():
        try:
            found.append(Game.from_moves(Sudoku(text), moves, name=name, player=player))
        except ValueError as error:
            problems.append(f"{place}: game {shortened(repr(name))}: {error}")
    return GameLog(found, problems)


def _move(record: Mapping[str, Any]) -> Move:
    numbers = []
    for name in ("t_ms", "cell", "value"):
        text = str(record[name] if record[name] is not None else "").strip()
        named = _CELL_NAME.fullmatch(text) if name == "cell" else None
        if named:
            size = round(len(str(record["puzzle"]).strip()) ** 0.5)
            row, column = int(named[1]), int(named[2])
            inside = 1 <= row <= size and 1 <= column <= size
            numbers.append((row - 1) * size + column - 1 if inside else -1)
            continue
        try:
            number = float(text or ("0" if name == "value" else ""))
        except ValueError:
            raise ValueError(f"{name} must be a number, got {shortened(repr(text))}") from None
        if not abs(number) <= _LATEST or (name == "t_ms" and number < 0):
            raise ValueError(f"{name} must be 0 to {_LATEST:,}, got {shortened(repr(text))}")
        numbers.append(int(number))
    return numbers[0], numbers[1], numbers[2]


def _read_insight(lines: Sequence[str]) -> GameLog:
    """Games of the Sudoku Insight app: puzzle, JSON list of ``ms,trail,cell[,digit]``."""
    log = GameLog([], _Problems())
    for number, line in enumerate(lines, 1):
        fields = line.split("\t")
        try:
            if len(fields) < 2:
                raise ValueError(f"{len(fields)} columns, wanted puzzle and moves")
            moves = _insight_moves(fields[1])
            log.games.append(Game.from_moves(Sudoku(fields[0]), moves, name=str(number - 1)))
        except ValueError as error:
            log.problems.append(f"line {number}: {error}")
    return log


def _insight_moves(text: str) -> list[Move]:
    try:
        listed = parse_json(text)
    except ValueError:
        listed = None
    if not isinstance(listed, list):
        raise ValueError("the moves are not a JSON list")
    moves = []
    for number, event in enumerate(listed, 1):
        try:
            t_ms, trail, cell, *value = (int(part) for part in str(event).split(","))
        except ValueError:
            raise ValueError(
                f"move {number} is {shortened(repr(event))}, wanted 'ms,trail,cell[,digit]'"
            ) from None
        if max(abs(t_ms), abs(cell), *map(abs, value)) > _LATEST:
            raise ValueError(f"move {number} has a number above {_LATEST:,}")
        if trail == _REAL_BOARD:
            moves.append((t_ms, cell, value[0] if value else 0))
    return moves
