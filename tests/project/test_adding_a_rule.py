"""A rule that the page on adding one makes, and a third kind, work in every layer."""

import os
import re
import shutil
import subprocess
import sys
from importlib.util import find_spec
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


# A third kind of puzzle


TESTS = Path(__file__).resolve().parent.parent

OTHER_KIND = """
import numpy as np
from helpers import third_kind
third_kind.add()

# Puzzles, and the exact search.
from nando.puzzles import find_puzzle, kind_of_text
from nando.puzzles.reading import read_puzzles
from nando.solvers import count_many, count_solutions, solve, status, unique_solution
Stairs = find_puzzle("stairs")
assert kind_of_text("stairs:1...5") == "stairs"
assert kind_of_text("." * 81) == "sudoku"
[entry] = read_puzzles(b"stairs:1...5\\n", Stairs)
puzzle = entry.puzzle
assert count_solutions(puzzle) == 1
assert unique_solution(puzzle).tolist() == [1, 2, 3, 4, 5]
loose = Stairs("stairs:5.5")
assert count_many([puzzle, loose]).tolist() == [1, 2]
assert "they differ in r1c2" in str(status(loose))
assert solve(Stairs("stairs:1.4")) is None

# The logic solver and its words.
from nando.solvers import LogicSolver, Outcome, describe, hint, record
from nando.solvers.logic import scale_of
run = LogicSolver().run(puzzle)
assert run.outcome is Outcome.SOLVED
assert run.trace["cell"].tolist() == [1, 2, 3]
assert LogicSolver().run(Stairs("stairs:1.1")).outcome is Outcome.STUCK
assert LogicSolver().profile(puzzle).uses == {"straight climb": 3}
assert LogicSolver().rate_many([puzzle, puzzle]).solved.all()
before = LogicSolver().start(puzzle)
step = next(LogicSolver().steps(puzzle))
assert describe(step, before) == "Straight climb from c1 to c5: c2 is on it."
assert hint(step, before, 1) == "Look for a straight climb between two digits."
assert record(step, before)["value"] == 2
assert before.after(step).n_blanks == 2
assert scale_of("stairs").column == "stairs_rating"

# Solvers without support for the kind say so.
from nando.solvers import Annealing, BruteForce, HarmonySearch, Refutation, Relaxation, TabuSearch
from nando.solvers import UnsupportedError
for solver in (Annealing, BruteForce, HarmonySearch, Refutation, Relaxation, TabuSearch):
    try:
        solver().run(puzzle)
    except UnsupportedError as error:
        assert "cannot run on 'stairs' puzzles" in str(error)
    else:
        raise AssertionError(solver)

# Features and a model.
from nando.features import GROUPS, SolverFeatures, default_groups, kinds_of
from nando.rating import Rater, baselines, default_columns, load_model
assert "stairs_static" in GROUPS
assert kinds_of(["exact"]) == ("sudoku", "nurikabe", "variant", "stairs")
table = SolverFeatures(default_groups("stairs")).fit_transform([puzzle])
assert table[0, :2].tolist() == [3.0, 3.0]
assert baselines("stairs") == {"search": ("exact_guesses",)}
puzzles = [
    Stairs(f"stairs:{first}" + "." * n + str(first + n + 1))
    for n in range(1, 8)
    for first in range(1, 9 - n)
]
from sklearn.linear_model import LinearRegression
from sklearn.pipeline import make_pipeline
assert default_columns("stairs") == ("stairs_blanks",)
rater = make_pipeline(SolverFeatures(default_groups("stairs")), LinearRegression())
rater.fit(puzzles, [10.0 * 2**p.text.count(".") for p in puzzles])
easy, hard = rater.predict([puzzles[0], puzzles[-1]])
assert easy < hard
try:
    load_model(kind="stairs")
except ValueError as error:
    assert "no model is shipped for 'stairs'" in str(error)
else:
    raise AssertionError("a model of stairs")
try:
    Rater("stairs").fit(puzzles, [60.0] * len(puzzles))
except ValueError as error:
    assert "no model of 'stairs' puzzles can be fitted yet" in str(error)
else:
    raise AssertionError("a fit of stairs")
from nando.rating.scale import CommonScale, Line, Scale
from nando.rating.reach import Reach
line = Scale((0.0,), 1.0, 4.0, 1.0, 0.5, 0.1, puzzle_spread=0.3)
known = Reach.of_collection(np.array([[1.0], [7.0]]))
start = CommonScale(line, {}, known, timed=0, sudoku=Line(1.0, 4.0, 1.0))
own = Rater("stairs", scale=start).fit(puzzles, [10.0 * p.text.count(".") for p in puzzles])
easy, hard = own.predict([puzzles[0], puzzles[-1]])
assert easy < hard

# New puzzles, orders of fills, evaluations.
from nando.evaluation import published_page
from nando.games import baseline_orders
from nando.generators import SOURCES, generate
made = [m.puzzle for m in generate(SOURCES["stairs"](), 2, seed=3)]
assert all(count_solutions(p) == 1 for p in made)
assert baseline_orders("stairs")["reading"].sample_order(puzzle, 0).tolist() == [1, 2, 3]
assert published_page("stairs") == "Nothing is published."

# Pages, for which a drawing is enough; a kind without one is named.
from helpers.samples.books import book_of, check, words
from nando.books import Include
from nando.drawing import boards
from nando.drawing.shapes import SCREEN
from nando.generators import Record
assert boards.board(puzzle, SCREEN).width == 5
include = Include(rules=True, times=True, dividers=True, hints="cell")
book = book_of([Record(puzzle, "12345", first_cell=3)], include=include)
check(book)
assert words(book.layout.pages[0])[0] == "Stairs"
del boards.KINDS["stairs"]
try:
    boards.board(loose, SCREEN)
except TypeError as error:
    assert "cannot draw 'stairs' puzzles; known: sudoku, nurikabe" in str(error)
else:
    raise AssertionError("a drawing of stairs")
print("a third kind works")
"""


@pytest.mark.thorough
@pytest.mark.skipif(
    not find_spec("font_source_sans_pro"), reason="fonts are not installed (nando[book])"
)
def test_a_third_kind_touches_one_table_a_layer():
    # Named in the environment: with PYTHONSAFEPATH, Python does not look in the working directory.
    path = os.pathsep.join(filter(None, [str(TESTS), os.environ.get("PYTHONPATH")]))
    done = subprocess.run(
        [sys.executable, "-c", OTHER_KIND],
        env=os.environ | {"PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.splitlines() == ["a third kind works"], done.stderr
