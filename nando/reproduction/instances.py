"""Puzzles of the papers and of data folders, and the published human times of some of them."""

import math
import os
import shutil
import subprocess
from collections.abc import Sequence
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.arrays import Floats
from nando.datasets import (
    DATASETS,
    DataNotFoundError,
    fetch_cloud_sudoku,
    fetch_sudoku_insight,
    load_examples,
)
from nando.puzzles import Sudoku
from nando.solvers import count_many, singles_suffice

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
    frame = load_examples(as_frame=True).frame
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
        raise DataNotFoundError(
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
            raise DataNotFoundError(
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
        data = fetch_cloud_sudoku()
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
    data = fetch_sudoku_insight(as_frame=True)
    kept = data.frame["completed"].to_numpy() & (count_many(data.puzzles) == 1)
    return data, _spread(np.flatnonzero(kept), most)


def _require(name: str) -> None:
    if not DATASETS[name][0].is_available():
        raise DataNotFoundError(
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
