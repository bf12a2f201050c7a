"""Folds that no equivalent puzzle straddles."""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray


def grouped_folds(
    groups: Sequence[str] | None, n_puzzles: int, n_splits: int, seed: int
) -> Iterator[tuple[NDArray[np.intp], NDArray[np.intp]]]:
    """Random folds over puzzles that keep each group whole.

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
        For fewer groups than folds.
    """
    from sklearn.model_selection import GroupKFold, KFold

    if groups is None:
        splitter = KFold(n_splits, shuffle=True, random_state=seed)
        yield from splitter.split(np.empty(n_puzzles))
        return
    _, labels = np.unique(np.asarray(groups), return_inverse=True)
    if labels.max() + 1 < n_splits:
        raise ValueError(f"{labels.max() + 1} different puzzles are too few for {n_splits} folds")
    # GroupKFold alone balances sizes in a fixed way; shuffled labels make each seed differ.
    yield from GroupKFold(n_splits, shuffle=True, random_state=seed).split(
        np.empty(n_puzzles), groups=labels
    )
