"""Every unique rectangle and loop, types 1 to 4."""

from collections.abc import Iterator
from itertools import combinations

from nando.solvers.logic.sudoku.every.board import Board, Candidate, members, set_of, step
from nando.solvers.logic.sudoku.step import LogicStep
from nando.solvers.logic.technique import Technique


def every_unique_loop(board: Board, technique: Technique) -> Iterator[LogicStep]:
    """Loops of cells that could swap two digits, but for a few extra candidates."""
    seen: set[tuple[frozenset[int], frozenset[int]]] = set()
    for start in board.bivalue:
        pair = board.digits[start]
        holds = -1
        for digit in pair:
            holds &= board.at[digit]
        for loop in _loops(board, [start], -1, pair, holds):
            key = frozenset(loop), pair
            if key not in seen:
                seen.add(key)
                yield from _steps(board, technique, loop, pair)


def _loops(
    board: Board, path: list[int], entered: int, pair: frozenset[int], holds: int
) -> Iterator[tuple[int, ...]]:
    """Loops from a bivalue cell that is the first of theirs, through houses of two cells each."""
    marks, start = board.marks, path[0]
    for house in sorted(marks.houses_of((path[-1],)) - {entered}):
        for cell in members(board.houses[house] & holds & ~(1 << path[-1])):
            if cell == start:
                if len(path) >= 4 and _is_closed(board, path):
                    yield tuple(path)
                continue
            if cell in path or (board.digits[cell] == pair and cell < start):
                continue
            if not _is_free(board, path, cell):
                continue
            longer = [*path, cell]
            rich = [board.digits[c] for c in longer if board.digits[c] != pair]
            if len(rich) > 2 and len(frozenset[int]().union(*rich) - pair) > 1:
                continue
            yield from _loops(board, longer, house, pair, holds)


def _is_free(board: Board, path: list[int], cell: int) -> bool:
    """Whether no house would hold two cells at odd, or two at even places of the path."""
    same = path[len(path) % 2 :: 2]
    return not any(board.peers[cell] >> other & 1 for other in same)


def _is_closed(board: Board, path: list[int]) -> bool:
    """Whether every house with a cell of the path has one at an even and one at an odd place."""
    even, odd = set_of(path[::2]), set_of(path[1::2])
    return all(
        bool(house & even) == bool(house & odd) for house in board.houses if house & (even | odd)
    )


def _steps(
    board: Board, technique: Technique, loop: tuple[int, ...], pair: frozenset[int]
) -> Iterator[LogicStep]:
    rich = [cell for cell in loop if board.digits[cell] != pair]
    if not rich:
        return
    extras = frozenset[int]().union(*(board.digits[cell] for cell in rich)) - pair
    longer = {4: 0, 6: 1, 8: 2}.get(len(loop), 5)
    if len(rich) == 1:
        gone = [(rich[0], digit) for digit in pair]
        yield step(technique, gone, harder=longer, variant=1, cells=loop, digits=pair)
        return
    if len(extras) == 1:
        gone = [*board.removed(extras, board.seen_by_all(rich))]
        if gone:
            yield step(technique, gone, harder=longer, variant=2, cells=loop, digits=pair | extras)
    if len(rich) > 2:
        return
    for house in sorted(board.marks.houses_of(tuple(rich))):
        inside = board.houses[house]
        for digit in sorted(pair):
            if inside & board.at[digit] == set_of(rich):
                (other,) = pair - {digit}
                gone = [(cell, other) for cell in rich]
                yield step(
                    technique,
                    gone,
                    harder=longer,
                    variant=4,
                    houses=[house],
                    cells=loop,
                    digits=pair,
                )
        if len(extras) > 1:
            for digits, harder, gone in _subsets(board, house, rich, pair, extras):
                yield step(
                    technique,
                    gone,
                    harder=longer + harder,
                    variant=3,
                    houses=[house],
                    cells=loop,
                    digits=pair | digits,
                )


def _subsets(
    board: Board, house: int, rich: list[int], pair: frozenset[int], extras: frozenset[int]
) -> Iterator[tuple[frozenset[int], int, list[Candidate]]]:
    """Naked and hidden subsets with the two rich cells as one: digits, what they add, what goes."""
    blanks = board.blanks_of(house)
    others = [cell for cell in blanks if cell not in rich]
    for n in range(len(extras), len(blanks) // 2 + 1):
        few = [c for c in others if len(board.digits[c]) > 1 and len(board.digits[c] | extras) <= n]
        for cells in combinations(few, n - 1):
            digits = frozenset[int]().union(*(board.digits[cell] for cell in cells))
            if len(digits) == n and extras <= digits:
                left = set_of(others) & ~set_of(cells)
                gone = [*board.removed(digits, left)]
                if gone:
                    yield digits, n - 1, gone
    for n in range(max(2, len(extras)), (len(blanks) - 1) // 2 + 1):
        places = {digit: set_of(others) & board.at[digit] for digit in range(1, board.size + 1)}
        both = 0
        for digit in pair:
            both |= places[digit]
        rest = [d for d, here in places.items() if here and d not in pair | extras]
        for chosen in combinations(rest, n - 2):
            union = both
            for digit in chosen:
                union |= places[digit]
            if union.bit_count() == n - 1:
                digits = pair | frozenset(chosen)
                gone = [*board.removed(set(range(1, board.size + 1)) - digits, union)]
                if gone:
                    yield digits, n - 2, gone
