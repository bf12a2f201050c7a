"""The commands that make puzzles and books."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from nando.cli.arguments import counts, share
from nando.cli.arguments import size as size_of
from nando.cli.input import announce_compiling, kind_of, progress
from nando.cli.journal import Journal
from nando.cli.making import Maker, Wanted, known_puzzles, load_rater
from nando.cli.output import Columns, Format, Shown, amount, opened_output, output_format

if TYPE_CHECKING:
    from nando.books import Book, BookSpec, Part, Section
    from nando.generators import Record, Source

INTERRUPTED = 130

Parts = Sequence[tuple[Wanted, int]]
"""Difficulties, and how many puzzles of each."""


class Job(NamedTuple):
    """Puzzles of one difficulty that are to be made: what makes them, and how many."""

    maker: Maker
    source: "Source"
    wanted: Wanted
    n_puzzles: int


def _columns(maker: Maker) -> Columns:
    unit = "seconds" if maker.rater is None else maker.rater.unit
    plain: Columns = {
        "puzzle": str,
        "solution": str,
        f"predicted_{unit}": float,
        "grade": str,
        "givens": int,
        "seed": int,
        "model_id": str,
        "index": int,
        f"low_{unit}": float,
        f"high_{unit}": float,
        "percentile": float,
        "symmetry": str,
        "runs": int,
        "first_cell": int,
        "kind": str,
    }
    names = maker.rater.columns if maker.rater is not None else ()
    return {**plain, **dict.fromkeys(names, float)}


def _shown(maker: Maker) -> tuple[Shown, ...]:
    unit = "seconds" if maker.rater is None else maker.rater.unit
    return (
        Shown("", 4, "number"),
        Shown("time" if unit == "seconds" else unit, 12, "predicted"),
        Shown("grade", -8, "grade"),
        Shown("givens", 6, "givens"),
        Shown("puzzle", 0, "puzzle"),
    )


def source_of(kind: str, options: dict[str, Any]) -> "Source":
    """What puzzles of a kind are drawn from; options that are None take the source's own default.

    Raises
    ------
    ValueError
        For a kind that nothing is drawn from, and for options that another kind has.
    """
    from nando.generators import SOURCES
    from nando.puzzles import find_puzzle

    source = SOURCES.get(find_puzzle(kind).kind)
    if source is None:
        raise ValueError(f"no {kind} puzzles are made; known: {', '.join(SOURCES)}")
    given = {
        name: value for name, value in options.items() if value is not None and value is not False
    }
    known = {field.name for field in fields(cast(Any, source))}
    foreign = [f"--{_OPTIONS.get(name, name.replace('_', '-'))}" for name in given.keys() - known]
    if foreign:
        raise ValueError(f"{' and '.join(sorted(foreign))}: not for {kind} puzzles, leave it out")
    made: Source = source(**given)
    return made


_OPTIONS = {"shape": "size"}
"""Options that are called otherwise than the parameter of the source."""

_LINES = (".txt", ".sdm")
"""Suffixes of files with nothing but a puzzle a line."""


@dataclass(frozen=True)
class Run:
    """The options that say how puzzles are made, not which."""

    seed: int
    exclude: str | None
    model: Path | None
    rated: bool
    jobs: int | None
    resume: bool
    budget: int | None = None


def generate(
    output: Path | None,
    chosen: Format | None,
    *,
    kind: str,
    source: dict[str, Any],
    wanted: Wanted,
    count: int,
    run: Run,
) -> int:
    """Make puzzles of one difficulty."""
    if count < 1:
        raise ValueError(f"--count must be at least 1, got {count}")
    if output is not None and str(output) == "-":
        output = None
    if run.resume and output is None:
        raise ValueError("--resume needs the output of the run that was interrupted: give -o FILE")
    as_lines = output is not None and chosen is None and _suffix(output) in _LINES
    if not as_lines:
        output_format(output, chosen)
    drawn_from = source_of(kind, source)
    maker = _maker(run, kind, drawn_from, [(wanted, count)])
    columns, shown = _columns(maker), _shown(maker)
    if output is None:
        with (
            opened_output(None, chosen, columns, shown) as writer,
            progress("made:", to_file=False, total=count) as advance,
        ):
            known = known_puzzles(run.exclude, kind)
            for record in maker.make(drawn_from, wanted, range(count), known, run.budget):
                writer.write([_row(record)])
                advance(1)
        return 0
    made = _kept(output, run, kind, [Job(maker, drawn_from, wanted, count)])
    if made is None:
        return INTERRUPTED
    records, journal = made
    if as_lines:
        from nando.puzzles import write_puzzles

        write_puzzles([record.puzzle for record in records], output)
    else:
        with opened_output(output, chosen, columns, shown) as writer:
            writer.write([_row(record) for record in records])
    journal.close(done=True)
    return 0


def _maker(run: Run, kind: str, source: "Source", parts: Parts) -> Maker:
    """The maker, after what cannot be asked for was refused."""
    rater = load_rater(run.model, kind, rated=run.rated)
    maker = Maker(rater, run.seed, getattr(source, "symmetry", "none"), run.jobs)
    for wanted, _ in parts:
        maker.difficulty(wanted)
    announce_compiling()
    return maker


def _kept(
    output: Path, run: Run, kind: str, jobs: Sequence[Job]
) -> tuple[list["Record"], Journal] | None:
    """Records of all jobs, each kept as soon as it is made; None after Ctrl-C.

    `kind` is that of the puzzles that must not come up.
    """
    from nando.generators import Record

    known = known_puzzles(run.exclude, kind)
    # More of the last job can be asked for later, so its number is none of the settings.
    settings: dict[str, Any] = {
        "jobs": [
            [repr(job.source), repr(job.wanted), job.maker.model_id, job.n_puzzles] for job in jobs
        ],
        "seed": run.seed,
        "exclude": run.exclude,
    }
    settings["jobs"][-1].pop()
    total = sum(job.n_puzzles for job in jobs)
    journal = Journal(output, settings, resume=run.resume)
    records = [Record.from_row(row) for row in islice(journal.kept(), total)]
    for record in records:
        known.add(record.puzzle)
    if records:
        print(f"resumed: {len(records):,} puzzles are done", file=sys.stderr)
    try:
        with progress("made:", to_file=True, total=total) as advance:
            advance(len(records))
            start = 0
            for maker, source, wanted, count in jobs:
                left = range(max(start, len(records)), start + count)
                start += count
                for record in maker.make(source, wanted, left, known, run.budget) if left else ():
                    records.append(record)
                    journal.add([record.row()])
                    advance(1)
    except BaseException as error:
        kept = bool(records) and journal.is_kept
        journal.close(done=not kept)
        if kept:
            print(
                f"{len(records):,} of {total:,} puzzles are kept in {journal.path}; "
                "go on with --resume",
                file=sys.stderr,
            )
            if isinstance(error, KeyboardInterrupt):
                return None
        raise
    return records, journal


def _row(record: "Record") -> dict[str, Any]:
    row = record.row()
    predicted = record.predicted
    return row | {
        "number": record.index + 1,
        "predicted": "" if predicted is None else amount(predicted, record.unit),
    }


def _suffix(path: Path) -> str:
    return Path(path.name.lower().removesuffix(".gz")).suffix


def pattern_of(file: str) -> tuple[bool, ...]:
    """Which cells a drawn pattern gives: any symbol but ``. 0 _ *`` or a blank.

    Raises
    ------
    ValueError
        Where it has not 81 cells.
    """
    from nando.puzzles.files import read_text

    text = sys.stdin.read() if file == "-" else read_text(file)
    cells = [symbol for symbol in text if not symbol.isspace() and symbol not in "|-+"]
    if len(cells) != 81:
        raise ValueError(f"{file}: a pattern has 81 cells, got {len(cells)}")
    return tuple(symbol not in ".0_*" for symbol in cells)


# ---------------------------------------------------------------- books


def book(
    output: Path,
    *,
    grades: str | None,
    targets: str | None,
    bank: str | None,
    kind: str | None,
    source: dict[str, Any],
    tolerance: str,
    run: Run,
    design: dict[str, Any],
    preview: bool = False,
    cover: bool = False,
) -> int:
    """Print a book of new puzzles, of a bank, or of a manifest."""
    from nando.books import Book, read_book

    spec, part = _spec(design)
    _check_book(output, replace(spec, parts=(part,)))
    if bank is not None:
        if targets is not None:
            raise ValueError("--targets makes new puzzles: leave it out, or leave out --from")
        if bank.lower().endswith(".json") and grades is None:
            made_before = read_book(bank)
            made_before.write(output)
            _write_beside(made_before, output, preview, cover)
            return 0
        status, records = _records_of(bank, kind_of([bank], kind), grades, run)
        _write(Book.from_records(records, spec, per_page=part.per_page), output, preview, cover)
        return status
    kind = kind or "sudoku"
    parts = _parts(grades, targets, share(tolerance))
    drawn_from = source_of(kind, source)
    maker = _maker(run, kind, drawn_from, parts)
    made = _kept(output, run, kind, [Job(maker, drawn_from, *part) for part in parts])
    if made is None:
        return INTERRUPTED
    records, journal = made
    _write(Book(_sections(records, parts, part.per_page), spec), output, preview, cover)
    journal.close(done=True)
    return 0


def leave_to_the_file(**options: Any) -> None:
    """Refuse options that the file of a book has a word for, or none.

    Raises
    ------
    ValueError
        Where one is given.
    """
    given = [f"--{name.replace('_', '-')}" for name, value in options.items() if value]
    if given:
        raise ValueError(f"{' and '.join(given)}: not beside a file that describes the book")


def book_of_file(
    path: Path, output: Path, *, run: Run, tolerance: str, preview: bool, cover: bool
) -> int:
    """Print the book that a TOML file describes."""
    from nando.books import make_book, read_spec

    spec = read_spec(path)
    _check_book(output, spec)
    run = replace(run, seed=spec.seed)
    jobs = [_job(part, run, share(tolerance)) for part in spec.parts]
    announce_compiling()
    kind = kind_of([run.exclude], None) if run.exclude is not None else "sudoku"
    made = _kept(output, run, kind, jobs)
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

    kind = KINDS[part.kind]
    options: dict[str, Any] = {**kind.source}
    if part.size:
        options["shape"] = size_of(part.size)
    if kind.puzzle == "sudoku":
        options["symmetry"] = part.symmetry or "rotational"
    source = source_of(kind.puzzle, options)
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
    maker.difficulty(wanted)
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
            from nando.books.output.pdf import check_pdf

            check_pdf()
    except ImportError as error:
        raise ValueError(str(error)) from None


def _parts(grades: str | None, targets: str | None, tolerance: float) -> Parts:
    if grades is not None and targets is None:
        return [
            (Wanted(grade=name, tolerance=tolerance), count)
            for name, count in counts(grades, "--grades")
        ]
    if targets is not None and grades is None:
        return [
            (Wanted.of(name, None, None, str(tolerance)), count)
            for name, count in counts(targets, "--targets")
        ]
    raise ValueError(
        "what to print? give one of --grades easy:12,hard:12, --targets 4min:12,8min:12, "
        "or --from bank.csv"
    )


def _spec(design: dict[str, Any]) -> tuple["BookSpec", "Part"]:
    """The book that the options describe, and what its parts have in common."""
    from nando.books import BookSpec, Design, Include, Part

    spec = BookSpec(
        title=design["title"],
        subtitle=design["subtitle"],
        design=Design(trim=design["page_size"]),
        include=Include(hints="cell" if design["hints"] else "none"),
    )
    return spec, Part(per_page=design["per_page"])


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
    print(f"{output}: {made.n_puzzles} puzzles, {made.n_pages} pages; {manifest} makes it again")


def _write_beside(made: "Book", output: Path, preview: bool, cover: bool) -> None:
    """The contact sheet and the cover of a book, named after it."""
    if preview:
        made.write_preview(output.with_name(f"{output.stem}-preview.png"))
    if cover:
        made.write_cover(output.with_name(f"{output.stem}-cover.pdf"))


def _records_of(
    bank: str, kind: str, grades: str | None, run: Run
) -> tuple[int, Sequence["Record"]]:
    """The puzzles of a bank; exit status 1 where lines of it are no puzzles."""
    from nando.cli.input import Problems, input_files, read_chunks

    maker = Maker(load_rater(run.model, kind, rated=True), run.seed, "unknown", run.jobs)
    announce_compiling()
    problems = Problems(several_files=False)
    records: list[Record] = []
    with progress("rated:", to_file=True) as advance:
        for chunk in read_chunks(input_files([bank]), kind):
            problems.note(chunk)
            good = [read.puzzle for read in chunk if read.error is None]
            records += maker.describe(good, len(records))
            advance(len(chunk))
    status = problems.report(in_full=True)
    if not records:
        raise ValueError(f"{bank}: no puzzle can be used")
    if grades is None:
        return status, records
    chosen: list[Record] = []
    for grade, count in counts(grades, "--grades"):
        found = [record for record in records if record.grade == grade]
        if len(found) < count:
            raise ValueError(f"{bank}: {count} {grade} puzzles wanted, it has {len(found)}")
        chosen += found[:count]
    return status, chosen
