"""Shorten walkthroughs: leave out the steps that nothing later needs.

What a step relies on are the candidates that must be gone for it to follow. Candidates are the bits
of an int, ``cell * size + digit - 1``. A cell is an index into ``puzzle.givens``.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nando.solvers.kinds import logic_of
from nando.solvers.logic import kernel_numbers as kernels
from nando.solvers.logic.chains.assumptions import PATTERNS, forced_in, is_forced_off, trails
from nando.solvers.logic.chains.forcing import CELLS_FORCE, HOUSE_FORCES
from nando.solvers.logic.finders.finding import Finding
from nando.solvers.logic.marks import PencilMarks, houses_in
from nando.solvers.logic.technique import LogicStep
from nando.solvers.logic.variants.layout import Layout, layout_of
from nando.solvers.logic.variants.loosening import give_back
from nando.solvers.logic.variants.rule_state import VariantState, new_finding, new_state
from nando.solvers.logic.walkthrough import Walkthrough

EVERYTHING = -1
"""All candidates: for a step whose reason may depend on any of them."""

_IN_HOUSES = {
    kernels.HIDDEN_SINGLE,
    kernels.DIRECT_POINTING,
    kernels.DIRECT_CLAIMING,
    kernels.DIRECT_HIDDEN_SUBSET,
    kernels.POINTING,
    kernels.CLAIMING,
    kernels.HIDDEN_SUBSET,
    kernels.FISH,
    kernels.STRONG_LINKS,
    kernels.LOCKED,
}
"""Techniques that rely on the positions of their digits in their houses."""

_IN_CELLS = {
    kernels.NAKED_SINGLE,
    kernels.NAKED_SUBSET,
    kernels.WING,
    kernels.LARGE_WING,
    kernels.ALIGNED,
    kernels.RELATION,
    kernels.SUM,
    kernels.UNION,
    kernels.PATTERN,
    kernels.JOINT,
}
"""Techniques that rely on the candidates of their cells."""

_ONE_RULE = {kernels.RELATION, kernels.SUM, kernels.UNION, kernels.PATTERN}
"""Techniques of variants whose step follows from one part of the layout."""

Steps = Sequence[Any]
"""Steps of a walk through a Sudoku or a variant."""


def bits_of(candidates: NDArray[np.bool_]) -> int:
    """Return candidates, shape (n_cells, size), as bits."""
    return int.from_bytes(np.packbits(candidates, bitorder="little").tobytes(), "little")


def candidates_of(bits: int, shape: tuple[int, ...]) -> NDArray[np.bool_]:
    """Return bits as candidates, shape (n_cells, size)."""
    n = shape[0] * shape[1]
    data = np.frombuffer(bits.to_bytes(-(-n // 8), "little"), np.uint8)
    return np.unpackbits(data, count=n, bitorder="little").view(np.bool_).reshape(shape)


class Premises:
    """What the steps of a puzzle rely on.

    Parameters
    ----------
    marks : PencilMarks
        Any marks on the puzzle.
    """

    def __init__(self, marks: PencilMarks) -> None:
        self._puzzle = marks.puzzle
        self._size: int = marks.puzzle.size
        self._whole = (1 << self._size) - 1
        self._houses = houses_in(self._puzzle)
        self._cells = [1 << cell * self._size for cell in range(len(marks.values))]

    def entered(self, step: LogicStep) -> int:
        """Return the candidates that the digit of a step rules out, and its cell; 0 without one."""
        if step.placement is None:
            return 0
        cell, digit = step.placement
        whole: int = self._whole << cell * self._size
        return whole | self._seen[cell] << digit - 1

    def removed(self, step: LogicStep) -> int:
        """Return the candidates that a step removes without entering a digit."""
        bits = 0
        for cell, digit in step.eliminations:
            bits |= 1 << cell * self._size + digit - 1
        return bits

    def pairs(self, bits: int) -> tuple[tuple[int, int], ...]:
        """Return bits as cells and digits."""
        found = []
        while bits:
            lowest = bits & -bits
            bits ^= lowest
            cell, digit = divmod(lowest.bit_length() - 1, self._size)
            found.append((cell, digit + 1))
        return tuple(found)

    def scope(self, step: LogicStep, marks: PencilMarks) -> int:
        """Return all candidates whose absence from the marks may matter for a step."""
        kernel = step.technique.kernel
        if step.links:
            return self._behind_links(step, marks)
        if kernel in _IN_HOUSES:
            return self._in_houses(_bases(step), _digits(step))
        if kernel in _IN_CELLS:
            if kernel == kernels.SUM and step.placement:
                return 0  # the only blank of a sum
            return self._in_cells(step.cells)
        if kernel in {kernels.NEEDED, kernels.UNIQUE_LOOP}:
            digits = step.digits if kernel == kernels.NEEDED else range(1, self._size + 1)
            return self._in_cells(step.cells) | self._in_houses(step.houses, digits)
        return EVERYTHING

    def least(
        self, step: LogicStep, marks: PencilMarks, present: int, absent: int
    ) -> tuple[int, int]:
        """Return which absent candidates a step needs, and what it removes if the others return.

        Parameters
        ----------
        step : LogicStep
        marks : PencilMarks
            The marks before it.
        present, absent : int
            The candidates of the marks, and those of the scope of the step that might return.
        """
        removed = self.removed(step)
        if step.technique.kernel not in _ONE_RULE or step.placement:
            return absent, removed
        shifts = [cell * self._size for cell in step.cells]
        gone = [removed >> shift & self._whole for shift in shifts]
        before = [
            present >> shift & self._whole or 1 << int(marks.values[cell]) - 1
            for cell, shift in zip(step.cells, shifts, strict=True)
        ]
        more = [absent >> shift & self._whole for shift in shifts]
        masks = np.array([before, more, gone], np.int64)
        rung = np.array([step.technique.kernel, step.technique.degree], np.int64)
        cells = np.array([self._numbers[cell] for cell in step.cells], np.int64)
        layout, state, finding = self._board
        if not give_back(layout, state, finding, rung, cells, masks):
            return absent, removed
        for shift, kept, out in zip(shifts, masks[0].tolist(), masks[2].tolist(), strict=True):
            absent &= ~(kept << shift)
            removed |= out << shift
        return absent, removed

    def reach(self, step: LogicStep, present: int) -> int:
        """Return the candidates that a pattern in houses removes from others that are present."""
        kernel, digits = step.technique.kernel, _digits(step)
        if step.links or step.placement:
            return 0
        if kernel == kernels.HIDDEN_SUBSET:
            own = self._in_cells(step.cells)
            return present & own & ~self._in_houses(step.houses, digits)
        if kernel in {kernels.POINTING, kernels.CLAIMING, kernels.FISH}:
            base = _bases(step)
            covers = self._in_houses(step.houses[len(base) :], digits)
            return present & covers & ~self._in_houses(base, digits)
        found = 0
        if kernel == kernels.NAKED_SUBSET:
            for digit in digits:
                seen = EVERYTHING
                for cell in step.cells:
                    if present >> cell * self._size + digit - 1 & 1:
                        seen &= self._seen[cell] << digit - 1
                found |= present & seen if seen != EVERYTHING else 0
        return found

    def _behind_links(self, step: LogicStep, marks: PencilMarks) -> int:
        """Return the scope of a chain, or everything if patterns arise on the way."""
        kernel, degree = step.technique.kernel, step.technique.degree
        has_patterns = kernel == kernels.NESTED_FORCING or (
            kernel == kernels.FORCING and degree == PATTERNS
        )
        found = 0
        if kernel in {kernels.FORCING, kernels.NESTED_FORCING}:
            if step.variant == CELLS_FORCE:
                found |= self._in_cells(step.links[0][:1])
            elif step.variant == HOUSE_FORCES:
                found |= self._in_houses(step.houses, step.links[0][1:2])
        for trail in trails(step):
            for end, starts in trail.parents.items():
                cell, digit, on = end
                if not on:
                    if has_patterns and not is_forced_off(end, starts, marks):
                        return EVERYTHING
                    continue
                house = forced_in(end, starts, marks)
                if house is None:
                    return EVERYTHING
                found |= (
                    self._in_cells((cell,)) if house < 0 else self._in_houses((house,), (digit,))
                )
        return found

    def _in_cells(self, cells: Iterable[int]) -> int:
        bits = 0
        for cell in cells:
            bits |= self._whole << cell * self._size
        return bits

    def _in_houses(self, houses: Iterable[int], digits: Iterable[int]) -> int:
        bits = 0
        for house in houses:
            bits |= self._firsts[house]
        found = 0
        for digit in digits:
            found |= bits << digit - 1
        return found

    @cached_property
    def _firsts(self) -> list[int]:
        """The first digit in the cells of each house."""
        return [self._first_in(house) for house in self._houses.cells]

    @cached_property
    def _seen(self) -> dict[int, int]:
        """The first digit in the cells that each cell sees."""
        return {cell: self._first_in(seen) for cell, seen in self._houses.seen.items()}

    def _first_in(self, cells: Iterable[int]) -> int:
        return sum(map(self._cells.__getitem__, cells))

    @cached_property
    def _numbers(self) -> dict[int, int]:
        """The number of each cell for kernels."""
        return {place: number for number, place in enumerate(self._houses.places)}

    @cached_property
    def _board(self) -> tuple[Layout, VariantState, Finding]:
        """The layout of a variant, and workspace."""
        layout, _ = layout_of(self._puzzle)
        return layout, new_state(layout), new_finding(layout)


def _digits(step: LogicStep) -> set[int]:
    return {*step.digits, *(step.placement[1:] if step.placement else ())}


def _bases(step: LogicStep) -> tuple[int, ...]:
    """Return the houses in which the positions of the digits matter."""
    if step.technique.kernel in {kernels.POINTING, kernels.CLAIMING, kernels.FISH}:
        return step.houses[: len(step.houses) // 2]
    return step.houses


def shorten(walk: Walkthrough) -> Walkthrough:
    """Return the walk without the eliminations that no later step needs.

    The cells are filled in the same order, and the rating is that of the whole walk. Candidates
    that only a step left out had removed come back; where a step that stays rules them out as well,
    it removes them now.

    Parameters
    ----------
    walk : Walkthrough

    Returns
    -------
    Walkthrough
        The shortened walk; its `left_out` holds the other steps. A walk that is stuck is returned
        unchanged, and so is that of a Nurikabe, in which each step decides a cell.

    Notes
    -----
    The walk is read backwards from the solution. An elimination is kept if a step that is kept
    relies on it; see :class:`Premises`. This takes a small part of the
    time of the walk, but another way through the puzzle may be shorter.
    """
    needed = logic_of(walk.puzzle.kind).needed
    if needed is None or walk.end.n_blanks:
        return walk
    steps = needed(walk.steps)
    numbers = {taken.number for taken in steps}
    left_out = tuple(taken.step for taken in walk.steps if taken.number not in numbers)
    if not left_out:
        return walk
    return replace(
        walk,
        steps=tuple(replace(taken, number=i) for i, taken in enumerate(steps, 1)),
        left_out=left_out,
        standard_rating=walk.rating,
    )


def needed_steps(steps: Steps) -> Steps:
    """Return the steps of a solution that are needed, as they follow one after another."""
    if all(taken.step.placement for taken in steps):
        return steps
    premises = Premises(steps[0].position)
    before = [bits_of(taken.position.candidates) for taken in steps]
    # The candidates before each step if digits alone had removed some.
    left = before[0]
    by_digits = []
    for taken in steps:
        by_digits.append(left)
        left &= ~premises.entered(taken.step)
    needed = 0
    kept: list[tuple[Any, int, int]] = []
    for taken, present, left in zip(steps[::-1], before[::-1], by_digits[::-1], strict=True):
        step = taken.step
        removed = premises.removed(step)
        if step.placement is None and not removed & needed:
            continue
        needed &= ~(removed | premises.entered(step))
        absent = left & ~present & ~needed
        if absent:
            absent &= premises.scope(step, taken.position)
        if absent:
            absent, removed = premises.least(step, taken.position, present, absent)
            needed |= absent
        kept.append((taken, present, removed))
    return [*_again(kept[::-1], before[0], premises)]


def _again(kept: Sequence[tuple[Any, int, int]], now: int, premises: Premises) -> Iterator[Any]:
    """Yield steps on the marks that they leave to each other, with all that they remove there.

    Each step comes with the candidates before it in the whole walk, and with those that it rules
    out. `now` are the candidates before the first.
    """
    for taken, present, ruled_out in kept:
        step, back = taken.step, now & ~present
        removed = premises.removed(step)
        if back:
            more = ruled_out | premises.reach(step, now)
            removed = removed & now | more & back
            if step.placement is None and not removed:
                continue
            marks = taken.position
            marks = marks.with_candidates(candidates_of(now, marks.candidates.shape))
            step = replace(step, eliminations=premises.pairs(removed))
            taken = replace(taken, step=step, position=marks)
        now &= ~(removed | premises.entered(step))
        yield taken
