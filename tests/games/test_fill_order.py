"""The model of fill orders, its baselines, and the games of adversaries."""

import json
from dataclasses import replace

import numpy as np
import pytest
from helpers.samples.simulated_games import honest_games, puzzles

from nando.evaluation import evaluate_order
from nando.evaluation.orders import hits
from nando.games import (
    ADVERSARIES,
    ListOrder,
    Population,
    baseline_orders,
    load_fill_order,
)
from nando.games.fill_order import (
    ChoiceTable,
    checked_cells,
    choices_of,
    fit_coefficients,
    mean_ranks,
)
from nando.games.orders import ranks_in
from nando.games.people.persons import Person, Persons
from nando.puzzles import Sudoku


@pytest.fixture(scope="module")
def model():
    return load_fill_order()


def test_chances_sum_to_one_over_open_cells(model):
    (game,) = honest_games(1)
    for filled in (0, 7, len(game.cells) - 1):
        chances = model.next_cell_probabilities(game.puzzle, game.cells[:filled])
        assert chances.sum() == pytest.approx(1.0)
        closed = (game.puzzle.givens > 0) | np.isin(np.arange(81), game.cells[:filled])
        assert (chances[closed] == 0).all()
    assert not model.next_cell_probabilities(game.puzzle, game.cells).any()


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["model", "uniform", "SiSuS"])
def test_a_game_is_its_fills_one_by_one(model, name):
    (game,) = honest_games(1)
    order = model if name == "model" else baseline_orders()[name]
    found = order.log_likelihoods(game.puzzle, game.cells[:12])
    for k in range(12):
        chances = order.next_cell_probabilities(game.puzzle, game.cells[:k])
        assert found[k] == pytest.approx(np.log(chances[game.cells[k]]), rel=1e-6, abs=1e-9)
    if name == "model":
        assert model.log_likelihood(game.puzzle, game.cells[:12]) == pytest.approx(found.sum())


def test_samples_follow_the_chances(model):
    puzzle = puzzles(1)[0]
    rng = np.random.default_rng(0)
    first = [int(model.sample_order(puzzle, rng)[0]) for _ in range(400)]
    chances = model.next_cell_probabilities(puzzle)
    cell = int(chances.argmax())
    assert abs(first.count(cell) / 400 - chances[cell]) < 4 * np.sqrt(chances[cell] / 400)


def test_expected_order(model):
    puzzle = puzzles(1)[0]
    order = model.expected_order(puzzle, runs=10, rng=3)
    blanks = puzzle.givens == 0
    assert (order[~blanks] == 0).all()
    assert order[blanks].min() >= 1
    assert order.sum() == pytest.approx(blanks.sum() * (blanks.sum() + 1) / 2)
    np.testing.assert_array_equal(order, model.expected_order(puzzle, runs=10, rng=3))
    cells = np.array([[3, 1], [1, 3]], np.int16)
    assert mean_ranks(cells, 5).tolist() == [0, 1.5, 0, 1.5, 0]


def test_intervals_of_ranks(model):
    puzzle = puzzles(1)[0]
    low, high = model.rank_intervals(puzzle, runs=60, rng=3)
    orders = model.sample_orders(puzzle, 60, 3)
    cell = int(orders[0][0])
    ranks = [int(np.flatnonzero(order == cell)[0]) + 1 for order in orders]
    np.testing.assert_allclose([low[cell], high[cell]], np.quantile(ranks, [0.1, 0.9]))
    assert not low[puzzle.givens > 0].any()
    with pytest.raises(ValueError, match="coverage must be between 0 and 1, got 2"):
        model.rank_intervals(puzzle, coverage=2)


def test_a_population_learns_whom_it_watches():
    """Of two persons, the one who plays gets the weight, and the mixture is a probability."""
    sweeps = Population.of({"box_single": 5.0, "naked_single": 5.0, "skipped_by_rows": -3.0})
    digits = Population.of({"box_single": 5.0, "naked_single": 5.0, "same_digit": 4.0})
    persons = Persons.of(
        Person(name, one.persons.coefficients[0], (0.01, 0.01))
        for name, one in (("a", sweeps), ("b", digits))
    )
    population = Population(persons, "sudoku")
    game = honest_games(1)[0]
    cells = digits.sample_order(game.puzzle, 5)
    followed = population.follow(game.puzzle, game.solution, cells)
    assert followed.weights[0].tolist() == [0.5, 0.5]
    assert followed.weights[-1][1] > 0.9
    sums = np.add.reduceat(followed.mixed(), followed.replay.starts[:-1])
    np.testing.assert_allclose(sums, 1.0, rtol=1e-4)
    alone = Population(persons.chosen([False, True]), "sudoku").follow(
        game.puzzle, game.solution, cells
    )
    one = np.exp(alone.log_chances[0])
    other = np.exp(
        Population(persons.chosen([True, False]), "sudoku").log_likelihoods(game.puzzle, cells[:1])[
            0
        ]
    )
    assert np.exp(followed.log_chances[0]) == pytest.approx((one + other) / 2, rel=1e-4)


def test_the_gradient_is_that_of_the_loss():
    choices = ChoiceTable(honest_games(3))
    rng = np.random.default_rng(1)
    n_columns = len(choices_of("sudoku").FEATURES)
    at, centre = rng.normal(scale=0.3, size=(2, n_columns))
    _, gradient = choices.loss(at, 0.01, centre)
    for column in rng.choice(len(at), 6, replace=False):
        step = np.zeros(len(at))
        step[column] = 0.02
        difference = (
            choices.loss(at + step, 0.01, centre)[0] - choices.loss(at - step, 0.01, centre)[0]
        )
        assert gradient[column] == pytest.approx(difference / 0.04, abs=3e-3)


@pytest.mark.thorough
def test_fitting_recovers_the_model_of_the_games():
    truth = Population.of({"box_single": 3.0, "naked_single": 2.0, "distance": -4.0})
    rng = np.random.default_rng(3)
    games = [replace(game, cells=truth.sample_order(game.puzzle, rng)) for game in honest_games(40)]
    fitted = Population.fit(games[:30], ridge=1e-3)

    def mean_log(order):
        found = [order.log_likelihood(g.puzzle, g.cells) / len(g.cells) for g in games[30:]]
        return np.mean(found)

    uniform = mean_log(Population.of({}))
    assert mean_log(fitted) - uniform > 0.9 * (mean_log(truth) - uniform)
    centre = truth.persons.coefficients[0]
    pulled = fit_coefficients(games[:3], ridge=1e6, towards=centre)
    np.testing.assert_allclose(pulled, centre, atol=1e-4)


def test_the_model_as_a_file(model, tmp_path):
    text = model.to_json(tmp_path / "order.json")
    again = load_fill_order(tmp_path / "order.json")
    assert again.model_id == model.model_id
    np.testing.assert_array_equal(again.persons.coefficients, model.persons.coefficients)
    record = json.loads(text)
    record["order"]["persons"][0]["weight"] *= 2
    with pytest.raises(ValueError, match="it was changed; fit it again"):
        Population.from_json(json.dumps(record))
    record["order"]["persons"][0]["coefficients"] = {"unheard_of": 1.0}
    with pytest.raises(ValueError, match="unknown column 'unheard_of'"):
        Population.from_json(json.dumps(record))
    for bad in ("{", "[]", '{"format": "other"}'):
        with pytest.raises(ValueError, match="not a model of fill orders"):
            Population.from_json(bad)


def test_bad_arguments(model):
    puzzle = puzzles(1)[0]
    given = int((puzzle.givens > 0).argmax())
    blank = int((puzzle.givens == 0).argmax())
    with pytest.raises(ValueError, match="is a given"):
        model.next_cell_probabilities(puzzle, [given])
    with pytest.raises(ValueError, match="filled twice"):
        model.log_likelihood(puzzle, [blank, blank])
    with pytest.raises(ValueError, match="0 to 80, got 81"):
        model.log_likelihood(puzzle, [81])
    with pytest.raises(ValueError, match="at least 1, got 0"):
        model.expected_order(puzzle, runs=0)
    with pytest.raises(ValueError, match="unknown column 'speed'"):
        Population.of({"speed": 1.0})
    with pytest.raises(ValueError, match="several solutions"):
        model.sample_order(Sudoku("." * 81))
    with pytest.raises(ValueError, match="the games are empty"):
        Population.fit([])
    with pytest.raises(ValueError, match="ridge must be at least 0"):
        Population.fit(honest_games(1), ridge=-1)


def test_ranks_in_a_list():
    listed = np.array([5, 3, 8, 1], np.int16)
    assert ranks_in(listed, np.array([8, 5, 1, 3], np.int16)).tolist() == [2, 0, 1, 0]


def test_lists_fit_their_sharpness():
    games = honest_games(6)
    order = ListOrder(lambda puzzle, runs, rng: np.arange(81.0), sharpness=0.0)
    typed = [ADVERSARIES["row by row"].make(game, np.random.default_rng(0)) for game in games]
    assert order.fit(typed).sharpness > 2.5
    assert order.fit(games).sharpness < 1.0
    with pytest.raises(ValueError, match="sharpness must be at least 0"):
        ListOrder(order.places, sharpness=-0.1)


def test_hits_share_ties():
    (game,) = honest_games(1)
    found = hits(Population.of({}), game)
    n_open = game.n_blanks - np.arange(len(game.cells))
    np.testing.assert_allclose(found[:, 2], np.minimum(5 / n_open, 1.0))


@pytest.mark.slow
def test_evaluation_ranks_the_model_first():
    games = honest_games(30)
    baselines = {name: baseline_orders()[name] for name in ("SiSuS", "uniform")}
    found = evaluate_order(games, baselines=baselines, n_games=5, runs=20)
    assert set(found.splits) == {"by game", "by date"}
    for scores in found.scores.values():
        assert scores["nando"]["top 1"].value > scores["uniform"]["top 1"].value
        assert scores["nando"]["perplexity"].value < scores["SiSuS"]["perplexity"].value
    assert len(found.rows()) == 2 * 3 * 6
    assert "split by date" in found.page().lower()
    with pytest.raises(ValueError, match="too few to evaluate on"):
        evaluate_order(games[:5])


@pytest.mark.parametrize("name", ADVERSARIES)
def test_adversaries_fill_every_blank_once(name):
    game = honest_games(1)[0]
    made = ADVERSARIES[name].make(game, np.random.default_rng(4))
    assert sorted(made.cells.tolist()) == sorted(game.cells.tolist())
    assert (np.diff(made.seconds) >= 0).all()
    assert made.puzzle.is_solution(made.solution)
    again = ADVERSARIES[name].make(game, np.random.default_rng(4))
    np.testing.assert_array_equal(made.cells, again.cells)
    np.testing.assert_array_equal(made.seconds, again.seconds)


@pytest.mark.parametrize("filled", ["abc", [0.5], ["x"]])
def test_cells_are_whole_numbers(filled):
    with pytest.raises(ValueError, match="cells must be whole numbers from 0, got"):
        checked_cells(Sudoku("." * 81), filled)
