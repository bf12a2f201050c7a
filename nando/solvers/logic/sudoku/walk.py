"""The walker on Sudoku: before each step, kernels climb the ladder from the start."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from nando.puzzles import Sudoku
from nando.solvers.logic import kernel_numbers as kernels
from nando.solvers.logic.marks import PencilMarks
from nando.solvers.logic.sudoku import ladder as ladders
from nando.solvers.logic.sudoku_chains.chain import list_chains
from nando.solvers.logic.sudoku_chains.links import CHAIN_X
from nando.solvers.logic.sudoku_chains.nested import find_nested_forcing
from nando.solvers.logic.sudoku_finders.finding import Finding, apply, new_finding
from nando.solvers.logic.sudoku_finders.grid import sudoku_grid
from nando.solvers.logic.sudoku_finders.reading import list_all, step_of
from nando.solvers.logic.sudoku_finders.state import (
    N_EMPTY,
    LogicState,
    empty_state,
    given_state,
    state_of,
)
from nando.solvers.logic.technique import Ladder, LogicStep, Technique, rungs_of
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
            ladders.rate_all(
                empty_state(order),
                sudoku_grid(order),
                np.stack([puzzles[index].givens for index in indices], dtype=np.int64),
                self._rungs,
                new_finding(order),
                new_finding(order),
                counts,
                ends,
            )
            uses[indices], results[indices] = counts, ends
        if any(nests for _, _, nests in self._stretches):
            for index in np.flatnonzero(results[:, 0] == ladders.STUCK).tolist():
                uses[index], results[index] = self._climb(puzzles[index])
        return LogicRatings(results[:, 0] == ladders.SOLVED, results[:, 1] / 10, uses)

    def findings(
        self, puzzle: Sudoku, start: PencilMarks | None = None
    ) -> Iterator[tuple[LogicState, int, Finding]]:
        """Yield the state before each step, its rung, and the step as a kernel wrote it."""
        layout = sudoku_grid(puzzle.order)
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
                    rung = ladders.find_step(state, layout, self._rungs[first:end], finding, trial)
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
        return uses, (ladders.STUCK if n_blanks else ladders.SOLVED, hardest)

    @cached_property
    def _rungs(self) -> NDArray[np.int64]:
        return rungs_of(self.ladder)

    @cached_property
    def _stretches(self) -> list[tuple[int, int, bool]]:
        """Parts of the ladder: first rung, end, and True if `find_step` skips its rungs."""
        nests = [technique.kernel == kernels.NESTED_FORCING for technique in self.ladder]
        cuts = [i for i in range(1, len(nests)) if nests[i] or nests[i - 1]]
        return [(i, j, nests[i]) for i, j in pairwise([0, *cuts, len(nests)])]


# List every step that the techniques of a ladder find on pencil marks


def every_step(
    marks: PencilMarks, ladder: Ladder, effort: NDArray[np.int64]
) -> Iterator[LogicStep]:
    """Yield the steps of each technique of a ladder, the easiest first, each pattern once.

    A chain is left out if an easier step removes as much with some of its cells.

    Parameters
    ----------
    marks : PencilMarks
    ladder : tuple of Technique
    effort : ndarray of int64, shape (1,)
        Most searches for chains nested in an assumption. Counted down in place.
    """
    known: set[tuple[object, ...]] = set()
    listed: list[tuple[set[int], set[tuple[int, int]]]] = []
    for technique in ladder:
        steps: Iterable[LogicStep] = _listed(marks, technique, effort)
        if technique.kernel in _TIDY:
            steps = _TIDY[technique.kernel](steps, marks)
        for step in sorted(steps, key=_order):
            key = (
                frozenset(step.cells),
                step.digits if not step.links else (),
                step.placement,
                step.eliminations,
                step.links[:1],
            )
            if key not in known and not (step.links and _repeats(step, listed)):
                known.add(key)
                listed.append((set(step.cells), set(step.eliminations)))
                yield step


def _listed(
    marks: PencilMarks, technique: Technique, effort: NDArray[np.int64]
) -> Iterator[LogicStep]:
    """Return the steps that the finder of a technique lists."""
    order, rungs = marks.puzzle.order, rungs_of((technique,))
    number, degree, rating = rungs[0].tolist()
    layout, state = sudoku_grid(order), state_of(marks.values, marks.candidates)

    def find(finding: Finding, left: NDArray[np.int64]) -> object:
        if number == kernels.NESTED_FORCING:
            return find_nested_forcing(state, layout, finding, left, degree, rating)
        if number == kernels.CHAIN:
            return list_chains(state, layout, finding, rating)
        return ladders.find_step(state, layout, rungs, finding, new_finding(order))

    listed = list_all(partial(new_finding, order), find, effort)
    size, places = marks.puzzle.size, range(marks.values.size)
    return (step_of(technique, written, size, places) for written in listed)


def _repeats(step: LogicStep, listed: list[tuple[set[int], set[tuple[int, int]]]]) -> bool:
    """Return True if an earlier step removes as much with some cells of a chain."""
    cells, gone = set(step.cells), set(step.eliminations)
    return any(theirs <= cells and gone <= removed for theirs, removed in listed)


def _order(step: LogicStep) -> tuple[object, ...]:
    return step.rating, step.variant, step.houses, step.cells, step.digits, step.eliminations


# For some techniques the steps that the finders list are filtered or sorted.


def _no_singles(steps: Iterable[LogicStep], marks: PencilMarks) -> Iterator[LogicStep]:
    """Leave out hidden singles: digits with one position, and fills that need no pattern."""
    for step in steps:
        if len(step.cells) > 1 and (
            step.placement is None or len(marks.places(step.houses[-1], step.placement[1])) > 1
        ):
            yield step


def _fish(steps: Iterable[LogicStep], _: PencilMarks) -> Iterator[LogicStep]:
    """Sort the cells, which the finder lists by line."""
    return (replace(step, cells=tuple(sorted(step.cells))) for step in steps)


def _graves(steps: Iterable[LogicStep], marks: PencilMarks) -> Iterator[LogicStep]:
    """Sort the cells with extra candidates, which come first."""
    for step in steps:
        yield replace(
            step,
            cells=tuple(sorted(step.cells, key=lambda cell: (len(marks.digits(cell)) == 2, cell))),
        )


def _loops(steps: Iterable[LogicStep], _: PencilMarks) -> Iterator[LogicStep]:
    """Keep each loop in the direction in which it is found first."""
    directions: dict[frozenset[int], tuple[int, ...]] = {}
    for step in steps:
        if directions.setdefault(frozenset(step.cells), step.cells) == step.cells:
            yield step


def _strong_links(steps: Iterable[LogicStep], _: PencilMarks) -> Iterable[LogicStep]:
    """Keep the easiest step through the same houses."""
    return _easiest(steps, lambda step: (step.digits, frozenset(step.houses), step.eliminations))


def _chains(steps: Iterable[LogicStep], _: PencilMarks) -> Iterable[LogicStep]:
    """Keep each cycle once, and the easiest of the chains from a literal."""

    def key(step: LogicStep) -> object:
        if step.variant >= CHAIN_X:
            return step.links[0][:3]
        return frozenset(link[:2] for link in step.links), step.eliminations

    return _easiest([step for step in steps if step.eliminations], key)


def _easiest(steps: Iterable[LogicStep], key: Callable[[LogicStep], object]) -> Iterable[LogicStep]:
    """Keep the easiest step with each key, the first of several."""
    best: dict[object, LogicStep] = {}
    for step in steps:
        if step.rating < best.setdefault(key(step), step).rating:
            best[key(step)] = step
    return best.values()


_TIDY: dict[int, Callable[[Iterable[LogicStep], PencilMarks], Iterable[LogicStep]]] = {
    kernels.DIRECT_POINTING: _no_singles,
    kernels.DIRECT_CLAIMING: _no_singles,
    kernels.POINTING: _no_singles,
    kernels.CLAIMING: _no_singles,
    kernels.FISH: _fish,
    kernels.STRONG_LINKS: _strong_links,
    kernels.UNIQUE_LOOP: _loops,
    kernels.BIVALUE_UNIVERSAL_GRAVE: _graves,
    kernels.CHAIN: _chains,
}
