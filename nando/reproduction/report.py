"""A report in Markdown with figures, and all cells as CSV."""

import csv
import io
import math
import platform
from collections import Counter
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np

from nando.reproduction.core import Cell, Experiment, Result, Verdict
from nando.writing import replaced_file

_PACKAGES = ("numpy", "numba", "scipy", "scikit-learn")
_HEAD = """# Reproduction of the published numbers

Each table and figure of the papers, measured again. A cell has the published number, the
interval in which a measurement reproduces it, the measurement with its standard error, and the
verdict that follows from these:

- **reproduced**: inside the interval, on the paper's instances or ones of their public source;
- **trend only**: inside the interval but on other instances, or outside by no more than two
  standard errors;
- **contradicted**: farther outside, on the same instances or against a claimed order;
- **not checkable**: nothing to measure, or another number on other instances, which says nothing.
"""


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
    parts = [_HEAD, _summary(of, results), _environment(results)]
    parts += [_section(of[result.name], result, result.name in drawn) for result in results]
    with replaced_file(folder / "index.md") as file:
        file.write("\n".join(parts).encode())
    text = io.StringIO()
    rows = all_rows(results)
    writer = csv.DictWriter(text, list(rows[0]) if rows else ["experiment"], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    with replaced_file(folder / "cells.csv") as file:
        file.write(text.getvalue().encode())


def all_rows(results: Sequence[Result]) -> list[dict[str, Any]]:
    """Return every cell of some results, flat."""
    return [cell.as_row(result.name) for result in results for cell in result.cells]


def counts(result: Result) -> Counter[Verdict]:
    """Return how many cells have each verdict."""
    return Counter(cell.verdict for cell in result.cells)


def can_draw() -> bool:
    """Return True if matplotlib is installed."""
    from importlib.util import find_spec

    return find_spec("matplotlib") is not None


def _summary(of: dict[str, Experiment], results: Sequence[Result]) -> str:
    names = [verdict.value for verdict in Verdict]
    lines = [
        "## Summary",
        "",
        f"| experiment | source | effort | seconds | {' | '.join(names)} |",
        f"|---|---|---|--:|{'--:|' * len(names)}",
    ]
    total: Counter[Verdict] = Counter()
    for result in results:
        found = counts(result)
        total += found
        numbers = " | ".join(str(found[verdict]) for verdict in Verdict)
        lines.append(
            f"| [{result.name}](#{result.name}) | {of[result.name].source} | {result.effort} | "
            f"{result.seconds:.0f} | {numbers} |"
        )
    numbers = " | ".join(str(total[verdict]) for verdict in Verdict)
    lines.append(f"| all |  |  | {sum(r.seconds for r in results):.0f} | {numbers} |")
    ran = {result.name for result in results}
    waiting = [name for name in of if name not in ran]
    if waiting:
        lines += ["", f"Not run yet: {', '.join(waiting)}."]
    return "\n".join(lines) + "\n"


def _environment(results: Sequence[Result]) -> str:
    seeds = ", ".join(sorted({str(result.seed) for result in results}))
    nandos = ", ".join(sorted({result.version for result in results}))
    parts = [f"nando {nandos}", f"Python {platform.python_version()}"]
    for package in _PACKAGES:
        try:
            parts.append(f"{package} {version(package)}")
        except PackageNotFoundError:  # run from a checkout that is not installed
            continue
    return f"Seed {seeds}. Versions: {', '.join(parts)}.\n"


def _section(experiment: Experiment, result: Result, drawn: bool) -> str:
    found = counts(result)
    told = ", ".join(f"{found[verdict]} {verdict.value}" for verdict in Verdict if found[verdict])
    lines = [
        f"## {result.name}",
        "",
        f"{experiment.source}. {experiment.about}",
        "",
        f"Run on: {result.instances}. Effort {result.effort}, seed {result.seed}, "
        f"{result.seconds:.0f} s. {told}.",
        "",
    ]
    if drawn:
        lines += [f"![{experiment.about}]({result.name}.png)", ""]
    lines += [
        "| row | column | published | reproduced within | measured | verdict | reason |",
        "|---|---|--:|---|--:|---|---|",
        *(_line(cell) for cell in result.cells),
        "",
    ]
    return "\n".join(lines)


def _line(cell: Cell) -> str:
    published = cell.published
    measured = "" if cell.measured is None else _number(cell.measured)
    if cell.measured is not None and cell.error:
        measured += f" ± {_number(cell.error)}"
    bounded = cell.measured is not None and (
        math.isfinite(published.low) or math.isfinite(published.high)
    )
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


def _number(value: float) -> str:
    if math.isinf(value):
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
            # The published line of a pair has the colour of the measured one.
            name = curve.label.rpartition(",")[0] or curve.label
            colour = colours.setdefault(name, f"C{len(colours)}")
            style = "--" if curve.published else "-"
            ax.plot(
                curve.x, curve.y, style, color=colour, marker="o", markersize=3, label=curve.label
            )
        ax.set(title=panel, xlabel=experiment.axis)
        ax.grid(alpha=0.3)
        ax.legend(fontsize=8)
    with replaced_file(path) as file:
        figure.savefig(file, format="png", metadata={"Software": None})
    return True


def _draw_cells(ax: Any, cells: Sequence[Cell]) -> None:
    places = np.arange(len(cells))[::-1]
    for place, cell in zip(places, cells, strict=True):
        published = cell.published
        if math.isfinite(published.low) and math.isfinite(published.high):
            ax.plot(
                [published.low, published.high], [place, place], color="C7", linewidth=6, alpha=0.4
            )
        ax.errorbar([cell.measured], [place], xerr=[cell.error], fmt="o", color="C0")
        if published.value is not None:
            ax.plot([published.value], [place], "|", color="C3", markersize=12)
    ax.set_yticks(places, [f"{cell.row}: {cell.column}" for cell in cells], fontsize=7)
    ax.set_title("measured (dots), published (bars) and its interval", fontsize=9)
    ax.grid(alpha=0.3, axis="x")
