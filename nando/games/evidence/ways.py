"""Ways to cheat, which an audit must detect, and honest ways of playing, of which it accuses none.

Each way takes a game that was played honestly on the screen and returns the game that a cheat, or
another honest player, would have logged on the same puzzle. None is used in fitting.

The family of an adversary names the related programs of the audit, which are left out to measure
how well the audit detects an unknown program.

Most honest people solve on the screen. Others solve on paper and type the solution in, take turns,
scan the grid like a machine, or have the app fill in what is left.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.arrays import Cells, Floats
from nando.games.fill_order import choices_of, place_coefficients
from nando.games.game import Game
from nando.games.kinds import ladder_places, solver_places
from nando.games.people import paces
from nando.games.people.players import STRATEGIES, play
from nando.puzzles import Sudoku, Variant, blanks_of
from nando.solvers import Annealing, BruteForce, Refutation
from nando.solvers.people.fills.houses import SUDOKU
from nando.solvers.people.fills.moments import NAKED, fill, first_moment, look

_DELAY = 1.0
_TYPING_DELAY = 0.7
_BURST = 8
_JITTER = 3.0
"""Standard deviation, in places, of the disturbance of an order."""
_CONSULTED_DELAY = 4.0
_SINGLE = {
    **dict.fromkeys(("box_single", "row_single", "column_single"), 1e10),
    "naked_single": 1e10,
    "further_ways": -1e10,
}
"""A strict preference for a single at a glance, regardless of the number of ways to see it."""

Order = Callable[[Game, np.random.Generator], Cells]
Delays = Callable[[Game, Cells, np.random.Generator], Floats]


class Adversary(NamedTuple):
    """A simulated way to cheat.

    Attributes
    ----------
    family : str
        As in :data:`nando.games.evidence.sudoku_programs.PROGRAMS`; empty if no program is
        related.
    make : callable
        Takes an honest game and a generator; returns the cheat's game.
    """

    family: str
    make: Callable[[Game, np.random.Generator], Game]


# ------------------------------------------------------------------ delays


def _own(game: Game, _cells: Cells, rng: np.random.Generator) -> Floats:
    """Return the honest player's delays, shuffled."""
    return rng.permutation(delays_of(game))


def _typist(_game: Game, cells: Cells, rng: np.random.Generator) -> Floats:
    return lognormal(len(cells), rng, _TYPING_DELAY, 0.3)


def _constant(_game: Game, cells: Cells, _rng: np.random.Generator) -> Floats:
    return np.full(len(cells), _DELAY)


def _lognormal_own(game: Game, cells: Cells, rng: np.random.Generator) -> Floats:
    """Draw lognormal delays with the honest player's mean and spread."""
    logs = np.log(delays_of(game))
    return np.asarray(np.exp(rng.normal(logs.mean(), logs.std(), len(cells))))


def _human_like(game: Game, cells: Cells, rng: np.random.Generator) -> Floats:
    """Draw delays with the honest player's mean and spread, slower for less visible cells."""
    assert isinstance(game.puzzle, Sudoku)
    difficulty = paces.difficulty(SUDOKU.replay(game.puzzle, game.solution, cells))
    hard = difficulty.search + difficulty.effort
    shape = (hard - hard.mean()) / max(float(hard.std()), 1e-9)
    logs = np.log(delays_of(game))
    noise = rng.normal(0.0, 1.0, len(cells))
    return np.asarray(np.exp(logs.mean() + logs.std() * (0.6 * shape + 0.8 * noise)))


# ------------------------------------------------------------------ orders


def row_by_row(game: Game, _rng: np.random.Generator) -> Cells:
    """Return the cells of a game row by row."""
    return np.sort(game.cells)


def digit_by_digit(game: Game, _rng: np.random.Generator) -> Cells:
    """Return the cells of a game digit by digit."""
    return game.cells[np.lexsort((game.cells, game.solution[game.cells]))]


def at_random(game: Game, rng: np.random.Generator) -> Cells:
    """Return the cells of a game in random order."""
    return rng.permutation(game.cells)


def _ladder(game: Game, rng: np.random.Generator) -> Cells:
    assert isinstance(game.puzzle, Sudoku | Variant)
    return _sort_by(game, ladder_places(game.puzzle, 1, rng))


def _jitter_ladder(game: Game, rng: np.random.Generator) -> Cells:
    """Return the order of the ladder, with every fill moved some places earlier or later."""
    cells = _ladder(game, rng)
    return cells[np.argsort(np.arange(len(cells)) + rng.normal(0.0, _JITTER, len(cells)))]


def _brute_force(game: Game, rng: np.random.Generator) -> Cells:
    return _sort_by(game, solver_places(BruteForce(), game.puzzle, 1, rng))


def _annealing(game: Game, rng: np.random.Generator) -> Cells:
    return Annealing().run(game.puzzle, rng=rng).trace["cell"].astype(np.int16)


def _sisus(game: Game, rng: np.random.Generator) -> Cells:
    return Refutation().run(game.puzzle, rng=rng).trace["cell"].astype(np.int16)


def _strictly(preferences: Mapping[str, float]) -> Order:
    """Fill the most preferred open cell; break ties row by row."""
    strictly = {"row": -1e5, "column": -1e3, **preferences}

    def order(game: Game, rng: np.random.Generator) -> Cells:
        strict = place_coefficients(strictly, game.puzzle.kind)
        sample = choices_of(game.puzzle.kind).sample
        return np.asarray(sample(game.puzzle, game.solution, strict, 1, rng)[0])

    return order


def _sort_by(game: Game, places: Floats) -> Cells:
    blanks = blanks_of(game.puzzle)
    return blanks[np.argsort(places[blanks], kind="stable")].astype(np.int16)


# ------------------------------------------------------------------ in part honest


def half_typed(game: Game, rng: np.random.Generator) -> Game:
    """Return a game whose first half is honest and whose rest is typed row by row."""
    half = len(game.cells) // 2
    cells = np.concatenate([game.cells[:half], np.sort(game.cells[half:])])
    delays = delays_of(game)
    delays[half:] = lognormal(len(cells) - half, rng, _TYPING_DELAY, 0.3)
    return with_fills(game, cells, delays)


def copy_bursts(game: Game, rng: np.random.Generator) -> Game:
    """Return the honest game with two bursts of digits copied row by row."""
    cells, delays = game.cells.copy(), delays_of(game)
    n_bursts = min(2, len(cells) // (2 * _BURST))
    starts = rng.choice(max(len(cells) // _BURST, 1), size=n_bursts, replace=False) * _BURST
    for start in starts.tolist():
        burst = slice(start, start + _BURST)
        later = np.sort(rng.permutation(cells[start:])[:_BURST])
        rest = cells[start:][~np.isin(cells[start:], later)]
        cells[start:] = np.concatenate([later, rest])
        delays[burst] = lognormal(len(delays[burst]), rng, _TYPING_DELAY, 0.3)
    return with_fills(game, cells, delays)


def second_device(game: Game, rng: np.random.Generator) -> Game:
    """Return the honest game, with a copied cell whenever no single is left."""
    assert isinstance(game.puzzle, Sudoku)
    moment = first_moment(game.puzzle)
    left, own = game.cells.tolist(), delays_of(game).tolist()
    cells, delays = [], []
    while left:
        look(moment, game.puzzle.layout, game.solution)
        stuck = not moment.ways[left].any()
        place = int(rng.integers(len(left))) if stuck else 0
        cell, delay = left.pop(place), own.pop(place)
        fill(moment, game.puzzle.layout, cell, int(game.solution[cell]))
        cells.append(cell)
        copied = float(lognormal(1, rng, _CONSULTED_DELAY, 0.3)[0])
        delays.append(copied if stuck else delay)
    return with_fills(game, np.array(cells), np.array(delays))


def replay_relabelled(game: Game, rng: np.random.Generator) -> Game:
    """Replay another person's game, move by move, on the same puzzle with other digits."""
    assert isinstance(game.puzzle, Sudoku)
    relabel = np.concatenate([[0], 1 + rng.permutation(game.puzzle.size)]).astype(np.int8)
    puzzle = type(game.puzzle).from_values(relabel[game.puzzle.givens])
    return replace(game, puzzle=puzzle, solution=relabel[game.solution])


# ------------------------------------------------------------------ all of them


def _of(family: str, order: Order, delays: Delays) -> Adversary:
    def make(game: Game, rng: np.random.Generator) -> Game:
        cells = order(game, rng)
        return with_fills(game, cells, delays(game, cells, rng))

    return Adversary(family, make)


ADVERSARIES: Mapping[str, Adversary] = {
    "row by row": _of("typing", row_by_row, _typist),
    "row by row, human delays": _of("typing", row_by_row, _own),
    "random": _of("random", at_random, _typist),
    "fewest candidates": _of("search", _strictly({"log_candidates": -1e8}), _own),
    "brute force": _of("search", _brute_force, _own),
    "annealing": _of("search", _annealing, _own),
    "SiSuS, constant delays": _of("singles", _sisus, _constant),
    "SiSuS, lognormal delays": _of("singles", _sisus, _lognormal_own),
    "SiSuS, human-like delays": _of("singles", _sisus, _human_like),
    "first single": _of("scan", _strictly(_SINGLE), _own),
    "nearest single": _of("locality", _strictly({**_SINGLE, "distance": -1e8}), _own),
    "logic ladder, constant delays": _of("ladder", _ladder, _constant),
    "logic ladder, human-like delays": _of("ladder", _ladder, _human_like),
    "logic ladder with jitter": _of("ladder", _jitter_ladder, _human_like),
    "half typed": Adversary("typing", half_typed),
    "copied bursts": Adversary("typing", copy_bursts),
    "second device when stuck": Adversary("random", second_device),
    "relabelled replay": Adversary("", replay_relabelled),
}
"""Every adversary by name. Human delays are those of the honest player, shuffled. Human-like delays
are drawn, and are longer for cells that are harder to see."""


def delays_of(game: Game) -> Floats:
    """Return the seconds before each fill, at least 0.05."""
    return np.maximum(np.diff(game.seconds, prepend=0.0), 0.05)


def lognormal(count: int, rng: np.random.Generator, median: float, spread: float) -> Floats:
    """Draw lognormal delays; `spread` is the standard deviation of their logarithms."""
    return np.asarray(median * np.exp(rng.normal(0.0, spread, count)))


def with_fills(game: Game, cells: NDArray[np.integer], delays: Floats) -> Game:
    """Return a game on the same puzzle with other cells and delays."""
    return replace(game, cells=np.asarray(cells, np.int16)).with_seconds(np.cumsum(delays))


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
                fill(moment, game.puzzle.layout, at, int(game.solution[at]))
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


def _let_app_fill(game: Game, _rng: np.random.Generator) -> Game:
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
    "last digits filled by the app": _let_app_fill,
}
"""Honest ways of playing: what a person would have logged who found the cells of a game."""
