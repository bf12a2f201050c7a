"""The logic solver of each kind of puzzle. A new kind is a folder here and one entry."""

from collections.abc import Callable
from typing import Any, NamedTuple

from nando.on_demand import OnDemand
from nando.puzzles import Nurikabe, Sudoku
from nando.solvers.logic.explanation import Explanation
from nando.solvers.logic.technique import Ladder, Scale
from nando.solvers.logic.walk import Position, Step, Walker


class LogicKind(NamedTuple):
    """The logic solver of a kind of puzzle.

    Attributes
    ----------
    ladder : tuple of Technique
        Its standard ladder.
    scale : Scale
        The scale of its ratings.
    start : callable
        Takes a puzzle; the position before the first step.
    walker : callable
        Takes a ladder and the most effort to spend on a puzzle; finds the steps of puzzles.
    explain, record : callable
        Take a step and the position before it: the step in words, and as plain values.
    takes_thought : callable
        Takes a step: whether it takes thought.
    """

    ladder: Ladder
    scale: Scale
    start: Callable[[Any], Position]
    walker: Callable[[Ladder, int], Walker]
    explain: Callable[[Any, Any], Explanation]
    record: Callable[[Any, Any], dict[str, Any]]
    takes_thought: Callable[[Any], bool]


def _sudoku() -> LogicKind:
    from nando.solvers.logic.sudoku.marks import PencilMarks
    from nando.solvers.logic.sudoku.techniques import SUDOKU_SCALE, SUKAKU_EXPLAINER
    from nando.solvers.logic.sudoku.walk import SudokuWalker
    from nando.solvers.logic.sudoku.words.record import record
    from nando.solvers.logic.sudoku.words.sentences import explain

    return LogicKind(
        ladder=SUKAKU_EXPLAINER,
        scale=SUDOKU_SCALE,
        start=PencilMarks.of,
        walker=SudokuWalker,
        explain=explain,
        record=record,
        takes_thought=lambda step: step.placement is None,
    )


def _nurikabe() -> LogicKind:
    from nando.solvers.logic.nurikabe import words
    from nando.solvers.logic.nurikabe.pattern import is_what_if
    from nando.solvers.logic.nurikabe.shading import Shading
    from nando.solvers.logic.nurikabe.techniques import NURIKABE_LADDER, NURIKABE_SCALE
    from nando.solvers.logic.nurikabe.walk import NurikabeWalker

    return LogicKind(
        ladder=NURIKABE_LADDER,
        scale=NURIKABE_SCALE,
        start=Shading.of,
        walker=NurikabeWalker,
        explain=words.explain,
        record=words.record,
        takes_thought=is_what_if,
    )


KINDS = OnDemand({Sudoku.kind: _sudoku, Nurikabe.kind: _nurikabe})
"""The kinds of puzzle that have a ladder, by name."""


def kind_of(step: Step) -> LogicKind:
    """The entry for the kind of puzzle of a step."""
    return KINDS[step.technique.kind]


def standard_ladder(kind: str) -> Ladder:
    """The standard techniques of a kind of puzzle, easiest first.

    Raises
    ------
    ValueError
        For a kind without a ladder.
    """
    return _with_ladder(kind).ladder


def scale_of(kind: str) -> Scale:
    """The scale of the ratings of a kind of puzzle.

    Raises
    ------
    ValueError
        For a kind without a ladder.
    """
    return _with_ladder(kind).scale


def _with_ladder(kind: str) -> LogicKind:
    if kind not in KINDS:
        raise ValueError(
            f"no ladder of techniques for {kind!r}; there is one for {', '.join(KINDS)}"
        )
    return KINDS[kind]
