"""Patterns and puzzles made for the tests of the logic solver."""

from ast import literal_eval
from pathlib import Path

from nando.puzzles import Sudoku
from nando.puzzles.sudoku.layout import sudoku_layout
from nando.solvers.logic.finders.aligned import find_aligned
from nando.solvers.logic.finders.link_graph import find_strong_links
from nando.solvers.logic.finders.loops import find_unique_loop
from nando.solvers.logic.finders.singles import find_hidden_single, find_locked, find_naked_single
from nando.solvers.logic.finders.subsets import find_fish, find_hidden_subset, find_naked_subset
from nando.solvers.logic.finders.wings import find_large_wing, find_wing


def cells(text):
    """Return the cells of ``r2c7``, a row ``r2``, a column ``c7``, a box ``b3``, or several."""
    found = set()
    for name in text.split():
        if len(name) == 4:
            found.add((int(name[1]) - 1) * 9 + int(name[3]) - 1)
        else:
            kind = "rcb".index(name[0])
            found |= set(sudoku_layout(3).houses[kind * 9 + int(name[1]) - 1].tolist())
    return found


def pattern(given, only):
    """Return the candidates of an empty grid, restricted in some cells and houses.

    `given` maps cells to their candidates. `only` lists (digits, house, cells): in that house, the
    digits are candidates of these cells alone.
    """
    candidates = [set(range(1, 10)) for _ in range(81)]
    for name, digits in given.items():
        for cell in cells(name):
            candidates[cell] = set(map(int, digits))
    for digits, house, stay in only:
        for cell in cells(house) - cells(stay):
            candidates[cell] -= set(map(int, digits))
    return candidates


FINDERS = {
    kernel.__name__: kernel
    for kernel in (
        *(find_aligned, find_strong_links, find_unique_loop, find_large_wing, find_wing),
        *(find_hidden_single, find_locked, find_naked_single),
        *(find_fish, find_hidden_subset, find_naked_subset),
    )
}


def _listed(text, between):
    """Return the parts before and after the colons of a list."""
    return [tuple(part.split(": ")) for part in text.split(between) if part]


def _read(line):
    """Return a case of `PATTERNS` from a line of the file."""
    name, finder, arguments, given, only, rating, found = line.split(" | ")
    alone = [(*key.split(), stay) for key, stay in _listed(only, ", ")]
    cell, _, digit = found.partition(" = ")
    wanted = (cell, int(digit)) if digit else dict(_listed(found, "; "))
    values = tuple(map(literal_eval, arguments.split()))
    case = (FINDERS[finder], values, dict(_listed(given, ", ")), alone, int(rating), wanted)
    return (name, *case)


_HEAD, *_CASES = Path(__file__).with_name("logic_patterns.txt").read_text().splitlines()
PATTERNS = [_read(line) for line in _CASES]
"""Cases: name, kernel, arguments, candidates of cells, (digits only, in house, at cells)s, rating,
eliminations as {digits: cells} or a placement."""


_LINES = Path(__file__).with_name("logic_puzzles.txt").read_text().splitlines()
PUZZLES = dict(zip(_LINES[::2], map(Sudoku, _LINES[1::2]), strict=True))
"""A puzzle for each technique, and for some of its ratings or types, that uses it."""

ONLY_EXPLAINER = {
    "unique loop, type 1",
    "unique loop, type 2",
    "unique loop, type 4",
    "unique loop, type 3",
    "hidden quad",
    "bivalue universal grave, type 1",
    "bivalue universal grave, type 4",
    "bivalue universal grave, type 2",
    "bivalue universal grave, type 3",
    "aligned pair exclusion",
}
"""Puzzles that show a rare technique on the ladder of Sudoku Explainer."""
