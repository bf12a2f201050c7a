"""Logs with hints and pauses, logs of Nurikabe, and games as times."""

import csv
import json
from pathlib import Path

import pytest
from helpers.command import run
from helpers.pages.played_pages import NURIKABE, SUDOKU

from nando.games import Game, read_games, solving_times
from nando.games.log import EVENTS
from nando.games.times import is_log, times_of_log
from nando.solvers import unique_solution

ROOT = Path(__file__).resolve().parent.parent.parent


def moves_of(puzzle, step=800):
    solution = unique_solution(puzzle).tolist()
    blanks = [cell for cell, given in enumerate(puzzle.givens) if not given]
    return [(step * (k + 1), cell, solution[cell]) for k, cell in enumerate(blanks)]


def rows_of(puzzle, *, game="1", player="ada", step=800):
    head = {"game": game, "player": player, "puzzle": puzzle.text}
    return [
        head | {"t_ms": t, "cell": puzzle.cell_name(cell), "value": value, "event": "value"}
        for t, cell, value in moves_of(puzzle, step)
    ]


def other(event, **more):
    head = {"game": "1", "player": "ada", "puzzle": SUDOKU.text}
    return head | {"t_ms": 1, "cell": "", "value": "", "event": event, **more}


def read(tmp_path, rows):
    path = tmp_path / "log.json"
    path.write_text(json.dumps(rows), encoding="utf-8")
    return read_games(path)


@pytest.mark.parametrize("event", [event for event in EVENTS if event != "value"])
def test_an_invalid_move_changes_no_game(tmp_path, event):
    plain = rows_of(SUDOKU)
    log = read(tmp_path, [*plain[:5], other(event), *plain[5:]])
    assert log.problems == []
    (game,) = log.games
    same = Game.from_moves(SUDOKU, moves_of(SUDOKU))
    assert game.cells.tolist() == same.cells.tolist()
    assert game.seconds.tolist() == same.seconds.tolist()
    assert game.finished


def test_hints_and_pauses_become_notes(tmp_path):
    rows = rows_of(SUDOKU)
    rows[3] |= {"by": "hint"}
    rows += [other("hint"), other("hint"), other("walk"), other("pause"), other("hide")]
    (game,) = read(tmp_path, rows).games
    assert game.n_hints == 3
    assert game.notes == ("hints taken: 3", "entries made by hints: 1", "pauses: 2")


def test_unknown_events_are_named(tmp_path):
    log = read(tmp_path, [*rows_of(SUDOKU), other("peek")])
    assert len(log.games) == 1
    assert "record 52: event must be one of value, " in log.problems[0]
    assert "got 'peek'" in log.problems[0]


def test_a_game_without_moves_is_no_game(tmp_path):
    log = read(tmp_path, [other("start"), other("pause")])
    assert (log.games, log.problems) == ([], [])


def test_a_log_that_a_spreadsheet_saved_with_semicolons(tmp_path):
    path, saved = ROOT / "examples" / "games.csv", tmp_path / "games.csv"
    saved.write_text(path.read_text(encoding="utf-8").replace(",", ";"), encoding="utf-8")
    assert is_log(saved)
    read, again = read_games(path), read_games(saved)
    assert [game.name for game in again.games] == [game.name for game in read.games]
    for one, other in zip(read.games, again.games, strict=True):
        assert one.cells.tolist() == other.cells.tolist()
    assert not again.problems


def test_logs_of_nurikabe_are_read(tmp_path):
    (game,) = read(tmp_path, rows_of(NURIKABE)).games
    assert game.puzzle == NURIKABE
    assert game.finished
    assert game.notes == ()
    black = [row for row in rows_of(NURIKABE) if row["value"] == 2]
    (game,) = read(tmp_path, black).games
    assert game.finished
    (game,) = read(tmp_path, [*black[1:], black[2] | {"t_ms": 90_000, "value": 1}]).games
    assert not game.finished
    assert "1 cell left with a wrong digit" in game.notes
    assert "unfinished: 2 blanks not filled correctly" in game.notes
    (game,) = read(tmp_path, [*black, black[0] | {"cell": "r6c1"}]).games
    assert game.notes[0] == (
        "1 entry outside the grid or the digits, the first: cell r6c1, value 2"
    )


# ---------------------------------------------------------------- times


def test_only_games_that_show_the_difficulty_have_a_time():
    def game(name, player, moves=None, **more):
        moves = moves_of(SUDOKU) if moves is None else moves
        made = Game.from_moves(SUDOKU, moves, name=name, player=player)
        return Game(**(vars(made) | more))

    found = solving_times(
        [
            game("1", "ada"),
            game("2", "ada"),
            game("3", "ben", moves_of(SUDOKU)[:9]),
            game("4", "ben"),
            game("5", "eve", n_hints=2),
            game("6", "dot", [(0, cell, value) for _, cell, value in moves_of(SUDOKU)]),
            game("7", ""),
            game("8", ""),
        ]
    )
    seconds = pytest.approx(len(moves_of(SUDOKU)) * 0.8)
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


def write(path, rows):
    names = list(rows[0])
    lines = [names, *([str(row[name]) for name in names] for row in rows)]
    path.write_text("\n".join(map(",".join, lines)), encoding="utf-8")
    return path


def test_times_of_a_log_are_medians(tmp_path):
    rows = [
        row
        for player, step in (("ada", 500), ("ben", 600), ("eve", 5000))
        for row in rows_of(SUDOKU, player=player, step=step)
    ]
    path = write(tmp_path / "log.csv", [*rows, *rows_of(NURIKABE, game="2")])
    assert is_log(path)
    training, _, problems = times_of_log(path, "sudoku")
    assert training.puzzles == [SUDOKU]
    assert training.values == [pytest.approx(0.6 * len(moves_of(SUDOKU)))]
    assert training.players == [3.0]
    assert problems == []
    with pytest.raises(ValueError, match="no game of sudoku with a usable time"):
        times_of_log(write(tmp_path / "n.csv", rows_of(NURIKABE)), "sudoku")
    times = tmp_path / "times.csv"
    times.write_text("puzzle,seconds\n", encoding="utf-8")
    assert not is_log(times)


def test_names_in_a_csv_are_no_formulas(tmp_path):
    formula = '=HYPERLINK("http://example.org";"prize")'
    for game in ("1", "+2"):
        rows = [row | {"player": formula, "game": game} for row in rows_of(SUDOKU)]
        path = write(tmp_path / "log.csv", rows)
        (row,) = csv.DictReader(run("audit", path, "-f", "csv").stdout.splitlines())
        assert (row["player"], row["game"]) == (f"'{formula}", "1" if game == "1" else "'+2")
        row = json.loads(run("audit", path, "-f", "jsonl").stdout)
        assert (row["player"], row["game"]) == (formula, game)


def test_commands_take_a_log_with_both_kinds(tmp_path):
    path = write(tmp_path / "log.csv", [*rows_of(SUDOKU), *rows_of(NURIKABE, game="2")])
    audited = run("audit", path, "-f", "csv")
    assert audited.exit_code == 0, audited.output
    assert len(audited.stdout.splitlines()) == 3
    fitted = run("fit", "--data", path, "-o", tmp_path / "mine.json")
    assert fitted.exit_code == 0, fitted.output
    assert "fitted to 1 puzzle, " in fitted.stdout
    one = write(tmp_path / "one.csv", rows_of(SUDOKU))
    ordered = run("order", one, "-f", "csv")
    assert ordered.exit_code == 0, ordered.output
    assert len(ordered.stdout.splitlines()) == 1 + len(moves_of(SUDOKU))
