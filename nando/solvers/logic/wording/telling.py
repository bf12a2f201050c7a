"""Put a step into words: the fields that most patterns share."""

from typing import Any

from nando.puzzles.sudoku.puzzle import SYMBOLS
from nando.solvers.logic.explanation import Explanation, worded
from nando.solvers.logic.language import Words
from nando.solvers.logic.wording.names import Names, bare
from nando.solvers.logic.wording.reasons import Reasons


class Telling:
    """A step, the pencil marks before it, the names of cells and houses, and reasons for links."""

    def __init__(self, step: Any, marks: Any, words: Words) -> None:
        self.step = step
        self.marks = marks
        self.names = Names(words, marks.puzzle)
        self.words = words

    def worded(self, pattern: str, why: str = "why", **own: object) -> Explanation:
        """Return the step in the words of a pattern; see :func:`worded`.

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
            fields["digits"] = bare(step.digits)
            fields["either"] = names.digits(step.digits, "or")
            fields["digit"] = SYMBOLS[digit]
            fields["the_digit"] = names.the(digit)
        return worded(self.words, pattern, why, **{**fields, **own})

    @property
    def reasons(self) -> Reasons:
        """The reasons for the links of a chain."""
        return Reasons(self.step, self.marks, self.names)

    def gone(self) -> str:
        """Return the eliminations in words; empty if there are none."""
        return self.names.gone(self.step.eliminations) if self.step.eliminations else ""

    def house_of(self, cell: int) -> int:
        """Return the house in which to look for a cell: its box."""
        box: int = max(self.marks.houses_of((cell,)))
        return box

    def cells_or(self) -> str:
        """Return the cells as alternatives: one of them holds the digit."""
        return self.names.cells(self.step.cells, "or")


def hidden_single(telling: Telling) -> Explanation:
    """Explain a hidden single or a full house."""
    if telling.step.technique.degree == 0:
        return telling.worded("full_house")
    single = telling.words.name("hidden single")
    return telling.worded("hidden_single", name=single)._replace(name="hidden single")


def direct_locked(telling: Telling) -> Explanation:
    """Explain locked candidates that leave their digit a single place elsewhere."""
    _, crossing, other = map(telling.names.house, telling.step.houses)
    cells = telling.cells_or()
    return telling.worded("direct_locked", crossing=crossing, other=other, cells=cells)


def direct_hidden_subset(telling: Telling) -> Explanation:
    """Explain a hidden subset that leaves another digit a single place."""
    return telling.worded("direct_hidden_subset")


def hidden_subset(telling: Telling) -> Explanation:
    """Explain a hidden pair, triplet or quad."""
    cells = telling.words(f"subset_cells.{len(telling.step.cells)}")
    return telling.worded("hidden_subset", subset_cells=cells)


def fish(telling: Telling) -> Explanation:
    """Explain an X-wing, a swordfish or a jellyfish."""
    names, words, houses = telling.names, telling.words, telling.step.houses
    n = len(houses) // 2
    first, second, *_ = telling.marks.house(houses[0])
    return telling.worded(
        "fish_of_rows" if second == first + 1 else "fish_of_columns",
        among=names.houses(houses[:n], "among"),
        cover=names.houses(houses[n:]),
        number=words(f"number.{n}"),
        every=words(f"every_line.{n}"),
    )
