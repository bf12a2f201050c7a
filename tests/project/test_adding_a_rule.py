"""The page on adding a rule is followed word for word, in a copy of the package."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

SCRIPT = """
from itertools import product
import nando
from nando.drawing.boards import board, position
from nando.drawing.shapes import SCREEN
from nando.drawing.rules.scene import DRAWINGS
from nando.drawing.svg import svg
from nando.play.variants import board_of
from nando.puzzles import Variant
from nando.puzzles.boards.board import Cell
from nando.puzzles.rules.registry import RULES, find_rule
from nando.puzzles.rules.registry import all_sentences
from nando.solvers import count_solutions, solve
from nando.solvers.logic.marks import PencilMarks

assert nando.__file__.startswith(FOLDER), nando.__file__
Stairs = find_rule("stairs")
assert Stairs in RULES and Stairs in DRAWINGS
puzzle = Variant("6x6+stairs:r1c1r1c2r1c3")
assert Variant(puzzle.text) == puzzle == Variant.from_json(puzzle.to_json())
assert Stairs.usage() == "wanted stairs:r1c1r1c2"
cells = puzzle.rules[1].cells
for digits in product(range(1, 7), repeat=3):
    grid = dict(zip(cells, digits))
    holds = all(
        one.allowed[grid[one.first] - 1] >> grid[one.second] - 1 & 1
        for one in puzzle.rules[1].constraints(puzzle.board)
    )
    assert bool(holds) == puzzle.rules[1].obeyed(puzzle.board, grid)
values = solve(puzzle)
assert sorted(values[:3].tolist()) in ([1, 2, 3], [2, 3, 4], [3, 4, 5], [4, 5, 6])
drawn = svg(board(puzzle, SCREEN))
assert drawn.count("#95cbee") > 3 and drawn != svg(board(Variant("6x6"), SCREEN))
assert position(PencilMarks.of(puzzle)).shapes
sentence = "Neighbours on a blue line with squares are consecutive."
assert sentence in all_sentences(puzzle.board, puzzle.rules)
assert "Treppe" in board_of(puzzle)["names"]["de"]
record = nando.generate(kind="variant", rules=["stairs"], size=6, seed=1)
assert any(type(rule) is Stairs for rule in record.puzzle.rules)
print("the page is right")
"""


def blocks():
    """Return the blocks of code on the page with the files that they belong to."""
    page = (ROOT / "docs" / "adding-a-rule.md").read_text(encoding="utf-8")
    found = re.findall(r"```\w+ rule\n# (\S+)\n(.*?)```", page, re.DOTALL)
    assert len(found) == 4
    return found


def entry_of_clues():
    """Return the line on the page that lets the rule be generated."""
    page = (ROOT / "docs" / "adding-a-rule.md").read_text(encoding="utf-8")
    return re.search(r'^    "stairs": .*\n', page, re.MULTILINE)[0]


def insert(path, before, text):
    source = path.read_text(encoding="utf-8")
    assert source.count(before) == 1
    path.write_text(source.replace(before, text + before), encoding="utf-8")


@pytest.mark.thorough
def test_the_page_adds_a_rule_that_works_everywhere(tmp_path):
    package = tmp_path / "nando"
    shutil.copytree(ROOT / "nando", package, ignore=shutil.ignore_patterns("__pycache__"))
    for name, text in blocks():
        path = tmp_path / name
        there = path.read_text(encoding="utf-8") + "\n\n" if path.exists() else ""
        path.write_text(there + text, encoding="utf-8")
    # As the page explains, the class is exported and in RULES.
    rules = package / "puzzles" / "rules"
    insert(
        rules / "__init__.pyi", "from .boxes import Boxes", "from .stairs import Stairs as Stairs\n"
    )
    insert(rules / "registry.py", "    rules.Whispers,", "    rules.Stairs,\n")
    clues = package / "generators" / "variants" / "clues.py"
    insert(clues, '    "parity": _lines', entry_of_clues())
    done = subprocess.run(
        [sys.executable, "-c", f"FOLDER = {str(tmp_path)!r}\n{SCRIPT}"],
        env=os.environ | {"PYTHONPATH": str(tmp_path)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.splitlines() == ["the page is right"], done.stderr


def test_the_page_is_short():
    page = (ROOT / "docs" / "adding-a-rule.md").read_text(encoding="utf-8")
    assert len(page.splitlines()) < 100
