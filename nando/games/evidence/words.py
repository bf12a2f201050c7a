"""Sentences on the evidence, on which an organiser can act and which never exceed the evidence.

The order of entries cannot show who found a solution. So what speaks for a player who entered a
finished one stands beside it: the time before the entries, corrections, pencil marks, and the
player's other games.
"""

from collections.abc import Iterator, Mapping, Sequence
from statistics import median
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando import rating
from nando.games.evidence.reading import BOTH, ENTERED, HAND, STEPS, TIMES, Reading
from nando.games.game import Game
from nando.games.said import Said, cell, figure, say, say_counted
from nando.puzzles import Puzzle
from nando.rating.result import duration

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
_LEAST_POWER, _MOST_POWER = 3, 12
"""Powers of ten that have words."""


class Stretch(NamedTuple):
    """Fills too fast for thought: first, last (from 0), actual and typical seconds per fill."""

    first: int
    last: int
    seconds: float
    typical: float


def against_a_person(reading: Reading) -> list[Said]:
    """Return sentences on the evidence against a person, or an empty list."""
    return [*_explain(reading, STEPS, reading.steps_odds, "evidence.program"), *_hand(reading)]


def entering(reading: Reading, *, on_screen: bool) -> list[Said]:
    """Return sentences that show that a finished solution was entered, the strongest first.

    Where the rules demand the screen, an order may be that of a solver's steps as well.
    """
    typed = [*_explain(reading, ENTERED, reading.entered_odds, "evidence.typed")]
    if on_screen and not typed:
        typed += _explain(reading, STEPS, reading.off_screen_odds, "evidence.off_screen")
    return [
        *typed,
        *_haste(reading),
        *_knowledge(reading),
    ]


def odds_in_words(log_odds: float) -> Said:
    """Return odds in words, from a thousand on as a power of ten, and never above a trillion.

    Examples
    --------
    >>> import math
    >>> odds_in_words(math.log(25)), odds_in_words(14.0), odds_in_words(70.0)
    ('25 times', 'a million times', 'more than a trillion times')
    """
    tens = log_odds / np.log(10)
    if tens < _LEAST_POWER:
        return say("times.number", n=figure(np.exp(log_odds), f",.{0 if tens >= 1 else 1}f"))
    return say(f"times.power_{min(int(tens), _MOST_POWER)}")


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


_KEYS = {TIMES: "evidence.even", BOTH: "evidence.typed_even"}


def _explain(reading: Reading, claim: str, log_odds: float, key: str) -> Iterator[Said]:
    """Yield a sentence on the suspect of a claim that explains the game best, or nothing."""
    if log_odds < _LEAST_ODDS * np.log(10):
        return
    found = reading.suspects.passages(claim)
    best = reading.suspects.number_of(claim, found.teller)
    part = str(reading.suspects.part[best])
    yield say(
        _KEYS.get(part, key),
        what=reading.suspects.words[best],
        where=_where(found.at_work > _SURE),
        times=odds_in_words(log_odds),
    )


def _hand(reading: Reading) -> Iterator[Said]:
    if reading.hand_odds >= _LEAST_ODDS * np.log(10):
        at_work = reading.suspects.passages(HAND).at_work > _SURE
        seconds = reading.game.delays[at_work & np.isfinite(reading.game.delays)]
        yield say(
            "evidence.hand",
            where=_where(at_work),
            seconds=figure(float(np.median(seconds)) if len(seconds) else 0.0, ".2g"),
        )


def _where(at_work: NDArray[np.bool_]) -> Said:
    runs = list(_runs(at_work))
    n = len(at_work)
    if not runs:
        return say("where.game")
    if runs == [(0, n - 1)]:
        return say("where.all", n=n)
    if len(runs) == 1 and runs[0][1] == n - 1:
        return say("where.from_on", first=runs[0][0] + 1, all=n)
    stretches = tuple(say("where.run", first=first + 1, last=last + 1) for first, last in runs[:3])
    return say("where.fills_more" if len(runs) > 3 else "where.fills", runs=stretches, all=n)


def _haste(reading: Reading) -> Iterator[Said]:
    stretch = hasty_stretch(reading)
    if stretch is not None:
        yield say(
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
    yield say(
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


def pleas_for(
    readings: Sequence[Reading], entered: Sequence[bool], history: Sequence[Game]
) -> list[list[Said]]:
    """Return what speaks for the player of each game that was entered from a finished solution.

    Parameters
    ----------
    readings : sequence of Reading
        All games that were judged.
    entered : sequence of bool
        Whether each of them was entered from a finished solution.
    history : sequence of Game
        Earlier honest games of the same players.

    Returns
    -------
    list of list of Said
        An empty list for every other game.
    """
    found: list[list[Said]] = [[] for _ in readings]
    played = [reading.game for reading, typed in zip(readings, entered, strict=True) if not typed]
    others = [game for game in (*played, *history) if game.player]
    typed = [reading.game for reading, typed in zip(readings, entered, strict=True) if typed]
    own = {game.player for game in typed}
    others = [game for game in others if game.player in own]
    timed = (game.puzzle for game in (*typed, *others) if game.timed)
    seconds = _predict(list(dict.fromkeys(timed)))
    for pleas, reading, is_typed in zip(found, readings, entered, strict=True):
        if is_typed:
            same = [game for game in others if game.player == reading.game.player]
            pleas += _silence(reading, same, seconds)
            pleas += _deeds(reading.game, len(same))
    return found


def _silence(
    reading: Reading, others: Sequence[Game], predicted: Mapping[Puzzle, float]
) -> list[Said]:
    """Return the time before the first entry of the solution, beside the predicted time."""
    game = reading.game
    if not game.timed or game.puzzle not in predicted:
        return []
    at_work = reading.suspects.passages(ENTERED).at_work > 0.5
    first = int(at_work.argmax()) if at_work.any() else 0
    before = float(game.seconds[first])
    silence = before - (float(game.seconds[first - 1]) if first else 0.0)
    paces = [
        float(other.seconds[-1]) / predicted[other.puzzle]
        for other in others
        if other.finished and other.timed and other.puzzle in predicted
    ]
    seconds = predicted[game.puzzle] * (median(paces) if paces else 1.0)
    return [
        say(
            "plea.silence",
            n=first + 1,
            before=duration(before),
            silence=duration(silence),
            predicted=duration(seconds),
            pace=say("plea.own_pace" if paces else "plea.typical_pace"),
        )
    ]


def _deeds(game: Game, n_others: int) -> list[Said]:
    numbers = {
        "plea.corrections": game.n_corrections,
        "plea.marks": game.n_marks,
        "plea.others": n_others,
    }
    return [say_counted(key, n) for key, n in numbers.items() if n]


def _predict(puzzles: Sequence[Puzzle]) -> dict[Puzzle, float]:
    """Return the seconds that nando predicts for puzzles of a kind that it rates."""
    seconds: dict[Puzzle, float] = {}
    for kind in sorted({puzzle.kind for puzzle in puzzles}):
        if rating.has_model(kind):
            those = [puzzle for puzzle in puzzles if puzzle.kind == kind]
            values = np.asarray(rating.load_model(None, kind).predict(those))
            seconds |= zip(those, values.tolist(), strict=True)
    return seconds
