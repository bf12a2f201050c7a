"""The strategies that players' guides teach, and honest players who follow them.

Sources: the guides of sudopedia (cross-hatching, full houses, counting), of T. Snyder (marks of
pairs in boxes) and of A. Stuart (full pencil marks); Pelanek 2014 for random looking.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np


@dataclass(frozen=True)
class Player:
    """One honest player.

    Attributes
    ----------
    attention : str
        Order of attention in search of a cell, a name in
        `nando.games.people.attention.ATTENTION`.
    last, box, line, naked, locked : float
        Probabilities to find, at a look, the last cell of a house, a hidden single of a box, a
        hidden single of a line, a naked single, and a cell that needs locked candidates or pairs.
    stays : float
        Probability to continue with the object of the last look.
    follows : float
        Probability to look first at the houses and the digit of the last fill.
    tidy : float
        Probability to look at the cells of one object in reading order instead of a random order.
    marks_pairs : bool
        Whether the player marks pairs of places in boxes, and uses a mark when one place is filled.
    switches : float
        Probability at each fill to change to another order of attention.
    guesses : float
        Share of fills that do not follow from the board.
    batch : float
        Mean number of cells that are found before the player enters them.
    look_seconds, entry_seconds : float
    spread : float
        Standard deviation of the logarithm of the time of a search.
    pauses, pause_seconds : float
        Share of fills after a pause, and the typical length of a pause.
    slips : float
        Share of fills that are wrong at first and corrected later.
    """

    attention: str
    last: float
    box: float
    line: float
    naked: float
    locked: float
    stays: float
    look_seconds: float
    entry_seconds: float
    spread: float
    follows: float = 0.0
    tidy: float = 0.7
    marks_pairs: bool = False
    switches: float = 0.0
    guesses: float = 0.0
    batch: float = 1.0
    pauses: float = 0.02
    pause_seconds: float = 30.0
    slips: float = 0.02


def _anybody(attention: str, rng: np.random.Generator) -> Player:
    """Draw a player of average skill."""
    return Player(
        attention,
        last=rng.beta(12, 1),
        box=rng.beta(8, 2),
        line=rng.beta(3, 3),
        naked=rng.beta(2, 4),
        locked=0.5 * rng.beta(1, 6),
        stays=rng.beta(6, 2),
        look_seconds=float(np.exp(rng.normal(np.log(0.5), 0.5))),
        entry_seconds=float(np.exp(rng.normal(np.log(1.0), 0.4))),
        spread=rng.uniform(0.3, 0.8),
        tidy=rng.beta(4, 2),
        pauses=rng.beta(1, 40),
        slips=rng.beta(1, 40),
    )


def _beginner(rng: np.random.Generator) -> Player:
    player = _anybody("anything", rng)
    return replace(
        player,
        box=0.5 * player.box,
        line=0.4 * player.line,
        naked=0.3 * player.naked,
        look_seconds=2 * player.look_seconds,
        entry_seconds=1.7 * player.entry_seconds,
        pauses=0.05,
        slips=0.08,
        guesses=rng.uniform(0.02, 0.12),
    )


def _flawless(attention: str, rng: np.random.Generator) -> Player:
    """Return a player who misses nothing and never changes the order of attention."""
    player = _anybody(attention, rng)
    return replace(
        player, last=1.0, box=1.0, line=1.0, naked=1.0, stays=1.0, slips=0.0, tidy=rng.beta(1, 1)
    )


Draw = Callable[[np.random.Generator], Player]

STRATEGIES: Mapping[str, Draw] = {
    "digit by digit": lambda rng: _anybody("digits", rng),
    "placed digits first": lambda rng: _anybody("placed digits", rng),
    "box by box": lambda rng: _anybody("boxes", rng),
    "row by row": lambda rng: _anybody("rows", rng),
    "column by column": lambda rng: _anybody("columns", rng),
    "full houses": lambda rng: _anybody("full houses", rng),
    "marked pairs": lambda rng: replace(_anybody("placed digits", rng), marks_pairs=True),
    "counting candidates": lambda rng: replace(
        _anybody("crowded cells", rng), naked=rng.beta(12, 2)
    ),
    "full pencil marks": lambda rng: replace(
        _anybody("marked cells", rng), naked=rng.beta(20, 1), box=0.5, line=0.3
    ),
    "looking anywhere": lambda rng: _anybody("anything", rng),
    "round the last fill": lambda rng: replace(_anybody("anything", rng), follows=0.9),
    "beginner": _beginner,
    "in batches": lambda rng: replace(_anybody("boxes", rng), batch=rng.uniform(2, 5)),
    "switching": lambda rng: replace(_anybody("digits", rng), switches=0.06),
    "flawless boxes": lambda rng: _flawless("boxes", rng),
    "flawless digits": lambda rng: _flawless("digits", rng),
}
"""Strategies of honest players, by name; each function draws a player who follows it."""
