"""The logic solver against the ratings of the Sudoku Exchange sample: agreement, soundness, speed.

Prints, as Markdown, puzzles with exactly the bank's rating and puzzles a second of processor time
for each band of ratings; every rating that differs, and where they fall; with --steps, whether any
step of any puzzle is wrong; with --hardest FILE, how puzzles above the bank's fare; and with
--peers, the speed of packages that pip installs, in turn with nando, as only ratios of one run can
be compared. The peers are those of hodoku-py, larsdoku, dedoku, pencilmark and dokusan that can be
imported.

Run: python benchmarks/logic.py [--steps] [--peers] [--hardest FILE]   (needs the data set
sudoku_exchange)
"""

import argparse
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy.stats import spearmanr

from nando.datasets import fetch_sudoku_exchange
from nando.puzzles import Sudoku
from nando.solvers import LogicSolver, unique_solution
from nando.solvers.logic import SUDOKU_EXPLAINER

BANDS = (1.1, 2.4, 4.9, 6.4, 7.0, 7.5, 8.0, 8.5, 8.9, 9.3)
BUCKETS = {"1.2 to 2.3": (1.2, 2.3), "2.5 to 4.9": (2.5, 4.9), "5.0 to 6.4": (5.0, 6.4)}
BUCKETS["6.5 to 9.3"] = (6.5, 9.3)

Solve = Callable[[str], bool]


def rate(solver: LogicSolver, puzzles: list[Sudoku], repeats: int = 3):
    """Ratings, and the best rate of a few repeats."""
    best = float("inf")
    for _ in range(repeats):
        start = time.process_time()
        ratings = solver.rate_many(puzzles)
        best = min(best, time.process_time() - start)
    return ratings, len(puzzles) / best


def agreement(solver: LogicSolver, puzzles: np.ndarray, published: np.ndarray) -> None:
    """Table of the bands, and all that differs."""
    rated, solved = np.zeros(len(published)), np.zeros(len(published), bool)
    print("| rating in the bank | puzzles | same rating | puzzles a second |")
    print("| --- | ---: | ---: | ---: |")
    for low, high in pairwise(BANDS):
        band = (published > low + 0.05) & (published < high + 0.05)
        ratings, speed = rate(solver, puzzles[band].tolist())
        rated[band], solved[band] = ratings.rating, ratings.solved
        same = solved[band] & (np.abs(rated[band] - published[band]) < 0.05)
        name = f"{low + 0.1:.1f} to {high:.1f}"
        print(f"| {name} | {band.sum():,} | {same.mean():.1%} | {speed:,.0f} |")
    agrees = solved & (np.abs(rated - published) < 0.05)
    print(f"\n{agrees.sum():,} of {len(published):,} exactly, {solved.sum():,} solved; ", end="")
    print(f"Spearman {spearmanr(rated, published).statistic:.4f}")
    names = [f"{low + 0.1:.1f} to {high:.1f}" for low, high in pairwise(BANDS)]
    print(f"\n| bank, down; nando, across | {' | '.join(names)} |")
    print(f"| --- |{' ---: |' * len(names)}")
    edges = np.array(BANDS[1:-1]) + 0.05
    rows, columns = np.digitize(published, edges), np.digitize(rated, edges)
    for i, name in enumerate(names):
        counts = np.bincount(columns[rows == i], minlength=len(names))
        print(f"| {name} | {' | '.join(str(count or '') for count in counts)} |")
    print()
    for i in np.flatnonzero(~agrees):
        print(f"  {published[i]:.1f} in the bank, {rated[i]:.1f} here: {puzzles[i]}")


class Walk(NamedTuple):
    """What a walk came to: steps, those against the solution, blanks left, highest rating."""

    steps: int
    wrong: int
    blanks: int
    rating: float


def walk(solver: LogicSolver, puzzle: Sudoku) -> Walk:
    """Solve a puzzle and check every step against its solution."""
    solution = unique_solution(puzzle)
    steps, wrong, blanks, rating = 0, 0, puzzle.givens.size - puzzle.n_givens, 0.0
    for step in solver.steps(puzzle):
        steps += 1
        removes = any(solution[cell] == digit for cell, digit in step.eliminations)
        misses = step.placement is not None and solution[step.placement[0]] != step.placement[1]
        wrong += removes or misses
        blanks -= step.placement is not None
        rating = max(rating, step.rating)
    return Walk(steps, wrong, blanks, rating)


def hardest(path: Path) -> None:
    """Rate the puzzles of a file on the ladder of Sudoku Explainer, one by one."""
    solver = LogicSolver(SUDOKU_EXPLAINER)
    puzzles = [Sudoku(line) for line in path.read_text().split() if len(line) == 81]
    walks, seconds = [], []
    for puzzle in puzzles:
        start = time.process_time()
        walks.append(walk(solver, puzzle))
        seconds.append(time.process_time() - start)
    low, middle, high = np.percentile([walk.rating for walk in walks], (0, 50, 100))
    stuck, wrong = sum(walk.blanks > 0 for walk in walks), sum(walk.wrong for walk in walks)
    print(f"{len(walks)} puzzles, {low:.1f} to {high:.1f}, {middle:.1f} in the middle; ", end="")
    print(f"{stuck} stuck, {wrong} of {sum(walk.steps for walk in walks):,} steps wrong; ", end="")
    print(f"seconds each: {np.median(seconds):.2f} in the middle, {max(seconds):.2f} at most")


def peers() -> Iterator[tuple[str, Solve]]:
    """The packages that are here, and how each solves a puzzle as people do, if it can."""
    with suppress(ImportError):
        from hodoku.api import Solver

        yield "hodoku-py", lambda text: Solver().solve(text).solved
    with suppress(ImportError):
        import larsdoku

        yield "larsdoku", lambda text: larsdoku.solve(text)["success"]
    with suppress(ImportError):
        from dedoku import Grid, SudokuSolver

        yield "dedoku", lambda text: SudokuSolver().solve(Grid.from_string(text)).solved
    with suppress(ImportError):
        import pencilmark

        yield "pencilmark", lambda text: bool(pencilmark.rate(text, se=True))
    with suppress(ImportError):
        from dokusan import solvers
        from dokusan.boards import BoxSize
        from dokusan.boards import Sudoku as Board

        box = BoxSize(3, 3)
        yield (
            "dokusan",
            lambda text: len(list(solvers.steps(Board.from_string(text, box_size=box)))) > 0,
        )


def race(solver: LogicSolver, puzzles: np.ndarray, published: np.ndarray, seconds: float) -> None:
    """Puzzles a second in each bucket, of nando and of each peer for so many seconds."""
    rng = np.random.default_rng(0)
    names = list(BUCKETS)
    print(f"| | {' | '.join(names)} |")
    print(f"| --- |{' ---: |' * len(names)}")
    chosen = {
        name: rng.permutation(np.flatnonzero((published > low - 0.05) & (published < high + 0.05)))
        for name, (low, high) in BUCKETS.items()
    }
    ours = {name: rate(solver, puzzles[where].tolist())[1] for name, where in chosen.items()}
    print(f"| nando | {' | '.join(f'{ours[name]:,.0f}' for name in names)} |")
    for peer, solve in peers():
        solve(puzzles[chosen[names[0]][0]].text)
        cells = []
        for name in names:
            speed, share = time_peer(solve, [puzzles[i].text for i in chosen[name]], seconds)
            ratio = f"{speed:,.1f} ({ours[name] / speed:,.0f} x)" if speed else "none"
            cells.append(ratio + (f", solves {share:.0%}" if 0 < share < 1 else ""))
        print(f"| {peer} | {' | '.join(cells)} |", flush=True)


def time_peer(solve: Solve, texts: list[str], seconds: float) -> tuple[float, float]:
    """Puzzles solved a second, and the share of those tried."""
    start = time.process_time()
    tried = solved = 0
    for text in texts:
        with suppress(Exception):  # a peer's own error for a puzzle beyond its techniques
            solved += bool(solve(text))
        tried += 1
        if time.process_time() - start > seconds:
            break
    return solved / (time.process_time() - start), solved / tried


def main() -> None:
    """Print what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", action="store_true", help="check every step, for minutes")
    parser.add_argument("--peers", type=float, metavar="SECONDS", help="for each peer and bucket")
    parser.add_argument("--hardest", type=Path, metavar="FILE", help="a puzzle a line")
    options = parser.parse_args()
    data = fetch_sudoku_exchange(bucket="sample")
    puzzles, published = np.array(data.puzzles, object), np.asarray(data.target)
    solver = LogicSolver()
    solver.rate_many(puzzles[:1].tolist())
    agreement(solver, puzzles, published)
    if options.steps:
        walks = [walk(solver, puzzle) for puzzle in puzzles]
        wrong = sum(walk.wrong for walk in walks)
        print(f"{sum(walk.steps for walk in walks):,} steps, {wrong} of them wrong")
    if options.peers:
        race(solver, puzzles, published, options.peers)
    if options.hardest:
        hardest(options.hardest)


if __name__ == "__main__":
    main()
