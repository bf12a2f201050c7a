"""A few dozen puzzles that ship with nando."""

from importlib import resources
from typing import Any, Unpack

from nando.datasets.base import DataSet, Form, bunch
from nando.puzzles import Sudoku

EXAMPLES = DataSet(
    "examples",
    "puzzles printed in the papers, and puzzles made for nando",
    "MIT, as nando; the printed grids are quoted from the papers",
)


def load_examples(**form: Unpack[Form]) -> Any:
    """Return the puzzles that ship with nando; each has exactly one solution.

    Parameters
    ----------
    return_X_y : bool
        Return only puzzles and target.
    as_frame : bool
        Return ``frame`` as well.

    Returns
    -------
    Bunch
        ``puzzles``, ``target`` (number of givens: no human times can be shipped), ``frame``
        (columns name, puzzle, givens, source, note), ``feature_names``, ``DESCR``, ``provenance``.

    Examples
    --------
    >>> load_examples().puzzles[4].n_givens
    23
    """
    import pandas as pd

    source = resources.files("nando.datasets") / "examples.csv"
    with source.open(encoding="utf-8") as file:
        frame = pd.read_csv(file, dtype={"puzzle": str})
    puzzles = [Sudoku(text) for text in frame["puzzle"]]
    frame.insert(2, "givens", [puzzle.n_givens for puzzle in puzzles])
    return bunch(EXAMPLES, puzzles, frame, "givens", **form)
