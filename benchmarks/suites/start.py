"""What is waited for before the first result."""

import subprocess
import sys
import tempfile

from common import command_seconds, easy_to_medium


def _run(code):
    subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.DEVNULL)


class Import:
    params = ["nando", "nando.puzzles", "nando.solvers", "nando.rating"]
    param_names = ["package"]

    def time_import(self, package):
        _run(f"import {package}")

    def time_nothing(self, package):
        _run("")


def time_help():
    _run("import sys; sys.argv = ['nando', '--help']; from nando.cli import main; main()")


def track_first_rating():
    """`nando rate` of ten puzzles that singles solve, with nothing compiled."""
    with tempfile.TemporaryDirectory() as folder:
        return command_seconds(folder, easy_to_medium(10))


track_first_rating.unit = "seconds"
track_first_rating.timeout = 600
