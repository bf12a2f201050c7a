"""Houses that follow from others: what two windows leave of three rows holds every digit once."""

from functools import lru_cache
from itertools import combinations

from nando.puzzles.boards.board import Cells

MOST_LINES = 3
"""Most rows or columns that are added up."""


@lru_cache(maxsize=64)
def implied_houses(houses: tuple[tuple[int, Cells], ...], n: int) -> list[tuple[int, Cells]]:
    """Return the houses that further houses leave of some rows or columns.

    Only houses of rules that come last are taken away: those of boxes leave nothing new.

    Parameters
    ----------
    houses : tuple of (int, tuple of Cell)
        The rule of each house, -1 for rows and columns, and its cells.
    n : int
        Number of digits.

    Returns
    -------
    list of (int, tuple of Cell)
        The rule of the houses that are taken away, and the cells that are left.
    """
    first = next((rule for rule, _ in houses if rule >= 0), -1)
    lines = [frozenset(cells) for rule, cells in houses if rule < 0]
    further = [(frozenset(cells), rule) for rule, cells in houses if rule > first]
    if len(further) < 2 or len(lines) != 2 * n:
        return []
    known = {frozenset(cells) for _, cells in houses}
    implied: list[tuple[int, Cells]] = []
    for _ in range(2):
        for band in (lines[:n], lines[n:]):
            for several in combinations(band, MOST_LINES):
                area = frozenset().union(*several)
                inside = [house for house in further if house[0] <= area]
                for (a, rule), (b, _) in combinations(inside, MOST_LINES - 1):
                    left = area - a - b
                    if a & b or left in known:
                        continue
                    known.add(left)
                    further.append((left, rule))
                    implied.append((rule, tuple(sorted(left))))
    return implied
