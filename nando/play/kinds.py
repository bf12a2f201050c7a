"""The kinds of puzzle that can be played.

A new kind is a file beside this one and one entry here; its rules are a script in ``web``, which is
named in ``web/kinds.mjs``.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from nando.play import nurikabe, sudoku
from nando.puzzles import Nurikabe, Sudoku


class PlayKind(NamedTuple):
    """What the page needs of a kind of puzzle.

    Attributes
    ----------
    script : str
        Name of the module in ``web`` with the rules; it exports an object of the kind's name.
    board : callable
        Takes a puzzle; what its board has besides its size and givens, as plain values.
    decisions, removals : callable
        Take a step; the (cell, value) that it decides, and the (cell, digit) of the candidates
        that it removes besides.
    """

    script: str
    board: Callable[[Any], dict[str, Any]]
    decisions: Callable[[Any], list[tuple[int, int]]]
    removals: Callable[[Any], list[tuple[int, int]]]


KINDS: dict[str, PlayKind] = {
    Sudoku.kind: PlayKind("sudoku.mjs", sudoku.board, sudoku.decisions, sudoku.removals),
    Nurikabe.kind: PlayKind("nurikabe.mjs", nurikabe.board, nurikabe.decisions, nurikabe.removals),
}
"""The kinds of puzzle that can be played, by name."""


def find_kind(kind: str) -> PlayKind:
    """What the page needs of a kind.

    Raises
    ------
    ValueError
        For a kind that cannot be played.
    """
    if kind not in KINDS:
        raise ValueError(f"no {kind!r} puzzles can be played; known: {', '.join(KINDS)}")
    return KINDS[kind]
