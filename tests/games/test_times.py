"""Times in logs: paces are separated from puzzles, and each puzzle has its times."""

import csv
from dataclasses import replace

import numpy as np
import pytest
from helpers.command import run
from helpers.pages.played_pages import NURIKABE, SUDOKU
from helpers.samples.nurikabe_boards import EASY
from helpers.samples.simulated_games import game_of, puzzles, write_log
from helpers.samples.sudokus import NINES

import nando
from nando.drawing.shapes import Disc
from nando.games import Game, solving_times, times_by_puzzle
from nando.games.puzzle_times import draw_times
from nando.games.times import SolvingTime, is_log, times_of_log, typical_times
from nando.puzzles import blanks_of
from nando.rating import load_model
from nando.solvers import unique_solution

PUZZLES = NINES[:8]
SPEEDS = {"fast": 0.5, "usual": 0.0, "usual too": 0.0, "slow": -0.5}


def games_of(chosen, noise=0.05):
    """Return times of players with known speeds on puzzles they choose, and typical times."""
    rng = np.random.default_rng(2)
    typical = load_model().predict(PUZZLES)
    return [
        SolvingTime(PUZZLES[i], player, float(typical[i] * np.exp(rng.normal(-speed, noise))))
        for player, speed in SPEEDS.items()
        for i in chosen(player)
    ], typical


def test_a_puzzle_of_fast_players_is_not_easy():
    # The first puzzle is played by the fast one only, the last by the slow one only.
    only = {"fast": [0], "slow": [7]}
    times, typical = games_of(lambda player: [*range(1, 7), *only.get(player, [])])
    found = typical_times(times, "sudoku")
    for place, time in enumerate(times):
        expected = typical[PUZZLES.index(time.puzzle)]
        assert found.seconds[place] == pytest.approx(expected, rel=0.25)
    first = next(n for n, time in enumerate(times) if time.puzzle == PUZZLES[0])
    assert times[first].seconds < 0.7 * typical[0] < found.seconds[first]


def test_players_are_recognised_by_their_pace():
    times, _ = games_of(lambda _: range(8))
    paces = typical_times(times, "sudoku").players
    assert [pace.player for pace in paces][::3] == ["fast", "slow"]
    for pace in paces:
        assert pace.games == 8
        assert pace.low < pace.factor < pace.high
        assert pace.factor == pytest.approx(np.exp(-SPEEDS[pace.player]), rel=0.15)


@pytest.mark.parametrize("players", [["a"] * 4, ["a", "b", "c", "d"]])
def test_times_that_cannot_tell_players_from_puzzles_stay(players):
    times = [
        SolvingTime(puzzle, player, 100.0 + n)
        for n, (puzzle, player) in enumerate(zip(PUZZLES[:4], players, strict=True))
    ]
    found = typical_times(times, "sudoku")
    assert found.seconds == [100.0, 101.0, 102.0, 103.0]
    assert found.players == []


def test_nurikabe_has_players_too():
    times = [
        SolvingTime(NURIKABE, player, seconds)
        for player, seconds in (("a", 60.0), ("a", 70.0), ("b", 120.0), ("b", 130.0))
    ]
    paces = typical_times(times, "nurikabe").players
    assert [pace.player for pace in paces] == ["a", "b"]


def played(puzzle, *, name="1", player="ada", step=0.8):
    """Return a game whose fills take `step` seconds each."""
    game = game_of(puzzle, np.arange(puzzle.givens.size), name=name, player=player)
    return game.with_seconds(step / 0.8 * game.seconds)


def test_fit_reports_what_it_learnt_about_each_player(tmp_path):
    games = [
        played(puzzle, name=f"{player}{number}", player=player, step=step)
        for player, step in (("ada", 2), ("=ben", 6))
        for number, puzzle in enumerate(PUZZLES[:3])
    ]
    log = write_log(tmp_path / "games.csv", games)
    result = run("fit", log, "-o", tmp_path / "mine.json")
    assert result.exit_code == 0, result.output
    lines = result.stderr.splitlines()
    start = lines.index("players, the fastest first:")
    assert lines[start + 1].startswith("  ada: 3 games, ")
    assert lines[start + 2].startswith("  =ben: 3 games, ")
    assert result.stdout.count("\n") == 1


def test_only_games_that_show_the_difficulty_have_a_time():
    whole = played(PUZZLES[0])
    seconds = pytest.approx(0.8 * whole.n_blanks)
    beginning = replace(whole, cells=whole.cells[:9], seconds=whole.seconds[:9])
    found = solving_times(
        replace(game, name=str(number), player=player)
        for number, (player, game) in enumerate(
            [
                ("ada", whole),
                ("ada", whole),
                ("ben", beginning),
                ("ben", whole),
                ("eve", replace(whole, n_hints=2)),
                ("dot", whole.with_seconds(0 * whole.seconds)),
                ("", whole),
                ("", whole),
            ],
            1,
        )
    )
    assert [(time.player, time.seconds) for time in found.times] == [
        ("ada", seconds),
        ("7", seconds),
        ("8", seconds),
    ]
    assert found.problems == [
        "game 2 of ada: the player tried the puzzle before",
        "game 3 of ben: not finished",
        "game 4 of ben: the player tried the puzzle before",
        "game 5 of eve: hints taken: 2",
        "game 6 of dot: no time went by",
    ]


def test_times_of_a_log_are_medians(tmp_path):
    games = [
        played(SUDOKU, player=player, step=step)
        for player, step in (("ada", 0.5), ("ben", 0.6), ("eve", 5))
    ]
    path = write_log(tmp_path / "log.csv", [*games, played(NURIKABE, name="2")])
    assert is_log(path)
    training, _, problems, _ = times_of_log(path, "sudoku")
    assert training.puzzles == [SUDOKU]
    assert training.values == [pytest.approx(0.6 * games[0].n_blanks)]
    assert training.players == [3.0]
    assert problems == []
    with pytest.raises(ValueError, match="no game of sudoku with a usable time"):
        times_of_log(write_log(tmp_path / "n.csv", [played(NURIKABE)]), "sudoku")
    times = tmp_path / "times.csv"
    times.write_text("puzzle,seconds\n", encoding="utf-8")
    assert not is_log(times)


# Times of a log for a setter


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
    assert "1 of 1 games solved in 5 min 00 s;" in str(times_by_puzzle(games[:1]))


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
