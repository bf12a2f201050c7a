"""Step times fitted to games: known times are recovered, and the shipped ones are used."""

import json
import runpy
from pathlib import Path

import numpy as np
import pytest
from helpers.samples.sudokus import NINES

from nando import features
from nando.features import SolverFeatures
from nando.features.further import EASE_FILLS, mechanistic_race, read_step_seconds
from nando.games.game import Game
from nando.solvers import LadderRace, singles_suffice
from nando.solvers.people.ladder_race import N_CLASSES

BENCHMARKS = Path(__file__).resolve().parent.parent.parent / "benchmarks"
FIT = runpy.run_path(str(BENCHMARKS / "fit_step_seconds.py"), run_name="fit_step_seconds")
expected_seconds, fill_table = FIT["expected_seconds"], FIT["fill_table"]
fit_ladder_race, to_record = FIT["fit_ladder_race"], FIT["to_record"]
TRUE = LadderRace(
    rates=tuple(np.array(LadderRace().rates) * np.linspace(0.6, 1.5, N_CLASSES)),
    entry_seconds=0.7,
    stuck_seconds=30.0,
    step_seconds=15.0,
    rating_seconds=8.0,
)


@pytest.fixture(scope="module")
def games():
    """Return games played by the true race, each fill with a noise of a quarter."""
    rng = np.random.default_rng(0)
    found = []
    for number in range(150):
        puzzle = NINES[number % len(NINES)]
        run = TRUE.run(puzzle, rng=rng)
        times = np.cumsum(run.trace["cost"] * np.exp(rng.normal(0, 0.25, len(run.trace))))
        moves = zip((times * 1000).astype(int), run.trace["cell"], run.trace["value"], strict=True)
        found.append(Game.from_moves(puzzle, [tuple(map(int, move)) for move in moves]))
    return found


@pytest.mark.thorough
def test_known_seconds_are_found_again(games):
    fitted = fit_ladder_race(fill_table(games))
    used = fill_table(games).singles.sum(axis=0) > 300
    ratio = fitted.parameters[:N_CLASSES] / TRUE.parameters[:N_CLASSES]
    assert np.abs(np.log(ratio[used])).max() < 0.35
    assert fitted.entry_seconds == pytest.approx(TRUE.entry_seconds, rel=0.1)
    stuck = fill_table([game for game in games if not singles_suffice(game.puzzle)])
    held = stuck.others[:, 1] > 0
    ours = expected_seconds(stuck, fitted.parameters)[held]
    theirs = expected_seconds(stuck, TRUE.parameters)[held]
    assert np.corrcoef(np.log(ours), np.log(theirs))[0, 1] > 0.95
    assert ours.sum() == pytest.approx(theirs.sum(), rel=0.15)


@pytest.mark.thorough
def test_a_stretch_makes_simulated_solves_as_long_as_the_games(games):
    fitted = fit_ladder_race(fill_table(games), games)
    simulated = sum(fitted.profile(game.puzzle, rng=7).total for game in games)
    assert simulated == pytest.approx(sum(game.seconds[-1] for game in games), rel=0.03)


def test_too_few_fills_are_refused(games):
    with pytest.raises(ValueError, match="fills are too few to fit to, wanted 100 or more"):
        fit_ladder_race(fill_table(games[:1]))


def test_the_defaults_of_the_race_are_the_fitted_values():
    assert LadderRace() == mechanistic_race()
    file = Path(features.__file__).parent / "step_seconds.json"
    record = json.loads(file.read_text(encoding="utf-8"))
    assert record["provenance"]["fills"] > 60_000
    assert read_step_seconds(to_record(TRUE, {})) == TRUE
    with pytest.raises(ValueError, match="not fitted seconds: format None"):
        read_step_seconds({})


def test_ladder_features_are_those_of_the_race():
    rows = SolverFeatures(groups=["ladder_race"]).set_output(transform="pandas")
    table = rows.fit_transform(NINES[:40:8])
    for puzzle, row in zip(NINES[:40:8], table.to_dict("records"), strict=True):
        total = np.exp(row["mechanistic_seconds"])
        parts = np.exp(row["mechanistic_search"]) + np.expm1(row["mechanistic_thought"])
        assert total == pytest.approx(parts)
        assert (row["mechanistic_thought"] == 0) == singles_suffice(puzzle)
        assert row["bottleneck_1"] <= row["bottleneck_2"] <= row["bottleneck_3"]
        assert all(np.isfinite(row[f"ease_{fills}"]) for fills in EASE_FILLS)


def test_spread_counts_givens_and_candidates():
    puzzle = NINES[0]
    row = SolverFeatures(groups=["spread"]).set_output(transform="pandas").fit_transform([puzzle])
    grid = puzzle.givens.reshape(9, 9)
    assert row["givens_spread_row"][0] == pytest.approx((grid > 0).sum(axis=1).std())
    assert row["givens_spread_column"][0] == pytest.approx((grid > 0).sum(axis=0).std())
    counts, boxes = [], []
    for r in range(9):
        for c in range(9):
            box = grid[r // 3 * 3 : r // 3 * 3 + 3, c // 3 * 3 : c // 3 * 3 + 3]
            boxes.append((box > 0).sum())
            if not grid[r, c]:
                seen = set(grid[r]) | set(grid[:, c]) | set(box.ravel())
                counts.append(9 - len(seen - {0}))
    assert row["candidates"][0] == pytest.approx(np.mean(counts))
    least = min((grid > 0).sum(axis=1).min(), (grid > 0).sum(axis=0).min(), min(boxes))
    assert row["emptiest_house"][0] == least
    assert row["givens_spread_box"][0] == pytest.approx(np.std(boxes))
