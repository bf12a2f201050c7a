"""What is asked of the steps of puzzles: techniques that they need, use or do without."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.checks import nearest
from nando.puzzles import Puzzle
from nando.solvers import LogicSolver
from nando.solvers.logic import Ladder, Order, Technique, read_order, standard_ladder
from nando.solvers.logic import kernel_numbers as kernels
from nando.solvers.logic.orders.order import NAMED, ORDERS, find_rungs, parse_order, with_families

_OF_ONE_RATING = (
    kernels.HIDDEN_SINGLE,
    kernels.NAKED_SINGLE,
    kernels.DIRECT_POINTING,
    kernels.DIRECT_CLAIMING,
    kernels.DIRECT_HIDDEN_SUBSET,
    kernels.POINTING,
    kernels.CLAIMING,
    kernels.NAKED_SUBSET,
    kernels.HIDDEN_SUBSET,
    kernels.FISH,
    kernels.WING,
)
"""Kernels of Sudokus and variants whose steps have the rating of their rung; those of others may be
rated higher. All steps of a Nurikabe have the rating of their rung."""

_SINGLES = (kernels.HIDDEN_SINGLE, kernels.NAKED_SINGLE)

_RANGE = re.compile(r"\s*(\d+(?:\.\d+)?)\s*(?:-\s*(\d+(?:\.\d+)?)\s*)?")


class Asked(NamedTuple):
    """Techniques of which one is asked for, by the name in the wish, and their rungs."""

    name: str
    rungs: Ladder


@dataclass(frozen=True)
class Steps:
    """What is asked of the steps of puzzles of a kind.

    A walk takes the first technique of the ladder that finds a step, again and again. A puzzle
    *uses* a technique if its walk takes a step of it. It *needs* the technique if, with the
    technique taken from the ladder, no steps as easy as those of its walk solve it.

    Attributes
    ----------
    ladder : tuple of Technique
        The techniques that may be used.
    needed, used : tuple of Asked
    absent : tuple of Technique
        Families in the ladder that must not be used.
    ratings : tuple of float or None
        Least and greatest rating of the hardest step on the standard ladder.
    rated : Asked or None
        The rungs that may have such a rating, the hardest first.
    """

    ladder: Ladder
    needed: tuple[Asked, ...] = ()
    used: tuple[Asked, ...] = ()
    absent: Ladder = ()
    ratings: tuple[float, float] | None = None
    rated: Asked | None = None

    def fits(self, puzzles: Sequence[Puzzle]) -> NDArray[np.bool_]:
        """Return for each of several puzzles whether its steps are as asked."""
        now = solver_of(self.ladder).rate_many(puzzles)
        mask = now.solved & ~self._any_use(now.uses, self.absent)
        for asked in (*self.used, *self.needed):
            mask &= self._any_use(now.uses, asked.rungs)
        if self.ratings is not None:
            rating = LogicSolver().rate_many(puzzles).rating
            mask &= (self.ratings[0] <= rating) & (rating <= self.ratings[1])
        for i in np.flatnonzero(mask).tolist():
            last = int(np.flatnonzero(now.uses[i])[-1])
            mask[i] = all(
                self._is_needed(asked.rungs, puzzles[i], float(now.rating[i]), last)
                for asked in self.needed
            )
        return mask

    @cached_property
    def is_standard(self) -> bool:
        """True if the techniques are rungs of the standard ladder, in its order."""
        whole = iter(standard_ladder(self.ladder[0].kind))
        return all(rung in whole for rung in self.ladder)

    def _any_use(self, uses: NDArray[np.int64], rungs: Ladder) -> NDArray[np.bool_]:
        chosen = np.array([rung in rungs for rung in self.ladder])
        used: NDArray[np.bool_] = (uses > 0) @ chosen
        return used

    def _is_needed(self, rungs: Ladder, puzzle: Puzzle, rating: float, last: int) -> bool:
        """Return True if no steps without these rungs, as easy as those of a walk, solve a puzzle.

        Steps are as easy if they are not rated higher than the walk. On a ladder of another order
        they are if they do not come after its last rung.
        """
        by_rating = self.is_standard
        others = [
            number
            for number, rung in enumerate(self.ladder)
            if rung not in rungs and (rung.rating <= rating if by_rating else number <= last)
        ]
        if max(others, default=-1) < min(self.ladder.index(r) for r in rungs if r in self.ladder):
            return True  # the walk was stuck without these rungs when it used one
        then = solver_of(tuple(self.ladder[number] for number in others)).rate_many([puzzle])
        return not then.solved[0] or (by_rating and bool(then.rating[0] > rating))


@lru_cache(maxsize=128)
def solver_of(ladder: Ladder) -> LogicSolver:
    """Return a solver with a ladder; the latest are kept, with what they have prepared."""
    return LogicSolver(ladder)


def rating_range(name: str, value: object) -> str:
    """Return a rating, or a range of ratings, as text.

    Raises
    ------
    ValueError
        If it is neither, or ends below its beginning.

    Examples
    --------
    >>> rating_range("se", (4, 4.5)), rating_range("se", 3.2)
    ('4-4.5', '3.2')
    """
    text = "-".join(map(str, value)) if isinstance(value, tuple | list) else str(value)
    match = _RANGE.fullmatch(text)
    if match is None or float(match[2] or match[1]) < float(match[1]):
        raise ValueError(f"{name} must be a rating or a range such as 4.0-4.5, got {value!r}")
    return "-".join(f"{float(end):g}" for end in match.groups() if end)


def order_named(name: str) -> Order:
    """Return a known order of techniques, or the one in a text with a technique on each line.

    Raises
    ------
    ValueError
        If it is neither.
    """
    if name in ORDERS:
        return read_order(name)
    if "\n" not in name.strip():
        raise ValueError(
            f"order must be 3, 4 or 5 for the size of a Sudoku, or {', '.join(ORDERS)} for the "
            f"order of techniques, got {name!r}{nearest(name, ORDERS)}"
        )
    return parse_order(name, "this order")


def read_steps(
    kind: str,
    *,
    order: str | None = None,
    needs: str | None = None,
    uses: str | None = None,
    hardest: str | None = None,
    without: str | None = None,
    se: str | None = None,
) -> Steps:
    """Return what wishes ask of the steps of puzzles of a kind; names have commas between them.

    Raises
    ------
    ValueError
        For an unknown technique, an order that lacks it, and wishes that contradict each other.
    """
    if order is not None and kind != "sudoku":
        raise ValueError(f"an order of techniques is for Sudoku, not for {kind}: leave it out")
    tried = None if order is None else order_named(order)
    whole = standard_ladder(kind) if tried is None else tried.ladder
    needed, used, bounds, banned = (
        tuple(
            _find(name, whole, tried, broadly=names is without)
            for name in (names or "").split(",")
            if name
        )
        for names in (needs, uses, hardest, without)
    )
    whole = with_families(whole, _rungs(needed + used + bounds + banned))
    last = max((whole.index(rung) for rung in _rungs(bounds)), default=len(whole))
    absent = tuple(rung for rung in _rungs(banned) if rung.kernel == NAMED)
    allowed = {*whole[: last + 1]} - {*_rungs(banned)}
    ratings = rated = None
    if se is not None:
        low, _, high = se.partition("-")
        ratings = float(low), float(high or low)
        rated = Asked(se, _rated(whole, *ratings))
        if tried is None:
            allowed -= {rung for rung in whole if rung.rating > ratings[1]}
    groups = {"needs": needed, "uses": used, "se": (rated,) if rated else ()}
    for wish, each in ((wish, each) for wish, group in groups.items() for each in group):
        if not allowed & {*each.rungs}:
            others = {"hardest": hardest, "without": without, "se": se}
            why = [f"{name} {x}" for name, x in others.items() if x and name != wish]
            raise ValueError(f"{wish} {each.name} contradicts {' and '.join(why)}: leave one out")
    ladder = tuple(rung for rung in whole[: last + 1] if rung in allowed or rung in absent)
    if not allowed:
        raise ValueError("no technique is left: allow more of them")
    singles = {rung for rung in whole if rung.kernel in _SINGLES}
    if banned and singles and len(allowed & singles) < 2:  # a full house is one of them
        raise ValueError(f"without {without}, digits cannot be entered: allow a hidden single")
    return Steps(ladder, needed, used, absent, ratings, rated)


def _find(name: str, ladder: Ladder, order: Order | None, *, broadly: bool) -> Asked:
    rungs = find_rungs(ladder, name, broadly=broadly)
    if order is not None and not any(r in ladder and r not in order.lacking for r in rungs):
        raise ValueError(f"{order.title} has no {name}: leave it out, or ask for another order")
    return Asked(name, rungs)


def _rated(ladder: Ladder, low: float, high: float) -> Ladder:
    """Return the rungs that may have a rating in a range, the hardest first."""
    rungs = sorted((r for r in ladder if r.rating <= high and r.kernel != NAMED), key=_rating)
    if not rungs:
        raise ValueError(f"se {high:g} is below the easiest step: ask for a higher rating")
    in_range = [rung for rung in rungs if rung.rating >= low]
    if in_range:
        return tuple(in_range[::-1])
    rising = [r for r in rungs if r.kind != "nurikabe" and r.kernel not in _OF_ONE_RATING]
    if not rising:
        ends = f"{low:g}" if low == high else f"{low:g} to {high:g}"
        near = [rungs[-1].rating, *sorted(r.rating for r in ladder if r.rating > high)[:1]]
        nearest = " and ".join([f"{rating:g}" for rating in near])
        raise ValueError(f"no step is rated {ends}: the nearest are rated {nearest}")
    return tuple(rising[-1:])


def _rating(rung: Technique) -> float:
    return rung.rating


def _rungs(asked: Iterable[Asked]) -> Ladder:
    return tuple(rung for each in asked for rung in each.rungs)
