"""How people play each kind of puzzle. A new kind is a folder here and one entry."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from nando.on_demand import OnDemand
from nando.puzzles import Nurikabe, Sudoku, Values
from nando.solvers.people.choices import Choices
from nando.solvers.people.refutations import Refutations

Refute = Callable[[Any, Values, tuple[int, float], int, np.random.Generator], Refutations]
"""Takes a puzzle, its solution, settings, a number of runs and a generator; the settings are
whether an assumption is a step, and the score of an impasse at which nothing can be refuted."""


class PeopleKind(NamedTuple):
    """How people play a kind of puzzle.

    Attributes
    ----------
    refute : callable
        Plays by what is seen at a glance and, at an impasse, by the cheapest refutation.
    choices : module
        Replays and draws games as chains of choices among open cells.
    """

    refute: Refute
    choices: Choices


def _sudoku() -> PeopleKind:
    from nando.solvers.people.sudoku import choices
    from nando.solvers.people.sudoku.refutation import refute

    return PeopleKind(refute, choices)


def _nurikabe() -> PeopleKind:
    from nando.solvers.people.nurikabe import choices
    from nando.solvers.people.nurikabe.refutation import refute

    return PeopleKind(refute, choices)


KINDS = OnDemand({Sudoku.kind: _sudoku, Nurikabe.kind: _nurikabe})
"""The kinds of puzzle that are played, by name."""
