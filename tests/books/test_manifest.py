"""Manifests of books: complete ones are read back, bad ones are refused."""

import json
import re
import subprocess
import sys

import pytest
from helpers.samples.books import SMALL, book_of

import nando
from nando.books import Design, Include, found_book, read_book


def test_manifest_says_everything():
    design = Design(trim="a5", lines="heavy")
    book = book_of(SMALL, title="Forty", design=design, include=Include(hints="cell"), per_page=6)
    manifest = json.loads(json.dumps(book.to_manifest(), allow_nan=False))
    assert manifest["nando"] == nando.__version__
    assert manifest["spec"] == {
        "title": "Forty",
        "design": {"trim": "a5", "lines": "heavy"},
        "include": {"hints": "cell"},
    }
    assert [section["per_page"] for section in manifest["sections"]] == [6] * len(book.sections)
    assert sum(len(section["records"]) for section in manifest["sections"]) == len(SMALL)
    record = manifest["sections"][0]["records"][0]
    assert (record["seed"], record["model_id"]) == (7, "0123abcd")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("no json", "book.json: not JSON (Expecting value"),
        ("[]", "book.json: it has no 'book'; wanted the manifest of a book"),
        ('{"book": 2}', "it cannot be read: it has no 'sections'; wanted the manifest"),
        ('{"book": 2, "sections": [{"title": "a", "records": [1]}]}', "cannot be read"),
        ('{"book": 2, "sections": [], "spec": {}}', "a book needs at least one puzzle"),
        ('{"book": 2, "sections": [], "spec": {"a": 1}}', "a is not a setting; known: title"),
        (
            '{"book": 1, "nando": "0.1.0"}',
            "must be of version 2, got 1; it was written by",
        ),
        ('{"book": 3, "nando": "9.9"}', "must be of version 2, got 3; it was written by nando 9.9"),
    ],
)
def test_bad_manifests_are_refused(text, message, tmp_path):
    path = tmp_path / "book.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=re.escape(message)):
        read_book(path)


def test_files_of_puzzles_are_no_books_without_importing_books(tmp_path):
    (tmp_path / "puzzles.json").write_text('[{"puzzle": "1"}]')
    (tmp_path / "puzzles.txt").write_text("1\n")
    code = (
        "import sys\n"
        "from nando.books import found_book\n"
        "assert not any(map(found_book, sys.argv[1:]))\n"
        "assert 'nando.books.book' not in sys.modules\n"
    )
    files = [str(tmp_path / name) for name in ("puzzles.json", "puzzles.txt")]
    done = subprocess.run([sys.executable, "-c", code, *files], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_only_the_manifest_of_a_book_is_found_among_json_files(tmp_path):
    book = book_of(SMALL[:2])
    book.write(tmp_path / "book.json")
    found = found_book(tmp_path / "book.json")
    assert [r.puzzle for r in found.records] == [r.puzzle for r in book.records]
    (tmp_path / "list.json").write_text('[{"puzzle": "1"}]')
    (tmp_path / "lines.json").write_text('{"puzzle": "1"}\n{"puzzle": "2"}\n')
    (tmp_path / "some.txt").write_text('{"book": 2}')
    for other in ("list.json", "lines.json", "some.txt"):
        assert found_book(tmp_path / other) is None
    (tmp_path / "old.json").write_text('{"book": 9}')
    with pytest.raises(ValueError, match=r"old\.json: manifest must be of version 2, got 9"):
        found_book(tmp_path / "old.json")
