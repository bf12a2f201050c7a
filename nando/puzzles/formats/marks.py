"""Candidate grids: ``.sdx`` files, and the pencil marks that HoDoKu, Sukaku and forums print.

A grid has nine rows of nine cells. Several digits are the candidates of a cell, and a digit after
``u`` was entered by the player. Any other single digit is a given, unless a cell in one of its
houses still has it as a candidate: then it is a naked single that is not placed yet.

When a puzzle is read, eliminated candidates are ignored. That is safe if the givens alone have one
solution. Fewer than 17 givens never do (McGuire, Tugemann and Civario 2014), so a grid with fewer
givens whose candidates add information is a Sukaku, and is rejected.
"""

import re
from collections.abc import Sequence

import numpy as np

from nando.puzzles.formats.base import Kind, Standing, as_sudoku, listed, variant
from nando.puzzles.protocol import Puzzle
from nando.puzzles.sudoku.layout import sudoku_layout
from nando.puzzles.sudoku.puzzle import Sudoku

_FEWEST_GIVENS = 17
_DIGITS = "123456789"
_SUKAKU = re.compile(r"(?<![\w.])(?P<marks>[0-9._*]{729})(?![\w.])")


def puzzle_of_marks(cells: Sequence[str]) -> Sudoku:
    """Return the Sudoku of the digits in each of 81 cells."""
    peers = sudoku_layout(3).peers
    candidates = [digits if len(digits) > 1 and digits[0] != "u" else "" for digits in cells]
    values = []
    for cell, digits in enumerate(cells):
        is_digit = len(digits) == 1 and digits in _DIGITS
        still_open = any(digits in candidates[peer] for peer in peers[cell])
        values.append(int(digits) if is_digit and not still_open else 0)
    puzzle = Sudoku.from_values(values)
    if puzzle.n_givens < _FEWEST_GIVENS:
        implied = candidates_of(puzzle)
        if any(marked and marked != full for marked, full in zip(candidates, implied, strict=True)):
            raise variant(
                [f"candidates that say more than its {puzzle.n_givens} givens (Sukaku)"],
                "classic Sudoku",
            )
    return puzzle


def standing_of_marks(cells: Sequence[str]) -> Standing:
    """Return the half-solved Sudoku of the digits in each of 81 cells, with all marks."""
    puzzle = puzzle_of_marks(cells)
    entries = puzzle.givens.copy()
    candidates = np.zeros((entries.size, puzzle.size), np.bool_)
    for cell, digits in enumerate(cells):
        if digits.startswith("u"):
            entries[cell] = int(digits[1:] or 0)
        elif not entries[cell]:
            candidates[cell, [int(digit) - 1 for digit in digits if digit in _DIGITS]] = True
    return Standing(puzzle, entries, candidates)


def candidates_of(puzzle: Sudoku) -> list[str]:
    """Return the candidates that the givens leave for each cell; for a given, its digit."""
    givens = puzzle.givens
    seen = givens[puzzle.layout.peers]
    return [
        str(given) if given else "".join(d for d in _DIGITS if int(d) not in there)
        for given, there in zip(givens.tolist(), map(set, seen.tolist()), strict=True)
    ]


def _read(match: re.Match[str], _: Kind) -> Puzzle:
    return puzzle_of_marks(_cells(match))


def _read_standing(match: re.Match[str], _: Kind) -> Standing:
    return standing_of_marks(_cells(match))


def _cells(match: re.Match[str]) -> list[str]:
    """Return the digits of each cell, which has nine symbols, one for each candidate."""
    marks = match["marks"]
    return ["".join(sorted(set(marks[i : i + 9]) & set(_DIGITS))) for i in range(0, 729, 9)]


def _write(puzzle: Puzzle) -> str:
    sudoku = as_sudoku(puzzle, FORMAT.name, orders=(3,))
    marks = candidates_of(sudoku)
    if "" in marks:
        cell = sudoku.cell_name(marks.index(""))
        raise ValueError(f"{FORMAT.name} holds candidates, and the givens leave none for {cell}")
    # A single candidate would read as a given: it is written as an entered digit.
    words = [
        digits if given or len(digits) > 1 else f"u{digits}"
        for digits, given in zip(marks, sudoku.givens.tolist(), strict=True)
    ]
    return "\n".join(" ".join(words[i : i + 9]) for i in range(0, 81, 9))


FORMAT = listed("sdx", pattern=_SUKAKU, read=_read, read_standing=_read_standing, write=_write)
