"""Options that several of the commands that make puzzles share, and how their texts are read.

The options of wishes come from the fields of :class:`nando.generators.wishes.Wishes`; only what a
shell writes otherwise is said here.
"""

import inspect
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import fields
from itertools import islice
from pathlib import Path
from typing import Annotated, Any, get_args

import typer

from nando.cli.options import KIND, FieldOptions
from nando.generators.wishes import DIFFICULTIES, Wishes
from nando.records import name_in_files

_LONGEST = 9
"""Most digits of a count."""

_UNITS = {
    "s": 1.0,
    "sec": 1.0,
    "seconds": 1.0,
    "m": 60.0,
    "min": 60.0,
    "minutes": 60.0,
    "h": 3600.0,
    "hours": 3600.0,
}
_PART = re.compile(r"\s*(\d+(?:\.\d+)?)\s*([a-z]+)\s*", re.IGNORECASE)


def seconds(text: str) -> float:
    """Return a time in seconds.

    Raises
    ------
    ValueError
        If it is not a time above 0.

    Examples
    --------
    >>> seconds("8min"), seconds("1h 30min"), seconds("90s"), seconds("480")
    (480.0, 5400.0, 90.0, 480.0)
    """
    total, end = 0.0, 0
    try:
        total, end = float(text), len(text)
    except ValueError:
        while part := _PART.match(text, end):
            total += float(part[1]) * _UNITS.get(part[2].lower(), float("nan"))
            end = part.end()
    if end != len(text) or not 0.0 < total < float("inf"):
        raise ValueError(f"not a time: {text!r}; wanted 8min, 90s, 1h30min or 480 (seconds)")
    return total


_SHORT = 60.0
"""Seconds; a smaller bare number was probably meant as minutes."""


def minutes(text: str) -> float:
    """Return a time in minutes.

    Raises
    ------
    ValueError
        If it is not a time, or a bare number that is rather minutes than seconds.

    Examples
    --------
    >>> minutes("8min"), minutes("480")
    (8.0, 8.0)
    """
    time = seconds(text)
    if time < _SHORT and text.strip()[-1].isdecimal():
        raise ValueError(f"{time:g} counts as seconds: write {time:g}min, or {time:g}s")
    return time / 60


def share(text: str) -> float:
    """Return a share between 0 and 1.

    Raises
    ------
    ValueError
        If it is not a share.

    Examples
    --------
    >>> share("10%"), share("0.1")
    (0.1, 0.1)
    """
    try:
        value = float(text.removesuffix("%")) / (100.0 if text.endswith("%") else 1.0)
    except ValueError:
        value = float("nan")
    if not 0.0 < value < 1.0:
        raise ValueError(
            f"not a tolerance: {text!r}; wanted more than 0 and below 100%, e.g. 10% or 0.1"
        )
    return value


def counts(text: str, option: str) -> list[tuple[str, int]]:
    """Return names with numbers of puzzles.

    Raises
    ------
    ValueError
        If a part is not NAME:COUNT, or its count is below 1.

    Examples
    --------
    >>> counts("easy:12, hard:6", "--grades")
    [('easy', 12), ('hard', 6)]
    """
    named = []
    for part in text.split(","):
        name, colon, number = part.strip().rpartition(":")
        if not (colon and name and number.isdecimal()):
            raise ValueError(f"{option}: {part.strip()!r}; wanted NAME:COUNT, for example easy:12")
        if len(number) > _LONGEST:
            raise ValueError(
                f"{option}: {name} has a count of {len(number):,} digits; ask for fewer"
            )
        if int(number) < 1:
            raise ValueError(f"{option}: {part.strip()!r} asks for no puzzles; leave it out")
        named.append((name.strip(), int(number)))
    return named


def layout_in(file: str) -> str:
    """Return the text of the only variant of a file.

    Raises
    ------
    ValueError
        If the file has none, or several.
    """
    from nando.puzzles import Variant, read_puzzles

    entries = list(islice(read_puzzles(file, Variant), 2))
    if len(entries) == 1 and isinstance(entries[0].puzzle, Variant):
        return entries[0].puzzle.text
    why = "it has several" if entries[1:] else entries[0].error if entries else "it is empty"
    raise ValueError(f"{file}: wanted a variant, whose rules are kept: {why}")


def pattern_in(file: str) -> str:
    """Return the pattern that is drawn in a file, or on standard input.

    Raises
    ------
    ValueError
        If it does not have 81 cells.
    """
    from nando.puzzles.files import read_text

    text = sys.stdin.read() if file == "-" else read_text(file)
    try:
        return str(Wishes(pattern=text).pattern)
    except ValueError as error:
        raise ValueError(f"{file}: {error}") from None


def order_in(text: str) -> int | str:
    """Return a size as a number, the order of techniques in a file, or the name of an order."""
    from nando.puzzles.files import read_text

    if text.isdecimal():
        return int(text)
    return f"{read_text(text)}\n" if Path(text).is_file() else text


_READ: dict[str, tuple[str, Callable[[str], Any]]] = {
    "minutes": ("target", minutes),
    "tolerance": ("tolerance", share),
    "layout": ("layout", layout_in),
    "order": ("order", order_in),
    "pattern": ("pattern", pattern_in),
}
"""Names of options of another name, or whose text is read first."""

_HELP = {
    "minutes": {"metavar": "TIME", "help": "Predicted time, for example 8min."},
    "tolerance": {"help": "How far the prediction may be from the target."},
    "pattern": {
        "metavar": "FILE",
        "help": "Put givens where the grid in this file has no blank (. 0 _ *).",
    },
}


class WishOptions(FieldOptions):
    """The options of wishes, without some of them; `kind` is the default kind."""

    def __init__(self, *left_out: str, kind: str | None = "sudoku") -> None:
        super().__init__(Wishes, *left_out)
        self._kind = kind

    def read(self, values: dict[str, Any]) -> Wishes:
        """Return the wishes in the values of options, which are taken out of `values`.

        Raises
        ------
        ValueError
            For an invalid value, and options that contradict each other.
        """
        texts = {field.name: values.pop(_option(field)) for field in self._fields}
        given = [n for n in DIFFICULTIES if texts.get(n) is not None]
        if len(given) > 1:
            options = [_READ[n][0] if n in _READ else n for n in given]
            raise ValueError(f"{flags_of(options)} contradict each other: give one of them")
        for name, (_, reader) in _READ.items():
            if texts.get(name) is not None:
                texts[name] = reader(texts[name])
        return Wishes(**texts)

    def parameter(self, field: Any, hint: Any) -> inspect.Parameter:
        """Return the option of a wish."""
        default = {"tolerance": "10%", "kind": self._kind}.get(field.name, field.default)
        kinds = get_args(hint) or (bool,)
        kind: Any = next((each for each in kinds if each in (int, float, bool)), str)
        if field.name in _READ or str in kinds:
            kind = str
        hint = kind | None if default is None else kind
        flags = [flag_of(field.name)] if kind is bool else []
        words = {"metavar": field.metadata["metavar"] or None, "help": field.metadata["about"]}
        option = typer.Option(*flags, **words | _HELP.get(field.name, {}))
        hint = Annotated[hint, option]
        return inspect.Parameter(_option(field), KIND, default=default, annotation=hint)


def _option(field: Any) -> str:
    """Return the name of the option of a wish."""
    return _READ[field.name][0] if field.name in _READ else name_in_files(field)


AllWishes = Annotated[Wishes, WishOptions()]
"""All wishes as options."""

BoardWishes = Annotated[Wishes, WishOptions(*DIFFICULTIES, kind=None)]
"""All wishes but the difficulty, for commands with several difficulties."""


def list_changed_wishes(wishes: Wishes) -> list[str]:
    """Return the names of the options of wishes that are not the defaults, but for the kind."""
    return [
        _option(field)
        for field in fields(wishes)
        if field.name != "kind" and getattr(wishes, field.name) != field.default
    ]


def for_new_puzzles(names: Sequence[str], otherwise: str) -> None:
    """Raise ValueError for options of new puzzles in a command that is to use existing ones."""
    if names:
        them = "them" if len(names) > 1 else "it"
        raise ValueError(f"{flags_of(names)}: for new puzzles; leave {them} out, or {otherwise}")


def flags_of(names: Sequence[str]) -> str:
    """Return the options with these names as a user writes them, with ``and`` between."""
    return " and ".join(map(flag_of, names))


def flag_of(name: str) -> str:
    """Return the option with a name as a user writes it."""
    return f"--{name.replace('_', '-')}"
