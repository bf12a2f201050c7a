"""Solving puzzles as a person does, listing the possible steps, and finding puzzles for lessons."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from nando import generators, solvers
from nando.api.solving import check_puzzle
from nando.checks import seed_of, whole
from nando.names import Kind, Language, Style
from nando.puzzles import Puzzle, PuzzleError, PuzzleLike, as_puzzle
from nando.puzzles.inputs import as_text
from nando.solvers import logic

if TYPE_CHECKING:
    from nando.solvers.logic import Ladder, Listing, Position, Walkthrough, WalkthroughStep
    from nando.solvers.logic import Order as StepOrder


def explain(
    puzzle: PuzzleLike,
    *,
    kind: Kind | None = None,
    position: "Position | str | None" = None,
    only: Sequence[str] | None = None,
    without: Sequence[str] = (),
    whole: bool = False,
    order: "StepOrder | str | Path | None" = None,
    style: Style = "nando",
    language: Language = "en",
) -> "Walkthrough":
    """Solve a puzzle as a person would, each step with its reason.

    Parameters
    ----------
    puzzle : text, array, list, Puzzle, or a result that holds one
        With exactly one solution; see :func:`nando.puzzles.as_puzzle`. Entered
        digits and pencil marks in a text count: the walk begins with them.
    kind : str or None
        Kind of the puzzle; None recognises that of a text, and takes numbers as a Sudoku.
    position : Position, str or None
        Where to begin instead, for example a line with the digits entered so far.
    only, without : sequence of str
        Names of the only techniques to use, and of techniques to leave out.
    whole : bool
        If True, keep the eliminations that no later step needs.
    order : str, Order or None
        Order in which techniques are tried, for Sudoku: "sudoku-explainer", "hodoku",
        "sudokuwiki" or a file; see :func:`nando.solvers.logic.read_order`. The rating stays that
        of Sukaku Explainer; `score` is the sum of the order's own points.
    style : str
        Names of the techniques: "nando", "se", "hodoku" or "sudokuwiki".
    language : str
        Language of the explanations: a key of :data:`nando.solvers.logic.LANGUAGES`.

    Returns
    -------
    Walkthrough
        ``print`` shows it in words, and ``to_dict`` returns plain values.

    Raises
    ------
    PuzzleError
        If the puzzle or the position is wrong. The message lists everything that is wrong.
    PuzzleTypeError
        If the value is not a puzzle.
    ValueError, TypeError
        For an unknown technique, style or language.

    Examples
    --------
    >>> walk = explain(
    ...     "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    ... )
    >>> print(walk.steps[0].sentence())
    Hidden single: in box 2, the 8 can only go in r1c6.
    """
    checked, start = _standing(puzzle, kind, position)
    tried = _order(checked, order)
    ladder = _ladder(checked, only, without, tried)
    walk = logic.walk_through(checked, ladder, start, style=style, language=language, order=tried)
    return walk if whole else logic.shorten(walk)


def list_steps(
    puzzle: PuzzleLike,
    *,
    kind: Kind | None = None,
    position: "Position | str | None" = None,
    only: Sequence[str] | None = None,
    without: Sequence[str] = (),
    order: "StepOrder | str | Path | None" = None,
    style: Style = "nando",
    language: Language = "en",
    effort: int = 100_000,
) -> "Listing":
    """List every step that a puzzle allows now, by technique.

    Parameters
    ----------
    puzzle, kind, position, only, without, order, style, language
        As for :func:`explain`.
    effort : int
        Maximum number of searches for chains, or of what-ifs, nested in an assumption. A 9x9 takes
        a few thousand.

    Returns
    -------
    Listing
        ``print`` shows it in words, and ``to_dict`` returns plain values. `complete` is True if the
        effort was sufficient.

    Raises
    ------
    PuzzleError, PuzzleTypeError, ValueError
        As for :func:`explain`.

    Examples
    --------
    >>> listing = list_steps(
    ...     "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
    ...     only=["naked single"],
    ... )
    >>> print(listing.steps[0].sentence(1))
    Look for a naked single in box 5.
    """
    from nando.solvers.logic import list_steps as every_step

    whole("effort", effort, 1)
    checked, start = _standing(puzzle, kind, position)
    ladder = _ladder(checked, only, without, _order(checked, order))
    return every_step(checked, ladder, start, style=style, language=language, effort=effort)


def hint(
    puzzle: PuzzleLike,
    position: "Position | str | None" = None,
    *,
    degree: int = 1,
    kind: Kind | None = None,
    only: Sequence[str] | None = None,
    without: Sequence[str] = (),
    order: "StepOrder | str | Path | None" = None,
    style: Style = "nando",
    language: Language = "en",
) -> str:
    """Return a hint at the next step from a position.

    Only the next step is searched for, so a hint takes less time than a walk.

    Parameters
    ----------
    puzzle, position, kind, only, without, order, style, language
        As for :func:`explain`.
    degree : int
        1 says where to look, 2 names the pattern, 3 explains the whole step.

    Returns
    -------
    str
        A sentence; for a full grid, and where no technique helps, it says so.

    Raises
    ------
    PuzzleError
        If the position has mistakes. The message names the cells, but not the right digits.
    PuzzleTypeError, ValueError, TypeError
        As for :func:`explain`.

    Examples
    --------
    >>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    >>> hint(puzzle, puzzle.replace("53..7", "534.7", 1))
    'Look for a hidden single in box 1.'
    """
    whole("degree", degree, 1, 3)
    checked, start = _standing(puzzle, kind, position)
    ladder = _ladder(checked, only, without, _order(checked, order))
    solver = solvers.LogicSolver(ladder)
    before = solver.start(checked) if start is None else start
    step = next(iter(solver.steps(checked, before)), None)
    if step is not None:
        return logic.WalkthroughStep(1, step, before, style, language).sentence(degree)
    walk = logic.Walkthrough(
        checked, (), before, ladder, logic.scale_of(checked.kind), language=language
    )
    return walk.summary()


def mistakes(puzzle: PuzzleLike, position: str, *, kind: Kind | None = None) -> list[str]:
    """List the mistakes in a position without giving the right digits away.

    Parameters
    ----------
    puzzle : text, array, list, Puzzle, or a result that holds one
        With exactly one solution.
    position : str
        The digits entered so far, as a line or grid, or pencil marks.
    kind : str or None
        As for :func:`explain`.

    Returns
    -------
    list of str
        A message for each mistake; empty if there are none.

    Examples
    --------
    >>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    >>> mistakes(puzzle, puzzle.replace("53..7", "531.7", 1))
    ['wrong entry: r1c3 is not 1']
    """
    checked = check_puzzle(puzzle, kind)
    try:
        solvers.LogicSolver().read_position(checked, position, apart=True)
    except PuzzleError as error:
        return [fault.message for fault in error.status.faults]
    return []


def _standing(
    puzzle: PuzzleLike, kind: str | None, position: "Position | str | None"
) -> "tuple[Puzzle, Position | None]":
    """Return the puzzle and the position to begin with, if there is one."""
    checked = check_puzzle(puzzle, kind)
    if (line := as_text(position)) is not None:
        return checked, logic.LogicSolver().read_position(checked, line, apart=True)
    if isinstance(position, str) or not (position is None or hasattr(position, "puzzle")):
        raise TypeError(f"position must be text or a Position, got {type(position).__name__}")
    if position is None and (text := as_text(puzzle)) is not None:
        return checked, logic.LogicSolver().read_position(checked, text)
    return checked, position


def _order(puzzle: Puzzle, order: "StepOrder | str | Path | None") -> "StepOrder | None":
    if order is None or isinstance(order, logic.Order):
        return order
    if puzzle.kind != "sudoku":
        raise ValueError(f"order is for Sudoku, got {order!r} for a {puzzle.kind}")
    if not isinstance(order, str | Path):
        raise TypeError(f"order must be text, a path or an Order, got {type(order).__name__}")
    return logic.read_order(order)


def _ladder(
    puzzle: Puzzle,
    only: Sequence[str] | None,
    without: Sequence[str],
    order: "StepOrder | None" = None,
) -> "Ladder":
    whole = logic.standard_ladder(puzzle.kind) if order is None else order.ladder
    return logic.select_techniques(whole, only=only, without=without)


_AT_ONCE = 200
"""Puzzles that are rated together."""
_MOST_MADE = 1_000
"""New puzzles that need a technique after which a search gives up: minutes."""


class Lesson(NamedTuple):
    """A puzzle that needs a technique once, with nothing harder.

    Attributes
    ----------
    puzzle : Puzzle
    step : WalkthroughStep
        The step of the technique. Its `position` is where a worksheet begins.
    walk : Walkthrough
        From the givens to the solution.
    """

    puzzle: Puzzle
    step: "WalkthroughStep"
    walk: "Walkthrough"


def lessons(
    technique: str,
    puzzles: Iterable[PuzzleLike] | None = None,
    *,
    count: int = 6,
    seed: int | None = 0,
    order: "StepOrder | str | None" = None,
    style: Style = "nando",
    language: Language = "en",
    advance: Callable[[int], object] = lambda _: None,
) -> list[Lesson]:
    """Find puzzles that need a technique once, early, and nothing harder, or make Sudokus.

    Early means that at most half of the blanks are filled before the step.

    Parameters
    ----------
    technique : str
        Name of the technique in any program, for example "x-wing".
    puzzles : iterable of puzzles or None
        A bank, of which the first puzzles that fit are returned. None makes new Sudokus.
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
    from nando.solvers.kinds import kinds_with

    whole("count", count, 1)
    kinds = ("sudoku",) if puzzles is None else kinds_with("logic")
    families = _families(technique, kinds)
    if puzzles is None:
        source, at_once = _make(technique, order, seed_of(seed)), 1
    else:
        source, at_once = map(as_puzzle, puzzles), _AT_ONCE
    exercises: list[Lesson] = []
    n_read = 0
    while batch := [*islice(source, at_once)]:
        n_read += len(batch)
        for puzzle in _promising(batch, families):
            walk = explain(puzzle, whole=True, order=order, style=style, language=language)
            step = _only(walk, families[puzzle.kind])
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


def _families(technique: str, kinds: Sequence[str]) -> dict[str, list[str]]:
    """Return the families that a name stands for, by the kinds of puzzle that have them."""
    from nando.solvers.logic.orders.order import families_of

    families: dict[str, list[str]] = {}
    for kind in kinds:
        with suppress(ValueError):
            families[kind] = families_of(technique, kind=kind)
    return families or {kinds[0]: families_of(technique)}  # the second raises the error


def _make(technique: str, order: "StepOrder | str | None", seed: int) -> Iterator[Puzzle]:
    """Yield new Sudokus that need a technique, until none is found."""
    from nando.api.generate import make_records

    tried = logic.read_order(order) if isinstance(order, str) else order
    names = tried and [rung.name for rung in tried.ladder if rung not in tried.lacking]
    text = names and "".join(f"{name}\n" for name in names)
    with suppress(generators.OutOfReachError):
        records = make_records(_MOST_MADE, None, seed=seed, needs=technique, order=text)
        yield from (record.puzzle for record in records)


def _promising(puzzles: list[Puzzle], families: Mapping[str, list[str]]) -> Iterator[Puzzle]:
    """Yield the puzzles whose hardest technique may be one of the families of their kind."""
    from nando.solvers.logic.orders.order import rungs_of, sources_of

    solver = solvers.LogicSolver()
    fits: dict[int, bool] = {}
    for kind, names in families.items():
        numbers = [i for i, puzzle in enumerate(puzzles) if puzzle.kind == kind]
        if not numbers:
            continue
        known = set(names)
        if kind == "sudoku":
            known |= {t.name for name in names for t in (*rungs_of(name), *sources_of(name))}
        ladder = solver.rungs_for(puzzles[numbers[0]])
        allowed = np.array([rung.name in known for rung in ladder])
        ratings = solver.rate_many(puzzles[i] for i in numbers)
        for i, solved, uses in zip(numbers, ratings.solved, ratings.uses, strict=True):
            used = np.flatnonzero(uses)
            fits[i] = bool(solved and len(used) and allowed[used[-1]])
    return (puzzle for i, puzzle in enumerate(puzzles) if fits.get(i))


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
