"""The source of new puzzles of each kind."""

from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any, cast

from nando.generators.nurikabe_source import NurikabeSource
from nando.generators.sudoku import SudokuSource
from nando.generators.target import Source
from nando.generators.variants.source import VariantSource

SOURCES: dict[str, type[Source]] = {
    "sudoku": SudokuSource,
    "nurikabe": NurikabeSource,
    "variant": VariantSource,
}
"""Sources of new puzzles, by kind."""


def source_of(
    kind: str, options: Mapping[str, Any], *, displayed: Callable[[str], str] = str
) -> Source:
    """Return the source of puzzles of a kind.

    Parameters
    ----------
    kind : str
        One of :data:`SOURCES`.
    options : mapping
        Fields of the source; those that are None or False use the defaults of the source.
    displayed : callable
        Returns the name of an option as messages show it.

    Raises
    ------
    TypeError
        For an option of the wrong type.
    ValueError
        For a kind without a source, options of another kind, and impossible values.
    """
    if kind not in SOURCES:
        raise ValueError(f"no {kind!r} puzzles are made; known: {', '.join(SOURCES)}")
    given = {
        name: value for name, value in options.items() if value is not None and value is not False
    }
    known = {field.name for field in fields(cast(Any, SOURCES[kind]))}
    if foreign := given.keys() - known:
        named = " and ".join(sorted(map(displayed, foreign)))
        raise ValueError(f"{named}: not for {kind} puzzles, leave it out")
    return SOURCES[kind](**given)


def made_kind(kind: str, options: Mapping[str, Any]) -> str:
    """Return the kind to make: rules, a layout or a size in the options make a Sudoku a variant."""
    of_variant = ("rules", "layout", "size")
    is_variant = kind == "sudoku" and any(options.get(name) for name in of_variant)
    return "variant" if is_variant else kind


def source_options() -> list[str]:
    """Return the distinct options of all sources."""
    return list(
        dict.fromkeys(
            field.name for source in SOURCES.values() for field in fields(cast(Any, source))
        )
    )
