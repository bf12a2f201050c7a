"""Constraint relaxation on Nurikabe: some of the numbers become unknown.

Pelanek 2014 relaxes Nurikabe too, but does not say which constraints. Here the constraints are the
sizes of the islands. A relaxed number still belongs to one island, but the size of this island is
unknown. The relaxed puzzle is a Nurikabe, and the exact search counts its solutions.
"""

import numpy as np
from numpy.typing import NDArray

from nando.puzzles import Values
from nando.puzzles.nurikabe import Nurikabe
from nando.puzzles.nurikabe_text import UNKNOWN
from nando.solvers.constraints.relaxation import Relaxation, Samples
from nando.solvers.exact.bands import DEPTH, FOUND, GUESSES
from nando.solvers.exact.nurikabe.probing import ProbingSearch
from nando.solvers.exact.search import unique_solution
from nando.solvers.protocol import Limit
from nando.solvers.repeated import Budget

_CHUNK = 1_000
"""Guesses between two checks of the clock."""


def relax_numbers(
    puzzle: Nurikabe, solver: Relaxation, runs: int, rng: np.random.Generator, limit: Limit
) -> Samples:
    """Count the solutions of samples with numbers made unknown; a limit holds for each."""
    solution = unique_solution(puzzle)
    counts = np.zeros((runs, 3), np.int64)
    fixed = np.zeros(len(solution))
    for row in counts:
        relaxed_puzzle = relaxed(puzzle, solver.relaxed_share, rng)
        row[:], same = count_relaxed(relaxed_puzzle, solution, solver.cap, limit)
        fixed += same
    return Samples(solution, counts, fixed)


def relaxed(puzzle: Nurikabe, share: float, rng: np.random.Generator) -> Nurikabe:
    """Return the puzzle with a share of its known numbers, at least one, made unknown."""
    known = np.flatnonzero(puzzle.numbers > 0)
    n_relaxed = min(max(round(share * len(known)), int(share > 0)), len(known))
    numbers = puzzle.numbers.copy()
    numbers[rng.choice(known, n_relaxed, replace=False)] = UNKNOWN
    return Nurikabe.from_numbers(numbers.reshape(puzzle.shape))


def count_relaxed(
    puzzle: Nurikabe, solution: Values, cap: int, limit: Limit
) -> tuple[tuple[int, int, bool], NDArray[np.bool_]]:
    """Count the solutions of a relaxed puzzle, up to a cap and a limit.

    Return a tuple of the number of solutions, the number of guesses, and True if all solutions were
    found; and an array with True for each cell whose value never differs from `solution`.
    """
    search = ProbingSearch(puzzle)
    budget = Budget(limit)
    fixed = np.ones(puzzle.n_cells, np.bool_)
    n_found = 0
    while n_found < cap and search.progress[DEPTH] >= 0:
        guesses = int(search.progress[GUESSES])
        if guesses >= budget.most or budget.late:
            break
        # The search keeps only its first solutions, so each new one is stored as the first.
        search.progress[FOUND] = 0
        search.advance(1, budget.pause(guesses, _CHUNK))
        if search.progress[FOUND]:
            n_found += 1
            fixed &= search.solutions[0] == solution
    # The puzzle's own solution counts even if the limit came before it.
    counted = max(n_found, 1), int(search.progress[GUESSES]), bool(search.progress[DEPTH] < 0)
    return counted, fixed
