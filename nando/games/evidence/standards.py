"""The standard of a game: the population, the field of its puzzle, or the player's history."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import cast

import numpy as np

from nando.arrays import Floats
from nando.games.evidence.control import excess_of
from nando.games.game import Game
from nando.games.kinds import KINDS
from nando.games.said import Said, figure, said

OTHER_PEOPLE = said("standard.people")
FIELD = said("standard.field")
HISTORY = said("standard.history")

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
        said(
            "note.n_by_order",
            kind=said(f"kind.{kind}"),
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
            standards[i] = said(
                "standard.ranked",
                standard=FIELD,
                rank=rank,
                all=len(scores) + 1,
                least=figure(1 / (len(scores) + 1), ".2g"),
            )
    return combined, standards
