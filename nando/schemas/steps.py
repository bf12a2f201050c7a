"""The steps of a puzzle in words, and what each is made of."""

from typing import Literal, NotRequired, TypedDict

from nando.schemas.rows import OWN_COLUMN, Amount, Cell, Count, Error, File, Line, Number, Puzzle
from nando.schemas.schema import describe

Entry = tuple[Cell, int]
"""A cell and a digit."""
Colour = Literal["white", "black"]


class Step(TypedDict):
    """A step of a puzzle."""

    number: Number
    """Number of the step, from 1."""
    technique: str
    """Name of the technique."""
    family: str
    """The pattern by the name that solvers know, or else the technique."""
    name: str
    """What the step is called in the chosen style."""
    rating: Amount
    """Rating of the step."""
    sentence: str
    """The step in words."""
    others: NotRequired[Number]
    """With --all: further steps of the same name with the same result."""


class SudokuStep(Step):
    """A step of a Sudoku."""

    houses: list[str]
    """Houses of the pattern, such as 'box 2' or 'falling diagonal'."""
    cells: list[Cell]
    """Cells of the pattern."""
    digits: list[int]
    """Digits of the pattern."""
    placement: Entry | None
    """What is filled; null for a step that only removes candidates."""
    eliminations: list[Entry]
    """The candidates that go."""
    links: list[tuple[Cell, int, bool, Cell, int, bool]]
    """The links of a chain: a candidate, whether it is true, and the same of what follows."""
    reasons: list[str]
    """Of a chain: each assumption, and after it what follows and why, in sentences."""


class VariantStep(SudokuStep):
    """A step of a variant of Sudoku."""

    rules: list[str]
    """The rules that the step applies, as they are written."""
    branches: list[list[tuple[Cell, int, bool]]]
    """Of an assumption: for each possibility a candidate, whether it is true, and the same of what
    follows."""
    contradiction: str
    """What an assumption leads to, in words; empty for other steps."""


class NurikabeStep(Step):
    """A step of a Nurikabe."""

    cells: list[Cell]
    """Cells that are coloured."""
    colour: Colour
    """What the cells become."""
    reason: list[Cell]
    """The cells that it follows from."""
    supposed: list[tuple[Cell, Colour]]
    """What a what-if supposes first, and what follows."""
    contradiction: str
    """What is wrong with what was supposed; empty for no what-if."""


_RATINGS = ("se_rating", "ladder_rating", "variant_rating")
_WALK = {
    "title": "A walk",
    "required": ["solved", "left_out"],
    "not": {"required": ["blanks"]},
    "oneOf": [{"required": [name]} for name in _RATINGS],
}
_LISTING = {
    "title": "Every step that there is (--all)",
    "required": ["blanks"],
    "properties": dict.fromkeys(("solved", "left_out", *_RATINGS), False),
}


@describe("explain", additionalProperties=OWN_COLUMN, oneOf=[_WALK, _LISTING])
class Explained(TypedDict):
    """The steps of a puzzle.

    What `nando explain` writes of a puzzle: a walk or, with --all, every step there is;
    `nando.explain(puzzle).to_dict()` and `nando.list_steps(puzzle).to_dict()` without line, error
    and file.
    """

    puzzle: Puzzle
    se_rating: NotRequired[Amount | None]
    """Sudoku: rating of the hardest step on the scale of Sukaku Explainer; null where the
    techniques do not suffice."""
    ladder_rating: NotRequired[Amount | None]
    """Nurikabe: rating of the hardest step on nando's ladder; null where the techniques do not
    suffice."""
    variant_rating: NotRequired[Amount | None]
    """Variant of Sudoku: rating of the hardest step on nando's ladder; null where the techniques do
    not suffice."""
    solved: NotRequired[bool | None]
    """Whether the techniques solve the puzzle."""
    left_out: NotRequired[Count | None]
    """Steps that no later step needs; 0 with --whole."""
    order: NotRequired[str | None]
    """With --order: the order in which techniques were tried, or its file."""
    score: NotRequired[Amount | None]
    """With --order: the sum of the order's own points for the steps; null where its program
    publishes none."""
    steps_without_score: NotRequired[Count | None]
    """With --order: steps for which the order has no points, so that the score is too low."""
    blanks: NotRequired[Count | None]
    """Cells not decided yet."""
    complete: NotRequired[bool | None]
    """Whether a list has every step; false where the effort for nested searches was spent."""
    steps: list[SudokuStep | VariantStep | NurikabeStep] | None
    """The steps: of a walk in order, of a list the easiest technique first."""
    line: NotRequired[Line]
    error: NotRequired[Error]
    file: NotRequired[File]
