"""List the kernels that a first run compiles, with the time of each.

Runs a command of nando with nothing compiled and prints processor seconds by module and by kernel,
each without the kernels that were compiled on its behalf. Kernels of numba itself that nando's need
are listed too. LLVM's share is optimisation and code generation; the rest is numba's.

Run: python benchmarks/compile_times.py [--top 40] [--] [rate examples/puzzles.txt]
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any


def main() -> None:
    """Run the command in a process of its own and print its tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--top", type=int, default=40, help="kernels to list")
    parser.add_argument("command", nargs="*", default=["rate", "examples/puzzles.txt"])
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        start = time.perf_counter()
        subprocess.run(
            [sys.executable, __file__],
            env=os.environ
            | {"NUMBA_CACHE_DIR": folder, "XDG_CACHE_HOME": folder}
            | {_ASKED: json.dumps([str(report), options.command])},
            check=True,
            stdout=subprocess.DEVNULL,
        )
        elapsed = time.perf_counter() - start
        kernels = json.loads(report.read_text())
    total = sum(kernel["seconds"] for kernel in kernels)
    print(
        f"nando {' '.join(options.command)}: {elapsed:.1f} s, of these {total:.1f} processor "
        f"seconds for {len(kernels)} compilations\n"
    )
    _print_table("module", _summed(kernels, "module"), None)
    _print_table("kernel", _summed(kernels, "kernel"), options.top)


def _summed(kernels: Iterable[dict[str, Any]], by: str) -> list[tuple[str, int, float, float]]:
    rows: dict[str, list[float]] = defaultdict(lambda: [0, 0.0, 0.0])
    for kernel in kernels:
        name = kernel["module"]
        if by == "kernel":
            name += f".{kernel['name']}"
        for i, value in enumerate((1, kernel["seconds"], kernel["llvm"])):
            rows[name][i] += value
    summed = [(name, int(n), seconds, llvm) for name, (n, seconds, llvm) in rows.items()]
    return sorted(summed, key=lambda row: -row[2])


def _print_table(what: str, rows: list[tuple[str, int, float, float]], top: int | None) -> None:
    print(f"| {what} | compiled | seconds | of these LLVM |\n| --- | ---: | ---: | ---: |")
    for name, n, seconds, llvm in rows[:top]:
        print(f"| {name.removeprefix('nando.')} | {n} | {seconds:.2f} | {llvm:.2f} |")
    rest = rows[top:] if top else []
    if rest:
        n, seconds, llvm = (sum(column) for column in list(zip(*rest, strict=True))[1:])
        print(f"| {len(rest)} others | {n} | {seconds:.2f} | {llvm:.2f} |")
    print()


_ASKED = "NANDO_COMPILE_TIMES"


def _measured(report: Path, command: list[str]) -> None:
    """Run a command in this process and write what it compiled."""
    from numba.core.event import Listener, register

    done: list[dict[str, Any]] = []
    open_: list[dict[str, Any]] = []  # numba compiles in one thread at a time
    last = time.thread_time()

    def spend(on: str | None) -> None:
        nonlocal last
        now = time.thread_time()
        if open_ and on:
            open_[-1][on] += now - last
        last = now

    class Compiling(Listener):
        def on_start(self, event: Any) -> None:
            spend("seconds")
            body = event.data["dispatcher"].py_func
            name = {"module": body.__module__, "name": body.__qualname__}
            open_.append(name | {"seconds": 0.0, "llvm": 0.0})

        def on_end(self, event: Any) -> None:
            spend("seconds")
            kernel = open_.pop()
            kernel["seconds"] += kernel["llvm"]
            done.append(kernel)

    class InLLVM(Listener):
        depth = 0

        def on_start(self, event: Any) -> None:
            if not self.depth:
                spend("seconds")
            self.depth += 1

        def on_end(self, event: Any) -> None:
            self.depth -= 1
            if not self.depth:
                spend("llvm")

    register("numba:compile", Compiling())
    register("numba:llvm_lock", InLLVM())
    from nando.cli import main as nando

    sys.argv = ["nando", *command]
    try:
        nando()
    finally:
        report.write_text(json.dumps(done))


if __name__ == "__main__":
    if asked := os.environ.get(_ASKED):
        place, arguments = json.loads(asked)
        _measured(Path(place), arguments)
    else:
        main()
