"""The crowds whose times or levels were published, and the columns of their puzzles."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from nando import datasets
from nando.arrays import Floats
from nando.features.classes import members, stream_of
from nando.features.extractor import FeatureExtractor
from nando.features.groups import groups_of
from nando.puzzles import Puzzle, Sudoku
from nando.rating.fitting.fit import LeftOut
from nando.rating.fitting.training import Training, cloud_times, logged_times
from nando.rating.parts import PART_COLUMNS, parts_of
from nando.rating.scale import CrowdLevels, CrowdTimes
from nando.stages import counted

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class PublishedCrowd:
    """A crowd with its puzzles.

    Attributes
    ----------
    name : str
    data_set : str
        Name of the data set; crowds of one set are left out together.
    classes : tuple of str
        Class of each puzzle.
    responses : ndarray of float64
        Seconds, or levels from 0.
    players : ndarray of float64 or None
    typical : bool
        As in :class:`CrowdTimes`.
    levels : bool
        Whether the responses are levels.
    """

    name: str
    data_set: str
    classes: tuple[str, ...]
    responses: Floats
    players: Floats | None = None
    typical: bool = True
    levels: bool = False

    def on(self, parts: Mapping[str, Floats]) -> CrowdTimes | CrowdLevels:
        """Return the crowd in the form for a fit, with the parts of each class."""
        rows = np.array([parts[key] for key in self.classes])
        if self.levels:
            return CrowdLevels(rows, self.responses.astype(np.int64))
        return CrowdTimes(rows, np.log(self.responses), self.players, self.typical)


def published_crowds() -> dict[str, PublishedCrowd]:
    """Return every crowd whose data nando can fetch, by name.

    Raises
    ------
    OSError
        If data are neither stored locally nor available for download.
    """
    loaders = (_cloud_sudoku, _phone, _portal, _publishers)
    data_sets = [load() for load in counted(loaders, "data sets", len(loaders))]
    return {crowd.name: crowd for crowds in data_sets for crowd in crowds}


def _cloud_sudoku() -> Sequence[PublishedCrowd]:
    return [_crowd_of("cloud-sudoku", "cloud_sudoku", cloud_times())]


def _phone() -> Sequence[PublishedCrowd]:
    return [_crowd_of("phone", "sudoku_insight", logged_times())]


def _crowd_of(name: str, data_set: str, known: Training) -> PublishedCrowd:
    players = None if known.players is None else np.array(known.players)
    return PublishedCrowd(name, data_set, _classes(known.puzzles), np.array(known.values), players)


def _portal() -> Sequence[PublishedCrowd]:
    frame = datasets.fetch_sudoku_portal(as_frame=True).frame
    logs = np.log(frame[["best_seconds", "mean_seconds"]])
    # Equivalent grids are one puzzle, whose time is their geometric mean.
    by_class = logs.groupby(frame["equivalence_class"], sort=True).mean()
    classes = tuple(by_class.index)
    return (
        PublishedCrowd("portal", "sudoku_portal", classes, np.exp(by_class["mean_seconds"].values)),
        PublishedCrowd(
            "portal-best",
            "sudoku_portal",
            classes,
            np.exp(by_class["best_seconds"].values),
            typical=False,
        ),
    )


def _publishers() -> Sequence[PublishedCrowd]:
    frame = datasets.fetch_published_levels(as_frame=True).frame
    return [
        PublishedCrowd(
            publisher.replace("_", "-"),
            publisher,
            tuple(rows["equivalence_class"]),
            rows["level"].to_numpy(float) - 1,
            typical=False,
            levels=True,
        )
        for publisher, rows in frame.groupby("publisher", sort=True)
    ]


def _classes(puzzles: Sequence[Puzzle]) -> tuple[str, ...]:
    return tuple(puzzle.equivalence_key() for puzzle in puzzles)


def columns_by_class(
    classes: Sequence[str], columns: Sequence[str], *, n_jobs: int | None = None
) -> "pd.DataFrame":
    """Return the columns of each class of 9x9 Sudokus, as a rating computes them.

    The class is the index.
    """
    import pandas as pd

    keys = list(dict.fromkeys(classes))
    streams = [stream_of(key) for key in keys]
    drawn = members([(Sudoku(key), key, stream) for key, stream in zip(keys, streams, strict=True)])
    extractor = FeatureExtractor(groups_of(columns), n_jobs=n_jobs, progress=True)
    values = extractor.table(drawn, streams=streams)
    return pd.DataFrame(values, index=keys, columns=extractor.columns)[list(columns)]


def parts_by_class(classes: Sequence[str], *, n_jobs: int | None = None) -> dict[str, Floats]:
    """Return the parts of each class of 9x9 Sudokus, as a rating computes them."""
    table = columns_by_class(classes, PART_COLUMNS, n_jobs=n_jobs)
    return dict(zip(table.index, parts_of(table.to_numpy()), strict=True))


def left_out_of(crowds: Mapping[str, PublishedCrowd], parts: Mapping[str, Floats]) -> LeftOut:
    """Return the scales of crowds without some of their data sets.

    Parameters
    ----------
    crowds : mapping of str to PublishedCrowd
    parts : mapping of str to ndarray
        The parts of each class, from :func:`parts_by_class`.
    """
    return LeftOut(
        {name: crowd.on(parts) for name, crowd in crowds.items()},
        {name: crowd.data_set for name, crowd in crowds.items()},
    )
