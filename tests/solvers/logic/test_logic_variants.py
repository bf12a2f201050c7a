"""The ladder on variants: no step is wrong on any board, and rules have names in every language."""

from contextlib import suppress

import numpy as np
import pytest
from helpers.data import needs
from helpers.oracles.variants import latin_squares
from helpers.plain_kernels import compiled_and_plain
from helpers.sampled import one_in
from helpers.samples.variant_samples import TEXTS

from nando import datasets
from nando.datasets.pages import GENRES
from nando.drawing.walks import focused
from nando.puzzles import PuzzleError, Variant
from nando.solvers import count_solutions, solve, unique_solution
from nando.solvers.logic.finders.pencil_marks import state_of as fresh_marks
from nando.solvers.logic.house_walk import HouseWalker, every_step
from nando.solvers.logic.kernel_numbers import DEEP_WHAT_IF, JOINT, SEARCHES, TRUSTING
from nando.solvers.logic.language import LANGUAGES
from nando.solvers.logic.marks import PencilMarks
from nando.solvers.logic.technique import rungs_of, standard_ladder
from nando.solvers.logic.variants.layout import layout_of
from nando.solvers.logic.variants.rule_ladder import find_step
from nando.solvers.logic.variants.rule_state import apply, new_finding
from nando.solvers.logic.variants.variant_board import state_of
from nando.solvers.logic.variants.what_ifs import new_trials
from nando.solvers.logic.walkthrough import walk_through
from nando.solvers.logic.words import describe, hint, record

SMALL = [text for text in TEXTS if text.startswith("4x4")]
LADDER = standard_ladder("variant")
SOUND = tuple(technique for technique in LADDER if technique.kernel not in TRUSTING)
"""Without what trusts a puzzle to have one solution."""


UNLINKED = tuple(technique for technique in LADDER if technique.kernel not in (*SEARCHES, JOINT))
"""Without what Sudoku's searches find, and without steps from several rules at once."""


def check(step, solutions):
    """Assert that all solutions agree with a step."""
    for grid in solutions:
        if step.placement is not None:
            cell, digit = step.placement
            assert grid[cell] == digit, step
        for cell, digit in step.eliminations:
            assert grid[cell] != digit, step


def walk(puzzle, solutions, effort=1000):
    """Take all steps, check and tell each; return the marks at the end."""
    marks = PencilMarks.of(puzzle)
    ladder = LADDER if len(solutions) == 1 else SOUND
    for step in HouseWalker(ladder, effort).steps(puzzle):
        check(step, solutions)
        assert step.placement is not None or step.eliminations
        for cell, digit in step.eliminations:
            assert marks.candidates[cell, digit - 1]
        sentences = {describe(step, marks, language=language) for language in LANGUAGES}
        assert all(sentence[-1] in ".。" and "None" not in sentence for sentence in sentences)
        assert not any(", ," in sentence or ": ." in sentence for sentence in sentences)
        assert hint(step, marks, 1)
        assert hint(step, marks, 2) == hint(step, marks, 2).strip()
        assert record(step, marks)["technique"] == step.technique.name
        marks = marks.after(step)
    return marks


def joined(texts):
    """Return the variant with the rules of all texts that it can have."""
    rules = {part for text in texts for part in text.split("+")[1:]}
    return Variant("+".join(["4x4", *sorted(rules)]))


@pytest.mark.parametrize("text", one_in(14, SMALL))
def test_no_step_is_wrong_with_any_number_of_solutions(text):
    rng = np.random.default_rng(SMALL.index(text))
    grids = [np.ravel(rows).astype(np.int8) for rows in latin_squares(4)]
    n_walked = 0
    for n_more in (0, 1, 2):
        others = [SMALL[i] for i in rng.choice(len(SMALL), n_more, replace=False)]
        try:
            puzzle = joined([text, *others])
        except ValueError:
            continue
        known = [grid for grid in grids if puzzle.is_solution(grid)]
        if not known:
            continue
        n_walked += 1
        walk(puzzle, known)
        # With a few givens there are fewer solutions, often one.
        grid = known[rng.integers(len(known))]
        values = np.where(rng.random(16) < 0.2, grid, 0)
        boxed = any(rule.name == "boxes" for rule in puzzle.rules)
        given = Variant.of(values, puzzle.rules, boxed=boxed)
        left = [grid for grid in known if given.is_solution(grid)]
        end = walk(given, left)
        if len(left) == 1:
            assert end.n_blanks == 0
            assert end.values.tolist() == left[0].tolist()
    assert n_walked or not [grid for grid in grids if Variant(text).is_solution(grid)]


@pytest.mark.parametrize("text", one_in(9, SMALL))
def test_deep_what_ifs_leave_the_digits_of_solutions_and_no_others(text):
    rng = np.random.default_rng(SMALL.index(text))
    grids = [np.ravel(rows).astype(np.int8) for rows in latin_squares(4)]
    deep = tuple(technique for technique in LADDER if technique.kernel == DEEP_WHAT_IF)
    # Some rules cannot be joined.
    for other in rng.permutation(SMALL):
        with suppress(PuzzleError):
            puzzle = joined([text, other])
            break
    known = np.array([grid for grid in grids if puzzle.is_solution(grid)]).reshape(-1, 16)
    marks = PencilMarks.of(puzzle)
    for step in HouseWalker(deep, 10_000).steps(puzzle):
        marks = marks.after(step)
    held = (known[:, :, None] == np.arange(1, 5)).any(axis=0)
    blank = marks.values == 0
    assert not len(known) or np.array_equal(marks.candidates[blank], held[blank])


RULES_OF_6X6 = [
    "diagonals",
    "disjoint-groups",
    "anti-knight",
    "non-consecutive",
    "killer:r1c1r1c2r2c1:{0}+killer:r3c3r3c4r4c4r4c3:{1}:repeats",
    "little-killer:r1c2r2c3r3c4r4c5r5c6:{2}",
]


@pytest.mark.parametrize("rules", RULES_OF_6X6)
def test_puzzles_of_6x6_with_one_solution_are_solved(rules):
    rng = np.random.default_rng(RULES_OF_6X6.index(rules))
    bare = Variant("6x6" if "{" in rules else f"6x6+{rules}")
    seed = np.zeros(36, np.int64)
    seed[rng.permutation(6)] = rng.permutation(6)[:6] + 1
    whole = solve(Variant.of(np.where(np.arange(36) < 3, seed, 0), bare.rules))
    if whole is None:
        whole = solve(bare)
    if whole is None:
        assert rules == "non-consecutive"
        return
    grid = whole.reshape(6, 6)
    sums = (
        grid[0, 0] + grid[0, 1] + grid[1, 0],
        grid[2:4, 2:4].sum(),
        sum(grid[i, i + 1] for i in range(5)),
    )
    ruled = Variant(f"6x6+{rules.format(*sums)}").rules
    values = whole.astype(np.int64)
    for cell in rng.permutation(36).tolist():
        kept, values[cell] = values[cell], 0
        if count_solutions(Variant.of(values, ruled)) != 1:
            values[cell] = kept
    end = walk(Variant.of(values, ruled), [whole])
    assert end.values.tolist() == whole.tolist()


@pytest.mark.parametrize("text", ["4x4+killer:r1c1r1c2r2c3:7+anti-knight", "6x6+diagonals"])
def test_updated_pencil_marks_equal_new_ones(text):
    puzzle = Variant(text)
    layout, _ = layout_of(puzzle)
    state, _ = state_of(PencilMarks.of(puzzle))
    trials, finding = new_trials(layout, np.zeros(1, np.int64)), new_finding(layout)
    rungs = rungs_of([one for one in LADDER if one.kernel not in SEARCHES])
    digits = 1 << np.arange(puzzle.size)
    rng = np.random.default_rng(3)
    for _ in range(30):
        if find_step(layout, state, trials, rungs, finding) < 0:
            open_cells = np.flatnonzero(state.marks.values == 0)
            if open_cells.size == 0:
                break
            finding.words[:] = 0
            cell = rng.choice(open_cells)
            finding.head[0]["cell"] = cell
            finding.head[0]["digit"] = int(state.mask[cell]).bit_length() - 1
        if not apply(layout, state, finding):
            break
        candidates = (state.marks.candidates[:, None] & digits) > 0
        fresh = fresh_marks(layout.grid, state.marks.values, candidates)
        for field, array in state.marks._asdict().items():
            assert np.array_equal(array, getattr(fresh, field)), field
        filled = state.marks.values > 0
        assert np.array_equal(state.filled, filled)
        assert np.array_equal(state.mask[~filled], state.marks.candidates[~filled])
        assert np.array_equal(state.mask[filled], digits[state.marks.values[filled] - 1])


def test_a_ladder_without_a_rung_for_a_puzzle_finds_nothing():
    trusting = [one for one in standard_ladder("variant") if one.kernel in TRUSTING]
    walker = HouseWalker(trusting, 10)
    puzzle = Variant("4x4+killer:r1c1r1c2:5")
    assert list(walker.steps(puzzle)) == []
    assert not walker.rate([puzzle]).solved.any()


def test_the_steps_that_a_board_allows():
    puzzle = Variant("4x4+killer:r1c1r1c2:3+killer:r3c3r3c4:7+killer:r4c1r4c2:7+odd:r4c4+even:r1c4")
    assert count_solutions(puzzle) >= 1
    marks = PencilMarks.of(puzzle)
    grids = [np.ravel(rows).astype(np.int8) for rows in latin_squares(4)]
    known = [grid for grid in grids if puzzle.is_solution(grid)]
    steps = list(every_step(marks, LADDER, np.full(1, 1000)))
    assert {"sum of two cells", "digit of a cage"} <= {step.technique.name for step in steps}
    keys = [(step.technique, step.placement, step.eliminations, step.cells) for step in steps]
    assert len(set(keys)) == len(keys)
    for step in steps:
        check(step, known)
    first = next(HouseWalker(LADDER, 1000).steps(puzzle))
    assert steps[0].technique == first.technique


@pytest.mark.thorough
def test_kernels_behave_like_their_python():
    # Several solutions: every technique is tried before the walk is stuck.
    texts = (
        "4x4+killer:r1c1r1c2r2c1:6+skyscraper:top4:2+kropki:r4c1r4c2",
        "4x4+diagonals+thermometer:r3c3r3c4",
    )

    def walks():
        walker = HouseWalker(LADDER, 20)
        return [list(walker.steps(Variant(text))) for text in texts]

    compiled, plain = compiled_and_plain(walks)
    assert compiled == plain
    assert sum(map(len, compiled)) > 5


# Examples


EXAMPLES = [
    "......2..3..4.......5............1..+diagonals",
    (
        ".....3.188......6..........4......3.....5...11....94.....5...2..4......3.9..7....+disjoi"
        "nt-groups"
    ),
    (
        "............................6....................................................+killer"
        ":r1c1r1c2:9+killer:r1c3r1c4r1c5r2c2r2c3r2c4:28+killer:r1c6r2c6r3c6:16+killer:r1c7r2c7:6+"
        "killer:r1c8r1c9r2c9r3c9r4c9:33+killer:r2c5r3c5:16+killer:r2c8r3c7r3c8r4c7r4c8:26+killer:"
        "r3c1r3c2:3+killer:r3c3r3c4r4c3:17+killer:r4c1r4c2r5c1r5c2r6c1r6c2:26+killer:r4c4r4c5r4c6"
        "r5c3r5c4:23+killer:r5c5r6c5r7c4r7c5:24+killer:r5c6r5c7r5c8r6c6r6c7r7c7:34+killer:r5c9r6c"
        "8r6c9r7c8r8c7r8c8:31+killer:r6c3r6c4r7c3r8c3r9c2r9c3:28+killer:r7c1r7c2:10+killer:r7c6r8"
        "c5r8c6r9c4r9c5r9c6:30+killer:r7c9r8c9r9c9:13+killer:r8c1r8c2:11+killer:r9c7r9c8:5"
    ),
    ("..6..8...2...............7......7.3497......1.6.8........9......9..854..5..7.....+diagonals"),
    (
        "...................6................+sandwich:left1:9+sandwich:left2:9+sandwich:left3:8+"
        "sandwich:left4:9+sandwich:left5:5+sandwich:left6:3+sandwich:top1:7+sandwich:top2:0+sandw"
        "ich:top3:14+sandwich:top4:7+sandwich:top5:7+sandwich:top6:7"
    ),
    (
        "6x6+kropki:r1c1r1c2-r1c2r2c2-r1c3r2c3-r1c4r1c5-r2c2r2c3-r2c3r2c4-r2c4r3c4-r2c5r2c6-r2c5r"
        "3c5-r3c4r3c5-r4c1r4c2-r4c1r5c1-r4c5r4c6-r5c4r6c4-r5c5r5c6-r5c6r6c6-r6c1r6c2-r6c3r6c4:r1c"
        "1r2c1-r1c2r1c3-r1c6r2c6-r2c4r2c5-r3c2r3c3-r3c3r4c3-r3c5r4c5-r3c6r4c6-r4c4r4c5-r5c1r5c2-r"
        "5c2r5c3-r5c4r5c5-r6c4r6c5:all-given"
    ),
    ("...3..7........32....47..1....6..9...9...4.....8.....5........32....65.19...5..6.+diagonals"),
    (
        "..43...6............27....3.....8..6...................1....2..35.....9.....9....+anti-k"
        "night"
    ),
    "8345.7..9...9...5..5................7.2.3.....61...............2...9......347..9.+anti-knight",
    "7..4......3............9.....3..4.15....8....8.9.7.......5..9..46.....7......64..+anti-king",
    "..2.....8.3.67..1.......35.........12.6......5..4.1..38....5..7.....9............+anti-king",
    "..76....3..5......3......9.6.....48....8...5..53....7............697...1....3....+anti-king",
    ".....74.....1.9.2.....5......7...3......4...8.8..1......1.7....8.......5..2..6...+diagonals",
    (
        "..............................42....+renban:r1c3r1c2r2c2r3c1+renban:r2c6r3c5r4c6r5c6r6c5r5c4"
        "+renban:r4c2r5c3r6c3r6c4+renban:r4c3r3c4r4c5r5c5"
    ),
    ".3...7..........1.............9...........7..8.92...61.............2.........9...+anti-taxicab",
    "........6..5..18...9...8.7....8.2.....3.1.2..4..5.3....6.....9...83..1..7.......4",
]
"""Puzzles that need, together, all techniques except some of `PATTERNS`."""


@pytest.mark.thorough
def test_every_technique_has_an_example():
    used = set()
    for text in EXAMPLES:
        puzzle = Variant(text)
        solution = unique_solution(puzzle)
        used |= {step.technique.name for step in HouseWalker(LADDER, 20_000).steps(puzzle)}
        assert walk(puzzle, [solution], 20_000).values.tolist() == solution.tolist()
        used |= {step.technique.name for step in HouseWalker(UNLINKED, 20_000).steps(puzzle)}
    assert used | set(PATTERNS) == {technique.name for technique in LADDER}


def without(*removed, text="9x9+diagonals:falling"):
    """Return the marks of an empty grid without a digit in cells given by row and column."""
    puzzle = Variant(text)
    marks = np.ones((puzzle.size**2, puzzle.size), np.bool_)
    for digits, row, columns in removed:
        for column in columns:
            for digit in digits:
                marks[puzzle.size * (row - 1) + column - 1, digit - 1] = False
    return PencilMarks.standing(puzzle, np.zeros(puzzle.size**2, np.int8), marks)


PATTERNS = {
    "direct claiming": (without(((1,), 1, range(4, 10)), ((1,), 2, (4, 5, 6, 8, 9))), (15, 1), ()),
    "hidden quad": (
        without(((1, 2, 3, 4), 1, range(5, 10))),
        None,
        [(cell, digit) for cell in range(4) for digit in range(5, 10)],
    ),
    "naked quintuplet": (
        without(((6, 7, 8, 9), 1, range(1, 6))),
        None,
        [(cell, digit) for cell in range(5, 9) for digit in range(1, 6)],
    ),
    "jellyfish": (
        without(*(((1,), row, (3, 6, 7, 8, 9)) for row in (1, 4, 5, 7))),
        None,
        [(9 * row + column, 1) for row in (1, 2, 5, 7, 8) for column in (0, 1, 3, 4)],
    ),
    "dilemma": (
        without(((3, 4), 1, (1, 2)), text="4x4+killer:r1c1r1c2:3"),
        None,
        [(cell, digit) for cell in (2, 3, 4, 5) for digit in (1, 2)],
    ),
    **{
        name: (
            without(((1,), 1, (3, 4)), text="4x4+killer:r1c1r2c1:5+killer:r1c2r2c2r2c3:6"),
            None,
            gone,
        )
        for name, gone in (
            ("rules of a larger area", [(6, 2), (6, 3), (6, 4)]),
            ("cases of an area", [(6, 2), (6, 3), (6, 4)]),
            ("cases of a larger area", [(0, 2)]),
        )
    },
}
"""Marks on which a technique has a step, what it places and what it removes."""


@pytest.mark.parametrize("name", PATTERNS)
def test_a_pattern_is_found(name):
    marks, placement, gone = PATTERNS[name]
    ladder = tuple(technique for technique in LADDER if technique.name == name)
    step = next(HouseWalker(ladder, 0).steps(marks.puzzle, marks))
    assert step.placement == placement
    assert set(gone) <= set(step.eliminations)
    assert step.technique.name == name
    assert describe(step, marks)


def test_the_corner_of_an_empty_rectangle_belongs_to_both_its_ends():
    # A further house holds r7c5, r7c9 and r8c9, but not r9c9, where the digit may be.
    marks = without(
        ((4,), 7, (7, 8)),
        ((4,), 8, (7, 8)),
        *(((4,), row, (5,)) for row in (2, 3, 4, 5, 6, 8, 9)),
        text="9x9+windoku",
    )
    links = tuple(technique for technique in LADDER if technique.name == "two strong links")
    steps = list(every_step(marks, links, np.zeros(1, np.int64)))
    assert all((5, 4) not in step.eliminations for step in steps)


# Data that is not on every machine


@pytest.mark.thorough
@needs("sukaku_variants")
def test_ratings_agree_with_sukaku_explainer():
    data = datasets.fetch_sukaku_variants()
    wanted = np.asarray(data.target, np.float64)
    # Sukaku Explainer knows no steps from several rules at once.
    shared = tuple(technique for technique in LADDER if technique.kernel != JOINT)
    found = HouseWalker(shared, 1000).rate(data.puzzles)
    assert found.solved.all()
    for least, most in ((1.0, 3.4), (3.5, 8.4), (8.5, 12.0)):
        here = (least <= wanted) & (wanted <= most)
        assert np.isclose(found.rating[here], wanted[here]).mean() >= 0.95
    assert np.isclose(found.rating, wanted).mean() >= 0.98


@pytest.mark.thorough
@needs("sukaku_variants")
def test_no_step_on_rated_puzzles_is_wrong():
    data = datasets.fetch_sukaku_variants()
    shared = 0
    for puzzle in data.puzzles[:: len(data.puzzles) // 20]:
        solution = unique_solution(puzzle)
        for step in HouseWalker(LADDER, 1000).steps(puzzle):
            check(step, [solution])
            shared += step.technique.kernel in SEARCHES
    assert shared > 20


@pytest.mark.thorough
@needs("sudoku_variants")
@pytest.mark.parametrize("genre", GENRES)
def test_published_puzzles_are_solved(genre):
    data = datasets.fetch_sudoku_variants(genres=genre)
    n_solved = 0
    for puzzle, solution in list(zip(data.puzzles, data.solutions, strict=True))[
        :: len(data.puzzles) // 4
    ]:
        if count_solutions(puzzle) == 1:
            n_solved += 1
            walker = HouseWalker(LADDER, 100_000)
            placed = {}
            for step in walker.steps(puzzle):
                check(step, [solution])
                placed |= dict([step.placement] if step.placement else [])
            assert all(solution[cell] == digit for cell, digit in placed.items())
            assert len(placed) == np.count_nonzero(solution) - puzzle.n_givens
    assert n_solved > 0


@pytest.mark.parametrize(
    ("rules", "called", "german"),
    [
        ("frame-sum:top1:6+frame-sum:top2:15", "the frame sums", "die der Rahmensummen"),
        ("killer:r1c1r2c1r3c1:6+killer:r1c2r2c2r3c2:15", "the cages", "die der Käfige"),
        ("killer:r1c1r2c1r3c1:6+frame-sum:top2:15", "the given sums", "die der angegebenen Summen"),
    ],
)
def test_the_rule_of_45_calls_sums_by_their_rule(rules, called, german):
    puzzle = Variant(f"9x9+{rules}")
    marks = PencilMarks.of(puzzle)
    step = next(
        step
        for step in every_step(marks, LADDER, np.zeros(1, np.int64))
        if step.technique.name == "innies or outies" and len(step.cells) == 3
    )
    assert f"the cells of box 1 sum to 45, and {called} in them to 21, so r1c3, r2c3" in describe(
        step, marks
    )
    assert called in hint(step, marks, 1) + hint(step, marks, 2) + hint(step, marks, 3)
    assert german in describe(step, marks, language="de")


def test_digits_from_zero_are_told_as_they_are_printed():
    rules = "killer:r1c1r1c2:1 killer:r1c3r2c3r3c3:15 killer:r1c4r1c5r1c6:18"
    rules += " killer:r2c1r2c2r3c1r3c2:20 sandwich:left5:11 kropki:r4c1r4c2:r5c1r6c1 xv:r7c7r7c8"
    rules += " quadruple:r8c8r8c9r9c8r9c9:0-5 thermometer:r9c1r8c1r7c1 arrow:r5c5:r5c6r4c6"
    givens = "..............31..6......0.....8.5.......1.6....4.......0.6..........74.........."
    walk = walk_through(Variant("+".join([givens, "digits:0-8", *rules.split()])))
    assert walk.solved
    said = "\n".join(step.sentence() for step in walk.steps)
    assert "the cage of 1 at r1c1 can only be 0+1" in said
    assert "the cells of column 3 sum to 36, and the cages in them to 15, so" in said
    assert "r9c3 make 21" in said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            ".....2.514.58..70.79...34....23.5..7.8.4.0...0.12....823.1.8..5.4..3.8...1.50.3.."
            "+digits:0-9",
            "in r3c3, r3c8 and r3c9 (row 3): no other cell of row 3 can be 2, 6 or 8",
        ),
        (
            ".....55...2...10.....5.4.15..624..1.+digits:0-6+thermometer:r1c1r1c2r2c2r3c2r4c2",
            "r1c1 can only be 0, 1, 3, 4 or 6",
        ),
    ],
)
def test_rows_that_lack_digits_have_no_hidden_singles_but_are_named(text, said):
    puzzle = Variant(text)
    walk = walk_through(puzzle)
    solution = unique_solution(puzzle)
    assert walk.solved
    assert any(said in step.sentence() for step in walk.steps)
    for taken in walk.steps:
        assert "hidden" not in taken.step.technique.name
        assert all(solution[cell] != digit for cell, digit in taken.step.eliminations)
        assert focused(taken.position, taken.step).shapes
