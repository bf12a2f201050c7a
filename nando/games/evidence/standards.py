"""The standard of a game, and the control of false alarms over many games.

The likelihood ratio of programs to people is an e-value: over honest games its mean is at most 1,
so it exceeds 100 in at most one of a hundred. E-values of independent games multiply, and the
procedure of Benjamini and Hochberg is valid for dependent e-values (Wang and
Ramdas, Journal of the Royal Statistical Society B 84:822, 2022).

The standard of a game is the population, the field of its puzzle, or the player's history.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import cast

import numpy as np
from numpy.typing import NDArray

from nando.arrays import Floats
from nando.checks import share
from nando.games.game import Game
from nando.games.kinds import KINDS
from nando.games.said import Said, figure, say

MOST_LOG = 600.0
LEAST_P = 1e-4
"""No smaller p-value is stated: nobody has checked more than some thousand honest games."""

TRIMMED = 0.1
"""Share of a field's most suspicious games that is excluded when its usual value is computed."""


def check_level(level: float) -> None:
    """Raise ValueError unless a level is one that the stated p-values can reach."""
    share("level", level)
    if level < LEAST_P:
        raise ValueError(
            f"level must be at least {LEAST_P:g}, got {level!r}: no smaller p-value is stated, "
            "because no more honest games were ever checked"
        )


def select_accused(log_odds: Floats, level: float) -> NDArray[np.bool_]:
    """Select the hypotheses that the e-BH procedure rejects.

    Parameters
    ----------
    log_odds : ndarray of float64, shape (n,)
        Logarithms of e-values.
    level : float
        Expected share of honest games among the rejected hypotheses.

    Examples
    --------
    >>> select_accused(np.log([1e6, 350.0, 2.0]), 0.01).tolist()
    [True, True, False]
    """
    n = len(log_odds)
    if not n:
        return np.zeros(0, bool)
    ordered = np.sort(log_odds)[::-1]
    enough = ordered >= np.log(n / level) - np.log(np.arange(1, n + 1))
    if not enough.any():
        return np.zeros(n, bool)
    return np.asarray(log_odds >= ordered[np.flatnonzero(enough)[-1]])


def p_value_of(log_odds: float) -> float:
    """Return the p-value of an e-value, which is its inverse by Markov's inequality."""
    return float(min(1.0, max(LEAST_P, np.exp(-min(log_odds, MOST_LOG)))))


def excess_of(others: Floats) -> float:
    """Return the excess of a field's games over the resemblance to a program of honest games.

    This is the logarithm of the mean e-value of the others without the most suspicious tenth, but
    at least 0. It is 0 for people like those of the population.
    """
    kept = np.sort(others)[: int(np.ceil((1 - TRIMMED) * len(others)))]
    return max(0.0, float(np.log(np.mean(np.exp(np.minimum(kept, 50.0))))))


def rank_p_value(own: float, others: Floats) -> float:
    """Return the conformal p-value: the rank of a game among exchangeable games."""
    return float((1 + np.count_nonzero(others >= own)) / (1 + len(others)))


OTHER_PEOPLE = say("standard.people")
FIELD = say("standard.field")
HISTORY = say("standard.history")

LEAST_FILLS = 10
LEAST_FIELD = 20
"""Fewest other players on the same puzzle who can serve as a standard."""


def name_of(standard: str) -> str:
    """Return the name of a standard, without the least p-value that it can show."""
    if isinstance(standard, Said) and standard.key in ("standard.ranked", "standard.known"):
        return cast(Said, standard.fields["standard"])
    return standard


def can_be_judged(game: Game) -> bool:
    """Return True if a game is a single one with enough fills, of a kind with known players."""
    return is_known(game) and len(game.cells) >= LEAST_FILLS and not game.doubtful


def is_known(game: Game) -> bool:
    """Return True if people and programs are known for the kind of puzzle."""
    kind = KINDS.get(game.puzzle.kind)
    return kind is not None and kind.programs is not None


def is_timed(game: Game) -> bool:
    """Return True if people's times for the kind of puzzle are known."""
    return is_known(game) and KINDS[game.puzzle.kind].has_times


def notes_on_kinds(games: Sequence[Game]) -> list[Said]:
    """Return sentences on the kinds of puzzle that are judged by the order alone."""
    untimed = Counter(game.puzzle.kind for game in games if is_known(game) and not is_timed(game))
    return [
        say(
            "note.n_by_order",
            kind=say(f"kind.{kind}"),
            n=figure(n, ","),
            all=figure(len(games), ","),
        )
        for kind, n in untimed.items()
    ]


def by_field(games: Sequence[Game], log_odds: Floats) -> tuple[Floats, list[Said]]:
    """Return the log odds minus the usual value of a puzzle's other players, and the standards."""
    groups: Mapping[int, list[int]] = defaultdict(list)
    for i, game in enumerate(games):
        groups[game.puzzle.equivalence_hash()].append(i)
    combined = log_odds.copy()
    standards = [OTHER_PEOPLE] * len(games)
    for group in groups.values():
        for i in group:
            # Use the most suspicious game of each other player, so that each player counts once.
            others: dict[str, float] = {}
            for j in group:
                player = games[j].player
                if player and player != games[i].player:
                    others[player] = max(others.get(player, -np.inf), log_odds[j])
            if len(others) < LEAST_FIELD:
                continue
            scores = np.array(list(others.values()))
            combined[i] -= excess_of(scores)
            rank = 1 + int((scores >= log_odds[i]).sum())
            standards[i] = say(
                "standard.ranked",
                standard=FIELD,
                rank=rank,
                all=len(scores) + 1,
                least=figure(1 / (len(scores) + 1), ".2g"),
            )
    return combined, standards
