"""Walkthroughs without the steps that nobody needs to fill the next cell."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from nando.solvers.kinds import logic_of
from nando.solvers.logic.walk import Position, Step
from nando.solvers.logic.walkthrough import Walkthrough, WalkthroughStep

Steps = list[WalkthroughStep]
Replay = Callable[[Step, Position, Position], Step | None]


def shortest(walk: Walkthrough) -> Walkthrough:
    """The walk without the eliminations that no fill needs.

    Before each fill, those are left out without which it still follows; they are told later where
    another fill needs them. Every step that stays is found anew on the marks that are left, so that
    the walk can be followed as it is told. It is shortest in that no step can be left out before
    the next fill; another way through the puzzle may be shorter. The cells are filled in the same
    order, and the rating is that of the whole walk.

    Parameters
    ----------
    walk : Walkthrough

    Returns
    -------
    Walkthrough
        Without the steps in its `left_out`. One that is stuck, and that of a Nurikabe, of which
        each step decides a cell, is returned as it is.
    """
    kind = logic_of(walk.puzzle.kind)
    if kind.replay is None or walk.end.n_blanks or not walk.steps:
        return walk
    pinned: set[int] = set()
    while True:
        told, missing = _told(walk, kind.replay, kind.takes_thought, pinned)
        if not missing:
            break
        # What cannot be told later has to stay where it was.
        pinned |= missing
    numbers = {taken.number for taken in told}
    return replace(
        walk,
        steps=tuple(replace(taken, number=i) for i, taken in enumerate(told, 1)),
        left_out=tuple(taken.step for taken in walk.steps if taken.number not in numbers),
    )


def _told(
    walk: Walkthrough, replay: Replay, removes: Callable[[Step], bool], pinned: set[int]
) -> tuple[Steps, set[int]]:
    """The steps that stay; or the numbers of those that do not follow where they are needed."""
    told: Steps = []
    waiting: Steps = []
    position = walk.steps[0].position
    for taken in walk.steps:
        if removes(taken.step):
            waiting.append(taken)
            continue
        kept = _fewest(waiting, taken, position, replay, pinned)
        found = _replayed([*kept, taken], position, replay)
        if len(found) <= len(kept):
            failed = [*kept, taken][len(found)]
            return told, {failed.number} if failed is not taken else {one.number for one in waiting}
        told += found
        position = found[-1].position.after(found[-1].step)
        waiting = [one for one in waiting if one not in kept]
    return told, set()


def _fewest(
    waiting: Steps, fill: WalkthroughStep, position: Position, replay: Replay, pinned: set[int]
) -> Steps:
    """Waiting steps of which none can be left out before a fill; all where they do not do."""

    def does(kept: Sequence[WalkthroughStep]) -> bool:
        return len(_replayed([*kept, fill], position, replay)) > len(kept)

    kept = [one for one in waiting if one.number in pinned]
    if does(kept):
        return kept
    kept = list(waiting)
    if not does(kept):
        return kept
    # First large parts at once, then smaller ones, at last each by itself.
    size = len(kept)
    while size:
        at = len(kept)
        while at > 0:
            part = kept[max(at - size, 0) : at]
            rest = [one for one in kept if one not in part or one.number in pinned]
            if len(rest) < len(kept) and does(rest):
                kept = rest
            at -= size
        size //= 2
    return kept


def _replayed(steps: Sequence[WalkthroughStep], position: Position, replay: Replay) -> Steps:
    """The steps as they follow one after the other, up to the first that does not."""
    found: Steps = []
    for taken in steps:
        step = replay(taken.step, taken.position, position)
        if step is None:
            break
        found.append(replace(taken, step=step, position=position))
        position = position.after(step)
    return found
