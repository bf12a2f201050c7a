"""Published numbers, our measurements, and the verdicts that compare them.

``claims.csv`` has a row for each published number. The puzzles come from the papers and from data
folders, with the human times of some of them.
"""

import json
import math
import os
import shutil
import subprocess
import time
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from functools import cache
from importlib import resources
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, Self, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from nando import datasets
from nando.arrays import Floats
from nando.checks import cores
from nando.puzzles import Sudoku
from nando.records import Settings as CheckedRecord
from nando.records import between, setting
from nando.solvers import count_many, singles_suffice
from nando.solvers.protocol import spawned
from nando.stages import counted
from nando.tables import load_rows

CLASSES = ("very easy", "easy", "medium", "hard", "fiendish")
"""Levels of Debian's `sudoku` program."""

_BENCHMARK = "mantere_koljonen.txt"


@cache
def benchmark() -> dict[str, Sudoku]:
    """Return the 46 puzzles of Mantere and Koljonen, by their names there."""
    text = (resources.files("nando.reproduction") / _BENCHMARK).read_text("utf-8")
    lines = [line.split() for line in text.splitlines() if line and not line.startswith("#")]
    return {name: Sudoku(puzzle) for puzzle, name in lines}


@cache
def read_printed(source: str) -> Sudoku:
    """Return a puzzle printed in a paper, for example "Maire and Prissette 2012, figure 3.1".

    Raises
    ------
    ValueError
        If the examples have no puzzle of the source.
    """
    frame = datasets.load_examples(as_frame=True).frame
    puzzles = frame.loc[frame["source"].str.contains(source, regex=False), "puzzle"]
    if puzzles.empty:
        raise ValueError(f"no example is from {source!r}")
    return Sudoku(puzzles.iloc[0])


def royle(count: int) -> list[Sudoku]:
    """Return puzzles with 17 givens from the local sample of Royle's list, evenly spread.

    Raises
    ------
    DataNotFoundError
        If ``tdoku/17_clue_sample.txt`` is not in the folder that NANDO_DATA names.
    """
    path = _local("tdoku/17_clue_sample.txt")
    if path is None:
        raise datasets.DataNotFoundError(
            "tdoku/17_clue_sample.txt is not in the folder that NANDO_DATA names; it is every "
            "25th puzzle of Royle's list, which the GitHub repository t-dillon/tdoku has"
        )
    lines = path.read_text(encoding="utf-8").splitlines()
    texts = [line[:81] for line in lines if line and not line.startswith("#")]
    count = min(count, len(texts))
    return [Sudoku(texts[i * len(texts) // count]) for i in range(count)]


def debian(level: str, count: int) -> list[Sudoku]:
    """Return puzzles of a class made by Debian's `sudoku` program.

    They are read from ``debian_sudoku/<class>.txt`` in the folder that NANDO_DATA names, so that a
    run can be repeated although the program takes no seed. Without the file the program makes them.

    Raises
    ------
    DataNotFoundError
        If there is neither the file nor the program.
    """
    name = f"debian_sudoku/{level.replace(' ', '_')}.txt"
    if kept := _local(name):
        lines = kept.read_text(encoding="utf-8").split()
    else:
        program = shutil.which("sudoku", path=f"{os.environ.get('PATH', '')}:/usr/games")
        if program is None:
            raise datasets.DataNotFoundError(
                "the generator is not installed: `apt install sudoku` on Debian, or puzzles in "
                f"{name} in the folder that NANDO_DATA names"
            )
        process = subprocess.run(
            [program, "-g", str(count), f"-c{level}", "-fcompact"],
            capture_output=True,
            text=True,
            check=True,
        )
        # Each puzzle has nine lines after a comment.
        digits = "".join(x for x in process.stdout.splitlines() if not x.startswith("%"))
        lines = [digits[i : i + 81] for i in range(0, len(digits), 81)]
    return [Sudoku(line) for line in lines if len(line) == 81][:count]


def _local(name: str) -> Path | None:
    """Return a file in the folder that NANDO_DATA names, or None."""
    folder = os.environ.get("NANDO_DATA")
    path = Path(folder or "", name)
    return path if folder is not None and path.is_file() else None


NOT_PUBLIC = "the human data are not public; those of another site, on other puzzles, stand for it"
SETS = {"fed-sudoku": "sudoku_insight", "sudoku.org.uk": "cloud_sudoku"}
"""Data sets by their names in the papers: one experienced solver, and means over many players."""


class HumanTimes(NamedTuple):
    """Puzzles with human times in seconds."""

    puzzles: list[Sudoku]
    seconds: Floats
    simple: NDArray[np.bool_]
    """True if singles suffice."""


def human_times(name: str, most: int) -> HumanTimes:
    """Return at most `most` puzzles with one solution and human times, evenly spread.

    Raises
    ------
    DataNotFoundError
        If the data set is not available locally.
    """
    _require(name)
    if name == "cloud_sudoku":
        data = datasets.fetch_cloud_sudoku()
        places = _spread(np.arange(len(data.puzzles)), most)
    else:
        data, places = completed_games(most)
    puzzles = [data.puzzles[i] for i in places]
    simple = np.array([singles_suffice(puzzle) for puzzle in puzzles], bool)
    return HumanTimes(puzzles, data.target[places], simple)


def completed_games(most: int) -> tuple[Any, NDArray[np.intp]]:
    """Return the games of Sudoku Insight, and the indices of completed games with one solution.

    Raises
    ------
    DataNotFoundError
        If the data set is not available locally.
    """
    _require("sudoku_insight")
    data = datasets.fetch_sudoku_insight(as_frame=True)
    kept = data.frame["completed"].to_numpy() & (count_many(data.puzzles) == 1)
    return data, _spread(np.flatnonzero(kept), most)


def _require(name: str) -> None:
    if not datasets.DATASETS[name][0].is_available():
        raise datasets.DataNotFoundError(
            f"the data set {name} is not at hand: `nando datasets {name} --fetch`"
        )


def _spread(places: NDArray[np.intp], most: int) -> NDArray[np.intp]:
    chosen = np.unique(np.linspace(0, len(places) - 1, most).round().astype(int))
    return np.asarray(places[chosen])


def pearson(x: Sequence[float] | Floats, y: NDArray[Any]) -> tuple[float, float]:
    """Return the correlation of the pairs without NaN, and its standard error."""
    x = np.asarray(x, float)
    known = np.isfinite(x) & np.isfinite(y)
    if known.sum() < 4 or x[known].std() == 0:
        return math.nan, 0.0
    r = float(np.corrcoef(x[known], y[known])[0, 1])
    return r, (1 - r * r) / math.sqrt(known.sum() - 2)


Effort = Literal["quick", "full"]
Instances = Literal["same", "other", "order"]

Item = TypeVar("Item")
Found = TypeVar("Found")


class Verdict(StrEnum):
    """The verdict of a measurement on a published number."""

    REPRODUCED = "reproduced"
    TREND = "trend only"
    NOT_CHECKABLE = "not checkable"
    CONTRADICTED = "contradicted"


@dataclass(frozen=True)
class Published(CheckedRecord):
    """A published number, and the interval in which a measurement reproduces it.

    Attributes
    ----------
    value : float or None
        None for a claim in words, or a number that is lost.
    low, high : float or None
        The interval; None if a side is open.
    instances : {"same", "other", "order"}
        "same" for the paper's instances or instances of the same public source; "other" for
        other instances, on which the number may differ; "order" for other instances on which an
        order or a sign must agree.
    reason : str
        Reason for the interval, or for the lack of a measurement.
    """

    value: float | None
    low: float | None = None
    high: float | None = None
    instances: Instances = "same"
    reason: str = ""

    def check(self) -> None:
        """Raise ValueError if the ends of the interval are swapped."""
        if self.low is not None and self.high is not None and self.low > self.high:
            raise ValueError(f"low must be at most high, got {self.low!r} and {self.high!r}")

    def contains(self, number: float, margin: float = 0.0) -> bool:
        """Return True if a number is in the interval widened by a margin."""
        if self.low is not None and number < self.low - margin:
            return False
        return self.high is None or number <= self.high + margin

    @classmethod
    def near(
        cls, value: float, tolerance: float, instances: Instances = "same", reason: str = ""
    ) -> Self:
        """Return a number whose interval is `tolerance` to either side."""
        return cls(value, value - tolerance, value + tolerance, instances, reason)

    @classmethod
    def lost(cls, reason: str, value: float | None = None) -> Self:
        """Return a number that cannot be checked."""
        return cls(value, reason=reason)


@dataclass(frozen=True)
class Cell:
    """A cell of a published table with its measurement.

    Attributes
    ----------
    row, column : str
    published : Published
    measured : float or None
        None if nothing was measured.
    error : float
        Standard error of `measured`; 0 for deterministic results.
    """

    row: str
    column: str
    published: Published
    measured: float | None = None
    error: float = 0.0

    @property
    def verdict(self) -> Verdict:
        """The verdict of the numbers; see :func:`verdict`."""
        return verdict(self.measured, self.error, self.published)

    def as_row(self, experiment: str) -> dict[str, Any]:
        """Return the cell as a flat row of a table."""
        published = asdict(self.published)
        value, reason = published.pop("value"), published.pop("reason")
        row: dict[str, Any] = {"experiment": experiment, "row": self.row, "column": self.column}
        row |= {"published": value, **published, "measured": self.measured, "error": self.error}
        return row | {"verdict": self.verdict.value, "reason": reason}


@dataclass(frozen=True)
class Curve:
    """A line of a figure.

    Attributes
    ----------
    panel, label : str
    x, y : list of float
    published : bool
        Whether the paper printed it.
    """

    panel: str
    label: str
    x: list[float]
    y: list[float]
    published: bool = False


def verdict(measured: float | None, error: float, published: Published) -> Verdict:
    """Judge a measurement by the published interval.

    A measurement inside the interval reproduces the number; on other instances it shows the trend.
    A measurement outside by at most two standard errors shows the trend. A measurement farther
    outside contradicts the paper, unless it used other instances and the paper claimed no order:
    then it is inconclusive.

    Examples
    --------
    >>> verdict(0.93, 0.02, Published.near(0.9, 0.05)).value
    'reproduced'
    >>> verdict(0.93, 0.02, Published.near(0.8, 0.05)).value
    'contradicted'
    """
    if measured is None or math.isnan(measured):
        return Verdict.NOT_CHECKABLE
    if published.contains(measured):
        same = published.instances == "same"
        return Verdict.REPRODUCED if same else Verdict.TREND
    if published.contains(measured, 2 * error):
        return Verdict.TREND
    return Verdict.NOT_CHECKABLE if published.instances == "other" else Verdict.CONTRADICTED


@dataclass(frozen=True)
class Settings(CheckedRecord):
    """The settings of an experiment.

    Attributes
    ----------
    seed : int
    effort : {"quick", "full"}
        "quick" takes minutes in total; "full" does as much as the papers did, which takes hours.
    n_jobs : int
        Threads; never changes a result.
    """

    seed: int = setting(0, between(0))
    effort: Effort = "quick"
    n_jobs: int = 1

    def check(self) -> None:
        """Check the number of threads."""
        cores(self.n_jobs)

    def pick(self, quick: Item, full: Item) -> Item:
        """Return the item for the chosen effort."""
        return quick if self.effort == "quick" else full

    def map(
        self,
        part: str,
        task: Callable[[Item, np.random.Generator], Found],
        items: Sequence[Item],
    ) -> list[Found]:
        """Return the results of a task on each item, in order, each with its own generator.

        The generators come from the seed, the name of the part and the index of the item, so
        parts are independent and the number of threads does not matter.
        """
        from joblib import Parallel, delayed

        root = np.random.SeedSequence(self.seed, spawn_key=(zlib.crc32(part.encode()),))
        results = Parallel(n_jobs=self.n_jobs, prefer="threads", return_as="generator")(
            delayed(task)(item, spawned(root, place)) for place, item in enumerate(items)
        )
        return list(counted(results, part, len(items)))


@dataclass(frozen=True)
class Result:
    """The result of an experiment.

    Attributes
    ----------
    name : str
    seed : int
    effort : str
    instances : str
        The instances, and the number of runs.
    cells : list of Cell
    curves : list of Curve
    seconds : float
        Wall-clock time.
    version : str
        Version of nando.
    """

    name: str
    seed: int
    effort: str
    instances: str
    cells: list[Cell]
    curves: list[Curve]
    seconds: float
    version: str

    def as_json(self) -> dict[str, Any]:
        """Return plain values, from which :meth:`from_json` rebuilds the result."""
        record = asdict(self)
        for cell, own in zip(record["cells"], self.cells, strict=True):
            cell["verdict"] = own.verdict.value
        for curve in record["curves"]:
            curve["y"] = [_finite(float(y)) for y in curve["y"]]
        return record

    @classmethod
    def from_json(cls, record: dict[str, Any]) -> Self:
        """Rebuild a result from plain values; verdicts are computed again."""
        cells = [
            Cell(
                **{name: cell[name] for name in ("row", "column", "measured", "error")},
                published=Published(**cell["published"]),
            )
            for cell in record["cells"]
        ]
        curves = [
            Curve(**{**curve, "y": [math.nan if y is None else y for y in curve["y"]]})
            for curve in record["curves"]
        ]
        return cls(**{**record, "cells": cells, "curves": curves})


@dataclass(frozen=True)
class Findings:
    """The return value of an experiment's function."""

    instances: str
    cells: list[Cell]
    curves: list[Curve] = field(default_factory=list)


@dataclass(frozen=True)
class Experiment:
    """A table or figure of a paper.

    Attributes
    ----------
    name : str
        Name on the command line.
    source : str
        Paper and table or figure.
    about : str
        The comparison in words.
    measure : callable
        Takes :class:`Settings`; returns :class:`Findings`.
    axis : str
        Name of the figure's horizontal axis.
    """

    name: str
    source: str
    about: str
    measure: Callable[[Settings], Findings]
    axis: str = ""

    def run(self, settings: Settings) -> Result:
        """Run the experiment and record its time."""
        from nando import __version__

        start = time.monotonic()
        findings = self.measure(settings)
        return Result(
            self.name,
            settings.seed,
            settings.effort,
            findings.instances,
            [_plain(cell) for cell in findings.cells],
            findings.curves,
            round(time.monotonic() - start, 1),
            __version__,
        )


def share_error(share: float, n: int) -> float:
    """Return the standard error of a share of n runs.

    A share of 0 or 1 is moved by half a run, because a few runs that all fail do not make the share
    certain.
    """
    kept = min(max(share, 0.5 / n), 1 - 0.5 / n)
    return math.sqrt(kept * (1 - kept) / n)


def _plain(cell: Cell) -> Cell:
    """Convert the numbers to rounded Python numbers, and NaN to None."""
    measured = None if cell.measured is None else _finite(float(f"{float(cell.measured):.6g}"))
    error = _finite(float(f"{float(cell.error):.3g}"))
    return replace(cell, measured=measured, error=error or 0.0)


def _finite(number: float) -> float | None:
    return number if math.isfinite(number) else None


Place = tuple[str, str]
"""Row and column of a published number."""
Measured = tuple[float, float]
"""A measurement and its standard error."""
NOTHING: Mapping[Any, Any] = MappingProxyType({})


@cache
def claims(experiment: str) -> Mapping[Place, Published]:
    """Return the published numbers of an experiment by row and column, in order."""
    known = {}
    for row in load_rows("nando.reproduction", "claims.csv"):
        if row["experiment"] == experiment:
            columns = (row["value"], row["low"], row["high"])
            value, low, high = (json.loads(text) if text else None for text in columns)
            instances = cast(Instances, row["instances"])
            place = row["row"], row["column"]
            known[place] = Published(value, low, high, instances, row["reason"])
    return known


def values_of(experiment: str, places: Iterable[Place]) -> list[float]:
    """Return the published numbers at some places."""
    known = claims(experiment)
    return [number for place in places if (number := known[place].value) is not None]


def compare(
    experiment: str,
    measured: Mapping[Place, float | Measured],
    *,
    missing: Mapping[str, str] = NOTHING,
    **said: object,
) -> list[Cell]:
    """Return each claim of an experiment with its measurement.

    Parameters
    ----------
    experiment : str
    measured : mapping
        Measurements by row and column, with a standard error unless they are deterministic.
    missing : mapping
        Reasons why rows were not measured, by the beginning of their names.
    **said
        Numbers that the reasons mention.

    Raises
    ------
    KeyError
        If a measurement does not belong to a claim.
    """
    known = claims(experiment)
    if unknown := set(measured) - set(known):
        raise KeyError(f"{experiment} makes no claim about {unknown}")
    cells = []
    for (row, column), claim in known.items():
        measurement = measured.get((row, column))
        value, error = measurement if isinstance(measurement, tuple) else (measurement, 0.0)
        published = replace(claim, reason=claim.reason.format(**said))
        for name, why in missing.items():
            if row.startswith(name):
                published = Published.lost(why, claim.value)
        cells.append(Cell(row, column, published, value, error))
    return cells
