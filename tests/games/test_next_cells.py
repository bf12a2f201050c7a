"""Predictions of the next cell throughout a log, against the population asked fill by fill."""

from dataclasses import replace

import numpy as np
import pytest
from helpers.samples.simulated_games import honest_games

from nando.games import Population, load_fill_order, predict_games


@pytest.fixture(scope="module")
def games():
    ada, more = honest_games(4)[:3], honest_games(4)[3]
    return [ada[0], replace(more, player="bob"), ada[1], ada[2]]


def test_a_game_is_predicted_from_the_earlier_games_of_its_player(games):
    predicted = predict_games(games)
    assert [one.n_earlier for one in predicted] == [0, 0, 1, 2]
    assert [one.game for one in predicted] == games
    known = load_fill_order().given([games[0], games[2]])
    last = predicted[3]
    np.testing.assert_allclose(
        np.log(last.chances), known.log_likelihoods(games[3].puzzle, games[3].cells), atol=1e-5
    )
    for fill in (0, 7, 30):
        chances = known.next_cell_probabilities(games[3].puzzle, games[3].cells[:fill])
        assert last.chances[fill] == pytest.approx(chances[games[3].cells[fill]], rel=1e-4)
        assert last.likeliest_chances[fill] == pytest.approx(chances.max(), rel=1e-4)
        assert chances[last.likeliest[fill]] == pytest.approx(chances.max(), rel=1e-4)


def test_a_history_counts_as_earlier_games(games):
    (last,) = predict_games(games[3:], history=games[:3])
    np.testing.assert_array_equal(last.chances, predict_games(games)[3].chances)
    assert last.n_earlier == 2


def test_games_without_a_player_are_those_of_strangers(games):
    nameless = [replace(game, player="") for game in games]
    assert [one.n_earlier for one in predict_games(nameless)] == [0, 0, 0, 0]
    empty = replace(games[0], cells=games[0].cells[:0], seconds=games[0].seconds[:0], waits=None)
    first, second = predict_games([empty, games[0]])
    assert len(first.chances) == 0
    assert second.n_earlier == 0


def test_a_population_of_another_kind_leaves_the_shipped_one(games):
    other = Population.of({}, kind="nurikabe")
    here = predict_games(games[:1], population=other)[0]
    np.testing.assert_array_equal(here.chances, predict_games(games[:1])[0].chances)
