"""Commands, run in this process."""

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
