"""Records of new puzzles, from which files and books are written."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from nando.displayed import Displayed
from nando.puzzles import Puzzle, PuzzleError, find_puzzle


@dataclass(frozen=True)
class Record(Displayed):
    """A puzzle with its origin and difficulty.

    Attributes
    ----------
    puzzle : Puzzle
    solution : str
        Its only solution as a line, in the form of its kind (``puzzle.solution_text``).
    predicted, low, high : float or None
        Predicted seconds of a person, with their interval; None if no model rated it.
    grade : str
        Name of its grade; empty if no model rated it.
    percentile : float or None
        Share of the model's training puzzles that are faster, 0 to 100.
    seed, index : int
        Seed of the batch, and number of the puzzle within it; together they reproduce it.
    model_id : str
        The model that rated it; empty for none.
    symmetry : str
        Requested symmetry of the givens.
    runs : int or None
        Runs of each solver behind the prediction; None for each feature's own number.
    first_cell : int or None
        Cell that people are predicted to fill first, row by row from 0: the hint in a book.
    features : dict of str to float
        The model's columns.
    """

    puzzle: Puzzle
    solution: str
    predicted: float | None = None
    low: float | None = None
    high: float | None = None
    grade: str = ""
    percentile: float | None = None
    seed: int = 0
    index: int = 0
    model_id: str = ""
    symmetry: str = "none"
    runs: int | None = None
    first_cell: int | None = None
    features: dict[str, float] = field(default_factory=dict)

    @property
    def givens(self) -> int:
        """Number of given cells."""
        return int((self.puzzle.givens > 0).sum())

    @property
    def amount(self) -> int:
        """Whole minutes, at least one."""
        return max(1, math.floor((self.predicted or 0.0) / 60 + 0.5))

    @property
    def solved(self) -> bool:
        """True if the solution solves the puzzle."""
        try:
            return self.puzzle.is_solution(self.puzzle.solution_values(self.solution))
        except PuzzleError:
            return False

    def to_dict(self) -> dict[str, str | int | float | None]:
        """Return plain values by column, as ``nando generate`` writes them; the features last.

        ``json.dumps`` takes them as they are, and the JSON schema ``generate`` describes each
        (:func:`nando.schemas.load_schema`).

        The number of givens is a column of the record and not repeated as a feature.
        """
        own = {"puzzle": self.puzzle.text, "kind": self.puzzle.kind}
        row = {
            name: own[name] if name in own else getattr(self, name.removesuffix("_seconds"))
            for name in _COLUMNS
        }
        return row | {name: value for name, value in self.features.items() if name not in row}

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> Self:
        """Rebuild from :meth:`to_dict`, also after the row was written to a file and read back.

        Values may be text; unknown values may be absent, None, empty or NaN. Unknown columns
        without numbers are skipped, so the output of ``nando rate`` can be read too; its puzzles
        are solved here.

        Raises
        ------
        PuzzleError
            If the text is not a puzzle, or the puzzle has no solution or several and none is given.
        ValueError
            If there is no puzzle, its kind is unknown, or a value is not a number.
        """
        row = {name: value for name, value in row.items() if not _unknown(value)}
        if "puzzle" not in row:
            raise ValueError(f"a record needs the column 'puzzle', got {', '.join(row) or 'none'}")
        puzzle = find_puzzle(row.get("kind", "sudoku")).parse(row["puzzle"])
        known = {
            name.removesuffix("_seconds"): _read(name, kind, row[name])
            for name, kind in _COLUMNS.items()
            if name in row and name not in _OUTSIDE
        }
        if "solution" not in known:
            # Solvers import the compiler: load them only for a row that needs one.
            from nando.solvers import unique_solution

            known["solution"] = puzzle.solution_text(unique_solution(puzzle))
        features = {
            name: number
            for name, value in row.items()
            if name not in _COLUMNS
            and name not in _OUTSIDE
            and (number := _number(value)) is not None
        }
        return cls(puzzle=puzzle, features=features, **known)


_COLUMNS: dict[str, type] = {
    **{"puzzle": str, "solution": str, "predicted_seconds": float, "grade": str, "givens": int},
    **{"seed": int, "model_id": str, "index": int, "low_seconds": float, "high_seconds": float},
    **{"percentile": float, "symmetry": str, "runs": int, "first_cell": int, "kind": str},
}
"""Columns of a record and their types, in the order of files."""
_OUTSIDE = frozenset({"puzzle", "givens", "kind", "line"})


def _unknown(value: Any) -> bool:
    return value is None or value == "" or (isinstance(value, float) and math.isnan(value))


def _read(name: str, kind: type, value: Any) -> Any:
    try:
        # A column of integers with gaps comes back from a data frame as 3.0.
        if kind is int and not isinstance(value, int):
            return int(value) if str(value).lstrip("-").isdigit() else _whole(float(value))
        return kind(value)
    except ValueError:
        expected = "a whole number" if kind is int else "a number"
        raise ValueError(f"{name} must be {expected}, got {value!r}") from None


def _whole(value: float) -> int:
    if not value.is_integer():
        raise ValueError
    return int(value)


def _number(value: Any) -> float | None:
    try:
        return float(value)
    except (TypeError, ValueError):
        return None
