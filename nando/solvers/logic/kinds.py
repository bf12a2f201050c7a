"""The logic solver of each kind of puzzle. A new kind is a folder here and one entry."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.on_demand import OnDemand
from nando.puzzles import Nurikabe, Sudoku, Values
from nando.puzzles.protocol import Fault
from nando.solvers.logic.explanation import Explanation
from nando.solvers.logic.language import Words, words_of
from nando.solvers.logic.technique import Ladder, Scale
from nando.solvers.logic.walk import Position, Step, Walker


def _own_name(step: Step, before: Any, style: str) -> tuple[str, str]:
    """The technique: no other program has a name for it."""
    del before, style
    return step.technique.name, ""


def _no_position(text: str, puzzle: Any) -> None:
    """None: no text of a position is known."""
    del text, puzzle


def _no_mistakes(position: Any, solution: Values) -> list[Fault]:
    """None: positions are not checked."""
    del position, solution
    return []


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
        Take a step, the position before it, and the words of a language: the step in words, and as
        plain values.
    takes_thought : callable
        Takes a step: whether it takes thought.
    read : callable
        Takes a text, and the puzzle or None; the position in it, None where it has none.
    mistakes : callable
        Takes a position and the solution; what is wrong in the position.
    every : callable or None
        Takes a position, a ladder and an array with the most effort to spend, which it counts down;
        every step there is. None takes the first step of each technique.
    replay : callable or None
        Takes a step, the position before it, and another position; the step as it stands there, or
        None where it does not follow. None for a kind of which every step decides a cell.
    words : callable
        Takes a language; its words.
    names : callable
        Takes a step, the position before it, and a style; its family, and its name in the style,
        empty for its own.
    """

    ladder: Ladder
    scale: Scale
    start: Callable[[Any], Position]
    walker: Callable[[Ladder, int], Walker]
    explain: Callable[[Any, Any, Words], Explanation]
    record: Callable[[Any, Any, Words], dict[str, Any]]
    takes_thought: Callable[[Any], bool]
    read: Callable[[str, Any], Position | None] = _no_position
    mistakes: Callable[[Any, Values], list[Fault]] = _no_mistakes
    every: Callable[[Any, Ladder, NDArray[np.int64]], Iterator[Step]] | None = None
    replay: Callable[[Any, Any, Any], Step | None] | None = None
    words: Callable[[str], Words] = words_of
    names: Callable[[Any, Any, str], tuple[str, str]] = _own_name


def _sudoku() -> LogicKind:
    from nando.solvers.logic.sudoku.every.steps import every_step
    from nando.solvers.logic.sudoku.marks import PencilMarks
    from nando.solvers.logic.sudoku.mistakes import mistakes
    from nando.solvers.logic.sudoku.replay import replayed
    from nando.solvers.logic.sudoku.techniques import SUDOKU_SCALE, SUKAKU_EXPLAINER
    from nando.solvers.logic.sudoku.walk import SudokuWalker
    from nando.solvers.logic.sudoku.words.names import sudoku_words
    from nando.solvers.logic.sudoku.words.record import names, record
    from nando.solvers.logic.sudoku.words.sentences import explain

    return LogicKind(
        ladder=SUKAKU_EXPLAINER,
        scale=SUDOKU_SCALE,
        start=PencilMarks.of,
        walker=SudokuWalker,
        explain=explain,
        record=record,
        takes_thought=lambda step: step.placement is None,
        read=PencilMarks.read,
        mistakes=mistakes,
        every=every_step,
        replay=replayed,
        words=sudoku_words,
        names=names,
    )


def _nurikabe() -> LogicKind:
    from nando.solvers.logic.nurikabe.every import every_step
    from nando.solvers.logic.nurikabe.mistakes import mistakes
    from nando.solvers.logic.nurikabe.pattern import is_what_if
    from nando.solvers.logic.nurikabe.shading import Shading
    from nando.solvers.logic.nurikabe.techniques import NURIKABE_LADDER, NURIKABE_SCALE
    from nando.solvers.logic.nurikabe.walk import NurikabeWalker
    from nando.solvers.logic.nurikabe.words.names import nurikabe_words
    from nando.solvers.logic.nurikabe.words.record import record
    from nando.solvers.logic.nurikabe.words.sentences import explain

    return LogicKind(
        ladder=NURIKABE_LADDER,
        scale=NURIKABE_SCALE,
        start=Shading.of,
        walker=NurikabeWalker,
        explain=explain,
        record=record,
        takes_thought=is_what_if,
        read=Shading.read,
        mistakes=mistakes,
        every=every_step,
        words=nurikabe_words,
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
