"""Published correlations of features with human times, and what they can be compared with."""

from collections.abc import Callable

PUBLISHED = {
    "backtracking": (0.16, 0.25),
    "harmony search": (0.18, 0.22),
    "number of givens": (0.25, 0.27),
    "simulated annealing": (0.38, 0.39),
    "relaxation, solutions": (0.40, 0.46),
    "relaxation, fixedness": (0.56, 0.61),
    "dependency": (0.67, 0.69),
    "refutation sum": (0.68, 0.83),
    "Serate": (0.70, 0.86),
    "RD": (0.74, 0.88),
    "SFRD": (0.84, 0.95),
}
"""Published Pearson correlations with raw times, as magnitudes: fed-sudoku, sudoku.org.uk.

Source: Pelanek 2014 and Krivanek 2011."""

_PUBLISHED_NURIKABE = {
    "annealing, cooling 0.99, 0.999, 0.9999": "0.03, 0.09, 0.02",
    "harmony search": "-0.25",
    "brute force": "0.64",
    "number of islands": "-0.51",
    "area of islands": "0.69",
    "distance of islands": "0.35",
    "shared cells": "0.74",
    "constraint propagation (refutation)": "0.8",
    "constraint relaxation": "0.9",
}
"""Published Pearson correlations with median times: 30 puzzles, and 45 for the last two.

Source: Krivanek 2011, chapter 4, and Pelanek 2014."""

_WHY_NO_TIMES = (
    "No solving times of Nurikabe are public, neither those (30 to 60 people a puzzle) nor others. "
    "Above, nando orders puzzles of one size by the level that a generator gave them: what it says "
    "of people is second hand, and the published numbers cannot be checked. With 30 puzzles the "
    "95 % interval of 0.74 is about 0.52 to 0.87."
)

_WHY_SETS_DIFFER = (
    "The published sets (1,089 and 731 puzzles, 131 and 1,307 solvers each) were never released. "
    "Here each mean is over 10 to 43 players, nine puzzles in ten need singles only, and few mean "
    "times are far from the median, so raw correlations near 0.9 are out of reach."
)


def _sudoku_page() -> str:
    """Return the published correlations of Sudoku, and why they cannot be compared one by one."""
    lines = [
        "Published Pearson correlations with raw times (Pelanek 2014, Krivanek 2011)",
        f"  {'':<24} fed-sudoku  sudoku.org.uk",
        *(f"  {name:<24} {fed:10.2f}  {org:13.2f}" for name, (fed, org) in PUBLISHED.items()),
        _WHY_SETS_DIFFER,
    ]
    return "\n".join(lines)


def _nurikabe_page() -> str:
    """Return the published correlations of Nurikabe, which cannot be checked."""
    lines = [
        "Published Pearson correlations with median times (Krivanek 2011, Pelanek 2014)",
        *(f"  {name:<40} {r}" for name, r in _PUBLISHED_NURIKABE.items()),
        _WHY_NO_TIMES,
    ]
    return "\n".join(lines)


PAGES: dict[str, Callable[[], str]] = {"sudoku": _sudoku_page, "nurikabe": _nurikabe_page}
"""What is published about each kind of puzzle."""


def published_page(kind: str = "sudoku") -> str:
    """Return the published correlations, and why they cannot be compared number by number."""
    if kind not in PAGES:
        return f"No correlations with times of {kind!r} puzzles are published."
    return PAGES[kind]()
