"""Names of cells, houses and digits, and how they are listed in a sentence."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from nando.puzzles import Sudoku
from nando.puzzles.sudoku.puzzle import SYMBOLS
from nando.solvers.logic.explanation import listed

KINDS = ("row", "column", "box")

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")

SUBSETS = {2: "pair", 3: "triplet", 4: "quad", 5: "quintuplet", 6: "sextuplet"}


def digits(values: Iterable[int], joint: str = "and") -> str:
    """Digits as a list in a sentence, in order.

    Examples
    --------
    >>> digits([5, 3], "or"), digits([2, 12, 4])
    ('3 or 5', '2, 4 and C')
    """
    return listed((SYMBOLS[value] for value in sorted(set(values))), joint)


def every(count: int) -> str:
    """Both, or all three and so on."""
    return "both" if count == 2 else f"all {NUMBERS[count]}"


def bare(values: Iterable[int]) -> str:
    """Digits with nothing but spaces between them."""
    return " ".join(SYMBOLS[value] for value in sorted(values))


def cells(puzzle: Sudoku, numbers: Iterable[int], joint: str = "and") -> str:
    """Cells as a list in a sentence, each once and in order."""
    return listed((puzzle.cell_name(cell) for cell in sorted(set(numbers))), joint)


def group(puzzle: Sudoku, numbers: Iterable[int]) -> str:
    """One cell, or several on a line of a box.

    Examples
    --------
    >>> group(Sudoku("." * 81), [13, 14]), group(Sudoku("." * 81), [13, 22])
    ('r2c56', 'r23c5')
    """
    rows = sorted({cell // puzzle.size + 1 for cell in numbers})
    columns = sorted({cell % puzzle.size + 1 for cell in numbers})
    joint = "" if puzzle.size < 10 else "+"
    return f"r{joint.join(map(str, rows))}c{joint.join(map(str, columns))}"


def house(puzzle: Sudoku, number: int) -> str:
    """Name of a house, such as ``row 1``."""
    return houses(puzzle, [number])


def houses(puzzle: Sudoku, numbers: Sequence[int]) -> str:
    """Houses as a list in a sentence, those of a kind together.

    Examples
    --------
    >>> houses(Sudoku("." * 81), [2, 0, 13])
    'rows 1 and 3 and column 5'
    """
    parts = []
    for kind, name in enumerate(KINDS):
        here = [n - kind * puzzle.size for n in sorted(numbers) if n // puzzle.size == kind]
        if here:
            plural = "s" if len(here) > 1 and name != "box" else "es" if len(here) > 1 else ""
            parts.append(f"{name}{plural} {listed(str(n + 1) for n in here)}")
    return listed(parts)


def gone(puzzle: Sudoku, eliminations: Iterable[tuple[int, int]]) -> str:
    """What a step removes: by digit or by cell, whichever is shorter.

    Examples
    --------
    >>> gone(Sudoku("." * 81), [(3, 3), (8, 5)])
    '3 goes from r1c4 and 5 from r1c9'
    >>> gone(Sudoku("." * 81), [(3, 3), (3, 5), (8, 3), (8, 5)])
    '3 and 5 go from r1c4 and r1c9'
    """
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
    (which, where), *others = pairs
    verb = "goes" if len(which) == 1 else "go"
    parts = [f"{digits(which)} {verb} from {cells(puzzle, where)}"]
    parts += [f"{digits(which)} from {cells(puzzle, where)}" for which, where in others]
    # Lists within a list are separated by semicolons.
    if any("," in part or part.count(" and ") for part in parts) and len(parts) > 1:
        return "; ".join(parts)
    return listed(parts)
