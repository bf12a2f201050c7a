"""Records of options are expanded into single ones, and every option has help."""

import inspect
from dataclasses import dataclass
from typing import Annotated

import typer
from typer.testing import CliRunner

from nando.cli.app import COMMANDS
from nando.cli.options import expand, list_changed
from nando.records import between, setting


@dataclass(frozen=True)
class Size:
    """Options of a size."""

    width: Annotated[int, typer.Option(help="Columns.")] = 9
    height: int = setting(9, between(1, 30), about="Rows.", named="rows")


@dataclass(frozen=True)
class Box(Size):
    """Options of a box."""

    is_open: Annotated[bool, typer.Option("--open")] = False


PLAIN = Box()


def draw(name: str, box: Box = PLAIN, times: int = 1) -> int:
    """Draw a box."""
    print(name, box, times)
    return 0


def test_a_record_stands_for_its_fields():
    names = list(inspect.signature(expand(draw)).parameters)
    assert names == ["name", "width", "height", "is_open", "times"]


def test_typer_fills_the_record():
    app = typer.Typer()
    app.command()(expand(draw))
    result = CliRunner().invoke(app, ["one", "--width", "4", "--open", "--times", "2"])
    assert result.output == "one Box(width=4, height=9, is_open=True) 2\n"
    assert (
        CliRunner().invoke(app, ["one"]).output == "one Box(width=9, height=9, is_open=False) 1\n"
    )
    assert CliRunner().invoke(app, ["one", "--rows", "31"]).exit_code == 2
    shown = CliRunner().invoke(app, ["--help"]).output
    assert all(text in shown for text in ("Columns.", "--rows", "1<=x<=30", "Rows."))


def test_changed_options_are_listed():
    assert list_changed(Box()) == []
    assert list_changed(Box(height=4, is_open=True)) == ["height", "is_open"]


def test_every_option_has_help():
    for command in (command for commands in COMMANDS.values() for command in commands):
        for name, parameter in inspect.signature(expand(command)).parameters.items():
            if parameter.annotation is not typer.Context:
                assert parameter.annotation.__metadata__[0].help, (command.__name__, name)
