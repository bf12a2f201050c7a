"""Draw plausible players of variants: habits of known players, and what draws attention in Sudoku.

A drawn player has the habits of a known player or the mean of all, and is drawn on from the last
fill in one or two of the ways in which players of Sudoku are: to its box, row, column, digit,
neighbourhood, onwards in reading order, to what has just become a single.
"""

from collections.abc import Sequence

import numpy as np

from nando.games.fill_order import named_coefficients
from nando.games.people.persons import Person, Persons, drawn_slips
from nando.games.people.sudoku import PULLS
from nando.puzzles import Variant


def draw_persons(count: int, rng: np.random.Generator, known: Sequence[Person]) -> Persons:
    """Return the players of variants, all of the same weight.

    Parameters
    ----------
    count : int
    rng : numpy.random.Generator
    known : sequence of Person
        At least one.
    """
    fits = np.array([person.coefficients for person in known])
    return Persons.of(_person(rng, fits) for _ in range(count))


def _person(rng: np.random.Generator, fits: np.ndarray) -> Person:
    habits = fits[rng.integers(len(fits))] if rng.random() < 0.5 else fits.mean(axis=0)
    for pull in rng.choice(len(PULLS), 2 if rng.random() < 0.5 else 1, replace=False):
        pulled = named_coefficients(PULLS[pull](rng.uniform), Variant.kind)
        habits = habits + rng.uniform(0.3, 1.3) * pulled
    slips = drawn_slips(rng)
    return Person("drawn", rng.uniform(0.6, 1.2) * habits, slips)
