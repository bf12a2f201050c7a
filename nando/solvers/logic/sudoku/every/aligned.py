"""Every aligned pair and triplet exclusion."""

from collections.abc import Iterator
from itertools import combinations, product

from nando.solvers.logic.sudoku.every.board import Board, Candidate, members, step
from nando.solvers.logic.sudoku.step import LogicStep
from nando.solvers.logic.technique import Technique


def every_aligned(board: Board, technique: Technique) -> Iterator[LogicStep]:
    """Two cells (degree 2) or three (3), of which a candidate leaves the others none.

    Digits are out together where they are the same in cells that see each other, or where a cell
    of as few candidates that all of them see would lose them all.
    """
    n = technique.degree
    few = 0
    for cell in board.blanks:
        if 2 <= len(board.digits[cell]) <= n:
            few |= 1 << cell
    excluders = {
        cell: board.peers[cell] & few for cell in board.blanks if len(board.digits[cell]) > 1
    }
    bases = [cell for cell, theirs in excluders.items() if theirs]
    for cells in _groups(bases, excluders, n):
        common = board.seen_by_all(cells) & few
        if common.bit_count() < 2:
            continue
        several = [*members(common)]
        digits = frozenset[int]().union(*(board.digits[cell] for cell in cells))
        if n == 3 and not any(board.digits[cell] <= digits for cell in several):
            continue
        gone = _excluded(board, cells, [board.digits[cell] for cell in several])
        if gone:
            yield step(technique, gone, cells=[*cells, *several], digits=digits)


def _groups(bases: list[int], excluders: dict[int, int], n: int) -> Iterator[tuple[int, ...]]:
    """Pairs of cells, or triplets of which the third may exclude digits of one of the others."""
    for first, second in combinations(bases, 2):
        shared = excluders[first] & excluders[second]
        if shared.bit_count() < 2:
            continue
        if n == 2:
            yield first, second
            continue
        for third in members(excluders[first] | excluders[second]):
            if third not in (first, second) and third in excluders:
                yield first, second, third


def _excluded(board: Board, cells: tuple[int, ...], few: list[frozenset[int]]) -> list[Candidate]:
    """Candidates of the cells that are in no combination that is left."""
    meeting = [
        (i, j)
        for i, j in combinations(range(len(cells)), 2)
        if board.peers[cells[i]] >> cells[j] & 1
    ]
    left = {(cell, digit) for cell in cells for digit in board.digits[cell]}
    for chosen in product(*(sorted(board.digits[cell]) for cell in cells)):
        fits = [pair for pair in zip(cells, chosen, strict=True) if pair in left]
        if not fits or any(chosen[i] == chosen[j] for i, j in meeting):
            continue
        used = frozenset(chosen)
        if not any(digits <= used for digits in few):
            left.difference_update(fits)
            if not left:
                break
    return sorted(left)
