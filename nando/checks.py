"""Check numbers and names from users, with one clear error for an invalid value."""

import math
import numbers
import operator
import secrets
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from types import MappingProxyType
from typing import Any

LARGEST = 2**63 - 1
"""Largest whole number of an option: the largest that files and kernels can hold."""

MOST_CORES = 1 << 16
"""Most cores that a user can request."""

_LONGEST_SIDE = 9
"""Most digits of a side of a size."""


def whole(name: str, value: object, least: int | None = None, most: int = LARGEST) -> int:
    """Check the type and range of a whole number, and return it as an int.

    Raises
    ------
    TypeError
        If `value` is not an integer of Python or NumPy. Booleans are not numbers.
    ValueError
        If `value` is below `least` or above `most`.

    Examples
    --------
    >>> whole("count", "3")
    Traceback (most recent call last):
    TypeError: count must be a whole number, got '3'
    """
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"{name} must be a whole number, got {show(value)}")
    number = operator.index(value)
    if least is not None and number < least:
        raise ValueError(f"{name} must be at least {least:,}, got {show(value)}")
    if number > most:
        raise ValueError(f"{name} must be at most {most:,}, got {show(value)}")
    in_range(name, number)
    return int(number)


def real(name: str, value: object, *, finite: bool = True) -> float:
    """Check the type of a number, and return it as a float.

    Raises
    ------
    TypeError
        If `value` is not a real number. Booleans are not numbers.
    ValueError
        For NaN, and for infinity if `finite` is true.
    """
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise TypeError(f"{name} must be a number, got {show(value)}")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if math.isnan(number) or (finite and math.isinf(number)):
        raise ValueError(f"{name} must be a finite number, got {show(value)}")
    return number


def in_range(name: str, value: float) -> None:
    """Check that a number is between -`LARGEST` and `LARGEST`.

    Raises
    ------
    ValueError
        If the number is NaN or out of range.
    """
    if math.isnan(value):
        raise ValueError(f"{name} must be a number, got nan")
    if abs(value) > LARGEST:
        bound = f"at most {LARGEST:,}" if value > 0 else f"at least -{LARGEST:,}"
        raise ValueError(f"{name} must be {bound}, got {show(value)}")


def share(name: str, value: object) -> float:
    """Return a number between 0 and 1, both excluded.

    Raises
    ------
    TypeError, ValueError
        For anything else.
    """
    number = real(name, value, finite=False)
    if not 0.0 < number < 1.0:
        raise ValueError(f"{name} must be between 0 and 1, got {show(value)}")
    return number


def positive(name: str, value: object) -> float:
    """Return a finite number above 0.

    Raises
    ------
    TypeError, ValueError
        For anything else.
    """
    number = real(name, value, finite=False)
    if not 0.0 < number < math.inf:
        raise ValueError(f"{name} must be above 0, got {show(value)}")
    return number


def seed_of(seed: object) -> int:
    """Return a seed; for None, return a new seed from the system, to store with the result.

    Raises
    ------
    TypeError, ValueError
        If `seed` is not a whole number from 0 to `LARGEST`.
    """
    if seed is None:
        return secrets.randbits(48)  # spreadsheets show all digits of 48 bits
    return whole("seed", seed, 0)


def cores(n_jobs: object) -> int | None:
    """Check and return a number of cores for joblib: None, 1 or more, or -1 for all.

    Raises
    ------
    TypeError, ValueError
        For any other value.
    """
    if n_jobs is None:
        return None
    number = whole("n_jobs", n_jobs, -MOST_CORES, MOST_CORES)
    if number == 0:
        raise ValueError("n_jobs must be a number of cores, or -1 for all, got 0")
    return number


def one_of(name: str, value: object, known: Iterable[Any]) -> None:
    """Check that a value is among the known values, which are mostly names.

    Raises
    ------
    TypeError
        If `value` is of another type than all known values.
    ValueError
        For an unknown value; the message lists the known values and suggests the nearest.
    """
    values = list(known)
    is_of_type = isinstance(value, tuple(map(type, values)))
    if is_of_type and value in values:
        return
    names = [str(v).lower() if isinstance(v, bool) else str(v) for v in values if v != ""]
    message = f"{name} must be one of {', '.join(names)}, got {show(value)}{nearest(value, names)}"
    raise ValueError(message) if is_of_type else TypeError(message)


def nearest(value: object, known: Iterable[str]) -> str:
    """Return a suggestion for the end of a message, or nothing if no known name is near."""
    called = {each.casefold(): each for each in known}
    near = get_close_matches(str(value)[:60].casefold(), called, n=1)
    return f"; did you mean {called[near[0]]!r}?" if near else ""


def shape_of(size: str) -> tuple[int, int]:
    """Return the rows and columns of a size written as width x height; one side is a square.

    Raises
    ------
    ValueError
        If it is not a size.

    Examples
    --------
    >>> shape_of("10x8"), shape_of("7")
    ((8, 10), (7, 7))
    """
    width, cross, height = size.lower().partition("x")
    sides = (width, height) if cross else (width,)
    if not all(side.isdecimal() and len(side) <= _LONGEST_SIDE for side in sides):
        raise ValueError(f"not a size: {show(size)}; wanted WxH, such as 10x10 or 12x8")
    return int(height or width), int(width)


def how_many(n: int, one: str, more: str = "") -> str:
    """Return a number with its noun in English; the plural of the noun ends in s by default.

    Examples
    --------
    >>> how_many(1, "game"), how_many(2000, "game"), how_many(0, "entry", "entries")
    ('1 game', '2,000 games', '0 entries')
    """
    return f"{n:,} {one if n == 1 else more or one + 's'}"


def unknown_option(
    function: str, name: str, known: Sequence[str], called: Mapping[str, str] = MappingProxyType({})
) -> TypeError:
    """Return the error for an unknown option of a function, which suggests the nearest option.

    `called` maps other names of options, for example those of earlier versions, to their names.
    """
    hint = nearest(called.get(name, name), known) or f"; it has {', '.join(known)}"
    return TypeError(f"{function} has no option {name!r}{hint}")


def show(value: object) -> str:
    """Return a value for a message, on one line and shortened."""
    try:
        text = " ".join(repr(value).split())
    except ValueError:  # integers of thousands of digits have no text
        return "a larger number"
    return text if len(text) <= 60 else f"{text[:57]}..."
