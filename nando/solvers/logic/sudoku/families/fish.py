"""Finned and sashimi fish.

Of a digit, some parallel lines (the base) have all positions but the fins on as many lines across
(the cover). What lies on the cover and sees all fins goes: either the fish is true, or a fin is.
Without the fins, a line of a sashimi fish has fewer than two positions left.
"""

from collections.abc import Collection
from itertools import combinations

from nando.solvers.logic.sudoku.families.family import Family
from nando.solvers.logic.sudoku.marks import PencilMarks
from nando.solvers.logic.sudoku.step import LogicStep

NAMES = {2: "X-wing", 3: "swordfish", 4: "jellyfish"}


def finned_fish(step: LogicStep, marks: PencilMarks) -> Family | None:
    """The smallest fish with fins, of the cells of a step on one digit, that removes as much."""
    if len(step.digits) != 1 or any(d != step.digits[0] for _, d in step.eliminations):
        return None
    (digit,), gone = step.digits, [cell for cell, _ in step.eliminations]
    size, inside = marks.puzzle.size, set(step.cells)
    for n in NAMES:
        for first in (0, size):
            places = {
                line: here
                for line in range(first, first + size)
                for here in [marks.places(line, digit)]
                if here and inside.issuperset(here) and not set(here) & set(gone)
            }
            for base in combinations(places, n):
                found = _fish(marks, digit, base, [places[line] for line in base], gone)
                if found is not None:
                    return found
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
        return Family(f"{kind} {NAMES[n]}", tuple(sorted(cells)), (digit,), (*base, *cover))
    return None


def _crossing(cell: int, base_is_row: bool, size: int) -> int:
    return size + cell % size if base_is_row else cell // size
