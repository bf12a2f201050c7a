"""Unique rectangles, unique loops and the bivalue universal grave in words."""

from nando.puzzles.sudoku.puzzle import SYMBOLS
from nando.solvers.logic.explanation import Explanation, worded
from nando.solvers.logic.sudoku.pattern import AnyMarks, AnyStep, Cells, is_naked_loop, loop_subset
from nando.solvers.logic.sudoku_words.names import Names, bare


def unique_loop(step: AnyStep, marks: AnyMarks, names: Names) -> Explanation:
    """Return the types 1 to 4 of a unique rectangle or loop."""
    words = names.words
    corners = len(step.cells) == 4
    found = worded(
        words,
        "unique_rectangle" if corners else "unique_loop",
        house=names.house(max(marks.houses_of(step.cells[:1]))),
        pair=names.digits(marks.digits(step.cells[0])),
        cells=names.cells(step.cells),
        so=_loop(step, marks, names),
        gone=names.gone(step.eliminations),
    )
    name = f"unique {'rectangle' if corners else 'loop'}"
    return found._replace(name=name, variant=words("type.number", n=step.variant))


def _loop(step: AnyStep, marks: AnyMarks, names: Names) -> str:
    """Return what holds since not all cells of the loop can have nothing but the pair."""
    words, pair = names.words, set(marks.digits(step.cells[0]))
    rich = tuple(cell for cell in step.cells if set(marks.digits(cell)) != pair)
    extras = {digit for cell in rich for digit in marks.digits(cell)} - pair
    at = names.cells(rich)
    if step.variant == 1:
        return words("unique_so.type_1", cells=at, either=names.digits(extras, "or"))
    if step.variant == 2:
        every = words(f"every.{len(rich)}")
        return words("unique_so.type_2", cells=at, digit=bare(extras), every=every)
    here = names.house(step.houses[0])
    if step.variant == 4:
        loser = step.eliminations[0][1]
        (kept,) = pair - {loser}
        return words(
            "unique_so.type_4",
            cells=at,
            house=here,
            the_kept=names.the(kept),
            kept=SYMBOLS[kept],
            digit=SYMBOLS[loser],
        )
    helpers = loop_subset(step, marks)
    if is_naked_loop(step):
        subset = {digit for cell in helpers for digit in marks.digits(cell)}
        return _as_one(names, rich, extras, helpers, subset, here)
    return words(
        "unique_so.hidden",
        cells=at,
        house=here,
        digits=bare(step.digits),
        helpers=names.cells(helpers),
    )


def bivalue_universal_grave(step: AnyStep, marks: AnyMarks, names: Names) -> Explanation:
    """Return the types 1 to 4.

    The cells of type 3 end with those of the subset, which have no extra digit.
    """
    words = names.words
    rich = tuple(cell for cell in step.cells if len(marks.digits(cell)) > 2)
    extras = {
        digit for cell in rich for digit in marks.digits(cell) if _is_extra(marks, cell, digit)
    }
    found = worded(
        words,
        "grave",
        cells=names.cells(rich),
        extras=names.digits(extras),
        so=_grave(step, names, rich, extras),
        gone=names.gone(step.eliminations),
    )
    return found._replace(variant=words("type.number", n=step.variant))


def _is_extra(marks: AnyMarks, cell: int, digit: int) -> bool:
    """Return True if a candidate is one too many in a house of its cell."""
    return any(len(marks.places(here, digit)) > 2 for here in marks.houses_of((cell,)))


def _grave(step: AnyStep, names: Names, rich: Cells, extras: set[int]) -> str:
    words, at = names.words, names.cells(rich)
    either = names.digits(extras, "or")
    if step.variant == 1:
        return words("grave_so.type_1", cells=at, either=either)
    if step.variant == 2:
        every = words(f"every.{len(rich)}")
        return words("grave_so.type_2", cells=at, digits=names.digits(extras), every=every)
    here = names.house(step.houses[0])
    if step.variant == 3:
        helpers = tuple(cell for cell in step.cells if cell not in rich)
        return _as_one(names, rich, extras, helpers, set(step.digits), here)
    (shared,) = set(step.digits) - extras
    return words(
        "grave_so.type_4",
        cells=at,
        either=either,
        house=here,
        the_kept=names.the(shared),
        kept=SYMBOLS[shared],
    )


def _as_one(
    names: Names, rich: Cells, extras: set[int], helpers: Cells, subset: set[int], here: str
) -> str:
    """Return the rich cells as one cell of a naked subset."""
    return names.words(
        "unique_so.naked",
        cells=names.cells(rich),
        either=names.digits(extras, "or"),
        naked_subset=names.words(f"naked_subset_of.{len(helpers) + 1}"),
        digits=bare(subset),
        helpers=names.cells(helpers),
        house=here,
        out=names.digits(subset, "or"),
    )
