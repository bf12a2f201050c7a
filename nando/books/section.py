"""The puzzles of a part of a book, in order."""

import math
from dataclasses import dataclass
from functools import cached_property

from nando.books.spec import PER_PAGE, one_line
from nando.checks import one_of
from nando.generators.records import Record
from nando.rating import GRADES

N_STARS = len(GRADES)


@dataclass(frozen=True)
class Section:
    """Puzzles under a common title, the easiest first.

    Attributes
    ----------
    title : str
    records : tuple of Record
        Sorted by prediction; records without a prediction come last.
    per_page : int
        Most puzzles on a page.

    Raises
    ------
    ValueError
        If there are no puzzles, a solution does not solve its puzzle, or the number of puzzles per
        page is invalid.
    """

    title: str
    records: tuple[Record, ...]
    per_page: int = 4

    def __post_init__(self) -> None:
        title = one_line("title", self.title)
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
        object.__setattr__(self, "records", tuple(sorted(self.records, key=_predicted_seconds)))

    @cached_property
    def stars(self) -> int:
        """The number of stars of each puzzle; 0 if the puzzles differ or have none."""
        counts = {stars_of(record) for record in self.records}
        return counts.pop() if len(counts) == 1 else 0


def stars_of(record: Record) -> int:
    """Return the grade of a puzzle as a number from 1; 0 without a grade."""
    return GRADES.index(record.grade) + 1 if record.grade in GRADES else 0


def _predicted_seconds(record: Record) -> float:
    return math.inf if record.predicted is None else record.predicted
