"""HTML from the templates beside the code, escaped, with a common base and style sheet."""

from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Any

from nando.drawing import shapes, svg
from nando.drawing.typeface import FONTS

if TYPE_CHECKING:
    from jinja2 import Environment


def page(package: str, template: str, **values: Any) -> Iterator[str]:
    """The parts of a page, in order.

    Parameters
    ----------
    package : str
        The package whose folder ``templates`` has the template; it may extend
        ``base.html`` of this one. In a template, ``svg(picture)`` draws a picture.
    template : str
    **values
        Values for the template. A missing value is an error.
    """
    return _environment(package).get_template(template).generate(**values)


@cache
def _environment(package: str) -> "Environment":
    from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=ChoiceLoader([PackageLoader(package), PackageLoader("nando.drawing")]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals["svg"] = _svg
    environment.globals["colours"] = {
        "INK": shapes.INK,
        "GREY": shapes.GREY,
        "FONTS": FONTS,
    }
    return environment


def _svg(picture: shapes.Picture, **options: Any) -> Any:
    from markupsafe import Markup

    return Markup(svg.svg(picture, **options))
