"""Steps in every language: the tables agree and have every text."""

import re
from collections import defaultdict
from functools import cache
from pathlib import Path
from string import Formatter

import pytest
from helpers.sampled import only
from helpers.samples.logic_patterns import ONLY_EXPLAINER, PUZZLES
from helpers.samples.nurikabe_boards import EASY, SMALL, WHAT_IF, solutions

from nando.puzzles import Nurikabe, Sudoku, Variant, read_puzzles
from nando.puzzles.rules.registry import RULES
from nando.solvers import logic
from nando.solvers.kinds import KINDS
from nando.solvers.logic.language import PAGE_LANGUAGES, Words, words_for, words_of
from nando.solvers.logic.technique import standard_ladder
from nando.solvers.logic.wording.record import NAMES

SUBJECTS = (
    *("steps", "sudoku", "variants", "nurikabe", "drawings", "contest"),
    *("rules", "books", "audits"),
)
OTHERS = [tag for tag in logic.LANGUAGES if tag != "en"]
FIRST = PUZZLES["naked pair"]
MOST = 40
"""Most steps of one technique."""


@cache
def met():
    """Return steps of each technique with the positions before them, from puzzles of each kind."""
    nurikabe = [EASY, WHAT_IF, *(puzzle for puzzle in SMALL if len(solutions(puzzle)) == 1)]
    walks = [
        logic.walk_through(
            puzzle, logic.SUDOKU_EXPLAINER if name in ONLY_EXPLAINER else logic.SUKAKU_EXPLAINER
        )
        for name, puzzle in PUZZLES.items()
    ]
    walks += map(logic.walk_through, nurikabe)
    found = defaultdict(list)
    for taken in (taken for walk in walks for taken in walk.steps):
        found[taken.step.technique].append((taken.step, taken.position))
    return [one for steps in found.values() for one in steps[:MOST]]


def cells_in(text, language):
    name = words_of(language)("cell.name", row=r"(\d+)", column=r"(\d+)")
    return sorted(set(re.findall(name, text)))


# The tables


def fields_of(text):
    return {field for _, field, _, _ in Formatter().parse(text) if field is not None}


@pytest.mark.parametrize(
    ("subject", "language"),
    [(s, tag) for s in SUBJECTS for tag in OTHERS if s != "audits" or tag in PAGE_LANGUAGES],
)
def test_every_language_has_every_text_with_the_same_fields(subject, language):
    english, other = Words("en", subject).table, Words(language, subject).table
    # Some languages use the bare name in hints, some have a plural for few, and one has none.
    own = r"names.*\.(sought|beside)|.*\.few|list\.or_8|plurals\..*"
    assert {key for key in english.keys() ^ other.keys() if not re.fullmatch(own, key)} == set()
    for key, text in other.items():
        like = english.get(key) or english[re.sub(r"few$", "other", key.removesuffix("_8"))]
        assert fields_of(text) == fields_of(like), key
        if subject in SUBJECTS[-3:]:
            assert text, key
        else:
            assert text.strip() == text or key.startswith("list."), key


@pytest.mark.parametrize("language", logic.LANGUAGES)
def test_every_rule_and_technique_has_a_name_and_is_sought_by_it(language):
    assert all(words_for("variant", language).table[f"rule.{rule.name}.name"] for rule in RULES)
    for kind in KINDS:
        words = words_for(kind, language)
        names = {technique.name for technique in standard_ladder(kind)}
        if kind == "sudoku":
            # Subsets and locked candidates are reported under the name of their technique.
            plain = {name for name in NAMES if not re.search(r"type|\+1|: |nice|AIC|^locked", name)}
            names |= plain - {"forcing X-chain"} | {"unique rectangle", "simple colouring"}
        for name in names:
            assert words.table[f"names.{name}.name"]
            assert words.sought(name)
        called = [words.name(name) for name in names]
        assert len(set(called)) == len(called)


def test_the_tables_name_the_scales_as_the_library_does():
    for kind in KINDS:
        words, scale = words_for(kind, "en"), KINDS[kind].logic.scale
        named = [words(f"scale.{part}") for part in ("name", "source", "hardest")]
        assert named == [scale.name, scale.source, scale.hardest]


# Sentences


class Mute(Words):
    """Texts without their letters, so that only the fields remain."""

    def __init__(self, words):
        self.language = words.language
        self.table = {
            key: re.sub(r"\{\w+(!c)?\}|[^\W\d_]", lambda found: found[0] * ("{" in found[0]), text)
            for key, text in words.table.items()
        }


@pytest.mark.thorough
def test_no_word_of_a_step_is_outside_of_the_tables():
    for step, before in met():
        kind = KINDS[step.technique.kind].logic
        parts = kind.explain(step, before, Mute(words_for(step.technique.kind, "en")))
        assert not re.search(r"[^\W\d_]", "".join(parts)), parts
        assert any(parts)


@pytest.mark.parametrize("language", only(["de"], OTHERS))
def test_a_step_says_the_same_in_every_language(language):
    for step, before in met():
        english, other = (logic.describe(step, before, language=tag) for tag in ("en", language))
        assert english != other
        assert other.endswith((".", "。"))
        assert not re.search(r"  | [,.;:]|\{|\}|[,;:]{2}", other), other
        cells = [cells_in(english, "en"), cells_in(other, language)]
        assert cells[0] == cells[1]
        for degree in (1, 2, 3):
            sentence = logic.hint(step, before, degree, language=language)
            assert not sentence[0].islower()
            assert sentence != logic.hint(step, before, degree)


def test_forms_that_only_some_languages_have():
    polish, spanish = words_of("pl"), words_of("es")
    counts = [polish.count("walk.steps", n) for n in (1, 2, 5, 12, 22, 25)]
    assert counts == ["1 krok", "2 kroki", "5 kroków", "12 kroków", "22 kroki", "25 kroków"]
    assert spanish.listed(["7", "8"], "or") == "7 u 8"
    assert spanish.listed(["7", "9"], "or") == "7 o 9"


def test_hints_in_german():
    step, marks = next((s, m) for s, m in met() if s.technique.name == "hidden single in box")
    assert (
        logic.hint(step, marks, 1, language="de")
        == "Suchen Sie einen versteckten Einer in Block 6."
    )
    assert logic.hint(step, marks, 1, "hodoku", "de") == "Suchen Sie „Hidden Single“ in Block 6."
    assert logic.hint(step, marks, 2, "hodoku", "de").startswith("Hidden Single: Wohin")


def test_letters_are_neuter_in_german():
    large = logic.PencilMarks.of(Sudoku("." * 256))
    single = next(t for t in logic.SUKAKU_EXPLAINER if t.name == "hidden single in box")
    step = logic.LogicStep(single, 1.2, 0, (32,), (3,), (10,), (3, 10), ())
    assert "passt das A nur in Z1S4" in logic.describe(step, large, language="de")
    assert "the A can only go in r1c4" in logic.describe(step, large)


def test_a_walk_in_german():
    puzzle = Nurikabe("3......./....2.1./......../.6..2..8/......../..1...../2...2.../..1...2.")
    walk = str(logic.walk_through(puzzle, language="de"))
    assert "Leiterwertung 6,3 auf nandos Leiter für Nurikabe; 42 Schritte." in walk
    assert re.search(r"\n +9 +Annahme +6,2 bis 6,3", walk)
    listed = str(logic.list_steps(FIRST, logic.SUKAKU_EXPLAINER[:6], language="de"))
    assert re.search(r"Schritte mit \d+ Techniken; \d+ Felder sind offen\.$", listed)


def test_records_are_for_programs_in_every_language():
    step, before = next((s, m) for s, m in met() if s.technique.name == "what-if")
    english, german = logic.record(step, before), logic.record(step, before, language="de")
    assert {key for key in english if english[key] != german[key]} == {
        "name",
        "sentence",
        "contradiction",
    }


def test_a_name_without_translation_is_printed_unchanged():
    assert words_of("en").name("straight climb") == "straight climb"
    assert words_of("de").name("straight climb") == "straight climb"


@pytest.mark.parametrize("language", only(["en"], logic.LANGUAGES))
@pytest.mark.parametrize("rule", ["killer", "kropki"])
def test_equal_steps_at_many_cages_share_a_line_that_names_them_once(rule, language):
    path = Path(__file__).resolve().parents[3] / "examples" / "variants.txt"
    entries = [entry.puzzle for entry in read_puzzles(path, Variant) if entry.puzzle]
    puzzle = max((p for p in entries if rule in p.text), key=lambda p: p.text.count("+"))
    walk = logic.walk_through(puzzle, language=language)
    assert f"+{rule}" not in str(walk)
    told = [taken for line in walk.lines for taken in line.parts or (line,)]
    assert told == [*walk.steps]
    shared = [line for line in walk.lines if line.parts]
    assert shared
    for line in shared:
        same, sentence = line.parts, line.sentence()
        assert line.numbers == f"{same[0].number}–{same[-1].number}"
        assert f"{line.numbers}. {sentence}" in str(walk)
        assert len({taken.name for taken in same}) == 1
        assert sentence.casefold().count(same[0].name.casefold()) == 1
        gone = [pair for taken in same for pair in taken.step.eliminations]
        assert sorted(line.step.eliminations) == sorted(gone)
        for cell, digit in gone:
            assert puzzle.cell_name(cell)[1] in sentence
            assert str(digit) in sentence
        # Many dots are told by their names; few of them, and all cages, each with its reason.
        each = rule == "killer" or len(same) <= 3
        assert sentence.count(" · ") == (len(same) - 1 if each else 0)
