"""HTML from the templates beside the code, escaped, with a common base and style sheet."""

from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Any

from nando.drawing import shapes, svg
from nando.drawing.typeface import FONTS

if TYPE_CHECKING:
    from jinja2 import Environment


def page(package: str, template: str, **values: Any) -> Iterator[str]:
    """Return the parts of a page, in order.

    Parameters
    ----------
    package : str
        The package of the template, which may extend ``base.html`` of this one. In a template,
        ``svg(picture)`` draws a picture.
    template : str
        Its path in the package, for example ``web/play.html``.
    **values
        Values for the template. A missing value is an error.
    """
    folder, _, name = template.rpartition("/")
    return _environment(package, folder or ".").get_template(name).generate(**values)


@cache
def _environment(package: str, folder: str) -> "Environment":
    from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=ChoiceLoader(
            [PackageLoader(package, folder), PackageLoader("nando.drawing", "web")]
        ),
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
