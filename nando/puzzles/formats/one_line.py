"""The formats of one line, alone or in a column of a table."""

import re

from nando.puzzles.formats import candidate_grids
from nando.puzzles.formats.base import Format, Kind, unreadable
from nando.puzzles.formats.programs import (
    cage_lines,
    f_puzzles,
    hodoku,
    lisudoku,
    penpa,
    pzpr,
    solo,
    sudokupad,
    sudokuwiki,
)
from nando.puzzles.kinds import PUZZLES
from nando.puzzles.protocol import Fault, FaultKind, Puzzle, PuzzleError
from nando.puzzles.sudoku.puzzle import Sudoku
from nando.puzzles.variants.puzzle import Variant

ONE_LINE: tuple[Format, ...] = (
    f_puzzles.FORMAT,
    sudokupad.FORMAT,
    sudokuwiki.FORMAT,
    pzpr.FILE,
    pzpr.FORMAT,
    penpa.FORMAT,
    hodoku.FORMAT,
    candidate_grids.FORMAT,
    lisudoku.FORMAT,
    solo.FORMAT,
    cage_lines.JIGSAW,
    cage_lines.NUMBERS,
    cage_lines.LETTERS,
)
"""Formats with a pattern, in the order in which they are tried."""

_LINKS = (f_puzzles, sudokupad, sudokuwiki, pzpr, penpa, lisudoku)
_ADDRESS = re.compile(r"(?<!\w)\w{1,20}://\S+")
_SIGN = re.compile(r"[/=]|[A-Za-z]:|x\d+:|\+\d")
_SHORT = 90
"""Least length of a text in one of these formats, unless it has a slash, HoDoKu's colon or plus,
the sum of a letter, or a size with a colon. The check halves the time to read lines of digits."""


def find_on(text: str) -> tuple[Format, re.Match[str]] | None:
    """Return the format whose pattern matches earliest in a text, and the match.

    The packed part of a link may look like the beginning of another link.
    """
    if len(text) < _SHORT and not _SIGN.search(text) and not text.startswith(":"):
        return None
    matches = [
        (format, match)
        for format in ONE_LINE
        if format.pattern is not None and (match := format.pattern.search(text))
    ]
    return min(matches, key=lambda pair: pair[1].start(), default=None)


def puzzle_of_text(text: str, kind: Kind) -> Puzzle:
    """Return the puzzle in a text, in a format of one line or in any text form of its kind.

    Raises
    ------
    PuzzleError
        If the text is not a puzzle (the message lists everything wrong), or is a puzzle of another
        kind.
    """
    if located := find_on(text):
        format, match = located
        assert format.read is not None
        return of_kind(format.read(match, kind), kind)
    if address := address_in(text):
        known = ", ".join(program.FORMAT.name for program in _LINKS)
        raise unreadable(
            f"no puzzle in the link {address[:60]!r}; wanted a link of {known} that holds the "
            "whole puzzle"
        )
    if kind is not None:
        try:
            return kind.parse(text)
        except PuzzleError:
            if not kind.is_whole(text):
                for other in PUZZLES:
                    if other.is_whole(text):
                        return of_kind(other.parse(text), kind)
            raise
    whole = [other for other in PUZZLES if other.is_whole(text)]
    return (whole or PUZZLES)[0].parse(text)


def address_in(text: str) -> str | None:
    """Return the first web address in a text, or None."""
    match = _ADDRESS.search(text)
    return match[0] if match else None


def of_kind(puzzle: Puzzle, kind: Kind) -> Puzzle:
    """Return `puzzle`; raise PuzzleError if it is of another kind than `kind`.

    A Sudoku is also a variant, without further rules.
    """
    if kind is None or isinstance(puzzle, kind):
        return puzzle
    if kind is Variant and isinstance(puzzle, Sudoku):
        return Variant(puzzle.text)
    way_out = "keep each kind in a file of its own"
    if kind is Sudoku and isinstance(puzzle, Variant):
        way_out = "the kind variant reads both"
    message = f"another kind: a {puzzle.kind}, where {kind.kind} is read; {way_out}"
    raise PuzzleError([Fault(FaultKind.ANOTHER_KIND, message)])
