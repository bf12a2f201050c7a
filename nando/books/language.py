"""The words of books: titles, labels, pages of rules."""

from collections.abc import Sequence
from functools import cache
from itertools import pairwise

from nando.books.right_to_left import DOT
from nando.generators.records import Record
from nando.puzzles.variants.genre import Genre
from nando.solvers.logic.language import Words as StepWords

_CLOSING = "、。，．）」』】〕］｝！？：；・ーぁぃぅぇぉっゃゅょァィゥェォッャュョ々"
_OPENING = "（「『【〔［｛"
"""Japanese characters that cannot begin a line, and that cannot end one."""


class Words(StepWords):
    """The words of steps and of books in a language."""

    def __init__(self, language: str) -> None:
        super().__init__(language, "steps", "books")

    def whole(self, value: int) -> str:
        """Return a whole number."""
        grouped = f"{value:,}" if value >= int(self("thousands_from")) else str(value)
        return grouped.replace(",", self("thousands"))

    def n_puzzles(self, n: int) -> str:
        """Return a number of puzzles, for example ``"12 puzzles"``."""
        return self(self.form("plurals.puzzles", n), n=self.whole(n))

    def first_cell(self, record: Record) -> str:
        """Return the name of the cell to begin with; empty if it is not known."""
        cell = record.first_cell
        return "" if cell is None else self.cell(cell, record.puzzle.shape[1])

    def length(self, record: Record) -> str:
        """Return the prediction of a puzzle, for example ``"6 min"``; empty without one."""
        return self.lengths([record])

    def lengths(self, records: Sequence[Record]) -> str:
        """Return the range of predictions, for example ``"4–8 min"``; empty without any."""
        known = [record.amount for record in records if record.predicted is not None]
        return self.amount(min(known), max(known)) if known else ""

    def amount(self, least: int, most: int) -> str:
        """Return the minutes, as a range if they differ."""
        return self("minutes", n=self.between(self.whole(least), self.whole(most)))

    def between(self, low: object, high: object) -> str:
        """Return a range, or the one value if both ends are equal."""
        return str(low) if low == high else self("range", low=low, high=high)

    def grade(self, grade: str) -> str:
        """Return the name of a grade; an unknown name is only capitalised."""
        return self.known(f"grades.{grade}", grade[:1].upper() + grade[1:])

    def kind(self, kind: str) -> str:
        """Return the name of a kind of puzzle, or of a genre of variants."""
        if (key := f"kinds.{kind}") in self.table:
            return self(key)
        try:
            return Genre.read(kind).name(self.language)
        except ValueError:
            return kind.capitalize()

    def letters(self, last: str, n: int) -> str:
        """Return what the letters up to the last one stand for, on a board with n digits."""
        return self(f"rules.letters.{'one' if n == 10 else 'other'}", last=last, n=n)


def ranges(numbers: Sequence[int]) -> str:
    """Return whole numbers in rising order as ranges, for example ``"1–4, 7"``."""
    ends = [numbers[0]]
    for low, high in pairwise(numbers):
        if high > low + 1:
            ends += [low, high]
    ends.append(numbers[-1])
    pairs = zip(ends[::2], ends[1::2], strict=True)
    return ", ".join(str(low) if low == high else f"{low}–{high}" for low, high in pairs)


def join_by_dots(*parts: str) -> str:
    """Join the parts that are not empty by dots."""
    return DOT.join(filter(None, parts))


@cache
def words_of(language: str) -> Words:
    """Return the words of a language."""
    return Words(language)


def pieces(text: str) -> list[str]:
    """Return a text split where a line may break; spaces belong to the piece before.

    Japanese breaks between any two characters, except before closing and after opening ones.
    """
    lines: list[str] = []
    for char in text:
        glued = lines and not (
            lines[-1].endswith(" ")
            or (_is_wide(char) and char not in _CLOSING and lines[-1][-1] not in _OPENING)
            or (
                _is_wide(lines[-1][-1])
                and lines[-1][-1] not in _OPENING
                and not _is_wide(char)
                and char != " "
            )
        )
        if glued:
            lines[-1] += char
        else:
            lines.append(char)
    return lines


def _is_wide(char: str) -> bool:
    return "\u3000" <= char <= "\u9fff" or "\uff00" <= char <= "\uff60"
