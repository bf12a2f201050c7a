"""Draw plausible players of Nurikabe around the known players.

Too little is published on how people solve Nurikabe for a better model. A drawn player has the mean
habits of the known players. Each habit is varied at random by the spread of the known players and
by half of the habit itself. The strictness varies too.
"""

from collections.abc import Sequence

import numpy as np

from nando.games.people.persons import Person, Persons, drawn_slips


def draw_persons(count: int, rng: np.random.Generator, known: Sequence[Person]) -> Persons:
    """Return the players of Nurikabe, all of the same weight.

    Parameters
    ----------
    count : int
    rng : numpy.random.Generator
    known : sequence of Person
        At least one.
    """
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
