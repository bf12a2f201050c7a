"""Crowds left out: the measures against slow ones, and the scores on the published data."""

import numpy as np
import pytest
from helpers.data import needs
from helpers.samples.sudokus import NINES
from sklearn.metrics import cohen_kappa_score
from sklearn.model_selection import cross_val_score

from nando.datasets.levels import SUDOKU_EXCHANGE
from nando.evaluation import LeaveOneCrowdOut, evaluate_crowds
from nando.evaluation.crowds import boundaries, weighted_kappa
from nando.evaluation.models import unseeing
from nando.rating import Rater, load_model
from nando.rating.fitting.published import PublishedCrowd, left_out_of, published_crowds
from nando.rating.parts import PARTS
from nando.rating.record import FILES, least_seen, pack

NEEDED = ("cloud_sudoku", "sudoku_insight", "sudoku_portal", "sudoku_of_the_day")


def made_up_crowds():
    """Return two crowds of one data set, one of another and a publisher, on known puzzles."""
    rng = np.random.default_rng(0)
    keys = [f"class {i}" for i in range(240)]
    rows = rng.gamma(1.0, 8.0, (240, len(PARTS))) * np.exp(rng.normal(0, 0.5, (240, 1))) + 0.5
    parts = dict(zip(keys, rows, strict=True))
    z = np.log(rows.sum(axis=1))

    def times(name, data_set, pace, chosen, **more):
        seconds = np.exp(pace + 0.8 * z[chosen] + rng.normal(0, 0.2, len(chosen)))
        return PublishedCrowd(name, data_set, tuple(keys[i] for i in chosen), seconds, **more)

    judged = z + rng.logistic(0, 0.15, 240)  # a publisher is not quite sure either
    levels = np.searchsorted(np.quantile(z, [0.25, 0.5, 0.75]), judged).astype(float)
    crowds = (
        times("mean", "site", 3.0, np.arange(0, 120)),
        times("best", "site", 2.2, np.arange(0, 120), typical=False),
        times("club", "club", 2.5, np.arange(80, 240)),
        PublishedCrowd("paper", "paper", tuple(keys), levels, typical=False, levels=True),
    )
    return {crowd.name: crowd for crowd in crowds}, parts


def test_kappa_is_that_of_scikit_learn():
    rng = np.random.default_rng(1)
    x = rng.integers(0, 6, 300)
    y = np.clip(x + rng.integers(-1, 2, 300), 0, 5)
    wanted = cohen_kappa_score(x, y, weights="quadratic")
    assert weighted_kappa(x.astype(float), y.astype(float)) == pytest.approx(wanted)
    assert weighted_kappa(np.ones(3), np.ones(3)) == 0.0


def test_boundaries_leave_the_fewest_on_the_wrong_side():
    rng = np.random.default_rng(2)
    levels = rng.integers(0, 4, 200)
    scale = levels + rng.normal(0, 0.4, 200)
    cuts = boundaries(scale, levels, 4)
    assert (np.diff(cuts) > 0).all()
    tried = np.linspace(scale.min(), scale.max(), 500)
    for level, cut in enumerate(cuts, 1):
        wrong = [int(((scale >= t) != (levels >= level)).sum()) for t in (cut, *tried)]
        assert wrong[0] <= min(wrong[1:]) + 1


def test_a_data_set_is_left_out_whole():
    crowds, parts = made_up_crowds()
    left_out = left_out_of(crowds, parts)
    assert set(left_out.scale("site").crowds) == {"club", "paper"}
    assert set(left_out.scale("paper").crowds) == {"mean", "best", "club"}
    alone = left_out_of({name: crowds[name] for name in ("club", "paper")}, parts)
    assert left_out.scale("site").crowds["club"] == alone.scale().crowds["club"]
    assert left_out.missed("site") == alone.missed()


@pytest.mark.thorough
def test_a_model_of_several_crowds():
    crowds, parts = made_up_crowds()
    left_out = left_out_of(crowds, parts)
    groups = {name: crowd.classes for name, crowd in crowds.items()}
    rater = Rater.on_scale(left_out.common_scale(orders=[3], groups=groups))
    rater.provenance_ = {"name": "made up"}
    assert rater.crowd_ is None
    assert set(rater.missed_) == {"", "mean", "best", "club"}
    scale = rater.scale_
    means = [scale.crowds[name].offset for name in ("mean", "club")]
    assert scale.offset == pytest.approx(np.mean(means))
    again = type(rater).from_json(rater.to_json())
    rows = np.array(list(parts.values()))
    np.testing.assert_array_equal(
        again.scale_.log_seconds(rows, "club"), scale.log_seconds(rows, "club")
    )
    assert left_out.missed().base == pytest.approx(0.2, abs=0.06)
    ends, flags = rater.interval_of_parts(rows, [3] * len(rows), 0.8)
    narrow, _ = rater.interval_of_parts(rows, [3] * len(rows), 0.8, pace_known=True)
    assert (ends[:, 0] < narrow[:, 0]).all()
    assert (narrow[:, 1] < ends[:, 1]).all()
    assert {flag.words for flag in flags} == {""}


def test_scikit_learn_leaves_out_each_crowd():
    puzzles = NINES[:18]
    turned = [puzzle.shuffled(np.random.default_rng(1)) for puzzle in puzzles[:3]]
    both, names = [*puzzles, *turned], ["a"] * 9 + ["b"] * 9 + ["c"] * 3
    folds = list(LeaveOneCrowdOut().split(both, groups=names))
    assert [test.tolist() for _, test in folds] == [
        [*range(9)],
        [*range(9, 18)],
        [*range(18, 21)],
    ]
    assert folds[0][0].tolist() == [*range(9, 18)]  # "c" was timed on puzzles of "a"
    assert folds[2][0].tolist() == [*range(3, 18)]
    known = load_model().predict(both)
    paces = {"a": 0.9, "b": 1.1, "c": 1.0}
    seconds = known * [paces[name] for name in names]
    scores = cross_val_score(
        Rater(scale="new"),
        both,
        seconds,
        groups=names,
        cv=LeaveOneCrowdOut(),
        params={"crowd": names},
    )
    assert scores[:2].min() > 0.5


def test_scores_start_from_a_scale_that_saw_none_of_the_puzzles():
    keys = [puzzle.equivalence_key() for puzzle in NINES]
    # The phone's player was timed on the fifth example.
    assert "phone" not in unseeing(Rater(), keys[:6]).scale.scale.crowds
    others = [key for i, key in enumerate(keys) if i != 4]
    assert unseeing(Rater(), others).scale.model_id == load_model().model_id
    start = load_model().without("portal").common_scale
    assert unseeing(Rater(scale=start), keys).scale.model_id == start.model_id


NEEDS_CROWDS = needs(*NEEDED)


@pytest.mark.thorough
@NEEDS_CROWDS
def test_the_shipped_model_lists_its_puzzles():
    shipped, crowds = load_model(), published_crowds()
    assert shipped.provenance_["seen"] == {
        name: pack(crowd.classes) for name, crowd in crowds.items()
    }
    for file, data_set in zip(FILES[1:], NEEDED, strict=True):
        left_out = {name for name, crowd in crowds.items() if crowd.data_set == data_set}
        assert set(load_model(file).scale_.crowds) == set(crowds) - left_out
        for name in left_out:
            assert least_seen(crowds[name].classes).model_id == load_model(file).model_id


@pytest.mark.slow
@NEEDS_CROWDS
def test_people_never_met():
    found = evaluate_crowds(n_bootstrap=20, repeats=2)
    unseen = found.scores("unseen")
    for target, least in (
        ("cloud-sudoku", 0.70),
        ("cloud-sudoku, D_TO", 0.85),
        ("phone", 0.83),
        ("portal-best", 0.83),
        ("portal-best, hard", 0.37),
        ("portal-best, very hard", 0.33),
        ("sudoku-of-the-day", 0.94),
    ):
        assert unseen[target]["nando"].value > least, target
        assert unseen[target]["nando"].value > unseen[target]["givens"].value
    grades = found.scores("grades")
    assert grades["levels"]["kappa"].value > 0.9
    assert max(share.value for share in list(grades["upper four levels"].values())[2:]) < 0.45
    if any((folder / "sample.txt").is_file() for folder in SUDOKU_EXCHANGE.folders()):
        assert found.scores("flagged")["Sudoku Exchange 5.0 to 7.5"]["share"].value < 0.1
    learning = found.scores("learning")
    for crowd in ("cloud-sudoku", "phone", "portal", "portal-best"):
        ours, line = (learning[crowd][f"{who}, 20 puzzles"] for who in ("nando", "from nothing"))
        assert ours.value < line.value
    assert "never saw" in found.page()
    assert {row["part"] for row in found.rows} >= {"unseen", "own", "coverage", "learning"}
