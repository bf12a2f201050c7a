"""Checks of the numbers and names that people pass: one clear error for what makes no sense."""

import dataclasses
import math
import numbers
import operator
import secrets
import types
import typing
from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from functools import cache
from types import MappingProxyType
from typing import Any

LARGEST = 2**63 - 1
"""Largest whole number of an option: what files and kernels can hold."""

MOST_CORES = 1 << 16
"""Most cores that may be asked for."""


def whole(name: str, value: object, least: int | None = None, most: int = LARGEST) -> int:
    """Return a whole number as int, after its type and range were checked.

    Raises
    ------
    TypeError
        For anything but an integer, also of NumPy; true and false are no numbers.
    ValueError
        For one below `least` or above `most`.

    Examples
    --------
    >>> whole("count", "3")
    Traceback (most recent call last):
    TypeError: count must be a whole number, got '3'
    """
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"{name} must be a whole number, got {_shown(value)}")
    number = operator.index(value)
    if least is not None and number < least:
        raise ValueError(f"{name} must be at least {least:,}, got {_shown(value)}")
    if number > most:
        raise ValueError(f"{name} must be at most {most:,}, got {_shown(value)}")
    in_range(name, number)
    return int(number)


def real(name: str, value: object, *, finite: bool = True) -> float:
    """Return a number as float, after its type was checked.

    Raises
    ------
    TypeError
        For anything but a real number; true and false are no numbers.
    ValueError
        For NaN and, if it must be finite, for infinity.
    """
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise TypeError(f"{name} must be a number, got {_shown(value)}")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if math.isnan(number) or (finite and math.isinf(number)):
        raise ValueError(f"{name} must be a finite number, got {_shown(value)}")
    return number


def in_range(name: str, value: float) -> None:
    """Refuse NaN, and what is beyond `LARGEST` either way.

    Raises
    ------
    ValueError
        As it says.
    """
    if math.isnan(value):
        raise ValueError(f"{name} must be a number, got nan")
    if abs(value) > LARGEST:
        bound = f"at most {LARGEST:,}" if value > 0 else f"at least -{LARGEST:,}"
        raise ValueError(f"{name} must be {bound}, got {_shown(value)}")


def share(name: str, value: object) -> float:
    """Return a number between 0 and 1, both excluded.

    Raises
    ------
    TypeError, ValueError
        For anything else.
    """
    number = real(name, value, finite=False)
    if not 0.0 < number < 1.0:
        raise ValueError(f"{name} must be between 0 and 1, got {_shown(value)}")
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
        raise ValueError(f"{name} must be above 0, got {_shown(value)}")
    return number


def seed_of(seed: object) -> int:
    """Return a seed; for None, a new one from the system, to be kept with the result.

    Raises
    ------
    TypeError, ValueError
        For anything but a whole number from 0 to `LARGEST`.
    """
    if seed is None:
        return secrets.randbits(48)  # a spreadsheet shows all digits of it
    return whole("seed", seed, 0)


def cores(n_jobs: object) -> int | None:
    """Return a number of cores as joblib takes it: None, 1 and more, or -1 for all.

    Raises
    ------
    TypeError, ValueError
        For anything else, and for 0.
    """
    if n_jobs is None:
        return None
    number = whole("n_jobs", n_jobs, -MOST_CORES, MOST_CORES)
    if number == 0:
        raise ValueError("n_jobs must be a number of cores, or -1 for all, got 0")
    return number


def one_of(name: str, value: object, known: Iterable[str]) -> None:
    """Refuse a name that is none of the known ones.

    Raises
    ------
    TypeError
        For what is no text.
    ValueError
        For another text; the message lists the known ones.
    """
    names = list(known)
    if not isinstance(value, str):
        raise TypeError(f"{name} must be one of {', '.join(names)}, got {_shown(value)}")
    if value not in names:
        raise ValueError(f"{name} must be one of {', '.join(names)}, got {_shown(value)}")


def unknown_option(
    function: str, name: str, known: Sequence[str], called: Mapping[str, str] = MappingProxyType({})
) -> TypeError:
    """Return the error for an option that a function does not have, with the nearest that it has.

    `called` has other names of options, such as those of earlier versions.
    """
    near = [called[name]] if name in called else get_close_matches(name, known, n=1)
    hint = f"; did you mean {near[0]!r}?" if near else f"; it has {', '.join(known)}"
    return TypeError(f"{function} has no option {name!r}{hint}")


def check_fields(instance: Any) -> None:
    """Refuse fields of a dataclass that should be numbers and are none.

    An int must be whole and a float not NaN; either may also be None where the type says so.

    Raises
    ------
    TypeError, ValueError
        The message names the first such field.
    """
    cls: Any = type(instance)
    for name, check, optional in _number_fields(cls):
        value = getattr(instance, name)
        if not (optional and value is None):
            check(name, value)


@cache
def _number_fields(cls: Any) -> list[tuple[str, Callable[[str, object], object], bool]]:
    """Names of the fields that are numbers, what checks each, and True for one that may be None."""
    found: list[tuple[str, Callable[[str, object], object], bool]] = []
    for name, hint in typing.get_type_hints(cls).items():
        if name not in {field.name for field in dataclasses.fields(cls)}:
            continue
        kinds = set(typing.get_args(hint)) if typing.get_origin(hint) is types.UnionType else {hint}
        optional = types.NoneType in kinds
        if kinds - {types.NoneType} == {int}:
            found.append((name, whole, optional))
        elif kinds - {types.NoneType} in ({float}, {int, float}):
            found.append((name, _not_nan, optional))
    return found


def _not_nan(name: str, value: object) -> float:
    return real(name, value, finite=False)


def _shown(value: object) -> str:
    """Return a value for a message, on one line and not too long."""
    try:
        text = " ".join(repr(value).split())
    except ValueError:  # integers of thousands of digits have no text
        return "a larger number"
    return text if len(text) <= 60 else f"{text[:57]}..."
