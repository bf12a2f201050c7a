"""A Sudoku of any size with any rules, and its turns and exchanges of digits."""

import re
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from hashlib import blake2b
from itertools import product
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nando.puzzles.boards.board import (
    ONE_GRID,
    SYMBOLS_OF_VALUES,
    Board,
    Cell,
    Cells,
    Line,
    read_cells,
)
from nando.puzzles.boards.constraints import AllDifferent, Constraint, Sum
from nando.puzzles.boards.rule import Relabelling, Rule
from nando.puzzles.files import parse_json, shortened
from nando.puzzles.frozen import FrozenText
from nando.puzzles.protocol import Fault, FaultKind, PuzzleError, Status, Values
from nando.puzzles.rules.boxes import Boxes, Regions, divide
from nando.puzzles.rules.registry import rule_of_json
from nando.puzzles.sudoku.puzzle import SYMBOLS
from nando.puzzles.variants.conflicts import conflicts
from nando.puzzles.variants.text import (
    LAYOUTS,
    Content,
    content_of,
    digits_of,
    in_order,
    read_content,
    symbols_of,
    text_of,
)


class Turn(NamedTuple):
    """One of the eight symmetries of a square: reflect first, then exchange rows and columns."""

    upside_down: bool
    mirrored: bool
    transposed: bool


TURNS = tuple(Turn(*flags) for flags in product((False, True), repeat=3))


def apply_turn(content: Content, turn: Turn) -> Content:
    """Return the content after a symmetry of the board."""
    board, rules, givens = content
    cell = _cells_after(board.n_rows, board.n_columns, turn).__getitem__
    far = board.size - 1
    corners = []
    for corner in board.corners:
        ends = cell(corner), cell(Cell(corner.row + far, corner.column + far))
        corners.append(Cell(min(end.row for end in ends), min(end.column for end in ends)))
    new = replace(board, corners=tuple(sorted(corners)), regions=())

    def line(old: Line) -> Line:
        ends = tuple(map(cell, board.line(old)[:2]))
        return next(option for option in new.views() if new.line(option)[:2] == ends)

    grid = _grid_after(np.asarray(givens).reshape(board.n_rows, board.n_columns), turn)
    moved = tuple(rule.moved(cell, line) for rule in rules)
    return Content(new, moved, np.ascontiguousarray(grid).ravel())


@lru_cache(maxsize=64)
def _cells_after(n_rows: int, n_columns: int, turn: Turn) -> dict[Cell, Cell]:
    """Return the place to which a symmetry moves each place of a board."""
    places = np.arange(n_rows * n_columns).reshape(n_rows, n_columns)
    after = np.ndenumerate(_grid_after(places, turn))
    return {Cell(*divmod(int(place), n_columns)): Cell(*index) for index, place in after}


def places_before(board: Board, turn: Turn) -> NDArray[np.int64]:
    """Return the place on a board that each place of its image after a symmetry comes from."""
    places = np.arange(board.n_rows * board.n_columns).reshape(board.n_rows, board.n_columns)
    return _grid_after(places, turn).ravel()


def _grid_after(grid: NDArray[Any], turn: Turn) -> NDArray[Any]:
    grid = grid[:: -1 if turn.upside_down else 1, :: -1 if turn.mirrored else 1]
    return grid.T if turn.transposed else grid


def orientations(content: Content) -> list[Turn]:
    """Return the symmetries of the board that lead to the orientation that all images share.

    A cell has a sign, which depends on its given and its rules. There are several such symmetries
    if the signs are symmetric. Digits are not exchanged.
    """
    signs = _signs(content)
    keys = {}
    for turn in TURNS:
        after = _grid_after(signs, turn)
        keys[turn] = after.shape, after.tobytes()
    least = min(keys.values())
    return [turn for turn, key in keys.items() if key == least]


def _signs(content: Content) -> NDArray[np.int64]:
    """Return a number for each place that depends on its given and its rules, and moves with it."""
    board, rules, givens = content
    width = board.n_columns
    signs = [_sign("given", (value,)) if value else 0 for value in givens.tolist()]
    for rule in rules:
        sign = _sign(rule.name, rule.fixed_parameters())
        for row, column in rule.cells_named():
            signs[row * width + column] += sign
        for line in rule.lines_named():
            for place, (row, column) in enumerate(board.line(line)[:2], 1):
                signs[row * width + column] += place * sign
    return np.array(signs, np.int64).reshape(board.n_rows, width)


@lru_cache(maxsize=4096)
def _sign(name: str, parameters: tuple[object, ...]) -> int:
    """Return a hash that is the same in every process."""
    return zlib.crc32(f"{name}{parameters}".encode())


def relabellings(content: Content) -> Relabelling:
    """Return the exchanges of digits under which all rules still hold."""
    kinds = {rule.relabelling for rule in content.rules}
    if Relabelling.NONE in kinds:
        return Relabelling.NONE
    return Relabelling.REVERSED if Relabelling.REVERSED in kinds else Relabelling.ANY


def reversed_digits(content: Content) -> Content:
    """Return the content with ``n + 1 - d`` for every digit d."""
    n, values = content.board.digits, content.board.values
    rules = tuple(
        rule.reversed_digits(values[0] + values[-1])
        if rule.relabelling is Relabelling.REVERSED
        else rule
        for rule in content.rules
    )
    givens = np.where(content.givens > 0, n + 1 - content.givens, 0).astype(np.int8)
    return Content(content.board, rules, givens)


def relabel(content: Content, labels: Values) -> Content:
    """Return the content with ``labels[d]`` for every given d; ``labels[0]`` is 0."""
    return content._replace(givens=labels[content.givens].astype(np.int8))


def images(content: Content) -> Iterator[Content]:
    """Yield the content after every symmetry.

    If all exchanges of digits are allowed, each turn occurs once, with its givens numbered in the
    order in which they first occur.
    """
    kind = relabellings(content)
    for turn in TURNS:
        image = apply_turn(content, turn)
        if kind is Relabelling.ANY:
            labels = np.zeros(content.board.digits + 1, np.int8)
            firsts = [value for value in dict.fromkeys(image.givens.tolist()) if value]
            labels[firsts] = np.arange(1, len(firsts) + 1)
            yield relabel(image, labels)
            continue
        yield image
        if kind is Relabelling.REVERSED:
            yield reversed_digits(image)


_WHOLE = re.compile(r"(?:[0-9]{1,2}x[0-9]{1,2}|[1-9A-Pa-p.0_*?-]{4,4000})(?:\s*\+\s*[a-z].*)?")
_LENGTHS = {size * size for size in range(4, 26)} - {81, 256, 625}
"""Numbers of symbols that are a variant even without a rule."""


class Variant(FrozenText):
    """A Sudoku of any size with any rules, identified by its one-line text.

    Parameters
    ----------
    text : str
        The givens, a symbol for each cell row by row, or the size, for example ``9x9``; then ``+``
        and a rule, as often as there are rules: ``9x9+diagonals+killer:r1c1r1c2:7``.
        :doc:`/rules` lists the rules.

    Raises
    ------
    PuzzleError
        Lists everything wrong with the text.

    Examples
    --------
    >>> puzzle = Variant("4x4+killer:r1c1r1c2:3+thermometer:r4c1r3c1r2c1")
    >>> puzzle.size, [rule.name for rule in puzzle.rules]
    (4, ['boxes', 'killer', 'thermometer'])
    """

    kind: ClassVar[str] = "variant"

    def __init__(self, text: str) -> None:
        self.__dict__.update(_read(text))

    text: str
    """The one-line form."""
    board: Board
    """The cells, in one grid or several."""
    rules: tuple[Rule, ...]
    """All rules, in the order of the text. Rows and columns are houses without being named."""
    givens: Values
    """Given digits of all places, shape ``(n_rows * n_columns,)``, int8, read-only; 0 where blank
    and where the board has no cell. Digits count from 1 even where the lowest is printed as 0."""

    @classmethod
    def of(
        cls,
        givens: ArrayLike | str,
        rules: Iterable[Rule] = (),
        *,
        corners: Cells = ONE_GRID,
        boxed: bool = True,
        digits: str = "",
    ) -> Self:
        """Return the variant of givens and rules.

        Parameters
        ----------
        givens : str or array_like of int
            A symbol for each place; or a digit for each, counted from 1, 0 where blank; or a size,
            for example ``"9x9"``.
        rules : iterable of Rule
        corners : tuple of Cell
            Upper left cell of each grid.
        boxed : bool
            Add the usual boxes of the size, unless the rules have boxes or regions.
        digits : str
            The lowest and the highest digit, for example ``"0-8"``; empty for 1 and the size.

        Raises
        ------
        PuzzleError
            Lists everything wrong.
        """
        if not isinstance(givens, str):
            array = np.asarray(givens)
            if array.dtype.kind not in "iu":
                raise TypeError(f"givens must be integers or text, got {array.dtype}")
            values = array.ravel().tolist()
            foreign = [value for value in values if not 0 <= value < len(SYMBOLS)]
            if foreign:
                message = f"foreign value: {foreign[0]}; wanted 0 to {len(SYMBOLS) - 1}"
                raise PuzzleError([Fault(FaultKind.FOREIGN_SYMBOL, message)])
            symbols = "." + SYMBOLS_OF_VALUES[0 if digits.startswith("0-") else 1 :]
            givens = "".join(symbols[value] for value in values)
        own = tuple(sorted(corners)), list(rules)
        return cls._of(content_of(givens, *own, boxed=boxed, digits=digits))

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a variant from its text or its JSON; PuzzleError lists everything wrong."""
        if text.lstrip().startswith("{"):
            try:
                record = parse_json(text)
            except ValueError:
                message = "unreadable: the text begins as JSON, but is damaged"
                raise PuzzleError([Fault(FaultKind.UNREADABLE, message)]) from None
            return cls.from_json(record)
        return cls(text)

    @classmethod
    def from_json(cls, record: dict[str, Any]) -> Self:
        """Return the variant of plain values, as `to_json` writes them.

        Raises
        ------
        PuzzleError
            Lists everything wrong.
        """
        faults, rules, boxed = [], [], True
        listed = record.get("rules", [])
        for item in listed if isinstance(listed, list) else [listed]:
            try:
                if not isinstance(item, dict):
                    raise ValueError(f"a rule must be an object, got {str(item)[:40]!r}")
                rules.append(rule_of_json(item))
            except ValueError as error:
                faults.append(Fault(FaultKind.WRONG_RULE, str(error)))
        unknown = set(record) - {"givens", "digits", "grids", "rules", "boxed", "puzzle"}
        if unknown:
            faults.append(Fault(FaultKind.UNREADABLE, f"unreadable: unknown key {min(unknown)!r}"))
        corners = ONE_GRID
        grids = record.get("grids")
        if isinstance(grids, str) and grids in LAYOUTS:
            corners = LAYOUTS[grids][1]
        elif grids is not None:
            try:
                corners = tuple(cell for text in grids for cell in read_cells(text))
            except (TypeError, ValueError) as error:
                faults.append(Fault(FaultKind.UNREADABLE, f"unreadable grids: {error}"))
        boxed = record.get("boxed", True) is True
        if faults:
            raise PuzzleError(faults)
        givens, digits = str(record.get("givens", "9x9")), str(record.get("digits", ""))
        return cls.of(givens, rules, corners=corners, boxed=boxed, digits=digits)

    def to_json(self) -> dict[str, Any]:
        """Return the variant as plain values, which `from_json` reads back."""
        n = self.board.size
        record: dict[str, Any] = {
            "givens": self.solution_text(self.givens) if self.givens.any() else f"{n}x{n}"
        }
        if not self.board.has_usual_digits:
            record["digits"] = digits_of(self.board)
        if not self.board.is_single:
            record["grids"] = list(map(str, self.board.corners))
        record["rules"] = [rule.to_json() for rule in self.rules]
        if not any(isinstance(rule, Boxes | Regions) for rule in self.rules):
            record["boxed"] = False
        return record

    @classmethod
    def from_rows(cls, rows: Sequence[Sequence[object]]) -> Self:
        """Return the variant of a table of cells, with the usual boxes of its size.

        Raises
        ------
        PuzzleError
            If the table is not square, or holds foreign symbols.
        """
        if any(len(row) != len(rows) for row in rows):
            message = f"wrong length: {len(rows)} rows of other lengths; wanted a square"
            raise PuzzleError([Fault(FaultKind.WRONG_LENGTH, message)])
        return cls.of("".join(symbol_of(cell) for row in rows for cell in row))

    @classmethod
    def is_whole(cls, line: str) -> bool:
        """Return True if a line is a whole variant: it names a rule, or is of an unusual size."""
        line = line.strip()
        if not _WHOLE.fullmatch(line):
            return False
        return "+" in line or "x" in line or (len(line) in _LENGTHS and not set(line) <= {"-", "?"})

    @property
    def size(self) -> int:
        """Number of digits; a grid has as many rows and columns unless rows lack digits."""
        return self.board.digits

    @property
    def symbols(self) -> str:
        """A dot for a blank, then the symbol of each digit."""
        return self.board.symbols

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns of the whole board."""
        return self.board.n_rows, self.board.n_columns

    @property
    def is_plain(self) -> bool:
        """True for a single grid without rules other than the usual boxes of its size."""
        return "+" not in self.text

    @cached_property
    def constraints(self) -> tuple[tuple[int, Constraint], ...]:
        """Constraints of rows and columns (-1) and of the rules (their places in `rules`)."""
        return tuple(constraints_of(self.board, self.rules))

    @cached_property
    def places(self) -> list[int]:
        """Place of each cell of the board among all values, row by row."""
        return self.board.places(self.board.cells)

    def status(self) -> Status:
        """Return the conflicts among the givens, and cells for which the rules leave no digit."""
        grid = {
            cell: value
            for cell, place in zip(self.board.cells, self.places, strict=True)
            if (value := int(self.givens[place]))
        }
        faults: dict[tuple[int, ...], Fault] = {}
        for conflict in conflicts(self.constraints, grid, self.size):
            named = " and ".join(f"{self.symbols[grid[cell]]} at {cell}" for cell in conflict.given)
            rules = " and ".join(
                dict.fromkeys(
                    "row or column" if number < 0 else self.rules[number].label
                    for number in conflict.rules
                )
            )
            if conflict.empty is None:
                kind, message = (
                    FaultKind.CONFLICTING_GIVENS,
                    f"conflicting givens: {named} ({rules})",
                )
                cells = conflict.given
            else:
                kind, cells = FaultKind.WRONG_RULE, (conflict.empty,)
                message = f"no digit is left for {conflict.empty}: {rules}"
                message += f" with {named}" if named else ""
            places = tuple(self.board.places(cells))
            faults.setdefault(places, Fault(kind, message, places))
        return Status(tuple(faults.values()))

    def is_solution(self, values: Values) -> bool:
        """Return True if `values`, shape ``(n_places,)``, keep the givens and obey every rule."""
        values = np.asarray(values)
        if not self._keeps_givens(values):
            return False
        digits = values[self.places].tolist()
        if min(digits) < 1 or max(digits) > self.size:
            return False
        grid = self.board.grid_of(digits)
        n = self.board.size
        if any(len({grid[cell] for cell in line}) != n for line in self.board.lines()):
            return False
        return all(rule.obeyed(self.board, grid) for rule in self.rules)

    def solution_text(self, values: Values) -> str:
        """Return a symbol for each place, row by row; ``.`` where the board has no cell."""
        return symbols_of(np.asarray(values), self.board)

    def solution_values(self, text: str) -> Values:
        """Return the values of a line as `solution_text` writes it.

        Raises
        ------
        PuzzleError
            If the line has another length than the board, or foreign symbols.
        """
        if len(text) != self.givens.size:
            message = f"wrong length: {len(text)} symbols; wanted {self.givens.size}"
            raise PuzzleError([Fault(FaultKind.WRONG_LENGTH, message)])
        values = [self.symbols.find(symbol) for symbol in text.upper()]
        foreign = [i for i, value in enumerate(values) if value < 0]
        if foreign:
            message = f"foreign symbol: {text[foreign[0]]!r} at position {foreign[0] + 1}"
            raise PuzzleError([Fault(FaultKind.FOREIGN_SYMBOL, message, tuple(foreign))])
        return np.array(values, np.int8)

    def grid(self, values: Values | None = None) -> str:
        """Return a readable grid of `values`, by default of the givens, and the rules below it."""
        shown = np.asarray(self.givens if values is None else values).reshape(self.shape)
        cells = set(self.board.cells)
        # A blank line would end a grid that is read.
        has_gap = len({cell.row for cell in cells}) < self.board.n_rows
        lines = [
            " ".join(
                self.symbols[value] if has_gap or Cell(row, column) in cells else " "
                for column, value in enumerate(line)
            ).rstrip()
            for row, line in enumerate(shown.tolist())
        ]
        named = self.text.split("+")[1:]
        return "\n".join([*lines, *(f"+ {text}" for text in named)])

    def shuffled(self, rng: np.random.Generator) -> Self:
        """Return an equivalent puzzle, drawn uniformly from the symmetries of its rules."""
        content = apply_turn(self._content, TURNS[rng.integers(len(TURNS))])
        kind = relabellings(content)
        if kind is Relabelling.ANY:
            labels = np.concatenate([[0], 1 + rng.permutation(self.size)])
            content = relabel(content, labels)
        elif kind is Relabelling.REVERSED and rng.random() < 0.5:
            content = reversed_digits(content)
        return self._of(content)

    @property
    def oriented(self) -> Self:
        """Return one of the turned and reflected images, the same for all of these images.

        Digits are not exchanged, so this takes a tenth of the time of `equivalence_key`.
        """
        return self if self._turn == TURNS[0] else self._image

    @cached_property
    def _image(self) -> Self:
        return self._turned(self._turn)

    def _turned(self, turn: Turn) -> Self:
        return self if turn == TURNS[0] else self._of(apply_turn(self._content, turn))

    @cached_property
    def _turn(self) -> Turn:
        """The turn to the oriented image."""
        turns = orientations(self._content)
        return turns[0] if len(turns) == 1 else min(turns, key=lambda turn: self._turned(turn).text)

    def common_images(self) -> Iterator[tuple[Self, NDArray[np.int64]]]:
        """Yield two images that all images of this puzzle share, the oriented one first.

        With each comes the place in this puzzle of each of its places, shape ``(n_cells,)``.
        """
        image, places = self.oriented, places_before(self.board, self._turn)
        yield image, places
        half_turn = Turn(upside_down=True, mirrored=True, transposed=False)
        yield image._turned(half_turn), places[places_before(image.board, half_turn)]

    def equivalence_key(self) -> str:
        """Return the least text of all puzzles that result from turns and exchanges of digits.

        Puzzles with the same key are equivalent. Exchanges of rows or columns, which some rules
        would allow, are not tried.
        """
        return self._key

    @cached_property
    def _key(self) -> str:
        return min(self._of(image).text for image in images(self._content))

    def equivalence_hash(self) -> int:
        """Return a hash shared by all equivalent puzzles."""
        digest = blake2b(self._key.encode(), digest_size=8).digest()
        return int.from_bytes(digest, "little", signed=True)

    @property
    def _content(self) -> Content:
        return Content(self.board, self.rules, self.givens)

    @classmethod
    def _of(cls, content: Content) -> Self:
        self = cls.__new__(cls)
        self.__dict__.update(_fields_of(content))
        return self


@lru_cache(maxsize=8)
def _read(text: str) -> dict[str, Any]:
    """Return the fields of a text, cached because recognising a kind reads a text several times."""
    return _fields_of(read_content(text))


def _fields_of(content: Content) -> dict[str, Any]:
    board, rules, givens = content
    board = divide(board, rules)
    rules = in_order(rules)
    givens.setflags(write=False)
    return {
        "board": board,
        "rules": rules,
        "givens": givens,
        "text": text_of(board, rules, givens),
    }


def constraints_of(board: Board, rules: Sequence[Rule]) -> Iterator[tuple[int, Constraint]]:
    """Yield the constraints of rows and columns (-1) and of rules (their places)."""
    for own in _lines_of(board):
        yield -1, own
    for number, rule in enumerate(rules):
        for own in constraints_of_rule(rule, board):
            yield number, own


@lru_cache(maxsize=64)
def _lines_of(board: Board) -> tuple[Constraint, ...]:
    return tuple(map(AllDifferent, board.lines()))


@lru_cache(maxsize=1_024)
def constraints_of_rule(rule: Rule, board: Board) -> tuple[Constraint, ...]:
    """Return the constraints of a rule on digits, which count from 1."""
    return tuple(_on_digits(own, board) for own in rule.constraints(board))


def _on_digits(own: Constraint, board: Board) -> Constraint:
    """Return a constraint on values as one on digits, which count from 1: only totals differ."""
    if not isinstance(own, Sum) or board.lowest == 1:
        return own
    return replace(own, total=own.total + sum(own.weights or (1,) * len(own.cells)))


def symbol_of(cell: object) -> str:
    """Return the symbol of a cell of a table: a number, a symbol, or nothing for a blank.

    Raises
    ------
    PuzzleError
        For anything else.
    """
    text = "" if cell is None else str(cell).strip()
    if text in ("", "0", "-1"):
        return "."
    if len(text) == 1:
        return text
    if not text.isdecimal() or len(text) > 2 or int(text) >= len(SYMBOLS):
        message = f"foreign symbol: {shortened(text, 20)!r}; wanted a digit of the puzzle"
        raise PuzzleError([Fault(FaultKind.FOREIGN_SYMBOL, message)])
    return SYMBOLS[int(text)]
