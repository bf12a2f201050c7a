"""Whatever is done again and again, memory stays flat and no reference is left to what was passed.

The quick tests count what compiled code holds: an array or a generator that it never drops shows
after one call. The slow ones make thousands of calls, and measure the memory of the process.
"""

import ctypes
import gc
import io
import itertools
import os
import sys
from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np
import pytest
from helpers.samples.sudokus import ESCARGOT, LINE, SIXTEEN

import nando
from nando.books import Book
from nando.books.pdf import write_book
from nando.features import GROUPS, FeatureExtractor, kinds_of
from nando.games import Game, load_auditor, load_fill_order
from nando.generators import Record
from nando.play import PlayedPuzzle, play_html
from nando.puzzles import Nurikabe, Sudoku, Variant
from nando.solvers import SOLVERS, Limit, UnsupportedError, unique_solution
from nando.solvers.singles import shared_given_state
from nando.solvers.variants.network import network_of

STATM = "/proc/self/statm"
PARTS = 12
"""Calls are made in at most so many parts: a leak adds to each of them, a cache to some."""


def resident():
    """Return the bytes of memory in use after garbage is collected and free memory returned."""
    gc.collect()
    with suppress(OSError, AttributeError):  # only the C library of GNU has it
        ctypes.CDLL(None).malloc_trim(0)
    with open(STATM) as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def growth(run, n_calls, largest):
    """Return the bytes that a call adds, the least of several parts; stop below `largest`."""
    least = float("inf")
    before = resident()
    for _ in range(PARTS):
        for _ in range(n_calls):
            run()
        after = resident()
        least = min(least, (after - before) / n_calls)
        if least < largest:
            break
        before = after
    return least


class Allocations:
    """A counter of the arrays and generators that compiled code refers to."""

    def __init__(self):
        from numba.core.runtime import _nrt_python as runtime

        self._runtime = runtime

    def __enter__(self):
        self._runtime.memsys_enable_stats()
        return self

    def __exit__(self, *_):
        self._runtime.memsys_disable_stats()

    def held(self):
        """Return the current number of references without those of caches."""
        empty_caches()
        return self._runtime.memsys_get_stats_mi_alloc() - self._runtime.memsys_get_stats_mi_free()


def empty_caches():
    """Empty the caches that keep the last results."""
    for name, module in list(sys.modules.items()):
        if name.startswith("nando."):
            for value in list(vars(module).values()):
                if getattr(value, "cache_parameters", dict)().get("maxsize"):
                    value.cache_clear()


def references(values):
    """Return the number of references to each value."""
    return [sys.getrefcount(value) for value in values]


def arrays_in(value):
    """Return the arrays in a puzzle or in nested tuples."""
    if isinstance(value, np.ndarray):
        return [value]
    if isinstance(value, tuple):
        return [array for element in value for array in arrays_in(element)]
    return [
        array for array in getattr(value, "__dict__", {}).values() for array in arrays_in(array)
    ]


EASY = Sudoku(LINE)
NURIKABE = Nurikabe("...../3..1./.1.../...../.4...")
VARIANT = Variant(
    ".......7....5.4................36.............7.4.......2......4.....9......8.36."
    "+diagonals+killer:r1c1r1c2r2c1:11+killer:r5c5r5c6r6c5r6c6:22+sandwich:left5:24"
    "+greater:r5c1r5c2+thermometer:r9c6r9c7r9c8"
)
"""A constraint of each kind."""
CHAINS = Variant(
    "..43...6............27....3.....8..6...................1....2..35.....9.....9....+anti-knight"
)
STEPS = Limit(steps=300)
LARGEST = 1_000
"""Bytes a call."""
N_PUZZLES = 300
"""More than any cache keeps."""
CHEAP, DEAR, DEAREST = 1_000, 200, 40
"""Calls in each part of the measurement."""


class Work(NamedTuple):
    """An operation that is repeated.

    Attributes
    ----------
    run : callable
        Takes a puzzle.
    puzzle : Puzzle
        Argument of the first call; later calls may take an equivalent one.
    n_calls : int
    passed : tuple
        Further arguments of each call, for example a generator.
    """

    run: Any
    puzzle: Any
    n_calls: int = CHEAP
    passed: Any = ()


def solver_work(solver, puzzle):
    rng = np.random.default_rng(0)
    return Work(
        lambda puzzle: solver().run(puzzle, limit=STEPS, rng=rng),
        puzzle,
        passed=(rng, rng.bit_generator),
    )


def group_work(*names):
    extractor = FeatureExtractor(names, runs=1) if names else FeatureExtractor(runs=1)
    kind = kinds_of(names)[0] if names else ESCARGOT.kind
    puzzle = next(puzzle for puzzle in (ESCARGOT, NURIKABE, VARIANT) if puzzle.kind == kind)
    return Work(lambda puzzle: extractor.table([puzzle]), puzzle, DEAR)


def generate_work(n_calls, **wanted):
    seeds = itertools.count()
    return Work(lambda _: nando.generate(count=1, seed=next(seeds), **wanted), None, n_calls)


def order_work(puzzle):
    model, rng = load_fill_order(None, puzzle.kind), np.random.default_rng(0)
    passed = (rng, rng.bit_generator)
    return Work(lambda puzzle: model.expected_order(puzzle, runs=2, rng=rng), puzzle, DEAR, passed)


def audit_work():
    auditor = load_auditor()

    def run(puzzle):
        solution = unique_solution(puzzle)
        blanks = np.flatnonzero(puzzle.givens == 0).tolist()
        moves = [(1_000 * i, cell, int(solution[cell])) for i, cell in enumerate(blanks)]
        auditor.audit([Game.from_moves(puzzle, moves)], n_jobs=1)

    return Work(run, EASY, DEAREST)


def large():
    return SIXTEEN


def record_of(puzzle):
    return Record(puzzle, puzzle.solution_text(unique_solution(puzzle)))


def book_work():
    return Work(
        lambda puzzle: write_book(Book.from_records([record_of(puzzle)]).layout, io.BytesIO()),
        EASY,
        DEAREST,
    )


def page_work():
    return Work(lambda puzzle: play_html([PlayedPuzzle(record_of(puzzle))]), EASY, DEAR)


METHODS = {
    **{
        f"{solver.name} on {puzzle.kind}": lambda solver=solver, puzzle=puzzle: solver_work(
            solver, puzzle
        )
        for solver in SOLVERS
        for puzzle in (ESCARGOT, NURIKABE)
    },
    **{f"features {name}": lambda name=name: group_work(name) for name in GROUPS},
}
WORKS = {
    "default features": group_work,
    "rate sudoku": lambda: Work(nando.rate, ESCARGOT),
    "rate nurikabe": lambda: Work(nando.rate, NURIKABE),
    "solve sudoku": lambda: Work(nando.solve, ESCARGOT),
    "solve nurikabe": lambda: Work(nando.solve, NURIKABE),
    "solve a variant": lambda: Work(nando.solve, VARIANT, DEAR),
    "explain sudoku": lambda: Work(nando.explain, EASY, DEAR),
    "explain a hard sudoku": lambda: Work(nando.explain, ESCARGOT, DEAREST),
    "explain a variant": lambda: Work(nando.explain, VARIANT, DEAREST),
    "explain chains of a variant": lambda: Work(nando.explain, CHAINS, DEAREST),
    "rate a variant": lambda: Work(nando.rate, VARIANT, DEAREST),
    "explain nurikabe": lambda: Work(nando.explain, NURIKABE, DEAR),
    "canonical form of 9x9": lambda: Work(Sudoku.equivalence_key, ESCARGOT),
    "canonical form of 16x16": lambda: Work(Sudoku.equivalence_key, large(), DEAR),
    "generate sudoku": lambda: generate_work(CHEAP),
    "generate sudoku to a time": lambda: generate_work(DEAREST, minutes=8),
    "generate 16x16": lambda: generate_work(DEAREST, order=4),
    "generate nurikabe": lambda: generate_work(DEAR, kind="nurikabe", size=5),
    "generate nurikabe to a time": lambda: generate_work(
        DEAREST, kind="nurikabe", size=5, minutes=1
    ),
    "order on sudoku": lambda: order_work(ESCARGOT),
    "order on nurikabe": lambda: order_work(NURIKABE),
    "audit": audit_work,
    "book": book_work,
    "play page": page_work,
}

LONG = (
    "explain a hard sudoku",
    "explain a variant",
    "explain chains of a variant",
    "rate a variant",
    "generate 16x16",
)
"""Works that take long, or whose kernels take long to compile."""


@pytest.fixture
def work(request):
    """Return the operation of this name after two runs, which create what is cached."""
    work = (METHODS | WORKS)[request.param]()
    try:
        for _ in range(2):
            work.run(work.puzzle)
    except UnsupportedError as error:
        pytest.skip(str(error))
    return work


@pytest.mark.parametrize(
    "work",
    [
        *(name for name in WORKS if name not in LONG),
        *(pytest.param(name, marks=pytest.mark.thorough) for name in (*LONG, *METHODS)),
    ],
    indirect=True,
)
def test_no_reference_is_kept(work):
    shared = arrays_in(work.puzzle)
    if isinstance(work.puzzle, Sudoku):
        shared += arrays_in((work.puzzle.layout, shared_given_state(work.puzzle)))
    if isinstance(work.puzzle, Variant):
        shared += arrays_in(network_of(work.puzzle)[0])
    passed = [*work.passed, *shared]
    with Allocations() as allocations:
        held, before = allocations.held(), references(passed)
        work.run(work.puzzle)
        if allocations.held() != held:
            gc.collect()
        assert allocations.held() == held
        assert references(passed) == before


@pytest.mark.slow
@pytest.mark.skipif(not os.path.exists(STATM), reason="only Linux has /proc/self/statm")
@pytest.mark.parametrize("work", METHODS | WORKS, indirect=True)
def test_memory_stays_flat(work):
    rng = np.random.default_rng(0)
    puzzles = [work.puzzle.shuffled(rng) if work.puzzle else None for _ in range(N_PUZZLES)]
    turns = itertools.cycle(puzzles)
    for _ in range(min(work.n_calls, N_PUZZLES)):  # caches fill
        work.run(next(turns))
    assert growth(lambda: work.run(next(turns)), work.n_calls, LARGEST) < LARGEST


@pytest.mark.thorough
def test_a_leak_is_seen():
    # What the process has freed before can hold a megabyte or so of what leaks.
    kept = []
    assert growth(lambda: kept.append(bytearray(20_000)), 500, LARGEST) > LARGEST
    assert growth(lambda: bytearray(20_000), 500, LARGEST) < LARGEST
