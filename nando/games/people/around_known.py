"""Draw plausible players around the known players of kinds about which little is published.

A drawn player of Nurikabe has the mean habits of the known players. Each habit is varied at random
by the spread of the known players and by half of the habit itself. The strictness varies, too.

A drawn player of variants has the habits of a known player or the mean of all. The last fill draws
the player's attention in one or two of the ways of Sudoku: to its box, row, column, digit or
neighbourhood, to the next cells in reading order, or to a new single.
"""

from collections.abc import Sequence

import numpy as np

from nando.games.fill_order import named_coefficients
from nando.games.people.persons import Person, Persons, drawn_slips
from nando.games.people.sudoku import PULLS
from nando.puzzles import Variant


def nurikabe_players(count: int, rng: np.random.Generator, known: Sequence[Person]) -> Persons:
    """Draw players of Nurikabe with equal weights; at least one player must be known."""
    fits = np.array([person.coefficients for person in known])
    mean = fits.mean(axis=0)
    spread = fits.std(axis=0) + 0.5 * np.abs(mean)
    return Persons.of(
        Person(
            "drawn",
            rng.uniform(0.5, 1.3) * (mean + spread * rng.normal(0.0, 1.0, len(mean))),
            drawn_slips(rng),
        )
        for _ in range(count)
    )


def variant_players(count: int, rng: np.random.Generator, known: Sequence[Person]) -> Persons:
    """Draw players of variants with equal weights; at least one player must be known."""
    fits = np.array([person.coefficients for person in known])
    return Persons.of(_variant_player(rng, fits) for _ in range(count))


def _variant_player(rng: np.random.Generator, fits: np.ndarray) -> Person:
    habits = fits[rng.integers(len(fits))] if rng.random() < 0.5 else fits.mean(axis=0)
    for pull in rng.choice(len(PULLS), 2 if rng.random() < 0.5 else 1, replace=False):
        pulled = named_coefficients(PULLS[pull](rng.uniform), Variant.kind)
        habits = habits + rng.uniform(0.3, 1.3) * pulled
    slips = drawn_slips(rng)
    return Person("drawn", rng.uniform(0.6, 1.2) * habits, slips)
