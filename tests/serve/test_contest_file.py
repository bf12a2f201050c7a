"""The file of a contest, and messages about a bad one."""

import os
import socket
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from helpers.command import run
from helpers.pages.contests import Visitor, contest_file, served
from helpers.pages.played_pages import NURIKABE, SUDOKU, TRICKY
from helpers.sampled import only

from nando.games import read_games
from nando.puzzles import format_puzzle
from nando.rating import GRADES
from nando.serve import puzzles_of, read_contest

TIMES = "start = 2027-03-01T19:00:00Z\nend = 2027-03-01T20:00:00Z\n"
SEVERAL = "." * 81
NURIKABES = [
    line
    for line in Path("examples/nurikabe.txt").read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("#")
]


def contest_of(folder, text):
    return read_contest(contest_file(folder, TIMES + text))


def test_puzzles_come_as_text_from_files_and_as_links(tmp_path):
    (tmp_path / "some.txt").write_text(f"# one\n{NURIKABE.text}\n", encoding="utf-8")
    contest = contest_of(
        tmp_path,
        '[[puzzles]]\nfile = "some.txt"\npoints = 7\n'
        f'[[puzzles]]\npuzzle = "{format_puzzle(SUDOKU, "puzz.link")}"\n',
    )
    first, second = puzzles_of(contest, tmp_path)
    assert (first.puzzle, first.points) == (NURIKABE, 7)
    assert second.puzzle == SUDOKU
    assert second.points == second.record.amount > 0


@pytest.mark.thorough
def test_variants_come_as_text_and_are_made(tmp_path):
    contest = contest_of(
        tmp_path,
        '[[puzzles]]\npuzzle = "...............1+killer:r2c1r3c1:5+killer:r3c2r4c2:4'
        '+thermometer:r1c1r1c2r1c3r1c4"\n'
        '[[puzzles]]\nrule = "killer"\nsize = "4x4"\ngrade = "beginner"\n'
        '[[puzzles]]\nsize = "4x4"\ngrade = "beginner"\n',
    )
    given, made, small = puzzles_of(contest, tmp_path)
    assert small.record.puzzle.size == 4
    assert given.points == given.record.amount > 0
    assert [rule.name for rule in made.puzzle.rules][:2] == ["boxes", "killer"]
    assert made.hand_out()["solution"] is None
    with pytest.raises(ValueError, match="as many rows as columns, got 4x5"):
        contest_of(tmp_path, '[[puzzles]]\nrule = "killer"\nsize = "4x5"\ngrade = "easy"\n')


def test_all_kinds_are_worth_their_minutes(tmp_path):
    lines = [SUDOKU.text, TRICKY.text, NURIKABE.text, *NURIKABES]
    text = "".join(f'[[puzzles]]\npuzzle = "{line}"\n' for line in lines)
    puzzles = puzzles_of(contest_of(tmp_path, text), tmp_path)
    assert {one.puzzle.kind for one in puzzles} == {"sudoku", "nurikabe"}
    for one in puzzles:
        assert one.points == max(1, round(one.record.predicted / 60))
    assert len({one.points for one in puzzles}) > 3


VARIANT = (
    "5.46.891.672195348198342567859761423426853791713924856961537284287419635345286179"
    "+killer:r1c1r1c2r2c1:14"
)


def test_variants_are_handed_out_with_the_points_of_the_file(tmp_path):
    text = f'[[puzzles]]\npuzzle = "{VARIANT}"\n'
    (rated,) = puzzles_of(contest_of(tmp_path, text), tmp_path)
    assert rated.points > 0
    (puzzle,) = puzzles_of(contest_of(tmp_path, text + "points = 3\n"), tmp_path)
    assert (puzzle.points, puzzle.puzzle.text) == (3, VARIANT)
    answer = puzzle.hand_out()
    assert answer["solution"] is None
    assert answer["steps"] == []
    assert answer["predicted"] == rated.record.predicted
    assert "No digit repeats in a cage." in answer["said"]["en"]
    again = type(puzzle).from_row(puzzle.to_row())
    assert again.puzzle == puzzle.puzzle


def test_puzzles_are_made_and_the_same_again(tmp_path):
    text = (
        f'seed = 5\n[[puzzles]]\ngrade = "{GRADES[0]}"\ncount = 2\n'
        '[[puzzles]]\nkind = "nurikabe"\nminutes = 4\nsize = "7x7"\n'
    )
    contest = contest_of(tmp_path, text)
    made = puzzles_of(contest, tmp_path)
    assert [one.record.grade for one in made[:2]] == [GRADES[0]] * 2
    assert made[2].puzzle.shape == (7, 7)
    assert abs(made[2].record.predicted - 240) <= 24
    assert [one.puzzle for one in puzzles_of(contest, tmp_path)] == [one.puzzle for one in made]


def test_times_without_a_zone_are_those_of_the_machine(tmp_path):
    text = TIMES.replace("Z", "") + f'[[puzzles]]\npuzzle = "{SUDOKU.text}"\n'
    contest = read_contest(contest_file(tmp_path, text))
    assert contest.start.tzinfo is not None
    assert contest.end_ms - contest.start_ms == 3_600_000


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no start and no end: a contest needs them"),
        (TIMES, "a contest needs puzzles: add a table [[puzzles]]"),
        (TIMES + "language = 'xx'\n[[puzzles]]\ngrade='easy'\n", "language must be one of en, de"),
        (TIMES + "colour = 1\n", "colour is not a setting; known: start, end"),
        (TIMES + "[[puzzles]]\ntext = 'x'\n", "puzzles[1].text is not a setting; known: kind"),
        (TIMES + "[[puzzles]]\n", "puzzles[1]: puzzles are named by one of puzzle, file"),
        (TIMES + "[[puzzles]]\ngrade='easy'\nfile='x'\n", "got file and grade"),
        (
            TIMES + "[[puzzles]]\nfile='x'\norder=4\n",
            "order: for puzzles that are made, not for file",
        ),
        (TIMES + "password='x'\n[[puzzles]]\ngrade='easy'\n", "at least 8 characters"),
        (
            "start = 2027-03-01T20:00:00Z\nend = 2027-03-01T19:00:00Z\n[[puzzles]]\ngrade='easy'\n",
            "end must be after start, got end 2027-03-01 19:00:00+00:00 and start 2027-03-01 20",
        ),
        ("start = tomorrow\n", "not TOML"),
        ("start = 5\nend = 6\n[[puzzles]]\ngrade='easy'\n", "start must be a date with a time"),
        (TIMES + f"[[puzzles]]\npuzzle='{SEVERAL}'\n", "puzzles[1]:"),
        (TIMES + "[[puzzles]]\nfile='gone.txt'\n", "gone.txt: No such file"),
        (
            TIMES + f"[[puzzles]]\npuzzle='{SUDOKU.text}'\n" * 2,
            "is in puzzles[1], too",
        ),
    ],
)
def test_a_bad_file_is_one_sentence_and_nothing_is_left(tmp_path, text, message):
    path = contest_file(tmp_path, text or "\n")
    result = run("serve", path, "--port", "0")
    assert result.exit_code == 2, result.output
    assert message in result.stderr.splitlines()[-1]
    assert len([line for line in result.stderr.splitlines() if line.startswith("nando:")]) == 1


def test_a_port_in_use_is_one_sentence(tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        result = run("serve", contest_file(tmp_path), "--port", port)
    assert result.exit_code == 2
    assert result.stderr.strip() == (
        f"nando: cannot listen on 127.0.0.1, port {port}: Address already in use; choose another "
        "with --port"
    )
    assert [path.name for path in tmp_path.iterdir()] == ["contest.toml"]


def test_a_read_only_folder_is_one_sentence(tmp_path, monkeypatch):
    path = contest_file(tmp_path)
    if os.geteuid():
        tmp_path.chmod(stat.S_IRUSR | stat.S_IXUSR)
    else:  # root may write everywhere
        monkeypatch.setattr(os, "access", lambda path, mode: mode != os.W_OK)
    result = run("serve", path, "--port", "0")
    assert result.exit_code == 2
    assert result.stderr.strip().endswith("Permission denied: the database is written here")
    assert [path.name for path in tmp_path.iterdir()] == ["contest.toml"]


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("nonsense", "nonsense: not the URL of a known database"),
        ("sqlite://", "a contest in memory would be lost; name a file"),
        ("sqlite:////nowhere/at/all.db", "at/all.db: cannot be opened: No such file or directory"),
        ("postgresql://u:geheim@127.0.0.1:1/x", "the database cannot be used"),
    ],
)
def test_a_bad_database_is_one_sentence_without_its_password(tmp_path, url, message):
    result = run("serve", contest_file(tmp_path), "--port", "0", "--database", url)
    assert result.exit_code == 2, result.output
    assert message in result.stderr
    assert "geheim" not in result.stderr
    assert len(result.stderr.splitlines()) == 1


@pytest.mark.parametrize("missing", only(["uvicorn"], ["fastapi", "sqlalchemy", "uvicorn"]))
def test_a_missing_extra_is_one_sentence(tmp_path, missing):
    code = (
        f"import sys; sys.modules[{missing!r}] = None\n"
        "from nando.cli import main\n"
        f"sys.argv = ['nando', 'serve', {str(contest_file(tmp_path))!r}, '--port', '0']\n"
        "main()"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert run.returncode == 2
    assert run.stderr.strip() == (
        f"nando: a contest needs {missing}, which is not installed: pip install 'nando[serve]'"
    )
    assert [path.name for path in tmp_path.iterdir()] == ["contest.toml"]


def test_the_log_of_a_contest_is_written_while_it_runs(tmp_path):
    path, log = contest_file(tmp_path), tmp_path / "games.csv"
    early = run("serve", path, "--export", log)
    assert early.exit_code == 2
    assert "no contest was served from this database yet" in early.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["contest.toml"]
    with served(tmp_path, wait=False) as contest:
        ada = Visitor(contest)
        ada.join("Ada")
        ada.solve(SUDOKU)
        assert run("serve", path, "--export", log).stdout == f"{log}: 52 rows\n"
    assert run("serve", path, "--export", tmp_path / "games.txt").exit_code == 2
    (game,) = read_games(log).games
    assert game.finished
