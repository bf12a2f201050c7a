"""Compare the pauses of people and of cheats with how hard each fill is.

For each game, the seconds before a fill are correlated by rank with the scarcity of visible cells
and with the difficulty of the filled cell, as a z-score. For six games of a player, the scores are
added and divided by the root of 6. The honest games are those of the Sudoku Insight log and of all
simulated strategies; the cheats have the honest player's delays, shuffled or drawn, with or without
regard to the fill.

Run: python benchmarks/audit_times.py  (the data set sudoku_insight must be there; two minutes)
"""

import sys

import numpy as np
from scipy.stats import spearmanr

from nando.games.evidence.ways import ADVERSARIES
from nando.games.people import paces
from nando.games.people.fitting import strategy_games
from nando.games.training import honest_games
from nando.solvers.people.fills.sudoku import replay

CHEATS = ("SiSuS, lognormal delays", "row by row, human delays", "logic ladder, human-like delays")
TOGETHER = 6
LEAST = 15
"""Delays of a game that is counted."""


def z_score(game):
    """The rank correlation of delays with the difficulty of fills, NaN for too few delays."""
    difficulty = paces.difficulty(replay(game.puzzle, game.solution, game.cells))
    known = np.isfinite(game.delays) & (game.delays > 0.05)
    hard = (difficulty.search + difficulty.effort)[known]
    if len(hard) < LEAST or np.ptp(hard) == 0:
        return np.nan
    rho = spearmanr(hard, game.delays[known])[0]
    return np.arctanh(np.clip(rho, -0.99, 0.99)) * np.sqrt(len(hard) - 3)


def print_line(name, games):
    """Print the scores of some games of one player."""
    scores = np.array([z_score(game) for game in games])
    scores = scores[np.isfinite(scores)]
    sets = scores[: len(scores) // TOGETHER * TOGETHER].reshape(-1, TOGETHER)
    six = sets.sum(axis=1) / np.sqrt(TOGETHER)
    low, middle = np.quantile(scores, [0.01, 0.5])
    print(
        f"{name:32}{len(scores):6}{low:8.2f}{middle:8.2f}{six.min():10.2f}{six.max():8.2f}",
        flush=True,
    )


def main():
    """Print a line for each player and each cheat."""
    print(f"{'':32}{'games':>6}{'1 %':>8}{'50 %':>8}{'six: min':>10}{'max':>8}")
    games = honest_games("sudoku").games[::8]
    print_line("the player of the log", games)
    rng = np.random.default_rng(0)
    for name in CHEATS:
        print_line(name, [ADVERSARIES[name].make(game, rng) for game in games[:80]])
    puzzles = [game.puzzle for game in games]
    for name, played in strategy_games(puzzles, n_games=30, seed=3).items():
        print_line(name, played)


if __name__ == "__main__":
    sys.exit(main())
