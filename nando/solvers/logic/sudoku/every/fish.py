"""Every fish: a digit that has as many positions on some lines as there are lines."""

from collections.abc import Iterator
from itertools import combinations

from nando.solvers.logic.sudoku.every.board import Board, members, step
from nando.solvers.logic.sudoku.step import LogicStep
from nando.solvers.logic.technique import Technique


def every_fish(board: Board, technique: Technique) -> Iterator[LogicStep]:
    """X-wings, swordfish or jellyfish, by the degree."""
    n, size = technique.degree, board.size
    for digit in range(1, size + 1):
        for first, across in ((0, size), (size, 0)):
            places = {
                line: here
                for line in range(first, first + size)
                for here in [board.houses[line] & board.at[digit]]
                if here
            }
            few = [line for line, here in places.items() if 2 <= here.bit_count() <= n]
            # In fewer lines a fish is told as the smaller one that it leaves.
            if len(places) < 2 * n:
                continue
            for base in combinations(few, n):
                inside = 0
                for line in base:
                    inside |= places[line]
                cover = [h for h in range(across, across + size) if board.houses[h] & inside]
                if len(cover) != n:
                    continue
                crossing = 0
                for line in cover:
                    crossing |= board.houses[line]
                gone = [*board.removed([digit], crossing & ~inside)]
                if gone:
                    yield step(
                        technique,
                        gone,
                        houses=[*base, *cover],
                        cells=members(inside),
                        digits=[digit],
                    )
