"""The walker on Nurikabe: before each step, kernels climb the ladder from the start."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from nando.puzzles.nurikabe import Nurikabe
from nando.solvers.logic.nurikabe import ladder as kernels
from nando.solvers.logic.nurikabe.faults import contradiction_of
from nando.solvers.logic.nurikabe.shading import NURIKABE_LADDER, NurikabeStep, Shading
from nando.solvers.logic.nurikabe.state import (
    COLOUR,
    N_CELLS,
    N_REASON,
    RATING,
    NurikabeFinding,
    new_finding,
    new_groups,
)
from nando.solvers.logic.technique import Ladder, Technique, rungs_of
from nando.solvers.logic.walk import Fill, LogicRatings
from nando.solvers.nurikabe.state import (
    N_SET,
    NurikabeState,
    cells_at,
    colour_cells,
    new_state,
    walled_cells,
)
from nando.solvers.protocol import Rule


@dataclass(frozen=True)
class NurikabeWalker:
    """Finds the steps of Nurikabe; see :class:`nando.solvers.logic.walk.Walker`.

    Parameters
    ----------
    ladder : tuple of Technique
    effort : int
        Not used: no technique of Nurikabe needs a bound.
    """

    ladder: Ladder
    effort: int = 0

    def steps(self, puzzle: Nurikabe, start: Shading | None = None) -> Iterator[NurikabeStep]:
        """Yield the steps, one by one, until the board is full or no technique finds one."""
        state = new_state(puzzle) if start is None else standing_state(start)
        groups, finding = new_groups(state), new_finding(state)
        while state.counts[N_SET] < puzzle.n_cells:
            rung = kernels.find_step(state, groups, self._rungs, finding)
            if rung < 0:
                return
            yield step_of(self.ladder[rung], puzzle, state, finding)
            cells = finding.cells[: finding.head[N_CELLS]]
            colour_cells(state, cells, np.full(cells.size, finding.head[COLOUR], np.int8))

    def fills(self, step: NurikabeStep) -> Sequence[Fill]:
        """Return the cells that a step colours."""
        rule = Rule.REFUTATION if step.supposed else Rule.NAKED_SINGLE
        return [Fill(cell, step.colour, rule) for cell in step.cells]

    def rate(self, puzzles: Sequence[Nurikabe]) -> LogicRatings:
        """Return the ratings of puzzles.

        If there are several solutions, the cells in which they differ stay open.
        """
        solved = np.zeros(len(puzzles), np.bool_)
        rating = np.zeros(len(puzzles))
        uses = np.zeros((len(puzzles), len(self.ladder)), np.int64)
        for i, puzzle in enumerate(puzzles):
            state = new_state(puzzle)
            groups, finding = new_groups(state), new_finding(state)
            rating[i] = kernels.climb(state, groups, self._rungs, finding, uses[i]) / 10
            solved[i] = state.counts[N_SET] == puzzle.n_cells
        return LogicRatings(solved, rating, uses)

    @cached_property
    def _rungs(self) -> NDArray[np.int64]:
        return rungs_of(self.ladder)


@lru_cache(maxsize=256)
def walk_places(puzzle: Nurikabe) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return when the walk colours each cell, and the rating of the step that does.

    The results for the latest puzzles are cached: all games of a contest are on the same ones.

    Returns
    -------
    places, ratings : ndarray of float64, shape (n_cells,)
        Read-only. `places` holds the share of the blanks that the walk colours before the cell: 0
        for numbers, 1 if the walk does not reach the cell.
    """
    blank = puzzle.givens == 0
    places, ratings = blank.astype(np.float64), np.where(blank, NURIKABE_LADDER[-1].rating, 0.0)
    n_blanks, n_done = max(int(blank.sum()), 1), 0
    for step in NurikabeWalker(NURIKABE_LADDER).steps(puzzle):
        places[list(step.cells)] = n_done / n_blanks
        ratings[list(step.cells)] = step.rating
        n_done += len(step.cells)
    for array in (places, ratings):
        array.flags.writeable = False
    return places, ratings


def standing_state(shading: Shading) -> NurikabeState:
    """Return the state of a partly shaded board."""
    puzzle, values = shading.puzzle, shading.values
    state = new_state(puzzle)
    entered = (values > 0) & (puzzle.givens == 0)
    colour_cells(state, walled_cells(puzzle.shape)[entered], values[entered])
    return state


def step_of(
    technique: Technique, puzzle: Nurikabe, state: NurikabeState, finding: NurikabeFinding
) -> NurikabeStep:
    """Return the step that a kernel wrote into `finding`."""
    head = finding.head
    cells = cells_at(finding.cells[: head[N_CELLS]], state.width)
    reason = cells_at(finding.reason[: head[N_REASON]], state.width).tolist()
    supposed: tuple[tuple[int, int], ...] = ()
    contradiction = None
    if technique.kernel in (kernels.REFUTATION, kernels.DEEP_REFUTATION):
        supposed = tuple(zip(reason, finding.colours[: len(reason)].tolist(), strict=True))
        colours = state.colour[walled_cells(puzzle.shape)].tolist()
        for cell, colour in supposed:
            colours[cell] = colour
        contradiction = contradiction_of(puzzle, colours)
        reason = []
    return NurikabeStep(
        technique,
        int(head[RATING]) / 10,
        tuple(sorted(cells.tolist())),
        int(head[COLOUR]),
        tuple(dict.fromkeys(reason)),
        supposed,
        contradiction,
    )
