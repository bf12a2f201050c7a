"""Predictions of the next cell throughout a log, against the population asked fill by fill."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from threading import Barrier

import numpy as np
import pytest
from helpers.samples.simulated_games import honest_games
from threadpoolctl import threadpool_info

from nando.blas import one_blas_thread
from nando.datasets import load_examples
from nando.games import Population, load_fill_order, predict_games
from nando.games.people.persons import Persons


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


# Threads


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
    puzzle = load_examples().puzzles[0]
    load_fill_order().next_cell_probabilities(puzzle)
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
