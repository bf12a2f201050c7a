"""A puzzle to be played, with what is known of it beforehand."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nando.generators import Record
from nando.play.kinds import find_kind
from nando.play.steps import steps_of
from nando.solvers.logic import walk_through


@dataclass(frozen=True)
class PlayedPuzzle:
    """A puzzle to be played.

    Parameters
    ----------
    record : Record
        With its solution; without a prediction nothing is told of the difficulty.
    likely : ndarray of float64, shape (n_cells,), or None
        When people are expected to fill each cell, such as the mean ranks of
        :meth:`nando.games.Population.expected_order`; 0 for givens. The page can show the cells
        that come first among those still open.
    hints : bool
        Whether hints and the whole walk are worked out.
    """

    record: Record
    likely: NDArray[np.float64] | None = field(default=None, compare=False)
    hints: bool = True

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for the page.

        Raises
        ------
        ValueError
            For a kind that cannot be played, and a solution that is none.
        """
        record, puzzle = self.record, self.record.puzzle
        kind = find_kind(puzzle.kind)
        if not record.solved:
            raise ValueError(f"the solution of {puzzle.text} is none: leave it out of the record")
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
            "unit": record.unit,
            "model": record.model_id,
            "grade": record.grade,
            "likely": likely,
            "steps": steps_of(walk_through(puzzle)) if self.hints else [],
        }
