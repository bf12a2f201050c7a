"""The learning search for Nurikabe against all colourings of small boards, clause by clause."""

from contextlib import nullcontext

import numpy as np
import pytest
from helpers.oracles.nurikabe_islands import drawn_puzzle, groups, solutions
from helpers.plain_kernels import plain_kernels
from helpers.samples.nurikabe_boards import GUESSED, LOOSE

from nando.puzzles.nurikabe import WHITE
from nando.solvers.exact import conflicts
from nando.solvers.exact.bands import DEPTH, FOUND
from nando.solvers.exact.clauses import LENGTH, LITERALS, N_LEARNED, new_clauses
from nando.solvers.exact.conflicts import luby, new_choice, next_decision
from nando.solvers.exact.nurikabe import search
from nando.solvers.exact.nurikabe.ownership import new_variables
from nando.solvers.exact.nurikabe.search import (
    NurikabeSearch,
    assign_all,
    learning_search,
    propagate,
)
from nando.solvers.exact.search import unique_solution
from nando.solvers.exact.trail import LEVEL, N_CONFLICT, N_SET, decide, go_back, new_trail

pytestmark = pytest.mark.thorough

NO_BOUND = 1 << 62


def learned(puzzle, limit=NO_BOUND, most_guesses=NO_BOUND):
    found = learning_search(puzzle, np.zeros(3, np.int64), np.zeros((2, puzzle.n_cells), np.int8))
    found.advance(limit, most_guesses)
    return found


def truth(puzzle, named, islands):
    """Return which literals are true in a solution with these islands."""
    numbers = np.flatnonzero(puzzle.numbers).tolist()
    owner = {}
    for island in islands:
        cells = [r * puzzle.shape[1] + c for r, c in island]
        (number,) = [cell for cell in cells if cell in numbers]
        owner.update(dict.fromkeys(cells, numbers.index(number)))
    true = np.zeros(2 * named.cell.size, bool)
    for variable, (cell, island) in enumerate(
        zip(named.cell.tolist(), named.island.tolist(), strict=True)
    ):
        holds = cell in owner if island < 0 else owner.get(cell) == island
        true[2 * variable + (not holds)] = True
    # Every white cell has a variable for its owner.
    assert true[2 * puzzle.n_cells :: 2].sum() == len(owner)
    return true


@pytest.mark.parametrize("shape", [(3, 3), (2, 6), (4, 4)], ids=str)
def test_every_explanation_holds_in_every_solution(shape):
    """After random decisions, every consequence and its explanation hold in all solutions."""
    rng = np.random.default_rng(3)
    n_reasons = n_conflicts = 0
    for _ in range(120):
        puzzle = drawn_puzzle(shape, rng)
        named = new_variables(puzzle, 10_000)
        true = [truth(puzzle, named, islands) for islands in solutions(puzzle)]
        state = new_trail(named.cell.size, 100_000, named.start.size)
        none = new_clauses(named.cell.size, 100)
        assign_all(named, state, 2 * named.start[:-1])
        alive = propagate(named, state, none)
        assert alive or not true, puzzle
        for at in true:
            assert at[state.trail[: state.counts[N_SET]]].all(), puzzle
        while alive and (left := np.flatnonzero(state.value[::2] == 0)).size:
            decide(state, 2 * rng.choice(left) + rng.integers(2))
            alive = propagate(named, state, none)
        for literal in state.trail[: state.counts[N_SET]].tolist():
            place = int(state.reason[literal >> 1])
            if place > 0 and state.level[literal >> 1] > 0:
                others = state.why[place : place + state.why[place - 1]]
                n_reasons += 1
                assert (state.value[others] < 0).all()
                assert all(at[literal] or at[others].any() for at in true), puzzle
        if not alive:
            clause = state.conflict[: state.counts[N_CONFLICT]]
            n_conflicts += 1
            assert (state.value[clause] < 0).all()
            assert all(at[clause].any() for at in true), puzzle
        else:
            values = np.where(state.value[: 2 * puzzle.n_cells : 2] > 0, WHITE, 3 - WHITE)
            assert puzzle.is_solution(values), puzzle
    assert n_reasons > 300
    assert n_conflicts > 20


def test_learned_clauses_hold_in_the_solution():
    rng = np.random.default_rng(4)
    n_clauses = 0
    for _ in range(30):
        puzzle = GUESSED.shuffled(rng)
        values = unique_solution(puzzle).reshape(puzzle.shape)
        islands = groups(zip(*np.nonzero(values == WHITE), strict=True))
        found = learned(puzzle, limit=1)
        assert found.progress[FOUND] == 1
        true = truth(puzzle, found._variables, islands)
        store = found._clauses.store
        at = 0
        # The last clause excludes the solution found.
        for _ in range(found._clauses.counts[N_LEARNED] - 1):
            assert true[store[at + LITERALS : at + LITERALS + store[at + LENGTH]]].any()
            at += LITERALS + store[at + LENGTH]
            n_clauses += 1
    assert n_clauses > 30


def test_going_back_leaves_nothing():
    named = new_variables(LOOSE, 10_000)
    state = new_trail(named.cell.size, 100_000, named.start.size)
    none = new_clauses(named.cell.size, 100)
    assign_all(named, state, 2 * named.start[:-1])
    assert propagate(named, state, none)
    before = [array.copy() for array in (state.value, state.counts[: LEVEL + 2])]
    for literal in range(2 * LOOSE.n_cells):
        if state.value[literal] == 0:
            decide(state, literal)
            propagate(named, state, none)
            go_back(state, 0)
            assert np.array_equal(state.value, before[0])
            assert np.array_equal(state.counts[: LEVEL + 2], before[1])


def test_room_grows_restarts_come_and_clauses_go(monkeypatch):
    for changed in ({"_ROOM": 40}, {"_RESTART": 1}, {"_RESTART": 1, "_KEPT": 1}):
        with monkeypatch.context() as patch:
            for name, value in changed.items():
                patch.setattr(search, name, value)
            # Kernels that read changed constants run as plain Python.
            with nullcontext() if "_ROOM" in changed else plain_kernels(search):
                assert learned(LOOSE).progress[FOUND] == 134
                assert learned(GUESSED).progress[FOUND] == 1


def test_luby():
    assert [luby(i) for i in range(15)] == [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]


def test_choice_takes_the_greatest_weight():
    rng = np.random.default_rng(0)
    heap = new_choice(40)
    open_trail = new_trail(40, 100)
    for variable in rng.integers(0, 40, 400).tolist():
        conflicts.bump(heap, variable)
    order = [next_decision(open_trail, heap) >> 1 for _ in range(40)]
    assert sorted(order) == list(range(40))
    assert (np.diff(heap.weight[order]) <= 0).all()
    assert next_decision(open_trail, heap) == -1
    for variable in (7, 7, 3):
        conflicts.insert(heap, variable)
    assert {next_decision(open_trail, heap) >> 1 for _ in range(2)} == {3, 7}


# From one search to the other


@pytest.mark.parametrize("probes", [0, 40, 150])
def test_counts_do_not_depend_on_when_learning_begins(probes, monkeypatch):
    monkeypatch.setattr(search, "_PROBES", probes)
    rng = np.random.default_rng(5)
    n_learned = n_after_a_solution = 0
    for _ in range(150):
        puzzle = drawn_puzzle((4, 4), rng)
        found = NurikabeSearch(puzzle)
        found.advance(NO_BOUND, NO_BOUND)
        wanted = solutions(puzzle)
        assert found.progress[DEPTH] == -1
        assert found.progress[FOUND] == len(wanted), puzzle
        if len(wanted) > 1:
            assert not np.array_equal(*found.solutions), puzzle
        for values in found.solutions[: len(wanted)]:
            assert puzzle.is_solution(values)
        n_learned += found._learning is not None
        n_after_a_solution += found._learning is not None and len(wanted) > 1
    assert n_learned > 10
    assert n_after_a_solution > 5


def test_boards_without_room_are_probed_on(monkeypatch):
    monkeypatch.setattr(search, "_PROBES", 50)
    monkeypatch.setattr(search, "_MOST_VARIABLES", 42)
    assert new_variables(LOOSE, 42) is None
    assert new_variables(LOOSE, 43) is not None
    found = NurikabeSearch(LOOSE)
    found.advance(NO_BOUND, NO_BOUND)
    assert found._learning is None
    assert found.progress[FOUND] == 134
