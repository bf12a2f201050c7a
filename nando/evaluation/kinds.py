"""What evaluations of each kind of puzzle stand beside. A new kind is one entry."""

from collections.abc import Callable
from typing import NamedTuple

from nando.evaluation.published import nurikabe_page, sudoku_page
from nando.puzzles import Nurikabe, Sudoku


class EvaluationKind(NamedTuple):
    """What evaluations of a kind of puzzle stand beside.

    Attributes
    ----------
    published : callable
        The page of published correlations.
    """

    published: Callable[[], str]


KINDS: dict[str, EvaluationKind] = {
    Sudoku.kind: EvaluationKind(sudoku_page),
    Nurikabe.kind: EvaluationKind(nurikabe_page),
}
"""The kinds of puzzle that something is published of, by name."""


def published_page(kind: str = "sudoku") -> str:
    """The published correlations, and why they cannot be compared number by number."""
    if kind not in KINDS:
        return f"No correlations with times of {kind!r} puzzles are published."
    return KINDS[kind].published()
