"""Hints, mistakes, batches and statistics in one call."""

import pytest
from helpers.samples.recordings import PUZZLE, replay_file, solving_actions, steps_file

import nando
from nando.puzzles import PuzzleError
from nando.solvers import LogicSolver, unique_solution

LINE = PUZZLE.text
SOLVED = PUZZLE.solution_text(unique_solution(PUZZLE))
XY_WING = "9.5....3474....1..6.8....2....4.........9.78.8.9..74.2.....52..5......18.821.3..5"


def test_hints_follow_the_walk_and_say_no_more_than_asked():
    walk = nando.explain(XY_WING, whole=True)
    taken = walk.steps[23]
    for degree in (1, 2, 3):
        shown = nando.hint(XY_WING, taken.position, degree=degree)
        assert shown == taken.sentence(degree)
    filled = walk.steps[0].step.placement
    assert f"{filled[1]}" not in nando.hint(XY_WING).replace("box 1", "")


def test_a_hint_where_there_is_nothing_to_say():
    assert nando.hint(LINE, SOLVED) == "The grid is full: nothing is left to explain."
    assert nando.hint(XY_WING, only=["x-wing"]).startswith("Stuck after 0 steps")
    with pytest.raises(PuzzleError, match="wrong entry: r1c3 is not 1"):
        nando.hint(LINE, LINE.replace("53..7", "531.7", 1))


def test_mistakes_are_named_without_the_answer():
    assert nando.mistakes(LINE, LINE) == []
    assert nando.mistakes(LINE, SOLVED) == []
    wrong = LINE.replace("53..7", "5312 7".replace(" ", ""), 1)
    shown = " ".join(nando.mistakes(LINE, wrong))
    assert "r1c3 is not 1" in shown
    assert "4" not in shown.replace("r1c4", "")


def test_a_batch_needs_no_more_than_a_technique():
    batch = nando.generate_batch(4, hardest="x-wing", seed=3)
    assert (len(batch.records), batch.wanted, batch.ended) == (4, 4, "count")
    for record in batch.records:
        profile = LogicSolver().profile(record.puzzle)
        assert profile.solved
        assert profile.rating <= 3.2
    again = nando.generate_batch(2, hardest="x-wing", seed=3)
    assert [one.puzzle for one in again.records] == [one.puzzle for one in batch.records[:2]]


def test_a_batch_is_the_beginning_of_what_generate_makes():
    batch = nando.generate_batch(3, seed=8, symmetry="rotational")
    made = nando.generate(count=3, seed=8, symmetry="rotational")
    assert batch.records == made
    assert str(batch).startswith("3 of 3 puzzles, in ")


def test_a_batch_reports_how_it_ended():
    short = nando.generate_batch(1000, seconds=1e-6, seed=1)
    assert (len(short.records), short.ended) == (1, "time")
    assert str(short).endswith("; the time was up")
    none = nando.generate_batch(1, hardest="full house", most=3, seed=1)
    assert (none.records, none.ended) == ([], "tried")
    assert str(none).endswith("; too few fit")


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        (
            {"hardest": "x-wing", "kind": "nurikabe"},
            ValueError,
            "of nurikabe puzzles is called 'x-wing'",
        ),
        ({"seconds": 0}, ValueError, "seconds must be"),
        ({"most": 0}, ValueError, "most must be"),
        ({"colour": 1}, TypeError, "no option 'colour'"),
    ],
)
def test_bad_options_of_a_batch(options, error, message):
    with pytest.raises(error, match=message):
        nando.generate_batch(1, **options)


def test_own_times_by_grade(tmp_path):
    (tmp_path / "ada").mkdir()
    (tmp_path / "ada" / "1.replay").write_text(replay_file(solving_actions()), encoding="utf-8")
    (tmp_path / "ada" / "2.json").write_text(steps_file(), encoding="utf-8")
    (row,) = nando.own_times(tmp_path)
    seconds = 2.0 * LINE.count(".")
    assert (row.games, row.best, row.median, row.last, row.left_out) == (1, *3 * [seconds], 1)
    rating = nando.rate(LINE)
    assert row.grade == rating.grade
    assert row.pace == pytest.approx(seconds / rating.predicted)


def test_results_fit_a_screen_where_python_prints_them():
    walk = nando.explain(PUZZLE)
    results = [walk, walk.steps[0], nando.list_steps(PUZZLE), nando.rate(PUZZLE)]
    assert max(len(repr(result)) for result in results) < 1_000
