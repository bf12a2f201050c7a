"""Every chain of strong links on a digit."""

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from nando.solvers.logic.sudoku.every.board import Board, members, set_of, step
from nando.solvers.logic.sudoku.pattern import splits
from nando.solvers.logic.sudoku.step import LogicStep
from nando.solvers.logic.technique import Technique

_ROW, _COLUMN, _BOX, _GROUPED = 1, 2, 4, 8


class _Link(NamedTuple):
    """A strong link, walked from its near end to its far one.

    Each end is a set of cells and the houses that hold all of them.
    """

    house: int
    cells: int
    kind: int
    near: frozenset[int]
    far: frozenset[int]


def every_strong_links(board: Board, technique: Technique) -> Iterator[LogicStep]:
    """Chains of as many strong links as the degree, each easiest way through its cells once.

    Chains of parallel lines only are rated lowest; see
    :func:`nando.solvers.logic.sudoku.finders.links.find_strong_links`.
    """
    for digit in range(1, board.size + 1):
        links = [*_links(board, digit)]
        best: dict[tuple[frozenset[int], frozenset[tuple[int, int]]], LogicStep] = {}
        for chain in _chains(links, technique.degree, ()):
            gone = frozenset(_removed(board, digit, chain))
            if not gone:
                continue
            found = step(
                technique,
                gone,
                harder=_harder(chain),
                houses=[link.house for link in chain],
                cells=[cell for link in chain for cell in members(link.cells)],
                digits=[digit],
            )
            key = frozenset(found.houses), gone
            if key not in best or found.rating < best[key].rating:
                best[key] = found
        yield from best.values()


def _links(board: Board, digit: int) -> Iterator[_Link]:
    marks, size = board.marks, board.size
    for house in range(3 * size):
        places = marks.places(house, digit)
        if len(places) < 2:
            continue
        # Two places on a line of a box are the link of that line.
        if len(places) == 2 and house >= 2 * size and len(marks.houses_of(places)) > 1:
            continue
        kind = _GROUPED if len(places) > 2 else 1 << house // size
        for near, far in splits(marks, house, digit):
            ends = [
                frozenset(marks.houses_of(end) - ({house} if len(end) > 1 else set()))
                for end in (near, far)
            ]
            yield _Link(house, set_of(places), kind, *ends)


def _chains(links: list[_Link], left: int, chain: tuple[_Link, ...]) -> Iterator[tuple[_Link, ...]]:
    if not left:
        if chain[0].house <= chain[-1].house:
            yield chain
        return
    for link in links:
        if any(link.cells & other.cells for other in chain):
            continue
        if not chain or chain[-1].far & link.near:
            yield from _chains(links, left - 1, (*chain, link))


def _harder(chain: tuple[_Link, ...]) -> int:
    """What the kinds of house add to the rating, in tenths."""
    kinds = 0
    for link in chain:
        kinds |= link.kind
    two = len(chain) == 2
    if kinds & _GROUPED:
        return 3
    if kinds & _BOX:
        return 2 if two else 1
    if kinds & _ROW and kinds & _COLUMN:
        return 1 if two else 2
    return 0


def _removed(board: Board, digit: int, chain: tuple[_Link, ...]) -> Iterator[tuple[int, int]]:
    """What sees both outer ends or, of a loop, both ends of any joint."""
    is_loop = bool(chain[-1].far & chain[0].near)
    held = 0
    for link in chain:
        held |= board.houses[link.house]
    if not is_loop:
        for one, other in pairwise(chain):
            held |= board.houses[_meeting(board, one, other)]
    joints = [(chain[-1], chain[0])]
    if is_loop:
        joints += pairwise(chain)
    for one, other in joints:
        seen = _union(board, one.far) & _union(board, other.near)
        yield from board.removed([digit], seen & ~held)


def _meeting(board: Board, one: _Link, other: _Link) -> int:
    """The house in which two links meet: a column before a row before a box."""
    return min(one.far & other.near, key=lambda house: (1, 0, 2)[house // board.size])


def _union(board: Board, houses: frozenset[int]) -> int:
    union = 0
    for house in houses:
        union |= board.houses[house]
    return union
