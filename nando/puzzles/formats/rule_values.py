"""Shared by the readers and writers of rules: cells, numbers, and errors."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

from nando.puzzles import rules
from nando.puzzles.boards.board import Board, Cell, Cells, Line
from nando.puzzles.boards.rule import Rule
from nando.puzzles.files import SPOILT, shortened
from nando.puzzles.formats.base import cannot_hold, unknown_rules, unreadable
from nando.puzzles.protocol import PuzzleError
from nando.puzzles.rules.houses import Groups
from nando.puzzles.variants.puzzle import Variant

MOST_RULES = 5_000
"""Most rules of a puzzle."""

_CELL = re.compile(r"[Rr]([0-9]{1,2})[Cc]([0-9]{1,2})")


class UnreadRule(Exception):
    """A rule that nando cannot read; its argument names the rule."""


class UnheldRule(Exception):
    """A format cannot hold a rule."""


def cell_of(text: Any) -> Cell:
    """Return the cell of a name, for example ``R1C1``; R0 and C0 lie outside the grid."""
    match = _CELL.fullmatch(text)
    if match is None:
        raise ValueError(f"{shortened(text, 20)!r} is no cell")
    return Cell(int(match[1]) - 1, int(match[2]) - 1)


def cells_of(names: Any) -> Cells:
    """Return the cells of a list of names."""
    return tuple(map(cell_of, list_of(names)))


def list_of(value: Any) -> list[Any]:
    """Return a list; TypeError for any other value."""
    if not isinstance(value, list):
        raise TypeError
    return value


def number_of(value: Any) -> int:
    """Return a whole number that is given as a number or as text; ValueError for others."""
    if isinstance(value, bool) or not re.fullmatch("[0-9]{1,6}", str(value).strip()):
        raise ValueError(f"{shortened(value, 20)!r} is no number")
    return int(value)


def name_of(cell: Cell) -> str:
    """Return the name of a cell with capitals, for example ``R1C1``."""
    return f"R{cell.row + 1}C{cell.column + 1}"


def names_of(cells: Cells) -> list[str]:
    """Return the names of cells."""
    return list(map(name_of, cells))


def line_at(cell: Cell, size: int) -> Line:
    """Return the line that begins at a place just outside the grid; ValueError for others."""
    row, column = cell
    if 0 <= column < size and row in (-1, size):
        return Line("top" if row < 0 else "bottom", column + 1)
    if 0 <= row < size and column in (-1, size):
        return Line("left" if column < 0 else "right", row + 1)
    raise ValueError(f"{cell} is not next to the grid")


def place_before(line: Line, size: int) -> Cell:
    """Return the place just outside the grid at which a line begins."""
    i = line.number - 1
    return {
        "left": Cell(i, -1),
        "right": Cell(i, size),
        "top": Cell(-1, i),
        "bottom": Cell(size, i),
    }[line.edge]


def diagonal_from(place: Cell, step: tuple[int, int], board: Board) -> Cells:
    """Return the cells of a diagonal that begins after a place outside the grid."""
    cells = []
    cell = Cell(place.row + step[0], place.column + step[1])
    while cell in board.number_of:
        cells.append(cell)
        cell = Cell(cell.row + step[0], cell.column + step[1])
    return tuple(cells)


Reader = Callable[[Any, Board], Iterator[Rule]]
"""Takes the value of a key and the board; yields rules."""


def each(read: Callable[[Any, Board], Rule]) -> Reader:
    """Return a reader of lists that converts each item to a rule by `read`."""
    return lambda content, board: (read(item, board) for item in list_of(content))


class Row(NamedTuple):
    """How a program writes a class of rules: the key, and both directions.

    Attributes
    ----------
    key : str
    rule : type of Rule
    read : Reader
    write : callable
        Takes a rule and its board; returns the entries in the list of the key. The entry True is a
        flag, which has no list.
    holds : callable
        Return True for the rules of this class that the key can hold.
    """

    key: str
    rule: type[Rule]
    read: Reader
    write: Callable[[Any, Board], Iterable[Any]]
    holds: Callable[[Any], bool] = lambda _: True


def flag(key: str, rule: Callable[[], Rule], *, strict: bool = False) -> Row:
    """Return the row of a rule without values; if `strict`, only ``true`` stands for it."""

    def read(content: Any, _: Board) -> Iterator[Rule]:
        if strict and content is not True:
            raise TypeError
        yield rule()

    return Row(key, type(rule()), read, lambda *_: [True])


def readers_of(rows: Iterable[Row]) -> dict[str, Reader]:
    """Return the reader of each key."""
    return {row.key: row.read for row in rows}


def row_of(rows: Iterable[Row], rule: Rule) -> Row | None:
    """Return the first row that can hold a rule, or None."""
    return next((row for row in rows if type(rule) is row.rule and row.holds(rule)), None)


def add_entry(value: dict[str, Any], key: str, entry: Any) -> None:
    """Add the entry of a rule to the JSON of a puzzle."""
    if entry is True:
        value[key] = True
    else:
        value.setdefault(key, []).append(entry)


def read_rules(
    value: Mapping[str, Any], readers: Mapping[str, Reader], board: Board, program: str
) -> Iterator[Rule]:
    """Yield the rules of the keys of a JSON object; empty values are no rules.

    Raises
    ------
    PuzzleError
        If a key has no reader or a reader raises `UnreadRule` (the message names them all), if a
        value is damaged, or if there are too many rules.
    """
    unread: list[str] = []
    count = 0
    for key, content in value.items():
        if not content:
            continue
        if key not in readers:
            unread.append(key)
            continue
        with reading(key, program, unread):
            for rule in readers[key](content, board):
                count += 1
                if count > MOST_RULES:
                    raise unreadable(f"more than {MOST_RULES:,} rules")
                yield rule
    if unread:
        raise unknown_rules(unread)


def write_rules(listed: Iterable[Rule], write: Callable[[Rule], None], program: str) -> None:
    """Call `write` for each rule; ValueError names the rules for which it raises `UnheldRule`."""
    unheld = []
    for rule in listed:
        try:
            write(rule)
        except UnheldRule:
            unheld.append(rule)
    if unheld:
        raise cannot_hold(program, unheld)


@contextmanager
def reading(key: str, program: str, unread: list[str]) -> Iterator[None]:
    """Add a rule that the block cannot read to `unread`.

    Raises
    ------
    PuzzleError
        For any other error in the block, which means that the value of the key is damaged.
    """
    try:
        yield
    except UnreadRule as error:
        unread.append(str(error))
    except PuzzleError:
        raise
    except SPOILT as error:
        detail = f" ({shortened(error, 60)})" if isinstance(error, ValueError) else ""
        raise unreadable(f"{shortened(key, 30)!r} of {program} is damaged{detail}") from None


def diagonals(*, rising: Any, falling: Any) -> Iterator[Rule]:
    """Yield the rule of the diagonals that are marked, if any."""
    if rising or falling:
        yield rules.Diagonals("both" if rising and falling else "rising" if rising else "falling")


def start_of(rule: rules.LittleKiller, size: int) -> tuple[Cell, tuple[int, int]] | None:
    """Return the place outside the grid at which a little killer begins, and its step, if any."""
    first = rule.cells[0]
    for step in ((-1, 1), (-1, -1), (1, 1), (1, -1)):
        place = Cell(first.row - step[0], first.column - step[1])
        is_outside = not (0 <= place.row < size and 0 <= place.column < size)
        if is_outside and diagonal_from(place, step, Board(size)) == rule.cells:
            return place, step
    return None


def line_of(rule: rules.Arrow) -> Cells:
    """Return the shaft of an arrow, from the nearest cell of its circle."""
    tip = rule.shaft[0]
    nearest = min(
        rule.circle,
        key=lambda cell: (abs(cell.row - tip.row) + abs(cell.column - tip.column), cell),
    )
    return (nearest, *rule.shaft)


def regions_of(puzzle: Variant) -> tuple[list[Cells], list[Rule]]:
    """Return the boxes or regions of a puzzle, or else its rows, and its other rules."""
    regions = list(puzzle.board.lines())[: puzzle.size]
    others = []
    for rule in puzzle.rules:
        if isinstance(rule, rules.Boxes):
            regions = list(rule.houses(puzzle.board))
        elif isinstance(rule, rules.Regions):
            regions = list(rule.regions)
        else:
            others.append(rule)
    return regions, others


def cages_of(puzzle: Variant, name: str, others: Iterable[Rule]) -> list[rules.Cage]:
    """Return the cages of a puzzle for a format that holds only cages with sums.

    Parameters
    ----------
    puzzle : Variant
    name : str
        Name of the format.
    others : iterable of Rule
        Further rules that the format can hold.

    Raises
    ------
    ValueError
        For other rules, and for cages without a sum or with a common cell.
    """
    cages = [rule for rule in puzzle.rules if isinstance(rule, rules.Cage) and not rule.repeats]
    unheld = set(puzzle.rules) - {*cages, *others}
    if unheld or any(cage.total is None for cage in cages):
        raise cannot_hold(name, [rule for rule in puzzle.rules if rule in unheld] or cages)
    seen: set[Cell] = set()
    for cell in (cell for cage in cages for cell in cage.cells):
        if cell in seen:
            raise ValueError(f"{name} cannot hold cages that overlap, as at {cell}")
        seen.add(cell)
    return cages


def houses_of(regions: list[Cells], size: int) -> tuple[list[Rule], bool]:
    """Return the rule of regions that are not the usual boxes, and whether there are any."""
    listed = {frozenset(cells) for cells in regions}
    board = Board(size)
    if listed == {frozenset(cells) for cells in list(board.lines())[:size]}:
        return [], False
    for height in range(1, size + 1):
        if size % height == 0:
            boxes = rules.Boxes(height, size // height)
            if listed == {frozenset(cells) for cells in boxes.houses(board)}:
                return [boxes], True
    return [rules.Regions(tuple(regions))], True


_NAMED: tuple[Groups, ...] = (
    rules.Diagonals(),
    rules.Diagonals("falling"),
    rules.Diagonals("rising"),
    rules.Windoku(),
    rules.DisjointGroups(),
    rules.Argyle(),
    rules.CentreDot(),
    rules.Asterisk(),
    rules.Girandola(),
)
"""Rules that a format may write as groups of cells."""


def name_groups(listed: Iterable[Rule], board: Board) -> list[Rule]:
    """Return the rules, with extra regions that form a named rule replaced by that rule."""
    listed = list(listed)
    extra = {frozenset(rule.cells): rule for rule in listed if isinstance(rule, rules.ExtraRegion)}
    for named in _NAMED:
        if not extra or any(named.faults(board)):
            continue
        groups = set(map(frozenset, named.groups(board)))
        if groups <= extra.keys():
            gone = [extra.pop(group) for group in groups]
            listed = [rule for rule in listed if rule not in gone]
            listed.append(named)
    return listed
