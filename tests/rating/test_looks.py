"""The model of Nurikabe: the counts of its steps, its pace and its estimates."""

from pathlib import Path

import numpy as np
import pytest

from nando.features import FeatureExtractor
from nando.puzzles import Nurikabe, as_puzzles
from nando.rating import Bank, Ladder, load_model
from nando.rating.fitting.fit import fit_line
from nando.rating.parts import NURIKABE
from nando.rating.shipped_fits import in_order_by_size
from nando.solvers.logic.nurikabe.board_walk import NurikabeWalker
from nando.solvers.logic.nurikabe.shading import NURIKABE_LADDER

LINES = [
    line
    for line in Path("examples/nurikabe.txt").read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("#")
]
PUZZLES = as_puzzles(LINES)
_STUCK = "nurikabe_stuck_steps"


@pytest.fixture(scope="module")
def model():
    return load_model(kind="nurikabe")


@pytest.fixture(scope="module")
def table(model):
    return model.table_of(PUZZLES)[0]


def drawn_tables(n):
    rng = np.random.default_rng(3)
    return rng.integers(0, 40, (n, len(NURIKABE.columns))).astype(float)


def test_steps_are_counted_by_kind():
    """The counts agree with the steps themselves, sorted into kinds by hand."""
    extractor = FeatureExtractor(("nurikabe_ladder",))
    names = list(extractor.columns)
    for puzzle, row in zip(PUZZLES, extractor.table(PUZZLES), strict=True):
        rated = [step.technique.rating for step in NurikabeWalker(NURIKABE_LADDER).steps(puzzle)]
        wanted = {
            "nurikabe_blanks": puzzle.n_cells - puzzle.n_islands,
            "nurikabe_near_steps": sum(1.9 <= one <= 2.4 for one in rated),
            "nurikabe_far_steps": sum(2.5 <= one <= 4.4 for one in rated),
            "nurikabe_near_what_ifs": rated.count(5.0),
            "nurikabe_what_ifs": rated.count(6.0),
            "nurikabe_dilemmas": rated.count(7.0),
            "nurikabe_deep_what_ifs": rated.count(8.0),
        }
        assert {name: row[names.index(name)] for name in wanted} == wanted


def test_a_ladder_that_stops_counts_as_one_more_deep_what_if():
    open_everywhere = Nurikabe("2./..")  # several solutions: no step finds the rest
    extractor = FeatureExtractor(("nurikabe_ladder",))
    row = dict(zip(extractor.columns, extractor.table([open_everywhere])[0], strict=True))
    assert not NurikabeWalker(NURIKABE_LADDER).rate([open_everywhere]).solved[0]
    assert row["nurikabe_deep_what_ifs"] == 1.0


def test_each_kind_of_reason_takes_twice_the_looks_of_the_one_below():
    weights = {name: weight for part in NURIKABE.parts for name, weight in part.columns.items()}
    steps = [weights[name] for name in NURIKABE.columns if name not in ("nurikabe_blanks", _STUCK)]
    assert steps == [2.0 * 2**k for k in range(6)]


def test_the_standards_of_setters(model):
    """The prediction is halfway between expert and novice on both puzzles together."""
    line = model.scale_
    novice = np.sqrt(1800 / 540)
    assert np.exp(line.offset) == pytest.approx(np.sqrt(540 * novice * 1260 * novice), rel=1e-3)
    assert line.slope == 1.0


def test_the_posterior_is_that_of_a_normal_model(model):
    """The posterior agrees with a grid over offset and slope."""
    table, line = drawn_tables(5), model.scale_
    x = model.difficulty(table) - line.reference
    y = model.log_seconds(table) + 0.5 + 0.1 * x
    fitted = fit_line(line, model.difficulty(table), y, np.ones(5))
    offsets = line.offset + np.linspace(-2, 2, 801)
    slopes = line.slope + np.linspace(-0.8, 0.8, 401)
    a, b = np.meshgrid(offsets, slopes, indexing="ij")
    log_density = -((a - line.offset) ** 2) / line.offset_spread**2 / 2
    log_density -= (b - line.slope) ** 2 / line.slope_spread**2 / 2
    for at, time in zip(x, y, strict=True):
        log_density -= (time - a - b * at) ** 2 / line.puzzle_spread**2 / 2
    density = np.exp(log_density - log_density.max())
    density /= density.sum()
    assert fitted.offset == pytest.approx((a * density).sum(), abs=1e-3)
    assert fitted.slope == pytest.approx((b * density).sum(), abs=1e-3)
    assert fitted.offset_spread == pytest.approx(
        np.sqrt((a**2 * density).sum() - (a * density).sum() ** 2), rel=0.02
    )


def test_a_rough_estimate_needs_the_ladder_alone(model, table):
    known = dict(zip(NURIKABE.columns, table.T, strict=True))
    full, _ = model.rough(known)
    assert full == pytest.approx(model.log_seconds(table))
    del known["nurikabe_stuck_steps"]
    rough, error = model.rough(known)
    assert np.abs(rough - full).max() < 3 * error[0]


def test_a_guess_near_the_wanted_time_is_the_rating(model):
    ladder = Ladder(Bank(model))
    for puzzle in PUZZLES:
        rated = float(model.log_seconds(model.table_of([puzzle])[0])[0])
        (rough, error), (guess, exact) = ladder.estimates(puzzle)
        assert guess == ladder.by_ratings([puzzle])[0][0] == pytest.approx(rated, abs=0.1)
        assert rough < rated + 1
        assert error > exact == 0


def test_pairs_of_one_size_in_order():
    """Of the pairs, 2 of 3 of size a are in order, and one of size b is tied."""
    looks = np.array([1.0, 3.0, 2.0, 5.0, 5.0, 9.0])
    levels = np.array([1.0, 2.0, 3.0, 1.0, 2.0, np.nan])
    sizes = [(1, 1)] * 3 + [(2, 2)] * 3
    assert in_order_by_size(looks, levels, sizes) == {
        "pairs": 4,
        "share": 0.625,
        "least": 0.5,
        "most": 0.6667,
    }
