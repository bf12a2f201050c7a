"""Checks that are common to all lines through cells."""

from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

from nando.puzzles.boards.board import Cells

if TYPE_CHECKING:
    from nando.puzzles.boards.rule import Rule


def line_faults(rule: "Rule", cells: Cells, least: int = 2) -> Iterator[str]:
    """Yield a sentence for a line that is too short, broken, or passes a cell twice."""
    if len(cells) < least:
        yield f"{rule.label} needs at least {least} cells, got {len(cells)}"
    for a, b in pairwise(cells):
        if max(abs(a.row - b.row), abs(a.column - b.column)) != 1:
            yield f"{rule.label} jumps from {a} to {b}; a line joins cells that touch"
    if len(set(cells)) != len(cells):
        yield f"{rule.label} passes a cell twice"
