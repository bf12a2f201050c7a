"""Manifests of books: they say everything, and bad ones are refused."""

import json
import re

import pytest
from helpers.books import SMALL, book_of

import nando
from nando.books import Design, Include, read_book


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
            "must be of form 2, got 1; it was written by",
        ),
        ('{"book": 3, "nando": "9.9"}', "must be of form 2, got 3; it was written by nando 9.9"),
    ],
)
def test_bad_manifests_are_refused(text, message, tmp_path):
    path = tmp_path / "book.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=re.escape(message)):
        read_book(path)
