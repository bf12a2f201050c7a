"""Predict and judge the order in which people fill variants, each person and each genre left out.

First each person with at least 10 games is left out of the population that predicts and judges
their games. Then cheats play the puzzles of some of these games, and the same population judges.
Then each genre is left out as well: of the person and of everybody else. Genres with many games get
200 of a person. Intervals of shares of games are 95 % Clopper-Pearson intervals.

Run: python benchmarks/order_variants.py [--most 20] [--parts persons cheats genres]
(the data set sudoku_variants must be there; half an hour, most of it for the genres)
"""

import argparse
import sys
from collections import defaultdict
from dataclasses import replace

import numpy as np
from scipy.stats import binomtest

from nando.datasets import fetch_sudoku_variants
from nando.evaluation.strangers import LEVEL
from nando.games.audit import Auditor
from nando.games.evidence.standards import p_value_of
from nando.games.evidence.ways import ON_VARIANTS, Adversary
from nando.games.orders import baseline_orders
from nando.games.people.fitting import by_player, fit_population, teach
from nando.games.people.population import load_fill_order
from nando.games.training import variant_games

LEAST = 10
CHEATED = 6
"""Games of each genre of a person whose puzzles cheats play."""


def genre_by_text():
    """The genre of each puzzle of the collection, by its text."""
    data = fetch_sudoku_variants(as_frame=True)
    genres = data.frame["genre"].tolist()
    return {puzzle.text: genre for puzzle, genre in zip(data.puzzles, genres, strict=True)}


def hits_and_chances(model, games):
    """For each fill: whether it was the likeliest cell, and its log chance."""
    hits, chances = [], []
    for game in games:
        followed = model.follow(game.puzzle, game.solution, game.cells)
        mixed, replay = followed.mixed(), followed.replay
        best = np.maximum.reduceat(mixed, replay.starts[:-1])
        # Of cells held equally likely, one is as good a guess as another.
        equal = np.add.reduceat(
            mixed >= np.repeat(best, np.diff(replay.starts)), replay.starts[:-1]
        )
        hits.append((mixed[replay.chosen] >= best) / equal)
        chances.append(followed.log_chances)
    return np.concatenate(hits), np.concatenate(chances)


def log_odds(population, games):
    """The log odds of each game by its order alone, where the rules demand the screen."""
    return np.array([max(r.log_odds, r.off_screen_odds) for r in Auditor(population).read(games)])


def at_level(values):
    """Whether each of some log odds has a p-value of at most the level."""
    return np.array([p_value_of(value) <= LEVEL for value in values])


def counts(flagged):
    """The games at the level, their share and its interval, as text."""
    n_flagged, n_games = int(flagged.sum()), len(flagged)
    between = binomtest(n_flagged, n_games).proportion_ci()
    share, low, high = (100 * value for value in (n_flagged / n_games, *between))
    return f"{n_flagged:3} of {n_games:4}  {share:4.1f} % [{low:.1f}, {high:.1f}]"


class Table:
    """Scores, row by row."""

    def __init__(self, title):
        self.all, self.lengths = [], []
        print(f"\n{title}\n{'':34}{'top 1':>7}{'perplexity':>12}   p at most {LEVEL}", flush=True)

    def add(self, name, population, games):
        """Print the scores of a population on some games, and return what they are of."""
        hits, chances = hits_and_chances(population, games)
        self.lengths += [len(game.cells) for game in games]
        self._line(name, hits, chances, at_level(log_odds(population, games)))

    def _line(self, name, hits, chances, flagged):
        print(
            f"{name:34}{hits.mean():7.3f}{np.exp(-chances.mean()):12.2f}   {counts(flagged)}",
            flush=True,
        )
        self.all.append((hits, chances, flagged))

    def end(self):
        """Print the scores on all games, and 95 % intervals over games."""
        hits, chances, flagged = (np.concatenate(column) for column in zip(*self.all, strict=True))
        self._line("all", hits, chances, flagged)
        starts = np.cumsum([0, *self.lengths[:-1]])
        n_games = len(self.lengths)
        drawn = np.random.default_rng(0).integers(n_games, size=(2000, n_games))
        fills = np.array(self.lengths)[drawn].sum(axis=1)
        right, logs = (np.add.reduceat(values, starts) for values in (hits, chances))
        low, high = np.quantile(right[drawn].sum(axis=1) / fills, [0.025, 0.975])
        least, most = np.exp(-np.quantile(logs[drawn].sum(axis=1) / fills, [0.975, 0.025]))
        print(f"{'over games':34}[{low:.3f}, {high:.3f}] [{least:.2f}, {most:.2f}]")


def by_genre(games, genres, most=200):
    """At most some of the games of each genre, evenly spread."""
    parts = defaultdict(list)
    for game in games:
        parts[genres[game.puzzle.text]].append(game)
    return {genre: part[:: -(-len(part) // most)] for genre, part in sorted(parts.items())}


def left_out(sources, name):
    """The sources without one."""
    return {source: games for source, games in sources.items() if source != name}


def print_persons(sources, persons, populations, genres, most):
    """Print how the games of each person are predicted and judged by the others."""
    table = Table("each person left out")
    tested = []
    for name in persons:
        for genre, games in by_genre(sources[name], genres, most).items():
            table.add(f"{name}, {genre}", populations[name], games)
            tested += games
    table.end()
    print("\nbaselines on the same games")
    for name, order in baseline_orders("variant").items():
        hits, chances = hits_and_chances(order, tested)
        print(f"{name:34}{hits.mean():7.3f}{np.exp(-chances.mean()):12.2f}", flush=True)


def print_cheats(sources, persons, populations, genres):
    """Print how many games of each cheat are found, and how many six games together."""
    print(f"\ncheats\n{'':34}{'20 fills':>10}{'whole':>8}{'six games':>11}   family unknown")
    parts = [
        (populations[name], games)
        for name in persons
        for games in by_genre(sources[name], genres, CHEATED).values()
    ]
    imitator = Adversary("", lambda game, rng: imitated(load_fill_order(kind="variant"), game, rng))
    for cheat, adversary in {**ON_VARIANTS, "drawn from the population": imitator}.items():
        rng = np.random.default_rng(0)
        whole, begun, unknown = [], [], []
        for population, games in parts:
            cheats = [adversary.make(game, rng) for game in games]
            whole.append(log_odds(population, cheats))
            begun.append(log_odds(population, [replace(g, cells=g.cells[:20]) for g in cheats]))
            readings = Auditor(population).read(cheats, without=[adversary.family])
            unknown += [max(reading.log_odds, reading.off_screen_odds) for reading in readings]
        six = np.array([odds.sum() for odds in whole if len(odds) == CHEATED])
        all_odds = (np.concatenate(begun), np.concatenate(whole), six, unknown)
        early, late, together, kin = (100 * at_level(odds).mean() for odds in all_odds)
        print(f"{cheat:34}{early:8.0f} %{late:6.0f} %{together:9.0f} %{kin:12.0f} %", flush=True)


def imitated(population, game, rng):
    """A game drawn from a population on the puzzle of another."""
    return replace(game, cells=population.sample_order(game.puzzle, rng))


def print_genres(sources, persons, genres, most):
    """Print the same as for persons, with the genre left out as well."""
    table = Table("each person and each genre left out")
    for genre in sorted(set(genres.values())):
        others = {
            source: [game for game in games if genres[game.puzzle.text] != genre]
            for source, games in sources.items()
        }
        others = {source: games for source, games in others.items() if games}
        taught = teach(others)
        for name in persons:
            games = by_genre(sources[name], genres, most).get(genre, ())
            if len(games) >= min(LEAST, most):
                rest = left_out(others, name)
                population = fit_population(rest, kind="variant", taught=taught)
                table.add(f"{genre}, {name}", population, games)
    table.end()


def main():
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--most", type=int, default=200, help="games of a genre of a person")
    parts = ("persons", "cheats", "genres")
    parser.add_argument("--parts", nargs="+", choices=parts, default=parts)
    options = parser.parse_args()
    genres = genre_by_text()
    sources = by_player(variant_games().games)
    persons = [name for name, games in sources.items() if len(games) >= LEAST]
    if {"persons", "cheats"} & set(options.parts):
        taught = teach(sources)
        populations = {
            name: fit_population(left_out(sources, name), kind="variant", taught=taught)
            for name in persons
        }
    if "persons" in options.parts:
        print_persons(sources, persons, populations, genres, options.most)
    if "cheats" in options.parts:
        print_cheats(sources, persons, populations, genres)
    if "genres" in options.parts:
        print_genres(sources, persons, genres, options.most)


if __name__ == "__main__":
    sys.exit(main())
