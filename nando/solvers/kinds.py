"""How solvers run on each kind of puzzle: one table, with a record for each kind."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from nando.on_demand import OnDemand, place
from nando.puzzles import Puzzle
from nando.solvers.protocol import unsupported


class Search(Protocol):
    """An exact search that can be resumed."""

    progress: NDArray[np.int64]
    """Depth (-1 at the end), solutions found, guesses."""
    solutions: NDArray[np.int8]
    """The first two solutions, shape (2 or more, n_cells)."""

    @property
    def patience(self) -> int:
        """Guesses, a few seconds' worth, after which a search without a limit gives up."""
        ...

    def advance(self, limit: int, most_guesses: int) -> None:
        """Continue until `limit` solutions, `most_guesses` guesses in all, or the end."""
        ...


@dataclass(frozen=True)
class LogicKind(OnDemand):
    """The logic solver of a kind of puzzle.

    Attributes
    ----------
    ladder : tuple of Technique
        The standard ladder.
    scale : Scale
        The scale of its ratings.
    start : callable
        Takes a puzzle and returns the position before the first step.
    walker : callable
        Takes a ladder and the most effort to spend on a puzzle, and returns a
        :class:`nando.solvers.logic.technique.Walker`.
    explain, record : callable
        Take a step, the position before it, and the words of a language. They return the step as
        an :class:`nando.solvers.logic.language.Explanation`, and as a dict of plain values.
    takes_thought : callable
        Takes a step; returns True if the step starts a new paragraph.
    read : callable or None
        Takes a text, the puzzle or None, and the class of the puzzle; returns the position in the
        text, or None if the text has none.
    mistakes : callable or None
        Takes a position and the solution; returns a list of the faults of the position.
    every : callable or None
        Takes a position, a ladder, and an array with the most effort to spend, which it counts
        down; yields every step that the position allows. If it is None, only the first step of
        each technique is listed.
    needed : callable or None
        Takes the steps of a solution with the positions before them; returns those that are needed,
        as they follow without the others. None for a kind in which every step decides a cell.
    texts : tuple of str
        Tables of `nando.languages` with its sentences, besides those of all kinds.
    together : callable or None
        Takes alike steps, each with the position before it, and the words of a language; returns
        why they follow, in one sentence.
    names : callable or None
        Takes a step, the position before it, and a style; returns the family of the step, and its
        name in the style, empty if the style has none.
    """

    ladder: Any
    scale: Any
    start: Callable[[Any], Any]
    walker: Callable[[Any, int], Any]
    explain: Callable[[Any, Any, Any], Any]
    record: Callable[[Any, Any, Any], dict[str, Any]]
    takes_thought: Callable[[Any], bool]
    read: Callable[[str, Any, Any], Any] | None = None
    mistakes: Callable[[Any, Any], Any] | None = None
    every: Callable[[Any, Any, Any], Any] | None = None
    needed: Callable[[Any], Any] | None = None
    texts: tuple[str, ...] = ()
    together: Callable[[Any, Any], str] | None = None
    names: Callable[[Any, Any, str], tuple[str, str]] | None = None


@dataclass(frozen=True)
class SolverKind(OnDemand):
    """How solvers run on a kind of puzzle. A solver whose field is None does not run on it.

    Attributes
    ----------
    exact : callable
        Takes a puzzle; returns a :class:`Search`.
    logic : LogicKind or None
        The logic solver.
    refute : callable or None
        Takes a puzzle, its solution, settings, a number of runs and a generator; returns
        :class:`nando.solvers.people.refutation.Refutations`. Each run fills what can be seen at a
        glance and, at an impasse, makes the cheapest refutation. The settings say whether an
        assumption counts as a step, and how an impasse without a refutation is scored.
    choices : module or None
        Replays and draws games as chains of choices among open cells; see
        :class:`nando.solvers.people.fills.choices.Choices`.
    board : callable or None
        Takes a puzzle, how a move is picked, and a generator; returns a
        :class:`nando.solvers.search.annealing.Board`.
    harmonies : callable or None
        Takes a puzzle; returns the :class:`nando.solvers.search.harmony.Objective` on which the
        costs of harmonies are counted.
    brute_force : callable or None
        Takes a puzzle, a limit and a generator; searches for the first solution as the thesis
        does, and returns the run.
    relax : callable or None
        Takes a puzzle, the solver, a number of runs, a generator and a limit; returns
        :class:`nando.solvers.constraints.relaxation.Samples`.
    quick : callable or None
        Takes a puzzle; returns the fastest :class:`Search`, whose guesses differ from those of
        `exact`. None if `exact` is the fastest.
    """

    exact: Callable[[Any], Search]
    logic: LogicKind | None = None
    refute: Callable[..., Any] | None = None
    choices: Any = None
    board: Callable[..., Any] | None = None
    harmonies: Callable[..., Any] | None = None
    brute_force: Callable[..., Any] | None = None
    relax: Callable[..., Any] | None = None
    quick: Callable[[Any], Search] | None = None


_HOUSES: dict[str, Any] = {
    "start": place("nando.solvers.logic.marks:PencilMarks.of"),
    "walker": place("nando.solvers.logic.orders.ordered:walker"),
    "every": place("nando.solvers.logic.orders.ordered:every"),
    "needed": place("nando.solvers.logic.shortening:needed_steps"),
    "explain": place("nando.solvers.logic.wording.sentences:explain"),
    "together": place("nando.solvers.logic.wording.sentences:explain_together"),
    "record": place("nando.solvers.logic.wording.record:record"),
    "takes_thought": lambda step: step.placement is None,
    "read": place("nando.solvers.logic.marks:PencilMarks.read"),
    "mistakes": place("nando.solvers.logic.marks:mistakes"),
    "names": place("nando.solvers.logic.wording.record:names"),
}
"""What the logic of Sudoku and of variants has in common."""

KINDS = {
    "sudoku": SolverKind(
        exact=place("nando.solvers.exact.houses:sudoku_search"),
        logic=LogicKind(
            ladder=place("nando.solvers.logic.house_walk:SUKAKU_EXPLAINER"),
            scale=place("nando.solvers.logic.house_walk:SUDOKU_SCALE"),
            texts=("sudoku",),
            **_HOUSES,
        ),
        refute=place("nando.solvers.people.refutation:refute"),
        choices=place("nando.solvers.people.fills.houses:SUDOKU"),
        board=place("nando.solvers.search.annealing:filled_board"),
        harmonies=place("nando.solvers.search.harmony:sudoku_objective"),
        brute_force=place("nando.solvers.constraints.brute_force:suggest_values"),
        relax=place("nando.solvers.constraints.relaxation:relax_edges"),
    ),
    "nurikabe": SolverKind(
        exact=place("nando.solvers.exact.nurikabe.search:NurikabeSearch"),
        logic=LogicKind(
            ladder=place("nando.solvers.logic.nurikabe.shading:NURIKABE_LADDER"),
            scale=place("nando.solvers.logic.nurikabe.shading:NURIKABE_SCALE"),
            start=place("nando.solvers.logic.nurikabe.shading:Shading.of"),
            walker=place("nando.solvers.logic.nurikabe.board_walk:NurikabeWalker"),
            explain=place("nando.solvers.logic.wording.nurikabe:explain"),
            record=place("nando.solvers.logic.wording.nurikabe:record"),
            takes_thought=place("nando.solvers.logic.nurikabe.shading:is_what_if"),
            read=place("nando.solvers.logic.nurikabe.shading:Shading.read"),
            mistakes=place("nando.solvers.logic.nurikabe.shading:mistakes"),
            every=place("nando.solvers.logic.nurikabe.board_walk:every_step"),
            texts=("nurikabe",),
        ),
        refute=place("nando.solvers.people.refutation:refute_colours"),
        choices=place("nando.solvers.people.fills.nurikabe"),
        board=place("nando.solvers.search.annealing:coloured_board"),
        harmonies=place("nando.solvers.search.harmony:nurikabe_objective"),
        brute_force=place("nando.solvers.constraints.brute_force:place_islands"),
        relax=place("nando.solvers.constraints.relaxation:relax_numbers"),
    ),
    "variant": SolverKind(
        exact=place("nando.solvers.exact.variant_learning:exact_search"),
        quick=place("nando.solvers.exact.variant_learning:quick_search"),
        logic=LogicKind(
            ladder=place("nando.solvers.logic.variants.rule_ladder:VARIANT_LADDER"),
            scale=place("nando.solvers.logic.variants.rule_ladder:VARIANT_SCALE"),
            texts=("sudoku", "variants"),
            **_HOUSES,
        ),
        choices=place("nando.solvers.people.fills.houses:VARIANT"),
    ),
}
"""The record of each kind of puzzle, by its name."""


def kinds_with(part: str) -> tuple[str, ...]:
    """Return the kinds of puzzle that have a part, for example ``"logic"``."""
    return tuple(name for name, kind in KINDS.items() if getattr(kind, part) is not None)


def part_for(solver: object, puzzle: Puzzle, part: str) -> Any:
    """Return the part of a puzzle's kind that a solver needs, for example ``"board"``.

    Raises
    ------
    UnsupportedError
        If the kind has no such part.
    """
    needed = getattr(KINDS.get(puzzle.kind), part, None)
    if needed is None:
        raise unsupported(solver, puzzle)
    return needed


def logic_of(kind: str) -> LogicKind:
    """Return the logic solver of a kind of puzzle.

    Raises
    ------
    ValueError
        For a kind without a ladder.
    """
    known = kinds_with("logic")
    if kind not in known:
        raise ValueError(
            f"no ladder of techniques for {kind!r}; there is one for {', '.join(known)}"
        )
    logic = KINDS[kind].logic
    assert logic is not None
    return logic
