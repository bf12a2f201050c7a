"""How constraint solvers run on each kind of puzzle. A new kind is a folder here and one entry."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from nando.on_demand import OnDemand
from nando.puzzles import Nurikabe, Sudoku
from nando.solvers.constraints.samples import Samples, Weakening
from nando.solvers.protocol import Limit, SolveRun


class ConstraintsKind(NamedTuple):
    """How constraint solvers run on a kind of puzzle.

    Attributes
    ----------
    search : callable
        The thesis's brute force, to the first solution.
    relax : callable
        Samples of the puzzle with weaker constraints, and how many solutions each has.
    """

    search: Callable[[Any, Limit, np.random.Generator], SolveRun]
    relax: Callable[[Any, Weakening, int, np.random.Generator, Limit], Samples]


def _sudoku() -> ConstraintsKind:
    from nando.solvers.constraints.sudoku.brute_force import suggest_values
    from nando.solvers.constraints.sudoku.relaxation import relax_edges

    return ConstraintsKind(suggest_values, relax_edges)


def _nurikabe() -> ConstraintsKind:
    from nando.solvers.constraints.nurikabe.brute_force import place_islands
    from nando.solvers.constraints.nurikabe.relaxation import relax_numbers

    return ConstraintsKind(place_islands, relax_numbers)


KINDS = OnDemand({Sudoku.kind: _sudoku, Nurikabe.kind: _nurikabe})
"""The kinds of puzzle that these solvers run on, by name."""
