"""Models side by side: scores, learning curve, ceiling, residual plot, and the command."""

import csv

import numpy as np
import pytest
from typer.testing import CliRunner

from nando.cli.app import app
from nando.datasets import load_examples
from nando.evaluation import COMPARED, compare
from nando.evaluation.comparison import ceiling
from nando.evaluation.times import residual_plot
from nando.features import feature_names
from nando.features.groups import GROUPS, kinds_of
from nando.rating import training as _training

PUZZLES = [puzzle for puzzle in load_examples().puzzles if puzzle.order == 3]
SECONDS = [1000.0 - 20 * puzzle.n_givens + 0.1 * i for i, puzzle in enumerate(PUZZLES)]
PLAYERS = [10 + i % 7 for i in range(len(PUZZLES))]
MODELS = {"nando": ("givens",), "spread": ("givens_spread",)}


@pytest.fixture(scope="module")
def compared():
    return compare(
        PUZZLES,
        SECONDS,
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
    scores = compared.evaluation.scores
    assert scores["nando"]["Spearman"].value > 0.95 > scores["spread"]["Spearman"].value
    assert compared.evaluation.predicted.shape == (len(PUZZLES),)
    assert list(compared.learning) == sorted(compared.learning)
    assert compared.learning[1.0].value > 0.95


def test_table_and_page_say_the_same(compared):
    table = compared.table()
    assert list(table.columns)[:4] == ["target", "puzzles", "model", "metric"]
    reach = table[table["metric"] == "ceiling of Pearson on log"].iloc[0]
    page = compared.page()
    assert f"{reach['value']:.3f}" in page
    assert "100.0%" in page
    assert page.startswith(f"made up: {len(PUZZLES)} puzzles")


def test_the_ceiling_finds_the_noise_that_was_put_in():
    rng = np.random.default_rng(1)
    n = 20_000
    players = rng.integers(5, 40, n)
    truth, missed = rng.normal(0, 0.4, n), rng.normal(0, 0.2, n)
    noise = rng.normal(0, 0.8, n) / np.sqrt(players)
    actual = truth + missed + noise
    found = ceiling(missed + noise, actual, players, n_bootstrap=100)
    best = np.corrcoef(truth + missed, actual)[0, 1]
    assert found.pearson.value == pytest.approx(best, abs=0.01)
    assert found.pearson.low < best < found.pearson.high
    assert ceiling(noise, actual, np.full(n, 12)) is None


def test_residuals_are_drawn(compared):
    pytest.importorskip("matplotlib")
    svg = residual_plot([compared.evaluation], "svg")
    assert svg == residual_plot([compared.evaluation], "svg")
    assert b"<svg" in svg
    assert residual_plot([compared.evaluation] * 2, "png").startswith(b"\x89PNG")


@pytest.fixture
def small(monkeypatch):
    """Run the command on invented times with two models."""
    known = _training.Training(PUZZLES, SECONDS, None, "example", {})
    monkeypatch.setattr(_training, "known_training", lambda kind, target: known)
    monkeypatch.setattr(_training, "players_behind", lambda target, puzzles: PLAYERS)
    whole = compare

    def cut(puzzles, times, weight, **options):
        return whole(puzzles, times, weight, models=MODELS, n_splits=3, n_bootstrap=20, **options)

    monkeypatch.setattr("nando.evaluation.compare", cut)


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
    assert {row["model"] for row in rows} == {"nando", "spread", "noise"}
    picture = tmp_path / "residuals.svg"
    options = ["--repeats", "1", "-o", str(picture), "--format", "csv"]
    run = CliRunner().invoke(app, ["evaluate", "--compare", *options])
    assert run.exit_code == 0, run.output
    assert picture.read_bytes().startswith(b"<?xml")
    assert run.output.startswith("target,")


def test_fill_orders_are_not_compared():
    run = CliRunner().invoke(app, ["evaluate", "--compare", "--job", "order"])
    assert run.exit_code != 0
