"""JSON output, and results as plain values, follow the schemas."""

import ast
import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal, NamedTuple, NotRequired, TypedDict

import jsonschema
import pytest
from helpers.command import records, run
from helpers.samples.sudokus import EXAMPLES, LINE, NINES, SIXTEEN
from helpers.schemas import check, check_written

import nando
from nando.cli.app import app
from nando.cli.output import Destination, Layout, columns_of
from nando.cli.parts import Manifest, Part
from nando.evaluation import evaluate
from nando.games import load_fill_order, read_games
from nando.games.people.population import file_of
from nando.rating import PersonModel, load_model
from nando.records import between, setting
from nando.schemas import SCHEMAS, load_schema
from nando.schemas.schema import Keywords, describe, schema_of, types_of

ROOT = Path(__file__).resolve().parent.parent.parent
HARD = "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3.."
LARGER = SIXTEEN.text
SMALL = "3...2./....../.....8/....../...1.2/......"
VARIANT = "...............1+killer:r2c1r3c1:5+killer:r3c2r4c2:4+thermometer:r1c1r1c2r1c3r1c4"
CHAINS = (
    "..43...6............27....3.....8..6...................1....2..35.....9.....9....+anti-knight"
)
SEVERAL = "." * 81
NO_ROWS = {
    "fit": "a model's file",
    "play": "a page; its logs are CSV",
    "schema": "a schema",
    "serve": "pages and an API, described by OpenAPI",
    "warmup": "nothing",
}
FILES = {
    *("audit_players", "audit_results", "fill_order", "model", "parts", "persons"),
    "reproduction",
}
"""Schemas of files that commands write beside rows, or that Python writes."""
WRITERS = {
    "cli/": "the rows of every command",
    "books/": "book",
    "drawing/": "data of a page, for its own script",
    "kernels/": "a cache of compiled code",
    "play/": "data of a page, for its own script",
    "puzzles/formats/": "convert, or another program's",
    "rating/": "fill_order, model and persons, or an identity to be hashed",
    "reproduction/": "reproduction",
    "serve/": "the API, described by OpenAPI, or the server's own",
}
"""Every package that writes JSON, and what describes it."""


class Ended(NamedTuple):
    """A command that has ended."""

    stdout: str
    exit_code: int


@pytest.mark.parametrize("name", SCHEMAS)
def test_schemas_are_schemas_and_every_property_has_a_description(name):
    schema = load_schema(name)
    jsonschema.Draft202012Validator.check_schema(schema)
    assert re.fullmatch(rf"urn:nando:schema:{name}:[1-9]\d*", schema["$id"])
    assert schema["title"]
    assert schema["description"]
    for one in objects_in(schema):
        assert all("description" in each for each in one["properties"].values() if each)


def objects_in(schema):
    """Yield the schemas of objects in a schema, and itself if it is one."""
    if isinstance(schema, dict) and isinstance(schema.get("properties"), dict):
        yield schema
    for part in schema.values() if isinstance(schema, dict) else schema:
        if isinstance(part, dict | list):
            yield from objects_in(part)


class Inner(TypedDict):
    """An inner row."""

    cell: Annotated[str, Keywords(pattern="^r")]
    """The cell, on
    two lines."""
    more: NotRequired[Literal["a"]]


@describe("outer", minProperties=1)
class Outer(Inner):
    """An outer row.

    And more.
    """

    inner: list[Inner] | None
    pair: tuple[int, bool]
    name: Literal["a", "b"] | None
    number: int | str
    counts: dict[str, Annotated[float, "A count."]]


@dataclass
class Kept:
    """Kept.

    Attributes
    ----------
    first, last_ : float
        The first and
        the last.
    """

    first: Annotated[float, between(0)]
    last_: float
    pages_: int = setting(4, between(1, 9), about="Number of pages.")


def test_a_schema_follows_from_a_class():
    cell = {"type": "string", "pattern": "^r", "description": "The cell, on two lines."}
    inner = {
        "type": "object",
        "description": "An inner row.",
        "properties": {"cell": cell, "more": {"type": "string", "const": "a"}},
        "required": ["cell"],
    }
    pair = [{"type": "integer"}, {"type": "boolean"}]
    count = {"type": "number", "description": "A count."}
    own = {
        "inner": {"type": ["array", "null"], "items": inner | {"additionalProperties": False}},
        "pair": {"type": "array", "prefixItems": pair, "minItems": 2, "maxItems": 2},
        "name": {"type": ["string", "null"], "enum": ["a", "b", None]},
        "number": {"anyOf": [{"type": "integer"}, {"type": "string"}]},
        "counts": {"type": "object", "additionalProperties": count},
    }
    assert schema_of(Outer) == inner | {
        "description": "An outer row.",
        "properties": inner["properties"] | own,
        "required": ["cell", *own],
        "minProperties": 1,
    }
    pages = {"type": "integer", "minimum": 1, "maximum": 9, "description": "Number of pages."}
    last = {"type": "number", "description": "The first and the last."}
    first = last | {"minimum": 0}
    assert schema_of(Kept)["properties"] == {"first": first, "last": last, "pages": pages}
    assert schema_of(Kept)["required"] == ["first", "last"]
    types = {"cell": str, "more": str, "inner": list, "pair": tuple, "name": str, "number": int}
    assert types_of("outer") == types | {"counts": dict}


def test_every_command_has_a_schema_or_writes_no_json():
    commands = {command.name or command.callback.__name__ for command in app.registered_commands}
    assert commands == (set(SCHEMAS) - FILES) ^ set(NO_ROWS)


def test_every_writer_of_json_is_described():
    writers = set()
    for path in (ROOT / "nando").glob("**/*.py"):
        text = path.read_text(encoding="utf-8")
        if "json" not in text:
            continue  # parsing takes longer than reading
        nodes = ast.walk(ast.parse(text))
        called = {n.func.attr for n in nodes if isinstance(n, ast.Call) and _is_json(n.func)}
        if called & {"dump", "dumps"}:
            writers.add(path.relative_to(ROOT / "nando").as_posix())
    describe = {name: [writer for writer in writers if writer.startswith(name)] for name in WRITERS}
    assert all(describe.values())
    assert writers == {writer for some in describe.values() for writer in some}


def _is_json(func):
    return isinstance(func, ast.Attribute) and getattr(func.value, "id", "") == "json"


def test_a_command_that_writes_what_no_schema_describes_is_noticed(monkeypatch, tmp_path):
    row = {"puzzle": LINE, "canonical": LINE, "line": 1, "error": None, "file": "-"}
    for text in (json.dumps(row | {"more": 1}), f"[{json.dumps(row | {'canonical': 1})}]"):
        with pytest.raises((jsonschema.ValidationError, AssertionError)):
            check_written(["canonical", "-"], Ended(text, 0))
        (tmp_path / "rows.json").write_text(text)
        with pytest.raises((jsonschema.ValidationError, AssertionError)):
            check_written(["canonical", "-o", str(tmp_path / "rows.json")], Ended("", 0))
    with pytest.raises(ValueError, match="no schema 'play'"):
        check_written(["play"], Ended("{}", 0))
    check_written(["canonical", "-"], Ended(json.dumps(row), 0))


def test_the_reference_lists_every_schema(request):
    page = (request.config.rootpath / "docs" / "reference" / "schemas.md").read_text(
        encoding="utf-8"
    )
    table = page[page.index("| schema |") : page.index("automodule:: nando.schemas")]
    assert re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE) == list(SCHEMAS)


def test_a_schema_is_printed():
    assert run("schema").stdout.split() == list(SCHEMAS)
    assert json.loads(run("schema", "rate").stdout) == load_schema("rate")


@pytest.mark.parametrize("puzzle", [LINE, SMALL])
@pytest.mark.parametrize("command", ["features --runs 1", "order --runs 3"])
def test_rows(command, puzzle):
    assert records(*command.split(), puzzle)


def test_rows_without_puzzles():
    assert records("datasets")


@pytest.mark.parametrize("puzzle", [LINE, HARD, LARGER, SMALL])
def test_rate(puzzle):
    (row,) = records("rate", "-", stdin=puzzle)
    known = check("rate", nando.rate(puzzle).to_dict())
    assert row == known | {"line": 1, "error": None, "file": "-"}


@pytest.mark.parametrize(
    "puzzle",
    [
        *(LINE, LARGER, SMALL, VARIANT),
        *(pytest.param(text, marks=pytest.mark.thorough) for text in (HARD, CHAINS)),
    ],
)
def test_explain(puzzle):
    (row,) = records("explain", "-", stdin=puzzle)
    known = json.loads(json.dumps(nando.explain(puzzle).to_dict()))
    assert row == check("explain", known) | {"line": 1, "error": None, "file": "-"}


@pytest.mark.thorough
@pytest.mark.parametrize("puzzle", [LINE, HARD, SMALL, VARIANT])
def test_every_step(puzzle):
    (row,) = records("explain", "--all", "-", stdin=puzzle)
    known = json.loads(json.dumps(nando.list_steps(puzzle).to_dict()))
    assert row == check("explain", known) | {"line": 1, "error": None, "file": "-"}
    assert len(row["steps"]) > 1


def test_a_walk_is_no_list_and_a_step_has_what_its_kind_has():
    (row,) = records("explain", "-", stdin=LINE)
    (listed,) = records("explain", "--all", "--only", "singles", "-", stdin=LINE)
    step, link = row["steps"][0], [["r1c1", 1, True, "r1c2", 1]]
    for wrong in (
        {**row, "blanks": 3},
        {**row, "more": [1]},
        {**listed, "solved": True},
        {key: value for key, value in row.items() if key != "se_rating"},
        {**row, "steps": [{**step, "colour": "white"}]},
        {**row, "steps": [{**step, "links": link}]},
        {**row, "steps": [{**step, "placement": ["r1", 4]}]},
    ):
        with pytest.raises(jsonschema.ValidationError):
            check("explain", wrong)


def test_generate():
    (row,) = records("generate", "--target", "8min", "--seed", 7)
    record = nando.generate(minutes=8, seed=7)
    assert row == check("generate", record.to_dict())
    records("generate", "--no-rating")
    records("generate", "--kind", "nurikabe", "--size", "5x5", "--target", "1min")


def test_the_manifest_of_parts(tmp_path):
    bank = tmp_path / "bank"
    bank.mkdir()
    for name, text in (("a.txt", LINE), ("b.txt", f"{HARD}\n{SEVERAL}")):
        (bank / name).write_text(text)
    assert run("rate", bank, "-o", tmp_path / "rated").exit_code == 1
    manifest = json.loads((tmp_path / "rated" / "_manifest.json").read_text())
    assert [part["bad"] for part in check("parts", manifest)["parts"]] == [0, 1]
    left = Manifest(tmp_path / "left", manifest["settings"], [Part("a.txt")], False)
    (part,) = check("parts", json.loads((left.folder / "_manifest.json").read_text()))["parts"]
    assert part["rows"] is part["sha256"] is None
    for wrong in ({"sha256": "abc"}, {"rows": -1}, {"name": "../part-00000.parquet"}):
        with pytest.raises(jsonschema.ValidationError):
            check("parts", manifest | {"parts": [part | wrong]})


@pytest.mark.parametrize("name", ["crowds", "nurikabe_looks", "variant_looks"])
def test_models(name):
    path = ROOT / "nando" / "models" / f"{name}.json"
    model = check("model", json.loads(path.read_text(encoding="utf-8")))
    with pytest.raises(jsonschema.ValidationError):
        check("model", {key: value for key, value in model.items() if key != "features"})


@pytest.mark.parametrize("kind", ["sudoku", "nurikabe", "variant"])
def test_models_of_fill_orders(kind):
    path = file_of(None, kind)
    model = check("fill_order", json.loads(path.read_text(encoding="utf-8")))
    assert ("audit" in model) == (kind == "sudoku")


def test_a_model_of_the_fill_orders_of_a_player():
    log = read_games(ROOT / "examples" / "games.csv")
    check("fill_order", json.loads(load_fill_order().given(log.games[:1]).to_json()))


def test_a_model_of_persons():
    puzzles = EXAMPLES[:6]
    rows = [
        {"player": f"p{i}", "puzzle": puzzle, "seconds": 100.0 + 30 * i + 20 * j + (i * j) % 3}
        for i in range(4)
        for j, puzzle in enumerate(puzzles)
    ]
    z = {puzzle.text: 4.0 + 0.1 * j for j, puzzle in enumerate(puzzles)}
    check("persons", json.loads(PersonModel().fit(rows, z).to_json()))


def test_a_model_of_one_person():
    puzzles = EXAMPLES[:6]
    rater = load_model().fit_person(puzzles, 2 * load_model().predict(puzzles))
    record = check("model", json.loads(rater.to_json()))
    with pytest.raises(jsonschema.ValidationError):
        check("model", record | {"pace": record["pace"] | {"noise": 0.0}})


@pytest.mark.thorough
def test_evaluate(tmp_path):
    found = evaluate(
        NINES,
        [1000.0 - 20 * puzzle.n_givens for puzzle in NINES],
        models={"givens": ("givens",)},
        n_splits=3,
        repeats=2,
        n_bootstrap=20,
    )
    output = tmp_path / "scores.json"
    Destination(output).write(Layout(columns_of("evaluate")), found.rows)
    scores = json.loads(output.read_text(encoding="utf-8"))
    assert {row["low_95"] is None for row in scores} == {True, False}
    for row in scores:
        check("evaluate", row)
