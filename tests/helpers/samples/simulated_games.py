"""Games of honest players, simulated or drawn from the shipped models, on puzzles of each kind."""

import csv
from functools import cache

import numpy as np

from helpers.samples.nurikabe_boards import EASY
from helpers.samples.sudokus import EXAMPLES
from nando.games import STRATEGIES, Game, load_auditor, load_fill_order, play
from nando.puzzles import Variant
from nando.solvers import unique_solution

CAGES = Variant(
    "6x6+killer:r1c1r1c2r2c2r3c2:13+killer:r1c3r2c3:8+killer:r1c4:6+killer:r1c5r1c6r2c6r3c6:16"
    "+killer:r2c1r3c1:3+killer:r2c4r2c5:5+killer:r3c3r3c4:7+killer:r3c5r4c5r4c6:10"
    "+killer:r4c1r5c1r5c2r5c3:10+killer:r4c2r4c3r4c4:12+killer:r5c4r5c5:11+killer:r5c6r6c6:6"
    "+killer:r6c1r6c2r6c3:15+killer:r6c4r6c5:4"
)


@cache
def auditor():
    return load_auditor()


@cache
def puzzles(count):
    """Return different puzzles: the examples and shuffled copies of them."""
    rng = np.random.default_rng(7)
    examples = EXAMPLES[:8]
    return tuple(examples[i % len(examples)].shuffled(rng) for i in range(count))


KINDS = {"sudoku": puzzles(1)[0], "nurikabe": EASY, "variant": CAGES}
"""A puzzle of each kind."""


@cache
def honest_games(count, seed=0):
    """Return games of one account that follow its strategies in turn."""
    rng = np.random.default_rng(seed)
    draws = list(STRATEGIES.values())
    return tuple(
        play(puzzle, draws[i % len(draws)](rng), rng, name=str(i), account="ada")
        for i, puzzle in enumerate(puzzles(count))
    )


def game_of(puzzle, cells, *, name="1", player="ada", only=None):
    """Return a game at 0.8 s for each of some cells; `only` one value of the solution, if any."""
    solution = unique_solution(puzzle)
    cells = np.asarray(cells)[puzzle.givens[cells] == 0]
    if only is not None:
        cells = cells[solution[cells] == only]
    moves = [(800 * (k + 1), int(cell), int(solution[cell])) for k, cell in enumerate(cells)]
    return Game.from_moves(puzzle, moves, name=name, player=player)


def drawn_games(puzzle, count, model=None, *, seed=4):
    """Return games of two players in turn, drawn from a model, the shipped one by default."""
    model = model or load_fill_order(kind=puzzle.kind)
    rng = np.random.default_rng(seed)
    return [
        game_of(puzzle, model.sample_order(puzzle, rng), name=str(i), player="ab"[i % 2])
        for i in range(count)
    ]


def rows_of(game):
    """Return the rows of a game in a log."""
    head = {"game": game.name, "player": game.player, "puzzle": game.puzzle.text}
    return [
        head | {"t_ms": round(1000 * seconds), "cell": cell, "value": int(game.solution[cell])}
        for seconds, cell in zip(game.seconds, game.cells.tolist(), strict=True)
    ]


def write_rows(path, rows):
    """Write rows as CSV, and return the path."""
    rows = list(rows)
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    return path


def write_log(path, games):
    """Write games as a log, and return its path."""
    return write_rows(path, [row for game in games for row in rows_of(game)])
