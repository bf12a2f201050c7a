"""Long rating runs: killed and resumed, to the same bytes; a cache; equivalents; broken files."""

import json
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from helpers.command import run

from nando.cli import reading as _reading
from nando.cli.commands import rate as _rate
from nando.datasets import load_examples
from nando.generators import SudokuSource, generate

PUZZLES = load_examples().puzzles[:8]


@pytest.fixture
def bank(tmp_path):
    """Write a bank of many equivalent puzzles with a few bad lines."""
    rng = np.random.default_rng(0)
    lines = [PUZZLES[i % 8].shuffled(rng).text for i in range(4_000)]
    lines[7::997] = ["no puzzle"] * len(lines[7::997])
    path = tmp_path / "bank.txt"
    path.write_text("\n".join(lines))
    return path


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform == "win32", reason="signals are those of POSIX")
@pytest.mark.parametrize("name", ["rated.csv", "rated.parquet"])
def test_a_killed_run_resumes_to_the_same_bytes(bank, tmp_path, name):
    whole, cut = tmp_path / "whole" / name, tmp_path / "cut" / name
    for path in (whole, cut):
        path.parent.mkdir()
    options = ("rate", bank, "--runs", 2, "--jobs", 2)
    assert run(*options, "-o", whole).exit_code == 1

    command = [sys.executable, "-m", "nando", *map(str, options), "-o", str(cut)]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    part = cut.with_name(name + ".part")
    deadline = time.monotonic() + 120
    while not (part.exists() and part.stat().st_size > 100_000):
        assert process.poll() is None, "it ended before it was killed"
        assert time.monotonic() < deadline
        time.sleep(0.001)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert not cut.exists()

    with open(part, "ab") as file:
        file.write(b'{"puzzle": "torn')
    refused = run(*options, "-o", cut)
    assert refused.exit_code == 2
    assert "continue with --resume, or delete it" in refused.stderr
    other = run(*options, "--coverage", 0.5, "-o", cut, "--resume")
    assert "belongs to a run with other options" in other.stderr
    resumed = run(*options, "-o", cut, "--resume")
    assert resumed.exit_code == 1
    assert "puzzles are done" in resumed.stderr
    assert cut.read_bytes() == whole.read_bytes()
    assert [path.name for path in cut.parent.iterdir()] == [name]


def test_a_changed_input_is_not_resumed(bank, tmp_path, monkeypatch):
    output = tmp_path / "rated.csv"
    interrupt_after(monkeypatch, 2)
    assert run("rate", bank, "--runs", 1, "-o", output).exit_code == 130
    monkeypatch.undo()
    lines = bank.read_text().splitlines()
    bank.write_text("\n".join([lines[1], *lines[1:]]))
    result = run("rate", bank, "--runs", 1, "-o", output, "--resume")
    assert result.exit_code == 2
    assert "when the run to resume began" in result.stderr


def interrupt_after(monkeypatch, chunks):
    """Press Ctrl-C after `chunks` chunks have been read."""
    whole = _reading.PuzzleFiles.chunks

    def some(*arguments, **options):
        for i, chunk in enumerate(whole(*arguments, **options)):
            if i == chunks:
                raise KeyboardInterrupt
            yield chunk

    monkeypatch.setattr(_reading.PuzzleFiles, "chunks", some)


@pytest.mark.thorough
def test_equivalent_puzzles_have_equal_rows(bank, tmp_path):
    run("rate", bank, "--runs", 2, "-o", tmp_path / "r.json")
    rows = json.loads((tmp_path / "r.json").read_text())
    rated = [row["predicted_seconds"] for row in rows if not row["error"]]
    assert len(set(rated)) == 8
    assert len(rated) == 4_000 - 5


def test_the_cache_changes_nothing_but_the_time(tmp_path):
    bank, cache = tmp_path / "bank.txt", tmp_path / "ratings.sqlite"
    bank.write_text("\n".join(puzzle.text for puzzle in PUZZLES))
    found = [run("rate", bank, "--runs", 2, "-f", "csv", "--cache", cache).stdout for _ in range(2)]
    assert found[0] == found[1] == run("rate", bank, "--runs", 2, "-f", "csv").stdout
    cache.write_bytes(b"something else entirely" * 50)
    result = run("rate", bank, "--cache", cache)
    assert result.exit_code == 2
    assert "not a cache of ratings" in result.stderr


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


def test_resume_wants_an_output():
    result = run("rate", "-", "--resume")
    assert result.exit_code == 2
    assert "give -o FILE" in result.stderr
