"""How hard a logic puzzle is for people.

:mod:`nando.api` has what most programs need, a call each: ``nando.rate``, ``nando.explain``,
``nando.solve``, ``nando.generate`` and ``nando.load_model``. Everything loads on first use, so that
``import nando`` costs nothing:

- :mod:`nando.puzzles` -- puzzles and how they are read and written
- :mod:`nando.solvers` -- solver runs with step traces
- :mod:`nando.features` -- what solver runs say about a puzzle, as named numbers
- :mod:`nando.rating` -- regressions on human times
- :mod:`nando.games` -- move logs, fill orders, and the audit
- :mod:`nando.generators` -- new puzzles at a wanted difficulty
- :mod:`nando.books` -- books of puzzles
- :mod:`nando.schemas` -- JSON schemas of what commands write
- :mod:`nando.datasets` -- human solving times, move logs and rated banks
- :mod:`nando.evaluation` -- how well all this predicts people
"""

import lazy_loader

__version__ = "0.1.0"

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
