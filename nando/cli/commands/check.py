"""The command `check`."""

import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from nando.checks import how_many
from nando.cli.making import known_puzzles
from nando.cli.options import Files, Form, KindOf, Output
from nando.cli.output import Destination, Layout, Shown, columns_of
from nando.cli.progress import STEPS, announce_compiling, progress
from nando.cli.reading import PuzzleFiles
from nando.names import Symmetry
from nando.records import setting

if TYPE_CHECKING:
    from nando.api.checking import Finding, Inspector
    from nando.books import Book

Row = dict[str, Any]

_SHOWN = (Shown("line", 6, "place"), Shown("fault", -18, "fault"), Shown("reason", 0, "reason"))


def check(
    files: Files = None,
    output: Output = None,
    form: Form = None,
    earlier: list[str] | None = setting(
        None,
        about="Puzzles that were printed before: a file, or the manifest of a book; repeatable.",
        metavar="FILE",
    ),
    symmetry: Symmetry = setting("none", about="Symmetry the givens should have."),
    kind: KindOf = None,
) -> int:
    """List what a reader of printed puzzles would mind: repeats, idle rules, one hard step."""
    from nando.api.checking import Inspector
    from nando.books import find_book

    inspector = Inspector(known_puzzles(earlier, kind), symmetry)
    books = [(file, book) for file in files or () if (book := find_book(file)) is not None]
    if books and len(books) < len(files or ()):
        raise ValueError(f"{books[0][0]} is a manifest: check it apart from files of puzzles")
    read = _of_books(books, inspector) if books else _of_files(files, kind, inspector)
    n_puzzles, findings = 0, 0
    with (
        Destination(output, form).open(Layout(columns_of("check"), _SHOWN)) as writer,
        progress("checked:", to_file=output is not None) as advance,
    ):
        announce_compiling(*STEPS, "alike")
        for rows in read:
            writer.write(rows)
            n_puzzles += 1
            findings += len(rows)
            advance(1)
    found = how_many(findings, "finding") if findings else "no findings"
    print(f"{found} in {how_many(n_puzzles, 'puzzle')}", file=sys.stderr)
    return bool(findings)


def _of_files(
    files: list[str] | None, kind: str | None, inspector: "Inspector"
) -> Iterator[list[Row]]:
    """Yield the rows of each puzzle in files."""
    from nando.api.checking import unreadable

    puzzles = PuzzleFiles(files, kind, check=False)
    for chunk in puzzles.chunks():
        for read in chunk:
            line, place = read.entry.line, puzzles.place_in_words(read)
            if read.error is None:
                findings = inspector.inspect(read.puzzle, line, place)
            else:
                findings = [unreadable(line, read.error)]
            rest = {"place": puzzles.place(read), "puzzle": read.text, "file": read.file}
            yield [_row(finding) | rest for finding in findings]


def _of_books(books: "Sequence[tuple[str, Book]]", inspector: "Inspector") -> Iterator[list[Row]]:
    """Yield the rows of each puzzle of books; those of a whole book come with its last."""
    from nando.api.checking import pages_of

    several = len(books) > 1
    for file, book in books:
        named = f"{file}:" if several else ""
        source = {"file": file if several else None}
        for number, record in enumerate(book.records, 1):
            place = f"{named}{number}" if several else f"puzzle {number}"
            findings = inspector.inspect(record, number, place, asked=book.layout.asked)
            rest = {"place": f"{named}{number}", "puzzle": record.puzzle.text, **source}
            rows = [_row(finding) | rest for finding in findings]
            if number == book.n_puzzles:
                whole = {"place": named, "puzzle": None, **source}
                rows += [_row(finding) | whole for finding in pages_of(book)]
            yield rows


def _row(finding: "Finding") -> Row:
    return {"line": finding.number, "fault": finding.fault, "reason": finding.reason}
