"""The record of a rating model, which is its file: one for every kind of puzzle and every crowd.

Some are shipped. A score on a puzzle is too good if the scale was fitted to times of that puzzle.
The shipped model therefore lists the puzzles of each crowd, as hashes of their classes, and is also
shipped without each of its data sets.
"""

import base64
import hashlib
import warnings
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Annotated

from nando.puzzles.files import parse_json, read_text
from nando.rating.files import SHIPPED_MODELS, split_header
from nando.rating.kinds import kind_of
from nando.rating.pace import Pace
from nando.rating.parts import Compound
from nando.rating.reach import GenreLevels, Reach
from nando.rating.scale import CommonScale, Line, Missed, Scale
from nando.records import Settings, between, proper_share, read_record

FORMAT = "nando model 5"
"""Name and version of the format."""

FILES = (
    SHIPPED_MODELS / "crowds.json",
    *(
        SHIPPED_MODELS / f"crowds_without_{data_set}.json"
        for data_set in ("cloud_sudoku", "sudoku_insight", "sudoku_portal", "sudoku_of_the_day")
    ),
)
"""The shipped model, then the models without one of its data sets."""

_BYTES = 5
"""Length of a hash: one puzzle in 300 million is taken for a known one."""


@dataclass(frozen=True)
class ColumnSettings(Settings):
    """How puzzles become columns.

    Attributes
    ----------
    groups : tuple of str
        Names of the feature groups.
    random_state : int
        Seed of the runs.
    runs : int or None
        Runs of each solver; absent for each feature's own number.
    """

    groups: tuple[str, ...]
    random_state: Annotated[int, between(0)]
    runs: int | None = None


@dataclass(frozen=True)
class FitSettings(Settings):
    """Settings of a fit.

    Attributes
    ----------
    n_splits : int
        Folds of the cross-validation behind the intervals.
    coverage : float
        Share of times inside the interval.
    """

    n_splits: Annotated[int, between(2)]
    coverage: Annotated[float, proper_share]


@dataclass(frozen=True)
class ModelRecord(Settings):
    """Everything that moves a rating.

    Attributes
    ----------
    kind : str
        Kind of puzzle: sudoku, nurikabe or variant.
    parts : dict of str to dict
        The parts of a time, each with the weights of its columns. Numbers for each part are in
        this order.
    scale : Scale
        The common scale and its crowds; for kinds that no crowd was timed on, a line.
    reach : Reach
        The range of the puzzles behind the model.
    features : ColumnSettings
        How puzzles become columns.
    settings : FitSettings
        Settings of the fit.
    missed : dict of str to Missed
        The errors of predictions for each crowd; the empty name is an unknown crowd.
    timed : int or None
        Number of times to which a line without crowds was fitted, 0 if nobody was timed.
    sudoku : Line or None
        The typical crowd's line for Sudoku, by which a variant without rules has a Sudoku's grade.
    levels : dict of str to GenreLevels
        The levels of each genre of variants of which enough puzzles are known.
    crowd : str or None
        The crowd whose times are predicted; absent for the typical crowd.
    pace : Pace or None
        The pace of the person whose times are predicted, if any. It holds no game.
    compound : Compound or None
        The parts, if any, whose looks are a product, and its powers.
    """

    kind: str
    parts: dict[str, dict[str, float]]
    scale: Scale
    reach: Reach
    features: ColumnSettings
    settings: FitSettings
    missed: dict[str, Missed] = field(default_factory=dict)
    timed: int | None = None
    sudoku: Line | None = None
    levels: dict[str, GenreLevels] = field(default_factory=dict)
    crowd: str | None = None
    pace: Pace | None = None
    compound: Compound | None = None

    def common_scale(self, model_id: str = "") -> CommonScale:
        """Return the scale with everything that ratings on it need."""
        return CommonScale(
            *(self.scale, self.missed, self.reach, model_id, self.timed, self.sudoku, self.levels)
        )

    def check(self) -> None:
        """Check that the numbers are of the parts of the kind, and of the crowd."""
        kind, n = kind_of(self.kind), len(self.parts)
        if self.parts != kind.effort.weights or self.compound != kind.effort.compound:
            raise ValueError("its parts are not those of this version of nando")
        of_parts = {"weights": self.scale.weights, "most": self.reach.most}
        for name, crowd in self.scale.crowds.items():
            of_parts[f"deviations of {name}"] = crowd.deviations
        for name, numbers in of_parts.items():
            if len(numbers) != n:
                raise ValueError(f"{name} must be {n} numbers, one for each part")
        if kind.has_crowds and (self.crowd or "") not in self.missed:
            raise ValueError(f"it has no errors for the crowd {self.crowd!r}")
        if self.crowd is not None and self.crowd not in self.scale.crowds:
            raise ValueError(f"it has no crowd {self.crowd!r}")
        if not kind.has_crowds and (self.sudoku is None or self.timed is None):
            raise ValueError("it has no line of Sudoku, or no number of times")


def pack(classes: Iterable[str]) -> str:
    """Return the hashes of classes as a text, for the provenance of a model."""
    return base64.b64encode(b"".join(sorted(_hashes(classes)))).decode()


def shipped(kind: str = "sudoku") -> CommonScale:
    """Return the scale of the shipped model of a kind; ValueError for a kind without one."""
    name = kind_of(kind).model
    if name is None:
        raise ValueError(f"no model of {kind!r} puzzles can be fitted yet")
    return _scale_in(SHIPPED_MODELS / name)


@cache
def _scale_in(path: Path) -> CommonScale:
    header, record = split_header(parse_json(read_text(path)))
    return read_record(ModelRecord, record, noun=str(path)).common_scale(header["model_id"])


def least_seen(classes: Iterable[str]) -> CommonScale:
    """Return the shipped scale, or the one without a data set that saw fewer of these classes."""
    hashes = _hashes(classes)
    scales = [_scale_in(path) for path in FILES]
    return min(scales, key=lambda each: sum(_count_seen(each.scale, hashes).values()))


def warn_of_seen(scale: Scale, classes: Iterable[str]) -> None:
    """Warn if a scale was fitted to times of some of these classes."""
    if seen := _count_seen(scale, _hashes(classes)):
        names = ", ".join(map(repr, seen))
        warnings.warn(
            f"the scale was fitted to times of some of these puzzles (of {', '.join(seen)}), so "
            "scores on them are too good: start from "
            f"Rater(scale=load_model().without({names}).common_scale)",
            stacklevel=3,
        )


def _count_seen(scale: Scale, hashes: frozenset[bytes]) -> dict[str, int]:
    """Return how many of the classes each crowd of a scale was timed on, if any."""
    known = _published_hashes()
    counts = {name: len(hashes & known.get(name, frozenset())) for name in scale.crowds}
    return {name: count for name, count in counts.items() if count}


@cache
def _published_hashes() -> Mapping[str, frozenset[bytes]]:
    """Return the hashes of the classes of each published crowd."""
    texts = parse_json(read_text(FILES[0]))["provenance"]["seen"]
    hashes = {name: base64.b64decode(text) for name, text in texts.items()}
    return {
        name: frozenset(data[i : i + _BYTES] for i in range(0, len(data), _BYTES))
        for name, data in hashes.items()
    }


def _hashes(classes: Iterable[str]) -> frozenset[bytes]:
    return frozenset(
        hashlib.blake2b(key.encode(), digest_size=_BYTES).digest() for key in set(classes)
    )
