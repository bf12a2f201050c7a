"""Long rating runs: a cache, processes, own columns, changed input, and folders of parts."""

import hashlib
import json
import os
import signal
import subprocess
import sys
import time

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from helpers.command import rows, run
from helpers.samples.sudokus import EXAMPLES, NINES

from nando.cli import parts as parts_module
from nando.cli import reading as _reading
from nando.cli.commands import rate as _rate
from nando.generators import SudokuSource, generate


def interrupt_after(monkeypatch, chunks):
    """Press Ctrl-C after `chunks` chunks have been read."""
    whole = _reading.PuzzleFiles.chunks

    def some(*arguments, **options):
        for i, chunk in enumerate(whole(*arguments, **options)):
            if i == chunks:
                raise KeyboardInterrupt
            yield chunk

    monkeypatch.setattr(_reading.PuzzleFiles, "chunks", some)


def test_the_cache_changes_nothing_but_the_time(tmp_path):
    bank, cache = tmp_path / "bank.txt", tmp_path / "ratings.sqlite"
    bank.write_text("\n".join(puzzle.text for puzzle in EXAMPLES[:8]))
    found = [run("rate", bank, "--runs", 2, "-f", "csv", "--cache", cache).stdout for _ in range(2)]
    assert found[0] == found[1] == run("rate", bank, "--runs", 2, "-f", "csv").stdout


@pytest.mark.thorough
def test_processes_change_nothing(tmp_path, monkeypatch):
    path = tmp_path / "bank.txt"
    path.write_text("\n".join(made.puzzle.text for made in generate(SudokuSource(), 70, seed=0)))
    for name, many in (("threads", 1 << 30), ("processes", 0)):
        monkeypatch.setattr(_rate, "MANY", many)
        assert (
            run("rate", path, "--jobs", 2, "--runs", 2, "-o", tmp_path / f"{name}.csv").exit_code
            == 0
        )
    assert (tmp_path / "threads.csv").read_bytes() == (tmp_path / "processes.csv").read_bytes()


# Columns of the puzzles' own file


TABLE = 'id;Grade;puzzle;note\n007;A;{};"x;y"\n8;B;11.;z\n9;C;{}\n'


@pytest.fixture
def named(tmp_path):
    path = tmp_path / "named.csv"
    texts = [puzzle.text for puzzle in NINES]
    path.write_text(TABLE.format(*texts[:2]))
    return path


def written(path):
    frame = pd.read_parquet(path) if path.suffix == ".parquet" else pd.read_csv(path, dtype=str)
    return frame.astype(object).where(frame.notna(), None)


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_an_output_keeps_the_columns_of_its_input(named, tmp_path, suffix):
    output = tmp_path / f"out.{suffix}"
    assert run("rate", named, "-o", output).exit_code == 1
    frame = written(output)
    assert list(frame)[-4:] == ["file", "id", "Grade", "note"]
    assert frame.id.tolist() == ["007", "8", "9"]
    assert frame.note.tolist() == ["x;y", "z", None]
    assert frame.error.notna().tolist() == [False, True, False]
    assert frame.grade.notna().tolist() == [True, False, True]


def test_every_source_of_columns_is_kept(named, tmp_path):
    piped = rows("rate", stdin=named.read_text(), exit_code=1)
    assert piped[0]["note"] == "x;y"
    solved = rows("solve", named, exit_code=1)
    assert [row["id"] for row in solved] == ["007", "8", "9"]
    good = EXAMPLES[0].text
    lines = tmp_path / "lines.jsonl"
    lines.write_text(f'{{"id": 7, "puzzle": "{good}", "grade": "A", "marks": [1]}}\n')
    listed = tmp_path / "listed.json"
    listed.write_text(f'[{{"id": 7, "puzzle": "{good}", "grade": "A"}}, {{"puzzle": "{good}"}}]')
    output = tmp_path / "out.jsonl"
    assert run("rate", lines, listed, "-o", output).exit_code == 0
    first, second, third = map(json.loads, output.read_text().splitlines())
    assert (first["id"], first["input_grade"], first["grade"]) == (7, "A", second["grade"])
    assert (second["id"], third["id"], third["input_grade"]) == (7, None, None)
    assert run("rate", lines, "-o", tmp_path / "out.parquet").exit_code == 0
    assert written(tmp_path / "out.parquet").id.tolist() == ["7"]


def test_parquet_is_read_with_its_types(tmp_path):
    source, output = tmp_path / "bank.parquet", tmp_path / "out.parquet"
    texts = [puzzle.text for puzzle in NINES]
    frame = pd.DataFrame(
        {
            "number": [1, 2**60, 3],
            "share": [0.1, float("nan"), 1e-300],
            "is_new": [True, None, False],
            "day": pd.to_datetime(["2026-01-02"] * 3),
            "puzzle": [texts[0], "no puzzle", texts[1]],
            "says": ['a, "b"', "c\nd", None],
        }
    )
    frame.to_parquet(source)
    assert run("rate", source, "-o", output).exit_code == 1
    found = pd.read_parquet(output)
    assert found.line.tolist() == [1, 2, 3]
    assert found.number.tolist() == [1, 2**60, 3]
    assert found.share.tolist()[::2] == [0.1, 1e-300]
    assert found.share.isna().tolist() == [False, True, False]
    assert found.is_new.tolist() == [True, None, False]
    assert found.day[0] == "2026-01-02 00:00:00"
    assert found.says.tolist()[:2] == ['a, "b"', "c d"]
    assert found.puzzle.tolist()[::2] == texts[:2]
    alone = rows("solve", "--kind", "sudoku", stdin=source.read_bytes(), exit_code=1)
    assert alone[0]["number"] == "1"
    assert run("convert", source, "--to", "line").stdout.split() == texts[:2]


def test_columns_are_kept_in_parts_and_when_a_run_resumes(named, tmp_path, monkeypatch):
    other = tmp_path / "other.csv"
    other.write_text(f"puzzle,rank\n{EXAMPLES[3].text},5\n")
    assert run("rate", named, other, "-o", tmp_path / "parts").exit_code == 1
    frame = pd.read_parquet(tmp_path / "parts")
    assert frame.id.tolist()[:3] == ["007", "8", "9"]
    assert frame["rank"].isna().tolist() == [True, True, True, False]
    monkeypatch.setattr(_reading, "CHUNK", 1)  # 16 puzzles at a time
    named.write_text(named.read_text() + "10;D;no puzzle;\n" * 20)
    whole, cut = tmp_path / "whole.csv", tmp_path / "cut.csv"
    assert run("rate", named, "-o", whole).exit_code == 1
    with monkeypatch.context() as patched:
        interrupt_after(patched, 1)
        assert run("rate", named, "-o", cut).exit_code == 130
    assert run("rate", named, "-o", cut, "--resume").exit_code == 1
    assert cut.read_bytes() == whole.read_bytes()
    with monkeypatch.context() as patched:
        interrupt_after(patched, 1)
        run("rate", named, "-o", cut)
    named.write_text(named.read_text().replace("007", "07"))
    refused = run("rate", named, "-o", cut, "--resume")
    assert "'07' was '007' when the run to resume began" in refused.stderr


# Folders of parts


PUZZLES = [puzzle.text for puzzle in NINES]
TEXTS = [*PUZZLES[:3], "no puzzle", PUZZLES[3], "." * 81, *PUZZLES[4:6]]


@pytest.fixture
def bank(tmp_path):
    folder = tmp_path / "bank"
    folder.mkdir()
    for i in range(4):
        (folder / f"{i}.csv").write_text("\n".join(["puzzle", *TEXTS[2 * i : 2 * i + 2]]) + "\n")
    (folder / ".hidden").write_text("not read")
    return folder


@pytest.fixture
def table(tmp_path, monkeypatch):
    """Write the same puzzles as a Parquet file with two rows per group and part."""
    monkeypatch.setattr(parts_module, "ROWS", 2)
    path = tmp_path / "bank.parquet"
    pq.write_table(pa.table({"puzzle": [*TEXTS[:7], None], "id": range(8)}), path, row_group_size=2)
    return path


def rated(folder):
    return pd.read_parquet(folder)


@pytest.mark.thorough
def test_parts_are_rated_as_one_file_is(bank, tmp_path):
    one = tmp_path / "one.parquet"
    assert run("rate", *sorted(bank.glob("*.csv")), "-o", one).exit_code == 1
    for jobs in (1, 2):
        result = run("rate", bank, "-o", tmp_path / f"parts{jobs}", "--jobs", jobs)
        assert result.exit_code == 1
        assert "2 of 8 puzzles cannot be used" in result.stderr
    wanted = pd.read_parquet(one)
    pd.testing.assert_frame_equal(rated(tmp_path / "parts1"), wanted)
    for path in (tmp_path / "parts1").glob("*.parquet"):
        assert path.read_bytes() == (tmp_path / "parts2" / path.name).read_bytes()


def test_a_parquet_file_is_cut_at_row_groups(table, bank, tmp_path):
    result = run("rate", table, "-o", tmp_path / "parts")
    assert result.exit_code == 1
    assert "3 of 8" in result.stderr
    found = rated(tmp_path / "parts")
    assert found.line.tolist() == [1, 2, 3, 4, 5, 6, 7, 8]
    assert found.puzzle.tolist()[:3] == TEXTS[:3]
    assert found.id.tolist() == [*range(8)]
    assert found.error.notna().tolist() == [0, 0, 0, 1, 0, 1, 0, 1]
    assert run("rate", bank, "-o", tmp_path / "others").exit_code == 1
    same = ["puzzle", "predicted_seconds", "grade", "reasons"]
    pd.testing.assert_frame_equal(found[same][:7], rated(tmp_path / "others")[same][:7])


def test_the_manifest_lists_the_contents(table, tmp_path):
    folder = tmp_path / "parts"
    run("rate", table, "-o", folder)
    record = json.loads((folder / "_manifest.json").read_text())
    assert [row["first_row"] for row in record["parts"]] == [0, 2, 4, 6]
    assert [row["rows"] for row in record["parts"]] == [2, 2, 2, 2]
    assert [row["bad"] for row in record["parts"]] == [0, 1, 1, 1]
    for row in record["parts"]:
        assert hashlib.sha256((folder / row["name"]).read_bytes()).hexdigest() == row["sha256"]


@pytest.mark.thorough
def test_only_missing_parts_are_made_again(bank, tmp_path):
    folder = tmp_path / "parts"
    run("rate", bank, "-o", folder)
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    (folder / "part-00001.parquet").unlink()
    (folder / "part-00002.parquet").write_bytes(b"damaged")
    ages = {path.name: path.stat().st_mtime_ns for path in folder.glob("part*")}
    for n_done in (2, 4):  # in the second call, nothing is left to do
        result = run("rate", bank, "-o", folder, "--resume", "--jobs", 2)
        assert result.exit_code == 1
        assert f"resumed: {n_done} parts are done" in result.stderr
        assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
    for name in ("part-00000.parquet", "part-00003.parquet"):
        assert (folder / name).stat().st_mtime_ns == ages[name]


@pytest.mark.thorough
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="signals are those of POSIX")
def test_a_killed_run_resumes(bank, tmp_path):
    wanted = tmp_path / "wanted"
    run("rate", bank, "-o", wanted)
    folder = tmp_path / "parts"
    command = [sys.executable, "-m", "nando", "rate", str(bank), "-o", str(folder)]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, start_new_session=True)
    while process.poll() is None and not list(folder.glob("part*")):
        time.sleep(0.01)
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    assert run("rate", bank, "-o", folder, "--resume").exit_code == 1
    for path in wanted.iterdir():
        assert (folder / path.name).read_bytes() == path.read_bytes()


def test_an_impossible_request_is_one_line(bank, tmp_path):
    folder = tmp_path / "parts"
    run("rate", bank, "-o", folder)
    (tmp_path / "empty").mkdir()
    (tmp_path / "bad.parquet").write_bytes(b"PAR1 and nothing")
    pq.write_table(pa.table({"grid": ["x"]}), tmp_path / "other.parquet")
    for arguments, message in [
        ((bank, "-o", folder), "continue with --resume, or name another folder"),
        ((bank, "-o", folder, "--resume", "--coverage", "0.5"), "other files, model or settings"),
        ((bank / "0.csv", "-o", folder, "--resume"), "other files, model or settings"),
        ((tmp_path / "empty", "-o", tmp_path / "p"), "no files in this folder"),
        ((tmp_path / "bad.parquet", "-o", tmp_path / "p"), "damaged Parquet file"),
        ((tmp_path / "other.parquet", "-o", tmp_path / "p"), "no column 'puzzle'"),
        ((PUZZLES[0], "-o", tmp_path / "p"), "name files or folders to read"),
    ]:
        result = run("rate", *arguments)
        assert result.exit_code == 2
        assert message in result.stderr
        assert result.stderr.count("\n") == 1
    manifest = folder / "_manifest.json"
    for text in ("", "{}", '{"format": "nando parts 1"}', "[]"):
        manifest.write_text(text)
        result = run("rate", bank, "-o", folder, "--resume")
        assert result.exit_code == 2
        assert "damaged manifest" in result.stderr
