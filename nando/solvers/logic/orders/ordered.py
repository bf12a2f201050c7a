"""The steps of a Sudoku in the order of another program."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nando.solvers.logic.house_walk import HouseWalker, every_step
from nando.solvers.logic.marks import PencilMarks
from nando.solvers.logic.orders.named_chains import chain_steps
from nando.solvers.logic.orders.order import NAMED, sources_of
from nando.solvers.logic.technique import Ladder, LogicStep, Technique
from nando.solvers.logic.walk import LogicRatings
from nando.solvers.logic.wording.families import family_of

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
    named = _Named(marks)
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

    def __init__(self, marks: PencilMarks) -> None:
        self._marks = marks
        self._listed: dict[Technique, dict[str, list[LogicStep]]] = {}

    def steps(self, family: str) -> list[LogicStep]:
        """Return the steps of a family, the easiest first."""
        own = chain_steps(self._marks, family)
        sources = sources_of(family)
        listed = [step for source in sources for step in self._of(source).get(family, ())]
        removed = [set(step.eliminations) for step in own]
        own += [s for s in listed if not any(set(s.eliminations) <= gone for gone in removed)]
        return [step for step in own if family_of(step, self._marks).name.startswith(family)]

    def _of(self, technique: Technique) -> dict[str, list[LogicStep]]:
        if technique not in self._listed:
            by_family = self._listed[technique] = {}
            for step in every_step(self._marks, (technique,), _NO_EFFORT):
                name = family_of(step, self._marks).name.partition(":")[0]
                by_family.setdefault(name, []).append(step)
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
            step = self._first(marks)
            if step is None:
                return
            yield step
            marks = marks.after(step)

    def rate(self, puzzles: Sequence[Any]) -> LogicRatings:
        """Return the ratings of puzzles; uses of families are not counted."""
        solved = np.zeros(len(puzzles), np.bool_)
        rating = np.zeros(len(puzzles))
        uses = np.zeros((len(puzzles), len(self.ladder)), np.int64)
        rungs = {technique: number for number, technique in enumerate(self.ladder)}
        for index, puzzle in enumerate(puzzles):
            n_blanks = puzzle.givens.size - puzzle.n_givens
            for step in self.steps(puzzle):
                rating[index] = max(rating[index], step.rating)
                n_blanks -= step.placement is not None
                if step.technique in rungs:
                    uses[index, rungs[step.technique]] += 1
            solved[index] = n_blanks == 0
        return LogicRatings(solved, rating, uses)

    def _first(self, marks: PencilMarks) -> LogicStep | None:
        named = _Named(marks)
        for family, plain in self._stretches:
            step = (
                next(iter(named.steps(family)), None)
                if plain is None
                else next(plain.steps(marks.puzzle, marks), None)
            )
            if step is not None:
                return step
        return None

    @cached_property
    def _stretches(self) -> list[tuple[str, HouseWalker | None]]:
        """The rungs in order: a family, or several techniques with a walker of their own."""
        stretches: list[tuple[str, HouseWalker | None]] = []
        for is_named, rungs in groupby(self.ladder, key=lambda rung: rung.kernel == NAMED):
            part = tuple(rungs)
            if is_named:
                stretches += [(rung.name, None) for rung in part]
            else:
                stretches.append(("", HouseWalker(part, self.effort)))
        return stretches
