"""The command `schema`."""

import json


def schema(
    name: str | None = None,
) -> int:
    """Print the JSON schema of an output or a file; without a name, list the schemas."""
    from nando.schemas import SCHEMAS, load_schema

    print("\n".join(SCHEMAS) if name is None else json.dumps(load_schema(name), indent=2))
    return 0
