"""Mantere and Koljonen's puzzles, random givens, and domain filters by definition."""

import itertools
from pathlib import Path

import numpy as np

from nando.puzzles import Sudoku

_FILE = Path(__file__).parents[1] / "samples" / "mantere_koljonen.txt"
PUZZLES = {name: Sudoku(text) for name, text in map(str.split, _FILE.read_text().splitlines())}
"""Mantere and Koljonen's puzzles."""


def blanked(order, keep, seed):
    """Return a puzzle of any order that has a solution, and that solution."""
    rng = np.random.default_rng(seed)
    size = order**2
    row, column = np.divmod(np.arange(size**2), size)
    full = (row * order + row // order + column) % size + 1
    full = Sudoku.from_values(full).shuffled(rng).givens
    return Sudoku.from_values(np.where(rng.random(size**2) < keep, full, 0)), full


def given_sets(puzzle):
    every = range(1, puzzle.size + 1)
    return [{given} if given else set(every) for given in puzzle.givens.tolist()]


def ac3(domains, layout):
    """Revise arcs until nothing changes, as Mackworth's AC-3 does."""
    arcs = [(a, b) for a in range(layout.n_cells) for b in layout.peers[a].tolist()]
    waiting = set(arcs)
    while waiting:
        a, b = waiting.pop()
        kept = {x for x in domains[a] if any(x != y for y in domains[b])}
        if kept != domains[a]:
            domains[a] = kept
            waiting |= {(c, a) for c in layout.peers[a].tolist()}
    return all(domains)


def hall(domains, layout, value_sets):
    """Remove every Hall set of `value_sets` from the other cells of its house, to a fixed point."""
    changed = True
    while changed:
        changed = False
        for house in layout.houses.tolist():
            for values in value_sets:
                inside = [cell for cell in house if domains[cell] <= values]
                if len(inside) > len(values):
                    return False
                if len(inside) == len(values):
                    for cell in set(house) - set(inside):
                        changed |= bool(domains[cell] & values)
                        domains[cell] -= values
    return all(domains)


def intervals(size):
    return [
        set(range(low, high + 1)) for low in range(1, size + 1) for high in range(low, size + 1)
    ]


def subsets(size):
    every = range(1, size + 1)
    return [set(s) for k in every for s in itertools.combinations(every, k)]


def oracle(domains, layout, domain_filter):
    if domain_filter == "ac3":
        return ac3(domains, layout)
    value_sets = intervals if domain_filter == "alldifferent" else subsets
    return hall(domains, layout, value_sets(layout.size))
