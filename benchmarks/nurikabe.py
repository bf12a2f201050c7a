"""Exact search for Nurikabe on puzzles of files, and puzzles made a second.

Solutions are counted up to two: by nando, by its trials of single cells alone (without learning),
and by python-sat (Glucose), which has the 2x2 blocks as clauses from the start; sizes and
connection of islands and river become clauses when a model breaks them. All take turns on each
puzzle, and answers are compared. Seconds are processor time.

Run: python benchmarks/nurikabe.py FILE [FILE ...]   (puzzles in any form that nando reads)
     python benchmarks/nurikabe.py --made            (puzzles with one solution a second, by size)
     python benchmarks/nurikabe.py --made --against FOLDER   (and by another version, in turns)
Without a file it makes small puzzles of its own, so that it needs no data.
"""

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from itertools import combinations
from pathlib import Path

import numpy as np

from nando.generators import NurikabeSource
from nando.puzzles import Nurikabe, read_puzzles
from nando.puzzles.nurikabe import BLACK, WHITE
from nando.solvers import count_solutions
from nando.solvers.protocol import spawned

Count = Callable[[Nurikabe, float], int | None]
"""Solutions up to two, None if that takes more than so many seconds."""


def drawn_puzzles(n: int, side: int, seed: int = 0) -> list[Nurikabe]:
    """Puzzles with few solutions or none, from numbers drawn at random."""
    rng = np.random.default_rng(seed)
    puzzles: list[Nurikabe] = []
    while len(puzzles) < n:
        numbers = np.where(rng.random((side, side)) < 0.15, rng.integers(1, 6, (side, side)), 0)
        puzzle = Nurikabe.from_numbers(numbers)
        if puzzle.status().valid and count_solutions(puzzle, limit=3) in (1, 2):
            puzzles.append(puzzle)
    return puzzles


def neighbours(puzzle: Nurikabe) -> list[list[int]]:
    """Cells beside each cell."""
    cells = np.arange(puzzle.n_cells).reshape(puzzle.shape)
    near: list[list[int]] = [[] for _ in range(puzzle.n_cells)]
    for a, b in [
        *zip(cells[1:].ravel(), cells[:-1].ravel(), strict=True),
        *zip(cells[:, 1:].ravel(), cells[:, :-1].ravel(), strict=True),
    ]:
        near[a].append(int(b))
        near[b].append(int(a))
    return near


def groups(values: np.ndarray, near: list[list[int]]) -> Iterator[tuple[int, set[int]]]:
    """Colour and cells of each group of joined cells."""
    left = set(range(len(near)))
    while left:
        start = left.pop()
        group, queue = {start}, [start]
        while queue:
            for other in near[queue.pop()]:
                if other in left and values[other] == values[start]:
                    left.discard(other)
                    group.add(other)
                    queue.append(other)
        yield int(values[start]), group


def glucose() -> Count:
    """python-sat: blocks at once, connection and sizes as they are broken; true is white."""
    from pysat.solvers import Glucose4

    def broken(puzzle: Nurikabe, values: np.ndarray, near: list[list[int]]) -> list[list[int]]:
        """Clauses that the values break and every solution keeps."""
        numbers = puzzle.numbers
        parts = list(groups(values, near))
        rivers = [group for colour, group in parts if colour == BLACK]
        clauses = []
        for colour, group in parts:
            own = [int(numbers[cell]) for cell in group if numbers[cell]]
            edge = {other for cell in group for other in near[cell]} - group
            inside = [-(cell + 1) for cell in group]
            outside = [cell + 1 for cell in edge]
            if colour == BLACK:
                if len(rivers) > 1:
                    # This group is left, or it is not all black, or no other cell is black.
                    other = next(iter(next(r for r in rivers if r is not group)))
                    cell = next(iter(group))
                    clauses.append([cell + 1, other + 1, *(-(c + 1) for c in edge)])
            elif len(own) > 1 or (own and own[0] > 0 and len(group) > own[0]):
                clauses.append(inside)
            elif not own or (own[0] > 0 and len(group) < own[0]):
                clauses.append(inside + outside)
        return clauses

    def count(puzzle: Nurikabe, seconds: float) -> int | None:
        end = time.process_time() + seconds
        near = neighbours(puzzle)
        cells = np.arange(1, puzzle.n_cells + 1).reshape(puzzle.shape)
        blocks = zip(
            *(
                part.ravel().tolist()
                for part in (cells[1:, 1:], cells[1:, :-1], cells[:-1, 1:], cells[:-1, :-1])
            ),
            strict=True,
        )
        with Glucose4(bootstrap_with=[list(block) for block in blocks]) as solver:
            for cell in np.flatnonzero(puzzle.numbers).tolist():
                solver.add_clause([cell + 1])
            for cell in range(puzzle.n_cells):
                islands = [c for c in near[cell] if puzzle.numbers[c]]
                if puzzle.numbers[cell] == 0 and len(islands) > 1:
                    solver.add_clause([-(cell + 1)])
            for a, b in combinations(np.flatnonzero(puzzle.numbers).tolist(), 2):
                if b in near[a]:
                    return 0
            n_found = 0
            while n_found < 2 and solver.solve():
                if time.process_time() > end:
                    return None
                model = solver.get_model() or []
                white = {x for x in model if x > 0}
                values = np.array(
                    [WHITE if c in white else BLACK for c in range(1, puzzle.n_cells + 1)]
                )
                clauses = broken(puzzle, values, near)
                if not clauses:
                    n_found += 1
                    clauses = [[-c if c in white else c for c in range(1, puzzle.n_cells + 1)]]
                for clause in clauses:
                    solver.add_clause(clause)
            return n_found

    return count


def searching(name: str) -> Count:
    """The whole search, or its trials alone."""
    # Imported here: the versions that this file is run against do not have them.
    from nando.solvers.exact.bands import DEPTH, FOUND, GUESSES
    from nando.solvers.exact.nurikabe.learning import learning_search
    from nando.solvers.exact.nurikabe.probing import ProbingSearch
    from nando.solvers.exact.nurikabe.search import NurikabeSearch

    blank = Nurikabe("2./..")
    learning = learning_search(blank, np.zeros(3, np.int64), np.zeros((2, 4), np.int8))
    assert learning is not None
    learning.advance(2, 100)  # compiles

    def count(puzzle: Nurikabe, seconds: float) -> int | None:
        end = time.process_time() + seconds
        search = {"nando": NurikabeSearch, "trials alone": ProbingSearch}[name](puzzle)
        while search.progress[DEPTH] >= 0 and search.progress[FOUND] < 2:
            if time.process_time() > end:
                return None
            search.advance(2, int(search.progress[GUESSES]) + 1000)
        return int(search.progress[FOUND])

    return count


SIZES = [(5, 2), (5, 3), (7, 2), (7, 3), (10, 3), (12, 3), (15, 3), (20, 3)]


def rate_of(side: int, mean_size: int, turn: int, seconds: float) -> float:
    """Puzzles made in a second of one core."""
    source = NurikabeSource((side, side), mean_size=mean_size)
    source.draw(np.random.default_rng(0))
    n_made = n_drawn = 0
    start = time.process_time()
    while time.process_time() - start < seconds:
        n_made += source.draw(spawned(turn, n_drawn)) is not None
        n_drawn += 1
    return n_made / (time.process_time() - start)


def made_a_second(seconds: float, rounds: int, against: str | None) -> None:
    """Print how many puzzles with one solution are made, by this version and another in turns."""
    folders = [Path(__file__).parents[1], *([Path(against)] if against else [])]
    for side, mean_size in SIZES:
        rates = np.zeros((len(folders), rounds))
        for turn in range(rounds):
            for row, folder in zip(rates, folders, strict=True):
                said = subprocess.run(
                    [sys.executable, __file__, "--rate", f"{side},{mean_size},{turn},{seconds}"],
                    env=os.environ | {"PYTHONPATH": str(folder)},
                    capture_output=True,
                    text=True,
                    check=True,
                )
                row[turn] = float(said.stdout)
        shown = " and ".join(f"{rate:,.1f}" for rate in np.median(rates, axis=1))
        line = f"{side}x{side}, mean size {mean_size}: {shown} a second"
        if against:
            ratios = rates[0] / rates[1]
            line += f", {np.median(ratios):.1f} times ({ratios.min():.1f} to {ratios.max():.1f})"
        print(line, flush=True)


def main() -> None:
    """Print medians, means and ratios."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="*")
    parser.add_argument("--most", type=int, default=100, help="puzzles for each file")
    parser.add_argument("--seconds", type=float, default=10.0, help="for each puzzle, or each turn")
    parser.add_argument("--made", action="store_true", help="how many puzzles are made instead")
    parser.add_argument("--against", help="folder of another version, for --made")
    parser.add_argument("--rounds", type=int, default=3, help="turns of each version, for --made")
    parser.add_argument("--rate", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.rate:
        side, mean_size, turn, seconds = options.rate.split(",")
        print(rate_of(int(side), int(mean_size), int(turn), float(seconds)))
        return
    if options.made:
        made_a_second(min(options.seconds, 5.0), options.rounds, options.against)
        return
    sets = {
        file: [entry.puzzle for entry in read_puzzles(file, Nurikabe) if entry.puzzle is not None]
        for file in options.files
    } or {f"{side}x{side} drawn here": drawn_puzzles(100, side) for side in (5, 7)}
    counts = {name: searching(name) for name in ("nando", "trials alone")}
    try:
        counts["python-sat"] = glucose()
    except ImportError:
        print("python-sat is not installed")
    for count in counts.values():
        count(Nurikabe("...../.?.1./...../1..?./....."), 60.0)  # compiles
    for title, puzzles in sets.items():
        step = max(len(puzzles) // options.most, 1)
        times: dict[str, list[float]] = {name: [] for name in counts}
        undecided = dict.fromkeys(counts, 0)
        for puzzle in puzzles[::step]:
            answers = set()
            for name, count in counts.items():
                start = time.process_time()
                answer = count(puzzle, options.seconds)
                times[name].append(time.process_time() - start)
                undecided[name] += answer is None
                answers.add(answer)
            assert len(answers - {None}) <= 1, puzzle
        print(f"{title.rsplit('/', 1)[-1]}: {len(times['nando']):,} puzzles")
        for name, took in times.items():
            ratio = sum(took) / sum(times["nando"])
            print(
                f"  {name:12} median {1e3 * np.median(took):8.2f} ms   mean "
                f"{1e3 * np.mean(took):8.2f} ms   {undecided[name]} not within "
                f"{options.seconds:g} s   {ratio:.1f} times as long in all"
            )


if __name__ == "__main__":
    main()
