"""The walker on grids of houses, and the list of every step that a position allows.

A board is what kernels look on for steps: that of a Sudoku is here, with its ladders
(``ladders/sudoku.csv``); that of a variant has files of its own. Before each step the ladder is
climbed from the start. Its rungs are cut into parts: those that a kernel climbs by itself, and
searches, which are started one by one.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nando.puzzles import Sudoku
from nando.solvers.logic import kernel_numbers as kernels
from nando.solvers.logic.chains import assumptions, house_ladder
from nando.solvers.logic.chains.house_ladder import search
from nando.solvers.logic.chains.link_sets import CHAIN_X
from nando.solvers.logic.finders.finding import Finding, apply, list_all, new_finding, step_of
from nando.solvers.logic.finders.grid import sudoku_grid
from nando.solvers.logic.finders.pencil_marks import empty_state, state_of
from nando.solvers.logic.kernel_numbers import LARGE_WING, STRONG_LINKS
from nando.solvers.logic.marks import PencilMarks
from nando.solvers.logic.technique import (
    Fill,
    Ladder,
    LogicRatings,
    LogicStep,
    Part,
    Scale,
    Technique,
    read_ladder,
    rungs_of,
)
from nando.solvers.logic.variants.variant_board import VariantBoard
from nando.solvers.protocol import Rule

SUDOKU_SCALE = Scale("SE rating", "the scale of Sukaku Explainer", "chains", 6.5)

SUKAKU_EXPLAINER: Ladder = read_ladder(Sudoku.kind, vars(assumptions) | vars(kernels))
"""Ladder of Sukaku Explainer, the successor of Sudoku Explainer.

It is the scale of the Sudoku Exchange bank: strong links and large wings come before chains.
"""

SUDOKU_EXPLAINER: Ladder = tuple(
    technique
    for technique in SUKAKU_EXPLAINER
    if technique.kernel not in (STRONG_LINKS, LARGE_WING)
)
"""Ladder of Sudoku Explainer 1.2.1: the scale of most published ratings."""


_AS_IT_STANDS = np.zeros((1, 0), np.int64)
"""Givens of a grid that is not reset."""


class SudokuBoard:
    """A Sudoku on which kernels look for steps, and the last step found.

    Attributes
    ----------
    searches, unsound : tuple of int
        Techniques that are searched for one by one, and those that this puzzle does not allow.
    state : LogicState
    finding : Finding
        The last step found.
    sound : bool
        False once a cell has no candidate left, or a digit no place in a house.
    """

    searches = (kernels.NESTED_FORCING,)
    unsound = ()

    def __init__(self, marks: PencilMarks, effort: int) -> None:
        order = marks.puzzle.order
        self._marks = marks
        self._grid = sudoku_grid(order)
        self.state = state_of(self._grid, marks.values, marks.candidates)
        self.finding, self._trial = new_finding(order), new_finding(order)
        self._effort = np.full(1, effort, np.int64)
        self.sound = True

    @property
    def n_blanks(self) -> int:
        """Number of cells not filled yet."""
        return int(self.state.n_blanks[0])

    def find(self, part: Part) -> int:
        """Write the first step of a part; return its rung in the part, or -1."""
        state, grid, finding = self.state, self._grid, self.finding
        if not part.searches:
            return house_ladder.find_step(state, grid, part.rungs, finding, self._trial)
        here = state, grid, finding, self._trial, self._effort
        return next((k for k, row in enumerate(part.rungs) if search(*here, row)), -1)

    def climb(self, part: Part, counts: NDArray[np.int64]) -> int:
        """Take the steps of a part while it finds any, and count the uses of its rungs.

        Return the hardest rating in tenths.
        """
        results = np.zeros((1, 3), np.int64)
        here = self.state, self._grid, _AS_IT_STANDS, part.rungs
        house_ladder.rate_all(*here, self.finding, self._trial, counts[None], results)
        self.sound = results[0, 0] != house_ladder.CONTRADICTION
        return int(results[0, 1])

    def apply(self) -> None:
        """Apply the last step found."""
        self.sound = bool(apply(self.state, self._grid, self.finding))

    def read(self, technique: Technique) -> LogicStep:
        """Return the last step found, by a technique."""
        return self._read(technique, self.finding)

    def _read(self, technique: Technique, finding: Finding) -> LogicStep:
        return step_of(technique, finding, self._marks.puzzle.size, range(self._grid.n_cells))

    def list_steps(self, technique: Technique, effort: NDArray[np.int64]) -> Iterator[LogicStep]:
        """Return the steps of a technique, as its finder lists them; count the effort down."""
        order, state, grid = self._marks.puzzle.order, self.state, self._grid
        rungs = rungs_of((technique,))

        def find(finding: Finding, left: NDArray[np.int64]) -> bool:
            return search(state, grid, finding, self._trial, left, rungs[0])

        listed = list_all(partial(new_finding, order), find, effort)
        return (self._read(technique, finding) for finding in listed)


def rate_all(
    puzzles: Sequence[Sudoku],
    rungs: NDArray[np.int64],
    uses: NDArray[np.int64],
    solved: NDArray[np.bool_],
    hardest: NDArray[np.int64],
    blanks: NDArray[np.int64],
) -> list[int]:
    """Rate puzzles without the techniques that are searched for; return the numbers of the stuck.

    Parameters
    ----------
    puzzles : sequence of Sudoku
    rungs : ndarray of int64, shape (n_techniques, 3)
    uses : ndarray of int64, shape (n, n_techniques)
    solved : ndarray of bool, shape (n,)
    hardest, blanks : ndarray of int64, shape (n,)
        Rating of the hardest step in tenths, and blanks left. Modified in place, as `uses` and
        `solved` are.
    """
    of_order: dict[int, list[int]] = {}
    for index, puzzle in enumerate(puzzles):
        of_order.setdefault(puzzle.order, []).append(index)
    results = np.zeros((len(puzzles), 3), np.int64)
    for order, indices in of_order.items():
        counts, ends = uses[indices], results[indices]
        house_ladder.rate_all(
            empty_state(sudoku_grid(order)),
            sudoku_grid(order),
            np.stack([puzzles[index].givens for index in indices], dtype=np.int64),
            rungs,
            new_finding(order),
            new_finding(order),
            counts,
            ends,
        )
        uses[indices], results[indices] = counts, ends
    solved[:], hardest[:], blanks[:] = results[:, 0] == house_ladder.SOLVED, *results[:, 1:].T
    return np.flatnonzero(results[:, 0] == house_ladder.STUCK).tolist()


Board = SudokuBoard | VariantBoard


def board_of(marks: PencilMarks, effort: int = 0) -> Board:
    """Return the board on which kernels look for steps from a position."""
    is_sudoku = isinstance(marks.puzzle, Sudoku)
    return SudokuBoard(marks, effort) if is_sudoku else VariantBoard(marks, effort)


@dataclass(frozen=True)
class HouseWalker:
    """Finds the steps of a Sudoku or a variant; see :class:`nando.solvers.logic.technique.Walker`.

    Parameters
    ----------
    ladder : tuple of Technique
    effort : int
        Most searches of a puzzle for chains nested in an assumption, and most assumptions of its
        nested what-ifs.
    """

    ladder: Ladder
    effort: int

    def steps(self, puzzle: Any, start: PencilMarks | None = None) -> Iterator[LogicStep]:
        """Return the steps, one by one, until the grid is full or no technique finds one."""
        marks = PencilMarks.of(puzzle) if start is None else start
        return (board.read(self.ladder[rung]) for board, rung in self.boards(marks))

    def boards(self, marks: PencilMarks) -> Iterator[tuple[Board, int]]:
        """Yield the board before each step, which is written in its finding, and its rung."""
        board = board_of(marks, self.effort)
        while board.sound and board.n_blanks:
            rung = self.find(board)
            if rung < 0:
                return
            yield board, rung
            board.apply()

    def find(self, board: Board) -> int:
        """Write the first step on a board; return the number of its rung, or -1."""
        return _first(board, self._parts(board))

    def fills(self, step: LogicStep) -> Sequence[Fill]:
        """Return the cell that a step fills, or nothing if it fills none."""
        if step.placement is None:
            return ()
        naked = step.technique.kernel == kernels.NAKED_SINGLE
        return (Fill(*step.placement, Rule.NAKED_SINGLE if naked else Rule.HIDDEN_SINGLE),)

    def rate(self, puzzles: Sequence[Any]) -> LogicRatings:
        """Return the ratings of puzzles; a puzzle without a solution counts as not solved."""
        uses = np.zeros((len(puzzles), len(self.ladder)), np.int64)
        solved = np.zeros(len(puzzles), np.bool_)
        hardest, blanks = np.zeros((2, len(puzzles)), np.int64)
        left = list(range(len(puzzles)))
        if puzzles and isinstance(puzzles[0], Sudoku):
            stuck = rate_all(puzzles, self._rungs, uses, solved, hardest, blanks)
            left = stuck if kernels.NESTED_FORCING in self._rungs[:, 0] else []
        for index in left:
            uses[index] = 0
            board = board_of(PencilMarks.of(puzzles[index]), self.effort)
            hardest[index] = self.climb(board, uses[index])
            solved[index], blanks[index] = board.sound and board.n_blanks == 0, board.n_blanks
        return LogicRatings(solved, hardest / 10, uses, blanks)

    def climb(self, board: Board, uses: NDArray[np.int64]) -> int:
        """Walk to the end and count the uses of each rung; return the hardest rating in tenths."""
        # Most steps are found by the rungs before the first search.
        easy, *harder = self._parts(board)
        counts, hardest = np.zeros(len(easy.numbers), np.int64), 0
        while board.sound and board.n_blanks:
            hardest = max(hardest, board.climb(easy, counts))
            if not (board.sound and board.n_blanks):
                break
            rung = _first(board, harder)
            if rung < 0:
                break
            uses[rung] += 1
            hardest = max(hardest, int(board.finding.head[0]["rating"]))
            board.apply()
        uses[easy.numbers] += counts
        return hardest

    def _parts(self, board: Board) -> list[Part]:
        """Return the ladder in parts, without the techniques that are not sound on the board."""
        if board.unsound not in self._cut:
            self._cut[board.unsound] = self._parts_for(board)
        return self._cut[board.unsound]

    def _parts_for(self, board: Board) -> list[Part]:
        kept = [i for i, rung in enumerate(self.ladder) if rung.kernel not in board.unsound]
        groups = groupby(kept, lambda i: self.ladder[i].kernel in board.searches)
        parts = [(searches, [*numbers]) for searches, numbers in groups]
        if not parts or parts[0][0]:
            parts.insert(0, (False, []))  # the first part never searches
        arrays = ((np.array(numbers, np.int64), searches) for searches, numbers in parts)
        return [Part(numbers, self._rungs[numbers], searches) for numbers, searches in arrays]

    @cached_property
    def _rungs(self) -> NDArray[np.int64]:
        return rungs_of(self.ladder)

    @cached_property
    def _cut(self) -> dict[tuple[int, ...], list[Part]]:
        """The ladder in parts, by the techniques that are left out."""
        return {}


def _first(board: Board, parts: Iterable[Part]) -> int:
    """Write the first step of some parts; return the number of its rung, or -1."""
    for part in parts:
        rung = board.find(part)
        if rung >= 0:
            return int(part.numbers[rung])
    return -1


# List every step that the techniques of a ladder find on pencil marks

Tidy = Callable[[Iterable[LogicStep], PencilMarks], Iterable[LogicStep]]


def every_step(
    marks: PencilMarks, ladder: Ladder, effort: NDArray[np.int64]
) -> Iterator[LogicStep]:
    """Return the steps of each technique of a ladder, the easiest first, each pattern once.

    A chain is left out if an easier step removes as much with some of its cells, and so is each
    step on a variant. Of the what-ifs of a kind, only the shortest is listed.

    Parameters
    ----------
    marks : PencilMarks
    ladder : tuple of Technique
    effort : ndarray of int64, shape (1,)
        Most searches for chains, and most what-ifs, nested in an assumption. Counted down in place.
    """
    return steps_on(board_of(marks), marks, ladder, effort)


def steps_on(
    board: Board, marks: PencilMarks, ladder: Ladder, effort: NDArray[np.int64]
) -> Iterator[LogicStep]:
    """Yield the steps as :func:`every_step` does, on the board of the marks."""
    on_variant = not isinstance(marks.puzzle, Sudoku)
    known: set[tuple[object, ...]] = set()
    listed: list[tuple[LogicStep, set[int], set[tuple[int, int]]]] = []
    for technique in ladder:
        steps: Iterable[LogicStep] = board.list_steps(technique, effort)
        if technique.kernel in _TIDY:
            steps = _TIDY[technique.kernel](steps, marks)
        if technique.kernel in board.searches or not on_variant:  # else as they are found
            steps = sorted(steps, key=_order)
        for step in steps:
            key = (
                frozenset(step.cells),
                step.digits if not step.links else (),
                step.placement,
                step.eliminations,
                step.links[:1],
            )
            cells, gone = set(step.cells), set(step.eliminations)
            if key in known or (
                (on_variant or step.links)
                and any(
                    easier.placement == step.placement
                    and gone <= removed
                    and (theirs <= cells or technique.kernel in kernels.WHAT_IFS)
                    for easier, theirs, removed in listed
                )
            ):
                continue
            known.add(key)
            listed.append((step, cells, gone))
            yield step


def _order(step: LogicStep) -> tuple[object, ...]:
    return step.rating, step.variant, step.houses, step.cells, step.digits, step.eliminations


# For some techniques the steps that the finders list are filtered or sorted.


def _no_singles(steps: Iterable[LogicStep], marks: PencilMarks) -> Iterator[LogicStep]:
    """Leave out hidden singles: digits with one position, and fills that need no pattern."""
    for step in steps:
        if len(step.cells) > 1 and (
            step.placement is None or len(marks.places(step.houses[-1], step.placement[1])) > 1
        ):
            yield step


def _fish(steps: Iterable[LogicStep], _: PencilMarks) -> Iterator[LogicStep]:
    """Sort the cells, which the finder lists by line."""
    return (replace(step, cells=tuple(sorted(step.cells))) for step in steps)


def _graves(steps: Iterable[LogicStep], marks: PencilMarks) -> Iterator[LogicStep]:
    """Sort the cells with extra candidates, which come first."""
    for step in steps:
        yield replace(
            step,
            cells=tuple(sorted(step.cells, key=lambda cell: (len(marks.digits(cell)) == 2, cell))),
        )


def _loops(steps: Iterable[LogicStep], _: PencilMarks) -> Iterator[LogicStep]:
    """Keep each loop in the direction in which it is found first."""
    directions: dict[frozenset[int], tuple[int, ...]] = {}
    for step in steps:
        if directions.setdefault(frozenset(step.cells), step.cells) == step.cells:
            yield step


def _strong_links(steps: Iterable[LogicStep], _: PencilMarks) -> Iterable[LogicStep]:
    """Keep the easiest step through the same houses."""
    return _easiest(steps, lambda step: (step.digits, frozenset(step.houses), step.eliminations))


def _chains(steps: Iterable[LogicStep], _: PencilMarks) -> Iterable[LogicStep]:
    """Keep each cycle once, and the easiest of the chains from a literal."""

    def key(step: LogicStep) -> object:
        if step.variant >= CHAIN_X:
            return step.links[0][:3]
        return frozenset(link[:2] for link in step.links), step.eliminations

    return _easiest([step for step in steps if step.eliminations], key)


def _easiest(steps: Iterable[LogicStep], key: Callable[[LogicStep], object]) -> Iterable[LogicStep]:
    """Keep the easiest step with each key, the first of several."""
    best: dict[object, LogicStep] = {}
    for step in steps:
        if step.rating < best.setdefault(key(step), step).rating:
            best[key(step)] = step
    return best.values()


_TIDY: dict[int, Tidy] = {
    kernels.DIRECT_POINTING: _no_singles,
    kernels.DIRECT_CLAIMING: _no_singles,
    kernels.POINTING: _no_singles,
    kernels.CLAIMING: _no_singles,
    kernels.FISH: _fish,
    kernels.STRONG_LINKS: _strong_links,
    kernels.UNIQUE_LOOP: _loops,
    kernels.BIVALUE_UNIVERSAL_GRAVE: _graves,
    kernels.CHAIN: _chains,
}
