"""A puzzle to be played: its board, its rules as a script, and the steps of hints."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.drawing.boards import origin, position
from nando.drawing.plain import plain
from nando.drawing.shapes import Shape, move
from nando.generators import Record
from nando.play.variants import board_of
from nando.puzzles import Nurikabe, Sudoku, Variant
from nando.solvers.logic import Walkthrough, WalkthroughStep, shorten, walk_through
from nando.solvers.logic.language import PAGE_LANGUAGES
from nando.solvers.logic.technique import LogicStep


def _placements(step: LogicStep) -> list[tuple[int, int]]:
    return [] if step.placement is None else [step.placement]


def _eliminations(step: LogicStep) -> list[tuple[int, int]]:
    return list(step.eliminations)


class PlayKind(NamedTuple):
    """What the page needs to know about a kind of puzzle.

    Attributes
    ----------
    script : str
        Name of the module in ``web`` with the rules; it exports an object of the kind's name.
    board : callable
        Takes a puzzle; returns the other parts of its board, as plain values.
    decisions : callable
        Takes a step; returns the (cell, value) pairs that it decides.
    removals : callable
        Takes a step; returns the (cell, digit) pairs of the candidates that it removes, apart from
        those that a placement rules out.
    """

    script: str
    board: Callable[[Any], dict[str, Any]]
    decisions: Callable[[Any], list[tuple[int, int]]] = _placements
    removals: Callable[[Any], list[tuple[int, int]]] = _eliminations


KINDS: dict[str, PlayKind] = {
    Sudoku.kind: PlayKind("sudoku.mjs", board=lambda puzzle: {"box": puzzle.order}),
    Nurikabe.kind: PlayKind(
        "nurikabe.mjs",
        # -1 is an island of unknown size.
        board=lambda puzzle: {"numbers": puzzle.numbers.tolist()},
        decisions=lambda step: [(cell, step.colour) for cell in step.cells],
        removals=lambda _: [],
    ),
    Variant.kind: PlayKind("variants.mjs", board=board_of),
}
"""The kinds of puzzle that can be played, by name."""


def find_kind(kind: str) -> PlayKind:
    """Return what the page needs to know about a kind.

    Raises
    ------
    ValueError
        For a kind that cannot be played.
    """
    if kind not in KINDS:
        raise ValueError(f"no {kind!r} puzzles can be played; known: {', '.join(KINDS)}")
    return KINDS[kind]


DEGREES = (1, 2, 3)


def steps_of(walk: Walkthrough) -> list[dict[str, Any]]:
    """Return the steps of a walk as plain values."""
    kind = find_kind(walk.puzzle.kind)
    return [
        {
            "set": [list(pair) for pair in kind.decisions(taken.step)],
            "out": [list(pair) for pair in kind.removals(taken.step)],
            "say": _hints(taken),
            "shapes": _drawings(taken),
        }
        for taken in walk.steps
    ]


def _hints(taken: WalkthroughStep) -> dict[str, list[str]]:
    """Return the hints of each degree in each language, since players can change theirs."""
    tellers = {tag: replace(taken, language=tag) for tag in PAGE_LANGUAGES}
    return {tag: [teller.sentence(degree) for degree in DEGREES] for tag, teller in tellers.items()}


def _drawings(taken: WalkthroughStep) -> list[list[Any]]:
    """Return the shapes of degree 1, of both 2 and 3, of 2 alone and of 3 alone."""
    known = Counter(position(taken.position).shapes)
    first, second, third = (_add_hint(taken, degree, known) for degree in DEGREES)
    shared = Counter(second) & Counter(third)
    parts = (
        first,
        list(shared.elements()),
        list((Counter(second) - shared).elements()),
        list((Counter(third) - shared).elements()),
    )
    return [[plain(shape) for shape in part] for part in parts]


def _add_hint(taken: WalkthroughStep, degree: int, known: Counter[Shape]) -> list[Shape]:
    """Return what a hint adds to the position, in cells from the corner of the board."""
    left = known.copy()
    new = []
    for shape in position(taken.position, taken.step, degree).shapes:
        if left[shape]:
            left[shape] -= 1
        else:
            new.append(shape)
    x, y = origin(taken.position.puzzle)
    return list(move(new, -x, -y))


@dataclass(frozen=True)
class PlayedPuzzle:
    """A puzzle to be played.

    Parameters
    ----------
    record : Record
        The puzzle with its solution. Without a prediction, the page does not show a difficulty.
    likely : ndarray of float64, shape (n_cells,), or None
        When people are expected to fill each cell, for example the mean ranks of
        :meth:`nando.games.Population.expected_order`; 0 for givens. The page can show which of
        the open cells come first.
    hints : bool
        Whether the page has hints and the whole walk.
    """

    record: Record
    likely: NDArray[np.float64] | None = field(default=None, compare=False)
    hints: bool = True

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for the page.

        Raises
        ------
        ValueError
            For a kind that cannot be played, or a solution that is wrong.
        """
        record, puzzle = self.record, self.record.puzzle
        kind = find_kind(puzzle.kind)
        if not record.solved:
            raise ValueError(f"the solution of {puzzle.text} is wrong: leave it out of the record")
        rows, columns = puzzle.shape
        likely = None if self.likely is None else np.round(self.likely, 1).tolist()
        return {
            "kind": puzzle.kind,
            "text": puzzle.text,
            "rows": rows,
            "columns": columns,
            **kind.board(puzzle),
            "givens": puzzle.givens.tolist(),
            "solution": puzzle.solution_values(record.solution).tolist(),
            "predicted": record.predicted,
            "low": record.low,
            "high": record.high,
            "model": record.model_id,
            "grade": record.grade,
            "likely": likely,
            "steps": steps_of(shorten(walk_through(puzzle))) if self.hints else [],
        }
