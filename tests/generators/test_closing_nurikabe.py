"""What follows from the numbers of a board: all of it, what the river needs, and forecasts."""

import numpy as np
import pytest
from helpers.made_boards import a_board, puzzle_of
from helpers.nurikabe_islands import groups, solutions

from nando.generators.nurikabe import closure, forecast, openness, river
from nando.generators.nurikabe import islands as drawing_of_boards
from nando.generators.nurikabe.closure import close, join_group, new_reach
from nando.generators.nurikabe.forecast import SMALL, may_leave
from nando.generators.nurikabe.islands import draw_board, new_board, propose
from nando.generators.nurikabe.openness import n_open, state_of
from nando.generators.nurikabe.river import join_river
from nando.generators.nurikabe.source import NurikabeSource, _inside
from nando.puzzles.nurikabe.puzzle import BLACK, WHITE, Nurikabe
from nando.solvers.nurikabe.rules import _join_river, propagate
from nando.solvers.nurikabe.state import N_SET, OPEN, colour_cell, new_state


def test_the_state_of_a_board_is_that_of_its_puzzle():
    for seed in range(5):
        board = a_board(seed=seed)
        state = new_state(Nurikabe.from_numbers(np.zeros((6, 7), int)))
        # The arrays come from another board, which must leave no trace.
        n_open(a_board(seed=seed + 100), state)
        mine, wanted = state_of(board, state), new_state(puzzle_of(board))
        assert mine[:5] != state[:5]
        assert mine[:5] == wanted[:5]
        propagate(mine)
        propagate(wanted)
        assert np.array_equal(mine.colour, wanted.colour)
        close(wanted := new_state(puzzle_of(board)), new_board((6, 7)).reach, 42)
        assert n_open(board, state) == 42 - wanted.counts[N_SET]
        assert np.array_equal(state.colour, wanted.colour)


@pytest.mark.parametrize("room", [24, 0])
def test_what_follows_from_the_numbers_is_so_in_all_solutions(room, monkeypatch):
    monkeypatch.setattr(closure, "_REACH", room)
    rng = np.random.default_rng(4)
    board, reach = new_board((4, 4)), new_reach(37)
    assert reach.cells.size == room * 37
    n_coloured = 0
    for _ in range(200):
        draw_board(board, (rng.uniform(1.5, 6), 8.0), 30, rng)
        puzzle = puzzle_of(board)
        state = new_state(puzzle)
        close(state, reach, 16)
        inside = _inside(board, state.colour)
        n_coloured += np.count_nonzero(inside)
        for found in solutions(puzzle):
            white = np.zeros((4, 4), bool)
            white[tuple(zip(*set.union(*found), strict=True))] = True
            assert white[inside == WHITE].all(), puzzle
            assert not white[inside == BLACK].any(), puzzle
    assert n_coloured > 1000


@pytest.mark.parametrize("shape", [(9, 9), (15, 15)])
def test_what_follows_is_nearly_what_the_exact_search_colours(shape):
    n_quick = n_all = 0
    for seed in range(20):
        board = a_board(shape, (3.0, 8.0), seed)
        quick, state = new_state(puzzle_of(board)), new_state(puzzle_of(board))
        close(quick, board.reach, quick.n_cells)
        propagate(state)
        n_quick += quick.counts[N_SET]
        n_all += state.counts[N_SET]
        # All of it is so in the solution at hand.
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


def partly_coloured(board, share, seed):
    """A state with some cells coloured as on the board, all of them in groups."""
    state = new_state(puzzle_of(board))
    rng = np.random.default_rng(seed)
    for cell in board.cells[rng.random(board.cells.size) < share]:
        colour_cell(state, cell, board.colour[cell])
    for cell in state.trail[: state.counts[N_SET]]:
        join_group(state, cell)
    return state


def places(state, *colours):
    """Cells of some colours, as rows and columns."""
    return {
        divmod(cell, state.width)
        for cell in np.flatnonzero(np.isin(state.colour, colours)).tolist()
    }


def follows_from_the_river(state):
    """Cells that must be black, and cells that must be white, by taking out each open cell."""
    n_river = state.n_cells - state.n_white
    black, region = places(state, BLACK), places(state, BLACK, OPEN)
    needed = set()
    for cell in places(state, OPEN):
        (joined,) = [group for group in groups(region - {cell}) if min(black) in group]
        if not black <= joined or len(joined) < n_river:
            needed.add(cell)
    (joined,) = [group for group in groups(region) if min(black) in group]
    return needed, region - joined


@pytest.mark.parametrize("run", [join_river, join_river.py_func], ids=["compiled", "plain"])
def test_what_the_river_needs(run):
    n_needed = n_cut_off = 0
    for seed in range(40):
        board = a_board((8, 9), seed=seed)
        share = (0.1, 0.3, 0.5, 0.8)[seed % 4]
        state, other = (partly_coloured(board, share, seed) for _ in range(2))
        if not (state.colour == BLACK).any():
            continue
        black, white = places(state, BLACK), places(state, WHITE)
        needed, cut_off = follows_from_the_river(state)
        run(state)
        assert places(state, BLACK) - black == needed
        assert places(state, WHITE) - white == cut_off
        # The rule of the exact search sees the same.
        assert _join_river(other)
        assert np.array_equal(other.colour, state.colour)
        n_needed += len(needed)
        n_cut_off += len(cut_off)
    assert n_needed > 50
    assert n_cut_off > 5


def moved_boards(shape, n_moves, seed):
    """A board again and again after a move, with what followed from its numbers before."""
    rng = np.random.default_rng(seed)
    board = a_board(shape, (3.0, 8.0), seed)
    state = new_state(puzzle_of(board))
    for _ in range(n_moves):
        n_open(board, state)
        board.known[:] = state.colour
        board.kept_colour[:], board.kept_number[:] = board.colour, board.number
        if propose(board, board.cells, rng):
            yield board, state


def test_a_forecast_rejects_only_moves_that_leave_too_much_open():
    assert SMALL < 13 * 13
    n_seen = n_rejected = 0
    for board, state in moved_boards((13, 13), 300, 1):
        left = n_open(board, state)
        assert may_leave(board, state, left)
        assert not may_leave(board, state, -1)
        n_seen += 1
        rejected = not may_leave(board, state, left - 1)
        n_rejected += rejected
        assert not rejected or not may_leave(board, state, left - 2)
    assert n_rejected > n_seen / 4


def run_plain(monkeypatch):
    """Run kernels of this package as the Python they are made of."""
    for module in (closure, forecast, openness, river, drawing_of_boards):
        for name, thing in list(vars(module).items()):
            if hasattr(thing, "py_func") and thing.__module__.startswith("nando.generators"):
                monkeypatch.setattr(module, name, thing.py_func)


def test_forecasts_without_compiling(monkeypatch):
    def answers(forecast):
        return [
            [forecast(board, state, most) for most in range(0, 100, 15)]
            for board, state in moved_boards((13, 13), 12, 2)
        ]

    compiled = answers(may_leave)
    assert {answer for row in compiled for answer in row} == {False, True}
    run_plain(monkeypatch)
    assert answers(forecast.may_leave) == compiled


def test_boards_without_compiling(monkeypatch):
    source = NurikabeSource((4, 4), 2.0)
    compiled = [source.draw(np.random.default_rng(seed)) for seed in range(3)]
    monkeypatch.setattr("nando.generators.nurikabe.source.draw_board", draw_board.py_func)
    run_plain(monkeypatch)
    monkeypatch.setattr("nando.generators.nurikabe.source.approach", drawing_of_boards.approach)
    # Forecasts, which small boards do without, reject nothing that would have been accepted.
    monkeypatch.setattr(forecast, "SMALL", 0)
    plain = [source.draw(np.random.default_rng(seed)) for seed in range(3)]
    assert [candidate and candidate.puzzle for candidate in plain] == [
        d and d.puzzle for d in compiled
    ]
