"""The probing search: rules, trials of both colours in every open cell, and branches."""

import numpy as np

from nando.kernels.compile import lean_kernel
from nando.puzzles.nurikabe import BLACK, WHITE, Nurikabe
from nando.solvers.exact.bands import DEPTH, FOUND, GUESSES
from nando.solvers.nurikabe.rules import RULES, propagate
from nando.solvers.nurikabe.state import (
    N_SET,
    OPEN,
    cells_at,
    colour_cell,
    forget_findings,
    keep_findings,
    new_state,
    take_back,
)

# Indices in `position`, where the search is at its present depth.
CHANGED = 0
"""1 if cells were coloured since the rules were last applied."""
CURSOR = 1
LEFT = 2
"""Number of cells not tried since the last change, from index CURSOR of the order on."""
BEST = 3
BEST_SCORE = 4
"""Cell to branch on, whose colours decide most other cells."""
ROUND = 5
"""Number of changes so far."""
N_POSITION = 6

# Rows of the stack.
ORDER = 0
"""Cells in the order in which they are tried."""
BRANCH = 1
"""Number of cells coloured before the branch of each depth; the next one is the branch."""
TRIED = 1
"""Row TRIED + colour: the last round in which this colour of each cell broke no rule."""
FOLLOWED = 4
"""List of the cells that follow from white in a trial."""
FOLLOWED_COLOUR = 5
"""Colour of each of these cells; 0 for all others."""
SHARED = 6
"""List of the cells that have the same colour after both trials."""
N_STACK = 7


class ProbingSearch:
    """Search for the solutions of a Nurikabe; see :class:`nando.solvers.kinds.Search`.

    A guess is a cell tried in both colours, or a cell branched on.
    """

    def __init__(self, puzzle: Nurikabe) -> None:
        self.progress = np.zeros(3, np.int64)
        self.solutions = np.zeros((2, puzzle.n_cells), np.int8)
        self._state = new_state(puzzle)
        self._position = np.zeros(N_POSITION, np.int64)
        self._position[CHANGED] = 1
        open_cells = np.flatnonzero(self._state.colour == OPEN)
        self._stack = np.zeros((N_STACK, self._state.colour.size), np.int32)
        self._stack[ORDER, : open_cells.size] = open_cells

    def advance(self, limit: int, most_guesses: int) -> None:
        """Continue until `limit` solutions, `most_guesses` guesses in all, or the end."""
        advance_nurikabe(
            self._state,
            self._stack,
            self._position,
            self.progress,
            limit,
            most_guesses,
            self.solutions,
        )

    @property
    def settled(self) -> list[tuple[int, int]]:
        """Cells that have one colour in all solutions not found yet, and this colour."""
        branched = self.progress[DEPTH] > 0
        n_settled = self._stack[BRANCH, 0] if branched else self._state.counts[N_SET]
        cells = self._state.trail[:n_settled]
        inside = cells_at(cells, self._state.width).tolist()
        return list(zip(inside, self._state.colour[cells].tolist(), strict=True))


@lean_kernel
def advance_nurikabe(state, stack, position, progress, limit, most_guesses, solutions):
    """Continue until `limit` solutions, `most_guesses` guesses, or the end (depth -1).

    `solutions` receives the first two.
    """
    n_order = state.n_cells - state.n_islands
    while progress[DEPTH] >= 0 and progress[FOUND] < limit and progress[GUESSES] < most_guesses:
        if position[CHANGED] > 0:
            alive = propagate(state, RULES, state.n_cells)
            position[CHANGED] = 0
            position[ROUND] += 1
            position[LEFT] = n_order
            position[BEST_SCORE] = -1
            if alive and state.counts[N_SET] == state.n_cells:
                _keep_solution(state, progress, solutions)
                alive = False
            if not alive:
                _step_back(state, stack, position, progress)
                continue
            keep_findings(state)
        if position[LEFT] > 0:
            cell = int(stack[ORDER, position[CURSOR]])
            position[CURSOR] = (position[CURSOR] + 1) % n_order
            position[LEFT] -= 1
            if state.colour[cell] == OPEN:
                _try_cell(state, stack, position, cell, progress, solutions)
            continue
        stack[BRANCH, progress[DEPTH]] = state.counts[N_SET]
        progress[DEPTH] += 1
        progress[GUESSES] += 1
        colour_cell(state, position[BEST], WHITE)
        position[CHANGED] = 1


@lean_kernel
def _keep_solution(state, progress, solutions):
    if progress[FOUND] < 2:
        i = 0
        for cell in range(state.colour.size):
            if state.colour[cell] == WHITE or state.colour[cell] == BLACK:
                solutions[progress[FOUND], i] = state.colour[cell]
                i += 1
    progress[FOUND] += 1


@lean_kernel
def _step_back(state, stack, position, progress):
    """End the latest branch: its cell gets the other colour."""
    progress[DEPTH] -= 1
    depth = progress[DEPTH]
    if depth >= 0:
        n_set = int(stack[BRANCH, depth])
        cell = state.trail[n_set]
        colour = int(state.colour[cell])
        forget_findings(state)
        take_back(state, n_set)
        colour_cell(state, cell, WHITE + BLACK - colour)
        position[CHANGED] = 1


@lean_kernel
def _try_cell(state, stack, position, cell, progress, solutions):
    """Try both colours in a cell; colour it if one is refuted, and the cells that both imply."""
    counts = state.counts
    n_set = counts[N_SET]
    n_followed = 0
    n_shared = 0
    score = 0
    guessed = 0
    for colour in (WHITE, BLACK):
        if stack[TRIED + colour, cell] == position[ROUND]:
            continue
        guessed = 1
        colour_cell(state, cell, colour)
        alive = propagate(state, RULES, state.n_cells)
        if not alive or counts[N_SET] == state.n_cells:
            if alive:
                _keep_solution(state, progress, solutions)
            take_back(state, n_set)
            colour_cell(state, cell, WHITE + BLACK - colour)
            position[CHANGED] = 1
            break
        n_new = counts[N_SET] - n_set
        score = n_new if score == 0 else score * n_new * state.n_cells
        for i in range(n_new):
            other = state.trail[n_set + i]
            held = int(state.colour[other])
            stack[TRIED + held, other] = position[ROUND]
            if colour == WHITE:
                stack[FOLLOWED, i] = other
                stack[FOLLOWED_COLOUR, other] = held
                n_followed = n_new
            elif stack[FOLLOWED_COLOUR, other] == held:
                stack[SHARED, n_shared] = other
                n_shared += 1
        take_back(state, n_set)
    progress[GUESSES] += guessed
    if position[CHANGED] == 0 and n_shared > 0:
        for i in range(n_shared):
            other = stack[SHARED, i]
            colour_cell(state, other, stack[FOLLOWED_COLOUR, other])
        position[CHANGED] = 1
    for i in range(n_followed):
        stack[FOLLOWED_COLOUR, stack[FOLLOWED, i]] = OPEN
    if score > position[BEST_SCORE]:
        position[BEST] = cell
        position[BEST_SCORE] = score
