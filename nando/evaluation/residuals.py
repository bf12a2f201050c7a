"""Residuals of held-out predictions, drawn with matplotlib as SVG or PNG."""

import io
from collections.abc import Sequence

import numpy as np

from nando.evaluation.times import Evaluation

_BINS = 10
_POINTS = "#2166ac"
_RATIOS = [0.25, 0.5, 0.7, 1, 1.4, 2, 4, 8]
_ROUND = [step * 10.0**power for power in range(-1, 5) for step in (1, 2, 5)]


def residual_plot(evaluations: Sequence[Evaluation], form: str) -> bytes:
    """Plot the ratio of actual to predicted time of each held-out puzzle against the prediction.

    Each evaluation has a panel. The line joins the medians of ten parts of the puzzles in the order
    of their predictions. Where it departs from 1, the model is biased.

    Parameters
    ----------
    evaluations : sequence of Evaluation
    form : {"svg", "png"}
    """
    import matplotlib as mpl
    from matplotlib.figure import Figure
    from matplotlib.ticker import FixedLocator, NullLocator, StrMethodFormatter

    with mpl.rc_context({"svg.hashsalt": "nando", "font.size": 10}):
        figure = Figure(figsize=(4.2 * len(evaluations), 3.8), layout="constrained")
        axes = figure.subplots(1, len(evaluations), squeeze=False)[0]
        for axis, evaluation in zip(axes, evaluations, strict=True):
            predicted = np.exp(evaluation.predicted)
            ratio = np.exp(evaluation.actual - evaluation.predicted)
            axis.axhline(1.0, color="0.4", linewidth=0.8)
            axis.scatter(
                predicted,
                ratio,
                s=6,
                alpha=0.4,
                color="#2166ac",
                edgecolors="none",
                rasterized=True,
            )
            parts = np.array_split(np.argsort(predicted, kind="stable"), _BINS)
            parts = [part for part in parts if part.size]
            axis.plot(
                [np.median(predicted[part]) for part in parts],
                [np.median(ratio[part]) for part in parts],
                color="#b2182b",
                linewidth=1.4,
            )
            axis.set(
                xscale="log", yscale="log", title=f"{evaluation.target}: {evaluation.n_puzzles:,}"
            )
            axis.set_xlabel("predicted, puzzle held out")
            for line, ticks in ((axis.xaxis, _ROUND), (axis.yaxis, _RATIOS)):
                line.set_major_locator(FixedLocator(ticks))
                line.set_minor_locator(NullLocator())
                line.set_major_formatter(StrMethodFormatter("{x:g}"))
            axis.spines[["top", "right"]].set_visible(False)
        axes[0].set_ylabel("actual / predicted")
        picture = io.BytesIO()
        metadata = {"Date": None} if form == "svg" else {"Software": None}
        figure.savefig(picture, format=form, dpi=120, metadata=metadata)
    return picture.getvalue()
