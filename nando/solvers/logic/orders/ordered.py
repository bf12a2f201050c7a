"""The steps of a Sudoku in the order of another program."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.solvers.logic.finders.pencil_marks import marks_of
from nando.solvers.logic.house_walk import HouseWalker, every_step, steps_on
from nando.solvers.logic.marks import PencilMarks
from nando.solvers.logic.orders.named_chains import COMPLETE, Links, chain_steps
from nando.solvers.logic.orders.order import NAMED, sources_of
from nando.solvers.logic.sudoku_board import SudokuBoard
from nando.solvers.logic.technique import Ladder, LogicStep, Technique
from nando.solvers.logic.walk import LogicRatings
from nando.solvers.logic.wording.families import family_of, may_be

_NO_EFFORT = np.zeros(1, np.int64)


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
        self._marks, self._board, self._links = marks, board, Links(marks)
        self._listed: dict[Technique, list[LogicStep]] = {}
        self._names: dict[LogicStep, str] = {}

    def steps(self, family: str) -> Iterator[LogicStep]:
        """Yield the steps of a family, the easiest first; sources are searched if need be."""
        own = chain_steps(self._links, family)
        yield from (step for step in own if self._is(step, family))
        removed = [set(step.eliminations) for step in own]
        for source in sources_of(family) if family not in COMPLETE else ():
            for step in self._of(source):
                is_new = not any(set(step.eliminations) <= gone for gone in removed)
                if is_new and may_be(family, step, self._marks) and self._name(step) == family:
                    yield step

    def _is(self, step: LogicStep, family: str) -> bool:
        return family_of(step, self._marks).name.startswith(family)

    def _name(self, step: LogicStep) -> str:
        if step not in self._names:
            self._names[step] = family_of(step, self._marks).name.partition(":")[0]
        return self._names[step]

    def _of(self, technique: Technique) -> list[LogicStep]:
        if technique not in self._listed:
            self._listed[technique] = [
                *steps_on(self._board, self._marks, (technique,), _NO_EFFORT)
            ]
        return self._listed[technique]


@dataclass(frozen=True)
class OrderedWalker(HouseWalker):
    """Finds the steps of a Sudoku in an order; see :class:`nando.solvers.logic.walk.Walker`.

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
