"""The command `book`."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from itertools import islice
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from nando import books, generators
from nando.checks import how_many
from nando.cli import making
from nando.cli.options import FieldOptions, list_changed, output_option
from nando.cli.progress import RATING, announce_compiling
from nando.cli.reading import PuzzleFiles
from nando.generators.wishes import Wishes
from nando.records import between, setting

_QUESTION = (
    "nothing to print: give one of --grades easy:12,tricky:12, --targets 4min:12,8min:12, "
    "or --from bank.csv"
)


@dataclass(frozen=True)
class LookOptions:
    """The appearance of a book."""

    title: str = setting("", about="Title of the book.")
    subtitle: str = setting("", about="Subtitle, printed below the title.")
    page_size: str | None = setting(
        None, about="a4, a5, letter, 6x9 or another size, for example 7x10; default: a4."
    )
    per_page: int | None = setting(
        None, about="Puzzles per page: 1, 2, 4, 6, 8, 9 or 12; default: 4."
    )
    hints: bool = setting(False, about="Add hints: a cell to begin with for each puzzle.")

    def spec(self) -> "books.BookSpec":
        """Return the description of the book, without parts."""
        return books.BookSpec(
            title=self.title,
            subtitle=self.subtitle,
            design=books.Design(trim=self.page_size or "a4"),
            include=books.Include(hints="cell" if self.hints else "none"),
        )

    def part(self) -> "books.Part":
        """Return a part with the number of puzzles per page."""
        return books.Part(per_page=4 if self.per_page is None else self.per_page)


@dataclass(frozen=True)
class BookRun(making.Run):
    """How the puzzles of a book are made and rated."""

    seed: int | None = setting(
        None,
        between(0),
        about="The same seed gives the same puzzles; default: that of the file, or 0.",
    )


BookRunOptions = Annotated[BookRun, FieldOptions(BookRun, "rated")]
_PLAIN = LookOptions()


class Files(NamedTuple):
    """The files to write: a book or a folder of pictures, a contact sheet, a cover."""

    output: Path
    preview: bool
    cover: bool
    form: str

    @property
    def is_folder(self) -> bool:
        """True if single puzzles go into a folder."""
        return not self.output.suffix

    def write(self, book: "books.Book") -> None:
        """Write a book, with its contact sheet and cover, named after it."""
        output = self.output
        if self.is_folder:
            book.write_singles(output, self.form)
        else:
            book.write(output)
        if self.preview:
            book.write_preview(output.with_name(f"{output.stem}-preview.png"))
        if self.cover:
            book.write_cover(output.with_name(f"{output.stem}-cover.pdf"))


def book(
    output: Path = output_option(
        "A .pdf, .html or .epub file, or a folder for single puzzles and an index.", default=...
    ),
    form: str | None = typer.Option(
        None,
        "--format",
        "-f",
        help="Format of single puzzles in a folder: svg or png; default: svg.",
    ),
    spec: Path | None = typer.Argument(
        None, metavar="SPEC.TOML", help="A file that describes the whole book."
    ),
    grades: str | None = setting(
        None, about="Grades, for example easy:12,tricky:12.", metavar="NAME:COUNT,..."
    ),
    targets: str | None = setting(
        None, about="Times, for example 4min:12,8min:12.", metavar="TIME:COUNT,..."
    ),
    bank: str | None = setting(
        None, about="Existing puzzles, or a book's manifest.", named="from", metavar="FILE"
    ),
    look: LookOptions = _PLAIN,
    preview: bool = setting(False, about="Also write a contact sheet of all pages (PNG)."),
    cover: bool = setting(False, about="Also write the cover (PDF)."),
    volume: int | None = setting(
        None,
        between(1, 999),
        about="Number of the volume, for {volume} in titles; default: that of the file, or 1.",
    ),
    wishes: making.BoardWishes = Wishes(kind=None),
    options: BookRunOptions = BookRun(),
) -> int:
    """Make a graded book of puzzles, with a manifest that reproduces it."""
    files = Files(output, preview, cover, form or "svg")
    if spec is not None:
        from nando.books.book import BOOKS

        if spec.suffix.lower() in (".png", *BOOKS):
            raise ValueError(
                f"{spec}: wanted the .toml file that describes a book, or nothing; --preview takes "
                f"no name and writes {output.stem}-preview.png, --cover {output.stem}-cover.pdf"
            )
        options_given = {"grades": grades, "targets": targets, "from": bank, "kind": wishes.kind}
        elsewhere = [name for name, value in options_given.items() if value]
        elsewhere += [*list_changed(look), *making.list_changed_wishes(wishes)]
        _leave_to_the_file(elsewhere)
        whole = _number(spec, options.seed, volume)
        return _book_of_file(whole, spec, files, run=options)

    whole, part = replace(look.spec(), volume=volume or 1), look.part()
    _check_book(files, replace(whole, parts=(part,)))
    if bank is not None:
        named = [*(["targets"] if targets is not None else []), *making.list_changed_wishes(wishes)]
        making.for_new_puzzles(named, "leave out --from")
        if bank.lower().endswith(".json") and grades is None:
            if options.history is not None:
                raise ValueError(f"{bank}: the times in a manifest are fixed: leave out --history")
            printed = books.read_book(bank)
            files.write(printed)
            return 0
        status, records = _records_of(bank, wishes.kind, grades, options)
        _write(books.Book.from_records(records, whole, per_page=part.per_page), files)
        return status
    if wishes.puzzle_kind == "sudoku" and wishes.symmetry is None:
        wishes = replace(wishes, symmetry="rotational")
    parts = making.parts_of(wishes, grades, targets, _QUESTION)
    maker = options.open_maker(parts)
    asked = replace(whole, parts=tuple(_part(part, *each) for each in parts))
    known = options.known(wishes.puzzle_kind)
    with options.keep(output, known, [making.Job(maker, *part) for part in parts]) as made:
        new = iter(made)
        printed = books.make_book(asked, lambda part: islice(new, part.count))
        _write(printed, files)
    return 0


def _part(look: "books.Part", wishes: Wishes, count: int) -> "books.Part":
    """Return a part with the look of another one, and with these wishes."""
    wished = {each.name: getattr(wishes, each.name) for each in fields(wishes)}
    return replace(
        look, **wished | {"kind": wishes.kind or wishes.size or look.kind, "count": count}
    )


def _leave_to_the_file(names: Sequence[str]) -> None:
    """Raise ValueError for options that belong in the file that describes a book."""
    if names:
        raise ValueError(
            f"{making.flags_of(names)}: cannot be combined with a file that describes the book; "
            "set it there"
        )


def _number(path: Path, seed: int | None, volume: int | None) -> "books.BookSpec":
    """Read the description of a book, and replace its seed and volume if others are given."""
    spec = books.read_spec(path)
    return replace(
        spec,
        seed=spec.seed if seed is None else seed,
        volume=spec.volume if volume is None else volume,
    )


def _book_of_file(spec: "books.BookSpec", path: Path, files: Files, *, run: making.Run) -> int:
    """Print the book that a TOML file describes."""
    if not all(part.from_ for part in spec.parts):
        announce_compiling("making", *RATING)
    _check_book(files, spec)
    run = replace(run, seed=spec.seed)
    jobs = [_job(part, run) for part in spec.parts if not part.from_]
    known = run.known()
    status, chosen = _choose(spec, path.parent, run, known)
    with run.keep(files.output, known, jobs) as made:
        new, old = iter(made), iter(chosen)
        _write(
            books.make_book(spec, lambda part: islice(old if part.from_ else new, part.count)),
            files,
        )
    return status


def _choose(
    spec: "books.BookSpec", folder: Path, run: making.Run, known: "generators.Known"
) -> tuple[int, list["generators.Record"]]:
    """Return the exit status, and the records of all parts whose puzzles are in files.

    The status is 1 if some lines of the files are not puzzles. The puzzles become known.
    """
    status = 0
    records: list[generators.Record] = []
    for number, part in enumerate(spec.parts, 1):
        if part.from_:
            file = str(folder / part.from_)
            try:
                part_status, own = run.choose(part, file, known)
            except OSError as error:
                raise ValueError(f"parts[{number}].from: {file}: {error.strerror}") from None
            except ValueError as error:
                raise ValueError(f"parts[{number}]: {error}") from None
            status = max(status, part_status)
            records += own
            for record in own:
                known.add(record.puzzle)
    return status, records


def _job(part: "books.Part", run: making.Run) -> making.Job:
    """Return the job of making the puzzles of a part of a book."""
    kind = part.puzzle_kind
    if kind == "sudoku" and part.symmetry is None:
        part = replace(part, symmetry="rotational")
    part.source()
    maker = (run if kind == "sudoku" else replace(run, model=None)).maker(kind)
    maker.target(part)
    return making.Job(maker, part, part.count)


def _check_book(files: Files, spec: "books.BookSpec") -> None:
    """Raise ValueError if the book cannot be written, before puzzles are made."""
    from nando.books.book import BOOKS
    from nando.books.pictures import check_singles

    output, suffix = files.output, files.output.suffix.lower()
    if suffix not in ("", *BOOKS):
        raise ValueError(
            f"a book is written as {', '.join(BOOKS)}, or single puzzles into a folder, got "
            f"{str(output)!r}"
        )
    try:
        if files.is_folder:
            check_singles(files.form)
        books.rehearse(spec)
        if suffix == ".pdf":
            from nando.books.pdf import check_pdf

            check_pdf(spec)
    except ImportError as error:
        raise ValueError(str(error)) from None


def _write(book: "books.Book", files: Files) -> None:
    from nando.api import check

    output = files.output
    manifest = output / "book.json" if files.is_folder else output.with_suffix(".json")
    is_pdf = output.suffix.lower() == ".pdf"
    findings = [found for found in check(book) if is_pdf or found.number is not None]
    files.write(book)
    book.write(manifest)
    for note in (*book.notes, *findings):
        print(f"note: {note}", file=sys.stderr)
    puzzles = how_many(book.n_puzzles, "puzzle")
    pages = "" if files.is_folder else f", {how_many(book.n_pages, 'page')}"
    print(f"{output}: {puzzles}{pages}; {manifest} makes it again")


def _records_of(
    bank: str, kind: str | None, grades: str | None, run: making.Run
) -> tuple[int, Sequence["generators.Record"]]:
    """Return the exit status and the records of a bank; status 1 if some lines are not puzzles."""
    known = run.known()
    status, rated = run.rate(PuzzleFiles([bank], kind))
    records = [record for record in rated if record.puzzle not in known]
    if not records:
        raise ValueError(f"{bank}: all of its {len(rated)} puzzles are in the files of --exclude")
    if grades is None:
        return status, records
    chosen: list[generators.Record] = []
    for grade, count in making.counts(grades, "--grades"):
        graded = [record for record in records if record.grade == grade]
        if len(graded) < count:
            raise ValueError(f"{bank}: {count} {grade} puzzles wanted, it has {len(graded)}")
        chosen += graded[:count]
    return status, chosen
