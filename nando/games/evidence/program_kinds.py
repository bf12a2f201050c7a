"""The programs with which players of each kind are compared. A new kind is one entry."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from nando.arrays import Cells, Floats
from nando.games.evidence import nurikabe_programs as nurikabe
from nando.games.evidence import sudoku_programs as sudoku
from nando.games.evidence.program import Program
from nando.games.solver_orders import Places, ladder_places, logic_places
from nando.puzzles import Nurikabe, Puzzle, Sudoku, Values, Variant
from nando.solvers.people.fills import nurikabe as nurikabe_choices
from nando.solvers.people.fills import sudoku as sudoku_choices
from nando.solvers.people.fills import variant as variant_choices
from nando.solvers.people.fills.choices import Replay
from nando.solvers.people.fills.variant_board import static_board

LADDER, LADDER_FAMILY = "logic ladder", "ladder"
LADDER_WORDS = "takes the easiest step of a logic solver"
"""The program that lists the cells before a game, in the order of the steps of a logic solver."""


class ProgramKind(NamedTuple):
    """The programs for a kind of puzzle.

    Attributes
    ----------
    programs : mapping of str to Program
    ladder : callable or None
        Takes a puzzle, a number of runs and a generator; returns each cell's position in the list
        of `LADDER`. None if there is no such program.
    scene_of : callable
        Takes a puzzle and the replay of a game; returns the data by which the programs choose.
    replay : callable
        Takes a puzzle, its solution and the cells of a game; returns the cells among which each
        fill is judged.
    has_times : bool
        Whether people's times for a fill are known. Otherwise games are judged by the order alone.
    has_techniques : bool
        Whether techniques beyond the simplest rules are searched for, so that a fill without any
        technique is evidence.
    """

    programs: Mapping[str, Program]
    ladder: Places | None
    scene_of: Callable[[Any, Replay], Any]
    replay: Callable[[Any, Values, Cells], Replay]
    has_times: bool
    has_techniques: bool


def _scene_of_variant(puzzle: Variant, replay: Replay) -> sudoku.Scene:
    boxes = np.zeros(puzzle.givens.size, np.int64)
    boxes[puzzle.places] = static_board(puzzle).houses[:, 2]
    return sudoku.scene_of_boxes(puzzle, replay, boxes)


KINDS: dict[str, ProgramKind] = {
    Sudoku.kind: ProgramKind(
        sudoku.PROGRAMS,
        ladder_places,
        sudoku.scene_of,
        sudoku_choices.replay,
        has_times=True,
        has_techniques=True,
    ),
    Nurikabe.kind: ProgramKind(
        nurikabe.PROGRAMS,
        logic_places,
        nurikabe.scene_of,
        nurikabe_choices.replay_of_colour,
        has_times=False,
        has_techniques=False,
    ),
    Variant.kind: ProgramKind(
        sudoku.PROGRAMS,
        None,
        _scene_of_variant,
        variant_choices.replay,
        has_times=False,
        has_techniques=False,
    ),
}
"""The kinds of puzzle whose programs are known, by name."""


def listed_places(puzzle: Puzzle) -> dict[str, Floats]:
    """Return each cell's position in the list of every program that makes a list."""
    ladder = KINDS[puzzle.kind].ladder
    return {} if ladder is None else {LADDER: ladder(puzzle, 1, np.random.default_rng(0))}
