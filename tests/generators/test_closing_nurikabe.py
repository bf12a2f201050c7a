"""Deductions from the numbers of a board, and forecasts of them after a move."""

import numpy as np
import pytest
from helpers.oracles.nurikabe_islands import solutions
from helpers.plain_kernels import compiled_and_plain, compiled_kernels, plain_kernels
from helpers.samples.made_boards import a_board, drawn_from_python, moved_from_python, puzzle_of

from nando.generators import nurikabe_board as drawing_of_boards
from nando.generators import nurikabe_closure as closure
from nando.generators.nurikabe_board import new_board, set_board
from nando.generators.nurikabe_closure import FORECAST_ABOVE, close, n_open, new_reach, state_of
from nando.generators.nurikabe_source import NurikabeSource, inside
from nando.puzzles.nurikabe import BLACK, WHITE, Nurikabe
from nando.solvers.nurikabe import state as board_state
from nando.solvers.nurikabe.rules import RULES, propagate
from nando.solvers.nurikabe.state import N_SET, OPEN, new_state

pytestmark = pytest.mark.thorough


def test_the_state_of_a_board_is_that_of_its_puzzle():
    for seed in range(5):
        board = a_board(seed=seed)
        state = new_state(Nurikabe.from_numbers(np.zeros((6, 7), int)))
        # The arrays were used for another board, whose contents must not matter.
        n_open(a_board(seed=seed + 100), state, 42)
        mine, wanted = state_of.py_func(board, state), new_state(puzzle_of(board))
        assert mine[:5] != state[:5]
        assert mine[:5] == wanted[:5]
        propagate(mine, RULES, mine.n_cells)
        propagate(wanted, RULES, wanted.n_cells)
        assert np.array_equal(mine.colour, wanted.colour)
        close(wanted := new_state(puzzle_of(board)), new_board((6, 7)).reach, 42)
        assert n_open(board, state, 42) == 42 - wanted.counts[N_SET]
        assert np.array_equal(state.colour, wanted.colour)


@pytest.mark.parametrize("room", [24, 0])
def test_deductions_from_the_numbers_hold_in_all_solutions(room, monkeypatch):
    monkeypatch.setattr(closure, "_REACH", room)
    rng = np.random.default_rng(4)
    board, reach = new_board((4, 4)), new_reach(37)
    assert reach.cells.size == room * 37
    n_coloured = 0
    for _ in range(200):
        drawn_from_python(board, (rng.uniform(1.5, 6), 8.0), 30, rng)
        puzzle = puzzle_of(board)
        state = new_state(puzzle)
        close(state, reach, 16)
        colours = inside(board, state.colour)
        n_coloured += np.count_nonzero(colours)
        for found in solutions(puzzle):
            white = np.zeros((4, 4), bool)
            white[tuple(zip(*set().union(*found), strict=True))] = True
            assert white[colours == WHITE].all(), puzzle
            assert not white[colours == BLACK].any(), puzzle
    assert n_coloured > 1000


@pytest.mark.parametrize("shape", [(9, 9), (15, 15)])
def test_deductions_are_nearly_those_of_the_exact_search(shape):
    n_quick = n_all = 0
    for seed in range(20):
        board = a_board(shape, (3.0, 8.0), seed)
        quick, state = new_state(puzzle_of(board)), new_state(puzzle_of(board))
        close(quick, board.reach, quick.n_cells)
        propagate(state, RULES, state.n_cells)
        n_quick += quick.counts[N_SET]
        n_all += state.counts[N_SET]
        # Everything deduced holds in the known solution.
        assert np.array_equal(
            quick.colour[quick.trail[: quick.counts[N_SET]]],
            board.colour[quick.trail[: quick.counts[N_SET]]],
        )
    assert 0.9 * n_all < n_quick <= n_all


def test_the_closure_ends_early_when_enough_follows():
    board = a_board((9, 9))
    whole, part = new_state(puzzle_of(board)), new_state(puzzle_of(board))
    close(whole, board.reach, 81)
    enough = part.counts[N_SET] + 5
    close(part, board.reach, enough)
    assert enough <= part.counts[N_SET] < whole.counts[N_SET]
    coloured = part.colour != OPEN
    assert np.array_equal(part.colour[coloured], whole.colour[coloured])


def moved_boards(n_moves, seed):
    """Yield the board after each move, with the state that was deduced before it."""
    rng = np.random.default_rng(seed)
    source = NurikabeSource((13, 13))
    candidate = next(made for made in iter(lambda: source.draw(rng), 0) if made is not None)
    board, state = new_board((13, 13)), new_state(candidate.puzzle)
    for _ in range(n_moves):
        set_board(board, candidate.solution, candidate.puzzle.numbers, rng)
        n_open(board, state, board.cells.size)
        board.known[:] = state.colour
        board.kept_colour[:], board.kept_number[:] = board.colour, board.number
        if moved_from_python(board, board.cells, 0.5, rng):
            yield board, state


def test_forecasts_change_no_judgement():
    assert FORECAST_ABOVE < 13 * 13
    n_seen = n_forecast = 0
    for board, state in moved_boards(300, 1):
        left = n_open(board, state, 169)
        colours = state.colour.copy()
        # All rules ran, because that many cells may stay open.
        for most in (left, left + 3):
            assert n_open(board, state, most) == left
            assert np.array_equal(state.colour, colours)
        # The count stopped at the limit: more cells may be open, but not fewer.
        for most in range(left):
            estimate = n_open(board, state, most)
            assert most < estimate <= left
            n_forecast += estimate < left
        n_seen += left
    assert 0.2 < n_forecast / n_seen < 1


def test_forecasts_without_compiling():
    def answers():
        return [
            [n_open(board, state, most) for most in range(0, 100, 15)]
            for board, state in moved_boards(40, 2)
        ]

    compiled, plain = compiled_and_plain(answers, closure, board_state)
    assert compiled == plain


def test_boards_without_compiling(monkeypatch):
    def draw():
        return [NurikabeSource((4, 4), 2.0).draw(np.random.default_rng(seed)) for seed in range(3)]

    with compiled_kernels():
        compiled = draw()
    # Forecasts reject no move that would have been accepted; small boards have none.
    monkeypatch.setattr(closure, "FORECAST_ABOVE", 0)
    with plain_kernels(closure, board_state, drawing_of_boards):
        plain = draw()
    assert [candidate and candidate.puzzle for candidate in plain] == [
        d and d.puzzle for d in compiled
    ]
