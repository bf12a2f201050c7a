"""The steps of a variant: for each, the ladder is climbed from the start, in kernels."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from nando.puzzles import Variant
from nando.solvers.logic.technique import Ladder, Technique, rungs_of
from nando.solvers.logic.variants import ladder as kernels
from nando.solvers.logic.variants.layout import Sources, layout_of
from nando.solvers.logic.variants.marks import VariantMarks
from nando.solvers.logic.variants.state import (
    ARC,
    CELL,
    CLOCK,
    DIGITS,
    EFFORT,
    ENDS_IN,
    HOUSE,
    N_CELLS,
    N_HOUSES,
    N_LITERALS,
    N_OPEN,
    N_PARTS,
    N_TRIED,
    PART,
    PLACE,
    RATING,
    SUM,
    VariantFinding,
    VariantState,
    apply,
    new_finding,
    new_state,
)
from nando.solvers.logic.variants.step import Broken, Contradiction, Literal, VariantStep
from nando.solvers.logic.variants.subsets import GROUP
from nando.solvers.logic.variants.what_ifs import new_trials
from nando.solvers.logic.walk import Fill, LogicRatings
from nando.solvers.protocol import Rule


@dataclass(frozen=True)
class VariantWalker:
    """Finds the steps of a variant; see :class:`nando.solvers.logic.walk.Walker`.

    Parameters
    ----------
    ladder : tuple of Technique
    effort : int
        Most assumptions of nested what-ifs in a puzzle.
    """

    ladder: Ladder
    effort: int

    def steps(self, puzzle: Variant, start: VariantMarks | None = None) -> Iterator[VariantStep]:
        """Yield the steps, one by one, until the grid is full or no technique finds one."""
        layout, _ = layout_of(puzzle)
        state, sound = state_of(VariantMarks.of(puzzle) if start is None else start)
        finding, trials = new_finding(layout), new_trials(layout)
        finding.head[EFFORT] = self.effort
        while sound and state.counts[N_OPEN]:
            rung = kernels.find_step(layout, state, trials, self._rungs, finding)
            if rung < 0:
                return
            yield step_of(self.ladder[rung], puzzle, finding)
            sound = bool(apply(layout, state, finding))

    def fills(self, step: VariantStep) -> Sequence[Fill]:
        """Return the cell that a step fills, if it does."""
        if step.placement is None:
            return ()
        naked = step.technique.kernel == kernels.NAKED_SINGLE
        return (Fill(*step.placement, Rule.NAKED_SINGLE if naked else Rule.HIDDEN_SINGLE),)

    def rate(self, puzzles: Sequence[Variant]) -> LogicRatings:
        """Return the ratings of puzzles; one found to have no solution is not solved."""
        solved = np.zeros(len(puzzles), np.bool_)
        rating = np.zeros(len(puzzles))
        uses = np.zeros((len(puzzles), len(self.ladder)), np.int64)
        for i, puzzle in enumerate(puzzles):
            layout, _ = layout_of(puzzle)
            state, sound = state_of(VariantMarks.of(puzzle))
            finding = new_finding(layout)
            finding.head[EFFORT] = self.effort
            if sound:
                trials = new_trials(layout)
                hardest = kernels.climb(layout, state, trials, self._rungs, finding, uses[i])
                rating[i] = hardest / 10
            solved[i] = sound and state.counts[N_OPEN] == 0
        return LogicRatings(solved, rating, uses)

    @cached_property
    def _rungs(self) -> NDArray[np.int64]:
        return rungs_of(self.ladder)


def state_of(marks: VariantMarks) -> tuple[VariantState, bool]:
    """Return marks as kernels need them, and whether every blank has a candidate."""
    layout, _ = layout_of(marks.puzzle)
    state = new_state(layout)
    places = marks.puzzle.places
    values = marks.values[places].astype(np.int64)
    state.mask[:] = marks.candidates[places] @ (1 << np.arange(layout.n_digits, dtype=np.int64))
    state.filled[:] = values > 0
    state.mask[values > 0] = 1 << values[values > 0] - 1
    state.counts[N_OPEN] = int((values == 0).sum())
    state.counts[CLOCK] = 1
    return state, bool((state.mask > 0).all())


def step_of(technique: Technique, puzzle: Variant, finding: VariantFinding) -> VariantStep:
    """Return the step that a kernel wrote down."""
    layout, sources = layout_of(puzzle)
    head, places, n = finding.head, puzzle.places, layout.n_digits
    cells = finding.cells[: head[N_CELLS]].tolist()
    houses = finding.houses[: head[N_HOUSES]].tolist()
    rules: list[int] = []
    for part in finding.parts[: head[N_PARTS]].tolist():
        more_houses, more_rules = _origin(part // PART, part % PART, sources)
        houses += more_houses
        rules += more_rules
    gone = np.flatnonzero(finding.gone).tolist()
    placement = None
    if head[PLACE] >= 0:
        placement = places[int(head[PLACE]) // n], int(head[PLACE]) % n + 1
    branches = _branches(finding.literals[: head[N_LITERALS]].tolist(), places, n)
    is_chain = technique.kernel == kernels.CHAIN
    return VariantStep(
        technique,
        int(head[RATING]) / 10,
        tuple(dict.fromkeys(houses)),
        tuple(dict.fromkeys(rule for rule in rules if rule >= 0)),
        tuple(dict.fromkeys(places[cell] for cell in cells)),
        _digits(int(head[DIGITS])),
        placement,
        tuple((places[cell], digit) for cell in gone for digit in _digits(int(finding.gone[cell]))),
        tuple((*a, *b) for a, b in pairwise(branches[0])) if is_chain else (),
        () if is_chain else tuple(branches),
        _contradiction(sources, puzzle, finding),
        int(head[N_TRIED]) if technique.kernel == kernels.DEEP_WHAT_IF else 0,
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


def _branches(literals: list[int], places: list[int], n: int) -> list[tuple[Literal, ...]]:
    branches: list[list[Literal]] = [[]]
    for literal in literals:
        if literal < 0:
            branches.append([])
        else:
            candidate, on = divmod(literal, 2)
            branches[-1].append((places[candidate // n], candidate % n + 1, bool(on)))
    return [tuple(branch) for branch in branches if branch]


def _contradiction(
    sources: Sources, puzzle: Variant, finding: VariantFinding
) -> Contradiction | None:
    kind, number, digit = finding.head[ENDS_IN : ENDS_IN + 3].tolist()
    if kind == 0:
        return None
    if kind == CELL:
        return Contradiction(Broken.CELL, puzzle.places[number])
    if kind == HOUSE:
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


def _digits(mask: int) -> tuple[int, ...]:
    """Return the digits, from 1, of a mask."""
    return tuple(digit + 1 for digit in range(mask.bit_length()) if mask >> digit & 1)
