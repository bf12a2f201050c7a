"""Records of puzzles in files."""

import json
from dataclasses import replace

import pytest
from helpers.samples.books import LARGE, NURIKABE, RECORDS, SMALL

from nando.generators.records import Record
from nando.puzzles import PuzzleError


@pytest.mark.parametrize(("predicted", "amount"), [(350.0, 6), (89.9, 1), (1.0, 1)])
def test_people_are_shown_whole_minutes(predicted, amount):
    assert replace(SMALL[0], predicted=predicted).amount == amount


@pytest.mark.parametrize("record", [RECORDS[0], LARGE[0], LARGE[-1], NURIKABE[0]])
def test_record_survives_a_file(record):
    assert record.to_dict()["givens"] == record.puzzle.n_givens
    record = replace(record, features={"dependency": 0.1})
    assert Record.from_row(record.to_dict()) == record
    assert Record.from_row(json.loads(json.dumps(record.to_dict()))) == record
    row = record.to_dict()
    as_text = {name: "" if value is None else str(value) for name, value in row.items()}
    assert Record.from_row(as_text) == record
    gaps = row | {"seed": 7.0, "low_seconds": float("nan"), "flags": "", "error": None}
    assert Record.from_row(gaps) == replace(record, low=None)


def test_record_of_a_bare_puzzle():
    record = Record.from_row({"puzzle": SMALL[0].puzzle.text, "reasons": "because", "line": 3})
    assert record == Record(SMALL[0].puzzle, SMALL[0].solution)


@pytest.mark.parametrize("record", [SMALL[0], *LARGE])
def test_bare_puzzle_is_solved(record):
    assert Record.from_row({"puzzle": record.puzzle.text}).solution == record.solution


def test_bad_rows_are_refused():
    row = SMALL[0].to_dict()
    with pytest.raises(ValueError, match="needs the column 'puzzle', got solution"):
        Record.from_row({"solution": row["solution"]})
    with pytest.raises(ValueError, match="predicted_seconds must be a number, got 'soon'"):
        Record.from_row(row | {"predicted_seconds": "soon"})
    with pytest.raises(ValueError, match=r"seed must be a whole number, got 1\.5"):
        Record.from_row(row | {"seed": 1.5})
    with pytest.raises(PuzzleError, match="several solutions"):
        Record.from_row({"puzzle": "." * 81})
