"""Count what unique rectangles of type 6 and hidden rectangles would remove, and what removes it.

    python benchmarks/rectangles.py [PUZZLES]

No technique of the ladder looks for these two patterns. This counts, on the walks of published
puzzles that rate 3.8 to 8.5, the positions that have one of them; the steps that remove no more
than such a pattern would; and those of them that go through all four corners of its rectangle, so
that they could be called by its name.
"""

import sys
from collections import Counter
from collections.abc import Iterator
from itertools import combinations

import numpy as np

from nando.datasets import fetch_sudoku_exchange
from nando.solvers.logic import PencilMarks, walk_through

Pattern = tuple[str, frozenset[int], frozenset[tuple[int, int]]]
"""Name, corners, and the candidates that go."""


def rectangles() -> Iterator[tuple[int, int, int, int]]:
    """Corners in two rows, two columns and two boxes; the first and the last are opposite."""
    for (top, bottom), (left, right) in (
        (rows, columns)
        for rows in combinations(range(9), 2)
        for columns in combinations(range(9), 2)
    ):
        if (top // 3 == bottom // 3) != (left // 3 == right // 3):
            yield 9 * top + left, 9 * top + right, 9 * bottom + left, 9 * bottom + right


RECTANGLES = list(rectangles())


def patterns(marks: PencilMarks) -> Iterator[Pattern]:
    """Every unique rectangle of type 6, and every hidden rectangle, at a position."""
    for corners in RECTANGLES:
        common = set.intersection(*(set(marks.digits(cell)) for cell in corners))
        for pair in combinations(sorted(common), 2):
            poor = [i for i in range(4) if marks.digits(corners[i]) == pair]
            for i in poor:
                opposite = corners[3 - i]
                for strong, other in (pair, pair[::-1]):
                    if only_in(marks, strong, corners, opposite):
                        yield "hidden rectangle", frozenset(corners), frozenset({(opposite, other)})
            if poor in ([0, 3], [1, 2]):
                rich = [corners[i] for i in range(4) if i not in poor]
                for digit in pair:
                    if all(only_in(marks, digit, corners, cell) for cell in rich):
                        gone = frozenset((cell, digit) for cell in rich)
                        yield "unique rectangle type 6", frozenset(corners), gone


def only_in(marks: PencilMarks, digit: int, corners: tuple[int, ...], cell: int) -> bool:
    """Whether the row and the column of a corner have a digit in the corners only."""
    row, column = divmod(cell, 9)
    return set(marks.places(row, digit)) | set(marks.places(9 + column, digit)) <= set(corners)


def main() -> None:
    """Count, and print the counts."""
    n_puzzles = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    data = fetch_sudoku_exchange(bucket="sample")
    rated = np.asarray(data.target, dtype=np.float64)
    middle = np.flatnonzero((rated >= 3.8) & (rated <= 8.5))
    chosen = np.random.default_rng(1).choice(middle, n_puzzles, replace=False)
    n_steps = 0
    positions: Counter[str] = Counter()
    alike: Counter[tuple[str, str]] = Counter()
    n_through = 0
    for puzzle in (data.puzzles[i] for i in chosen.tolist()):
        for taken in walk_through(puzzle).steps:
            n_steps += 1
            named = list(patterns(taken.position))
            positions.update({name for name, _, _ in named})
            gone = set(taken.step.eliminations)
            for name, corners, removed in named:
                if gone and taken.step.placement is None and gone <= removed:
                    alike[name, taken.step.technique.name] += 1
                    n_through += corners <= set(taken.step.cells)
    print(f"{n_steps:,} steps of {n_puzzles} puzzles")
    for name, count in positions.items():
        print(f"{count:6,} positions with a {name}")
    for (name, technique), count in sorted(alike.items()):
        print(f"{count:6,} steps by {technique} that remove no more than a {name} would")
    print(f"{n_through:6,} of these steps go through its four corners")


if __name__ == "__main__":
    main()
