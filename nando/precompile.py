"""Compile the kernels of a command on several cores before its first use.

In a process, numba compiles one kernel at a time. The first command of a new installation therefore
does a little of the work that needs each group of kernels, in a process for each core, and waits
for them. They share compiled kernels on disk.
"""

from collections.abc import Callable, Collection
from contextlib import suppress
from functools import partial

import numpy as np
from joblib import Parallel, cpu_count, delayed
from joblib.externals.loky import get_reusable_executor

from nando import games, generators, puzzles, solvers
from nando.kernels.compile import uses_internals
from nando.solvers import logic
from nando.solvers.logic.kernel_numbers import DEEP_WHAT_IF, JOINT, NESTED_FORCING, SPLIT

TECHNIQUES = "9.5....3474....1..6.8....2....4.........9.78.8.9..74.2.....52..5......18.821.3..5"
"""A puzzle that needs many techniques."""
NURIKABE = "......8./......../.1.1...2/1......./..4.6.../......../.....2../..3.1..."
VARIANT = "..2.....2.......+killer:r1c1r1c2:5+sandwich:left2:0+greater:r3c1r3c2"

NEEDED = "4x4+thermometer:r3c4r2c4r2c3r3c2"
"""A puzzle with a step of a rule that relies on another step."""


def _compute(puzzle: str, *groups: str) -> None:
    from nando.features.groups import find_groups

    for group in find_groups(groups):
        group.rows([puzzles.read_puzzle(puzzle)], 1, [np.random.default_rng(0)])


def _check(*texts: str) -> None:
    for text in texts:
        solvers.status(puzzles.read_puzzle(text))


def _classify(puzzle: str) -> None:
    puzzles.read_puzzle(puzzle).equivalence_key()


def _compare(puzzle: str) -> None:
    puzzles.read_puzzle(puzzle).equivalence_hash()


def _fill(puzzle: str) -> None:
    read = puzzles.read_puzzle(puzzle)
    games.load_fill_order(kind=read.kind).expected_order(read, runs=1)


def _make() -> None:
    from nando.solvers.people.sketch import Sketcher

    list(generators.generate(generators.SudokuSource(), 1))
    # Writable like the arrays of a search: numba compiles read-only arrays separately.
    Sketcher().play(np.array([puzzles.Sudoku(TECHNIQUES).givens]), 1)


def _make_nurikabe() -> None:
    rng = np.random.default_rng(0)
    while not isinstance(
        drawn := generators.NurikabeSource((5, 5)).draw(rng), generators.NurikabeCandidate
    ):
        pass
    drawn.easier_ones(rng)


def _make_variant() -> None:
    generators.VariantSource(("killer", "jigsaw"), size=4).draw(np.random.default_rng(0))


def _rate() -> None:
    solvers.LogicSolver(logic.SUKAKU_EXPLAINER).rate_many([puzzles.Sudoku(TECHNIQUES)])


def _chain() -> None:
    """Compile the second half of the ladder, while another task compiles the first."""
    from nando.solvers.logic.chains.chain import find_chain
    from nando.solvers.logic.chains.forcing import find_forcing
    from nando.solvers.logic.finders.finding import new_finding
    from nando.solvers.logic.finders.grid import sudoku_grid
    from nando.solvers.logic.finders.pencil_marks import given_state

    state, _ = given_state(puzzles.Sudoku(TECHNIQUES))
    common = state, sudoku_grid(3), new_finding(3)
    find_forcing.dispatcher.link(*common, 0, 0)
    find_chain.dispatcher.link(*common, 0)


def _list(puzzle: str, *searches: int) -> None:
    """Compile searches that few puzzles need; numba compiles each by itself."""
    read = puzzles.read_puzzle(puzzle)
    ladder = [each for each in solvers.LogicSolver().rungs_for(read) if each.kernel in searches]
    logic.list_steps(read, ladder, effort=1)


TASKS: dict[str, dict[str, Callable[[], None]]] = {
    "sudoku": {
        "ladder": _rate,
        "chains": _chain,
        "making": _make,
        "searches": partial(_list, TECHNIQUES, NESTED_FORCING),
        "people": partial(_compute, TECHNIQUES, "technique_race", "digit_sweep"),
        "fills": partial(_fill, TECHNIQUES),
        "exact": partial(_check, TECHNIQUES),
        "classes": partial(_classify, TECHNIQUES),
        "alike": partial(_compare, TECHNIQUES),
    },
    "nurikabe": {
        "ladder": partial(_compute, NURIKABE, "nurikabe_ladder"),
        "making": _make_nurikabe,
        "exact": partial(_check, NURIKABE),
        "people": partial(_compute, NURIKABE, "nurikabe_refutation"),
        "fills": partial(_fill, NURIKABE),
    },
    "variant": {
        "ladder": partial(_compute, VARIANT, "variant_ladder"),
        "people": partial(_compute, VARIANT, "variant_race"),
        "searches": partial(_list, NEEDED, JOINT, SPLIT, DEEP_WHAT_IF),
        "exact": partial(_check, VARIANT, "4x4+diagonals"),
        "making": _make_variant,
        "fills": partial(_fill, VARIANT),
    },
}
"""Work by kind of puzzle and name, the longest first."""


def compile_together(kind: str, names: Collection[str]) -> None:
    """Do the named tasks of a kind, in a process for each core.

    On a single core, do nothing. A task that fails is ignored: its kernels are compiled when they
    are called.
    """
    _run_together([task for name, task in TASKS[kind].items() if name in names])


def compile_everything() -> None:
    """Do the tasks of all kinds as `compile_together` does."""
    _run_together([task for tasks in TASKS.values() for task in tasks.values()])


def _run_together(tasks: Collection[Callable[[], None]]) -> None:
    n_processes = min(cpu_count(), len(tasks))
    if n_processes > 1 and uses_internals():
        # Where no process can be started, kernels are compiled when they are called.
        with suppress(Exception):
            work = Parallel(n_processes, batch_size=1, pre_dispatch="all")
            work(delayed(_run)(task) for task in tasks)
            get_reusable_executor().shutdown()


def _run(task: Callable[[], None]) -> None:
    with suppress(Exception):
        task()
