"""Large wings, unique rectangles and loops, and the bivalue universal grave in words."""

from nando.puzzles import Sudoku
from nando.solvers.logic.language import Explanation
from nando.solvers.logic.marks import PencilMarks
from nando.solvers.logic.step_pattern import Cells, is_naked_loop, loop_subset
from nando.solvers.logic.wording.telling import Telling


def unique_loop(telling: Telling) -> Explanation:
    """Explain a unique rectangle or loop, types 1 to 4."""
    step, marks, names = telling.step, telling.marks, telling.names
    corners = len(step.cells) == 4
    explanation = telling.express(
        "unique_rectangle" if corners else "unique_loop",
        house=names.house(telling.house_of(step.cells[0])),
        pair=names.digits(marks.digits(step.cells[0])),
        so=_loop(telling),
    )
    name = f"unique {'rectangle' if corners else 'loop'}"
    return explanation._replace(name=name, variant=telling.words("type.number", n=step.variant))


def _loop(telling: Telling) -> str:
    """Return the conclusion from the fact that the loop cannot consist of the pair alone."""
    step, marks, names = telling.step, telling.marks, telling.names
    pair = set(marks.digits(step.cells[0]))
    rich = tuple(cell for cell in step.cells if set(marks.digits(cell)) != pair)
    extras = {digit for cell in rich for digit in marks.digits(cell)} - pair
    if step.variant == 1:
        return _so("unique_so.type_1", telling, rich, either=names.digits(extras, "or"))
    if step.variant == 2:
        every = telling.words(f"every.{len(rich)}")
        return _so("unique_so.type_2", telling, rich, digit=names.bare(extras), every=every)
    if step.variant == 4:
        loser = step.eliminations[0][1]
        (kept,) = pair - {loser}
        return _kept("unique_so.type_4", telling, rich, kept, digit=names.symbols[loser])
    helpers = loop_subset(step, marks)
    if is_naked_loop(step):
        subset = {digit for cell in helpers for digit in marks.digits(cell)}
        return _as_one(telling, rich, extras, helpers, subset)
    digits = names.bare(step.digits)
    return _so("unique_so.hidden", telling, rich, digits=digits, helpers=names.cells(helpers))


def bivalue_universal_grave(telling: Telling) -> Explanation:
    """Explain a bivalue universal grave, types 1 to 4.

    The cells of type 3 end with those of the subset, which have no extra digit.
    """
    step, marks, names = telling.step, telling.marks, telling.names
    rich = tuple(cell for cell in step.cells if len(marks.digits(cell)) > 2)
    extras = {
        digit for cell in rich for digit in marks.digits(cell) if _is_extra(marks, cell, digit)
    }
    explanation = telling.express(
        "grave",
        cells=names.cells(rich),
        extras=names.digits(extras),
        so=_grave(telling, rich, extras),
    )
    return explanation._replace(variant=telling.words("type.number", n=step.variant))


def _is_extra(marks: PencilMarks, cell: int, digit: int) -> bool:
    """Return True if a house of the cell has more than two places for the digit."""
    return any(len(marks.places(here, digit)) > 2 for here in marks.houses_of((cell,)))


def _grave(telling: Telling, rich: Cells, extras: set[int]) -> str:
    step, names = telling.step, telling.names
    either = names.digits(extras, "or")
    if step.variant == 1:
        return _so("grave_so.type_1", telling, rich, either=either)
    if step.variant == 2:
        every = telling.words(f"every.{len(rich)}")
        return _so("grave_so.type_2", telling, rich, digits=names.digits(extras), every=every)
    if step.variant == 3:
        helpers = tuple(cell for cell in step.cells if cell not in rich)
        return _as_one(telling, rich, extras, helpers, set(step.digits))
    (shared,) = set(step.digits) - extras
    return _kept("grave_so.type_4", telling, rich, shared, either=either)


def _as_one(
    telling: Telling, rich: Cells, extras: set[int], helpers: Cells, subset: set[int]
) -> str:
    """Return the conclusion from a naked subset in which the rich cells count as one cell."""
    names = telling.names
    return _so(
        "unique_so.naked",
        telling,
        rich,
        either=names.digits(extras, "or"),
        naked_subset=telling.words(f"naked_subset_of.{len(helpers) + 1}"),
        digits=names.bare(subset),
        helpers=names.cells(helpers),
        out=names.digits(subset, "or"),
    )


def _kept(key: str, telling: Telling, rich: Cells, held: int, **fields: str) -> str:
    """Return the conclusion from a digit that the house has only in the rich cells."""
    names = telling.names
    kept = names.symbols[held]
    return _so(key, telling, rich, the_kept=names.the(held), kept=kept, **fields)


def _so(key: str, telling: Telling, rich: Cells, **fields: str) -> str:
    """Return a conclusion for the rich cells, in the house of the step if it has one."""
    names, houses = telling.names, telling.step.houses
    house = names.house(houses[0]) if houses else ""
    return telling.words(key, cells=names.cells(rich), house=house, **fields)


# Wings and aligned cells in words


def wing(telling: Telling) -> Explanation:
    """Explain an XY- or XYZ-wing: a pivot and two pincers."""
    step, names = telling.step, telling.names
    pivot, *pincers = step.cells
    inside, mine, theirs = map(telling.marks.digits, step.cells)
    (shared,) = set(mine) & set(theirs)
    (first,), (second,) = ({*digits} - {shared} for digits in (mine, theirs))
    return telling.express(
        "xyz_wing" if shared in inside else "xy_wing",
        pivot=names.cell(pivot),
        digits=names.bare(inside),
        either=names.digits(inside, "or"),
        one=names.cell(pincers[0]),
        one_digits=names.bare(mine),
        first=names.symbols[first],
        other=names.cell(pincers[1]),
        other_digits=names.bare(theirs),
        second=names.symbols[second],
        digit=names.symbols[shared],
    )


def _locked_of(telling: Telling) -> list[int]:
    """Return the digits of the bivalue cell whose places in the other cells it all sees."""
    *several, single = telling.step.cells
    marks = telling.marks
    return [
        digit
        for digit in marks.digits(single)
        if all(marks.sees(single, cell) for cell in several if digit in marks.digits(cell))
    ]


def large_wing(telling: Telling) -> Explanation:
    """Explain a larger wing: n cells that see each other with n + 1 digits, and a bivalue cell."""
    step, names = telling.step, telling.names
    *several, cell = step.cells
    pair = first, second = telling.marks.digits(cell)
    held, *rest = _locked_of(telling)
    (free,) = {*pair} - {held}
    if not isinstance(telling.marks.puzzle, Sudoku):
        return telling.express(
            "variant_wing",
            "both" if rest else "why",
            house=names.house(telling.house_of(cell)),
            cells=names.cells(several),
            single=names.cell(cell),
            pair=names.bare(pair),
            shared=names.symbols[held],
            locked=names.symbols[free],
        )
    return telling.express(
        "large_wing_twice" if rest else "large_wing",
        each=names.digits(step.digits),
        cells=names.cells(several),
        single=names.cell(cell),
        pair=names.bare(pair),
        first=names.symbols[first],
        second=names.symbols[second],
        held=names.symbols[held],
        free=names.symbols[free],
        number=telling.words(f"number.{len(step.cells)}"),
    )


def aligned(telling: Telling) -> Explanation:
    """Explain an aligned pair or triplet exclusion."""
    step, names = telling.step, telling.names
    n = step.technique.degree
    return telling.express(
        "aligned_pair" if n == 2 else "aligned_triplet",
        cells=names.cells(step.cells[:n]),
        reasons=_reasons(telling) if n == 2 else "",
    )


def _reasons(telling: Telling) -> str:
    """Say for each candidate removed why it would leave the other cell of the pair no digit."""
    step, marks, names, words = telling.step, telling.marks, telling.names, telling.words
    first, second, *pairs = step.cells
    reasons = []
    for cell, digit in step.eliminations:
        other = second if cell == first else first
        out = []
        for theirs in marks.digits(other):
            if theirs == digit and marks.sees(cell, other):
                out.append(words("aligned_pair.option.taken", digit=names.symbols[theirs]))
            else:
                left = next(c for c in pairs if set(marks.digits(c)) == {digit, theirs})
                needed = {"digit": names.symbols[theirs], "cell": names.cell(left)}
                out.append(words("aligned_pair.option.needed", **needed))
        reasons.append(
            words(
                "aligned_pair.reason",
                digit=names.symbols[digit],
                cell=names.cell(cell),
                other=names.cell(other),
                options=words.listed(out, "or"),
            )
        )
    return words("list.semicolon").join(reasons)
