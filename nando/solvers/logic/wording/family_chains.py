"""Chains that have a name of their own.

A chain from a candidate that is on to the same candidate off contains a path of strong links,
joined by weak ones. One of the two ends of the path is true. The kinds of its links give the chain
its name.
"""

from nando.solvers.logic.marks import AnyMarks
from nando.solvers.logic.step import LogicStep
from nando.solvers.logic.sudoku.marks import PencilMarks
from nando.solvers.logic.sudoku.pattern import path_of
from nando.solvers.logic.sudoku_chains.links import (
    CHAIN_X,
    CHAIN_XY,
    CYCLE_X,
    CYCLE_XY,
    CYCLE_Y,
)
from nando.solvers.logic.wording.recognised import Family

_CYCLES = {CYCLE_X: "X-cycle", CYCLE_Y: "Y-cycle", CYCLE_XY: "XY-cycle"}

CHAIN_NAMES = {**_CYCLES, CHAIN_X: "forcing X-chain", CHAIN_XY: "forcing chain"}
"""Names of the variants, whatever their links."""

Node = tuple[int, int]
"""A cell and a digit."""


def chain_family(step: LogicStep, marks: PencilMarks) -> Family:
    """Return the family of a step that is a chain or a cycle."""
    if step.variant in _CYCLES:
        of_four = step.variant == CYCLE_X and len(set(step.cells)) == 4
        name = "X-cycle: four cells" if of_four else _CYCLES[step.variant]
        return Family(name, step.cells, step.digits)
    assert step.variant in (CHAIN_X, CHAIN_XY)
    path = path_of(step)
    if path is None:
        return Family("nice loop", step.cells, step.digits)
    cells = tuple(dict.fromkeys(cell for cell, _ in path))
    digits = tuple(sorted({digit for _, digit in path}))
    return Family(_name(step, path, cells, marks), cells, digits)


def _name(
    step: LogicStep, path: tuple[Node, ...], cells: tuple[int, ...], marks: PencilMarks
) -> str:
    strong = [*zip(path[::2], path[1::2], strict=True)]
    weak = [*zip(path[1::2], path[2::2], strict=False)]
    if len({digit for _, digit in path}) == 1:
        if len(strong) == 1:
            return _locked_name(path, marks)
        if len(strong) == 2:
            return two_link_name(strong[0], strong[1], marks)
        conjugate = all(is_conjugate(*pair, marks) for pair in [*strong, *weak])
        victims = {cell for cell, _ in step.eliminations}
        return colouring_name(*path[0], victims, marks) if conjugate else "X-chain"
    if all(first[0] == last[0] for first, last in strong):
        if len(cells) < 4:
            return "naked pair" if len(cells) == 2 else "XY-wing"
        pairs = {marks.digits(cell) for cell in cells}
        return "remote pair" if len(pairs) == 1 and len(cells) % 2 == 0 else "XY-chain"
    if is_w_wing(path, marks):
        return "W-wing"
    return "AIC"


def two_link_name(first: tuple[Node, Node], second: tuple[Node, Node], marks: PencilMarks) -> str:
    """Return the name of two conjugate pairs of a digit that are joined by a weak link.

    Parameters
    ----------
    one, other : tuple of (cell, digit)
        The two pairs; the outer end is first in `one` and last in `other`.
    marks : PencilMarks
    """
    size = marks.puzzle.size
    joint = marks.houses_of((first[1][0], second[0][0]))
    pairs = first, second
    kinds = [{house // size for house in _conjugate_houses(*pair, marks)} for pair in pairs]
    outer = marks.houses_of((first[0][0], second[1][0]))
    spread = not any(
        house // size == 2 for pair in pairs for house in marks.houses_of(_cells(pair))
    )
    for kind in (0, 1):
        # Two parallel lines, joined by a line that crosses both.
        if all(kind in here for here in kinds) and any(h // size == 1 - kind for h in joint):
            if any(h // size == 1 - kind for h in outer):
                return "X-wing"
            if spread:
                return "skyscraper"
    if outer:
        return "X-cycle: four cells"
    across = (0 in kinds[0] and 1 in kinds[1]) or (1 in kinds[0] and 0 in kinds[1])
    if across and spread and any(house // size == 2 for house in joint):
        return "two-string kite"
    return "turbot fish"


def _cells(pair: tuple[Node, Node]) -> tuple[int, ...]:
    return tuple(cell for cell, _ in pair)


def colouring_name(cell: int, digit: int, victims: set[int], marks: PencilMarks) -> str:
    """Return the name of simple colouring from a cell: a wrap if a coloured cell is a victim."""
    coloured, waiting = {cell}, [cell]
    while waiting:
        here = waiting.pop()
        for house in marks.houses_of((here,)):
            places = set(marks.places(house, digit))
            if len(places) == 2 and not places <= coloured:
                waiting += places - coloured
                coloured |= places
    return "simple colouring: wrap" if victims & coloured else "simple colouring: trap"


def _locked_name(path: tuple[Node, ...], marks: PencilMarks) -> str:
    """Return the name of a conjugate pair of a digit in a box and on a line."""
    houses = _conjugate_houses(path[0], path[1], marks)
    if not houses:
        return "nice loop"
    return "pointing" if houses[-1] >= 2 * marks.puzzle.size else "claiming"


def is_w_wing(path: tuple[Node, ...], marks: AnyMarks) -> bool:
    """Return True if two cells with the same pair are joined by a conjugate pair of its digits."""
    if len(path) != 6 or len({cell for cell, _ in path}) != 4:
        return False
    (first, _), (near, joint), (middle, end), (other, after), (last, back), (cell, _) = path
    in_cells = first == near and last == cell
    same = marks.digits(first) == marks.digits(last)
    joined = joint == end and after == back and marks.sees(near, middle) and marks.sees(other, last)
    return in_cells and same and joined and end == after and middle != other


def is_conjugate(first: Node, second: Node, marks: PencilMarks) -> bool:
    """Return True if two candidates are the only two of their digit in a house."""
    return bool(_conjugate_houses(first, second, marks))


def _conjugate_houses(first: Node, second: Node, marks: PencilMarks) -> list[int]:
    """Return the houses in which a digit has only these two positions."""
    (cell, digit), pair = first, {first[0], second[0]}
    return [
        house
        for house in sorted(marks.houses_of((cell, second[0])))
        if set(marks.places(house, digit)) == pair
    ]
