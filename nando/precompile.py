"""Compile the kernels of a command on several cores before its first use.

In a process, numba compiles one kernel at a time. The first command of a new installation therefore
starts a process for each core, which does one task after another, and waits for them. They share
compiled kernels on disk.
"""

import gc
import os
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Collection
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np
from joblib import cpu_count

from nando.kernels import shipped
from nando.kernels.cache import file_name, roots
from nando.kernels.compile import uses_internals

TECHNIQUES = "9.5....3474....1..6.8....2....4.........9.78.8.9..74.2.....52..5......18.821.3..5"
"""A puzzle that needs many techniques."""
NURIKABE = "......8./......../.1.1...2/1......./..4.6.../......../.....2../..3.1..."
VARIANT = "..2.....2.......+killer:r1c1r1c2:5+sandwich:left2:0+greater:r3c1r3c2"


def _variant_what_ifs() -> None:
    """Compile the second half of the ladder's kernels, while another task compiles the first."""
    from nando.puzzles import Variant
    from nando.solvers.logic.finders.strong_links import find_strong_links
    from nando.solvers.logic.marks import PencilMarks
    from nando.solvers.logic.variants import what_ifs
    from nando.solvers.logic.variants.joint_steps import areas_of, find_joint
    from nando.solvers.logic.variants.layout import layout_of
    from nando.solvers.logic.variants.rule_state import new_finding
    from nando.solvers.logic.variants.variant_board import state_of

    marks = PencilMarks.of(Variant(VARIANT))
    layout, _ = layout_of(marks.puzzle)
    state, _ = state_of(marks)
    finding, trials = new_finding(layout), what_ifs.new_trials(layout, np.zeros(1, np.int64))
    find_strong_links.dispatcher.link(state.marks, layout.grid, finding, trials.step, 0, 0)
    for find in (what_ifs.find_what_if, what_ifs.find_dilemma, what_ifs.find_deep_what_if):
        find.dispatcher.link(layout, state, trials, finding, 0)
    find_joint(areas_of(marks.puzzle), state, trials, finding, 0, 0)


def _variant_impasses() -> None:
    """Compile the second half of the race's kernels, while another task compiles the first."""
    from nando.puzzles import Variant
    from nando.solvers.people.variant_impasses import new_race_state, open_easiest
    from nando.solvers.people.variant_race import board_of
    from nando.solvers.people.variant_rounds import go_round
    from nando.solvers.variants.work import new_work

    board = board_of(Variant(VARIANT))
    n_cells = board[0].n_cells
    common = board, new_work(board[0]), new_race_state(board[0])
    open_easiest.dispatcher.link(*common, np.zeros(n_cells))
    go_round.dispatcher.link(*common, common[2].starts, np.zeros(3))


def _chains() -> None:
    """Compile the second half of the ladder's kernels, while another task compiles the first."""
    from nando.puzzles import Sudoku
    from nando.solvers.logic.chains.chain import find_chain
    from nando.solvers.logic.chains.forcing import find_forcing
    from nando.solvers.logic.finders.finding import new_finding
    from nando.solvers.logic.finders.grid import sudoku_grid
    from nando.solvers.logic.finders.pencil_marks import given_state

    state, _ = given_state(Sudoku(TECHNIQUES))
    common = state, sudoku_grid(3), new_finding(3)
    find_forcing.dispatcher.link(*common, 0, 0)
    find_chain.dispatcher.link(*common, 0)


def _nurikabe_what_ifs() -> None:
    """Compile the second half of the ladder's kernels, while another task compiles the first."""
    from nando.solvers.logic.nurikabe import what_ifs

    state, finding = _nurikabe_board()
    what_ifs.find_refutation.dispatcher.link(state, finding, 0, 0)
    what_ifs.find_dilemma.dispatcher.link(state, finding, 0)
    what_ifs.find_deep_refutation.dispatcher.link(state, finding, 0)


def _nurikabe_every() -> None:
    """Compile the kernels that list every step, which finding one step does not need."""
    from nando.solvers.logic.nurikabe import what_ifs
    from nando.solvers.nurikabe.state import OPEN

    state, finding = _nurikabe_board()
    cell = int(np.flatnonzero(state.colour == OPEN)[0])
    what_ifs.refute(state, finding, cell, 0, 0, 1)
    what_ifs.settle(state, finding, cell, OPEN, 0)
    what_ifs.refute_deeply(state, finding, cell, 0)


def _nurikabe_board() -> tuple[Any, Any]:
    from nando.puzzles import Nurikabe
    from nando.solvers.logic.nurikabe.findings import new_finding
    from nando.solvers.nurikabe.state import new_state

    state = new_state(Nurikabe(NURIKABE))
    return state, new_finding(state)


def _nurikabe_making() -> None:
    from nando.generators import NurikabeCandidate, NurikabeSource

    rng = np.random.default_rng(0)
    while not isinstance(drawn := NurikabeSource((5, 5)).draw(rng), NurikabeCandidate):
        pass
    drawn.easier_ones(rng)


def _exact() -> None:
    from nando.puzzles import Sudoku
    from nando.solvers import status

    puzzle = Sudoku(TECHNIQUES)
    status(puzzle)
    puzzle.equivalence_hash()
    puzzle.equivalence_key()
    _compute("exact")


def _variant_bits() -> None:
    from nando.puzzles import Variant
    from nando.solvers import count_solutions

    count_solutions(Variant("4x4+diagonals"))


def _variant_making() -> None:
    from nando.generators import VariantSource

    VariantSource(("killer", "jigsaw"), size=4).draw(np.random.default_rng(0))


def _compile_nested() -> None:
    """Compile the chains that few puzzles need, without searching for any."""
    from nando.puzzles import Sudoku
    from nando.solvers.logic.chains.nested import find_nested_forcing
    from nando.solvers.logic.finders.finding import new_finding
    from nando.solvers.logic.finders.grid import sudoku_grid
    from nando.solvers.logic.finders.pencil_marks import given_state

    state, _ = given_state(Sudoku(TECHNIQUES))
    find_nested_forcing(state, sudoku_grid(3), new_finding(3), np.zeros(1, np.int64), 0, 0)


def _every() -> None:
    """Compile the kernel that lists every chain, which finding one step does not need."""
    from nando.puzzles import Sudoku
    from nando.solvers.logic.chains.chain import list_chains
    from nando.solvers.logic.finders.finding import new_finding
    from nando.solvers.logic.finders.grid import sudoku_grid
    from nando.solvers.logic.finders.pencil_marks import given_state

    state, _ = given_state(Sudoku(TECHNIQUES))
    list_chains(state, sudoku_grid(3), new_finding(3, 1 << 20), 0)


def _fills() -> None:
    from nando.puzzles import Sudoku
    from nando.solvers import unique_solution
    from nando.solvers.people.fills.houses import SUDOKU as choices

    puzzle = Sudoku(TECHNIQUES)
    weights, rng = np.zeros(len(choices.FEATURES)), np.random.default_rng(0)
    choices.sample(puzzle, unique_solution(puzzle), weights, 1, rng, (0.0, 0.0))


def _variant_fills() -> None:
    from nando.puzzles import Variant
    from nando.solvers import solve
    from nando.solvers.people.fills.choices import learning_chances
    from nando.solvers.people.fills.houses import VARIANT as choices

    puzzle = Variant(VARIANT)
    solution = solve(puzzle)
    assert solution is not None
    weights, rng = np.zeros(len(choices.FEATURES)), np.random.default_rng(0)
    (game,) = choices.sample(puzzle, solution, weights, 1, rng, (0.0, 0.0))
    learning_chances(choices.replay(puzzle, solution, game), weights, weights)


def _nurikabe_fills() -> None:
    """Compile the kernels of fills without those of the ladder, which is a task of its own."""
    from nando.puzzles import Nurikabe
    from nando.solvers.people.fills import nurikabe as choices
    from nando.solvers.people.fills.choices import new_sample

    puzzle = Nurikabe(NURIKABE)
    zeros = np.zeros(puzzle.n_cells)
    board = choices.board_of_walk(puzzle, zeros.astype(np.int8), zeros, zeros)
    weights, rng = np.zeros(len(choices.FEATURES)), np.random.default_rng(0)
    choices._sample(board, weights, (0.0, 0.0), rng, new_sample(puzzle, 1))


def _making() -> None:
    from nando.generators import SudokuSource, generate
    from nando.puzzles import Sudoku
    from nando.solvers.people.sketch import Sketcher

    list(generate(SudokuSource(), 1))
    # Writable like the arrays of a search: numba compiles read-only arrays separately.
    Sketcher().play(np.array([Sudoku(TECHNIQUES).givens]), 1)


def _check(puzzle: str) -> None:
    from nando.puzzles import read_puzzle
    from nando.solvers import status

    status(read_puzzle(puzzle))


def _compute(*groups: str, puzzle: str = TECHNIQUES) -> None:
    from nando.features.groups import find_groups
    from nando.puzzles import read_puzzle

    for group in find_groups(groups):
        group.rows([read_puzzle(puzzle)], 1, [np.random.default_rng(0)])


class Task(NamedTuple):
    """Kernels that are compiled together.

    Attributes
    ----------
    run : callable
    kernel : str
        Module and name of a kernel that is compiled last and that Python calls.
    linked : str
        Module and name of the kernel that a task of linked kernels compiles last.
    """

    run: Callable[[], None]
    kernel: str
    linked: str = ""

    @property
    def is_done(self) -> bool:
        """True if one of the kernels is on disk."""
        return _is_on_disk(self.kernel, "python") or (
            self.linked != "" and _is_on_disk(self.linked, "linked")
        )


def _is_on_disk(kernel: str, side: str) -> bool:
    module, name = kernel.split(":")
    compiled = getattr(import_module(module), name)
    files = f"{file_name(compiled.py_func, side, compiled.options)}.*"
    return any(any((root / module).glob(files)) for root in (*roots(), shipped.FOLDER))


TASKS = {
    "sudoku": {
        "ladder": Task(
            partial(_compute, "techniques"),
            "nando.solvers.logic.chains.house_ladder:_rate_or_find",
        ),
        "chains": Task(
            _chains,
            "nando.solvers.logic.chains.house_ladder:_rate_or_find",
            linked="nando.solvers.logic.chains.chain:find_chain",
        ),
        "making": Task(_making, "nando.solvers.people.sketch:_play"),
        "people": Task(
            partial(_compute, "technique_race", "digit_sweep"),
            "nando.solvers.people.digit_sweep:sweep_all",
        ),
        "fills": Task(_fills, "nando.solvers.people.fills.houses:draw_sudoku"),
        "nested": Task(_compile_nested, "nando.solvers.logic.chains.nested:find_nested_forcing"),
        "every": Task(_every, "nando.solvers.logic.chains.chain:list_chains"),
        "exact": Task(_exact, "nando.puzzles.sudoku.minlex:_search_all"),
    },
    "nurikabe": {
        "ladder": Task(
            partial(_compute, "nurikabe_ladder", puzzle=NURIKABE),
            "nando.solvers.logic.nurikabe.rungs:_climb_or_find",
        ),
        "chains": Task(
            _nurikabe_what_ifs,
            "nando.solvers.logic.nurikabe.rungs:_climb_or_find",
            linked="nando.solvers.logic.nurikabe.what_ifs:find_deep_refutation",
        ),
        "making": Task(_nurikabe_making, "nando.generators.nurikabe_board:approach"),
        "exact": Task(
            partial(_check, NURIKABE), "nando.solvers.exact.nurikabe.probing:advance_nurikabe"
        ),
        "people": Task(
            partial(_compute, "nurikabe_refutation", puzzle=NURIKABE),
            "nando.solvers.people.nurikabe_refutation:_colour_often",
        ),
        "fills": Task(_nurikabe_fills, "nando.solvers.people.fills.nurikabe:_sample"),
        "every": Task(_nurikabe_every, "nando.solvers.logic.nurikabe.what_ifs:refute"),
    },
    "variant": {
        "ladder": Task(
            partial(_compute, "variant_ladder", puzzle=VARIANT),
            "nando.solvers.logic.variants.rule_ladder:_climb_or_find",
        ),
        "chains": Task(
            _variant_what_ifs,
            "nando.solvers.logic.variants.rule_ladder:_climb_or_find",
            linked="nando.solvers.logic.variants.what_ifs:find_deep_what_if",
        ),
        "exact": Task(partial(_check, VARIANT), "nando.solvers.exact.variants:advance_variant"),
        "impasses": Task(
            _variant_impasses,
            "nando.solvers.people.variant_race:race_variant",
            linked="nando.solvers.people.variant_rounds:go_round",
        ),
        "people": Task(
            partial(_compute, "variant_race", puzzle=VARIANT),
            "nando.solvers.people.variant_race:race_variant",
        ),
        "bits": Task(_variant_bits, "nando.solvers.exact.variant_bits:advance_bits"),
        "making": Task(_variant_making, "nando.generators.variants.switches:best_unit"),
        "fills": Task(_variant_fills, "nando.solvers.people.fills.houses:draw_variant"),
    },
}
"""Tasks by kind of puzzle and name, in the order in which they start."""


def compile_together(kind: str, names: Collection[str]) -> None:
    """Compile the tasks of a kind that are not on disk, in a process for each core.

    On a single core, do nothing. A task that fails is ignored: its kernels are compiled when they
    are called.
    """
    _run_together([(kind, name) for name in TASKS[kind] if name in names])


def compile_everything() -> None:
    """Compile the tasks of all kinds as `compile_together` does."""
    _run_together([(kind, name) for kind, tasks in TASKS.items() for name in tasks])


def _run_together(tasks: list[tuple[str, str]]) -> None:
    left = deque((kind, name) for kind, name in tasks if not TASKS[kind][name].is_done)
    n_processes = min(cpu_count(), len(left))
    if n_processes < 2 or not uses_internals():
        return
    with ThreadPoolExecutor(n_processes) as pool:
        list(pool.map(_run_apart, [left] * n_processes))


def _run_apart(tasks: deque[tuple[str, str]]) -> None:
    """Run tasks in a new process, one after another, until none is left.

    A process for each task would import numba, and compile what numba does not cache, once per
    task.
    """
    # Not -m, which would prefer a package in the working folder to this package.
    program = f"import sys; sys.path[:] = {sys.path!r}; from nando.precompile import _run; _run()"
    with (
        suppress(OSError),
        subprocess.Popen(
            [sys.executable, "-c", program],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        ) as process,
    ):
        assert process.stdin is not None
        assert process.stdout is not None
        with suppress(IndexError):  # another process took the last task
            done = "start"
            while done:  # empty if the process ended
                print(*tasks.popleft(), file=process.stdin, flush=True)
                done = process.stdout.readline()


def _run() -> None:
    """Run the tasks that standard input names, print a line after each, and end the process.

    The process ends soon, so it neither collects garbage nor frees its objects one by one.
    """
    gc.disable()
    for line in sys.stdin:
        kind, name = line.split()
        with suppress(Exception):
            TASKS[kind][name].run()
        print(flush=True)
    os._exit(0)
