"""A step of the logic solver on Sudoku, as it comes from the kernels."""

import math
from dataclasses import dataclass
from typing import Any

from nando.kernels.bits import lowest_bit
from nando.solvers.logic.sudoku.marks import PencilMarks
from nando.solvers.logic.sudoku.state import (
    CELL,
    CELLS,
    DIGIT,
    DIGITS,
    GONE_CELLS,
    GONE_DIGITS,
    HOUSES,
    N_CELLS,
    N_GONE,
    N_HOUSES,
    N_LINKS,
    RATING,
    VARIANT,
    Finding,
)
from nando.solvers.logic.techniques import Technique
from nando.solvers.logic.words.names import house
from nando.solvers.logic.words.sudoku import describe, hint


@dataclass(frozen=True)
class LogicStep:
    """One step: what was seen, and what follows.

    Attributes
    ----------
    technique : Technique
    rating : float
    variant : int
        Type, 1 to 4, of a unique loop or bivalue universal grave. Of a chain: 1 a cycle on one
        digit, 2 through cells, 3 both; 4 a forcing chain on one digit, 5 through cells as well.
        Of nishio, multiple and dynamic forcing chains: 1 a candidate on or off, 2 the candidates
        of a cell, 3 the positions of a digit in a house, 4 a contradiction. Else 0.
    houses, cells, digits : tuple of int
        The pattern; houses are numbered rows, columns, boxes, digits from 1.
    placement : (cell, digit) or None
    eliminations : tuple of (cell, digit)
        Candidates removed, apart from those a placement rules out.
    links : tuple of (cell, digit, on, cell, digit, on)
        Of a chain, else empty: the first candidate being true (`on`) or false implies that the
        second is, together with the other links that lead to the same end. Each link comes after
        those that lead to its start. A cycle is told once round, from a candidate that is true.
        Forcing chains are told one after the other, one for each assumption, which no link of
        its chain leads to; where the assumption itself is what all lead to it has no chain. A
        contradiction is one chain, to a candidate that is true as well as false.
    """

    technique: Technique
    rating: float
    variant: int
    houses: tuple[int, ...]
    cells: tuple[int, ...]
    digits: tuple[int, ...]
    placement: tuple[int, int] | None
    eliminations: tuple[tuple[int, int], ...]
    links: tuple[tuple[int, int, bool, int, int, bool], ...] = ()

    def describe(self, marks: PencilMarks) -> str:
        """The step in a sentence, with its reason; `marks` are those before it."""
        return describe(self, marks)

    def hint(self, marks: PencilMarks, degree: int) -> str:
        """A part of it: the technique and where (1), its cells and digits (2), or all of it (3).

        Raises
        ------
        ValueError
            For another degree.
        """
        return hint(self, marks, degree)

    @property
    def is_harvest(self) -> bool:
        """Whether a cell is filled; what only removes candidates opens a new paragraph."""
        return self.placement is not None

    def record(self, marks: PencilMarks) -> dict[str, Any]:
        """The step for programs; cells and houses by name, digits as numbers."""
        name = marks.puzzle.cell_name
        return {
            "technique": self.technique.name,
            "rating": self.rating,
            "houses": [house(marks.puzzle, number) for number in self.houses],
            "cells": [name(cell) for cell in self.cells],
            "digits": list(self.digits),
            "placement": self.placement and [name(self.placement[0]), self.placement[1]],
            "eliminations": [[name(cell), digit] for cell, digit in self.eliminations],
            "links": [
                [name(a), int(b), bool(c), name(d), int(e), bool(f)]
                for a, b, c, d, e, f in self.links
            ],
            "sentence": self.describe(marks),
        }


def step_of(technique: Technique, finding: Finding) -> LogicStep:
    """The step that a kernel wrote down."""
    head = finding.head
    placement = None if head[CELL] < 0 else (int(head[CELL]), int(head[DIGIT]) + 1)
    links = finding.links[:, : head[N_LINKS]].T.tolist()
    size = math.isqrt(finding.lists.shape[1] // 4)
    gone = finding.lists[[GONE_CELLS, GONE_DIGITS], : head[N_GONE]].T.tolist()
    return LogicStep(
        technique,
        int(head[RATING]) / 10,
        int(head[VARIANT]),
        tuple(finding.lists[HOUSES, : head[N_HOUSES]].tolist()),
        tuple(finding.lists[CELLS, : head[N_CELLS]].tolist()),
        _digits(int(head[DIGITS])),
        placement,
        tuple(sorted((cell, digit) for cell, mask in gone for digit in _digits(mask))),
        tuple((*_literal(start, size), *_literal(end, size)) for start, end in links),
    )


def _literal(code: int, size: int) -> tuple[int, int, bool]:
    """Cell, digit from 1, and whether it is true, of an end of a link."""
    return code // 2 // size, code // 2 % size + 1, bool(code % 2)


def _digits(mask: int) -> tuple[int, ...]:
    """Digits, from 1, of a mask."""
    digits = []
    while mask:
        digits.append(lowest_bit(mask) + 1)
        mask &= mask - 1
    return tuple(digits)
