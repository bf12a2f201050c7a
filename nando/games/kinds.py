"""The models and predictors of games, by kind of puzzle. A new kind is one entry."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.games.solver_orders import Listed, logic_places, relaxation_places, solver_places
from nando.puzzles import Nurikabe, Sudoku, Values, Variant
from nando.puzzles.nurikabe import BLACK
from nando.solvers import Annealing, BruteForce, Limit, Refutation

_SHARP = 2.0

_REFUTATION = partial(solver_places, Refutation())
"""Refutation-based propagation."""

_NURIKABE_ANNEALING = partial(
    solver_places, Annealing.thesis_nurikabe(0.999), limit=Limit(steps=100_000)
)
"""Annealing with the thesis's cooling and a budget; where it ends first, the last swaps count."""


Coefficients = Mapping[str, float]
"""The coefficients of a model of fill orders, by column; 0 for other columns."""

_SINGLES: Coefficients = {
    **dict.fromkeys(("box_single", "row_single", "column_single"), 6.0),
    **dict.fromkeys(("other_single", "naked_single"), 6.0),
    "further_ways": -6.0,
    "locked_single": 3.0,
}
_EASIEST: Coefficients = {
    **dict.fromkeys(("last_in_house", "last_of_sum"), 4.0),
    "box_single": 3.0,
    **dict.fromkeys(("row_single", "column_single", "other_single"), 2.0),
    "naked_single": 1.0,
    "locked_single": 0.5,
}


class GameKind(NamedTuple):
    """The models and predictors for games of a kind of puzzle.

    Attributes
    ----------
    model : str or None
        File of the shipped model of fill orders, if there is one.
    baselines : mapping of str to Listed or Coefficients
        The older predictors of fill orders, and the uniform order, by name.
    entered : callable
        Takes the values of a solution; returns True for those that people write down.
    """

    model: str | None
    baselines: Mapping[str, Listed | Coefficients]
    entered: Callable[[Values], NDArray[np.bool_]]


KINDS: dict[str, GameKind] = {
    Sudoku.kind: GameKind(
        model="fill_order.json",
        baselines={
            "SiSuS": Listed(_REFUTATION),
            "relaxation": Listed(relaxation_places, runs=20),
            "brute force": Listed(partial(solver_places, BruteForce())),
            "annealing": Listed(partial(solver_places, Annealing()), runs=3),
            "uniform": {},
        },
        entered=lambda values: values > 0,
    ),
    Nurikabe.kind: GameKind(
        model="fill_order_nurikabe.json",
        baselines={
            "logic": Listed(logic_places),
            "SiSuS": Listed(_REFUTATION, runs=10),
            "annealing": Listed(_NURIKABE_ANNEALING, runs=3),
            "reading": {"scan_rank": -_SHARP},
            "uniform": {},
        },
        entered=lambda values: values == BLACK,
    ),
    Variant.kind: GameKind(
        model="fill_order_variant.json",
        baselines={
            "easiest single": _EASIEST,
            "nearest single": {**_SINGLES, "distance": -2 * _SHARP},
            "nearest": {"distance": -2 * _SHARP},
            "uniform": {},
        },
        entered=lambda values: values > 0,
    ),
}
"""The kinds of puzzle with known games, by name."""


def find_kind(kind: str) -> GameKind:
    """Return the models and predictors for games of a kind.

    Raises
    ------
    ValueError
        For a kind without known games.
    """
    if kind not in KINDS:
        raise ValueError(f"no games of {kind!r} puzzles are known; known: {', '.join(KINDS)}")
    return KINDS[kind]
