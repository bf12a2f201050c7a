"""Games of a stranger in turn, with populations that know the earlier games."""

import numpy as np
import pytest
from helpers.samples.simulated_games import honest_games

from nando.evaluation.strangers import evaluate_in_turn
from nando.games import Population
from nando.games.people.habits import sudoku_players


class LeftOutOfFew:
    """A stand-in with drawn persons as its population and one real player."""

    def __init__(self, games):
        self.sources, self.real = {"ada": games}, {"ada"}
        self.known = Population(sudoku_players(20, np.random.default_rng(3)), "sudoku")

    def population(self, name):
        return self.known


def test_games_in_turn_know_the_earlier_ones():
    games = honest_games(4)
    left_out = LeftOutOfFew(games)
    rows = evaluate_in_turn(left_out).rows
    values = {(row["subject"], row["metric"]): row["value"] for row in rows}
    for part, first, end in [
        ("no earlier game", 0, 1),
        ("2 earlier games", 2, 3),
        ("the first 10 games", 0, 4),
    ]:
        subject = f"ada, {part}"
        assert values[subject, "games"] == end - first
        logs, strange = [], []
        for k in range(first, end):
            game = games[k]
            known = left_out.known.given(games[:k])
            logs.append(known.log_likelihoods(game.puzzle, game.cells))
            alone = left_out.known.follow(game.puzzle, game.solution, game.cells)
            strange.append(alone.log_chances)
        perplexities = [np.exp(-np.concatenate(part).mean()) for part in (logs, strange)]
        assert values[subject, "perplexity"] == pytest.approx(perplexities[0])
        assert values[subject, "perplexity of a stranger"] == pytest.approx(perplexities[1])
        ratio = perplexities[0] / perplexities[1]
        assert values[subject, "perplexity, ratio"] == pytest.approx(ratio)
    assert ("ada, 6 to 10 earlier games", "games") not in values
    gained = values["ada, 2 earlier games", "top 1"]
    gained -= values["ada, 2 earlier games", "top 1 of a stranger"]
    assert values["ada, 2 earlier games", "top 1 gained"] == pytest.approx(gained)
    assert evaluate_in_turn(left_out, n_jobs=2).rows == rows
