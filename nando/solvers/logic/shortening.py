"""Shorten walkthroughs: leave out the steps that no fill needs."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from nando.solvers.kinds import logic_of
from nando.solvers.logic.walk import Position, Step
from nando.solvers.logic.walkthrough import Walkthrough, WalkthroughStep

Steps = list[WalkthroughStep]
Replay = Callable[[Step, Position, Position], Step | None]


def shortest(walk: Walkthrough) -> Walkthrough:
    """Return the walk without the eliminations that no fill needs.

    An elimination is left out before a fill that follows without it, and returns later if another
    fill needs it. Every step that stays is replayed on the marks that precede it now, so the
    shortened walk can be followed step by step. It is shortest in the sense that no step can be
    left out before the next fill; another way through the puzzle may be shorter. The cells are
    filled in the same order, and the rating is that of the whole walk.

    Parameters
    ----------
    walk : Walkthrough

    Returns
    -------
    Walkthrough
        The shortened walk; its `left_out` holds the other steps. A walk that is stuck is returned
        unchanged, and so is that of a Nurikabe, in which each step decides a cell.
    """
    kind = logic_of(walk.puzzle.kind)
    if kind.replay is None or walk.end.n_blanks or not walk.steps:
        return walk
    replay = _remember(kind.replay)
    pinned: set[int] = set()
    while True:
        steps, missing = _select_needed(walk, replay, kind.takes_thought, pinned)
        if not missing:
            break
        # A step that does not follow later has to stay where it was, if need be with all before it.
        pinned |= missing if missing - pinned else set(range(1, max(missing) + 1))
    numbers = {taken.number for taken in steps}
    return replace(
        walk,
        steps=tuple(replace(taken, number=i) for i, taken in enumerate(steps, 1)),
        left_out=tuple(taken.step for taken in walk.steps if taken.number not in numbers),
        standard_rating=walk.rating,
    )


def _remember(replay: Replay) -> Replay:
    """Return a replay that answers at once if a step is asked for on the same marks again."""
    answers: dict[tuple[int, bytes], Step | None] = {}

    def recall(step: Step, taken_at: Position, position: Any) -> Step | None:
        key = id(step), position.candidates.tobytes()
        if key not in answers:
            answers[key] = replay(step, taken_at, position)
        return answers[key]

    return recall


def _select_needed(
    walk: Walkthrough, replay: Replay, removes: Callable[[Step], bool], pinned: set[int]
) -> tuple[Steps, set[int]]:
    """Return the steps that fills need, each just before its fill, and numbers of steps to pin.

    The second is empty unless a step does not follow at its new place. The steps are then those
    before it, and the numbers those of steps that must not be left out.
    """
    needed: Steps = []
    waiting: Steps = []
    position = walk.steps[0].position
    for taken in walk.steps:
        if removes(taken.step):
            waiting.append(taken)
            continue
        kept = _fewest(waiting, taken, position, replay, pinned)
        replayed, failed = _replay_all([*kept, taken], position, replay)
        if failed is not None:
            numbers = {step.number for step in waiting} if failed is taken else {failed.number}
            return needed, numbers
        needed += replayed
        position = replayed[-1].position.after(replayed[-1].step)
        waiting = [other for other in waiting if other not in kept]
    return needed, set()


def _fewest(
    waiting: Steps, fill: WalkthroughStep, position: Position, replay: Replay, pinned: set[int]
) -> Steps:
    """Return waiting steps, none of them superfluous, from which a fill follows; all if none do."""

    def suffices(kept: Sequence[WalkthroughStep]) -> bool:
        return _replay_all([*kept, fill], position, replay)[1] is None

    kept = [step for step in waiting if step.number in pinned]
    if suffices(kept):
        return kept
    kept = list(waiting)
    if not suffices(kept):
        return kept
    # Try to leave out large parts at once, then smaller ones, and finally single steps.
    size = len(kept)
    while size:
        end = len(kept)
        while end > 0:
            part = kept[max(end - size, 0) : end]
            rest = [step for step in kept if step not in part or step.number in pinned]
            if len(rest) < len(kept) and suffices(rest):
                kept = rest
            end -= size
        size //= 2
    return kept


def _replay_all(
    steps: Sequence[WalkthroughStep], position: Any, replay: Replay
) -> tuple[Steps, WalkthroughStep | None]:
    """Replay steps one after another; return them, and the first that does not follow, if any.

    Steps whose candidates are all gone are left out.
    """
    replayed: Steps = []
    for taken in steps:
        whole: Any = taken.step
        gone = whole.eliminations
        if gone and not any(position.candidates[cell, digit - 1] for cell, digit in gone):
            continue
        step = replay(taken.step, taken.position, position)
        if step is None:
            return replayed, taken
        replayed.append(replace(taken, step=step, position=position))
        position = position.after(step)
    return replayed, None
