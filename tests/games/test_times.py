"""Times in logs, and those of the typical player: paces are separated from the puzzles."""

from dataclasses import replace

import numpy as np
import pytest
from helpers.command import run
from helpers.pages.played_pages import NURIKABE, SUDOKU
from helpers.samples.simulated_games import game_of, write_log
from helpers.samples.sudokus import NINES

from nando.games import solving_times
from nando.games.times import SolvingTime, is_log, times_of_log, typical_times
from nando.rating import load_model

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
