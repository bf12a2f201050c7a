"""Closures of locked candidates, subsets and X-wings from their definitions, slowly.

Plain Python over sets of (cell, value); imports nothing of nando's solvers.
"""

from itertools import combinations


def closed(grid, level):
    """Candidates of each empty cell of a `Grid` after all eliminations up to a level, 1 to 3."""
    candidates = {c: grid.candidates(c) for c in range(len(grid.values)) if not grid.values[c]}
    while True:
        gone = set(_locked(grid, candidates))
        for k in range(2, level + 1):
            gone |= set(_naked(grid, candidates, k)) | set(_hidden(grid, candidates, k))
        if level == 3:
            gone |= set(_x_wings(grid, candidates))
        if not gone:
            return candidates
        for cell, value in gone:
            candidates[cell].discard(value)


def opened(grid, level):
    """Cells that have a naked or hidden single in the closure."""
    candidates = closed(grid, level)
    found = {cell for cell, values in candidates.items() if len(values) == 1}
    for house in grid.houses:
        for value in range(1, grid.size + 1):
            places = [c for c in house if value in candidates.get(c, ())]
            if len(places) == 1:
                found.add(places[0])
    return found


def _places(candidates, house, value):
    return {c for c in house if value in candidates.get(c, ())}


def _locked(grid, candidates):
    for first in grid.houses:
        for second in grid.houses:
            if first is second or not set(first) & set(second):
                continue
            for value in range(1, grid.size + 1):
                places = _places(candidates, first, value)
                if places and places <= set(second):
                    yield from ((c, value) for c in _places(candidates, second, value) - places)


def _naked(grid, candidates, k):
    for house in grid.houses:
        empty = [c for c in house if c in candidates]
        for cells in combinations(empty, k):
            values = set().union(*(candidates[c] for c in cells))
            if len(values) == k:
                for c in set(empty) - set(cells):
                    yield from ((c, value) for value in values & candidates[c])


def _hidden(grid, candidates, k):
    for house in grid.houses:
        left = [v for v in range(1, grid.size + 1) if _places(candidates, house, v)]
        for values in combinations(left, k):
            places = set().union(*(_places(candidates, house, v) for v in values))
            if len(places) == k:
                for c in places:
                    yield from ((c, value) for value in candidates[c] - set(values))


def _x_wings(grid, candidates):
    rows, columns = grid.lines[: grid.size], grid.lines[grid.size :]
    for lines, crossing in ((rows, columns), (columns, rows)):
        for value in range(1, grid.size + 1):
            for pair in combinations(lines, 2):
                ends = [_places(candidates, line, value) for line in pair]
                both = ends[0] | ends[1]
                cover = [line for line in crossing if both & set(line)]
                if all(len(end) == 2 for end in ends) and len(cover) == 2:
                    for line in cover:
                        yield from ((c, value) for c in _places(candidates, line, value) - both)
