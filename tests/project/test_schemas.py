"""What commands write as JSON, and what objects give as plain values, is as the schemas say."""

import json
import re

import jsonschema
import numpy as np
import pytest
from helpers.command import run

import nando
from nando.cli.app import app
from nando.cli.commands import evaluate as _evaluate
from nando.cli.output import Destination
from nando.datasets import load_examples
from nando.evaluation import evaluate
from nando.features import SolverFeatures
from nando.rating import LinearRater
from nando.reproduction.core import Cell, Experiment, Findings, Published
from nando.schemas import SCHEMAS, load_schema

EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
HARD = "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3.."
LARGER = next(puzzle.text for puzzle in load_examples().puzzles if puzzle.order == 4)
SMALL = "3...2./....../.....8/....../...1.2/......"
SEVERAL = "." * 81
NO_ROWS = {
    "fit": "a model's file",
    "play": "a page; its logs are CSV",
    "schema": "a schema",
    "serve": "pages and an API, described by OpenAPI",
    "warmup": "nothing",
}


def check(name, value):
    """Fail unless a value is as a schema says, and the schema names its keys or allows others."""
    schema = load_schema(name)
    assert json.loads(json.dumps(value, allow_nan=False)) == value
    jsonschema.Draft202012Validator(schema).validate(value)
    if schema["type"] == "object" and "additionalProperties" not in schema:
        assert value.keys() <= schema["properties"].keys()
    return value


def rows_of(*arguments, stdin=None, exit_code=0):
    """The rows that a command writes on a pipe, checked."""
    found = run(*arguments, "--format", "json", stdin=stdin)
    assert found.exit_code == exit_code, found.output
    return [check(arguments[0], json.loads(line)) for line in found.stdout.splitlines()]


@pytest.mark.parametrize("name", SCHEMAS)
def test_schemas_are_schemas(name):
    schema = load_schema(name)
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert schema["$id"] == f"urn:nando:schema:{name}"
    if schema["type"] == "object":
        assert set(schema["required"]) <= set(schema["properties"])
        assert all("description" in one for one in schema["properties"].values())


def test_every_command_has_a_schema_or_writes_no_json():
    commands = {command.name or command.callback.__name__ for command in app.registered_commands}
    assert commands == set(SCHEMAS) ^ set(NO_ROWS)


def test_the_reference_lists_every_schema(request):
    page = (request.config.rootpath / "docs" / "reference.md").read_text(encoding="utf-8")
    table = page[page.index("| schema |") : page.index("automodule:: nando.schemas")]
    assert re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE) == list(SCHEMAS)


def test_a_schema_is_printed_and_an_unknown_one_is_told():
    assert run("schema").stdout.split() == list(SCHEMAS)
    assert json.loads(run("schema", "rate").stdout) == load_schema("rate")
    found = run("schema", "play")
    assert found.exit_code == 2
    assert "no schema 'play'; known: audit, book" in found.stderr


def test_a_check_fails_on_what_is_wrong():
    row = nando.rate(EASY).to_dict()
    for wrong in ({"grade": "hard"}, {"percentile": 101}, {"more": 1}, {"puzzle": None}):
        with pytest.raises((jsonschema.ValidationError, AssertionError)):
            check("rate", row | wrong)
    del row["high_seconds"]
    with pytest.raises(jsonschema.ValidationError):
        check("rate", row)


@pytest.mark.parametrize("puzzle", [EASY, HARD, LARGER, SMALL])
def test_rate(puzzle):
    (row,) = rows_of("rate", "-", stdin=puzzle)
    known = check("rate", nando.rate(puzzle).to_dict())
    assert row == known | {"line": 1, "error": None, "file": "-"}


def test_rows_of_bad_puzzles():
    lines = f"{EASY}\n{SEVERAL}\n11......."
    for command in ("rate", "solve", "features", "canonical", "explain"):
        rows = rows_of(command, "-", stdin=lines, exit_code=1)
        bad = [row for row in rows if row["error"] is not None]
        assert [row["line"] for row in bad] == [2, 3] if command != "canonical" else [3]
    assert rows_of("solve", "--count", "-", stdin=lines, exit_code=1)[1]["solutions"] == 2


@pytest.mark.parametrize("puzzle", [EASY, SMALL])
def test_features_solve_and_canonical(puzzle):
    rows_of("features", "-", stdin=puzzle)
    (row,) = rows_of("solve", "-", stdin=puzzle)
    assert row == nando.solve(puzzle).to_dict() | {"line": 1, "error": None, "file": "-"}
    rows_of("solve", "--method", "annealing", "--steps", 10, "-", stdin=puzzle)
    rows_of("solve", "--count", "-", stdin=puzzle)
    rows_of("canonical", "-", stdin=puzzle)


@pytest.mark.parametrize("puzzle", [EASY, HARD, SMALL])
def test_explain(puzzle):
    (row,) = rows_of("explain", "-", stdin=puzzle)
    known = json.loads(json.dumps(nando.explain(puzzle).to_dict()))
    assert row.items() >= check("explain", known).items()


def test_every_step():
    (row,) = rows_of("explain", "--all", "--only", "singles", "-", stdin=EASY)
    known = json.loads(json.dumps(nando.list_steps(EASY, only=["singles"]).to_dict()))
    assert row.items() >= check("explain", known).items()


def test_generate():
    (row,) = rows_of("generate", "--target", "8min", "--seed", 7)
    record = nando.generate(minutes=8, seed=7)
    assert row == check("generate", record.to_dict())
    rows_of("generate", "--no-rating")
    rows_of("generate", "--puzzle", "nurikabe", "--size", "5x5", "--target", "20points")


def test_the_manifest_of_a_book(tmp_path):
    book = tmp_path / "book.html"
    assert run("book", "--grades", "easy:2", "--seed", 7, "-o", book).exit_code == 0
    check("book", json.loads(book.with_suffix(".json").read_text(encoding="utf-8")))


@pytest.mark.parametrize("puzzle", [EASY, SMALL])
def test_order(puzzle):
    assert rows_of("order", "--runs", 3, puzzle)


def test_audit(request):
    games = request.config.rootpath / "examples" / "games.csv"
    assert len(rows_of("audit", games)) == 10


def test_convert():
    for puzzle in (EASY, SMALL, "3...?./....../.....8/....../...1.2/......"):
        found = run("convert", "--to", "json", "-", stdin=puzzle)
        assert check("convert", json.loads(found.stdout)), found.output


def test_datasets():
    assert rows_of("datasets")


def test_evaluate(tmp_path):
    puzzles = [puzzle for puzzle in load_examples().puzzles if puzzle.order == 3]
    found = evaluate(
        puzzles,
        [1000.0 - 20 * puzzle.n_givens for puzzle in puzzles],
        models={"givens": LinearRater(("givens",), n_splits=3)},
        features=SolverFeatures(groups=["givens"]),
        n_splits=3,
        repeats=2,
        n_bootstrap=20,
    )
    output = tmp_path / "scores.json"
    Destination(output).write_table(found.table().to_dict("records"))
    scores = json.loads(output.read_text(encoding="utf-8"))
    part = dict.fromkeys(("part", "subject", "metric"), "name")
    Destination(output).write(
        _evaluate._METRICS, [part | {"value": 0.5, "low_95": None, "high_95": None}]
    )
    assert scores
    for row in scores + json.loads(output.read_text(encoding="utf-8")):
        check("evaluate", row)


def test_reproduce(monkeypatch):
    def measure(settings):
        del settings
        cells = [
            Cell("row", "column", Published.near(0.5, 0.5), np.float64(0.4), 0.1),
            Cell("row", "open", Published(None, 2.0), 1.0),
            Cell("row", "gone", Published.lost("never published", 7.0)),
        ]
        return Findings("nothing", cells, [])

    one = Experiment("a", "A paper, table 1", "A number.", measure)
    monkeypatch.setattr("nando.reproduction.registry.EXPERIMENTS", (one,))
    assert len(rows_of("reproduce", "a")) == 3
