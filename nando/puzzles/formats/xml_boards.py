"""XML with one board: puzzles of LEGUP, and the shapes of KSudoku."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from nando.puzzles.boards.board import LARGEST, Cell
from nando.puzzles.files import SPOILT
from nando.puzzles.formats.base import Kind, of_genre, puzzle_of_rules, unknown_rules, unreadable
from nando.puzzles.formats.variants.values import houses_of, number_of
from nando.puzzles.nurikabe import Nurikabe
from nando.puzzles.protocol import Puzzle, PuzzleError
from nando.puzzles.rules.boxes import Boxes
from nando.puzzles.sudoku.puzzle import Sudoku

_LARGEST_SIDE = 100


class Element(NamedTuple):
    """An element: its name, its attributes, and the pieces of its text."""

    name: str
    values: dict[str, str]
    texts: list[str]


Reader = Callable[[Sequence[Element], Kind], Puzzle]


def _read(read: Reader, program: str) -> Reader:
    """Return a reader that raises PuzzleError for elements that are damaged."""

    def checked(elements: Sequence[Element], kind: Kind) -> Puzzle:
        try:
            return read(elements, kind)
        except PuzzleError:
            raise
        except SPOILT:
            raise unreadable(f"the board of {program} is damaged; take another copy") from None

    return checked


def _legup(elements: Sequence[Element], kind: Kind) -> Puzzle:
    """Return a Nurikabe or Sudoku of LEGUP; a cell without a number is -2, or not listed."""
    named = {element.name: element.values for element in elements}
    genre = of_genre(named["puzzle"]["name"])
    sides = [named["board"].get(side) or named["board"]["size"] for side in ("height", "width")]
    n_rows, n_columns = map(number_of, sides)
    if not (0 < n_rows <= _LARGEST_SIDE and 0 < n_columns <= _LARGEST_SIDE):
        raise ValueError
    rows: list[list[object]] = [[0] * n_columns for _ in range(n_rows)]
    for element in elements:
        if element.name == "cell" and element.values["value"] != "-2":
            row, column = number_of(element.values["y"]), number_of(element.values["x"])
            rows[row][column] = number_of(element.values["value"])
    if genre is Nurikabe:
        return Nurikabe.from_rows(rows)
    return puzzle_of_rules(rows, (), kind) if genre is Sudoku else genre.from_rows(rows)


def _ksudoku(elements: Sequence[Element], kind: Kind) -> Puzzle:
    """Return the board of a shape of KSudoku, without givens: its regions are cliques."""
    known = {"ksudoku-graph", "graph", "sudokugroups", "clique"}
    unread = [f"<{element.name}>" for element in elements if element.name not in known]
    groups = [element.values for element in elements if element.name == "sudokugroups"]
    graph = next(element.values for element in elements if element.name == "graph")
    size = number_of(graph["order"])
    is_square = graph["sizeX"] == graph["sizeY"] == graph["order"] and graph["sizeZ"] == "1"
    if unread or len(groups) != 1 or number_of(groups[0]["at"]) or not is_square:
        raise unknown_rules(unread or [f"a board of the form {graph.get('name', '')!r}"])
    if not 1 <= size <= LARGEST:
        raise ValueError
    # Cells are numbered column by column.
    regions = [
        tuple(Cell(cell % size, cell // size) for cell in map(number_of, text.split()))
        for element in elements
        if element.name == "clique" and (text := "".join(element.texts))
    ]
    has_boxes = groups[0].get("withblocks") == "1"
    if has_boxes and regions:
        raise unknown_rules(["cliques and boxes together"])
    if has_boxes:
        side = round(size**0.5)
        return puzzle_of_rules([[0] * size] * size, [Boxes(side, side)], kind)
    houses, boxed = houses_of(regions, size) if regions else ([], False)
    return puzzle_of_rules([[0] * size] * size, houses, kind, boxed=boxed)


ROOTS: dict[str, Reader] = {
    "Legup": _read(_legup, "LEGUP"),
    "ksudoku-graph": _read(_ksudoku, "KSudoku"),
}
"""The reader of each root element."""
