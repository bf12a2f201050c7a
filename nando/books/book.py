"""Printable books of puzzles, with contents by grade and the solutions at the back."""

import json
import math
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import nando
from nando.books.html import write_html
from nando.books.layout import GRIDS, PAGE_SIZES, Layout, Section, lay_out
from nando.books.pdf import write_pdf
from nando.generators.records import GRADES, Record
from nando.puzzles import PuzzleError
from nando.puzzles.files import SPOILT, parse_json, read_text, shortened
from nando.puzzles.writing import replaced_file

__all__ = ["Book", "Section", "read_book", "sections_by_grade"]

MANIFEST = 1
"""Version of the form of manifests."""


@dataclass(frozen=True, kw_only=True)
class Book:
    """A book of puzzles: title page, contents, puzzles, hints, solutions.

    Attributes
    ----------
    sections : tuple of Section
        Parts of the book, in this order. Within each the puzzles are ordered by rising predicted
        time, and all are numbered through.
    title : str
        Default: the kinds of puzzle, such as "Sudoku".
    subtitle : str
        Default: how many puzzles, and their range of minutes.
    page_size : {"a4", "letter", "6x9"}
        The inner margin is larger than the outer one, for binding: odd pages are right-hand ones.
    per_page : {1, 2, 4, 6}
        Puzzles a page. Pages whose cells would be too small to write in (15 points, 5.3 mm) take
        fewer: at four a page A4 has two 16x16 grids a page, and one 25x25 grid.
    hints : bool
        Whether a page tells for each puzzle the cell to begin with.

    Raises
    ------
    ValueError
        For an unknown page size or number a page, no puzzles, a section without any, a solution
        that does not solve its puzzle, and hints where no record has a first cell.

    Examples
    --------
    >>> from nando.generators.records import solution_line
    >>> from nando.solvers import unique_solution
    >>> puzzle = Sudoku(
    ...     "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    ... )
    >>> solution = solution_line(unique_solution(puzzle))
    >>> book = Book.from_records([Record(puzzle, solution, predicted=350, grade="easy")])
    >>> [(section.title, section.length) for section in book.sections]
    [('Easy', '6 min')]
    >>> book.n_pages
    4
    """

    sections: tuple[Section, ...]
    title: str = ""
    subtitle: str = ""
    page_size: str = "a4"
    per_page: int = 4
    hints: bool = False

    def __post_init__(self) -> None:
        check_pages(self.page_size, self.per_page)
        sections = tuple(_ordered(section) for section in self.sections)
        if not sections:
            raise ValueError("a book needs at least one puzzle, got none")
        if self.hints and not any(r.first_cell is not None for s in sections for r in s.records):
            raise ValueError(
                "hints need records with a first_cell, and none has one; leave the hints out"
            )
        for name in ("title", "subtitle"):
            object.__setattr__(self, name, " ".join(getattr(self, name).split()))
        object.__setattr__(self, "sections", sections)

    @classmethod
    def from_records(cls, records: Iterable[Record], **options: Any) -> Self:
        """A book with a section for each grade; `options` are the other attributes."""
        return cls(sections=sections_by_grade(records), **options)

    @property
    def n_puzzles(self) -> int:
        """Number of puzzles."""
        return sum(len(section.records) for section in self.sections)

    @property
    def n_pages(self) -> int:
        """Number of pages."""
        return len(self._layout().pages)

    def write(self, path: str | Path) -> None:
        """Write the book, or what it takes to make it again.

        The file is replaced only when all of it is written. Equal books make equal bytes.

        Parameters
        ----------
        path : str or Path
            ``.pdf`` has vector graphics and embedded fonts, and needs reportlab
            (``pip install 'nando[book]'``). ``.html`` is a single file that needs no network
            and prints on the same pages. ``.json`` is the manifest that :func:`read_book` reads.

        Raises
        ------
        ValueError
            For another suffix, and for titles that the font of a PDF has not the letters of.
        ImportError
            For a PDF where reportlab is not installed.
        OSError
            Where the file cannot be written.
        """
        suffix = Path(path).suffix.lower()
        if suffix not in (".pdf", ".html", ".json"):
            raise ValueError(f"a book is written as .pdf, .html or .json, got {str(path)!r}")
        with replaced_file(path) as file:
            if suffix == ".pdf":
                write_pdf(self._layout(), file)
            elif suffix == ".html":
                write_html(self._layout(), file)
            else:
                text = json.dumps(self.to_manifest(), indent=1, ensure_ascii=False, allow_nan=False)
                file.write((text + "\n").encode())

    def to_manifest(self) -> dict[str, Any]:
        """Everything the book is made from, as plain values: options, records, nando's version."""
        return {
            "book": MANIFEST,
            "nando": nando.__version__,
            **{name: getattr(self, name) for name in _OPTIONS},
            "sections": [
                {"title": section.title, "records": [_finite(r.row()) for r in section.records]}
                for section in self.sections
            ],
        }

    @classmethod
    def from_manifest(cls, manifest: dict[str, Any]) -> Self:
        """Rebuild from :meth:`to_manifest`.

        Raises
        ------
        ValueError
            Where it is no manifest of a book, or of a later form.
        """
        if not isinstance(manifest, dict) or "book" not in manifest:
            raise ValueError(f"it has no 'book'; {_WANTED}")
        if manifest["book"] != MANIFEST:
            raise ValueError(
                f"manifest must be of form {MANIFEST}, got {manifest['book']!r}; it was written by "
                f"nando {manifest.get('nando')}, this is {nando.__version__}"
            )
        try:
            sections = tuple(
                Section(section["title"], tuple(map(Record.from_row, section["records"])))
                for section in manifest["sections"]
            )
            options = {name: manifest[name] for name in _OPTIONS if name in manifest}
            return cls(sections=sections, **options)
        except PuzzleError:
            raise
        except SPOILT as error:
            if type(error) is ValueError:  # already a sentence
                raise ValueError(shortened(error, 500)) from None
            raise ValueError(f"it cannot be read ({shortened(repr(error))}); {_WANTED}") from None

    def _layout(self) -> Layout:
        return lay_out(self.sections, **{name: getattr(self, name) for name in _OPTIONS})


_WANTED = "wanted the manifest of a book, as Book.write('book.json') makes it"
_OPTIONS = ("title", "subtitle", "page_size", "per_page", "hints")


def read_book(path: str | Path) -> Book:
    """The book of a manifest: it writes the same bytes as the one that wrote the manifest.

    Raises
    ------
    ValueError
        Where the file is no manifest of a book.
    OSError
        Where it cannot be read.
    """
    text = read_text(path)
    try:
        return Book.from_manifest(parse_json(text))
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def check_pages(page_size: str, per_page: int) -> None:
    """Refuse pages that no book has, before puzzles are made for it.

    Raises
    ------
    ValueError
        For an unknown page size or number a page.
    """
    if page_size not in PAGE_SIZES:
        raise ValueError(f"page_size must be one of {', '.join(PAGE_SIZES)}, got {page_size!r}")
    if per_page not in GRIDS:
        wanted = ", ".join(map(str, GRIDS))
        raise ValueError(f"per_page must be one of {wanted}, got {per_page!r}")


def sections_by_grade(records: Iterable[Record]) -> tuple[Section, ...]:
    """A section for each grade, in rising order; other names after them, and the unrated last."""
    by_grade: dict[str, list[Record]] = {grade: [] for grade in GRADES}
    for record in records:
        by_grade.setdefault(record.grade, []).append(record)
    unrated = by_grade.pop("", [])
    named = [
        Section(grade[:1].upper() + grade[1:], tuple(found))
        for grade, found in by_grade.items()
        if found
    ]
    if unrated:
        named.append(Section("Unrated" if named else "Puzzles", tuple(unrated)))
    return tuple(named)


def _ordered(section: Section) -> Section:
    title = " ".join(section.title.split())
    if not section.records:
        raise ValueError(f"section {title!r} has no puzzles; leave it out")
    for record in section.records:
        if not record.solved:
            raise ValueError(
                f"the solution of puzzle {record.puzzle.text[:27]}... does not solve it: "
                f"{record.solution[:27]}..."
            )
    return Section(title, tuple(sorted(section.records, key=_predicted)))


def _predicted(record: Record) -> float:
    return math.inf if record.predicted is None else record.predicted


def _finite(row: dict[str, Any]) -> dict[str, Any]:
    """JSON has no NaN."""
    return {
        name: None if isinstance(value, float) and not math.isfinite(value) else value
        for name, value in row.items()
    }
