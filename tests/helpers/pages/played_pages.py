"""Pages of puzzles to play, and their script run by Node."""

import json
import re
import shutil
import subprocess
from functools import cache
from importlib.resources import files
from pathlib import Path

from helpers.samples.sudokus import LINE, SOLUTION
from nando.generators import Record
from nando.play import PlayedPuzzle
from nando.puzzles import Nurikabe, Sudoku
from nando.solvers import unique_solution

DRIVER = Path(__file__).resolve().parents[2] / "play" / "driver.mjs"
NODE = shutil.which("node")

SUDOKU = Sudoku(LINE)
TRICKY = Sudoku("1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3..")
NURIKABE = Nurikabe("...../3..1./.1.../...../.4...")
# Constants, because tests are collected with them and collecting must not compile kernels.
SOLUTIONS = {
    SUDOKU: SOLUTION,
    TRICKY: "162857493534129678789643521475312986913586742628794135356478219241935867897261354",
    NURIKABE: "ooxxx/oxxox/xoxxx/xxxox/xooox",
}


def played(puzzle, **known):
    solution = SOLUTIONS.get(puzzle) or puzzle.solution_text(unique_solution(puzzle))
    known = {"predicted": 350.0, "low": 200.0, "high": 600.0, "grade": "easy"} | known
    return PlayedPuzzle(Record(puzzle, solution, **known))


@cache
def page_of(*puzzles):
    """Return the data of a page with these puzzles that its script reads."""
    return {"id": "0123abcd", "puzzles": [played(puzzle).to_dict() for puzzle in puzzles]}


def data_of(html):
    """Return the data that a page holds for its script."""
    return json.loads(re.search(r'<script id="puzzles"[^>]*>(.*?)</script>', html, re.DOTALL)[1])


class Player:
    """A process of Node that runs the script of the page."""

    def __init__(self):
        folder = files("nando.play") / "web"
        self.process = subprocess.Popen(
            [NODE, DRIVER, f"file://{folder}"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf-8",
        )

    def __call__(self, request, **values):
        self.process.stdin.write(json.dumps({"request": request, **values}) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def close(self):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()
