"""Simulate games of honest players.

Every look and every entry takes time. Players pause, slip, correct, guess and lose their way.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from nando.games.game import Game
from nando.games.people.attention import ATTENTION, Board, cells_of, foci
from nando.games.people.strategies import Player
from nando.puzzles import Sudoku
from nando.solvers import unique_solution
from nando.solvers.people.fills.moments import UNSUPPORTED, fill

_MOST_ROUNDS = 25
_PATIENCE = 1.3
"""Factor by which the probability to find a cell increases in each round without a find."""
_STUCK_LOOKS = 40.0


def play(
    puzzle: Sudoku, player: Player, rng: np.random.Generator, *, name: str = "", account: str = ""
) -> Game:
    """Simulate a game of a player.

    Parameters
    ----------
    puzzle : Sudoku
    player : Player
    rng : numpy.random.Generator
    name, account : str
        Names of the game and of its player.

    Raises
    ------
    PuzzleError
        If the puzzle does not have exactly one solution.
    """
    solution = unique_solution(puzzle)
    board = Board(puzzle, solution, player)
    n_blanks = int(np.count_nonzero(puzzle.givens == 0))
    cells: list[int] = []
    seconds: list[float] = []
    now = 0.0

    def enter(cell: int, wait: float) -> None:
        nonlocal now
        now += wait
        if rng.random() < player.pauses:
            now += player.pause_seconds * float(np.exp(rng.normal(0, 1)))
        cells.append(cell)
        seconds.append(now)
        fill(board.moment, cell, int(solution[cell]))
        board.last = cell

    while len(cells) < n_blanks:
        board.look()
        if player.switches and rng.random() < player.switches:
            board.player = replace(player, attention=str(rng.choice(list(ATTENTION))))
            board.begin_anew()
        due = [item for item in board.wrong if item[1] <= len(cells)]
        if due or not len(board.open_cells):
            item = (due or board.wrong)[0]
            board.wrong.remove(item)
            enter(item[0], _entry(player, rng) * 2)
            continue
        fills, looks = _search(board, rng)
        for i, cell in enumerate(fills):
            wait = _entry(player, rng)
            if i == 0:
                wait += player.look_seconds * looks * float(np.exp(rng.normal(0, player.spread)))
            if rng.random() < player.slips:
                board.wrong.append((cell, len(cells) + int(rng.integers(1, 12))))
                now += wait
                continue
            enter(cell, wait)
            board.look()
    return Game(
        name, account, puzzle, solution, np.array(cells, np.int16), np.round(np.array(seconds), 3)
    )


def _entry(player: Player, rng: np.random.Generator) -> float:
    return player.entry_seconds * float(np.exp(rng.normal(0, 0.3)))


def _search(board: Board, rng: np.random.Generator) -> tuple[list[int], float]:
    """Return the cells that are found next, and the number of looks."""
    player, open_cells = board.player, board.open_cells
    if rng.random() < player.guesses:
        return [int(rng.choice(open_cells))], float(rng.integers(1, 10))
    batch = 1 + (int(rng.poisson(player.batch - 1)) if player.batch > 1 else 0)
    looks, patience = 0.0, 1.0
    for round_ in range(_MOST_ROUNDS):
        for focus in foci(board, rng, first=round_ == 0):
            cells = cells_of(board, focus, open_cells)
            looks += 1.0 + 0.4 * len(cells)
            if player.marks_pairs and focus[0] == "digit":
                _mark_pairs(board, cells, focus[1] + 1, rng)
            if rng.random() >= player.tidy:
                rng.shuffle(cells)
            fills = [
                cell
                for cell in cells
                if rng.random() < min(1.0, patience * board.chance(cell, focus[0]))
            ][:batch]
            if fills:
                board.settle(focus)
                return fills, looks
        patience *= _PATIENCE
        if round_ >= 3 and not board.moment.ways[open_cells].any():
            break
    return [_after_long_thought(board, open_cells, rng)], looks + _STUCK_LOOKS


def _mark_pairs(board: Board, cells: list[int], digit: int, rng: np.random.Generator) -> None:
    for cell in cells:
        box = board.houses_of(cell)[2]
        within = board.moment.candidates[board.layout.houses[box]]
        if np.count_nonzero(within >> (digit - 1) & 1) == 2 and rng.random() < 0.9:
            board.pairs.add((box, digit))


def _after_long_thought(
    board: Board, open_cells: NDArray[np.intp], rng: np.random.Generator
) -> int:
    """Return a cell that the easiest further technique fills, or else one with few candidates."""
    support = board.moment.support[open_cells]
    if support.min() < UNSUPPORTED:
        return int(rng.choice(open_cells[support == support.min()]))
    candidates = np.array([int(mask).bit_count() for mask in board.moment.candidates[open_cells]])
    return int(rng.choice(open_cells[candidates == candidates.min()]))
