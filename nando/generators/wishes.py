"""What is asked of new puzzles, as every door takes it.

Python, the command `generate`, the parts of a book, the puzzles of a contest and requests of the
web service take the same wishes, by the same names.
"""

import dataclasses
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from numbers import Integral
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from nando.checks import one_of, positive, shape_of, share, whole
from nando.names import Grade, Look, Symmetry
from nando.records import Settings, between, documented, setting

if TYPE_CHECKING:
    from nando.generators.steps import Steps
    from nando.generators.target import Source
    from nando.puzzles.variants.genre import Genre

DIFFICULTIES = ("minutes", "grade", "percentile")
"""The wishes for a difficulty, of which there is at most one."""

OF_SOURCES = (
    *("symmetry", "givens", "pattern", "minimal", "most_per_house", "mean_size", "largest"),
    *("unknown", "look", "clues", "cells", "singles", "layout"),
)
"""The wishes that only a new puzzle can be made to."""

OF_STEPS = ("needs", "uses", "hardest", "without", "se")
"""The wishes for the steps of puzzles."""

_NO_GIVEN = ".0_*"
_FRAME = "|-+"
_ORDERS = {9: 3, 16: 4, 25: 5}
"""Orders of plain Sudokus, by the number of their digits."""


def _items(name: str, value: object) -> list[Any]:
    if not isinstance(value, Iterable):
        raise TypeError(f"{name} must be text or a list, got {value!r}")
    return list(value)


def _join(name: str, value: "str | Iterable[str]") -> str | None:
    """Return names as a text with commas between them, None for no names."""
    names = value.split(",") if isinstance(value, str) else [str(n) for n in _items(name, value)]
    if not all(part.strip() for part in names):
        raise ValueError(
            f"{name} names nothing: give a name, or several with commas, got {value!r}"
        )
    return ",".join(part.strip() for part in names) or None


def _size(name: str, value: object) -> str:
    """Return a size as columns x rows; a single side is a square."""
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise TypeError(f"{name} must be text such as 8x6, or a number, got {value!r}")
    rows, columns = shape_of(str(value))
    if not (0 < rows <= 100 and 0 < columns <= 100):
        raise ValueError(f"{name} must be columns x rows, such as 10x10, got {value!r}")
    return f"{columns}x{rows}"


def _order(name: str, value: int | str) -> int | str:
    if isinstance(value, str) and not value.isdecimal():
        from nando.generators.steps import order_named

        order_named(value)
    elif whole(name, value) == 2:
        raise ValueError(f"{name} must be 3, 4 or 5, got 2; for 4x4, ask for the size (--size 4x4)")
    else:
        one_of(name, value, (3, 4, 5))
    return value


def _ratings(name: str, value: object) -> str:
    from nando.generators.steps import rating_range

    return rating_range(name, value)


def _minutes(name: str, value: object) -> float:
    if not positive(name, value) < 1e5:
        raise ValueError(f"{name} must be below 100,000, got {value:g}")
    return cast(float, value)


def _tolerance(name: str, value: object) -> float:
    """Return a share, which text may state in per cent."""
    if isinstance(value, str):
        unit = 100.0 if value.endswith("%") else 1.0
        try:
            value = float(value.removesuffix("%")) / unit
        except ValueError:
            raise ValueError(f"{name} must be a share such as 10% or 0.1, got {value!r}") from None
    return share(name, value)


def _amount(least: int) -> Callable[[str, Any], int | str]:
    """Return a check of a number or a range, which returns the number, or the range as text."""

    def check(name: str, value: Any) -> int | str:
        if isinstance(value, bool) or not isinstance(value, Integral | str):
            raise TypeError(f"{name} must be a whole number, or a range such as 3-8, got {value!r}")
        first, dash, last = (text := str(value)).rpartition("-")
        ends = [first.strip(), last.strip()] if dash and first else [text]
        if not all(end.removeprefix("-").isdecimal() and len(end) < 6 for end in ends):
            raise ValueError(f"{name} must be a number, or a range such as 3-8, got {value!r}")
        numbers = [int(end) for end in ends]
        if numbers[0] < least or numbers != sorted(numbers):
            raise ValueError(
                f"{name} must be at least {least}, and a range go from less to more, got {text}"
            )
        return numbers[0] if len(numbers) == 1 else f"{numbers[0]}-{numbers[1]}"

    return check


def _drawing(name: str, value: "str | Iterable[object]") -> str:
    """Return a drawn pattern as a line with x where a given is wanted."""
    if not isinstance(value, str):
        value = "".join("x" if wanted else "." for wanted in _items(name, value))
    cells = [symbol for symbol in value if not symbol.isspace() and symbol not in _FRAME]
    if len(cells) != 81:
        raise ValueError(f"{name} must have 81 cells, got {len(cells)}")
    return "".join("." if symbol in _NO_GIVEN else "x" for symbol in cells)


@documented
@dataclass(frozen=True, kw_only=True)
class Wishes(Settings):
    """What is asked of new puzzles; a wish that is None is not made.

    Raises
    ------
    TypeError, ValueError
        For a wish of the wrong type, an unknown kind, and wishes that contradict each other.

    Examples
    --------
    >>> Wishes(kind="killer", size=6, minutes=8).genre
    Genre(digits=6, grids='', rules=('killer',), boxed=True)
    """

    kind: str | None = setting(
        "sudoku",
        about="Kind of puzzle: sudoku, nurikabe, variant, a size such as 16x16, or rules such as "
        "killer; rules, a layout or a size make variants of a sudoku.",
    )
    minutes: float | None = setting(
        None, _minutes, about="Predicted time of a typical person in minutes."
    )
    grade: Grade | None = setting(
        None, about="beginner, easy, medium, tricky, fiendish or diabolical."
    )
    percentile: float | None = setting(
        None,
        between(0, 100),
        about="Percentile of difficulty among the puzzles of the model.",
        metavar="0..100",
    )
    tolerance: float | str = setting(
        0.1, _tolerance, about="How far the prediction may be from the minutes: 0.1 or 10%."
    )
    order: int | str | None = setting(
        None,
        _order,
        about="Sudoku: 3 (9x9), 4 (16x16) or 5 (25x25); default: 3. Or the order in which "
        "techniques are tried: sudoku-explainer, hodoku or sudokuwiki.",
        metavar="3|4|5|NAME|FILE",
    )
    size: str | int | None = setting(
        None,
        _size,
        about="Nurikabe: columns and rows; variants: for example 6x6 or 9.",
        metavar="WxH",
    )
    rules: str | None = setting(
        None,
        _join,
        named="rule",
        about="Make variants with these rules, for example killer or diagonals,anti-knight.",
        metavar="NAME,...",
    )
    layout: str | None = setting(
        None,
        lambda _, value: getattr(value, "text", value),
        about="Keep the regions, lines and cages of this variant; find digits.",
        metavar="FILE",
    )
    symmetry: Symmetry | None = setting(
        None,
        about="Symmetry of the givens: none, rotational, rotational-90, mirror or diagonal; also "
        "of lines, cages and jigsaw regions.",
    )
    look: Look | None = setting(
        None,
        about="Variants: newspaper (the clues carry the puzzle, with few givens and none on a "
        "line or cage) or setter (no givens, few long clues); default: newspaper.",
    )
    givens: int | str | None = setting(
        None,
        _amount(0),
        about="Number of givens; for variants also a range such as 0-8; default: as many as "
        "needed.",
        metavar="N",
    )
    pattern: str | None = setting(
        None,
        _drawing,
        about="9x9: a drawing of 81 cells: any symbol other than . 0 _ * is a given.",
        metavar="FILE",
    )
    minimal: bool = setting(False, about="Make every given necessary.")
    most_per_house: int | None = setting(
        None,
        between(0),
        about="Maximum givens in a row, column or box; default: two less than its cells.",
    )
    mean_size: float | None = setting(None, about="Nurikabe: mean size of the islands; default: 3.")
    largest: int | None = setting(
        None, about="Nurikabe: cells of the largest island; default: 2.5 times the mean."
    )
    unknown: int | None = setting(None, about="Nurikabe: islands of unknown size, written ?.")
    clues: int | str | None = setting(
        None,
        _amount(1),
        about="Variants: clues of each rule, for example arrows: at most a number, or a range "
        "such as 8-12.",
        metavar="N",
    )
    cells: int | str | None = setting(
        None,
        _amount(1),
        about="Variants: cells of a clue, such as a line or a cage: a number, or a range such as "
        "3-6.",
        metavar="N",
    )
    singles: int | None = setting(None, about="Killer: maximum cages of a single cell; default: 0.")
    needs: str | None = setting(
        None,
        _join,
        about="Techniques without each of which nothing as easy as the puzzle's own steps solves "
        "it, for example x-wing.",
        metavar="NAME,...",
    )
    uses: str | None = setting(
        None, _join, about="Techniques that the walk through the puzzle uses.", metavar="NAME,..."
    )
    hardest: str | None = setting(
        None, about="No step is above this technique, for example x-wing.", metavar="NAME"
    )
    without: str | None = setting(
        None, _join, about="Techniques that the walk does without.", metavar="NAME,..."
    )
    se: str | float | None = setting(
        None,
        _ratings,
        about="Rating of the hardest step, or a range, for example 4.0-4.5: for a Sudoku its SE "
        "rating.",
        metavar="RANGE",
    )

    def check(self) -> None:
        """Check the kind, and that the difficulty is asked for in one way."""
        given = [name for name in DIFFICULTIES if getattr(self, name) is not None]
        if len(given) > 1:
            raise ValueError(f"{' and '.join(given)} contradict each other: give one of them")
        if self.kind not in (None, "sudoku", "nurikabe", "variant"):
            _ = self._board
        _ = self.steps

    @property
    def is_any_difficulty(self) -> bool:
        """True if any difficulty will do."""
        return all(getattr(self, name) is None for name in DIFFICULTIES)

    @property
    def puzzle_kind(self) -> str:
        """The kind of puzzle that is made, as the registry of kinds names it."""
        return self._board.kind

    @property
    def sudoku_order(self) -> int:
        """The order of the Sudokus that are made, if they are Sudokus."""
        return self._board.order or 3

    @property
    def shape(self) -> tuple[int, int] | None:
        """Rows and columns that are asked for; None if any will do."""
        return None if self.size is None else shape_of(str(self.size))

    @cached_property
    def genre(self) -> "Genre | None":
        """The size and the rules of a variant; None for puzzles of other kinds."""
        from nando.puzzles import Variant, as_puzzle
        from nando.puzzles.variants.genre import Genre
        from nando.puzzles.variants.text import DIGITS

        board = self._board
        if board.kind != "variant":
            return None
        if self.layout is not None and isinstance(drawn := as_puzzle(self.layout), Variant):
            return Genre.of(drawn)
        named = (name.partition(":")[0] for name in board.rules)
        names = [name for name in named if name != DIGITS]
        return Genre.read(",".join(names) or board.size or "9x9", board.size or "")

    def source(self, displayed: Callable[[str], str] = str) -> "Source":
        """Return the source from which the puzzles are drawn.

        Parameters
        ----------
        displayed : callable
            Returns the name of a wish as messages show it.

        Raises
        ------
        TypeError, ValueError
            For wishes of another kind, and impossible values.
        """
        from nando.generators.kinds import SOURCES

        kind = self.puzzle_kind
        if kind not in SOURCES:
            raise ValueError(f"no {kind!r} puzzles are made; known: {', '.join(SOURCES)}")
        options = self._options(kind)
        given = {
            n: value for n, value in options.items() if value is not None and value is not False
        }
        known = {field.name for field in dataclasses.fields(cast(Any, SOURCES[kind]))}
        if foreign := given.keys() - known:
            called = {"shape": "size", "rules": "rule"}
            names = " and ".join(sorted(displayed(called.get(name, name)) for name in foreign))
            raise ValueError(f"{names}: not for {kind} puzzles, leave it out")
        return SOURCES[kind](**given)

    @cached_property
    def steps(self) -> "Steps | None":
        """What is asked of the steps of the puzzles, None if nothing is.

        Raises
        ------
        ValueError
            For an unknown technique, and wishes that contradict each other.
        """
        asked = {name: getattr(self, name) for name in OF_STEPS if getattr(self, name) is not None}
        if not asked:
            return None
        from nando.generators.steps import read_steps

        order = self.order if isinstance(self.order, str) else None
        return read_steps(self.puzzle_kind, order=order, **asked)

    def _options(self, kind: str) -> dict[str, Any]:
        """Return the options of a source; those that are None or False are not given."""
        board = self._board
        options = {name: getattr(self, name) for name in OF_SOURCES}
        for name in ("givens", "clues", "cells"):
            if isinstance(value := options[name], str):
                if kind != "variant":
                    raise ValueError(f"{name} {value}: ranges are for variants; give a number")
                least, most = value.split("-")
                options[name] = int(least), int(most)
        if kind == "variant" and isinstance(options["clues"], int):
            options["clues"] = 1, options["clues"]
        options |= {"order": board.order, "rules": board.rules or None}
        if self.pattern is not None:
            options["pattern"] = tuple(symbol == "x" for symbol in self.pattern)
        if self.layout is not None:
            from nando.puzzles import as_puzzle

            options["layout"] = as_puzzle(self.layout, "variant")
        if board.size is None:
            return options
        rows, columns = shape_of(board.size)
        if kind != "variant":
            return options | {"shape": (rows, columns)}
        if rows != columns:
            raise ValueError(
                f"a variant has as many rows as columns, got {board.size}; ask for 6x6, or 9"
            )
        return options | {"size": rows}

    @cached_property
    def _board(self) -> "_Board":
        """The kind of puzzle, with what the name of the kind says of its board."""
        from nando.puzzles.kinds import PUZZLES
        from nando.puzzles.variants.genre import Genre

        kind, order = self.kind or "sudoku", self.order if isinstance(self.order, int) else None
        size = None if self.size is None else str(self.size)
        rules = () if self.rules is None else tuple(self.rules.split(","))
        if any(puzzle.kind == kind for puzzle in PUZZLES):
            is_variant = kind == "sudoku" and (rules or self.layout is not None or size is not None)
            return _Board("variant" if is_variant else kind, rules, size, order)
        try:
            genre = Genre.read(kind, size or "")
        except ValueError as error:
            if size is not None:
                Genre.read(size)  # raises if the size is at fault, not the kind
            raise ValueError(
                "kind must be sudoku, nurikabe, variant, a size such as 6x6, or rules such as "
                f"killer or diagonals,anti-knight, got {kind!r}: {error}"
            ) from None
        if genre.names and rules:
            raise ValueError(f"kind {kind} and rule {self.rules} both name rules: leave one out")
        if not (genre.names or rules or self.layout is not None) and genre.digits in _ORDERS:
            return _Board("sudoku", (), None, order or _ORDERS[genre.digits])
        if size is None and self.layout is None:
            size = f"{genre.digits}x{genre.digits}"
        return _Board("variant", genre.names or rules, size, order)


class _Board(NamedTuple):
    kind: str
    rules: tuple[str, ...]
    size: str | None
    order: int | None
