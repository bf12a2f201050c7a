"""What is waited for before the first result."""

import subprocess
import sys
import tempfile
import time

from common import command_seconds, easy_minimal_hard, easy_to_medium

import nando


def _run(code):
    subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.DEVNULL)


class Import:
    params = ["nando", "nando.puzzles", "nando.solvers", "nando.rating"]
    param_names = ["package"]

    def time_import(self, package):
        _run(f"import {package}")

    def time_nothing(self, package):
        _run("")


_RATED = """
import resource, time, nando
puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
nando.rate(puzzle)
print(time.process_time(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""


def _new_process():
    """Processor seconds and megabytes of a process that rates a puzzle, everything compiled."""
    _run(_RATED)
    run = subprocess.run([sys.executable, "-c", _RATED], check=True, capture_output=True, text=True)
    return map(float, run.stdout.split())


def track_first_answer():
    """Processor seconds up to the first rating of a new process."""
    return next(iter(_new_process()))


track_first_answer.unit = "seconds"


def track_memory():
    """What a process that rates takes."""
    return list(_new_process())[1]


track_memory.unit = "megabytes"


class Answer:
    """Processor milliseconds of a rating alone: the median, and the slowest of 100."""

    params = ["easy", "minimal", "hardest"]
    param_names = ["puzzles"]
    timeout = 600

    def _milliseconds(self, name):
        puzzles = easy_minimal_hard(100)[name]
        nando.rate(puzzles[:1])
        times = []
        for puzzle in puzzles:
            began = time.process_time()
            nando.rate(puzzle)
            times.append(1_000 * (time.process_time() - began))
        return sorted(times)

    def track_median(self, name):
        return self._milliseconds(name)[50]

    def track_slowest(self, name):
        return self._milliseconds(name)[-1]


def time_help():
    _run("import sys; sys.argv = ['nando', '--help']; from nando.cli import main; main()")


def track_first_rating():
    """`nando rate` of ten puzzles that singles solve, with nothing compiled."""
    with tempfile.TemporaryDirectory() as folder:
        return command_seconds(folder, easy_to_medium(10))


track_first_rating.unit = "seconds"
track_first_rating.timeout = 600
