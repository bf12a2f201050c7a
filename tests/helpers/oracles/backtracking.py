"""Solutions of a Sudoku by plain backtracking: slow, obvious, and free of nando's solvers."""

import math


def solutions(values, limit):
    """Return the first `limit` solutions of a Sudoku of any order, as tuples of values."""
    values = list(values)
    size = math.isqrt(len(values))
    order = math.isqrt(size)

    def houses_of(cell):
        row, column = divmod(cell, size)
        return row, column, row // order * order + column // order

    def allowed(cell):
        mine = houses_of(cell)
        seen = {
            values[other]
            for other in range(len(values))
            if other != cell
            and values[other]
            and any(a == b for a, b in zip(mine, houses_of(other), strict=True))
        }
        return [value for value in range(1, size + 1) if value not in seen]

    if any(values[cell] and values[cell] not in allowed(cell) for cell in range(len(values))):
        return []
    found = []

    def search():
        empty = [cell for cell in range(len(values)) if not values[cell]]
        if not empty:
            found.append(tuple(values))
            return len(found) < limit
        options = {cell: allowed(cell) for cell in empty}
        cell = min(empty, key=lambda cell: len(options[cell]))
        for value in options[cell]:
            values[cell] = value
            if not search():
                return False
            values[cell] = 0
        return True

    search()
    return found
