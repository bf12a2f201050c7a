"""What learns a model from times: estimators of scikit-learn on top of what predicts."""

from abc import abstractmethod
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, RegressorMixin

from nando.features.extractor import FeatureExtractor
from nando.features.groups import DEFAULT_GROUPS, groups_of
from nando.features.transformer import SolverFeatures
from nando.rating.base import Rater


class RatingEstimator(RegressorMixin, BaseEstimator, Rater):
    """A rater that can be fitted.

    `X` of its methods may be the table that `features` makes of puzzles, so a rater also ends a
    Pipeline that begins with :class:`nando.features.SolverFeatures`.
    """

    features: SolverFeatures | None

    @abstractmethod
    def fit_quickly(
        self,
        table: NDArray[np.float64],
        log_seconds: NDArray[np.float64],
        weight: NDArray[np.float64],
    ) -> None:
        """Fit what a prediction needs, and nothing of the interval."""

    @property
    def extractor(self) -> FeatureExtractor:
        """How puzzles become columns."""
        if self.features is not None:
            return self.features.extractor
        return FeatureExtractor(groups_of(self.columns))

    @property
    def unnamed_groups(self) -> Sequence[str]:
        """The groups whose columns a table without names has."""
        return DEFAULT_GROUPS if self.features is None else self.features.groups
