"""Exact search against plain backtracking, on all orders and both kernels."""

from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
from helpers.oracles.backtracking import solutions
from helpers.plain_kernels import compiled_and_plain
from helpers.samples.sudokus import ESCARGOT, LINE, SOLUTION
from hypothesis import given, settings
from hypothesis import strategies as st
from numba.core.errors import TypingError

import nando
from nando import solvers
from nando.kernels.compile import kernel
from nando.puzzles import FaultKind, PuzzleError, Sudoku, read_puzzles
from nando.solvers.exact import bands, words
from nando.solvers.exact.houses import CUTOFF, HouseSearch
from nando.solvers.exact.words import N_WORDS

BENCHMARK = Path(nando.__file__).parent / "reproduction" / "mantere_koljonen.txt"
FULL = Sudoku(SOLUTION).givens


def house_count(puzzle, limit):
    search = HouseSearch(puzzle)
    search.advance(limit, 1 << 62)
    return int(search.progress[1])


def thinned(full, rng, n_left):
    """Return a full grid reduced to `n_left` of its values."""
    values = np.zeros_like(full)
    kept = rng.choice(full.size, n_left, replace=False)
    values[kept] = full[kept]
    return Sudoku.from_values(values)


def test_every_benchmark_puzzle_is_unique():
    puzzles = [entry.puzzle for entry in read_puzzles(BENCHMARK)]
    assert len(puzzles) == 46
    assert solvers.count_many(puzzles).tolist() == [1] * 46
    assert [house_count(puzzle, 2) for puzzle in puzzles] == [1] * 46
    for puzzle in puzzles:
        assert puzzle.is_solution(solvers.solve(puzzle))
        assert (solvers.unique_solution(puzzle) == solvers.solve(puzzle)).all()


@pytest.mark.parametrize(
    "limit",
    [
        pytest.param(1, marks=pytest.mark.thorough),
        2,
        pytest.param(10, marks=pytest.mark.thorough),
        pytest.param(600, marks=pytest.mark.slow),
    ],
)
def test_counts_equal_those_of_plain_backtracking(limit):
    rng = np.random.default_rng(limit)
    seen = set()
    for n_left in (26, 28, 30, 34, 40, 60)[limit < 10 :]:
        puzzle = thinned(FULL, rng, n_left)
        wanted = len(solutions(puzzle.givens.tolist(), limit))
        assert solvers.count_solutions(puzzle, limit) == wanted
        assert house_count(puzzle, limit) == wanted
        seen.add(wanted)
    assert len(seen) > 1 or limit == 1


@pytest.mark.thorough
def test_unsolvable_puzzles_have_none():
    rng = np.random.default_rng(5)
    none = 0
    for _ in range(30):
        values = thinned(FULL, rng, 28).givens.copy()
        cell = int(rng.choice(np.flatnonzero(values)))
        values[cell] = values[cell] % 9 + 1
        puzzle = Sudoku.from_values(values)
        wanted = len(solutions(values.tolist(), 2))
        assert solvers.count_solutions(puzzle) == house_count(puzzle, 2) == wanted
        none += wanted == 0
    assert none > 5


def test_conflicting_givens_have_no_solution():
    for text in ("11" + "." * 79, "1" + "." * 8 + "1" + "." * 71, "1" + "." * 9 + "1" + "." * 70):
        assert solvers.count_solutions(Sudoku(text)) == 0
        assert solvers.solve(Sudoku(text)) is None
        assert house_count(Sudoku(text), 2) == 0


@pytest.mark.parametrize(("order", "n_left"), [(4, 130), (5, 360)])
def test_large_orders(order, n_left):
    empty = Sudoku("." * order**4)
    full = solvers.solve(empty)
    assert empty.is_solution(full)
    rng = np.random.default_rng(order)
    puzzle = thinned(Sudoku.from_values(full).shuffled(rng).givens, rng, n_left)
    found = solvers.ExactSearch().run(puzzle)
    assert found.outcome in (solvers.Outcome.EXHAUSTED, solvers.Outcome.SOLVED)
    assert puzzle.is_solution(found.solution)
    assert solvers.count_solutions(Sudoku.from_values(found.solution)) == 1


@pytest.mark.thorough
def test_order_four_counts_equal_those_of_plain_backtracking():
    full = solvers.solve(Sudoku("." * 256))
    rng = np.random.default_rng(1)
    for n_left in (150, 170):
        puzzle = thinned(full, rng, n_left)
        assert solvers.count_solutions(puzzle, 5) == len(solutions(puzzle.givens.tolist(), 5))


@kernel
def compiled_open(own, givens):
    return words.open_givens(own, givens)


@kernel
def compiled_narrow(own):
    return words.narrow(own)


@kernel
def compiled_narrow_triples(own, rows, columns):
    return words.narrow_triples(own, rows, columns)


def partial_grids(n, seed):
    """Yield grids with some values, every third with a wrong one."""
    rng = np.random.default_rng(seed)
    for i in range(n):
        values = Sudoku.from_values(FULL).shuffled(rng).givens.copy()
        values[rng.choice(81, int(rng.integers(40, 72)), replace=False)] = 0
        if i % 3 == 0:
            cell = int(rng.choice(np.flatnonzero(values)))
            values[cell] = values[cell] % 9 + 1
        yield values


@pytest.mark.thorough
def test_vectors_agree_with_single_words():
    said = set()
    for values in partial_grids(60, 1):
        states = bands.new_states(2)
        scratch = np.zeros((4, N_WORDS), np.int32)
        assert compiled_open(states[0], values) == words.open_givens(states[1], values)
        answer = compiled_narrow(states[0])
        assert answer == words.narrow(states[1])
        assert (states[:, :N_WORDS] == states[0, :N_WORDS]).all()
        if answer:
            answer = compiled_narrow_triples(states[0], scratch[0], scratch[1])
            assert answer == words.narrow_triples(states[1], scratch[2], scratch[3])
            assert (states[:, :N_WORDS] == states[0, :N_WORDS]).all()
            assert (scratch[:2] == scratch[2:]).all()
        said.add(int(answer) + 10 * isinstance(answer, bool))
    assert {0, 10} <= said  # nothing more follows; a contradiction


@pytest.mark.thorough
def test_plain_words_give_the_same_as_compiled_ones():
    def settle():
        answers = []
        for values in partial_grids(30, 3):
            own, rows, columns = np.zeros((3, N_WORDS), np.int32)
            answers.append(int(words.open_givens_by_words(own, values)))
            answers.append(int(words.narrow_by_words(own)))
            if not answers[-1]:
                answers.append(int(words.narrow_triples_by_words(own, rows, columns)))
            answers += [own.tolist(), rows.tolist(), columns.tolist()]
        return answers

    compiled, plain = compiled_and_plain(settle, words)
    assert compiled == plain


def followed(values):
    """Return candidates, shape (9, 9, 9), after singles and locked ones; None if contradictory."""
    layout = Sudoku("." * 81).layout
    open_ = np.array([[value in (0, digit) for value in values] for digit in range(1, 10)])

    def place(digit, cell):
        held = open_[digit, cell]
        open_[:, cell] = False
        open_[digit, layout.peers[cell]] = False
        open_[digit, cell] = held

    while True:
        before = open_.copy()
        for digit in range(9):
            grid = open_[digit].reshape(9, 9)
            for lines in (grid, grid.T):
                for band in range(0, 9, 3):
                    minis = lines[band : band + 3].reshape(3, 3, 3).any(axis=2)
                    kept = np.zeros((3, 3), bool)
                    for order in permutations(range(3)):
                        if minis[range(3), order].all():
                            kept[range(3), order] = True
                    lines[band : band + 3] &= np.repeat(kept, 3, axis=1)
            for house in layout.houses:
                if open_[digit, house].sum() == 1:
                    place(digit, house[open_[digit, house].argmax()])
        for cell in np.flatnonzero(open_.sum(axis=0) == 1):
            place(open_[:, cell].argmax(), cell)
        if not open_.any(axis=0).all() or not open_[:, layout.houses].any(axis=2).all():
            return None
        if (open_ == before).all():
            return open_.reshape(9, 9, 9)


def test_deductions_are_those_of_a_slow_oracle():
    contradictions = 0
    for values in partial_grids(12, 2):
        state = bands.new_states(1)[0]
        holds = words.open_givens(state, values) and words.narrow(state)
        wanted = followed(values)
        assert holds == (wanted is not None)
        if holds:
            left = state[:N_WORDS].reshape(9, 4)[:, :3]
            found = left[:, :, None] >> np.arange(27) & 1
            assert (found.reshape(9, 9, 9) == wanted).all()
        contradictions += not holds
    assert 1 < contradictions < 9


@pytest.mark.thorough
def test_three_digits_alone_in_a_mini_row_are_nowhere_else():
    state = bands.new_states(1)[0]
    assert words.open_givens(state, np.zeros(81, np.int8))
    for digit in range(3, 9):
        for cell in range(3):
            bands.forbid(state, cell, digit)
    rows, columns = np.zeros((2, N_WORDS), np.int32)
    assert words.narrow(state)
    assert words.narrow_triples(state, rows, columns) == 1
    for digit in range(3):
        assert state[4 * digit] == 0o770_770_007  # nowhere else in the first row and box
    for cell in range(3):
        bands.forbid(state, cell, 0)
    assert words.narrow_triples(state, rows, columns) == -1


def test_restarting_counts_each_solution_once():
    began_anew = set()
    puzzles = [entry.puzzle for entry in read_puzzles(BENCHMARK)]
    for cell in np.flatnonzero(ESCARGOT.givens):
        fewer = ESCARGOT.givens.copy()
        fewer[cell] = 0
        puzzles.append(Sudoku.from_values(fewer))
    for puzzle in puzzles:
        search = HouseSearch(puzzle)
        search.progress[CUTOFF] = 5
        search.advance(2, 1 << 62)
        found = int(search.progress[1])
        assert found == solvers.count_solutions(puzzle)
        assert all(puzzle.is_solution(solution) for solution in search.solutions[:found])
        assert found < 2 or (search.solutions[0] != search.solutions[1]).any()
        if search.progress[CUTOFF] > 5:
            began_anew.add(found)
    assert began_anew == {1, 2}


def test_budgets_end_a_search():
    hard = Sudoku("." * 81)
    run = solvers.ExactSearch(max_solutions=10**9).run(hard, limit=solvers.Limit(steps=100))
    assert run.outcome is solvers.Outcome.STEP_LIMIT
    assert run.steps == 100
    run = solvers.ExactSearch(max_solutions=10**12).run(hard, limit=solvers.Limit(seconds=0.05))
    assert run.outcome is solvers.Outcome.TIME_LIMIT


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), n_left=st.integers(22, 40))
def test_symmetry_keeps_the_count_and_removing_a_given_never_lowers_it(seed, n_left):
    rng = np.random.default_rng(seed)
    puzzle = thinned(FULL, rng, n_left)
    count = solvers.count_solutions(puzzle, 50)
    assert solvers.count_solutions(puzzle.shuffled(rng), 50) == count
    values = puzzle.givens.copy()
    values[int(rng.choice(np.flatnonzero(values)))] = 0
    assert solvers.count_solutions(Sudoku.from_values(values), 50) >= count


def test_status_names_everything_at_once():
    assert solvers.status(LINE).valid
    assert solvers.status("x" * 80).kinds == {FaultKind.WRONG_LENGTH, FaultKind.FOREIGN_SYMBOL}
    conflict = solvers.status("11" + "." * 79)
    assert conflict.kinds == {FaultKind.CONFLICTING_GIVENS}
    assert conflict.faults[0].cells == (0, 1)
    several = solvers.status("12" + "." * 79)
    assert several.kinds == {FaultKind.SEVERAL_SOLUTIONS}
    assert len(several.faults[0].cells) > 1
    assert solvers.status("12345678.........9" + "." * 63).kinds == {FaultKind.NO_SOLUTION}
    undecided = solvers.status("." * 625, limit=solvers.Limit(steps=1))
    assert undecided.kinds == {FaultKind.NOT_DECIDED}
    assert "step limit reached" in str(undecided)


def test_unique_solution_refuses_others():
    with pytest.raises(PuzzleError, match="several solutions: they differ in"):
        solvers.unique_solution(Sudoku("." * 81))
    with pytest.raises(PuzzleError, match="conflicting givens: 1 at r1c1 and r1c2"):
        solvers.unique_solution(Sudoku("11" + "." * 79))


def test_kernels_on_vectors_refuse_other_arrays():
    with pytest.raises(TypingError):
        compiled_narrow(np.zeros(N_WORDS, np.int64))
    with pytest.raises(TypingError):
        compiled_open(np.zeros(N_WORDS, np.int32), np.zeros(81, np.int64))
