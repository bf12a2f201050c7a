"""The thesis's solvers, refutation and relaxation on Nurikabe, against slow oracles."""

import numpy as np
import pytest
from helpers.oracles.nurikabe_islands import solutions
from helpers.samples.nurikabe_boards import GUESSED

from nando import solvers
from nando.puzzles import Nurikabe
from nando.puzzles.nurikabe import BLACK, WHITE
from nando.solvers.constraints import nurikabe_islands as islands
from nando.solvers.constraints.relaxation import count_relaxed, hide_numbers
from nando.solvers.nurikabe import local
from nando.solvers.nurikabe.cost import cost_of, new_board
from nando.solvers.nurikabe.state import N_SET, colour_cell, new_state, take_back, walled_cells
from nando.solvers.people import refutation
from nando.solvers.protocol import N_ROWS
from nando.solvers.search import annealing as annealing
from nando.solvers.search import harmony
from nando.solvers.search.harmony import new_memory

pytestmark = pytest.mark.thorough

EASY = Nurikabe(".3../...2/..../3...")
KNOWN = Nurikabe("....4./..3.../4...../....../....../3..2..")


def plain(kernel):
    return kernel.py_func


def parts(puzzle, values, colour):
    """Return the connected groups of a colour as sets of (row, column)."""
    shape = puzzle.shape
    left = {
        cell for cell in np.ndindex(*shape) if values[np.ravel_multi_index(cell, shape)] == colour
    }
    found = []
    while left:
        group = [left.pop()]
        for row, column in group:
            near = {(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)}
            near &= left
            left -= near
            group += near
        found.append(set(group))
    return found


def slow_cost(puzzle, values):
    """Compute the four parts of the cost and the white cells on no island, from the rules."""
    numbers = puzzle.numbers.reshape(puzzle.shape)
    cost = stray = 0
    for part in parts(puzzle, values, WHITE):
        own = [int(numbers[cell]) for cell in part if numbers[cell]]
        cost += sum(abs(len(part) - number) for number in own if number > 0)
        cost += len(own) * (len(own) - 1) // 2
        stray += len(part) * (not own)
    cost += max(len(parts(puzzle, values, BLACK)) - 1, 0)
    black = np.asarray(values).reshape(puzzle.shape) == BLACK
    cost += int((black[1:, 1:] & black[1:, :-1] & black[:-1, 1:] & black[:-1, :-1]).sum())
    return cost, stray


# The cost


@pytest.mark.parametrize("puzzle", [EASY, GUESSED, KNOWN, Nurikabe("3...."), Nurikabe("2/./?")])
def test_cost_is_that_of_the_rules(puzzle):
    rng = np.random.default_rng(0)
    board = new_board(puzzle)
    for share in rng.random(100):
        values = np.where(rng.random(puzzle.n_cells) < share, WHITE, BLACK).astype(np.int8)
        values[puzzle.givens > 0] = WHITE
        wanted = slow_cost(puzzle, values)
        board.colour[board.cells] = values
        assert tuple(cost_of(board)) == tuple(plain(cost_of)(board)) == wanted


def test_without_stray_cells_cost_0_is_a_solution_and_no_other():
    puzzle = Nurikabe("1../..3/...")
    free = np.flatnonzero(puzzle.givens == 0)
    n_false = 0
    for colours in np.ndindex(*(2,) * len(free)):
        values = puzzle.givens.copy()
        values[free] = np.array(colours) + 1
        cost, stray = slow_cost(puzzle, values)
        assert puzzle.is_solution(values) == (cost == 0 and stray == 0)
        n_false += cost == 0 and stray > 0
    assert n_false, "harmony search could not be fooled"


# Annealing


def test_annealing_keeps_numbers_and_the_number_of_white_cells():
    rng = np.random.default_rng(0)
    state = annealing.drawn_colouring(KNOWN, rng)
    for temperature in (10.0, 1.0, 0.1):
        annealing.swap_colours(state, rng, temperature, (1.0, 0.0, False), 200, np.zeros(0))
        values = state.board.colour[state.board.cells]
        assert np.count_nonzero(values == WHITE) == KNOWN.n_white
        assert (values[KNOWN.givens > 0] == WHITE).all()
        assert state.counts[0] == slow_cost(KNOWN, values)[0]
        colours = state.board.colour[state.free]
        assert (colours == np.where(np.arange(len(colours)) < state.n_white, WHITE, BLACK)).all()


@pytest.mark.parametrize("cooling", [0.99, 0.999, 0.9999])
@pytest.mark.parametrize("puzzle", [EASY, Nurikabe("?../.../..2")])
def test_annealing_solves_small_puzzles(puzzle, cooling):
    solver = solvers.Annealing.thesis_nurikabe(cooling)
    run = solver.run(puzzle, rng=1, limit=solvers.Limit(steps=200_000))
    assert run.outcome is solvers.Outcome.SOLVED
    assert puzzle.is_solution(run.solution)
    assert sorted(run.trace["cell"]) == np.flatnonzero(puzzle.givens == 0).tolist()
    assert (np.diff(run.trace["step"]) >= 0).all()
    assert (run.trace == solver.run(puzzle, rng=1, limit=solvers.Limit(steps=200_000)).trace).all()


def test_annealing_of_other_presets_and_hopeless_boards():
    assert solvers.Annealing.lewis().run(EASY, rng=0).outcome is solvers.Outcome.SOLVED
    hopeless = Nurikabe("1./.1")
    run = solvers.Annealing.thesis_nurikabe().run(hopeless, rng=0)
    assert (run.outcome, run.solution) == (solvers.Outcome.STUCK, None)
    assert (
        solvers.Annealing.thesis_nurikabe().run(Nurikabe("1"), rng=0).outcome
        is solvers.Outcome.SOLVED
    )
    limit = solvers.Limit(steps=500)
    run = solvers.Annealing.thesis_nurikabe().run(Nurikabe("12../...."), rng=0, limit=limit)
    assert (run.outcome, run.steps) == (solvers.Outcome.STEP_LIMIT, 500)
    profile = solvers.Annealing.thesis_nurikabe().profile(KNOWN, runs=3, rng=0, limit=limit)
    assert profile.steps <= 500
    assert (profile.order[KNOWN.givens > 0] == 0).all()


# Harmony search


def test_harmony_best_cost_falls_and_is_that_of_the_board():
    run = solvers.HarmonySearch(improvisations=2_000).run(KNOWN, rng=0)
    assert (np.diff(run.trace["cost"]) < 0).all()
    memory = new_memory(50, KNOWN.n_cells, 2_000)
    rng = np.random.default_rng(0)
    on = memory, KNOWN.givens, harmony.nurikabe_objective(KNOWN), False
    harmony.fill_memory(*on, rng)
    harmony.improvise(*on, (0.7, 0.1), rng, 2_000)
    lowest = memory.trace["cost"][memory.progress[N_ROWS] - 1]
    assert lowest == slow_cost(KNOWN, memory.best)[0] == run.trace["cost"][-1]
    assert (memory.best[KNOWN.givens > 0] == WHITE).all()


def test_harmony_calls_no_false_zero_solved():
    # The cell in the lower left corner can be white, too, at no cost.
    puzzle = Nurikabe("1../..3/...")
    outcomes = {solvers.HarmonySearch().run(puzzle, rng=seed).outcome for seed in range(30)}
    assert outcomes == {solvers.Outcome.SOLVED, solvers.Outcome.STUCK}
    run = solvers.HarmonySearch().run(KNOWN, limit=solvers.Limit(steps=7), rng=0)
    assert (run.outcome, run.steps) == (solvers.Outcome.STEP_LIMIT, 7)


# Brute force

FIXED_POLYOMINOES = {1: 1, 2: 2, 3: 6, 4: 19, 5: 63, 6: 216, 7: 760}


@pytest.mark.parametrize("size", FIXED_POLYOMINOES)
def test_every_shape_is_tried_once(size):
    """On a free board, the shapes on a cell number the fixed polyominoes times their cells."""
    numbers = np.zeros((2 * size + 3, 2 * size + 3), int)
    numbers[size + 1, size + 1] = size
    state = islands.new_islands(Nurikabe.from_numbers(numbers), np.random.default_rng(0))
    islands.try_shapes(state, 1 << 40)
    assert state.progress[islands.DEPTH] == -1
    assert state.progress[islands.STEPS] == size * FIXED_POLYOMINOES[size]


def drawn_numbers(rng):
    shape = rng.integers(2, 5, size=2)
    numbers = np.where(rng.random(shape) < 0.2, rng.integers(1, 5, shape), 0)
    numbers[rng.random(shape) < 0.03] = -1
    return Nurikabe.from_numbers(numbers)


def test_brute_force_finds_a_solution_where_there_is_one():
    rng = np.random.default_rng(0)
    outcomes = set()
    for seed in range(300):
        puzzle = drawn_numbers(rng)
        run = solvers.BruteForce().run(puzzle, rng=seed)
        solvable = solvers.count_solutions(puzzle, limit=1) == 1
        assert run.outcome is (solvers.Outcome.SOLVED if solvable else solvers.Outcome.EXHAUSTED), (
            puzzle
        )
        assert run.solution is None or puzzle.is_solution(run.solution)
        outcomes.add(run.outcome)
    assert len(outcomes) == 2


def test_brute_force_places_islands_in_ascending_order():
    run = solvers.BruteForce().run(KNOWN, rng=0)
    assert run.outcome is solvers.Outcome.SOLVED
    assert sorted(run.trace["cell"]) == np.flatnonzero(KNOWN.givens == 0).tolist()
    assert (run.trace["value"] == run.solution[run.trace["cell"]]).all()
    state = islands.new_islands(GUESSED, np.random.default_rng(0))
    assert state.wanted.tolist() == [1] * 6 + [2, 3, 4, -GUESSED.n_cells]


def test_brute_force_continues_where_it_paused():
    whole = solvers.BruteForce().run(KNOWN, rng=3)
    state = islands.new_islands(KNOWN, np.random.default_rng(3))
    for pause in range(1, whole.steps + 1):
        islands.try_shapes(state, pause)
        assert state.progress[islands.STEPS] == pause
    islands.try_shapes(state, whole.steps + 1)
    assert state.board.colour[state.board.cells].tolist() == whole.solution.tolist()
    cut = solvers.BruteForce().run(KNOWN, rng=3, limit=solvers.Limit(steps=whole.steps - 1))
    assert (cut.outcome, cut.steps) == (solvers.Outcome.STEP_LIMIT, whole.steps - 1)
    timed = solvers.BruteForce().run(KNOWN, rng=3, limit=solvers.Limit(seconds=60.0))
    assert timed.steps == whole.steps


def test_brute_force_of_boards_without_islands():
    assert solvers.BruteForce().run(Nurikabe("..."), rng=0).outcome is solvers.Outcome.SOLVED
    assert solvers.BruteForce().run(Nurikabe("../.."), rng=0).outcome is solvers.Outcome.EXHAUSTED
    profile = solvers.BruteForce().profile(KNOWN, runs=3, rng=0)
    assert profile.solved_share == 1.0
    assert (profile.order[KNOWN.givens == 0] > 0).all()


# Refutation


@pytest.mark.parametrize("puzzle", [EASY, GUESSED, KNOWN])
def test_local_rules_demand_the_solution_and_nothing_else(puzzle):
    solution = solvers.unique_solution(puzzle)
    rng = np.random.default_rng(0)
    n_checked = 0
    board = refutation.new_refuted(puzzle, solution)
    state, cells = board.state, board.cells
    for _ in range(20):
        take_back(state, state.n_islands)
        for cell in rng.permutation(np.flatnonzero(puzzle.givens == 0)):
            n_found = local.find_local(state, board.local)
            assert n_found >= 0
            for place in board.local.found[:n_found]:
                assert board.local.demanded[place] == solution[np.searchsorted(cells, place)]
            n_checked += n_found
            colour_cell(state, cells[cell], solution[cell])
    assert n_checked > 100


def test_local_rules_see_a_full_board_that_is_wrong():
    puzzle = Nurikabe("1../..3/...")
    state = new_state(puzzle)
    rules = local.local_rules(puzzle, state)
    cells = walled_cells(puzzle.shape)
    free = np.flatnonzero(puzzle.givens == 0)
    for colours in np.ndindex(*(2,) * len(free)):
        values = puzzle.givens.copy()
        values[free] = np.array(colours) + 1
        take_back(state, state.n_islands)
        for cell in free:
            colour_cell(state, cells[cell], values[cell])
        assert state.counts[N_SET] == puzzle.n_cells
        assert (local.find_local(state, rules) == 0) == puzzle.is_solution(values)


def test_refutation_colours_the_solution():
    for puzzle in (EASY, GUESSED, KNOWN):
        run = solvers.Refutation().run(puzzle, rng=1)
        assert puzzle.is_solution(run.solution)
        assert (run.trace["value"] == run.solution[run.trace["cell"]]).all()
        assert sorted(run.trace["cell"]) == np.flatnonzero(puzzle.givens == 0).tolist()
        stuck = run.trace["options"] == 0
        assert (run.trace["cost"][stuck] >= 1).all()
        assert (run.trace["cost"][~stuck] == 0).all()


# Relaxation


def test_relaxed_puzzles_lose_numbers_and_keep_their_solution():
    rng = np.random.default_rng(0)
    for share, n_lost in [(0.0, 0), (0.01, 1), (0.5, 4), (1.0, 9)]:
        easier = hide_numbers(GUESSED, share, rng)
        lost = easier.numbers != GUESSED.numbers
        assert np.count_nonzero(lost) == n_lost
        assert (easier.numbers[lost] == -1).all()
        assert easier.is_solution(solvers.unique_solution(GUESSED))


def test_relaxed_counts_and_fixed_cells_are_those_of_all_colourings():
    rng = np.random.default_rng(1)
    for puzzle in (Nurikabe("..3/.../1.."), Nurikabe(".2./.../..."), EASY):
        every = [set().union(*islands) for islands in solutions(puzzle)]
        white = [cell in every[0] for cell in np.ndindex(*puzzle.shape)]
        solution = np.where(white, WHITE, BLACK)
        easier = hide_numbers(puzzle, 1.0, rng)
        every = [set().union(*islands) for islands in solutions(easier)]
        (found, guesses, ended), fixed = count_relaxed(easier, solution, 10_000, solvers.Limit())
        assert (found, ended) == (len(every), True)
        same = [len({cell in white for white in every}) == 1 for cell in np.ndindex(*easier.shape)]
        assert fixed.tolist() == same
        (found, guesses, ended), _ = count_relaxed(easier, solution, 10_000, solvers.Limit(steps=1))
        assert (guesses, ended) == (1, False)
        assert 1 <= found < len(every)


def test_relaxation_profile():
    none = solvers.Relaxation(relaxed_share=0.0).profile(GUESSED, runs=2, rng=0)
    assert (none.extra_solutions, none.unique_share, none.capped_share) == (0.0, 1.0, 0.0)
    assert none.fixed_blanks == np.count_nonzero(GUESSED.givens == 0)
    some = solvers.Relaxation(relaxed_share=0.5, cap=50).profile(GUESSED, runs=10, rng=0)
    assert some.extra_solutions > 0
    assert some.fixed_blanks < none.fixed_blanks
    again = solvers.Relaxation(relaxed_share=0.5, cap=50).profile(GUESSED, runs=10, rng=0)
    assert again.fixedness.tolist() == some.fixedness.tolist()
    run = solvers.Relaxation(relaxed_share=1.0, cap=2).run(GUESSED, rng=0)
    assert (run.outcome, run.n_solutions) == (solvers.Outcome.SOLVED, 2)


def test_a_solver_without_kernels_for_nurikabe_says_so():
    with pytest.raises(TypeError, match="search_time cannot run on 'nurikabe' puzzles"):
        solvers.SearchTime().profile(EASY)
