"""Every step that a ladder of techniques has on pencil marks."""

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from nando.solvers.logic.sudoku import ladder as kernels
from nando.solvers.logic.sudoku.every.aligned import every_aligned
from nando.solvers.logic.sudoku.every.board import Board
from nando.solvers.logic.sudoku.every.bug import every_bug
from nando.solvers.logic.sudoku.every.chains import every_chain
from nando.solvers.logic.sudoku.every.fish import every_fish
from nando.solvers.logic.sudoku.every.forcing import every_forcing, every_nested
from nando.solvers.logic.sudoku.every.links import every_strong_links
from nando.solvers.logic.sudoku.every.locked import (
    every_claiming,
    every_direct_claiming,
    every_direct_pointing,
    every_pointing,
)
from nando.solvers.logic.sudoku.every.loops import every_unique_loop
from nando.solvers.logic.sudoku.every.singles import every_hidden_single, every_naked_single
from nando.solvers.logic.sudoku.every.subsets import (
    every_direct_hidden_subset,
    every_hidden_subset,
    every_naked_subset,
)
from nando.solvers.logic.sudoku.every.wings import every_large_wing, every_wing
from nando.solvers.logic.sudoku.marks import PencilMarks
from nando.solvers.logic.sudoku.step import LogicStep
from nando.solvers.logic.technique import Ladder, Technique

_FINDERS: dict[int, Callable[[Board, Technique], Iterator[LogicStep]]] = {
    kernels.HIDDEN_SINGLE: every_hidden_single,
    kernels.DIRECT_POINTING: every_direct_pointing,
    kernels.DIRECT_CLAIMING: every_direct_claiming,
    kernels.DIRECT_HIDDEN_SUBSET: every_direct_hidden_subset,
    kernels.NAKED_SINGLE: every_naked_single,
    kernels.POINTING: every_pointing,
    kernels.CLAIMING: every_claiming,
    kernels.NAKED_SUBSET: every_naked_subset,
    kernels.HIDDEN_SUBSET: every_hidden_subset,
    kernels.FISH: every_fish,
    kernels.STRONG_LINKS: every_strong_links,
    kernels.WING: every_wing,
    kernels.LARGE_WING: every_large_wing,
    kernels.UNIQUE_LOOP: every_unique_loop,
    kernels.BIVALUE_UNIVERSAL_GRAVE: every_bug,
    kernels.ALIGNED: every_aligned,
    kernels.CHAIN: every_chain,
    kernels.FORCING: every_forcing,
}


def every_step(
    marks: PencilMarks, ladder: Ladder, effort: NDArray[np.int64]
) -> Iterator[LogicStep]:
    """The steps of each technique of a ladder, the easiest first; each pattern once.

    A chain is left out where some of its cells, in an easier step, remove as much. The searches for
    nested chains are counted down from `effort`, an array of one number.
    """
    board = Board.of(marks)
    known: set[tuple[object, ...]] = set()
    told: list[tuple[set[int], set[tuple[int, int]]]] = []
    for technique in ladder:
        if technique.kernel == kernels.NESTED_FORCING:
            found = every_nested(board, technique, effort)
        else:
            found = _FINDERS[technique.kernel](board, technique)
        for step in sorted(found, key=_order):
            key = (
                frozenset(step.cells),
                step.digits if not step.links else (),
                step.placement,
                step.eliminations,
                step.links[:1],
            )
            if key not in known and not (step.links and _repeats(step, told)):
                known.add(key)
                told.append((set(step.cells), set(step.eliminations)))
                yield step


def _repeats(step: LogicStep, told: list[tuple[set[int], set[tuple[int, int]]]]) -> bool:
    """Whether some cells of a chain alone remove as much, as was told before."""
    cells, gone = set(step.cells), set(step.eliminations)
    return any(theirs <= cells and gone <= removed for theirs, removed in told)


def _order(step: LogicStep) -> tuple[object, ...]:
    return step.rating, step.variant, step.houses, step.cells, step.digits, step.eliminations
