"""Put a step into words: the fields that most patterns share."""

from nando.solvers.logic.explanation import Explanation, express
from nando.solvers.logic.language import Words
from nando.solvers.logic.marks import PencilMarks
from nando.solvers.logic.technique import LogicStep
from nando.solvers.logic.wording.names import Names
from nando.solvers.logic.wording.reasons import Reasons


class Telling:
    """A step, the pencil marks before it, the names of cells and houses, and reasons for links."""

    def __init__(self, step: LogicStep, marks: PencilMarks, words: Words) -> None:
        self.step = step
        self.marks = marks
        self.names = Names(words, marks.puzzle, marks.symbols)
        self.words = words

    def express(self, pattern: str, why: str = "why", **own: object) -> Explanation:
        """Return the step in the words of a pattern; see :func:`express`.

        Every pattern gets fields for the technique, the cells, the digits, the eliminations, the
        placement (or the first cell and digit), and the first house (or one of the first cell).
        `own` adds fields or replaces them.
        """
        step, names = self.step, self.names
        fields = {"name": self.words.name(step.technique.name), "gone": self.gone()}
        if step.cells:
            house = step.houses[0] if step.houses else self.house_of(step.cells[0])
            cell = step.placement[0] if step.placement else step.cells[0]
            fields["house"] = names.house(house)
            fields["cells"] = names.cells(step.cells)
            fields["cell"] = names.cell(cell)
        if step.digits:
            digit = step.placement[1] if step.placement else step.digits[0]
            fields["digits"] = names.bare(step.digits)
            fields["either"] = names.digits(step.digits, "or")
            fields["digit"] = names.symbols[digit]
            fields["the_digit"] = names.the(digit)
        return express(self.words, pattern, why, **{**fields, **own})

    @property
    def reasons(self) -> Reasons:
        """The reasons for the links of a chain."""
        return Reasons(self.step, self.marks, self.names)

    def gone(self) -> str:
        """Return the placement or the eliminations in words; empty if there are neither."""
        if self.step.placement is not None:
            cell, digit = self.step.placement
            return self.words(
                "conclusion.is", cell=self.names.cell(cell), digit=self.names.symbols[digit]
            )
        return self.names.gone(self.step.eliminations) if self.step.eliminations else ""

    def house_of(self, cell: int) -> int:
        """Return the first house of a cell other than a row or column, or else its row."""
        houses = sorted(self.marks.houses_of((cell,)))
        other = (house for house in houses if self.marks.rule_of_house(house) >= 0)
        return next(other, houses[0])

    def cells_or(self) -> str:
        """Return the cells as alternatives: one of them holds the digit."""
        return self.names.cells(self.step.cells, "or")

    def rule(self) -> str:
        """Return the name of the first rule."""
        return self.names.rule(self.step.rules[0])
