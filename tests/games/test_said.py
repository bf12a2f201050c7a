"""Audits in other languages: the same sentences, and no English left."""

import pickle
import re

import numpy as np
import pytest
from helpers.samples.sudokus import NINES

from nando.games import AuditReport, Game, load_auditor
from nando.games.evidence.reading import LADDER_WORDS
from nando.games.evidence.verdicts import verdict_of
from nando.games.game import repair_times
from nando.games.kinds import KINDS, ladder_places
from nando.games.people import paces
from nando.games.said import Said, cell, figure, say, say_counted, say_known, translate, words_in
from nando.languages import texts
from nando.solvers import unique_solution
from nando.solvers.logic.language import PAGE_LANGUAGES, _leaves

PUZZLE = NINES[0]


def table(language):
    return _leaves(texts(language, "audits"))


def test_every_program_and_every_pace_has_words():
    auditor = load_auditor()
    texts = {LADDER_WORDS, *(program.words for program in auditor.programs)}
    for kind in ("sudoku", "nurikabe"):
        texts |= {program.words for program in KINDS[kind].programs.PROGRAMS.values()}
    english, german = words_in("en"), words_in("de")
    for text in texts:
        assert say_known("programs", text).render(english) == text
        assert say_known("programs", text).render(german) != text
    assert {key.removeprefix("programs.") for key in table("en") if "programs." in key} == texts
    machine = paces.machine_words(0)
    assert machine.startswith("fills at delays of about")
    assert machine.render(german).endswith("einträgt")


def test_sentences_are_strings_that_can_be_translated_again():
    cells = cell(PUZZLE, 0), cell(PUZZLE, 80)
    sentence = say("evidence.early", n=3, all=40, cells=cells)
    assert isinstance(sentence, str)
    assert sentence.startswith("3 of 40 cells (r1c1, r9c9) were")
    again = pickle.loads(pickle.dumps(sentence))
    assert translate(again, "de").startswith("3 von 40 Feldern (Z1S1, Z9S9) wurden")
    assert translate(again, "en") == sentence == str(sentence)
    assert translate(figure(1234.5, ",.1f"), "de") == "1.234,5"
    assert translate("a name", "de") == "a name"
    assert say_counted("note.wrong", 1) == "1 cell left with a wrong digit"
    for n, (english, german) in {
        1: ("1 game of", "1 Spiel"),
        2: ("2 games of", "2 Spiele"),
    }.items():
        known_games = say("standard.people_know", standard="other people", n=n)
        assert english in known_games
        assert f"denen {german} der Person" in translate(known_games, "de")
    assert say("evidence.why_fills", n=1) == "1 fill"
    assert translate(say_known("programs", "is in no table"), "de") == "is in no table"
    verdict = verdict_of(
        1e-4, 1.0, 0.01, guilty=False, entered=False, n_games=1_200, of="players"
    ).words
    assert verdict == "too little to tell: 1 in 10,000 by itself, but one of 1,200 players"
    assert "1 zu 10.000" in translate(verdict, "de")
    (note,) = repair_times(np.array([3.0, 5.0, 3606.0, 3608.5])).notes
    assert translate(note, "de") == (
        "die Uhr springt um 1 h vor Eintragung 3: Dieser Abstand bleibt außer Betracht"
    )


@pytest.fixture(scope="module")
def audits():
    """Audit a solution typed at random, the same under another name, a ladder, and few fills."""
    solution = unique_solution(PUZZLE)
    blanks = np.random.default_rng(0).permutation(np.flatnonzero(PUZZLE.givens == 0)).tolist()
    typed = [(1000 * k + 397 * (k % 5), i, int(solution[i])) for k, i in enumerate(blanks)]
    places = ladder_places(PUZZLE, 1, np.random.default_rng(0))
    steps = [(4000 * k, i, int(solution[i])) for k, i in enumerate(sorted(blanks, key=places.item))]
    outside = [(5, 99, 1), *typed, (99_999, blanks[0], 0)]
    games = [
        Game.from_moves(PUZZLE, typed, name="one", player="Ada"),
        Game.from_moves(PUZZLE, outside, name="two", player="Bob"),
        Game.from_moves(PUZZLE, typed[:4], name="three", player="Bob"),
        Game.from_moves(PUZZLE, steps, name="four", player="Cid"),
    ]
    return load_auditor().audit(games)


ENGLISH = re.compile(r"\b(the|of|and|that|fills?|game|better|likelier|person|with|left|entry)\b")


def test_rows_and_pages_are_in_one_language(audits):
    assert [audit.finding for audit in audits] == ["entered", "entered", "undecided", "unlike"]
    assert any("copied" in sentence for audit in audits for sentence in audit.evidence)
    for audit in audits:
        for text in (audit.verdict, audit.standard, *audit.evidence, *audit.game.notes):
            assert isinstance(text, Said)
        row = audit.row("de")
        for name in ("verdict", "standard", "evidence", "notes"):
            assert not ENGLISH.search(row[name]), row[name]
        assert audit.row()["evidence"] == "; ".join(audit.evidence)
        assert row["weighty_moves"] == audit.row()["weighty_moves"]
    pages = {
        language: AuditReport(audits, model_id="m", sources=["log"]).page(language)
        for language in PAGE_LANGUAGES
    }
    body = re.sub(r"<style>.*?</style>|<svg.*?</svg>|<[^>]*>", " ", pages["de"], flags=re.DOTALL)
    assert not ENGLISH.search(body), ENGLISH.search(body)
    assert '<html lang="de">' in pages["de"]
    assert "A verdict is a reason to look" in pages["en"]
    with pytest.raises(ValueError, match="language must be one of en, de, got 'xx'"):
        AuditReport(audits).page("xx")
