"""The probabilities of a game under a population, fill by fill."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.arrays import Floats
from nando.solvers.people.fills.choices import Replay


class Followed(NamedTuple):
    """The probabilities of a game under a population.

    Attributes
    ----------
    replay : Replay
    at_hand, supported : ndarray of bool, shape (n_rows,)
        Whether the simplest rules, or any technique that is searched for, fill a cell.
    rows : ndarray of float32, shape (n_rows, n_persons)
        Probability of every open cell before every fill under each person; the last person may be
        the learner.
    log_chances : ndarray of float64, shape (n_moves,)
        Log probabilities of the filled cells under the population.
    weights : ndarray of float64, shape (n_moves + 1, n_persons)
        Weights of the persons before each fill, and after the last.
    """

    replay: Replay
    at_hand: NDArray[np.bool_]
    supported: NDArray[np.bool_]
    rows: NDArray[np.float32]
    log_chances: Floats
    weights: Floats

    def mixed(self) -> Floats:
        """Return the probability of every open cell before every fill under the population."""
        before = np.repeat(self.weights[:-1], np.diff(self.replay.starts), axis=0)
        return np.asarray(np.einsum("ij,ij->i", self.rows, before))
