"""Honest ways of playing, of which an audit must accuse none.

Most people solve on the screen. Others solve on paper and type the solution in, take turns, scan
the grid like a machine, or have the app fill in what is left. Each way takes a game that was played
on the screen and returns the game that an honest player would have logged on the same puzzle.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np

from nando.arrays import Cells
from nando.games.evidence.adversaries import (
    Order,
    at_random,
    delays_of,
    digit_by_digit,
    lognormal,
    row_by_row,
    with_fills,
)
from nando.games.game import Game
from nando.games.people.playing import play
from nando.games.people.strategies import STRATEGIES
from nando.puzzles import Sudoku
from nando.solvers.people.fills.moments import NAKED, fill, first_moment, look

Way = Callable[[Game, np.random.Generator], Game]

_ENTRY_SECONDS = 1.1
_SITTINGS = 3
_HOURS = 7200.0


def _from_paper(order: Order, *, sittings: int = 1, share: float = 1.0) -> Way:
    """Solve on paper what is left after a share on the screen, then type it in."""

    def make(game: Game, rng: np.random.Generator) -> Game:
        n = len(game.cells)
        first = n - round(share * n)
        later = order(replace(game, cells=game.cells[first:]), rng)
        cells = np.concatenate([game.cells[:first], later])
        delays = delays_of(game)
        silence = delays[first:].sum()
        delays[first:] = lognormal(n - first, rng, _ENTRY_SECONDS, 0.35)
        delays[first] += silence
        for start in range(1, sittings):
            delays[first + start * (n - first) // sittings] += _HOURS
        return with_fills(game, cells, delays)

    return make


def _waiting(game: Game, rng: np.random.Generator) -> Game:
    delays = delays_of(game)
    delays[int(rng.integers(1, len(delays)))] += _HOURS
    return with_fills(game, game.cells, delays)


def _fast(game: Game, _rng: np.random.Generator) -> Game:
    return with_fills(game, game.cells, 0.35 * delays_of(game))


def _two_people(game: Game, rng: np.random.Generator) -> Game:
    """Let two people take turns at one screen, each with an order of attention of their own."""
    assert isinstance(game.puzzle, Sudoku)
    draws = list(STRATEGIES.values())
    first, other = (draws[i](rng) for i in rng.choice(len(draws), 2, replace=False))
    halves = [play(game.puzzle, who, rng) for who in (first, other)]
    rest = [list(half.cells) for half in halves]
    waits = [list(delays_of(half)) for half in halves]
    cells, delays = [], []
    while rest[0]:
        who = int(rng.integers(2))
        cell, wait = rest[who].pop(0), waits[who].pop(0)
        place = rest[1 - who].index(cell)
        rest[1 - who].pop(place)
        waits[1 - who].pop(place)
        cells.append(cell)
        delays.append(wait / 2)
    return with_fills(game, np.array(cells), np.array(delays))


def _scan(see: int) -> Way:
    """Go through the cells from left to right, again and again, and fill each single."""

    def make(game: Game, rng: np.random.Generator) -> Game:
        assert isinstance(game.puzzle, Sudoku)
        moment, left, at = first_moment(game.puzzle), set(game.cells.tolist()), -1
        cells, delays, looks, patience = [], [], 0, 0
        while left:
            look(moment, game.puzzle.layout, game.solution)
            ahead = [c for c in sorted(left) if c > at] or sorted(left)
            at = ahead[0]
            looks, patience = looks + 1, patience + 1
            if patience > len(left):
                # A whole round without a single: think, until an easiest technique helps.
                easiest = min(moment.support[cell] for cell in left)
                at = int(rng.choice([c for c in sorted(left) if moment.support[c] == easiest]))
            if moment.ways[at] & see or patience > len(left):
                fill(moment, at, int(game.solution[at]))
                left.discard(at)
                cells.append(at)
                entry, looking = lognormal(2, rng, 1.0, 0.4).tolist()
                delays.append(entry + 0.7 * looks * looking)
                looks = patience = 0
        return with_fills(game, np.array(cells), np.array(delays))

    return make


def _marks_first(game: Game, rng: np.random.Generator) -> Game:
    """Enter the marks of the whole grid first, then fill the cells with one candidate."""
    assert isinstance(game.puzzle, Sudoku)
    player = STRATEGIES["full pencil marks"](rng)
    played = play(game.puzzle, replace(player, look_seconds=0.2, naked=1.0), rng)
    delays = delays_of(played)
    delays[0] += 3.0 * len(delays)
    return with_fills(game, played.cells, delays)


def _filled_by_the_app(game: Game, _rng: np.random.Generator) -> Game:
    delays = delays_of(game)
    delays[-9:] = 0.03
    return with_fills(game, game.cells, delays)


def _column_by_column(game: Game, _rng: np.random.Generator) -> Cells:
    row, column = np.divmod(game.cells, game.puzzle.shape[1])
    return game.cells[np.lexsort((row, column))]


def _box_by_box(game: Game, _rng: np.random.Generator) -> Cells:
    assert isinstance(game.puzzle, Sudoku)
    boxes = game.puzzle.layout.house_of[game.cells, 2]
    return game.cells[np.lexsort((game.cells, boxes))]


def _spiral(game: Game, _rng: np.random.Generator) -> Cells:
    size = game.puzzle.shape[0]
    row, column = np.divmod(game.cells.astype(np.int64), size)
    ring = np.minimum.reduce([row, column, size - 1 - row, size - 1 - column])
    angle = np.arctan2(row - (size - 1) / 2, column - (size - 1) / 2)
    return game.cells[np.lexsort((angle, ring))]


HONEST: Mapping[str, Way] = {
    "on the screen": lambda game, _rng: game,
    "on paper, typed row by row": _from_paper(row_by_row),
    "on paper, typed column by column": _from_paper(_column_by_column),
    "on paper, typed box by box": _from_paper(_box_by_box),
    "on paper, typed digit by digit": _from_paper(digit_by_digit),
    "on paper, typed in a spiral": _from_paper(_spiral),
    "on paper, typed anyhow": _from_paper(at_random),
    "half on the screen, the rest on paper": _from_paper(row_by_row, share=0.5),
    "on paper, typed in three sittings": _from_paper(row_by_row, sittings=_SITTINGS),
    "two people at one screen": _two_people,
    "resumed after hours": _waiting,
    "a fast expert": _fast,
    "scanning from left to right": _scan(255),
    "scanning for naked singles": _scan(NAKED),
    "all pencil marks first": _marks_first,
    "last digits filled by the app": _filled_by_the_app,
}
"""Honest ways of playing: what a person would have logged who found the cells of a game."""
