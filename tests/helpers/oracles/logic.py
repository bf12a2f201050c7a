"""Logic techniques from their definitions, slowly: the oracle of the logic solver.

Plain Python over sets; imports nothing of nando's solvers. A pattern is a pair of frozensets: its
cells, and the (cell, digit) it removes.
"""

import math
from itertools import combinations, product

from helpers.oracles.singles import houses_of


class Marks:
    """The candidates of every cell (empty where filled) and the houses of the grid."""

    def __init__(self, candidates):
        self.candidates = [set(digits) for digits in candidates]
        self.size = size = math.isqrt(len(self.candidates))
        lines, boxes, _ = houses_of(math.isqrt(size))
        self.lines, self.boxes = list(map(set, lines)), list(map(set, boxes))
        self.rows, self.columns = self.lines[:size], self.lines[size:]
        self.houses = self.lines + self.boxes
        self.digits = range(1, size + 1)

    def at(self, digit, cells):
        return {cell for cell in cells if digit in self.candidates[cell]}

    def blanks(self, cells):
        return {cell for cell in cells if self.candidates[cell]}

    def see(self, one, other):
        return one != other and any(one in house and other in house for house in self.houses)

    def seen_by_all(self, cells):
        return {
            cell
            for cell in range(self.size**2)
            if cell not in cells and all(self.see(cell, other) for other in cells)
        }

    def removed(self, digits, cells):
        return frozenset((cell, d) for cell in cells for d in digits & self.candidates[cell])


def _worth(patterns):
    return {(frozenset(cells), gone) for cells, gone in patterns if gone}


def locked(marks, firsts, seconds):
    """Return (cells, removals) of digits confined to where two houses cross."""
    return _worth(
        (marks.at(digit, first), marks.removed({digit}, second - first))
        for first, second, digit in product(firsts, seconds, marks.digits)
        if marks.at(digit, first) and marks.at(digit, first) <= second
    )


def naked_subsets(marks, n, *, least=2):
    """Return (cells, removals) for n of at least `least` times n blanks that share n candidates."""
    return _worth(
        (cells, marks.removed(union, house - set(cells)))
        for house in marks.houses
        if len(marks.blanks(house)) >= least * n
        for cells in combinations(marks.blanks(house), n)
        for union in [set.union(*(marks.candidates[cell] for cell in cells))]
        if len(union) == n and min(len(marks.candidates[cell]) for cell in cells) >= least
    )


def hidden_subsets(marks, n, *, least=2):
    """Return (cells, removals) for n digits on n of more than `least` times n blanks of a house."""
    return _worth(
        (cells, frozenset(pair for c in cells for pair in marks.removed(others, {c})))
        for house in marks.houses
        if len(marks.blanks(house)) > least * n
        for digits in combinations(marks.digits, n)
        for positions in [[marks.at(digit, house) for digit in digits]]
        for cells in [set.union(*positions)]
        for others in [set(marks.digits) - set(digits)]
        if len(cells) == n and min(map(len, positions)) >= least
    )


def fish(marks, n, *, least=2):
    """Return (cells, removals) for n of at least `least` times n parallel lines with a fish."""
    found = []
    for base, cover in ((marks.rows, marks.columns), (marks.columns, marks.rows)):
        for digit in marks.digits:
            lines = [line for line in base if marks.at(digit, line)]
            if len(lines) < least * n:
                continue
            for chosen in combinations(lines, n):
                cells = set.union(*(marks.at(digit, line) for line in chosen))
                crossing = [line for line in cover if line & cells]
                if len(crossing) != n or min(len(marks.at(digit, line)) for line in chosen) < 2:
                    continue
                rest = set.union(*crossing) - set.union(*chosen)
                found.append((cells, marks.removed({digit}, rest)))
    return _worth(found)


def wings(marks, n):
    """Return XY-wings (n = 2) or XYZ-wings (n = 3)."""
    pairs = [cell for cell, digits in enumerate(marks.candidates) if len(digits) == 2]
    found = []
    for pivot, digits in enumerate(marks.candidates):
        if len(digits) != n:
            continue
        pincers = [cell for cell in pairs if marks.see(pivot, cell)]
        for one, other in combinations(pincers, 2):
            union = digits | marks.candidates[one] | marks.candidates[other]
            shared = marks.candidates[one] & marks.candidates[other]
            if len(union) != 3 or len(shared) != 1 or (shared <= digits) != (n == 3):
                continue
            ends = {one, other} if n == 2 else {one, other, pivot}
            gone = marks.removed(shared, marks.seen_by_all(ends) - {pivot})
            found.append(({pivot, one, other}, gone))
    return _worth(found)


def possible(marks, cells, given):
    """Return True if the cells can be filled with candidates, none twice in a house.

    `given` is a (cell, digit) that is assumed, in one of the cells or elsewhere.
    """
    cells = [cell for cell in cells if cell != given[0]]
    filled = dict([given])

    def fill(k):
        if k == len(cells):
            return True
        for digit in marks.candidates[cells[k]]:
            if not any(d == digit and marks.see(cells[k], cell) for cell, d in filled.items()):
                filled[cells[k]] = digit
                if fill(k + 1):
                    return True
                del filled[cells[k]]
        return False

    return fill(0)


def placeable(marks, digit, houses, cell):
    """Return True if a digit, once placed in a cell, still fits into each of these houses."""

    def fill(k, placed):
        if k == len(houses):
            return True
        if houses[k] & placed:
            return fill(k + 1, placed)
        return any(
            fill(k + 1, placed | {position})
            for position in marks.at(digit, houses[k])
            if not any(marks.see(position, other) for other in placed)
        )

    return fill(0, {cell})


def closed(marks, level):
    """Return the candidates after all eliminations up to a level, 1 to 3.

    Level 1 is locked candidates, 2 adds pairs, 3 triplets and X-wings. A single counts as a subset.
    """
    while True:
        patterns = locked(marks, marks.houses, marks.houses)
        for n in range(2, level + 1):
            patterns |= naked_subsets(marks, n, least=1) | hidden_subsets(marks, n, least=1)
        if level == 3:
            patterns |= fish(marks, 2, least=1)
        gone = frozenset().union(*(gone for _, gone in patterns))
        if not gone:
            return marks.candidates
        marks = Marks(
            {digit for digit in digits if (cell, digit) not in gone}
            for cell, digits in enumerate(marks.candidates)
        )


def direct(marks, n):
    """Return hidden subsets of n digits that leave one position of their house to another digit."""
    found = []
    for cells, gone in hidden_subsets(marks, n):
        after = [d - {e for c, e in gone if c == cell} for cell, d in enumerate(marks.candidates)]
        for house, digit in product([h for h in marks.houses if cells <= h], marks.digits):
            left = [cell for cell in house if digit in after[cell]]
            if len(left) == 1 < len(marks.at(digit, house)):
                found.append((cells, marks.removed(set(marks.digits) - {digit}, left)))
    return _worth(found)


def blanks_left(givens, finders):
    """Return the number of blanks that singles and the patterns of some finders leave."""
    values = list(givens)
    marks = Marks([set(range(1, math.isqrt(len(values)) + 1)) for _ in values])
    filled = {cell: digit for cell, digit in enumerate(values) if digit}
    while True:
        for cell, digit in filled.items():
            values[cell] = digit
            for other in range(len(values)):
                if other == cell or marks.see(cell, other):
                    marks.candidates[other] -= {digit} if other != cell else set(marks.digits)
        naked = [(c, *d) for c, d in enumerate(marks.candidates) if len(d) == 1]
        hidden = [
            (*marks.at(digit, house), digit)
            for house, digit in product(marks.houses, marks.digits)
            if len(marks.at(digit, house)) == 1
        ]
        filled = dict((naked + hidden)[:1])
        if filled:
            continue
        patterns = next(filter(None, (find(marks) for find in finders)), ())
        if not patterns:
            return values.count(0)
        for _, gone in patterns:
            for cell, digit in gone:
                marks.candidates[cell] -= {digit}


def opened(candidates):
    """Return the cells that have a naked or a hidden single."""
    marks = Marks(candidates)
    return {cell for cell, digits in enumerate(candidates) if len(digits) == 1} | {
        cell
        for house, digit in product(marks.houses, marks.digits)
        if len(marks.at(digit, house)) == 1
        for cell in marks.at(digit, house)
    }


DEFINITIONS = {
    "pointing": lambda m: locked(m, m.boxes, m.lines),
    "claiming": lambda m: locked(m, m.lines, m.boxes),
    "naked pair": lambda m: naked_subsets(m, 2),
    "naked triplet": lambda m: naked_subsets(m, 3),
    "naked quad": lambda m: naked_subsets(m, 4),
    "hidden pair": lambda m: hidden_subsets(m, 2),
    "hidden triplet": lambda m: hidden_subsets(m, 3),
    "hidden quad": lambda m: hidden_subsets(m, 4),
    "X-wing": lambda m: fish(m, 2),
    "swordfish": lambda m: fish(m, 3),
    "jellyfish": lambda m: fish(m, 4),
    "XY-wing": lambda m: wings(m, 2),
    "XYZ-wing": lambda m: wings(m, 3),
}
"""The patterns of each technique on some marks."""
