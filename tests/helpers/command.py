"""Commands, run in this process."""

import csv
import io
import json
from functools import cache

from typer import testing

from helpers.schemas import check_written
from nando.cli.app import app

# Built once, because looking up the parameters of all commands takes long.
testing._get_command = cache(testing._get_command)


def run(*arguments, stdin=None):
    """Run a command, check its JSON against its schema, and return the result."""
    arguments = [str(argument) for argument in arguments]
    found = testing.CliRunner().invoke(app, arguments, input=stdin)
    check_written(arguments, found)
    return found


def rows_of(text):
    """Return the rows of a CSV text."""
    return list(csv.DictReader(io.StringIO(text)))


def rows(*arguments, stdin=None, exit_code=0):
    """Run a command and return the rows that it writes as CSV."""
    found = run(*arguments, "-f", "csv", stdin=stdin)
    assert found.exit_code == exit_code, found.output
    return rows_of(found.stdout)


def records(*arguments, stdin=None, exit_code=0):
    """Run a command and return the objects that it writes as lines of JSON."""
    found = run(*arguments, "-f", "jsonl", stdin=stdin)
    assert found.exit_code == exit_code, found.output
    return [json.loads(line) for line in found.stdout.splitlines()]
