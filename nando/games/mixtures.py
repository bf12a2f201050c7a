"""Mixtures of predictors ("tellers"), which learn from each outcome.

A teller gives every outcome a probability before it is known. :func:`mix_chances` weighs tellers
by their predictions so far. After each outcome it returns a small share of the weight to the
initial weights, so that it follows a player who changes habits (the fixed share of Herbster and
Warmuth, Machine Learning 32:151, 1998). It is a hidden Markov model whose states are the tellers,
so it gives a probability of all outcomes together.

:func:`passages` finds where in a game a program was at work. Every fill is played either by a
person or by one of the programs, and a program that has begun is likely to continue. The likelihood
sums over all positions and lengths of passages, so the result does not depend on how a game is
divided.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.arrays import Floats


def mix_chances(
    log_chances: NDArray[np.floating], weights: Floats, share: float
) -> tuple[Floats, Floats]:
    """Return the mixture's log probability of each outcome, and its weights before and after each.

    Parameters
    ----------
    log_chances : ndarray, shape (n_outcomes, n_tellers)
        Log probability of each outcome under each teller. A row of NaN is an unknown outcome, which
        counts as certain.
    weights : ndarray of float64, shape (n_tellers,)
        Initial weights; they sum to 1.
    share : float
        Share of the weight that returns to `weights` after each outcome.

    Returns
    -------
    log_chances : ndarray of float64, shape (n_outcomes,)
    weights : ndarray of float64, shape (n_outcomes + 1, n_tellers)

    Examples
    --------
    >>> chances = np.log([[0.9, 0.1], [0.9, 0.1]])
    >>> found, weights = mix_chances(chances, np.array([0.5, 0.5]), 0.0)
    >>> np.exp(found).round(2).tolist(), weights[-1].round(2).tolist()
    ([0.5, 0.82], [0.99, 0.01])
    """
    totals = np.zeros(len(log_chances))
    history = np.empty((len(log_chances) + 1, len(weights)))
    history[0] = weights
    back = share * weights
    for k, row in enumerate(np.asarray(log_chances, np.float64)):
        largest = row.max()
        if np.isnan(largest):
            history[k + 1] = history[k]
            continue
        joint = history[k] * np.exp(row - largest)
        total = joint.sum()
        totals[k] = largest + np.log(total)
        history[k + 1] = (1.0 - share) / total * joint + back
    return totals, history


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
