"""Commands as typer wants them: a parameter for each option, with its help.

The help and the bounds of options are in ``options.toml``. A command with many options takes
records of options: dataclasses whose fields are options.
"""

import functools
import inspect
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from typing import Annotated, Any, Literal, get_type_hints

import typer

from nando.checks import MOST_CORES
from nando.tables import shipped_table


def _cores(jobs: int | None) -> int | None:
    """Return the number of cores; BadParameter for 0 and absurd numbers."""
    if jobs is not None and (jobs == 0 or abs(jobs) > MOST_CORES):
        raise typer.BadParameter(f"got {jobs}; wanted a number of cores, or -1 for all")
    return jobs


Jobs = Annotated[
    int | None,
    typer.Option(callback=_cores, help="Number of cores; -1 for all. Never changes a result."),
]


Job = Literal["time", "order"]
"""What a model predicts."""


def expanded(command: Callable[..., int]) -> Callable[..., int]:
    """Return a command for typer, with fields in place of records and with the help of options.

    Parameters
    ----------
    command : callable
        Its parameters are options, or frozen dataclasses of options with defaults.
    """
    hints = get_type_hints(command, include_extras=True)
    records: dict[str, Any] = {name: hint for name, hint in hints.items() if is_dataclass(hint)}
    parameters = []
    for name, parameter in inspect.signature(command).parameters.items():
        if name in records:
            parameters += _options_of(records[name])
        else:
            parameters.append(parameter.replace(annotation=hints[name]))
    table = option_table()
    shared, own = table["shared"], table.get(command.__name__, {})
    parameters = [
        _described(each, shared.get(each.name, {}) | own.get(each.name, {})) for each in parameters
    ]

    @functools.wraps(command)
    def run(**values: Any) -> int:
        for name, record in records.items():
            values[name] = record(
                **{field.name: values.pop(field.name) for field in fields(record)}
            )
        return command(**values)

    run.__annotations__ = {p.name: p.annotation for p in parameters} | {"return": int}
    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    return run


def _options_of(record: Any) -> list[inspect.Parameter]:
    """Return the fields of a record as parameters."""
    hints = get_type_hints(record, include_extras=True)
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    return [
        inspect.Parameter(field.name, kind, default=field.default, annotation=hints[field.name])
        for field in fields(record)
    ]


def _described(parameter: inspect.Parameter, values: dict[str, Any]) -> inspect.Parameter:
    """Return a parameter with the help and bounds of its option in the table."""
    if not values:
        return parameter
    values = dict(values)
    make = typer.Argument if values.pop("argument", False) else typer.Option
    described = make(*values.pop("flags", ()), **values)
    return parameter.replace(annotation=Annotated[parameter.annotation, described])


@functools.cache
def option_table() -> dict[str, dict[str, dict[str, Any]]]:
    """Return the table of options, by command and parameter."""
    return shipped_table("nando.cli", "options.toml")


def changed(record: Any) -> list[str]:
    """Return the names of the fields that differ from their defaults."""
    return [field.name for field in fields(record) if getattr(record, field.name) != field.default]
