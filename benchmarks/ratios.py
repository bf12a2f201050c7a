"""One table of ratios: nando against the packages that pip and apt install, in one run.

Tasks: solve and prove unique, Sudoku and Nurikabe, make minimal puzzles, make puzzles of a
difficulty, rate. In each round everybody takes a turn, so that what else the machine does falls on
all alike; what is shown is the median over rounds, and the least and greatest ratio. Rates are
puzzles a second of processor time, of a child process too. Answers are checked; who is not
installed is left out. The last line names the versions of all.

Run: python benchmarks/ratios.py [--rounds N] [--seconds S]
Peers: apt install qqwing; pip install python-sat ortools dokusan py-sudoku
"""

import argparse
import contextlib
import io
import platform
import re
import resource
import shutil
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version

import numpy as np
from common import minimal_puzzles
from exact import PEERS, nurikabe_glucose

from nando.generators import NurikabeSource, SudokuSource, Target, generate
from nando.puzzles import Nurikabe, Sudoku
from nando.rating import Bank, Ladder, load_model
from nando.solvers import LogicSolver, count_many, count_solutions

Work = Callable[[int, int], None]
"""Does a task for some puzzles, in a round, and checks the answers."""

PERCENTILES = (50, 75, 97)


@dataclass
class Entry:
    """Somebody's way to do a task."""

    who: str
    how: str
    work: Work
    rates: list[float] = field(default_factory=list)

    def measure(self, turn: int, seconds: float) -> None:
        """Do it for about so long; the first turn finds out for how many puzzles that is."""
        n = 1
        while True:
            start = _processor_seconds()
            self.work(n, turn)
            took = _processor_seconds() - start
            if took > seconds / 3 or n >= 100_000:
                break
            n = min(100_000, max(2 * n, int(n * 0.7 * seconds / max(took, 1e-3))))
        self.rates.append(n / took)


def _processor_seconds() -> float:
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + spent.ru_utime + spent.ru_stime


def solving(puzzles: list[Sudoku]) -> list[Entry]:
    """Find the solution and prove that there is no other."""

    def first(n: int) -> list[Sudoku]:
        return (puzzles * (n // len(puzzles) + 1))[:n]

    def many(n: int, _turn: int) -> None:
        assert (count_many(first(n)) == 1).all()

    def each(n: int, _turn: int) -> None:
        assert all(count_solutions(puzzle) == 1 for puzzle in first(n))

    entries = [Entry("nando", "a list", many), Entry("nando, one by one", "a call each", each)]
    if shutil.which("qqwing"):

        def qqwing(n: int, _turn: int) -> None:
            said = _qqwing(first(n), "--solve", "--count-solutions")
            assert {line.split(",")[1] for line in said} == {"1"}

        entries.append(Entry("qqwing", "with --count-solutions", qqwing))
    for name, build in PEERS.items():
        try:
            count = build()
        except ImportError:
            continue

        def peer(n: int, _turn: int, count: Callable[[Sudoku], int] = count) -> None:
            assert all(count(puzzle) == 1 for puzzle in first(n))

        how = "stops at the first solution" if name == "dokusan" else "counts to two"
        entries.append(Entry(name, how, peer))
    with contextlib.suppress(ImportError):
        from sudoku import Sudoku as Board

        def py_sudoku(n: int, turn: int) -> None:
            for puzzle in puzzles[turn % len(puzzles) :][:n]:
                board = Board(3, 3, board=puzzle.givens.reshape(9, 9).tolist())
                assert not board.has_multiple_solutions()

        entries.append(Entry("py-sudoku", "has_multiple_solutions", py_sudoku))
    return entries


def solving_nurikabe(puzzles: list[Nurikabe]) -> list[Entry]:
    """Find the solution of a Nurikabe and prove that there is no other."""

    def first(n: int) -> list[Nurikabe]:
        return (puzzles * (n // len(puzzles) + 1))[:n]

    def nando(n: int, _turn: int) -> None:
        assert all(count_solutions(puzzle) == 1 for puzzle in first(n))

    entries = [Entry("nando", "a call each", nando)]
    with contextlib.suppress(ImportError):
        prepare = nurikabe_glucose()

        def sat(n: int, _turn: int) -> None:
            assert all(prepare(puzzle)() == 1 for puzzle in first(n))

        entries.append(Entry("python-sat", "adds what a model breaks", sat))
    return entries


def minimal() -> list[Entry]:
    """Make puzzles that no given can be taken from."""

    def nando(n: int, turn: int) -> None:
        puzzles = [each.puzzle for each in generate(SudokuSource(minimal=True), n, seed=turn)]
        assert (count_many(puzzles) == 1).all()

    entries = [Entry("nando", "and no two alike", nando)]
    if shutil.which("qqwing"):
        entries.append(Entry("qqwing", "any difficulty", _qqwing_maker("any")))
    return entries


def of_a_difficulty(percentile: int) -> list[Entry]:
    """Make puzzles that are as hard as asked for, each by its own measure."""
    rater = load_model()
    aim = rater.log_seconds_at(percentile)
    low, high = aim + np.log1p(-0.1), aim + np.log1p(0.1)

    def nando(n: int, turn: int) -> None:
        target = Target(low, high, Ladder(Bank(rater)))
        puzzles = [each.puzzle for each in generate(SudokuSource(), n, target=target, seed=turn)]
        seconds = [rating.predicted for rating in rater.rate(puzzles)]
        assert (count_many(puzzles) == 1).all()
        assert (abs(seconds / np.exp(aim) - 1) < 0.1001).all()

    entries = [Entry("nando", f"{np.exp(aim):.0f} s of a person, to 10 %", nando)]
    if shutil.which("qqwing"):
        entries.append(Entry("qqwing", "its class expert", _qqwing_maker("expert")))
    with contextlib.suppress(ImportError):
        from dokusan import generators

        def dokusan(n: int, _turn: int) -> None:
            for _ in range(n):
                generators.random_sudoku(avg_rank=150)

        entries.append(Entry("dokusan", "avg_rank=150", dokusan))
    return entries


def rating(puzzles: list[Sudoku]) -> list[Entry]:
    """Say how hard a puzzle is."""
    rater = load_model()
    logic = LogicSolver()

    def first(n: int) -> list[Sudoku]:
        return (puzzles * (n // len(puzzles) + 1))[:n]

    def seconds(n: int, _turn: int) -> None:
        assert all(rating.predicted > 0 for rating in rater.rate(first(n)))

    def ladder(n: int, _turn: int) -> None:
        logic.rate_many(first(n))

    entries = [
        Entry("nando", "seconds of a person", seconds),
        Entry("nando, logic ladder", "as Sukaku Explainer", ladder),
    ]
    if shutil.which("qqwing"):

        def qqwing(n: int, _turn: int) -> None:
            said = _qqwing(first(n), "--solve", "--stats", "--nosolution")
            assert len(said) == n

        entries.append(Entry("qqwing", "one of four classes", qqwing))
    with contextlib.suppress(ImportError):
        from dokusan import stats
        from dokusan.boards import BoxSize
        from dokusan.boards import Sudoku as Board

        def dokusan(n: int, turn: int) -> None:
            for puzzle in (puzzles[turn % len(puzzles) :] + puzzles)[:n]:
                cells = puzzle.givens.reshape(9, 9).tolist()
                assert stats.rank(Board.from_list(cells, box_size=BoxSize(3, 3))) > 0

        entries.append(Entry("dokusan", "rank", dokusan))
    return entries


def _qqwing(puzzles: list[Sudoku], *options: str) -> list[str]:
    done = subprocess.run(
        ["qqwing", *options, "--csv"],
        input="\n".join(puzzle.text for puzzle in puzzles) + "\n",
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip().splitlines()[1:]


def _qqwing_maker(difficulty: str) -> Work:
    def work(n: int, _turn: int) -> None:
        done = subprocess.run(
            ["qqwing", "--generate", str(n), "--difficulty", difficulty, "--one-line"],
            capture_output=True,
            text=True,
            check=True,
        )
        puzzles = [Sudoku(line) for line in done.stdout.split()]
        assert len(puzzles) == n

    return work


def versions() -> str:
    """What takes part, and what runs it."""
    named = [f"Python {platform.python_version()}"]
    for package in ("nando", "numba", "python-sat", "ortools", "dokusan", "py-sudoku"):
        with contextlib.suppress(PackageNotFoundError):
            named.append(f"{package} {version(package)}")
    if shutil.which("qqwing"):
        said = subprocess.run(["qqwing", "--version"], capture_output=True, text=True).stdout
        named += [f"qqwing {number[0]}" for number in [re.search(r"[\d.]+\d", said)] if number]
    return ", ".join(named)


def table(task: str, entries: list[Entry], out: io.TextIOBase) -> None:
    """Rows of one task."""
    own = np.array(entries[0].rates)
    for entry in entries:
        rates = np.array(entry.rates)
        ratios = own / rates
        shown = "1"
        if entry is not entries[0]:
            digits = ".2g" if np.median(ratios) < 10 else ",.0f"
            low, middle, high = (
                format(x, digits) for x in (ratios.min(), np.median(ratios), ratios.max())
            )
            shown = f"**{middle}** ({low} to {high})"
        rate = float(np.median(rates))
        speed = f"{rate:,.0f}" if rate >= 10 else f"{rate:.2g}"
        print(f"| {task} | {entry.who} | {entry.how} | {speed} | {shown} |", file=out)


def main() -> None:
    """Print the table as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=1.0, help="about, for each turn")
    options = parser.parse_args()
    puzzles = minimal_puzzles(300)
    source = NurikabeSource((10, 10), mean_size=3)
    nurikabe = [each.puzzle for each in generate(source, 50)]
    tasks = {
        "solve, prove unique": solving(puzzles),
        "Nurikabe 10x10: solve, prove unique": solving_nurikabe(nurikabe),
        "make minimal": minimal(),
        **{f"make, percentile {each}": of_a_difficulty(each) for each in PERCENTILES},
        "rate": rating(puzzles),
    }
    for entries in tasks.values():
        for entry in entries[:2]:
            entry.work(20, 0)  # compiles
    for turn in range(options.rounds):
        for entries in tasks.values():
            for entry in entries:
                entry.measure(turn, options.seconds)
    out = io.StringIO()
    print("| task | who | how | puzzles a second | nando is faster by a factor of |", file=out)
    print("| --- | --- | --- | ---: | ---: |", file=out)
    for task, entries in tasks.items():
        table(task, entries, out)
    print(out.getvalue())
    print(versions())


if __name__ == "__main__":
    main()
