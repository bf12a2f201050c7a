"""The links of chains by assumption, and whether they hold on other marks."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from nando.solvers.logic.chains.starts import CELLS_FORCE, HOUSE_FORCES
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


def links_hold(
    step: LogicStep,
    taken_at: PencilMarks,
    marks: PencilMarks,
    *,
    is_chain: bool,
    by_pattern: Callable[[Literal, Sequence[Literal]], bool] = lambda *_: False,
) -> bool:
    """Return True if every link of a step holds on other marks and no assumption is missing.

    Parameters
    ----------
    step : LogicStep
    taken_at, marks : PencilMarks
        The marks before the step, and the others.
    is_chain : bool
        True for a chain without cases.
    by_pattern : callable
        Takes a false literal and those that imply it; returns True if they do by a pattern.
    """
    if step.variant == CELLS_FORCE and not is_chain:
        cell = step.links[0][0]
        if marks.digits(cell) != taken_at.digits(cell):
            return False
    if step.variant == HOUSE_FORCES and not is_chain:
        (house,), digit = step.houses, step.links[0][1]
        if marks.places(house, digit) != taken_at.places(house, digit):
            return False
    return all(
        _follows(end, starts, marks) or (not end[2] and by_pattern(end, starts))
        for trail in trails(step)
        for end, starts in trail.parents.items()
    )


def _follows(end: Literal, starts: Sequence[Literal], marks: PencilMarks) -> bool:
    """Return True if a literal follows from others by a single link."""
    cell, digit, on = end
    if not on:
        return any(
            is_on
            and (
                (other == cell and value != digit)
                or (value == digit and marks.sees(cell, other))
                or marks.bars(other, value, cell, digit)
            )
            for other, value, is_on in starts
        )
    return forced_in(end, starts, marks) is not None


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
