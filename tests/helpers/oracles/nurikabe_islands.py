"""All ways to draw islands on a small board, and the solutions of a Nurikabe among them."""

from functools import cache

import numpy as np

from nando.puzzles import Nurikabe


def groups(cells):
    """Return the groups of connected cells."""
    cells, found = set(cells), []
    while cells:
        queue = [cells.pop()]
        group = set(queue)
        while queue:
            r, c = queue.pop()
            near = {(r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)} & cells
            cells -= near
            group |= near
            queue += near
        found.append(frozenset(group))
    return found


@cache
def colourings(shape):
    """Return all colourings with at most one river and no pool, each as a list of its islands."""
    n_rows, n_columns = shape
    cells = [(r, c) for r in range(n_rows) for c in range(n_columns)]
    pools = [{(r, c), (r + 1, c), (r, c + 1), (r + 1, c + 1)} for r, c in cells]
    pools = [pool for pool in pools if pool <= set(cells)]

    kept = []
    for bits in range(1 << len(cells)):
        black = {cell for i, cell in enumerate(cells) if bits >> i & 1}
        if not any(pool <= black for pool in pools) and len(groups(black)) <= 1:
            kept.append(groups(set(cells) - black))
    return kept


def solutions(puzzle):
    """Return all solutions as lists of islands."""
    numbers = {divmod(i, puzzle.shape[1]): n for i, n in enumerate(puzzle.numbers.tolist()) if n}

    def fits(island):
        own = [numbers[cell] for cell in island if cell in numbers]
        return own in ([-1], [len(island)])

    return [
        islands
        for islands in colourings(puzzle.shape)
        if len(islands) == len(numbers) and all(map(fits, islands))
    ]


def drawn_puzzle(shape, rng):
    """Return a puzzle made from a colouring, half of the time with one number changed."""
    choice = colourings(shape)
    numbers = np.zeros(shape, int)
    for island in choice[rng.integers(len(choice))]:
        cell = sorted(island)[rng.integers(len(island))]
        numbers[cell] = -1 if rng.random() < 0.2 else len(island)
    if rng.random() < 0.5:
        numbers[tuple(rng.integers(shape))] = rng.integers(-1, 6)
    return Nurikabe.from_numbers(numbers)
