"""Options that several of the commands that make puzzles share.

The options of wishes come from the fields of :class:`nando.generators.wishes.Wishes`; only what a
shell writes otherwise is said here.
"""

import inspect
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from itertools import islice
from typing import Annotated, Any, get_args, get_type_hints

import typer

from nando.cli.arguments import minutes, share
from nando.cli.options import History, Jobs, ModelFile, Player, Resume
from nando.generators.wishes import DIFFICULTIES, Wishes
from nando.records import between, name_in_files, setting


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


_READ: dict[str, tuple[str, Callable[[str], Any]]] = {
    "minutes": ("target", minutes),
    "tolerance": ("tolerance", share),
    "layout": ("layout", layout_in),
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


class WishOptions:
    """The options of wishes, without some of them; `kind` is the default kind."""

    def __init__(self, *left_out: str, kind: str | None = "sudoku") -> None:
        self._fields = [field for field in fields(Wishes) if field.name not in left_out]
        self._kind = kind

    def parameters(self) -> list[inspect.Parameter]:
        """Return the options as parameters of a command."""
        return [self._parameter(field) for field in self._fields]

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

    def _parameter(self, field: Any) -> inspect.Parameter:
        default = {"tolerance": "10%", "kind": self._kind}.get(field.name, field.default)
        kinds = get_args(get_type_hints(Wishes)[field.name]) or (bool,)
        kind: Any = next((each for each in kinds if each in (int, float, bool)), str)
        if field.name in (*_READ, "size"):
            kind = str
        hint = kind | None if default is None else kind
        flags = [displayed(field.name)] if kind is bool else []
        words = {"metavar": field.metadata["metavar"] or None, "help": field.metadata["about"]}
        words |= _HELP.get(field.name, {})
        return inspect.Parameter(
            _option(field),
            inspect.Parameter.POSITIONAL_OR_KEYWORD,
            default=default,
            annotation=Annotated[hint, typer.Option(*flags, **words)],
        )


def _option(field: Any) -> str:
    """Return the name of the option of a wish."""
    return _READ[field.name][0] if field.name in _READ else name_in_files(field)


AllWishes = Annotated[Wishes, WishOptions()]
"""All wishes as options."""

BoardWishes = Annotated[Wishes, WishOptions(*DIFFICULTIES, kind=None)]
"""All wishes but the difficulty, for commands with several difficulties."""


@dataclass(frozen=True)
class RunOptions:
    """How puzzles are made and rated, and which puzzles are excluded."""

    model: ModelFile = None
    seed: int | None = setting(
        None, between(0), about="The same seed gives the same puzzles; default: 0."
    )
    player: Player = None
    history: History = None
    jobs: Jobs = None
    resume: Resume = False
    exclude: list[str] | None = setting(
        None,
        about="Puzzles to avoid, with all equivalent ones: a file of puzzles, or the manifest of "
        "a book; may be repeated.",
        metavar="FILE",
    )


def changed_wishes(wishes: Wishes) -> list[str]:
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
    return " and ".join(map(displayed, names))


def displayed(name: str) -> str:
    """Return the option with a name as a user writes it."""
    return f"--{name.replace('_', '-')}"
