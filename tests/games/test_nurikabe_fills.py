"""Fills of Nurikabe as choices: rows, draws and kernels, and the published logs."""

import numpy as np
import pytest
from helpers.data import needs
from helpers.samples.nurikabe_boards import EASY, WHAT_IF

from nando.datasets import entry_ranks, fetch_nurikabe
from nando.datasets.janko import read_moves
from nando.games import Game, Population
from nando.puzzles.nurikabe import BLACK
from nando.solvers import unique_solution
from nando.solvers.logic.nurikabe.board_walk import walk_places
from nando.solvers.nurikabe.local import find_local
from nando.solvers.nurikabe.state import OPEN, colour_cell
from nando.solvers.people.fills import nurikabe as choices

F = choices.Feature
SOLUTION = unique_solution(EASY)


def draw(coefficients, runs, slips=(0.0, 0.0), seed=0):
    """Return the games of one person, and the share of games in which each cell is the first."""
    person = Population.of(coefficients, kind="nurikabe").persons.coefficients[0]
    cells = choices.sample(EASY, SOLUTION, person, runs, np.random.default_rng(seed), slips)
    return cells, np.bincount(cells[:, 0], minlength=EASY.n_cells) / runs


def test_rows_agree_with_their_definitions():
    """At every moment of a game, the rows agree with their definitions in plain Python."""
    puzzle, solution = WHAT_IF, unique_solution(WHAT_IF)
    cells = np.random.default_rng(2).permutation(np.flatnonzero(puzzle.givens == 0))
    table, starts, chosen, _ = choices.replay(puzzle, solution, cells.astype(np.int16))
    board = choices.new_board(puzzle, solution)
    places, ratings = walk_places(puzzle)
    before = set()
    for k, cell in enumerate(cells):
        open_cells = sorted(cells[k:].tolist())
        rows = table[starts[k] : starts[k + 1]]
        assert len(rows) == len(open_cells)
        assert open_cells[chosen[k] - starts[k]] == cell
        find_local(board.state, board.local)
        seen = {c for c in open_cells if board.local.demanded[board.cells[c]]}
        for i, (c, row) in enumerate(zip(open_cells, rows, strict=True)):
            assert row[F.DEMANDED] == (c in seen)
            assert row[F.NEWLY_DEMANDED] == (k > 0 and c in seen and c not in before)
            assert row[F.BLACK] == (solution[c] == BLACK)
            assert row[F.SCAN_RANK] == pytest.approx(i / len(open_cells))
            assert row[F.LOGIC_PLACE] == pytest.approx(places[c])
            assert row[F.LOGIC_RATING] == pytest.approx(ratings[c] / 10)
            earlier = sum(places[o] < places[c] for o in open_cells)
            assert row[F.LOGIC_RANK] == pytest.approx(earlier / len(open_cells))
            if k:
                (r0, r1), (c0, c1) = np.divmod([c, cells[k - 1]], puzzle.shape[1])
                distance = abs(r0 - r1) + abs(c0 - c1)
                assert row[F.LOG_DISTANCE] == pytest.approx(np.log1p(distance))
                assert row[F.BESIDE_LAST] == (distance == 1)
        before = seen
        colour_cell(board.state, board.cells[cell], int(solution[cell]))


def known_whites(puzzle, solution, filled, known):
    """Colour the filled cells, then apply the local rules to the known ones, in plain Python."""
    board = choices.new_board(puzzle, solution)
    for cell in filled:
        colour_cell(board.state, board.cells[cell], int(solution[cell]))
    while True:
        find_local(board.state, board.local)
        given = [
            cell
            for cell in np.flatnonzero(known)
            if board.state.colour[board.cells[cell]] == OPEN
            and board.local.demanded[board.cells[cell]] == solution[cell]
        ]
        if not given:
            return board
        for cell in given:
            colour_cell(board.state, board.cells[cell], int(solution[cell]))


@pytest.mark.parametrize("puzzle", [EASY, WHAT_IF], ids=["easy", "what-if"])
@pytest.mark.parametrize("share", [0.0, 0.1, 0.6, 1.0])
def test_a_fill_is_one_of_the_open_cells_of_its_colour(puzzle, share):
    """The fills agree with their definition at every moment, for any share of white cells."""
    rng = np.random.default_rng(1)
    solution, blank = unique_solution(puzzle), puzzle.givens == 0
    black, white = (blank & (solution == BLACK), blank & (solution != BLACK))
    chosen = rng.permutation(np.flatnonzero(white))[: round(share * white.sum())]
    cells = rng.permutation(np.concatenate([np.flatnonzero(black), chosen])).astype(np.int16)
    known = white & ~np.isin(np.arange(puzzle.n_cells), cells) & (len(chosen) / white.sum() < 0.25)
    found = choices.replay_of_colour(puzzle, solution, cells)
    for k, cell in enumerate(cells):
        board = known_whites(puzzle, solution, cells[:k], known)
        colour = [c for c in range(puzzle.n_cells) if solution[c] == solution[cell] and blank[c]]
        among = [c for c in colour if board.state.colour[board.cells[c]] == OPEN]
        rows = slice(found.starts[k], found.starts[k + 1])
        assert found.cells[rows].tolist() == among
        assert found.cells[found.chosen[k]] == cell
        demanded = [bool(board.local.demanded[board.cells[c]]) for c in among]
        assert (found.table[rows, F.DEMANDED] > 0).tolist() == demanded
    assert found.starts[-1] == len(found.table)


@pytest.mark.thorough
def test_draws_are_as_likely_as_they_say():
    habits = {"demanded": 2.0, "log_distance": -1.5}
    cells, first = draw(habits, 400)
    chances = Population.of(habits, kind="nurikabe").next_cell_probabilities(EASY)
    assert np.abs(first - chances).max() < 0.08
    assert np.array_equal(draw(habits, 400)[0], cells)


@pytest.mark.parametrize("slips", [(0.0, 1.0), (1.0, 0.0)])
def test_slips_are_drawn_evenly(slips):
    _, first = draw({"log_distance": -5.0, "demanded": -9.0}, 600, slips)
    blanks = np.flatnonzero(EASY.givens == 0)
    replay = choices.replay(EASY, SOLUTION, blanks.astype(np.int16))
    at_hand = choices.at_hand(replay.table[: len(blanks)])
    among = replay.cells[: len(blanks)][at_hand] if slips[0] else blanks
    wanted = np.bincount(among, minlength=EASY.n_cells) / len(among)
    assert np.abs(first - wanted).max() < 0.09


# The collection


def test_logs_are_read_to_the_letter():
    moves = read_moves("Z2;L0;aa,0;ba,1;ba,;ab,,,A;ab,0;Q1", (2, 2))
    assert [(m.cell, m.value, m.pencilled) for m in moves] == [
        (0, 2, False),
        (1, 1, False),
        (1, 0, False),
        (2, 0, True),
        (2, 2, False),
    ]
    with pytest.raises(ValueError, match="no such cell on 2 rows of 2"):
        read_moves("ca,0", (2, 2))
    with pytest.raises(ValueError, match=r"^.{1,200}$"):
        read_moves(f"ca,{'0' * 5000}", (2, 2))


@pytest.mark.thorough
@needs("nurikabe_janko")
def test_logs_end_in_the_solution():
    data = fetch_nurikabe()
    n_finished = 0
    chosen = [i for i, puzzle in enumerate(data.puzzles) if puzzle.n_cells <= 100][::12]
    for number in chosen:
        puzzle = data.puzzles[number]
        events = data.events[data.events["game"] == number]
        if len(events) == 0:
            continue
        solution = unique_solution(puzzle)
        last = events[~events["pencilled"]].groupby("cell")["value"].last()
        kept = last[last > 0]
        assert (solution[kept.index.to_numpy()] == kept.to_numpy()).mean() > 0.95
        n_finished += Game.from_ranks(puzzle, entry_ranks(events, puzzle)).finished
    assert n_finished > len(chosen) / 2
