"""Readers of puzzles: text, packed files, links, spreadsheets."""

import bz2
import gzip
import io
import json
import lzma
import zipfile
from contextlib import suppress
from typing import Any

from fuzz.target import LINE, LONGEST_MESSAGE, NURIKABE, Target, choice, refusal, text_of

from nando.names import WriteFormat
from nando.puzzles import (
    Nurikabe,
    Sudoku,
    Variant,
    format_puzzle,
    kind_of_text,
    read_puzzle,
    read_puzzles,
    write_puzzles,
)
from nando.puzzles.formats.base import Format
from nando.puzzles.formats.registry import FORMATS as REGISTERED


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
VARIANT_FORMATS: tuple[WriteFormat, ...] = (
    *("json", "f-puzzles-json", "sudokupad-json", "pencilmark", "lisudoku-json"),
    *("sumocue", "killer", "cages"),
)


def sudoku(data: bytes) -> None:
    format, rest = choice(data, FORMATS)
    _puzzles(Sudoku, rest, format)


def nurikabe(data: bytes) -> None:
    format, rest = choice(data, FORMATS)
    _puzzles(Nurikabe, rest, format)


def packed(data: bytes) -> None:
    """Read a compressed text, whole, truncated or with a byte changed."""
    packer, rest = choice(data, (gzip, bz2, lzma))
    place, rest = int.from_bytes(rest[:2], "little"), rest[2:]
    whole = bytearray(packer.compress(rest))
    if place % 3 == 1:
        del whole[place % len(whole) :]
    elif place % 3 == 2:
        whole[place % len(whole)] ^= 1 + (place >> 8) % 255
    _puzzles(Sudoku, bytes(whole))


def any_kind(data: bytes) -> None:
    for line in text_of(data).splitlines()[:20]:
        kind = kind_of_text(line)
        assert kind in (None, "sudoku", "nurikabe", "variant")


def links(data: bytes) -> None:
    """Read a text in a format of another program."""
    with refusal():
        puzzle = read_puzzle(text_of(data))
        is_variant = isinstance(puzzle, Variant)
        for name in ("line", "json") if is_variant else ("puzz.link", "penpa", "json"):
            assert read_puzzle(format_puzzle(puzzle, name), type(puzzle)) == puzzle, name


def variants(data: bytes) -> None:
    """Read a variant as text, JSON or a format of another program, and write it in every format."""
    format, rest = choice(data, FORMATS)
    _puzzles(Variant, rest, format)
    with refusal():
        puzzle = read_puzzle(text_of(rest), Variant)
        assert isinstance(puzzle, Variant)
        assert Variant(puzzle.text) == Variant.from_json(puzzle.to_json()) == puzzle
        puzzle.status()
        for name in VARIANT_FORMATS:
            with refusal():
                back = read_puzzle(format_puzzle(puzzle, name), Variant)
                assert isinstance(back, Variant)
                assert back.givens.tolist() == puzzle.givens.tolist(), name


def sheets(data: bytes) -> None:
    """Read the XML of a spreadsheet from a zip file."""
    form, rest = choice(data, ("xlsx", "ods"))
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


def _sudoku_examples() -> list[str]:
    return [
        "\0" + LINE,
        "\0" + Sudoku(LINE).grid(),
        "\0[Puzzle]\n" + "\n".join(LINE[i : i + 9] for i in range(0, 81, 9)) + "\n[State]\n",
        f"\5id,puzzle\n1,{LINE}\n",
        "\0[\n" + json.dumps({"line": 1, "puzzle": LINE}) + ",\n{}\n]\n",
        "\0" + " ".join(str(i % 17) for i in range(256)),
    ]


def _nurikabe_examples() -> list[str]:
    return [
        "\0" + NURIKABE,
        "\0https://puzz.link/p?nurikabe/5/5/2i3g2.-10",
        '\0{"problem": [[2, "", "?"], [null, 0, 12]]}',
        "\0" + Nurikabe("(12)...\n?..1").grid(),
    ]


def _packed_examples() -> list[bytes]:
    return [bytes([i, 3, 0]) + LINE.encode() for i in range(3)]


def _holds_sudoku(known: Format) -> bool:
    return "Sudoku" in known.holds or known.holds == "all kinds"


def _links_examples() -> list[str]:
    puzzles = (Sudoku(LINE), Nurikabe(NURIKABE))
    kept = [known for known in REGISTERED if known.write is not None and _holds_sudoku(known)]
    return [
        format_puzzle(puzzle, known.name)
        for known in kept
        for puzzle in puzzles
        if isinstance(puzzle, Sudoku) or "Nurikabe" in known.holds or known.holds == "all kinds"
    ]


def _variants_examples() -> list[str]:
    texts = (
        "6x6+diagonals+killer:r1c1r1c2:7+thermometer:r3c1r2c1r1c1",
        "9x9+kropki:r1c1r1c2:r2c1r3c1:all-given+arrow:r5c5:r5c6r5c7+sandwich:left3:12",
        "9x9+samurai+odd:r1c1",
        "4x4+regions:1112132233423444+xv:v=r1c1r1c2",
    )
    examples = [f"\0{text}\n" for text in texts]
    for text in texts:
        puzzle = Variant(text)
        examples.append("\0" + puzzle.grid())
        for name in VARIANT_FORMATS:
            with suppress(ValueError):
                examples.append("\0" + format_puzzle(puzzle, name))
    return examples


def _sheets_examples() -> list[bytes]:
    return [
        b"\0<a><si><t>5</t></si></a>\0<b><row r='1'><c r='A1' t='s'><v>0</v></c></row></b>",
        b"\1<a><table><table-row number-rows-repeated='9'><table-cell "
        b"number-columns-repeated='9'><p>.</p></table-cell></table-row></table></a>",
    ]


TARGETS = (
    Target(sudoku, _sudoku_examples),
    Target(nurikabe, _nurikabe_examples),
    Target(packed, _packed_examples),
    Target(any_kind, lambda: [LINE, NURIKABE, f"a,{LINE};{NURIKABE}"]),
    Target(links, _links_examples),
    Target(sheets, _sheets_examples),
    Target(variants, _variants_examples),
)
