"""Models as readable JSON files, whose names contain a hash that is checked on reading."""

import datetime
import hashlib
import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar, Self, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from nando import __version__
from nando.arrays import Floats
from nando.puzzles.files import SPOILT, parse_json, read_text, shortened
from nando.writing import write_file

Model = TypeVar("Model")

SHIPPED_MODELS: Path = Path(__file__).parents[1] / "models"
"""Folder of the shipped models."""

_HEADER = ("format", "model_id", "provenance")
_INNERMOST = re.compile(r"[\[{][^\[\]{}]*[\]}]")


class ModelFile:
    """Base of models that can be written to a file.

    Attributes
    ----------
    file_format : str
        Name and version of the format.
    file_kind : str
        Name of such a file in messages.
    provenance_ : dict
        Data, settings and scores; its ``name`` begins the `model_id`.
    """

    file_format: ClassVar[str]
    file_kind: ClassVar[str] = "a model file"
    provenance_: dict[str, Any]

    def record(self) -> dict[str, Any]:
        """Return everything that moves a result, as plain values."""
        raise NotImplementedError

    @classmethod
    def of_record(cls, record: Mapping[str, Any]) -> Self:
        """Return the model that :meth:`record` describes, without its provenance."""
        raise NotImplementedError

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Return the model in the text of a file.

        Raises
        ------
        ValueError
            If the text is not such a model, has another format, or was changed by hand so that its
            `model_id` no longer fits.
        """
        record = parse_record(text, cls.file_kind, cls.file_format)
        with errors_called(cls.file_kind):
            header, contents = split_header(record)
            model = cls.of_record(contents)
            model.provenance_ = dict(header["provenance"])
        check_identity(record, model.model_id)
        return model

    def check_fitted(self) -> None:
        """Raise an error if there is nothing to write yet."""

    @property
    def model_id(self) -> str:
        """Name of the model's data and a hash of everything that moves a result."""
        self.check_fitted()
        text = json.dumps(self.record(), sort_keys=True)
        name = self.provenance_.get("name", "model")
        return f"{name}-{hashlib.sha256(text.encode()).hexdigest()[:12]}"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ModelFile):
            return NotImplemented
        if self is other:
            return True
        return type(self) is type(other) and self._identity() == other._identity() is not None

    def __hash__(self) -> int:
        return hash(type(self))  # a fit changes all else

    def _identity(self) -> str | None:
        """Return the identity of a model; None if it is not fitted."""
        try:
            return self.model_id
        except ValueError:
            return None

    def to_json(self, path: str | Path | None = None) -> str:
        """Return the model as readable JSON; write it to `path`, too, if one is given.

        Each innermost list or object is on one line.
        """
        record = {
            "format": self.file_format,
            "model_id": self.model_id,
            "provenance": self.provenance_,
            **self.record(),
        }
        indented = json.dumps(record, indent=1) + "\n"
        text = _INNERMOST.sub(lambda innermost: " ".join(innermost[0].split()), indented)
        if path is not None:
            write_file(path, text)
        return text


def parse_record(text: str, noun: str, file_format: str) -> dict[str, Any]:
    """Return the record in the text of a file of a format; messages call such a file `noun`.

    Raises
    ------
    ValueError
        If the text is not of this format.
    """
    try:
        record = parse_json(text)
    except ValueError as error:
        raise ValueError(f"not {noun}: {error}") from None
    name = record.get("format") if isinstance(record, dict) else type(record).__name__
    if name != file_format:
        raise ValueError(
            f"not {noun}: format {_quote(name)}, wanted {file_format!r}; fit it again with "
            "'nando fit', or use the version of nando that wrote it"
        )
    known: dict[str, Any] = record
    return known


def split_header(record: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the format, id and provenance of a file of a model, and its contents."""
    contents = {name: value for name, value in record.items() if name not in _HEADER}
    return {name: record[name] for name in _HEADER if name in record}, contents


@contextmanager
def errors_called(noun: str) -> Iterator[None]:
    """Convert errors from values of the wrong kind into a ValueError: the file is not `noun`."""
    try:
        yield
    except KeyError as error:
        raise ValueError(f"not {noun}: it has no {error}; {_WAY_OUT}") from None
    except SPOILT as error:
        raise ValueError(f"not {noun}: {shortened(error)}; {_WAY_OUT}") from None


def read_model(path: Path, build: Callable[[str], Model]) -> Model:
    """Read a file and return the model that `build` makes of its text; errors name the file.

    Raises
    ------
    OSError
        If the file cannot be read.
    ValueError
        If the file is not text, or `build` finds no model in it.
    """
    text = read_text(path)
    try:
        return build(text)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def check_identity(record: Mapping[str, Any], computed: str) -> None:
    """Check that a record has the identity computed from its contents.

    Raises
    ------
    ValueError
        If the identities differ.
    """
    if record.get("model_id") != computed:
        raise ValueError(
            f"the file says {_quote(record.get('model_id'))} but its contents are {computed!r}: "
            "it was changed; fit it again"
        )


def numbers(values: ArrayLike, name: str, *shape: int) -> Floats:
    """Return finite numbers of the given shape; -1 stands for any length above 0.

    Raises
    ------
    ValueError
        If the values are not finite numbers of that shape.
    """
    array = np.array(values, dtype=np.float64)
    fits = array.ndim == len(shape) and all(
        n == expected or (expected == -1 and n > 0)
        for n, expected in zip(array.shape, shape, strict=True)
    )
    if not fits:
        expected = " by ".join("any" if n == -1 else str(n) for n in shape) or "one"
        raise ValueError(f"{name} must be {expected} numbers, got the shape {array.shape}")
    if not np.isfinite(array).all():
        raise ValueError(f"{name} must be finite")
    return array


def above_zero(values: ArrayLike, name: str, *shape: int) -> Floats:
    """Return finite numbers above 0 of the given shape, as :func:`numbers` does."""
    array = numbers(values, name, *shape)
    if not (array > 0).all():
        raise ValueError(f"{name} must be above 0, got {array.min()}")
    return array


def fitted_now() -> dict[str, str]:
    """Return the provenance of every fit: the day and the version."""
    return {"fitted": datetime.date.today().isoformat(), "nando": __version__}


def plain_floats(values: ArrayLike) -> tuple[float, ...]:
    """Return floats rounded to the ten significant digits of a model file."""
    return tuple(float(f"{value:.10g}") for value in np.asarray(values, float))


_WAY_OUT = "fit it again, or take another copy of the file"


def _quote(value: object) -> str:
    return shortened(repr(value)[:1_000])
