"""Evidence in words that an organiser can act on, and no word more than there is evidence."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.games.evidence.reading import BOTH, TIMES, Reading

_SURE = 0.5
_LEAST_ODDS = 1.0
"""Log10 of the odds from which a program is named."""
_HASTY_FILLS = 6
_HASTY = 0.25
"""Share of the typical seconds below which a stretch of fills is hasty."""
_HASTY_SECONDS = 1.2
_VARIED = 1.5
"""Ratio of the slowest to the quickest typical seconds in a stretch of different difficulty."""
_LEAST_PREMATURE = 0.1
"""Share of the fills; at least three."""
_MOST_ODDS = 30


class Stretch(NamedTuple):
    """Fills too fast for thought: first and last, from 0, and seconds each, taken and typical."""

    first: int
    last: int
    seconds: float
    typical: float


def sentences(reading: Reading) -> list[str]:
    """What speaks for a program in a game, the strongest first; empty where nothing does."""
    return [*_program(reading), *_haste(reading), *_knowledge(reading)]


def odds_in_words(log_odds: float) -> str:
    """Odds as a person says them: "20 times", "10^6 times"; never beyond 10^30.

    Examples
    --------
    >>> import math
    >>> odds_in_words(math.log(25)), odds_in_words(14.0)
    ('25 times', '10^6 times')
    """
    tens = log_odds / np.log(10)
    if tens < 3:
        return f"{np.exp(log_odds):,.{0 if tens >= 1 else 1}f} times"
    return f"10^{min(int(tens), _MOST_ODDS)} times"


def hasty_stretch(reading: Reading) -> Stretch | None:
    """The longest run of fills of different difficulty that each took a fraction of the typical."""
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


def _program(reading: Reading) -> Iterator[str]:
    suspects = reading.suspects
    found = suspects.passages()
    log_odds = suspects.log_odds()
    if log_odds < _LEAST_ODDS * np.log(10):
        return
    at_work = found.at_work > _SURE
    teller = found.teller
    where = _where(at_work)
    who = "a machine that" if suspects.part[teller] == TIMES else "a program that"
    also = ", at even delays," if suspects.part[teller] == BOTH else ""
    yield (
        f"{who} {suspects.words[teller]}{also} explains {where} "
        f"{odds_in_words(log_odds)} better than people do"
    )


def _where(at_work: NDArray[np.bool_]) -> str:
    runs = list(_runs(at_work))
    n = len(at_work)
    if not runs:
        return "the game"
    if runs == [(0, n - 1)]:
        return f"all {n} fills"
    told = [f"{first + 1} to {last + 1}" for first, last in runs[:3]]
    more = " and others" if len(runs) > 3 else ""
    if len(runs) == 1 and runs[0][1] == n - 1:
        return f"the game from fill {runs[0][0] + 1} of {n} on"
    return f"fills {', '.join(told)}{more} of {n}"


def _haste(reading: Reading) -> Iterator[str]:
    found = hasty_stretch(reading)
    if found is not None:
        count = found.last - found.first + 1
        yield (
            f"fills {found.first + 1} to {found.last + 1}, {count} of different difficulty, in "
            f"{found.seconds:.1f} s each; at this player's pace they take about "
            f"{found.typical:.1f} s each"
        )


def _knowledge(reading: Reading) -> Iterator[str]:
    game = reading.game
    early = np.flatnonzero(reading.premature)
    if len(early) < max(3.0, _LEAST_PREMATURE * len(game.cells)):
        return
    cells = ", ".join(game.puzzle.cell_name(int(game.cells[k])) for k in early[:3])
    more = ", ..." if len(early) > 3 else ""
    yield (
        f"{len(early)} of {len(game.cells)} cells ({cells}{more}) were filled before any single, "
        "locked candidates or pairs gave them, while other cells were singles: a person would have "
        "had to know or to guess them"
    )


def _runs(mask: NDArray[np.bool_]) -> Iterator[tuple[int, int]]:
    """First and last place of each run of True."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], mask, [False]]).astype(np.int8)))
    for first, end in edges.reshape(-1, 2).tolist():
        yield first, end - 1
