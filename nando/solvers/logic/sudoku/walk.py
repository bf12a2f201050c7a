"""The walker on Sudoku: before each step, kernels climb the ladder from the start."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from nando.puzzles import Sudoku
from nando.solvers.logic.step import LogicStep
from nando.solvers.logic.sudoku import ladder as kernels
from nando.solvers.logic.sudoku.marks import PencilMarks
from nando.solvers.logic.sudoku_chains.nested import find_nested_forcing
from nando.solvers.logic.sudoku_finders.finding import Finding, apply, new_finding
from nando.solvers.logic.sudoku_finders.reading import step_of
from nando.solvers.logic.sudoku_finders.state import (
    N_EMPTY,
    LogicState,
    empty_state,
    given_state,
    logic_layout,
    state_of,
)
from nando.solvers.logic.technique import Ladder, rungs_of
from nando.solvers.logic.walk import Fill, LogicRatings
from nando.solvers.protocol import Rule


@dataclass(frozen=True)
class SudokuWalker:
    """Finds the steps of a Sudoku; see :class:`nando.solvers.logic.walk.Walker`.

    Parameters
    ----------
    ladder : tuple of Technique
    effort : int
        Most searches of a puzzle for chains nested in an assumption.
    """

    ladder: Ladder
    effort: int

    def steps(self, puzzle: Sudoku, start: PencilMarks | None = None) -> Iterator[LogicStep]:
        """Return the steps, one by one, until the grid is full or no technique finds one."""
        findings = self.findings(puzzle, start)
        size, places = puzzle.size, range(puzzle.givens.size)
        return (step_of(self.ladder[rung], finding, size, places) for _, rung, finding in findings)

    def fills(self, step: LogicStep) -> Sequence[Fill]:
        """Return the cell that a step fills, or nothing if it fills none."""
        if step.placement is None:
            return ()
        naked = step.technique.kernel == kernels.NAKED_SINGLE
        return (Fill(*step.placement, Rule.NAKED_SINGLE if naked else Rule.HIDDEN_SINGLE),)

    def rate(self, puzzles: Sequence[Sudoku]) -> LogicRatings:
        """Return the ratings of puzzles; a puzzle without a solution counts as not solved."""
        of_order: dict[int, list[int]] = {}
        for index, puzzle in enumerate(puzzles):
            of_order.setdefault(puzzle.order, []).append(index)
        uses = np.zeros((len(puzzles), len(self.ladder)), np.int64)
        results = np.zeros((len(puzzles), 2), np.int64)
        for order, indices in of_order.items():
            counts, ends = uses[indices], results[indices]
            kernels.rate_all(
                empty_state(order),
                logic_layout(order),
                np.stack([puzzles[index].givens for index in indices], dtype=np.int64),
                self._rungs,
                new_finding(order),
                new_finding(order),
                counts,
                ends,
            )
            uses[indices], results[indices] = counts, ends
        if any(nests for _, _, nests in self._stretches):
            for index in np.flatnonzero(results[:, 0] == kernels.STUCK).tolist():
                uses[index], results[index] = self._climb(puzzles[index])
        return LogicRatings(results[:, 0] == kernels.SOLVED, results[:, 1] / 10, uses)

    def findings(
        self, puzzle: Sudoku, start: PencilMarks | None = None
    ) -> Iterator[tuple[LogicState, int, Finding]]:
        """Yield the state before each step, its rung, and the step as a kernel wrote it."""
        layout = logic_layout(puzzle.order)
        state, is_whole = (
            given_state(puzzle)
            if start is None
            else (state_of(start.values, start.candidates), True)
        )
        if not is_whole:
            return
        finding, trial = new_finding(puzzle.order), new_finding(puzzle.order)
        effort = np.full(1, self.effort, np.int64)
        while state.summary[N_EMPTY]:
            for first, end, nests in self._stretches:
                if nests:
                    _, kind, rating = self._rungs[first]
                    nested = find_nested_forcing(state, layout, finding, effort, kind, rating)
                    rung = first if nested else -1
                else:
                    rung = kernels.find_step(state, layout, self._rungs[first:end], finding, trial)
                    rung += first if rung >= 0 else 0
                if rung >= 0:
                    break
            else:
                return
            yield state, rung, finding
            if not apply(state, layout, finding):
                return

    def _climb(self, puzzle: Sudoku) -> tuple[NDArray[np.int64], tuple[int, int]]:
        """Walk once; return the uses of each rung, and the outcome with the hardest rating."""
        uses, hardest = np.zeros(len(self.ladder), np.int64), 0
        n_blanks = puzzle.givens.size - puzzle.n_givens
        for _, rung, finding in self.findings(puzzle):
            uses[rung] += 1
            hardest = max(hardest, int(finding.head[0]["rating"]))
            n_blanks -= int(finding.head[0]["cell"]) >= 0
        return uses, (kernels.STUCK if n_blanks else kernels.SOLVED, hardest)

    @cached_property
    def _rungs(self) -> NDArray[np.int64]:
        return rungs_of(self.ladder)

    @cached_property
    def _stretches(self) -> list[tuple[int, int, bool]]:
        """Parts of the ladder: first rung, end, and True if `find_step` skips its rungs."""
        nests = [technique.kernel == kernels.NESTED_FORCING for technique in self.ladder]
        cuts = [i for i in range(1, len(nests)) if nests[i] or nests[i - 1]]
        return [(i, j, nests[i]) for i, j in pairwise([0, *cuts, len(nests)])]
