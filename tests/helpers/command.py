"""Commands, run in this process."""

from typer.testing import CliRunner

from nando.cli.app import app


def run(*arguments, stdin=None):
    return CliRunner().invoke(app, [str(argument) for argument in arguments], input=stdin)
