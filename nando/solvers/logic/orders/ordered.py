"""The steps of a Sudoku in the order of another program.

An order may ask for chains by name, each found as its own pattern. The ladder finds them as chains,
the shortest first; an order that asks for W-wings before other chains needs every W-wing, whatever
chain is shorter. A pattern is a path of candidates, joined by strong and weak links in turn. It
begins and ends with a strong link, so one of its ends is true.
"""

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import pairwise, permutations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.puzzles.sudoku.layout import sudoku_layout
from nando.solvers.logic import kernel_numbers as kernels
from nando.solvers.logic.chains.link_sets import CHAIN_X, CHAIN_XY, longer
from nando.solvers.logic.finders.pencil_marks import marks_of
from nando.solvers.logic.house_walk import (
    SUKAKU_EXPLAINER,
    HouseWalker,
    SudokuBoard,
    every_step,
    steps_on,
)
from nando.solvers.logic.marks import PencilMarks
from nando.solvers.logic.orders.order import NAMED, sources_of
from nando.solvers.logic.technique import Ladder, LogicRatings, LogicStep, Technique
from nando.solvers.logic.wording.families import family_of, may_be

Node = tuple[int, int]
"""A cell and a digit."""
Path = tuple[Node, ...]
_Next = Callable[[Node], Iterable[Node]]

_CHAIN = next(t for t in SUKAKU_EXPLAINER if t.kernel == kernels.CHAIN)
_HARDER = {CHAIN_X: 1, CHAIN_XY: 5}
"""Tenths by which a chain rates above the easiest cycle."""
W_WING = Technique("W-wing", 7.1, "", kernels.W_WING)
"""The rung that finds W-wings but writes no chain."""
_NO_EFFORT = np.zeros(1, np.int64)


class Links:
    """The links between the candidates of some marks."""

    def __init__(self, marks: PencilMarks, board: SudokuBoard | None = None) -> None:
        self.marks, self.board = marks, board or SudokuBoard(marks, 0)
        self._peers_in_order, self._peers = _peers_of(marks.puzzle.order)
        self._seen: dict[Node, list[Node]] = {}

    def nodes(self) -> Iterator[Node]:
        """Yield all candidates."""
        for cell in range(len(self.marks.values)):
            yield from ((cell, digit) for digit in self.marks.digits(cell))

    def conjugates(self, node: Node) -> list[Node]:
        """Return the only other places of a digit in its houses."""
        return self.joined.get(node, [])

    @cached_property
    def joined(self) -> dict[Node, list[Node]]:
        """The only other places of each candidate's digit in its houses, without repetition."""
        houses = self.marks.puzzle.layout.houses
        in_house = self.marks.candidates[houses].transpose(0, 2, 1)
        others: dict[Node, list[Node]] = {}
        for house, column in np.argwhere(in_house.sum(axis=2) == 2).tolist():
            cells = houses[house][in_house[house, column]].tolist()
            for cell, other in permutations(cells):
                known = others.setdefault((cell, column + 1), [])
                if (other, column + 1) not in known:
                    known.append((other, column + 1))
        return others

    def partner(self, node: Node) -> list[Node]:
        """Return the other candidate of a cell with two."""
        cell, digit = node
        digits = self.marks.digits(cell)
        return [(cell, other) for other in digits if other != digit] if len(digits) == 2 else []

    def seen(self, node: Node) -> list[Node]:
        """Return the candidates of a digit that a candidate sees."""
        if node not in self._seen:
            cell, digit = node
            has = self.marks.candidates[:, digit - 1].tolist()
            self._seen[node] = [(c, digit) for c in self._peers_in_order[cell] if has[c]]
        return self._seen[node]

    def eliminations(self, first: Node, other: Node) -> tuple[Node, ...]:
        """Return the candidates that can be removed if one of two candidates of a digit is true."""
        (cell, digit), (last, _) = first, other
        both = self._peers[cell] & self._peers[last]
        return tuple((c, digit) for c in sorted(both) if digit in self.marks.digits(c))


@cache
def _peers_of(order: int) -> tuple[list[list[int]], list[set[int]]]:
    """Return the peers of each cell of a Sudoku, in order and as a set."""
    in_order = [sorted(peers) for peers in sudoku_layout(order).peers.tolist()]
    return in_order, [set(peers) for peers in in_order]


def chain_steps(links: Links, family: str) -> Iterator[LogicStep]:
    """Yield the steps of a family, the shortest first; none if it has no finder here."""
    known: set[tuple[Node, ...]] = set()
    paths = _PATHS[family](links) if family in _PATHS else ()
    for path in sorted(paths, key=lambda path: (len(path), path)):
        gone = links.eliminations(path[0], path[-1])
        if gone and gone not in known:
            known.add(gone)
            yield _step(path, gone)


def _step(path: Path, gone: tuple[Node, ...]) -> LogicStep:
    """Return the chain for a path with a true end: it assumes the first candidate to be removed."""
    literals = [(*gone[0], True)]
    literals += [(*node, bool(index % 2)) for index, node in enumerate(path)]
    literals.append((*gone[0], False))
    digits = tuple(sorted({digit for _, digit in path}))
    variant = CHAIN_X if len(digits) == 1 else CHAIN_XY
    tenths = round(_CHAIN.rating * 10) + _HARDER[variant] + longer(len(literals))
    return LogicStep(
        _CHAIN,
        tenths / 10,
        variant,
        (),
        tuple(dict.fromkeys(cell for cell, _, _ in literals)),
        digits,
        None,
        gone,
        tuple((*literal, *following) for literal, following in pairwise(literals)),
    )


def _shortest(links: Links, strong: _Next, weak: _Next, least: int) -> Iterator[Path]:
    """Yield the shortest path from each candidate to each later one of its digit.

    Paths have at least `least` candidates, and pass none twice.
    """
    for start in filter(strong, links.nodes()):
        true_after: dict[Node, Path] = {}
        false_after: dict[Node, Path] = {start: (start,)}
        waiting = deque([start])
        while waiting:
            before = false_after[waiting.popleft()]
            for node in strong(before[-1]):
                if node in true_after or node in before:
                    continue
                path = true_after[node] = (*before, node)
                if len(path) >= least and node[1] == start[1] and start < node:
                    yield path
                for after in weak(node):
                    if after not in false_after and after not in path:
                        false_after[after] = (*path, after)
                        waiting.append(after)


def _x_chains(links: Links) -> Iterator[Path]:
    return _shortest(links, links.conjugates, links.seen, 6)


def _colourings(links: Links) -> Iterator[Path]:
    return _shortest(links, links.conjugates, links.conjugates, 6)


def _xy_chains(links: Links) -> Iterator[Path]:
    return _shortest(links, links.partner, links.seen, 8)


def _remote_pairs(links: Links) -> Iterator[Path]:
    marks = links.marks
    n_alike = Counter(marks.digits(cell) for cell in range(len(marks.values)))
    pairs = {digits for digits, n in n_alike.items() if len(digits) == 2 and n >= 4}
    if not pairs:
        return iter(())

    def partner(node: Node) -> list[Node]:
        return links.partner(node) if marks.digits(node[0]) in pairs else []

    def alike(node: Node) -> list[Node]:
        pair = marks.digits(node[0])
        return [near for near in links.seen(node) if marks.digits(near[0]) == pair]

    return _shortest(links, partner, alike, 8)


def _w_wings(links: Links) -> Iterator[Path]:
    """Yield two cells with the same pair, joined by the two places of one of its digits."""
    for step in steps_on(links.board, links.marks, (W_WING,), _NO_EFFORT):
        one, near, far, other = step.cells
        end = step.eliminations[0][1]
        joint = sum(step.digits) - end
        cells = ((one, joint), (near, joint), (far, joint), (other, joint))
        yield ((one, end), *cells, (other, end))


_PATHS: dict[str, Callable[[Links], Iterator[Path]]] = {
    "W-wing": _w_wings,
    "X-chain": _x_chains,
    "XY-chain": _xy_chains,
    "remote pair": _remote_pairs,
    "simple colouring": _colourings,
}

COMPLETE = ("W-wing", "XY-chain", "remote pair")
"""Families whose finder here misses no step that another finder has."""


def walker(ladder: Ladder, effort: int) -> HouseWalker:
    """Return the walker for a ladder, some of whose rungs may be families."""
    if any(technique.kernel == NAMED for technique in ladder):
        return OrderedWalker(ladder, effort)
    return HouseWalker(ladder, effort)


def every(marks: PencilMarks, ladder: Ladder, effort: NDArray[np.int64]) -> Iterator[LogicStep]:
    """Yield the steps of each rung in the order of the ladder, each step once."""
    if not any(technique.kernel == NAMED for technique in ladder):
        yield from every_step(marks, ladder, effort)
        return
    named = _Named(marks, SudokuBoard(marks, 0))
    known: set[tuple[object, ...]] = set()
    for rung in ladder:
        steps: Iterable[LogicStep] = (
            named.steps(rung.name) if rung.kernel == NAMED else every_step(marks, (rung,), effort)
        )
        for step in steps:
            key = frozenset(step.cells), step.eliminations, step.placement, step.links[:1]
            if key not in known:
                known.add(key)
                yield step


class _Named:
    """The steps of families on given marks; a technique is searched when it is first needed."""

    def __init__(self, marks: PencilMarks, board: SudokuBoard) -> None:
        self._marks, self._board, self._links = marks, board, Links(marks, board)
        self._listed: dict[Technique, list[LogicStep]] = {}
        self._names: dict[LogicStep, str] = {}

    def steps(self, family: str) -> Iterator[LogicStep]:
        """Yield the steps of a family, the easiest first; sources are searched if need be."""
        removed: list[set[Node]] = []
        for step in chain_steps(self._links, family):
            removed.append(set(step.eliminations))
            if family_of(step, self._marks).name.startswith(family):
                yield step
        for source in sources_of(family) if family not in COMPLETE else ():
            for step in self._of(source):
                is_new = not any(set(step.eliminations) <= gone for gone in removed)
                if is_new and may_be(family, step, self._marks) and self._name(step) == family:
                    yield step

    def _name(self, step: LogicStep) -> str:
        if step not in self._names:
            self._names[step] = family_of(step, self._marks).name.partition(":")[0]
        return self._names[step]

    def _of(self, technique: Technique) -> list[LogicStep]:
        if technique not in self._listed:
            found = steps_on(self._board, self._marks, (technique,), _NO_EFFORT)
            self._listed[technique] = [*found]
        return self._listed[technique]


@dataclass(frozen=True)
class OrderedWalker(HouseWalker):
    """Finds the steps of a Sudoku in an order; see :class:`nando.solvers.logic.technique.Walker`.

    Parameters
    ----------
    ladder : tuple of Technique
        Some of its rungs are families.
    effort : int
        Most searches of a step for chains nested in an assumption.
    """

    def steps(self, puzzle: Any, start: PencilMarks | None = None) -> Iterator[LogicStep]:
        """Return the steps, one by one, until the grid is full or no technique finds one."""
        marks = PencilMarks.of(puzzle) if start is None else start
        while marks.n_blanks:
            board = SudokuBoard(marks, self.effort)
            found = self._first(board, marks)
            if found is None:
                return
            step = found[1] or board.read(self.ladder[found[0]])
            yield step
            marks = marks.after(step)

    def rate(self, puzzles: Sequence[Any]) -> LogicRatings:
        """Return the ratings of puzzles."""
        uses = np.zeros((len(puzzles), len(self.ladder)), np.int64)
        rating, blanks = np.zeros(len(puzzles)), np.zeros(len(puzzles), np.int64)
        for index, puzzle in enumerate(puzzles):
            marks = PencilMarks.of(puzzle)
            board = SudokuBoard(marks, self.effort)
            while marks.n_blanks:
                hardest, marks = self._stretches[0].climb(board, marks, uses[index])
                rating[index] = max(rating[index], hardest)
                found = self._first(board, marks) if marks.n_blanks else None
                if found is None:
                    break
                rung, step = found
                uses[index, rung] += 1
                if step is None and self.ladder[rung].kernel not in board.searches:
                    rating[index] = max(rating[index], board.finding.head[0]["rating"] / 10)
                    board.apply()
                    continue
                step = step or board.read(self.ladder[rung])
                rating[index] = max(rating[index], step.rating)
                board = SudokuBoard(marks.after(step), self.effort)
            blanks[index] = marks.n_blanks
        return LogicRatings(blanks == 0, rating, uses, blanks)

    def _first(self, board: SudokuBoard, marks: PencilMarks) -> tuple[int, LogicStep | None] | None:
        """Return the first step on a board with these marks, and the number of its rung.

        A step that is not of a family is only written on the board.
        """
        named = _Named(marks, board)
        for stretch in self._stretches:
            if (found := stretch.first(board, named)) is not None:
                return found
        return None

    @cached_property
    def _stretches(self) -> "list[_Stretch]":
        """The rungs in order: each family by itself, other techniques together."""
        ladder, effort = self.ladder, self.effort
        cuts = [i for i, rung in enumerate(ladder) if NAMED in (rung.kernel, ladder[i - 1].kernel)]
        spans = pairwise(sorted({0, *cuts, len(ladder)}))
        return [_Stretch(first, HouseWalker(ladder[first:end], effort)) for first, end in spans]


class _Stretch(NamedTuple):
    """The number of the first of some successive rungs, and their walker; or one family."""

    number: int
    walker: HouseWalker

    @property
    def family(self) -> str | None:
        rung = self.walker.ladder[0]
        return rung.name if rung.kernel == NAMED else None

    def climb(
        self, board: SudokuBoard, marks: PencilMarks, uses: NDArray[np.int64]
    ) -> tuple[float, PencilMarks]:
        """Take all steps, unless this is a family, and count them in the uses of all rungs.

        Return the hardest rating and the marks then.
        """
        if self.family is not None:
            return 0.0, marks
        own = uses[self.number : self.number + len(self.walker.ladder)]
        hardest = self.walker.climb(board, own) / 10
        return hardest, PencilMarks(marks.puzzle, *marks_of(board.state, marks.puzzle.size))

    def first(self, board: SudokuBoard, named: _Named) -> tuple[int, LogicStep | None] | None:
        """Return the number of the rung of the first step, and the step of a family."""
        if self.family is not None:
            step = next(iter(named.steps(self.family)), None)
            return None if step is None else (self.number, step)
        rung = self.walker.find(board) if board.sound else -1
        return None if rung < 0 else (self.number + rung, None)
