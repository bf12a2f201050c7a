"""What games need of each kind of puzzle: one table, with a record for each kind.

A program that fills a list of cells, made before the game, has *places*: the mean position of each
cell in this list.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nando.arrays import Cells, Floats
from nando.on_demand import OnDemand, place
from nando.puzzles import Nurikabe, Puzzle, Sudoku, Values, Variant
from nando.puzzles.nurikabe import BLACK
from nando.solvers import Annealing, BruteForce, Limit, LogicSolver, Refutation, Relaxation
from nando.solvers.logic.nurikabe.board_walk import walk_places

Places = Callable[[Any, int, np.random.Generator], Floats]
"""Takes a puzzle, a number of runs and a generator; returns the mean position of each cell."""

Coefficients = Mapping[str, float]
"""The coefficients of a model of fill orders, by column; 0 for other columns."""


def solver_places(
    solver: Any, puzzle: Puzzle, runs: int, rng: np.random.Generator, **options: Any
) -> Floats:
    """Return the mean order in which a solver fills the cells; options are those of `profile`."""
    order: Floats = solver.profile(puzzle, runs=runs, rng=rng, **options).order
    return order


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


def logic_places(puzzle: Nurikabe, runs: int, rng: np.random.Generator) -> Floats:
    """Return the order of the logic solver, easiest step first; cells of one step are ties."""
    del runs, rng
    places, _ = walk_places(puzzle)
    return np.where(puzzle.givens == 0, 1.0 + places * puzzle.n_cells, 0.0)


@dataclass(frozen=True)
class GameKind(OnDemand):
    """What games need of a kind of puzzle. A kind without programs is not audited.

    Attributes
    ----------
    entered : callable
        Takes the values of a solution; returns True for those that people write down.
    model : str or None
        File of the shipped model of fill orders, if there is one.
    baselines : mapping of str to (Places, int) or Coefficients
        The older predictors of fill orders, and the uniform order, by name. A list of cells made
        before the game is the mean of a number of runs.
    published : callable or None
        Returns the :class:`nando.games.training.HonestGames` from which models are fitted.
    draw : callable or None
        Takes a number, a generator and persons fitted to games; returns drawn
        :class:`nando.games.people.persons.Persons`.
    n_drawn : int
        Number of persons that are drawn for a population.
    learns : bool
        Whether the prediction improves with a person who learns during a game.
    programs : module or None
        Has ``PROGRAMS``, by name, and ``scene_of``, which takes a puzzle and the replay of a game
        and returns the data by which the programs choose.
    solvers : mapping of str to Solver
        The solvers from whose runs further programs are learnt.
    ladder : Places or None
        The program that takes the easiest step of a logic solver.
    replay : callable or None
        Takes a puzzle, its solution and the cells of a game; returns the
        :class:`nando.solvers.people.fills.choices.Replay` with the cells among which each fill is
        judged.
    has_times : bool
        Whether people's times for a fill are known. Otherwise games are judged by the order alone.
    has_techniques : bool
        Whether techniques beyond the simplest rules are searched for, so that a fill without any
        technique is evidence.
    """

    entered: Callable[[Values], NDArray[np.bool_]]
    model: str | None = None
    baselines: Mapping[str, tuple[Places, int] | Coefficients] = field(default_factory=dict)
    published: Callable[[], Any] | None = None
    draw: Callable[..., Any] | None = None
    n_drawn: int = 300
    learns: bool = False
    programs: Any = None
    solvers: Mapping[str, Any] = field(default_factory=dict)
    ladder: Places | None = None
    replay: Callable[[Any, Values, Cells], Any] | None = None
    has_times: bool = False
    has_techniques: bool = False


_SHARP = 2.0

_REFUTATION = partial(solver_places, Refutation())
"""Refutation-based propagation."""

_NURIKABE_ANNEALING = partial(
    solver_places, Annealing.thesis_nurikabe(0.999), limit=Limit(steps=100_000)
)
"""Annealing with the thesis's cooling and a budget; where it ends first, the last swaps count."""

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

KINDS: dict[str, GameKind] = {
    Sudoku.kind: GameKind(
        entered=lambda values: values > 0,
        model="fill_order.json",
        baselines={
            "SiSuS": (_REFUTATION, 30),
            "relaxation": (relaxation_places, 20),
            "brute force": (partial(solver_places, BruteForce()), 30),
            "annealing": (partial(solver_places, Annealing()), 3),
            "uniform": {},
        },
        published=place("nando.games.training:sudoku_games"),
        draw=place("nando.games.people.habits:sudoku_players"),
        programs=place("nando.games.evidence.sudoku_programs"),
        solvers=place("nando.games.evidence.reading:SUDOKU_SOLVERS"),
        ladder=ladder_places,
        replay=place("nando.solvers.people.fills.houses:SUDOKU.replay"),
        has_times=True,
        has_techniques=True,
    ),
    Nurikabe.kind: GameKind(
        entered=lambda values: values == BLACK,
        model="fill_order_nurikabe.json",
        baselines={
            "logic": (logic_places, 30),
            "SiSuS": (_REFUTATION, 10),
            "annealing": (_NURIKABE_ANNEALING, 3),
            "reading": {"scan_rank": -_SHARP},
            "uniform": {},
        },
        published=place("nando.games.training:nurikabe_games"),
        draw=place("nando.games.people.habits:nurikabe_players"),
        programs=place("nando.games.evidence.nurikabe_programs"),
        ladder=logic_places,
        replay=place("nando.solvers.people.fills.nurikabe:replay_of_colour"),
    ),
    Variant.kind: GameKind(
        entered=lambda values: values > 0,
        model="fill_order_variant.json",
        baselines={
            "easiest single": _EASIEST,
            "nearest single": {**_SINGLES, "distance": -2 * _SHARP},
            "nearest": {"distance": -2 * _SHARP},
            "uniform": {},
        },
        published=place("nando.games.training:variant_games"),
        draw=place("nando.games.people.habits:variant_players"),
        # 300 persons, who have many habits, predict no better.
        n_drawn=100,
        learns=True,
        programs=place("nando.games.evidence.sudoku_programs"),
        replay=place("nando.solvers.people.fills.houses:VARIANT.replay"),
    ),
}
"""The record of each kind of puzzle with known games, by its name."""


def find_kind(kind: str) -> GameKind:
    """Return what games need of a kind of puzzle.

    Raises
    ------
    ValueError
        For a kind without known games.
    """
    if kind not in KINDS:
        raise ValueError(f"no games of {kind!r} puzzles are known; known: {', '.join(KINDS)}")
    return KINDS[kind]
