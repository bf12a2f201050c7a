"""Conditions on the steps that a person needs for a puzzle.

A puzzle *needs* a technique if, without it, the steps that solve the puzzle now no longer do: it
becomes harder, or is not solved at all. The *hardest* technique bounds the ladder from above, and
the puzzle is solved *without* a technique if all others on its ladder solve it.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from nando.puzzles import Puzzle

if TYPE_CHECKING:
    from nando.generators.wishes import Wishes
    from nando.solvers import LogicSolver

Condition = Callable[[Sequence[Puzzle]], NDArray[np.bool_]]
"""Returns for each of several puzzles of a kind whether it fits."""


def condition_of(wishes: "Wishes") -> Condition | None:
    """Return the condition on steps in some wishes, None if there is none.

    Raises
    ------
    ValueError
        For an unknown technique, a kind without a ladder, and wishes that contradict each other.
    """
    if wishes.needs is wishes.hardest is wishes.without is None:
        return None
    conditions = list(_conditions(wishes))

    def fits(puzzles: Sequence[Puzzle]) -> NDArray[np.bool_]:
        mask = np.ones(len(puzzles), np.bool_)
        for condition in conditions:
            left = np.flatnonzero(mask).tolist()
            if left:
                mask[left] = condition([puzzles[i] for i in left])
        return mask

    return fits


def _conditions(wishes: "Wishes") -> Iterator[Condition]:
    """Yield the conditions, those that need one ladder first."""
    from nando.solvers import LogicSolver
    from nando.solvers.logic import select_techniques, standard_ladder

    whole = standard_ladder(wishes.puzzle_kind)
    allowed = whole
    if wishes.hardest is not None:
        last = max(whole.index(each) for each in select_techniques(whole, only=wishes.hardest))
        allowed = whole[: last + 1]
    if wishes.without is not None:
        left_out = select_techniques(whole, only=wishes.without)
        allowed = tuple(each for each in allowed if each not in left_out)
    if allowed != whole:
        yield lambda puzzles: LogicSolver(allowed).rate_many(puzzles).solved
    for name in wishes.needs.split(",") if wishes.needs else ():
        needed = select_techniques(whole, only=name)
        others = tuple(each for each in allowed if each not in needed)
        if others == allowed:
            raise ValueError(f"needs {name} contradicts hardest or without, which exclude it")
        yield _needs(LogicSolver(allowed), LogicSolver(others))


def _needs(whole: "LogicSolver", others: "LogicSolver") -> Condition:
    def fits(puzzles: Sequence[Puzzle]) -> NDArray[np.bool_]:
        now, then = whole.rate_many(puzzles), others.rate_many(puzzles)
        return now.solved & (~then.solved | (then.rating > now.rating))

    return fits
