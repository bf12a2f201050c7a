"""The command `schema`."""

import json
from typing import Annotated

import typer


def schema(
    name: Annotated[
        str | None,
        typer.Argument(metavar="NAME", help="A schema, e.g. rate or model.", show_default=False),
    ] = None,
) -> int:
    """Print the JSON schema of an output or a file; without a name, list the schemas."""
    from nando.schemas import SCHEMAS, load_schema

    print("\n".join(SCHEMAS) if name is None else json.dumps(load_schema(name), indent=2))
    return 0
