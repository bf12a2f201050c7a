"""The steps of a walk for the page: what each does, its hints in words, and its drawings.

A drawing holds the shapes that a step adds to the picture of the position before it, so that the
page can lay them over the board of the player.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any

from nando.drawing.boards import origin, position
from nando.drawing.colour import COLOURS
from nando.drawing.shapes import Disc, Path, Polygon, Rect, Shape, Text, moved
from nando.play.kinds import find_kind
from nando.solvers.logic import LANGUAGES, Walkthrough, WalkthroughStep

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
    tellers = {tag: replace(taken, language=tag) for tag in LANGUAGES}
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


def plain_all(shapes: Sequence[Shape], n_columns: int) -> list[Any]:
    """Return the shapes as short lists.

    Tints of whole cells next to each other in the list are one.
    """
    plain: list[Any] = []
    for colour, group in groupby(shapes, _tint):
        if colour is None:
            plain += map(_plain, group)
            continue
        corners = [(shape.x, shape.y) for shape in group if isinstance(shape, Rect)]
        plain.append(["s", _colour(colour), [round(y) * n_columns + round(x) for x, y in corners]])
    return plain


def _tint(shape: Shape) -> str | None:
    """Return the colour of a shape that is the tint of a whole cell; None for other shapes."""
    is_tint = isinstance(shape, Rect) and (shape.width, shape.height) == (1, 1) and not shape.stroke
    return shape.fill if isinstance(shape, Rect) and is_tint else None


def _plain(shape: Shape) -> list[Any]:
    """Return a shape as a short list, the first value telling what it is."""
    if isinstance(shape, Rect):
        plain = [*map(_short, shape[:4]), _colour(shape.fill), _colour(shape.stroke), shape.line]
        return ["r", *plain]
    if isinstance(shape, Disc):
        plain = [*map(_short, shape[:3]), _colour(shape.fill), _colour(shape.stroke), shape.line]
        return ["c", *plain]
    if isinstance(shape, Path):
        line = _short(shape.line)
        points = _points(shape.points)
        return ["p", points, _colour(shape.stroke), line, int(shape.dashed), int(shape.curved)]
    if isinstance(shape, Polygon):
        return ["g", _points(shape.points), _colour(shape.fill)]
    if isinstance(shape, Text):
        numbers = _short(shape.x), _short(shape.y), shape.text, _short(shape.size)
        return ["t", *numbers, _colour(shape.fill), int(shape.bold)]
    raise TypeError(f"no step is drawn with a {type(shape).__name__}")


def _points(points: tuple[tuple[float, float], ...]) -> list[list[float]]:
    return [[_short(x), _short(y)] for x, y in points]


def _short(number: float) -> float:
    """Return a coordinate, to a thousandth of a cell; whole numbers without their point."""
    rounded = round(number, 3)
    return int(rounded) if rounded == int(rounded) else rounded


def _colour(colour: str | None) -> str | None:
    return None if colour is None else COLOURS[colour]
