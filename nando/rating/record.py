"""The record of a rating model, which is its file: one for every kind of puzzle and every crowd."""

from dataclasses import dataclass, field
from typing import Annotated

from nando.rating.kinds import kind_of
from nando.rating.levels import GenreLevels
from nando.rating.pace import Pace
from nando.rating.parts import Compound
from nando.rating.reach import Reach
from nando.rating.scale import CommonScale, Line, Missed, Scale
from nando.records import Settings, between, proper_share

FORMAT = "nando model 5"
"""Name and version of the format."""


@dataclass(frozen=True)
class ColumnSettings(Settings):
    """How puzzles become columns.

    Attributes
    ----------
    groups : tuple of str
        Names of the feature groups.
    random_state : int
        Seed of the runs.
    runs : int or None
        Runs of each solver; absent for each feature's own number.
    """

    groups: tuple[str, ...]
    random_state: Annotated[int, between(0)]
    runs: int | None = None


@dataclass(frozen=True)
class FitSettings(Settings):
    """Settings of a fit.

    Attributes
    ----------
    n_splits : int
        Folds of the cross-validation behind the intervals.
    coverage : float
        Share of times inside the interval.
    """

    n_splits: Annotated[int, between(2)]
    coverage: Annotated[float, proper_share]


@dataclass(frozen=True)
class ModelRecord(Settings):
    """Everything that moves a rating.

    Attributes
    ----------
    kind : str
        Kind of puzzle: sudoku, nurikabe or variant.
    parts : dict of str to dict
        The parts of a time, each with the weights of its columns. Numbers for each part are in
        this order.
    scale : Scale
        The common scale and its crowds; for kinds that no crowd was timed on, a line.
    reach : Reach
        The range of the puzzles behind the model.
    features : ColumnSettings
        How puzzles become columns.
    settings : FitSettings
        Settings of the fit.
    missed : dict of str to Missed
        The errors of predictions for each crowd; the empty name is an unknown crowd.
    timed : int or None
        Number of times to which a line without crowds was fitted, 0 if nobody was timed.
    sudoku : Line or None
        The typical crowd's line for Sudoku, by which a variant without rules has a Sudoku's grade.
    levels : dict of str to GenreLevels
        The levels of each genre of variants of which enough puzzles are known.
    crowd : str or None
        The crowd whose times are predicted; absent for the typical crowd.
    pace : Pace or None
        The pace of the person whose times are predicted, if any. It holds no game.
    compound : Compound or None
        The parts, if any, whose looks are a product, and its powers.
    """

    kind: str
    parts: dict[str, dict[str, float]]
    scale: Scale
    reach: Reach
    features: ColumnSettings
    settings: FitSettings
    missed: dict[str, Missed] = field(default_factory=dict)
    timed: int | None = None
    sudoku: Line | None = None
    levels: dict[str, GenreLevels] = field(default_factory=dict)
    crowd: str | None = None
    pace: Pace | None = None
    compound: Compound | None = None

    def common_scale(self, model_id: str = "") -> CommonScale:
        """Return the scale with everything that ratings on it need."""
        return CommonScale(
            *(self.scale, self.missed, self.reach, model_id, self.timed, self.sudoku, self.levels)
        )

    def check(self) -> None:
        """Check that the numbers are of the parts of the kind, and of the crowd."""
        kind, n = kind_of(self.kind), len(self.parts)
        if self.parts != kind.effort.weights or self.compound != kind.effort.compound:
            raise ValueError("its parts are not those of this version of nando")
        of_parts = {"weights": self.scale.weights, "most": self.reach.most}
        for name, crowd in self.scale.crowds.items():
            of_parts[f"deviations of {name}"] = crowd.deviations
        for name, numbers in of_parts.items():
            if len(numbers) != n:
                raise ValueError(f"{name} must be {n} numbers, one for each part")
        if kind.has_crowds and (self.crowd or "") not in self.missed:
            raise ValueError(f"it has no errors for the crowd {self.crowd!r}")
        if self.crowd is not None and self.crowd not in self.scale.crowds:
            raise ValueError(f"it has no crowd {self.crowd!r}")
        if not kind.has_crowds and (self.sudoku is None or self.timed is None):
            raise ValueError("it has no line of Sudoku, or no number of times")
