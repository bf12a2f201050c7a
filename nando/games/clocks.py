"""Repair the times of a log: their units, dates and clocks that jump.

A log should have milliseconds since the start of each game. Many logs have something else: seconds,
dates, a device clock that was set during the game, or the clocks of two devices in turn. None of
this is evidence against a player. Times are therefore repaired where possible, repairs are always
reported, and unknown delays are excluded from the judgement.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.arrays import Floats
from nando.games.said import Said, counted, figure, said

LONGEST_PAUSE = 600.0
"""Seconds; a longer delay is a break or a clock that was set, not time to think."""

_JITTER = 2.0
"""Seconds by which entries of a log may be out of order."""
_MIXED = 0.2
"""Share of jumps above which a game is assumed to have two clocks."""
_DATE = 1e9
"""Seconds above which a time is a date since 1970, because nobody plays for thirty years."""
_QUARTER = 900.0
"""A quarter of an hour in seconds; time zones differ by multiples of it."""
_NEAR = 30.0

_HASTY = 0.15
"""Seconds for an entry, on average, that no whole game takes less of: the fastest of 1,089 real
games took 2.1 s for a fill, and the fastest ten fills in a row 0.66 s each."""
_LEAST_MOVES = 10


class Clock(NamedTuple):
    """The repaired times of a game's entries.

    Attributes
    ----------
    seconds : ndarray of float64, shape (n_entries,)
        Seconds since the start, never decreasing.
    waits : ndarray of float64, shape (n_entries,)
        Seconds since the previous entry; NaN if unknown.
    notes : list of Said
    """

    seconds: Floats
    waits: Floats
    notes: list[Said]


def mended(times: Floats, *, trusted: bool = False) -> Clock:
    """Repair the times of a game's entries in log order so that they never decrease.

    Unless the clock is `trusted`, a game that is faster than any hand has no delays: its clock is
    wrong, whatever its unit.

    Examples
    --------
    >>> clock = mended(np.array([3.0, 5.0, 3606.0, 3608.5]))
    >>> clock.notes
    ['the clock jumps by 1 h before entry 3: that delay is left out']
    >>> clock.waits[1:].tolist()
    [2.0, nan, 2.5]
    """
    notes: list[Said] = []
    times = np.asarray(times, np.float64)
    if len(times) and times[0] >= _DATE:
        times = times - times[0]
    steps = np.diff(times, prepend=0.0)
    early = (steps < 0) & (steps >= -_JITTER)
    steps[early] = 0.0
    jumps = np.flatnonzero((steps < 0) | (steps > LONGEST_PAUSE))
    jumps = jumps[jumps > 0]
    waits = steps.copy()
    waits[jumps] = np.nan
    if not trusted and _is_hasty(times):
        notes.append(said("note.too_fast", seconds=figure(float(np.ptp(times)), ".2g")))
        return Clock(np.cumsum(np.maximum(steps, 0.0)), np.full(len(times), np.nan), notes)
    if early.any():
        notes.append(counted("note.backwards", int(early.sum()), most=figure(_JITTER, "g")))
    if len(jumps) > max(2.0, _MIXED * len(times)):
        notes.append(said("note.two_clocks", n=len(jumps)))
        waits[:] = np.nan
    elif len(jumps):
        notes.append(_jumps(steps, jumps))
    # A clock that was set back hides the delay.
    steps[steps < 0] = 0.0
    return Clock(np.cumsum(steps), waits, notes)


def _jumps(steps: Floats, jumps: NDArray[np.intp]) -> Said:
    """Return a sentence on pauses that are too long, and on clocks that were set."""
    step = float(steps[jumps[0]])
    quarters = round(step / _QUARTER)
    set_anew = step < 0 or (quarters != 0 and abs(step - quarters * _QUARTER) <= _NEAR)
    single, several = ("jump", "jumps") if set_anew else ("pause", "long_pauses")
    return said(
        f"note.{several if len(jumps) > 1 else single}",
        time=_duration(step),
        entry=int(jumps[0]) + 1,
        more=len(jumps) - 1,
    )


def unit_of(times: Floats) -> tuple[float, str]:
    """Return the factor that converts the times of a game to milliseconds.

    The unit is decided for each game, because games of one log may come from different programs.

    Parameters
    ----------
    times : ndarray of float64, shape (n_entries,)
        Times of a game's entries, in what should be milliseconds.

    Returns
    -------
    factor : float
        1 for milliseconds, 1000 for seconds, less than 1 for fractions of a millisecond.
    note : str
        A sentence if the factor is not 1.
    """
    latest = float(np.max(times, initial=0.0))
    for factor, unit in ((1e-6, "nanoseconds"), (1e-3, "microseconds")):
        # Read as milliseconds, these dates would be thousands of years in the future.
        if latest * factor >= 1e3 * _DATE:
            return factor, said("note.since_1970", unit=said(f"unit.{unit}"))
    if _DATE <= latest < 1e2 * _DATE:
        return 1e3, said("note.since_1970", unit=said("unit.seconds"))
    if latest >= _DATE or not _is_hasty(times / 1000):
        return 1.0, ""
    typical = float(np.median(np.diff(times)))
    return 1e3, said("note.seconds", typical=figure(typical, "g"))


def _is_hasty(times: Floats) -> bool:
    """Return True if entries follow each other faster than any hand can enter them."""
    n = len(times)
    return n >= _LEAST_MOVES and 0 < times.max() - times.min() < _HASTY * (n - 1)


def _duration(seconds: float) -> str:
    minutes = round(seconds / 60)
    if minutes % 60 == 0 and minutes:
        return f"{minutes // 60} h"
    return f"{minutes} min" if minutes else f"{seconds:.0f} s"
