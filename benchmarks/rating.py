"""Where the time of a rating goes: puzzles a second of each stage, one thread, and a cold start.

The puzzles are symmetric copies of the shipped examples that singles solve, or new minimal ones, so
no data is needed.

Run: python benchmarks/rating.py [--puzzles N] [--minimal] [--cold]
"""

import argparse
import tempfile
import time

import numpy as np
from common import command_seconds, easy_to_medium, minimal_puzzles

from nando.features import SolverFeatures
from nando.puzzles import Sudoku
from nando.rating import load_model
from nando.solvers import LadderRace, Refutation, SearchTime, status


def stage(name, work, n, total=None):
    """Print the best of three runs in puzzles a second; return its seconds."""
    work()
    best = float("inf")
    for _ in range(3):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    share = f"{best / total:8.0%}" if total else ""
    print(f"  {name:32} {n / best:10,.0f}/s {best / n * 1e6:8.0f} us {share}")
    return best


def main() -> None:
    """Print the profile."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--puzzles", type=int, default=1000)
    parser.add_argument("--minimal", action="store_true", help="rate minimal puzzles instead")
    parser.add_argument("--cold", action="store_true", help="also a first run without kernels")
    options = parser.parse_args()
    n = options.puzzles
    puzzles = minimal_puzzles(n) if options.minimal else easy_to_medium(n)
    texts = [puzzle.text for puzzle in puzzles]
    rater = load_model()
    kind = "minimal puzzles" if options.minimal else "puzzles that singles solve"
    print(f"{n:,} {kind}, one thread")

    def everything():
        parsed = [Sudoku(text) for text in texts]
        assert all(status(puzzle).valid for puzzle in parsed)
        rater.rate(parsed)

    total = stage("parse, check and rate", everything, n)
    stage("  parse", lambda: [Sudoku(text) for text in texts], n, total)
    stage("  conflicts and uniqueness", lambda: [status(p) for p in puzzles], n, total)
    for group in rater.extractor.groups:
        features = SolverFeatures(groups=[group])
        stage(f"  features: {group}", lambda f=features: f.transform(puzzles), n, total)
    for solver in (Refutation(), SearchTime(), LadderRace()):
        rng = np.random.default_rng(0)
        stage(
            f"    {solver.name}, 30 runs alone",
            lambda s=solver, r=rng: [s.profile(p, runs=30, rng=r) for p in puzzles],
            n,
            total,
        )
    if options.cold:
        with tempfile.TemporaryDirectory() as folder:
            print("\nnando rate of ten puzzles, wall clock with the start of Python")
            print(f"  first run, nothing compiled   {command_seconds(folder, puzzles[:10]):6.1f} s")
            print(f"  second run                    {command_seconds(folder, puzzles[:10]):6.1f} s")


if __name__ == "__main__":
    main()
