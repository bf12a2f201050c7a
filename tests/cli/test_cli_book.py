"""Books whose puzzles are chosen from files."""

import json
import shutil
from pathlib import Path

import pytest
from helpers.command import run

pytest.importorskip("font_source_sans_pro", reason="fonts are not installed (nando[book])")

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def spec_of(tmp_path, *parts):
    """A spec beside the file of examples; its parts are lines of TOML."""
    shutil.copy(EXAMPLES / "variants.txt", tmp_path)
    path = tmp_path / "book.toml"
    path.write_text("".join(f"[[parts]]\n{part}\n" for part in parts))
    return path


def test_parts_choose_their_puzzles_from_files(tmp_path):
    spec = spec_of(
        tmp_path,
        'kind = "killer"\ncount = 1\nfrom = "variants.txt"',
        'kind = "diagonals,anti-knight"\ncount = 1\nfrom = "variants.txt"',
        'kind = "killer"\nsize = "6x6"\ncount = 1\nfrom = "variants.txt"',
    )
    book = tmp_path / "book.html"
    done = run("book", spec, "-o", book)
    assert done.exit_code == 0, done.stderr
    sections = json.loads(book.with_suffix(".json").read_text())["sections"]
    texts = [[record["puzzle"] for record in section["records"]] for section in sections]
    assert [len(own) for own in texts] == [1, 1, 1]
    assert texts[0][0].startswith("9x9+killer")
    assert texts[1][0].endswith("+diagonals+anti-knight")
    assert texts[2][0].startswith("6x6+killer")
    again = tmp_path / "again.html"
    assert run("book", "--from", book.with_suffix(".json"), "-o", again).exit_code == 0
    assert again.read_bytes() == book.read_bytes()


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        (
            ['kind = "kropki"\ncount = 1\nfrom = "variants.txt"'],
            "1 puzzles 9x9+kropki wanted, it has 0 that are not used yet; in all: 1 6x6+killer, "
            "1 6x6+kropki",
        ),
        (
            2 * ['kind = "windoku"\ncount = 1\nfrom = "variants.txt"'],
            "parts[2]: ",
        ),
        (['kind = "killer"\nfrom = "none.txt"'], "none.txt"),
    ],
)
def test_too_few_puzzles_are_named(parts, message, tmp_path):
    done = run("book", spec_of(tmp_path, *parts), "-o", tmp_path / "book.html")
    assert done.exit_code == 2
    assert message in " ".join(done.stderr.split())
