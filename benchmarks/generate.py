"""Measure puzzles made per second, the distance from their target, and the time of a book.

Rates are puzzles a second of processor time. qqwing (apt install qqwing) is run in turn with nando
where it is installed, since only ratios of one run can be compared. So are larsdoku and pencilmark,
if the Python of an environment is named that has them (pip install larsdoku pencilmark). They are
asked for puzzles that use a technique, nando for puzzles that need it.

Run: python benchmarks/generate.py [--targets N] [--minimal N] [--book N] [--techniques SECONDS]
     [--peers PYTHON]
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
from collections.abc import Callable
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


TECHNIQUES = (
    ("X-wing", None, "XWG", "XWing"),
    ("XY-wing", None, "YWG", None),
    ("naked triplet", None, "NTR", None),
    ("unique rectangle", None, "URC", None),
    ("W-wing", "hodoku", None, None),
    ("X-chain", "hodoku", "XCL", None),
    ("swordfish", None, "SWF", "Swordfish"),
    ("jellyfish", None, "JLF", None),
)
"""Techniques, the order in which they are needed, and their names in pencilmark and larsdoku."""

_PENCILMARK = """
import sys, time
from pencilmark.gen import generate
code, seconds, made, seed = sys.argv[1], float(sys.argv[2]), 0, 0
while time.process_time() < seconds:
    seed += 1
    try:
        made += bool(generate({"require": [code], "seed": seed, "time_limit": seconds}))
    except RuntimeError:
        pass
print(made)
"""


def peer_rate(command: list[str], read: Callable[[str], int]) -> float:
    """Puzzles that a command makes in a second of processor time."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    made = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return read(made) / (resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before)


def techniques(seconds: float, peers: str | None) -> None:
    """Puzzles that need a technique, and those of other programs that use it."""
    print(
        f"{'needs':>16} {'order':>7} {'a second':>9} {'by chance':>10} {'pencilmark':>11} larsdoku"
    )
    for name, order, code, own in TECHNIQUES:
        wishes = Wishes(needs=name, order=order)
        list(Maker(None, seed=1).make(wishes, range(1), Known()))
        start, count = time.process_time(), 0
        for _ in Maker(None, seed=0).make(wishes, range(100_000), Known()):
            count += 1
            if time.process_time() - start > seconds:
                break
        rate = count / (time.process_time() - start)
        start, by_chance, drawn = time.process_time(), 0, 0
        while time.process_time() - start < seconds:
            made = generate(SudokuSource(minimal=True), 64, seed=drawn)
            by_chance += int(wishes.steps.fits([each.puzzle for each in made]).sum())
            drawn += 64
        chance = by_chance / (time.process_time() - start)
        shown = ["", ""]
        if peers and code:
            command = [peers, "-c", _PENCILMARK, code, str(seconds)]
            shown[0] = f"{peer_rate(command, int):.2f}"
        if peers and own:
            forge = ["--board-forge", "--board-forge-count", "3", "--require", own]
            command = [str(Path(peers).parent / "larsdoku"), *forge, "--require-attempts", "60"]
            shown[1] = f"{peer_rate(command, lambda text: text.count('Puzzle:')):.2f}"
        print(
            f"{name:>16} {order or '':>7} {rate:>9.2f} {chance:>10.2f} {shown[0]:>11} {shown[1]}",
            flush=True,
        )


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
    parser.add_argument("--techniques", type=float, metavar="SECONDS", default=10)
    parser.add_argument("--peers", metavar="PYTHON")
    parser.add_argument("--book", type=int, metavar="N", default=500)
    arguments = parser.parse_args()
    if arguments.minimal:
        minimal(arguments.minimal)
    if arguments.targets:
        targets(arguments.targets)
    if arguments.techniques:
        techniques(arguments.techniques, arguments.peers)
    if arguments.book:
        book(arguments.book)


if __name__ == "__main__":
    main()
