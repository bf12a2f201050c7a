"""The models and predictors of games, by kind of puzzle. A new kind is one entry."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.games.places import (
    Places,
    annealing_places,
    brute_force_places,
    logic_places,
    nurikabe_annealing_places,
    refutation_places,
    relaxation_places,
)
from nando.puzzles import Nurikabe, Sudoku, Values, Variant
from nando.puzzles.nurikabe.puzzle import BLACK

_SHARP = 2.0


class Listed(NamedTuple):
    """A list of cells that a solver makes before the game, the mean of some runs."""

    places: Places
    runs: int = 30


Coefficients = Mapping[str, float]
"""Of a model of fill orders, by column; 0 for the others."""

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
    """What games of a kind of puzzle are judged by.

    Attributes
    ----------
    model : str or None
        File of the model of fill orders that is shipped for it, if there is one.
    baselines : mapping of str to Listed or Coefficients
        The older predictors of fill orders, and the uniform order, by name.
    entered : callable
        Takes the values of a solution: which of them people write down.
    """

    model: str | None
    baselines: Mapping[str, Listed | Coefficients]
    entered: Callable[[Values], NDArray[np.bool_]]


KINDS: dict[str, GameKind] = {
    Sudoku.kind: GameKind(
        model="fill_order.json",
        baselines={
            "SiSuS": Listed(refutation_places),
            "relaxation": Listed(relaxation_places, runs=20),
            "brute force": Listed(brute_force_places),
            "annealing": Listed(annealing_places, runs=3),
            "uniform": {},
        },
        entered=lambda values: values > 0,
    ),
    Nurikabe.kind: GameKind(
        model="fill_order_nurikabe.json",
        baselines={
            "logic": Listed(logic_places),
            "SiSuS": Listed(refutation_places, runs=10),
            "annealing": Listed(nurikabe_annealing_places, runs=3),
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
"""The kinds of puzzle that games are known of, by name."""


def find_kind(kind: str) -> GameKind:
    """Return what games of a kind are judged by.

    Raises
    ------
    ValueError
        For a kind that no games are known of.
    """
    if kind not in KINDS:
        raise ValueError(f"no games of {kind!r} puzzles are known; known: {', '.join(KINDS)}")
    return KINDS[kind]
