"""The columns of puzzles as a transformer of scikit-learn."""

from collections.abc import Iterable, Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, TransformerMixin

from nando.features.extractor import FeatureExtractor
from nando.features.groups import DEFAULT_GROUPS
from nando.puzzles import PuzzleLike


class SolverFeatures(TransformerMixin, BaseEstimator):
    """Transforms puzzles into a fixed set of named features.

    Parameters
    ----------
    groups, runs, random_state, n_jobs, progress
        As in :class:`nando.features.FeatureExtractor`, which does the work.

    Examples
    --------
    >>> from nando.datasets import load_examples
    >>> puzzles = load_examples().puzzles[:2]
    >>> table = SolverFeatures(groups=["givens"]).fit_transform(puzzles)
    >>> table.shape
    (2, 3)
    """

    def __init__(
        self,
        groups: Sequence[str] = DEFAULT_GROUPS,
        runs: int | None = None,
        random_state: int = 0,
        n_jobs: int | None = None,
        progress: bool = False,
    ) -> None:
        self.groups = groups
        self.runs = runs
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.progress = progress

    @property
    def extractor(self) -> FeatureExtractor:
        """The extractor that computes the features."""
        return FeatureExtractor(**self.get_params())

    @classmethod
    def of(cls, extractor: FeatureExtractor) -> Self:
        """Return the transformer with the settings of an extractor."""
        return cls(**vars(extractor))

    def fit(self, X: Iterable[PuzzleLike], y: Any = None) -> Self:
        """Check the parameters; there is nothing to fit.

        Raises
        ------
        ValueError
            For an unknown group or fewer than one run.
        """
        del X, y
        self.extractor.checked()
        self.n_features_out_ = len(self.get_feature_names_out())
        return self

    def transform(
        self, X: Iterable[PuzzleLike], *, first_index: int = 0, streams: Sequence[int] | None = None
    ) -> NDArray[np.float64]:
        """Return the features of each puzzle; see :meth:`nando.features.FeatureExtractor.table`.

        Returns
        -------
        ndarray of float64, shape (len(X), n_features)
            A DataFrame after ``set_output(transform="pandas")``.
        """
        return self.extractor.table(X, first_index=first_index, streams=streams)

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """Return the column names, shape ``(n_features,)``."""
        del input_features
        return np.array(self.extractor.columns, dtype=object)

    def __sklearn_is_fitted__(self) -> bool:
        return True

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array, tags.input_tags.string = False, True
        tags.requires_fit = False
        return tags
