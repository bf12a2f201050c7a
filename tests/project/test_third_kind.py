"""A third kind of puzzle works in every layer once the tables name it, and nothing else does."""

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parent.parent

SCRIPT = """
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
        [sys.executable, "-c", SCRIPT],
        env=os.environ | {"PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.splitlines() == ["a third kind works"], done.stderr
