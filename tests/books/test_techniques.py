"""The chapter on techniques: each technique of the puzzles is explained by an example."""

import pytest
from helpers.samples.books import NURIKABE, SMALL, book_of, check, words

pytest.importorskip("font_source_sans_pro", reason="fonts are not installed (nando[book])")

from nando.books import Include
from nando.books.language import words_of
from nando.books.pages.techniques import _SINGLES, IDEAS, _examples, idea_of
from nando.solvers.logic import LANGUAGES, standard_ladder, walk_through

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


@pytest.mark.thorough
def test_the_chapter_has_a_page_for_each_technique():
    records = [SMALL[0], NURIKABE[0]]
    book = book_of(records, include=Include(techniques=True), language="pl")
    check(book)
    pages = [page for page in book.layout.pages if page.kind == "techniques"]
    assert len(pages) == len(_examples(tuple(r.puzzle for r in records), "pl", 0))
    assert "Ukryty singiel" in " ".join(text for page in pages for text in words(page))
