"""Data: human solving times, move logs, rated banks, and the examples that ship.

``load_*`` reads what ships with nando. ``fetch_*`` reads published files: from the folder that
``NANDO_DATA`` names, else from the user's cache, else it downloads them and checks their SHA-256.
"""

from collections.abc import Callable
from typing import Any

from nando.datasets._base import DataFile, DataNotFoundError, DataSet
from nando.datasets.cloud_sudoku import CLOUD_SUDOKU, fetch_cloud_sudoku
from nando.datasets.examples import EXAMPLES, load_examples
from nando.datasets.nurikabe import NURIKABE, entry_ranks, fetch_nurikabe
from nando.datasets.sudoku_exchange import SUDOKU_EXCHANGE, fetch_sudoku_exchange
from nando.datasets.sudoku_insight import SUDOKU_INSIGHT, fetch_sudoku_insight, fill_times

DATASETS: dict[str, tuple[DataSet, Callable[..., Any]]] = {
    data_set.name: (data_set, loader)
    for data_set, loader in (
        (CLOUD_SUDOKU, fetch_cloud_sudoku),
        (SUDOKU_EXCHANGE, fetch_sudoku_exchange),
        (SUDOKU_INSIGHT, fetch_sudoku_insight),
        (NURIKABE, fetch_nurikabe),
        (EXAMPLES, load_examples),
    )
}
"""Every data set with its loader, by name."""

__all__ = [
    "DATASETS",
    "DataFile",
    "DataNotFoundError",
    "DataSet",
    "entry_ranks",
    "fetch_cloud_sudoku",
    "fetch_nurikabe",
    "fetch_sudoku_exchange",
    "fetch_sudoku_insight",
    "fill_times",
    "load_examples",
]
