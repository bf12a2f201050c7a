"""The puzzles of a part of a book, in order."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from nando.books.spec import PER_PAGE, one_line, one_of
from nando.generators.records import Record
from nando.rating import GRADES

N_STARS = len(GRADES)


@dataclass(frozen=True)
class Section:
    """Puzzles that stand together under a title, the easiest first.

    Attributes
    ----------
    title : str
    records : tuple of Record
        Put in order of rising prediction, those without one last.
    per_page : int
        Most puzzles on a page.

    Raises
    ------
    ValueError
        Where there is no puzzle, or a solution does not solve its puzzle, and for another
        number of puzzles a page.
    """

    title: str
    records: tuple[Record, ...]
    per_page: int = 4

    def __post_init__(self) -> None:
        title = one_line(self.title)
        one_of("per_page", self.per_page, PER_PAGE)
        if not self.records:
            raise ValueError(f"part {title!r} has no puzzles; leave it out")
        for record in self.records:
            if not record.solved:
                raise ValueError(
                    f"the solution of puzzle {record.puzzle.text[:27]}... does not solve it: "
                    f"{record.solution[:27]}..."
                )
        object.__setattr__(self, "title", title)
        object.__setattr__(self, "records", tuple(sorted(self.records, key=_predicted)))

    @cached_property
    def stars(self) -> int:
        """The stars that all its puzzles have; 0 where they differ or have none."""
        found = {stars_of(record) for record in self.records}
        return found.pop() if len(found) == 1 else 0


def stars_of(record: Record) -> int:
    """The grade of a puzzle as a number from 1; 0 where it has none."""
    return GRADES.index(record.grade) + 1 if record.grade in GRADES else 0


def by_grade(records: Iterable[Record]) -> dict[str, list[Record]]:
    """Puzzles by grade, in rising order; other grades after them, and under "" the unrated last."""
    found: dict[str, list[Record]] = {grade: [] for grade in GRADES}
    for record in records:
        found.setdefault(record.grade, []).append(record)
    unrated = found.pop("", [])
    named = {grade: those for grade, those in found.items() if those}
    return {**named, "": unrated} if unrated else named


def _predicted(record: Record) -> float:
    return math.inf if record.predicted is None else record.predicted
