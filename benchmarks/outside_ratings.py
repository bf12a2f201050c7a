"""Look at ratings of rules with numbers outside the grid, which no collection has with levels.

Puzzles are made with many and few givens, and rated. Printed are the spread of minutes by givens,
the share of each part of the time, how many minutes are equal, and the largest share of one part.
Grids with all 36 frame sums are rated as cages of the same cells, too: what a person sees is the
same, so the minutes should be, but for other draws.

    python benchmarks/outside_ratings.py
"""

import argparse

import numpy as np
from numpy.typing import NDArray

from nando.features import FeatureExtractor, groups_of
from nando.features.classes import classes_of
from nando.generators import OutOfReachError, VariantSource, generate
from nando.puzzles import Variant
from nando.puzzles.boards.board import Line
from nando.puzzles.boards.constraints import Sum
from nando.puzzles.rules.cages import Cage
from nando.puzzles.rules.outside import FrameSum
from nando.rating import load_model
from nando.rating.variants import EFFORT
from nando.solvers import count_solutions, solve

RULES = ("frame-sum", "little-killer", "sandwich", "x-sums", "skyscraper", "numbered-room")
GIVENS = (24, 20, 16, 12, 8, 4, 0)
SIDES = ("left", "right", "top", "bottom")

EXTRACTOR = FeatureExtractor(groups_of(EFFORT.columns))


def rated(puzzles: list[Variant]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the minutes of puzzles and the looks of their parts."""
    table = EXTRACTOR.class_table(puzzles, classes_of(puzzles), EFFORT.columns)
    minutes = np.exp(load_model(None, "variant").log_seconds(table)) / 60
    return minutes, EFFORT.by_part(table)


def print_rule(rule: str, count: int) -> None:
    """Print a row for each number of givens, and what all have in common."""
    print(f"\n{rule}\ngivens, puzzles, minutes | " + " | ".join(EFFORT.names))
    all_minutes, largest = [], 0.0
    for givens in GIVENS:
        try:
            generated = generate(VariantSource(rules=(rule,), givens=givens), count, seed=givens)
            puzzles = [each.puzzle for each in generated]
        except OutOfReachError as error:
            print(f"{givens} | {error}")
            continue
        minutes, parts = rated(puzzles)
        shares = parts / parts.sum(axis=1, keepdims=True)
        all_minutes += minutes.tolist()
        largest = max(largest, float(shares.max()))
        low, middle, high = np.quantile(minutes, (0.1, 0.5, 0.9))
        print(
            f"{givens}, {len(minutes)}, {middle:.1f} [{low:.1f} to {high:.1f}] | "
            + " | ".join(f"{share:.2f}" for share in shares.mean(axis=0)),
            flush=True,
        )
    ties = len(all_minutes) - len(set(all_minutes))
    print(f"equal minutes: {ties} of {len(all_minutes)}; largest share of one part {largest:.2f}")


def framed(rng: np.random.Generator, givens: int) -> Variant:
    """Return a grid with all frame sums, whose givens are removed one by one while it is unique."""
    board = Variant("9x9").board
    digits = np.concatenate([[0], 1 + rng.permutation(9)])[solve(Variant("9x9"))]
    grid = digits.reshape(9, 9)[shuffled_lines(rng)][:, shuffled_lines(rng)]
    rules = [
        FrameSum(line, sum(int(grid[cell.row, cell.column]) for cell in board.line(line)[:3]))
        for line in (Line(side, number) for side in SIDES for number in range(1, 10))
    ]
    left = grid.ravel().copy()
    for cell in rng.permutation(81):
        fewer = left.copy()
        fewer[cell] = 0
        if np.count_nonzero(left) > givens and count_solutions(with_rules(fewer, rules)) == 1:
            left = fewer
    return with_rules(left, rules)


def shuffled_lines(rng: np.random.Generator) -> NDArray[np.int64]:
    """Return the nine lines, their bands and the lines of each in any order."""
    return np.concatenate([3 * band + rng.permutation(3) for band in rng.permutation(3)])


def with_rules(givens: NDArray[np.int8], rules: list) -> Variant:
    """Return a classic grid with further rules."""
    text = "".join(map(str, givens.tolist())).replace("0", ".")
    return Variant.of(text, [*Variant("9x9").rules, *rules])


def as_cages(puzzle: Variant) -> Variant:
    """Return the puzzle with a cage in the place of each sum."""
    sums = [own for _, own in puzzle.constraints if isinstance(own, Sum)]
    return with_rules(puzzle.givens, [Cage(own.cells, own.total) for own in sums])


def print_framed(count: int) -> None:
    """Print how the minutes of grids with all frame sums differ from those of what is the same."""
    rng = np.random.default_rng(0)
    puzzles = [framed(rng, GIVENS[1:][i % 6]) for i in range(count)]
    own = np.log(rated(puzzles)[0])
    print(f"\n{count} grids with 36 frame sums: {np.exp(own.min()):.1f} to {np.exp(own.max()):.1f}")
    away = np.log(rated([as_cages(puzzle) for puzzle in puzzles])[0]) - own
    print(f"as cages: log ratio {away.mean():.3f}, spread {away.std():.3f}", end=", ")
    print(f"largest {np.abs(away).max():.3f}")


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=9, help="puzzles of each number of givens")
    parser.add_argument("--framed", type=int, default=60, help="grids with all frame sums")
    parser.add_argument("--rules", nargs="*", default=RULES)
    options = parser.parse_args()
    print_framed(options.framed)
    for rule in options.rules:
        print_rule(rule, options.count)


if __name__ == "__main__":
    main()
