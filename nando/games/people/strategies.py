"""Honest players, simulated: the strategies that players' guides teach, played by attention.

A player looks at one thing at a time (a digit, a house, a cell), in an order that the strategy
says, and finds what is there with a chance that depends on how it is to be seen. Every look takes
time, so do entries; players pause, slip, correct, guess and lose their way. Nothing of this is a
choice among cells by their features: the simulation shares no formula with the population that an
audit compares people with, which it is there to check.

Sources: the guides of sudopedia (cross-hatching, full houses, counting), of T. Snyder (marks of
pairs in boxes) and of A. Stuart (full pencil marks); Pelanek 2014 for random looking.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from nando.games.game import Game
from nando.puzzles import Sudoku, Values
from nando.solvers import unique_solution
from nando.solvers.people.sudoku.moments import (
    IN_BOX,
    IN_COLUMN,
    IN_ROW,
    NAKED,
    UNSUPPORTED,
    Moment,
    fill,
    first_moment,
    look,
)

_LINES = IN_ROW | IN_COLUMN
_MOST_ROUNDS = 25
_PATIENCE = 1.3
"""A player who found nothing looks harder in the next round, by this factor."""
_STUCK_LOOKS = 40.0


@dataclass(frozen=True)
class Player:
    """One honest player.

    Attributes
    ----------
    attention : str
        What is gone through in search of a cell, a name of `ATTENTION`.
    last, box, line, naked, locked : float
        Chances to find, at a look, the last cell of a house, a hidden single of a box, of a line, a
        naked single, and a cell that takes locked candidates or pairs.
    stays : float
        Chance to go on with what was just worked on.
    follows : float
        Chance to look first at the houses and the digit of the last fill.
    tidy : float
        Chance to look at the cells of one thing in reading order, and not in any.
    marks_pairs : bool
        Whether pairs of places in boxes are marked, and followed up when one is taken.
    switches : float
        Chance at each fill to change to another way of looking.
    guesses : float
        Share of fills that nothing on the board tells.
    batch : float
        Mean number of cells that are found before they are entered.
    look_seconds, entry_seconds : float
    spread : float
        Of the logarithm of the time of a search.
    pauses, pause_seconds : float
        Share of fills with a pause before them, and its typical length.
    slips : float
        Share of fills that are wrong at first, and set right later.
    """

    attention: str
    last: float
    box: float
    line: float
    naked: float
    locked: float
    stays: float
    look_seconds: float
    entry_seconds: float
    spread: float
    follows: float = 0.0
    tidy: float = 0.7
    marks_pairs: bool = False
    switches: float = 0.0
    guesses: float = 0.0
    batch: float = 1.0
    pauses: float = 0.02
    pause_seconds: float = 30.0
    slips: float = 0.02


class _Board:
    """A game in progress, as far as the player's attention has got."""

    def __init__(self, puzzle: Sudoku, solution: Values, player: Player) -> None:
        self.layout = puzzle.layout
        self.solution = solution
        self.moment: Moment = first_moment(puzzle)
        self.player = player
        self.last = -1
        self.at = {"digit": 0, "house": 0, "cell": -1}
        self.pairs: set[tuple[int, int]] = set()
        self.wrong: list[tuple[int, int]] = []
        """Cells with a wrong digit, and the number of fills after which it is noticed."""

    def look(self) -> None:
        look(self.moment, self.layout, self.solution)

    @property
    def open_cells(self) -> NDArray[np.intp]:
        held = [cell for cell, _ in self.wrong]
        free = np.flatnonzero(self.moment.values == 0)
        return free[~np.isin(free, held)] if held else free

    def houses_of(self, cell: int) -> list[int]:
        return [int(house) for house in self.layout.house_of[cell]]

    def emptiness(self, cell: int) -> int:
        return min(int(self.moment.empties[house]) for house in self.houses_of(cell))

    def chance(self, cell: int, kind: str) -> float:
        """Chance that a look of a kind at a cell finds it."""
        player, ways = self.player, int(self.moment.ways[cell])
        if not ways:
            return player.locked if self.moment.support[cell] != UNSUPPORTED else 0.0
        if self.emptiness(cell) == 1:
            return player.last
        found = 0.0
        if ways & IN_BOX:
            found = player.box
        if ways & _LINES:
            found = max(found, player.line)
        hidden = 0.1 if kind == "cell" else 1.0
        counted = 0.15 if kind == "digit" else 1.0
        naked = player.naked * (1.0 if self.emptiness(cell) <= 3 else 0.6) * counted
        return max(found * hidden, naked if ways & NAKED else 0.0)


Focus = tuple[str, int]
"""What is looked at: a digit from 0, a house, or a cell."""


def _digits(board: _Board, _rng: np.random.Generator) -> Iterator[Focus]:
    size = board.layout.size
    return (("digit", (board.at["digit"] + i) % size) for i in range(size))


def _placed_digits(board: _Board, rng: np.random.Generator) -> Iterator[Focus]:
    placed = board.moment.digit_placed
    order = np.argsort(-placed + 0.8 * rng.random(len(placed)), kind="stable")
    return (("digit", int(digit)) for digit in order)


def _houses(first: int) -> Callable[[_Board, np.random.Generator], Iterator[Focus]]:
    def houses(board: _Board, _rng: np.random.Generator) -> Iterator[Focus]:
        size = board.layout.size
        start = board.at["house"]
        return (("house", first * size + (start + i) % size) for i in range(size))

    return houses


def _full_houses(board: _Board, rng: np.random.Generator) -> Iterator[Focus]:
    empties = board.moment.empties
    order = np.argsort(empties + 0.9 * rng.random(len(empties)))
    return (("house", int(house)) for house in order)


def _crowded_cells(board: _Board, rng: np.random.Generator) -> Iterator[Focus]:
    cells = board.open_cells
    crowd = np.array([sum(board.moment.empties[h] for h in board.houses_of(c)) for c in cells])
    near = np.zeros(len(cells))
    if board.last >= 0:
        row, column = divmod(board.last, board.layout.size)
        near = np.hypot(cells // board.layout.size - row, cells % board.layout.size - column)
    order = np.argsort(crowd + 0.7 * near + 2.0 * rng.random(len(cells)))
    return (("cell", int(cells[i])) for i in order)


def _marked_cells(board: _Board, _rng: np.random.Generator) -> Iterator[Focus]:
    cells = board.open_cells
    ahead = cells > board.at["cell"]
    return (("cell", int(cell)) for cell in np.concatenate([cells[ahead], cells[~ahead]]))


def _anything(board: _Board, rng: np.random.Generator) -> Iterator[Focus]:
    size = board.layout.size
    for _ in range(12):
        kind = rng.choice(["digit", "house", "cell"], p=[0.4, 0.45, 0.15])
        count = {"digit": size, "house": 3 * size, "cell": size * size}[str(kind)]
        yield str(kind), int(rng.integers(count))


ATTENTION: Mapping[str, Callable[[_Board, np.random.Generator], Iterator[Focus]]] = {
    "digits": _digits,
    "placed digits": _placed_digits,
    "rows": _houses(0),
    "columns": _houses(1),
    "boxes": _houses(2),
    "full houses": _full_houses,
    "crowded cells": _crowded_cells,
    "marked cells": _marked_cells,
    "anything": _anything,
}
"""What is gone through in search of a cell, by name."""


def play(
    puzzle: Sudoku, player: Player, rng: np.random.Generator, *, name: str = "", account: str = ""
) -> Game:
    """A game of a player.

    Parameters
    ----------
    puzzle : Sudoku
    player : Player
    rng : numpy.random.Generator
    name, account : str
        Of the game, and of its player.

    Raises
    ------
    PuzzleError
        Where the puzzle has not exactly one solution.
    """
    solution = unique_solution(puzzle)
    board = _Board(puzzle, solution, player)
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
            board.at = {"digit": 0, "house": 0, "cell": -1}
        due = [item for item in board.wrong if item[1] <= len(cells)]
        if due or not len(board.open_cells):
            item = (due or board.wrong)[0]
            board.wrong.remove(item)
            enter(item[0], _entry(player, rng) * 2)
            continue
        found, looks = _search(board, rng)
        for i, cell in enumerate(found):
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


def _search(board: _Board, rng: np.random.Generator) -> tuple[list[int], float]:
    """Cells that are found next, and how many looks that took."""
    player, open_cells = board.player, board.open_cells
    if rng.random() < player.guesses:
        return [int(rng.choice(open_cells))], float(rng.integers(1, 10))
    wanted = 1 + (int(rng.poisson(player.batch - 1)) if player.batch > 1 else 0)
    looks, patience = 0.0, 1.0
    for round_ in range(_MOST_ROUNDS):
        for focus in _foci(board, rng, first=round_ == 0):
            cells = _cells_of(board, focus, open_cells)
            looks += 1.0 + 0.4 * len(cells)
            if player.marks_pairs and focus[0] == "digit":
                _mark_pairs(board, cells, focus[1] + 1, rng)
            if rng.random() >= player.tidy:
                rng.shuffle(cells)
            found = [
                cell
                for cell in cells
                if rng.random() < min(1.0, patience * board.chance(cell, focus[0]))
            ][:wanted]
            if found:
                _settle(board, focus)
                return found, looks
        patience *= _PATIENCE
        if round_ >= 3 and not board.moment.ways[open_cells].any():
            break
    return [_after_long_thought(board, open_cells, rng)], looks + _STUCK_LOOKS


def _foci(board: _Board, rng: np.random.Generator, *, first: bool) -> Iterator[Focus]:
    player, last = board.player, board.last
    if last >= 0 and first:
        if player.marks_pairs and rng.random() < 0.9:
            for cell in board.open_cells.tolist():
                box, digit = board.houses_of(cell)[2], int(board.solution[cell])
                new = int(board.moment.seen_since[cell]) == int(board.moment.history[2])
                if new and (box, digit) in board.pairs:
                    yield "house", box
        if rng.random() < player.stays and "focus" in board.at:
            yield ("digit", "house", "cell")[board.at["focus"]], board.at["number"]
        if rng.random() < player.follows:
            for kind in rng.permutation(3):
                yield "house", board.houses_of(last)[kind]
            yield "digit", int(board.solution[last]) - 1
    yield from ATTENTION[player.attention](board, rng)


def _cells_of(board: _Board, focus: Focus, open_cells: NDArray[np.intp]) -> list[int]:
    kind, number = focus
    if kind == "digit":
        return [int(cell) for cell in open_cells if board.solution[cell] == number + 1]
    if kind == "house":
        within = board.layout.houses[number]
        return [int(cell) for cell in within if cell in open_cells]
    return [number] if number in open_cells else []


def _settle(board: _Board, focus: Focus) -> None:
    """Remember where the search has got to."""
    kind, number = focus
    board.at["focus"], board.at["number"] = ("digit", "house", "cell").index(kind), number
    board.at[kind] = number % board.layout.size if kind == "house" else number


def _mark_pairs(board: _Board, cells: list[int], digit: int, rng: np.random.Generator) -> None:
    for cell in cells:
        box = board.houses_of(cell)[2]
        within = board.moment.candidates[board.layout.houses[box]]
        if np.count_nonzero(within >> (digit - 1) & 1) == 2 and rng.random() < 0.9:
            board.pairs.add((box, digit))


def _after_long_thought(
    board: _Board, open_cells: NDArray[np.intp], rng: np.random.Generator
) -> int:
    """A cell that the least further technique fills, or else one with few candidates."""
    support = board.moment.support[open_cells]
    if support.min() < UNSUPPORTED:
        return int(rng.choice(open_cells[support == support.min()]))
    candidates = np.array([int(mask).bit_count() for mask in board.moment.candidates[open_cells]])
    return int(rng.choice(open_cells[candidates == candidates.min()]))


def _anybody(attention: str, rng: np.random.Generator) -> Player:
    """A player of middling skill, drawn."""
    return Player(
        attention,
        last=rng.beta(12, 1),
        box=rng.beta(8, 2),
        line=rng.beta(3, 3),
        naked=rng.beta(2, 4),
        locked=0.5 * rng.beta(1, 6),
        stays=rng.beta(6, 2),
        look_seconds=float(np.exp(rng.normal(np.log(0.5), 0.5))),
        entry_seconds=float(np.exp(rng.normal(np.log(1.0), 0.4))),
        spread=rng.uniform(0.3, 0.8),
        tidy=rng.beta(4, 2),
        pauses=rng.beta(1, 40),
        slips=rng.beta(1, 40),
    )


def _beginner(rng: np.random.Generator) -> Player:
    player = _anybody("anything", rng)
    return replace(
        player,
        box=0.5 * player.box,
        line=0.4 * player.line,
        naked=0.3 * player.naked,
        look_seconds=2 * player.look_seconds,
        entry_seconds=1.7 * player.entry_seconds,
        pauses=0.05,
        slips=0.08,
        guesses=rng.uniform(0.02, 0.12),
    )


def _flawless(attention: str, rng: np.random.Generator) -> Player:
    """A player who misses nothing and keeps to one way."""
    player = _anybody(attention, rng)
    return replace(
        player, last=1.0, box=1.0, line=1.0, naked=1.0, stays=1.0, slips=0.0, tidy=rng.beta(1, 1)
    )


Draw = Callable[[np.random.Generator], Player]

STRATEGIES: Mapping[str, Draw] = {
    "digit by digit": lambda rng: _anybody("digits", rng),
    "placed digits first": lambda rng: _anybody("placed digits", rng),
    "box by box": lambda rng: _anybody("boxes", rng),
    "row by row": lambda rng: _anybody("rows", rng),
    "column by column": lambda rng: _anybody("columns", rng),
    "full houses": lambda rng: _anybody("full houses", rng),
    "marked pairs": lambda rng: replace(_anybody("placed digits", rng), marks_pairs=True),
    "counting candidates": lambda rng: replace(
        _anybody("crowded cells", rng), naked=rng.beta(12, 2)
    ),
    "full pencil marks": lambda rng: replace(
        _anybody("marked cells", rng), naked=rng.beta(20, 1), box=0.5, line=0.3
    ),
    "looking anywhere": lambda rng: _anybody("anything", rng),
    "round the last fill": lambda rng: replace(_anybody("anything", rng), follows=0.9),
    "beginner": _beginner,
    "in batches": lambda rng: replace(_anybody("boxes", rng), batch=rng.uniform(2, 5)),
    "switching": lambda rng: replace(_anybody("digits", rng), switches=0.06),
    "flawless boxes": lambda rng: _flawless("boxes", rng),
    "flawless digits": lambda rng: _flawless("digits", rng),
}
"""Strategies of honest players, by name: each draws a player who follows it."""
