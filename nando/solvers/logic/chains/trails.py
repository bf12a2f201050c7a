"""The links of chains by assumption, and whether they hold on other marks."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

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
