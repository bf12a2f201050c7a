"""HTML pages from the packages' templates, with a common base and style sheet, and their plots."""

import base64
import hashlib
import json
from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from nando.drawing.shapes import GREY, INK, Disc, Path, Picture, Shape, Text
from nando.drawing.svg import svg
from nando.drawing.typeface import FONTS

if TYPE_CHECKING:
    from jinja2 import Environment


def page(package: str, template: str, *others: str, **values: Any) -> Iterator[str]:
    """Return the parts of a page, in order.

    Parameters
    ----------
    package : str
        The package of the template, which may extend ``base.html`` of this one. In a template,
        ``svg(picture)`` draws a picture.
    template : str
        Its path in the package, for example ``web/play.html``.
    *others
        Packages with other templates that the template uses, in folders of the same name.
    **values
        Values for the template. A missing value is an error.
    """
    folder, _, name = template.rpartition("/")
    return _environment(folder or ".", package, *others).get_template(name).generate(**values)


def embed(script: str, data: Any) -> dict[str, Any]:
    """Return the values `script`, `digest` and `data` of a page with a script.

    With the digest, the content security policy of the page allows this script and no other. The
    data are JSON in which no HTML parser sees the end of the element.
    """
    from markupsafe import Markup

    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    text = text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
    return {
        "script": Markup(script),
        "digest": Markup(f"'sha256-{digest}'"),
        "data": Markup(text),
    }


@cache
def _environment(folder: str, *packages: str) -> "Environment":
    from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined

    loaders = [PackageLoader(package, folder) for package in packages]
    environment = Environment(
        loader=ChoiceLoader([*loaders, PackageLoader("nando.drawing", "web")]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals["svg"] = _svg
    environment.globals["colours"] = {
        "INK": INK,
        "GREY": GREY,
        "FONTS": FONTS,
    }
    return environment


def _svg(picture: Picture, **options: Any) -> Any:
    from markupsafe import Markup

    return Markup(svg(picture, **options))


# ---------------------------------------------------------------- plots

_WIDTH, _HEIGHT = 360, 220
_LEFT, _RIGHT, _TOP, _BOTTOM = 40, 10, 26, 34
_TYPE, _TICK = 11, 4
_AXIS, _RULE, _POINT, _LINE = "#666666", "#e4e4e4", "#224466", "#cc6600"
_STEPS = (1, 2, 5, 10, 20, 50, 100, 200)
_MOST_TICKS = 7


def scatter(
    x: Sequence[float],
    y: Sequence[float],
    *,
    names: tuple[str, str],
    ticks: Sequence[tuple[float, str]],
    line: Sequence[float] = (),
    line_name: str = "",
) -> Picture:
    """Plot points, and optionally a line over the same x.

    Parameters
    ----------
    x, y : sequence of float
        Coordinates of the points. The x axis begins at 0 and has whole numbers as ticks.
    names : (str, str)
        Names of the axes.
    ticks : sequence of (float, str)
        Values on the y axis and their labels. The axis includes them and all points.
    line : sequence of float
        Values of y on the line.
    line_name : str
        Name of the line.
    """
    values = [*y, *line, *(value for value, _ in ticks)]
    low, high, right = min(values), max(values), max(x)
    foot, end = _HEIGHT - _BOTTOM, _WIDTH - _RIGHT

    def across(a: float) -> float:
        return _LEFT + a / max(right, 1e-9) * (end - _LEFT)

    def down(b: float) -> float:
        return foot - (b - low) / max(high - low, 1e-9) * (foot - _TOP)

    shapes: list[Shape] = []
    for value, label in ticks:
        height = down(value)
        shapes += [
            Path(((_LEFT, height), (end, height)), _RULE, 1),
            Text(_LEFT - _TICK, height, label, _TYPE, GREY, align="end"),
        ]
    shapes.append(Path(((_LEFT, _TOP), (_LEFT, foot), (end, foot)), _AXIS, 1))
    for number in _whole_ticks(right):
        place = across(number)
        shapes += [
            Path(((place, foot), (place, foot + _TICK)), _AXIS, 1),
            Text(place, foot + _TICK + 8, f"{number}", _TYPE, GREY),
        ]
    if line:
        points = tuple((across(a), down(b)) for a, b in zip(x, line, strict=True))
        shapes.append(Path(points, _LINE, 1.5))
    shapes += [Disc(across(a), down(b), 2.5, _POINT) for a, b in zip(x, y, strict=True)]
    shapes += [
        Text(_LEFT, 10, names[1], _TYPE, _POINT, align="start"),
        Text(end, _HEIGHT - 6, names[0], _TYPE, GREY, align="end"),
    ]
    if line_name:
        shapes.append(Text(end, 10, line_name, _TYPE, _LINE, align="end"))
    return Picture(_WIDTH, _HEIGHT, tuple(shapes))


def _whole_ticks(right: float) -> range:
    """Return the ticks of an x axis that ends at `right`."""
    step = next((step for step in _STEPS if right / step < _MOST_TICKS), _STEPS[-1])
    return range(step, int(right) + 1, step)
