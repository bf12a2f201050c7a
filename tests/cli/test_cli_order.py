"""The commands order, audit, and the order job of fit and evaluate."""

import re
from dataclasses import replace

import numpy as np
import pytest
from helpers.command import records, rows, rows_of, run
from helpers.pages.played_pages import SUDOKU
from helpers.sampled import only
from helpers.samples.nurikabe_boards import EXAMPLES
from helpers.samples.simulated_games import (
    KINDS,
    drawn_games,
    game_of,
    honest_games,
    write_log,
    write_rows,
)

from nando.games import ADVERSARIES, Population, load_auditor, load_fill_order, read_games
from nando.games.evidence.verdicts import notes_on_kinds
from nando.games.people.population import by_player, fit_population
from nando.games.said import translate
from nando.games.training import fit_to_games, read_doubted
from nando.games.training import honest_games as honest_games_of
from nando.puzzles.nurikabe import BLACK

LINE = SUDOKU.text


@pytest.fixture(scope="module")
def log(tmp_path_factory):
    games = honest_games(4)
    typed = ADVERSARIES["row by row"].make(games[3], np.random.default_rng(0))
    return write_log(tmp_path_factory.mktemp("logs") / "log.csv", [*games[:3], typed])


@pytest.fixture(scope="module")
def audited(log):
    """Return the rows of the audit of the log."""
    return records("audit", log)


@pytest.mark.parametrize("kind", KINDS)
def test_order_as_a_grid_and_as_a_table(kind, tmp_path):
    puzzle = SUDOKU if kind == "sudoku" else KINDS[kind]
    blanks = np.flatnonzero(puzzle.givens == 0)
    shown = run("order", puzzle.text, "--runs", 5).stdout
    ranks = [int(word) for word in shown.replace("|", " ").split() if word.isdigit()]
    assert sorted(ranks) == list(range(1, len(blanks) + 1))
    assert len(set(map(len, shown.splitlines()))) == 1
    table = rows("order", puzzle.text, "--runs", 5)
    assert list(table[0]) == ["puzzle", "cell", "rank", "mean_rank", "low_80", "high_80"]
    assert [row["cell"] for row in table] == [puzzle.cell_name(cell) for cell in blanks]
    assert sorted(int(row["rank"]) for row in table) == sorted(ranks)
    for row in table:
        assert 1 <= float(row["low_80"]) <= float(row["high_80"]) <= len(blanks)
    if kind == "sudoku":
        (tmp_path / "p.txt").write_text(LINE, encoding="utf-8")
        assert run("order", tmp_path / "p.txt", "--runs", 5).stdout == shown


def test_order_as_a_heat_map(tmp_path):
    assert run("order", LINE, "--runs", 5, "-o", tmp_path / "o.svg").exit_code == 0
    drawing = (tmp_path / "o.svg").read_text(encoding="utf-8")
    assert drawing.startswith("<svg")
    assert drawing.count("<rect") == 81
    colours = re.findall('<rect[^>]*fill="(#[0-9a-f]{6})"', drawing)
    assert len(set(colours)) == 52, "a colour for every rank, and one for givens"
    nurikabe = tmp_path / "n.svg"
    assert run("order", KINDS["nurikabe"].text, "--runs", 5, "-o", nurikabe).exit_code == 0
    assert ">1</text>" in nurikabe.read_text(encoding="utf-8")


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


def test_a_log_of_two_kinds(tmp_path):
    """Every puzzle is predicted, fitted to and judged; Nurikabe by its order alone."""
    games = [
        game_of(puzzle, np.arange(puzzle.givens.size), name=name, only=only)
        for name, puzzle, only in (("1", SUDOKU, None), ("2", EXAMPLES[0], BLACK))
    ]
    path = write_log(tmp_path / "both.csv", games)
    found = run("order", path, "--runs", 3)
    assert found.exit_code == 0, found.stderr
    alone = [run("order", game.puzzle.text, "--runs", 3).stdout.split() for game in games]
    assert found.stdout.split() == alone[0] + alone[1]
    fitted = run("fit", "--data", path, "-o", tmp_path / "mine.json")
    assert fitted.exit_code == 0, fitted.output
    assert "fitted to 1 puzzle, " in fitted.stdout
    first, second = sorted(rows("audit", path), key=lambda row: row["game"])
    columns = ["game", "puzzle", "p_value", "order_score", "timing_score", "verdict"]
    assert list(second)[:6] == columns
    assert second["verdict"] == "entered from a finished solution"
    assert second["notes"] == "judged by its order alone"
    assert (first["notes"], float(second["timing_score"])) == ("", 0.0)
    sentence = "judged by their order alone, because no times of Nurikabe are known: 1 of 2 games"
    assert sentence in run("audit", path, "-o", tmp_path / "report.html").stderr
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert f"<p>{sentence}.</p>" in page
    models = load_auditor().model_id, load_fill_order(kind="nurikabe").model_id
    assert f"model {', '.join(models)}" in page


@pytest.mark.thorough
def test_fits_and_audits_of_variants(tmp_path):
    games = drawn_games(KINDS["variant"], 4)
    log = write_log(tmp_path / "log.csv", games)
    honest = honest_games_of("variant", log)
    assert [game.player for game in honest.games] == ["a", "b", "a", "b"]
    fitted = fit_to_games(honest, "variant")
    assert isinstance(fitted, Population)
    assert fitted.kind == "variant"
    assert len(fitted.persons.names) == 100 + 2 * 2
    assert fitted.provenance_["games"] == 4
    again = fit_population(by_player(honest.games), kind="variant", n_jobs=2)
    assert again.model_id.split("-")[-1] == fitted.model_id.split("-")[-1]
    assert {row["verdict"] for row in rows("audit", log)} == {"consistent with a person"}
    (note,) = notes_on_kinds(games[:2])
    assert note.endswith("because no times of variants of Sudoku are known: 2 of 2 games")
    assert "für Varianten von Sudoku keine Zeiten" in translate(note, "de")


def test_names_in_a_csv_are_no_formulas(tmp_path):
    formula = '=HYPERLINK("http://example.org";"prize")'
    games = [replace(game, player=formula) for game in honest_games(2)]
    games = [replace(games[0], name="1"), replace(games[1], name="+2")]
    path = write_log(tmp_path / "log.csv", games)
    names = {(f"'{formula}", "1"), (f"'{formula}", "'+2")}
    assert {(row["player"], row["game"]) for row in rows("audit", path)} == names
    found = {(row["player"], row["game"]) for row in records("audit", path)}
    assert found == {(formula, "1"), (formula, "+2")}


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
    moves = rows_of(log.read_text(encoding="utf-8"))
    moves = [row | {"t_ms": float(row["t_ms"]) / 1000} for row in moves]
    seconds = write_rows(tmp_path / "seconds.csv", moves)
    for form in ("csv", "json"):
        found = run("audit", seconds, "-f", form)
        assert found.stdout.count("t_ms is taken for seconds") == 4
        assert "(4 of 4 games)" in " ".join(found.stderr.split())


@pytest.mark.parametrize("form", only(["csv"], ["csv", "json", "jsonl", "parquet"]))
def test_doubtful_games_can_be_left_out(log, tmp_path, form):
    """The games that an audit doubts are in no fit and in no history."""
    audit = tmp_path / f"audit.{form}"
    assert run("audit", log, "-o", audit, "--language", "de").exit_code == 0
    keys = {("3", "ada", honest_games(4)[3].puzzle.text)}
    assert read_doubted(audit) == keys
    assert [game.name for game in read_games(log).without(keys).games] == ["0", "1", "2"]
    if form == "csv":
        typed = write_log(tmp_path / "typed.csv", read_games(log).games[3:])
        for job in ("order", "time"):
            options = ("--job", job, "--data", typed, "--without", audit)
            found = run("fit", "-o", tmp_path / "m.json", *options)
            assert "no finished games" in found.stderr or "no game of sudoku" in found.stderr
        history = run("order", LINE, "--history", typed, "--without", audit)
        assert "no game" in history.stderr
        whole = run("order", LINE, "--runs", 3, "--history", log).stdout
        assert whole != run("order", LINE, "--runs", 3, "--history", log, "--without", audit).stdout


def test_players_have_one_verdict_for_all_their_games(log, audited):
    (player,) = records("audit", log, "--by", "player")
    assert (player["player"], player["games"]) == ("ada", 4)
    # Odds of several games multiply.
    assert player["log10_odds"] == pytest.approx(
        sum(game["log10_odds"] for game in audited), abs=0.1
    )
    for game in audited:
        assert game["player_games"] == 4
        assert game["player_verdict"] == player["verdict"]
        assert game["player_log10_odds"] == player["log10_odds"]
    table = run("audit", log, "--by", "player").stdout.splitlines()
    assert len(table) == 2
    assert table[1].split()[:2] == ["ada", "4"]
    german = run("audit", log, "--by", "player", "-f", "csv", "--language", "de").stdout
    assert player["verdict"] not in german


def test_the_audit_as_rows_and_as_a_page(log, audited, tmp_path):
    first, *others = audited
    assert sorted(row["game"] for row in audited) == ["0", "1", "2", "3"]
    odds = [row["log10_odds"] for row in others]
    assert odds == sorted(odds, reverse=True)
    assert (first["game"], first["finding"], first["p_value"]) == ("3", "entered", 1.0)
    assert first["entered_p_value"] < 0.01
    assert "types the solution row by row" in first["evidence"]
    assert run("audit", log, "-o", tmp_path / "r.html").exit_code == 0
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert page.startswith("<!DOCTYPE html>")
    assert run("audit", log, "--format", "html").stdout == page


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


@pytest.mark.thorough
def test_audit_with_a_history(log, tmp_path):
    earlier = write_log(tmp_path / "earlier.csv", honest_games(22)[4:])
    found = run("audit", log, "--history", earlier, "-f", "csv")
    assert found.exit_code == 0, found.output
    assert len(found.stdout.splitlines()) == 5


@pytest.mark.thorough
def test_order_of_a_player_with_earlier_games(tmp_path):
    games = honest_games(3)
    other = replace(games[2], player="bob")
    history = write_log(tmp_path / "history.csv", [*games[:2], other])
    stranger = run("order", LINE, "--runs", 20)
    ada = run("order", LINE, "--runs", 20, "--player", "ada", "--history", history)
    assert ada.exit_code == 0, ada.output
    assert ada.stdout != stranger.stdout
