"""Banks in parts: folders and Parquet files in, a folder with a manifest out."""

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
from helpers.command import run
from helpers.samples.sudokus import NINES

from nando.cli import parts as parts_module

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
