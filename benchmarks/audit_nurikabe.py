"""Judge Nurikabe by people and by programs, whichever colours they enter.

Every player of the collection is left out of the population that judges. Games are judged as they
were played, and without most of their white cells, as of people who mark the river only.

Run: python benchmarks/audit_nurikabe.py  (the data set nurikabe_janko must be there)
"""

import sys
from dataclasses import replace

import numpy as np

from nando.evaluation.strangers import LeftOut
from nando.games.audit import Auditor
from nando.games.evidence.standards import LEAST_FILLS, p_value_of
from nando.games.kinds import logic_places
from nando.games.training import honest_games
from nando.puzzles.nurikabe import BLACK

TOGETHER = 6
SHARES = {"both colours": 1.0, "half of the white": 0.5, "a tenth": 0.1, "the river only": 0.0}


def entered(game, share, rng):
    """The game with a share of its white cells."""
    kept = (game.solution[game.cells] == BLACK) | (rng.random(len(game.cells)) < share)
    return replace(game, cells=game.cells[kept], seconds=game.seconds[kept], waits=None)


def orders(puzzle, rng):
    """Places of the cells, by the name of the program."""
    n_rows, n_columns = puzzle.shape
    cell = np.arange(n_rows * n_columns)
    row, column = np.divmod(cell, n_columns)
    return {
        "row by row": cell,
        "column by column": column * n_rows + row,
        "rows from the end": -cell,
        "chess-board": (row + column) % 2 * len(cell) + cell,
        "random": rng.random(len(cell)),
        "logic ladder": logic_places(puzzle, 1, rng),
    }


def scores(auditor, games):
    """P-values of games where the rules demand the screen, and of every six of them together."""
    log_odds = [max(one.log_odds, one.off_screen_odds) for one in auditor.read(games)]
    together = [
        sum(log_odds[i : i + TOGETHER]) for i in range(0, len(games) - TOGETHER + 1, TOGETHER)
    ]
    return [p_value_of(value) for value in log_odds], [p_value_of(value) for value in together]


def line(name, p_values):
    """Print the share of p-values of at most 0.01."""
    single, together = (np.concatenate(values) for values in zip(*p_values, strict=True))
    n_single, n_together = (int((values <= 0.01).sum()) for values in (single, together))
    share = 100 * n_single / len(single)
    print(
        f"{name:42}{len(single):5} games {share:5.1f} %  "
        f"{n_together:3} of {len(together)} players with {TOGETHER} games",
        flush=True,
    )


def main():
    """Print both tables."""
    left_out = LeftOut(honest_games("nurikabe").games)
    later = left_out.new_games()
    auditors = {name: Auditor(left_out.population(name)) for name in later}
    print("people, p at most 0.01")
    for how, share in SHARES.items():
        rng = np.random.default_rng(0)
        p_values = []
        for name, games in later.items():
            some = [entered(game, share, rng) for game in games]
            p_values.append(
                scores(auditors[name], [game for game in some if len(game.cells) >= LEAST_FILLS])
            )
        line(how, p_values)
    print("programs, p at most 0.01")
    name = max(later, key=lambda player: len(later[player]))
    for how, share in (("both colours", 1.0), ("the river only", 0.0)):
        rng = np.random.default_rng(0)
        games = {}
        for game in later[name]:
            blanks = np.flatnonzero(game.puzzle.givens == 0)
            for program, places in orders(game.puzzle, rng).items():
                cells = blanks[np.argsort(places[blanks], kind="stable")].astype(np.int16)
                whole = replace(game, cells=cells, seconds=np.zeros(len(cells)), waits=None)
                games.setdefault(program, []).append(entered(whole, share, rng))
        for program, played in games.items():
            line(f"{program}, {how}", [scores(auditors[name], played)])


if __name__ == "__main__":
    sys.exit(main())
