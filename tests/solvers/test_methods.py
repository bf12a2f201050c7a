"""Every method on a small puzzle in plain Python, which is quicker than compiling.

The thorough tests in `search` and `constraints` compile each method, and compare both.
"""

import pytest
from helpers.plain_kernels import plain_kernels

from nando.puzzles import Nurikabe, Sudoku, Variant
from nando.solvers import SOLVERS, Limit, Outcome, UnsupportedError, find_solver

PUZZLES = {
    "sudoku": Sudoku(
        "..4678912672195348198342567859761423426853791713924856961537284287419635345286..."
    ),
    "nurikabe": Nurikabe(".3../...2/..../3..."),
    "variant": Variant("...............1+killer:r2c1r3c1:5+killer:r3c2r4c2:4+diagonals"),
}
UNSOLVED = {("annealing", "nurikabe"), ("harmony", "nurikabe")}
"""Not within the limit."""
EXHAUSTIVE = {"exact", "relaxation"}
"""Search on after the first solution."""


@pytest.mark.parametrize("kind", PUZZLES)
@pytest.mark.parametrize("name", [solver.name for solver in SOLVERS])
def test_a_method_solves_a_small_puzzle(name, kind):
    puzzle, limit = PUZZLES[kind], Limit(steps=500)
    try:
        with plain_kernels():
            run, again = (find_solver(name)().run(puzzle, limit=limit, rng=1) for _ in range(2))
    except UnsupportedError:
        assert kind != ("variant" if name == "variant_race" else "sudoku")
        return
    assert run == again
    assert (run.solution is None) == ((name, kind) in UNSOLVED)
    assert run.outcome is (
        Outcome.STEP_LIMIT
        if run.solution is None
        else Outcome.EXHAUSTED
        if name in EXHAUSTIVE
        else Outcome.SOLVED
    )
    assert run.solution is None or puzzle.is_solution(run.solution)
    assert (run.trace["cell"] < puzzle.givens.size).all()
