"""What the pages of books say, besides puzzles: contents, hints, times, texts, techniques."""

import itertools
import re
from dataclasses import replace

import pytest
from helpers.samples.books import (
    NURIKABE,
    RECORDS,
    SMALL,
    book_of,
    check,
    figures,
    grid,
    of_kind,
    words,
    words_on,
)

from nando.books import Book, BookSpec, Design, Include, Section, TextPage
from nando.books.kinds import solution_of
from nando.books.language import words_of
from nando.books.pages.front import title_of
from nando.books.pages.techniques import _SINGLES, IDEAS, _examples, idea_of
from nando.books.section import N_STARS
from nando.books.spec import Part, spec_of, table_of
from nando.books.trim import spine_width
from nando.drawing.shapes import Disc, Text
from nando.generators.records import Record
from nando.puzzles import Sudoku
from nando.rating import GRADES
from nando.solvers.logic import (
    LANGUAGES,
    LogicSolver,
    opens_paragraph,
    standard_ladder,
    walk_through,
)

pytest.importorskip("font_source_sans_pro", reason="fonts are not installed (nando[book])")


ALL = Include(rules=True, times=True, dividers=True, hints="cell")


def kinds_of(book):
    return [page.kind for page in book.layout.pages]


def test_left_out_parts_are_absent():
    bare = Include(contents=False, rules=False, minutes=False, closing=False)
    kinds = kinds_of(book_of(SMALL[:4], include=bare))
    assert list(dict.fromkeys(kinds)) in (
        ["title", "puzzles", "solutions", *end] for end in ([], ["blank"])
    )
    full = kinds_of(book_of(SMALL[:4], include=ALL, rights="© Ada"))
    assert {"rights", "contents", "rules", "minutes", "hints", "times", "closing"} < set(full)


def test_hints_name_the_first_cells():
    book = book_of(RECORDS, include=Include(hints="cell"))
    said = words_on(book, "hints")
    for number, record in enumerate(book.records, 1):
        cell = record.puzzle.cell_name(record.first_cell)
        assert (str(number), cell) in itertools.pairwise(said)


@pytest.mark.parametrize("language", ["en", "de"])
def test_hints_show_the_first_step_that_takes_thought(language):
    from nando.books.pages.hints import hardest_step

    book = book_of(SMALL[-8:], language=language, include=Include(hints="step"))
    said = " ".join(words_on(book, "hints"))
    n_hints = 0
    for record in book.records:
        sentence = hardest_step(record.puzzle, language)
        assert bool(sentence) == any(map(opens_paragraph, LogicSolver().steps(record.puzzle)))
        if sentence:
            n_hints += 1
            assert re.search(r"[rZ]\d[cS]\d", sentence)
            assert sentence in said
    assert n_hints
    check(book)


def test_the_closing_page_says_how_to_make_the_puzzles_again():
    records = [replace(record, index=2 * i) for i, record in enumerate(SMALL[:4])]
    sections = [Section("Odd", tuple(records)), Section("New", (replace(SMALL[5], seed=9),))]
    said = " ".join(words_on(Book(sections), "closing"))
    assert "nando" in said
    assert "seed" not in said.lower()
    for source, verb in (("", "made and rated"), ("mine.txt", "puzzles were rated")):
        book = Book(sections, BookSpec(parts=(Part(from_=source),)))
        assert verb in " ".join(words_on(book, "closing"))
    book = Book(sections, BookSpec(include=Include(closing="seeds")))
    said = " ".join(words_on(book, "closing"))
    assert "Odd, 1–4 seed 7 · No. 1, 3, 5, 7 · model 0123abcd" in said
    assert "New, 5 seed 9" in said
    assert "Source Sans Pro" in said


def test_unrated_puzzles_have_neither_stars_nor_minutes():
    book = book_of([Record(SMALL[0].puzzle, SMALL[0].solution)])
    assert [section.title for section in book.sections] == ["Puzzles"]
    assert "minutes" not in kinds_of(book)
    said = [word for page in book.layout.pages for word in words(page)]
    assert not [word for word in said if "min" in word.split() or "model" in word.split()]


def test_stars_are_printed_next_to_puzzles_of_mixed_grades_only():
    def n_stars(book):
        (page,) = of_kind(book, "puzzles")
        return sum(len(getattr(shape, "points", ())) == 10 for shape in page.picture.shapes)

    same = [replace(record, grade=GRADES[1]) for record in SMALL[:3]]
    assert n_stars(Book([Section("Same", tuple(same))])) == N_STARS
    mixed = [same[0], replace(same[1], grade=GRADES[3]), replace(same[2], grade="")]
    assert n_stars(Book([Section("Mixed", tuple(mixed))])) == 2 * N_STARS


@pytest.mark.parametrize(("trim", "columns"), [("5x8", 2), ("6x9", 2), ("8.5x11", 3)])
def test_the_table_of_times_has_as_many_columns_as_fit(trim, columns):
    book = book_of(SMALL, design=Design(trim=trim), include=Include(times=True))
    assert words(of_kind(book, "times")[0]).count("my time") == columns
    check(book)


def test_the_spine_is_as_thick_as_the_pages():
    thin, thick = (Book([Section("Some", tuple(SMALL[:4] * n), 1)]).layout for n in (1, 40))
    for layout in (thin, thick):
        cover = layout.cover
        wanted = 2 * layout.size.width + spine_width(len(layout.pages), "white")
        assert cover.picture.width == pytest.approx(wanted)
    turned = [
        [found.shape.turn for found in figures(layout.cover, "") if found.shape.turn]
        for layout in (thin, thick)
    ]
    assert turned == [[], [90]]
    assert spine_width(100, "cream") == pytest.approx(0.25 * 72)


# Series: own pages, volumes, labels, dots


PREFACE = """# Preface

Volume {volume} has **many words, all bold**, and more words until the line breaks somewhere.

## How to begin

- Take a pencil
- Take a train

1. Find a seat
2. Solve

---

Last words\\
in two lines."""
PAGES = (
    TextPage(text="*For Brno*\n\nand its trains", centred=True),
    TextPage(text=PREFACE),
    TextPage(text="# Interlude\n\nHarder ones follow.", before="part 2"),
    TextPage(text="Also by Ada", before="end"),
)
SECTIONS = (Section("One", tuple(SMALL[:5]), 2), Section("Two", (*SMALL[10:14], *NURIKABE), 4))


def test_pages_of_text_are_placed_as_requested():
    book = Book(SECTIONS, BookSpec(pages=PAGES, volume=3))
    check(book)
    kinds = [page.kind for page in book.layout.pages]
    dedication, preface, interlude, also = (i for i, kind in enumerate(kinds) if kind == "text")
    assert dedication % 2 == 0  # a right-hand page
    assert kinds[preface + 1] == "contents"
    assert words(book.layout.pages[interlude + 1])[0] == "Two"
    assert also > kinds.index("closing")
    said = " ".join(words(book.layout.pages[preface]))
    assert "Volume 3 has" in " ".join(said.split())
    for text in ("Take a pencil", "•", "2.", "Last words", "in two lines.", "How to begin"):
        assert text in words(book.layout.pages[preface])
    bold = {
        s.text.strip()
        for s in book.layout.pages[preface].picture.shapes
        if isinstance(s, Text) and s.bold
    }
    assert {"Preface", "How to begin"} <= bold
    assert any("many words" in text for text in bold)
    contents = words(of_kind(book, "contents")[0])
    assert {"Preface", "Interlude"} <= set(contents)
    assert "Also by Ada" not in contents
    assert spec_of(table_of(book.spec)) == book.spec


def test_lines_of_text_break_between_words_only():
    text = "un**believ**able, " * 40
    book = book_of(SMALL[:1], pages=(TextPage(text=text),))
    check(book)
    lines = {}
    (page,) = of_kind(book, "text")
    for shape in page.picture.shapes:
        if isinstance(shape, Text):
            lines.setdefault(shape.y, []).append(shape.text)
    joined = ["".join(line).strip() for line in lines.values()]
    assert len(joined) > 3
    assert all(
        line.replace("unbelievable,", "").strip() in ("", page.picture and str(page.number))
        for line in joined
    )


@pytest.mark.parametrize(
    ("page", "message"),
    [
        ({"text": " "}, "text is empty; give the text of the page"),
        ({"text": "![me](me.png)"}, "a page of text cannot have a image ('me'): write headings"),
        ({"text": "<b>A</b>"}, "a page of text cannot have a html inline ('<b>')"),
        ({"text": "A", "before": "index"}, "before must be one of title, rights, contents"),
        (
            {"text": "A", "before": "part 9"},
            "a page comes before part 9, but the last is part 1",
        ),
    ],
)
def test_mistakes_in_pages_are_named(page, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        spec_of({"pages": [page], "parts": [{}]})


@pytest.mark.parametrize(
    ("isbn", "why"),
    [("978-3-16-148410-1", ", whose last digit should be 0"), ("3-16-148410-0", ""), ("978", "")],
)
def test_isbns_are_checked(isbn, why):
    message = f"isbn must be an ISBN, for example 978-3-16-148410-0, got {isbn!r}{why}"
    with pytest.raises(ValueError, match=re.escape(message)):
        BookSpec(isbn=isbn)


def test_the_copyright_page_has_edition_isbn_and_disclaimer():
    disclaimer = "Nobody is liable for a train that you miss over one of these puzzles. " * 3
    spec = {"edition": "Edition {volume}", "isbn": "978-3-16-148410-0", "disclaimer": disclaimer}
    book = book_of(SMALL[:1], volume=2, **spec)
    check(book)
    (page,) = of_kind(book, "rights")
    said = " ".join(words(page))
    assert said == f"Edition 2 ISBN 978-3-16-148410-0 {disclaimer.strip()}"


@pytest.mark.parametrize(("labels", "rows"), [("1-9", "123456789"), ("A-I", "ABCDEFGHI")])
def test_labels_name_the_cells_as_the_hints_do(labels, rows):
    book = Book(SECTIONS, BookSpec(include=Include(labels=labels, hints="cell", answers=4)))
    check(book)
    page = of_kind(book, "puzzles")[0]
    found = next(figures(page, "puzzle-1"))
    beside = [s for s in page.picture.shapes if isinstance(s, Text) and s.align == "middle"]
    assert [s.text for s in beside if s.x < found.left and s.y < found.bottom] == [*rows]
    row, column = divmod(SMALL[0].first_cell, 9)
    name = f"{rows[row]}{column + 1}" if labels == "A-I" else f"r{row + 1}c{column + 1}"
    assert name in words_on(book, "hints")


def test_empty_cells_have_a_dot_for_each_candidate():
    book = book_of(SMALL[:2] + NURIKABE[:1], include=Include(dots=True))
    for page in of_kind(book, "puzzles"):
        for found in figures(page, "puzzle-"):
            dots = [s for s in found.shape.picture.shapes if isinstance(s, Disc)]
            if found.shape.picture.width == 9:
                assert len(dots) == 9 * grid(found.shape.picture).count(".")
                assert len({(dot.x, dot.y) for dot in dots}) == len(dots)
                # No text touches a line.
                assert all(0.15 < x % 1 < 0.85 for dot in dots for x in (dot.x, dot.y))
            else:
                assert not dots


def test_titles_have_the_number_of_the_volume():
    spec = BookSpec(title="Trains {volume}", subtitle="Part {volume} of 9", volume=4)
    book = book_of(SMALL[:1])
    assert title_of(book.layout) == "Sudoku"
    book = Book((Section("One", tuple(SMALL[:1])),), spec)
    assert words(book.layout.pages[0])[:2] == ["Trains 4", "Part 4 of 9"]
    assert Book.from_manifest(book.to_manifest()).layout.spec.title == "Trains 4"


# Techniques


PUZZLES = (SMALL[0].puzzle, SMALL[3].puzzle, NURIKABE[0].puzzle)


def test_every_technique_is_explained_in_every_language():
    for kind in ("sudoku", "nurikabe", "variant"):
        for technique in standard_ladder(kind):
            assert technique.name in _SINGLES or idea_of(technique.name) in IDEAS
    for language in LANGUAGES:
        texts = [words_of(language)(f"techniques.{idea}") for idea in IDEAS]
        assert len(set(texts)) == len(texts)


@pytest.mark.thorough
def test_each_technique_of_the_puzzles_has_a_step_on_a_puzzle_like_one_of_them():
    examples = _examples(PUZZLES, "en", 0)
    needed = {
        "hidden single" if taken.step.technique.name in _SINGLES else taken.step.technique.name
        for puzzle in PUZZLES
        for taken in walk_through(puzzle).steps
    }
    assert needed <= {example.technique for example in examples}
    shown = [example.taken.position.puzzle for example in examples]
    alike = {puzzle.equivalence_key() for puzzle in PUZZLES}
    assert all(puzzle.equivalence_key() in alike for puzzle in shown)
    assert sum(puzzle in PUZZLES for puzzle in shown) < len(shown) / 2
    ratings = [(example.kind == "nurikabe", example.taken.step.rating) for example in examples]
    assert ratings == sorted(ratings)
    assert _examples(PUZZLES, "en", 0) == examples


def test_a_part_for_a_technique_shows_and_hints_at_it():
    """The standard ladder finds the W-wing of this puzzle after another chain."""
    puzzle = Sudoku(
        "4....7.68...64.7......82.54..2....875.......371....9..14.25......7.18...82.4....6"
    )
    record = Record(puzzle, solution_of(puzzle))
    include = Include(hints="step", techniques=True)
    spec = BookSpec(parts=(Part(needs="W-wing", count=1),), include=include)
    book = Book((Section("Wings", (record,)),), spec)
    assert " ".join(words_on(book, "hints")).count("W-wing on") == 1
    said = " ".join(words_on(book, "techniques"))
    assert "W-wing " + words_of("en")("techniques.chain") in said
    standard = Book((Section("Wings", (record,)),), replace(spec, parts=()))
    assert "W-wing" not in " ".join(words_on(standard, "hints"))


@pytest.mark.thorough
def test_techniques_of_one_idea_share_its_text():
    records = [SMALL[0], SMALL[3], NURIKABE[0]]
    for trim in ("letter", "6x9"):
        include = Include(techniques=True)
        book = book_of(records, include=include, language="pl", design=Design(trim=trim))
        check(book)
        examples = _examples(tuple(r.puzzle for r in records), "pl", 0)
        pages = of_kind(book, "techniques")
        ideas = {(example.kind, example.idea) for example in examples}
        assert len(ideas) < len(examples)
        assert len(pages) <= len(examples) - (trim == "letter")
        said = " ".join(words_on(book, "techniques"))
        assert words_on(book, "techniques").count("Ukryty singiel") == 1
        for _, idea in ideas:
            assert said.count(words_of("pl")(f"techniques.{idea}")) == 1
