"""Options that several commands share, and commands as typer wants them.

An option of one command is described where it stands, by a `setting` like those of records. A
command with many options takes records of them: dataclasses whose fields say what they are about.
"""

import functools
import inspect
from collections.abc import Callable
from dataclasses import Field, fields, is_dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, get_type_hints

import typer

from nando.checks import MOST_CORES


def _cores(jobs: int | None) -> int | None:
    """Return the number of cores; BadParameter for 0 and absurd numbers."""
    if jobs is not None and (jobs == 0 or abs(jobs) > MOST_CORES):
        raise typer.BadParameter(f"got {jobs}; wanted a number of cores, or -1 for all")
    return jobs


Jobs = Annotated[
    int | None,
    typer.Option(callback=_cores, help="Number of cores; -1 for all. Never changes a result."),
]


Format = Literal["table", "csv", "json", "jsonl", "parquet"]
"""Formats of the output."""


def output_option(about: str, *, default: Any = None, metavar: str = "FILE") -> Any:
    """Return the option of the output of a command."""
    return typer.Option(default, "--output", "-o", metavar=metavar, readable=False, help=about)


Files = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="PUZZLE_OR_FILE",
        show_default=False,
        help="A puzzle or link, or files: lines, grids, CSV, spreadsheets, or files of other "
        "programs; - reads standard input.",
    ),
]
Output = Annotated[
    Path | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        readable=False,
        help="Write to this file: .csv .json .jsonl .parquet .txt; all but .parquet also .gz.",
    ),
]
Form = Annotated[
    Format | None, typer.Option("--format", "-f", help="Format of the output; default: table.")
]
KindOf = Annotated[
    str | None,
    typer.Option(
        "--kind",
        help="Kind of puzzle: sudoku, nurikabe or variant; default: recognised by the text.",
    ),
]
Job = Annotated[
    Literal["time", "order"],
    typer.Option("--job", help="What to predict: solving times, or the order of fills."),
]
Runs = Annotated[
    int | None, typer.Option(min=1, help="Runs of each solver; default: each feature's own number.")
]
ModelFile = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Model file (JSON); default: the shipped one.")
]
Player = Annotated[
    str | None,
    typer.Option(
        metavar="NAME", help="Predict for this player, whose earlier games are in --history."
    ),
]
History = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="Earlier games: a log, or a CSV with the columns puzzle and seconds, optionally "
        "player.",
    ),
]
Seed = Annotated[int | None, typer.Option(min=0, help="Seed of the random draws; default: 0.")]
KindOfData = Annotated[
    str, typer.Option("--kind", help="Kind of puzzle: sudoku, nurikabe or variant.")
]
Resume = Annotated[bool, typer.Option("--resume", help="Continue an interrupted run.")]


def expand(command: Callable[..., int]) -> Callable[..., int]:
    """Return a command for typer, with fields in place of records and with the help of options.

    Parameters
    ----------
    command : callable
        Its parameters are options, or frozen dataclasses of options with defaults.
    """
    hints = get_type_hints(command, include_extras=True)
    records = {name: options for name, hint in hints.items() if (options := _record_of(hint))}
    parameters = []
    for name, parameter in inspect.signature(command).parameters.items():
        if name in records:
            parameters += records[name].parameters()
        elif isinstance(words := parameter.default, Field):
            hint = _hint(words, hints[name], name)
            parameters.append(parameter.replace(annotation=hint, default=words.default))
        else:
            parameters.append(parameter.replace(annotation=hints[name]))

    @functools.wraps(command)
    def run(**values: Any) -> int:
        return command(**{name: each.read(values) for name, each in records.items()}, **values)

    run.__annotations__ = {p.name: p.annotation for p in parameters} | {"return": int}
    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    return run


class FieldOptions:
    """Options that have the names and types of the fields of a dataclass, without some of them."""

    def __init__(self, record: Any, *left_out: str) -> None:
        self._record = record
        self._fields = [field for field in fields(record) if field.name not in left_out]

    def parameters(self) -> list[inspect.Parameter]:
        """Return the options as parameters of a command."""
        hints = get_type_hints(self._record, include_extras=True)
        return [self.parameter(field, hints[field.name]) for field in self._fields]

    def parameter(self, field: Any, hint: Any) -> inspect.Parameter:
        """Return the option of a field."""
        described = _hint(field, hint, field.name)
        return inspect.Parameter(field.name, KIND, default=field.default, annotation=described)

    def read(self, values: dict[str, Any]) -> Any:
        """Return the record in the values of options, which are taken out of `values`."""
        return self._record(**{each.name: values.pop(each.name) for each in self._fields})


KIND = inspect.Parameter.POSITIONAL_OR_KEYWORD
"""The kind of parameter that an option is."""


def _hint(field: "Field[Any]", hint: Any, name: str) -> Any:
    """Return the type of an option, with what the words and the bounds of its field describe."""
    words = field.metadata
    if not words.get("about"):
        return hint
    named = words["named"] or (name.replace("_", "-") if field.default is False else "")
    flags = [f"--{named}"] if named else []
    bounds = {
        bound.removesuffix("imum"): value
        for check in words["checks"]
        for bound, value in getattr(check, "schema", {}).items()
    }
    option = typer.Option(*flags, metavar=words["metavar"] or None, help=words["about"], **bounds)
    return Annotated[hint, option]


def _record_of(hint: Any) -> FieldOptions | None:
    """Return the options of a parameter that is a record, or None for a single option."""
    if is_dataclass(hint):
        return FieldOptions(hint)
    own = [each for each in getattr(hint, "__metadata__", ()) if isinstance(each, FieldOptions)]
    return own[0] if own else None


def list_changed(record: Any) -> list[str]:
    """Return the names of the fields that differ from their defaults."""
    return [field.name for field in fields(record) if getattr(record, field.name) != field.default]
