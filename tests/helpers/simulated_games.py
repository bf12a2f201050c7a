"""Games of the shipped model on the example puzzles: honest by construction."""

from functools import cache

import numpy as np

from nando.datasets import load_examples
from nando.games import load_auditor
from nando.games.audit import _follow_all
from nando.games.log import Game
from nando.solvers import unique_solution


@cache
def auditor():
    return load_auditor()


@cache
def puzzles(count):
    """Different puzzles: the examples, and shuffled copies of them."""
    rng = np.random.default_rng(7)
    examples = load_examples().puzzles[:8]
    return tuple(examples[i % len(examples)].shuffled(rng) for i in range(count))


@cache
def honest_games(count, seed=0):
    """Orders drawn from the model of people, at times of its own."""
    rng = np.random.default_rng(seed)
    model, times = auditor().order, auditor().times
    games = []
    for number, puzzle in enumerate(puzzles(count)):
        cells = model.sample_order(puzzle, rng)
        blank = Game(
            str(number), "ada", puzzle, unique_solution(puzzle), cells, np.arange(len(cells)) * 1.0
        )
        predicted = times.log_seconds(_follow_all(model, blank))
        delays = np.exp(predicted + times.spread_ * rng.standard_t(4, len(cells)))
        games.append(blank.with_seconds(np.cumsum(delays)))
    return tuple(games)
