"""Control false alarms over many games by e-values.

The likelihood ratio of programs to people is an e-value: over honest games its mean is at most 1,
so it exceeds 100 in at most one of a hundred. E-values of independent games multiply, and the
procedure of Benjamini and Hochberg is valid for dependent e-values (Wang and
Ramdas, Journal of the Royal Statistical Society B 84:822, 2022).
"""

import numpy as np
from numpy.typing import NDArray

from nando.arrays import Floats

MOST_LOG = 600.0
LEAST_P = 1e-4
"""No smaller p-value is stated: nobody has checked more than some thousand honest games."""

TRIMMED = 0.1
"""Share of a field's most suspicious games that is excluded when its usual value is computed."""


def accused(log_odds: Floats, level: float) -> NDArray[np.bool_]:
    """Select the hypotheses that the e-BH procedure rejects.

    Parameters
    ----------
    log_odds : ndarray of float64, shape (n,)
        Logarithms of e-values.
    level : float
        Expected share of honest games among the rejected hypotheses.

    Examples
    --------
    >>> accused(np.log([1e6, 350.0, 2.0]), 0.01).tolist()
    [True, True, False]
    """
    n = len(log_odds)
    if not n:
        return np.zeros(0, bool)
    ordered = np.sort(log_odds)[::-1]
    enough = ordered >= np.log(n / level) - np.log(np.arange(1, n + 1))
    if not enough.any():
        return np.zeros(n, bool)
    return np.asarray(log_odds >= ordered[np.flatnonzero(enough)[-1]])


def p_value_of(log_odds: float) -> float:
    """Return the p-value of an e-value, which is its inverse by Markov's inequality."""
    return float(min(1.0, max(LEAST_P, np.exp(-min(log_odds, MOST_LOG)))))


def excess_of(others: Floats) -> float:
    """Return the excess of a field's games over the resemblance to a program of honest games.

    This is the logarithm of the mean e-value of the others without the most suspicious tenth, but
    at least 0. It is 0 for people like those of the population.
    """
    kept = np.sort(others)[: int(np.ceil((1 - TRIMMED) * len(others)))]
    return max(0.0, float(np.log(np.mean(np.exp(np.minimum(kept, 50.0))))))


def rank_p_value(own: float, others: Floats) -> float:
    """Return the conformal p-value: the rank of a game among exchangeable games."""
    return float((1 + np.count_nonzero(others >= own)) / (1 + len(others)))
