"""Every wing: a pivot with two pincers, or cells of a house with a bivalue cell."""

from collections.abc import Iterator
from itertools import combinations

from nando.solvers.logic.sudoku.every.board import Board, set_of, step
from nando.solvers.logic.sudoku.step import LogicStep
from nando.solvers.logic.technique import Technique


def every_wing(board: Board, technique: Technique) -> Iterator[LogicStep]:
    """XY-wings (degree 2) or XYZ-wings (3)."""
    width = technique.degree
    for pivot in board.blanks:
        mine = board.digits[pivot]
        if len(mine) != width:
            continue
        pincers = [
            cell
            for cell in board.bivalue
            if board.peers[pivot] >> cell & 1 and len(board.digits[cell] & mine) == width - 1
        ]
        for pair in combinations(pincers, 2):
            one, other = (board.digits[cell] for cell in pair)
            shared = one & other
            if len(shared) != 1 or len(one | other | mine) != 3 or (shared <= mine) != (width == 3):
                continue
            seen = board.seen_by_all(pair if width == 2 else (pivot, *pair)) & ~(1 << pivot)
            gone = [*board.removed(shared, seen)]
            if gone:
                yield step(technique, gone, cells=(pivot, *pair), digits=one | other)


def every_large_wing(board: Board, technique: Technique) -> Iterator[LogicStep]:
    """WXYZ-wings (degree 3) or VWXYZ-wings (4)."""
    n = technique.degree
    for house in range(3 * board.size):
        few = [cell for cell in board.blanks_of(house) if 2 <= len(board.digits[cell]) <= n + 1]
        for several in combinations(few, n):
            digits = frozenset[int]().union(*(board.digits[cell] for cell in several))
            if len(digits) != n + 1:
                continue
            largest = max(len(board.digits[cell]) for cell in several)
            for cell in board.bivalue:
                if cell in several or not board.digits[cell] <= digits:
                    continue
                gone = [*_removed_by_wing(board, several, digits, cell)]
                if gone:
                    yield step(
                        technique,
                        gone,
                        harder=n - 2 - abs(3 - largest),
                        houses=[house],
                        cells=(*several, cell),
                        digits=digits,
                    )


def _removed_by_wing(
    board: Board, several: tuple[int, ...], digits: frozenset[int], cell: int
) -> Iterator[tuple[int, int]]:
    """What an almost locked set and a bivalue cell rule out between them."""
    pair = board.digits[cell]
    seen = {
        digit: board.seen_by_all(c for c in several if digit in board.digits[c]) for digit in digits
    }
    restricted = [digit for digit in pair if seen[digit] >> cell & 1]
    if not restricted:
        return
    locked = digits if len(restricted) == 2 else pair - set(restricted)
    outside = ~set_of((*several, cell))
    for digit in locked:
        here = board.peers[cell] if digit in pair else -1
        yield from board.removed([digit], seen[digit] & here & outside)
