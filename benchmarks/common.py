"""Functions that benchmarks share: they make puzzles from a seed and run the command line.

They need no data set.
"""

import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

from nando.datasets import load_examples
from nando.puzzles import Sudoku
from nando.solvers import Refutation, count_solutions, solve


def minimal_puzzles(n: int, seed: int = 0) -> list[Sudoku]:
    """Shuffled full grids, emptied as far as the solution stays unique."""
    rng = np.random.default_rng(seed)
    full = solve(Sudoku("." * 81))
    puzzles = []
    for _ in range(n):
        values = Sudoku.from_values(full).shuffled(rng).givens.copy()
        for cell in rng.permutation(81):
            fewer = values.copy()
            fewer[cell] = 0
            if count_solutions(Sudoku.from_values(fewer)) == 1:
                values = fewer
        puzzles.append(Sudoku.from_values(values))
    return puzzles


def easy_to_medium(n: int) -> list[Sudoku]:
    """Shuffled copies of the examples of order 3 that never get stuck."""
    simple = [
        puzzle
        for puzzle in load_examples().puzzles
        if puzzle.order == 3 and Refutation().profile(puzzle, runs=1, rng=0).stuck_steps == 0
    ]
    rng = np.random.default_rng(0)
    return [simple[i % len(simple)].shuffled(rng) for i in range(n)]


def easy_minimal_hard(n: int) -> dict[str, list[Sudoku]]:
    """Puzzles that singles solve, minimal ones, and copies of the hardest example."""
    rng = np.random.default_rng(0)
    hardest = Sudoku(
        "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3.."
    )
    return {
        "easy": easy_to_medium(n),
        "minimal": minimal_puzzles(n),
        "hardest": [hardest.shuffled(rng) for _ in range(n)],
    }


def larger(order: int, n: int) -> list[Sudoku]:
    """Copies of the example of order 4 or 5."""
    example = next(p for p in load_examples().puzzles if p.order == order)
    rng = np.random.default_rng(0)
    return [example.shuffled(rng) for _ in range(n)]


def command_seconds(folder: str, puzzles: list[Sudoku]) -> float:
    """Wall-clock seconds of `nando rate` on these puzzles, kernels kept in `folder`."""
    file = Path(folder) / "puzzles.txt"
    file.write_text("\n".join(puzzle.text for puzzle in puzzles))
    start = time.perf_counter()
    subprocess.run(
        [sys.executable, "-m", "nando", "rate", str(file), "-o", str(Path(folder) / "out.csv")],
        env=os.environ | {"NUMBA_CACHE_DIR": folder},
        check=True,
    )
    return time.perf_counter() - start
