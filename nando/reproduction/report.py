"""A report in Markdown with figures, and all cells as CSV."""

import csv
import platform
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np

from nando.reproduction.core import Cell, Experiment, Result, Verdict
from nando.writing import replace_file, replace_text, write_file

_PACKAGES = ("numpy", "numba", "scipy", "scikit-learn")


def write_report(
    experiments: Sequence[Experiment], results: Sequence[Result], folder: Path, *, figures: bool
) -> None:
    """Write ``index.md``, ``cells.csv`` and, with matplotlib, a PNG for each result."""
    of = {experiment.name: experiment for experiment in experiments}
    drawn = {
        result.name
        for result in results
        if figures and _draw(of[result.name], result, folder / f"{result.name}.png")
    }
    counted = {result.name: counts(result) for result in results}
    page = _template().render(
        of=of,
        results=results,
        drawn=drawn,
        found=counted,
        total={verdict: sum(each[verdict] for each in counted.values()) for verdict in Verdict},
        verdicts=list(Verdict),
        waiting=[name for name in of if name not in counted],
        seeds=sorted({str(result.seed) for result in results}),
        versions=_versions(results),
        line=_line,
    )
    write_file(folder / "index.md", page)
    rows = all_rows(results)
    with replace_text(folder / "cells.csv") as text:
        names = list(rows[0]) if rows else ["experiment"]
        writer = csv.DictWriter(text, names, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def all_rows(results: Sequence[Result]) -> list[dict[str, Any]]:
    """Return the cells of results as rows."""
    return [cell.as_row(result.name) for result in results for cell in result.cells]


def counts(result: Result) -> dict[Verdict, int]:
    """Return the number of cells with each verdict."""
    by_verdict = Counter(cell.verdict for cell in result.cells)
    return {verdict: by_verdict[verdict] for verdict in Verdict}


def can_draw() -> bool:
    """Return True if matplotlib is installed."""
    from importlib.util import find_spec

    return find_spec("matplotlib") is not None


def _template() -> Any:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    loader = PackageLoader("nando.reproduction", "")
    environment = Environment(  # Markdown, which is not escaped
        loader=loader, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    return environment.get_template("report.md")


def _versions(results: Sequence[Result]) -> list[str]:
    """Return the versions of the software that ran."""
    versions = [f"nando {', '.join(sorted({result.version for result in results}))}"]
    versions.append(f"Python {platform.python_version()}")
    for package in _PACKAGES:
        with suppress(PackageNotFoundError):  # run from a checkout that is not installed
            versions.append(f"{package} {version(package)}")
    return versions


def _line(cell: Cell) -> str:
    published = cell.published
    measured = "" if cell.measured is None else _number(cell.measured)
    if cell.measured is not None and cell.error:
        measured += f" ± {_number(cell.error)}"
    bounded = cell.measured is not None and (published.low, published.high) != (None, None)
    columns = (
        cell.row,
        cell.column,
        "" if published.value is None else _number(published.value),
        f"{_number(published.low)} to {_number(published.high)}" if bounded else "",
        measured,
        f"**{cell.verdict.value}**" if cell.verdict is Verdict.CONTRADICTED else cell.verdict.value,
        published.reason,
    )
    return f"| {' | '.join(column.replace('|', '/') for column in columns)} |"


def _number(value: float | None) -> str:
    if value is None:
        return "any"
    return f"{round(value, 3) + 0:g}" if abs(value) < 1000 else f"{value:.0f}"


def _draw(experiment: Experiment, result: Result, path: Path) -> bool:
    """Draw the curves, or the cells and their intervals; return True if there was anything."""
    from matplotlib.figure import Figure

    panels = list(dict.fromkeys(curve.panel for curve in result.curves))
    measured = [cell for cell in result.cells if cell.measured is not None]
    if not panels and not measured:
        return False
    n = max(len(panels), 1)
    figure = Figure(figsize=(6.0 * n, 4.2), dpi=100, layout="constrained")
    axes = figure.subplots(1, n, squeeze=False)[0]
    if not panels:
        _draw_cells(axes[0], measured)
    for ax, panel in zip(axes, panels, strict=False):
        colours: dict[str, str] = {}
        for curve in (curve for curve in result.curves if curve.panel == panel):
            # Published and measured lines of a pair have the same colour.
            name = curve.label.rpartition(",")[0] or curve.label
            colour = colours.setdefault(name, f"C{len(colours)}")
            style = "--" if curve.published else "-"
            ax.plot(
                curve.x, curve.y, style, color=colour, marker="o", markersize=3, label=curve.label
            )
        ax.set(title=panel, xlabel=experiment.axis)
        ax.grid(alpha=0.3)
        ax.legend(fontsize=8)
    with replace_file(path) as file:
        figure.savefig(file, format="png", metadata={"Software": None})
    return True


def _draw_cells(ax: Any, cells: Sequence[Cell]) -> None:
    places = np.arange(len(cells))[::-1]
    for place, cell in zip(places, cells, strict=True):
        published = cell.published
        if published.low is not None and published.high is not None:
            ax.plot(
                [published.low, published.high], [place, place], color="C7", linewidth=6, alpha=0.4
            )
        ax.errorbar([cell.measured], [place], xerr=[cell.error], fmt="o", color="C0")
        if published.value is not None:
            ax.plot([published.value], [place], "|", color="C3", markersize=12)
    ax.set_yticks(places, [f"{cell.row}: {cell.column}" for cell in cells], fontsize=7)
    ax.set_title("measured (dots), published (bars) and its interval", fontsize=9)
    ax.grid(alpha=0.3, axis="x")
