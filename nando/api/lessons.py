"""Puzzles for a lesson on one technique."""

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from nando.checks import seed_of, whole
from nando.names import Language, Style
from nando.puzzles import PuzzleLike, Sudoku, as_puzzle

if TYPE_CHECKING:
    from nando.solvers.logic import Order, Walkthrough, WalkthroughStep

_AT_ONCE = 200
"""Puzzles that are rated together."""
_MOST_MADE = 8_000
"""New puzzles after which a search gives up: a few minutes."""


class Lesson(NamedTuple):
    """A puzzle that needs a technique once, with nothing harder.

    Attributes
    ----------
    puzzle : Sudoku
    step : WalkthroughStep
        The step of the technique. Its `position` is where a worksheet begins.
    walk : Walkthrough
        From the givens to the solution.
    """

    puzzle: Sudoku
    step: "WalkthroughStep"
    walk: "Walkthrough"


def lessons(
    technique: str,
    puzzles: Iterable[PuzzleLike] | None = None,
    *,
    count: int = 6,
    seed: int | None = 0,
    order: "Order | str | None" = None,
    style: Style = "nando",
    language: Language = "en",
    advance: Callable[[int], object] = lambda _: None,
) -> list[Lesson]:
    """Find or make Sudokus that need a technique once, early, and nothing harder.

    Early means that at most half of the blanks are filled before the step.

    Parameters
    ----------
    technique : str
        Name of the technique in any program, for example "x-wing".
    puzzles : iterable of puzzles or None
        A bank, of which the first puzzles that fit are returned. None makes new puzzles.
    count : int
        Number of puzzles.
    seed : int or None
        The same seed makes the same puzzles.
    order, style, language
        As for :func:`nando.explain`.
    advance : callable
        Called with the number of newly found puzzles.

    Raises
    ------
    ValueError
        For an unknown technique, or if too few puzzles fit.

    Examples
    --------
    >>> puzzle = "9.5....3474....1..6.8....2....4.........9.78.8.9..74.2.....52..5......18.821.3..5"
    >>> [found.step.number for found in lessons("xy-wing", [puzzle], count=1)]
    [24]
    """
    from nando.api.logic import explain
    from nando.solvers.logic import read_order
    from nando.solvers.logic.orders.order import families_of

    whole("count", count, 1)
    families = families_of(technique)
    tried = read_order(order) if isinstance(order, str) else order
    source = _made(seed_of(seed)) if puzzles is None else map(as_puzzle, puzzles)
    exercises: list[Lesson] = []
    n_read = 0
    while batch := [p for p in islice(source, _AT_ONCE) if isinstance(p, Sudoku)]:
        n_read += len(batch)
        for puzzle in _promising(batch, families):
            walk = explain(puzzle, order=tried, style=style, language=language)
            step = _only(walk, families)
            if step is not None:
                exercises.append(Lesson(puzzle, step, walk))
                advance(1)
                if len(exercises) == count:
                    return exercises
    where = f"{n_read:,} {'new ' if puzzles is None else ''}puzzles"
    raise ValueError(
        f"{len(exercises)} of {count} puzzles for a lesson on {technique} found among {where}; "
        f"{'name a bank of harder puzzles' if puzzles is None else 'name a larger bank'}, or ask "
        "for fewer"
    )


def _made(seed: int) -> Iterator[Sudoku]:
    """Yield `_MOST_MADE` new puzzles, unrated."""
    from nando.api.making import generate

    for batch in range(_MOST_MADE // _AT_ONCE):
        records = generate(count=_AT_ONCE, seed=seed + batch, rating=False)
        for record in records:
            assert isinstance(record.puzzle, Sudoku)
            yield record.puzzle


def _promising(puzzles: list[Sudoku], families: list[str]) -> Iterator[Sudoku]:
    """Yield the puzzles whose hardest technique may be one of these families."""
    from nando.solvers import LogicSolver
    from nando.solvers.logic.orders.order import rungs_of, sources_of

    solver = LogicSolver()
    known = {t for family in families for t in (*rungs_of(family), *sources_of(family))}
    allowed = np.array([technique in known for technique in solver.ladder])
    ratings = solver.rate_many(puzzles)
    for puzzle, solved, uses in zip(puzzles, ratings.solved, ratings.uses, strict=True):
        used = np.flatnonzero(uses)
        if solved and len(used) and allowed[used[-1]]:
            yield puzzle


def _only(walk: "Walkthrough", families: list[str]) -> "WalkthroughStep | None":
    """Return the only step of the families in a walk if it is the hardest and early, else None."""
    if not walk.solved or not walk.steps:
        return None
    hardest = max(taken.step.rating for taken in walk.steps)
    fit = []
    for taken in walk.steps:
        if taken.family in families or taken.step.technique.name in families:
            fit.append(taken)
        elif taken.step.rating == hardest:
            return None
    if len(fit) != 1 or fit[0].step.rating < hardest:
        return None
    n_blanks = walk.steps[0].position.n_blanks
    return fit[0] if 2 * fit[0].position.n_blanks >= n_blanks else None
