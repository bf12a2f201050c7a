"""Find the family of a step: the name under which solvers know its pattern."""

from functools import lru_cache
from itertools import pairwise

from nando.solvers.logic.step import LogicStep
from nando.solvers.logic.sudoku import ladder as kernels
from nando.solvers.logic.sudoku.marks import PencilMarks
from nando.solvers.logic.sudoku.pattern import Ends, closes, strong_link_ends
from nando.solvers.logic.sudoku_chains.assumptions import NISHIO
from nando.solvers.logic.sudoku_chains.starts import CELLS_FORCE, CONTRADICTION, HOUSE_FORCES
from nando.solvers.logic.wording.family_chains import (
    CHAIN_NAMES,
    chain_family,
    colouring_name,
    is_conjugate,
    two_link_name,
)
from nando.solvers.logic.wording.recognised import Family, als_xz, finned_fish, sue_de_coq

_PLAIN = ("AIC", "nice loop")
"""Families of chains to which another pattern of the same cells is preferred."""


@lru_cache(maxsize=8)  # every hint needs it, in every language
def family_of(step: LogicStep, marks: PencilMarks) -> Family:
    """Return the family of a step; if its pattern has no name, the family is its technique.

    A step belongs to a family if its own cells form such a pattern, and if that pattern removes all
    that the step does. Its rating stays that of the technique.

    Parameters
    ----------
    step : LogicStep
    marks : PencilMarks
        The marks before the step.

    Examples
    --------
    >>> from nando.puzzles import Sudoku
    >>> from nando.solvers.logic.walkthrough import walk_through
    >>> puzzle = Sudoku(
    ...     "9.5....3474....1..6.8....2....4.........9.78.8.9..74.2.....52..5......18.821.3..5"
    ... )
    >>> taken = walk_through(puzzle).steps[22]
    >>> taken.step.technique.name, family_of(taken.step, taken.position).name
    ('two strong links', 'two-string kite')
    """
    kernel = step.technique.kernel
    plain = Family(plain_name(step), step.cells, step.digits, step.houses)
    if kernel == kernels.NAKED_SUBSET and _is_locked(step, marks):
        return plain._replace(name=step.technique.name.replace("naked", "locked"))
    if kernel == kernels.STRONG_LINKS:
        return _strong_links(step, marks)
    if kernel == kernels.UNIQUE_LOOP:
        return plain._replace(name=_unique_name(step, marks, plain.name))
    if kernel == kernels.CHAIN:
        family = chain_family(step, marks)
        if family.name not in _PLAIN:
            return family
        return als_xz(step, marks) or sue_de_coq(step, marks) or family
    if kernel == kernels.ALIGNED:
        return als_xz(step, marks) or sue_de_coq(step, marks) or plain
    if kernel == kernels.FORCING and step.technique.degree == NISHIO:
        return finned_fish(step, marks) or plain
    if kernel in (kernels.FORCING, kernels.NESTED_FORCING):
        known = finned_fish(step, marks) or als_xz(step, marks) or sue_de_coq(step, marks)
        return known or plain
    return plain


def plain_name(step: LogicStep) -> str:
    """Return the name of a step by its technique and variant alone."""
    kernel, variant, name = step.technique.kernel, step.variant, step.technique.name
    if kernel == kernels.HIDDEN_SINGLE and step.technique.degree:
        return "hidden single"
    if kernel == kernels.UNIQUE_LOOP:
        n_cells = len(step.cells)
        if n_cells == 4:
            return f"unique rectangle type {variant}"
        return f"unique loop type {variant}" + (f": {n_cells} cells" if n_cells > 6 else "")
    if kernel == kernels.BIVALUE_UNIVERSAL_GRAVE:
        return "BUG+1" if variant == 1 else f"{name} type {variant}"
    if kernel == kernels.CHAIN:
        return CHAIN_NAMES[variant]
    if kernel == kernels.NESTED_FORCING or (
        kernel == kernels.FORCING and step.technique.degree != NISHIO
    ):
        kinds = {CELLS_FORCE: "cell", HOUSE_FORCES: "house", CONTRADICTION: "contradiction"}
        return f"{name}: {kinds.get(variant, 'double')}"
    return name


def _is_locked(step: LogicStep, marks: PencilMarks) -> bool:
    """Return True if a naked pair or triplet removes candidates from a box and from a line."""
    houses = marks.houses_of(step.cells)
    inside = set(step.cells)
    return len(houses) == 2 and all(
        any(set(marks.places(house, digit)) - inside for digit in step.digits) for house in houses
    )


def _strong_links(step: LogicStep, marks: PencilMarks) -> Family:
    (digit,), size = step.digits, marks.puzzle.size
    ends = strong_link_ends(step, marks)
    cells = tuple(dict.fromkeys(step.cells))
    grouped = any(len(near + far) > 2 for near, far in ends)
    if closes(ends, marks):
        name = "grouped X-cycle" if grouped else "X-cycle"
        if not grouped and len(ends) == 2:
            name = "X-cycle: two links"
    elif len(ends) > 2:
        name = "grouped X-chain" if grouped else "X-chain"
        joints = [((far[0], digit), (near[0], digit)) for (_, far), (near, _) in pairwise(ends)]
        if not grouped and all(is_conjugate(*joint, marks) for joint in joints):
            victims = {cell for cell, _ in step.eliminations}
            name = colouring_name(cells[0], digit, victims, marks)
    elif not grouped:
        (near, far), (after, last) = ends
        first, second = ((near[0], digit), (far[0], digit)), ((after[0], digit), (last[0], digit))
        name = two_link_name(first, second, marks)
    elif _is_empty_rectangle(step, ends, marks):
        name = "empty rectangle"
    else:
        parallel = step.houses[0] // size == step.houses[1] // size < 2
        fish = finned_fish(step, marks) if parallel else None
        if fish is not None:
            return fish
        name = "grouped X-chain"
    return Family(name, cells, (digit,), step.houses)


def _is_empty_rectangle(step: LogicStep, ends: Ends, marks: PencilMarks) -> bool:
    """Return True if a box and a line form an empty rectangle.

    In the box, the digit lies on a row and a column. One of these holds one of the two positions on
    the line. Each elimination lies on the other one, and on a parallel through the second position.
    """
    size = marks.puzzle.size
    boxes = [i for i, house in enumerate(step.houses) if house >= 2 * size]
    if len(boxes) != 1:
        return False
    (box,) = boxes
    pair = step.houses[1 - box]
    inner, outer = (ends[0][1], ends[0][0]) if box == 0 else (ends[1][0], ends[1][1])
    near, far = (ends[1][0], ends[1][1]) if box == 0 else (ends[0][1], ends[0][0])
    on_a_line = len(marks.houses_of(inner + outer)) > 1
    if len(near + far) != 2 or on_a_line:
        return False
    along = 1 - pair // size

    def line(cells: tuple[int, ...], kind: int) -> set[int]:
        return {house for house in marks.houses_of(cells) if house // size == kind}

    return bool(line(inner + near, along)) and all(
        line((*outer, cell), 1 - along) and line((*far, cell), along)
        for cell, _ in step.eliminations
    )


def _unique_name(step: LogicStep, marks: PencilMarks, plain: str) -> str:
    """Return the name of a unique loop: a type 2 whose extra cells share no house is a type 5."""
    if plain != "unique rectangle type 2":
        return plain
    pair = set(marks.digits(step.cells[0]))
    rich = tuple(cell for cell in step.cells if set(marks.digits(cell)) != pair)
    apart = len(rich) > 2 or not marks.houses_of(rich)
    return "unique rectangle type 5" if apart else plain
