"""A contest as its organiser describes it in a TOML file, and its puzzles: read, rated or made."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from nando import api
from nando.generators import Known, Record
from nando.generators.wishes import DIFFICULTIES, Wishes
from nando.making import Maker
from nando.play import PlayedPuzzle
from nando.puzzles import Puzzle, find_puzzle, read_puzzles
from nando.puzzles.files import parse_toml, read_text, shortened
from nando.puzzles.reading import kind_of_file
from nando.rating import has_model
from nando.rating.model import Rater
from nando.records import Settings, between, documented, plain, read_record, setting
from nando.solvers import status, without_decoration
from nando.solvers.exact.search import read_checked
from nando.solvers.logic.language import PAGE_LANGUAGES

MOST_PUZZLES = 200
"""Most puzzles of a contest."""

MOST_PLAYERS = 10_000
"""Most players of a contest that a file can allow."""

FIRST_YEAR, LAST_YEAR = 1970, 9998
"""First and last year of a contest, whose times must exist in every time zone."""


@documented
@dataclass(frozen=True, kw_only=True)
class PuzzlePart(Wishes):
    """Puzzles of a contest, given as text or in a file, or made for it.

    The kind of a given puzzle is recognised; new puzzles are Sudokus unless their kind is given.
    """

    kind: str | None = None
    puzzle: str = setting("", about="A puzzle or a link.")
    file: str = setting("", about="A file of puzzles, with a path relative to the contest's file.")
    count: int = setting(1, between(1), about="Number of puzzles to make.")
    points: int | None = setting(
        None, between(0), about="Points for each solved puzzle; None takes the predicted minutes."
    )

    def check(self) -> None:
        """Check that puzzles are either given or made."""
        super().check()
        given = [name for name in _WAYS if getattr(self, name) not in ("", None)]
        if len(given) != 1:
            listed = " and ".join(given) or "nothing"
            raise ValueError(f"puzzles are named by one of {', '.join(_WAYS)}; got {listed}")
        own = {"kind", "puzzle", "file", "points"}
        if self.is_made:
            self.source()
        elif wished := plain(self).keys() - own:
            raise ValueError(
                f"{' and '.join(sorted(wished))}: for puzzles that are made, not for {given[0]}"
            )

    @property
    def is_made(self) -> bool:
        """True if these puzzles are made for the contest."""
        return not (self.puzzle or self.file)


_WAYS = ("puzzle", "file", *DIFFICULTIES)


def _in_zone(name: str, time: datetime) -> datetime:
    """Return a time with its zone, that of the machine if it has none."""
    if not FIRST_YEAR <= time.year <= LAST_YEAR:
        raise ValueError(
            f"{name} must be in the years {FIRST_YEAR} to {LAST_YEAR}, got {time.year}"
        )
    return time.astimezone() if time.tzinfo is None else time


@documented
@dataclass(frozen=True)
class Contest(Settings):
    """A contest, from `start` to `end`: times without a zone are in that of the machine."""

    start: datetime = field(metadata={"checks": (_in_zone,)})
    end: datetime = field(metadata={"checks": (_in_zone,)})
    puzzles: tuple[PuzzlePart, ...]
    title: str = "Puzzle contest"
    language: str = setting("", about="Language of the pages; empty takes that of the browser.")
    code: str = setting("", about="Code that players type to join; if empty, everybody can join.")
    password: str = setting("", about="Password of the organiser; if empty, one is made.")
    seed: int = setting(0, about="Seed of new puzzles.")
    on_screen: bool = setting(
        False, about="Whether puzzles must be solved on the page, which the audits judge by."
    )
    most_players: int = setting(2_000, between(1, MOST_PLAYERS), about="Most players in all.")
    most_per_address: int = setting(
        100,
        between(1, MOST_PLAYERS),
        about="Most players who join from one address within an hour.",
    )

    def check(self) -> None:
        """Check the puzzles, the language, the times and the password."""
        if not self.puzzles:
            raise ValueError("a contest needs puzzles: add a table [[puzzles]]")
        if self.language and self.language not in PAGE_LANGUAGES:
            known = ", ".join(PAGE_LANGUAGES)
            raise ValueError(f"language must be one of {known}, got {shortened(self.language)!r}")
        if self.end <= self.start:
            raise ValueError(
                f"end must be after start, got end {self.end.isoformat(' ')} "
                f"and start {self.start.isoformat(' ')}"
            )
        if self.password and len(self.password) < LEAST_PASSWORD:
            raise ValueError(f"password must have at least {LEAST_PASSWORD} characters")

    @property
    def start_ms(self) -> int:
        """Milliseconds since 1970."""
        return round(self.start.timestamp() * 1000)

    @property
    def end_ms(self) -> int:
        """Milliseconds since 1970."""
        return round(self.end.timestamp() * 1000)


LEAST_PASSWORD = 8
"""Least number of characters of an organiser's password."""


def read_contest(path: str | Path) -> Contest:
    r"""Return the contest that a TOML file describes.

    Raises
    ------
    ValueError
        If the file is not TOML, has an unknown setting, lacks a setting or has a wrong value. The
        message says where in the file.
    OSError
        If the file cannot be read.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "contest.toml"
    ...     _ = path.write_text(
    ...         "start = 2027-03-01T19:00:00Z\nend = 2027-03-01T20:00:00Z\n"
    ...         '[[puzzles]]\ngrade = "easy"\ncount = 3\n'
    ...     )
    ...     contest = read_contest(path)
    >>> contest.end_ms - contest.start_ms, contest.puzzles[0].count
    (3600000, 3)
    """
    text = read_text(path)
    try:
        table = parse_toml(text)
        table.setdefault("puzzles", [])
        return read_record(Contest, table, noun="a contest")
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


@dataclass(frozen=True)
class ContestPuzzle:
    """A puzzle of a contest.

    Attributes
    ----------
    record : Record
    points : int
        Points for solving the puzzle.
    """

    record: Record
    points: int

    @property
    def puzzle(self) -> Puzzle:
        """The puzzle itself."""
        return self.record.puzzle

    def hand_out(self) -> dict[str, Any]:
        """Return what players may see: everything but the solution and the steps."""
        record = PlayedPuzzle(self.record, hints=False).to_dict()
        return record | {"solution": None, "worth": self.points}

    def to_row(self) -> dict[str, Any]:
        """Return plain values, from which :meth:`from_row` rebuilds the puzzle."""
        return {**self.record.to_dict(), "points": self.points}

    @classmethod
    def from_row(cls, row: dict[str, Any]) -> "ContestPuzzle":
        """Rebuild from :meth:`to_row`."""
        points = row.pop("points")
        return cls(Record.from_row(row), points)


def puzzles_of(contest: Contest, folder: Path) -> list[ContestPuzzle]:
    """Return the puzzles of a contest, in the order of its file.

    Parameters
    ----------
    contest : Contest
    folder : Path
        The folder to which names of files are relative.

    Raises
    ------
    OSError
        If a file cannot be read.
    ValueError
        If a text is not a puzzle with exactly one solution, a puzzle occurs twice, or there are too
        many. The message names the table.
    """
    puzzles: list[ContestPuzzle] = []
    seen: dict[Puzzle, str] = {}
    for number, part in enumerate(contest.puzzles, 1):
        where = f"puzzles[{number}]"
        try:
            records = _records(part, contest.seed + number - 1, folder)
            points = [worth_of(r) if part.points is None else part.points for r in records]
        except ValueError as error:
            raise ValueError(f"{where}: {error}") from None
        for record, worth in zip(records, points, strict=True):
            if record.puzzle in seen:
                raise ValueError(f"{where}: {record.puzzle.text} is in {seen[record.puzzle]}, too")
            seen[record.puzzle] = where
            puzzles.append(ContestPuzzle(record, worth))
    if len(puzzles) > MOST_PUZZLES:
        raise ValueError(f"{len(puzzles)} puzzles; a contest has at most {MOST_PUZZLES}")
    return puzzles


def worth_of(record: Record) -> int:
    """Return the default points of a puzzle: its predicted minutes.

    Raises
    ------
    ValueError
        If there is no prediction, because no model rates the kind.
    """
    if record.predicted is None:
        raise ValueError(f"no model rates {record.puzzle.kind!r} puzzles: give their points")
    return record.amount


def _records(part: PuzzlePart, seed: int, folder: Path) -> list[Record]:
    if part.is_made:
        return _make(part, seed)
    puzzles = [puzzle_of(part)] if part.puzzle else list(_of_file(folder / part.file, part.kind))
    if not puzzles:
        raise ValueError(f"no puzzles found in {part.file}")
    kind = puzzles[0].kind
    return Maker(_rater_for(kind), seed).describe(puzzles, 0)


def _make(part: PuzzlePart, seed: int) -> list[Record]:
    maker = Maker(_rater_for(part.puzzle_kind), seed)
    return list(maker.make(part, range(part.count), Known()))


def _rater_for(kind: str) -> Rater | None:
    return api.load_model(None, kind) if has_model(kind) else None


def puzzle_of(part: PuzzlePart) -> Puzzle:
    """Return the puzzle that a part gives as text.

    Raises
    ------
    ValueError
        If the text is not a puzzle with exactly one solution.
    """
    puzzle = read_checked(part.puzzle, find_puzzle(part.kind) if part.kind else None)
    state = status(puzzle)
    if not state.valid:
        raise ValueError(f"{shortened(part.puzzle)}: {state}")
    return puzzle


def _of_file(path: Path, kind: str | None) -> Iterator[Puzzle]:
    for entry in read_puzzles(path, find_puzzle(kind or kind_of_file(path))):
        if entry.undecided is not None:
            yield without_decoration(entry.undecided)
            continue
        if entry.puzzle is None:
            raise ValueError(f"{path}: line {entry.line}: {entry.error}")
        state = status(entry.puzzle)
        if not state.valid:
            raise ValueError(f"{path}: line {entry.line}: {state}")
        yield entry.puzzle
