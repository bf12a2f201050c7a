"""The puzzles of a contest: read, rated or made, each with its points."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nando import api
from nando.generators import Known, Record
from nando.making import Maker
from nando.play import PlayedPuzzle
from nando.puzzles import Puzzle, find_puzzle, read_puzzles
from nando.puzzles.files import shortened
from nando.puzzles.reading import kind_of_file
from nando.rating import has_model
from nando.rating.base import Rater
from nando.serve.contest import MOST_PUZZLES, Contest, PuzzlePart
from nando.solvers import status, without_decoration
from nando.solvers.exact.search import read_checked


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

    def handed_out(self) -> dict[str, Any]:
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
        except ValueError as error:
            raise ValueError(f"{where}: {error}") from None
        for record in records:
            if record.puzzle in seen:
                raise ValueError(f"{where}: {record.puzzle.text} is in {seen[record.puzzle]}, too")
            seen[record.puzzle] = where
            try:
                points = worth_of(record) if part.points is None else part.points
            except ValueError as error:
                raise ValueError(f"{where}: {error}") from None
            puzzles.append(ContestPuzzle(record, points))
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
        return _made(part, seed)
    puzzles = [puzzle_of(part)] if part.puzzle else list(_of_file(folder / part.file, part.kind))
    if not puzzles:
        raise ValueError(f"no puzzles found in {part.file}")
    kind = puzzles[0].kind
    return Maker(_rater_for(kind), seed).describe(puzzles, 0)


def _made(part: PuzzlePart, seed: int) -> list[Record]:
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
