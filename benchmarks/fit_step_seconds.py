"""Fit the seconds of the ladder race to the logged moves, and write them beside the models.

Printed is how well simulated solves tell the length of games held out by puzzle.

Run: python benchmarks/fit_step_seconds.py (needs the Sudoku Insight logs)
"""

import json
from pathlib import Path

import numpy as np
from scipy.stats import spearmanr

from nando import __version__, features
from nando.datasets import DATASETS
from nando.games.log import read_games
from nando.games.step_seconds import FillTable, fill_table, fit_ladder_race, to_record
from nando.rating.classes import grouped_folds
from nando.solvers.protocol import spawned

FILE = Path(features.__file__).parent / "step_seconds.json"


def together(tables):
    """One table of several."""
    return FillTable(*(np.concatenate(columns) for columns in zip(*tables, strict=True)))


def main():
    """Fit, cross-validate and write."""
    data = DATASETS["sudoku_insight"][0]
    log = read_games(data.path(data.files[0].name))
    games = [game for game in log.games if game.finished]
    tables = [fill_table([game]) for game in games]
    keys = [game.puzzle.equivalence_key() for game in games]
    logs = np.log([game.seconds[-1] for game in games])
    held_out = np.empty_like(logs)
    for train, test in grouped_folds(keys, len(games), 10, seed=0):
        race = fit_ladder_race(together([tables[i] for i in train]))
        for i in test:
            profile = race.profile(games[i].puzzle, rng=spawned(0, int(i)))
            held_out[i] = np.log(profile.total)
    scores = {
        "Pearson on log": round(float(np.corrcoef(held_out, logs)[0, 1]), 4),
        "Spearman": round(float(spearmanr(held_out, logs).statistic), 4),
    }
    print(f"{len(games):,} games, held out by puzzle: {scores}")
    race = fit_ladder_race(together(tables), games)
    provenance = {
        "data": data.provenance(),
        "games": len(games),
        "fills": int(sum(len(game.cells) for game in games)),
        "nando": __version__,
        "scores": scores,
    }
    FILE.write_text(json.dumps(to_record(race, provenance), indent=1) + "\n", encoding="utf-8")
    print(race)


if __name__ == "__main__":
    main()
