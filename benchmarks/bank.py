"""Measure puzzles per second and peak memory of rating, by size of file and share of new puzzles.

Each file is rated by `nando rate FILE -o rated.parquet` as a process of its own. A share of its
puzzles is new; the others are equivalent to earlier ones, turned and relabelled.

Run: python benchmarks/bank.py [--sizes 20000,200000] [--new 0.01] [--jobs 2]
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from nando.generators import SudokuSource, generate
from nando.puzzles import Sudoku


def write_bank(path: Path, size: int, new: int, seed: int = 0) -> None:
    """A file of `size` puzzles, of `new` classes."""
    rng = np.random.default_rng(seed)
    classes = [each.puzzle for each in generate(SudokuSource(), new, seed=seed)]
    with open(path, "w", encoding="utf-8") as file:
        for i in range(size):
            puzzle: Sudoku = classes[i % new]
            file.write(puzzle.shuffled(rng).text + "\n")


def rated(path: Path, jobs: int) -> tuple[float, float]:
    """Seconds, and peak memory in MB, of rating a file."""
    command = [sys.executable, "-m", "nando", "rate", str(path), "--jobs", str(jobs)]
    start = time.perf_counter()
    process = subprocess.Popen([*command, "-o", str(path.with_suffix(".parquet"))])
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - start
    if status:
        raise SystemExit("rating failed")
    return seconds, usage.ru_maxrss / 1024


def main() -> None:
    """Print the table as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", default="20000,200000")
    parser.add_argument("--new", type=float, default=0.01, help="share of new puzzles")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    print("| puzzles | new | seconds | puzzles a second | peak memory, MB |")
    print("| ---: | ---: | ---: | ---: | ---: |")
    with tempfile.TemporaryDirectory() as folder:
        for size in map(int, options.sizes.split(",")):
            new = max(1, round(size * options.new))
            path = Path(folder) / f"{size}.txt"
            write_bank(path, size, new)
            seconds, memory = rated(path, options.jobs)
            print(
                f"| {size:,} | {new:,} | {seconds:,.0f} | {size / seconds:,.0f} | {memory:,.0f} |"
            )


if __name__ == "__main__":
    main()
