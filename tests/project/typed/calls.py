"""Calls that a type checker accepts, and calls, marked `wrong`, that it must not accept."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

import nando
from nando.generators import Record
from nando.puzzles import PuzzleError, PuzzleTypeError, Sudoku, as_puzzle, read_puzzles
from nando.rating import Rating
from nando.solvers import Solution, count_solutions, status
from nando.solvers.logic import Walkthrough

line = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
grid: NDArray[np.int64] = np.zeros((9, 9), int)
rows: list[list[int]] = grid.tolist()
gaps: list[list[int | None]] = [[None, 3]]
symbols: list[list[str]] = [["5", "3"]]
flat: list[int] = grid.ravel().tolist()
lines: list[str] = [line]
puzzle = Sudoku(line)

# One puzzle in every form, and several.
rating: Rating = nando.rate(line)
rating = nando.rate(line.encode())
rating = nando.rate(puzzle)
rating = nando.rate(grid)
rating = nando.rate(rows)
rating = nando.rate(gaps)
rating = nando.rate(symbols)
rating = nando.rate(flat)
rating = nando.rate(rating)
ratings: list[Rating] = nando.rate(lines)
ratings = nando.rate([puzzle, puzzle], n_jobs=2)
ratings = nando.rate([grid, grid])
ratings = nando.rate(each for each in lines)
kept: list[Rating | PuzzleError | PuzzleTypeError] = nando.rate(lines, errors="return")
alone: Rating | PuzzleError | PuzzleTypeError = nando.rate(line, errors="return")
solution: Solution = nando.solve(rows, method="annealing", seed=None, steps=10)
walk: Walkthrough = nando.explain(solution, style="se", language="de", kind="sudoku")
number: int = count_solutions(grid, 2)
status(flat, "sudoku")
as_puzzle(rows, kind="nurikabe")
read_puzzles("file.txt", "nurikabe", format="csv")

# New puzzles.
record: Record = nando.generate(minutes=8, seed=None, symmetry="rotational", order=3)
records: list[Record] = nando.generate(grade="easy", count=3, rating=True)
record = nando.generate(kind="nurikabe", minutes=1, size="5x5", mean_size=3)
records = nando.generate(kind="nurikabe", count=2, unknown=1)
options: dict[str, Any] = {"order": 4}
nando.generate(**options)

nando.generate(grade="eesy")  # wrong
nando.generate(minuts=3)  # wrong
nando.generate(count="3")  # wrong
nando.generate(seed=1.5)  # wrong
nando.generate(puzzle="nurikabe")  # wrong
nando.generate(order=6)  # wrong
nando.generate(symmetry="round")  # wrong
nando.generate(shape=(5, 5))  # wrong
nando.generate(minutes="8")  # wrong
record = nando.generate(count=3)  # wrong
nando.rate(5)  # wrong
nando.rate(None)  # wrong
nando.rate(line, kind="chess")  # wrong
nando.rate(line, errors="skip")  # wrong
nando.rate(line, runs="3")  # wrong
ratings = nando.rate(line)  # wrong
ratings = nando.rate(lines, errors="return")  # wrong
nando.solve(line, method="magic")  # wrong
nando.solve(lines)  # wrong
nando.solve(line, steps="10")  # wrong
nando.explain(line, language="xx")  # wrong
nando.explain(line, style="SE")  # wrong
nando.list_steps(line, effort="all")  # wrong
read_puzzles("file.txt", format="xls")  # wrong
count_solutions(5)  # wrong
