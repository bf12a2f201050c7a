"""The mixture of several predictors ("tellers"), which learns from each outcome.

A teller gives every outcome a probability before it is known. The mixture weighs tellers by their
predictions so far. After each outcome it returns a small share of the weight to the initial
weights, so that it follows a player who changes habits (the fixed share of Herbster and Warmuth,
Machine Learning 32:151, 1998). It is a hidden Markov model whose states are the tellers, so it
gives a probability of all outcomes together.
"""

import numpy as np
from numpy.typing import NDArray

from nando.arrays import Floats


def mixed_chances(
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
    >>> found, weights = mixed_chances(chances, np.array([0.5, 0.5]), 0.0)
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
