"""A fuzz target, and what all targets share."""

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

LINE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
NURIKABE = "3.2.1/...../...../....7/1...."
LONGEST_MESSAGE = 2_000


class Target(NamedTuple):
    """A reader under test.

    `run` takes bytes and raises if a rule is broken. `examples` returns small valid inputs.
    """

    run: Callable[[bytes], None]
    examples: Callable[[], list[Any]]
    is_json: bool = False

    @property
    def name(self) -> str:
        return self.run.__name__

    def seeds(self) -> list[bytes]:
        return [part if isinstance(part, bytes) else part.encode() for part in self.examples()]


@contextmanager
def refusal() -> Iterator[None]:
    """Allow the errors that a reader may raise, and check their messages."""
    try:
        yield
    except (ValueError, OSError) as error:
        _check_message(error)


def _check_message(error: Exception) -> None:
    assert not isinstance(error, UnicodeError), "an error without a sentence"
    assert 0 < len(str(error)) < LONGEST_MESSAGE, "no message, or one too long to read"


@cache
def _temporary() -> tempfile.TemporaryDirectory:
    return tempfile.TemporaryDirectory(prefix="nando-fuzz")


def folder() -> Path:
    return Path(_temporary().name)


def file_of(name: str, data: bytes) -> Path:
    path = folder() / name
    path.write_bytes(data)
    return path


def text_of(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def choice(data: bytes, options: tuple[Any, ...]) -> tuple[Any, bytes]:
    """Return the option that the first byte selects, and the remaining bytes."""
    return options[(data[0] if data else 0) % len(options)], data[1:]
