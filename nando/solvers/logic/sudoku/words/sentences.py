"""Steps in words, with one function for each family of techniques.

Each says where to look, what the pattern is, and what follows.
"""

from collections.abc import Callable

from nando.puzzles.sudoku.puzzle import SYMBOLS
from nando.solvers.logic.explanation import Explanation
from nando.solvers.logic.sudoku import ladder as kernels
from nando.solvers.logic.sudoku.families.named import family_of
from nando.solvers.logic.sudoku.marks import PencilMarks
from nando.solvers.logic.sudoku.pattern import closes, strong_link_ends
from nando.solvers.logic.sudoku.step import LogicStep
from nando.solvers.logic.sudoku.words.chains import chain, forcing
from nando.solvers.logic.sudoku.words.names import (
    NUMBERS,
    SUBSETS,
    bare,
    cells,
    digits,
    every,
    gone,
    group,
    house,
    houses,
)
from nando.solvers.logic.sudoku.words.unique import bivalue_universal_grave, unique_loop
from nando.solvers.logic.sudoku.words.wings import aligned_pair, large_wing, wing

_NO_ARTICLE = ("links", "pointing", "claiming", "exclusion", "chains", "patterns", "nishio")
"""Endings of names without an article."""


def explain(step: LogicStep, marks: PencilMarks) -> Explanation:
    """A step in words; `marks` are those before it."""
    told = _SENTENCES.get(step.technique.kernel, _plain)(step, marks)
    told = told._replace(name=told_name(step, marks, told.name or step.technique.name))
    name = told.name
    if name.endswith(_NO_ARTICLE):
        return told._replace(sought=name)
    return told._replace(sought=f"the {name}") if name == "last cell" else told


def told_name(step: LogicStep, marks: PencilMarks, name: str) -> str:
    """The name of a step in nando's own words: its family's, where that is another.

    Where the words tell the step by other means than the family does, both are named.
    """
    kernel = step.technique.kernel
    if kernel not in _FAMILIES:
        return name
    family = family_of(step, marks).name.partition(":")[0]
    if family in (name, step.technique.name, *_PLAIN):
        return name
    return family if kernel in _TOLD_AS_CHAINS and family not in _SETS else f"{name} ({family})"


_TOLD_AS_CHAINS = (kernels.STRONG_LINKS, kernels.CHAIN)
_FAMILIES = (*_TOLD_AS_CHAINS, kernels.ALIGNED, kernels.FORCING, kernels.NESTED_FORCING)
_PLAIN = ("AIC", "nice loop")
_SETS = ("ALS-XZ", "sue de coq")


# Singles


def _hidden_single(step: LogicStep, marks: PencilMarks) -> Explanation:
    puzzle = marks.puzzle
    here, digit, cell = house(puzzle, step.houses[0]), bare(step.digits), cells(puzzle, step.cells)
    if step.technique.degree == 0:
        return Explanation(
            f"in {here}",
            "",
            f"{here} lacks only the {digit}, so {cell} is {digit}",
            question=f"Last cell: {here} has a single blank, {cell}.",
        )
    return Explanation(
        f"in {here}",
        "",
        f"in {here} the {digit} fits only {cell}",
        name="hidden single",
        question=f"Hidden single: where in {here} does the {digit} fit?",
    )


def _naked_single(step: LogicStep, marks: PencilMarks) -> Explanation:
    puzzle = marks.puzzle
    cell, digit = cells(puzzle, step.cells), bare(step.digits)
    seen = {int(marks.values[peer]) for peer in puzzle.layout.peers[step.cells[0]]} - {0}
    why = "its row, column and box hold all other digits"
    if len(seen) < puzzle.size - 1:
        left = digits(set(range(1, puzzle.size + 1)) - seen - set(step.digits))
        why = f"it sees all other digits but {left}, ruled out before"
    return Explanation(
        f"in {house(puzzle, max(marks.houses_of(step.cells)))}",
        "",
        f"{cell} can only be {digit}; {why}",
        question=f"Naked single: which digits does {cell} not see?",
    )


# Locked candidates


def _locked(step: LogicStep, marks: PencilMarks) -> Explanation:
    puzzle, digit = marks.puzzle, bare(step.digits)
    inside, crossing = (house(puzzle, number) for number in step.houses)
    where = cells(puzzle, step.cells)
    return Explanation(
        f"in {inside}",
        "",
        f"in {inside} the {digit} fits only {where}, which lie in {crossing}, so no other cell of "
        f"{crossing} is {digit}: {gone(puzzle, step.eliminations)}",
        question=f"{step.technique.name.capitalize()}: where in {inside} does the {digit} fit?",
    )


def _direct_locked(step: LogicStep, marks: PencilMarks) -> Explanation:
    puzzle, digit = marks.puzzle, bare(step.digits)
    inside, crossing, other = (house(puzzle, number) for number in step.houses)
    assert step.placement is not None
    cell = cells(puzzle, step.placement[:1])
    return Explanation(
        f"in {inside} that helps {other}",
        "",
        f"in {inside} the {digit} fits only {cells(puzzle, step.cells)}, which lie in {crossing}, "
        f"so {other} has its {digit} outside {crossing}, where it fits only {cell}",
        question=f"{step.technique.name.capitalize()}: where in {inside} does the {digit} fit, "
        f"and what does that leave to {other}?",
    )


# Subsets


def _direct_hidden_subset(step: LogicStep, marks: PencilMarks) -> Explanation:
    puzzle, here = marks.puzzle, house(marks.puzzle, step.houses[0])
    assert step.placement is not None
    cell, digit = step.placement
    where = cells(puzzle, step.cells)
    return Explanation(
        f"in {here}",
        f"{bare(step.digits)} in {where} ({here})",
        f"these digits fit nowhere else in {here} and fill the cells, so the {SYMBOLS[digit]} of "
        f"{here} fits only {cells(puzzle, [cell])}",
    )


def _naked_subset(step: LogicStep, marks: PencilMarks) -> Explanation:
    puzzle, here = marks.puzzle, house(marks.puzzle, step.houses[0])
    return Explanation(
        f"in {here}",
        f"{bare(step.digits)} in {cells(puzzle, step.cells)} ({here})",
        f"no other cell of {here} can be {digits(step.digits, 'or')}, "
        f"so {gone(puzzle, step.eliminations)}",
    )


def _hidden_subset(step: LogicStep, marks: PencilMarks) -> Explanation:
    puzzle, here = marks.puzzle, house(marks.puzzle, step.houses[0])
    return Explanation(
        f"in {here}",
        f"{bare(step.digits)} in {cells(puzzle, step.cells)} ({here})",
        f"these digits fit nowhere else in {here}, so nothing else fits the cells of "
        f"the {SUBSETS[len(step.cells)]}: {gone(puzzle, step.eliminations)}",
    )


def _fish(step: LogicStep, marks: PencilMarks) -> Explanation:
    puzzle, digit = marks.puzzle, bare(step.digits)
    n = len(step.houses) // 2
    base, cover = houses(puzzle, step.houses[:n]), houses(puzzle, step.houses[n:])
    lines, crossing = base.split()[0], cover.split()[0]
    return Explanation(
        f"in the {lines}",
        f"on {digit} in {base}",
        f"there the {digit} fits only {cover}, so the {NUMBERS[n]} {lines} use up the {digit} of "
        f"{every(n)} {crossing}: {gone(puzzle, step.eliminations)}",
    )


# Strong links


def _strong_links(step: LogicStep, marks: PencilMarks) -> Explanation:
    puzzle, digit = marks.puzzle, bare(step.digits)
    ends = strong_link_ends(step, marks)
    told: list[str] = []
    for number, (near, far) in zip(step.houses, ends, strict=True):
        its = "" if told else f" has its {digit}"
        told.append(
            f"{house(puzzle, number)}{its} in {group(puzzle, near)} or {group(puzzle, far)}"
        )
    loop = closes(ends, marks)
    after = [*ends[1:], ends[0]] if loop else ends[1:]
    joints: list[str] = []
    for (_, far), (near, _) in zip(ends, after, strict=False):
        pair = f"{group(puzzle, far)} and {group(puzzle, near)}"
        shared = house(puzzle, min(marks.houses_of(far + near)))
        joints.append(f"nor {pair}" if joints else f"{pair} are not both {digit}")
        joints[-1] += f" ({shared})"
    outer = f"{group(puzzle, ends[0][0])} or {group(puzzle, ends[-1][1])}"
    so = f"so {outer} is {digit}, and no cell that sees both is"
    if loop:
        so = "so each of these pairs holds one, and no cell that sees a whole pair does"
    return Explanation(
        f"with one end in {house(puzzle, step.houses[0])}",
        f"on {digit} in {houses(puzzle, step.houses)}",
        f"{', '.join(told)}; {', '.join(joints)}, {so}: {gone(puzzle, step.eliminations)}",
    )


def _plain(step: LogicStep, marks: PencilMarks) -> Explanation:
    """Any other technique: what it removes and places."""
    puzzle, parts = marks.puzzle, []
    if step.eliminations:
        parts.append(gone(puzzle, step.eliminations))
    if step.placement is not None:
        cell, digit = step.placement
        parts.append(f"{cells(puzzle, [cell])} is {SYMBOLS[digit]}")
    where = f"in {house(puzzle, max(marks.houses_of(step.cells[:1])))}" if step.cells else ""
    what = f"in {cells(puzzle, step.cells)}" if step.cells else ""
    return Explanation(where, what, "; ".join(parts))


_SENTENCES: dict[int, Callable[[LogicStep, PencilMarks], Explanation]] = {
    kernels.HIDDEN_SINGLE: _hidden_single,
    kernels.DIRECT_POINTING: _direct_locked,
    kernels.DIRECT_CLAIMING: _direct_locked,
    kernels.DIRECT_HIDDEN_SUBSET: _direct_hidden_subset,
    kernels.NAKED_SINGLE: _naked_single,
    kernels.POINTING: _locked,
    kernels.CLAIMING: _locked,
    kernels.NAKED_SUBSET: _naked_subset,
    kernels.HIDDEN_SUBSET: _hidden_subset,
    kernels.FISH: _fish,
    kernels.STRONG_LINKS: _strong_links,
    kernels.WING: wing,
    kernels.LARGE_WING: large_wing,
    kernels.UNIQUE_LOOP: unique_loop,
    kernels.BIVALUE_UNIVERSAL_GRAVE: bivalue_universal_grave,
    kernels.ALIGNED: aligned_pair,
    kernels.CHAIN: chain,
    kernels.FORCING: forcing,
    kernels.NESTED_FORCING: forcing,
}
