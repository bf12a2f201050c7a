"""The logic solver on Nurikabe: its ladder of techniques, and its steps in words.

No public ladder for Nurikabe is rated against people, so these ratings only order the techniques:
what is seen at one cell or one island comes first, then reach, then the river as a whole, then
what-ifs, of which longer ones rate higher. All are sound whatever the number of solutions.
"""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nando.puzzles.nurikabe.puzzle import Nurikabe
from nando.solvers.exact.search import unique_solution
from nando.solvers.logic.nurikabe import ladder as kernels
from nando.solvers.logic.nurikabe.faults import contradiction_of
from nando.solvers.logic.nurikabe.shading import Shading
from nando.solvers.logic.nurikabe.state import (
    COLOUR,
    N_CELLS,
    N_REASON,
    RATING,
    NurikabeFinding,
    new_finding,
    new_groups,
)
from nando.solvers.logic.techniques import Technique
from nando.solvers.logic.words.nurikabe import COLOURS, describe, hint, is_trial
from nando.solvers.nurikabe.state import N_SET, NurikabeState, new_state
from nando.solvers.protocol import STEP, Limit, Outcome, Rule, SolveRun

__all__ = [
    "NURIKABE_LADDER",
    "NurikabeStep",
    "Shading",
    "nurikabe_steps",
    "rate_nurikabe",
    "run_nurikabe",
]


def _technique(name: str, rating: float, sentence: str, kernel: int, degree: int = 0) -> Technique:
    return Technique(name, rating, sentence, kernel, degree, Nurikabe.kind)


NURIKABE_LADDER: tuple[Technique, ...] = (
    _technique(
        "between numbers",
        1.0,
        "A cell next to two numbers would join their islands: it is river.",
        kernels.BETWEEN,
    ),
    _technique(
        "island of one", 1.0, "Around a 1 there is river on all sides.", kernels.COMPLETE, 0
    ),
    _technique(
        "between islands",
        1.2,
        "A cell next to two islands would join them: it is river.",
        kernels.BETWEEN,
        1,
    ),
    _technique(
        "complete island",
        1.2,
        "An island has all its cells: there is river around it.",
        kernels.COMPLETE,
        1,
    ),
    _technique(
        "pool", 1.3, "Three cells of a 2x2 block are river: the fourth is white.", kernels.POOL
    ),
    _technique(
        "single liberty of the river",
        1.5,
        "A part of the river has one way out to the rest.",
        kernels.RIVER_LIBERTY,
    ),
    _technique(
        "single liberty of an island",
        1.5,
        "White cells that lack more, or a number, have one way out.",
        kernels.ISLAND_LIBERTY,
    ),
    _technique(
        "island too large",
        1.8,
        "A cell would make an island larger than its number: it is river.",
        kernels.OVERSIZE,
    ),
    _technique(
        "total",
        1.8,
        "All white cells, or all cells of the river, are found: the rest has the other colour.",
        kernels.TOTAL,
    ),
    _technique(
        "cut off from the river",
        2.0,
        "White cells part some cells from the river: they are white.",
        kernels.ENCLOSED,
    ),
    _technique(
        "shared liberty",
        2.2,
        "An island lacks one cell: what touches every place for it is river.",
        kernels.SHARED_LIBERTY,
    ),
    _technique(
        "unreachable", 2.4, "Cells that no island can grow to are river.", kernels.UNREACHABLE, 0
    ),
    _technique(
        "river bottleneck",
        2.8,
        "Without a cell the river would fall apart: it is river.",
        kernels.RIVER_BOTTLENECK,
        0,
    ),
    _technique(
        "only room left",
        2.8,
        "An island can grow to no more cells than it lacks: all of them are white.",
        kernels.FILLED_REACH,
        0,
    ),
    _technique(
        "island bottleneck",
        3.0,
        "Without a cell an island could not get all its cells: it is white.",
        kernels.ISLAND_BOTTLENECK,
        0,
    ),
    _technique(
        "unreachable by pledge",
        3.2,
        "White cells that one island alone can grow to are its own; with that, cells no island "
        "can grow to are river.",
        kernels.UNREACHABLE,
        1,
    ),
    _technique(
        "stranded cells",
        3.4,
        "Without a cell, white cells would have no way to a number: it is white.",
        kernels.STRANDED,
    ),
    _technique(
        "island bottleneck by pledge",
        3.6,
        "White cells that one island alone can grow to are its own; without a cell it could not "
        "have them and all its cells.",
        kernels.ISLAND_BOTTLENECK,
        1,
    ),
    _technique(
        "only breaker of a block",
        3.8,
        "One island alone can keep a 2x2 block from being all river, and only by way of a cell: "
        "it is white.",
        kernels.BLOCK_BREAKER,
    ),
    _technique(
        "river too short",
        4.0,
        "Without a cell the river would have too few cells: it is river.",
        kernels.RIVER_BOTTLENECK,
        1,
    ),
    _technique(
        "counted blocks",
        4.2,
        "As many white cells are left as 2x2 blocks side by side need: elsewhere is river.",
        kernels.BLOCK_COUNT,
    ),
    _technique(
        "what-if near by",
        5.0,
        "One colour of a cell leads to a contradiction by pools, touching islands and single "
        "liberties alone. 5.0, and 0.1 more for each doubling of the way.",
        kernels.REFUTATION,
        0,
    ),
    _technique(
        "what-if",
        6.0,
        "One colour of a cell leads to a contradiction by all the rules. 6.0, and 0.1 more for "
        "each doubling of the way.",
        kernels.REFUTATION,
        1,
    ),
    _technique(
        "dilemma",
        7.0,
        "Cells have the same colour whichever a certain cell has.",
        kernels.DILEMMA,
    ),
    _technique(
        "deep what-if",
        8.0,
        "One colour of a cell leads to a contradiction, with what-ifs on the way.",
        kernels.DEEP_REFUTATION,
    ),
)
"""Techniques for Nurikabe, easiest first."""


@dataclass(frozen=True)
class NurikabeStep:
    """One step: cells that get a colour, and why.

    Attributes
    ----------
    technique : Technique
    rating : float
    cells : tuple of int
        Cells decided, row by row from 0.
    colour : int
        What they become: 1 white, 2 black.
    reason : tuple of int
        Cells to look at: the island, the block, the parts of the river that would fall apart; in
        a dilemma the cell that has either colour.
    supposed : tuple of (cell, colour)
        In a what-if the colour that was supposed, then what it entails up to the contradiction.
    contradiction : str
        What is then wrong.
    """

    technique: Technique
    rating: float
    cells: tuple[int, ...]
    colour: int
    reason: tuple[int, ...]
    supposed: tuple[tuple[int, int], ...] = ()
    contradiction: str = ""

    @property
    def is_harvest(self) -> bool:
        """Whether nothing was supposed; a what-if opens a new paragraph."""
        return not is_trial(self)

    def describe(self, shading: Shading) -> str:
        """The step in a sentence, with its reason; `shading` is the board before it."""
        return describe(self, shading)

    def hint(self, shading: Shading, degree: int) -> str:
        """A part of it: the technique and where (1), its cells (2), or all of it (3).

        Raises
        ------
        ValueError
            For another degree.
        """
        return hint(self, shading, degree)

    def record(self, shading: Shading) -> dict[str, Any]:
        """The step for programs; cells and colours by name."""
        name = shading.puzzle.cell_name
        return {
            "technique": self.technique.name,
            "rating": self.rating,
            "cells": [name(cell) for cell in self.cells],
            "colour": COLOURS[self.colour],
            "reason": [name(cell) for cell in self.reason],
            "supposed": [[name(cell), COLOURS[colour]] for cell, colour in self.supposed],
            "contradiction": self.contradiction,
            "sentence": self.describe(shading),
        }


def nurikabe_steps(
    puzzle: Nurikabe, ladder: tuple[Technique, ...] = NURIKABE_LADDER
) -> Iterator[NurikabeStep]:
    """The steps of the solution, until it is full or stuck; see :meth:`LogicSolver.steps`."""
    unique_solution(puzzle)
    return _steps(puzzle, ladder)


def run_nurikabe(puzzle: Nurikabe, ladder: tuple[Technique, ...], limit: Limit) -> SolveRun:
    """Solve within a limit; see :meth:`LogicSolver.run`."""
    end = None if limit.seconds is None else time.monotonic() + limit.seconds
    solution = unique_solution(puzzle)
    n_blank = puzzle.n_cells - puzzle.n_islands
    rows: list[tuple[int, int, int, int, int, float]] = []
    n_steps = 0
    for step in _steps(puzzle, ladder):
        n_steps += 1
        rule = Rule.REFUTATION if step.supposed else Rule.NAKED_SINGLE
        for cell in step.cells:
            since = int(cell == step.cells[0])
            rows.append((len(rows) + 1, cell, step.colour, rule, since, step.rating))
        outcome = None
        if limit.steps is not None and n_steps >= limit.steps:
            outcome = Outcome.STEP_LIMIT
        elif end is not None and time.monotonic() >= end:
            outcome = Outcome.TIME_LIMIT
        if outcome and len(rows) < n_blank:
            return SolveRun(outcome, n_steps, None, np.array(rows, STEP))
    trace = np.array(rows, STEP)
    if len(rows) < n_blank:
        return SolveRun(Outcome.STUCK, n_steps, None, trace)
    return SolveRun(Outcome.SOLVED, n_steps, solution, trace, 1)


def rate_nurikabe(
    puzzle: Nurikabe, ladder: tuple[Technique, ...] = NURIKABE_LADDER
) -> tuple[bool, float, NDArray[np.int64]]:
    """Whether the ladder suffices, the rating of the hardest step, the uses of each technique.

    The puzzle need not have exactly one solution: cells that differ are then left open.
    """
    state = new_state(puzzle)
    uses = np.zeros(len(ladder), np.int64)
    hardest = kernels.climb(state, new_groups(state), _rungs(ladder), new_finding(state), uses)
    return bool(state.counts[N_SET] == puzzle.n_cells), hardest / 10, uses


def walk_places(puzzle: Nurikabe) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """When the walk comes to each cell, and the rating of the step that colours it.

    Returns
    -------
    places, ratings : ndarray of float64, shape (n_cells,)
        Places are shares of the blanks coloured before, 1 where the walk does not get to a cell;
        0 for numbers.
    """
    blank = puzzle.givens == 0
    places, ratings = blank.astype(np.float64), np.where(blank, NURIKABE_LADDER[-1].rating, 0.0)
    n_blanks, n_done = max(int(blank.sum()), 1), 0
    for step in _steps(puzzle, NURIKABE_LADDER):
        places[list(step.cells)] = n_done / n_blanks
        ratings[list(step.cells)] = step.rating
        n_done += len(step.cells)
    return places, ratings


def _steps(puzzle: Nurikabe, ladder: tuple[Technique, ...]) -> Iterator[NurikabeStep]:
    state = new_state(puzzle)
    groups, finding = new_groups(state), new_finding(state)
    rungs = _rungs(ladder)
    while state.counts[N_SET] < puzzle.n_cells:
        rung = kernels.find_step(state, groups, rungs, finding)
        if rung < 0:
            return
        yield _step(ladder[rung], puzzle, state, finding)
        kernels.apply(state, finding)


def _rungs(ladder: tuple[Technique, ...]) -> NDArray[np.int64]:
    return np.array([(t.kernel, t.degree, round(t.rating * 10)) for t in ladder], np.int64)


def _step(
    technique: Technique, puzzle: Nurikabe, state: NurikabeState, finding: NurikabeFinding
) -> NurikabeStep:
    """The step that a kernel wrote down."""
    head = finding.head
    width = state.width

    def unwalled(cells: NDArray[np.int32]) -> list[int]:
        return [(cell // width - 1) * (width - 2) + cell % width - 1 for cell in cells.tolist()]

    cells = tuple(sorted(unwalled(finding.cells[: head[N_CELLS]])))
    reason = unwalled(finding.reason[: head[N_REASON]])
    supposed: tuple[tuple[int, int], ...] = ()
    contradiction = ""
    if technique.kernel in (kernels.REFUTATION, kernels.DEEP_REFUTATION):
        supposed = tuple(zip(reason, finding.colours[: len(reason)].tolist(), strict=True))
        colours = state.colour[:-1].reshape(-1, width)[1:-1, 1:-1].ravel().tolist()
        for cell, colour in supposed:
            colours[cell] = colour
        contradiction = contradiction_of(puzzle, colours)
        reason = []
    return NurikabeStep(
        technique,
        int(head[RATING]) / 10,
        cells,
        int(head[COLOUR]),
        tuple(dict.fromkeys(reason)),
        supposed,
        contradiction,
    )
