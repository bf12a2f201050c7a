"""Every way out of a bivalue universal grave, types 1 to 4."""

from collections.abc import Iterator
from itertools import combinations

from nando.solvers.logic.sudoku.every.board import Board, set_of, step
from nando.solvers.logic.sudoku.step import LogicStep
from nando.solvers.logic.technique import Technique


def every_bug(board: Board, technique: Technique) -> Iterator[LogicStep]:
    """What follows since one of a few extra candidates is true."""
    extra = _extra(board)
    if not extra:
        return
    rich = sorted(extra)
    digits = frozenset[int]().union(*extra.values())
    if len(rich) == 1:
        (cell,) = rich
        gone = [(cell, digit) for digit in board.digits[cell] - digits]
        yield step(technique, gone, variant=1, cells=rich, digits=digits)
        return
    seen = board.seen_by_all(rich)
    if len(digits) == 1:
        gone = [*board.removed(digits, seen)]
        if gone:
            yield step(technique, gone, harder=1, variant=2, cells=rich, digits=digits)
    shared_houses = sorted(board.marks.houses_of(tuple(rich)), reverse=True)
    if len(rich) == 2 and shared_houses:
        shared = board.digits[rich[0]] & board.digits[rich[1]] - digits
        if len(shared) == 1:
            gone = [(c, d) for c in rich for d in board.digits[c] - shared - extra[c]]
            if gone:
                yield step(
                    technique,
                    gone,
                    harder=1,
                    variant=4,
                    houses=shared_houses[:1],
                    cells=rich,
                    digits=digits | shared,
                )
    for house in shared_houses if len(digits) > 1 else ():
        others = [cell for cell in board.blanks_of(house) if seen >> cell & 1]
        for n in range(2, min(7, len(others) + 1)):
            for cells in combinations(others, n - 1):
                subset = frozenset[int]().union(*(board.digits[cell] for cell in cells))
                if len(subset) != n or not digits <= subset:
                    continue
                gone = [*board.removed(subset, set_of(others) & ~set_of(cells))]
                if gone:
                    yield step(
                        technique,
                        gone,
                        harder=n,
                        variant=3,
                        houses=[house],
                        cells=[*rich, *cells],
                        digits=subset,
                    )


def _extra(board: Board) -> dict[int, frozenset[int]]:
    """Extra candidates by cell; none where the grid is no grave without them."""
    extra: dict[int, set[int]] = {}
    for house in range(3 * board.size):
        for digit in range(1, board.size + 1):
            places = board.marks.places(house, digit)
            if len(places) in (0, 2):
                continue
            rich = [cell for cell in places if len(board.digits[cell]) > 2]
            if not rich:
                return {}
            if len(rich) == 1:
                extra.setdefault(rich[0], set()).add(digit)
    if any(len(board.digits[cell] - extra.get(cell, set())) != 2 for cell in board.blanks):
        return {}
    for house in range(3 * board.size):
        for digit in range(1, board.size + 1):
            places = board.marks.places(house, digit)
            left = [cell for cell in places if digit not in extra.get(cell, ())]
            if places and len(left) != 2:
                return {}
    return {cell: frozenset(digits) for cell, digits in extra.items()}
