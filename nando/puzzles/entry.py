"""Entries of a file of puzzles."""

from dataclasses import dataclass
from typing import Self

from nando.puzzles.protocol import Puzzle, PuzzleError

_LONGEST_TEXT = 2_000


@dataclass(frozen=True)
class Entry:
    """A puzzle in a file, or the error of a text that is not a puzzle.

    Attributes
    ----------
    line : int
        Line at which it starts, from 1; in a spreadsheet the row.
    text : str
        The text as read, without surrounding white space. The text of an error is truncated to
        2,000 characters.
    puzzle : Puzzle or None
    error : str or None
        Everything wrong with the text. Either `puzzle` or `error` is None.
    """

    line: int
    text: str
    puzzle: Puzzle | None = None
    error: str | None = None

    @classmethod
    def of(cls, line: int, text: str, outcome: Puzzle | PuzzleError | str) -> Self:
        """Return the entry of a puzzle, or of the error that took its place."""
        text = text.strip()
        if not isinstance(outcome, PuzzleError | str):
            return cls(line, text, outcome)  # the whole text: it may hold a position as well
        if len(text) > _LONGEST_TEXT:
            text = text[: _LONGEST_TEXT - 3] + "..."
        return cls(line, text, error=str(outcome))
