"""Read logs of games from files and report every fault.

The notes of a game report what was dropped or repaired in it. The notes of the log concern the
whole log, and its problems list what could not be read.
"""

import csv
import datetime
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from nando.games.game import Game, Move
from nando.games.recordings import Recording, is_recording, read_insight, read_recording
from nando.games.said import Said, figure, say
from nando.puzzles import Puzzle, Sudoku, find_puzzle, kind_of_text
from nando.puzzles.files import parse_json, read_text, shortened
from nando.puzzles.formats.table import delimiter_of

COLUMNS = ("game", "player", "puzzle", "t_ms", "cell", "value")
"""Columns of a CSV or keys of JSON records, with a row for each move; ``player`` is optional."""

HINTS = ("hint", "walk")
"""Events by which a player asks for help."""

PAUSES = ("pause", "hide")
"""Events that stop the clock of a game."""

EVENTS = (
    *("value", "corner", "centre", "erase", "fill", "follow", "undo", "redo", "aid"),
    *("start", "resume", "show", "finish", "late", *HINTS, *PAUSES),
)
"""Valid values of a column ``event``. Only ``value``, or an empty text, is a move."""

MOST_PROBLEMS = 100_000
"""Most bad lines of a file that is accepted as a log of games."""

SUFFIXES = (".csv", ".json", ".jsonl", ".replay", ".tsv")
"""Suffixes of files of games."""

_CELL_NAME = re.compile(r"r(\d+)c(\d+)", re.IGNORECASE)
_MOST = 10**9
"""Larger numbers are neither cells nor digits."""
_LATEST = 10**19
"""Nanoseconds from 1970 to the year 2286; a larger number is not a time in any unit."""


@dataclass(frozen=True)
class GameLog:
    """The games of a file, and its faults.

    Attributes
    ----------
    games : list of Game
        In the order of the file.
    problems : list of str
        A sentence for each line or game that was left out.
    notes : list of str
        Irregularities of the log that were repaired without leaving anything out.
    """

    games: list[Game]
    problems: list[str]
    notes: list[str] = field(default_factory=list)

    def without(self, keys: "Collection[Key]") -> "GameLog":
        """Return the log without some games, for example those that an audit doubts."""
        return replace(self, games=[game for game in self.games if key_of(game) not in keys])


Key = tuple[str, str, str]
"""Name, player and puzzle of a game, which identify it in a log and in its audit."""


def key_of(game: Game) -> Key:
    """Return what identifies a game in a log and in its audit."""
    return game.name, game.player, game.puzzle.text


def read_games(path: str | Path, *, trusted_clock: bool = False) -> GameLog:
    """Read a log of games, or all logs of a folder.

    Parameters
    ----------
    path : str or Path
        A ``.csv`` with the columns `COLUMNS`; a ``.json`` list, or ``.jsonl`` lines, of records
        with these keys; a ``.replay`` of SudokuPad; a ``.json`` with the steps of a game on
        lisudoku; or a ``.tsv`` of the Sudoku Insight app. The last three do not name a player:
        such a file has the player's name, or is in a folder of this name inside `path`.
        An optional column ``event`` has values of `EVENTS`, to separate moves from other
        events. An optional column ``by`` marks values that were entered by a hint.
    trusted_clock : bool
        Whether the times of moves are milliseconds for certain, for example those of one's own
        server. Otherwise a game that is faster than any hand is read as one in seconds.

    Raises
    ------
    OSError
        If the file cannot be read.
    ValueError
        If the file has another format, or lacks the required columns.
    """
    path = Path(path)
    if not path.is_dir():
        return _read_file(path, path.name.split(".")[0], trusted_clock)
    paths = sorted(
        file
        for file in path.rglob("*")
        if file.suffix.lower() in SUFFIXES and file.is_file() and not file.name.startswith(".")
    )
    if not paths:
        raise ValueError(f"{path}: no games in the folder; wanted {', '.join(SUFFIXES)}")
    log = GameLog([], _Problems())
    for file in paths:
        name = file.relative_to(path)
        try:
            read = _read_file(file, name.parts[0].split(".")[0], trusted_clock)
        except (OSError, ValueError) as error:
            log.problems.append(shortened(str(error).removeprefix(f"{path}/"), 300))
            continue
        log.games.extend(read.games)
        log.problems.extend(f"{name}: {problem}" for problem in read.problems)
        log.notes.extend(say("note.of_log", log=str(name), note=note) for note in read.notes)
    return log


def _read_file(path: Path, player: str, trusted_clock: bool) -> GameLog:
    """Return the games of a file; `player` is the player if the format has no names."""
    text = read_text(path)
    suffix = path.suffix.lower()
    try:
        if suffix == ".tsv":
            return _read_insight(text.splitlines(), player)
        if suffix == ".replay":
            return _read_recording(read_recording(_replay_of(text)), path.stem, player)
        if suffix == ".json":
            value = parse_json(text)
            if is_recording(value):
                return _read_recording(read_recording(value), path.stem, player)
            return _gather(_json_records(value), trusted_clock)
        if suffix == ".jsonl":
            return _gather(_json_lines(text), trusted_clock)
        if suffix == ".csv":
            return _gather(_csv_records(text), trusted_clock)
    except (ValueError, csv.Error) as error:
        raise ValueError(f"{path}: {error}") from None
    raise ValueError(f"{path}: a log of games is one of {', '.join(SUFFIXES)}, or a folder")


def _replay_of(text: str) -> dict[str, Any]:
    value = parse_json(text)
    if not isinstance(value, dict) or "replay" not in value:
        raise ValueError("not a replay of SudokuPad: its JSON has no 'replay'")
    return value


def _read_recording(recording: Recording, name: str, player: str) -> GameLog:
    """Return the log of a file with one game."""
    game = Game.from_moves(recording.puzzle, recording.moves, name=name, player=player)
    notes = [say("note.pauses", n=recording.n_pauses)] if recording.n_pauses else []
    game = replace(game, notes=(*game.notes, *notes), n_marks=recording.n_marks)
    return GameLog([game], [])


Record = tuple[str, Mapping[str, Any] | None, str]
"""Place in the file, and the record or else its error."""


def _csv_records(text: str) -> Iterator[Record]:
    rows = csv.DictReader(text.splitlines(), delimiter=delimiter_of(text.partition("\n")[0]))
    names = [(name or "").strip().casefold() for name in rows.fieldnames or ()]
    absent = [name for name in COLUMNS if name not in names and name != "player"]
    if absent:
        raise ValueError(f"no column {absent[0]!r}; wanted {', '.join(COLUMNS)}")
    rows.fieldnames = names
    for row in rows:
        yield f"line {rows.line_num}", row, ""


def _json_lines(text: str) -> Iterator[Record]:
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            try:
                yield _check(f"line {number}", parse_json(line))
            except ValueError as error:
                yield f"line {number}", None, str(error)


def _json_records(listed: Any) -> Iterator[Record]:
    if not isinstance(listed, list):
        raise ValueError(f"wanted a JSON list of moves, got {type(listed).__name__}")
    for number, record in enumerate(listed, 1):
        yield _check(f"record {number}", record)


def _check(place: str, record: Any) -> Record:
    if not isinstance(record, dict):
        return place, None, f"wanted an object, got {type(record).__name__}"
    absent = [name for name in COLUMNS if name not in record and name != "player"]
    return (place, None, f"no {absent[0]!r}") if absent else (place, record, "")


class _Problems(list[str]):
    """Collects the problems of a file; ValueError if there are too many."""

    def append(self, problem: str) -> None:
        super().append(problem)
        if len(self) > MOST_PROBLEMS:
            raise ValueError(
                f"more than {MOST_PROBLEMS:,} lines cannot be used, the last: {problem}"
            )


class _Deeds:
    """The moves of a player in a game, and counts of all other events."""

    def __init__(self, place: str) -> None:
        self.place = place
        self.moves: list[Move] = []
        self.events: Counter[str] = Counter()
        self.is_late = False

    def add(self, record: Mapping[str, Any]) -> None:
        """Add a record; raise ValueError if it is invalid."""
        event = _word(record.get("event")).casefold() or "value"
        if event not in EVENTS:
            known = ", ".join(EVENTS)
            raise ValueError(f"event must be one of {known}, got {shortened(repr(event))}")
        if event == "value":
            self.moves.append(_move(record))
            self.events["followed"] += _word(record.get("by")) == "hint"
            self.events["late values"] += self.is_late
        # A row `late` stands before the row of the event that arrived late.
        self.is_late = event == "late"
        self.events[event] += 1

    @property
    def n_hints(self) -> int:
        """Number of hints that the player requested."""
        return sum(self.events[event] for event in HINTS)

    @property
    def n_marks(self) -> int:
        """Number of pencil marks that the player entered."""
        return self.events["corner"] + self.events["centre"]

    def notes(self) -> Iterator[Said]:
        """Yield sentences on the events other than moves."""
        n_pauses = sum(self.events[event] for event in PAUSES)
        if self.n_hints:
            yield say("note.hints", n=self.n_hints)
        if self.events["followed"]:
            yield say("note.by_hints", n=self.events["followed"])
        if n_pauses:
            yield say("note.pauses", n=n_pauses)
        if 2 * self.events["late values"] > len(self.moves):
            yield say("note.mostly_late", n=self.events["late values"], all=len(self.moves))
        elif self.events["late"]:
            yield say("note.late", n=self.events["late"])


def _gather(records: Iterator[Record], trusted_clock: bool) -> GameLog:
    """Return the games of records that may be interleaved.

    A game is identified by its name, player and puzzle.
    """
    problems = _Problems()
    by_game: dict[tuple[str, str, str], _Deeds] = {}
    for place, record, fault in records:
        if record is None:
            problems.append(f"{place}: {fault}")
            continue
        key = _word(record["game"]), _word(record.get("player")), _word(record["puzzle"])
        deeds = by_game.get(key) or _Deeds(place)
        try:
            deeds.add(record)
        except ValueError as error:
            problems.append(f"{place}: {error}")
            continue
        by_game[key] = deeds
    played = {key: deeds for key, deeds in by_game.items() if deeds.moves}
    log = GameLog([], problems)
    names: dict[tuple[str, str], int] = {}
    for (name, player, text), deeds in played.items():
        for play in _plays(deeds.moves):
            count = names[name, player] = names.get((name, player), 0) + 1
            described = name if count == 1 else f"{name} ({count})"
            try:
                game = Game.from_moves(
                    _puzzle_of(text),
                    play,
                    name=described,
                    player=player,
                    trusted_clock=trusted_clock,
                )
            except ValueError as error:
                problems.append(f"{deeds.place}: game {shortened(repr(name))}: {error}")
                continue
            notes = (*game.notes, *deeds.notes())
            log.games.append(
                replace(game, notes=notes, n_hints=deeds.n_hints, n_marks=deeds.n_marks)
            )
    log.notes.extend([*_tell_repairs(log.games), *_odd(log.games, names)])
    return log


_REPAIRS = ("note.seconds", "note.since_1970", "note.too_fast")
"""Notes of a game that may hold for the whole log."""


def _tell_repairs(games: Sequence[Game]) -> Iterator[Said]:
    """Yield a sentence on each repair of times, with the number of its games."""
    found = [note for game in games for note in game.notes if isinstance(note, Said)]
    for key in _REPAIRS:
        notes = [note for note in found if note.key == key]
        if notes:
            n, everything = figure(len(notes), ","), figure(len(games), ",")
            yield say("note.of_games", note=notes[0], n=n, all=everything)


@lru_cache(maxsize=256)
def _puzzle_of(text: str) -> Puzzle:
    return find_puzzle(kind_of_text(text) or Sudoku.kind).parse(text)


def _odd(games: Sequence[Game], names: Mapping[tuple[str, str], int]) -> Iterator[Said]:
    """Yield the sentences on names that are used twice, and on players without names."""
    several = [name for (name, _), count in names.items() if count > 1]
    if several:
        key = "note.several_more" if len(several) > 1 else "note.several"
        yield say(key, game=shortened(repr(several[0])), more=len(several) - 1)
    unnamed = sum(not game.player for game in games)
    if unnamed:
        yield say("note.unnamed", n=figure(unnamed, ","), all=figure(len(games), ","))


def _plays(moves: list[Move]) -> Iterator[list[Move]]:
    """Yield the moves of one game, or of several plays of a puzzle that follow each other.

    A new play begins if the time falls below a tenth of its previous value and most cells are
    entered again.
    """
    start = 0
    entered: set[int | str] = set()
    for place, (t_ms, _, _) in enumerate(moves):
        if place > start and t_ms < 0.1 * moves[place - 1][0]:
            later = {cell for _, cell, value in moves[place:] if value}
            if len(entered & later) > len(entered) // 2 > 0:
                yield moves[start:place]
                start, entered = place, set()
        if moves[place][2]:
            entered.add(moves[place][1])
    yield moves[start:]


def _word(value: Any) -> str:
    return "" if value is None else str(value).strip()


def _move(record: Mapping[str, Any]) -> Move:
    time = _word(record["t_ms"])
    cell = _word(record["cell"])
    named = _CELL_NAME.fullmatch(cell)
    return (
        _milliseconds(time),
        _cell_of(named, _word(record["puzzle"])) if named else _whole("cell", cell),
        _whole("value", _word(record["value"]) or "0"),
    )


def _cell_of(named: re.Match[str], text: str) -> int | str:
    """Return the number of a named cell; outside the grid, or if there is none, its name."""
    try:
        n_rows, n_columns = _puzzle_of(text).shape
    except ValueError:
        return named[0].lower()
    row, column = int(named[1]), int(named[2])
    inside = 1 <= row <= n_rows and 1 <= column <= n_columns
    return (row - 1) * n_columns + column - 1 if inside else named[0].lower()


def _milliseconds(text: str) -> float:
    """Return a number, or an ISO 8601 date as milliseconds since 1970."""
    try:
        number = float(text)
    except ValueError:
        try:
            date = datetime.datetime.fromisoformat(text)
        except ValueError:
            raise ValueError(
                f"t_ms must be a number or a date, got {shortened(repr(text))}"
            ) from None
        # A date without a zone is read as UTC, because only differences count.
        zone = date.tzinfo or datetime.UTC
        return date.replace(tzinfo=zone).timestamp() * 1000
    if not 0 <= number <= _LATEST:
        raise ValueError(f"t_ms must be 0 to {_LATEST:.0e}, got {shortened(repr(text))}")
    return number


def _whole(name: str, text: str) -> int:
    try:
        number = float(text)
    except ValueError:
        raise ValueError(f"{name} must be a number, got {shortened(repr(text))}") from None
    if not abs(number) <= _MOST:
        raise ValueError(f"{name} must be 0 to {_MOST:,}, got {shortened(repr(text))}")
    return int(number)


def _read_insight(lines: Sequence[str], player: str) -> GameLog:
    """Return the games of the Sudoku Insight app, one a line."""
    log = GameLog([], _Problems())
    for number, line in enumerate(lines, 1):
        try:
            puzzle, moves = read_insight(line)
            log.games.append(Game.from_moves(puzzle, moves, name=str(number - 1), player=player))
        except ValueError as error:
            log.problems.append(f"line {number}: {error}")
    return log
