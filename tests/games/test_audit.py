"""The audit: calibrated p-values, verdicts, its file, its report, and its evaluation."""

import json

import numpy as np
import pytest
from helpers.simulated_games import auditor, honest_games

from nando.datasets import DATASETS
from nando.evaluation import evaluate_audit
from nando.evaluation.orders import _of_game
from nando.games import ADVERSARIES, Auditor, combined_p_value, load_auditor, read_games
from nando.games.audit import CONSISTENT, periods, verdict_of
from nando.games.evidence import (
    STATISTICS,
    WHOLE,
    Calibration,
    delays_of,
    length_of,
    statistics_of,
)
from nando.games.log import Game
from nando.games.ranks import order_grid
from nando.games.report import fills_of, players_of, report_of
from nando.games.report_page import audit_html
from nando.games.step_times import LEAST_SECONDS

LOG = DATASETS["sudoku_insight"][0]
needs_log = pytest.mark.skipif(
    not LOG.is_available(),
    reason="data set sudoku_insight is not on this machine (see NANDO_DATA)",
)


def cheats(name, count=12):
    rng = np.random.default_rng(2)
    return [ADVERSARIES[name].make(game, rng) for game in honest_games(count)]


def test_honest_games_are_consistent_with_a_person():
    audits = auditor().audit(honest_games(30), level=0.01)
    assert sum(audit.p_value <= 0.01 for audit in audits) <= 2
    assert np.mean([audit.p_value for audit in audits]) > 0.3
    assert audits[0].verdict == CONSISTENT


@pytest.mark.parametrize(
    "name", ["row by row", "random", "fewest candidates", "SiSuS, constant delays"]
)
def test_programs_are_unlike_a_person(name):
    for audit in auditor().audit(cheats(name)):
        assert audit.p_value <= 0.01
        assert audit.verdict.startswith("unlike a person at the 1 in ")
        assert audit.moves
        weights = [weight for _, weight in audit.moves]
        assert weights == sorted(weights, reverse=True)


def test_flat_delays_show_in_the_timing_alone():
    game = honest_games(1)[0]
    flat = game.with_seconds(np.arange(1.0, len(game.cells) + 1))
    honest, typed = auditor().audit([game, flat])
    assert typed.scores["timing"] > 3 > honest.scores["timing"]
    assert typed.order_score == honest.order_score


def test_a_person_may_be_slow():
    """The own speed of a player is no evidence."""
    game = honest_games(1)[0]
    delays = np.maximum(delays_of(game), 0.5)
    normal, slow = auditor().audit(
        [game.with_seconds(np.cumsum(delays)), game.with_seconds(np.cumsum(3 * delays))]
    )
    assert slow.scores["timing"] == pytest.approx(normal.scores["timing"], abs=1e-9)


def first_fills(game, count):
    return Game("short", "", game.puzzle, game.solution, game.cells[:count], game.seconds[:count])


@pytest.mark.parametrize(("count", "judged"), [(0, 0), (9, 0), (10, 10), (25, 20), (45, 40)])
def test_unfinished_games_are_judged_by_their_beginning(count, judged):
    game = honest_games(1)[0]
    (audit,) = auditor().audit([first_fills(game, count)])
    assert audit.n_moves == judged
    assert 0 < audit.p_value <= 1
    if not judged:
        assert audit.verdict == CONSISTENT


def test_the_length_of_a_game():
    game = honest_games(1)[0]
    assert length_of(game) == WHOLE
    assert length_of(first_fills(game, 30)) == 30
    assert length_of(first_fills(game, 3)) is None


def test_beginnings_do_not_know_the_end():
    game = honest_games(1)[0]
    whole = auditor().read([game])[0]
    found = statistics_of(whole, auditor().times, 20)
    part = statistics_of(auditor().read([first_fills(game, 24)])[0], auditor().times, 20)
    typicality = STATISTICS.index("typicality")
    assert part[typicality] == pytest.approx(found[typicality])
    np.testing.assert_allclose(np.delete(part, 3), np.delete(found, 3))


def test_p_values_of_exchangeable_games_are_uniform():
    rng = np.random.default_rng(0)
    calibration = Calibration.of(rng.normal(size=(999, len(STATISTICS))))
    new = rng.normal(size=(20_000, len(STATISTICS)))
    p_values = calibration.p_value(calibration.score(new))
    for level in (0.01, 0.1, 0.5, 0.9):
        spread = np.sqrt(level * (1 - level) / 999)
        assert (p_values <= level).mean() == pytest.approx(level, abs=4 * spread)
    assert p_values.min() >= 1 / 1000


def test_typicality_counts_on_both_sides():
    rng = np.random.default_rng(0)
    calibration = Calibration.of(rng.normal(size=(500, len(STATISTICS))))
    odd = np.zeros((3, len(STATISTICS)))
    odd[1, STATISTICS.index("typicality")] = 6.0
    odd[2, STATISTICS.index("typicality")] = -6.0
    usual, above, under = calibration.p_value(calibration.score(odd))
    assert above == under == pytest.approx(1 / 501)
    assert usual > 0.1


def test_verdicts_in_words():
    assert verdict_of(0.02, 0.01) == CONSISTENT
    assert verdict_of(0.01, 0.01) == "unlike a person at the 1 in 100 level"
    assert verdict_of(1 / 1090, 0.01) == "unlike a person at the 1 in 1090 level"


def test_several_games_of_a_player():
    assert combined_p_value([0.3]) == pytest.approx(0.3)
    assert combined_p_value([0.04] * 5) < 0.001
    assert combined_p_value([0.5] * 10) > 0.3
    with pytest.raises(ValueError, match="no p-values"):
        combined_p_value([])
    audits = auditor().audit(cheats("random", 3))
    ((player, count, p_value),) = players_of(audits)
    assert (player, count) == ("ada", 3)
    assert p_value < 0.001


def test_threads_change_nothing():
    games = honest_games(4)
    one = auditor().audit(games)
    two = auditor().audit(games, n_jobs=2)
    assert [audit.p_value for audit in one] == [audit.p_value for audit in two]
    alone = auditor().audit(games[2:3])
    assert alone[0].scores == one[2].scores


def test_bad_levels():
    for level, message in ((0.0, "between 0 and 1"), (1e-6, "level must be at least")):
        with pytest.raises(ValueError, match=message):
            auditor().audit([], level=level)
    with pytest.raises(ValueError, match="not calibrated"):
        Auditor(auditor().order, auditor().times).audit([])


def test_the_auditor_as_a_file(tmp_path):
    text = auditor().to_json(tmp_path / "audit.json")
    again = load_auditor(tmp_path / "audit.json")
    assert again.model_id == auditor().model_id
    games = honest_games(2)
    assert [a.p_value for a in again.audit(games)] == [a.p_value for a in auditor().audit(games)]
    record = json.loads(text)
    record["step_times"]["intercept"] += 1
    with pytest.raises(ValueError, match="it was changed; fit it again"):
        Auditor.from_json(json.dumps(record))
    del record["audit"]
    with pytest.raises(ValueError, match="without an audit"):
        Auditor.from_json(json.dumps(record))


@pytest.fixture
def few_iterations(monkeypatch):
    """Fits that are good enough for a test."""
    monkeypatch.setattr("nando.games.fill_order._MOST_ITERATIONS", 12)


@pytest.mark.usefixtures("few_iterations")
def test_fitting_to_own_games():
    games = honest_games(60)
    fitted = Auditor.fit(games[:40], n_periods=2)
    assert len(fitted.calibrations[WHOLE].scores) == 40
    honest = [audit.p_value for audit in fitted.audit(games[40:], level=0.05)]
    typed = [audit.p_value for audit in fitted.audit(cheats("row by row", 5), level=0.05)]
    assert np.median(honest) > 0.1
    assert max(typed) <= 0.05
    with pytest.raises(ValueError, match="too few for 3 periods"):
        Auditor.fit(games[:40], n_periods=3)
    with pytest.raises(ValueError, match="at least 2, got 1"):
        Auditor.fit(games, n_periods=1)


def test_periods_follow_each_other():
    assert periods(10, 3) == [range(0, 3), range(3, 7), range(7, 10)]


@pytest.mark.slow
@pytest.mark.usefixtures("few_iterations")
def test_evaluation():
    adversaries = {name: ADVERSARIES[name] for name in ("row by row", "relabelled replay")}
    found = evaluate_audit(honest_games(80), adversaries=adversaries, n_games=9, n_periods=2)
    assert found.n_games == 80
    assert found.n_adversarial == 8
    by_name = {(d.adversary, d.length): d for d in found.detections}
    assert by_name["row by row", WHOLE].auc > 0.99
    assert by_name["row by row", WHOLE].detected[0.01] > 0.9
    assert by_name["relabelled replay", WHOLE].auc < 0.9
    assert len(found.p_values[WHOLE]) == 80
    assert 0 <= found.uniformity()[0] < 0.5
    assert "row by row" in found.page()
    assert {row["subject"] for row in found.rows()} >= {"honest", "row by row"}


def test_the_report_is_one_page():
    game = honest_games(1)[0]
    named = Game(
        "<b>1</b>", "ada & co", game.puzzle, game.solution, game.cells, game.seconds, ("a < b",)
    )
    audits = auditor().audit([named, *cheats("random", 2)])
    page = audit_html(
        audits, level=0.01, model_id="m-0", problems=["line 3: <junk>"], sources=["log.csv"]
    )
    assert page.count("<svg") == 6
    assert "&lt;b&gt;1&lt;/b&gt;" in page
    assert "<b>1</b>" not in page
    assert "line 3: &lt;junk&gt;" in page
    assert "2 unlike a person at the level 0.01" in page
    assert "cheat" not in page.lower()
    assert "src=" not in page


def test_what_a_report_says():
    honest, *others = honest_games(4)
    audits = auditor().audit([honest, *cheats("random", 2), *others])
    report = report_of(audits, level=0.01, model_id="m-0")
    p_values = [audit.p_value for audit in report.audits]
    assert p_values == sorted(p_values)
    assert report.n_unlike == sum(p <= 0.01 for p in p_values) == 2
    assert report.n_by_chance == pytest.approx(0.06)
    assert len(report.detailed) == 6
    audit = next(audit for audit in audits if audit.game is honest)
    fills = fills_of(audit)
    assert len({len(column) for column in fills}) == 1
    assert fills.number[-1] == audit.n_moves
    waits = np.diff(honest.seconds, prepend=0.0)[: audit.n_moves]
    assert fills.seconds == pytest.approx(np.maximum(waits, LEAST_SECONDS).tolist())


def test_an_order_as_a_grid():
    puzzle = honest_games(1)[0].puzzle
    order = auditor().order.expected_order(puzzle, runs=5)
    grid = order_grid(puzzle, order)
    shown = [int(word) for word in grid.replace("|", " ").split() if word.isdigit()]
    assert sorted(shown) == list(range(1, int((puzzle.givens == 0).sum()) + 1))
    assert len(set(map(len, grid.splitlines()))) == 1


@needs_log
def test_the_published_log():
    """Real games keep the stated error rate; games typed on the same puzzles do not pass."""
    log = read_games(LOG.path(LOG.files[0].name))
    assert (len(log.games), len(log.problems)) == (1089, 146)
    assert all(game.finished for game in log.games)
    honest = log.games[::12]
    p_values = [audit.p_value for audit in auditor().audit(honest)]
    assert np.mean(np.array(p_values) <= 0.05) < 0.13
    assert 0.35 < np.mean(p_values) < 0.65
    rng = np.random.default_rng(0)
    for name in ("row by row", "first single", "SiSuS, lognormal delays"):
        made = [ADVERSARIES[name].make(game, rng) for game in honest[:10]]
        assert all(audit.p_value <= 0.01 for audit in auditor().audit(made))


@needs_log
def test_orders_of_the_published_log():
    """Expected and actual order correlate at 0.86, the likeliest cell is the next in 0.73."""
    games = read_games(LOG.path(LOG.files[0].name)).games[::30]
    found = np.array([_of_game(auditor().order, game, 40) for game in games])
    assert found[:, 5].mean() == pytest.approx(0.86, abs=0.05)
    assert found[:, 1].sum() / found[:, 0].sum() == pytest.approx(0.73, abs=0.03)
