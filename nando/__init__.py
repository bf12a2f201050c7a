"""Rate how hard logic puzzles are for people.

Most programs need only the functions of :mod:`nando.api`: ``nando.rate``, ``nando.explain``,
``nando.solve``, ``nando.generate`` and ``nando.load_model``. Packages are loaded on first use, so
that ``import nando`` is fast:

- :mod:`nando.puzzles` -- puzzles, and reading and writing them
- :mod:`nando.solvers` -- solver runs with step traces
- :mod:`nando.features` -- features of a puzzle, measured by solver runs
- :mod:`nando.rating` -- regressions on human times
- :mod:`nando.games` -- move logs, fill orders, and the audit
- :mod:`nando.generators` -- new puzzles of a given difficulty
- :mod:`nando.books` -- books of puzzles
- :mod:`nando.schemas` -- JSON schemas of the output of commands
- :mod:`nando.datasets` -- human solving times, move logs and rated banks
- :mod:`nando.evaluation` -- how well models predict people
"""

import lazy_loader

__version__ = "0.1.0"

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
