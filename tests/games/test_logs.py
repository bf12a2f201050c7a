"""Logs of games: three formats, every fault named, events, clocks, and both kinds of puzzle."""

import json
from pathlib import Path

import numpy as np
import pytest
from helpers.pages.played_pages import NURIKABE, SUDOKU
from helpers.samples.simulated_games import write_rows

from nando.games import Game, read_games
from nando.games.log import EVENTS
from nando.games.times import is_log
from nando.puzzles import PuzzleError, Sudoku
from nando.solvers import unique_solution

ROOT = Path(__file__).resolve().parent.parent.parent
LINE = SUDOKU.text
BLANKS = [int(cell) for cell in np.flatnonzero(SUDOKU.givens == 0)]


def moves_of(cells, puzzle=SUDOKU, start=1000, step=500):
    solution = unique_solution(puzzle)
    return [(start + step * k, cell, int(solution[cell])) for k, cell in enumerate(cells)]


def records(cells, puzzle=SUDOKU, **more):
    head = {"game": "1", "player": "ada", "puzzle": puzzle.text}
    return [
        head | {"t_ms": t, "cell": cell, "value": value} | more
        for t, cell, value in moves_of(cells, puzzle)
    ]


def read(tmp_path, rows):
    return read_games(write_rows(tmp_path / "log.csv", rows))


def test_the_last_entry_counts():
    a, b, c = BLANKS[:3]
    right = {cell: value for _, cell, value in moves_of((a, b, c))}
    moves = [
        (100, a, right[a]),
        (200, b, right[b] % 9 + 1),
        (300, a, 0),
        (400, c, right[c]),
        (500, b, right[b]),
        (600, a, right[a]),
    ]
    game = Game.from_moves(SUDOKU, moves)
    assert game.cells.tolist() == [c, b, a]
    assert game.seconds.tolist() == [0.4, 0.5, 0.6]
    assert game.notes == (
        "1 correct entry erased or replaced",
        "unfinished: 48 blanks not filled correctly",
    )


@pytest.mark.parametrize(
    ("change", "note"),
    [
        ([(50, 81, 3)], "1 entry outside the grid or the digits, the first: cell 81, value 3"),
        ([(50, -1, 3), (60, 2, 10)], "2 entries outside the grid or the digits"),
        ([(50, 0, 9)], "1 entry over a given"),
        ([(10**6, BLANKS[0], 0), (5, BLANKS[0], 0)], "the clock jumps by -"),
        ([(50, BLANKS[0], 0)], ""),
    ],
)
def test_faults_are_noted_and_the_game_is_kept(change, note):
    game = Game.from_moves(SUDOKU, change + moves_of(BLANKS))
    assert game.finished
    assert (np.diff(game.seconds) >= 0).all()
    assert "; ".join(game.notes).startswith(note)
    assert bool(game.notes) == bool(note)


def test_a_puzzle_without_one_solution_is_refused():
    with pytest.raises(PuzzleError, match="several solutions"):
        Game.from_moves(Sudoku("." * 81), [])


def test_all_formats_give_the_same_game(tmp_path):
    rows = records(BLANKS)
    (tmp_path / "a.json").write_text(json.dumps(rows), encoding="utf-8")
    (tmp_path / "a.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    write_rows(tmp_path / "a.csv", rows)
    events = [f"{t},-1,{cell},{value}" for t, cell, value in moves_of(BLANKS)]
    events.insert(3, "1200,0,5,5")  # a what-if trail: not the real board
    (tmp_path / "a.tsv").write_text(f"{LINE}\t{json.dumps(events)}\t\n", encoding="utf-8")
    for name in ("a.json", "a.jsonl", "a.csv", "a.tsv"):
        log = read_games(tmp_path / name)
        assert log.problems == []
        (game,) = log.games
        assert game.cells.tolist() == BLANKS
        assert game.player == ("a" if name == "a.tsv" else "ada")
        assert game.finished


def test_cells_may_have_names_and_games_may_be_mixed(tmp_path):
    one = records(BLANKS)
    two = [
        row | {"game": "2", "cell": f"r{row['cell'] // 9 + 1}c{row['cell'] % 9 + 1}"}
        for row in records(BLANKS[::-1])
    ]
    mixed = [row for pair in zip(one, two, strict=True) for row in pair]
    log = read(tmp_path, mixed)
    assert [game.name for game in log.games] == ["1", "2"]
    assert log.games[1].cells.tolist() == BLANKS[::-1]


def test_broken_lines_are_named_and_left_out(tmp_path):
    rows = records(BLANKS)
    rows[4]["t_ms"] = "soon"
    rows[5]["t_ms"] = -3
    rows[6]["puzzle"] = LINE.replace("5", "6", 1)
    rows += [row | {"game": "unknown", "puzzle": "12"} for row in records(BLANKS[:1])]
    log = read(tmp_path, rows)
    assert [problem.split(":")[0] for problem in log.problems] == [
        "line 6",
        "line 7",
        "line 8",
        "line 53",
    ]
    assert "'soon'" in log.problems[0]
    assert "wrong length" in log.problems[3]
    (game,) = log.games
    assert game.notes == ("unfinished: 3 blanks not filled correctly",)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("log.csv", "game,puzzle\n", "no column 't_ms'"),
        ("log.json", "{", "not JSON"),
        ("log.json", "{}", "wanted a JSON list"),
        ("log.txt", "", "a log of games is one of"),
    ],
)
def test_files_without_a_log_are_refused(tmp_path, name, text, message):
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=message):
        read_games(tmp_path / name)


def test_broken_records_and_insight_lines_are_named(tmp_path):
    (tmp_path / "a.jsonl").write_text('{"game": 1}\nnonsense\n[]\n', encoding="utf-8")
    found = read_games(tmp_path / "a.jsonl")
    assert found.games == []
    assert [problem.split(":")[0] for problem in found.problems] == ["line 1", "line 2", "line 3"]
    lines = ["only", f"{LINE}\tnonsense", f'{LINE}\t["1,2"]', f"{'.' * 81}\t[]"]
    (tmp_path / "a.tsv").write_text("\n".join(lines), encoding="utf-8")
    assert len(read_games(tmp_path / "a.tsv").problems) == 4


# Clocks and mixed-up logs


@pytest.mark.parametrize(
    ("scale", "start", "note"),
    [
        (1e-3, 0.0, "t_ms is taken for seconds, because in milliseconds"),
        (1.0, 1.7e12, ""),
        (1e-3, 1.7e9, "t_ms is in seconds since 1970"),
        (1e3, 1.7e15, "t_ms is in microseconds since 1970"),
    ],
)
def test_units_are_noticed_and_said(tmp_path, scale, start, note):
    rows = [row | {"t_ms": start + scale * row["t_ms"]} for row in records(BLANKS)]
    log = read(tmp_path, rows)
    (game,) = log.games
    assert np.nanmedian(game.delays) == pytest.approx(0.5, abs=0.01)
    assert "; ".join(game.notes).startswith(note)
    assert "; ".join(log.notes).startswith(note)
    assert bool(log.notes) == bool(note)


def test_the_unit_is_decided_for_each_game(tmp_path):
    """Fifty fills in half a second are in seconds, whatever the other games are in."""
    rows = [row | {"game": str(k)} for k in range(9) for row in records(BLANKS)]
    rows += [row | {"game": "9", "t_ms": row["t_ms"] / 1000} for row in records(BLANKS)]
    log = read(tmp_path, rows)
    assert {round(float(np.nanmedian(game.delays)), 2) for game in log.games} == {0.5}
    assert [bool(game.notes) for game in log.games] == [False] * 9 + [True]
    assert log.notes == [f"{log.games[-1].notes[0]} (1 of 10 games)"]


def test_a_clock_that_is_wrong_in_any_unit_is_no_evidence(tmp_path):
    rows = [row | {"t_ms": row["t_ms"] / 1e5} for row in records(BLANKS)]
    log = read(tmp_path, rows)
    assert np.isnan(log.games[0].delays).all()
    assert "the clock cannot be right in any unit" in log.notes[1]
    moves = [(t / 100, cell, value) for t, cell, value in moves_of(BLANKS)]
    game = Game.from_moves(SUDOKU, moves, trusted_clock=True)
    assert np.nanmedian(game.delays) == pytest.approx(0.005)
    assert game.notes == ()


def test_corrections_are_counted():
    first, second = BLANKS[:2]
    wrong = 1 + int(moves_of([first])[0][2]) % 9
    tried = [(10, first, wrong), (20, second, 0), (30, first, 0)]
    assert Game.from_moves(SUDOKU, tried + moves_of(BLANKS)).n_corrections == 1
    assert Game.from_moves(SUDOKU, moves_of(BLANKS) * 2).n_corrections == 0


def test_dates_are_times(tmp_path):
    rows = [
        row | {"t_ms": f"2026-05-01T12:00:{10 + k % 50:02d}+02:00"}
        for k, row in enumerate(records(BLANKS[:40]))
    ]
    (game,) = read(tmp_path, rows).games
    assert np.nanmedian(game.delays) == pytest.approx(1.0)


def test_a_clock_change_and_a_lunch_break_are_no_evidence():
    moves = moves_of(BLANKS)
    zone = [(t + 3_600_000 * (k >= 20), cell, value) for k, (t, cell, value) in enumerate(moves)]
    lunch = [(t + 3_000_123 * (k >= 20), cell, value) for k, (t, cell, value) in enumerate(moves)]
    for changed, word in ((zone, "the clock jumps by 1 h"), (lunch, "a pause of 50 min")):
        game = Game.from_moves(SUDOKU, changed)
        assert game.notes == (f"{word} before entry 21: that delay is left out",)
        assert np.isnan(game.delays[[0, 20]]).all()
        assert np.isfinite(game.delays).sum() == 49


def test_two_clocks_are_not_judged_by_times():
    moves = [
        (t + 7_200_000 * (k % 2), cell, value)
        for k, (t, cell, value) in enumerate(moves_of(BLANKS))
    ]
    game = Game.from_moves(SUDOKU, moves)
    assert "times of two clocks" in game.notes[0]
    assert np.isnan(game.delays).all()
    assert game.finished


def test_two_plays_under_one_name_are_two_games(tmp_path):
    log = read(tmp_path, records(BLANKS) + records(BLANKS[::-1]))
    assert [game.name for game in log.games] == ["1", "1 (2)"]
    assert [game.cells.tolist() for game in log.games] == [BLANKS, BLANKS[::-1]]
    assert "the moves of game '1' belong to several games" in log.notes[0]


def test_interleaved_games_are_not_judged(tmp_path):
    pairs = zip(records(BLANKS), records(BLANKS[::-1]), strict=True)
    (game,) = read(tmp_path, [row for pair in pairs for row in pair]).games
    assert game.doubtful
    assert "as if two games had the same name: not judged" in game.notes[-1]


def test_games_without_a_player_are_counted(tmp_path):
    log = read(tmp_path, [row | {"player": ""} for row in records(BLANKS)])
    assert log.notes == ["1 of 1 games name no player: each is judged by itself"]


# Events, other kinds and other separators


def other(event, **more):
    return records(BLANKS[:1])[0] | {"t_ms": 1, "cell": "", "value": "", "event": event, **more}


def with_events(*events):
    return [*(row | {"event": "value", "by": ""} for row in records(BLANKS)), *events]


@pytest.mark.parametrize("event", [event for event in EVENTS if event != "value"])
def test_an_invalid_move_changes_no_game(tmp_path, event):
    plain = with_events()
    log = read(tmp_path, [*plain[:5], other(event), *plain[5:]])
    assert log.problems == []
    (game,) = log.games
    same = Game.from_moves(SUDOKU, moves_of(BLANKS))
    assert game.cells.tolist() == same.cells.tolist()
    assert game.seconds.tolist() == same.seconds.tolist()
    assert game.finished


def test_hints_and_pauses_become_notes(tmp_path):
    rows = with_events(*map(other, ("hint", "hint", "walk", "pause", "hide")))
    rows[3]["by"] = "hint"
    (game,) = read(tmp_path, rows).games
    assert game.n_hints == 3
    assert game.notes == ("hints taken: 3", "entries made by hints: 1", "pauses: 2")


def test_unknown_events_are_named_and_events_alone_are_no_game(tmp_path):
    log = read(tmp_path, with_events(other("peek")))
    assert len(log.games) == 1
    assert "line 53: event must be one of value, " in log.problems[0]
    assert "got 'peek'" in log.problems[0]
    log = read(tmp_path, [other("start"), other("pause")])
    assert (log.games, log.problems) == ([], [])


def test_a_log_that_a_spreadsheet_saved_with_semicolons(tmp_path):
    path, saved = ROOT / "examples" / "games.csv", tmp_path / "games.csv"
    saved.write_text(path.read_text(encoding="utf-8").replace(",", ";"), encoding="utf-8")
    assert is_log(saved)
    log, again = read_games(path), read_games(saved)
    assert [(game.name, game.cells.tolist()) for game in again.games] == [
        (game.name, game.cells.tolist()) for game in log.games
    ]
    assert not again.problems


def test_logs_of_nurikabe_are_read(tmp_path):
    rows = records(np.flatnonzero(NURIKABE.givens == 0).tolist(), NURIKABE)
    black = [row for row in rows if row["value"] == 2]
    for whole in (rows, black):
        (game,) = read(tmp_path, whole).games
        assert game.puzzle == NURIKABE
        assert game.finished
        assert game.notes == ()
    (game,) = read(tmp_path, [*black[1:], black[2] | {"t_ms": 90_000, "value": 1}]).games
    assert not game.finished
    assert "1 cell left with a wrong digit" in game.notes
    assert "unfinished: 2 blanks not filled correctly" in game.notes
    (game,) = read(tmp_path, [*black, black[0] | {"cell": "r6c1"}]).games
    assert game.notes[0] == (
        "1 entry outside the grid or the digits, the first: cell r6c1, value 2"
    )
