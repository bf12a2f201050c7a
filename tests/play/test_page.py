"""The file that `nando play` writes: its contents and secrets, and its boards of variants."""

import html
import json
import re
import subprocess
from dataclasses import replace
from importlib.resources import files
from itertools import product

import numpy as np
import pytest
from helpers.oracles.variants import fits
from helpers.pages.played_pages import NODE, NURIKABE, SUDOKU, TRICKY, data_of, played
from helpers.samples.variant_samples import TEXTS

from nando.drawing.boards import position
from nando.drawing.rules.scene import DRAWINGS
from nando.generators import Record
from nando.play import PlayedPuzzle, play_html
from nando.play.page import script, words
from nando.play.puzzle import find_kind, steps_of
from nando.play.variants import _marks, _names
from nando.puzzles import Sudoku, Variant
from nando.puzzles.boards.constraints import AllDifferent, Candidates, Pattern, Relation, Sum
from nando.puzzles.rules import Boxes
from nando.solvers import unique_solution
from nando.solvers.logic import shorten, walk_through
from nando.solvers.logic.language import LANGUAGES, PAGE_LANGUAGES, words_for
from nando.solvers.logic.marks import PencilMarks
from nando.solvers.logic.wording.names import Names

HOSTILE = "</script><script>alert(1)</script><!-- & \"x\" 'y' \u2028"
PUZZLES = [played(SUDOKU), played(TRICKY), played(NURIKABE)]


@pytest.mark.parametrize("puzzle", [SUDOKU, TRICKY, NURIKABE], ids=["sudoku", "tricky", "nurikabe"])
def test_the_solutions_written_down_are_those_of_the_solver(puzzle):
    assert played(puzzle).record.solution == puzzle.solution_text(unique_solution(puzzle))


@pytest.fixture(scope="module")
def page():
    return play_html(PUZZLES, title=HOSTILE)


def test_the_page_describes_the_puzzles(page):
    first, second, third = data_of(page)["puzzles"]
    assert (first["text"], first["grade"], first["predicted"]) == (SUDOKU.text, "easy", 350.0)
    assert (first["rows"], first["box"]) == (9, 3)
    assert (third["columns"], third["numbers"]) == (5, NURIKABE.numbers.tolist())
    assert len(second["steps"]) == len(shorten(walk_through(TRICKY)).steps)
    assert data_of(play_html(PUZZLES[:1]))["puzzles"] == [first]


def test_a_hostile_title_is_text(page):
    assert page.count("<script") == 2
    assert html.escape(HOSTILE.split(" ")[0], quote=False) in page
    assert "alert(1)</script>" not in page


def test_a_hostile_grade_stays_inside_its_element():
    found = play_html([played(SUDOKU, grade=HOSTILE)])
    assert found.count("</script>") == 2
    assert data_of(found)["puzzles"][0]["grade"] == HOSTILE


def test_the_page_needs_no_network(page):
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)[1]
    assert "default-src 'none'" in html.unescape(policy)
    assert "unsafe-inline'; base-uri" in html.unescape(policy)
    addresses = set(re.findall(r"https?://[^\s\"'<]+", page))
    assert addresses == {"http://www.w3.org/2000/svg"}
    assert not re.search(r"\b(?:fetch|XMLHttpRequest|WebSocket|import)\s*\(", page)


def test_the_page_without_puzzles_is_small(page):
    puzzles = len(re.search(r'"puzzles":(\[.*\])\}</script>', page, re.DOTALL)[1])
    assert len(page.encode()) - puzzles < 250_000


@pytest.mark.skipif(NODE is None, reason="node is not installed")
def test_the_joined_script_is_a_module(tmp_path):
    path = tmp_path / "page.mjs"
    path.write_text(script(), encoding="utf-8")
    # Two files that define the same top-level name are an error here.
    subprocess.run([NODE, "--check", path], check=True)
    assert not re.search(r"^(?:import|export)\b", script(), re.MULTILINE)


def test_every_text_is_used():
    folder = files("nando.play") / "web"
    used = script() + "play_title"  # the default title of a page
    used += "".join((folder / f"{name}.html").read_text("utf-8") for name in ("play", "table"))
    made_up = ("grade_", "mode_", "twice_", "mistake_", "broken_")
    for name in words():
        assert name.startswith(made_up) or re.search(rf"\b{name}\b", used), name


@pytest.mark.thorough
@pytest.mark.parametrize("puzzle", [TRICKY, NURIKABE], ids=["sudoku", "nurikabe"])
def test_drawings_add_the_marks_of_a_step_to_the_position(puzzle):
    walk = walk_through(puzzle)
    for plain, taken in zip(steps_of(walk), walk.steps, strict=True):
        for language, said in plain["say"].items():
            shown = replace(taken, language=language)
            assert said == [shown.sentence(degree) for degree in (1, 2, 3)]
        assert list(plain["say"]) == list(PAGE_LANGUAGES)
        first, shared, second, third = plain["shapes"]
        for degree, shapes in ((1, first), (2, shared + second), (3, shared + third)):
            bare = position(taken.position).shapes
            full = position(taken.position, taken.step, degree).shapes
            # A step may strike out a mark of the position, which draws the mark again.
            assert len(shapes) == len(full) - sum(
                min(full.count(s), bare.count(s)) for s in {*bare}
            )


def test_puzzles_without_hints_and_predictions_can_be_played():
    (plain,) = data_of(play_html([PlayedPuzzle(PUZZLES[0].record, None, hints=False)]))["puzzles"]
    assert plain["steps"] == []
    assert plain["likely"] is None


def test_likely_cells_are_listed_in_order():
    places = np.where(SUDOKU.givens == 0, np.arange(81) + 0.25, 0.0)
    page = play_html([PlayedPuzzle(PUZZLES[0].record, places, hints=False)])
    assert data_of(page)["puzzles"][0]["likely"][2] == 2.2
    assert 'data-setting="likely"' in page
    assert 'data-setting="likely"' not in play_html([PUZZLES[0]])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"puzzles": []}, "at least one puzzle"),
        ({"puzzles": PUZZLES, "language": "fr"}, "language must be one of en, de, got 'fr'"),
    ],
)
def test_an_invalid_page_is_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        play_html(**arguments)


def test_a_wrong_solution_is_refused():
    record = played(SUDOKU).record
    wrong = PlayedPuzzle(type(record)(Sudoku(SUDOKU.text), "1" * 81))
    with pytest.raises(ValueError, match=r"the solution of .* is wrong"):
        play_html([wrong])


# Variants


def board_data(puzzle):
    rows, columns = puzzle.shape
    given = {"kind": "variant", "rows": rows, "columns": columns}
    return given | {"givens": puzzle.givens.tolist(), **find_kind("variant").board(puzzle)}


def cells_of(constraint):
    match constraint:
        case Relation(first, second, _):
            return (first, second)
        case Candidates(cell, _):
            return (cell,)
        case _:
            return constraint.cells


def can_hold(constraint, digits, n):
    """Return True if some digits in the open cells satisfy the constraint, by trying all.

    Of a pattern, which may be long, all states that digits reach are followed.
    """
    options = [[digit] if digit else range(1, n + 1) for digit in digits]
    if isinstance(constraint, Pattern):
        moves, states = constraint.automaton.moves, {0}
        for own in options:
            states = {moves[state][digit - 1] for state in states for digit in own} - {-1}
        return not states.isdisjoint(constraint.automaton.accepting)
    filled = (dict(zip(cells_of(constraint), line, strict=True)) for line in product(*options))
    return any(fits(constraint, line) for line in filled)


@pytest.mark.parametrize("text", TEXTS)
def test_everything_drawn_has_a_name_at_its_cells(text):
    puzzle = Variant(text)
    drawn = [rule for rule in puzzle.rules if type(rule) in DRAWINGS]
    board = board_data(puzzle)
    marked = {cell for _, cells in board["marked"] for cell in cells}
    for rule in drawn:
        assert set(puzzle.board.places(rule.cells_named())) <= marked
    assert bool(marked) == any(not isinstance(rule, Boxes) for rule in drawn)
    for language in LANGUAGES:
        speaker = Names(words_for("variant", language), puzzle)
        called = _names(puzzle, [speaker])
        names = [name for (name,), _ in _marks(puzzle, [speaker], called)]
        assert len(names) == len(board["marked"]) == len(list(filter(str.strip, names)))
        for number in (rule.total for rule in drawn if getattr(rule, "total", None)):
            assert any(str(number) in name for name in names)


def judged(player, data, values):
    """Return the verdict of the page on one board."""
    return player("judge", puzzle=data, boards=[values])[0]


@pytest.mark.parametrize("text", [text for text in TEXTS if text.startswith("4x4")])
def test_a_conflict_is_a_constraint_that_cannot_be_satisfied(player, text):
    puzzle = Variant(text)
    data = json.loads(json.dumps(board_data(puzzle)))
    rng = np.random.default_rng(len(text))
    outcomes = set()
    for number in rng.permutation(len(puzzle.constraints))[:20].tolist():
        _, constraint = puzzle.constraints[number]
        alone = data | {"constraints": [data["constraints"][number]]}
        places = [puzzle.places[puzzle.board.number_of[cell]] for cell in cells_of(constraint)]
        boards = []
        for share in (0.3, 0.6, 1.0, 1.0):
            values = np.where(rng.random(16) < share, rng.integers(1, 5, 16), 0)
            boards.append(values.tolist())
        for values, said in zip(boards, player("judge", puzzle=alone, boards=boards), strict=True):
            digits = [values[place] for place in places]
            found = said["conflicts"]
            fits = can_hold(constraint, digits, 4)
            outcomes.add(bool(found))
            assert not (found and fits)
            if all(digits) or not isinstance(constraint, Sum):
                assert bool(found) != fits or isinstance(constraint, AllDifferent)
            for item in found:
                assert set(item["cells"]) <= {place for place in places if values[place]}
                assert item["with"]["rule"].keys() == {"en", "de"}
            if isinstance(constraint, AllDifferent):
                doubled = {digit for digit in digits if digit and digits.count(digit) > 1}
                assert len(found) == len(doubled)
    assert True in outcomes


GIVEN = "12..............+killer:r1c1r2c2:4+extra-region:r2c4r3c3"


@pytest.mark.parametrize("text", [*TEXTS, "9x9+samurai", "16x16+odd:r1c1", GIVEN])
def test_candidates_are_those_that_the_walk_begins_with(player, text):
    puzzle = Variant(text)
    marks = PencilMarks.of(puzzle)
    said = judged(player, board_data(puzzle), [0] * puzzle.givens.size)["candidates"]
    bits = 1 << np.arange(1, puzzle.size + 1)
    assert said == (marks.candidates * bits).sum(axis=1).tolist()


def test_a_board_of_several_grids_is_full_without_its_gaps(player):
    puzzle = Variant("9x9+samurai")
    data = board_data(puzzle)
    assert len(data["gaps"]) == 21 * 21 - len(puzzle.board.cells) == 72
    values = np.zeros(21 * 21, int)
    values[puzzle.places] = 1
    assert judged(player, data, values.tolist())["full"]
    values[puzzle.places[0]] = 0
    assert not judged(player, data, values.tolist())["full"]


def test_the_page_has_each_table_and_automaton_once():
    puzzle = Variant("9x9+non-consecutive+sandwich:left1:10+sandwich:left2:10")
    data = board_data(puzzle)
    assert len(data["tables"]) == len(data["automata"]) == 1
    assert data["margins"] == [0.9, 0, 0, 0]
    assert data["titles"]["de"] == ["Nicht aufeinanderfolgend", "Sandwich"]
    assert set(data["said"]) == {"en", "de"}


def test_constraints_are_called_by_house_mark_or_rule():
    puzzle = Variant("9x9+killer:r1c1r1c2:7+kropki:r1c4r1c5-r1c5r1c6+sandwich:left2:10")
    names = board_data(puzzle)["names"]
    for name in (
        "Row 1",
        "Box 5",
        "The cage of 7 at r1c1",
        "The white dot between r1c4 and r1c5",
        "The sandwich of 10 in row 2 from the left",
    ):
        assert name in names["en"]
    assert len(names["en"]) == len(names["de"]) == len(set(names["de"]))


WALKED = "...4.6..6.23.31.6.5.42313.264..45312+killer:r1c1r1c2:3+thermometer:r1c1r1c2r1c3"


def test_hints_lead_to_the_solution_over_the_positions_of_the_walk(player):
    puzzle = Variant(WALKED)
    record = Record(puzzle, puzzle.solution_text(unique_solution(puzzle)))
    played = PlayedPuzzle(record).to_dict()
    found = player("follow", page={"id": "0123abcd", "puzzles": [played]})
    assert found["finished"] is not None
    walk = walk_through(puzzle)
    positions = player("positions", puzzle=played)
    bits = 1 << np.arange(1, puzzle.size + 1)
    assert len(positions) == len(walk.steps) > 0
    for shown, taken in zip(positions, walk.steps, strict=True):
        assert shown["marks"] == (taken.position.candidates * bits).sum(axis=1).tolist()
    assert all(set(step["say"]) == {"en", "de"} for step in played["steps"])
