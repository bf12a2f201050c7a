"""Load a contest with more and more moves per second until a limit is reached, or crash it.

``python benchmarks/contest.py`` starts ``nando serve`` on loopback. Each simulated player sends one
move at a time, at fixed times; a latency is counted from the time at which the move was due, so
that a server that falls behind cannot look fast. ``--crash`` kills the server in the middle and
starts it again: every move that was acknowledged must be there, and none twice.
"""

import argparse
import asyncio
import gc
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np
from sqlalchemy import create_engine, text

from nando.datasets import load_examples
from nando.solvers import unique_solution

PUZZLE = load_examples().puzzles[0]
BLANKS = [cell for cell in range(81) if not PUZZLE.givens[cell]]
SOLUTION = unique_solution(PUZZLE)
CONTEST = f"""\
start = 2026-01-01T00:00:00Z
end = 2099-01-01T00:00:00Z
most_players = 10_000
most_per_address = 10_000
[[puzzles]]
puzzle = "{PUZZLE.text}"
"""


class Process:
    """`nando serve` as a process."""

    def __init__(self, folder, database="", port=0, contest=CONTEST):
        path = Path(folder) / "contest.toml"
        path.write_text(contest, encoding="utf-8")
        options = ["--database", database] if database else []
        self.process = subprocess.Popen(
            [sys.executable, "-m", "nando", "serve", str(path), "--port", str(port), *options],
            stdout=subprocess.PIPE,
            encoding="utf-8",
        )
        shown = ""
        for line in self.process.stdout:
            shown += line
            if "/organiser" in line:
                break
        address = re.search(r"players: http://[^:]+:(\d+)/", shown)
        if address is None:
            raise RuntimeError(f"the server did not start: {shown}")
        self.port = int(address[1])

    def kill(self):
        """End it at once, with SIGKILL."""
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()

    def seconds(self):
        """Processor time so far."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def megabytes(self):
        """Memory now."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+)", status)[1]) / 1024


class Connection:
    """A connection that is kept, and made again when it breaks; as little HTTP as is needed."""

    def __init__(self, port):
        self.port = port
        self.headers = ""
        self.reader = self.writer = None

    async def post(self, path, body):
        """What is answered, and its head; ConnectionError where it is not 200."""
        if self.writer is None:
            self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)
        data = json.dumps(body).encode()
        head = (
            f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n{self.headers}"
            f"Content-Type: application/json\r\nContent-Length: {len(data)}\r\n\r\n"
        )
        try:
            self.writer.write(head.encode() + data)
            answer = await self.reader.readuntil(b"\r\n\r\n")
            length = int(re.search(rb"content-length: (\d+)", answer)[1])
            content = json.loads(await self.reader.readexactly(length))
        except (OSError, asyncio.IncompleteReadError):
            self.close()
            raise ConnectionError from None
        status = int(answer.split(b" ", 2)[1])
        if status != 200:
            raise ConnectionError(f"{status}: {content}")
        return content, answer

    def close(self):
        """Let go; the next request connects again."""
        if self.writer is not None:
            self.writer.close()
        self.reader = self.writer = None


class Player:
    """A player who fills cells, again and again, and sends each move until it is acknowledged."""

    def __init__(self, number, port):
        self.name = f"player {number}"
        self.connection = Connection(port)
        self.seq = 0
        self.acknowledged = 0
        self.latencies = []
        self.n_again = 0

    async def join(self):
        """Join, and keep the session."""
        content, answer = await self.connection.post("/contest/join", {"name": self.name})
        cookie = re.search(rb"set-cookie: ([^;]+)", answer)[1].decode()
        self.connection.headers = f"Cookie: {cookie}\r\nX-CSRF-Token: {content['csrf']}\r\n"

    def move(self):
        """The next move: after the start, a cell filled, and cleared the next time round."""
        self.seq += 1
        turn, place = divmod(self.seq - 2, len(BLANKS))
        value = int(SOLUTION[BLANKS[place]])
        before, after = (0, value) if turn % 2 == 0 else (value, 0)
        event = {"e": "value", "c": [BLANKS[place]], "v": after, "w": self.seq}
        changes = [[0, BLANKS[place], before, after]]
        if self.seq == 1:
            event, changes = {"e": "start", "w": 1}, []
        return {"seq": self.seq, "puzzle": 0, "attempt": 0, "event": event, "changes": changes}

    async def play(self, start, every, until):
        """Send a move `every` so many seconds, each until it is acknowledged."""
        due = start
        while due < until:
            await asyncio.sleep(max(0.0, due - time.monotonic()))
            move = self.move()
            while True:
                age = round(1000 * max(0.0, time.monotonic() - due))
                body = {"device": "d", "moves": [move | {"age_ms": age}]}
                try:
                    content, _ = await self.connection.post("/contest/moves", body)
                    break
                except ConnectionError:
                    self.n_again += 1
                    await asyncio.sleep(0.2)
            self.acknowledged = max(self.acknowledged, content["seq"])
            self.latencies.append(time.monotonic() - due)
            due += every


class Step(NamedTuple):
    """What was measured at a rate."""

    wanted: float
    reached: float
    p50: float
    p99: float
    processor: float
    megabytes: float


async def step(players, server, rate, seconds):
    """Let all players send moves at a rate for some seconds."""
    every = len(players) / rate
    for player in players:
        player.latencies.clear()
    before, start = server.seconds(), time.monotonic() + 0.1
    await asyncio.gather(
        *(
            player.play(start + every * n / len(players), every, start + seconds)
            for n, player in enumerate(players)
        )
    )
    took = time.monotonic() - start
    latencies = np.concatenate([player.latencies for player in players])
    p50, p99 = np.quantile(latencies, [0.5, 0.99])
    processor = (server.seconds() - before) / took
    reached = len(latencies) / max(took, seconds)
    return Step(rate, reached, p50, p99, processor, server.megabytes())


async def joined(n_players, port):
    """Players who have all joined."""
    players = [Player(n, port) for n in range(n_players)]
    for some in range(0, n_players, 20):
        await asyncio.gather(*(player.join() for player in players[some : some + 20]))
    return players


async def steps(folder, database, n_players, rates, seconds):
    """Moves a second, step by step."""
    server = Process(folder, database)
    try:
        players = await joined(n_players, server.port)
        # A collection of garbage here would count as a wait for the server.
        gc.collect()
        gc.freeze()
        print("| wanted | moves a second | p50, ms | p99, ms | processor | memory, MB |")
        print("| ---: | ---: | ---: | ---: | ---: | ---: |")
        for rate in rates:
            load = await step(players, server, rate, seconds)
            print(
                f"| {load.wanted:,.0f} | {load.reached:,.0f} | {1000 * load.p50:.1f} | "
                f"{1000 * load.p99:.0f} | {100 * load.processor:.0f} % | {load.megabytes:.0f} |",
                flush=True,
            )
            if load.reached < 0.9 * rate or load.p99 > 2:
                break
    finally:
        server.kill()


async def crash(folder, database, n_players, rate, seconds):
    """Kill the server in the middle of a contest and start it again.

    Returns
    -------
    players : list of Player
    at_crash : dict of str to int
        The last move of each player that was acknowledged before the crash.
    """
    server = Process(folder, database)
    try:
        players = await joined(n_players, server.port)
        every, start = n_players / rate, time.monotonic() + 0.1
        plays = asyncio.gather(
            *(
                player.play(start + every * n / n_players, every, start + seconds)
                for n, player in enumerate(players)
            )
        )
        await asyncio.sleep(seconds / 2)
        at_crash = {player.name: player.acknowledged for player in players}
        server.kill()
        # In a thread: players go on, and find nobody there.
        server = await asyncio.to_thread(Process, folder, database, server.port)
        await plays
    finally:
        server.kill()
    return players, at_crash


def check(database, players, at_crash):
    """What is kept is what was acknowledged, each move once and in order."""
    engine = create_engine(database)
    with engine.connect() as connection:
        names = dict(connection.execute(text("select id, name from players")).all())
        rows = connection.execute(text("select player, seq, event from moves order by player, seq"))
        kept = {name: [] for name in names.values()}
        for player, seq, event in rows:
            kept[names[player]].append((seq, json.loads(event)["w"]))
    engine.dispose()
    for player in players:
        moves = kept[player.name]
        assert moves == [(n, n) for n in range(1, len(moves) + 1)], player.name
        assert len(moves) >= player.acknowledged >= at_crash[player.name], player.name
    assert sum(at_crash.values()) > 0
    return sum(map(len, kept.values()))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=10.0, help="of each step")
    parser.add_argument(
        "--rates", type=float, nargs="+", default=[50, 100, 200, 400, 600, 800, 1200, 1600]
    )
    parser.add_argument("--database", default="", help="URL; default: a SQLite file")
    parser.add_argument("--crash", action="store_true", help="kill the server in the middle")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if not given.crash:
            asyncio.run(steps(folder, given.database, given.players, given.rates, given.seconds))
            return
        rate = given.rates[0]
        players, at_crash = asyncio.run(
            crash(folder, given.database, given.players, rate, given.seconds)
        )
        database = given.database or f"sqlite:///{folder}/contest.db"
        n_kept = check(database, players, at_crash)
        again = sum(player.n_again for player in players)
        print(
            f"{sum(at_crash.values()):,} moves were acknowledged before the crash and "
            f"{sum(player.acknowledged for player in players):,} in the end, {n_kept:,} are kept, "
            f"each once; {again:,} requests found no server and were sent again"
        )


if __name__ == "__main__":
    main()
