"""What the page to play needs to know about each kind of puzzle.

A new kind is one entry here; its rules are a script in ``web``, which is named in
``web/kinds.mjs``.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from nando.play.variants import board_of
from nando.puzzles import Nurikabe, Sudoku, Variant


class PlayKind(NamedTuple):
    """What the page needs to know about a kind of puzzle.

    Attributes
    ----------
    script : str
        Name of the module in ``web`` with the rules; it exports an object of the kind's name.
    board : callable
        Takes a puzzle; returns what its board has besides its size and givens, as plain values.
    decisions : callable
        Takes a step; returns the (cell, value) pairs that it decides.
    removals : callable
        Takes a step; returns the (cell, digit) pairs of the candidates that it removes, apart from
        those that a placement rules out.
    """

    script: str
    board: Callable[[Any], dict[str, Any]]
    decisions: Callable[[Any], list[tuple[int, int]]]
    removals: Callable[[Any], list[tuple[int, int]]]


KINDS: dict[str, PlayKind] = {
    Sudoku.kind: PlayKind(
        "sudoku.mjs",
        board=lambda puzzle: {"box": puzzle.order},
        decisions=lambda step: [] if step.placement is None else [step.placement],
        removals=lambda step: list(step.eliminations),
    ),
    Nurikabe.kind: PlayKind(
        "nurikabe.mjs",
        # -1 is an island of unknown size.
        board=lambda puzzle: {"numbers": puzzle.numbers.tolist()},
        decisions=lambda step: [(cell, step.colour) for cell in step.cells],
        removals=lambda _: [],
    ),
    Variant.kind: PlayKind(
        "variants.mjs",
        board=board_of,
        decisions=lambda step: [] if step.placement is None else [step.placement],
        removals=lambda step: list(step.eliminations),
    ),
}
"""The kinds of puzzle that can be played, by name."""


def find_kind(kind: str) -> PlayKind:
    """Return what the page needs to know about a kind.

    Raises
    ------
    ValueError
        For a kind that cannot be played.
    """
    if kind not in KINDS:
        raise ValueError(f"no {kind!r} puzzles can be played; known: {', '.join(KINDS)}")
    return KINDS[kind]
