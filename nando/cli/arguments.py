"""Parse times, shares and counts in options."""

import re

_LONGEST = 9
"""Most digits of a count."""

_UNITS = {
    "s": 1.0,
    "sec": 1.0,
    "seconds": 1.0,
    "m": 60.0,
    "min": 60.0,
    "minutes": 60.0,
    "h": 3600.0,
    "hours": 3600.0,
}
_PART = re.compile(r"\s*(\d+(?:\.\d+)?)\s*([a-z]+)\s*", re.IGNORECASE)


def seconds(text: str) -> float:
    """Return a time in seconds.

    Raises
    ------
    ValueError
        If it is not a time above 0.

    Examples
    --------
    >>> seconds("8min"), seconds("1h 30min"), seconds("90s"), seconds("480")
    (480.0, 5400.0, 90.0, 480.0)
    """
    total, end = 0.0, 0
    try:
        total, end = float(text), len(text)
    except ValueError:
        while part := _PART.match(text, end):
            total += float(part[1]) * _UNITS.get(part[2].lower(), float("nan"))
            end = part.end()
    if end != len(text) or not 0.0 < total < float("inf"):
        raise ValueError(f"not a time: {text!r}; wanted 8min, 90s, 1h30min or 480 (seconds)")
    return total


_SHORT = 60.0
"""Seconds; a smaller bare number was probably meant as minutes."""


def minutes(text: str) -> float:
    """Return a time in minutes.

    Raises
    ------
    ValueError
        If it is not a time, or a bare number that is rather minutes than seconds.

    Examples
    --------
    >>> minutes("8min"), minutes("480")
    (8.0, 8.0)
    """
    time = seconds(text)
    if time < _SHORT and text.strip()[-1].isdecimal():
        raise ValueError(f"{time:g} counts as seconds: write {time:g}min, or {time:g}s")
    return time / 60


def share(text: str) -> float:
    """Return a share between 0 and 1.

    Raises
    ------
    ValueError
        If it is not a share.

    Examples
    --------
    >>> share("10%"), share("0.1")
    (0.1, 0.1)
    """
    try:
        value = float(text.removesuffix("%")) / (100.0 if text.endswith("%") else 1.0)
    except ValueError:
        value = float("nan")
    if not 0.0 < value < 1.0:
        raise ValueError(
            f"not a tolerance: {text!r}; wanted more than 0 and below 100%, e.g. 10% or 0.1"
        )
    return value


def counts(text: str, option: str) -> list[tuple[str, int]]:
    """Return names with numbers of puzzles.

    Raises
    ------
    ValueError
        If a part is not NAME:COUNT, or its count is below 1.

    Examples
    --------
    >>> counts("easy:12, hard:6", "--grades")
    [('easy', 12), ('hard', 6)]
    """
    named = []
    for part in text.split(","):
        name, colon, number = part.strip().rpartition(":")
        if not (colon and name and number.isdecimal()):
            raise ValueError(f"{option}: {part.strip()!r}; wanted NAME:COUNT, for example easy:12")
        if len(number) > _LONGEST:
            raise ValueError(
                f"{option}: {name} has a count of {len(number):,} digits; ask for fewer"
            )
        if int(number) < 1:
            raise ValueError(f"{option}: {part.strip()!r} asks for no puzzles; leave it out")
        named.append((name.strip(), int(number)))
    return named
