"""Candidate grids: ``.sdx`` files, and the pencil marks that HoDoKu, Sukaku and forums print.

A grid has nine rows of nine cells. Several digits are the candidates of a cell, and a digit after
``u`` was entered by the player. Any other single digit is a given, even if a cell that sees it
still lists it, except for a naked single that is not placed yet: the other givens leave only this
digit, and every cell that sees it and could hold it lists it.

With 17 givens or more, eliminated candidates are ignored. That is safe if the givens alone have one
solution. Fewer givens never do (McGuire, Tugemann and Civario 2014): a grid with fewer givens whose
candidates say more than these is a Sukaku, a variant whose candidates are rules.
"""

import re
from collections.abc import Sequence

import numpy as np

from nando.puzzles.boards.board import Cell
from nando.puzzles.formats.base import Kind, Standing, as_sudoku, declare, unreadable
from nando.puzzles.protocol import Puzzle
from nando.puzzles.rules.cells import GivenCandidates
from nando.puzzles.sudoku.layout import sudoku_layout
from nando.puzzles.sudoku.puzzle import Sudoku
from nando.puzzles.variants.puzzle import Variant

_FEWEST_GIVENS = 17
_DIGITS = "123456789"
_SINGLES = frozenset(_DIGITS)
_SUKAKU = re.compile(r"(?<![\w.])(?P<marks>[0-9._*]{729})(?![\w.])")


def puzzle_of_marks(cells: Sequence[str]) -> Sudoku | Variant:
    """Return the puzzle of the digits in each of 81 cells, a variant if it is a Sukaku."""
    puzzle = _givens_of(cells)
    if puzzle.n_givens >= _FEWEST_GIVENS:
        return puzzle
    rules = [
        GivenCandidates(Cell(*divmod(cell, 9)), tuple(map(int, marks)))
        for cell, (marks, implied) in enumerate(zip(cells, candidates_of(puzzle), strict=True))
        if len(marks) > 1 and marks[0] != "u" and not set(implied) <= set(marks)
    ]
    return Variant.of(puzzle.text, rules) if rules else puzzle


def _givens_of(cells: Sequence[str]) -> Sudoku:
    """Return the Sudoku of the single digits, without naked singles that are not placed yet."""
    peers = _open_peers(cells)
    singles = {cell: digit for cell, digit in enumerate(cells) if digit in _SINGLES}
    listed = {c for c, digit in singles.items() if any(digit in cells[p] for p in peers[c])}
    values = [0 if cell in listed else int(singles.get(cell, 0)) for cell in range(81)]
    implied = candidates_of(Sudoku.from_values(values))
    for cell in listed:
        digit = singles[cell]
        is_open = implied[cell] == digit and all(
            digit in cells[peer] for peer in peers[cell] if digit in implied[peer]
        )
        values[cell] = 0 if is_open else int(digit)
    return Sudoku.from_values(values)


def _open_peers(cells: Sequence[str]) -> list[list[int]]:
    """Return the cells with several candidates that each cell sees."""
    return [
        [other for other in around if len(cells[other]) > 1 and cells[other][0] != "u"]
        for around in sudoku_layout(3).peers.tolist()
    ]


def standing_of_marks(cells: Sequence[str], known: Puzzle | None = None) -> Standing:
    """Return the half-solved puzzle of the digits in each of 81 cells, with all marks.

    If the puzzle is known, a single digit that is no given of it, and that a cell that sees it
    still lists, is the last candidate of its cell.
    """
    puzzle = puzzle_of_marks(cells)
    entries = puzzle.givens.copy()
    if known is not None and known.givens.size == entries.size:
        for cell, peers in enumerate(_open_peers(cells)):
            if not known.givens[cell] and any(cells[cell] in cells[peer] for peer in peers):
                entries[cell] = 0
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
    cells = ["".join(sorted(set(marks[i : i + 9]) & set(_DIGITS))) for i in range(0, 729, 9)]
    if "" in cells:
        name = Cell(*divmod(cells.index(""), 9))
        raise unreadable(f"no candidate for {name}; wanted the nine candidates of each cell")
    return cells


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


FORMAT = declare("sdx", pattern=_SUKAKU, read=_read, read_standing=_read_standing, write=_write)
