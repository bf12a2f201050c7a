"""Assume that a candidate is on or off, and follow the consequences up to a contradiction.

A static assumption uses the links of the grid as it is. A dynamic one removes the candidates that
it has turned off, so that new links arise; the parents of such a link are all the eliminations
that led to it. More capable assumptions also use locked candidates, pairs and X-wings that arise.

A chain in a step is read as trails, which say whether its links hold on other marks; they come
first.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from nando.kernels.compile import inlined_kernel, lean_kernel, lowest_bit
from nando.solvers.logic.chains import deductions
from nando.solvers.logic.finders.grid import WORD, kind_at
from nando.solvers.logic.marks import PencilMarks
from nando.solvers.logic.technique import Ladder, LogicStep

Literal = tuple[int, int, bool]
"""Cell, digit from 1, and True if the candidate is true."""


class Trail(NamedTuple):
    """The consequences of one assumption, in order: each literal with those that imply it."""

    start: Literal
    parents: dict[Literal, list[Literal]]


def trails(step: LogicStep) -> list[Trail]:
    """Return the links of a step's forcing chains, by assumption."""
    return trails_of(step.links)


def trails_of(links: Iterable[tuple[int, int, bool, int, int, bool]]) -> list[Trail]:
    """Group links by assumption."""
    grouped: list[Trail] = []
    for a, b, c, d, e, f in links:
        start, end = (a, b, c), (d, e, f)
        if not grouped or (start != grouped[-1].start and start not in grouped[-1].parents):
            grouped.append(Trail(start, {}))
        grouped[-1].parents.setdefault(end, []).append(start)
    return grouped


def is_forced_off(end: Literal, starts: Sequence[Literal], marks: PencilMarks) -> bool:
    """Return True if a candidate is false because one of the others is true."""
    cell, digit, _ = end
    return any(
        is_on
        and (
            (other == cell and value != digit)
            or (value == digit and marks.sees(cell, other))
            or marks.bars(other, value, cell, digit)
        )
        for other, value, is_on in starts
    )


def forced_in(end: Literal, starts: Sequence[Literal], marks: PencilMarks) -> int | None:
    """Return the house in which a candidate is the only place left once others are false.

    Return -1 if the candidate is the last of its cell, and None if neither holds.
    """
    cell, digit, _ = end
    off = {(other, value) for other, value, is_on in starts if not is_on}
    if {(cell, value) for value in marks.digits(cell) if value != digit} <= off:
        return -1
    for house in sorted(marks.houses_of((cell,))):
        if {(other, digit) for other in marks.places(house, digit) if other != cell} <= off:
            return house
    return None


def pattern_behind(
    end: Literal,
    starts: Sequence[Literal],
    marks: PencilMarks,
    patterns: Ladder,
    every_step: Callable[..., Any] | None,
) -> LogicStep | None:
    """Return the easiest pattern that arises from literals and removes the candidate of `end`.

    `every_step` lists the steps of some techniques, the easiest first.
    """
    if not patterns or every_step is None:
        return None
    steps: Iterable[LogicStep] = every_step(
        marks.supposing(starts), patterns, np.zeros(1, np.int64)
    )
    return next((step for step in steps if end[:2] in step.eliminations), None)


STATIC, NISHIO, DYNAMIC, PATTERNS, WITH_CHAINS, WITH_MULTIPLE, WITH_DYNAMIC = range(7)
"""Kinds of assumption, by the consequences that they may use: links of the grid as it is; links of
one digit as they arise; all links as they arise; patterns that arise, too; and chains on the
remaining grid, of more and more kinds."""


@lean_kernel
def assume(state, grid, graph, assumption, literal, kind, bound):
    """Follow an assumption to its end or to the first clash, recorded in `assumption.counts`.

    It may end earlier if no further literal can depend on fewer than `bound` others.
    """
    begin_assumption(state, grid, graph, assumption, literal, kind, bound)
    if kind == STATIC:
        _follow_links(graph, assumption)
        return
    while follow_dynamic(state, grid, graph, assumption, kind):
        if kind < PATTERNS or not deductions.find_patterns(state, grid, graph, assumption):
            return


@inlined_kernel
def begin_assumption(state, grid, graph, assumption, literal, kind, bound):
    """Discard all deductions and begin with an assumption."""
    counts = assumption.counts[0]
    counts["n_parents"] = 0
    counts["clash"] = -1
    counts["n_clash"] = 0
    counts["n_short"] = 0
    counts["bound"] = bound
    counts["n_nested"] = 0
    assumption.n_queued[:] = 0
    assumption.n_taken[:] = 0
    assumption.n_behind[:] = 0
    assumption.n_behind[literal] = 1
    assumption.parents_from[literal, deductions.N_PARENTS] = 0
    assumption.owner[literal] = literal
    deductions.enqueue(assumption, literal)
    if kind == STATIC:
        return
    for k in range(assumption.behind.shape[1]):
        assumption.behind[literal, k] = 0
    assumption.behind[literal, literal // WORD] = 1 << literal % WORD
    if kind == NISHIO:
        for index in range(graph.digit[literal >> 1], state.positions.size, grid.size):
            assumption.positions[index] = state.positions[index]
    else:
        for cell in range(grid.n_cells):
            assumption.candidates[cell] = state.candidates[cell]
        for index in range(state.positions.size):
            assumption.positions[index] = state.positions[index]


@inlined_kernel
def _follow_links(graph, assumption):
    """Follow the links of the grid as it is, to the end or to a clash."""
    while assumption.counts[0]["n_short"]:
        if deductions.is_waiting(assumption, 1):
            literal = deductions.next_in_queue(assumption, 1)
            i = literal >> 1
            for k in range(graph.weak_from[i], graph.weak_from[i + 1]):
                if not deductions.reach(assumption, literal, 2 * graph.weak[k]):
                    return
        elif deductions.is_waiting(assumption, 0):
            literal = deductions.next_in_queue(assumption, 0)
            for k in range(graph.strong.shape[1]):
                other = graph.strong[literal >> 1, k]
                if other >= 0:
                    if assumption.n_behind[2 * other + 1] == 0:
                        assumption.cause[2 * other + 1] = k
                    if not deductions.reach(assumption, literal, 2 * other + 1):
                        return


@inlined_kernel
def follow_dynamic(state, grid, graph, assumption, kind):
    """Follow links as they arise; return False on a clash."""
    size = grid.size
    candidates = assumption.candidates
    positions = assumption.positions
    while assumption.counts[0]["n_short"] or kind >= PATTERNS:
        if deductions.is_waiting(assumption, 1):
            literal = deductions.next_in_queue(assumption, 1)
            cell = graph.cell[literal >> 1]
            digit = graph.digit[literal >> 1]
            if kind != NISHIO:
                others = candidates[cell] & ~(1 << digit)
                while others:
                    other = graph.number[cell * size + lowest_bit(others)]
                    others &= others - 1
                    if not deductions.reach(assumption, literal, 2 * other):
                        return False
            for k in range(grid.house_of.shape[1]):
                house_kind = kind_at(k)
                house = grid.house_of[cell, house_kind]
                if house < 0:
                    continue
                others = positions[house * size + digit] & grid.others_in[cell, house_kind]
                while others:
                    peer = grid.houses[house, lowest_bit(others)]
                    others &= others - 1
                    if not deductions.reach(
                        assumption, literal, 2 * graph.number[peer * size + digit]
                    ):
                        return False
            for arc in range(grid.arc_from[cell], grid.arc_from[cell + 1]):
                if not _bar(state, grid, graph, assumption, literal, kind, arc):
                    return False
        elif deductions.is_waiting(assumption, 0):
            literal = deductions.next_in_queue(assumption, 0)
            if not _take_off(state, grid, graph, assumption, literal, kind):
                return False
        else:
            break
    return True


@lean_kernel
def _bar(state, grid, graph, assumption, literal, kind, arc):
    """Turn off candidates that a true one excludes in a related cell; return False on a clash."""
    digit = graph.digit[literal >> 1]
    other = grid.arc_cell[arc]
    barred = grid.arc_bars[arc, digit]
    if kind == NISHIO:
        barred &= state.candidates[other] & 1 << digit
    else:
        barred &= assumption.candidates[other]
    while barred:
        after = 2 * graph.number[other * grid.size + lowest_bit(barred)]
        barred &= barred - 1
        if not deductions.reach(assumption, literal, after):
            return False
    return True


@inlined_kernel
def _take_off(state, grid, graph, assumption, literal, kind):
    """Remove a candidate and turn on those that are then the last ones; return False on a clash."""
    size = grid.size
    cell = graph.cell[literal >> 1]
    digit = graph.digit[literal >> 1]
    if kind != NISHIO:
        left = assumption.candidates[cell] & ~(1 << digit)
        if left and left & (left - 1) == 0:
            after = 2 * graph.number[cell * size + lowest_bit(left)] + 1
            if _begins(assumption, literal, after):
                gone = state.candidates[cell] & ~assumption.candidates[cell]
                while gone:
                    deductions.add_parent(
                        assumption, 2 * graph.number[cell * size + lowest_bit(gone)]
                    )
                    gone &= gone - 1
                if not _turn_on(assumption, after, 0):
                    return False
        assumption.candidates[cell] = left
    for k in range(grid.house_of.shape[1]):
        house = grid.house_of[cell, kind_at(k)]
        if house < 0:
            continue
        index = house * size + digit
        left = assumption.positions[index] & ~(1 << grid.position_in[cell, kind_at(k)])
        if left and left & (left - 1) == 0:
            other = grid.houses[house, lowest_bit(left)]
            after = 2 * graph.number[other * size + digit] + 1
            if _begins(assumption, literal, after):
                gone = state.positions[index] & ~assumption.positions[index]
                while gone:
                    other = grid.houses[house, lowest_bit(gone)]
                    gone &= gone - 1
                    deductions.add_parent(assumption, 2 * graph.number[other * size + digit])
                if not _turn_on(assumption, after, k + 1):
                    return False
        assumption.positions[index] = left
    return True


@inlined_kernel
def _begins(assumption, literal, after):
    """Return True if literal `after` is new or clashes; its list of parents then has `literal`."""
    begins = assumption.n_behind[after] == 0 or assumption.n_behind[after ^ 1] > 0
    if begins:
        deductions.begin_parents(assumption)
        deductions.add_parent(assumption, literal)
    return begins


@inlined_kernel
def _turn_on(assumption, literal, cause):
    """Turn on the last candidate of a cell or house; return False on a clash."""
    clashes = assumption.n_behind[literal ^ 1] > 0
    into = deductions.clash_place(assumption) if clashes else literal
    assumption.cause[into] = cause
    deductions.conclude(assumption, literal, into, -1)
    return not clashes
