"""The steps of docs/howto/serve.md, from puzzles to a model of the players."""

import doctest
import os
import re
import signal
import subprocess
import sys
import time
from datetime import datetime, timedelta
from pathlib import Path

import numpy as np
import pytest
from helpers.pages.contests import Visitor, blanks, client_of, entry

from nando.games import load_fill_order
from nando.puzzles import Sudoku

PAGE = Path(__file__).resolve().parent.parent.parent / "docs" / "howto" / "serve.md"
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
SECONDS = {"ada": 4.0, "ben": 7.0}
"""Median seconds to a fill; the players are simulated."""


def blocks(kind):
    text = PAGE.read_text(encoding="utf-8")
    return re.findall(rf"^```{kind} contest\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def play(address, start):
    """Let two players solve all puzzles in the order and at the times of people."""
    rng = np.random.default_rng(1)
    model = load_fill_order(None, "sudoku")
    with client_of(address) as client:
        for name, pace in SECONDS.items():
            visitor = Visitor(client)
            visitor.join(name)
            seq, at = 0, start.timestamp()
            for number, given in enumerate(visitor("GET", "/contest/puzzles").json()["puzzles"]):
                puzzle = Sudoku(given["text"])
                places = model.expected_order(puzzle, runs=5, rng=number)
                moves = sorted(blanks(puzzle), key=lambda move, p=places: p[move[0]])
                sent = []
                for move in moves:
                    seq, at = seq + 1, at + pace * float(rng.lognormal(0, 0.6))
                    age = round(1000 * (time.time() - at))
                    sent.append(entry(seq, *move, puzzle=number, age_ms=age))
                assert visitor.send(*sent).json()["seq"] == seq
            assert len(visitor("GET", "/contest").json()["player"]["solved"]) == number + 1


def serve(command, env, folder, start):
    """Run the server until the players are done, stop it by Ctrl-C, and return its output."""
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
            if line.startswith("Keep the secrets"):
                break
        address = re.search(r"players: (http://\S+)/", output)
        assert address, output
        play(address[1], start)
    finally:
        server.send_signal(signal.SIGINT)
        server.wait(60)
        server.stdout.close()
    return output.replace(address[1], "http://127.0.0.1:8000")


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
