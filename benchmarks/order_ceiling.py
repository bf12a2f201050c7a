"""Measure how well the next cell of a person could be predicted at all.

The person with most games is left out of the population, which predicts later games: as it judges
them, with one more person who learns during each game, and after twenty earlier games. (The players
of variants have such a person in both.) It is compared with models of the person's own earlier
games: a sum over the same columns, and a network with one hidden layer on them, which may combine
columns at will. Where the same position occurs twice, the next cells are compared: the share of
equal ones is what the best possible model would reach there. Intervals of top 1 are 95 % intervals
over games.

Run: python benchmarks/order_ceiling.py [--kind sudoku] [--tested 60] [--own 400] [--parts own]
(the published logs must be there; some minutes)
"""

import argparse
import sys
from collections import defaultdict
from itertools import combinations

import numpy as np

from nando.evaluation.strangers import HISTORY, LeftOut
from nando.games.fill_order import choices_of, fit_coefficients
from nando.games.people.fitting import by_player
from nando.games.training import honest_games
from nando.puzzles import blanks_of

SLIPS = 0.003
HIDDEN, EPOCHS, BATCH, STEP = 32, 8, 256, 3e-3


class Network:
    """A utility of a cell: a sum over its columns, and one over hidden units that combine them."""

    def __init__(self, replays, seed=0):
        """Learn from replays by Adam, with a step that falls to 0."""
        rng = np.random.default_rng(seed)
        table = np.concatenate([replay.table for replay in replays])
        self._mean = table[::20].mean(axis=0)
        self._scale = 1 / np.maximum(table[::20].std(axis=0), 0.01)
        n = table.shape[1]
        sizes = ((n,), (n, HIDDEN), (HIDDEN,), (HIDDEN,))
        scales = (0, n**-0.5, 0, 0.1 * HIDDEN**-0.5)
        self._weights = [
            (scale * rng.normal(size=size)).astype(np.float32)
            for size, scale in zip(sizes, scales, strict=True)
        ]
        ends = np.cumsum([0, *(len(replay.table) for replay in replays)])
        firsts = zip(replays, ends[:-1], strict=True)
        parts = [(r.starts[:-1] + e, np.diff(r.starts), r.chosen + e) for r, e in firsts]
        starts, lengths, chosen = (np.concatenate(part) for part in zip(*parts, strict=True))
        mean = [np.zeros_like(weight) for weight in self._weights]
        square = [np.zeros_like(weight) for weight in self._weights]
        n_steps = EPOCHS * (len(starts) // BATCH)
        step = 0
        for _ in range(EPOCHS):
            order = rng.permutation(len(starts))
            for first in range(0, len(order) - BATCH + 1, BATCH):
                some = order[first : first + BATCH]
                begins = np.concatenate([[0], np.cumsum(lengths[some])])
                rows = np.repeat(starts[some] - begins[:-1], lengths[some]) + np.arange(begins[-1])
                at = begins[:-1] + chosen[some] - starts[some]
                step += 1
                size = STEP * 0.5 * (1 + np.cos(np.pi * step / n_steps))
                for j, slope in enumerate(self._slopes(table[rows], begins, at)):
                    mean[j] += 0.1 * (slope - mean[j])
                    square[j] += 0.01 * (slope**2 - square[j])
                    root = np.sqrt(square[j] / (1 - 0.99**step)) + 1e-8
                    self._weights[j] -= size * mean[j] / (1 - 0.9**step) / root

    def chances(self, table, starts):
        """Return the chance of each row to be the next cell."""
        return self._forward(table, starts)[0]

    def _forward(self, table, starts):
        linear, inner, bias, outer = self._weights
        scaled = np.clip((table - self._mean) * self._scale, -6, 6)
        hidden = np.maximum(scaled @ inner + bias, 0)
        return chances_of(scaled @ linear + hidden @ outer, starts), scaled, hidden

    def _slopes(self, table, starts, chosen):
        chances, scaled, hidden = self._forward(table, starts)
        chances[chosen] -= 1
        chances /= len(chosen)
        back = np.outer(chances, self._weights[3]) * (hidden > 0)
        return chances @ scaled, scaled.T @ back, back.sum(axis=0), chances @ hidden


def chances_of(utilities, starts):
    """The chance of each row among those of its fill."""
    lengths = np.diff(starts)
    largest = np.maximum.reduceat(utilities, starts[:-1])
    rates = np.exp(utilities - np.repeat(largest, lengths))
    return rates / np.repeat(np.add.reduceat(rates, starts[:-1]), lengths)


def scores(chances, replay):
    """The share of a game's fills that were the likeliest cell, and their log chances."""
    lengths = np.diff(replay.starts)
    chances = (1 - SLIPS) * chances + SLIPS / np.repeat(lengths, lengths)
    best = np.maximum.reduceat(chances, replay.starts[:-1])
    return chances[replay.chosen] >= best, np.log(chances[replay.chosen])


def print_row(name, games):
    """Print top 1 with its interval and the perplexity, from the scores of each game."""
    hits, logs = (np.concatenate(column) for column in zip(*games, strict=True))
    rng = np.random.default_rng(0)
    right = np.array([game[0].sum() for game in games])
    fills = np.array([len(game[0]) for game in games])
    drawn = rng.integers(len(games), size=(2000, len(games)))
    low, high = np.quantile(right[drawn].sum(axis=1) / fills[drawn].sum(axis=1), [0.025, 0.975])
    print(
        f"{name:44}{hits.mean():7.3f} [{low:.3f}, {high:.3f}]{np.exp(-logs.mean()):9.2f}",
        flush=True,
    )


def print_population(name, population, games, *, predicting):
    """Print how well a population predicts games."""
    followed = [
        population.follow(game.puzzle, game.solution, game.cells, predicting=predicting)
        for game in games
    ]
    print_row(name, [scores(each.mixed(), each.replay) for each in followed])


def print_repeats(games):
    """Print how often the same position of a puzzle had the same next cell in two games."""
    positions = defaultdict(list)
    for game in games:
        for k, cell in enumerate(game.cells.tolist()):
            if k < len(blanks_of(game.puzzle)) - 1:
                positions[game.puzzle.text, frozenset(game.cells[:k].tolist())].append(cell)
    pairs = [
        (one == other, not reached)
        for (_, reached), cells in positions.items()
        for one, other in combinations(cells, 2)
    ]
    for name, first in (("the first cell of a puzzle", True), ("later cells", False)):
        equal = [same for same, begun in pairs if begun == first]
        if equal:
            print(f"{name}: the same in {np.mean(equal):.3f} of {len(equal)} pairs of games")
    if not pairs:
        print("no puzzle was played twice")


def print_strangers(left_out, name, earlier, tested):
    """Print how well a population without the person predicts, as it is and as it learns."""
    stranger = left_out.population(name)
    known = stranger.given(earlier[-HISTORY:])
    print_population("a stranger", stranger, tested, predicting=False)
    print_population("a stranger, learning during the game", stranger, tested, predicting=True)
    print_population(f"after {HISTORY} games", known, tested, predicting=False)
    print_population(f"after {HISTORY} games, learning in the game", known, tested, predicting=True)


def print_own(kind, earlier, tested):
    """Print how well models of the person's own games predict."""
    choices = choices_of(kind)
    replays = [choices.replay(game.puzzle, game.solution, game.cells) for game in tested]
    own = fit_coefficients(earlier, ridge=1e-5)
    rows = [scores(chances_of(r.table @ own, r.starts), r) for r in replays]
    print_row(f"{len(earlier)} own games, a sum", rows)
    network = Network([choices.replay(g.puzzle, g.solution, g.cells) for g in earlier])
    rows = [scores(network.chances(r.table, r.starts), r) for r in replays]
    print_row(f"{len(earlier)} own games, a network", rows)


def main():
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--kind", default="sudoku", choices=("sudoku", "variant"))
    parser.add_argument("--tested", type=int, default=60, help="later games that are predicted")
    parser.add_argument("--own", type=int, default=400, help="earlier games that are learnt from")
    parts = ("repeats", "own", "strangers")
    parser.add_argument("--parts", nargs="+", choices=parts, default=parts)
    options = parser.parse_args()
    played = honest_games(options.kind).games
    players = by_player(played)
    name = max(players, key=lambda player: len(players[player]))
    games = players[name]
    # The logs of variants have no dates and are sorted by genre, so every second one is tested.
    halves = (games[::2], games[1::2]) if options.kind == "variant" else halved(games)
    earlier = halves[0][:: 1 + (len(halves[0]) - 1) // options.own]
    tested = halves[1][:: max(1, len(halves[1]) // options.tested)][: options.tested]
    print(f"{options.kind}: {len(games)} games of {name}, {len(tested)} of them tested", flush=True)
    if "repeats" in options.parts:
        print_repeats(games)
    print(f"{'':44}{'top 1':>7}{'':16}{'perplexity':>9}")
    if "own" in options.parts:
        print_own(options.kind, earlier, tested)
    if "strangers" in options.parts:
        print_strangers(LeftOut(played), name, halves[0], tested)


def halved(games):
    """The first half of some games, and the second."""
    return games[: len(games) // 2], games[len(games) // 2 :]


if __name__ == "__main__":
    sys.exit(main())
