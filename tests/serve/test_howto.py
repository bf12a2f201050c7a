"""The steps of docs/howto/serve.md, from puzzles to a model of the players."""

import contextlib
import doctest
import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from datetime import datetime, timedelta
from pathlib import Path

import numpy as np
import pytest
from helpers.pages.contests import Visitor, begin, blanks, client_of, entry

from nando.games import load_fill_order
from nando.puzzles import Sudoku

PAGE = Path(__file__).resolve().parent.parent.parent / "docs" / "howto" / "serve.md"
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
SECONDS = {"ada": 4.0, "ben": 7.0}
"""Median seconds to a fill; the players are simulated."""


def blocks(kind):
    text = PAGE.read_text(encoding="utf-8")
    return re.findall(rf"^```{kind} contest\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def play(visitors, start):
    """Let the players solve all puzzles in the order and at the times of people."""
    rng = np.random.default_rng(1)
    model = load_fill_order(None, "sudoku")
    for visitor, pace in zip(visitors, SECONDS.values(), strict=True):
        seq, at = 0, start.timestamp()
        for number, given in enumerate(visitor("GET", "/contest/puzzles").json()["puzzles"]):
            puzzle = Sudoku(given["text"])
            places = model.expected_order(puzzle, runs=5, rng=number)
            moves = sorted(blanks(puzzle), key=lambda move, p=places: p[move[0]])
            seq += 1
            sent = [begin(seq, puzzle=number) | {"age_ms": round(1000 * (time.time() - at))}]
            for move in moves:
                seq, at = seq + 1, at + pace * float(rng.lognormal(0, 0.6))
                age = round(1000 * (time.time() - at))
                sent.append(entry(seq, *move, puzzle=number, age_ms=age))
            assert visitor.send(*sent).json()["seq"] == seq
        assert len(visitor("GET", "/contest").json()["player"]["solved"]) == number + 1


@contextlib.contextmanager
def running(command, env, folder):
    """Run the server, yield its output and address, and stop it by Ctrl-C."""
    server = subprocess.Popen(
        ["bash", "-c", f"exec {command}"],
        cwd=folder,
        env=env | {"NANDO_PORT": "0"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
    )
    output = ""
    try:
        for line in server.stdout:
            output += line
            is_known = "players and" in output  # then the secrets are not printed again
            if line.startswith("organiser:" if is_known else "Keep the secrets"):
                break
        address = re.search(r"players: (http://\S+)/", output)
        assert address, output
        yield output, address[1]
    finally:
        server.send_signal(signal.SIGINT)
        server.wait(60)
        server.stdout.close()


def serve(command, env, folder, start):
    """Run the server until the players are done, and return its output."""
    with running(command, env, folder) as (output, address), client_of(address) as client:
        visitors = [Visitor(client) for _ in SECONDS]
        for visitor, name in zip(visitors, SECONDS, strict=True):
            visitor.join(name)
            visitor("GET", "/contest/puzzles")
    # They have had the puzzles for hours, or the server would not believe the times of their moves.
    with contextlib.closing(sqlite3.connect(folder / "contest.db")) as database, database:
        database.execute("update players set handed_ms = ?", [round(1000 * start.timestamp())])
    with running(command, env, folder) as (_, again), client_of(again) as client:
        for visitor in visitors:
            visitor.client = client
        play(visitors, start)
    return output.replace(address, "http://127.0.0.1:8000")


@pytest.mark.thorough
@pytest.mark.skipif(os.name != "posix", reason="needs bash and signals")
def test_the_whole_way_in_six_commands(tmp_path):
    (description,), (console,) = blocks("toml"), blocks("console")
    # The contest takes place now, not on the evening that the page names.
    now = datetime.now().replace(second=0, microsecond=0)
    times = {
        "2027-03-02T19:00:00": now - timedelta(hours=5),
        "2027-03-02T20:30:00": now + timedelta(hours=1),
    }
    for written, meant in times.items():
        assert written in description
        description = description.replace(written, meant.isoformat())
        console = console.replace(written[:16].replace("T", " "), f"{meant:%Y-%m-%d %H:%M}")
    (tmp_path / "contest.toml").write_text(description, encoding="utf-8")
    scripts = str(Path(sys.executable).parent)
    env = os.environ | {"PATH": scripts + os.pathsep + os.environ["PATH"]}
    _, *commands = re.split(r"^\$ ", console, flags=re.MULTILINE)
    assert len(commands) == 6
    for command in commands:
        line, _, wanted = command.partition("\n")
        if line == "nando serve contest.toml":
            output = serve(line, env, tmp_path, min(times.values()))
        else:
            run = subprocess.run(
                ["bash", "-c", line],
                cwd=tmp_path,
                env=env,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                encoding="utf-8",
                check=False,
            )
            assert run.returncode == 0, f"$ {line}\n{run.stdout}"
            output = run.stdout
        output = re.sub(r"^compiling kernels.*\n", "", output)
        if wanted.strip():
            assert doctest.OutputChecker().check_output(wanted, output, FLAGS), (
                f"$ {line}\nwanted:\n{wanted}\ngot:\n{output}"
            )
    assert (tmp_path / "orders.csv").stat().st_size > 1_000
    assert "ada" in (tmp_path / "report.html").read_text(encoding="utf-8")
