"""The shipped scales, and the puzzles to which they were fitted.

A score on a puzzle is too good if the scale was fitted to times of that puzzle. The shipped model
therefore lists the puzzles of each crowd, as hashes of their classes, and is also shipped without
each of its data sets.
"""

import base64
import hashlib
import warnings
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from nando.puzzles.files import parse_json, read_text
from nando.rating.files import SHIPPED_MODELS, split_header
from nando.rating.kinds import kind_of
from nando.rating.record import ModelRecord
from nando.rating.scale import CommonScale, Scale
from nando.records import read_record

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
