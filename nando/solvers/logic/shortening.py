"""Shorten walkthroughs: leave out the steps that nothing later needs."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from nando.solvers.kinds import logic_of
from nando.solvers.logic.premises import Premises, bits_of, candidates_of
from nando.solvers.logic.walkthrough import Walkthrough

Steps = Sequence[Any]
"""Steps of a walk through a Sudoku or a variant."""


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
    relies on it; see :class:`nando.solvers.logic.premises.Premises`. This takes a small part of the
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
