"""The program: its commands in the order of the help, and the handling of their errors.

Commands import what they need when they run, so that the help is fast.
"""

import errno
import functools
import os
import sys
from collections.abc import Callable
from typing import Annotated, ParamSpec

import typer

from nando import __version__
from nando.checks import in_range
from nando.cli.commands.audit import audit
from nando.cli.commands.book import book
from nando.cli.commands.check import check
from nando.cli.commands.data import datasets, features, schema
from nando.cli.commands.evaluate import evaluate
from nando.cli.commands.explain import explain
from nando.cli.commands.fit import fit
from nando.cli.commands.generate import generate
from nando.cli.commands.order import order
from nando.cli.commands.play import play
from nando.cli.commands.puzzles import canonical, convert, solve
from nando.cli.commands.rate import rate
from nando.cli.commands.reproduce import reproduce
from nando.cli.commands.serve import serve
from nando.cli.commands.warmup import warmup
from nando.cli.options import expand

P = ParamSpec("P")

COMMANDS: dict[str, tuple[Callable[..., int], ...]] = {
    "Puzzles": (rate, solve, explain, canonical, convert),
    "Making": (generate, book, check),
    "Games": (play, serve, order, audit),
    "Research": (features, fit, evaluate, reproduce, datasets),
    "The program": (schema, warmup),
}
"""The commands by subject."""

app = typer.Typer(
    help="How hard is a logic puzzle for people? Rate it, explain it, make others like it.",
    epilog="Exit status: 0 on success, 1 if a puzzle was bad, 2 for unusable input, "
    "130 after Ctrl-C.",
    no_args_is_help=True,
    pretty_exceptions_show_locals=False,
    context_settings={
        "help_option_names": ["-h", "--help"],
        # Up to 0.1, --kind was called --puzzle; scripts may still use it.
        "token_normalize_func": lambda token: "kind" if token == "puzzle" else token,
    },
)


def _drop_output() -> None:
    """Point standard output at nothing after its reader has gone."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _guard(command: Callable[P, int]) -> Callable[P, None]:
    """Wrap a command so that its status, or an error of the user, becomes the exit status."""

    @functools.wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            for name, value in kwargs.items():
                if isinstance(value, int | float) and not isinstance(value, bool):
                    in_range(f"--{name.replace('_', '-')}", value)
            status = command(*args, **kwargs)
        except KeyboardInterrupt:
            print("interrupted", file=sys.stderr)
            status = 130
        except BrokenPipeError:
            # The reader has closed the pipe.
            _drop_output()
            status = 0
        except OSError as error:
            name = error.filename
            if name is None and error.errno == errno.ENOSPC:
                name = "standard output"  # errors of files carry a file name
                _drop_output()
            place = f"{name}: " if name is not None else ""
            print(f"nando: {place}{error.strerror or error}", file=sys.stderr)
            status = 2
        except ValueError as error:
            print(f"nando: {error}", file=sys.stderr)
            status = 2
        raise typer.Exit(status)

    run.__annotations__ = {**command.__annotations__, "return": None}
    return run


def _version(requested: bool) -> None:
    if requested:
        print(f"nando {__version__}")
        raise typer.Exit


@app.callback()
def _main(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    del version


for _subject, _commands in COMMANDS.items():
    for _command in _commands:
        app.command(rich_help_panel=_subject)(_guard(expand(_command)))
