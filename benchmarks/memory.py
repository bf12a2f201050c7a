"""Resident memory of each command over many puzzles, and of a contest server over an hour.

Run: python benchmarks/memory.py [COMMAND ...] [--puzzles N]
     python benchmarks/memory.py contest [--minutes M]

Each command runs in a process of its own, with one file of all puzzles. `audit`, `book` and `play`
hold all puzzles of a file at once, so they are run again and again in one process, with a few
puzzles each time. A command that takes some 100 ms or more for a puzzle gets a hundredth of them.
"""

import argparse
import contextlib
import csv
import os
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import NamedTuple

import httpx
import numpy as np
from contest import BLANKS, CONTEST, SOLUTION, Process

from nando.datasets import load_examples
from nando.puzzles import Nurikabe
from nando.solvers import unique_solution

SLOW = 100
"""A command that takes 100 ms or more for a puzzle gets so many times fewer."""
AT_ONCE = 20
"""Puzzles of each book, page and audit."""
EVERY = 0.2
"""Seconds between two looks at the memory."""


class Command(NamedTuple):
    """A command.

    Attributes
    ----------
    line : str
        With IN for its file, OUT for what it writes, and COUNT for the number of puzzles.
    is_slow : bool
    is_repeated : bool
        Whether it is run again and again in one process, `AT_ONCE` puzzles each time.
    """

    line: str
    is_slow: bool = False
    is_repeated: bool = False


COMMANDS = {
    "rate": Command("rate IN.txt -o OUT.csv"),
    "solve": Command("solve IN.txt -o OUT.txt"),
    "convert": Command("convert IN.txt -o OUT.sdm"),
    "canonical": Command("canonical IN.txt -o OUT.txt"),
    "features": Command("features IN.txt -o OUT.csv"),
    "generate": Command("generate --count COUNT --no-rating -o OUT.csv"),
    "generate-to-a-time": Command("generate --count COUNT --target 8min -o OUT.csv", True),
    "explain": Command("explain IN.txt -o OUT.csv", True),
    "order": Command("order IN.txt -o OUT.csv", True),
    "audit": Command("audit IN.csv -o OUT.csv", True, True),
    "book": Command("book --from IN.txt -o OUT.pdf", True, True),
    "play": Command("play IN.txt -o OUT.html", True, True),
    "rate-nurikabe": Command("rate NURIKABE.txt -o OUT.csv", True),
    "generate-nurikabe": Command(
        "generate --puzzle nurikabe --size 7x7 --count COUNT --no-rating -o OUT.csv", True
    ),
}

AGAIN = """
import contextlib, io, sys
from nando.cli.app import app
times, *line = sys.argv[1:]
for _ in range(int(times)):
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        app(line, standalone_mode=False)
"""


def write_inputs(folder, n):
    """Files of `n` puzzles, and of games: equivalent to the examples, no two equal."""
    rng = np.random.default_rng(0)
    examples = [puzzle for puzzle in load_examples().puzzles if puzzle.order == 3]
    with open(folder / "IN.txt", "w") as file:
        for i in range(n):
            file.write(examples[i % len(examples)].shuffled(rng).text + "\n")
    boards = [Nurikabe(text) for text in ("...../3..1./.1.../...../.4...", "..1/.../2..")]
    with open(folder / "NURIKABE.txt", "w") as file:
        for i in range(n):
            file.write(boards[i % len(boards)].shuffled(rng).text + "\n")
    with open(folder / "IN.csv", "w", newline="") as file:
        table = csv.writer(file)
        table.writerow(["game", "player", "puzzle", "t_ms", "cell", "value"])
        for game in range(AT_ONCE):
            puzzle = examples[game % len(examples)].shuffled(rng)
            solution = unique_solution(puzzle)
            for k, cell in enumerate(rng.permutation(np.flatnonzero(puzzle.givens == 0))):
                table.writerow([game, game // 4, puzzle.text, 2_000 * k, cell, solution[cell]])


def megabytes(pid):
    """Resident memory of a process; 0 once it has ended."""
    with contextlib.suppress(OSError):
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 1e6
    return 0.0


def watched(arguments):
    """Run a process: its seconds, and its memory every so often."""
    start = time.monotonic()
    process = subprocess.Popen(
        arguments, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, encoding="utf-8"
    )
    errors = []
    reader = threading.Thread(target=lambda: errors.append(process.stderr.read()))
    reader.start()
    memory = []
    while process.poll() is None:
        memory.append(megabytes(process.pid))
        time.sleep(EVERY)
    reader.join()
    if process.returncode:
        raise RuntimeError(f"{arguments}: {errors[0][-500:]}")
    return time.monotonic() - start, [value for value in memory if value]


def measure(name, n, folder):
    """Print a row of the table: memory of a command after a tenth of its time, a half, and all."""
    command = COMMANDS[name]
    n = max(1, n // SLOW) if command.is_slow else n
    write_inputs(folder, AT_ONCE if command.is_repeated else n)
    line = command.line.replace("COUNT", str(n)).split()
    line = [
        str(folder / part) if part.startswith(("IN.", "OUT.", "NURIKABE.")) else part
        for part in line
    ]
    begin = [sys.executable, "-m", "nando"]
    if command.is_repeated:
        begin = [sys.executable, "-c", AGAIN, str(max(1, n // AT_ONCE))]
    seconds, memory = watched([*begin, *line])
    tenth, half, end = (memory[int(share * (len(memory) - 1))] for share in (0.1, 0.5, 0.97))
    grown = (end - half) * 1e6 / (0.47 * n)
    numbers = f"{n:,} | {seconds:,.0f} | {tenth:.0f} | {half:.0f} | {end:.0f} | {grown:,.0f}"
    print(f"| {name} | {numbers} |", flush=True)


PASSWORD = "correct horse"
AT_PLAY = 8
"""Players at a time. Who has solved the puzzle leaves, and another one joins."""


class Visitor:
    """A browser: its session in a cookie, and the token that is sent with it."""

    def __init__(self, client, path, **asked):
        self._client = client
        self._headers = {}
        answer = self("POST", path, json=asked)
        cookies = "; ".join(f"{name}={value}" for name, value in answer.cookies.items())
        self._headers = {"cookie": cookies, "x-csrf-token": answer.json()["csrf"]}
        self.n_sent = self.seq = 0

    def __call__(self, method, path, **options):
        """Send a request; return the answer."""
        self._client.cookies.clear()
        answer = self._client.request(method, path, headers=self._headers, **options)
        answer.raise_for_status()
        return answer

    def enter(self):
        """Enter the next digit; return True if it was the last one."""
        cell = BLANKS[self.n_sent]
        value = int(SOLUTION[cell])
        if not self.n_sent:
            self._send({"e": "start"}, [])
        self.n_sent += 1
        self._send({"e": "value", "c": [cell], "v": value}, [[0, cell, 0, value]])
        return self.n_sent == len(BLANKS)

    def _send(self, event, changes):
        self.seq += 1
        move = {"seq": self.seq, "puzzle": 0, "attempt": 0, "age_ms": 0}
        move |= {"event": event, "changes": changes}
        self("POST", "/contest/moves", json={"device": "d", "moves": [move]})


def workers_of(pid):
    """The processes that a process has started."""
    with contextlib.suppress(OSError):
        return list(map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split()))
    return []


def hold(minutes, rate, folder):
    """Print the memory of a contest server while people join, play and look at the standings."""
    server = Process(folder, contest=f'password = "{PASSWORD}"\n{CONTEST}')
    try:
        address = f"http://127.0.0.1:{server.port}"
        with httpx.Client(base_url=address, verify=False, timeout=120) as client:
            _hold(server, client, minutes, rate)
    finally:
        server.kill()


def _hold(server, client, minutes, rate):
    organiser = Visitor(client, "/organiser/login", password=PASSWORD)
    n_players = n_moves = n_standings = 0
    audits, playing = set(), []
    start, before = time.monotonic(), server.seconds()
    print(
        "| minutes | players | moves | standings | audits | server, MB | workers, MB | processor |"
    )
    print("| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    shown = 0
    while (now := time.monotonic() - start) < 60 * minutes:
        if len(playing) < AT_PLAY:
            n_players += 1
            playing.append(Visitor(client, "/contest/join", name=f"player {n_players}"))
        player = playing[n_moves % len(playing)]
        n_moves += 1
        if player.enter():
            player("POST", "/contest/leave", json={})
            playing.remove(player)
        elif n_moves % 5 == 0:
            n_standings += 1
            player("GET", "/contest/standings")
        if n_moves % 40 == 0:
            audits.add(organiser("GET", "/organiser/state").json()["audit"]["made_ms"])
        if n_moves % 400 == 0 and audits - {None, 0}:
            organiser("GET", "/organiser/report")
        if now >= 6 * shown * minutes:
            shown += 1
            pid = server.process.pid
            workers = sum(map(megabytes, workers_of(pid)))
            print(
                f"| {now / 60:.0f} | {n_players} | {n_moves:,} | {n_standings:,} | "
                f"{len(audits - {None, 0})} | {megabytes(pid):.1f} | {workers:.0f} | "
                f"{(server.seconds() - before) / max(now, 1):.1%} |",
                flush=True,
            )
        time.sleep(max(0.0, start + n_moves / rate - time.monotonic()))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "commands",
        nargs="*",
        help=f"contest, or of {', '.join(COMMANDS)}; all of these if left out",
    )
    parser.add_argument("--puzzles", type=int, default=200_000)
    parser.add_argument("--minutes", type=float, default=60.0, help="of the contest")
    parser.add_argument("--moves", type=float, default=4.0, help="a second, in the contest")
    given = parser.parse_args()
    if unknown := set(given.commands) - {*COMMANDS, "contest"}:
        parser.error(f"no command {', '.join(sorted(unknown))}")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if "contest" in given.commands:
            hold(given.minutes, given.moves, folder)
            return
        print(
            "| command | puzzles | seconds | MB at 10 % | at 50 % | in the end | bytes a puzzle |"
        )
        print("| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
        for command in given.commands or COMMANDS:
            measure(command, given.puzzles, folder)


if __name__ == "__main__":
    main()
