"""HTML pages from the packages' templates, escaped, with a common base and style sheet."""

import base64
import hashlib
import json
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Any

from nando.drawing import shapes, svg
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


def embedded(script: str, data: Any) -> dict[str, Any]:
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
        "INK": shapes.INK,
        "GREY": shapes.GREY,
        "FONTS": FONTS,
    }
    return environment


def _svg(picture: shapes.Picture, **options: Any) -> Any:
    from markupsafe import Markup

    return Markup(svg.svg(picture, **options))
