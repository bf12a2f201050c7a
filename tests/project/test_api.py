"""The five-line API: the results of the commands as objects."""

import json
import re

import numpy as np
import pytest
from helpers.command import rows, run
from helpers.samples.sudokus import EXAMPLES, LINE, SOLUTION

import nando
from nando.features import FeatureExtractor, SolverFeatures
from nando.puzzles import (
    Nurikabe,
    PuzzleError,
    PuzzleTypeError,
    Sudoku,
    format_puzzle,
    read_puzzle,
    write_puzzles,
)
from nando.rating import Bank
from nando.solvers import Outcome, count_solutions, solve_by
from nando.solvers.logic import walk_through

HARD = "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3.."
SMALL = "3...2./....../.....8/....../...1.2/......"


def test_a_rating_in_words_and_in_minutes():
    rating = nando.rate(LINE)
    assert rating.minutes == rating.predicted / 60
    assert re.match(r"4 min \d\d s \(1 min \d\d s to \d+ min \d\d s\), easy", str(rating))
    untimed = nando.rate(SMALL)
    assert untimed.minutes == untimed.predicted / 60
    assert "nobody_timed" in untimed.flag_codes


def test_rate_takes_many_puzzles_and_any_form_of_one():
    puzzles = EXAMPLES[:3]
    ratings = nando.rate(iter(puzzles))
    assert [rating.puzzle for rating in ratings] == puzzles
    assert ratings == nando.rate([puzzle.text for puzzle in puzzles], n_jobs=2)
    assert ratings[0] == nando.rate(puzzles[0])
    assert nando.rate([]) == []
    grid = Sudoku(LINE).grid()
    assert nando.rate(grid) == nando.rate(Sudoku(LINE)) == nando.rate(f" {LINE}\n")


def test_the_error_of_one_among_several_says_which():
    good, bad = LINE, "11" + "." * 79
    with pytest.raises(PuzzleError, match=r"^puzzles\[2\]: conflicting givens") as raised:
        nando.rate([good, good, bad, None])
    assert raised.value.index == 2
    with pytest.raises(PuzzleTypeError, match=r"^puzzles\[1\] must be text") as raised:
        nando.rate(iter([good, None, bad]))
    assert raised.value.index == 1
    with pytest.raises(PuzzleError, match=r"^conflicting givens") as raised:
        nando.rate(bad)
    assert raised.value.index is None


def test_errors_are_returned_in_place():
    bad = "11" + "." * 79
    found = nando.rate([LINE, bad, HARD, None, [1, 2]], errors="return")
    assert [found[0], found[2]] == nando.rate([LINE, HARD])
    assert [type(found[i]) for i in (1, 3, 4)] == [PuzzleError, PuzzleTypeError, PuzzleError]
    assert [found[i].index for i in (1, 3, 4)] == [1, 3, 4]
    assert isinstance(nando.rate(bad, errors="return"), PuzzleError)
    assert nando.rate([bad], errors="return")[0].index == 0


def test_options_of_a_rating_are_used():
    wide, narrow = (nando.rate(LINE, coverage=share) for share in (0.95, 0.5))
    assert wide.low < narrow.low < narrow.high < wide.high
    assert nando.rate(LINE, runs=2).predicted != nando.rate(LINE).predicted
    phone = nando.rate(LINE, crowd="phone")
    assert phone.predicted == nando.rate(LINE, model=nando.load_model(), crowd="phone").predicted
    assert phone.predicted < nando.rate(LINE).predicted
    with pytest.raises(ValueError, match="knows no crowds"):
        nando.rate(SMALL, model=nando.load_model(kind="nurikabe"), crowd="phone")


def test_explain_gives_what_the_command_writes():
    found = nando.explain(LINE)
    assert f"{found}\n" == run("explain", LINE).stdout
    assert found.solved
    assert [taken.number for taken in found.steps] == list(range(1, 52))
    assert nando.explain(SMALL).puzzle == Nurikabe(SMALL)
    assert nando.explain(HARD).rating == 10.5


def test_solve_gives_what_the_command_writes():
    solution = nando.solve(LINE)
    assert str(solution) == solution.text == SOLUTION
    (written,) = rows("solve", "-", stdin=LINE)
    for name, value in solution.to_dict().items():
        assert written[name] == str(value)
    cut = nando.solve(HARD, method="annealing", steps=10, seed=3)
    assert (cut.text, cut.outcome, str(cut)) == (
        None,
        Outcome.STEP_LIMIT,
        "not solved (step limit)",
    )
    with pytest.raises(ValueError, match="magic"):
        nando.solve(LINE, method="magic")


def test_generate_by_grade_percentile_and_minutes():
    assert nando.generate(grade="easy", seed=1).grade == "easy"
    assert abs(nando.generate(percentile=50, seed=1).percentile - 50) < 25
    record = nando.generate(minutes=1, kind="nurikabe", size="5x5", seed=1)
    assert 54 < record.predicted < 66
    unrated = nando.generate(order=3, givens=30, seed=1)
    assert count_solutions(unrated.puzzle) == 1
    assert unrated.predicted is None
    rated = nando.generate(order=3, givens=30, seed=1, rating=True)
    assert rated.puzzle == unrated.puzzle
    assert rated.predicted == nando.rate(unrated.puzzle).predicted


def test_kinds_are_distinguished():
    with pytest.raises(ValueError, match="nurikabe and sudoku at once: rate each kind separately"):
        nando.rate([LINE, SMALL])
    with pytest.raises(PuzzleError):
        nando.solve(LINE, kind="nurikabe")
    with pytest.raises(ValueError, match="not for 'nurikabe' puzzles"):
        nando.rate(SMALL, model=nando.load_model())


def test_shipped_models_are_loaded_once(tmp_path):
    model = nando.load_model()
    assert model is nando.load_model(kind="sudoku")
    assert nando.load_model(kind="nurikabe").timed_ == 0
    path = tmp_path / "model.json"
    model.to_json(path)
    assert nando.load_model(path).model_id == model.model_id
    assert nando.rate(LINE, model=path) == nando.rate(LINE, model=model) == nando.rate(LINE)
    with pytest.raises(ValueError, match="no model is shipped for 'chess'"):
        nando.load_model(kind="chess")


def test_a_rating_has_its_parts_and_its_codes():
    easy, hard = nando.rate([LINE, HARD])
    for rating in (easy, hard):
        parts = rating.to_dict()["parts_seconds"]
        assert sum(parts.values()) == pytest.approx(rating.predicted)
        assert min(parts.values()) >= 0
    assert hard.to_dict()["parts_seconds"]["chains"] > 600
    small = nando.rate(SMALL)
    assert sum(small.to_dict()["parts_seconds"].values()) == pytest.approx(small.predicted)
    assert small.flag_codes == ("nobody_timed",)
    assert easy.to_dict()["flag_codes"] == []
    frame = nando.rate([LINE, HARD]).to_frame()
    assert frame["chains_seconds"].tolist() == [0.0, hard.to_dict()["parts_seconds"]["chains"]]
    assert frame["predicted_seconds"].tolist() == [easy.predicted, hard.predicted]
    bad = nando.rate([LINE, "." * 81], errors="return").to_frame()
    assert "several solutions" in bad["error"][1]


def test_a_solved_grid_says_so():
    rating = nando.rate(SOLUTION)
    assert str(rating) == "already solved: no cell is left to fill"
    assert rating.is_solved
    assert not nando.rate(LINE).is_solved
    plain = rating.to_dict()
    assert plain["flag_codes"] == ["already_solved"]
    assert (plain["predicted_seconds"], plain["grade"], plain["parts_seconds"]) == (0, None, None)
    assert rows("rate", "-", stdin=SOLUTION)[0]["flag_codes"] == "already_solved"
    (line,) = run("rate", "-", stdin=SOLUTION).stdout.splitlines()[1:]
    assert line.split() == ["1", "81", "already", "solved"]
    answer = json.loads(run("rate", "-", "-f", "jsonl", stdin=SOLUTION).stdout)
    assert answer == plain | {"line": 1, "error": None, "file": "-"}
    assert "nothing is left to explain" in str(nando.explain(SOLUTION))
    assert nando.explain(SOLUTION).to_dict()["steps"] == []
    assert nando.rate("1", kind="nurikabe").flag_codes == ("already_solved",)
    shown = nando.rate([SOLUTION])._repr_html_() + rating._repr_html_()
    assert shown.count("already solved") == 2


def test_every_layer_takes_puzzles_as_people_have_them(tmp_path):
    grid = Sudoku(LINE).givens.reshape(9, 9)
    model, rating = nando.load_model(), nando.rate(LINE)
    given = [LINE, grid, grid.tolist()]
    assert Bank(model).rate(given) == [rating] * 3
    assert Bank(model).rate(given).to_frame().predicted_seconds.nunique() == 1
    assert model.rate(given) == [rating] * 3
    assert np.array_equal(model.predict([LINE, LINE]), model.predict([Sudoku(LINE)] * 2))
    table = FeatureExtractor(("exact",)).table(given)
    assert np.array_equal(table, SolverFeatures(("exact",)).fit_transform([Sudoku(LINE)] * 3))
    assert solve_by(grid).text == SOLUTION
    assert str(walk_through(LINE)) == str(nando.explain(LINE))
    assert format_puzzle(grid, "line") == LINE
    assert write_puzzles(given, tmp_path / "p.txt") == 3
    assert write_puzzles(LINE, tmp_path / "one.txt") == 1
    assert (tmp_path / "p.txt").read_text() == 3 * (tmp_path / "one.txt").read_text()
    with pytest.raises(PuzzleTypeError, match=r"^puzzles\[1\] must be text.*got NoneType None$"):
        Bank(model).rate([LINE, None])
    with pytest.raises(PuzzleError, match=r"^puzzles\[1\]: wrong length"):
        FeatureExtractor(("exact",)).table([LINE, "12"])
    with pytest.raises(PuzzleTypeError, match="must be several puzzles, for example a list"):
        Bank(model).rate(LINE)


def test_other_arguments_are_accepted_in_usual_forms():
    text = "534" + LINE[3:]
    later = nando.explain(LINE, position=text)
    assert str(nando.explain(LINE, position=text.encode())) == str(later)
    named = nando.explain(LINE, only=["naked single", "hidden single"])
    assert str(nando.explain(LINE, only="naked single, hidden single")) == str(named)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: nando.explain(LINE, position=5), "position must be text or a Position, got int"),
        (lambda: nando.explain(LINE, only=[5]), "a technique is named by text, got 5"),
        (lambda: nando.rate(LINE, model=5), "model must be a model, the path of its file, or None"),
        (lambda: nando.generate(pattern=5), "pattern must be text or a list, got 5"),
        (lambda: read_puzzle(LINE.encode()), "text must be a str, got bytes; see nando.puzzles."),
    ],
)
def test_arguments_of_the_wrong_type(call, message):
    with pytest.raises(TypeError, match=message):
        call()
