"""JSON schemas of types, of the dialect 2020-12.

A row or file is a `TypedDict`, or a record of :mod:`nando.records`. The description of a field is
the text below it, as Sphinx reads it, a text in `Annotated`, or that of a record's section
"Attributes". Its limits are `Keywords` in `Annotated`, or the checks of a record.
"""

import ast
import copy
import dataclasses
import inspect
import itertools
import re
import types
import typing
from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar

from nando.records import name_in_files

T = TypeVar("T")

_ATTRIBUTE = re.compile(r"^(\w[\w, ]*) : .*\n((?:    .*\n?)+)", re.MULTILINE)
_NAMES = {str: "string", int: "integer", float: "number", bool: "boolean", types.NoneType: "null"}

NAMED: dict[str, tuple[Any, str]] = {}
"""The type of each schema by its name, with its title and a text on it."""
_KEYWORDS: dict[Any, dict[str, Any]] = {}
"""Further keywords of a type."""


class Keywords:
    """Keywords that a type in `Annotated` has in its schema, for example ``minimum``."""

    def __init__(self, **schema: Any) -> None:
        self.schema = schema


def describe(name: str = "", text: str = "", **keywords: Any) -> Callable[[T], T]:
    """Name the schema of a type, and add keywords to it.

    A class that is not described allows no other keys in an object. `text` stands for the docstring
    of a type without one.
    """

    def add(kind: T) -> T:
        _KEYWORDS[kind] = keywords
        if name:
            NAMED[name] = kind, inspect.cleandoc(text or kind.__doc__ or "")
        return kind

    return add


def named_schema(name: str) -> dict[str, Any]:
    """Return the schema with a name; the version of a file's format is also that of its schema."""
    kind, said = NAMED[name]
    title, _, text = said.partition("\n\nAttributes\n")[0].partition("\n\n")
    schema = copy.deepcopy(schema_of(kind))
    formats = [
        form.split()[-1]
        for each in schema.get("anyOf", [schema])
        for key, value in each.get("properties", {}).get("format", {}).items()
        if key in ("const", "enum")
        for form in ([value] if key == "const" else value)
    ]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:nando:schema:{name}:{max(formats, default='1')}",
        "title": title.removesuffix("."),
        **schema,
        "description": " ".join(text.split()),
    }


def schema_of(kind: Any) -> dict[str, Any]:
    """Return the schema of a type."""
    if typing.is_typeddict(kind) or dataclasses.is_dataclass(kind):
        return _object(kind)
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin is typing.Annotated:
        return _annotate(schema_of(arguments[0]), arguments[1:])
    if origin is typing.Literal:
        types_of = list(dict.fromkeys(_NAMES[type(value)] for value in arguments))
        limits = {"enum": list(arguments)} if arguments[1:] else {"const": arguments[0]}
        return {"type": types_of[0] if len(types_of) == 1 else types_of, **limits}
    if origin in (types.UnionType, typing.Union):
        return _union(arguments)
    if origin is list or (origin is tuple and arguments[1:] == (...,)):
        return {"type": "array", "items": schema_of(arguments[0])}
    if origin is tuple:
        items = [schema_of(each) for each in arguments]
        size = {"minItems": len(items), "maxItems": len(items)}
        return {"type": "array", "prefixItems": items, **size}
    if origin is dict:
        return {"type": "object", "additionalProperties": schema_of(arguments[1])}
    return {"type": _NAMES[kind]} if kind in _NAMES else {}


def _object(kind: Any) -> dict[str, Any]:
    """Return the schema of a class whose fields are the properties of an object."""
    hints, texts = typing.get_type_hints(kind, include_extras=True), _texts_of(kind)
    if dataclasses.is_dataclass(kind):
        fields = {name_in_files(field): field for field in dataclasses.fields(kind)}
        texts = {name: texts[own.name] for name, own in fields.items() if own.name in texts}
        required = [name for name, field in fields.items() if _is_needed(field)]
        hints = {name: _with_checks(hints[field.name], field) for name, field in fields.items()}
    else:
        required = [name for name in hints if name in kind.__required_keys__]
    properties = {}
    for name, hint in hints.items():
        if typing.get_origin(hint) is typing.NotRequired:
            hint = typing.get_args(hint)[0]
        properties[name] = schema_of(hint) | ({"description": texts[name]} if name in texts else {})
    title = (inspect.cleandoc(kind.__doc__ or "")).partition("\n\n")[0]
    closed = {} if kind in _KEYWORDS else {"additionalProperties": False}
    return {
        "type": "object",
        "description": " ".join(title.split()),
        "properties": properties,
        "required": required,
        **closed,
        **_KEYWORDS.get(kind, {}),
    }


def _annotate(schema: dict[str, Any], notes: tuple[Any, ...]) -> dict[str, Any]:
    for note in notes:
        schema |= {"description": note} if isinstance(note, str) else getattr(note, "schema", {})
    return schema


def _union(kinds: tuple[Any, ...]) -> dict[str, Any]:
    """Return the schema of one of several types; keywords of one type say nothing of null."""
    others = [schema_of(kind) for kind in kinds if kind is not types.NoneType]
    if len(others) == len(kinds):
        return {"anyOf": others}
    if others[1:]:
        return {"anyOf": [*others, {"type": "null"}]}
    schema = others[0]
    schema["type"] = [schema["type"], "null"]
    if "enum" in schema:
        schema["enum"].append(None)
    return schema


def _with_checks(hint: Any, field: "dataclasses.Field[Any]") -> Any:
    """Return the type of a record's field with what its checks and its words say."""
    about = field.metadata.get("about")
    notes = (*((about,) if about else ()), *field.metadata.get("checks", ()))
    return typing.Annotated[(hint, *notes)] if notes else hint


def _is_needed(field: "dataclasses.Field[Any]") -> bool:
    return field.default is field.default_factory is dataclasses.MISSING


def _texts_of(kind: Any) -> dict[str, str]:
    """Return the texts on the fields of a class and of its bases; of rows, in the same module."""
    if dataclasses.is_dataclass(kind):
        docs = (
            inspect.cleandoc(cls.__doc__ or "") + "\n"
            for cls in reversed(inspect.getmro(typing.cast(type, kind)))
        )
        sections = [doc.partition("Attributes\n----------\n")[2] for doc in docs]
        return {
            name: " ".join(text.split())
            for section in sections
            for names, text in _ATTRIBUTE.findall(section.partition("\n\n")[0])
            for name in names.split(", ")
        }
    return _texts_in(inspect.getmodule(kind)).get(kind.__name__, {})


@cache
def _texts_in(module: types.ModuleType) -> dict[str, dict[str, str]]:
    """Return the texts below the fields of each class in a module."""
    found: dict[str, dict[str, str]] = {}
    for node in ast.parse(inspect.getsource(module)).body:
        if not isinstance(node, ast.ClassDef):
            continue
        texts = found[node.name] = {}
        for base in node.bases:
            texts |= found.get(getattr(base, "id", ""), {})
        for field, below in itertools.pairwise(node.body):
            match field, below:
                case (
                    ast.AnnAssign(target=ast.Name(name)),
                    ast.Expr(value=ast.Constant(value=str() as text)),
                ):
                    texts[name] = " ".join(text.split())
    return found


def types_of(name: str) -> dict[str, type]:
    """Return the type of each value in a row, apart from None, in the order of the columns."""
    hints = typing.get_type_hints(NAMED[name][0])
    return {column: _plain_type(hint) for column, hint in hints.items()}


def _plain_type(hint: Any) -> type:
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.NotRequired, types.UnionType, typing.Union):
        return _plain_type(next(kind for kind in arguments if kind is not types.NoneType))
    if origin is typing.Literal:
        return type(arguments[0])
    kind: type = origin or hint
    return kind
