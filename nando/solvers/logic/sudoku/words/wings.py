"""Wings and aligned pairs in words."""

from nando.puzzles.sudoku.puzzle import SYMBOLS
from nando.solvers.logic.explanation import Explanation, listed
from nando.solvers.logic.sudoku.marks import PencilMarks
from nando.solvers.logic.sudoku.step import LogicStep
from nando.solvers.logic.sudoku.words.names import NUMBERS, bare, cells, digits, gone, house


def wing(step: LogicStep, marks: PencilMarks) -> Explanation:
    """XY- and XYZ-wing: a pivot and two pincers."""
    puzzle = marks.puzzle
    pivot, *pincers = step.cells
    shared = step.eliminations[0][1]
    at = cells(puzzle, [pivot])
    cases = []
    for pincer in pincers:
        (other,) = set(marks.digits(pincer)) - {shared}
        cases.append(f"if it is {SYMBOLS[other]}, {cells(puzzle, [pincer])} is {SYMBOLS[shared]}")
    three = shared in marks.digits(pivot)
    if three:
        cases.append(f"else it is {SYMBOLS[shared]} itself")
    return Explanation(
        f"with its pivot in {house(puzzle, max(marks.houses_of((pivot,))))}",
        f"with pivot {at} ({bare(marks.digits(pivot))}) and pincers "
        + listed(f"{cells(puzzle, [c])} ({bare(marks.digits(c))})" for c in pincers),
        f"{at} is {digits(marks.digits(pivot), 'or')}; {'; '.join(cases)}; so one of "
        f"{'the three' if three else 'the pincers'} is {SYMBOLS[shared]}, and no cell that sees "
        f"{'all three' if three else 'both'} is: {gone(puzzle, step.eliminations)}",
    )


def large_wing(step: LogicStep, marks: PencilMarks) -> Explanation:
    """WXYZ- and VWXYZ-wing: n cells of a house with n + 1 digits, and a bivalue cell."""
    puzzle, here = marks.puzzle, house(marks.puzzle, step.houses[0])
    *several, cell = step.cells
    pair = marks.digits(cell)
    single = cells(puzzle, [cell])
    locked = [
        digit
        for digit in pair
        if all(marks.sees(cell, c) for c in several if digit in marks.digits(c))
    ]
    if len(locked) == 2:
        why = (
            f"{single} sees every {digits(pair, 'and every')} of the others, so the "
            f"{NUMBERS[len(step.cells)]} cells hold each of {digits(step.digits)} once, and no "
            f"cell that sees all places of one of them there is that digit"
        )
    else:
        (held,) = locked
        (free,) = set(pair) - {held}
        why = (
            f"if {single} is {SYMBOLS[held]}, the others, without {SYMBOLS[held]}, need their "
            f"{SYMBOLS[free]}; if not, it is {SYMBOLS[free]} itself; so no cell that sees every "
            f"{SYMBOLS[free]} of these is {SYMBOLS[free]}"
        )
    return Explanation(
        f"in {here}",
        f"{bare(step.digits)} in {cells(puzzle, several)} ({here}) with {single} ({bare(pair)})",
        f"{why}: {gone(puzzle, step.eliminations)}",
    )


def aligned_pair(step: LogicStep, marks: PencilMarks) -> Explanation:
    """Every digit of the other cell is out beside the one that goes."""
    puzzle = marks.puzzle
    if step.technique.degree == 3:
        at = cells(puzzle, step.cells[:3])
        return Explanation(
            f"with one cell in {house(puzzle, max(marks.houses_of(step.cells[:1])))}",
            f"in {at}",
            f"what cells with two or three candidates forbid together leaves the others of {at} no "
            f"digits beside it: {gone(puzzle, step.eliminations)}",
        )
    first, second, *pairs = step.cells
    reasons = []
    for cell, digit in step.eliminations:
        other = second if cell == first else first
        out = []
        for theirs in marks.digits(other):
            if theirs == digit and marks.sees(cell, other):
                out.append(f"{SYMBOLS[theirs]} (taken)")
            else:
                left = next(c for c in pairs if set(marks.digits(c)) == {digit, theirs})
                out.append(f"{SYMBOLS[theirs]} ({cells(puzzle, [left])} needs one of the two)")
        reasons.append(
            f"with {SYMBOLS[digit]} in {cells(puzzle, [cell])}, {cells(puzzle, [other])} cannot "
            f"be {listed(out, 'or')}"
        )
    at = cells(puzzle, (first, second))
    return Explanation(
        f"with one cell in {house(puzzle, max(marks.houses_of((first,))))}",
        f"in {at}",
        f"{'; '.join(reasons)}, and nothing else: {gone(puzzle, step.eliminations)}",
    )
