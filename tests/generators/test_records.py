"""Records of puzzles: what is kept of them in files."""

import json
from dataclasses import replace

import pytest
from helpers.books import LARGE, RECORDS, SMALL

from nando.generators.records import GRADES, Record
from nando.puzzles import PuzzleError
from nando.rating import GRADES as RATING_GRADES


def test_grades_are_those_of_the_rating():
    assert GRADES == RATING_GRADES


def test_stars():
    assert [replace(SMALL[0], grade=grade).stars for grade in (*GRADES, "", "other")] == [
        *(1, 2, 3, 4, 5),
        *(0, 0),
    ]


@pytest.mark.parametrize("record", [RECORDS[0], LARGE[0], LARGE[-1]])
def test_record_survives_a_file(record):
    assert record.row()["givens"] == record.puzzle.n_givens
    record = replace(record, features={"dependency": 0.1})
    assert Record.from_row(record.row()) == record
    assert Record.from_row(json.loads(json.dumps(record.row()))) == record
    as_text = {name: "" if value is None else str(value) for name, value in record.row().items()}
    assert Record.from_row(as_text) == record
    gaps = record.row() | {"seed": 7.0, "low_seconds": float("nan"), "flags": "", "error": None}
    assert Record.from_row(gaps) == replace(record, low=None)


def test_record_of_a_bare_puzzle():
    record = Record.from_row({"puzzle": SMALL[0].puzzle.text, "reasons": "because", "line": 3})
    assert record == Record(SMALL[0].puzzle, SMALL[0].solution)


@pytest.mark.parametrize("record", [SMALL[0], *LARGE])
def test_bare_puzzle_is_solved(record):
    assert Record.from_row({"puzzle": record.puzzle.text}).solution == record.solution


def test_bad_rows_are_refused():
    row = SMALL[0].row()
    with pytest.raises(ValueError, match="needs the column 'puzzle', got solution"):
        Record.from_row({"solution": row["solution"]})
    with pytest.raises(ValueError, match="predicted_seconds must be a number, got 'soon'"):
        Record.from_row(row | {"predicted_seconds": "soon"})
    with pytest.raises(ValueError, match=r"seed must be a whole number, got 1\.5"):
        Record.from_row(row | {"seed": 1.5})
    with pytest.raises(PuzzleError, match="several solutions"):
        Record.from_row({"puzzle": "." * 81})
