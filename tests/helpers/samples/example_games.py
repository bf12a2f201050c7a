"""Simulated games on the example puzzles, as a page exports them.

``python -m helpers.samples.example_games``, in the folder ``tests``, writes ``examples/games.csv``
again.
"""

import csv
import io
from pathlib import Path

import numpy as np

from helpers.pages.played_pages import Player, page_of
from nando.games import load_fill_order
from nando.puzzles import read_puzzles
from nando.solvers import unique_solution

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
PLAYERS = {"ada": 7.0, "ben": 11.0}
"""Median seconds to a fill."""
N_PUZZLES = 5


def write():
    puzzles = [entry.puzzle for entry in read_puzzles(EXAMPLES / "puzzles.txt")][-N_PUZZLES:]
    model, rng, player = load_fill_order(), np.random.default_rng(7), Player()
    rows = []
    for name, pace in PLAYERS.items():
        script, now = [], 0.0
        for number, puzzle in enumerate(puzzles):
            solution = unique_solution(puzzle)
            script += [{"at": now, "do": "open", "puzzle": number}, {"at": now, "do": "start"}]
            script.append({"at": now, "do": "record", "event": {"e": "start"}})
            for cell in model.sample_order(puzzle, rng).tolist():
                now += 1000 * rng.lognormal(np.log(pace), 0.9)
                event = {"e": "value", "c": [cell], "v": int(solution[cell])}
                script.append({"at": now, "do": "record", "event": event})
            now += 60_000
        found = player("play", page=page_of(*puzzles), player=name, deeds=script)
        head, *games = csv.reader(io.StringIO(found["csv"]))
        rows += games if rows else [head, *games]
    player.close()
    with open(EXAMPLES / "games.csv", "w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)


if __name__ == "__main__":
    write()
