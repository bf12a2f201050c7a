"""Recognise patterns in the cells of a step: almost locked sets, sue de coq, finned fish."""

from collections import Counter
from collections.abc import Collection, Iterator
from itertools import combinations, product
from typing import NamedTuple

from nando.solvers.logic.marks import PencilMarks
from nando.solvers.logic.technique import LogicStep

_FISH = {2: "X-wing", 3: "swordfish", 4: "jellyfish"}

_MOST = 14
"""Most cells of a step in which these patterns are searched: nobody would see larger ones."""

Cells = tuple[int, ...]
Removed = set[tuple[int, int]]


class Family(NamedTuple):
    """The family that a step belongs to.

    Attributes
    ----------
    name : str
        Name of the family, for example "skyscraper".
    cells, digits : tuple of int
        Cells of the pattern, and its digits, from 1.
    houses : tuple of int
        Houses of the pattern; for a fish those of the base, then those of the cover. Empty if the
        pattern consists of its cells alone.
    """

    name: str
    cells: tuple[int, ...]
    digits: tuple[int, ...] = ()
    houses: tuple[int, ...] = ()


def als_xz(step: LogicStep, marks: PencilMarks) -> Family | None:
    """Return two almost locked sets among the cells of a step whose XZ rule removes as much.

    An almost locked set is n cells of a house with n + 1 candidates. A digit that cannot be in both
    sets locks one of them or the other.
    """
    if len(step.cells) > _MOST:
        return None
    gone = set(step.eliminations)
    victims = {cell for cell, _ in gone}
    cells = [cell for cell in step.cells if cell not in victims]
    sets = [(each, _digits(marks, each)) for each in _almost_locked(marks, cells)]
    if step.links:  # other sets belong to another chain through the same cells
        sets = [(each, digits) for each, digits in sets if digits <= set(step.digits)]
    for (first, mine), (second, theirs) in combinations(sets, 2):
        if not set(first) & set(second) and gone <= xz_removes(marks, first, second):
            return Family("ALS-XZ", (*first, *second), tuple(sorted(mine | theirs)))
    return None


def xz_removes(marks: PencilMarks, first: Cells, second: Cells) -> Removed:
    """Return the candidates that the XZ rule removes for two disjoint almost locked sets."""
    mine, theirs = _digits(marks, first), _digits(marks, second)
    restricted = {
        digit
        for digit in mine & theirs
        if all(
            marks.sees(a, b)
            for a, b in product(_with(marks, first, digit), _with(marks, second, digit))
        )
    }
    if not restricted:
        return set()
    removed: Removed = set()
    for digit in mine & theirs:
        if restricted - {digit}:
            holders = _with(marks, first, digit) + _with(marks, second, digit)
            removed |= _seen(marks, holders, digit)
    if len(restricted) > 1:
        # Each set loses one of the two, so that the rest of each is locked.
        for several, digits in ((first, mine), (second, theirs)):
            for digit in digits - restricted:
                removed |= _seen(marks, _with(marks, several, digit), digit)
    inside = {*first, *second}
    return {(cell, digit) for cell, digit in removed if cell not in inside}


def sue_de_coq(step: LogicStep, marks: PencilMarks) -> Family | None:
    """Return the cells of a sue de coq among those of a step, if it removes as much.

    It consists of cells in the crossing of a box and a line, further cells of the line, and further
    cells of the box. Together they have as many digits as cells, and the cells of the line share no
    digit with those of the box.
    """
    if len(step.cells) > _MOST:
        return None
    gone, size = set(step.eliminations), marks.puzzle.size
    victims = {cell for cell, _ in gone}
    cells = {cell for cell in step.cells if marks.digits(cell)} - victims
    held = Counter(house for cell in cells for house in marks.houses_of((cell,)))
    full = sorted(house for house, n in held.items() if n >= 3)
    inside = {h: [cell for cell in marks.house(h) if cell in cells] for h in full}
    for box in (house for house in full if house >= 2 * size):
        for line in (house for house in full if house < 2 * size):
            crossing = [cell for cell in inside[box] if cell in inside[line]]
            if len(crossing) < 2:
                continue
            on_line = [cell for cell in inside[line] if cell not in crossing]
            in_box = [cell for cell in inside[box] if cell not in crossing]
            if not (on_line and in_box):
                continue
            for middle in _subsets(crossing, 2):
                if len(_digits(marks, middle)) < len(middle) + 2:
                    continue
                for outer in _subsets(on_line, 1):
                    for inner in _subsets(in_box, 1):
                        parts = (middle, outer, inner)
                        if gone <= coq_removes(marks, box, line, parts):
                            every = (*middle, *outer, *inner)
                            digits = tuple(sorted(_digits(marks, every)))
                            return Family("sue de coq", every, digits, (line, box))
    return None


def coq_removes(
    marks: PencilMarks, box: int, line: int, parts: tuple[Cells, Cells, Cells]
) -> Removed:
    """Return the candidates that a sue de coq removes.

    `parts` are its cells in the crossing, on the line, and in the box.
    """
    middle, outer, inner = parts
    shared, mine, theirs = (_digits(marks, part) for part in parts)
    if mine & theirs or len(shared) < len(middle) + 2:
        return set()
    if len(shared | mine | theirs) != len(middle) + len(outer) + len(inner):
        return set()
    on_line, in_box = mine | (shared - theirs), theirs | (shared - mine)
    removed = {
        (cell, digit)
        for house, digits, own in ((line, on_line, outer), (box, in_box, inner))
        for cell in marks.house(house)
        if cell not in middle and cell not in own
        for digit in digits & set(marks.digits(cell))
    }
    return {(cell, digit) for cell, digit in removed if cell not in {*middle, *outer, *inner}}


def _almost_locked(marks: PencilMarks, cells: list[int]) -> Iterator[Cells]:
    """Yield the cells of a house with one digit more than cells, each set once."""
    known: set[Cells] = set()
    for house in range(3 * marks.puzzle.size):
        here = sorted(cell for cell in cells if cell in marks.house(house) and marks.digits(cell))
        for several in _subsets(here, 1):
            if several not in known and len(_digits(marks, several)) == len(several) + 1:
                known.add(several)
                yield several


def _subsets(cells: list[int], least: int) -> Iterator[Cells]:
    for n in range(least, len(cells) + 1):
        yield from combinations(cells, n)


def _digits(marks: PencilMarks, cells: Cells) -> set[int]:
    return {digit for cell in cells for digit in marks.digits(cell)}


def _with(marks: PencilMarks, cells: Cells, digit: int) -> list[int]:
    return [cell for cell in cells if marks.candidates[cell, digit - 1]]


def _seen(marks: PencilMarks, holders: list[int], digit: int) -> Removed:
    """Return the candidates of a digit that see all holders."""
    peers = [set(marks.puzzle.layout.peers[cell].tolist()) for cell in holders]
    return {(cell, digit) for cell in set.intersection(*peers) if marks.candidates[cell, digit - 1]}


def finned_fish(step: LogicStep, marks: PencilMarks) -> Family | None:
    """Return the smallest finned fish among the cells of a step on one digit that removes as much.

    Some parallel lines (the base) have all positions of the digit but the fins on as many lines
    across (the cover). Candidates on the cover that see all fins are removed: either the fish is
    true, or a fin is. Without the fins, a line of a sashimi fish has fewer than two positions left.
    """
    if len(step.digits) != 1 or any(d != step.digits[0] for _, d in step.eliminations):
        return None
    (digit,), gone = step.digits, [cell for cell, _ in step.eliminations]
    size, inside = marks.puzzle.size, set(step.cells)
    for n in _FISH:
        for first in (0, size):
            places = {
                line: here
                for line in range(first, first + size)
                for here in [marks.places(line, digit)]
                if here and inside.issuperset(here) and not set(here) & set(gone)
            }
            for base in combinations(places, n):
                fish = _fish(marks, digit, base, [places[line] for line in base], gone)
                if fish is not None:
                    return fish
    return None


def _fish(
    marks: PencilMarks,
    digit: int,
    base: tuple[int, ...],
    places: list[tuple[int, ...]],
    gone: Collection[int],
) -> Family | None:
    size, n = marks.puzzle.size, len(base)
    cells = [cell for here in places for cell in here]
    across = {cell: _crossing(cell, base[0] < size, size) for cell in {*cells, *gone}}
    lines = sorted({across[cell] for cell in cells})
    victims = {across[cell] for cell in gone}
    for cover in combinations(lines, n):
        if not victims <= set(cover):
            continue
        fins = [cell for cell in cells if across[cell] not in cover]
        if not fins or not all(marks.sees(cell, fin) for cell in gone for fin in fins):
            continue
        bodies = [[cell for cell in here if cell not in fins] for here in places]
        if min(map(len, bodies)) == 0:
            continue
        kind = "finned" if min(map(len, bodies)) > 1 else "sashimi"
        return Family(f"{kind} {_FISH[n]}", tuple(sorted(cells)), (digit,), (*base, *cover))
    return None


def _crossing(cell: int, base_is_row: bool, size: int) -> int:
    return size + cell % size if base_is_row else cell // size
