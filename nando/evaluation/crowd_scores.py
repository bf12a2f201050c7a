"""Scores of ratings on crowds that were left out, as a page and as rows."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from nando.arrays import Floats
from nando.evaluation.scores import Score, metric_row, page_of
from nando.puzzles.frozen import EqualFields

METRICS = (
    "givens",
    "search_time",
    "sweep_easy_visits",
    "mechanistic_seconds",
    "se_rating",
    "se_sum",
    "exact_guesses",
    "log_refutation_sum",
    "dependency_25",
    "stuck_steps",
)
"""Single columns with which the model is compared."""

LOG_LINEAR = "log-linear"
GIVENS = "givens"
_HEADINGS = {
    "unseen": "Spearman's correlation on crowds that the model never saw [95 % interval]",
    "own": "The crowd's own model, folds by class of equivalent puzzles",
    "coverage": "Times inside the 80 % interval, crowds left out",
    "learning": "A new crowd from few puzzles, and a line fitted from nothing: mean absolute error "
    "of log times",
    "grades": "Grades and published levels: weighted kappa, and the shares of each grade",
    "flagged": "Share flagged",
    "ceiling": "Ceiling from repeated grids",
}


@dataclass(frozen=True, eq=False)
class CrowdsEvaluation(EqualFields):
    """Scores on every crowd that was left out.

    Attributes
    ----------
    unseen : DataFrame
        A row per target: puzzles, Spearman's correlation of the model that never saw the data set
        with its 95 % interval, the same of the best single metric, of the log-linear model and of
        the number of givens, and of every metric.
    own : DataFrame
        A row per target with times: Pearson on log and Spearman of the crowd's own model, with
        folds by class.
    coverage : DataFrame
        A row per crowd with times: share of times in the 80 % interval for an unknown crowd, with
        the crowd's pace known, and by thirds of difficulty; share flagged.
    learning : DataFrame
        A row per crowd and number of puzzles: mean absolute error of log times on the other
        puzzles, for the common scale and for a line without prior.
    kappa : Score
        Quadratic weighted kappa of grades with published levels.
    shares : ndarray
        Share of each grade among the upper four published levels.
    flagged : float or None
        Share flagged of the Sudoku Exchange puzzles rated 5.0 to 7.5; None without these data.
    ceilings : dict of str to float
        Greatest Spearman correlation within a level that the noise of its times allows.
    """

    unseen: pd.DataFrame
    own: pd.DataFrame
    coverage: pd.DataFrame
    learning: pd.DataFrame
    kappa: Score
    shares: Floats
    flagged: float | None
    ceilings: Mapping[str, float]

    def page(self) -> str:
        """Return all results as text, with the number of givens as the only single metric."""
        hidden = {*METRICS} - {GIVENS}
        return page_of((row for row in self.rows() if row["metric"] not in hidden), _HEADINGS)

    def rows(self) -> list[dict[str, Any]]:
        """Return one row per number: part, subject, metric, value and any 95 % interval."""
        rows: list[dict[str, Any]] = []

        def add(part: str, subject: str, metric: str, value: float, *ends: float) -> None:
            rows.append(metric_row(part, subject, metric, float(value), *ends))

        for row in self.unseen.to_dict("records"):
            add("unseen", row["target"], "nando", row["nando"], row["low_95"], row["high_95"])
            for metric in (*METRICS, LOG_LINEAR):
                add("unseen", row["target"], metric, row[metric])
        for part, table in (("own", self.own), ("coverage", self.coverage)):
            for row in table.to_dict("records"):
                subject = str(next(iter(row.values())))
                for name, value in list(row.items())[1:]:
                    add(part, subject, str(name), value)
        for row in self.learning.to_dict("records"):
            for model in ("nando", "from nothing"):
                add("learning", row["crowd"], f"{model}, {row['puzzles']} puzzles", row[model])
        add("grades", "levels", "kappa", self.kappa.value, self.kappa.low, self.kappa.high)
        for number, share in enumerate(self.shares):
            add("grades", "upper four levels", f"grade {number + 1}", share)
        if self.flagged is not None:
            add("flagged", "Sudoku Exchange 5.0 to 7.5", "share", self.flagged)
        for name, value in self.ceilings.items():
            add("ceiling", name, "Spearman", value)
        return rows
