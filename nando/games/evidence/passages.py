"""Find the passages of a game in which a program was at work, by a hidden Markov model.

Every fill is played either by a person or by one of the programs, and a program that has begun is
likely to continue. The likelihood sums over all positions and lengths of passages, so the result
does not depend on how a game is divided.
"""

from typing import NamedTuple

import numpy as np

from nando.arrays import Floats

AT_FIRST = 0.5
"""Probability that a program plays the first fill."""
BEGINS = 0.02
"""Probability at each fill that a program begins."""
ENDS = 0.02
"""Probability at each fill that a program ends."""


class Passages(NamedTuple):
    """The result of the model for a game.

    Attributes
    ----------
    log_odds : float
        Log likelihood ratio of programs at work somewhere to a person throughout.
    at_work : ndarray of float64, shape (n_moves,)
        Probability at each fill that a program was at work.
    teller : int
        Index of the program that probably made the most fills.
    """

    log_odds: float
    at_work: Floats
    teller: int


def log_odds(ratios: Floats, weights: Floats) -> float:
    """Return only the log odds of :func:`passages`.

    Parameters
    ----------
    ratios : ndarray of float64, shape (n_moves, n_tellers)
        Log likelihood ratio of each fill, of each program to the person.
    weights : ndarray of float64, shape (n_tellers,)
        Weights of the programs; they sum to 1.
    """
    return float(_forward(ratios, weights)[2].sum())


def predictive_log_ratios(ratios: Floats, weights: Floats) -> Floats:
    """Return the log likelihood ratio of each fill, given the fills before it, shape (n_moves,)."""
    return _forward(ratios, weights)[2]


def passages(ratios: Floats, weights: Floats) -> Passages:
    """Find where programs were at work; the parameters are those of :func:`log_odds`."""
    person, program, gained = _forward(ratios, weights)
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
    return Passages(float(gained.sum()), at_work, int(time_at_work.argmax()))


def _forward(ratios: Floats, weights: Floats) -> tuple[Floats, Floats, Floats]:
    """Return the state chances after each fill, and the log likelihood ratios of the fills."""
    n, n_tellers = ratios.shape
    person = np.empty(n)
    program = np.empty((n, n_tellers))
    gained = np.empty(n)
    plays, works = 1.0 - AT_FIRST, AT_FIRST * weights
    for k in range(n):
        # A person's own chance is 1 in these ratios; divide by the largest to avoid overflow.
        largest = max(0.0, float(ratios[k].max()))
        plays = plays * np.exp(-largest)
        works = works * np.exp(ratios[k] - largest)
        scale = plays + works.sum()
        gained[k] = largest + np.log(scale)
        person[k], program[k] = plays / scale, works / scale
        ended = float(program[k].sum()) * ENDS
        plays = (1 - BEGINS) * person[k] + ended
        works = (1 - ENDS) * program[k] + BEGINS * person[k] * weights
    return person, program, gained
