"""Houses that follow from others: what two windows leave of three rows holds every digit once."""

from itertools import combinations

from nando.solvers.variants.network import Network

MOST_LINES = 3
"""Most rows or columns that are added up."""


def implied_houses(
    network: Network, rules: tuple[int, ...]
) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """Return the cells of houses that further houses leave of some rows or columns.

    Only houses of rules that come last are taken away: those of boxes leave nothing new.

    Parameters
    ----------
    network : Network
    rules : tuple of int
        The rule of each house, -1 for rows and columns.

    Returns
    -------
    tuple of (int, tuple of int)
        The rule of the houses that are taken away, and the cells.
    """
    n = network.n_digits
    masks = [sum(1 << cell for cell in house) for house in network.houses.tolist()]
    first = next((rule for rule in rules if rule >= 0), -1)
    lines = [mask for mask, rule in zip(masks, rules, strict=True) if rule < 0]
    further = [(mask, rule) for mask, rule in zip(masks, rules, strict=True) if rule > first]
    if len(further) < 2 or len(lines) != 2 * n:
        return ()
    known = set(masks)
    found: list[tuple[int, tuple[int, ...]]] = []
    for _ in range(2):
        for band in (lines[:n], lines[n:]):
            for several in combinations(band, MOST_LINES):
                area = several[0] | several[1] | several[2]
                inside = [one for one in further if not one[0] & ~area]
                for (a, rule), (b, _) in combinations(inside, MOST_LINES - 1):
                    left = area & ~a & ~b
                    if a & b or left in known:
                        continue
                    known.add(left)
                    further.append((left, rule))
                    cells = tuple(c for c in range(network.n_cells) if left >> c & 1)
                    found.append((rule, cells))
    return tuple(found)
