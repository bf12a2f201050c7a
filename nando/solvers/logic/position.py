"""What is told of a walk, whatever the kind of puzzle: positions, the steps between, the scale."""

from typing import Any, NamedTuple, Protocol

from nando.puzzles import Puzzle
from nando.solvers.logic.techniques import Technique


class Position(Protocol):
    """What a person has on paper before a step: frozen, each step makes a new one."""

    @property
    def puzzle(self) -> Puzzle:
        """The puzzle it is of."""
        ...

    @property
    def n_blanks(self) -> int:
        """Number of cells not decided yet."""
        ...

    def after(self, step: Any) -> "Position":
        """The position when a step of the same kind of puzzle is done."""
        ...


class Step(Protocol):
    """One step of a walk: a technique, what was seen, and what follows.

    What is said of it depends on the position before it, which is therefore an argument.
    """

    @property
    def technique(self) -> Technique:
        """The rung of the ladder."""
        ...

    @property
    def rating(self) -> float:
        """Its difficulty, on the scale of the ladder."""
        ...

    @property
    def is_harvest(self) -> bool:
        """Whether it follows at once from what is there; what does not opens a new paragraph."""
        ...

    def describe(self, before: Any) -> str:
        """The step in a sentence, with its reason."""
        ...

    def hint(self, before: Any, degree: int) -> str:
        """A part of it: where to look (1), what to see there (2), or all of it (3)."""
        ...

    def record(self, before: Any) -> dict[str, Any]:
        """The step as plain values for programs."""
        ...


class Scale(NamedTuple):
    """What the ratings of a ladder mean.

    Attributes
    ----------
    name : str
        Of the rating of a puzzle, that of its hardest step.
    source : str
        Whose scale it is.
    trials : str
        What the hardest techniques of every such ladder are ...
    trials_from : float
        ... and the rating from which they begin.
    """

    name: str
    source: str
    trials: str
    trials_from: float

    @property
    def column(self) -> str:
        """Name of the rating in a table."""
        return self.name.lower().replace(" ", "_")

    def beyond(self, top: Technique) -> str:
        """What a puzzle needs that a ladder up to this technique does not solve."""
        if top.rating < self.trials_from:
            return f"it needs {self.trials}, which this ladder does not have"
        return f"it needs longer or other {self.trials} than this ladder has"


SCALES = {
    "sudoku": Scale("SE rating", "the scale of Sukaku Explainer", "chains", 6.5),
    "nurikabe": Scale("ladder rating", "nando's ladder for Nurikabe", "what-ifs", 5.0),
}
"""Scales by the kind of puzzle."""


def scale_of(kind: str) -> Scale:
    """What the ratings of a kind's ladder mean.

    Raises
    ------
    ValueError
        For a kind without a ladder.
    """
    if kind not in SCALES:
        raise ValueError(
            f"no ladder of techniques for {kind!r}; there is one for {', '.join(SCALES)}"
        )
    return SCALES[kind]
