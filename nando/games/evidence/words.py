"""Sentences on the evidence, on which an organiser can act and which never exceed the evidence."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.games.evidence.reading import BOTH, TIMES, Reading
from nando.games.said import Said, cell, figure, said

_SURE = 0.5
_LEAST_ODDS = 1.0
"""Least log10 of the odds for which a program is named."""
_HASTY_FILLS = 6
_HASTY = 0.25
"""A stretch of fills is hasty if it takes less than this share of the typical seconds."""
_HASTY_SECONDS = 1.2
_VARIED = 1.5
"""Ratio of the slowest to the quickest typical seconds in a stretch of different difficulty."""
_LEAST_PREMATURE = 0.1
"""Least share of premature fills that is reported, with at least three fills."""
_MOST_ODDS = 30


class Stretch(NamedTuple):
    """Fills too fast for thought: first, last (from 0), actual and typical seconds per fill."""

    first: int
    last: int
    seconds: float
    typical: float


def sentences(reading: Reading) -> list[Said]:
    """Return sentences on the evidence for a program, the strongest first, or an empty list."""
    return [*_program(reading), *_haste(reading), *_knowledge(reading)]


def odds_in_words(log_odds: float) -> Said:
    """Return odds in words: "20 times", "10^6 times"; never beyond 10^30.

    Examples
    --------
    >>> import math
    >>> odds_in_words(math.log(25)), odds_in_words(14.0)
    ('25 times', '10^6 times')
    """
    tens = log_odds / np.log(10)
    if tens < 3:
        return said("times.number", n=figure(np.exp(log_odds), f",.{0 if tens >= 1 else 1}f"))
    return said("times.power", n=min(int(tens), _MOST_ODDS))


def hasty_stretch(reading: Reading) -> Stretch | None:
    """Find the longest run of fills of varied difficulty that were all much faster than typical."""
    if reading.typical is None:
        return None
    delays = reading.game.delays
    typical = reading.typical
    hasty = (delays < np.maximum(_HASTY * typical, 0.3)) & (delays < _HASTY_SECONDS)
    best: Stretch | None = None
    for first, last in _runs(hasty):
        part = typical[first : last + 1]
        varied = part.max() >= _VARIED * part.min()
        longer = best is None or last - first > best.last - best.first
        if last - first + 1 >= _HASTY_FILLS and varied and longer:
            taken = float(delays[first : last + 1].mean())
            best = Stretch(first, last, taken, float(part.mean()))
    return best


def _program(reading: Reading) -> Iterator[Said]:
    suspects = reading.suspects
    passages = suspects.passages()
    log_odds = suspects.log_odds()
    if log_odds < _LEAST_ODDS * np.log(10):
        return
    at_work = passages.at_work > _SURE
    teller = passages.teller
    yield said(
        {TIMES: "evidence.machine", BOTH: "evidence.program_even"}.get(
            str(suspects.part[teller]), "evidence.program"
        ),
        what=suspects.words[teller],
        where=_where(at_work),
        times=odds_in_words(log_odds),
    )


def _where(at_work: NDArray[np.bool_]) -> Said:
    runs = list(_runs(at_work))
    n = len(at_work)
    if not runs:
        return said("where.game")
    if runs == [(0, n - 1)]:
        return said("where.all", n=n)
    if len(runs) == 1 and runs[0][1] == n - 1:
        return said("where.from_on", first=runs[0][0] + 1, all=n)
    stretches = tuple(said("where.run", first=first + 1, last=last + 1) for first, last in runs[:3])
    return said("where.fills_more" if len(runs) > 3 else "where.fills", runs=stretches, all=n)


def _haste(reading: Reading) -> Iterator[Said]:
    stretch = hasty_stretch(reading)
    if stretch is not None:
        yield said(
            "evidence.haste",
            first=stretch.first + 1,
            last=stretch.last + 1,
            n=stretch.last - stretch.first + 1,
            seconds=figure(stretch.seconds, ".1f"),
            typical=figure(stretch.typical, ".1f"),
        )


def _knowledge(reading: Reading) -> Iterator[Said]:
    game = reading.game
    early = np.flatnonzero(reading.premature)
    if len(early) < max(3.0, _LEAST_PREMATURE * len(game.cells)):
        return
    yield said(
        "evidence.early_more" if len(early) > 3 else "evidence.early",
        n=len(early),
        all=len(game.cells),
        cells=tuple(cell(game.puzzle, int(game.cells[k])) for k in early[:3]),
    )


def _runs(mask: NDArray[np.bool_]) -> Iterator[tuple[int, int]]:
    """Yield the first and last index of each run of True."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], mask, [False]]).astype(np.int8)))
    for first, end in edges.reshape(-1, 2).tolist():
        yield first, end - 1
