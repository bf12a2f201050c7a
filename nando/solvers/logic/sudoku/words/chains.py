"""Chains in words: the assumption, what becomes true, and the conclusion.

The text lists what becomes true, in order: each is the last candidate of its cell, or the last
place of its digit in a house, once those before it are filled in. It lists what becomes false only
where the cells alone do not show it.
"""

from typing import NamedTuple

from nando.puzzles.sudoku.puzzle import SYMBOLS
from nando.solvers.logic.explanation import Explanation, listed
from nando.solvers.logic.sudoku.chains.cycles import CHAIN_X, CHAIN_XY, CYCLE_X, CYCLE_XY, CYCLE_Y
from nando.solvers.logic.sudoku.chains.starts import (
    CELLS_FORCE,
    CONTRADICTION,
    DOUBLE,
    HOUSE_FORCES,
)
from nando.solvers.logic.sudoku.marks import PencilMarks
from nando.solvers.logic.sudoku.step import LogicStep
from nando.solvers.logic.sudoku.words.names import bare, cells, digits, gone, house

Literal = tuple[int, int, bool]
"""Cell, digit from 1, and whether it is true."""

_NAMES = {
    CYCLE_X: "X-cycle",
    CYCLE_Y: "Y-cycle",
    CYCLE_XY: "XY-cycle",
    CHAIN_X: "X-chain",
    CHAIN_XY: "forcing chain",
}

_MOST, _FIRST, _LAST = 14, 8, 4
"""Facts of a chain above which its middle is omitted; then this many from its ends."""


class Trail(NamedTuple):
    """What follows from one assumption: each literal with those that it follows from, in order."""

    start: Literal
    parents: dict[Literal, list[Literal]]


def trails(step: LogicStep) -> list[Trail]:
    """The links of forcing chains, by assumption."""
    found: list[Trail] = []
    for a, b, c, d, e, f in step.links:
        start, end = (a, b, c), (d, e, f)
        if not found or (start != found[-1].start and start not in found[-1].parents):
            found.append(Trail(start, {}))
        found[-1].parents.setdefault(end, []).append(start)
    return found


def chain(step: LogicStep, marks: PencilMarks) -> Explanation:
    """Cycles, and chains of which the end contradicts the start."""
    puzzle = marks.puzzle
    name = _NAMES[step.variant]
    start: Literal = step.links[0][:3]
    where = f"from {house(puzzle, max(marks.houses_of(start[:1])))}"
    result = gone(puzzle, step.eliminations)
    if step.variant >= CHAIN_X:
        (trail,) = trails(step)
        end = f"{_fact(_opposite(start), marks)} after all"
        return Explanation(
            where,
            _from(start, marks),
            f"{_told(trail, _opposite(start), marks)}, so {end}: {result}",
            name=name,
            question=f"{name[0].upper()}{name[1:]}: what follows if {_fact(start, marks)}?",
        )
    nodes: list[Literal] = [link[:3] for link in step.links]
    either = listed(_fact((*node[:2], True), marks) for node in nodes[::2])
    other = listed(_fact((*node[:2], True), marks) for node in nodes[1::2])
    what = _from(start, marks)
    if step.variant == CYCLE_X:
        what = f"on {bare(step.digits)} through {cells(puzzle, step.cells)}"
    elif step.variant == CYCLE_Y:
        what = f"through {cells(puzzle, step.cells)}"
    return Explanation(
        where,
        what,
        f"either {either}, or {other}; what sees one of each goes: {result}",
        name=name,
    )


def forcing(step: LogicStep, marks: PencilMarks) -> Explanation:
    """Chains from all of several assumptions, or to a contradiction."""
    puzzle = marks.puzzle
    told = trails(step)
    start = told[0].start
    name = step.technique.name
    title = f"{name[0].upper()}{name[1:]}"
    result = gone(puzzle, step.eliminations)
    cell = cells(puzzle, start[:1])
    home = house(puzzle, max(marks.houses_of(start[:1])))
    if step.variant == CONTRADICTION:
        (trail,) = told
        clash = next(end for end in [start, *trail.parents] if end[2] and _clashes(end, trail))
        off = trail.parents.get(_opposite(clash), [])
        return Explanation(
            f"from {home}",
            _from(start, marks),
            f"{_told(trail, clash, marks)}, and {_clash(clash, off, marks)}: {result}",
            name=name,
            question=f"{title}: what breaks if {_fact(start, marks)}?",
        )
    if step.variant == HOUSE_FORCES:
        home = house(puzzle, step.houses[0])
        (digit,) = {trail.start[1] for trail in told}
        what, each = f"from the {SYMBOLS[digit]} of {home}", f"wherever the {SYMBOLS[digit]} is"
        sources: list[Literal] = [(at, digit, True) for at in marks.places(step.houses[0], digit)]
    elif step.variant == CELLS_FORCE:
        inside = marks.digits(start[0])
        what = f"from {cell} ({bare(inside)})"
        each = f"whichever of {digits(inside, 'and')} {cell} is"
        sources = [(start[0], digit, True) for digit in inside]
    else:
        assert step.variant == DOUBLE
        what, each = _from(start, marks), f"whether or not {_fact((*start[:2], True), marks)}"
        sources = [(*start[:2], True), (*start[:2], False)]
    target = _target(told, step)
    by_start = {trail.start: trail for trail in told}
    parts = [_told(by_start.get(source, Trail(source, {})), target, marks) for source in sources]
    end = f"{_fact(target, marks)}: " if target[2] else ""
    return Explanation(
        f"from {home}",
        what,
        f"{'; '.join(parts)}. {each[0].upper()}{each[1:]}, {end}{result}",
        name=name,
        question=f"{title} {what}: what follows {each}?",
    )


def _from(start: Literal, marks: PencilMarks) -> str:
    return f"from {SYMBOLS[start[1]]} in {cells(marks.puzzle, start[:1])}"


def _opposite(literal: Literal) -> Literal:
    return (*literal[:2], not literal[2])


def _fact(literal: Literal, marks: PencilMarks) -> str:
    cell, digit, on = literal
    return f"{cells(marks.puzzle, [cell])} {'is' if on else 'is not'} {SYMBOLS[digit]}"


def _clashes(literal: Literal, trail: Trail) -> bool:
    """Whether the opposite follows as well."""
    return _opposite(literal) in trail.parents or _opposite(literal) == trail.start


def _clash(clash: Literal, off: list[Literal], marks: PencilMarks) -> str:
    """Why what must be true cannot be."""
    puzzle, (cell, digit, _) = marks.puzzle, clash
    if len(off) == 1 and off[0][0] == cell:
        return f"{cells(puzzle, [cell])} would be both {digits((off[0][1], digit))}"
    if len(off) == 1 and off[0][1] == digit:
        return f"{cells(puzzle, (off[0][0], cell))} would both be {SYMBOLS[digit]}"
    return f"{cells(puzzle, [cell])} would have to be {SYMBOLS[digit]}, which it cannot"


def _target(told: list[Trail], step: LogicStep) -> Literal:
    """What all chains lead to: what the step removes, or what removes it."""
    cell, digit = step.eliminations[0]
    common = set.intersection(*({trail.start, *trail.parents} for trail in told))
    if (cell, digit, False) in common:
        return cell, digit, False
    return next(literal for literal in common if literal[0] == cell and literal[2])


def _told(trail: Trail, end: Literal, marks: PencilMarks) -> str:
    """An assumption and what is true then, such as "if r1c1 is 5, then r1c9=7, r4c9=5"."""
    puzzle = marks.puzzle
    facts = [
        f"{puzzle.cell_name(cell)}={SYMBOLS[digit]}"
        if on
        else f"no {SYMBOLS[digit]} in {puzzle.cell_name(cell)}"
        for (cell, digit, on), parents in trail.parents.items()
        if (on or len(parents) > 1) and (cell, digit) != end[:2]
    ]
    if len(facts) > _MOST:
        left_out = len(facts) - _FIRST - _LAST
        facts[_FIRST:-_LAST] = [f"{left_out} more"]
    if end[2] and trail.start != end and end in trail.parents and not _clashes(end, trail):
        facts.append(f"{puzzle.cell_name(end[0])}={SYMBOLS[end[1]]}")
    assumed = f"if {_fact(trail.start, marks)}"
    return f"{assumed}, then {', '.join(facts)}" if facts else f"{assumed}, at once"
