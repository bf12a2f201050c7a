"""The command `play`."""

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from nando import games, generators
from nando.checks import how_many, one_of
from nando.cli import making
from nando.cli.making import BoardWishes, for_new_puzzles, list_changed_wishes
from nando.cli.options import Files, output_option
from nando.cli.progress import progress
from nando.cli.reading import PuzzleFiles
from nando.generators.wishes import Wishes
from nando.records import setting

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from nando.play import PlayedPuzzle
    from nando.puzzles import Puzzle

_RUNS = 50
"""Number of simulated games that predict which cell people fill next."""
_LARGEST = {"sudoku": 256, "nurikabe": 64}
"""Cells of the largest puzzles whose simulated games take no more than about a second."""
_QUESTION = (
    "what to play? name a FILE of puzzles or a book's manifest, or give one of "
    "--grades NAME:COUNT,... and --targets 4min:5,8min:5"
)


def play(
    output: Path = output_option("The page to write, an .html file.", default=...),
    puzzles: Files = None,
    grades: str | None = setting(
        None, about="Make new puzzles, e.g. easy:5,medium:5.", metavar="NAME:COUNT,..."
    ),
    targets: str | None = setting(
        None, about="Make new puzzles, e.g. 4min:5,8min:5.", metavar="TIME:COUNT,..."
    ),
    title: str = setting("", about="Title of the page."),
    language: str | None = setting(
        None, about="Language: en or de; players can change it; default: that of the browser."
    ),
    hints: bool = setting(
        True, about="Include hints and the whole solution path.", named="hints/--no-hints"
    ),
    rated: bool = setting(
        True, about="Show the predicted time and the grade.", named="rating/--no-rating"
    ),
    wishes: BoardWishes = Wishes(kind=None),
    options: making.RunOptions = making.Run(),
) -> int:
    """Write a web page on which to play puzzles; audit and fit read its log of moves."""
    from nando.play import play_html
    from nando.solvers.logic.language import PAGE_LANGUAGES
    from nando.writing import check_writable, write_file

    if output.suffix.lower() not in (".html", ".htm"):
        raise ValueError(f"a page to play is written as .html, got {str(output)!r}")
    if language is not None:
        one_of("--language", language, PAGE_LANGUAGES)
    run = replace(options, rated=rated)
    check_writable(output)  # before puzzles are rated or made
    given: AbstractContextManager[Sequence[generators.Record]]
    if grades is None and targets is None:
        for_new_puzzles(list_changed_wishes(wishes), "name a difficulty")
        status, records = _existing(puzzles, wishes.kind, run)
        given = nullcontext(records)
    else:
        if puzzles:
            raise ValueError("--grades and --targets make new puzzles: leave out FILE")
        parts = making.parts_of(wishes, grades, targets, _QUESTION)
        maker = run.open_maker(parts)
        jobs = [making.Job(maker, *part) for part in parts]
        known = run.known()
        status, given = 0, run.keep(output, known, jobs)
    with given as records:
        played = _play(records, hints)
        page = play_html(played, title=title, language=language).encode()
        write_file(output, page)
    counted = how_many(len(played), "puzzle")
    print(f"{output}: {counted}, {len(page) / 1000:,.0f} kB")
    return status


def _existing(
    files: list[str] | None, kind: str | None, run: making.Run
) -> tuple[int, Sequence["generators.Record"]]:
    """Return the exit status, and the records of files of puzzles or manifests of books."""
    from nando.books import find_book

    books = [book for book in map(find_book, files or ()) if book is not None]
    if books and len(books) == len(files or ()):
        records = [record for book in books for record in book.records]
        return 0, records if run.history is None else _for_player(records, run)
    try:
        groups = [PuzzleFiles(each, kind) for each in _by_kind(files, kind)]
    except ValueError as error:
        raise ValueError(_QUESTION if not files else str(error)) from None
    rated = [run.rate(each, "fills") for each in groups]
    return max(status for status, _ in rated), [r for _, records in rated for r in records]


def _for_player(
    records: Sequence["generators.Record"], run: making.Run
) -> list["generators.Record"]:
    """Return the records with the times that are predicted for the player of a run."""
    rated: dict[Puzzle, generators.Record] = {}
    for kind in dict.fromkeys(record.puzzle.kind for record in records):
        own = [record.puzzle for record in records if record.puzzle.kind == kind]
        rated |= zip(own, run.maker(kind).describe(own, 0), strict=True)
    return [rated[record.puzzle] for record in records]


def _by_kind(files: list[str] | None, kind: str | None) -> list[list[str] | None]:
    """Return the files in their order, with consecutive files of the same kind together."""
    if not files or kind is not None:
        return [files]
    grouped = groupby(files, lambda file: PuzzleFiles([file]).kind)
    return [list(group) for _, group in grouped]


def _play(records: Sequence["generators.Record"], hints: bool) -> list["PlayedPuzzle"]:
    from nando.play import PlayedPuzzle

    played = []
    with progress("prepared:", to_file=True, total=len(records)) as advance:
        for record in records:
            played.append(PlayedPuzzle(record, _likely(record.puzzle), hints))
            advance(1)
    return played


def _likely(puzzle: "Puzzle") -> "NDArray[np.float64] | None":
    """Return the expected fill order of the cells, or None if it takes too long to compute."""
    if puzzle.givens.size > _LARGEST.get(puzzle.kind, 0):
        return None

    return games.load_fill_order(None, puzzle.kind).expected_order(puzzle, runs=_RUNS)
