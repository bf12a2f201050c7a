"""What speaks for a player who entered a finished solution.

The order of entries cannot show who found the solution. So the player's own facts stand beside it:
the time before the entries, corrections, pencil marks, and the player's other games.
"""

from collections.abc import Mapping, Sequence
from statistics import median

import numpy as np

from nando.games.evidence.program import ENTERED
from nando.games.evidence.reading import Reading
from nando.games.game import Game
from nando.games.said import Said, counted, said
from nando.puzzles import Puzzle
from nando.rating.rating import duration


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
    seconds = _predicted({game.puzzle for game in (*typed, *others) if game.timed})
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
        said(
            "plea.silence",
            n=first + 1,
            before=duration(before),
            silence=duration(silence),
            predicted=duration(seconds),
            pace=said("plea.own_pace" if paces else "plea.typical_pace"),
        )
    ]


def _deeds(game: Game, n_others: int) -> list[Said]:
    numbers = {
        "plea.corrections": game.n_corrections,
        "plea.marks": game.n_marks,
        "plea.others": n_others,
    }
    return [counted(key, n) for key, n in numbers.items() if n]


def _predicted(puzzles: set[Puzzle]) -> dict[Puzzle, float]:
    """Return the seconds that nando predicts for puzzles of a kind that it rates."""
    from nando.rating import has_model, load_model

    seconds: dict[Puzzle, float] = {}
    for kind in sorted({puzzle.kind for puzzle in puzzles}):
        if has_model(kind):
            those = [puzzle for puzzle in puzzles if puzzle.kind == kind]
            values = np.asarray(load_model(None, kind).predict(those))
            seconds |= zip(those, values.tolist(), strict=True)
    return seconds
