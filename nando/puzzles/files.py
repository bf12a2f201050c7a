"""Small text, JSON and TOML files, read at once; a damaged file raises one clear error.

A file is data: nothing in it can name a class or run code, and all values are checked. XML is read
without document types, so that there are no entities to expand or fetch.
"""

import codecs
import json
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple, NoReturn, TypeVar
from xml.parsers import expat

_T = TypeVar("_T")

MOST_BYTES = 1 << 28
"""Size of the largest file that is read."""

MOST_CHARACTERS = 120
"""Longest quotation from a file in a message."""

SPOILT = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
"""Errors raised by values of the wrong type, range or shape."""

DEEPEST = 100
"""Most levels of lists and tables in each other; what walks a value calls itself for each.

Pythons differ in the depth that they read: some a thousand levels, others ten thousand.
"""

_PIECE = 1 << 20


_HALF_WIDTH = {wide: wide - 0xFEE0 for wide in range(0xFF01, 0xFF5F)} | {0x3000: 0x20}


def half_width(text: str) -> str:
    """Return a text with full-width digits, letters and signs as ASCII.

    Examples
    --------
    >>> half_width("\uff15\uff0e\u2075")
    '5.\u2075'
    """
    return text if text.isascii() else text.translate(_HALF_WIDTH)


LATIN = "nando-latin-1"
"""Error handler of codecs: bytes that are not UTF-8 are Latin-1."""


def _as_latin(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return error.object[error.start : error.end].decode("latin-1"), error.end


codecs.register_error(LATIN, _as_latin)


def is_utf_16(head: bytes) -> bool:
    """Return True if a text begins with the byte order mark of UTF-16."""
    return head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))


def decode(data: bytes) -> str:
    """Return the text of bytes in UTF-8, UTF-16 with a byte order mark, or Latin-1.

    Raises
    ------
    ValueError
        For UTF-16 that is damaged, and for a NUL, which no text has.
    """
    wide = is_utf_16(data)
    try:
        text = data.decode("utf-16") if wide else data.decode("utf-8-sig", errors=LATIN)
    except UnicodeDecodeError as error:
        raise ValueError(f"not text (byte {error.start:,} is not UTF-16)") from None
    if "\0" in text:
        raise ValueError(f"not text (character {text.index(chr(0)):,} is NUL)")
    return text


def read_text(path: str | Path) -> str:
    """Return the text of a file in UTF-8, UTF-16 with a byte order mark, or Latin-1.

    Raises
    ------
    OSError
        If it cannot be read.
    ValueError
        If it is not text, or has more than `MOST_BYTES`.
    """
    pieces, n_bytes = [], 0
    with open(path, "rb") as file:
        while piece := file.read(_PIECE):
            pieces.append(piece)
            n_bytes += len(piece)
            if n_bytes > MOST_BYTES:
                raise ValueError(
                    f"{path}: more than {MOST_BYTES >> 20} MiB; cut it into several files"
                )
    try:
        return decode(b"".join(pieces))
    except ValueError as error:
        raise ValueError(f"{path}: {error}; save it as UTF-8") from None


def parse_json(text: str) -> Any:
    """Return the value of a JSON text.

    Raises
    ------
    ValueError
        If it is not JSON, is nested too deeply, or has NaN, Infinity or a number beyond a float.

    Examples
    --------
    >>> parse_json('[1, 1e400]')
    Traceback (most recent call last):
    ValueError: not JSON (1e400 is not a finite number)
    """
    if not text.strip():
        raise ValueError("not JSON (it is empty)")
    try:
        return _not_too_deep(
            json.loads(text, parse_constant=_not_finite, parse_float=_finite), text
        )
    except RecursionError:
        raise ValueError(f"not JSON ({_TOO_DEEP})") from None
    except MemoryError:
        raise ValueError("not JSON that fits into the memory; cut it into several files") from None
    except ValueError as error:
        raise ValueError(f"not JSON ({shortened(str(error))})") from None


def parse_toml(text: str) -> dict[str, Any]:
    """Return the table of a TOML text.

    Raises
    ------
    ValueError
        If it is not TOML, or is nested too deeply.

    Examples
    --------
    >>> parse_toml("title = 'Tea'")
    {'title': 'Tea'}
    """
    try:
        return _not_too_deep(tomllib.loads(text), text)
    except RecursionError:
        raise ValueError(f"not TOML ({_TOO_DEEP})") from None
    except ValueError as error:
        raise ValueError(f"not TOML ({shortened(str(error))})") from None


_TOO_DEEP = f"nested too deeply; at most {DEEPEST} levels"


def _not_too_deep(value: _T, text: str) -> _T:
    """Return the value of a text; ValueError if it has more than `DEEPEST` levels."""
    level: list[Any] = [value] if sum(map(text.count, "[{.")) >= DEEPEST else []
    for _ in range(DEEPEST):
        inner = (v.values() if isinstance(v, dict) else v for v in level)
        level = [v for values in inner for v in values if isinstance(v, dict | list)]
    if level:
        raise ValueError(_TOO_DEEP)
    return value


def shortened(text: object, most: int = MOST_CHARACTERS) -> str:
    """Return a text as one line of at most `most` characters, to quote in messages.

    Examples
    --------
    >>> shortened("x" * 500)[-5:], len(shortened("x" * 500))
    ('xx...', 120)
    """
    shown = " ".join(str(text)[: 4 * most].split())
    return shown if len(shown) <= most else shown[: most - 3] + "..."


def _finite(word: str) -> float:
    number = float(word)
    return number if abs(number) != float("inf") else _not_finite(word)


def _not_finite(word: str) -> NoReturn:
    raise ValueError(f"{shortened(word)} is not a finite number")


XmlError = expat.ExpatError
"""The error for invalid XML."""


class XmlEvent(NamedTuple):
    """The begin or the end of an element.

    Attributes
    ----------
    name : str
        Without its namespace.
    values : dict of str to str, or None
        The attributes, with their namespaces; None at the end.
    text : str
        The text since the event before.
    """

    name: str
    values: dict[str, str] | None
    text: str


def xml_events(parts: Iterable[bytes | str]) -> Iterator[XmlEvent]:
    """Yield the begins and ends of elements as the parts of a file come in.

    Raises
    ------
    XmlError
        For invalid XML.
    ValueError
        For a document type with more than a name.
    """
    events: list[XmlEvent] = []
    pieces: list[str] = []

    def note(name: str, values: dict[str, str] | None = None) -> None:
        events.append(XmlEvent(local(name), values, "".join(pieces)))
        pieces.clear()

    parser = expat.ParserCreate()
    parser.StartDoctypeDeclHandler = _refuse
    parser.StartElementHandler, parser.EndElementHandler = note, note
    parser.CharacterDataHandler = pieces.append
    for part in parts:
        parser.Parse(part, False)
        yield from events
        events.clear()
    parser.Parse(b"", True)


def local(name: str) -> str:
    """Return the name of an element or attribute without its namespace."""
    return name.rpartition(":")[2]


def _refuse(_: str, system_id: str | None, public_id: str | None, has_inner: bool) -> None:
    if system_id or public_id or has_inner:
        raise ValueError("XML with a document type (DOCTYPE), which may hide a bomb; remove it")
