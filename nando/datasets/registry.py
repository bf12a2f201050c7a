"""Every data set with its loader, and the puzzles that ship with nando."""

from collections.abc import Callable
from functools import partial
from importlib import resources
from typing import Any, Unpack

from nando.datasets import janko, levels, times, variants
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


_ENTRIES: list[tuple[DataSet, Callable[..., Any]]] = [
    (times.CLOUD_SUDOKU, times.fetch_cloud_sudoku),
    (levels.SUDOKU_EXCHANGE, levels.fetch_sudoku_exchange),
    (times.SUDOKU_INSIGHT, times.fetch_sudoku_insight),
    (times.SUDOKU_PORTAL, times.fetch_sudoku_portal),
    *(
        (publisher.data_set, partial(levels.fetch_published_levels, publisher=name))
        for name, publisher in levels.PUBLISHERS.items()
    ),
    (janko.NURIKABE_JANKO, janko.fetch_nurikabe),
    (janko.SUDOKU_VARIANTS, janko.fetch_sudoku_variants),
    (variants.SUKAKU_VARIANTS, variants.fetch_sukaku_variants),
    (variants.KILLER_BOOKS, variants.fetch_killer_books),
    (variants.SUDOKU_6X6, variants.fetch_sudoku_6x6),
    (EXAMPLES, load_examples),
]

DATASETS = {data_set.name: (data_set, loader) for data_set, loader in _ENTRIES}
"""Every data set with its loader, by name."""
