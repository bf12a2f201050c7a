"""Exact search against peers, on the same puzzles in the same run: counts up to two solutions.

Peers are what pip installs: python-sat (Glucose, one incremental solver per puzzle), OR-tools
(CP-SAT) and dokusan; those that are not installed are left out. Every peer's answers are checked.

Run: python benchmarks/exact_solver.py [FILE ...]   (puzzles, one a line)
Without a file it digs minimal puzzles of its own, so that it needs no data.
"""

import argparse
import time
from collections.abc import Callable, Sequence

from common import minimal_puzzles

from nando.puzzles import Sudoku, read_puzzles
from nando.solvers import count_many, count_solutions


def glucose() -> Callable[[Sudoku], int]:
    """python-sat: clauses once, givens as assumptions, a blocking clause for the second."""
    from itertools import combinations

    from pysat.solvers import Glucose4

    houses = Sudoku("." * 81).layout.houses.tolist()

    def literal(cell: int, value: int) -> int:
        return 9 * cell + value

    clauses = [[literal(c, v) for v in range(1, 10)] for c in range(81)]
    for house in houses:
        for v in range(1, 10):
            clauses.append([literal(c, v) for c in house])
            clauses += [[-literal(a, v), -literal(b, v)] for a, b in combinations(house, 2)]
    for c in range(81):
        clauses += [[-literal(c, a), -literal(c, b)] for a, b in combinations(range(1, 10), 2)]
    solver = Glucose4(bootstrap_with=clauses)
    free = 81 * 9

    def count(puzzle: Sudoku) -> int:
        nonlocal free
        free += 1  # switches this puzzle's blocking clause off again
        given = [literal(c, int(v)) for c, v in enumerate(puzzle.givens) if v]
        if not solver.solve(assumptions=given):
            return 0
        model = [x for x in solver.get_model()[: 81 * 9] if x > 0]
        solver.add_clause([-x for x in model] + [-free])
        return 2 if solver.solve(assumptions=[*given, free]) else 1

    return count


def cp_sat() -> Callable[[Sudoku], int]:
    """OR-tools CP-SAT with 27 all-different constraints."""
    from ortools.sat.python import cp_model

    def count(puzzle: Sudoku) -> int:
        model = cp_model.CpModel()
        cells = [
            model.new_int_var(int(v) or 1, int(v) or 9, f"c{c}")
            for c, v in enumerate(puzzle.givens)
        ]
        for house in puzzle.layout.houses:
            model.add_all_different([cells[c] for c in house])
        n_found = 0

        class Stop(cp_model.CpSolverSolutionCallback):
            def on_solution_callback(self) -> None:
                nonlocal n_found
                n_found += 1
                if n_found == 2:
                    self.stop_search()

        solver = cp_model.CpSolver()
        solver.parameters.enumerate_all_solutions = True
        solver.parameters.num_workers = 1
        solver.solve(model, Stop())
        return n_found

    return count


def dokusan() -> Callable[[Sudoku], int]:
    """Dokusan's backtracking with bit masks; finds one solution and stops."""
    from dokusan import solvers
    from dokusan.boards import BoxSize
    from dokusan.boards import Sudoku as Board

    def count(puzzle: Sudoku) -> int:
        board = Board.from_list(puzzle.givens.reshape(9, 9).tolist(), box_size=BoxSize(3, 3))
        return 1 if solvers.backtrack(board) is not None else 0

    return count


PEERS = {"python-sat": glucose, "OR-tools": cp_sat, "dokusan": dokusan}


def rate(count: Callable[[], Sequence[int]], repeats: int) -> float:
    """Calls of `count` a second, the best of several; every answer must be 1."""
    best = float("inf")
    for _ in range(repeats):
        start = time.process_time()
        answers = count()
        best = min(best, time.process_time() - start)
        assert set(answers) == {1}, set(answers)
    return len(answers) / best


def main() -> None:
    """Print puzzles a second and ratios."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="*")
    parser.add_argument("--seconds", type=float, default=3.0, help="about, for each peer and file")
    options = parser.parse_args()
    sets = {
        file: [entry.puzzle for entry in read_puzzles(file) if entry.puzzle is not None]
        for file in options.files
    } or {"minimal puzzles dug here": minimal_puzzles(300)}
    for name, puzzles in sets.items():
        count_many(puzzles[:1])
        own = rate(lambda puzzles=puzzles: count_many(puzzles), 5)
        single = rate(lambda puzzles=puzzles: [count_solutions(p) for p in puzzles], 3)
        print(f"{name.rsplit('/', 1)[-1]}: {len(puzzles):,} puzzles")
        print(f"  {'nando, in one call':24} {own:12,.0f}/s")
        print(f"  {'nando, one by one':24} {single:12,.0f}/s  {own / single:10,.1f}x")
        for peer, build in PEERS.items():
            try:
                count = build()
            except ImportError:
                print(f"  {peer:24} not installed")
                continue
            start, done = time.process_time(), 0
            while done < len(puzzles) and time.process_time() - start < options.seconds:
                assert count(puzzles[done]) == 1, puzzles[done]
                done += 1
            theirs = done / (time.process_time() - start)
            print(f"  {peer:24} {theirs:12,.0f}/s  {own / theirs:10,.1f}x")


if __name__ == "__main__":
    main()
