"""Populations: how they are drawn, taught and mixed, and the kernels under them."""

from dataclasses import replace

import numpy as np
import pytest
from helpers.samples.simulated_games import honest_games

from nando.games.evidence.reading import MANNERS, chances_of
from nando.games.evidence.sudoku_programs import PROGRAMS, scene_of
from nando.games.fill_order import fit_coefficients
from nando.games.kinds import ladder_places
from nando.games.mixtures import mix_chances
from nando.games.people import paces
from nando.games.people.habits import sudoku_players
from nando.games.people.learning import Acquaintance, Belief, Learning
from nando.games.people.persons import Persons
from nando.games.people.population import (
    TAUGHT,
    Population,
    by_player,
    fit_population,
    strategy_games,
)
from nando.solvers.people.fills import choices as any_choices
from nando.solvers.people.fills.houses import SUDOKU as choices


@pytest.fixture(scope="module")
def replay():
    game = honest_games(1)[0]
    return choices.replay(game.puzzle, game.solution, game.cells)


def test_chances_of_rows_are_a_softmax_over_each_fill(replay):
    coefficients = np.random.default_rng(0).normal(size=(3, len(choices.FEATURES)))
    found = any_choices.row_chances(replay, coefficients)
    utilities = (replay.table @ coefficients.T.astype(np.float32)).astype(float)
    for first, end in zip(replay.starts[:-1], replay.starts[1:], strict=True):
        rates = np.exp(utilities[first:end] - utilities[first:end].max(axis=0))
        np.testing.assert_allclose(found[first:end], rates / rates.sum(axis=0), atol=1e-5)


def test_a_learner_moves_along_the_gradient_of_each_fill(replay):
    rng = np.random.default_rng(4)
    start, rates = rng.normal(0, 0.3, (2, len(choices.FEATURES)))
    rates = np.abs(rates) * 0.1
    found = any_choices.learning_chances(replay, start, rates)
    coefficients = start.copy()
    for k, (first, end) in enumerate(zip(replay.starts[:-1], replay.starts[1:], strict=True)):
        rows = replay.table[first:end].astype(float)
        worths = np.exp(rows @ coefficients)
        chances = worths / worths.sum()
        np.testing.assert_allclose(found[first:end], chances, rtol=1e-6)
        coefficients += rates * (replay.table[replay.chosen[k]] - chances @ rows)
    fixed = any_choices.learning_chances(replay, start, 0 * rates)
    np.testing.assert_allclose(fixed, any_choices.row_chances(replay, start[None])[:, 0], atol=1e-4)


def learner_of(persons):
    return Learning(0.3, persons.coefficients.mean(axis=0), np.full(len(choices.FEATURES), 0.05))


def test_a_learner_begins_with_what_games_have_in_common():
    games = honest_games(3)
    learning = Learning.fit(games)
    np.testing.assert_allclose(
        learning.coefficients, fit_coefficients(games, ridge=1e-3), atol=1e-5
    )
    variances, fills = np.zeros(len(choices.FEATURES)), 0
    for game in games:
        replay = choices.replay(game.puzzle, game.solution, game.cells)
        for first, end in zip(replay.starts[:-1], replay.starts[1:], strict=True):
            rows = replay.table[first:end].astype(float)
            worths = np.exp(rows @ learning.coefficients)
            chances = worths / worths.sum()
            variances += chances @ (rows - chances @ rows) ** 2
            fills += 1
    np.testing.assert_allclose(learning.rates, 0.002 / (0.02 + variances / fills), rtol=1e-3)


@pytest.mark.parametrize(
    ("kind", "part", "value", "message"),
    [
        (Learning, "share", 1.0, "share must be below 1"),
        (Learning, "rates", {"box_single": -0.1}, "rates must be at least 0"),
        (Learning, "coefficients", {"unknown": 1.0}, "unknown column 'unknown'"),
        (Learning, "coefficients", {"box_single": np.inf}, "coefficients must be finite"),
        (Acquaintance, "games", -1, "games must be"),
        (Acquaintance, "mean", [0.0], "mean must be"),
        (Acquaintance, "precision", [[0.0]], "precision must be"),
    ],
)
def test_an_invalid_record_of_who_learns_is_refused(kind, part, value, message):
    persons = sudoku_players(2, np.random.default_rng(3))
    record = {
        Learning: lambda: learner_of(persons).to_record("sudoku"),
        Acquaintance: lambda: Acquaintance.of(persons).to_record(),
    }[kind]()
    with pytest.raises(ValueError, match=message):
        kind.from_record({**record, part: value}, "sudoku")


def test_a_population_with_a_learner_gives_probabilities():
    game = honest_games(1)[0]
    persons = sudoku_players(20, np.random.default_rng(3))
    learning = learner_of(persons)
    population = Population(persons, "sudoku", learning)
    followed = population.follow(game.puzzle, game.solution, game.cells)
    assert followed.weights[0, -1] == pytest.approx(0.3)
    sums = np.add.reduceat(followed.mixed(), followed.replay.starts[:-1])
    np.testing.assert_allclose(sums, 1.0, rtol=1e-4)
    assert followed.rows.shape[1] == 21
    again = Population.of_record(population.record())
    assert np.array_equal(again.learning.coefficients, learning.coefficients)
    assert np.array_equal(again.learning.rates, learning.rates)
    assert again.model_id == population.model_id
    assert population.model_id != Population(persons, "sudoku").model_id
    known = population.given([game])
    own = known.persons.names.index("own games")
    mean = known.persons.coefficients[own:].mean(axis=0)
    nearer = 0.75 * learning.coefficients + 0.25 * mean
    np.testing.assert_allclose(known.learning.coefficients, nearer, atol=1e-9)
    assert np.array_equal(known.learning.rates, learning.rates)
    assert known.log_likelihood(game.puzzle, game.cells) > followed.log_chances.sum()


def test_a_belief_begins_with_the_population():
    persons = sudoku_players(30, np.random.default_rng(6)).reweight(np.arange(1.0, 31.0))
    belief = Belief.of(persons)
    mean = np.average(persons.coefficients, axis=0, weights=persons.weights)
    spread = np.cov(persons.coefficients.T, aweights=persons.weights, ddof=0)
    spread[np.diag_indices(len(mean))] += 0.01
    np.testing.assert_allclose(belief.mean, mean, atol=1e-12)
    np.testing.assert_allclose(np.linalg.inv(belief.precision), spread, atol=1e-8)


def test_a_belief_is_moved_by_each_fill(replay):
    """The belief agrees with an oracle that differentiates each fill's log chance numerically."""
    few = replay._replace(starts=replay.starts[:3], chosen=replay.chosen[:2])
    belief = Belief.of(sudoku_players(30, np.random.default_rng(6)))
    mean, precision = belief.mean.copy(), belief.precision.copy()
    chances, after = belief.follow(few)
    for k in range(2):
        rows = replay.table[replay.starts[k] : replay.starts[k + 1]].astype(float)
        at = replay.chosen[k] - replay.starts[k]

        def slope(coefficients, rows=rows, at=at):
            worths = np.exp(rows @ coefficients)
            return rows[at] - worths / worths.sum() @ rows

        worths = np.exp(rows @ mean)
        found = chances[replay.starts[k] : replay.starts[k + 1]]
        np.testing.assert_allclose(found, worths / worths.sum(), rtol=1e-6)
        step = 1e-5 * np.eye(len(mean))
        bends = [(slope(mean - one) - slope(mean + one)) / 2e-5 for one in step]
        precision = precision + np.array(bends)
        mean = mean + np.linalg.inv(precision) @ slope(mean)
    np.testing.assert_allclose(after.precision, precision, atol=1e-6)
    np.testing.assert_allclose(after.mean, mean, atol=1e-6)
    assert np.array_equal(belief.mean, Belief.of(sudoku_players(30, np.random.default_rng(6))).mean)


def test_an_acquaintance_weighs_more_with_every_game(replay):
    stranger = Acquaintance.of(sudoku_players(30, np.random.default_rng(6)))
    known = stranger.after(replay).after(replay).after(replay)
    assert (stranger.games, known.games) == (0, 3)
    assert stranger.share == pytest.approx(0.2)
    assert known.share == pytest.approx(0.6)
    own = replay.chosen
    assert np.log(known.chances(replay)[own]).sum() > np.log(stranger.chances(replay)[own]).sum()


def test_a_game_is_predicted_from_earlier_games_alone():
    games = honest_games(3)
    population = Population(sudoku_players(20, np.random.default_rng(3)), "sudoku")
    steps = list(population.after_each(games))
    assert len(steps) == 4
    assert steps[0] is population
    for number, step in enumerate(steps[1:], 1):
        known = population.given(games[:number])
        assert known.model_id == step.model_id
        game = games[-1]
        assert step.log_likelihood(game.puzzle, game.cells) == pytest.approx(
            known.log_likelihood(game.puzzle, game.cells), abs=1e-9
        )
        assert step.acquaintance.games == number
    again = Population.of_record(steps[-1].record())
    assert again.model_id == steps[-1].model_id
    assert again.log_likelihood(games[0].puzzle, games[0].cells) == pytest.approx(
        steps[-1].log_likelihood(games[0].puzzle, games[0].cells), rel=1e-5
    )
    assert [one is population for one in population.after_each([])] == [True]


def test_only_a_prediction_learns_during_a_game():
    """A judge that learnt a program's habits during a game would soon explain it as a person."""
    game = honest_games(1)[0]
    population = Population(sudoku_players(20, np.random.default_rng(3)), "sudoku")
    judged = population.follow(game.puzzle, game.solution, game.cells)
    predicted = population.follow(game.puzzle, game.solution, game.cells, predicting=True)
    assert judged.rows.shape[1] == 20
    assert predicted.rows.shape[1] == 21
    assert predicted.weights[0, -1] == pytest.approx(0.2)
    np.testing.assert_allclose(
        predicted.log_chances, population.log_likelihoods(game.puzzle, game.cells), atol=1e-12
    )
    alone = Population.of({"box_single": 3.0})
    one = alone.follow(game.puzzle, game.solution, game.cells, predicting=True)
    assert one.rows.shape[1] == 1


def test_persons_are_written_as_they_were_read():
    """Weights are rounded one by one; rescaling them to a sum of 1 would change them."""
    rng = np.random.default_rng(2)
    for n in rng.integers(2, 9, 200).tolist():
        weights = rng.dirichlet(np.full(n, 0.3)) + 1e-6
        persons = Persons(
            tuple("abcdefgh"[:n]), np.zeros((n, len(choices.FEATURES))), np.zeros((n, 2)), weights
        )
        written = persons.to_records("sudoku")
        assert Persons.from_records(written, "sudoku").to_records("sudoku") == written


def test_programs_give_probabilities(replay):
    """At every moment, the probabilities of all cells that could be filled sum to 1."""
    game = honest_games(1)[0]
    scene = scene_of(game.puzzle, replay)
    orders = [program.order(scene) for program in PROGRAMS.values()]
    families = [program.family for program in PROGRAMS.values()]
    first, end = replay.starts[3:5]
    total = 0.0
    for row in range(first, end):
        chosen = replay.chosen.copy()
        chosen[3] = row
        found = chances_of(list(PROGRAMS), families, replay._replace(chosen=chosen), orders)
        total = total + np.exp(found.log_chances[3])
    np.testing.assert_allclose(total, 1.0, rtol=1e-9)
    assert found.weights.sum() == pytest.approx(1.0)
    assert len(found.names) == len(MANNERS) * len(orders)


def test_the_ladder_names_every_blank():
    puzzle = honest_games(1)[0].puzzle
    assert (ladder_places(puzzle, 1, None)[puzzle.givens == 0] >= 1).all()


def test_a_mixture_is_a_probability_of_all_outcomes():
    rng = np.random.default_rng(2)
    tellers = rng.dirichlet(np.ones(2), size=(3, 4))  # 3 outcomes, 4 tellers, 2 results
    weights = np.array([0.1, 0.2, 0.3, 0.4])
    total = 0.0
    for results in np.ndindex(2, 2, 2):
        logs = np.log([tellers[k, :, result] for k, result in enumerate(results)])
        total += np.exp(mix_chances(logs, weights, 0.1)[0].sum())
    assert total == pytest.approx(1.0)


@pytest.mark.thorough
def test_delays_have_densities(replay):
    """The probabilities of the intervals of a clock sum to 1 for people and for machines."""
    made = paces.difficulty(replay)
    grid = np.arange(0.05, 4000.0, 0.1)
    one = paces.Difficulty(np.full(len(grid), made.search[0]), np.full(len(grid), made.effort[0]))
    people = np.exp(paces.people_log_chances(grid, 0.1, one)).sum(axis=0)
    at_once = paces.people().at_once
    np.testing.assert_allclose(people[at_once < 0.1], 1.0, atol=0.03)
    machines = np.exp(paces.machine_log_chances(grid, 0.1)).sum(axis=0)
    assert np.median(machines) == pytest.approx(1.0, abs=0.01)


def test_a_population_is_half_drawn_and_half_taught(monkeypatch):
    monkeypatch.setattr("nando.games.fill_order._MOST_ITERATIONS", 5)
    games = honest_games(4)
    sources = by_player(games) | {"bob": list(games[:2])}
    found = fit_population(sources, n_drawn=30)
    names = np.array(found.persons.names)
    taught = np.isin(names, ["ada", "bob"])
    assert found.persons.weights[taught].sum() == pytest.approx(TAUGHT)
    assert found.persons.weights.sum() == pytest.approx(1.0)
    assert (~taught).sum() == 30
    again = fit_population(sources, n_drawn=30, n_jobs=2)
    assert again.model_id == found.model_id
    with pytest.raises(ValueError, match="no games to learn from"):
        fit_population({})


def test_strategies_play_whole_games():
    puzzles = [game.puzzle for game in honest_games(3)]
    found = strategy_games(puzzles, n_games=1, seed=1)
    assert len(found) == 16
    for (game,) in found.values():
        assert game.finished
        assert (np.diff(game.seconds) >= 0).all()
    again = strategy_games(puzzles, n_games=1, seed=1)
    assert all(found[name][0].cells.tolist() == again[name][0].cells.tolist() for name in found)


def test_the_fit_to_own_games_is_made_again_as_games_come(monkeypatch):
    fitted = []

    def own_persons(games, persons):
        fitted.append(len(games))
        return persons.choose([True] + [False] * (len(persons.names) - 1))

    monkeypatch.setattr("nando.games.people.population.own_persons", own_persons)
    persons = sudoku_players(3, np.random.default_rng(3))
    game = honest_games(1)[0]
    game = replace(game, cells=game.cells[:2], seconds=game.seconds[:2], waits=None)
    steps = list(Population(persons, "sudoku").after_each([game] * 45))
    assert len(steps) == 46
    assert fitted == [*range(1, 22), 23, 25, 27, 29, 31, 33, 35, 37, 39, 41, 44]
    fitted.clear()
    later = list(Population(persons, "sudoku").after_each([game] * 45, first=40))
    assert fitted == [39, 41, 44]
    assert [one.model_id for one in later] == [one.model_id for one in steps[40:]]
