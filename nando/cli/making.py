"""Options, checks and the keeping of finished puzzles, for all commands that make puzzles.

The options of wishes come from the fields of :class:`nando.generators.wishes.Wishes`; only what a
shell writes otherwise is said here.
"""

import inspect
import math
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, get_args

import typer

from nando import books, generators, puzzles, rating
from nando.cli.options import KIND, FieldOptions, History, Jobs, ModelFile, Player, Resume
from nando.cli.progress import RATING, STEPS, announce_compiling, announce_pace, progress
from nando.cli.reading import PuzzleFiles, name_of
from nando.cli.stream import Journal
from nando.generators.wishes import DIFFICULTIES, Wishes
from nando.records import between, name_in_files, plain, setting

if TYPE_CHECKING:
    from nando.making import Maker
    from nando.puzzles import Puzzle

_LONGEST = 9
"""Most digits of a count."""

_UNITS = {
    "s": 1.0,
    "sec": 1.0,
    "seconds": 1.0,
    "m": 60.0,
    "min": 60.0,
    "minutes": 60.0,
    "h": 3600.0,
    "hours": 3600.0,
}
_PART = re.compile(r"\s*(\d+(?:\.\d+)?)\s*([a-z]+)\s*", re.IGNORECASE)


def seconds(text: str) -> float:
    """Return a time in seconds.

    Raises
    ------
    ValueError
        If it is not a time above 0.

    Examples
    --------
    >>> seconds("8min"), seconds("1h 30min"), seconds("90s"), seconds("480")
    (480.0, 5400.0, 90.0, 480.0)
    """
    total, end = 0.0, 0
    try:
        total, end = float(text), len(text)
    except ValueError:
        while part := _PART.match(text, end):
            total += float(part[1]) * _UNITS.get(part[2].lower(), float("nan"))
            end = part.end()
    if end != len(text) or not 0.0 < total < float("inf"):
        raise ValueError(f"not a time: {text!r}; wanted 8min, 90s, 1h30min or 480 (seconds)")
    return total


_SHORT = 60.0
"""Seconds; a smaller bare number was probably meant as minutes."""


def minutes(text: str) -> float:
    """Return a time in minutes.

    Raises
    ------
    ValueError
        If it is not a time, or a bare number that is rather minutes than seconds.

    Examples
    --------
    >>> minutes("8min"), minutes("480")
    (8.0, 8.0)
    """
    time = seconds(text)
    if time < _SHORT and text.strip()[-1].isdecimal():
        raise ValueError(f"{time:g} counts as seconds: write {time:g}min, or {time:g}s")
    return time / 60


def counts(text: str, option: str) -> list[tuple[str, int]]:
    """Return names with numbers of puzzles.

    Raises
    ------
    ValueError
        If a part is not NAME:COUNT, or its count is below 1.

    Examples
    --------
    >>> counts("easy:12, hard:6", "--grades")
    [('easy', 12), ('hard', 6)]
    """
    named = []
    for part in text.split(","):
        name, colon, number = part.strip().rpartition(":")
        if not (colon and name and number.isdecimal()):
            raise ValueError(f"{option}: {part.strip()!r}; wanted NAME:COUNT, for example easy:12")
        if len(number) > _LONGEST:
            raise ValueError(
                f"{option}: {name} has a count of {len(number):,} digits; ask for fewer"
            )
        if int(number) < 1:
            raise ValueError(f"{option}: {part.strip()!r} asks for no puzzles; leave it out")
        named.append((name.strip(), int(number)))
    return named


def layout_in(file: str) -> str:
    """Return the text of the only variant of a file.

    Raises
    ------
    ValueError
        If the file has none, or several.
    """
    entries = list(islice(puzzles.read_puzzles(file, puzzles.Variant), 2))
    if len(entries) == 1 and isinstance(entries[0].puzzle, puzzles.Variant):
        return entries[0].puzzle.text
    why = "it has several" if entries[1:] else entries[0].error if entries else "it is empty"
    raise ValueError(f"{file}: wanted a variant, whose rules are kept: {why}")


def pattern_in(file: str) -> str:
    """Return the pattern that is drawn in a file, or on standard input.

    Raises
    ------
    ValueError
        If it does not have 81 cells.
    """
    from nando.puzzles.files import read_text

    text = sys.stdin.read() if file == "-" else read_text(file)
    try:
        return str(Wishes(pattern=text).pattern)
    except ValueError as error:
        raise ValueError(f"{file}: {error}") from None


def order_in(text: str) -> int | str:
    """Return a size as a number, the order of techniques in a file, or the name of an order."""
    from nando.puzzles.files import read_text

    if text.isdecimal():
        return int(text)
    return f"{read_text(text)}\n" if Path(text).is_file() else text


_READ: dict[str, tuple[str, Callable[[str], Any]]] = {
    "minutes": ("target", minutes),
    "layout": ("layout", layout_in),
    "order": ("order", order_in),
    "pattern": ("pattern", pattern_in),
}
"""Names of options of another name, or whose text is read first."""

_HELP = {
    "minutes": {"metavar": "TIME", "help": "Predicted time, for example 8min."},
    "tolerance": {"help": "How far the prediction may be from the target."},
    "pattern": {
        "metavar": "FILE",
        "help": "Put givens where the grid in this file has no blank (. 0 _ *).",
    },
}


class WishOptions(FieldOptions):
    """The options of wishes, without some of them; `kind` is the default kind."""

    def __init__(self, *left_out: str, kind: str | None = "sudoku") -> None:
        super().__init__(Wishes, *left_out)
        self._kind = kind

    def read(self, values: dict[str, Any]) -> Wishes:
        """Return the wishes in the values of options, which are taken out of `values`.

        Raises
        ------
        ValueError
            For an invalid value, and options that contradict each other.
        """
        texts = {field.name: values.pop(_option(field)) for field in self._fields}
        given = [n for n in DIFFICULTIES if texts.get(n) is not None]
        if len(given) > 1:
            options = [_READ[n][0] if n in _READ else n for n in given]
            raise ValueError(f"{flags_of(options)} contradict each other: give one of them")
        for name, (_, reader) in _READ.items():
            if texts.get(name) is not None:
                texts[name] = reader(texts[name])
        return Wishes(**texts)

    def parameter(self, field: Any, hint: Any) -> inspect.Parameter:
        """Return the option of a wish."""
        default = {"tolerance": "10%", "kind": self._kind}.get(field.name, field.default)
        kinds = get_args(hint) or (bool,)
        kind: Any = next((each for each in kinds if each in (int, float, bool)), str)
        if field.name in _READ or str in kinds:
            kind = str
        hint = kind | None if default is None else kind
        flags = [flag_of(field.name)] if kind is bool else []
        words = {"metavar": field.metadata["metavar"] or None, "help": field.metadata["about"]}
        option = typer.Option(*flags, **words | _HELP.get(field.name, {}))
        hint = Annotated[hint, option]
        return inspect.Parameter(_option(field), KIND, default=default, annotation=hint)


def _option(field: Any) -> str:
    """Return the name of the option of a wish."""
    return _READ[field.name][0] if field.name in _READ else name_in_files(field)


AllWishes = Annotated[Wishes, WishOptions()]
"""All wishes as options."""

BoardWishes = Annotated[Wishes, WishOptions(*DIFFICULTIES, kind=None)]
"""All wishes but the difficulty, for commands with several difficulties."""


def list_changed_wishes(wishes: Wishes) -> list[str]:
    """Return the names of the options of wishes that are not the defaults, but for the kind."""
    return [
        _option(field)
        for field in fields(wishes)
        if field.name != "kind" and getattr(wishes, field.name) != field.default
    ]


def for_new_puzzles(names: Sequence[str], otherwise: str) -> None:
    """Raise ValueError for options of new puzzles in a command that is to use existing ones."""
    if names:
        them = "them" if len(names) > 1 else "it"
        raise ValueError(f"{flags_of(names)}: for new puzzles; leave {them} out, or {otherwise}")


def flags_of(names: Sequence[str]) -> str:
    """Return the options with these names as a user writes them, with ``and`` between."""
    return " and ".join(map(flag_of, names))


def flag_of(name: str) -> str:
    """Return the option with a name as a user writes it."""
    return f"--{name.replace('_', '-')}"


Parts = Sequence[tuple["Wishes", int]]
"""Wishes, and the number of puzzles of each."""


class Job(NamedTuple):
    """An order for puzzles: their maker, what is asked of them, and their number."""

    maker: "Maker"
    wishes: "Wishes"
    n_puzzles: int


@dataclass(frozen=True)
class Run:
    """How puzzles are made and rated, and which puzzles are excluded; `rated` is no option."""

    model: ModelFile = None
    seed: int | None = setting(
        None, between(0), about="The same seed gives the same puzzles; default: 0."
    )
    player: Player = None
    history: History = None
    jobs: Jobs = None
    resume: Resume = False
    exclude: list[str] | None = setting(
        None,
        about="Puzzles to avoid, with all equivalent ones: a file of puzzles, or the manifest of "
        "a book; may be repeated.",
        metavar="FILE",
    )
    budget: str | None = setting(
        None,
        about="Candidates scored, or grids tried, for each puzzle before giving up, or a time such "
        "as 5min; default: 3000 for a 9x9, fewer for large puzzles; for variants 300 and a minute, "
        "or more if they are large; two minutes for techniques and ratings of steps.",
        metavar="N|TIME",
    )

    rated: bool = True

    def bounds(self) -> dict[str, Any]:
        """Return the bounds of the search for one puzzle; ValueError for an invalid budget."""
        if self.budget is None:
            return {}
        if self.budget.isdecimal():
            return {"most_scored": between(1)("--budget", int(self.budget))}
        try:
            return {"most_seconds": seconds(self.budget)}
        except ValueError:
            raise ValueError(
                f"--budget: wanted a number of puzzles or a time such as 5min, got {self.budget!r}"
            ) from None

    def maker(self, kind: str, *, if_possible: bool = False) -> "Maker":
        """Return the maker of the run for a kind of puzzle.

        With `if_possible`, puzzles of a kind without a model are not rated.
        """
        from nando.making import Maker

        if if_possible and self.model is None and not rating.has_model(kind):
            return Maker(None, self.seed or 0, self.jobs)
        return Maker(self._rater(kind), self.seed or 0, self.jobs)

    def _rater(self, kind: str) -> "rating.Rater | None":
        """Return the model for a kind of puzzle; None if puzzles are not rated."""
        if self.rated:
            from nando.api import load_model

            rater = load_model(self.model, kind, player=self.player, history=self.history)
            announce_pace(rater, self.player)
            return rater
        for name, value in (("model", self.model), ("history", self.history)):
            if value is not None:
                raise ValueError(f"--{name} and --no-rating contradict each other: leave one out")
        return None

    def open_maker(self, parts: Parts) -> "Maker":
        """Return the maker of a run; ValueError if it cannot make puzzles of some difficulty."""
        self.bounds()
        for wishes, _ in parts:
            wishes.source(flag_of)
        maker = self.maker(parts[0][0].puzzle_kind)
        for wishes, _ in parts:
            maker.target(wishes)
        steps = STEPS if any(wishes.steps for wishes, _ in parts) else ()
        announce_compiling("making", *(RATING if self.rated else steps))
        return maker

    def known(self, kind: str | None = None) -> "generators.Known":
        """Return the puzzles that must not be made again; see :func:`known_puzzles`."""
        return known_puzzles(self.exclude, kind)

    @contextmanager
    def keep(
        self, output: Path, known: "generators.Known", jobs: Sequence[Job]
    ) -> Iterator[list["generators.Record"]]:
        """Make and yield the records of all jobs; a journal keeps them until the block has ended.

        Each record is added to the journal as soon as it is made. Its puzzle is equivalent neither
        to a known puzzle nor to that of another record.
        """
        if not jobs:
            yield []
            return
        # A resumed run may ask for more puzzles of the last job, so its number is not a setting.
        settings: dict[str, Any] = {
            "jobs": [[plain(job.wishes), job.maker.model_id, job.n_puzzles] for job in jobs],
            "seed": self.seed or 0,
            "exclude": self.exclude,
        }
        settings["jobs"][-1].pop()
        total = sum(job.n_puzzles for job in jobs)
        journal = Journal(output, settings, resume=self.resume)
        records = [generators.Record.from_row(row) for row in islice(journal.rows(), total)]
        for record in records:
            known.add(record.puzzle)
        try:
            with progress("made:", to_file=True, total=total) as advance:
                advance(len(records))
                start = 0
                for maker, wishes, count in jobs:
                    left = range(max(start, len(records)), start + count)
                    start += count
                    for record in maker.make(wishes, left, known, **self.bounds()) if left else ():
                        records.append(record)
                        journal.add([record.to_dict()])
                        advance(1)
        except BaseException:
            kept = bool(records) and journal.is_kept
            journal.close(done=not kept)
            if kept:
                print(
                    f"{len(records):,} of {total:,} puzzles are kept in {journal.path}; "
                    "continue with --resume",
                    file=sys.stderr,
                )
            raise
        yield records
        journal.close(done=True)

    def rate(
        self, puzzles: PuzzleFiles, *compiles: str
    ) -> tuple[int, Sequence["generators.Record"]]:
        """Return the exit status and the records of existing puzzles.

        Puzzles of a kind without a model have no ratings.

        The exit status is 1 if some lines of their files are not puzzles.

        Raises
        ------
        ValueError
            If no puzzle can be used.
        """
        maker = self.maker(puzzles.kind, if_possible=True)
        announce_compiling(*compiles, *(RATING if maker.rater else ()))
        records: list[generators.Record] = []
        with progress("rated:", to_file=True, total=puzzles.estimate_total) as advance:
            for chunk in puzzles.chunks():
                advance(0)  # the number of puzzles may be known now
                good = [read.puzzle for read in chunk if read.error is None]
                records += maker.describe(good, len(records))
                advance(len(chunk))
        status = puzzles.report()
        if not records:
            names = ", ".join(name_of(file) for file in puzzles.files)
            raise ValueError(f"{names}: no puzzle can be used")
        return status, records

    def choose(
        self, part: "books.Part", file: str, known: "generators.Known"
    ) -> tuple[int, list["generators.Record"]]:
        """Return the exit status and the first puzzles in a file that fit a part of a book.

        The status is 1 if some of the lines that were read are not puzzles. A puzzle fits if it has
        the kind and the difficulty of the part and needs the techniques that the part asks for, and
        no known puzzle is equivalent to it.

        Raises
        ------
        ValueError
            If too few puzzles fit. The message says how many puzzles of each kind there are.
        """
        puzzles = PuzzleFiles([file], part.puzzle_kind)
        maker = self.maker(part.puzzle_kind, if_possible=True)
        target = maker.target(part)
        announce_compiling("reading", *(RATING if maker.rater else ()))
        records: list[generators.Record] = []
        kinds: dict[str, int] = {}
        with progress("chosen:", to_file=True, total=part.count) as advance:
            for fitting in _fitting(puzzles, part, known, kinds):
                if target is None:  # any difficulty will do
                    fitting = fitting[: part.count - len(records)]
                for record in maker.describe(fitting, 0) if fitting else ():
                    score = math.log(record.predicted) if record.predicted else math.nan
                    if target is None or target.low <= score <= target.high:
                        records.append(record)
                        advance(1)
                if len(records) >= part.count:
                    break
        if len(records) < part.count:
            seen = ", ".join(f"{n:,} {name}" for name, n in sorted(kinds.items())) or "no others"
            hard = "" if target is None else " of this difficulty"
            hard += "" if part.steps is None else " with these techniques"
            raise ValueError(
                f"{file}: {part.count} {part.kind_name} puzzles{hard} wanted, it has "
                f"{len(records)} that are not used yet; in all: {seen}"
            )
        return puzzles.report(), records[: part.count]


RunOptions = Annotated[Run, FieldOptions(Run, "rated")]
"""The options of a run."""


def known_puzzles(files: Sequence[str] | None, kind: str | None = None) -> "generators.Known":
    """Return the puzzles of banks and of the manifests of books that must not be made again.

    Parameters
    ----------
    files : sequence of str, or None
    kind : str or None
        Kind of the puzzles of a bank; by default that of its first puzzle.

    Raises
    ------
    ValueError
        If a file holds no puzzle. Lines that are not puzzles are reported and skipped.
    """
    known = generators.Known()
    for file in files or ():
        book = books.find_book(file)
        if book is not None:
            for record in book.records:
                known.add(record.puzzle)
            continue
        puzzles = PuzzleFiles([file], kind, check=False)
        for chunk in puzzles.chunks():
            for read in chunk:
                if read.error is None:
                    known.add(read.puzzle)
        puzzles.report()
        if puzzles.n_bad == puzzles.n_read:
            raise ValueError(
                f"{file}: no puzzles to exclude; wanted {puzzles.kind} puzzles, one per line, or "
                "the manifest of a book"
            )
    return known


def parts_of(wishes: "Wishes", grades: str | None, targets: str | None, question: str) -> Parts:
    """Return the wishes with each requested difficulty, and the number of puzzles of each.

    Raises
    ------
    ValueError
        If not exactly one of the options is given; `question` is the message if none is.
    """
    if grades is not None and targets is not None:
        raise ValueError("--grades and --targets ask for the same in two ways: leave one out")
    if grades is not None:
        names: Any = counts(grades, "--grades")
        return [(replace(wishes, grade=grade), count) for grade, count in names]
    if targets is not None:
        times = counts(targets, "--targets")
        return [(replace(wishes, minutes=minutes(time)), count) for time, count in times]
    raise ValueError(question)


def _fitting(
    puzzles: PuzzleFiles, part: "books.Part", known: "generators.Known", kinds: dict[str, int]
) -> Iterator[list["Puzzle"]]:
    """Yield the new puzzles of a part's kind in each chunk, and count all kinds in `kinds`."""
    from nando.books.kinds import kind_of

    kind_name, shape, steps = part.kind_name, part.shape, part.steps
    seen = generators.Known()
    for chunk in puzzles.chunks():
        fitting = []
        for read in chunk:
            if read.error is None and read.puzzle not in known and read.puzzle not in seen:
                name = kind_of(read.puzzle)
                kinds[name] = kinds.get(name, 0) + 1
                seen.add(read.puzzle)
                if name == kind_name and shape in (None, read.puzzle.shape):
                    fitting.append(read.puzzle)
        if steps is not None and fitting:
            fits = steps.fits(fitting)
            fitting = [puzzle for puzzle, fit in zip(fitting, fits, strict=True) if fit]
        yield fitting
