"""Every data set with its loader."""

from collections.abc import Callable
from functools import partial
from typing import Any

from nando.datasets.base import DataSet
from nando.datasets.cloud_sudoku import CLOUD_SUDOKU, fetch_cloud_sudoku
from nando.datasets.examples import EXAMPLES, load_examples
from nando.datasets.nurikabe import NURIKABE_JANKO, fetch_nurikabe
from nando.datasets.published_levels import PUBLISHERS, fetch_published_levels
from nando.datasets.sudoku_exchange import SUDOKU_EXCHANGE, fetch_sudoku_exchange
from nando.datasets.sudoku_insight import SUDOKU_INSIGHT, fetch_sudoku_insight
from nando.datasets.sudoku_portal import SUDOKU_PORTAL, fetch_sudoku_portal
from nando.datasets.sudoku_variants import SUDOKU_VARIANTS, fetch_sudoku_variants
from nando.datasets.sukaku_variants import SUKAKU_VARIANTS, fetch_sukaku_variants

_ENTRIES: list[tuple[DataSet, Callable[..., Any]]] = [
    (CLOUD_SUDOKU, fetch_cloud_sudoku),
    (SUDOKU_EXCHANGE, fetch_sudoku_exchange),
    (SUDOKU_INSIGHT, fetch_sudoku_insight),
    (SUDOKU_PORTAL, fetch_sudoku_portal),
    *(
        (publisher.data_set, partial(fetch_published_levels, publisher=name))
        for name, publisher in PUBLISHERS.items()
    ),
    (NURIKABE_JANKO, fetch_nurikabe),
    (SUDOKU_VARIANTS, fetch_sudoku_variants),
    (SUKAKU_VARIANTS, fetch_sukaku_variants),
    (EXAMPLES, load_examples),
]

DATASETS = {data_set.name: (data_set, loader) for data_set, loader in _ENTRIES}
"""Every data set with its loader, by name."""
