"""Where in a game a program was at work: passages, found by a hidden Markov model.

At every fill either a person plays or one of the programs; a program that has begun is likely to go
on. All places and lengths of passages are summed over, so that nobody gains or loses by where a
game is cut.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

AT_FIRST = 0.5
"""Chance that a program plays from the first fill on."""
BEGINS = 0.02
"""Chance at each fill that one begins."""
ENDS = 0.02
"""Chance at each fill that it ends."""


class Passages(NamedTuple):
    """What the model says of a game.

    Attributes
    ----------
    log_odds : float
        Log likelihood ratio of programs at work, somewhere, to a person throughout.
    at_work : ndarray of float64, shape (n_moves,)
        Chance that one was at each fill.
    teller : int
        The one that is likeliest to have been at work most.
    """

    log_odds: float
    at_work: NDArray[np.float64]
    teller: int


def log_odds(ratios: NDArray[np.float64], weights: NDArray[np.float64]) -> float:
    """Return the same as of :func:`passages`, alone.

    Parameters
    ----------
    ratios : ndarray of float64, shape (n_moves, n_tellers)
        Log likelihood ratio of each fill, of each program to the person.
    weights : ndarray of float64, shape (n_tellers,)
        Of the programs; they sum to 1.
    """
    return _forward(ratios, weights)[2]


def passages(ratios: NDArray[np.float64], weights: NDArray[np.float64]) -> Passages:
    """Find where programs were at work; parameters as of :func:`log_odds`."""
    person, program, total = _forward(ratios, weights)
    n, n_tellers = ratios.shape
    at_work = np.empty(n)
    time_at_work = np.zeros(n_tellers)
    after_person, after_program = 1.0, np.ones(n_tellers)
    for k in range(n - 1, -1, -1):
        joint = program[k] * after_program
        everything = person[k] * after_person + joint.sum()
        at_work[k] = joint.sum() / everything
        time_at_work += joint / everything
        rates = np.exp(np.clip(ratios[k], -700, 700)) * after_program
        begun = weights @ rates
        before = (1 - BEGINS) * after_person + BEGINS * begun
        after_program = (1 - ENDS) * rates + ENDS * after_person
        scale = max(before, float(after_program.max()))
        after_person, after_program = before / scale, after_program / scale
    return Passages(total, at_work, int(time_at_work.argmax()))


def _forward(
    ratios: NDArray[np.float64], weights: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64], float]:
    """Chances of the states after each fill, and the log likelihood ratio of the whole game."""
    n, n_tellers = ratios.shape
    person = np.empty(n)
    program = np.empty((n, n_tellers))
    total = 0.0
    plays, works = 1.0 - AT_FIRST, AT_FIRST * weights
    for k in range(n):
        # A person's own chance is 1 in these ratios; the largest is taken out to keep in range.
        largest = max(0.0, float(ratios[k].max()))
        plays = plays * np.exp(-largest)
        works = works * np.exp(ratios[k] - largest)
        scale = plays + works.sum()
        total += largest + float(np.log(scale))
        person[k], program[k] = plays / scale, works / scale
        ended = float(program[k].sum()) * ENDS
        plays = (1 - BEGINS) * person[k] + ended
        works = (1 - ENDS) * program[k] + BEGINS * person[k] * weights
    return person, program, total
