"""The base class of rules, which derives their text and JSON from the fields of their class."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, fields
from enum import Enum
from functools import cache, cached_property
from typing import Any, ClassVar, Literal, Self, get_args, get_origin, get_type_hints

from nando.puzzles.boards.board import Board, Cell, Cells, Line, cells_text, read_cells, read_line
from nando.puzzles.boards.constraints import Constraint

Grid = Mapping[Cell, int]
"""The digit of every cell of a full board."""

Split = tuple[Cells, tuple[frozenset[int], ...]]
"""Cells, and sets of digits in one of which all digits of the cells lie."""


class Relabelling(Enum):
    """The exchanges of digits that turn every solution of a rule into another solution."""

    ANY = "any"
    REVERSED = "reversed"
    """Only n + 1 - d for d; :meth:`Rule.reversed_digits` returns the resulting rule."""
    NONE = "none"


@dataclass(frozen=True)
class Rule:
    """A rule of a variant.

    A subclass is a frozen dataclass whose fields are its parameters. Their types are `Cells` (or a
    tuple of them), `Cell`, `Line`, int, bool or str, or optional types of these. Text, JSON and
    symmetries follow from the fields. :mod:`nando.puzzles.rules.registry` lists all rules.
    """

    name: ClassVar[str]
    """Name in texts and on the command line: ``"double-arrow"`` of `DoubleArrow`, unless given."""
    relabelling: ClassVar[Relabelling] = Relabelling.NONE
    names_places: ClassVar[bool] = False
    """True if digits name places, which count from 1."""
    needs_every_digit: ClassVar[bool] = False
    """True if the rule has a meaning only where every row holds every digit."""

    def __init_subclass__(cls) -> None:
        """Name the rule after its class, unless that gives a name."""
        super().__init_subclass__()
        if "name" not in vars(cls):
            cls.name = re.sub(r"(?<=[a-z])(?=[A-Z])", "-", cls.__name__).lower()

    def constraints(self, board: Board) -> Iterator[Constraint]:
        """Yield the constraints of the rule, for solvers."""
        raise NotImplementedError

    def splits(self, board: Board) -> Iterator[Split]:
        """Yield the classes of digits that people tell apart, for example low and high ones."""
        return iter(())

    def obeyed(self, board: Board, grid: Grid) -> bool:
        """Return True if a full board obeys the rule, checked without its constraints."""
        raise NotImplementedError

    def faults(self, board: Board) -> Iterator[str]:
        """Yield a sentence for each fault of the rule on this board."""
        for field in _fields(type(self)):
            if field.default is MISSING and getattr(self, field.name) == ():
                yield f"{self.name} names no {field.name}"
        outside = [cell for cell in self.cells_named() if cell not in board.number_of]
        if outside:
            yield f"{self.label} lies outside the board: {cells_text(outside[:5])}"
        for line in self.lines_named():
            if not board.is_single or line.number > board.size or line.number < 1:
                yield f"{self.label} names {line}, which is no line of the board"
        yield from self.unfit_digits(board)

    @classmethod
    def unfit_digits(cls, board: Board) -> Iterator[str]:
        """Yield a sentence for each reason why the rule has no meaning with a board's digits."""
        if cls.names_places and board.lowest != 1:
            yield f"{cls.name} needs digits from 1, which name places"
        if (cls.names_places or cls.needs_every_digit) and board.absent:
            yield f"{cls.name} needs rows with all {board.digits} digits, got {board.size} cells"

    def reversed_digits(self, ends: int) -> Self:
        """Return the rule on boards whose every value v has become ``ends - v``.

        Only rules with `Relabelling.REVERSED` need this method.
        """
        return self

    @property
    def label(self) -> str:
        """Name of the rule in messages, with its cells if they are few."""
        cells = self.cells_named()
        shown = cells_text(cells[:3]) + ("..." if len(cells) > 3 else "")
        return f"{self.name} {shown}" if cells else self.name

    def cells_named(self) -> Cells:
        """Return the cells in the fields of the rule."""
        return self._cells

    @cached_property
    def _cells(self) -> Cells:
        cells: list[Cell] = []
        for field in _fields(type(self)):
            value = getattr(self, field.name)
            if isinstance(value, Cell):
                cells.append(value)
            elif isinstance(value, tuple) and value and isinstance(value[0], Cell):
                cells += value
            elif isinstance(value, tuple) and value and isinstance(value[0], tuple):
                cells += (cell for part in value for cell in part)
        return tuple(cells)

    def groups_named(self) -> tuple[Cells, ...]:
        """Return the lists of cells in the fields of the rule, a pair for each mark."""
        values = (getattr(self, field.name) for field in _fields(type(self)))
        return tuple(group for value in values for group in _groups_of(value))

    def lines_named(self) -> tuple[Line, ...]:
        """Return the rows and columns in the fields of the rule."""
        values = [getattr(self, field.name) for field in _fields(type(self))]
        return tuple([value for value in values if isinstance(value, Line)])

    def parameters(self) -> tuple[object, ...]:
        """Return the fields without cells and lines: numbers, words and flags."""
        values = [getattr(self, field.name) for field in _fields(type(self))]
        return tuple([value for value in values if not _names_cells(value)])

    def fixed_parameters(self) -> tuple[object, ...]:
        """Return the parameters that no symmetry of the board changes."""
        return self.parameters()

    def moved(self, cell: Callable[[Cell], Cell], line: Callable[[Line], Line]) -> Self:
        """Return the rule after a symmetry of the board, given as its effect on cells and lines."""

        def change(value: Any) -> Any:
            if isinstance(value, Cell):
                return cell(value)
            if isinstance(value, Line):
                return line(value)
            return tuple(map(change, value)) if isinstance(value, tuple) else value

        own = type(self)
        return own(*[change(getattr(self, field.name)) for field in _fields(own)])

    def to_text(self) -> str:
        """Return the rule as in the text of a puzzle, for example ``killer:r1c1r1c2:7``."""
        return self._text

    @cached_property
    def _text(self) -> str:
        # Rules are sorted by their texts whenever a puzzle is made of them.
        parts, in_order = [self.name], True
        for field in _fields(type(self)):
            value = getattr(self, field.name)
            if field.default is not MISSING and value == field.default:
                in_order = False
            elif isinstance(value, bool):
                parts.append(field.name.replace("_", "-"))
            else:
                key = "" if in_order else field.name.replace("_", "-") + "="
                parts.append(key + _text_of(value))
        return ":".join(parts)

    @classmethod
    def from_text(cls, parts: Sequence[str]) -> Self:
        """Return the rule of the parts of its text after the name.

        Raises
        ------
        ValueError
            If a part is unknown or missing; the message shows how the rule is written.
        """
        codecs = _codecs(cls)
        values: dict[str, Any] = {}
        positional = [name for name, codec in codecs.items() if not codec.is_flag]
        for part in parts:
            key, equals, rest = part.partition("=")
            name = key.replace("-", "_")
            if not equals and name in codecs and codecs[name].is_flag:
                values[name] = True
                continue
            if not equals:
                name, rest = next((n for n in positional if n not in values), ""), part
            if name not in positional:
                raise ValueError(f"{cls.name}: {part[:30]!r} is not part of it; {cls.usage()}")
            try:
                values[name] = codecs[name].read(rest)
            except ValueError as error:
                raise ValueError(f"{cls.name}: {error}") from None
        return cls._make(values)

    def to_json(self) -> dict[str, Any]:
        """Return the rule as plain values."""
        values = {f.name: getattr(self, f.name) for f in fields(self)}
        shown = {
            f.name: _json_of(values[f.name])
            for f in fields(self)
            if f.default is MISSING or values[f.name] != f.default
        }
        return {"rule": self.name} | shown

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> Self:
        """Return the rule of plain values, without the key ``rule``; ValueError as `from_text`."""
        codecs = _codecs(cls)
        values = {}
        for name, value in record.items():
            if name not in codecs:
                raise ValueError(f"{cls.name}: {name[:30]!r} is not part of it; {cls.usage()}")
            try:
                values[name] = codecs[name].from_json(value)
            except (ValueError, TypeError, AttributeError):
                raise ValueError(f"{cls.name}: {name} cannot be {str(value)[:40]!r}") from None
        return cls._make(values)

    @classmethod
    def usage(cls) -> str:
        """Return how the rule is written, for messages."""
        shown = [
            f"[{name.replace('_', '-')}]"
            if codec.is_flag
            else (f"[{codec.sample}]" if codec.is_optional else codec.sample)
            for name, codec in _codecs(cls).items()
        ]
        return "wanted " + ":".join([cls.name, *shown])

    @classmethod
    def _make(cls, values: dict[str, Any]) -> Self:
        missing = [
            name
            for name, codec in _codecs(cls).items()
            if name not in values and not codec.is_optional and not codec.is_flag
        ]
        if missing:
            raise ValueError(f"{cls.name}: no {missing[0].replace('_', ' ')}; {cls.usage()}")
        return cls(**values)


@dataclass(frozen=True)
class CellsRule(Rule):
    """A rule of some cells, whatever their order."""

    cells: Cells

    def __post_init__(self) -> None:
        object.__setattr__(self, "cells", tuple(sorted(set(self.cells))))


def _names_cells(value: Any) -> bool:
    if isinstance(value, Cell | Line):
        return True
    return isinstance(value, tuple) and not (value and isinstance(value[0], int))


def _groups_of(value: Any) -> Iterator[Cells]:
    if isinstance(value, tuple) and not isinstance(value, Cell | Line):
        if all(isinstance(item, Cell) for item in value):
            yield value
        else:
            for item in value:
                yield from _groups_of(item)


def _text_of(value: Any) -> str:
    if isinstance(value, tuple) and not isinstance(value, Cell | Line):
        if all(isinstance(item, Cell) for item in value):
            return cells_text(value)
        return "-".join(map(_text_of, value))
    return str(value)


def _json_of(value: Any) -> Any:
    if isinstance(value, Cell | Line):
        return str(value)
    return [_json_of(item) for item in value] if isinstance(value, tuple) else value


@dataclass(frozen=True)
class _Codec:
    """How a field is read from text and JSON."""

    sample: str
    read: Callable[[str], Any]
    from_json: Callable[[Any], Any]
    is_optional: bool = False
    is_flag: bool = False


_fields: Callable[[Any], "tuple[Field[Any], ...]"] = cache(fields)
"""The fields of a class, ten times as fast as `fields`."""


def _read_codecs(cls: Any) -> dict[str, _Codec]:
    hints = get_type_hints(cls)
    return {field.name: _codec(field, hints[field.name]) for field in fields(cls)}


_codecs: Callable[[Any], dict[str, _Codec]] = cache(_read_codecs)


def _codec(field: "Field[Any]", hint: Any) -> _Codec:
    kinds = [kind for kind in get_args(hint) if kind is not type(None)]
    optional = type(None) in get_args(hint) or field.default is not MISSING
    kind = kinds[0] if type(None) in get_args(hint) else hint
    if kind is bool:
        return _Codec(field.name, bool, _boolean, is_optional=True, is_flag=True)
    if kind is int:
        return _Codec(field.name.upper(), _number, _number, optional)
    if kind is Cell:
        return _Codec("r1c1", _one_cell, _one_cell, optional)
    if kind is Line:
        return _Codec("left1", read_line, read_line, optional)
    if kind == Cells:
        return _Codec("r1c1r1c2", read_cells, _cells_of_list, optional)
    if kind == tuple[Cells, ...]:
        return _Codec(
            "r1c1r1c2-r2c2r3c2",
            lambda text: tuple(map(read_cells, text.split("-"))),
            lambda value: tuple(map(_cells_of_list, value)),
            optional,
        )
    if kind == tuple[int, ...]:
        return _Codec(
            "1-2",
            lambda text: tuple(map(_number, text.split("-"))),
            lambda value: tuple(map(_number, value)),
            optional,
        )
    if get_origin(kind) is Literal:
        words = get_args(kind)
        return _Codec(
            "|".join(words), lambda v: _word(v, words), lambda v: _word(v, words), optional
        )
    return _Codec(field.name.upper(), str, _string, optional)


def _number(text: Any) -> int:
    if isinstance(text, bool) or len(str(text)) > 6 or not str(text).isdecimal():
        raise ValueError(f"{str(text)[:20]!r} is not a whole number")
    return int(text)


def _boolean(value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError
    return value


def _string(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError
    return value


def _word(text: Any, words: Sequence[str]) -> str:
    if text not in words:
        raise ValueError(f"{str(text)[:20]!r} is none of {', '.join(words)}")
    return str(text)


def _one_cell(text: str) -> Cell:
    cells = read_cells(text)
    if len(cells) != 1:
        raise ValueError(f"one cell is wanted, got {text[:40]!r}")
    return cells[0]


def _cells_of_list(value: Any) -> Cells:
    return tuple(_one_cell(text) for text in value)
