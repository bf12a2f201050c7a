"""Compiles the kernels of the common commands; the build of a wheel runs it.

It needs no package besides numba, numpy and lazy-loader. Tasks that run at the same time share what
they compile.
"""

import os
import sys
from collections.abc import Callable, Sequence

import numpy as np

from nando.features.groups import find_groups
from nando.generators import NurikabeSource, SudokuSource, generate
from nando.kernels.internals.processor import processor
from nando.kernels.native import object_files
from nando.kernels.shipped import note_processor
from nando.puzzles import Nurikabe, Puzzle, Sudoku
from nando.puzzles.sudoku.colours import cell_colours
from nando.solvers import solve, status, unique_solution
from nando.solvers.exact.nurikabe.learning import learning_search
from nando.solvers.kinds import KINDS
from nando.solvers.logic import list_steps, walk_through
from nando.solvers.people.choices import row_chances
from nando.solvers.people.sketch import Sketcher

EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
TECHNIQUES = "9.5....3474....1..6.8....2....4.........9.78.8.9..74.2.....52..5......18.821.3..5"
HARD = "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3.."
"""Its steps reach chains nested in assumptions, above which there is no technique."""
NURIKABE = "......8./......../.1.1...2/1......./..4.6.../......../.....2../..3.1..."


def _ladder() -> None:
    with object_files():
        _compute("techniques")
    puzzle = Sudoku(HARD)
    walk_through(puzzle)
    list_steps(Sudoku(TECHNIQUES), effort=1)
    _follow_and_draw(puzzle)


def _search() -> None:
    with object_files():
        for text in (EASY, HARD):
            puzzle = Sudoku(text)
            status(puzzle)
            solve(puzzle)
            puzzle.equivalence_key()
        _compute("exact", "digit_sweep", "technique_race")
    for text in (EASY, HARD):
        Sudoku(text).equivalence_hash()
    pattern = tuple((Sudoku(HARD).givens > 0).tolist())
    for source in (SudokuSource(), SudokuSource(givens=30), SudokuSource(pattern=pattern)):
        source.draw(np.random.default_rng(0))
    list(generate(SudokuSource(), 1))
    # Writable, as those are that a search judges: numba compiles others apart.
    Sketcher().play(np.array([Sudoku(EASY).givens]), 1)
    _compute("search_time")
    _nurikabe()


def _nurikabe() -> None:
    puzzle = Nurikabe(NURIKABE)
    solve(puzzle)
    # One published puzzle in seventy needs it.
    progress, solutions = np.zeros(3, np.int64), np.zeros((2, puzzle.n_cells), np.int8)
    if learning := learning_search(puzzle, progress, solutions):
        learning.advance(1, 1)
    walk_through(puzzle)
    for group in find_groups(["nurikabe_ladder"]):
        group.compute(puzzle, 1, np.random.default_rng(0))
    list_steps(puzzle, effort=1)
    _follow_and_draw(puzzle)
    rng = np.random.default_rng(0)
    made = next(filter(None, (NurikabeSource((5, 5)).draw(rng) for _ in range(1000))))
    made.easier_ones(rng)


def _follow_and_draw(puzzle: Puzzle) -> None:
    """Draw a game as fill orders are drawn, and follow it as an audit does."""
    choices, solution = KINDS[puzzle.kind].choices, unique_solution(puzzle)
    coefficients = np.zeros((1, len(choices.FEATURES)))
    slips = (0.0, 0.0)
    (cells,) = choices.sample(puzzle, solution, coefficients[0], 1, np.random.default_rng(0), slips)
    row_chances(choices.replay(puzzle, solution, cells), coefficients)
    if isinstance(puzzle, Sudoku):
        cell_colours(puzzle.givens, puzzle.layout)


def _compute(*groups: str) -> None:
    for group in find_groups(groups):
        for text in (EASY, TECHNIQUES):
            group.compute(Sudoku(text), 1, np.random.default_rng(0))


TASKS: dict[str, Callable[[], None]] = {"ladder": _ladder, "search": _search}
"""What the commands need for 9x9 and for Nurikabe, which share nothing."""


def main(arguments: Sequence[str]) -> None:
    """Run tasks by name."""
    if os.environ.get("NUMBA_CPU_NAME"):  # not this machine's
        note_processor(processor())
    for name in arguments:
        TASKS[name]()


if __name__ == "__main__":
    main(sys.argv[1:])
