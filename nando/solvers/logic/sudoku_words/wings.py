"""Wings and aligned cells in words."""

from nando.puzzles.sudoku.puzzle import SYMBOLS
from nando.solvers.logic.explanation import Explanation, worded
from nando.solvers.logic.sudoku.pattern import AnyMarks, AnyStep
from nando.solvers.logic.sudoku_words.names import Names, bare


def wing(step: AnyStep, marks: AnyMarks, names: Names) -> Explanation:
    """XY- and XYZ-wing: a pivot and two pincers."""
    words = names.words
    pivot, one, other = step.cells
    shared = step.eliminations[0][1]
    (first,), (second,) = (set(marks.digits(cell)) - {shared} for cell in (one, other))
    inside = marks.digits(pivot)
    return worded(
        words,
        "xyz_wing" if shared in inside else "xy_wing",
        house=names.house(max(marks.houses_of((pivot,)))),
        pivot=names.cell(pivot),
        digits=bare(inside),
        either=names.digits(inside, "or"),
        one=names.cell(one),
        one_digits=bare(marks.digits(one)),
        first=SYMBOLS[first],
        other=names.cell(other),
        other_digits=bare(marks.digits(other)),
        second=SYMBOLS[second],
        digit=SYMBOLS[shared],
        gone=names.gone(step.eliminations),
    )


def large_wing(step: AnyStep, marks: AnyMarks, names: Names) -> Explanation:
    """WXYZ- and VWXYZ-wing: n cells of a house with n + 1 digits, and a bivalue cell."""
    words = names.words
    *several, cell = step.cells
    pair = first, second = marks.digits(cell)
    locked = [
        digit
        for digit in pair
        if all(marks.sees(cell, c) for c in several if digit in marks.digits(c))
    ]
    held = locked[0]
    (free,) = set(pair) - {held}
    return worded(
        words,
        "large_wing_twice" if len(locked) == 2 else "large_wing",
        house=names.house(step.houses[0]),
        digits=bare(step.digits),
        each=names.digits(step.digits),
        cells=names.cells(several),
        single=names.cell(cell),
        pair=bare(pair),
        first=SYMBOLS[first],
        second=SYMBOLS[second],
        held=SYMBOLS[held],
        free=SYMBOLS[free],
        number=words(f"number.{len(step.cells)}"),
        gone=names.gone(step.eliminations),
    )


def aligned(step: AnyStep, marks: AnyMarks, names: Names) -> Explanation:
    """Aligned pair and triplet exclusion."""
    words = names.words
    n = step.technique.degree
    return worded(
        words,
        "aligned_pair" if n == 2 else "aligned_triplet",
        house=names.house(max(marks.houses_of(step.cells[:1]))),
        cells=names.cells(step.cells[:n]),
        reasons=_reasons(step, marks, names) if n == 2 else "",
        gone=names.gone(step.eliminations),
    )


def _reasons(step: AnyStep, marks: AnyMarks, names: Names) -> str:
    """Say for each candidate that goes why the other cell of the pair has no digit with it."""
    words = names.words
    first, second, *pairs = step.cells
    reasons = []
    for cell, digit in step.eliminations:
        other = second if cell == first else first
        out = []
        for theirs in marks.digits(other):
            if theirs == digit and marks.sees(cell, other):
                out.append(words("aligned_pair.option.taken", digit=SYMBOLS[theirs]))
            else:
                left = next(c for c in pairs if set(marks.digits(c)) == {digit, theirs})
                needed = {"digit": SYMBOLS[theirs], "cell": names.cell(left)}
                out.append(words("aligned_pair.option.needed", **needed))
        reasons.append(
            words(
                "aligned_pair.reason",
                digit=SYMBOLS[digit],
                cell=names.cell(cell),
                other=names.cell(other),
                options=words.listed(out, "or"),
            )
        )
    return words("list.semicolon").join(reasons)
