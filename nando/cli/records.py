"""Records of options: dataclasses whose fields are options of a command.

typer needs one parameter for each option. A command with many options takes records of options
instead, and `expanded` passes their fields to typer.
"""

import functools
import inspect
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from typing import Any, get_type_hints


def expanded(command: Callable[..., int]) -> Callable[..., int]:
    """Return a command in which each record among the parameters is replaced by its fields.

    Parameters
    ----------
    command : callable
        Its parameters are options for typer, or frozen dataclasses of such options with
        defaults.
    """
    hints = get_type_hints(command, include_extras=True)
    records: dict[str, Any] = {name: hint for name, hint in hints.items() if is_dataclass(hint)}
    if not records:
        return command
    parameters = []
    for name, parameter in inspect.signature(command).parameters.items():
        if name in records:
            parameters += _options_of(records[name])
        else:
            parameters.append(parameter.replace(annotation=hints[name]))

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


def changed(record: Any) -> list[str]:
    """Return the names of the fields that differ from their defaults."""
    return [field.name for field in fields(record) if getattr(record, field.name) != field.default]
