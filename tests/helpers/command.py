"""Commands, run in this process."""

from functools import cache

from typer import testing

from helpers.schemas import check_written
from nando.cli.app import app

# Otherwise the parameters of all commands are looked up for each that is run.
testing._get_command = cache(testing._get_command)


def run(*arguments, stdin=None):
    """What a command did; JSON that it wrote is as its schema says."""
    arguments = [str(argument) for argument in arguments]
    found = testing.CliRunner().invoke(app, arguments, input=stdin)
    check_written(arguments, found)
    return found
