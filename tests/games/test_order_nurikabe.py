"""Fill orders of Nurikabe: choices, likelihood and draws behind the interface of Sudoku."""

import csv
import io

import numpy as np
import pytest
from helpers.command import run
from helpers.plain_kernels import compiled_and_plain
from helpers.samples.nurikabe_boards import EASY, WHAT_IF

from nando.datasets import fetch_nurikabe
from nando.datasets.janko import NURIKABE_JANKO, read_moves
from nando.evaluation import evaluate_order
from nando.games import Population, load_fill_order
from nando.games.game import Game
from nando.games.orders import baseline_orders
from nando.puzzles import Nurikabe, Sudoku
from nando.puzzles.nurikabe import BLACK
from nando.solvers import unique_solution
from nando.solvers.logic.nurikabe.walk import walk_places
from nando.solvers.nurikabe import local
from nando.solvers.nurikabe.local import find_local
from nando.solvers.nurikabe.state import colour_cell
from nando.solvers.people.fills import nurikabe as choices

SUDOKU = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"


def games_of(puzzle, runs, model=None):
    """Return games drawn from a model, the shipped one by default."""
    model = model or load_fill_order(kind="nurikabe")
    rng = np.random.default_rng(4)
    solution = unique_solution(puzzle)
    return [
        Game(f"{i}", "ab"[i % 2], puzzle, solution, cells, np.zeros(len(cells)))
        for i, cells in enumerate(model.sample_order(puzzle, rng) for _ in range(runs))
    ]


def test_rows_agree_with_their_definitions():
    """At every moment of a game, the rows agree with their definitions in plain Python."""
    puzzle, solution = WHAT_IF, unique_solution(WHAT_IF)
    cells = np.random.default_rng(2).permutation(np.flatnonzero(puzzle.givens == 0))
    table, starts, chosen, _ = choices.replay(puzzle, solution, cells.astype(np.int16))
    board = choices.new_board(puzzle, solution)
    places, ratings = walk_places(puzzle)
    before = set()
    F = choices.Feature
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
                away = np.abs(np.subtract(*np.divmod([c, cells[k - 1]], puzzle.shape[1])))
                (r0, r1), (c0, c1) = np.divmod([c, cells[k - 1]], puzzle.shape[1])
                distance = abs(r0 - r1) + abs(c0 - c1)
                assert away.size
                assert row[F.LOG_DISTANCE] == pytest.approx(np.log1p(distance))
                assert row[F.BESIDE_LAST] == (distance == 1)
        before = seen
        colour_cell(board.state, board.cells[cell], int(solution[cell]))


def test_chances_follow_the_rows_and_add_up():
    model = load_fill_order(kind="nurikabe")
    (game,) = games_of(EASY, 1)
    logs = model.log_likelihoods(EASY, game.cells)
    for k in (0, 3, len(game.cells) - 1):
        chances = model.next_cell_probabilities(EASY, game.cells[:k])
        assert chances.sum() == pytest.approx(1)
        assert not chances[game.cells[:k]].any()
        assert not chances[EASY.givens > 0].any()
        assert np.log(chances[game.cells[k]]) == pytest.approx(logs[k])
    assert not model.next_cell_probabilities(EASY, game.cells).any()


@pytest.mark.thorough
def test_draws_are_as_likely_as_they_say():
    model = Population.of({"demanded": 2.0, "log_distance": -1.5}, kind="nurikabe")
    solution = unique_solution(EASY)
    cells = choices.sample(
        EASY, solution, model.persons.coefficients[0], 400, np.random.default_rng(0)
    )
    first = np.bincount(cells[:, 0], minlength=EASY.n_cells) / len(cells)
    assert np.abs(first - model.next_cell_probabilities(EASY)).max() < 0.08
    again = choices.sample(
        EASY, solution, model.persons.coefficients[0], 400, np.random.default_rng(0)
    )
    assert np.array_equal(again, cells)


@pytest.mark.parametrize("slips", [(0.0, 1.0), (1.0, 0.0)])
def test_slips_are_drawn_evenly(slips):
    model = Population.of({"log_distance": -5.0, "demanded": -9.0}, kind="nurikabe")
    solution = unique_solution(EASY)
    rng = np.random.default_rng(0)
    cells = choices.sample(EASY, solution, model.persons.coefficients[0], 600, rng, slips)
    first = np.bincount(cells[:, 0], minlength=EASY.n_cells) / len(cells)
    blanks = np.flatnonzero(EASY.givens == 0)
    replay = choices.replay(EASY, solution, blanks.astype(np.int16))
    n_open = len(blanks)
    at_hand = choices.at_hand(replay.table[:n_open])
    among = replay.cells[:n_open][at_hand] if slips[0] else blanks
    wanted = np.bincount(among, minlength=EASY.n_cells) / len(among)
    assert np.abs(first - wanted).max() < 0.09


@pytest.mark.thorough
def test_kernels_as_plain_python():
    solution = unique_solution(EASY)
    coefficients = Population.of(
        {"demanded": 2.0, "black": 0.5}, kind="nurikabe"
    ).persons.coefficients[0]
    (game,) = games_of(EASY, 1)

    def seen():
        yield choices.replay(EASY, solution, game.cells).table
        yield choices.sample(EASY, solution, coefficients, 2, np.random.default_rng(1))

    for one, other in zip(*compiled_and_plain(lambda: list(seen()), choices, local), strict=True):
        assert np.allclose(one, other, atol=1e-6)


@pytest.mark.thorough
def test_a_fit_finds_the_model_that_drew_the_games():
    truth = Population.of({"demanded": 2.0, "log_distance": -1.5}, kind="nurikabe")
    fitted = Population.fit(games_of(WHAT_IF, 150, truth), ridge=1e-4)
    assert fitted.kind == "nurikabe"
    found = dict(zip(choices.FEATURES, fitted.persons.coefficients[0], strict=True))
    assert found["log_distance"] == pytest.approx(-1.5, abs=0.4)
    assert found["demanded"] == pytest.approx(2.0, abs=0.6)


def test_files_keep_the_kind():
    model = load_fill_order(kind="nurikabe")
    again = Population.from_json(model.to_json())
    assert (again.model_id, again.kind) == (model.model_id, "nurikabe")
    assert load_fill_order().kind == "sudoku"
    with pytest.raises(TypeError, match="knows nurikabe only, got 'sudoku'"):
        model.expected_order(Sudoku(SUDOKU))
    with pytest.raises(ValueError, match="no fill orders of 'chess'"):
        Population.of({}, kind="chess")
    games = [games_of(EASY, 1)[0], Game.from_moves(Sudoku(SUDOKU), [(1, 2, 4)])]
    with pytest.raises(ValueError, match="fit a model to each"):
        Population.fit(games)


@pytest.mark.thorough
def test_predictors_are_compared_by_game_and_by_person():
    other = Nurikabe("....4./..3.../4...../....../....../3..2..")
    games = [game for puzzle in (EASY, WHAT_IF, other) for game in games_of(puzzle, 12)]
    lists = {name: order for name, order in baseline_orders("nurikabe").items() if name != "SiSuS"}
    found = evaluate_order(games, baselines=lists, n_games=10, runs=20)
    assert set(found.splits) == {"by game", "by person"}
    scores = found.scores["by person"]
    assert scores["nando"]["top 3"].value > scores["uniform"]["top 3"].value
    assert scores["uniform"]["Spearman"].value == pytest.approx(0, abs=0.4)


def test_the_command_writes_ranks_and_a_heat_map(tmp_path):
    shown = run("order", "--runs", "20", EASY.text).stdout
    ranks = [word for line in shown.splitlines() for word in line.split()]
    blanks = EASY.n_cells - EASY.n_islands
    assert sorted(int(word) for word in ranks if word != ".") == list(range(1, blanks + 1))
    rows = list(csv.DictReader(io.StringIO(run("order", "-f", "csv", EASY.text).stdout)))
    assert len(rows) == blanks
    picture = tmp_path / "order.svg"
    assert run("order", "-o", str(picture), EASY.text).exit_code == 0
    assert ">1</text>" in picture.read_text(encoding="utf-8")


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


@pytest.mark.skipif(not NURIKABE_JANKO.is_available(), reason="no nurikabe data (see NANDO_DATA)")
def test_logs_end_in_the_solution():
    data = fetch_nurikabe()
    from nando.datasets import entry_ranks

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
