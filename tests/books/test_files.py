"""Books as files: specs, manifests, and books made from them."""

import json
import re
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest
from helpers.samples.books import LARGE, NURIKABE, SMALL, book_of

import nando
from nando.books import (
    Book,
    BookSpec,
    Cover,
    Design,
    Include,
    Part,
    Section,
    TextPage,
    find_book,
    make_book,
    read_book,
    read_spec,
    rehearse,
    sections_by_grade,
)
from nando.books.spec import spec_of, table_of
from nando.generators.records import Record
from nando.rating import GRADES

pytest.importorskip("font_source_sans_pro", reason="fonts are not installed (nando[book])")

WHOLE = Path(__file__).with_name("whole.toml")
"""A book with a value for every setting, none of which is the default."""


def written(tmp_path, text):
    path = tmp_path / "book.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_file_says_everything():
    spec, table = read_spec(WHOLE), tomllib.loads(WHOLE.read_text(encoding="utf-8"))
    assert json.loads(json.dumps(table_of(spec))) == table
    assert (spec.title, spec.design.trim, spec.include.scribble) == ("Evenings", "5.5x8.5", 0.2)
    assert spec.cover == replace(Cover(), **table["cover"])
    assert spec.pages == (TextPage(text="# Preface", before="puzzles", centred=True),)
    assert spec.parts[2] == Part(kind="nurikabe", size="7x7", percentile=60.5, count=3)
    assert spec_of(table_of(spec)) == spec
    # No default is in this file: each would be missing from the table.
    named = table_of(spec)
    assert set(named) == set(BookSpec.__dataclass_fields__)
    for name in ("design", "include", "cover"):
        assert set(named[name]) == set(type(getattr(spec, name)).__dataclass_fields__)


def test_a_file_may_say_little(tmp_path):
    assert read_spec(written(tmp_path, "[[parts]]\n")) == BookSpec(parts=(Part(),))
    assert table_of(BookSpec()) == {}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("title = ", "book.toml: not TOML (Invalid value"),
        ("titel = 'a'", "book.toml: titel is not a setting; known: title, subtitle"),
        ("[[parts]]\ncuont = 3", "; did you mean 'count'?"),
        ("title = 1", "book.toml: title must be text, got 1"),
        ("seed = -1", "book.toml: seed must be at least 0, got -1"),
        ("date = 'May'", "book.toml: date must be a day, for example 2027-03-01, got 'May'"),
        ("[design]\npdf_x = 'ISO'", "design: pdf_x must be one of CGATS TR 001, CGATS TR 006"),
        ("language = 'xx'", "language must be one of en, de, fr, es, it, pt, nl, pl, ja, got 'xx'"),
        ("parts = 3", "book.toml: parts must be a list, got 3"),
        ("design = []", "design must be a table, got []"),
        ("[design]\ntrim = 'a7'", "design: trim must be one of 5x8, 5.5x8.5, 6x9, 7x10"),
        ("[design]\ntrim = '148x210'", "165x240mm, got '148x210'"),
        ("[design]\nsize = 'a7'", "design.size is not a setting; known: trim, typeface"),
        ("[design]\ntypeface = 'comic'", "design: typeface must be one of source-sans"),
        (
            "[design]\naccent = 'red'",
            "design: accent must be a colour, for example #1f5a87, got 'red'",
        ),
        ("[design]\nbleed = 'some'", "design: bleed must be one of false, true, all, got 'some'"),
        ("[design]\nmultiple = 0", "design: multiple must be 1 to 64, got 0"),
        ("[include]\nhints = 'many'", "include: hints must be one of none, cell, step"),
        ("[include]\nanswers = 3", "include: answers must be one of 4, 6, 8"),
        ("[include]\nqr = 'here'", "qr must be play, hint, or an address with {puzzle} in it"),
        ("[include]\nclosing = 'no'", "include: closing must be one of true, false, seeds"),
        ("[[parts]]\nkind = '9'", "parts[1]: kind must be sudoku, nurikabe, variant, a size"),
        ("[[parts]]\n[[parts]]\nper_page = 3", "parts[2]: per_page must be one of 1, 2, 4"),
        ("[[parts]]\ncount = 0", "parts[1]: count must be at least 1, got 0"),
        ("[[parts]]\ncount = 1.5", "parts[1].count must be a whole number, got 1.5"),
        ("[[parts]]\nminutes = 0", "parts[1]: minutes must be above 0, got 0"),
    ],
)
def test_mistakes_are_named(text, message, tmp_path):
    with pytest.raises(ValueError, match=re.escape(message)) as error:
        read_spec(written(tmp_path, text))
    assert str(error.value).startswith(str(tmp_path))


# Making


def stock(part):
    """Return existing puzzles, whatever the part asks for."""
    found = {"9x9": SMALL, "16x16": [r for r in LARGE if r.puzzle.order == 4]}
    return found.get(part.kind, NURIKABE)[: part.count]


def test_a_book_is_made_part_by_part():
    parts = (
        Part(kind="nurikabe", count=3, title="Islands"),
        Part(grade="tricky", count=5, per_page=2),
        Part(minutes=7.6, count=2),
        Part(kind="16x16", count=1),
    )
    asked = []

    def maker(part):
        asked.append(part)
        return stock(part)

    book = make_book(BookSpec(parts=parts), maker)
    assert asked == list(parts)
    assert [(s.title, len(s.records), s.per_page) for s in book.sections] == [
        ("Islands", 3, 4),
        ("Sudoku · Tricky", 5, 2),
        ("Sudoku · 8\u00a0min", 2, 4),
        ("Sudoku 16\u00a0×\u00a016", 1, 4),
    ]
    alone = make_book(BookSpec(parts=(Part(grade="easy", count=2),), language="fr"), maker)
    assert [section.title for section in alone.sections] == ["Facile"]
    plain = make_book(BookSpec(parts=(Part(count=2),)), maker)
    assert [section.title for section in plain.sections] == ["Puzzles"]


def test_a_part_gets_all_its_puzzles_or_none():
    with pytest.raises(ValueError, match=r"parts\[2\] needs 9 puzzles, got 3"):
        make_book(BookSpec(parts=(Part(count=1), Part(kind="nurikabe", count=9))), stock)
    with pytest.raises(ValueError, match="a book needs parts"):
        make_book(BookSpec(), stock)


def test_unprintable_books_are_refused_before_puzzles_are_made():
    for parts, spec, message in (
        ((), {}, "a book needs parts"),
        ((Part(),), {"title": "数独"}, "has no 数 独"),
        ((Part(title="数独"),), {}, "has no 数 独"),
        ((Part(kind="25x25"),), {"design": Design(trim="a4", large_print=True)}, "of 25x25 cells"),
        (
            (Part(kind="nurikabe", size="30x20"),),
            {"design": Design(trim="a4", large_print=True)},
            "of 30x20 cells",
        ),
    ):
        with pytest.raises(ValueError, match=message):
            rehearse(BookSpec(parts=parts, **spec))


# Sections


def test_grades_rise_and_so_do_times_within():
    sections = Book.from_records(reversed(SMALL)).sections
    assert [section.title for section in sections] == [grade.capitalize() for grade in GRADES]
    for section, grade in zip(sections, GRADES, strict=True):
        seconds = [record.predicted for record in section.records]
        assert seconds == sorted(seconds)
        assert {record.grade for record in section.records} == {grade}
        assert section.stars == GRADES.index(grade) + 1
    assert sum(len(section.records) for section in sections) == len(SMALL)


def test_other_grades_and_the_unrated_come_last():
    bare = Record(SMALL[0].puzzle, SMALL[0].solution)
    records = [bare, replace(SMALL[1], grade="fiendish"), SMALL[2]]
    titles = [section.title for section in sections_by_grade(records)]
    assert titles == [SMALL[2].grade.capitalize(), "Fiendish", "Unrated"]
    assert [section.title for section in sections_by_grade([bare])] == ["Puzzles"]


def test_impossible_books_are_refused():
    with pytest.raises(ValueError, match="a book needs at least one puzzle, got none"):
        Book.from_records([])
    with pytest.raises(ValueError, match="part '4 min' has no puzzles; leave it out"):
        Section("4 min", ())
    with pytest.raises(ValueError, match="per_page must be one of 1, 2, 4, 6, 8, 9, 12, got 3"):
        Section("4 min", tuple(SMALL[:1]), 3)
    with pytest.raises(ValueError, match="none has one; leave the hints out"):
        Book.from_records(
            [replace(SMALL[0], first_cell=None)], BookSpec(include=Include(hints="cell"))
        )


@pytest.mark.parametrize("solution", ["", "1" * 81, SMALL[1].solution, LARGE[0].solution])
def test_wrong_solutions_are_not_printed(solution):
    with pytest.raises(ValueError, match="does not solve it"):
        Book.from_records([replace(SMALL[0], solution=solution)])


# Manifests


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
        ('{"book": 3, "nando": "9.9"}', "must be of version 2, got 3; it was written by nando 9.9"),
    ],
)
def test_bad_manifests_are_refused(text, message, tmp_path):
    path = tmp_path / "book.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=re.escape(message)):
        read_book(path)


def test_only_the_manifest_of_a_book_is_found_among_json_files(tmp_path):
    book = book_of(SMALL[:2])
    book.write(tmp_path / "book.json")
    found = find_book(tmp_path / "book.json")
    assert [r.puzzle for r in found.records] == [r.puzzle for r in book.records]
    (tmp_path / "list.json").write_text('[{"puzzle": "1"}]')
    (tmp_path / "lines.json").write_text('{"puzzle": "1"}\n{"puzzle": "2"}\n')
    (tmp_path / "some.txt").write_text('{"book": 2}')
    for other in ("list.json", "lines.json", "some.txt"):
        assert find_book(tmp_path / other) is None
    (tmp_path / "old.json").write_text('{"book": 9}')
    with pytest.raises(ValueError, match=r"old\.json: manifest must be of version 2, got 9"):
        find_book(tmp_path / "old.json")
