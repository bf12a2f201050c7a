"""Solving puzzles as a person does, and listing the possible steps."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from nando.api.solving import checked_puzzle
from nando.checks import whole
from nando.names import Kind, Language, Style
from nando.puzzles import Puzzle, PuzzleError, PuzzleLike
from nando.puzzles.inputs import as_text

if TYPE_CHECKING:
    from nando.solvers.logic import Ladder, Listing, Position, Walkthrough
    from nando.solvers.logic import Order as StepOrder


def explain(
    puzzle: PuzzleLike,
    *,
    kind: Kind | None = None,
    position: "Position | str | None" = None,
    only: Sequence[str] | None = None,
    without: Sequence[str] = (),
    shortest: bool = False,
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
    shortest : bool
        If True, leave out steps that the next fill does not need.
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
    from nando.solvers.logic import shortest as shortened
    from nando.solvers.logic import walk_through

    checked, start = _standing(puzzle, kind, position)
    tried = _order(checked, order)
    ladder = _ladder(checked, only, without, tried)
    walk = walk_through(checked, ladder, start, style=style, language=language, order=tried)
    return shortened(walk) if shortest else walk


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
    from nando.solvers import LogicSolver
    from nando.solvers.logic import Walkthrough, WalkthroughStep, scale_of

    whole("degree", degree, 1, 3)
    checked, start = _standing(puzzle, kind, position)
    ladder = _ladder(checked, only, without, _order(checked, order))
    solver = LogicSolver(ladder)
    before = solver.start(checked) if start is None else start
    step = next(iter(solver.steps(checked, before)), None)
    if step is not None:
        return WalkthroughStep(1, step, before, style, language).sentence(degree)
    walk = Walkthrough(checked, (), before, ladder, scale_of(checked.kind), language=language)
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
    from nando.solvers import LogicSolver

    checked = checked_puzzle(puzzle, kind)
    try:
        LogicSolver().read_position(checked, position, apart=True)
    except PuzzleError as error:
        return [fault.message for fault in error.status.faults]
    return []


def _standing(
    puzzle: PuzzleLike, kind: str | None, position: "Position | str | None"
) -> "tuple[Puzzle, Position | None]":
    """Return the puzzle and the position to begin with, if there is one."""
    from nando.solvers.logic import LogicSolver

    checked = checked_puzzle(puzzle, kind)
    if (line := as_text(position)) is not None:
        return checked, LogicSolver().read_position(checked, line, apart=True)
    if isinstance(position, str) or not (position is None or hasattr(position, "puzzle")):
        raise TypeError(f"position must be text or a Position, got {type(position).__name__}")
    if position is None and (text := as_text(puzzle)) is not None:
        return checked, LogicSolver().read_position(checked, text)
    return checked, position


def _order(puzzle: Puzzle, order: "StepOrder | str | Path | None") -> "StepOrder | None":
    from nando.solvers.logic import Order, read_order

    if order is None or isinstance(order, Order):
        return order
    if puzzle.kind != "sudoku":
        raise ValueError(f"order is for Sudoku, got {order!r} for a {puzzle.kind}")
    if not isinstance(order, str | Path):
        raise TypeError(f"order must be text, a path or an Order, got {type(order).__name__}")
    return read_order(order)


def _ladder(
    puzzle: Puzzle,
    only: Sequence[str] | None,
    without: Sequence[str],
    order: "StepOrder | None" = None,
) -> "Ladder":
    from nando.solvers.logic import select_techniques, standard_ladder

    whole = standard_ladder(puzzle.kind) if order is None else order.ladder
    return select_techniques(whole, only=only, without=without)
