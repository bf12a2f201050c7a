"""Faults of rules and conflicts with givens: one sentence with the rule and its cells."""

from pathlib import Path

import pytest
from helpers.consoles import commands_of
from helpers.oracles.variants import latin_squares
from hypothesis import given, settings
from hypothesis import strategies as st

from nando.puzzles import FaultKind, PuzzleError, Variant

FAULTS = (Path(__file__).parent / "samples" / "faults.txt").read_text(encoding="utf-8")
"""Each text of a variant with what is wrong with it."""


@pytest.mark.parametrize(("text", "message"), [*commands_of(FAULTS)])
def test_faults_of_a_rule(text, message):
    with pytest.raises(PuzzleError) as caught:
        Variant(text)
    assert message.strip() in str(caught.value)
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
@settings(max_examples=60, deadline=None)
def test_no_conflict_is_false(rules, digits):
    """Where a conflict is reported, no full board keeps the givens and obeys the rules."""
    puzzle = Variant("+".join(["".join(digits) + "." * 8, *rules]))
    if puzzle.status().valid:
        return
    assert not any(puzzle.is_solution(sum(board, ())) for board in latin_squares(4))
