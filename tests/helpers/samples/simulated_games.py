"""Games of honest players, simulated on the example puzzles: the strategies of guides."""

from functools import cache

import numpy as np

from nando.datasets import load_examples
from nando.games import STRATEGIES, load_auditor, play


@cache
def auditor():
    return load_auditor()


@cache
def puzzles(count):
    """Return different puzzles: the examples and shuffled copies of them."""
    rng = np.random.default_rng(7)
    examples = load_examples().puzzles[:8]
    return tuple(examples[i % len(examples)].shuffled(rng) for i in range(count))


@cache
def honest_games(count, seed=0):
    """Return games of one account that follow its strategies in turn."""
    rng = np.random.default_rng(seed)
    draws = list(STRATEGIES.values())
    return tuple(
        play(puzzle, draws[i % len(draws)](rng), rng, name=str(i), account="ada")
        for i, puzzle in enumerate(puzzles(count))
    )
