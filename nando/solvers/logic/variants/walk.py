"""The walker on variants: before each step, kernels climb the ladder from the start."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import groupby
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.puzzles import Variant
from nando.solvers.logic import kernel_numbers as kernels
from nando.solvers.logic.marks import PencilMarks
from nando.solvers.logic.sudoku_finders.finding import PARTS, Finding
from nando.solvers.logic.sudoku_finders.reading import list_all, literal_of
from nando.solvers.logic.sudoku_finders.reading import step_of as read_step
from nando.solvers.logic.technique import (
    Broken,
    Contradiction,
    Ladder,
    LogicStep,
    Technique,
    rungs_of,
)
from nando.solvers.logic.variants import ladder as ladders
from nando.solvers.logic.variants.chains import SEARCHES, TRUSTING, search, trusts
from nando.solvers.logic.variants.layout import Sources, layout_of
from nando.solvers.logic.variants.state import (
    ARC,
    CLOCK,
    GROUP,
    IN_CELL,
    IN_HOUSE,
    N_OPEN,
    PART,
    SUM,
    VariantState,
    apply,
    find_positions,
    new_finding,
    new_state,
)
from nando.solvers.logic.variants.what_ifs import new_trials
from nando.solvers.logic.walk import Fill, LogicRatings
from nando.solvers.protocol import Rule
from nando.solvers.variants.tables import Ints


class _Part(NamedTuple):
    """Successive rungs: their numbers, the rungs, and True if they are searches."""

    numbers: Ints
    rungs: Ints
    searches: bool


@dataclass(frozen=True)
class VariantWalker:
    """Finds the steps of a variant; see :class:`nando.solvers.logic.walk.Walker`.

    Parameters
    ----------
    ladder : tuple of Technique
    effort : int
        Most searches of a puzzle for chains nested in an assumption, and most assumptions of its
        nested what-ifs.
    """

    ladder: Ladder
    effort: int

    def steps(self, puzzle: Variant, start: PencilMarks | None = None) -> Iterator[LogicStep]:
        """Yield the steps, one by one, until the grid is full or no technique finds one."""
        marks = PencilMarks.of(puzzle) if start is None else start
        walk = _Walk(marks, self._parts[trusts(puzzle)], self.effort)
        while walk.sound and walk.n_open:
            rung = walk.find()
            if rung < 0:
                return
            yield step_of(self.ladder[rung], puzzle, walk.finding)
            walk.apply()

    def fills(self, step: LogicStep) -> Sequence[Fill]:
        """Return the cell that a step fills, or nothing if it fills none."""
        if step.placement is None:
            return ()
        naked = step.technique.kernel == kernels.NAKED_SINGLE
        return (Fill(*step.placement, Rule.NAKED_SINGLE if naked else Rule.HIDDEN_SINGLE),)

    def rate(self, puzzles: Sequence[Variant]) -> LogicRatings:
        """Return the ratings of puzzles; a puzzle without a solution counts as not solved."""
        solved = np.zeros(len(puzzles), np.bool_)
        rating = np.zeros(len(puzzles))
        uses = np.zeros((len(puzzles), len(self.ladder)), np.int64)
        for i, puzzle in enumerate(puzzles):
            walk = _Walk(PencilMarks.of(puzzle), self._parts[trusts(puzzle)], self.effort)
            rating[i] = walk.climb(uses[i]) / 10
            solved[i] = walk.sound and walk.n_open == 0
        return LogicRatings(solved, rating, uses)

    @cached_property
    def _parts(self) -> list[list[_Part]]:
        """The ladder in parts, without and with the techniques that rely on a single solution."""
        return [_parts_of(self.ladder, with_trust) for with_trust in (False, True)]


def _parts_of(ladder: Ladder, with_trust: bool) -> list[_Part]:
    rungs = rungs_of(ladder)
    kept = [i for i in range(len(ladder)) if with_trust or ladder[i].kernel not in TRUSTING]
    return [
        _Part(np.array(part, np.int64), rungs[part], searches)
        for searches, group in groupby(kept, lambda i: ladder[i].kernel in SEARCHES)
        for part in [list(group)]
    ]


class _Walk:
    """A walk through one puzzle: the present marks, and the last step found."""

    def __init__(self, marks: PencilMarks, parts: list[_Part], effort: int) -> None:
        self._layout, _ = layout_of(marks.puzzle)
        self._puzzle = marks.puzzle
        self._parts = parts
        self._state, self.sound = state_of(marks)
        self._trials = new_trials(self._layout, np.full(1, effort, np.int64))
        self._effort = np.full(1, effort, np.int64)
        self.finding = new_finding(self._layout)

    @property
    def n_open(self) -> int:
        return int(self._state.counts[N_OPEN])

    def find(self, skipped: int = 0) -> int:
        """Write the first step, after some skipped parts; return the number of its rung, or -1."""
        trials, finding = self._trials, self.finding
        for part in self._parts[skipped:]:
            if part.searches:
                find_positions(self._layout, self._state)
                grid, marks = self._layout.grid, self._state.marks
                here = grid, marks, finding, trials.step, self._effort
                rung = next((k for k, row in enumerate(part.rungs) if search(*here, row)), -1)
            else:
                rung = ladders.find_step(self._layout, self._state, trials, part.rungs, finding)
            if rung >= 0:
                return int(part.numbers[rung])
        return -1

    def apply(self) -> None:
        """Apply the last step found."""
        self.sound = bool(apply(self._layout, self._state, self.finding))

    def climb(self, uses: Ints) -> int:
        """Solve the puzzle as far as possible; count the uses of each rung.

        Return the hardest rating in tenths.
        """
        if not self._parts:  # the ladder has only techniques that are not sound here
            return 0
        # Most steps are found by the rungs before the first search.
        easy = self._parts[0]
        counts = np.zeros(easy.numbers.size, np.int64)
        skipped, hardest = 0 if easy.searches else 1, 0
        while self.sound and self.n_open:
            if skipped:
                here = ladders.climb(
                    self._layout, self._state, self._trials, easy.rungs, self.finding, counts
                )
                hardest = max(hardest, here)
                self.sound = bool((self._state.mask > 0).all())
                if self.n_open == 0 or not self.sound:
                    break
            number = self.find(skipped)
            if number < 0:
                break
            uses[number] += 1
            hardest = max(hardest, int(self.finding.head[0]["rating"]))
            self.apply()
        uses[easy.numbers] += counts
        return hardest


def state_of(marks: PencilMarks) -> tuple[VariantState, bool]:
    """Return the state of marks, and True if every blank has a candidate."""
    layout, _ = layout_of(marks.puzzle)
    state = new_state(layout)
    places = marks.puzzle.places
    values = marks.values[places].astype(np.int64)
    state.mask[:] = marks.candidates[places] @ (1 << np.arange(layout.grid.size, dtype=np.int64))
    state.filled[:] = values > 0
    state.mask[values > 0] = 1 << values[values > 0] - 1
    state.counts[N_OPEN] = int((values == 0).sum())
    state.counts[CLOCK] = 1
    return state, bool((state.mask > 0).all())


def step_of(technique: Technique, puzzle: Variant, finding: Finding) -> LogicStep:
    """Return the step that a kernel wrote into a finding."""
    layout, sources = layout_of(puzzle)
    head, places, n = finding.head[0], puzzle.places, layout.grid.size
    step = read_step(technique, finding, n, places)
    houses, rules = list(step.houses), []
    for part in finding.lists[PARTS, : head["n_parts"]].tolist():
        more_houses, more_rules = _origin(part // PART, part % PART, sources)
        houses += more_houses
        rules += more_rules
    literals = finding.links[0, : head["n_literals"]].tolist()
    runs = groupby(literals, lambda code: code >= 0)
    cases = [list(case) for is_case, case in runs if is_case]
    return replace(
        step,
        houses=tuple(dict.fromkeys(houses)),
        rules=tuple(dict.fromkeys(rule for rule in rules if rule >= 0)),
        cells=tuple(dict.fromkeys(step.cells)),
        branches=tuple(tuple(literal_of(code, n, places) for code in case) for case in cases),
        contradiction=_contradiction(sources, puzzle, finding),
        n_cases=int(head["n_tried"]) if technique.kernel == kernels.DEEP_WHAT_IF else 0,
    )


def _origin(kind: int, number: int, sources: Sources) -> tuple[list[int], list[int]]:
    """Return the houses and the rules of a part of the layout."""
    if kind == ARC:
        return [], list(sources.arcs[number])
    if kind == GROUP:
        return [], [sources.groups[number]]
    if kind == SUM and number >= len(sources.sums):
        union = sources.unions[number - len(sources.sums)]
        return list(union.houses), [sources.sums[taken] for taken in union.sums]
    return [], [(sources.sums if kind == SUM else sources.patterns)[number]]


def _contradiction(sources: Sources, puzzle: Variant, finding: Finding) -> Contradiction | None:
    head = finding.head[0]
    kind, number, digit = (int(head[name]) for name in ("ends_in", "ends_at", "ends_digit"))
    if kind == 0:
        return None
    if kind == IN_CELL:
        return Contradiction(Broken.CELL, puzzle.places[number])
    if kind == IN_HOUSE:
        return Contradiction(Broken.HOUSE, number, digit + 1)
    houses, rules = _origin(kind, number, sources)
    rules = [rule for rule in rules if rule >= 0]
    if not rules:
        return Contradiction(Broken.HOUSE, houses[0])
    cells: tuple[int, ...] = ()
    if kind == ARC:
        layout, _ = layout_of(puzzle)
        cell = int(np.searchsorted(layout.arc_start, number, "right")) - 1
        cells = puzzle.places[cell], puzzle.places[int(layout.arc_cell[number])]
    return Contradiction(Broken.RULE, rules[0], 0, cells)


# List every step that the techniques of a ladder find on the marks of a variant

_ONE = (kernels.WHAT_IF, kernels.DILEMMA, kernels.DEEP_WHAT_IF)
"""Techniques of which only the first step is listed."""


def every_step(
    marks: PencilMarks, ladder: Ladder, effort: NDArray[np.int64]
) -> Iterator[LogicStep]:
    """Yield the steps of each technique of a ladder, the easiest first; each pattern once.

    A step is left out if an easier one has its conclusion and uses no other cells. Only the
    shortest what-if of a kind is listed, unless an easier step has its conclusion. The number in
    `effort`, shape (1,), is counted down by nested chains and what-ifs.
    """
    listed: list[LogicStep] = []
    for technique in ladder:
        for step in _steps_of(marks, technique, effort):
            if not any(_covers(before, step) for before in listed):
                listed.append(step)
                yield step


def _steps_of(
    marks: PencilMarks, technique: Technique, effort: NDArray[np.int64]
) -> Iterator[LogicStep]:
    puzzle, number = marks.puzzle, technique.kernel
    layout, _ = layout_of(puzzle)
    state, sound = state_of(marks)
    if not sound or (number in TRUSTING and not trusts(puzzle)):
        return iter(())
    rungs = rungs_of((technique,))
    find_positions(layout, state)

    def find(finding: Finding, left: NDArray[np.int64]) -> bool:
        if number in SEARCHES:
            trial = new_finding(layout)
            return search(layout.grid, state.marks, finding, trial, left, rungs[0])
        return ladders.find_step(layout, state, new_trials(layout, left), rungs, finding) >= 0

    if number in _ONE:
        finding = new_finding(layout)
        first = [step_of(technique, puzzle, finding)] if find(finding, effort) else []
        effort[:] = np.maximum(effort, 0)
        return iter(first)
    listed = list_all(partial(new_finding, layout), find, effort)
    steps = (step_of(technique, puzzle, finding) for finding in listed)
    if number in SEARCHES:
        return iter(sorted(steps, key=lambda step: (step.rating, step.cells, step.eliminations)))
    return steps


def _covers(easier: LogicStep, step: LogicStep) -> bool:
    """Return True if an easier step has the conclusion of another and uses no other cells."""
    if easier.placement != step.placement or not set(easier.eliminations) >= set(step.eliminations):
        return False
    return step.technique.kernel in _ONE or set(easier.cells) <= set(step.cells)
