"""Books whose puzzles are chosen from files."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from helpers.command import run
from helpers.sampled import one_in
from helpers.samples.sudokus import NINES

from nando.books import read_book
from nando.books.kinds import kind_of
from nando.generators import Known

pytest.importorskip("font_source_sans_pro", reason="fonts are not installed (nando[book])")

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def spec_of(tmp_path, *parts):
    """Write a spec next to the file of examples; each part is given as lines of TOML."""
    shutil.copy(EXAMPLES / "variants.txt", tmp_path)
    path = tmp_path / "book.toml"
    path.write_text("".join(f"[[parts]]\n{part}\n" for part in parts))
    return path


@pytest.mark.thorough
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
            "1 9x9+kropki puzzles wanted, it has 0 that are not used yet; in all: 1 6x6+killer, "
            "1 6x6+kropki",
        ),
        (
            2 * ['kind = "windoku"\ncount = 1\nfrom = "variants.txt"'],
            "parts[2]: ",
        ),
        (['kind = "killer"\nfrom = "none.txt"'], "parts[1].from: "),
        (
            ['kind = "killer"\nclues = 3\nsymmetry = "mirror"\nfrom = "variants.txt"'],
            "symmetry and clues can be wished for new puzzles only, but these are chosen from "
            "variants.txt: leave out one of the two",
        ),
        (
            ['kind = "windoku"\ncount = 1\nhardest = "full house"\nfrom = "variants.txt"'],
            "1 9x9+windoku puzzles with these techniques wanted, it has 0 that are not used yet",
        ),
    ],
)
def test_too_few_puzzles_are_named(parts, message, tmp_path):
    done = run("book", spec_of(tmp_path, *parts), "-o", tmp_path / "book.html")
    assert done.exit_code == 2
    assert message in " ".join(done.stderr.split())


def volume(tmp_path, number, *options, count=1):
    """Print a volume of puzzles chosen from all examples, in other equivalent forms for each."""
    rng = np.random.default_rng(number)
    (tmp_path / "bank.txt").write_text("".join(f"{puzzle.shuffled(rng)}\n" for puzzle in NINES[:3]))
    spec = tmp_path / "series.toml"
    text = 'title = "Trains {volume}"\nseed = 3\n[[parts]]\nfrom = "bank.txt"\n'
    spec.write_text(f"{text}count = {count}\n")
    book = tmp_path / f"volume{number}.html"
    return run("book", spec, "-o", book, *options), book.with_suffix(".json")


def test_no_puzzle_comes_twice_in_a_series(tmp_path):
    excluded, known = [], Known()
    for number in (1, 2):
        done, manifest = volume(
            tmp_path, number, "--volume", number, "--seed", 10 + number, *excluded
        )
        assert done.exit_code == 0, done.stderr
        excluded += ["--exclude", manifest]
        book = read_book(manifest)
        assert book.spec.title == f"Trains {number}"
        assert book.spec.seed == 10 + number
        for section in book.sections:
            for record in section.records:
                assert record.puzzle not in known
                known.add(record.puzzle)
    rest = tmp_path / "rest.html"
    done = run("book", "--from", tmp_path / "bank.txt", *excluded, "-o", rest)
    assert done.exit_code == 0, done.stderr
    assert read_book(rest.with_suffix(".json")).n_puzzles == 1
    done, _ = volume(tmp_path, 3, *excluded, count=2)
    assert done.exit_code == 2
    assert "2 9x9 puzzles wanted, it has 1 that are not used yet" in " ".join(done.stderr.split())


@pytest.mark.parametrize(
    ("options", "kind"),
    one_in(
        3,
        [
            (["--kind", "thermometer", "--size", "6x6"], "6x6+thermometer"),
            (["--rule", "killer", "--givens", "0-40"], "9x9+killer"),
            (["--size", "6x6"], "6x6"),
            (["--kind", "6x6+diagonals"], "6x6+diagonals"),
        ],
    ),
)
def test_books_of_variants_are_made_by_options(tmp_path, options, kind):
    done = run("book", *options, "--grades", "easy:1", "-o", tmp_path / "book.html")
    assert done.exit_code == 0, done.stderr
    (record,) = read_book(tmp_path / "book.json").records
    assert kind_of(record.puzzle) == kind
