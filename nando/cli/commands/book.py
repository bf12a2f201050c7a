"""The command `book`."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from nando.cli.arguments import counts, share
from nando.cli.arguments import size as size_of
from nando.cli.making import (
    Job,
    Parts,
    Run,
    checked_maker,
    load_rater,
    made_and_kept,
    nurikabe_options,
    parts_of,
    rated_records,
    source_by_options,
)
from nando.cli.making_options import (
    Exclude,
    Largest,
    MeanSize,
    MostPerHouse,
    Order,
    Size,
    Symmetry,
    Tolerance,
    Unknown,
)
from nando.cli.options import Jobs, MadeSeed, Model, Resume, output_option
from nando.cli.pipeline import INTERRUPTED
from nando.cli.progress import RATING, announce_compiling
from nando.cli.reading import PuzzleFiles

if TYPE_CHECKING:
    from nando.books import Book, BookSpec, Part, Section
    from nando.generators import Record

_QUESTION = (
    "nothing to print: give one of --grades easy:12,tricky:12, --targets 4min:12,8min:12, "
    "or --from bank.csv"
)


def book(
    output: Annotated[
        Path,
        output_option("A .pdf or .html file."),
    ],
    spec: Annotated[
        Path | None,
        typer.Argument(metavar="SPEC.TOML", help="A file that describes the whole book."),
    ] = None,
    grades: Annotated[
        str | None, typer.Option(metavar="NAME:COUNT,...", help="Such as easy:12,tricky:12.")
    ] = None,
    targets: Annotated[
        str | None, typer.Option(metavar="TIME:COUNT,...", help="Such as 4min:12,8min:12.")
    ] = None,
    bank: Annotated[
        str | None,
        typer.Option("--from", metavar="FILE", help="Existing puzzles, or a book's manifest."),
    ] = None,
    title: Annotated[str, typer.Option(help="Title of the book.")] = "",
    subtitle: Annotated[str, typer.Option(help="Below the title.")] = "",
    page_size: Annotated[
        str | None,
        typer.Option(help="a4, a5, letter, 5x8, 5.5x8.5, 6x9, 8x10 or 8.5x11; default: a4."),
    ] = None,
    per_page: Annotated[
        int | None,
        typer.Option(help="Puzzles a page: 1, 2, 4, 6, 8, 9 or 12; default: 4."),
    ] = None,
    hints: Annotated[
        bool, typer.Option("--hints", help="Add hints: a cell to begin with for each puzzle.")
    ] = False,
    preview: Annotated[
        bool, typer.Option("--preview", help="Also write a contact sheet of all pages (PNG).")
    ] = False,
    cover: Annotated[
        bool, typer.Option("--cover", help="Also write a paperback cover (PDF).")
    ] = False,
    kind: Annotated[
        str | None,
        typer.Option(
            "--kind",
            help="Kind of puzzle: sudoku or nurikabe; default: sudoku, or that of the bank.",
        ),
    ] = None,
    order: Order = None,
    symmetry: Symmetry = None,
    minimal: Annotated[bool, typer.Option("--minimal", help="Make every given necessary.")] = False,
    most_per_house: MostPerHouse = None,
    size: Size = None,
    mean_size: MeanSize = None,
    largest: Largest = None,
    unknown: Unknown = None,
    tolerance: Tolerance = "10%",
    exclude: Exclude = None,
    model: Model = None,
    seed: MadeSeed = 0,
    jobs: Jobs = None,
    resume: Resume = False,
) -> int:
    """Make a graded book of puzzles, with a manifest that reproduces it."""
    run = Run(seed, exclude, model, True, jobs, resume)
    if spec is not None:
        _check_spec(spec, output, preview=preview, cover=cover)
        _leave_to_the_file(
            grades=grades,
            targets=targets,
            **{"from": bank},
            title=title,
            subtitle=subtitle,
            page_size=page_size,
            per_page=per_page,
            hints=hints,
            kind=kind,
            order=order,
            symmetry=symmetry,
            minimal=minimal,
            most_per_house=most_per_house,
            size=size,
            mean_size=mean_size,
            largest=largest,
            unknown=unknown,
            seed=seed,
        )
        return _book_of_file(
            spec, output, run=run, tolerance=tolerance, preview=preview, cover=cover
        )
    if kind in (None, "sudoku") and symmetry is None:
        symmetry = "rotational"
    options = {
        "order": order,
        "symmetry": symmetry,
        "minimal": minimal,
        "most_per_house": most_per_house,
        **nurikabe_options(size, mean_size, largest, unknown),
    }
    from nando.books import Book, BookSpec, Design, Include, Part, read_book

    whole = BookSpec(
        title=title,
        subtitle=subtitle,
        design=Design(trim=page_size or "a4"),
        include=Include(hints="cell" if hints else "none"),
    )
    part = Part(per_page=4 if per_page is None else per_page)
    _check_book(output, replace(whole, parts=(part,)))
    if bank is not None:
        if targets is not None:
            raise ValueError("--targets makes new puzzles: leave it out, or leave out --from")
        if bank.lower().endswith(".json") and grades is None:
            made_before = read_book(bank)
            made_before.write(output)
            _write_beside(made_before, output, preview, cover)
            return 0
        status, records = _records_of(bank, kind, grades, run)
        _write(Book.from_records(records, whole, per_page=part.per_page), output, preview, cover)
        return status
    kind = kind or "sudoku"
    parts = parts_of(grades, targets, share(tolerance), _QUESTION)
    source = source_by_options(kind, options)
    maker = checked_maker(run, kind, source, parts)
    made = made_and_kept(output, run, kind, [Job(maker, source, *part) for part in parts])
    if made is None:
        return INTERRUPTED
    records, journal = made
    _write(Book(_sections(records, parts, part.per_page), whole), output, preview, cover)
    journal.close(done=True)
    return 0


def _check_spec(spec: Path, output: Path, *, preview: bool, cover: bool) -> None:
    """Refuse a file that describes no book, such as a name meant for the preview.

    Raises
    ------
    ValueError
        With what the options that take no name will write.
    """
    if spec.suffix.lower() not in (".png", ".pdf", ".html"):
        return
    beside = [
        f"{option} takes no name and writes {output.stem}{end}"
        for option, end, is_given in (
            ("--preview", "-preview.png", preview),
            ("--cover", "-cover.pdf", cover),
        )
        if is_given
    ]
    raise ValueError(
        "; ".join([f"{spec}: wanted the .toml file that describes a book, or nothing", *beside])
    )


def _leave_to_the_file(**options: Any) -> None:
    """Refuse options that the file of a book has a word for, or none.

    Raises
    ------
    ValueError
        Where one is given.
    """
    given = [f"--{name.replace('_', '-')}" for name, value in options.items() if value]
    if given:
        raise ValueError(
            f"{' and '.join(given)}: cannot be combined with a file that describes the book; say "
            "it there"
        )


def _book_of_file(
    path: Path, output: Path, *, run: Run, tolerance: str, preview: bool, cover: bool
) -> int:
    """Print the book that a TOML file describes."""
    from nando.books import make_book, read_spec

    spec = read_spec(path)
    _check_book(output, spec)
    run = replace(run, seed=spec.seed)
    jobs = [_job(part, run, share(tolerance)) for part in spec.parts]
    announce_compiling("making", *RATING)
    kind = PuzzleFiles([run.exclude]).kind if run.exclude is not None else "sudoku"
    made = made_and_kept(output, run, kind, jobs)
    if made is None:
        return INTERRUPTED
    records, journal = made
    waiting = iter(records)
    _write(make_book(spec, lambda part: islice(waiting, part.count)), output, preview, cover)
    journal.close(done=True)
    return 0


def _job(part: "Part", run: Run, tolerance: float) -> Job:
    """What makes the puzzles of a part of a book."""
    from nando.books.kinds import KINDS
    from nando.making import Maker, Wanted

    kind = KINDS[part.kind]
    options: dict[str, Any] = {**kind.source}
    if part.size:
        options["shape"] = size_of(part.size)
    if kind.puzzle == "sudoku":
        options["symmetry"] = part.symmetry or "rotational"
    source = source_by_options(kind.puzzle, options)
    if part.minutes is not None:
        wanted = Wanted(time=60 * part.minutes, tolerance=tolerance, unit="seconds")
    elif part.points is not None:
        wanted = Wanted(time=part.points, tolerance=tolerance, unit="points")
    else:
        wanted = Wanted(grade=part.grade or None, tolerance=tolerance)
    maker = Maker(
        load_rater(run.model if kind.puzzle == "sudoku" else None, kind.puzzle, rated=True),
        run.seed,
        getattr(source, "symmetry", "none"),
        run.jobs,
    )
    maker.target(wanted)
    return Job(maker, source, wanted, part.count)


def _check_book(output: Path, spec: "BookSpec") -> None:
    """Refuse what cannot be printed before puzzles are made."""
    from nando.books import rehearse

    suffix = output.suffix.lower()
    if suffix not in (".pdf", ".html"):
        raise ValueError(f"a book is written as .pdf or .html, got {str(output)!r}")
    try:
        rehearse(spec)
        if suffix == ".pdf":
            from nando.books.pdf import check_pdf

            check_pdf()
    except ImportError as error:
        raise ValueError(str(error)) from None


def _sections(records: Sequence["Record"], parts: Parts, per_page: int) -> tuple["Section", ...]:
    from nando.books import Part, Section
    from nando.books.making import title_of

    sections, start = [], 0
    for wanted, count in parts:
        if wanted.time is None:
            part = Part(grade=wanted.grade or "")
        elif records[0].unit == "points":
            part = Part(points=wanted.time)
        else:
            part = Part(minutes=wanted.time / 60)
        found = tuple(records[start : start + count])
        sections.append(Section(title_of(part, "en"), found, per_page))
        start += count
    return tuple(sections)


def _write(made: "Book", output: Path, preview: bool, cover: bool) -> None:
    made.write(output)
    manifest = output.with_suffix(".json")
    made.write(manifest)
    _write_beside(made, output, preview, cover)
    told = "1 puzzle" if made.n_puzzles == 1 else f"{made.n_puzzles} puzzles"
    print(f"{output}: {told}, {made.n_pages} pages; {manifest} makes it again")


def _write_beside(made: "Book", output: Path, preview: bool, cover: bool) -> None:
    """The contact sheet and the cover of a book, named after it."""
    if preview:
        made.write_preview(output.with_name(f"{output.stem}-preview.png"))
    if cover:
        made.write_cover(output.with_name(f"{output.stem}-cover.pdf"))


def _records_of(
    bank: str, kind: str | None, grades: str | None, run: Run
) -> tuple[int, Sequence["Record"]]:
    """The puzzles of a bank; exit status 1 where lines of it are no puzzles."""
    status, records = rated_records(PuzzleFiles([bank], kind), run)
    if grades is None:
        return status, records
    chosen: list[Record] = []
    for grade, count in counts(grades, "--grades"):
        found = [record for record in records if record.grade == grade]
        if len(found) < count:
            raise ValueError(f"{bank}: {count} {grade} puzzles wanted, it has {len(found)}")
        chosen += found[:count]
    return status, chosen
