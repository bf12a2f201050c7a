"""Exact search for Nurikabe against python-sat on the same puzzles, and puzzles made a second.

Counted are solutions up to two. python-sat (Glucose) has the 2x2 blocks as clauses from the start;
sizes and connection of islands and river become clauses when a model breaks them. Answers are
compared.

Run: python benchmarks/nurikabe.py FILE [FILE ...]   (puzzles in any form that nando reads)
     python benchmarks/nurikabe.py --made            (puzzles with one solution a second, by size)
Without a file it makes small puzzles of its own, so that it needs no data.
"""

import argparse
import time
from collections.abc import Callable, Iterator
from itertools import combinations

import numpy as np

from nando.generators import NurikabeSource
from nando.puzzles import Nurikabe, read_puzzles
from nando.puzzles.nurikabe.puzzle import BLACK, WHITE
from nando.solvers import ExactSearch, Limit, Outcome, count_solutions
from nando.solvers.protocol import spawned


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


def glucose() -> Callable[[Nurikabe], int]:
    """python-sat: blocks at once, connection and sizes as they are broken; true is white."""
    from pysat.solvers import Glucose4

    def broken(puzzle: Nurikabe, values: np.ndarray, near: list[list[int]]) -> list[list[int]]:
        """Clauses that the values break and every solution keeps."""
        numbers = puzzle.numbers
        found = list(groups(values, near))
        rivers = [group for colour, group in found if colour == BLACK]
        clauses = []
        for colour, group in found:
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

    def count(puzzle: Nurikabe) -> int:
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
            found = 0
            while found < 2 and solver.solve():
                model = solver.get_model() or []
                white = {x for x in model if x > 0}
                values = np.array(
                    [WHITE if c in white else BLACK for c in range(1, puzzle.n_cells + 1)]
                )
                clauses = broken(puzzle, values, near)
                if not clauses:
                    found += 1
                    clauses = [[-c if c in white else c for c in range(1, puzzle.n_cells + 1)]]
                for clause in clauses:
                    solver.add_clause(clause)
            return found

    return count


def made_a_second(seconds: float) -> None:
    """Print how many puzzles with one solution are made in a second of one core."""
    for side, mean_size in [(5, 2), (5, 3), (7, 2), (7, 3), (10, 3), (12, 3), (15, 3), (15, 5)]:
        source = NurikabeSource((side, side), mean_size=mean_size)
        source.draw(np.random.default_rng(0))
        n_made = n_drawn = 0
        start = time.process_time()
        while time.process_time() - start < seconds:
            n_made += source.draw(spawned(1, n_drawn)) is not None
            n_drawn += 1
        rate = n_made / (time.process_time() - start)
        print(f"{side}x{side}, mean size {mean_size}: {rate:,.1f} a second of {n_drawn:,} drawn")


def main() -> None:
    """Print medians, means and the ratio."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="*")
    parser.add_argument("--most", type=int, default=100, help="puzzles for each file")
    parser.add_argument("--seconds", type=float, default=120.0, help="for the peer and each file")
    parser.add_argument("--made", action="store_true", help="how many puzzles are made instead")
    options = parser.parse_args()
    if options.made:
        made_a_second(5.0)
        return
    sets = {
        file: [entry.puzzle for entry in read_puzzles(file, Nurikabe) if entry.puzzle is not None]
        for file in options.files
    } or {f"{side}x{side} drawn here": drawn_puzzles(100, side) for side in (5, 7)}
    name, count = "python-sat", glucose()
    count_solutions(Nurikabe("2./.."))
    for title, puzzles in sets.items():
        step = max(len(puzzles) // options.most, 1)
        own, theirs, spent = [], [], 0.0
        undecided = 0
        for puzzle in puzzles[::step]:
            start = time.process_time()
            run = ExactSearch().run(puzzle, limit=Limit(seconds=10.0))
            own.append(time.process_time() - start)
            undecided += run.outcome is Outcome.TIME_LIMIT
            if spent < options.seconds:
                start = time.process_time()
                answer = count(puzzle)
                theirs.append(time.process_time() - start)
                spent += theirs[-1]
                assert run.outcome is Outcome.TIME_LIMIT or answer == run.n_solutions, puzzle
        ratios = np.array(theirs) / np.array(own[: len(theirs)])
        print(f"{title.rsplit('/', 1)[-1]}: {len(own):,} puzzles, {undecided} not within 10 s")
        for who, times in (("nando", own), (name, theirs)):
            print(
                f"  {who:12} median {1e3 * np.median(times):10.3f} ms   "
                f"mean {1e3 * np.mean(times):10.3f} ms   ({len(times):,} puzzles)"
            )
        mean = sum(theirs) / sum(own[: len(theirs)])
        print(
            f"  {name} takes {mean:,.0f} times as long in all; puzzle by puzzle "
            f"{np.median(ratios):,.0f} times (median)"
        )


if __name__ == "__main__":
    main()
