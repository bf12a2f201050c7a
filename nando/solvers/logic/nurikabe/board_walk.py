"""The walker on Nurikabe: before each step, kernels climb the ladder from the start."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import count
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.puzzles.nurikabe import BLACK, WHITE, Nurikabe
from nando.solvers.logic.nurikabe import rungs as kernels
from nando.solvers.logic.nurikabe.reach_steps import (
    COLOUR,
    N_CELLS,
    N_REASON,
    N_TRIES,
    PASSED_OVER,
    RATING,
    Groups,
    NurikabeFinding,
    new_finding,
    new_groups,
)
from nando.solvers.logic.nurikabe.shading import (
    NURIKABE_LADDER,
    NurikabeStep,
    Shading,
    contradiction_of,
    is_what_if,
)
from nando.solvers.logic.nurikabe.what_ifs import refute, refute_deeply, settle
from nando.solvers.logic.technique import Fill, Ladder, LogicRatings, Technique, rungs_of
from nando.solvers.nurikabe import state as nurikabe
from nando.solvers.protocol import Rule


@dataclass(frozen=True)
class NurikabeWalker:
    """Finds the steps of Nurikabe; see :class:`nando.solvers.logic.technique.Walker`.

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
        state = nurikabe.new_state(puzzle) if start is None else standing_state(start)
        groups, finding = new_groups(state), new_finding(state)
        while state.counts[nurikabe.N_SET] < puzzle.n_cells:
            rung = kernels.find_step(state, groups, self._rungs, finding)
            if rung < 0:
                return
            yield step_of(self.ladder[rung], puzzle, state, finding)
            cells = finding.cells[: finding.head[N_CELLS]]
            nurikabe.colour_cells(state, cells, np.full(cells.size, finding.head[COLOUR], np.int8))

    def fills(self, step: NurikabeStep) -> Sequence[Fill]:
        """Return the cells that a step colours."""
        rule = Rule.REFUTATION if step.supposed else Rule.NAKED_SINGLE
        return [Fill(cell, step.colour, rule) for cell in step.cells]

    def rate(self, puzzles: Sequence[Nurikabe]) -> LogicRatings:
        """Return the ratings of puzzles.

        If there are several solutions, the cells in which they differ stay open.
        """
        blanks = np.zeros(len(puzzles), np.int64)
        rating = np.zeros(len(puzzles))
        uses = np.zeros((len(puzzles), len(self.ladder)), np.int64)
        for i, puzzle in enumerate(puzzles):
            state = nurikabe.new_state(puzzle)
            groups, finding = new_groups(state), new_finding(state)
            rating[i] = kernels.climb(state, groups, self._rungs, finding, uses[i]) / 10
            blanks[i] = puzzle.n_cells - state.counts[nurikabe.N_SET]
        return LogicRatings(blanks == 0, rating, uses, blanks)

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


def standing_state(shading: Shading) -> nurikabe.NurikabeState:
    """Return the state of a partly shaded board."""
    puzzle, values = shading.puzzle, shading.values
    state = nurikabe.new_state(puzzle)
    entered = (values > 0) & (puzzle.givens == 0)
    nurikabe.colour_cells(state, nurikabe.walled_cells(puzzle.shape)[entered], values[entered])
    return state


def step_of(
    technique: Technique, puzzle: Nurikabe, state: nurikabe.NurikabeState, finding: NurikabeFinding
) -> NurikabeStep:
    """Return the step that a kernel wrote into `finding`."""
    head = finding.head
    cells = nurikabe.cells_at(finding.cells[: head[N_CELLS]], state.width)
    reason = nurikabe.cells_at(finding.reason[: head[N_REASON]], state.width).tolist()
    supposed: tuple[tuple[int, int], ...] = ()
    contradiction = None
    if technique.kernel in (kernels.REFUTATION, kernels.DEEP_REFUTATION):
        supposed = tuple(zip(reason, finding.colours[: len(reason)].tolist(), strict=True))
        colours = state.colour[nurikabe.walled_cells(puzzle.shape)].tolist()
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


# List every step that the techniques of a ladder find on a partly shaded Nurikabe


class _Board(NamedTuple):
    """A position, and the workspace of the finders."""

    shading: Shading
    state: nurikabe.NurikabeState
    groups: Groups
    finding: NurikabeFinding

    def open_cells(self) -> list[int]:
        """Return the open cells, as kernels number them."""
        return np.flatnonzero(self.state.colour == nurikabe.OPEN).tolist()


def every_step(
    shading: Shading, ladder: Ladder, effort: NDArray[np.int64]
) -> Iterator[NurikabeStep]:
    """Yield the steps of each technique of a ladder, the easiest first; each pattern once.

    A step is left out if an easier one decides its cells and has no other cells in its reason. A
    what-if may use the whole board, so it is listed only if nothing easier decides its cells. The
    number in `effort`, shape (1,), is counted down by nested what-ifs.
    """
    state = standing_state(shading)
    board = _Board(shading, state, new_groups(state), new_finding(state))
    listed: list[NurikabeStep] = []
    for technique in ladder:
        find = _FINDERS.get(technique.kernel, _with_reasons)
        board.finding.head[N_TRIES] = effort[0]
        for step in sorted(find(board, technique), key=_order):
            if not any(_covers(before, step) for before in listed):
                listed.append(step)
                yield step
        effort[0] = max(board.finding.head[N_TRIES], 0)


def _covers(easier: NurikabeStep, step: NurikabeStep) -> bool:
    """Return True if an easier step decides the cells of another for no further reason."""
    if easier.colour != step.colour or not set(easier.cells) >= set(step.cells):
        return False
    return is_what_if(step) or set(easier.reason) <= set(step.reason)


def _order(step: NurikabeStep) -> tuple[object, ...]:
    return step.rating, step.cells, step.colour, step.reason


def _with_reasons(board: _Board, technique: Technique) -> Iterator[NurikabeStep]:
    """Yield the steps of a technique; each search passes over those that are already known."""
    rungs = rungs_of((technique,))
    for n_known in count():
        board.finding.head[PASSED_OVER] = n_known
        rung = kernels.find_step(board.state, board.groups, rungs, board.finding)
        board.finding.head[PASSED_OVER] = 0
        if rung < 0:
            return
        yield _read_step(board, technique)


def _refutations(board: _Board, technique: Technique) -> Iterator[NurikabeStep]:
    """Yield, for every cell, the shortest way from one of its colours to a contradiction."""
    _, degree, rating = rungs_of((technique,))[0].tolist()
    most = board.state.n_cells + 1
    for cell in board.open_cells():
        if refute(board.state, board.finding, cell, degree, rating, most) < most:
            yield _read_step(board, technique)


def _dilemmas(board: _Board, technique: Technique) -> Iterator[NurikabeStep]:
    """Yield, for every cell, the cells that are white, and black, whichever colour it has."""
    _, _, rating = rungs_of((technique,))[0].tolist()
    for cell in board.open_cells():
        for colour in (WHITE, BLACK):
            if settle(board.state, board.finding, cell, colour, rating):
                yield _read_step(board, technique)


def _deep_refutations(board: _Board, technique: Technique) -> Iterator[NurikabeStep]:
    """Yield, for every cell, a contradiction from one of its colours, while effort is left."""
    _, _, rating = rungs_of((technique,))[0].tolist()
    for cell in board.open_cells():
        if refute_deeply(board.state, board.finding, cell, rating):
            yield _read_step(board, technique)


def _read_step(board: _Board, technique: Technique) -> NurikabeStep:
    return step_of(technique, board.shading.puzzle, board.state, board.finding)


_FINDERS: dict[int, Callable[[_Board, Technique], Iterator[NurikabeStep]]] = {
    kernels.REFUTATION: _refutations,
    kernels.DILEMMA: _dilemmas,
    kernels.DEEP_REFUTATION: _deep_refutations,
}
