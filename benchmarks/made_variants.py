"""Compare the speed of making variants with pencilmark's generator at similar difficulty.

pencilmark makes puzzles of each kind that it has. The median of their times, as nando rates them,
is the time that nando makes puzzles of the same rules to, or 20 minutes where pencilmark makes
none. Every attempt of pencilmark runs in a process of its own, which is stopped after so many
seconds of processor time. A rate is puzzles made by seconds of processor time of all attempts;
where none was made, it is below one in all these seconds. The time to start does not count, nor
does nando's first puzzle of each row, which may compile.

Run: python benchmarks/made_variants.py --peer 2 --limit 60 --own 10   (nearly all pencilmark's)
"""

import argparse
import json
import os
import resource
import signal
import subprocess
import sys
import time
from typing import Any, NamedTuple

import numpy as np

from nando.generators import OutOfReachError, VariantSource, generate
from nando.making import Maker, Wanted
from nando.puzzles import Puzzle, read_puzzle
from nando.rating import load_model

ROWS: dict[str, tuple[str, dict[str, Any] | None]] = {
    "killer": ("killer", {"cage": "partition"}),
    "Kropki, all dots": ("kropki", {"kropki": "full"}),
    "thermometers": ("thermometer", {"thermo": 4}),
    "arrows": ("arrow", {"arrow": 4}),
    "whispers": ("whispers", {"whisper": 3}),
    "diagonals": ("diagonals", None),
    "windoku": ("windoku", None),
    "anti-knight": ("anti-knight", None),
    "jigsaw": ("jigsaw", None),
    "samurai": ("samurai", None),
}
"""Rules of nando, and elements of pencilmark or None."""

_MINUTES = 20.0
"""Time of puzzles for which there is no peer."""

_WAIT = 20.0
"""Seconds of waiting for each second of processor time, on a busy machine."""


class Work(NamedTuple):
    """Attempts, the seconds of processor time that they took, and the puzzles they made."""

    attempts: int
    seconds: float
    puzzles: list[Puzzle]

    @property
    def rate(self) -> str:
        """Puzzles a second of processor time."""
        if not self.puzzles:
            return f"< {1 / self.seconds:.2g} (0 of {self.attempts})"
        share = f" ({len(self.puzzles)} of {self.attempts})"
        return f"{len(self.puzzles) / self.seconds:.2g}{share}"


def attempt(elements: dict[str, Any], seed: int, size: int) -> None:
    """Make a puzzle by pencilmark; print it in the format that nando reads, and the seconds."""
    import pencilmark
    from pencilmark.gen import generate as made_by_pencilmark

    start = time.process_time()
    spec = {"elements": elements, "seed": seed, "size": size, "time_limit": 1e6}
    puzzle = made_by_pencilmark(spec)["puzzle"]
    seconds = time.process_time() - start
    print(json.dumps({"seconds": seconds, "puzzle": pencilmark.to_export(puzzle)}))


def by_peer(elements: dict[str, Any], n: int, limit: float, size: int = 9) -> Work:
    """Return what pencilmark does in `n` attempts of at most `limit` seconds each."""
    total, puzzles = 0.0, []
    for seed in range(1, n + 1):
        order = [sys.executable, __file__, "--attempt", json.dumps([elements, seed, size])]
        child = subprocess.Popen(
            order,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (int(limit), int(limit))),
        )
        try:
            said, _ = child.communicate(timeout=_WAIT * limit)
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
            said, _ = child.communicate()
        if said:
            done = json.loads(said)
            total += done["seconds"]
            puzzles.append(read_puzzle(json.dumps(done["puzzle"])))
        else:
            total += limit
    return Work(n, total, puzzles)


def by_nando(source: VariantSource, minutes: float | None, n: int, model: Any) -> Work:
    """Return `n` puzzles to a time or of any difficulty; the first, which may compile, is extra."""
    wanted = Wanted() if minutes is None else Wanted(60 * minutes, unit="seconds")
    generated = generate(source, n + 1, target=Maker(model, 0).target(wanted))
    next(generated)
    puzzles, start = [], time.process_time()
    try:
        puzzles.extend(each.puzzle for each in generated)
    except OutOfReachError as error:
        print(f"  {str(error)[:150]}", file=sys.stderr)
    return Work(n, time.process_time() - start, puzzles)


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--peer", type=int, default=3, help="attempts of pencilmark in each row")
    parser.add_argument("--own", type=int, default=20, help="puzzles of nando in each row")
    parser.add_argument("--limit", type=float, default=150.0, help="seconds of an attempt")
    parser.add_argument("--attempt", help=argparse.SUPPRESS)
    parser.add_argument("rows", nargs="*", help="rows; default: all")
    options = parser.parse_args()
    if options.attempt:
        attempt(*json.loads(options.attempt))
        return
    model = load_model(None, "variant")
    heads = "rules | pencilmark a second | minutes | nando to this time a second | ratio"
    heads += " | nando of any time a second"
    print(f"load {os.getloadavg()[0]:.1f}\n\n| {heads} |\n| --- |" + " ---: |" * heads.count("|"))
    for name, (rule, elements) in ROWS.items():
        if options.rows and name not in options.rows:
            continue
        source = VariantSource(rules=(rule,))
        minutes, theirs, ratio = _MINUTES, None, "-"
        if elements is not None and options.peer:
            theirs = by_peer(elements, options.peer, options.limit)
            if theirs.puzzles:
                seconds = model.rate(theirs.puzzles)["predicted_seconds"]
                minutes = float(np.median(seconds)) / 60
        to_time = by_nando(source, minutes, options.own, model)
        free = by_nando(source, None, options.own, model)
        if theirs is not None:
            times = theirs.seconds * len(to_time.puzzles) / to_time.seconds
            ratio = f"{times / max(1, len(theirs.puzzles)):.0f}"
            ratio = ratio if theirs.puzzles else f"> {ratio}"
        print(
            f"| {name} | {theirs.rate if theirs else 'has none'} | {minutes:.0f} | "
            f"{len(to_time.puzzles) / to_time.seconds:.1f} | {ratio} | "
            f"{len(free.puzzles) / free.seconds:.0f} |",
            flush=True,
        )
    print(f"\nload {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
