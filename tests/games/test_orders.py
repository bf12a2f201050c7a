"""Predictors of fill orders: chances, draws, fits, files, next cells, for each kind of puzzle."""

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache
from importlib import import_module
from threading import Barrier

import numpy as np
import pytest
from helpers.plain_kernels import compiled_and_plain
from helpers.samples.nurikabe_boards import EASY, WHAT_IF
from helpers.samples.simulated_games import KINDS, drawn_games, honest_games
from threadpoolctl import threadpool_info

from nando.blas import one_blas_thread
from nando.evaluation import evaluate_order
from nando.evaluation.orders import hits
from nando.games import (
    ADVERSARIES,
    ListOrder,
    Population,
    baseline_orders,
    load_fill_order,
    predict_games,
)
from nando.games.fill_order import ChoiceTable, choices_of, fit_coefficients, mean_ranks
from nando.games.orders import ranks_in
from nando.games.people.persons import Person, Persons
from nando.puzzles import Nurikabe, Sudoku, Variant, blanks_of
from nando.solvers import solve

SUDOKU = KINDS["sudoku"]
model = cache(lambda kind="sudoku": load_fill_order(kind=kind))


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        *((kind, "nando") for kind in KINDS),
        ("sudoku", "uniform"),
        pytest.param("sudoku", "SiSuS", marks=pytest.mark.thorough),
    ],
)
def test_a_game_is_its_fills_one_by_one(kind, name):
    """Chances sum to 1 over the open cells, and are those of the game's fills."""
    (game,) = drawn_games(KINDS[kind], 1)
    order = model(kind) if name == "nando" else baseline_orders(kind)[name]
    logs = order.log_likelihoods(game.puzzle, game.cells)
    for k in (0, 1, 7, len(game.cells) - 1):
        chances = order.next_cell_probabilities(game.puzzle, game.cells[:k])
        assert chances.sum() == pytest.approx(1.0)
        assert not chances[game.puzzle.givens != 0].any()
        assert not chances[game.cells[:k]].any()
        assert np.log(chances[game.cells[k]]) == pytest.approx(logs[k], rel=1e-6, abs=1e-9)
    assert not order.next_cell_probabilities(game.puzzle, game.cells).any()
    if name != "SiSuS":
        assert order.log_likelihood(game.puzzle, game.cells) == pytest.approx(logs.sum())


def test_samples_follow_the_chances():
    rng = np.random.default_rng(0)
    first = model().sample_orders(SUDOKU, 400, rng)[:, 0].tolist()
    chances = model().next_cell_probabilities(SUDOKU)
    cell = int(chances.argmax())
    assert abs(first.count(cell) / 400 - chances[cell]) < 4 * np.sqrt(chances[cell] / 400)


def test_expected_order():
    order = model().expected_order(SUDOKU, runs=10, rng=3)
    blanks = SUDOKU.givens == 0
    assert (order[~blanks] == 0).all()
    assert order[blanks].min() >= 1
    assert order.sum() == pytest.approx(blanks.sum() * (blanks.sum() + 1) / 2)
    np.testing.assert_array_equal(order, model().expected_order(SUDOKU, runs=10, rng=3))
    cells = np.array([[3, 1], [1, 3]], np.int16)
    assert mean_ranks(cells, 5).tolist() == [0, 1.5, 0, 1.5, 0]


def test_intervals_of_ranks():
    low, high = model().rank_intervals(SUDOKU, runs=60, rng=3)
    orders = model().sample_orders(SUDOKU, 60, 3)
    cell = int(orders[0][0])
    ranks = [int(np.flatnonzero(order == cell)[0]) + 1 for order in orders]
    np.testing.assert_allclose([low[cell], high[cell]], np.quantile(ranks, [0.1, 0.9]))
    assert not low[SUDOKU.givens > 0].any()


def test_a_population_learns_whom_it_watches():
    """Of two persons, the one who plays gets the weight, and the mixture is a probability."""
    sweeps = Population.of({"box_single": 5.0, "naked_single": 5.0, "skipped_by_rows": -3.0})
    digits = Population.of({"box_single": 5.0, "naked_single": 5.0, "same_digit": 4.0})
    persons = Persons.of(
        Person(name, one.persons.coefficients[0], (0.01, 0.01))
        for name, one in (("a", sweeps), ("b", digits))
    )
    game = honest_games(1)[0]
    cells = digits.sample_order(game.puzzle, 5)
    followed, *alone = (
        Population(some, "sudoku").follow(game.puzzle, game.solution, cells)
        for some in (persons, persons.choose([True, False]), persons.choose([False, True]))
    )
    assert followed.weights[0].tolist() == [0.5, 0.5]
    assert followed.weights[-1][1] > 0.9
    sums = np.add.reduceat(followed.mixed(), followed.replay.starts[:-1])
    np.testing.assert_allclose(sums, 1.0, rtol=1e-4)
    first = np.mean([np.exp(one.log_chances[0]) for one in alone])
    assert np.exp(followed.log_chances[0]) == pytest.approx(first, rel=1e-4)


# Fits and files


def test_the_gradient_is_that_of_the_loss():
    choices = ChoiceTable(honest_games(3))
    rng = np.random.default_rng(1)
    at, centre = rng.normal(scale=0.3, size=(2, len(choices_of("sudoku").FEATURES)))
    _, gradient = choices.loss(at, 0.01, centre)
    for column in rng.choice(len(at), 6, replace=False):
        step = np.zeros(len(at))
        step[column] = 0.02
        ends = [choices.loss(at + one, 0.01, centre)[0] for one in (step, -step)]
        assert gradient[column] == pytest.approx((ends[0] - ends[1]) / 0.04, abs=3e-3)


@pytest.mark.thorough
def test_fitting_recovers_the_model_of_the_games():
    truth = Population.of({"box_single": 3.0, "naked_single": 2.0, "distance": -4.0})
    rng = np.random.default_rng(3)
    games = [replace(game, cells=truth.sample_order(game.puzzle, rng)) for game in honest_games(40)]
    fitted = Population.fit(games[:30], ridge=1e-3)

    def mean_log(order):
        return np.mean([order.log_likelihood(g.puzzle, g.cells) / len(g.cells) for g in games[30:]])

    uniform = mean_log(Population.of({}))
    assert mean_log(fitted) - uniform > 0.9 * (mean_log(truth) - uniform)
    centre = truth.persons.coefficients[0]
    pulled = fit_coefficients(games[:3], ridge=1e6, towards=centre)
    np.testing.assert_allclose(pulled, centre, atol=1e-4)
    known = {"demanded": 2.0, "log_distance": -1.5}
    games = drawn_games(WHAT_IF, 150, Population.of(known, kind="nurikabe"))
    fitted = Population.fit(games, ridge=1e-4)
    assert fitted.kind == "nurikabe"
    names = choices_of("nurikabe").FEATURES
    found = dict(zip(names, fitted.persons.coefficients[0], strict=True))
    assert {name: found[name] for name in known} == pytest.approx(known, abs=0.5)


@pytest.mark.parametrize("kind", KINDS)
def test_the_model_as_a_file(kind, tmp_path):
    text = model(kind).to_json(tmp_path / "order.json")
    again = load_fill_order(tmp_path / "order.json")
    assert (again.model_id, again.kind) == (model(kind).model_id, kind)
    np.testing.assert_array_equal(again.persons.coefficients, model(kind).persons.coefficients)
    record = json.loads(text)
    record["order"]["persons"][0]["weight"] *= 2
    with pytest.raises(ValueError, match="it was changed; fit it again"):
        Population.from_json(json.dumps(record))
    record["order"]["persons"][0]["coefficients"] = {"unheard_of": 1.0}
    with pytest.raises(ValueError, match="unknown column 'unheard_of'"):
        Population.from_json(json.dumps(record))


GIVEN, BLANK = int((SUDOKU.givens > 0).argmax()), int((SUDOKU.givens == 0).argmax())


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: model().next_cell_probabilities(SUDOKU, [GIVEN]), "is a given"),
        (lambda: model().next_cell_probabilities(SUDOKU, "abc"), "cells must be whole numbers"),
        (lambda: model().next_cell_probabilities(SUDOKU, [0.5]), "cells must be whole numbers"),
        (lambda: model().log_likelihood(SUDOKU, [BLANK, BLANK]), "filled twice"),
        (lambda: model().log_likelihood(SUDOKU, [81]), "0 to 80, got 81"),
        (lambda: model().expected_order(SUDOKU, runs=0), "at least 1, got 0"),
        (lambda: model().rank_intervals(SUDOKU, coverage=2), "between 0 and 1, got 2"),
        (lambda: model().sample_order(Sudoku("." * 81)), "several solutions"),
        (lambda: Population.of({"speed": 1.0}), "unknown column 'speed'"),
        (lambda: Population.of({}, kind="chess"), "no fill orders of 'chess'"),
        (lambda: Population.fit([]), "the games are empty"),
        (lambda: Population.fit(honest_games(1), ridge=-1), "ridge must be at least 0"),
        (
            lambda: Population.fit([*drawn_games(EASY, 1), *honest_games(1)]),
            "fit a model to each",
        ),
        (lambda: ListOrder(None, sharpness=-0.1), "sharpness must be at least 0"),
    ],
)
def test_bad_arguments(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_a_population_knows_one_kind():
    with pytest.raises(TypeError, match="knows nurikabe only, got 'sudoku'"):
        model("nurikabe").expected_order(SUDOKU)


# Older predictors, and cheats


def test_lists_have_ranks_and_fit_their_sharpness():
    listed = np.array([5, 3, 8, 1], np.int16)
    assert ranks_in(listed, np.array([8, 5, 1, 3], np.int16)).tolist() == [2, 0, 1, 0]
    games = honest_games(6)
    order = ListOrder(lambda puzzle, runs, rng: np.arange(81.0), sharpness=0.0)
    typed = [ADVERSARIES["row by row"].make(game, np.random.default_rng(0)) for game in games]
    assert order.fit(typed).sharpness > 2.5
    assert order.fit(games).sharpness < 1.0


def test_hits_share_ties():
    (game,) = honest_games(1)
    found = hits(Population.of({}), game)
    n_open = game.n_blanks - np.arange(len(game.cells))
    np.testing.assert_allclose(found[:, 2], np.minimum(5 / n_open, 1.0))


def test_the_shipped_players_explain_each_other_better_than_baselines_do():
    games = drawn_games(KINDS["variant"], 12)
    chances = {
        name: np.mean([order.log_likelihood(game.puzzle, game.cells) for game in games])
        for name, order in {**baseline_orders("variant"), "nando": model("variant")}.items()
    }
    assert max(chances, key=chances.get) == "nando"
    assert chances["uniform"] < chances["nearest single"]


@pytest.mark.thorough
def test_predictors_are_compared_by_game_and_by_person():
    other = Nurikabe("....4./..3.../4...../....../....../3..2..")
    games = [
        game.with_seconds(0 * game.seconds)
        for puzzle in (EASY, WHAT_IF, other)
        for game in drawn_games(puzzle, 12)
    ]
    lists = {name: order for name, order in baseline_orders("nurikabe").items() if name != "SiSuS"}
    found = evaluate_order(games, baselines=lists, n_games=10, runs=20)
    assert found.scores("order, split by game").keys() == {"nando", *lists}
    scores = found.scores("order, split by person")
    assert scores["nando"]["top 3"].value > scores["uniform"]["top 3"].value
    assert scores["uniform"]["Spearman"].value == pytest.approx(0, abs=0.4)


# The next cell throughout a log


@pytest.fixture(scope="module")
def games():
    ada, more = honest_games(4)[:3], honest_games(4)[3]
    return [ada[0], replace(more, player="bob"), ada[1], ada[2]]


@pytest.fixture(scope="module")
def predicted(games):
    return predict_games(games)


def test_a_game_is_predicted_from_the_earlier_games_of_its_player(games, predicted):
    assert [one.n_earlier for one in predicted] == [0, 0, 1, 2]
    assert [one.game for one in predicted] == games
    known, (*_, last) = model().given([games[0], games[2]]), predicted
    np.testing.assert_allclose(
        np.log(last.chances), known.log_likelihoods(last.game.puzzle, last.game.cells), atol=1e-5
    )
    for fill in (0, 7, 30):
        chances = known.next_cell_probabilities(last.game.puzzle, last.game.cells[:fill])
        assert last.chances[fill] == pytest.approx(chances[last.game.cells[fill]], rel=1e-4)
        assert last.likeliest_chances[fill] == pytest.approx(chances.max(), rel=1e-4)
        assert chances[last.likeliest[fill]] == pytest.approx(chances.max(), rel=1e-4)
    (again,) = predict_games(games[3:], history=games[:3])
    np.testing.assert_array_equal(again.chances, last.chances)
    assert again.n_earlier == 2


def test_games_without_a_player_are_those_of_strangers(games, predicted):
    nameless = [replace(game, player="") for game in games[:2]]
    assert [one.n_earlier for one in predict_games([*nameless, nameless[0]])] == [0, 0, 0]
    empty = replace(games[0], cells=games[0].cells[:0], seconds=games[0].seconds[:0], waits=None)
    other = Population.of({}, kind="nurikabe")  # of another kind, so the shipped one predicts
    first, second = predict_games([empty, games[0]], population=other)
    assert len(first.chances) == 0
    assert second.n_earlier == 0
    np.testing.assert_array_equal(second.chances, predicted[0].chances)


def blas_threads():
    return {each["num_threads"] for each in threadpool_info() if each["user_api"] == "blas"}


def test_small_products_run_on_one_thread(monkeypatch):
    import scipy.linalg  # noqa: F401

    before, seen = blas_threads(), []
    row_chances = Persons.row_chances

    def watched(self, *arguments):
        seen.append(blas_threads())
        return row_chances(self, *arguments)

    monkeypatch.setattr(Persons, "row_chances", watched)
    model().next_cell_probabilities(SUDOKU)
    assert seen == [{1}]
    assert blas_threads() == before
    inside, outside = Barrier(2, timeout=60), Barrier(2, timeout=60)

    def overlapping():
        with one_blas_thread():
            inside.wait()
        outside.wait()

    with ThreadPoolExecutor(1) as other:
        done = other.submit(overlapping)
        with one_blas_thread(), one_blas_thread():
            inside.wait()
            outside.wait()
            assert blas_threads() == {1}  # the other block, which began earlier or later, has ended
        done.result()
    assert blas_threads() == before


# Fills as choices, of each kind


HARD = Sudoku("8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..")
RULED = Variant("4x4+no-boxes+killer:r1c1r1c2r2c1:6+greater:r2c3r1c3+arrow:r4c4:r3c4r3c3")
OF_HOUSES = "houses", "features", "moments", "choices"
OF_VARIANTS = "houses", "variant_features", "variant_moments", "variant_thought"


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("puzzle", "modules"),
    [(HARD, OF_HOUSES), (RULED, OF_VARIANTS), (EASY, ("nurikabe",))],
    ids=lambda value: getattr(value, "kind", ""),
)
def test_fills_compiled_and_plain_agree(puzzle, modules):
    choices = choices_of(puzzle.kind)
    solution = solve(puzzle)
    cells = blanks_of(puzzle)[::-1][:9].astype(np.int16)
    coefficients = np.random.default_rng(0).normal(0, 1, len(choices.FEATURES))

    def seen():
        yield from choices.replay(puzzle, solution, cells)
        if puzzle is EASY:
            yield from choices.replay_of_colour(puzzle, solution, cells)
        yield choices.sample(
            puzzle, solution, coefficients, 2, np.random.default_rng(1), (0.2, 0.1)
        )

    loaded = [import_module(f"nando.solvers.people.fills.{name}") for name in modules]
    for one, other in zip(*compiled_and_plain(lambda: list(seen()), *loaded), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-6, atol=1e-6)
