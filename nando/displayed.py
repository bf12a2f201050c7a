"""How values show themselves in a notebook.

What draws them stands above many of them, and imports point down. So a value only asks
:mod:`nando.notebook`, through the root of the package, when a notebook asks it. Like
:mod:`nando.stages`, every layer may use this module.
"""

from typing import Any


class Displayed:
    """The base of values that a notebook shows as HTML, by ``nando.notebook.html``.

    Where there is only text, as in a terminal, IPython shows their ``str()``.
    """

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        # IPython asks class by class, and prefers the __repr__ of a class to what its bases have.
        cls._repr_pretty_ = Displayed._repr_pretty_  # type: ignore[method-assign]

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(type(self).__name__ if cycle else str(self))

    def _repr_html_(self) -> str:
        import nando

        return nando.notebook.html(self)
