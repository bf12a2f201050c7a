"""What a reader of printed puzzles would mind, each fault on a puzzle made with it."""

import json
import re

import numpy as np
import pytest
from helpers.command import run
from helpers.samples.recordings import PUZZLE

import nando
from nando.books import Book, BookSpec, Part, Section
from nando.books.pages.hints import hardest_step
from nando.books.pages.techniques import _examples
from nando.generators import Record, SudokuSource
from nando.puzzles import Nurikabe, Sudoku, Variant
from nando.solvers import count_solutions

LINE = PUZZLE.text
LONE_STEP = "64..5..1..35..98.....687....1....7..4.9....28....3....8.49.....3.......9.7.3....5"
SYMMETRIC = SudokuSource(symmetry="rotational").draw(np.random.default_rng(1)).puzzle


def _faults(*puzzles, **wishes):
    return [(found.number, found.fault) for found in nando.check(puzzles, **wishes)]


def test_a_good_puzzle_has_no_finding():
    assert nando.check(LINE) == []
    assert nando.check(SYMMETRIC, symmetry="rotational") == []


def test_repeats_are_found_in_any_disguise():
    disguised = PUZZLE.shuffled(np.random.default_rng(2))
    assert _faults(LINE, SYMMETRIC, disguised) == [(3, "repeated")]
    assert _faults(LINE, Variant(disguised.text)) == [(2, "repeated")]
    assert nando.check([SYMMETRIC, LINE], earlier=[disguised])[0].number == 2


def test_one_hard_step_is_named_with_the_next_rating():
    (found,) = nando.check(LONE_STEP)
    ratings = sorted(taken.step.rating for taken in nando.explain(LONE_STEP).steps)
    assert found.fault == "one hard step"
    assert all(f"{rating:.1f}" in found.reason for rating in ratings[-2:])


@pytest.mark.parametrize(
    ("text", "fault", "named"),
    [
        # Digits 6 and 7 rise in the solution, and the Sudoku alone is unique.
        (LINE + "+thermometer:r2c1r3c2", "idle rule", "thermometer"),
        # The sum of a cage of one cell is its digit.
        (LINE + "+killer:r1c1:5", "needless given", "r1c1"),
        (LINE + "+thermometer:r2c1r3c2", "covered given", "r2c1, r3c2"),
        (LINE + "+odd:r1c1", "covered given", "r1c1"),
    ],
)
def test_faults_of_variants(text, fault, named):
    found = {finding.fault: finding.reason for finding in nando.check(text)}
    assert named in found[fault]


def test_a_rule_that_the_puzzle_needs_is_not_idle():
    rules = ["killer:r2c1r3c1:5", "killer:r3c2r4c2:4", "diagonals"]
    grid = "...............1"
    idle = [found.reason.split()[5] for found in nando.check("+".join([grid, *rules]))]
    without = {"killer:": "+".join([grid, rules[2]]), "diagonals:": "+".join([grid, *rules[:2]])}
    assert idle == [name for name, others in without.items() if count_solutions(others) == 1]


def test_faults_of_texts_are_findings_not_errors():
    assert _faults("hello", LINE, "11" + "." * 79, 7) == [
        (1, "wrong length"),
        (3, "conflicting givens"),
        (4, "unreadable"),
    ]


def test_asymmetry_names_the_cells():
    lone = [cell for cell in range(81) if (LINE[cell] != ".") != (LINE[80 - cell] != ".")]
    found = nando.check(LINE, symmetry="rotational")
    assert bool(found) == bool(lone)
    numbers = Nurikabe("....4./..3.../4...../....../....../3..2..")
    (found,) = nando.check(numbers, symmetry="mirror")
    assert found.reason == "without mirror symmetry: r1c5, r2c3, r3c1, r6c1, r6c4"
    with pytest.raises(ValueError, match="symmetry must be one of"):
        nando.check(LINE, symmetry="none at all")


def test_a_book_has_too_few_pages():
    book = Book.from_records(nando.generate(count=1, seed=4), BookSpec())
    (found,) = nando.check(book)
    assert (found.number, found.fault) == (None, "pages")


def test_the_command_lists_lines_and_exits_with_1(tmp_path):
    file = tmp_path / "puzzles.txt"
    file.write_text(f"{LINE}\n\nhello\n{LINE}\n")
    done = run("check", str(file), "--format", "json")
    assert done.exit_code == 1
    rows = json.loads(done.stdout)
    assert [(row["line"], row["fault"]) for row in rows] == [(3, "wrong length"), (4, "repeated")]
    assert "line 1" in rows[1]["reason"]
    clean = run("check", LINE)
    assert (clean.exit_code, clean.stderr) == (0, "no findings in 1 puzzle\n")


def test_volumes_are_checked_together(tmp_path):
    book = Book.from_records(nando.generate(count=2, seed=4), BookSpec())
    files = [tmp_path / "one.json", tmp_path / "two.json"]
    for file in files:
        book.write(file)
    rows = json.loads(run("check", *files, "--format", "json").stdout)
    repeated = [(row["line"], row["file"]) for row in rows if row["fault"] == "repeated"]
    assert repeated == [(1, str(files[1])), (2, str(files[1]))]
    mixed = run("check", *files, LINE)
    assert "one.json is a manifest: check it apart from files of puzzles" in mixed.stderr


def test_a_variant_as_long_as_a_sudoku_is_none():
    rules = "+killer:r1c1r1c2r1c3:6+killer:r4c1r4c2r4c3:9+odd:r1c1r1c3r2c1r2c3"
    puzzle = Variant("12..3412214343.." + rules)
    assert len(puzzle.text) == 81
    assert (1, "idle rule") in _faults(puzzle)


def test_a_hard_step_is_that_of_the_order_of_a_part_and_none_if_it_was_asked_for():
    text = "3.8.75...4.9.....8.1..8.....27.....5..65.71..9.....87.....5..9.2.....4.6...49.5.7"
    record = Record(Sudoku(text), nando.solve(text).text)

    def named(**wishes):
        parts = (Part(order="hodoku", count=1, **wishes),)
        found = nando.check(Book((Section("Wings", (record,)),), BookSpec(parts=parts)))
        return re.findall(r"\((\S+), \d", " ".join(each.reason for each in found))

    assert named() == ["XY-wing"]  # the standard order
    assert named(needs="XY-wing") == ["W-wing"]
    assert named(uses="W-wing") == []


def test_hints_and_techniques_are_as_hard_as_they_are_late_in_an_order():
    text = "8..67.....619..28.2....1..9.2.3.......98.61.......7.9.3..7....1.46..385.....48..3"
    ladder = Part(order="hodoku", needs="X-wing").steps.ladder
    assert hardest_step(Sudoku(text)).startswith("Hidden pair")
    assert hardest_step(Sudoku(text), ladder=ladder).startswith("X-wing")
    shown = [each.technique for each in _examples((Sudoku(text),), "en", 0, (ladder,))]
    assert shown.index("hidden pair") < shown.index("X-wing")
