"""The steps of a walk for the page: what each does, its hints in words, and its drawings.

A drawing holds the shapes that a step adds to the picture of the position before it, so that the
page can lay them over the board of the player.
"""

from collections import Counter
from dataclasses import replace
from typing import Any

from nando.drawing.boards import origin, position
from nando.drawing.shapes import Shape, moved
from nando.play.kinds import find_kind
from nando.play.plain import plain_all
from nando.solvers.logic import Walkthrough, WalkthroughStep
from nando.solvers.logic.language import PAGE_LANGUAGES

DEGREES = (1, 2, 3)


def steps_of(walk: Walkthrough) -> list[dict[str, Any]]:
    """Return the steps of a walk as plain values."""
    kind = find_kind(walk.puzzle.kind)
    return [
        {
            "set": [list(pair) for pair in kind.decisions(taken.step)],
            "out": [list(pair) for pair in kind.removals(taken.step)],
            "say": _told(taken),
            "shapes": _drawings(taken),
        }
        for taken in walk.steps
    ]


def _told(taken: WalkthroughStep) -> dict[str, list[str]]:
    """Return the hints of each degree in each language, since players can change theirs."""
    tellers = {tag: replace(taken, language=tag) for tag in PAGE_LANGUAGES}
    return {tag: [one.sentence(degree) for degree in DEGREES] for tag, one in tellers.items()}


def _drawings(taken: WalkthroughStep) -> list[list[Any]]:
    """Shapes of degree 1, those that 2 and 3 share, and those that only 2 and only 3 have."""
    known = Counter(position(taken.position).shapes)
    first, second, third = (_added(taken, degree, known) for degree in DEGREES)
    shared = Counter(second) & Counter(third)
    parts = (
        first,
        list(shared.elements()),
        list((Counter(second) - shared).elements()),
        list((Counter(third) - shared).elements()),
    )
    n_columns = taken.position.puzzle.shape[1]
    return [plain_all(part, n_columns) for part in parts]


def _added(taken: WalkthroughStep, degree: int, known: Counter[Shape]) -> list[Shape]:
    """Return what a hint adds to the position, in cells from the corner of the board."""
    left = known.copy()
    new = []
    for shape in position(taken.position, taken.step, degree).shapes:
        if left[shape]:
            left[shape] -= 1
        else:
            new.append(shape)
    x, y = origin(taken.position.puzzle)
    return list(moved(new, -x, -y))
