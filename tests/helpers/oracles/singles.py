"""Singles and refutation from their definitions, slowly: the oracle of two solvers.

Plain Python over sets; imports nothing of nando's solvers.
"""

import math
from functools import cache

BOX, LINE, NAKED, LAST = "box", "line", "naked", "last"


@cache
def houses_of(order):
    """Return the lines and boxes of an order, and the cells that share a house with each cell."""
    n, size = order, order**2
    rows = [[r * size + c for c in range(size)] for r in range(size)]
    columns = [[r * size + c for r in range(size)] for c in range(size)]
    boxes = [
        [(band * n + r) * size + stack * n + c for r in range(n) for c in range(n)]
        for band in range(n)
        for stack in range(n)
    ]
    houses = rows + columns + boxes
    peers = [{c for house in houses if cell in house for c in house} for cell in range(size**2)]
    return rows + columns, boxes, peers


class Grid:
    """A partly filled Sudoku of any order."""

    def __init__(self, values):
        self.values = list(values)
        self.size = math.isqrt(len(self.values))
        self.order = math.isqrt(self.size)
        self.lines, self.boxes, self.peers = houses_of(self.order)
        self.houses = self.lines + self.boxes

    def candidates(self, cell):
        """Return the values that no peer has; none for a filled cell."""
        if self.values[cell]:
            return set()
        seen = {self.values[c] for c in self.peers[cell]}
        return set(range(1, self.size + 1)) - seen

    def ways(self):
        """Return (way, value) pairs for each cell that can be filled, one for each house."""
        candidates = [self.candidates(cell) for cell in range(len(self.values))]
        found = {}
        for cell, values in enumerate(candidates):
            if len(values) == 1:
                found.setdefault(cell, []).append((NAKED, *values))
        for number, house in enumerate(self.houses):
            kind = LINE if number < len(self.lines) else BOX
            for value in range(1, self.size + 1):
                places = [cell for cell in house if value in candidates[cell]]
                if len(places) == 1:
                    found.setdefault(places[0], []).append((kind, value))
            empty = [cell for cell in house if not self.values[cell]]
            if len(empty) == 1 and len(candidates[empty[0]]) == 1:
                found.setdefault(empty[0], []).append((LAST, *candidates[empty[0]]))
        return found

    def broken(self):
        """Return True if a cell has no candidate or a house no place for a value."""
        candidates = [self.candidates(cell) for cell in range(len(self.values))]
        if any(not v and not c for v, c in zip(self.values, candidates, strict=True)):
            return True
        for house in self.houses:
            values = [self.values[cell] for cell in house if self.values[cell]]
            if len(set(values)) < len(values):
                return True
            reachable = set(values).union(*(candidates[cell] for cell in house))
            if len(reachable) < self.size:
                return True
        return False


def refutation_steps(grid, cell, value, random):
    """Count the steps of random singles to a contradiction, with the assumption; inf if none."""
    work = Grid(grid.values)
    work.values[cell] = value
    steps = 1
    while not work.broken():
        ways = work.ways()
        if not ways:
            return math.inf
        chosen = random.choice(sorted(ways))
        work.values[chosen] = ways[chosen][0][1]
        steps += 1
    return steps


def refutation_run(values, solution, random):
    """Return the (cell, possibilities, score) of each step of one run of SiSuS."""
    grid = Grid(values)
    steps = []
    while 0 in grid.values:
        ways = grid.ways()
        score = 0
        if ways:
            cell = random.choice(sorted(ways))
        else:
            scores = {
                c: sum(
                    refutation_steps(grid, c, v, random)
                    for v in sorted(grid.candidates(c) - {solution[c]})
                )
                for c in range(len(grid.values))
                if not grid.values[c]
            }
            score = min(scores.values())
            cell = random.choice([c for c, s in scores.items() if s == score])
        steps.append((cell, len(ways), score))
        grid.values[cell] = solution[cell]
    return steps
