"""Find the family of a step: the name under which solvers know its pattern."""

from functools import lru_cache
from itertools import pairwise

from nando.solvers.logic import kernel_numbers as kernels
from nando.solvers.logic.chains.assumptions import NISHIO
from nando.solvers.logic.chains.forcing import CELLS_FORCE, CONTRADICTION, HOUSE_FORCES
from nando.solvers.logic.chains.link_sets import CHAIN_X, CHAIN_XY, CYCLE_X, CYCLE_XY, CYCLE_Y
from nando.solvers.logic.marks import PencilMarks
from nando.solvers.logic.step_pattern import Ends, closes, path_of, strong_link_ends
from nando.solvers.logic.technique import LogicStep
from nando.solvers.logic.wording.recognised import Family, als_xz, finned_fish, sue_de_coq

# Chains that have a name of their own.
#
# A chain from a candidate that is on to the same candidate off contains a path of strong links,
# joined by weak ones. One of the two ends of the path is true. The kinds of its links give the
# chain its name.

_CYCLES = {CYCLE_X: "X-cycle", CYCLE_Y: "Y-cycle", CYCLE_XY: "XY-cycle"}

CHAIN_NAMES = {**_CYCLES, CHAIN_X: "forcing X-chain", CHAIN_XY: "forcing chain"}
"""Names of the variants, whatever their links."""

Node = tuple[int, int]
"""A cell and a digit."""


def chain_family(step: LogicStep, marks: PencilMarks) -> Family:
    """Return the family of a step that is a chain or a cycle."""
    if step.variant in _CYCLES:
        of_four = step.variant == CYCLE_X and len(set(step.cells)) == 4
        name = "X-cycle: four cells" if of_four else _CYCLES[step.variant]
        return Family(name, step.cells, step.digits)
    assert step.variant in (CHAIN_X, CHAIN_XY)
    path = path_of(step)
    if path is None:
        return Family("nice loop", step.cells, step.digits)
    cells = tuple(dict.fromkeys(cell for cell, _ in path))
    digits = tuple(sorted({digit for _, digit in path}))
    return Family(_name(step, path, cells, marks), cells, digits)


def _name(
    step: LogicStep, path: tuple[Node, ...], cells: tuple[int, ...], marks: PencilMarks
) -> str:
    strong = [*zip(path[::2], path[1::2], strict=True)]
    weak = [*zip(path[1::2], path[2::2], strict=False)]
    if len({digit for _, digit in path}) == 1:
        if len(strong) == 1:
            return _locked_name(path, marks)
        if len(strong) == 2:
            return two_link_name(strong[0], strong[1], marks)
        conjugate = all(is_conjugate(*pair, marks) for pair in [*strong, *weak])
        victims = {cell for cell, _ in step.eliminations}
        return colouring_name(*path[0], victims, marks) if conjugate else "X-chain"
    if all(first[0] == last[0] for first, last in strong):
        if len(cells) < 4:
            return "naked pair" if len(cells) == 2 else "XY-wing"
        pairs = {marks.digits(cell) for cell in cells}
        return "remote pair" if len(pairs) == 1 and len(cells) % 2 == 0 else "XY-chain"
    if is_w_wing(path, marks):
        return "W-wing"
    return "AIC"


def two_link_name(first: tuple[Node, Node], second: tuple[Node, Node], marks: PencilMarks) -> str:
    """Return the name of two conjugate pairs of a digit that are joined by a weak link.

    Parameters
    ----------
    one, other : tuple of (cell, digit)
        The two pairs; the outer end is first in `one` and last in `other`.
    marks : PencilMarks
    """
    size = marks.puzzle.size
    joint = marks.houses_of((first[1][0], second[0][0]))
    pairs = first, second
    kinds = [{house // size for house in _conjugate_houses(*pair, marks)} for pair in pairs]
    outer = marks.houses_of((first[0][0], second[1][0]))
    spread = not any(
        house // size == 2 for pair in pairs for house in marks.houses_of(_cells(pair))
    )
    for kind in (0, 1):
        # Two parallel lines, joined by a line that crosses both.
        if all(kind in here for here in kinds) and any(h // size == 1 - kind for h in joint):
            if any(h // size == 1 - kind for h in outer):
                return "X-wing"
            if spread:
                return "skyscraper"
    if outer:
        return "X-cycle: four cells"
    across = (0 in kinds[0] and 1 in kinds[1]) or (1 in kinds[0] and 0 in kinds[1])
    if across and spread and any(house // size == 2 for house in joint):
        return "two-string kite"
    return "turbot fish"


def _cells(pair: tuple[Node, Node]) -> tuple[int, ...]:
    return tuple(cell for cell, _ in pair)


def colouring_name(cell: int, digit: int, victims: set[int], marks: PencilMarks) -> str:
    """Return the name of simple colouring from a cell: a wrap if a coloured cell is a victim."""
    coloured, waiting = {cell}, [cell]
    while waiting:
        here = waiting.pop()
        for house in marks.houses_of((here,)):
            places = set(marks.places(house, digit))
            if len(places) == 2 and not places <= coloured:
                waiting += places - coloured
                coloured |= places
    return "simple colouring: wrap" if victims & coloured else "simple colouring: trap"


def _locked_name(path: tuple[Node, ...], marks: PencilMarks) -> str:
    """Return the name of a conjugate pair of a digit in a box and on a line."""
    houses = _conjugate_houses(path[0], path[1], marks)
    if not houses:
        return "nice loop"
    return "pointing" if houses[-1] >= 2 * marks.puzzle.size else "claiming"


def is_w_wing(path: tuple[Node, ...], marks: PencilMarks) -> bool:
    """Return True if two cells with the same pair are joined by a conjugate pair of its digits."""
    if len(path) != 6 or len({cell for cell, _ in path}) != 4:
        return False
    (first, _), (near, joint), (middle, end), (other, after), (last, back), (cell, _) = path
    in_cells = first == near and last == cell
    same = marks.digits(first) == marks.digits(last)
    joined = joint == end and after == back and marks.sees(near, middle) and marks.sees(other, last)
    return in_cells and same and joined and end == after and middle != other


def is_conjugate(first: Node, second: Node, marks: PencilMarks) -> bool:
    """Return True if two candidates are the only two of their digit in a house."""
    return bool(_conjugate_houses(first, second, marks))


def _conjugate_houses(first: Node, second: Node, marks: PencilMarks) -> list[int]:
    """Return the houses in which a digit has only these two positions."""
    (cell, digit), pair = first, {first[0], second[0]}
    return [
        house
        for house in sorted(marks.houses_of((cell, second[0])))
        if set(marks.places(house, digit)) == pair
    ]


_PLAIN = ("AIC", "nice loop")
"""Families of chains to which another pattern of the same cells is preferred."""


def may_be(family: str, step: LogicStep, marks: PencilMarks) -> bool:
    """Return False if a step is surely of another family, which is quick to see for many."""
    if family == "sue de coq":
        return sue_de_coq(step, marks) is not None
    if family.startswith("locked"):
        return len(marks.houses_of(step.cells)) == 2
    if step.technique.kernel != kernels.CHAIN:
        return True
    name = chain_family(step, marks).name.partition(":")[0]
    return name == family or (name in _PLAIN and family == "ALS-XZ")


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
