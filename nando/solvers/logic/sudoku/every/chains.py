"""For every candidate the shortest chain and the shortest cycle from it."""

from collections import deque
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from nando.solvers.logic.sudoku.chains.implications import longer
from nando.solvers.logic.sudoku.chains.links import (
    CHAIN_X,
    CHAIN_XY,
    CYCLE_X,
    CYCLE_XY,
    CYCLE_Y,
)
from nando.solvers.logic.sudoku.every.board import Board, Candidate, members
from nando.solvers.logic.sudoku.step import LogicStep
from nando.solvers.logic.technique import Technique

Literal = tuple[int, bool]
"""Number of a candidate, and whether it is true."""

_HARDER = {CYCLE_X: 0, CYCLE_Y: 0, CYCLE_XY: 5, CHAIN_X: 1, CHAIN_XY: 5}
"""What a variant adds to the rating, in tenths."""


class Graph(NamedTuple):
    """The candidates and their links, by number of the candidate.

    `held` is the set of candidates of the same cell, with itself; `weak` the set of its digit that
    it sees. `strong` lists what it turns on when it is off, first in its cell (or None), then in
    its houses.
    """

    candidates: list[Candidate]
    held: list[int]
    weak: list[int]
    strong: list[tuple[int | None, tuple[int, ...]]]


def every_chain(board: Board, technique: Technique) -> Iterator[LogicStep]:
    """The easiest chain from each candidate, on and off, and the shortest cycle through it."""
    graph = graph_of(board)
    known: set[tuple[frozenset[int], frozenset[Candidate]]] = set()
    for variant in (CYCLE_X, CYCLE_Y, CYCLE_XY):
        for start in range(len(graph.candidates)):
            literals, gone = _cycle(graph, start, variant)
            key = frozenset(i for i, _ in literals), frozenset(gone)
            if gone and key not in known:
                known.add(key)
                yield _step(technique, graph, variant, [*literals, literals[0]], gone)
    for start, (cell, digit) in enumerate(graph.candidates):
        for on in (True, False):
            gone = [(cell, digit)] if on else [(cell, d) for d in board.digits[cell] - {digit}]
            found = [
                _step(technique, graph, variant, literals, gone)
                for variant in (CHAIN_X, CHAIN_XY)
                for literals in [_chain(graph, (start, on), variant)]
                if literals and gone
            ]
            if found:
                yield min(found, key=lambda step: step.rating)


def graph_of(board: Board) -> Graph:
    """The candidates of a board and their links."""
    candidates = [(cell, digit) for cell in board.blanks for digit in sorted(board.digits[cell])]
    number = {candidate: i for i, candidate in enumerate(candidates)}
    held, weak, strong = [], [], []
    for cell, digit in candidates:
        held.append(sum(1 << number[cell, other] for other in board.digits[cell]))
        weak.append(
            sum(1 << number[c, digit] for c in members(board.peers[cell] & board.at[digit]))
        )
        others = board.digits[cell] - {digit}
        inside = number[cell, min(others)] if len(others) == 1 else None
        partners = []
        for house in sorted(board.marks.houses_of((cell,))):
            left = board.houses[house] & board.at[digit] & ~(1 << cell)
            if left.bit_count() == 1:
                partners += [number[c, digit] for c in members(left)]
        strong.append((inside, tuple(dict.fromkeys(partners))))
    return Graph(candidates, held, weak, strong)


def links_after(graph: Graph, literal: Literal, variant: int) -> Iterator[Literal]:
    """What follows from a literal in a chain of a variant."""
    i, on = literal
    inside, partners = graph.strong[i]
    if on:
        seen = graph.weak[i]
        if variant == CHAIN_XY:
            seen |= graph.held[i] & ~(1 << i)
        yield from ((other, False) for other in members(seen))
        return
    if variant == CHAIN_XY and inside is not None:
        yield inside, True
    yield from ((other, True) for other in partners)


def _chain(graph: Graph, start: Literal, variant: int) -> list[Literal]:
    """The literals of a shortest chain to the opposite of a literal; none if there is none."""
    goal = start[0], not start[1]
    before: dict[Literal, Literal] = {}
    waiting = deque([start])
    while waiting:
        literal = waiting.popleft()
        for after in links_after(graph, literal, variant):
            if after == start or after in before:
                continue
            before[after] = literal
            if after == goal:
                chain = [after]
                while chain[-1] != start:
                    chain.append(before[chain[-1]])
                return chain[::-1]
            waiting.append(after)
    return []


class _Node(NamedTuple):
    """The end of a path from a candidate that is on, to another that is on.

    `ahead` and `behind` are what the candidates on the path see that are on, and off; `held` what
    shares a cell with the path; `off` what is off on it.
    """

    on: int
    via: int
    back: "_Node | None"
    ahead: int
    behind: int
    held: int
    off: int


def _cycle(graph: Graph, start: int, variant: int) -> tuple[list[Literal], list[Candidate]]:
    """The literals of a shortest cycle from a candidate that removes anything, and what goes."""

    def turned_on(off: int) -> Iterator[int]:
        inside, partners = graph.strong[off]
        if variant != CYCLE_X and inside is not None:
            yield inside
        if variant != CYCLE_Y:
            yield from partners

    if not any(True for _ in turned_on(start)):
        return [], []
    first = _Node(start, -1, None, graph.weak[start], 0, graph.held[start], 0)
    waiting = deque([first])
    seen_off, seen_on = 0, 1 << start
    while waiting:
        node = waiting.popleft()
        reach = graph.weak[node.on]
        if variant != CYCLE_X:
            reach |= graph.held[node.on] & ~(1 << node.on)
        for off in members(reach & ~node.off):
            then = [*turned_on(off)]
            if start in then and node is not first:
                gone = node.ahead & (node.behind | graph.weak[off])
                gone &= ~(node.held | graph.held[off])
                if gone:
                    return _path(node, off), [graph.candidates[i] for i in members(gone)]
            if seen_off >> off & 1:
                continue
            seen_off |= 1 << off
            for on in then:
                if seen_on >> on & 1:
                    continue
                seen_on |= 1 << on
                waiting.append(
                    _Node(
                        on,
                        off,
                        node,
                        node.ahead | graph.weak[on],
                        node.behind | graph.weak[off],
                        node.held | graph.held[off] | graph.held[on],
                        node.off | 1 << off,
                    )
                )
    return [], []


def _path(node: _Node, off: int) -> list[Literal]:
    """The literals of a cycle that closes from the end of a path."""
    literals = [(off, False)]
    at: _Node | None = node
    while at is not None:
        literals.append((at.on, True))
        if at.back is not None:
            literals.append((at.via, False))
        at = at.back
    return literals[::-1]


def _step(
    technique: Technique,
    graph: Graph,
    variant: int,
    literals: list[Literal],
    gone: list[Candidate],
) -> LogicStep:
    told = [(*graph.candidates[i], on) for i, on in literals]
    length = len(told) - 1 if variant in (CYCLE_X, CYCLE_Y, CYCLE_XY) else len(told)
    rating = round(technique.rating * 10) + _HARDER[variant] + int(longer(length))
    return LogicStep(
        technique,
        rating / 10,
        variant,
        (),
        tuple(dict.fromkeys(cell for cell, _, _ in told)),
        tuple(sorted({digit for _, digit, _ in told})),
        None,
        tuple(sorted(gone)),
        tuple((*a, *b) for a, b in pairwise(told)),
    )
