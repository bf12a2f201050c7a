"""Printable books of puzzles."""

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Self

import nando
from nando.books.binder import Binder, Place
from nando.books.language import ranges, words_of
from nando.books.pages.answers import answer_pages
from nando.books.pages.back import closing_pages, minutes_pages, times_pages
from nando.books.pages.cover import cover_page
from nando.books.pages.front import contents_pages, rights_page, title_page
from nando.books.pages.hints import hint_pages
from nando.books.pages.puzzles import puzzle_pages
from nando.books.pages.rules import rules_pages
from nando.books.pages.techniques import technique_pages
from nando.books.pages.text import text_pages
from nando.books.section import Section
from nando.books.sheet import Style
from nando.books.spec import END, PLACES, BookSpec, spec_of, table_of
from nando.books.trim import page_limits, page_size, typefaces_with
from nando.checks import how_many
from nando.generators.records import Record
from nando.puzzles import PuzzleError
from nando.puzzles.files import SPOILT, shortened
from nando.rating import GRADES
from nando.rating.result import plain
from nando.writing import replace_file

__all__ = ["Book"]

BOOKS = (".pdf", ".html", ".epub")
"""The suffixes of the files of books."""

MANIFEST = 2
"""Version of the manifest format."""


@dataclass(frozen=True)
class Book:
    """A book of puzzles: title page, contents, rules, puzzles, hints, solutions.

    Attributes
    ----------
    sections : tuple of Section
        Parts of the book in order; puzzles are numbered consecutively.
    spec : BookSpec
        Title and design. Its parts are what was requested; the sections are what is printed.

    Raises
    ------
    ValueError
        If there are no sections, if hints are requested and no record has a first cell, or if
        hints in steps are requested in a language without them.

    Examples
    --------
    >>> from nando.generators.records import Record
    >>> from nando.puzzles import Sudoku
    >>> from nando.solvers import unique_solution
    >>> puzzle = Sudoku(
    ...     "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    ... )
    >>> solution = puzzle.solution_text(unique_solution(puzzle))
    >>> book = Book.from_records([Record(puzzle, solution, predicted=350, grade="easy")])
    >>> [section.title for section in book.sections]
    ['Easy']
    >>> book.n_pages
    8
    """

    sections: tuple[Section, ...]
    spec: BookSpec = field(default_factory=BookSpec)

    def __post_init__(self) -> None:
        sections = tuple(self.sections)
        if not sections:
            raise ValueError("a book needs at least one puzzle, got none")
        known = any(record.first_cell is not None for s in sections for record in s.records)
        if self.spec.include.hints == "cell" and not known:
            raise ValueError(
                "hints need records with a first_cell, and none has one; leave the hints out"
            )
        object.__setattr__(self, "sections", sections)
        object.__setattr__(self, "spec", self.spec.fill_in())

    @classmethod
    def from_records(
        cls, records: Iterable[Record], spec: BookSpec | None = None, *, per_page: int = 4
    ) -> Self:
        """Return a book with a section per grade, easiest first, unrated puzzles last."""
        spec = spec or BookSpec()
        return cls(sections_by_grade(records, spec.language, per_page), spec)

    @property
    def records(self) -> list[Record]:
        """All puzzles in order."""
        return [record for section in self.sections for record in section.records]

    @property
    def n_puzzles(self) -> int:
        """Number of puzzles."""
        return len(self.records)

    @property
    def n_pages(self) -> int:
        """Number of pages."""
        return len(self.layout.pages)

    @cached_property
    def layout(self) -> Binder:
        """The pages and the cover.

        Raises
        ------
        ImportError
            If the typeface is not installed.
        ValueError
            For characters that it lacks.
        """
        layout = lay_out(self.spec, self.sections)
        _check_characters(layout)
        return layout

    @property
    def notes(self) -> tuple[str, ...]:
        """A sentence for each part of the spec that the book lacks."""
        missing = sorted(set(self.layout.without_code))
        if not missing:
            return ()
        why = "it has no cell to begin with"
        if self.spec.include.qr != "hint":
            why = "no known site opens it, or its address is too long"
        return (f"no code next to puzzle {ranges(missing)}: {why}",)

    @property
    def printing_notes(self) -> tuple[str, ...]:
        """A sentence for each reason why a printer may refuse the book."""
        cover, n_pages = self.spec.cover, self.n_pages
        limits = page_limits(self.spec.design.trim, cover.paper, cover.binding)
        pages = f"{how_many(n_pages, 'page')}: {cover.binding}s"
        if any(n_pages < least for least, _ in limits.values()):
            shops = ", ".join(f"{least} at {shop}" for shop, (least, _) in limits.items())
            return (f"{pages} need at least {shops}; add puzzles, or set multiple",)
        shops = ", ".join(
            f"{most} at {shop}" for shop, (_, most) in limits.items() if most and n_pages > most
        )
        if not shops:
            return ()
        return (f"{pages} of this size and paper have at most {shops}; divide it into volumes",)

    def write(self, path: str | Path) -> None:
        """Write the book, or a manifest from which it can be made again.

        The file is replaced only when the new one is complete. Equal books make equal bytes.

        Parameters
        ----------
        path : str or Path
            ``.pdf`` has vector graphics, embedded fonts, bookmarks and links, and is grey unless
            the design has colours. ``.html`` is a single file that needs no network and prints on
            the same pages. ``.epub`` is an e-book of fixed layout with these pages. ``.json`` is
            the manifest that :func:`nando.books.read_book` reads.

        Raises
        ------
        ValueError
            For another suffix, and as :attr:`layout` does.
        ImportError
            If fonts or reportlab are not installed (``pip install 'nando[book]'``).
        OSError
            If the file cannot be written.
        """
        suffix = Path(path).suffix.lower()
        if suffix not in (*BOOKS, ".json"):
            raise ValueError(f"a book is written as {', '.join(BOOKS)} or .json, got {str(path)!r}")
        with replace_file(path) as file:
            if suffix == ".pdf":
                from nando.books.pdf import write_book

                write_book(self.layout, file)
            elif suffix == ".html":
                from nando.books.web import write_html

                write_html(self.layout, file)
            elif suffix == ".epub":
                from nando.books.web import write_epub

                write_epub(self.layout, file)
            else:
                text = json.dumps(self.to_manifest(), indent=1, ensure_ascii=False, allow_nan=False)
                file.write((text + "\n").encode())

    def write_singles(self, folder: str | Path, form: str = "svg") -> None:
        """Write each puzzle and each solution as a picture, for a layout program.

        Parameters
        ----------
        folder : str or Path
            Created if it does not exist. ``001.svg`` is a puzzle, ``001-solution.svg`` its
            solution; ``index.csv`` lists them with their kinds, grades and minutes.
        form : {"svg", "png"}
            An SVG names its typeface; a PNG has 100 pixels per cell, at 300 per inch.

        Raises
        ------
        ValueError
            For an unknown format, or for PNG if matplotlib is not installed.
        OSError
            If a file cannot be written.
        """
        from nando.books.pictures import check_singles, write_singles

        check_singles(form)
        write_singles(self.sections, self.spec, Path(folder), form)

    def write_cover(self, path: str | Path) -> None:
        """Write the cover as a PDF in four colours: back, spine and front in one piece.

        Raises
        ------
        ValueError
            For another suffix than ``.pdf``, and as :attr:`layout` does.
        ImportError
            As :meth:`write` does.
        """
        if Path(path).suffix.lower() != ".pdf":
            raise ValueError(f"a cover is written as .pdf, got {str(path)!r}")
        from nando.books.pdf import write_cover

        with replace_file(path) as file:
            write_cover(self.layout, file)

    def write_preview(self, path: str | Path) -> None:
        """Write a contact sheet of all pages as a PNG.

        Raises
        ------
        ValueError
            For another suffix than ``.png``, without matplotlib, and as :attr:`layout` does.
        """
        if Path(path).suffix.lower() != ".png":
            raise ValueError(f"a preview is written as .png, got {str(path)!r}")
        from nando.books.pictures import write_preview

        with replace_file(path) as file:
            write_preview(self.layout, file)

    def to_manifest(self) -> dict[str, Any]:
        """Return the spec, the records and the version of nando, as plain values."""
        return {
            "book": MANIFEST,
            "nando": nando.__version__,
            "spec": table_of(self.spec),
            "sections": [
                {
                    "title": section.title,
                    "per_page": section.per_page,
                    "records": [
                        {name: plain(value) for name, value in record.to_dict().items()}
                        for record in section.records
                    ],
                }
                for section in self.sections
            ],
        }

    @classmethod
    def from_manifest(cls, manifest: dict[str, Any]) -> Self:
        """Rebuild a book from the result of :meth:`to_manifest`.

        Raises
        ------
        ValueError
            If it is not the manifest of a book, or of another version.
        """
        if not isinstance(manifest, dict) or "book" not in manifest:
            raise ValueError(f"it has no 'book'; {_WANTED}")
        if manifest["book"] != MANIFEST:
            raise ValueError(
                f"manifest must be of version {MANIFEST}, got {manifest['book']!r}; it was written "
                f"by nando {manifest.get('nando')}, this is {nando.__version__}"
            )
        try:
            sections = tuple(
                Section(
                    section["title"],
                    tuple(map(Record.from_row, section["records"])),
                    section["per_page"],
                )
                for section in manifest["sections"]
            )
            return cls(sections, spec_of(manifest["spec"]))
        except PuzzleError:
            raise
        except SPOILT as error:
            if type(error) is ValueError:  # already a sentence
                raise ValueError(shortened(error, 500)) from None
            problem = "a value is of another type"
            if isinstance(error, KeyError):
                problem = f"it has no {error}"
            raise ValueError(f"it cannot be read: {problem}; {_WANTED}") from None


_WANTED = "wanted the manifest of a book, as Book.write('book.json') makes it"


def sections_by_grade(
    records: Iterable[Record], language: str = "en", per_page: int = 4
) -> tuple[Section, ...]:
    """Return a section per grade, easiest first; then other names, then unrated puzzles."""
    words = words_of(language)
    by_grade: dict[str, list[Record]] = {grade: [] for grade in GRADES}
    for record in records:
        by_grade.setdefault(record.grade, []).append(record)
    by_grade[""] = by_grade.pop("", [])
    is_graded = any(those for grade, those in by_grade.items() if grade)
    without = words("labels.unrated" if is_graded else "labels.other")
    return tuple(
        Section(words.grade(grade) if grade else without, tuple(those), per_page)
        for grade, those in by_grade.items()
        if those
    )


def _check_characters(layout: Binder) -> None:
    from nando.drawing.typeface import used_characters

    pictures = [page.picture for page in (*layout.pages, layout.cover)]
    used = used_characters(pictures, layout.style.typeface)
    missing = {char for font, text in used.items() for char in font.missing("".join(text))}
    if missing:
        others = typefaces_with("".join({char for text in used.values() for char in text}))
        advice = f"choose {' or '.join(others)}" if others else "no other has all: leave them out"
        name = layout.style.typeface.name
        raise ValueError(f"the typeface {name} has no {' '.join(sorted(missing))}; {advice}")


# ---------------------------------------------------------------- layout


MAKERS: tuple[Callable[[Binder], None], ...] = (
    title_page,
    rights_page,
    contents_pages,
    rules_pages,
    minutes_pages,
    technique_pages,
    puzzle_pages,
    hint_pages,
    answer_pages,
    times_pages,
    closing_pages,
)
"""The makers of the pages of a book, in the order of `PLACES`."""

_MOST_PASSES = 10


def lay_out(spec: BookSpec, sections: Sequence[Section]) -> Binder:
    """Make the pages of a book and its cover.

    Raises
    ------
    ImportError
        If the typeface is not installed.
    """
    style = Style(spec.design, spec.language)
    words = words_of(spec.language)
    known: dict[str, Place] = {}
    n_pages = 0
    for _ in range(_MOST_PASSES):
        size = page_size(spec.design.trim, n_pages)
        binder = Binder(spec, sections, words, style, size, known)
        for place, make in zip(PLACES, MAKERS, strict=True):
            text_pages(binder, place)
            make(binder)
        text_pages(binder, END)
        while len(binder.sheets) % spec.design.multiple:
            binder.sheet("blank")
        # A book that once needed the wider gutter keeps it, so the loop ends.
        n_needed = max(n_pages, len(binder.sheets))
        if (binder.places, n_needed) == (known, n_pages):
            break
        known, n_pages = binder.places, n_needed
    binder.cover = cover_page(binder)
    return binder
