"""Walks and lists in the orders of other programs."""

import json
from itertools import pairwise

import pytest
from helpers.command import run
from helpers.links import holds
from helpers.plain_kernels import compiled_kernels, plain_kernels
from helpers.samples.sudokus import EXAMPLES

import nando
from nando.puzzles import Sudoku
from nando.solvers import LogicSolver, unique_solution
from nando.solvers.logic import ORDERS, SUKAKU_EXPLAINER, PencilMarks, read_order
from nando.solvers.logic.orders.ordered import Links, chain_steps, every
from nando.solvers.logic.wording.families import family_of

EASY = "9.5....3474....1..6.8....2....4.........9.78.8.9..74.2.....52..5......18.821.3..5"
HARD = "9....8...4.85...16.7....4.........5....83....8.6.95..4.1.2..76............5..68.."


@pytest.fixture(scope="module")
def positions():
    """Return every tenth position of a hard walk after candidates were removed."""
    walk = nando.explain(HARD, order="hodoku")
    removing = [one.position for one in walk.steps if one.step.eliminations]
    return removing[::3]


@pytest.mark.thorough
@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("puzzle", [EASY, HARD])
def test_another_order_leaves_the_rating(puzzle, order):
    walk = nando.explain(puzzle, order=order)
    assert walk.solved
    assert walk.rating == nando.explain(puzzle).rating
    solution = unique_solution(Sudoku(puzzle))
    for taken in walk.steps:
        assert all(solution[cell] != digit for cell, digit in taken.step.eliminations)


def test_named_patterns_come_before_chains():
    walk = nando.explain(HARD, order="hodoku")
    names = [family_of(one.step, one.position).name for one in walk.steps]
    assert "simple colouring: trap" in names or "W-wing" in names
    for taken in walk.steps:
        if "forcing chains" in taken.step.technique.name:
            for family in ("W-wing", "simple colouring", "X-chain", "XY-chain", "remote pair"):
                assert not [*chain_steps(Links(taken.position), family)]


def test_the_first_rung_with_a_step_is_taken():
    order = read_order("sudokuwiki")
    for taken in nando.explain(EASY, order=order).steps[::4]:
        first = next(every(taken.position, order.ladder, [0]))
        assert first.technique == taken.step.technique


@pytest.mark.parametrize("family", ["W-wing", "X-chain", "XY-chain", "remote pair"])
def test_patterns_are_sound(positions, family):
    for marks in positions:
        solution = unique_solution(marks.puzzle)
        for step in chain_steps(Links(marks), family):
            assert all(solution[cell] != digit for cell, digit in step.eliminations)
            assert holds(step, marks, marks)
            path = [link[3:5] for link in step.links[:-1]]
            assert len(set(path)) == len(path) >= 6
            for cell, digit in step.eliminations:
                ends = (path[0], path[-1])
                assert all(digit == d and marks.sees(cell, c) for c, d in ends)
            if family == "XY-chain":
                assert all(len(marks.digits(cell)) == 2 for cell, _ in path)
            if family == "X-chain":
                assert len({digit for _, digit in path}) == 1


def naive_w_wings(marks: PencilMarks) -> set[frozenset[tuple[int, int]]]:
    """Return the removals of W-wings by their definition."""
    found = set()
    n_cells = len(marks.values)
    for one in range(n_cells):
        for other in range(one):
            pair = marks.digits(one)
            if len(pair) != 2 or marks.digits(other) != pair or marks.sees(one, other):
                continue
            for held, free in (pair, pair[::-1]):
                joined = any(
                    len(places) == 2
                    and not set(places) & {one, other}
                    and any(
                        marks.sees(a, one) and marks.sees(b, other)
                        for a, b in (places, places[::-1])
                    )
                    for house in range(27)
                    for places in [marks.places(house, held)]
                )
                gone = frozenset(
                    (cell, free)
                    for cell in range(n_cells)
                    if free in marks.digits(cell)
                    and marks.sees(cell, one)
                    and marks.sees(cell, other)
                )
                if joined and gone:
                    found.add(gone)
    return found


def test_every_w_wing_is_found(positions):
    with compiled_kernels():
        steps = [[*chain_steps(Links(marks), "W-wing")] for marks in positions]
    with plain_kernels():
        assert steps == [[*chain_steps(Links(marks), "W-wing")] for marks in positions]
    found = [{frozenset(step.eliminations) for step in listed} for listed in steps]
    assert found == [naive_w_wings(marks) for marks in positions]
    assert any(found)


def test_chains_rate_as_the_ladder_rates_them(positions):
    chain = tuple(t for t in SUKAKU_EXPLAINER if t.name == "chain")
    rated = {}
    for marks in positions:
        for family in ("X-chain", "XY-chain", "simple colouring"):
            for step in chain_steps(Links(marks), family):
                rated[step.variant, len(step.links)] = step.rating
    listed = {
        (step.variant, len(step.links)): step.rating
        for marks in positions
        for step in every(marks, chain, [0])
        if step.links[0][2] and step.variant in (4, 5)
    }
    shared = set(rated) & set(listed)
    assert len(shared) > 2
    assert all(rated[key] == listed[key] for key in shared)


def test_the_score_is_the_sum_of_the_points():
    order = read_order("hodoku")
    walk = nando.explain(EASY, order=order, style="hodoku")
    families = [family_of(one.step, one.position).name.partition(":")[0] for one in walk.steps]
    assert walk.score.points == sum(order.points[family] for family in families) == 748
    assert walk.summary().endswith("The HoDoKu score is 748.")
    assert nando.explain(EASY, order=order).score == walk.score
    assert nando.explain(EASY, order="sudokuwiki").score is None


def test_points_that_nobody_publishes_stay_unknown(tmp_path):
    path = tmp_path / "class.csv"
    path.write_text("technique,points\nNaked Single,2\nHidden Single,3\n", encoding="utf-8")
    walk = nando.explain(EASY, order=path)
    assert walk.score.n_unknown > 0
    assert "class.csv has no points for" in walk.summary()


def test_names_of_any_program_make_an_order(tmp_path):
    path = tmp_path / "order.txt"
    path.write_text(
        "# mine\nNaked Single\nHidden Single\nY-Wing\n2-String Kite / Simple Colouring\n",
        encoding="utf-8",
    )
    names = [technique.name for technique in read_order(path).ladder]
    assert names[:3] == ["naked single", "hidden single in box", "hidden single in line"]
    assert names[3:6] == ["XY-wing", "two-string kite", "simple colouring"]
    assert set(names) >= {technique.name for technique in SUKAKU_EXPLAINER}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no technique; write the name of one on each line"),
        ("blub", "line 1: no technique is called 'blub'"),
        ("X-wing,many", "line 1: 'many' is no number of points"),
        ("X-wing,-3", "line 1: '-3' is no number of points"),
        ("X" * 200_000, "not a table (field larger than field limit"),
    ],
)
def test_bad_orders(tmp_path, text, message):
    path = tmp_path / "order.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=r"order\.csv: ") as error:
        read_order(path)
    assert message in str(error.value)


def test_invalid_orders_are_refused():
    with pytest.raises(ValueError, match="order must be one of sudoku-explainer, hodoku"):
        nando.explain(EASY, order="hodoko")
    with pytest.raises(ValueError, match="order is for Sudoku"):
        nando.explain("3...2./....../.....8/....../...1.2/......", order="hodoku")
    with pytest.raises(TypeError, match="order must be text, a path or an Order, got int"):
        nando.explain(EASY, order=3)


def test_the_command_follows_an_order():
    shown = run("explain", "--order", "hodoku", EASY)
    assert shown.exit_code == 0
    assert "The HoDoKu score is 748." in shown.stdout
    row = json.loads(run("explain", "--order", "hodoku", "--format", "jsonl", EASY).stdout)
    assert (row["order"], row["score"], row["steps_without_score"]) == ("hodoku", 748, 0)
    listed = run("explain", "--order", "hodoku", "--all", "--only", "singles", EASY).stdout
    assert listed.index("naked single (2.3)") < listed.index("hidden single in box (1.2)")


def test_hints_follow_an_order():
    plain = run("explain", "--hint", "2", EASY).stdout
    pairs = run("explain", "--hint", "2", "--order", "hodoku", "--only", "naked,pair", EASY).stdout
    assert plain.startswith("Hidden single")
    assert pairs.startswith("Naked single")


@pytest.mark.thorough
def test_all_orders_solve_the_examples():
    for puzzle in EXAMPLES:
        if puzzle.kind == "sudoku" and puzzle.order == 3:
            for order in ORDERS:
                walk = nando.explain(puzzle, order=order)
                assert walk.solved == LogicSolver().profile(puzzle).solved
                assert all(a.position != b.position for a, b in pairwise(walk.steps))
