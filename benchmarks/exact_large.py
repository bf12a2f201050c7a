"""Exact search for Sudokus of 16x16 and 25x25 against SAT: one solution, or several.

Three sets of each order: Lewis's instances (a random full grid, each cell given with probability
p), most of which have several solutions; puzzles that the generator made minimal, with one; and
these without one more given. Peers are python-sat's Glucose 4 and CaDiCaL 1.5.3. They get clauses
for the candidates the givens leave, and a blocking clause for the second solution; loading and
solving counts, writing the clauses in Python does not. Every solver has the same seconds of
processor time for a puzzle, in a process of its own, and all that answer must agree.

Run: python benchmarks/exact_large.py --orders 4 5 --count 10 --seconds 20   (Linux or macOS)
"""

import argparse
import multiprocessing
import resource
import time
from collections.abc import Callable
from itertools import combinations
from multiprocessing.connection import Connection

import numpy as np

from nando.generators import SudokuSource, generate, lewis_instance, random_grid
from nando.puzzles import Sudoku
from nando.solvers import count_solutions

SHARES = (0.2, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6)
Prepare = Callable[[Sudoku], Callable[[], int]]


def nando(puzzle: Sudoku) -> Callable[[], int]:
    return lambda: count_solutions(puzzle)


def clauses(puzzle: Sudoku) -> tuple[list[list[int]], int]:
    """Each cell, and each digit in each house, has exactly one; and the number of literals."""
    layout, givens = puzzle.layout, puzzle.givens
    literal: dict[tuple[int, int], int] = {}
    for cell in range(layout.n_cells):
        taken = set(givens[layout.peers[cell]].tolist())
        own = int(givens[cell])
        for value in [own] if own else range(1, puzzle.size + 1):
            if value not in taken:
                literal[cell, value] = len(literal) + 1
    values = range(1, puzzle.size + 1)
    groups = [[(cell, value) for value in values] for cell in range(layout.n_cells)]
    groups += [[(c, value) for c in house] for house in layout.houses.tolist() for value in values]
    formula = []
    for group in groups:
        left = [literal[pair] for pair in group if pair in literal]
        formula.append(left)
        formula += [[-a, -b] for a, b in combinations(left, 2)]
    return formula, len(literal)


def sat(name: str) -> Prepare:
    import pysat.solvers

    solver_class = getattr(pysat.solvers, name)

    def prepare(puzzle: Sudoku) -> Callable[[], int]:
        formula, n_literals = clauses(puzzle)

        def count() -> int:
            solver = solver_class(bootstrap_with=formula)
            if not solver.solve():
                return 0
            solver.add_clause([-x for x in solver.get_model()[:n_literals] if x > 0])
            return 2 if solver.solve() else 1

        return count

    return prepare


def _answer(pipe: Connection, count: Callable[[], int], seconds: float) -> None:
    start = time.process_time()
    end = int(np.ceil(start + seconds))
    resource.setrlimit(resource.RLIMIT_CPU, (end, end + 1))
    answer = count()
    pipe.send((answer, time.process_time() - start))


def limited(prepare: Prepare, puzzle: Sudoku, seconds: float) -> tuple[int | None, float]:
    """The count up to two and the seconds it took; None where it was not done in time."""
    count = prepare(puzzle)
    receiver, sender = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.get_context("fork").Process(
        target=_answer, args=(sender, count, seconds)
    )
    process.start()
    sender.close()
    try:
        answer, took = receiver.recv()
    except EOFError:
        answer, took = None, seconds
    process.join()
    return answer, took


def sets(order: int, count: int) -> dict[str, list[Sudoku]]:
    """Puzzles to decide."""
    named = {}
    for share in SHARES:
        rng = np.random.default_rng(round(1000 * share))
        named[f"Lewis, p = {share}"] = [
            lewis_instance(share, order, rng, grid=random_grid(order, rng)) for _ in range(count)
        ]
    source = SudokuSource(order=order, minimal=True)
    minimal = [each.puzzle for each in generate(source, count, seed=order)]
    named["minimal"] = minimal
    fewer = []
    rng = np.random.default_rng(order)
    for puzzle in minimal:
        givens = puzzle.givens.copy()
        givens[rng.choice(np.flatnonzero(givens))] = 0
        fewer.append(Sudoku.from_values(givens))
    named["minimal less one"] = fewer
    return named


def main() -> None:
    """Print a table: decided, median and longest seconds of each solver."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--orders", type=int, nargs="+", default=[4, 5])
    parser.add_argument("--count", type=int, default=10, help="puzzles in each set")
    parser.add_argument("--seconds", type=float, default=20.0, help="for one puzzle and solver")
    options = parser.parse_args()
    solvers = {"nando": nando, "Glucose 4": sat("Glucose4"), "CaDiCaL": sat("Cadical153")}
    print("| order | set | givens | one / several | " + " | ".join(solvers) + " |")
    print("| --- | --- | ---: | ---: |" + " ---: |" * len(solvers))
    for order in options.orders:
        count_solutions(Sudoku("." * order**4))  # compiles
        for name, puzzles in sets(order, options.count).items():
            answers = np.full((len(solvers), len(puzzles)), -1)
            seconds = np.zeros(answers.shape)
            for j, puzzle in enumerate(puzzles):
                for i, prepare in enumerate(solvers.values()):
                    answer, seconds[i, j] = limited(prepare, puzzle, options.seconds)
                    answers[i, j] = -1 if answer is None else answer
                known = set(answers[:, j].tolist()) - {-1}
                assert len(known) <= 1, (name, answers[:, j], puzzle)
            best = answers.max(axis=0)
            cells = [
                f"{(row >= 0).sum()}: {1000 * np.median(took):,.1f} / {1000 * took.max():,.1f} ms"
                for row, took in zip(answers, seconds, strict=True)
            ]
            givens = np.mean([puzzle.n_givens for puzzle in puzzles])
            counts = f"{(best == 1).sum()} / {(best == 2).sum()}"
            print(f"| {order} | {name} | {givens:.0f} | {counts} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
