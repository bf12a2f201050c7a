"""Read the steps that kernels have written."""

from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from nando.kernels.bits import lowest_bit
from nando.solvers.logic.finders.finding import (
    CELLS,
    GONE_CELLS,
    GONE_DIGITS,
    HOUSES,
    Finding,
    length_of,
)
from nando.solvers.logic.technique import LogicStep, Technique

Effort = NDArray[np.int64]
"""The number of searches left, shape (1,)."""

_CAPACITY = 1 << 20
"""Words of a list of steps; if they do not suffice, the search is repeated with more."""


def step_of(technique: Technique, finding: Finding, size: int, places: Sequence[int]) -> LogicStep:
    """Return the step that a kernel wrote into a finding.

    Parameters
    ----------
    technique : Technique
    finding : Finding
    size : int
        Number of digits.
    places : sequence of int
        Index of each cell in the values of the puzzle.
    """
    head, lists = finding.head[0], finding.lists
    gone = lists[[GONE_CELLS, GONE_DIGITS], : head["n_gone"]].T.tolist()
    links = finding.links[:, : head["n_links"]].T.tolist()
    return LogicStep(
        technique,
        int(head["rating"]) / 10,
        int(head["variant"]),
        tuple(lists[HOUSES, : head["n_houses"]].tolist()),
        tuple(places[cell] for cell in lists[CELLS, : head["n_cells"]].tolist()),
        digits_of(int(head["digits"])),
        (places[int(head["cell"])], int(head["digit"]) + 1) if head["cell"] >= 0 else None,
        tuple(
            (places[cell], digit)
            for cell, digit in sorted((cell, d) for cell, mask in gone for d in digits_of(mask))
        ),
        tuple((*literal_of(a, size, places), *literal_of(b, size, places)) for a, b in links),
    )


def literal_of(code: int, size: int, places: Sequence[int]) -> tuple[int, int, bool]:
    """Return the cell, the digit from 1, and True for a true candidate, of an end of a link."""
    return places[code // 2 // size], code // 2 % size + 1, bool(code % 2)


def digits_of(mask: int) -> tuple[int, ...]:
    """Return the digits, from 1, of a mask."""
    digits = []
    while mask:
        digits.append(lowest_bit(mask) + 1)
        mask &= mask - 1
    return tuple(digits)


def list_all(
    new: Callable[[int], Finding], search: Callable[[Finding, Effort], object], effort: Effort
) -> Iterator[Finding]:
    """Return an iterator over all steps of a search, each written into the same finding.

    Parameters
    ----------
    new : callable
        Takes a number of words; returns a finding with room for a list of that length.
    search : callable
        Takes a finding, in which it lists its steps, and an effort, which it counts down.
    effort : ndarray of int64, shape (1,)
    """
    capacity = _CAPACITY
    while True:
        finding, left = new(capacity), effort.copy()
        search(finding, left)
        words = int(finding.head[0]["listed"]) - 1
        if words <= capacity:
            break
        capacity = words
    effort[:] = left
    return _read_list(finding)


def _read_list(finding: Finding) -> Iterator[Finding]:
    """Yield the finding once for each listed step, which is written into it."""
    words, listed = finding.words, finding.listed
    start, end = 0, int(finding.head[0]["listed"]) - 1
    while start < end:
        words[:] = listed[start : start + words.size]
        start += words.size
        for row, length in _parts(finding):
            row[:length] = listed[start : start + length]
            start += length
        yield finding


def _parts(finding: Finding) -> list[tuple[NDArray[np.int64], int]]:
    """Return the rows of a step that are listed, with their lengths."""
    lists, links = finding.lists, finding.links
    parts = [(lists[row], int(length_of.py_func(finding, row))) for row in range(GONE_DIGITS + 1)]
    return [*parts, *((ends, int(finding.head[0]["n_links"])) for ends in links)]
