"""Audit results alone: the honest ways of playing, and the cheats.

The times are those of the person of Sudoku Insight, without whose games the scale is fitted. Each
table of results has 20 players, each with 10 or 20 of these games, drawn at random. The times of
the first eight are changed as the row says; those of the others are as recorded. A row has the
shares of first players with each verdict. Where the rules say that puzzles are solved on the
screen, those who entered a finished solution are accused as well.

    python benchmarks/audit_results.py
"""

import argparse
from typing import NamedTuple

import numpy as np

from nando.games.evidence.results import audit_results
from nando.games.results import Result, ResultLog
from nando.rating import load_model
from nando.rating.fitting.training import logged_times
from nando.stages import counted

FINDINGS = ("unlike", "entered", "undecided", "person")
SIZES = (10, 20)
PLAYERS, CHANGED = 20, 8


class Games(NamedTuple):
    """Games of a player: seconds, predicted seconds, digits to enter; and a generator."""

    seconds: np.ndarray
    predicted: np.ndarray
    digits: np.ndarray
    rng: np.random.Generator

    def typed(self, low=0.5, high=1.0):
        """Return the seconds of typing the solutions, at some seconds a digit."""
        return self.digits * self.rng.uniform(low, high, len(self.digits))

    def hardest(self, share):
        """Return whether a puzzle is among the hardest."""
        return self.predicted >= np.quantile(self.predicted, 1 - share)

    def first(self, n):
        """Return whether a game is among the first."""
        return np.arange(len(self.seconds)) < n


EASY = "an expert, a third of the time, on easy puzzles"
HONEST = {
    "as recorded": lambda g: g.seconds,
    "a slow player, three times as slow": lambda g: 3 * g.seconds,
    "an expert, a third of the time": lambda g: g.seconds / 3,
    EASY: lambda g: g.seconds / 3,
    "restarts half-way, and so does the clock": lambda g: (
        g.seconds * g.rng.choice([1, 0.5], g.digits.shape)
    ),
    "two pauses of hours": lambda g: g.seconds + 9000 * g.first(2),
    "rounded to minutes": lambda g: 60 * np.maximum(1, np.rint(g.seconds / 60)),
    "rounded to five minutes": lambda g: 300 * np.ceil(g.seconds / 300),
    "on paper while the clock runs, then typed": lambda g: g.seconds + g.typed(),
    "on paper before the clock starts": lambda g: g.typed(0.5, 1.8),
    "the harder half on paper before the clock starts": lambda g: np.where(
        g.hardest(0.5), g.typed(0.5, 1.8), g.seconds
    ),
    "all opened at once, solved one by one": lambda g: g.seconds.cumsum(),
    "two people in turn, one twice as fast": lambda g: (
        g.seconds / (1 + np.arange(len(g.seconds)) % 2)
    ),
    "a lucky guess, a third of the time": lambda g: np.where(g.first(1), g.seconds / 3, g.seconds),
    "practice, from 1.5 to 0.7 of the time": lambda g: (
        g.seconds * np.linspace(1.5, 0.7, len(g.seconds))
    ),
    "three wrong solutions": lambda g: np.where(g.first(3), np.nan, g.seconds),
}
CHEATS = {
    "a program, pasted in 3 s": lambda g: np.full(g.digits.shape, 3.0),
    "a program, typed": lambda g: g.typed(),
    "a program for the harder half, typed": lambda g: np.where(
        g.hardest(0.5), g.typed(), g.seconds
    ),
    "a program for the hardest, pasted in 3 s": lambda g: np.where(g.hardest(0.01), 3.0, g.seconds),
    "a program for the hardest, typed": lambda g: np.where(g.hardest(0.01), g.typed(), g.seconds),
    "a program for the harder half, in 3 to 5 minutes": lambda g: np.where(
        g.hardest(0.5), g.rng.uniform(180, 300, g.digits.shape), g.seconds
    ),
    "ten minutes for each": lambda g: g.rng.uniform(590, 610, g.digits.shape),
    "times drawn from 3 to 15 minutes": lambda g: g.rng.uniform(180, 900, g.digits.shape),
    "times drawn about the predicted ones": lambda g: (
        g.predicted * g.rng.lognormal(0, 0.3, g.digits.shape)
    ),
}


class Known:
    """The ratings of the log's puzzles, as a model that looks them up."""

    def __init__(self, puzzles, model):
        self.known = {rating.puzzle.text: rating for rating in model.rate(puzzles)}

    def rate(self, puzzles, n_jobs=None):
        """Return the ratings of puzzles."""
        del n_jobs
        return [self.known[puzzle.text] for puzzle in puzzles]


def main() -> None:
    """Print a row for each way."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", type=int, default=10)
    options = parser.parse_args()
    log = logged_times()
    known = Known(log.puzzles, load_model().without("phone"))
    ratings = known.rate(log.puzzles)
    predicted = np.array([rating.predicted for rating in ratings])
    seconds = np.array(log.values)
    digits = np.array([np.count_nonzero(one.givens == 0) for one in log.puzzles])
    rated = np.flatnonzero([not rating.flags for rating in ratings])
    easy = rated[predicted[rated] < np.quantile(predicted[rated], 1 / 3)]

    def table(name, size, rng):
        """Return a table of results, whose first players have the changed times."""
        log_of_table = ResultLog()
        for player in range(PLAYERS):
            from_easy = name == EASY and player < CHANGED
            own = rng.choice(easy if from_easy else rated, size, replace=False)
            times = seconds[own]
            if player < CHANGED:
                times = ways[name](Games(times, predicted[own], digits[own], rng))
            log_of_table.results += [
                Result("", str(player), log.puzzles[i], float(max(1, round(time))), int(digits[i]))
                for i, time in zip(own.tolist(), times.tolist(), strict=True)
                if np.isfinite(time)
            ]
        return log_of_table

    print("who | results | unlike a person | entered | too little to tell | a person")
    ways = {**HONEST, **CHEATS}
    for name in counted(ways, "ways", len(ways)):
        for size in SIZES:
            rng = np.random.default_rng(size)
            found = []
            for _ in range(options.tables):
                audits = audit_results(table(name, size, rng), model=known)
                found += [one.finding for one in audits if int(one.player) < CHANGED]
            shares = " | ".join(f"{np.mean(np.array(found) == one):.0%}" for one in FINDINGS)
            print(f"{name} | {size} | {shares}", flush=True)


if __name__ == "__main__":
    main()
