"""Measure puzzles made per second, the distance from their target, and the time of a book.

Rates are puzzles a second of processor time. qqwing (apt install qqwing) is run in turn with nando
where it is installed, since only ratios of one run can be compared.

Run: python benchmarks/generate.py [--targets N] [--minimal N] [--book N]
"""

import argparse
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import numpy as np

from nando.generators import Known, SudokuSource, generate
from nando.generators.wishes import Wishes
from nando.making import Maker
from nando.rating import GRADES, Bank, load_model
from nando.solvers import count_many

PERCENTILES = (10, 25, 50, 75, 90, 97)
TOLERANCE = 0.10


def qqwing(difficulty: str, count: int) -> float | None:
    """Puzzles a second of processor time; None where it is not installed."""
    if shutil.which("qqwing") is None:
        return None
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    subprocess.run(
        ["qqwing", "--generate", str(count), "--difficulty", difficulty, "--one-line"],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    return count / (resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before)


def minimal(count: int) -> None:
    """Unique minimal 9x9 puzzles without a target."""
    source = SudokuSource(minimal=True)
    list(generate(source, 5))
    ratios = []
    for repeat in range(3):
        start = time.process_time()
        generated = list(generate(source, count, seed=repeat))
        rate = count / (time.process_time() - start)
        peer = qqwing("any", 300)
        ratios.append((rate, peer))
        assert (count_many([each.puzzle for each in generated]) == 1).all()
    rate = float(np.median([rate for rate, _ in ratios]))
    print(f"minimal puzzles: {rate:,.0f}/s")
    if ratios[0][1]:
        peer = float(np.median([peer for _, peer in ratios]))
        ratio = float(np.median([a / b for a, b in ratios]))
        print(f"qqwing: {peer:,.0f}/s; nando is {ratio:.0f} times faster")
    givens = Counter(each.puzzle.n_givens for each in generated)
    shares = ", ".join(f"{n}: {k / count:.1%}" for n, k in sorted(givens.items()))
    print(f"givens, mean {sum(n * k for n, k in givens.items()) / count:.1f}; {shares}")


def targets(count: int) -> None:
    """Rated puzzles at given percentiles of the training population."""
    rater = load_model()
    everything = set()
    print(f"{'percentile':>10} {'target':>9} {'a second':>9} {'hits':>11} {'qqwing expert':>14}")
    for percentile in (None, *PERCENTILES):
        # The first round only compiles.
        aim = rater.log_seconds_at(percentile or 50)
        wishes = Wishes(minutes=float(np.exp(aim)) / 60, tolerance=TOLERANCE)
        maker = Maker(rater, seed=percentile or 0)
        start = time.process_time()
        n = count if percentile else 2
        made = list(maker.make(wishes, range(n), Known()))
        rate = n / (time.process_time() - start)
        if percentile is None:
            continue
        puzzles = [each.puzzle for each in made]
        assert (count_many(puzzles) == 1).all()
        everything |= {puzzle.equivalence_key() for puzzle in puzzles}
        again = [rating.predicted / np.exp(aim) for rating in Bank(rater).rate(puzzles)]
        hits = sum(1 - TOLERANCE <= share <= 1 + TOLERANCE for share in again)
        peer = qqwing("expert", 200)
        shown = f"{peer:.0f}/s, {rate / peer:.2g} x" if peer else "not installed"
        print(
            f"{percentile:>10} {np.exp(aim):>7.0f} s {rate:>9.1f} {hits:>5} of {n:<4} {shown:>14}"
        )
    print(f"different under all symmetries: {len(everything)} of {len(PERCENTILES) * count}")


def book(count: int) -> None:
    """A book of all grades on two cores, start of Python included."""
    each = count // len(GRADES)
    with tempfile.TemporaryDirectory() as folder:
        grades = ",".join(f"{grade}:{each}" for grade in GRADES)
        command = [sys.executable, "-m", "nando", "book", "--grades", grades, "--jobs", "2"]
        for name in ("book.pdf", "book.html"):
            start = time.perf_counter()
            child = subprocess.Popen(
                [*command, "-o", str(Path(folder) / name)], stdout=subprocess.PIPE
            )
            _, status, used = os.wait4(child.pid, 0)
            assert status == 0
            print(
                f"{name}: {each * 5} puzzles in {time.perf_counter() - start:.1f} s, "
                f"{used.ru_maxrss / 1024:.0f} MB at most"
            )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--targets", type=int, metavar="N", default=200)
    parser.add_argument("--minimal", type=int, metavar="N", default=3_000)
    parser.add_argument("--book", type=int, metavar="N", default=500)
    arguments = parser.parse_args()
    if arguments.minimal:
        minimal(arguments.minimal)
    if arguments.targets:
        targets(arguments.targets)
    if arguments.book:
        book(arguments.book)


if __name__ == "__main__":
    main()
