"""Seconds of the first use of each command in a new installation.

Rates the examples with nothing compiled, as the README's first command does. Then each command runs
from a copy of what that compiled. Processor seconds are those of all processes of a command.

Run: python benchmarks/first_use.py [COMMAND ...]

``--compiled`` runs all commands one after the other and fails if anything is compiled: a check of a
wheel that came with its kernels.
"""

import argparse
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from urllib.request import urlopen

from nando.cli.app import app
from nando.cli.commands.warmup import EASY, HARD
from nando.precompile import NURIKABE, TECHNIQUES, VARIANT

ROOT = Path(__file__).resolve().parent.parent
SUDOKU, BOARDS = ROOT / "examples" / "puzzles.txt", ROOT / "examples" / "nurikabe.txt"
GAMES = ROOT / "examples" / "games.csv"
FIRST = f"rate {SUDOKU}"

LINES = [
    FIRST,
    f"rate {BOARDS}",
    f"rate {VARIANT}",
    f"solve {SUDOKU}",
    f"solve {BOARDS}",
    f"explain {HARD}",
    f"explain {NURIKABE}",
    f"explain {VARIANT}",
    f"explain --all {TECHNIQUES}",
    f"explain --all {NURIKABE}",
    f"canonical {SUDOKU}",
    f"canonical {BOARDS}",
    f"check {SUDOKU}",
    f"convert {SUDOKU} -o out.csv",
    "generate --target 8min --seed 7",
    "generate --minimal --no-rating",
    "generate --order 4 --no-rating",
    "generate --kind nurikabe --size 5x5 --target 1min",
    "generate --rule killer --size 4 --no-rating",
    "book --grades easy:2,medium:1 --seed 7 -o book.html",
    f"play {SUDOKU} -o play.html",
    f"play {BOARDS} -o boards.html",
    "serve contest.toml --port 0",
    f"order --runs 5 {TECHNIQUES}",
    f"order --runs 5 {NURIKABE}",
    f"audit {GAMES} -o audit.html",
    f"features {SUDOKU}",
    f"features {BOARDS}",
    "fit times.csv -o model.json",
    "fit --job order games.csv -o people.json",
    "evaluate --job order --data games.csv",
    "reproduce relaxation-law",
    "datasets",
    "schema rate",
    "warmup",
]
"""Each command, at least once."""

LONG = ("fit --job order games.csv -o people.json", "evaluate --job order --data games.csv")
"""Commands that fit models for minutes, with kernels that `warmup` calls in seconds."""


def main() -> None:
    """Print a table, or check that nothing is compiled."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--compiled", action="store_true", help="fail if anything is compiled")
    parser.add_argument("commands", nargs="*", help="only these")
    options = parser.parse_args()
    named = {command.name or command.callback.__name__ for command in app.registered_commands}
    if named != {line.split()[0] for line in LINES}:
        raise SystemExit(f"LINES must use each of these commands: {', '.join(sorted(named))}")
    lines = [line for line in LINES if not options.commands or line.split()[0] in options.commands]
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        _write_files(work)
        if options.compiled:
            # warmup compiles for this processor what came for another.
            lines = [line for line in lines if line != "warmup" and line not in LONG]
            for line in lines:
                _run(line, work, work / "kernels")
                if compiled := sorted(kernels_in(work / "kernels")):
                    raise SystemExit(f"`nando {line}` compiled {', '.join(compiled)}")
            print(f"{len(lines)} commands compiled nothing")
            return
        print("| command | seconds | processor seconds | kernels |\n| --- | ---: | ---: | ---: |")
        new = work / "new"
        _print_row(FIRST, _run(FIRST, work, new), kernels_in(new))
        for line in lines:
            if line != FIRST:
                copy = work / "copy"
                shutil.copytree(new, copy)
                took = _run(line, work, copy)
                _print_row(line, took, kernels_in(copy) - kernels_in(new))
                shutil.rmtree(copy)


def kernels_in(folder: Path) -> set[str]:
    """Kernels with machine code, kept below a folder: a wheel contains those."""
    names = (path.name.rsplit("-", 2) for path in folder.rglob("*.nbc"))
    return {kernel for kernel, side, _ in names if side != "linked"}


def _write_files(folder: Path) -> None:
    rows = [f"{EASY},240", f"{TECHNIQUES},900", f"{HARD},3600"]
    (folder / "times.csv").write_text("\n".join(["puzzle,seconds", *rows]) + "\n")
    head, *moves = GAMES.read_text(encoding="utf-8").splitlines()
    of_others = (move.replace(",", f".{i},{i}", 1) for i in range(3) for move in moves)
    (folder / "games.csv").write_text("\n".join([head, *of_others]) + "\n", encoding="utf-8")
    (folder / "puzzles.txt").write_text(EASY + "\n")
    (folder / "contest.toml").write_text(
        'title = "First use"\ncode = "tea-time"\n'
        "start = 2027-03-02T19:00:00\nend = 2027-03-02T20:30:00\n"
        '[[puzzles]]\nfile = "puzzles.txt"\n'
    )


def _run(line: str, folder: Path, kernels: Path) -> tuple[float, float]:
    """Seconds and processor seconds of a command that keeps its kernels in a folder."""
    environment = os.environ | {"NUMBA_CACHE_DIR": str(kernels), "XDG_CACHE_HOME": str(kernels)}
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", "nando", *line.split()],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    said = ""
    for part in process.stdout or ():
        said += part
        if part.startswith("players: "):
            _wait_for(part.split()[1])
            process.send_signal(signal.SIGINT)
    status = process.wait()
    if status not in (0, 130):
        raise SystemExit(f"`nando {line}` ended with status {status}:\n{said}")
    seconds = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return seconds, used


def _wait_for(address: str) -> None:
    """Wait until a server answers."""
    while True:
        with suppress(OSError):
            urlopen(address, timeout=60).close()
            return
        time.sleep(0.1)


def _print_row(line: str, took: tuple[float, float], compiled: set[str]) -> None:
    short = line.replace(f"{ROOT}{os.sep}", "")[:60]
    print(f"| `{short}` | {took[0]:.1f} | {took[1]:.1f} | {len(compiled)} |", flush=True)


if __name__ == "__main__":
    main()
