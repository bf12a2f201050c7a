"""Records of options that several of the commands that make puzzles share.

`nando.cli.options` expands a record into its options.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields, replace
from itertools import islice
from math import isqrt
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Self

import typer

from nando.cli.arguments import difficulty, share
from nando.cli.options import Jobs

if TYPE_CHECKING:
    from nando.generators import Source
    from nando.making import Wanted
    from nando.puzzles import Variant

_OPTIONS = {"shape": "size", "rules": "rule"}
"""Names of options that differ from the parameter of the source."""

Tolerance = Annotated[str, typer.Option(help="How far the prediction may be from the target.")]


@dataclass(frozen=True)
class DifficultyOptions:
    """The difficulty of new puzzles, given in one of three ways."""

    target: str | None = None
    grade: str | None = None
    percentile: float | None = None
    tolerance: str = "10%"

    def wanted(self) -> "Wanted":
        """Return the requested difficulty.

        Raises
        ------
        ValueError
            If more than one option is given, or a time or tolerance is invalid.
        """
        from nando.making import Wanted

        named = ("target", "grade", "percentile")
        given = [f"--{name}" for name in named if getattr(self, name) is not None]
        if len(given) > 1:
            raise ValueError(f"{' and '.join(given)} contradict each other: give one of them")
        time, unit = (None, "") if self.target is None else difficulty(self.target)
        return Wanted(time, self.grade, self.percentile, share(self.tolerance), unit)


@dataclass(frozen=True)
class BoardOptions:
    """The size and symmetry of new boards."""

    order: int | None = None
    symmetry: str | None = None
    size: str | None = None
    rule: str | None = None
    layout: str | None = None

    def of_kind(self, kind: str) -> tuple[str, Self]:
        """Return the kind of puzzle that is made, and the options with the rules in its name.

        A Sudoku with rules or a size is a variant, and so is a kind that names them as the file of
        a book does: ``killer``, ``6x6``, ``diagonals,anti-knight``.

        Raises
        ------
        ValueError
            For an unknown kind, and rules in two places.
        """
        from nando.generators.kinds import SOURCES, made_kind

        options = self
        if kind not in SOURCES:
            options, kind = self._with_rules_of(kind), "sudoku"
        named = {"rules": options.rule, "layout": options.layout, "size": options.size}
        return made_kind(kind, named), options

    def _with_rules_of(self, kind: str) -> Self:
        """Return the options with the rules and the size that the name of a kind has."""
        from nando.generators.kinds import SOURCES
        from nando.puzzles.variants.genre import Genre

        try:
            genre = Genre.read(kind, self.size or "")
        except ValueError as error:
            known = ", ".join(SOURCES)
            raise ValueError(
                f"--kind: wanted one of {known}, or rules such as killer: {error}"
            ) from None
        if genre.names and self.rule is not None:
            raise ValueError(f"--kind {kind} and --rule both name rules: name all with --rule")
        is_plain = not (genre.names or self.rule or self.layout)
        if is_plain and genre.digits in (9, 16, 25):
            return replace(self, order=self.order or isqrt(genre.digits), size=None)
        size = self.size or (None if self.layout else f"{genre.digits}x{genre.digits}")
        return replace(self, rule=",".join(genre.names) or self.rule, size=size)

    def source(self, kind: str, **more: Any) -> "Source":
        """Return the source of puzzles of a kind; see :func:`source_by_options`."""
        from nando.making import size_option

        options: dict[str, Any] = {"order": self.order, "symmetry": self.symmetry}
        if self.size is not None:
            options |= size_option(kind, self.size)
        if self.rule is not None:
            if not self.rule.strip():
                raise ValueError("--rule names no rule: give one, for example killer")
            options["rules"] = tuple(self.rule.split(","))
        if self.layout is not None:
            options["layout"] = layout_of(self.layout)
        return source_by_options(kind, options | more)


@dataclass(frozen=True)
class SourceOptions(BoardOptions):
    """The appearance of new puzzles."""

    minimal: bool = False
    most_per_house: int | None = None
    mean_size: float | None = None
    largest: int | None = None
    unknown: int | None = None
    clues: int | None = None
    singles: int | None = None

    def source(self, kind: str, **more: Any) -> "Source":
        """Return the source of puzzles of a kind; see :func:`source_by_options`."""
        of_boards = {field.name for field in fields(BoardOptions)}
        own = {name: value for name, value in asdict(self).items() if name not in of_boards}
        return super().source(kind, **own, **more)


@dataclass(frozen=True)
class RatedRunOptions:
    """How puzzles are made and rated."""

    model: Path | None = None
    seed: int | None = None
    player: str | None = None
    history: Path | None = None
    jobs: Jobs = None
    resume: bool = False


@dataclass(frozen=True)
class RunOptions(RatedRunOptions):
    """How puzzles are made and rated, and which puzzles are excluded."""

    exclude: list[str] | None = None


def source_by_options(kind: str, options: dict[str, Any]) -> "Source":
    """Return the source from which puzzles of a kind are drawn.

    Options that are None take the default of the source.

    Raises
    ------
    ValueError
        For a kind without a source, and for options that belong to another kind.
    """
    from nando.generators.kinds import source_of
    from nando.puzzles import find_puzzle

    return source_of(find_puzzle(kind).kind, options, displayed=_flag)


def for_new_puzzles(names: Sequence[str], otherwise: str) -> None:
    """Raise ValueError for options of new puzzles in a command that is to use existing ones."""
    if names:
        them = "them" if len(names) > 1 else "it"
        raise ValueError(f"{flags_of(names)}: for new puzzles; leave {them} out, or {otherwise}")


def flags_of(names: Sequence[str]) -> str:
    """Return the options with these names as a user writes them, with ``and`` between."""
    return " and ".join(map(_flag, names))


def layout_of(file: str) -> "Variant":
    """Return the only variant of a file.

    Raises
    ------
    ValueError
        If the file has none, or several.
    """
    from nando.puzzles import Variant, read_puzzles

    entries = list(islice(read_puzzles(file, Variant), 2))
    if len(entries) == 1 and isinstance(entries[0].puzzle, Variant):
        return entries[0].puzzle
    why = "it has several" if entries[1:] else entries[0].error if entries else "it is empty"
    raise ValueError(f"{file}: wanted a variant, whose rules are kept: {why}")


def _flag(name: str) -> str:
    """Return the name of the option for a parameter of a source."""
    return f"--{_OPTIONS.get(name, name.replace('_', '-'))}"
