"""The times of each puzzle after a contest, beside the prediction."""

import csv
from dataclasses import replace

import numpy as np
import pytest
from helpers.command import run
from helpers.samples.nurikabe_boards import EASY
from helpers.samples.simulated_games import game_of, puzzles, write_log

import nando
from nando.drawing.shapes import Disc
from nando.games import Game, times_by_puzzle
from nando.games.puzzle_times import draw_times
from nando.puzzles import blanks_of
from nando.rating import load_model
from nando.solvers import unique_solution

PUZZLE, OTHER = puzzles(8)[0], puzzles(8)[3]


def game(puzzle, player, seconds, *, paused=None, filled=None):
    """Return a game in which each fill takes equally long, except for one cell ten times."""
    cells = blanks_of(puzzle).tolist()[:filled]
    waits = np.array([10.0 if cell == paused else 1.0 for cell in cells])
    ends = (np.cumsum(waits) * seconds / waits.sum() * 1000).round()
    values = unique_solution(puzzle)
    moves = [(end, cell, int(values[cell])) for end, cell in zip(ends, cells, strict=True)]
    return Game.from_moves(puzzle, moves, name=player, player=player, trusted_clock=True)


def test_quartiles_share_solved_and_pauses_are_those_of_the_games():
    paused = int(blanks_of(PUZZLE)[7])
    seconds = [300.0, 480.0, 600.0, 900.0, 1200.0]
    games = [game(PUZZLE, f"p{i}", took, paused=paused) for i, took in enumerate(seconds)]
    games.append(game(PUZZLE, "lost", 500.0, filled=20, paused=paused))
    games.append(replace(game(PUZZLE, "helped", 60.0), n_hints=1))
    (found,) = times_by_puzzle(games)
    assert (found.n_games, found.seconds) == (7, tuple(seconds))
    assert found.quartiles == tuple(np.percentile(seconds, [0, 25, 50, 75, 100]))
    assert found.longest_pauses()[0][0] == PUZZLE.cell_name(paused)
    assert found.rating.predicted == load_model().rate([PUZZLE])[0].predicted
    assert np.isnan(found.pauses[PUZZLE.givens != 0]).all()
    assert "5 of 7 games solved, half of them in 8 min 00 s to 15 min 00 s" in str(found)


def test_a_puzzle_that_nobody_solved_and_other_kinds_are_shown():
    games = [game(OTHER, "ada", 100.0, filled=5), game_of(EASY, blanks_of(EASY))]
    sudoku, nurikabe = found = times_by_puzzle(games)
    assert (sudoku.seconds, sudoku.quartiles, sudoku.to_dict()["median"]) == ((), None, None)
    assert nurikabe.rating.model_id.startswith("nurikabe")
    assert nando.notebook.html(found).count("<svg") == 1
    assert draw_times(found).shapes[0].picture.shapes
    assert draw_times(times_by_puzzle([])).shapes == ()


def test_each_game_is_a_dot_at_its_time():
    seconds = [300.0, 600.0, 1200.0]
    found = times_by_puzzle([game(PUZZLE, f"p{i}", took) for i, took in enumerate(seconds)])
    strip = draw_times(found).shapes[0].picture
    dots = [shape.x for shape in strip.shapes if isinstance(shape, Disc)]
    assert dots[1] - dots[0] == pytest.approx(dots[2] - dots[1])  # a logarithmic axis
    assert all(0 <= x <= strip.width for x in dots)


def test_fit_writes_the_times_of_a_log(tmp_path):
    games = [game(puzzle, player, 400.0) for puzzle in (PUZZLE, OTHER) for player in ("ada", "ben")]
    log = tmp_path / "games.csv"
    write_log(log, games)
    table, picture = tmp_path / "times.csv", tmp_path / "times.svg"
    for file in (table, picture):
        done = run("fit", str(log), "-o", str(tmp_path / "mine.json"), "--times", str(file))
        assert done.exit_code == 0
        assert "puzzle 2: 2 of 2 games solved" in done.stderr
    rows = list(csv.DictReader(table.open()))
    assert [float(row["median"]) for row in rows] == [400.0, 400.0]
    assert picture.read_text().startswith("<svg")
    refused = run("fit", str(log), "-o", str(tmp_path / "mine.json"), "--times", "times.xls")
    assert refused.exit_code == 2
    assert "known: .csv, .svg, .png, .pdf" in refused.stderr
