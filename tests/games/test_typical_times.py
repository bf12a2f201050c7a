"""Times of the typical player: the pace of players is separated from the puzzles."""

import csv

import numpy as np
import pytest
from helpers.command import run

from nando.datasets import load_examples
from nando.games.times import SolvingTime, typical_times
from nando.puzzles import Nurikabe
from nando.rating import load_model
from nando.solvers import unique_solution

PUZZLES = [puzzle for puzzle in load_examples().puzzles if puzzle.order == 3][:8]
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
    puzzle = Nurikabe("...../3..1./.1.../...../.4...")
    times = [
        SolvingTime(puzzle, player, seconds)
        for player, seconds in (("a", 60.0), ("a", 70.0), ("b", 120.0), ("b", 130.0))
    ]
    paces = typical_times(times, "nurikabe").players
    assert [pace.player for pace in paces] == ["a", "b"]


def test_fit_reports_what_it_learnt_about_each_player(tmp_path):
    path = tmp_path / "games.csv"
    rows = []
    for player, step in (("ada", 2_000), ("=ben", 6_000)):
        for number, puzzle in enumerate(PUZZLES[:3]):
            solution = unique_solution(puzzle).tolist()
            blanks = [cell for cell in range(81) if not puzzle.givens[cell]]
            rows += [
                [f"{player}{number}", player, puzzle.text, step * k, cell, solution[cell]]
                for k, cell in enumerate(blanks, 1)
            ]
    with open(path, "w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([["game", "player", "puzzle", "t_ms", "cell", "value"], *rows])
    result = run("fit", path, "-o", tmp_path / "mine.json")
    assert result.exit_code == 0, result.output
    lines = result.stderr.splitlines()
    start = lines.index("players, the fastest first:")
    assert lines[start + 1].startswith("  ada: 3 games, ")
    assert lines[start + 2].startswith("  =ben: 3 games, ")
    assert result.stdout.count("\n") == 1
