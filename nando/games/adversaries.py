"""Simulated games that no person thought through: what an audit has to tell from honest ones.

Each adversary takes an honest game and gives the game a cheat would have logged on the same
puzzle. None of them is used in fitting; the family says which programs of the audit it is kin to,
and these are left out when its detection is reported.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.games.fill_order import FillOrderModel
from nando.games.log import Game
from nando.games.orders import PROGRAMS
from nando.puzzles import Sudoku
from nando.solvers import Annealing, BruteForce, Refutation

Make = Callable[[Game, np.random.Generator], Game]

_DELAY = 1.0
_TYPING_DELAY = 0.7
_BURST = 8


class Adversary(NamedTuple):
    """A way to cheat.

    Attributes
    ----------
    family : str
        As in :data:`nando.rating.PROGRAMS`; empty where no program is kin to it.
    make : callable
        Takes an honest game and a generator; gives the cheat's game.
    """

    family: str
    make: Make


def row_by_row(game: Game, rng: np.random.Generator) -> Game:
    """The solution typed row by row, with delays of a typist."""
    cells = np.sort(game.cells)
    return _game(game, cells, _lognormal(len(cells), rng, _TYPING_DELAY, 0.3))


def at_random(game: Game, rng: np.random.Generator) -> Game:
    """The solution entered in random order, with delays of a typist."""
    cells = rng.permutation(game.cells)
    return _game(game, cells, _lognormal(len(cells), rng, _TYPING_DELAY, 0.3))


def fewest_candidates(game: Game, rng: np.random.Generator) -> Game:
    """The order in which exact search branches, with the person's own delays shuffled."""
    return _game(game, _program_order(game, "fewest candidates", rng), _shuffled(game, rng))


def brute_force(game: Game, rng: np.random.Generator) -> Game:
    """The cell list of the thesis's brute force, with the person's own delays shuffled."""
    cells = BruteForce().run(game.puzzle, rng=rng).trace["cell"]
    return _game(game, cells, _shuffled(game, rng))


def annealing(game: Game, rng: np.random.Generator) -> Game:
    """The last swaps of simulated annealing, with the person's own delays shuffled."""
    cells = Annealing().run(game.puzzle, rng=rng).trace["cell"]
    return _game(game, cells, _shuffled(game, rng))


def first_single(game: Game, rng: np.random.Generator) -> Game:
    """Always the first single, row by row, with the person's own delays shuffled."""
    return _game(game, _program_order(game, "first single", rng), _shuffled(game, rng))


def nearest_single(game: Game, rng: np.random.Generator) -> Game:
    """Always a single near the last fill, with the person's own delays shuffled."""
    return _game(game, _program_order(game, "nearest single", rng), _shuffled(game, rng))


def sisus_constant(game: Game, rng: np.random.Generator) -> Game:
    """The order of SiSuS with constant delays."""
    cells = Refutation().run(game.puzzle, rng=rng).trace["cell"]
    return _game(game, cells, np.full(len(cells), _DELAY))


def sisus_lognormal(game: Game, rng: np.random.Generator) -> Game:
    """The order of SiSuS with lognormal delays of the person's own mean and spread."""
    cells = Refutation().run(game.puzzle, rng=rng).trace["cell"]
    logs = np.log(_delays(game))
    return _game(game, cells, np.exp(rng.normal(logs.mean(), logs.std(), len(cells))))


def sisus_shaped(game: Game, rng: np.random.Generator) -> Game:
    """The order of SiSuS, slow where few cells can be filled: delays shaped by difficulty."""
    trace = Refutation().run(game.puzzle, rng=rng).trace
    logs = np.log(_delays(game))
    hardness = np.where(trace["options"] > 0, -np.log(np.maximum(trace["options"], 1)), 1.5)
    shape = (hardness - hardness.mean()) / max(hardness.std(), 1e-9)
    noise = rng.normal(0.0, 1.0, len(trace))
    shaped = logs.mean() + logs.std() * (0.6 * shape + 0.8 * noise)
    return _game(game, trace["cell"], np.exp(shaped))


def half_typed(game: Game, rng: np.random.Generator) -> Game:
    """The first half honest, the rest typed row by row."""
    half = len(game.cells) // 2
    cells = np.concatenate([game.cells[:half], np.sort(game.cells[half:])])
    delays = _delays(game)
    delays[half:] = _lognormal(len(cells) - half, rng, _TYPING_DELAY, 0.3)
    return _game(game, cells, delays)


def copied_bursts(game: Game, rng: np.random.Generator) -> Game:
    """Honest, but for two bursts of digits copied row by row from elsewhere."""
    cells, delays = game.cells.copy(), _delays(game)
    n_bursts = min(2, len(cells) // (2 * _BURST))
    starts = rng.choice(max(len(cells) // _BURST, 1), size=n_bursts, replace=False) * _BURST
    for start in starts.tolist():
        burst = slice(start, start + _BURST)
        later = np.sort(rng.permutation(cells[start:])[:_BURST])
        rest = cells[start:][~np.isin(cells[start:], later)]
        cells[start:] = np.concatenate([later, rest])
        delays[burst] = _lognormal(len(delays[burst]), rng, _TYPING_DELAY, 0.3)
    return _game(game, cells, delays)


def relabelled_replay(game: Game, rng: np.random.Generator) -> Game:
    """Another person's game replayed, move by move, on the same puzzle with other digits."""
    assert isinstance(game.puzzle, Sudoku)
    size = game.puzzle.size
    relabel = np.concatenate([[0], 1 + rng.permutation(size)]).astype(np.int8)
    puzzle = type(game.puzzle).from_values(relabel[game.puzzle.givens])
    return Game(game.name, game.player, puzzle, relabel[game.solution], game.cells, game.seconds)


ADVERSARIES: Mapping[str, Adversary] = {
    "row by row": Adversary("typing", row_by_row),
    "random": Adversary("random", at_random),
    "fewest candidates": Adversary("search", fewest_candidates),
    "brute force": Adversary("search", brute_force),
    "annealing": Adversary("search", annealing),
    "SiSuS, constant delays": Adversary("singles", sisus_constant),
    "SiSuS, lognormal delays": Adversary("singles", sisus_lognormal),
    "SiSuS, shaped delays": Adversary("singles", sisus_shaped),
    "first single": Adversary("scan", first_single),
    "nearest single": Adversary("locality", nearest_single),
    "half typed": Adversary("typing", half_typed),
    "copied bursts": Adversary("typing", copied_bursts),
    "relabelled replay": Adversary("", relabelled_replay),
}
"""Every adversary by name."""


def _program_order(game: Game, name: str, rng: np.random.Generator) -> NDArray[np.int16]:
    return FillOrderModel(PROGRAMS[name].coefficients).sample_order(game.puzzle, rng)


def _delays(game: Game) -> NDArray[np.float64]:
    """Seconds before each fill, at least a twentieth."""
    return np.maximum(np.diff(game.seconds, prepend=0.0), 0.05)


def _shuffled(game: Game, rng: np.random.Generator) -> NDArray[np.float64]:
    return rng.permutation(_delays(game))


def _lognormal(
    count: int, rng: np.random.Generator, median: float, spread: float
) -> NDArray[np.float64]:
    return np.asarray(median * np.exp(rng.normal(0.0, spread, count)))


def _game(game: Game, cells: NDArray[np.integer], delays: NDArray[np.float64]) -> Game:
    return Game(
        game.name,
        game.player,
        game.puzzle,
        game.solution,
        np.asarray(cells, np.int16),
        np.cumsum(delays),
    )
