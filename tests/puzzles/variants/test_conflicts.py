"""Faults of rules and conflicts with givens: one sentence with the rule and its cells."""

import pytest
from helpers.oracles.variants import latin_squares
from hypothesis import given, settings
from hypothesis import strategies as st

from nando.puzzles import FaultKind, PuzzleError, Variant


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("4x4+regions:1111222233334445", "the region of r4c1 has 3 cells, wanted 4"),
        ("4x4+regions:111122223333444", "regions: 15 symbols; wanted one for each cell"),
        ("9x9+killer:r1c9r1c10:5", "killer r1c9r1c10 lies outside the board: r1c10"),
        ("9x9+nabner:r1c1r1c2r1c3r1c4r1c5r1c6", "has 6 cells, more than 5"),
        ("9x9+lockout:r1c1r1c2r2c1r1c1", "needs two different ends"),
        ("9x9+double-arrow:r1c1r1c2", "needs two circles and a cell between them"),
        ("9x9+entropic:r1c1r1c2r1c1", "turns back to a cell"),
        (
            "9x9+sum-line:r1c1r1c2:19",
            "the sum 19 of sum-line r1c1r1c2 is impossible: it is 1 to 18",
        ),
        ("9x9+sum-line:r1c1r1c2r2c1r1c1:18", "is too large for a closed line: a pattern must"),
        ("9x9+lunchbox:r1c1r1c2r1c3:9", "the sum 9 of lunchbox r1c1r1c2r1c3 is impossible"),
        ("9x9+lunchbox:r1c1r1c2r1c1:3", "needs 2 to 9 different cells, got 3"),
        ("9x9+rellik:r1c1r1c2:19", "needs no rule to avoid the sum 19"),
        ("16x16+rellik:r1c1r1c2r1c3:40", "the sum 40 of rellik r1c1r1c2r1c3 is too large"),
        ("9x9+equal-sums:r1c1r1c2", "needs two groups of cells or more"),
        ("9x9+look-and-say:r1c1r1c2:1-2-3", "wants pairs of a count and a digit"),
        ("9x9+look-and-say:r1c1r1c2:3-3", "has 2 cells, fewer than the 3 digits it says"),
        ("4x4+counting-circles:r1c1r1c2r1c3r1c4r2c1r2c2r2c3r2c4r3c1r3c2r3c3", "more than 10"),
        ("4x4+no-boxes+box-indexing:r1c1", "box-indexing needs boxes or regions"),
        ("9x9+killer:r1c1r1c2:2", "the sum 2 of killer r1c1r1c2 is impossible: 2 cells sum to 3"),
        ("9x9+killer:r1c1r1c1:4", "killer r1c1r1c1 names a cell twice"),
        ("4x4+thermometer:r1c1r1c2r1c3r1c4r2c4", "has 5 cells, more than the 4 digits"),
        ("9x9+arrow:r1c1:r1c2r1c4", "arrow r1c1r1c2r1c4 jumps from r1c2 to r1c4"),
        ("9x9+sandwich:left1:36", "sandwich 36 at left1 is impossible: the number is 0 to 35"),
        ("9x9+x-sums:left1:46", "x-sums 46 at left1 is impossible: the number is 1 to 45"),
        ("9x9+skyscraper:top9:0", "skyscraper 0 at top9 is impossible: the number is 1 to 9"),
        ("9x9+frame-sum:left1:5", "frame-sum 5 at left1 is impossible: the number is 6 to 24"),
        ("30x30", "a grid must have 1 to 25 digits, got 30"),
        ("26x26+digits:0-25", "a grid must have 1 to 25 digits, got 26"),
        ("9x9+digits:0-08", "digits must be 0-8 or 1-9, as many as a row"),
        ("9x9+digits:1-8", "digits must be 0-8 or 1-9, as many as a row"),
        ("9x9+digits:0-25", "or more, for example 0-9; got '0-25'"),
        ("9x9+digits:0-9+sandwich:left1:5", "sandwich needs rows with all 10 digits, got 9 cells"),
        ("4x4+digits:0-3+indexing:r1c1", "indexing needs digits from 1, which name places"),
        ("4x4+digits:0-3+killer:r1c1r1c2:0", "the sum 0 of killer r1c1r1c2 is impossible"),
        ("9x9+numbered-room:left1:12", "is impossible: the number is 1 to 9"),
        ("9x9+sandwich:left12:5", "names left12, which is no line of the board"),
        ("9x9+difference:r1c1r1c2:9", "no two digits from 1 to 9 fit the mark of difference at"),
        ("4x4+xv:r1c1r1c2", "no two digits from 1 to 4 fit the mark of xv at r1c1r1c2"),
        ("9x9+kropki:r1c1r1c3", "lies between two cells that share an edge, got r1c1r1c3"),
        ("9x9+clone:r1c1:r2c1r3c1", "has 1 cells and 2 copies"),
        ("5x5+boxes:2:2", "do not hold 5 digits"),
        ("9x9+odd:", "odd: cells must be written as r1c1r1c2"),
        ("9x9+killer:r1c1:2:often", "killer: 'often' is not part of it; wanted killer:"),
    ],
)
def test_faults_of_a_rule(text, message):
    with pytest.raises(PuzzleError) as caught:
        Variant(text)
    assert message in str(caught.value)
    assert caught.value.status.kinds == {FaultKind.WRONG_RULE}


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ({"rule": "odd", "cells": []}, "odd names no cells"),
        ({"rule": "regions", "regions": [["r1c1"], []]}, "a region has 0 cells, wanted 9"),
        ({"rule": "clone", "cells": [], "copies": []}, "clone names no cells"),
        ({"rule": "regions", "regions": [["r1c1", "r1c1"]]}, "regions overlap at r1c1"),
        ({"rule": "odd", "cells": ["r0c1"]}, "odd r0c1 lies outside the board: r0c1"),
    ],
)
def test_faults_of_rules_in_json(record, message):
    with pytest.raises(PuzzleError) as caught:
        Variant.from_json({"givens": "9x9", "rules": [record]})
    assert message in str(caught.value)


def givens(**digits):
    places = {(int(name[1]) - 1) * 9 + int(name[3]) - 1: str(d) for name, d in digits.items()}
    return "".join(places.get(i, ".") for i in range(81))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("9x9+odd:r1c1+even:r1c1", "no digit is left for r1c1: odd r1c1 and even r1c1"),
        (
            givens(r1c1=5) + "+kropki:black=r1c1r1c2",
            "no digit is left for r1c2: kropki r1c1r1c2 with 5 at r1c1",
        ),
        (
            givens(r1c1=5) + "+non-consecutive+difference:r1c1r1c2",
            "no digit is left for r1c2: non-consecutive and difference r1c1r1c2 with 5 at r1c1",
        ),
        (
            givens(r1c2=5) + "+odd:r1c1+difference:r1c1r1c2:2+candidates:r1c1:2-4",
            "no digit is left for r1c1: difference r1c1r1c2 and candidates r1c1 with 5 at r1c2",
        ),
        (
            givens(r1c1=2) + "+thermometer:r2c3r2c2r1c1",
            "no digit is left for r2c3: thermometer r2c3r2c2r1c1 with 2 at r1c1",
        ),
        (givens(r1c1=5) + "+killer:r1c1r1c2:5", "conflicting givens: 5 at r1c1 (killer r1c1r1c2)"),
        (
            givens(r1c1=5, r1c2=6) + "+arrow:r3c3:r2c3r1c2r1c1",
            "conflicting givens: 6 at r1c2 and 5 at r1c1 (arrow r3c3r2c3r1c2...)",
        ),
        (givens(r1c1=1, r2c2=1) + "+diagonals", "conflicting givens: 1 at r1c1 and 1 at r2c2"),
        (
            givens(r1c1=9, r1c2=1, r1c3=2) + "+killer:r1c1r1c2r1c3:13",
            "conflicting givens: 9 at r1c1 and 1 at r1c2 and 2 at r1c3 (killer r1c1r1c2r1c3)",
        ),
    ],
)
def test_conflicts(text, message):
    status = Variant(text).status()
    assert message in str(status)
    assert all(fault.cells for fault in status.faults)


RULES = ("odd:r1c1r2c2", "killer:r1c1r1c2:5", "kropki:r1c1r1c2:r2c1r3c1", "thermometer:r2c1r1c1")
RULES += ("greater:r1c3r1c4", "diagonals", "skyscraper:left1:2", "even:r1c1")


@given(
    rules=st.lists(st.sampled_from(RULES), max_size=3, unique=True),
    digits=st.lists(st.sampled_from("......1234"), min_size=8, max_size=8),
)
@settings(max_examples=25, deadline=None)
def test_no_conflict_is_false(rules, digits):
    """Where a conflict is reported, no full board keeps the givens and obeys the rules."""
    puzzle = Variant("+".join(["".join(digits) + "." * 8, *rules]))
    if puzzle.status().valid:
        return
    assert not any(puzzle.is_solution(sum(board, ())) for board in latin_squares(4))
