"""Base class of values that notebooks display.

:mod:`nando.notebook` draws the values. It is above many of them, and imports point down, so a value
calls it through the root of the package, and only when a notebook displays the value. Like
:mod:`nando.stages`, this module may be used by every layer.
"""

from typing import Any


class Displayed:
    """Base class of values that a notebook displays as HTML, by ``nando.notebook.html``.

    In a terminal, IPython displays their ``str()``.
    """

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        # IPython prefers the __repr__ of a class to the _repr_pretty_ of its bases.
        cls._repr_pretty_ = Displayed._repr_pretty_  # type: ignore[method-assign]

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(type(self).__name__ if cycle else str(self))

    def _repr_html_(self) -> str:
        import nando

        return nando.notebook.html(self)

    def svg(self) -> str:
        """Return the value as an SVG element; TypeError if it has no picture.

        :func:`nando.draw` also writes PNG and PDF.
        """
        import nando

        return nando.notebook.svg_of(self)
