"""A Sudoku on which kernels look for steps, and its ladders (``ladders/sudoku.csv``)."""

from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from nando.puzzles import Sudoku
from nando.solvers.logic import kernel_numbers
from nando.solvers.logic.chains import assumptions, house_ladder
from nando.solvers.logic.chains.house_ladder import search
from nando.solvers.logic.finders.finding import Finding, apply, list_all, new_finding, step_of
from nando.solvers.logic.finders.grid import sudoku_grid
from nando.solvers.logic.finders.pencil_marks import empty_state, state_of
from nando.solvers.logic.kernel_numbers import LARGE_WING, STRONG_LINKS
from nando.solvers.logic.marks import PencilMarks
from nando.solvers.logic.technique import (
    Ladder,
    LogicStep,
    Part,
    Scale,
    Technique,
    read_ladder,
    rungs_of,
)

SUDOKU_SCALE = Scale("SE rating", "the scale of Sukaku Explainer", "chains", 6.5)

SUKAKU_EXPLAINER: Ladder = read_ladder(Sudoku.kind, vars(assumptions) | vars(kernel_numbers))
"""Ladder of Sukaku Explainer, the successor of Sudoku Explainer.

It is the scale of the Sudoku Exchange bank: strong links and large wings come before chains.
"""

SUDOKU_EXPLAINER: Ladder = tuple(
    technique
    for technique in SUKAKU_EXPLAINER
    if technique.kernel not in (STRONG_LINKS, LARGE_WING)
)
"""Ladder of Sudoku Explainer 1.2.1: the scale of most published ratings."""


_AS_IT_STANDS = np.zeros((1, 0), np.int64)
"""Givens of a grid that is not reset."""


class SudokuBoard:
    """A Sudoku on which kernels look for steps, and the last step found.

    Attributes
    ----------
    searches, unsound : tuple of int
        Techniques that are searched for one by one, and those that this puzzle does not allow.
    state : LogicState
    finding : Finding
        The last step found.
    sound : bool
        False once a cell has no candidate left, or a digit no place in a house.
    """

    searches = (kernel_numbers.NESTED_FORCING,)
    unsound = ()

    def __init__(self, marks: PencilMarks, effort: int) -> None:
        order = marks.puzzle.order
        self._marks = marks
        self._grid = sudoku_grid(order)
        self.state = state_of(self._grid, marks.values, marks.candidates)
        self.finding, self._trial = new_finding(order), new_finding(order)
        self._effort = np.full(1, effort, np.int64)
        self.sound = True

    @property
    def n_blanks(self) -> int:
        """Number of cells not filled yet."""
        return int(self.state.n_blanks[0])

    def find(self, part: Part) -> int:
        """Write the first step of a part; return its rung in the part, or -1."""
        state, grid, finding = self.state, self._grid, self.finding
        if not part.searches:
            return house_ladder.find_step(state, grid, part.rungs, finding, self._trial)
        here = state, grid, finding, self._trial, self._effort
        return next((k for k, row in enumerate(part.rungs) if search(*here, row)), -1)

    def climb(self, part: Part, counts: NDArray[np.int64]) -> int:
        """Take the steps of a part while it finds any, and count the uses of its rungs.

        Return the hardest rating in tenths.
        """
        results = np.zeros((1, 3), np.int64)
        here = self.state, self._grid, _AS_IT_STANDS, part.rungs
        house_ladder.rate_all(*here, self.finding, self._trial, counts[None], results)
        self.sound = results[0, 0] != house_ladder.CONTRADICTION
        return int(results[0, 1])

    def apply(self) -> None:
        """Apply the last step found."""
        self.sound = bool(apply(self.state, self._grid, self.finding))

    def read(self, technique: Technique) -> LogicStep:
        """Return the last step found, by a technique."""
        return self._read(technique, self.finding)

    def _read(self, technique: Technique, finding: Finding) -> LogicStep:
        return step_of(technique, finding, self._marks.puzzle.size, range(self._grid.n_cells))

    def list_steps(self, technique: Technique, effort: NDArray[np.int64]) -> Iterator[LogicStep]:
        """Return the steps of a technique, as its finder lists them; count the effort down."""
        order, state, grid = self._marks.puzzle.order, self.state, self._grid
        rungs = rungs_of((technique,))

        def find(finding: Finding, left: NDArray[np.int64]) -> bool:
            return search(state, grid, finding, new_finding(order), left, rungs[0])

        listed = list_all(partial(new_finding, order), find, effort)
        return (self._read(technique, finding) for finding in listed)


def rate_all(
    puzzles: Sequence[Sudoku],
    rungs: NDArray[np.int64],
    uses: NDArray[np.int64],
    solved: NDArray[np.bool_],
    hardest: NDArray[np.int64],
    blanks: NDArray[np.int64],
) -> list[int]:
    """Rate puzzles without the techniques that are searched for; return the numbers of the stuck.

    Parameters
    ----------
    puzzles : sequence of Sudoku
    rungs : ndarray of int64, shape (n_techniques, 3)
    uses : ndarray of int64, shape (n, n_techniques)
    solved : ndarray of bool, shape (n,)
    hardest, blanks : ndarray of int64, shape (n,)
        Rating of the hardest step in tenths, and blanks left. Modified in place, as `uses` and
        `solved` are.
    """
    of_order: dict[int, list[int]] = {}
    for index, puzzle in enumerate(puzzles):
        of_order.setdefault(puzzle.order, []).append(index)
    results = np.zeros((len(puzzles), 3), np.int64)
    for order, indices in of_order.items():
        counts, ends = uses[indices], results[indices]
        house_ladder.rate_all(
            empty_state(sudoku_grid(order)),
            sudoku_grid(order),
            np.stack([puzzles[index].givens for index in indices], dtype=np.int64),
            rungs,
            new_finding(order),
            new_finding(order),
            counts,
            ends,
        )
        uses[indices], results[indices] = counts, ends
    solved[:], hardest[:], blanks[:] = results[:, 0] == house_ladder.SOLVED, *results[:, 1:].T
    return np.flatnonzero(results[:, 0] == house_ladder.STUCK).tolist()
