"""What is fuzzed: every reader, with the rule that it must keep.

A target takes bytes and returns nothing. Only ``ValueError`` and ``OSError``, with a sentence,
may leave a reader; what it accepts can be used, and what can be written is read back the same.
"""

import bz2
import gzip
import io
import json
import lzma
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np

from nando.books import Book
from nando.cli import arguments as _arguments
from nando.cli.commands.generate import pattern_of
from nando.cli.journal import Journal
from nando.datasets.nurikabe import _entry, read_moves
from nando.datasets.published_levels import _entry as _published_entry
from nando.datasets.sudoku_insight import _game
from nando.datasets.sudoku_portal import _entry as _portal_entry
from nando.games import Auditor, Population, load_auditor, load_fill_order
from nando.games import audit as audit_module
from nando.games.log import read_games
from nando.games.people import population as population_module
from nando.generators import Record
from nando.puzzles import (
    Nurikabe,
    Sudoku,
    format_puzzle,
    kind_of_text,
    read_puzzle,
    read_puzzles,
    write_puzzles,
)
from nando.puzzles.files import parse_json
from nando.puzzles.formats.registry import FORMATS as REGISTERED
from nando.rating import LinearRater
from nando.rating.linear import rater as rater_module
from nando.rating.persons import PersonModel
from nando.rating.persons import model as persons_module
from nando.rating.training import read_times
from nando.solvers.exact.search import unique_solution
from nando.solvers.exact.sudoku import HouseSearch

LINE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
NURIKABE = "3.2.1/...../...../....7/1...."
LONGEST_MESSAGE = 2_000


@contextmanager
def refusal() -> Iterator[None]:
    """The errors that may leave a reader."""
    try:
        yield
    except (ValueError, OSError) as error:
        _check_message(error)


def _check_message(error: Exception) -> None:
    assert not isinstance(error, UnicodeError), "no sentence"
    assert 0 < len(str(error)) < LONGEST_MESSAGE, "no message, or one that nobody reads"


@cache
def _folder() -> tempfile.TemporaryDirectory:
    return tempfile.TemporaryDirectory(prefix="nando-fuzz")


def _file(name: str, data: bytes) -> Path:
    path = Path(_folder().name) / name
    path.write_bytes(data)
    return path


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _choice(data: bytes, names: tuple[Any, ...]) -> tuple[Any, bytes]:
    """The first byte chooses."""
    return names[(data[0] if data else 0) % len(names)], data[1:]


# ---------------------------------------------------------------- puzzles


def _puzzles(kind: Any, data: bytes, format: Any = None) -> None:
    entries = []
    with refusal():
        entries.extend(read_puzzles(data, kind, format=format))
    for entry in entries:
        assert (entry.puzzle is None) != (entry.error is None)
        assert entry.error is None or 0 < len(entry.error) < LONGEST_MESSAGE
        assert len(entry.text) <= 2_000
    puzzles = [entry.puzzle for entry in entries if entry.puzzle is not None]
    for form in ("line", "grid"):
        stream = io.StringIO()
        write_puzzles(puzzles, stream, format=form)  # type: ignore[arg-type]
        again = [entry.puzzle for entry in read_puzzles(stream.getvalue().encode(), kind)]
        assert again == puzzles, form


FORMATS = (None, "line", "sdm", "grid", "sdk", "csv")


def sudoku(data: bytes) -> None:
    format, rest = _choice(data, FORMATS)
    _puzzles(Sudoku, rest, format)


def nurikabe(data: bytes) -> None:
    format, rest = _choice(data, FORMATS)
    _puzzles(Nurikabe, rest, format)


def packed(data: bytes) -> None:
    """Packed text with a byte flipped, or cut."""
    packer, rest = _choice(data, (gzip, bz2, lzma))
    place, rest = int.from_bytes(rest[:2], "little"), rest[2:]
    whole = bytearray(packer.compress(rest))
    if place % 3 == 1:
        del whole[place % len(whole) :]
    elif place % 3 == 2:
        whole[place % len(whole)] ^= 1 + (place >> 8) % 255
    _puzzles(Sudoku, bytes(whole))


def any_kind(data: bytes) -> None:
    for line in _text(data).splitlines()[:20]:
        kind = kind_of_text(line)
        assert kind in (None, "sudoku", "nurikabe")


def links(data: bytes) -> None:
    """A text in a format of another program: what is read is written and read back the same."""
    with refusal():
        puzzle = read_puzzle(_text(data))
        for name in ("puzz.link", "penpa", "json"):
            assert read_puzzle(format_puzzle(puzzle, name), type(puzzle)) == puzzle, name


def sheets(data: bytes) -> None:
    """Parts of a spreadsheet, packed."""
    form, rest = _choice(data, ("xlsx", "ods"))
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        if form == "xlsx":
            archive.writestr("xl/workbook.xml", "")
            texts, _, cells = rest.partition(b"\0")
            archive.writestr("xl/sharedStrings.xml", texts)
            archive.writestr("xl/worksheets/sheet1.xml", cells)
        else:
            archive.writestr("content.xml", rest)
    _puzzles(Sudoku, content.getvalue())


# ---------------------------------------------------------------- models


def _same_again(build: Callable[[str], Any], data: bytes, use: Callable[[Any], Any]) -> None:
    with refusal():
        found = build(_text(data))
        use(found)
        text = found.to_json()
        assert build(text).to_json() == text


def _rate(model: LinearRater) -> None:
    table = np.ones((2, len(model.columns)))
    with np.errstate(all="ignore"):
        rated = model.rate_columns(table, [Sudoku(LINE)] * 2, coverage=None)
    assert len(rated) == 2


def model(data: bytes) -> None:
    _same_again(LinearRater.from_json, data, _rate)


def _ask(found: PersonModel) -> None:
    with np.errstate(all="ignore"):
        assert found.predict_interval(["0", "nobody"], [5.0, 6.0]).shape == (2, 2)


def persons(data: bytes) -> None:
    with np.errstate(all="ignore"):
        _same_again(PersonModel.from_json, data, _ask)


def orders(data: bytes) -> None:
    _same_again(Population.from_json, data, lambda found: found.model_id)


def auditor(data: bytes) -> None:
    _same_again(Auditor.from_json, data, lambda found: found.model_id)


# ---------------------------------------------------------------- other files


def manifest(data: bytes) -> None:
    with refusal():
        book = Book.from_manifest(parse_json(_text(data)))
        assert book.n_pages
        book.write(Path(_folder().name) / "book.html")
        assert Book.from_manifest(parse_json(json.dumps(book.to_manifest()))) == book


def games(data: bytes) -> None:
    suffix, rest = _choice(data, (".csv", ".json", ".jsonl", ".tsv"))
    with refusal():
        log = read_games(_file(f"log{suffix}", rest))
        assert all(0 < len(problem) < LONGEST_MESSAGE for problem in log.problems)
        for game in log.games:
            assert np.isfinite(game.seconds).all()
            assert (np.diff(game.seconds) >= 0).all()
            assert len(game.cells) <= game.n_blanks


def times(data: bytes) -> None:
    with refusal():
        found = read_times(_file("times.csv", data), "sudoku")
        assert len(found.puzzles) == len(found.values) > 0


def journal(data: bytes) -> None:
    output = Path(_folder().name) / "out.csv"
    Journal(output, {}, resume=True).close(done=True)
    made = Journal(output, {}, resume=False)
    head = made.path.read_bytes()
    made.close(done=False)
    made.path.write_bytes(head + data)
    again = Journal(output, {}, resume=True)
    assert sum(isinstance(row, dict) for row in again.kept()) == again.n_kept
    again.close(done=False)
    assert data.startswith(again.path.read_bytes()[len(head) :])


def pattern(data: bytes) -> None:
    with refusal():
        assert len(pattern_of(str(_file("pattern.txt", data)))) == 81


def arguments(data: bytes) -> None:
    text = _text(data)[:300]  # what people type, which messages repeat
    for read in (_arguments.seconds, _arguments.difficulty, _arguments.size, _arguments.share):
        with refusal():
            read(text)
    with refusal():
        _arguments.counts(text, "--grades")


def published(data: bytes) -> None:
    """Lines of the published logs."""
    which, rest = _choice(data, ("nurikabe", "sudoku"))
    with refusal():
        if which == "sudoku":
            _game(_text(rest))
        else:
            puzzle, fields, _ = _entry(_text(rest))
            for move in read_moves(fields["moves"], puzzle.shape):
                assert 0 <= move.cell < puzzle.n_cells


def published_times(data: bytes) -> None:
    """Rows of the portal, and lines of publishers."""
    which, rest = _choice(data, ("portal", "levels"))
    with refusal():
        if which == "portal":
            puzzle, best, mean = _portal_entry(parse_json(_text(rest)))
            assert min(best, mean) >= 0
        else:
            _, puzzle = _published_entry(_text(rest), "%m-%d-%y")
        assert puzzle.order == 3


TARGETS: dict[str, Callable[[bytes], None]] = {
    target.__name__: target
    for target in (
        sudoku,
        nurikabe,
        packed,
        any_kind,
        links,
        sheets,
        model,
        persons,
        orders,
        auditor,
        manifest,
        games,
        times,
        journal,
        pattern,
        arguments,
        published,
        published_times,
    )
}
JSON_TARGETS = ("model", "persons", "orders", "auditor", "manifest")


def _believed(*_: object) -> None:
    """In place of a check of hashes, which no fuzzer can guess."""


@contextmanager
def eased() -> Iterator[None]:
    """Without hashes to guess, and without long searches for solutions."""
    with ExitStack() as patches:
        for module in (rater_module, persons_module, population_module, audit_module):
            patches.enter_context(mock.patch.object(module, "check_identity", _believed))
        patches.enter_context(mock.patch.object(HouseSearch, "patience", 100))
        yield


# ---------------------------------------------------------------- where the fuzzer begins


def seeds(name: str) -> list[bytes]:
    """Small sound inputs of a target."""
    return [part if isinstance(part, bytes) else part.encode() for part in _SEEDS[name]()]


def _small_model() -> str:
    rng = np.random.default_rng(0)
    table = rng.normal(30, 3, (40, 1))
    seconds = np.exp(8 - 0.1 * table[:, 0] + rng.normal(0, 0.2, 40))
    return LinearRater(("givens",), n_splits=2).fit(_frame(table), seconds).to_json()


def _small_persons() -> str:
    games = {"puzzle": ["a", "b", "a"], "player": [0, 0, 1], "seconds": [200, 300, 400]}
    return PersonModel().fit(games, {"a": 5.5, "b": 6.0}).to_json()


def _frame(table: Any) -> Any:
    import pandas as pd

    return pd.DataFrame(table, columns=["givens"])


def _small_auditor() -> str:
    record = json.loads(load_auditor().to_json())
    record["order"]["persons"] = record["order"]["persons"][:3]
    return json.dumps(record | {"provenance": {}})


def _book() -> str:
    record = Record(Sudoku(LINE), SOLUTION, predicted=350.0, grade="easy", first_cell=3)
    board = Nurikabe(NURIKABE)
    solution = board.solution_text(unique_solution(board))
    other = Record(board, solution, predicted=90.0, unit="points")
    sound = Book.from_records([record]).to_manifest()
    sound["sections"].append({"title": "Two", "per_page": 2, "records": [other.row()]})
    return json.dumps(sound)


def _moves(form: int) -> str:
    cells = [i for i, symbol in enumerate(LINE) if symbol == "."]
    moves = [(100 * i, cell, int(SOLUTION[cell])) for i, cell in enumerate(cells)][:6]
    names = ("game", "player", "puzzle", "t_ms", "cell", "value")
    rows = [("1", "a", LINE, *move) for move in moves] + [("1", "a", LINE, 900, "r1c3", 0)]
    records = [dict(zip(names, row, strict=True)) for row in rows]
    return (
        chr(form)
        + (
            "\n".join(",".join(map(str, row)) for row in [names, *rows]),
            json.dumps(records),
            "\n".join(map(json.dumps, records)),
            f"{LINE}\t" + json.dumps([f"{t},-1,{cell},{value}" for t, cell, value in moves]),
        )[form]
    )


def _links() -> list[str]:
    puzzles = (Sudoku(LINE), Nurikabe(NURIKABE))
    kept = [known for known in REGISTERED if known.write is not None]
    return [
        format_puzzle(puzzle, known.name)
        for known in kept
        for puzzle in puzzles
        if isinstance(puzzle, Sudoku) or "Nurikabe" in known.holds
    ]


_SEEDS: dict[str, Callable[[], list[Any]]] = {
    "sudoku": lambda: [
        "\0" + LINE,
        "\0" + Sudoku(LINE).grid(),
        "\0[Puzzle]\n" + "\n".join(LINE[i : i + 9] for i in range(0, 81, 9)) + "\n[State]\n",
        f"\5id,puzzle\n1,{LINE}\n",
        "\0[\n" + json.dumps({"line": 1, "puzzle": LINE}) + ",\n{}\n]\n",
        "\0" + " ".join(str(i % 17) for i in range(256)),
    ],
    "nurikabe": lambda: [
        "\0" + NURIKABE,
        "\0https://puzz.link/p?nurikabe/5/5/2i3g2.-10",
        '\0{"problem": [[2, "", "?"], [null, 0, 12]]}',
        "\0" + Nurikabe("(12)...\n?..1").grid(),
    ],
    "packed": lambda: [bytes([i, 3, 0]) + LINE.encode() for i in range(3)],
    "any_kind": lambda: [LINE, NURIKABE, f"a,{LINE};{NURIKABE}"],
    "links": _links,
    "sheets": lambda: [
        b"\0<a><si><t>5</t></si></a>\0<b><row r='1'><c r='A1' t='s'><v>0</v></c></row></b>",
        b"\1<a><table><table-row number-rows-repeated='9'><table-cell "
        b"number-columns-repeated='9'><p>.</p></table-cell></table-row></table></a>",
    ],
    "model": lambda: [_small_model()],
    "persons": lambda: [_small_persons()],
    "orders": lambda: [load_fill_order(kind="nurikabe").to_json()],
    "auditor": lambda: [_small_auditor()],
    "manifest": lambda: [_book()],
    "games": lambda: [_moves(form) for form in range(4)],
    "times": lambda: [f"puzzle,seconds,players\n{LINE},300,12\n"],
    "journal": lambda: [b'{"puzzle": "x"}\t%08x\n' % 0x6B4DC8D2, b""],
    "pattern": lambda: ["\n".join("x.x.x.x.x" for _ in range(9))],
    "arguments": lambda: ["1h 30min", "120 points", "10x8", "10%", "easy:12, hard:6"],
    "published": lambda: [
        '\0{"file":"a","data":{"problem":[[2,0],[0,1]],"moves":"ba,1;ab,0;2600,0","info":"L1_i1"}}',
        f'\1{LINE}\t["100,-1,2,4","250,0,1,5","300,-1,2"]\t1,2',
    ],
    "published_times": lambda: [
        f'\0{{"puzzle":"{LINE}","id":0,"best":"00:04:01 ","time":"00:10:32"}}',
        f"\00112-17-24:{LINE}",
    ],
}
