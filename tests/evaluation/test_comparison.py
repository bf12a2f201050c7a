"""Models side by side: scores, learning curve, ceiling, residual plot, and the command."""

import csv

import numpy as np
import pytest
from helpers.samples.sudokus import NINES
from typer.testing import CliRunner

from nando.cli.app import app
from nando.evaluation import COMPARED, evaluate
from nando.evaluation.times import ceiling, residual_plot
from nando.features import feature_names
from nando.features.groups import GROUPS, kinds_of
from nando.rating.fitting import training as _training

SECONDS = [1000.0 - 20 * puzzle.n_givens + 0.1 * i for i, puzzle in enumerate(NINES)]
PLAYERS = [10 + i % 7 for i in range(len(NINES))]
MODELS = {"nando": ("givens",), "spread": ("givens_spread",)}


@pytest.fixture(scope="module")
def compared():
    return evaluate(
        NINES,
        SECONDS,
        learning=True,
        players=PLAYERS,
        target="made up",
        models=MODELS,
        n_splits=3,
        repeats=2,
        n_bootstrap=50,
    )


def test_every_compared_column_is_a_feature():
    known = set(feature_names([name for name in GROUPS if "sudoku" in kinds_of([name])]))
    for columns in COMPARED.values():
        assert columns
        assert set(columns) <= known


def test_a_relation_that_is_there_wins(compared):
    scores = compared.scores("made up")
    assert scores["nando"]["Spearman"].value > 0.95 > scores["spread"]["Spearman"].value
    assert scores["nando"]["Pearson on log"].low <= scores["nando"]["Pearson on log"].value
    column = compared.scores("made up, Spearman of a column")["givens"]["Spearman"]
    assert column.value < -0.95
    assert compared.arrays["predicted"].shape == (len(NINES),)
    learning = compared.scores("made up, learning curve")
    assert [*learning][-1] == "100.0%"
    assert learning["100.0%"]["Pearson on log"].value > 0.95


def test_table_and_page_say_the_same(compared):
    table = compared.table()
    assert list(table.columns)[:4] == ["part", "subject", "metric", "value"]
    reach = table[table["part"] == "made up, ceiling"].iloc[0]
    page = compared.page()
    assert f"{reach['value']:.3f}" in page
    assert "100.0%" in page
    assert page.startswith(f"made up: {len(NINES)} puzzles")


def test_the_ceiling_finds_the_noise_that_was_put_in():
    rng = np.random.default_rng(1)
    n = 20_000
    players = rng.integers(5, 40, n)
    truth, missed = rng.normal(0, 0.4, n), rng.normal(0, 0.2, n)
    noise = rng.normal(0, 0.8, n) / np.sqrt(players)
    actual = truth + missed + noise
    found = ceiling(missed + noise, actual, players, n_bootstrap=100)
    best = np.corrcoef(truth + missed, actual)[0, 1]
    pearson, part, _ = found
    assert pearson.value == pytest.approx(best, abs=0.01)
    assert pearson.low < best < pearson.high
    assert part == pytest.approx(np.mean(0.64 / players), rel=0.05)
    assert ceiling(noise, actual, np.full(n, 12)) is None


def test_residuals_are_drawn(compared):
    pytest.importorskip("matplotlib")
    svg = residual_plot({"made up": compared}, "svg")
    assert svg == residual_plot({"made up": compared}, "svg")
    assert b"<svg" in svg
    twice = {"made up": compared, "again": compared}
    assert residual_plot(twice, "png").startswith(b"\x89PNG")


@pytest.fixture
def small(monkeypatch):
    """Run the command on invented times with two models."""
    known = _training.Training(NINES, SECONDS, None, "example", {})
    monkeypatch.setattr(_training, "known_training", lambda kind, target: known)
    monkeypatch.setattr(_training, "players_behind", lambda target, puzzles: PLAYERS)
    whole = evaluate

    def cut(puzzles, times, weight, **options):
        options |= {"models": MODELS, "n_splits": 3, "n_bootstrap": 20}
        return whole(puzzles, times, weight, **options)

    monkeypatch.setattr("nando.evaluation.evaluate", cut)


@pytest.mark.thorough
def test_the_command_prints_writes_and_draws(small, tmp_path):
    pytest.importorskip("matplotlib")
    run = CliRunner().invoke(app, ["evaluate", "--compare", "--repeats", "1", "--target", "both"])
    assert run.exit_code == 0, run.output
    assert run.output.count("Ceiling of Pearson on log") == 2
    path = tmp_path / "scores.csv"
    run = CliRunner().invoke(app, ["evaluate", "--compare", "--repeats", "1", "-o", str(path)])
    assert run.exit_code == 0, run.output
    with path.open(newline="") as file:
        rows = list(csv.DictReader(file))
    models = {row["subject"] for row in rows if row["part"] == "mean_seconds"}
    assert models == {"nando", "spread"}
    picture = tmp_path / "residuals.svg"
    options = ["--repeats", "1", "-o", str(picture), "--format", "csv"]
    run = CliRunner().invoke(app, ["evaluate", "--compare", *options])
    assert run.exit_code == 0, run.output
    assert picture.read_bytes().startswith(b"<?xml")
    assert run.output.startswith("part,")


def test_fill_orders_are_not_compared():
    run = CliRunner().invoke(app, ["evaluate", "--compare", "--job", "order"])
    assert run.exit_code != 0
