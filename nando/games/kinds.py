"""The models and predictors of games, by kind of puzzle. A new kind is one entry.

Some predictors make a list of the cells before the game, in the order in which a solver fills them.
"""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.arrays import Floats
from nando.puzzles import Nurikabe, Puzzle, Sudoku, Values, Variant
from nando.puzzles.nurikabe import BLACK
from nando.rating.records import SHIPPED_MODELS, parsed
from nando.solvers import Annealing, BruteForce, Limit, LogicSolver, Refutation, Relaxation
from nando.solvers.logic.nurikabe.walk import walk_places

Places = Callable[[Any, int, np.random.Generator], Floats]
"""Returns the mean position of each cell in a solver's order over some runs."""


def solver_places(
    solver: Any, puzzle: Puzzle, runs: int, rng: np.random.Generator, **options: Any
) -> Floats:
    """Return the mean order in which a solver fills the cells; options are those of `profile`."""
    order: Floats = solver.profile(puzzle, runs=runs, rng=rng, **options).order
    return order


def logic_places(puzzle: Nurikabe, runs: int, rng: np.random.Generator) -> Floats:
    """Return the order of the logic solver, easiest step first; cells of one step are ties."""
    del runs, rng
    places, _ = walk_places(puzzle)
    return np.where(puzzle.givens == 0, 1.0 + places * puzzle.n_cells, 0.0)


def relaxation_places(puzzle: Puzzle, runs: int, rng: np.random.Generator) -> Floats:
    """Return the cells that stay fixed in most relaxations first."""
    fixedness = Relaxation().profile(puzzle, runs=runs, rng=rng).fixedness
    return np.where(np.asarray(puzzle.givens) == 0, 2.0 - fixedness, 0.0)


def ladder_places(puzzle: Sudoku | Variant, runs: int, rng: np.random.Generator) -> Floats:
    """Return the order of the logic solver, which always takes the easiest step.

    Cells that it does not solve come last.
    """
    del runs, rng
    cells = LogicSolver().run(puzzle).trace["cell"]
    places = np.where(np.asarray(puzzle.givens) == 0, 1.0 + len(cells), 0.0)
    places[cells] = np.arange(1.0, len(cells) + 1)
    return places


_SHARP = 2.0

_REFUTATION = partial(solver_places, Refutation())
"""Refutation-based propagation."""

_NURIKABE_ANNEALING = partial(
    solver_places, Annealing.thesis_nurikabe(0.999), limit=Limit(steps=100_000)
)
"""Annealing with the thesis's cooling and a budget; where it ends first, the last swaps count."""


class Listed(NamedTuple):
    """A list of cells that a solver makes before the game, as the mean of some runs."""

    places: Places
    runs: int = 30


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


FORMAT = "nando fill order 2"

_WHAT = "a model of fill orders"


def read_record(text: str) -> dict[str, Any]:
    """Return the record in the text of a file of fill orders; ValueError if there is none."""
    return parsed(text, FORMAT, _WHAT)


def file_of(path: str | Path | None = None, kind: str = Sudoku.kind) -> Path:
    """Return the file of a model of fill orders: `path`, or the file shipped with nando.

    Raises
    ------
    ValueError
        If no model is shipped for a kind of puzzle.
    """
    if path is not None:
        return Path(path)
    model = KINDS[kind].model if kind in KINDS else None
    if model is None:
        raise ValueError(f"no model of fill orders is shipped for {kind!r} puzzles")
    return SHIPPED_MODELS / model
