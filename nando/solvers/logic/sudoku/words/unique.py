"""Unique rectangles, unique loops and the bivalue universal grave in words."""

from nando.puzzles.sudoku.puzzle import SYMBOLS
from nando.solvers.logic.explanation import Explanation
from nando.solvers.logic.sudoku.marks import PencilMarks
from nando.solvers.logic.sudoku.pattern import Cells, is_naked_loop, loop_subset
from nando.solvers.logic.sudoku.step import LogicStep
from nando.solvers.logic.sudoku.words.names import SUBSETS, bare, cells, digits, every, gone, house


def unique_loop(step: LogicStep, marks: PencilMarks) -> Explanation:
    """Types 1 to 4 of a unique rectangle or loop."""
    puzzle = marks.puzzle
    pair = digits(marks.digits(step.cells[0]))
    corners = len(step.cells) == 4
    box = house(puzzle, max(marks.houses_of(step.cells[:1])))
    return Explanation(
        f"{'with a corner in' if corners else 'through'} {box}",
        f"type {step.variant} on {pair} in {cells(puzzle, step.cells)}",
        f"with nothing but {pair} there, swapping the two would give a second solution, so "
        f"{_loop(step, marks)}: {gone(puzzle, step.eliminations)}",
        name=f"unique {'rectangle' if corners else 'loop'}",
    )


def _loop(step: LogicStep, marks: PencilMarks) -> str:
    """What holds since not all cells of the loop can have nothing but the pair."""
    puzzle, pair = marks.puzzle, set(marks.digits(step.cells[0]))
    rich = tuple(cell for cell in step.cells if set(marks.digits(cell)) != pair)
    extras = {digit for cell in rich for digit in marks.digits(cell)} - pair
    one = f"one of {cells(puzzle, rich)}"
    if step.variant == 1:
        return f"{cells(puzzle, rich)} is {digits(extras, 'or')}"
    if step.variant == 2:
        return f"{one} is {bare(extras)}, and no cell that sees {every(len(rich))} is"
    here = house(puzzle, step.houses[0])
    if step.variant == 4:
        loser = step.eliminations[0][1]
        kept = bare(pair - {loser})
        return (
            f"{one} is neither; in {here} the {kept} fits only these two, so the other one is "
            f"{kept} and neither is {SYMBOLS[loser]}"
        )
    helpers = loop_subset(step, marks)
    if is_naked_loop(step):
        subset = {digit for cell in helpers for digit in marks.digits(cell)}
        return _as_one(marks, rich, extras, helpers, subset, here)
    return (
        f"{one} is neither. In {here} the digits {bare(step.digits)} then fit only the other one "
        f"and {cells(puzzle, helpers)}, as many cells as digits, and fill them"
    )


def bivalue_universal_grave(step: LogicStep, marks: PencilMarks) -> Explanation:
    """Types 1 to 4; the cells of type 3 end with those of the subset, which have no extra digit."""
    puzzle = marks.puzzle
    rich = tuple(cell for cell in step.cells if len(marks.digits(cell)) > 2)
    extras = {
        digit for cell in rich for digit in marks.digits(cell) if _is_extra(marks, cell, digit)
    }
    return Explanation(
        "over the whole grid: nearly every blank has two candidates",
        f"type {step.variant} but for {cells(puzzle, rich)}",
        f"without the extra {digits(extras)} there every blank would have two candidates and "
        f"every digit two places in each house, and such a grid has no solution or several, so "
        f"{_grave(step, marks, rich, extras)}: "
        f"{gone(puzzle, step.eliminations)}",
    )


def _is_extra(marks: PencilMarks, cell: int, digit: int) -> bool:
    """Whether a candidate is one too many in a house of its cell."""
    return any(len(marks.places(here, digit)) > 2 for here in marks.houses_of((cell,)))


def _grave(step: LogicStep, marks: PencilMarks, rich: Cells, extras: set[int]) -> str:
    puzzle = marks.puzzle
    at = cells(puzzle, rich)
    if step.variant == 1:
        return f"{at} is {digits(extras, 'or')}"
    if step.variant == 2:
        return f"one of {at} is {digits(extras)}, and no cell that sees {every(len(rich))} is"
    here = house(puzzle, step.houses[0])
    if step.variant == 3:
        helpers = tuple(cell for cell in step.cells if cell not in rich)
        return _as_one(marks, rich, extras, helpers, set(step.digits), here)
    (shared,) = set(step.digits) - extras
    return (
        f"one of {at} is {digits(extras, 'or')}; in {here} the "
        f"{SYMBOLS[shared]} fits only these two, so the other one is {SYMBOLS[shared]}"
    )


def _as_one(
    marks: PencilMarks, rich: Cells, extras: set[int], helpers: Cells, subset: set[int], here: str
) -> str:
    """The rich cells as one cell of a naked subset."""
    return (
        f"one of {cells(marks.puzzle, rich)} is {digits(extras, 'or')}. As one cell they make a "
        f"naked {SUBSETS[len(helpers) + 1]} {bare(subset)} with {cells(marks.puzzle, helpers)} in "
        f"{here}, so no other cell there is {digits(subset, 'or')}"
    )
