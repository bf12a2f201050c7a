"""List every step that the techniques of a ladder find on a partly shaded Nurikabe."""

from collections.abc import Callable, Iterator
from itertools import count
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.puzzles.nurikabe import BLACK, WHITE
from nando.solvers.logic.nurikabe import ladder as kernels
from nando.solvers.logic.nurikabe.shading import NurikabeStep, Shading, is_what_if
from nando.solvers.logic.nurikabe.state import (
    N_TRIES,
    PASSED_OVER,
    Groups,
    NurikabeFinding,
    new_finding,
    new_groups,
)
from nando.solvers.logic.nurikabe.walk import standing_state, step_of
from nando.solvers.logic.nurikabe.what_ifs import refute, refute_deeply, settle
from nando.solvers.logic.technique import Ladder, Technique, rungs_of
from nando.solvers.nurikabe.state import OPEN, NurikabeState


class _Board(NamedTuple):
    """A position, and the workspace of the finders."""

    shading: Shading
    state: NurikabeState
    groups: Groups
    finding: NurikabeFinding

    def open_cells(self) -> list[int]:
        """Return the open cells, as kernels number them."""
        return np.flatnonzero(self.state.colour == OPEN).tolist()


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
        yield _found(board, technique)


def _refutations(board: _Board, technique: Technique) -> Iterator[NurikabeStep]:
    """Yield, for every cell, the shortest way from one of its colours to a contradiction."""
    _, degree, rating = rungs_of((technique,))[0].tolist()
    most = board.state.n_cells + 1
    for cell in board.open_cells():
        if refute(board.state, board.finding, cell, degree, rating, most) < most:
            yield _found(board, technique)


def _dilemmas(board: _Board, technique: Technique) -> Iterator[NurikabeStep]:
    """Yield, for every cell, the cells that are white, and black, whichever colour it has."""
    _, _, rating = rungs_of((technique,))[0].tolist()
    for cell in board.open_cells():
        for colour in (WHITE, BLACK):
            if settle(board.state, board.finding, cell, colour, rating):
                yield _found(board, technique)


def _deep_refutations(board: _Board, technique: Technique) -> Iterator[NurikabeStep]:
    """Yield, for every cell, a contradiction from one of its colours, while effort is left."""
    _, _, rating = rungs_of((technique,))[0].tolist()
    for cell in board.open_cells():
        if refute_deeply(board.state, board.finding, cell, rating):
            yield _found(board, technique)


def _found(board: _Board, technique: Technique) -> NurikabeStep:
    return step_of(technique, board.shading.puzzle, board.state, board.finding)


_FINDERS: dict[int, Callable[[_Board, Technique], Iterator[NurikabeStep]]] = {
    kernels.REFUTATION: _refutations,
    kernels.DILEMMA: _dilemmas,
    kernels.DEEP_REFUTATION: _deep_refutations,
}
