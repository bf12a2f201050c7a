"""Commands that predict for the player of a history."""

import csv

import numpy as np
import pytest
from helpers.command import rows, run
from helpers.samples.sudokus import NINES

import nando
from nando.games import rater_for_player
from nando.puzzles import Nurikabe
from nando.solvers import unique_solution

PUZZLES = NINES[:6]
TYPICAL = nando.load_model().predict(PUZZLES)
FACTORS = {"ada": 0.5, "ben": 2.0}
NURIKABE = Nurikabe("...../3..1./.1.../...../.4...")


@pytest.fixture(scope="module")
def history(tmp_path_factory):
    """Write a table of times: ada takes half the typical time, ben twice as long."""
    path = tmp_path_factory.mktemp("history") / "times.csv"
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["puzzle", "player", "seconds"])
        for player, factor in FACTORS.items():
            for puzzle, typical in zip(PUZZLES, TYPICAL.tolist(), strict=True):
                writer.writerow([puzzle.text, player, factor * typical])
    return path


def test_rate_for_a_player(history, tmp_path):
    for player, factor in FACTORS.items():
        arguments = ("rate", PUZZLES[0].text, "--player", player, "--history", history)
        (row,) = rows(*arguments)
        assert float(row["predicted_seconds"]) == pytest.approx(factor * TYPICAL[0], rel=0.15)
        assert f"{player}: 6 games, " in run(*arguments).stderr
        own = nando.rate(PUZZLES[0], player=player, history=history)
        assert own.predicted == float(row["predicted_seconds"])
    model = tmp_path / "ben.json"
    nando.load_model(player="ben", history=history).to_json(model)
    (again,) = rows("rate", PUZZLES[0].text, "--model", model)
    assert again == row


def test_parts_are_rated_for_the_player(history, tmp_path):
    bank = tmp_path / "bank"
    bank.mkdir()
    (bank / "one.txt").write_text(f"{PUZZLES[0].text}\n", encoding="utf-8")
    options = ("--player", "ada", "--history", history)
    assert run("rate", bank, "-o", tmp_path / "rated", *options).exit_code == 0
    import pandas as pd

    (seconds,) = pd.read_parquet(tmp_path / "rated")["predicted_seconds"]
    assert seconds == nando.rate(PUZZLES[0], player="ada", history=history).predicted


def test_ten_minutes_for_a_player(history):
    options = ("--target", "10min", "--seed", "2")
    (row,) = rows("generate", "--player", "ben", "--history", history, *options)
    assert 540 <= float(row["predicted_seconds"]) <= 660
    typical = nando.rate(row["puzzle"]).predicted
    assert typical == pytest.approx(float(row["predicted_seconds"]) / 2, rel=0.2)
    record = nando.generate(minutes=10, seed=2, player="ben", history=history)
    assert record.puzzle.text == row["puzzle"]
    assert record.predicted == float(row["predicted_seconds"])


def test_pages_and_books_for_a_player(history, tmp_path):
    ben, bank = ("--player", "ben", "--history", history), tmp_path / "bank.txt"
    bank.write_text(f"{PUZZLES[0].text}\n", encoding="utf-8")
    book = tmp_path / "book.html"
    assert run("book", "--from", bank, "-o", book, *ben).exit_code == 0
    manifest = book.with_suffix(".json")
    predicted = nando.rate(PUZZLES[0], player="ben", history=history).predicted
    assert f'"predicted_seconds": {predicted}' in manifest.read_text(encoding="utf-8")
    page = tmp_path / "page.html"
    assert run("book", "--from", bank, "-o", book).exit_code == 0
    for source in (bank, manifest):
        assert run("play", source, "-o", page, "--no-hints", *ben).exit_code == 0
        assert f'"predicted":{predicted},' in page.read_text(encoding="utf-8")
    refused = run("book", "--from", manifest, "-o", book, *ben)
    assert refused.exit_code == 2
    assert "leave out --history" in refused.stderr


def test_the_pace_carries_over_to_another_kind(history):
    arguments = ("rate", NURIKABE.text, "--player", "ben", "--history", history)
    (row,) = rows(*arguments)
    typical = nando.rate(NURIKABE)
    factor = float(row["predicted_seconds"]) / typical.predicted
    assert factor == pytest.approx(2.0, rel=0.15)
    assert float(row["high_seconds"]) == pytest.approx(factor * typical.high)
    assert "only the pace carries over" in run(*arguments).stderr


def test_own_games_of_a_kind_count_more_than_others(tmp_path):
    path, seconds = tmp_path / "times.csv", 3 * nando.rate(NURIKABE).predicted
    lines = [f"{puzzle.text},{time}" for puzzle, time in zip(PUZZLES, TYPICAL, strict=True)]
    text = "\n".join(["puzzle,seconds", *lines, *[f'"{NURIKABE.text}",{seconds}'] * 3])
    path.write_text(text, encoding="utf-8")
    model = rater_for_player(nando.load_model(kind="nurikabe"), path, "whoever")
    assert model.pace_.games == 3
    assert not model.pace_.carried
    assert model.pace_.factor()[0] > 2


def test_a_log_without_names_is_of_one_player(tmp_path):
    log, games = tmp_path / "log.csv", []
    for number, puzzle in enumerate(PUZZLES[:2]):
        solution = unique_solution(puzzle)
        blanks = np.flatnonzero(puzzle.givens == 0).tolist()
        games += [
            f"{number},{puzzle.text},{4000 * k},{cell},{solution[cell]}"
            for k, cell in enumerate(blanks, 1)
        ]
    log.write_text("\n".join(["game,puzzle,t_ms,cell,value", *games]), encoding="utf-8")
    assert rater_for_player(nando.load_model(), log).pace_.games == 2


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--player", "cleo", "--history", "times"], "no games of 'cleo'; it has games of 'ada'"),
        (["--history", "times"], "games of 2 players ('ada', 'ben'); name the player"),
        (["--player", "ada", "--history", "unfinished"], "no game with a time; the first of 1"),
    ],
)
def test_mistakes_are_reported(history, tmp_path, options, words):
    unfinished = tmp_path / "log.csv"
    unfinished.write_text(
        f"game,player,puzzle,t_ms,cell,value\n1,ada,{PUZZLES[0].text},1000,r1c1,0\n",
        encoding="utf-8",
    )
    files = {"times": history, "unfinished": unfinished}
    result = run("rate", PUZZLES[0].text, *[files.get(option, option) for option in options])
    assert result.exit_code == 2
    assert words in result.stderr


def test_functions_say_it_too(history):
    with pytest.raises(ValueError, match="give the history"):
        nando.rate(PUZZLES[0], player="ada")
    with pytest.raises(ValueError, match="contradict each other"):
        nando.rate(PUZZLES[0], player="ada", history=history, crowd="phone")
