"""Choose the puzzles of a part of a book from a file."""

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

from nando.cli.making import Run, load_rater
from nando.cli.progress import RATING, announce_compiling, progress
from nando.cli.reading import PuzzleFiles

if TYPE_CHECKING:
    from nando.books import Part
    from nando.generators import Known, Record
    from nando.making import Maker
    from nando.puzzles import Puzzle


def chosen_from(part: "Part", file: str, run: Run, known: "Known") -> tuple[int, list["Record"]]:
    """Return the exit status and the first puzzles in a file that fit a part of a book.

    The status is 1 if some of the lines that were read are not puzzles. A puzzle fits if it has
    the kind and the difficulty of the part, and no known puzzle is equivalent to it.

    Raises
    ------
    ValueError
        If too few puzzles fit. The message says how many puzzles of each kind there are.
    """
    from nando.making import Maker

    kind = part.puzzle_kind
    puzzles = PuzzleFiles([file], kind)
    run = run.as_possible(kind)
    maker = Maker(load_rater(run, kind), run.seed, run.jobs)
    target = maker.target(part)
    announce_compiling("reading", *(RATING if run.rated else ()))
    records: list[Record] = []
    kinds: dict[str, int] = {}
    with progress("chosen:", to_file=True, total=part.count) as advance:
        for fitting in _fitting(puzzles, part, known, kinds):
            for record in _described(maker, fitting, part.count - len(records), target is None):
                score = math.log(record.predicted) if record.predicted else math.nan
                if target is None or target.low <= score <= target.high:
                    records.append(record)
                    advance(1)
            if len(records) >= part.count:
                break
    if len(records) < part.count:
        seen = ", ".join(f"{n:,} {name}" for name, n in sorted(kinds.items())) or "no others"
        hard = "" if target is None else " of this difficulty"
        raise ValueError(
            f"{file}: {part.count} {part.kind_name} puzzles{hard} wanted, it has {len(records)} "
            f"that are not used yet; in all: {seen}"
        )
    return puzzles.report(), records[: part.count]


def _fitting(
    puzzles: PuzzleFiles, part: "Part", known: "Known", kinds: dict[str, int]
) -> Iterator[list["Puzzle"]]:
    """Yield the new puzzles of a part's kind in each chunk, and count all kinds in `kinds`."""
    from nando.books.kinds import kind_of
    from nando.generators import Known

    kind_name, shape = part.kind_name, part.shape
    seen = Known()
    for chunk in puzzles.chunks():
        fitting = []
        for read in chunk:
            if read.error is None and read.puzzle not in known and read.puzzle not in seen:
                name = kind_of(read.puzzle)
                kinds[name] = kinds.get(name, 0) + 1
                seen.add(read.puzzle)
                if name == kind_name and shape in (None, read.puzzle.shape):
                    fitting.append(read.puzzle)
        yield fitting


def _described(
    maker: "Maker", puzzles: list["Puzzle"], needed: int, any_will_do: bool
) -> Iterator["Record"]:
    """Yield the records of puzzles, but no more than needed if any difficulty will do."""
    if any_will_do:
        puzzles = puzzles[:needed]
    yield from maker.describe(puzzles, 0) if puzzles else ()
