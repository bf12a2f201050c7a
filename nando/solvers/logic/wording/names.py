"""Names of cells, houses and digits in a language, and how they are listed in a sentence."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from nando.puzzles import Sudoku, Variant
from nando.puzzles.sudoku.puzzle import SYMBOLS
from nando.solvers.logic.language import Words, words_of

KINDS = ("row", "column", "box")


def sudoku_words(language: str) -> Words:
    """Return the texts of steps on a Sudoku, in a language."""
    return words_of(language, "sudoku")


class Names:
    """Names on a Sudoku.

    Parameters
    ----------
    words : Words
    puzzle : Sudoku

    Examples
    --------
    >>> english, german = (Names(sudoku_words(tag), Sudoku("." * 81)) for tag in ("en", "de"))
    >>> english.houses([2, 0, 13]), german.houses([2, 0, 13])
    ('rows 1 and 3 and column 5', 'Zeilen 1 und 3 und Spalte 5')
    """

    def __init__(self, words: Words, puzzle: Sudoku | Variant) -> None:
        self.words = words
        self.puzzle = puzzle

    def cell(self, cell: int) -> str:
        """Return the name of a cell."""
        return self.words.cell(cell, self.puzzle.shape[1])

    def cells(self, numbers: Iterable[int], joint: str = "and") -> str:
        """Return the names of cells as a list in a sentence, each once and in order."""
        return self.words.listed(map(self.cell, sorted(set(numbers))), joint)

    def group(self, numbers: Iterable[int]) -> str:
        """Return the joint name of one cell, or of several on a line of a box.

        Examples
        --------
        >>> names = Names(sudoku_words("en"), Sudoku("." * 81))
        >>> names.group([13, 14]), names.group([13, 22])
        ('r2c56', 'r23c5')
        """
        numbers, size = list(numbers), self.puzzle.size
        rows = sorted({cell // size + 1 for cell in numbers})
        columns = sorted({cell % size + 1 for cell in numbers})
        joint = "" if size < 10 else self.words("cell.several")
        row, column = joint.join(map(str, rows)), joint.join(map(str, columns))
        return self.words("cell.name", row=row, column=column)

    def the(self, digit: int) -> str:
        """Return a digit with its article."""
        symbol = SYMBOLS[digit]
        return self.words("digit.number" if symbol.isdigit() else "digit.letter", digit=symbol)

    def digits(self, values: Iterable[int], joint: str = "and") -> str:
        """Return the digits as a list in a sentence, each once and in order.

        Examples
        --------
        >>> names = Names(sudoku_words("en"), Sudoku("." * 256))
        >>> names.digits([5, 3], "or"), names.digits([2, 12, 4])
        ('3 or 5', '2, 4 and C')
        """
        return self.words.listed((SYMBOLS[value] for value in sorted(set(values))), joint)

    def house(self, number: int) -> str:
        """Return the name of a house, for example ``row 1``."""
        return self.houses([number])

    def houses(self, numbers: Sequence[int], key: str = "house") -> str:
        """Return the names of houses as a list in a sentence, those of a kind together.

        With the key ``among`` they have the form that follows "in".
        """
        size, parts = self.puzzle.size, []
        for kind, name in enumerate(KINDS):
            here = [n - kind * size for n in sorted(numbers) if n // size == kind]
            if here:
                numerals = self.words.listed(str(n + 1) for n in here)
                parts.append(self.words.count(f"{key}.{name}", len(here), list=numerals))
        return self.words.listed(parts)

    def gone(self, eliminations: Iterable[tuple[int, int]]) -> str:
        """Return the candidates that a step removes, by digit or by cell, whichever is shorter.

        Examples
        --------
        >>> names = Names(sudoku_words("en"), Sudoku("." * 81))
        >>> names.gone([(3, 3), (8, 5)])
        'remove 3 from r1c4 and 5 from r1c9'
        >>> names.gone([(3, 3), (3, 5), (8, 3), (8, 5)])
        'remove 3 and 5 from r1c4 and r1c9'
        """
        words, pairs = self.words, _grouped(eliminations)
        named = [{"digits": self.digits(d), "cells": self.cells(c)} for d, c in pairs]
        parts = [words.count("gone.first", len(pairs[0][0]), **named[0])]
        parts += [words("gone.next", **pair) for pair in named[1:]]
        # Lists within a list are separated by semicolons.
        if len(pairs) > 1 and any(len(d) + len(c) > 2 for d, c in pairs):
            return words("list.semicolon").join(parts)
        return words.listed(parts)


def bare(values: Iterable[int]) -> str:
    """Return the digits in order, separated by spaces."""
    return " ".join(SYMBOLS[value] for value in sorted(values))


def _grouped(eliminations: Iterable[tuple[int, int]]) -> list[tuple[list[int], list[int]]]:
    """Group removed digits with their cells, in as few parts as possible."""
    of_digit: dict[int, list[int]] = defaultdict(list)
    of_cell: dict[int, list[int]] = defaultdict(list)
    for cell, digit in sorted(eliminations):
        of_digit[digit].append(cell)
        of_cell[cell].append(digit)
    by_cells: dict[tuple[int, ...], list[int]] = defaultdict(list)
    for digit, where in sorted(of_digit.items()):
        by_cells[tuple(where)].append(digit)
    by_digits: dict[tuple[int, ...], list[int]] = defaultdict(list)
    for cell, which in of_cell.items():
        by_digits[tuple(which)].append(cell)
    pairs = [(which, list(where)) for where, which in by_cells.items()]
    if len(by_digits) < len(pairs):
        pairs = [(list(which), where) for which, where in by_digits.items()]
    return pairs
