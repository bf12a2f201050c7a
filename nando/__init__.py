"""How hard a logic puzzle is for people.

The sub-packages load on first use, so that ``import nando`` costs nothing:

- :mod:`nando.puzzles` -- puzzles and how they are read and written
- :mod:`nando.solvers` -- solver runs with step traces
- :mod:`nando.rating` -- features of solver runs, and regressions on human times
- :mod:`nando.generators` -- new puzzles at a wanted difficulty, and books
- :mod:`nando.datasets` -- human solving times, move logs and rated banks
"""

import importlib
from types import ModuleType

__version__ = "0.1.0"
__all__ = ["__version__", "datasets", "generators", "puzzles", "rating", "solvers"]

_SUBPACKAGES = frozenset({"datasets", "generators", "puzzles", "rating", "solvers"})


def __getattr__(name: str) -> ModuleType:
    if name in _SUBPACKAGES:
        return importlib.import_module(f"nando.{name}")
    raise AttributeError(f"module 'nando' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
