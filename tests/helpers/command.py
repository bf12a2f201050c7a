"""Commands, run in this process."""

from typer.testing import CliRunner

from helpers.schemas import check_written
from nando.cli.app import app


def run(*arguments, stdin=None):
    """What a command did; JSON that it wrote is as its schema says."""
    arguments = [str(argument) for argument in arguments]
    found = CliRunner().invoke(app, arguments, input=stdin)
    check_written(arguments, found)
    return found
