"""Variants on the page: its board, its conflicts and candidates against a slow model."""

import json
from itertools import product

import numpy as np
import pytest
from helpers.oracles.variants import fits
from helpers.samples.variant_samples import TEXTS

from nando.drawing.rules.scene import DRAWINGS
from nando.generators import Record
from nando.play import PlayedPuzzle
from nando.play.puzzle import find_kind
from nando.play.variants import _marks, _names
from nando.puzzles import Variant
from nando.puzzles.boards.constraints import AllDifferent, Candidates, Pattern, Relation, Sum
from nando.puzzles.rules import Boxes
from nando.solvers import unique_solution
from nando.solvers.logic import walk_through
from nando.solvers.logic.language import LANGUAGES, words_for
from nando.solvers.logic.marks import PencilMarks
from nando.solvers.logic.wording.names import Names


def data_of(puzzle):
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
    board = data_of(puzzle)
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
    data = json.loads(json.dumps(data_of(puzzle)))
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
    said = judged(player, data_of(puzzle), [0] * puzzle.givens.size)["candidates"]
    bits = 1 << np.arange(1, puzzle.size + 1)
    assert said == (marks.candidates * bits).sum(axis=1).tolist()


def test_a_board_of_several_grids_is_full_without_its_gaps(player):
    puzzle = Variant("9x9+samurai")
    data = data_of(puzzle)
    assert len(data["gaps"]) == 21 * 21 - len(puzzle.board.cells) == 72
    values = np.zeros(21 * 21, int)
    values[puzzle.places] = 1
    assert judged(player, data, values.tolist())["full"]
    values[puzzle.places[0]] = 0
    assert not judged(player, data, values.tolist())["full"]


def test_the_page_has_each_table_and_automaton_once():
    puzzle = Variant("9x9+non-consecutive+sandwich:left1:10+sandwich:left2:10")
    data = data_of(puzzle)
    assert len(data["tables"]) == len(data["automata"]) == 1
    assert data["margins"] == [0.9, 0, 0, 0]
    assert data["titles"]["de"] == ["Nicht aufeinanderfolgend", "Sandwich"]
    assert set(data["said"]) == {"en", "de"}


def test_constraints_are_called_by_house_mark_or_rule():
    puzzle = Variant("9x9+killer:r1c1r1c2:7+kropki:r1c4r1c5-r1c5r1c6+sandwich:left2:10")
    names = data_of(puzzle)["names"]
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
