"""The interface of scikit-learn's estimators without importing it, and folds of puzzles.

A model that only predicts is loaded in milliseconds, but importing scikit-learn takes most of a
second. The raters therefore implement its interface themselves, and work with its cloning,
pipelines, cross-validation and routing of metadata.
"""

import inspect
from collections.abc import Iterator, Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray


class Estimator:
    """An estimator with keyword arguments as parameters; fitted attributes end in an underscore."""

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters by name; with ``deep`` include those of nested estimators."""
        params: dict[str, Any] = {}
        for name in _parameters(type(self)):
            value = getattr(self, name)
            params[name] = value
            if deep and hasattr(value, "get_params"):
                inner = value.get_params().items()
                params |= {f"{name}__{key}": parameter for key, parameter in inner}
        return params

    def set_params(self, **params: Any) -> Self:
        """Set parameters by name, ``outer__inner`` for a parameter of a parameter.

        Raises
        ------
        ValueError
            For an unknown parameter.
        """
        known = _parameters(type(self))
        for name, value in params.items():
            outer, _, inner = name.partition("__")
            if outer not in known:
                raise ValueError(
                    f"unknown parameter {outer!r} of {type(self).__name__}; "
                    f"known: {', '.join(known)}"
                )
            if inner:
                getattr(self, outer).set_params(**{inner: value})
            else:
                setattr(self, outer, value)
        return self

    def __repr__(self) -> str:
        parameters = inspect.signature(type(self)).parameters
        changed = [
            f"{name}={value!r}"
            for name, value in self.get_params(deep=False).items()
            if value is not parameters[name].default and value != parameters[name].default
        ]
        return f"{type(self).__name__}({', '.join(changed)})"

    def check_fitted(self) -> None:
        """Raise scikit-learn's NotFittedError if nothing was fitted or read from a file."""
        if not self.__sklearn_is_fitted__():
            from sklearn.exceptions import NotFittedError

            raise NotFittedError(f"this {type(self).__name__} is not fitted yet: call fit")

    def __sklearn_is_fitted__(self) -> bool:
        return any(name.endswith("_") and not name.startswith("_") for name in vars(self))

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import InputTags, Tags, TargetTags

        # Puzzles, or a table with the columns of certain features: not any 2-d array.
        return Tags(
            estimator_type=None,
            target_tags=TargetTags(required=True, positive_only=True),
            input_tags=InputTags(two_d_array=False, string=True),
        )

    # ---------------------------------------------------------------- routing of metadata

    def set_fit_request(self, **requests: bool | str | None) -> Self:
        """Choose which arguments of `fit` a scikit-learn pipeline or search passes on."""
        self._metadata_request = self.get_metadata_routing()
        for name, alias in requests.items():
            self._metadata_request.fit.add_request(param=name, alias=alias)
        return self

    def get_metadata_routing(self) -> Any:
        """Return the requested arguments of `fit` as scikit-learn's MetadataRequest."""
        if not hasattr(self, "_metadata_request"):
            from sklearn.utils.metadata_routing import MetadataRequest

            request = MetadataRequest(owner=self)
            for name in list(inspect.signature(type(self).fit).parameters)[3:]:  # type: ignore[attr-defined]
                request.fit.add_request(param=name, alias=None)
            return request
        return self._metadata_request


class Regressor(Estimator):
    """An estimator that predicts a number for each row of `X`."""

    def predict(self, X: Any) -> Any:
        """Return a prediction for each row."""
        raise NotImplementedError

    def score(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> float:
        """Return the coefficient of determination R² of the predictions."""
        from sklearn.metrics import r2_score

        return float(r2_score(y, self.predict(X), sample_weight=sample_weight))

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import RegressorTags

        tags = super().__sklearn_tags__()
        tags.estimator_type, tags.regressor_tags = "regressor", RegressorTags()
        return tags


def _parameters(estimator: type) -> list[str]:
    """Return the names of the parameters of an estimator's `__init__`."""
    return list(inspect.signature(estimator).parameters)


def grouped_folds(
    groups: Sequence[str] | None, n_puzzles: int, n_splits: int, seed: int
) -> Iterator[tuple[NDArray[np.intp], NDArray[np.intp]]]:
    """Yield random folds over puzzles that keep each group whole.

    Parameters
    ----------
    groups : sequence of str, length n_puzzles, or None
        Equivalence keys; None makes each puzzle its own group.
    n_puzzles, n_splits, seed : int

    Yields
    ------
    train, test : ndarray of intp
        Positions of the puzzles.

    Raises
    ------
    ValueError
        If there are fewer groups than folds.
    """
    from sklearn.model_selection import GroupKFold, KFold

    if groups is None:
        splitter = KFold(n_splits, shuffle=True, random_state=seed)
        yield from splitter.split(np.empty(n_puzzles))
        return
    _, labels = np.unique(np.asarray(groups), return_inverse=True)
    if labels.max() + 1 < n_splits:
        raise ValueError(f"{labels.max() + 1} different puzzles are too few for {n_splits} folds")
    # GroupKFold balances sizes in a fixed way; shuffled labels make the folds depend on the seed.
    yield from GroupKFold(n_splits, shuffle=True, random_state=seed).split(
        np.empty(n_puzzles), groups=labels
    )
