"""The commands order, audit, and the order job of fit and evaluate."""

import csv
import io
import json
import re
from dataclasses import replace

import numpy as np
import pytest
from helpers.command import run
from helpers.samples.simulated_games import honest_games

from nando.games import ADVERSARIES, Population, load_fill_order, read_games
from nando.games.training import doubted

EASY = ".3..1/...../..2../...../.4.2."
LINE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"


def rows_of(game):
    moves = zip(game.seconds, game.cells.tolist(), strict=True)
    return [
        {
            "game": game.name,
            "player": game.player,
            "puzzle": game.puzzle.text,
            "t_ms": round(seconds * 1000),
            "cell": cell,
            "value": int(game.solution[cell]),
        }
        for seconds, cell in moves
    ]


def logged(path, games):
    rows = [row for game in games for row in rows_of(game)]
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    return path


@pytest.fixture(scope="module")
def log(tmp_path_factory):
    games = honest_games(4)
    typed = ADVERSARIES["row by row"].make(games[3], np.random.default_rng(0))
    return logged(tmp_path_factory.mktemp("logs") / "log.csv", [*games[:3], typed])


def test_order_as_a_grid(tmp_path):
    found = run("order", LINE, "--runs", 5)
    assert found.exit_code == 0, found.output
    words = found.stdout.replace("|", " ").split()
    assert sorted(int(word) for word in words if word.isdigit()) == list(range(1, 52))
    (tmp_path / "p.txt").write_text(LINE, encoding="utf-8")
    assert run("order", tmp_path / "p.txt", "--runs", 5).stdout == found.stdout


def test_order_in_other_forms(tmp_path):
    assert run("order", LINE, "--runs", 5, "-o", tmp_path / "o.svg").exit_code == 0
    drawing = (tmp_path / "o.svg").read_text(encoding="utf-8")
    assert drawing.startswith("<svg")
    assert drawing.count("<rect") == 81
    colours = re.findall('<rect[^>]*fill="(#[0-9a-f]{6})"', drawing)
    assert len(set(colours)) == 52, "a colour for every rank, and one for givens"
    assert run("order", LINE, "--runs", 5, "-o", tmp_path / "o.png").exit_code == 0
    assert (tmp_path / "o.png").read_bytes().startswith(b"\x89PNG")
    rows = list(csv.DictReader(io.StringIO(run("order", LINE, "--runs", 5, "-f", "csv").stdout)))
    assert len(rows) == 51
    assert list(rows[0]) == ["puzzle", "cell", "rank", "mean_rank", "low_80", "high_80"]
    for row in rows:
        assert 1 <= float(row["low_80"]) <= float(row["high_80"]) <= 51


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["." * 81], "several solutions"),
        (["no-such-file"], "No such file"),
        ([LINE, "--kind", "chess"], "chess"),
    ],
)
def test_order_refuses(arguments, message):
    found = run("order", *arguments)
    assert found.exit_code == 2
    assert message in found.stderr


def test_order_continues_after_a_bad_puzzle(tmp_path):
    path = tmp_path / "some.csv"
    path.write_text(f"puzzle\n{'.' * 81}\n2..../...3.\n{LINE}\n{LINE}\n2..../...3.\n")
    found = run("order", path, "--runs", 3)
    assert found.exit_code == 1
    assert found.stdout == run("order", LINE, "--runs", 3).stdout
    assert "2 of 3 puzzles cannot be used" in found.stderr
    assert "line 2: several solutions" in found.stderr
    assert "line 3: several solutions" in found.stderr
    assert run("order", path, "--kind", "sudoku").stderr.count("another kind") == 1


def test_order_of_a_log_of_two_kinds(tmp_path):
    """Every puzzle of a log is predicted, whatever its kind."""
    nurikabe = EASY
    path = tmp_path / "both.csv"
    path.write_text(f"puzzle\n{LINE}\n{nurikabe}\n{LINE}\n", encoding="utf-8")
    found = run("order", path, "--runs", 3)
    assert found.exit_code == 0, found.stderr
    one, other = run("order", LINE, "--runs", 3), run("order", nurikabe, "--runs", 3)
    assert found.stdout.split() == one.stdout.split() + other.stdout.split()


def test_audit_as_a_table(log):
    found = run("audit", log)
    assert found.exit_code == 0, found.output
    assert "entered from a finished solution" in found.stdout
    assert "consistent with a person" in found.stdout
    assert "No game of 4 is unlike a person." in found.stderr
    assert "1 of 4 games were entered from a finished solution" in found.stderr
    assert "this is no accusation" in " ".join(found.stderr.split())
    assert "one player only: there is no field" in found.stderr
    assert found.stderr.index("ada: 4 games, ") < found.stderr.index("No game of 4")


def test_audit_where_the_rules_demand_the_screen(log):
    found = run("audit", log, "--on-screen")
    assert "not solved on the screen at the 1 in" in found.stdout
    words = " ".join(found.stderr.split())
    assert "1 of 4 games were not solved on the screen, which the rules require" in words
    assert "program" not in found.stdout


def test_repairs_reach_every_format(log, tmp_path):
    """A game in seconds is noted in its row, and on standard error of every format."""
    lines = log.read_text(encoding="utf-8").splitlines()
    rows = list(csv.DictReader(lines))
    seconds = tmp_path / "seconds.csv"
    with seconds.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(row | {"t_ms": float(row["t_ms"]) / 1000} for row in rows)
    for form in ("csv", "json"):
        found = run("audit", seconds, "-f", form)
        assert found.stdout.count("t_ms is taken for seconds") == 4
        assert "(4 of 4 games)" in " ".join(found.stderr.split())


@pytest.mark.parametrize("form", ["csv", "json", "jsonl", "parquet"])
def test_doubtful_games_can_be_left_out(log, tmp_path, form):
    """The games that an audit doubts are in no fit and in no history."""
    audit = tmp_path / f"audit.{form}"
    assert run("audit", log, "-o", audit, "--language", "de").exit_code == 0
    keys = {("3", "ada", honest_games(4)[3].puzzle.text)}
    assert doubted(audit) == keys
    assert [game.name for game in read_games(log).without(keys).games] == ["0", "1", "2"]
    if form == "csv":
        typed = logged(tmp_path / "typed.csv", read_games(log).games[3:])
        for job in ("order", "time"):
            found = run(
                *(
                    "fit",
                    "-o",
                    tmp_path / "m.json",
                    "--job",
                    job,
                    "--data",
                    typed,
                    "--without",
                    audit,
                )
            )
            assert "no finished games" in found.stderr or "no game of sudoku" in found.stderr
        history = run("order", LINE, "--history", typed, "--without", audit)
        assert "no game" in history.stderr
        whole = run("order", LINE, "--runs", 3, "--history", log).stdout
        assert whole != run("order", LINE, "--runs", 3, "--history", log, "--without", audit).stdout


def test_doubts_need_an_audit_and_a_log(log, tmp_path):
    other = tmp_path / "other.csv"
    other.write_text("game,player\n1,ada\n", encoding="utf-8")
    found = run("order", LINE, "--history", log, "--without", other)
    assert "no column 'puzzle'; wanted what nando audit writes of each game" in found.stderr
    assert "name the log of earlier games" in run("order", LINE, "--without", other).stderr


def test_players_have_one_verdict_for_all_their_games(log, tmp_path):
    run("audit", log, "-o", tmp_path / "g.json")
    games = json.loads((tmp_path / "g.json").read_text(encoding="utf-8"))
    (player,) = [
        json.loads(line)
        for line in run("audit", log, "--by", "player", "-f", "jsonl").stdout.splitlines()
    ]
    assert (player["player"], player["games"]) == ("ada", 4)
    # Odds of several games multiply.
    assert player["log10_odds"] == pytest.approx(sum(game["log10_odds"] for game in games), abs=0.1)
    for game in games:
        assert game["player_games"] == 4
        assert game["player_verdict"] == player["verdict"]
        assert game["player_log10_odds"] == player["log10_odds"]
    table = run("audit", log, "--by", "player").stdout.splitlines()
    assert len(table) == 2
    assert table[1].split()[:2] == ["ada", "4"]
    german = run("audit", log, "--by", "player", "-f", "csv", "--language", "de").stdout
    assert player["verdict"] not in german
    assert "leave out --by" in run("audit", log, "--by", "player", "-f", "html").stderr


def test_audit_as_csv_and_html(log, tmp_path):
    rows = list(csv.DictReader(io.StringIO(run("audit", log, "--format", "csv").stdout)))
    assert sorted(row["game"] for row in rows) == ["0", "1", "2", "3"]
    odds = [float(row["log10_odds"]) for row in rows]
    assert odds[1:] == sorted(odds[1:], reverse=True)
    assert (rows[0]["finding"], rows[0]["p_value"]) == ("entered", "1.0")
    columns = ["game", "puzzle", "p_value", "order_score", "timing_score", "verdict"]
    assert list(rows[0])[:6] == columns
    assert rows[0]["game"] == "3"
    assert float(rows[0]["entered_p_value"]) < 0.01
    assert "types the solution row by row" in rows[0]["evidence"]
    assert run("audit", log, "-o", tmp_path / "r.html").exit_code == 0
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert page.startswith("<!DOCTYPE html>")
    assert run("audit", log, "--format", "html").stdout.startswith("<!DOCTYPE html>")


def test_broken_logs_are_reported_line_by_line(log, tmp_path):
    text = log.read_text(encoding="utf-8")
    broken = tmp_path / "broken.csv"
    broken.write_text(f"{text}9,ada,{'.' * 81},1,0,1\n9,bob,{LINE},soon,2,4\n", encoding="utf-8")
    found = run("audit", broken, "-f", "csv")
    assert found.exit_code == 1
    assert "2 lines or games cannot be used" in found.stderr
    assert "'soon'" in found.stderr
    assert "several solutions" in found.stderr
    assert len(found.stdout.splitlines()) == 5


def test_audit_refuses(log, tmp_path):
    (tmp_path / "empty.csv").write_text("game,puzzle,t_ms,cell,value\n", encoding="utf-8")
    assert "no games found" in run("audit", tmp_path / "empty.csv").stderr
    assert "level must be" in run("audit", log, "--level", "0").stderr
    model = tmp_path / "m.json"
    model.write_text(load_fill_order().to_json(), encoding="utf-8")
    assert "without an audit" in run("audit", log, "--model", model).stderr


@pytest.mark.thorough
def test_audit_with_a_history(log, tmp_path):
    earlier = logged(tmp_path / "earlier.csv", honest_games(22)[4:])
    found = run("audit", log, "--history", earlier, "-f", "csv")
    assert found.exit_code == 0, found.output
    assert len(found.stdout.splitlines()) == 5


@pytest.mark.thorough
def test_order_of_a_player_with_earlier_games(tmp_path):
    games = honest_games(3)
    other = replace(games[2], player="bob")
    history = logged(tmp_path / "history.csv", [*games[:2], other])
    stranger = run("order", LINE, "--runs", 20)
    ada = run("order", LINE, "--runs", 20, "--player", "ada", "--history", history)
    assert ada.exit_code == 0, ada.output
    assert ada.stdout != stranger.stdout
    refused = run("order", LINE, "--history", history)
    assert refused.exit_code == 2
    assert "games of 2 players ('ada', 'bob'); name the player" in refused.stderr
    assert "no games of 'eve'" in run("order", LINE, "--player", "eve", "--history", history).stderr
    assert "with --history" in run("order", LINE, "--player", "ada").stderr


@pytest.mark.slow
def test_fit_to_an_own_log(tmp_path, monkeypatch):
    monkeypatch.setattr("nando.games.fill_order._MOST_ITERATIONS", 8)
    games = honest_games(12)
    log = logged(tmp_path / "own.csv", games)
    model = tmp_path / "own.json"
    found = run("fit", "--job", "order", "--data", log, "-o", model)
    assert found.exit_code == 0, found.output
    record = json.loads(model.read_text(encoding="utf-8"))
    assert record["model_id"].startswith("own-")
    assert record["provenance"]["games"] == 12
    audited = run("audit", log, "--model", model, "--level", "0.02", "-f", "csv")
    assert audited.exit_code == 0, audited.output


def test_jobs_do_not_mix(tmp_path):
    found = run("evaluate", "--data", tmp_path / "x.csv")
    assert found.exit_code == 2
    assert "--job order" in found.stderr
    assert (
        "no finished games"
        in run("evaluate", "--job", "order", "--data", logged_nothing(tmp_path)).stderr
    )


def logged_nothing(path):
    (path / "none.csv").write_text("game,puzzle,t_ms,cell,value\n", encoding="utf-8")
    return path / "none.csv"


@pytest.mark.slow
def test_evaluation_of_an_own_log(tmp_path, monkeypatch):
    monkeypatch.setattr("nando.games.fill_order._MOST_ITERATIONS", 5)
    monkeypatch.setattr(
        "nando.evaluation.orders.baseline_orders",
        lambda kind="sudoku": {"uniform": Population.of({}, kind=kind)},
    )
    for name in ("strangers", "audit"):
        monkeypatch.setattr(f"nando.evaluation.{name}._TESTED", 4)
    monkeypatch.setattr("nando.evaluation.turns._LENGTH", 3)
    monkeypatch.setattr("nando.evaluation.audit._PLAYERS", 24)
    monkeypatch.setattr("nando.evaluation.audit._CHEATS", 2)
    some = {name: ADVERSARIES[name] for name in ("random", "row by row")}
    monkeypatch.setattr("nando.evaluation.audit.ADVERSARIES", some)
    log = logged(tmp_path / "own.csv", honest_games(45))
    found = run("evaluate", "--job", "order", "--data", log, "-o", tmp_path / "e.csv")
    assert found.exit_code == 0, found.output
    rows = list(csv.DictReader(io.StringIO((tmp_path / "e.csv").read_text(encoding="utf-8"))))
    assert {row["subject"] for row in rows} >= {"nando", "uniform", "random", "ada", "box by box"}
    parts = {row["part"] for row in rows}
    assert parts >= {
        "strangers",
        "in turn",
        "detected",
        "contest",
        "own history",
        "order, split by date",
    }
    whole = [
        float(row["value"])
        for row in rows
        if row["subject"] == "row by row" and row["metric"] == "p <= 0.01, whole game"
    ]
    assert whole == [1.0]
