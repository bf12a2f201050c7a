"""Scores with their intervals: correlations and errors, bootstrapped over groups of puzzles."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from nando.arrays import Floats
from nando.checks import whole
from nando.puzzles.frozen import EqualFields
from nando.tables import load_table

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Score:
    """A number with its 95 % interval."""

    value: float
    low: float
    high: float

    @classmethod
    def of(cls, value: float, draws: Sequence[float] | Floats) -> Self:
        """Return a value with the interval of its bootstrap draws; NaN without draws."""
        low, high = np.quantile(draws, [0.025, 0.975]) if len(draws) else (np.nan, np.nan)
        return cls(float(value), float(low), float(high))

    def __str__(self) -> str:
        return f"{self.value:.3f} [{self.low:.3f}, {self.high:.3f}]"


@dataclass(frozen=True, eq=False)
class Report(EqualFields):
    """An evaluation: a number in each row, and a page of tables for people.

    Attributes
    ----------
    rows : list of dict
        Part, subject, metric, value, and the ends of the 95 % interval or None.
    headings : dict of str to str
        The sentence above the table of each part on the page.
    arrays : dict of str to ndarray
        Values of single puzzles behind the rows.
    hidden : collection of str
        Metrics that the page leaves out.
    """

    rows: Sequence[dict[str, Any]]
    headings: Mapping[str, str]
    arrays: Mapping[str, Floats] = field(default_factory=dict, repr=False)
    hidden: Collection[str] = ()

    def scores(self, part: str) -> dict[str, dict[str, Score]]:
        """Return the scores of a part, by subject and metric; ends without an interval are NaN."""
        scores: dict[str, dict[str, Score]] = {}
        for row in self.rows:
            if row["part"] == part:
                ends = (row[end] if row[end] is not None else np.nan for end in _ENDS)
                scores.setdefault(row["subject"], {})[row["metric"]] = Score(row["value"], *ends)
        return scores

    def table(self) -> "pd.DataFrame":
        """Return the rows as a DataFrame."""
        import pandas as pd

        return pd.DataFrame(self.rows, columns=[*_NAMES])

    def page(self) -> str:
        """Return all results as text: a line for each subject, a column for each metric."""
        tables: dict[str, dict[str, dict[str, str]]] = {}
        for row in self.rows:
            if row["metric"] not in self.hidden:
                line = tables.setdefault(row["part"], {}).setdefault(row["subject"], {})
                line[row["metric"]] = _show(row)
        return "\n\n".join(
            f"{self.headings.get(part, part)}\n{_table_text(table)}"
            for part, table in tables.items()
        )


_ENDS = ("low_95", "high_95")
_NAMES = ("part", "subject", "metric", "value", *_ENDS)


def metric_row(part: str, subject: str, metric: str, value: float | Score) -> dict[str, Any]:
    """Return a row of a report."""
    low = high = None
    if isinstance(value, Score):
        low, high, value = value.low, value.high, value.value
    return dict(zip(_NAMES, (part, subject, metric, value, low, high), strict=True))


def _show(row: Mapping[str, Any]) -> str:
    value = row["value"]
    if row["low_95"] is not None:
        return str(Score(value, row["low_95"], row["high_95"]))
    return f"{value:,}" if isinstance(value, int) else f"{value:.4g}"


def _table_text(table: Mapping[str, Mapping[str, str]]) -> str:
    import pandas as pd

    return str(pd.DataFrame.from_dict(table, orient="index").fillna("").to_string())


def pearson(x: Floats, y: Floats) -> float:
    """Return Pearson's correlation; 0 if a side is constant."""
    x, y = x - x.mean(), y - y.mean()
    norm = np.sqrt((x @ x) * (y @ y))
    return float(x @ y / norm) if norm > 0 else 0.0


def spearman(x: Floats, y: Floats) -> float:
    """Return Spearman's rank correlation; 0 if a side is constant."""
    from scipy.stats import rankdata

    return pearson(rankdata(x), rankdata(y))


def percentage_error(predicted: Floats, actual: Floats) -> float:
    """Return the mean absolute error in per cent, of log times."""
    return float(np.mean(np.abs(np.expm1(predicted - actual))) * 100)


def check_resampling(n_splits: int, repeats: int, n_bootstrap: int, seed: int) -> None:
    """Check the numbers of folds, repeats and samples, and the seed.

    Raises
    ------
    TypeError, ValueError
        For the first invalid argument, which the message names.
    """
    whole("n_splits", n_splits, 2)
    whole("repeats", repeats, 1)
    whole("n_bootstrap", n_bootstrap, 1)
    whole("seed", seed, 0)


def bootstrap(keys: Sequence[str], n_bootstrap: int, seed: int) -> list[NDArray[np.intp]]:
    """Return the indices of puzzles in samples of whole groups, drawn with replacement."""
    _, labels = np.unique(np.asarray(keys), return_inverse=True)
    members: list[list[int]] = [[] for _ in range(labels.max() + 1)]
    for position, label in enumerate(labels):
        members[label].append(position)
    rng = np.random.default_rng(seed)
    return [
        np.array(
            [i for label in rng.integers(len(members), size=len(members)) for i in members[label]]
        )
        for _ in range(n_bootstrap)
    ]


def score_of(
    measure: Callable[..., float],
    predicted: Floats,
    actual: Floats,
    samples: Sequence[NDArray[np.intp]],
    *others: NDArray[Any],
) -> Score:
    """Return the mean over repeats, and the bootstrap's 95 % interval around it."""
    value = float(np.mean([measure(line, actual, *others) for line in predicted]))
    # Samples use the repeats in turn, so that each is a draw of both puzzles and folds.
    draws = [
        measure(
            predicted[i % len(predicted)][sample],
            actual[sample],
            *(other[sample] for other in others),
        )
        for i, sample in enumerate(samples)
    ]
    return Score.of(value, draws)


PAGES = load_table("nando.evaluation", "published.toml")
"""Published results for each kind of puzzle."""

PUBLISHED: dict[str, tuple[float, float]] = {
    name: (fed, org) for name, (fed, org) in PAGES["sudoku"]["numbers"].items()
}
"""Published Pearson correlations with raw times, as magnitudes: fed-sudoku, sudoku.org.uk.

Source: Pelanek 2014 and Krivanek 2011."""


def published_page(kind: str = "sudoku") -> str:
    """Return the published correlations, and why single numbers cannot be compared."""
    if kind not in PAGES:
        return f"No correlations with times of {kind!r} puzzles are published."
    page = PAGES[kind]
    rows = [
        f"  {name:<40} {value}"
        if isinstance(value, str)
        else "  {:<24} {:10.2f}  {:13.2f}".format(name, *value)
        for name, value in page["numbers"].items()
    ]
    return "\n".join(filter(None, [page["heading"], *rows, page["remark"]]))
