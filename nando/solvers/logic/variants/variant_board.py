"""A variant on which kernels look for steps, and how its steps are read."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property, partial
from itertools import groupby

import numpy as np

from nando.puzzles import Variant
from nando.solvers.exact.variants import Memory, new_memory
from nando.solvers.logic import kernel_numbers as kernels
from nando.solvers.logic.chains.house_ladder import search
from nando.solvers.logic.finders.finding import CELLS, PARTS, Finding, list_all, literals_of
from nando.solvers.logic.finders.finding import step_of as read_step
from nando.solvers.logic.finders.pencil_marks import state_of as marks_of
from nando.solvers.logic.marks import PencilMarks
from nando.solvers.logic.technique import (
    Broken,
    Contradiction,
    LogicStep,
    Part,
    Technique,
    rungs_of,
)
from nando.solvers.logic.variants import rule_ladder
from nando.solvers.logic.variants.joint_steps import LARGE, Areas, areas_of, find_chosen, find_joint
from nando.solvers.logic.variants.layout import Layout, Sources, layout_of
from nando.solvers.logic.variants.rule_state import (
    ARC,
    BROKEN,
    GROUP,
    IN_CELL,
    IN_HOUSE,
    N_OPEN,
    PART,
    SCOPE,
    SPLIT,
    SUM,
    UNIT,
    VariantState,
    apply,
    new_finding,
    new_state,
)
from nando.solvers.logic.variants.scopes import origin_of, scopes_of
from nando.solvers.logic.variants.split_steps import find_split, splits_of
from nando.solvers.logic.variants.what_ifs import Trials, find_deep_what_if, new_trials
from nando.solvers.variants.tables import Ints


class VariantBoard:
    """A variant on which kernels look for steps, and the last step found.

    Attributes
    ----------
    searches, unsound : tuple of int
        Techniques that are searched for one by one, and those that this puzzle does not allow.
    state : VariantState
    finding : Finding
        The last step found.
    sound : bool
        False once a cell has no candidate left, or a digit no place in a house.
    """

    searches = (*kernels.SEARCHES, kernels.JOINT, kernels.SPLIT, kernels.DEEP_WHAT_IF)

    def __init__(self, marks: PencilMarks, effort: int) -> None:
        self._layout, _ = layout_of(marks.puzzle)
        self._puzzle = marks.puzzle
        self.unsound = _left_out(self._layout)
        self.state, self.sound = state_of(marks)
        self._trials = new_trials(self._layout, np.full(1, effort, np.int64))
        self._effort = np.full(1, effort, np.int64)
        self.finding = new_finding(self._layout)

    @cached_property
    def _areas(self) -> Areas:
        """The scopes, which few puzzles need."""
        return areas_of(self._puzzle)

    @cached_property
    def _memory(self) -> Memory:
        """The memory of the exact search for deep what-ifs."""
        puzzle = self._puzzle
        return new_memory(self._areas.network, puzzle.places, puzzle.givens.size)

    @property
    def n_blanks(self) -> int:
        """Number of cells not filled yet."""
        return int(self.state.counts[N_OPEN])

    def find(self, part: Part) -> int:
        """Write the first step of a part; return its rung in the part, or -1."""
        if not part.searches:
            return rule_ladder.find_step(
                self._layout, self.state, self._trials, part.rungs, self.finding
            )
        return next((k for k, row in enumerate(part.rungs) if self._finds(row)), -1)

    def _finds(self, row: Ints) -> bool:
        """Write the first step of a technique that is searched for by itself."""
        return self._search(row, self._trials, self.finding, self._effort)

    def _search(self, row: Ints, trials: Trials, finding: Finding, effort: Ints) -> bool:
        here = self.state, trials, finding
        if row[0] == kernels.JOINT:
            own = trials._replace(effort=self._areas.effort)
            return self._search_area(self._areas, row, own, finding)
        if row[0] == kernels.SPLIT:
            return bool(find_split(splits_of(self._puzzle), *here, row[1], row[2]))
        if row[0] == kernels.DEEP_WHAT_IF:
            deep = self._layout, self._areas, self._memory
            return bool(find_deep_what_if(*deep, *here, row[2]))
        return search(self.state.marks, self._layout.grid, finding, trials.step, effort, row)

    def _search_area(self, areas: Areas, row: Ints, trials: Trials, finding: Finding) -> bool:
        if row[1] == LARGE:
            memories = areas, self._memory
            return bool(find_chosen(self._layout, *memories, self.state, trials, finding, row[2]))
        return bool(find_joint(areas, self.state, finding, row[1], row[2]))

    def climb(self, part: Part, counts: Ints) -> int:
        """Take the steps of a part while it finds any, and count the uses of its rungs.

        Return the hardest rating in tenths.
        """
        here = self._layout, self.state, self._trials, part.rungs, self.finding, counts
        hardest = rule_ladder.climb(*here)
        self.sound = self.state.counts[BROKEN] == 0
        return hardest

    def apply(self) -> None:
        """Apply the last step found."""
        self.sound = bool(apply(self._layout, self.state, self.finding))

    def read(self, technique: Technique) -> LogicStep:
        """Return the last step found, by a technique."""
        return step_of(technique, self._puzzle, self.finding)

    def list_steps(self, technique: Technique, effort: Ints) -> Iterator[LogicStep]:
        """Return the steps of a technique, as its finder lists them; count the effort down.

        Of what-ifs it is only the first.
        """
        layout, rungs = self._layout, rungs_of((technique,))
        if not self.sound or technique.kernel in self.unsound:
            return iter(())

        def find(finding: Finding, left: Ints) -> bool:
            trials = new_trials(layout, left)
            if technique.kernel == kernels.JOINT:  # in areas that were not looked at
                return self._search_area(areas_of(self._puzzle), rungs[0], trials, finding)
            if technique.kernel in self.searches:
                return self._search(rungs[0], trials, finding, left)
            return rule_ladder.find_step(layout, self.state, trials, rungs, finding) >= 0

        if technique.kernel in kernels.WHAT_IFS:
            found = find(self.finding, effort)
            effort[:] = np.maximum(effort, 0)
            return iter([self.read(technique)] if found else [])
        listed = list_all(partial(new_finding, layout), find, effort)
        return (step_of(technique, self._puzzle, finding) for finding in listed)


def _left_out(layout: Layout) -> tuple[int, ...]:
    """Return the techniques that a puzzle does not allow, or that find nothing on it.

    Techniques that trust the puzzle to have one solution exchange two digits wherever houses and
    pairs of cells allow it. Sums and patterns could distinguish the two solutions. Chains nested
    in an assumption do not see them, either: there what-ifs are faster and find more.
    """
    alike = layout.sum_totals.size + layout.pattern_first.size == 0
    split = () if layout.has_splits else (kernels.SPLIT,)
    return (*(() if alike else (*kernels.TRUSTING, kernels.NESTED_FORCING)), *split)


def state_of(marks: PencilMarks) -> tuple[VariantState, bool]:
    """Return the state of marks, and True if every blank has a candidate."""
    layout, _ = layout_of(marks.puzzle)
    places = np.array(marks.puzzle.places)
    pencil = marks_of(layout.grid, marks.values[places], marks.candidates[places])
    state = new_state(layout, pencil)
    return state, bool((state.mask > 0).all())


def step_of(technique: Technique, puzzle: Variant, finding: Finding) -> LogicStep:
    """Return the step that a kernel wrote into a finding."""
    layout, sources = layout_of(puzzle)
    head, places, n = finding.head[0], puzzle.places, layout.grid.size
    step = read_step(technique, finding, n, places)
    parts = finding.lists[PARTS, : head["n_parts"]].tolist()
    lines: list[int] = []
    more_houses, more_rules = _origin_of_area(puzzle, finding, parts)
    houses, rules = [*step.houses, *more_houses], more_rules
    for part in parts:
        if part // PART in (SCOPE, UNIT):
            continue
        if part // PART == SPLIT:
            more_houses, more_rules = [], [int(splits_of(puzzle).rules[part % PART])]
        elif part // PART == GROUP and part % PART in sources.lines:
            lines.append(sources.lines[part % PART])
            continue
        else:
            more_houses, more_rules = _origin(part // PART, part % PART, sources)
        houses += more_houses
        rules += more_rules
    codes = finding.links[0, : head["n_literals"]].tolist()
    literals = literals_of(n, tuple(places))
    runs = groupby(codes, lambda code: code >= 0)
    cases = [list(case) for is_case, case in runs if is_case]
    return replace(
        step,
        houses=tuple(dict.fromkeys([*lines, *(sources.n_lines + house for house in houses)])),
        rules=tuple(dict.fromkeys(rule for rule in rules if rule >= 0)),
        cells=tuple(dict.fromkeys(step.cells)),
        branches=tuple(tuple(literals[code] for code in case) for case in cases),
        contradiction=_contradiction(sources, puzzle, finding),
        n_cases=int(head["n_tried"]) if technique.kernel == kernels.DEEP_WHAT_IF else 0,
    )


def _origin_of_area(
    puzzle: Variant, finding: Finding, parts: list[int]
) -> tuple[list[int], list[int]]:
    """Return the houses and the rules of the scope or the units that a step uses."""
    units = [part % PART for part in parts if part // PART == UNIT]
    scope = next((part % PART for part in parts if part // PART == SCOPE), -1)
    if scope >= 0:
        _, scopes = scopes_of(puzzle)
        units = scopes.units[scopes.unit_start[scope] : scopes.unit_start[scope + 1]].tolist()
    elif not units:
        return [], []
    area = frozenset(finding.lists[CELLS, : finding.head[0]["n_cells"]].tolist())
    return origin_of(puzzle, area, units)


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
