"""Reading the rules of f-puzzles: a key of its JSON for each.

Cells are named ``R1C1``; numbers outside the grid are at row or column 0, or after the last.
A mark without a number is a dot: a difference of 1 or a ratio of 2. Without marks, `nonconsecutive`
is the rule of that name; with marks, it says that all dots are given, as `negative` does for ratios
and for X and V.
"""

from collections.abc import Callable, Iterator
from typing import Any, Literal

from nando.puzzles import rules
from nando.puzzles.boards.board import Board, Cell, Cells
from nando.puzzles.boards.rule import Rule
from nando.puzzles.formats.base import unknown_rules
from nando.puzzles.formats.variants.values import (
    Reader,
    UnreadRule,
    cell_of,
    cells_of,
    diagonal_from,
    diagonals,
    each,
    houses_of,
    line_at,
    list_of,
    number_of,
    read_rules,
)

PROGRAM = "f-puzzles"

STEPS = {"UR": (-1, 1), "UL": (-1, -1), "DR": (1, 1), "DL": (1, -1)}
FLAGS: dict[str, Callable[[], Rule]] = {
    "antiknight": rules.AntiKnight,
    "antiking": rules.AntiKing,
    "disjointgroups": rules.DisjointGroups,
}
MARKED: dict[str, Callable[[Cells], Rule]] = {
    "odd": rules.Odd,
    "even": rules.Even,
    "minimum": rules.Minimum,
    "maximum": rules.Maximum,
}
LINES: dict[str, Callable[[Cells], Rule]] = {
    "thermometer": rules.Thermometer,
    "palindrome": rules.Palindrome,
    "renban": rules.Renban,
    "betweenline": rules.Between,
    "regionsumline": rules.RegionSum,
    "entropicline": rules.Entropic,
    "modularline": rules.Modular,
    "zipperline": rules.Zipper,
}
OUTSIDE: dict[str, tuple[Callable[[Any, int], Rule], str]] = {
    "sandwichsum": (rules.Sandwich, "sandwich"),
    "xsum": (rules.XSums, "X-sum"),
    "skyscraper": (rules.Skyscraper, "skyscraper"),
}
"""Rules of numbers outside the grid, with their names in messages."""
_MARKS = ("difference", "ratio", "xv", "negative", "nonconsecutive", "diagonal+", "diagonal-")
"""Keys that are read together."""


def rules_of(value: dict[str, Any], board: Board) -> Iterator[Rule]:
    """Yield the rules of the JSON of a puzzle, without its regions.

    Raises
    ------
    PuzzleError
        For rules that nando cannot read, which the message names, or a damaged value.
    """
    others = {key: content for key, content in value.items() if key not in _MARKS}
    yield from read_rules(others, _READERS, board, PROGRAM)
    yield from read_rules({"marks": value}, {"marks": _marks}, board, PROGRAM)


# Reading


def _flag(rule: Callable[[], Rule]) -> Reader:
    def read(content: Any, _: Board) -> Iterator[Rule]:
        if content is not True:
            raise TypeError
        yield rule()

    return read


def _marked(rule: Callable[[Cells], Rule]) -> Reader:
    def read(content: Any, _: Board) -> Iterator[Rule]:
        yield rule(tuple(cell_of(entry["cell"]) for entry in list_of(content)))

    return read


def _lines(rule: Callable[[Cells], Rule]) -> Reader:
    def read(content: Any, _: Board) -> Iterator[Rule]:
        for entry in list_of(content):
            if entry.get("value"):
                raise UnreadRule(f"a line with the value {entry['value']!r}")
            for line in list_of(entry["lines"]):
                yield rule(cells_of(line))

    return read


def _whispers(content: Any, board: Board) -> Iterator[Rule]:
    for entry in list_of(content):
        difference = number_of(entry["value"]) if entry.get("value") else (board.digits + 1) // 2
        for line in list_of(entry["lines"]):
            yield rules.Whispers(cells_of(line), difference)


def _cage(entry: Any, _: Board) -> Rule:
    text = entry.get("value")
    if text not in (None, "") and not str(text).strip().isdecimal():
        raise UnreadRule(f"a cage with {text!r}")
    total = None if text in (None, "") else number_of(text)
    return rules.Cage(cells_of(entry["cells"]), total)


def _little_killer(entry: Any, board: Board) -> Rule:
    if entry.get("value") in (None, ""):
        raise UnreadRule("a little killer without its sum")
    step = STEPS[entry["direction"]]
    cells = diagonal_from(cell_of(entry["cell"]), step, board)
    return rules.LittleKiller(cells, number_of(entry["value"]))


def _outside(rule: Callable[[Any, int], Rule], name: str) -> Reader:
    def read(entry: Any, board: Board) -> Rule:
        if entry.get("value") in (None, ""):
            raise UnreadRule(f"a {name} without its number")
        line = line_at(cell_of(entry["cell"]), board.digits)
        return rule(line, number_of(entry["value"]))

    return each(read)


def _arrows(content: Any, _: Board) -> Iterator[Rule]:
    for entry in list_of(content):
        circle = cells_of(entry["cells"])
        lines = list_of(entry["lines"])
        if not lines:
            raise UnreadRule("a circle without an arrow")
        for line in lines:
            cells = cells_of(line)
            yield rules.Arrow(circle, cells[1:] if cells[0] in circle else cells)


def _clones(content: Any, _: Board) -> Iterator[Rule]:
    for entry in list_of(content):
        cells, copies = cells_of(entry["cells"]), cells_of(entry["cloneCells"])
        if not cells or len(copies) % len(cells):
            raise ValueError("copies of another size")
        for i in range(0, len(copies), len(cells)):
            yield rules.Clone(cells, copies[i : i + len(cells)])


def _indexers(edge: Literal["left", "top"]) -> Reader:
    return each(lambda entry, _: rules.Indexing(cells_of(entry["cells"]), edge))


def _quadruple(entry: Any, _: Board) -> Rule:
    return rules.Quadruple(cells_of(entry["cells"]), tuple(map(number_of, entry["values"])))


def _grid(content: Any, _: Board) -> Iterator[Rule]:
    for row, cells in enumerate(content):
        for column, cell in enumerate(cells):
            if marks := cell.get("givenPencilMarks"):
                yield rules.GivenCandidates(
                    Cell(row, column), tuple(map(number_of, list_of(marks)))
                )


def _marks(value: dict[str, Any], _: Board) -> Iterator[Rule]:
    """Yield the rules of dots, of X and V and of their absence, and of the diagonals."""
    yield from diagonals(rising=value.get("diagonal+"), falling=value.get("diagonal-"))
    negative = set(list_of(value.get("negative") or []))
    if strange := negative - {"ratio", "xv"}:
        raise UnreadRule(f"a negative constraint on {min(map(str, strange))!r}")
    xv = _pairs(value, "xv")
    strange_letters = {str(letter) for letter in xv} - {"X", "V", "x", "v"}
    if strange_letters:
        raise UnreadRule(f"a mark {min(strange_letters)!r} between cells")
    if xv or "xv" in negative:
        x, v = ((*xv.get(a, ()), *xv.get(a.lower(), ())) for a in ("X", "V"))
        yield rules.XV(x, v, "xv" in negative)
    differences, ratios = _pairs(value, "difference"), _pairs(value, "ratio")
    yield from _dots(
        {number_of(key or 1): pairs for key, pairs in differences.items() if key != ""},
        differences.get("", ()),
        {number_of(key or 2): pairs for key, pairs in ratios.items() if key != ""},
        ratios.get("", ()),
        negative & {"ratio"} | ({"difference"} if value.get("nonconsecutive") else set()),
    )


def _dots(
    differences: dict[int, tuple[Cells, ...]],
    white: tuple[Cells, ...],
    ratios: dict[int, tuple[Cells, ...]],
    black: tuple[Cells, ...],
    all_given: set[str],
) -> Iterator[Rule]:
    """Yield the rules of marks with numbers and of dots; `all_given` names the complete kinds."""
    if "ratio" in all_given and set(differences) - {1}:
        raise UnreadRule("negative ratios beside other dots than white and black")
    if all_given:
        white, black = (*white, *differences.pop(1, ())), (*black, *ratios.pop(2, ()))
    if all_given == {"difference"} and not black:
        yield rules.Difference(white, 1, all_given=True) if white else rules.NonConsecutive()
    elif all_given == {"ratio"} and not white:
        yield rules.Ratio(black, 2, all_given=True)
    elif len(all_given) == 2:
        yield rules.Kropki(white, black, all_given=True)
    elif white or black:
        every = {"all_white": "difference" in all_given, "all_black": "ratio" in all_given}
        yield rules.Kropki(white, black, **every)
    for number, pairs in differences.items():
        yield rules.Difference(pairs, number)
    for number, pairs in ratios.items():
        yield rules.Ratio(pairs, number)


def _pairs(value: dict[str, Any], key: str) -> dict[Any, tuple[Cells, ...]]:
    """Return the marked pairs of a key by their text, empty for a mark without any."""
    pairs: dict[Any, tuple[Cells, ...]] = {}
    for entry in list_of(value.get(key) or []):
        text = str(entry.get("value") or "").strip()
        pairs[text] = (*pairs.get(text, ()), cells_of(entry["cells"]))
    return pairs


_READERS: dict[str, Reader] = {
    **dict.fromkeys(
        [
            *("activeConstraints", "author", "disabledlogic", "highlightConflicts", "ruleset"),
            *("size", "solution", "successMessage", "title", "truecandidatesoptions"),
        ],
        lambda *_: iter(()),
    ),
    "grid": _grid,
    **{key: _flag(rule) for key, rule in FLAGS.items()},
    **{key: _marked(rule) for key, rule in MARKED.items()},
    **{key: _lines(rule) for key, rule in LINES.items()},
    **{key: _outside(rule, name) for key, (rule, name) in OUTSIDE.items()},
    "slowthermometer": _lines(lambda cells: rules.Thermometer(cells, slow=True)),
    "extraregion": each(lambda entry, _: rules.ExtraRegion(cells_of(entry["cells"]))),
    "killercage": each(_cage),
    "littlekillersum": each(_little_killer),
    "whispers": _whispers,
    "arrow": _arrows,
    "clone": _clones,
    "columnindexer": _indexers("left"),
    "rowindexer": _indexers("top"),
    "quadruple": each(_quadruple),
}


def box_sides(size: int) -> tuple[int, int]:
    """Return the height and width of the boxes of a size in f-puzzles; rows if there are none."""
    height = int(size**0.5)
    while size % height:
        height -= 1
    return height, size // height


def regions_of(grid: list[list[dict[str, Any]]]) -> tuple[list[Rule], bool]:
    """Return the boxes or regions of a grid that are not the usual ones, and whether it has any.

    Raises
    ------
    PuzzleError
        If cells belong to no region.
    """
    size = len(grid)
    height, width = box_sides(size)
    regions: dict[Any, list[Cell]] = {}
    for row, cells in enumerate(grid):
        for column, cell in enumerate(cells):
            region = cell.get("region", -1)
            if region == -1:
                region = row // height * height + column // width
            if region is None:
                raise unknown_rules(["cells without a region"])
            regions.setdefault(str(region), []).append(Cell(row, column))
    return houses_of([tuple(cells) for cells in regions.values()], size)
