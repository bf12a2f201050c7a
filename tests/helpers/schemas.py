"""Check JSON output against its schema."""

import json
from functools import cache
from pathlib import Path

import jsonschema

from nando.games.results import are_results
from nando.schemas import load_schema

FILES = {"fit": {"time": "model", "order": "fill_order"}}
"""Schemas of the files of commands that write no rows, by their job."""

OWN = {"id", "input_grade"}
"""Columns of the tests' own files of puzzles, which commands keep."""


@cache
def validator(name):
    return jsonschema.Draft202012Validator(load_schema(name))


def check(name, value):
    """Fail unless a value obeys a schema that names its keys or allows others."""
    schema = load_schema(name)
    assert json.loads(json.dumps(value, allow_nan=False)) == value
    validator(name).validate(value)
    if schema.get("type") == "object" and "additionalProperties" not in schema:
        assert value.keys() <= schema["properties"].keys()
    return value


def check_written(arguments, found):
    """Check all JSON that a command has printed, or written to the file of its ``-o``.

    Any text that begins like JSON is checked, so that no command prints JSON without a schema.
    """
    command = arguments[0] if arguments else ""
    if command == "audit" and any(are_results(str(argument)) for argument in arguments):
        command = "audit_results"
    elif command == "audit" and "--by" in arguments:
        command = f"audit_{arguments[arguments.index('--by') + 1]}s"
    if found.exit_code not in (0, 1) or command == "schema" or "--help" in arguments:
        return
    for value in values_of(found.stdout, array=command == "convert"):
        check(command, value)
    for option in ("-o", "--output"):
        if option in arguments:
            check_file(command, arguments, Path(arguments[arguments.index(option) + 1]))


def values_of(text, *, array=False):
    """Return the objects of a JSON text: one, one per line, or a list; none of other text."""
    if not text.startswith(("{", "[{", "[\n")) and not (array and text.startswith("[")):
        return []
    try:
        value = json.loads(text)
    except ValueError:
        value = [json.loads(line) for line in text.splitlines()]
    else:
        value = value if isinstance(value, list) and not array else [value]
    return [
        {key: row[key] for key in row if key not in OWN} if isinstance(row, dict) else row
        for row in value
    ]


def check_file(command, arguments, path):
    if path.is_dir():
        for file in path.glob("*.json"):
            check("parts" if file.name == "_manifest.json" else "reproduction", read(file))
    elif command == "book":
        manifest = path.with_suffix(".json")
        if manifest.exists():  # a book made from a manifest writes none
            check("book", read(manifest))
    elif command in FILES:
        job = arguments[arguments.index("--job") + 1] if "--job" in arguments else "time"
        check(FILES[command][job], read(path))
    elif path.is_file() and path.suffix in (".json", ".jsonl"):
        for value in values_of(read_text(path), array=command == "convert"):
            check(command, value)


def read_text(path):
    return path.read_text(encoding="utf-8")


def read(path):
    return json.loads(read_text(path))
