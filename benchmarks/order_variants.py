"""Predict and judge the order in which people fill variants, each person and each genre left out.

First each person with at least 10 games is left out of the population that predicts and judges
their games. Then each genre is left out as well: of the person and of everybody else. Genres with
many games get 200 of a person. Intervals are 95 % Clopper-Pearson intervals.

Run: python benchmarks/order_variants.py  (the data set sudoku_variants must be there; some hours)
"""

import sys
from collections import defaultdict

import numpy as np
from scipy.stats import binomtest

from nando.datasets import fetch_sudoku_variants
from nando.evaluation.strangers import LEVEL
from nando.games.audit import Auditor
from nando.games.evidence.control import p_value_of
from nando.games.orders import baseline_orders
from nando.games.people.fitting import by_player, fit_population, teach
from nando.games.training import variant_games

LEAST = 10
MOST = 200


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


def p_values(population, games):
    """The p-value of each game, judged by its order alone."""
    readings = Auditor(population).read(games)
    return np.array([p_value_of(reading.suspects.log_odds()) for reading in readings])


def counts(flagged):
    """The games at the level, their share and its interval, as text."""
    n_flagged, n_games = int(flagged.sum()), len(flagged)
    between = binomtest(n_flagged, n_games).proportion_ci()
    share, low, high = (100 * value for value in (n_flagged / n_games, *between))
    return f"{n_flagged:3} of {n_games:4}  {share:4.1f} % [{low:.1f}, {high:.1f}]"


class Table:
    """Scores, row by row."""

    def __init__(self, title):
        self.all = []
        print(f"\n{title}\n{'':34}{'top 1':>7}{'perplexity':>12}   p at most {LEVEL}", flush=True)

    def add(self, name, population, games):
        """Print the scores of a population on some games, and return what they are of."""
        hits, chances = hits_and_chances(population, games)
        self._line(name, hits, chances, p_values(population, games) <= LEVEL)

    def _line(self, name, hits, chances, flagged):
        print(
            f"{name:34}{hits.mean():7.3f}{np.exp(-chances.mean()):12.2f}   {counts(flagged)}",
            flush=True,
        )
        self.all.append((hits, chances, flagged))

    def end(self):
        """Print the scores on all games."""
        self._line("all", *(np.concatenate(column) for column in zip(*self.all, strict=True)))


def by_genre(games, genres):
    """At most some of the games of each genre, evenly spread."""
    parts = defaultdict(list)
    for game in games:
        parts[genres[game.puzzle.text]].append(game)
    return {genre: part[:: -(-len(part) // MOST)] for genre, part in sorted(parts.items())}


def main():
    """Print the tables."""
    genres = genre_by_text()
    sources = by_player(variant_games())
    persons = [name for name, games in sources.items() if len(games) >= LEAST]
    taught = teach(sources)
    table = Table("each person left out")
    tested = []
    for name in persons:
        rest = {source: games for source, games in sources.items() if source != name}
        population = fit_population(rest, kind="variant", taught=taught)
        for genre, games in by_genre(sources[name], genres).items():
            table.add(f"{name}, {genre}", population, games)
            tested += games
    table.end()
    print("\nbaselines on the same games")
    for name, order in baseline_orders("variant").items():
        hits, chances = hits_and_chances(order, tested)
        print(f"{name:34}{hits.mean():7.3f}{np.exp(-chances.mean()):12.2f}", flush=True)
    table = Table("each person and each genre left out")
    for genre in sorted(set(genres.values())):
        others = {
            source: [game for game in games if genres[game.puzzle.text] != genre]
            for source, games in sources.items()
        }
        others = {source: games for source, games in others.items() if games}
        taught = teach(others)
        for name in persons:
            games = by_genre(sources[name], genres).get(genre, ())
            if len(games) >= LEAST:
                rest = {source: played for source, played in others.items() if source != name}
                population = fit_population(rest, kind="variant", taught=taught)
                table.add(f"{genre}, {name}", population, games)
    table.end()


if __name__ == "__main__":
    sys.exit(main())
