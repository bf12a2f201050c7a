"""The command line: bad input, all formats of output, and interruptions."""

import gzip
import io
import json
import os
import runpy
import subprocess
import sys
from inspect import signature
from itertools import count

import numpy as np
import pandas as pd
import pytest
import typer
from helpers.command import records, rows, rows_of, run
from helpers.sampled import only
from helpers.samples.sudokus import EXAMPLES, LINE, NINES, SOLUTION

import nando.rating
import nando.solvers
from nando.cli import progress
from nando.cli import reading as _reading
from nando.cli.app import COMMANDS
from nando.cli.options import expand
from nando.kernels.extensions import begin_compiling
from nando.puzzles import Sudoku
from nando.rating.fitting.training import read_times
from nando.rating.result import duration

SEVERAL = "." * 81
UNSOLVABLE = "55" + "." * 79
IMPOSSIBLE = "12345678." + "." * 8 + "9" + "." * 63

RATE_COLUMNS = [
    *("line", "puzzle", "predicted_seconds", "low_seconds", "high_seconds", "grade"),
    *("percentile", "model_id", "error", "flags", "flag_codes", "givens", "reasons", "file"),
]


OTHER = Sudoku(LINE).shuffled(np.random.default_rng(0)).text


@pytest.fixture
def stop(monkeypatch):
    """Press Ctrl-C at the call of the rater with this number."""

    def set_to(number):
        calls, whole = count(), nando.rating.Bank.rate

        def rate(self, puzzles):
            if next(calls) == number:
                raise KeyboardInterrupt
            return whole(self, puzzles)

        monkeypatch.setattr(nando.rating.Bank, "rate", rate)

    return set_to


@pytest.fixture
def unrated(monkeypatch):
    """Fail if anything is rated."""
    monkeypatch.setattr(nando.rating.Bank, "rate", lambda *_: pytest.fail("it was rated"))


# Rating


def test_rate_shows_a_table():
    result = run("rate", stdin=f"{LINE}\n")
    rating = nando.rate(LINE)
    heading, row = result.stdout.splitlines()
    assert heading.split()[:4] == ["line", "givens", "time", "interval"]
    assert row.split("  ") != [row]
    time, low, high = map(duration, (rating.predicted, rating.low, rating.high))
    for part in ("30", time, f"{low} to {high}", rating.grade, " %", rating.reasons):
        assert part in row
    assert (result.exit_code, result.stderr) == (0, "")


def test_rate_csv():
    found = rows("rate", "-", stdin=f"{LINE}\n\n{OTHER}\n")
    assert list(found[0]) == RATE_COLUMNS
    assert [row["line"] for row in found] == ["1", "3"]
    assert {float(row["predicted_seconds"]) for row in found} == {nando.rate(LINE).predicted}
    assert [row["puzzle"] for row in found] == [LINE, OTHER]
    assert {row["error"] for row in found} == {""}


def test_rate_reports_bad_lines_and_rates_the_others():
    lines = [LINE, LINE[:80], UNSOLVABLE, IMPOSSIBLE, SEVERAL, LINE]
    result = run("rate", "--format", "csv", stdin="\n".join(lines))
    found = rows_of(result.stdout)
    errors = [
        "",
        "wrong length: 80 symbols; wanted 81 (9x9), 256 (16x16) or 625 (25x25)",
        "conflicting givens: 5 at r1c1 and r1c2 (row 1, box 1)",
        "no solution",
        "several solutions: they differ in",
        "",
    ]
    for row, error in zip(found, errors, strict=True):
        assert row["error"].startswith(error)
        assert row["predicted_seconds"] == ("" if error else str(nando.rate(LINE).predicted))
    assert result.exit_code == 1
    assert result.stderr == "4 of 6 puzzles cannot be used; see the column 'error'\n"

    result = run("rate", stdin="\n".join(lines))
    assert len(result.stdout.splitlines()) == 3
    assert "line 3: conflicting givens" in result.stderr
    assert result.exit_code == 1


def test_long_list_of_errors_is_cut():
    result = run("rate", stdin="x" * 81 + "\n" + "abc\n" * 100)
    assert "and 81 more" in result.stderr
    assert len(result.stderr.splitlines()) == 22


@pytest.mark.parametrize("chunk", [1, 2, 3])
def test_chunks_do_not_change_the_result(monkeypatch, chunk):
    puzzles = [puzzle.text for puzzle in EXAMPLES[:3]]
    lines = "\n".join([puzzles[0], SEVERAL, *puzzles[1:], SEVERAL, OTHER])
    whole = run("rate", "-f", "csv", stdin=lines)
    monkeypatch.setattr(_reading, "CHUNK", chunk)
    assert run("rate", "-f", "csv", stdin=lines).stdout == whole.stdout


def test_options_reach_the_rater():
    (row,) = rows("rate", "--jobs", 2, "--runs", 7, "--coverage", 0.5, stdin=LINE)
    rating = nando.rate(LINE, runs=7, coverage=0.5)
    assert (row["low_seconds"], row["high_seconds"]) == (str(rating.low), str(rating.high))


@pytest.mark.parametrize(
    "name", ["r.csv", "r.csv.gz", "r.json", "r.json.gz", "r.jsonl", "r.parquet", "r.txt"]
)
@pytest.mark.parametrize("lines", [[LINE, SEVERAL, LINE], [SEVERAL]])
def test_rate_files(tmp_path, monkeypatch, name, lines):
    monkeypatch.setattr(_reading, "CHUNK", 2)
    path = tmp_path / name
    path.write_text("before")
    result = run("rate", "-o", path, stdin="\n".join(lines))
    assert (result.exit_code, result.stdout) == (1, "")
    assert [file.name for file in tmp_path.iterdir()] == [name]
    data = path.read_bytes()
    data = gzip.decompress(data) if name.endswith(".gz") else data
    if ".txt" in name:
        assert len(data.decode().splitlines()) == (3 if len(lines) == 3 else 0)
        return
    if ".csv" in name:
        table = pd.read_csv(io.BytesIO(data))
    elif ".jsonl" in name:
        table = pd.DataFrame([json.loads(line) for line in data.splitlines()])
    elif ".json" in name:
        table = pd.DataFrame(json.loads(data))
    else:
        table = pd.read_parquet(io.BytesIO(data))
    parts = ["parts_seconds"] if ".json" in name else []
    assert list(table.columns) == [*RATE_COLUMNS[:-1], *parts, "file"]
    assert table["puzzle"].tolist() == lines
    assert table["error"].notna().tolist() == [line == SEVERAL for line in lines]


def test_a_worker_that_loads_the_main_module_runs_no_command(monkeypatch):
    monkeypatch.setattr(sys, "argv", ["nando", "--version"])
    with pytest.raises(SystemExit):
        runpy.run_module("nando", run_name="__main__")
    runpy.run_module("nando.__main__", run_name="__mp_main__")


def test_rate_several_files_in_several_forms(tmp_path):
    (tmp_path / "a.txt").write_bytes(f"{LINE}\r\n".encode())
    (tmp_path / "b.txt.gz").write_bytes(gzip.compress(Sudoku(LINE).grid().encode()))
    (tmp_path / "c.csv").write_text(f"id,puzzle\n1,{LINE}\n2,x\n")
    files = [tmp_path / name for name in ("a.txt", "b.txt.gz", "c.csv")]
    found = records("rate", *files, exit_code=1)
    assert [record["file"] for record in found] == [str(files[i]) for i in (0, 1, 2, 2)]
    assert [record["error"] is None for record in found] == [True, True, True, False]
    assert f"{files[2]}:3: " in run("rate", *files).stderr


# Ctrl-C


def test_interrupt_keeps_what_is_rated(stop, monkeypatch, tmp_path):
    chunks, rate = _reading.PuzzleFiles.chunks, nando.rating.Bank.rate
    monkeypatch.setattr(_reading, "CHUNK", 2)
    monkeypatch.setattr(_reading.PuzzleFiles, "chunks", lambda self, size: chunks(self))
    for name in ("r.csv", "r.json", "r.parquet"):
        stop(1)
        result = run("rate", "-o", tmp_path / name, stdin="\n".join([LINE] * 5))
        assert result.exit_code == 130
        assert result.stderr == (
            "interrupted: the first 2 puzzles are kept\n"
            "repeat the command with --resume to continue\n"
        )
        monkeypatch.setattr(nando.rating.Bank, "rate", rate)
    assert len(rows_of((tmp_path / "r.csv").read_text())) == 2
    assert len(json.loads((tmp_path / "r.json").read_text())) == 2
    assert len(pd.read_parquet(tmp_path / "r.parquet")) == 2
    assert len(list(tmp_path.glob("*.part"))) == len(list(tmp_path.iterdir())) - 3 == 3


def test_interrupt_before_the_first_result_changes_nothing(stop, tmp_path):
    stop(0)
    path = tmp_path / "r.csv"
    path.write_text("before")
    result = run("rate", "-o", path, stdin=LINE)
    assert (result.exit_code, result.stderr) == (130, "interrupted\n")
    assert path.read_text() == "before"
    assert len(list(tmp_path.iterdir())) == 1


# Unusable input


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("6x6+diagonal", "unknown rule 'diagonal'; did you mean 'diagonals'?"),
        ("9x9+kiler:r1c1r1c2:3", "unknown rule 'kiler'; did you mean 'killer'?"),
        ("6x6", "several solutions: they differ in"),
        ("hello world", "wrong length: 10 symbols;"),
    ],
)
def test_an_argument_that_looks_like_a_puzzle_is_one(tmp_path, text, error):
    """It is reported as in a file, and a kind that nothing shows is named."""
    file = tmp_path / "puzzles"
    file.write_text(f"{text}\n")
    results = [run("solve", source) for source in (text, file)]
    assert results[0].stderr == results[1].stderr
    assert f"  line 1: {error}" in results[0].stderr
    assert [result.exit_code for result in results] == [1, 1]
    guess = "; taken for the kind sudoku: give --kind nurikabe or --kind variant if it is one"
    assert (guess in results[0].stderr) == (text == "hello world")


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "latin-1", "utf-8-sig"])
def test_encodings(tmp_path, encoding):
    """UTF-16 has a byte order mark; a title in Latin-1 may come late."""
    bom = "\ufeff" if encoding == "utf-16-le" else ""
    file = tmp_path / "puzzles.txt"
    file.write_text(f"{bom}{f'{LINE}{chr(10)}' * 300}# Rätsel für Zoé\n{LINE}\n", encoding=encoding)
    solved = run("solve", file)
    assert solved.exit_code == 0
    assert solved.stdout == f"{SOLUTION}\n" * 301


def test_puzzles_of_several_kinds_are_named(tmp_path):
    plain, killer = tmp_path / "plain.txt", tmp_path / "killer.txt"
    plain.write_text(f"{LINE}\n")
    killer.write_text(f"{LINE}+killer:r1c3r1c4:10\n")
    solved = [run("solve", *files) for files in ((plain, killer), (killer, plain))]
    assert [result.exit_code for result in solved] == [0, 0]
    assert {len(result.stdout.splitlines()) for result in solved} == {2}
    matrix = run("solve", "[[0,0,1,0],[0,4,0,0],[0,0,0,2],[0,2,0,0]]")
    assert "; taken for the kind variant: give --kind nurikabe if it is one" in matrix.stderr


@pytest.mark.usefixtures("unrated")
def test_output_is_checked_before_anything_is_computed(tmp_path, monkeypatch):
    assert "Is a directory" in run("rate", "-o", tmp_path, "-f", "csv", stdin=LINE).stderr
    path = tmp_path / "r.csv"
    path.write_text("before")
    for locked in (tmp_path, path):
        monkeypatch.setattr(
            os, "access", lambda place, mode, locked=locked: str(place) != str(locked)
        )
        result = run("rate", "-o", path, stdin=LINE)
        assert (result.exit_code, result.stderr) == (2, f"nando: {path}: Permission denied\n")
    assert path.read_text() == "before"


def test_compiling_is_announced(monkeypatch):
    compiled = []
    monkeypatch.setattr("nando.kernels.extensions.on_first_compile", lambda act: act("module"))
    monkeypatch.setattr("nando.precompile.compile_together", lambda *what: compiled.append(what))
    progress._say_compiling.cache_clear()
    assert run("rate", stdin=LINE).stderr.startswith("compiling kernels that no command has")
    assert compiled == [("sudoku", progress.RATING)]


def test_compiling_is_announced_once_however_many_stages_compile(capsys):
    progress._say_compiling.cache_clear()
    for _ in range(2):
        progress.announce_compiling()
        assert begin_compiling("module")
        assert not begin_compiling("module")
    assert capsys.readouterr().err.count("compiling kernels") == 1


def test_count_up_to_a_number(tmp_path):
    """Two blank cells that may be exchanged twice have two solutions; an empty grid has many."""
    file = tmp_path / "puzzles.txt"
    file.write_text(f"{LINE}\n{SEVERAL}\n4x4\n")
    counted = [
        [line.split()[0] for line in run("solve", *arguments).stdout.splitlines()[1:]]
        for arguments in (("--count", "1000", file), (file, "--count", "5"), ("--count", file))
    ]
    assert counted[0][::2] == ["1", "288"]
    assert counted[1:] == [["1", counted[1][1], "5+"], ["1", "2+", "2+"]]
    assert run("solve", "--count", "300", stdin="4x4\n").stdout.split()[2:3] == ["288"]


# Models


def test_a_few_times_make_a_crowd(tmp_path):
    data, model = tmp_path / "club.csv", tmp_path / "club.json"
    puzzles = NINES[:5]
    typical = nando.rating.load_model().rate(puzzles).to_frame()["predicted_seconds"]
    times = [f"{p.text},{3 * time:.0f}" for p, time in zip(puzzles, typical, strict=True)]
    data.write_text("\n".join(["puzzle,seconds", *times]))
    result = run("fit", data, "-o", model)
    assert result.exit_code == 0
    # The phone's player was timed on the fifth example.
    assert result.stderr.startswith("note: the scale was fitted to times of some of these puzzles")
    assert result.stderr.count("\n") == 1
    assert result.stdout.startswith("club-")
    assert "fitted to 5 puzzles" in result.stdout
    rated = rows("rate", "--model", model, stdin=puzzles[0].text)
    slower = float(rated[0]["predicted_seconds"]) / typical[0]
    assert 2 < slower < 3.3
    both = run("fit", data, "--data", data, "-o", model)
    assert (both.exit_code, "give one" in both.stderr) == (2, True)
    other = run("fit", data, "--without", "phone", "-o", model)
    assert (other.exit_code, "phone: " in other.stderr) == (2, True)


def test_fit_names_bad_rows(tmp_path):
    model = tmp_path / "model.json"
    data = tmp_path / "times.csv"
    data.write_text(f"Puzzle,seconds,players\n{LINE},60,3\n{LINE[:80]},60,3\n{LINE},-1,3\n")
    result = run("fit", "--data", data, "-o", model)
    assert result.exit_code == 2
    assert "line 3: wrong length: 80 symbols" in result.stderr
    assert "line 4: seconds must be a number above 0, got '-1'" in result.stderr
    data.write_text(f"puzzle,seconds\n{LINE},{'9' * 5000}s\n")
    assert len(run("fit", "--data", data, "-o", model).stderr) < 500
    data.write_text(f"puzzle,time\n{LINE},60\n")
    missing = run("fit", "--data", data, "-o", model).stderr
    assert "no column 'seconds'; there are puzzle, time; wanted" in missing
    data.write_text("puzzle,seconds\n")
    assert "no puzzles found" in run("fit", "--data", data, "-o", model).stderr
    assert not model.exists()


@pytest.mark.parametrize("delimiter", [";", "\t"])
def test_times_of_a_spreadsheet_in_another_language(tmp_path, delimiter):
    data = tmp_path / "times.csv"
    table = [("Nr", "Puzzle", "Seconds"), ("1", LINE, "60,5"), ("2", LINE, "1061.25")]
    data.write_text("".join(delimiter.join(row) + "\n" for row in table))
    _, seconds, *_ = read_times(data, "sudoku")
    assert seconds == [60.5, 1061.25]


@pytest.mark.thorough
@pytest.mark.parametrize(("kind", "size"), [("sudoku", None), ("nurikabe", 5)])
def test_fit_writes_a_model_that_rates(tmp_path, kind, size):
    data, model = tmp_path / "times.csv", tmp_path / "model.json"
    puzzles = [made.puzzle for made in nando.generate(kind=kind, size=size, count=24, seed=0)]
    seconds = np.random.default_rng(0).uniform(200, 900, len(puzzles)).round()
    lines = [f"{time},{puzzle.text},3" for time, puzzle in zip(seconds, puzzles, strict=True)]
    data.write_text("\n".join(["seconds,puzzle,players", *lines]) + "\n")
    result = run("fit", "--kind", kind, "--data", data, "-o", model)
    assert result.exit_code == 0, result.stderr
    assert "fitted to 24 puzzles" in result.stdout
    rater = nando.load_model(model, kind)
    assert tuple(rater.columns) == nando.rating.default_columns(kind)
    assert (rater.provenance_["name"], rater.provenance_["players"]) == ("times", 72)
    baseline = {"sudoku": "givens", "nurikabe": "nurikabe_shared_cells"}[kind]
    assert set(rater.provenance_["scores"]) == {"model", baseline}
    (row,) = rows("rate", "--model", model, stdin=puzzles[0].text)
    assert row["model_id"].startswith("times-")
    with pytest.raises(ValueError, match=f"is for {kind}, not for variant"):
        nando.load_model(model, "variant")


# The program itself


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.2, "0 s"),
        (48, "48 s"),
        (59.6, "1 min 00 s"),
        (365, "6 min 05 s"),
        (3599.6, "1 h 00 min"),
        (4320, "1 h 12 min"),
        (90_000, "25 h 00 min"),
    ],
)
def test_durations(seconds, text):
    assert duration(seconds) == text


def test_json_is_the_same_on_standard_output_and_in_a_file(tmp_path):
    lines = f"{LINE}\n{SEVERAL}\n"
    for form in ("json", "jsonl"):
        file = tmp_path / f"out.{form}"
        run("solve", "-o", file, stdin=lines)
        assert run("solve", "-f", form, stdin=lines).stdout == file.read_text()
        run("solve", "-f", form, "-o", tmp_path / "out.txt", stdin=lines)
        assert (tmp_path / "out.txt").read_text() == file.read_text()
    assert len(json.loads((tmp_path / "out.json").read_text())) == 2
    assert len(file.read_text().splitlines()) == 2


@pytest.mark.skipif(sys.platform == "win32", reason="closes streams as POSIX shells do")
@pytest.mark.parametrize("closed", only(["<&- >&- 2>&-"], [">&-", ">&- 2>&-"]))
@pytest.mark.parametrize(
    "arguments", only(["solve -f csv"], ["solve", "solve -f csv", "solve -f parquet", "convert"])
)
def test_closed_streams_are_no_error(arguments, closed):
    command = f"{sys.executable} -m nando {arguments} {LINE} {closed}"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is full")
def test_a_full_disk_is_named():
    command = [sys.executable, "-m", "nando", "convert", LINE]
    with open("/dev/full", "w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True)
    assert (done.returncode, done.stderr) == (
        2,
        "nando: standard output: No space left on device\n",
    )
    result = run("solve", LINE, "-f", "csv", "-o", "/dev/full")
    message = "nando: /dev/full: Cannot be written: No space left on device\n"
    assert (result.exit_code, result.stderr) == (2, message)


@pytest.mark.parametrize(
    "command", [command.__name__ for commands in COMMANDS.values() for command in commands]
)
def test_defaults_in_the_help_are_in_one_pair_of_brackets(command):
    help = " ".join(run(command, "--help").stdout.split())
    assert "default: (" not in help
    assert "default: None" not in help


def test_every_option_has_help():
    for command in (command for commands in COMMANDS.values() for command in commands):
        for name, parameter in signature(expand(command)).parameters.items():
            if parameter.annotation is not typer.Context:
                words = getattr(parameter.annotation, "__metadata__", [parameter.default])[0]
                assert words.help, (command.__name__, name)


def test_puzzles_of_warmup_have_one_solution():
    from nando.cli.commands.warmup import EASY, HARD
    from nando.precompile import NURIKABE, TECHNIQUES
    from nando.puzzles import Nurikabe, Sudoku
    from nando.solvers import status

    assert all(status(Sudoku(text)).valid for text in (EASY, HARD, TECHNIQUES))
    assert status(Nurikabe(NURIKABE)).valid


def test_a_kind_given_as_a_model_is_explained():
    with pytest.raises(FileNotFoundError, match="a shipped model is chosen by its kind: sudoku, "):
        nando.load_model("nurikabd")
