"""How values show themselves in a notebook.

What draws them stands above many of them, and imports point down. So a value only asks
:mod:`nando.notebook`, through the root of the package, when a notebook asks it. Like
:mod:`nando.stages`, every layer may use this module.
"""


class Displayed:
    """The base of values that a notebook shows as HTML, by ``nando.notebook.html``."""

    def _repr_html_(self) -> str:
        import nando

        return nando.notebook.html(self)
