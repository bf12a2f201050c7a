"""Wings and aligned cells in words."""

from nando.puzzles.sudoku.puzzle import SYMBOLS
from nando.solvers.logic.explanation import Explanation
from nando.solvers.logic.wording.names import bare
from nando.solvers.logic.wording.telling import AnyTelling


def wing(telling: AnyTelling) -> Explanation:
    """Explain an XY- or XYZ-wing: a pivot and two pincers."""
    step, names = telling.step, telling.names
    pivot, *pincers = step.cells
    inside, mine, theirs = map(telling.marks.digits, step.cells)
    (shared,) = set(mine) & set(theirs)
    (first,), (second,) = ({*digits} - {shared} for digits in (mine, theirs))
    return telling.worded(
        "xyz_wing" if shared in inside else "xy_wing",
        pivot=names.cell(pivot),
        digits=bare(inside),
        either=names.digits(inside, "or"),
        one=names.cell(pincers[0]),
        one_digits=bare(mine),
        first=SYMBOLS[first],
        other=names.cell(pincers[1]),
        other_digits=bare(theirs),
        second=SYMBOLS[second],
        digit=SYMBOLS[shared],
    )


def locked_of_wing(telling: AnyTelling) -> list[int]:
    """Return the digits of the bivalue cell whose places in the other cells it all sees."""
    *several, single = telling.step.cells
    marks = telling.marks
    return [
        digit
        for digit in marks.digits(single)
        if all(marks.sees(single, cell) for cell in several if digit in marks.digits(cell))
    ]


def large_wing(telling: AnyTelling) -> Explanation:
    """Explain a WXYZ- or VWXYZ-wing: n cells of a house with n + 1 digits, and a bivalue cell."""
    step, names = telling.step, telling.names
    *several, cell = step.cells
    pair = first, second = telling.marks.digits(cell)
    held, *rest = locked_of_wing(telling)
    (free,) = {*pair} - {held}
    return telling.worded(
        "large_wing_twice" if rest else "large_wing",
        each=names.digits(step.digits),
        cells=names.cells(several),
        single=names.cell(cell),
        pair=bare(pair),
        first=SYMBOLS[first],
        second=SYMBOLS[second],
        held=SYMBOLS[held],
        free=SYMBOLS[free],
        number=telling.words(f"number.{len(step.cells)}"),
    )


def aligned(telling: AnyTelling) -> Explanation:
    """Explain an aligned pair or triplet exclusion."""
    step, names = telling.step, telling.names
    n = step.technique.degree
    return telling.worded(
        "aligned_pair" if n == 2 else "aligned_triplet",
        cells=names.cells(step.cells[:n]),
        reasons=_reasons(telling) if n == 2 else "",
    )


def _reasons(telling: AnyTelling) -> str:
    """Say for each candidate removed why it would leave the other cell of the pair no digit."""
    step, marks, names, words = telling.step, telling.marks, telling.names, telling.words
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
