"""Honest players of the strategies that players' guides teach, and their simulated games.

A player looks at digits, houses or cells in an order of attention. A look finds a cell with a
probability that depends on how the cell can be seen. Every look and every entry takes time. Players
pause, slip, correct, guess and lose their way. The simulation does not choose among cells by their
features. It shares no formula with the population of the audit, because its purpose is to check
that population.

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
from nando.solvers.people.fills import moments


@dataclass(frozen=True)
class Player:
    """One honest player.

    Attributes
    ----------
    attention : str
        Order of attention in search of a cell, a name in
        `nando.games.people.players.ATTENTION`.
    last, box, line, naked, locked : float
        Probabilities to find, at a look, the last cell of a house, a hidden single of a box, a
        hidden single of a line, a naked single, and a cell that needs locked candidates or pairs.
    stays : float
        Probability to continue with the object of the last look.
    follows : float
        Probability to look first at the houses and the digit of the last fill.
    tidy : float
        Probability to look at the cells of one object in reading order instead of a random order.
    marks_pairs : bool
        Whether the player marks pairs of places in boxes, and uses a mark when one place is filled.
    switches : float
        Probability at each fill to change to another order of attention.
    guesses : float
        Share of fills that do not follow from the board.
    batch : float
        Mean number of cells that are found before the player enters them.
    look_seconds, entry_seconds : float
    spread : float
        Standard deviation of the logarithm of the time of a search.
    pauses, pause_seconds : float
        Share of fills after a pause, and the typical length of a pause.
    slips : float
        Share of fills that are wrong at first and corrected later.
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


def _anybody(attention: str, rng: np.random.Generator) -> Player:
    """Draw a player of average skill."""
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
    """Return a player who misses nothing and never changes the order of attention."""
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
"""Strategies of honest players, by name; each function draws a player who follows it."""


_LINES = moments.IN_ROW | moments.IN_COLUMN

Focus = tuple[str, int]
"""The object of a look: a digit from 0, a house, or a cell."""


class Board:
    """A game in progress, with the state of the player's attention."""

    def __init__(self, puzzle: Sudoku, solution: Values, player: Player) -> None:
        self.layout = puzzle.layout
        self.solution = solution
        self.moment: moments.Moment = moments.first_moment(puzzle)
        self.player = player
        self.last = -1
        self.begin_anew()
        self.pairs: set[tuple[int, int]] = set()
        self.wrong: list[tuple[int, int]] = []
        """Cells with a wrong digit, and the number of fills after which the player notices it."""

    def begin_anew(self) -> None:
        """Forget the position of the search."""
        self.at = {"digit": 0, "house": 0, "cell": -1}
        self.focus: Focus | None = None

    def settle(self, focus: Focus) -> None:
        """Remember the position of the search."""
        kind, number = focus
        self.focus = focus
        self.at[kind] = number % self.layout.size if kind == "house" else number

    def look(self) -> None:
        """Update the cells that can be filled now, and how."""
        moments.look(self.moment, self.layout, self.solution)

    @property
    def open_cells(self) -> NDArray[np.intp]:
        """Cells without a right or wrong digit."""
        held = [cell for cell, _ in self.wrong]
        free = np.flatnonzero(self.moment.values == 0)
        return free[~np.isin(free, held)] if held else free

    def houses_of(self, cell: int) -> list[int]:
        """Return the row, column and box of a cell."""
        return [int(house) for house in self.layout.house_of[cell]]

    def emptiness(self, cell: int) -> int:
        """Return the number of empty cells in the fullest house of a cell."""
        return min(int(self.moment.empties[house]) for house in self.houses_of(cell))

    def chance(self, cell: int, kind: str) -> float:
        """Return the probability that a look of a kind at a cell finds it."""
        player, ways = self.player, int(self.moment.ways[cell])
        if not ways:
            return player.locked if self.moment.support[cell] != moments.UNSUPPORTED else 0.0
        if self.emptiness(cell) == 1:
            return player.last
        total = 0.0
        if ways & moments.IN_BOX:
            total = player.box
        if ways & _LINES:
            total = max(total, player.line)
        hidden = 0.1 if kind == "cell" else 1.0
        counted = 0.15 if kind == "digit" else 1.0
        naked = player.naked * (1.0 if self.emptiness(cell) <= 3 else 0.6) * counted
        return max(total * hidden, naked if ways & moments.NAKED else 0.0)


def _digits(board: Board, _rng: np.random.Generator) -> Iterator[Focus]:
    size = board.layout.size
    return (("digit", (board.at["digit"] + i) % size) for i in range(size))


def _visit_placed_digits(board: Board, rng: np.random.Generator) -> Iterator[Focus]:
    placed = board.moment.digit_placed
    order = np.argsort(-placed + 0.8 * rng.random(len(placed)), kind="stable")
    return (("digit", int(digit)) for digit in order)


def _houses(first: int) -> Callable[[Board, np.random.Generator], Iterator[Focus]]:
    def houses(board: Board, _rng: np.random.Generator) -> Iterator[Focus]:
        size = board.layout.size
        start = board.at["house"]
        return (("house", first * size + (start + i) % size) for i in range(size))

    return houses


def _full_houses(board: Board, rng: np.random.Generator) -> Iterator[Focus]:
    empties = board.moment.empties
    order = np.argsort(empties + 0.9 * rng.random(len(empties)))
    return (("house", int(house)) for house in order)


def _visit_crowded_cells(board: Board, rng: np.random.Generator) -> Iterator[Focus]:
    cells = board.open_cells
    crowd = np.array([sum(board.moment.empties[h] for h in board.houses_of(c)) for c in cells])
    near = np.zeros(len(cells))
    if board.last >= 0:
        row, column = divmod(board.last, board.layout.size)
        near = np.hypot(cells // board.layout.size - row, cells % board.layout.size - column)
    order = np.argsort(crowd + 0.7 * near + 2.0 * rng.random(len(cells)))
    return (("cell", int(cells[i])) for i in order)


def _visit_marked_cells(board: Board, _rng: np.random.Generator) -> Iterator[Focus]:
    cells = board.open_cells
    ahead = cells > board.at["cell"]
    return (("cell", int(cell)) for cell in np.concatenate([cells[ahead], cells[~ahead]]))


def _anything(board: Board, rng: np.random.Generator) -> Iterator[Focus]:
    size = board.layout.size
    for _ in range(12):
        kind = rng.choice(["digit", "house", "cell"], p=[0.4, 0.45, 0.15])
        count = {"digit": size, "house": 3 * size, "cell": size * size}[str(kind)]
        yield str(kind), int(rng.integers(count))


ATTENTION: Mapping[str, Callable[[Board, np.random.Generator], Iterator[Focus]]] = {
    "digits": _digits,
    "placed digits": _visit_placed_digits,
    "rows": _houses(0),
    "columns": _houses(1),
    "boxes": _houses(2),
    "full houses": _full_houses,
    "crowded cells": _visit_crowded_cells,
    "marked cells": _visit_marked_cells,
    "anything": _anything,
}
"""Orders of attention in search of a cell, by name."""


def foci(board: Board, rng: np.random.Generator, *, first: bool) -> Iterator[Focus]:
    """Yield the objects of a player's looks in order, in a `first` or a later round."""
    player, last = board.player, board.last
    if last >= 0 and first:
        if player.marks_pairs and rng.random() < 0.9:
            for cell in board.open_cells.tolist():
                box, digit = board.houses_of(cell)[2], int(board.solution[cell])
                new = int(board.moment.seen_since[cell]) == int(board.moment.history[2])
                if new and (box, digit) in board.pairs:
                    yield "house", box
        if rng.random() < player.stays and board.focus is not None:
            yield board.focus
        if rng.random() < player.follows:
            for kind in rng.permutation(3):
                yield "house", board.houses_of(last)[kind]
            yield "digit", int(board.solution[last]) - 1
    yield from ATTENTION[player.attention](board, rng)


def cells_of(board: Board, focus: Focus, open_cells: NDArray[np.intp]) -> list[int]:
    """Return the open cells that a focus covers."""
    kind, number = focus
    if kind == "digit":
        return [int(cell) for cell in open_cells if board.solution[cell] == number + 1]
    if kind == "house":
        within = board.layout.houses[number]
        return [int(cell) for cell in within if cell in open_cells]
    return [number] if number in open_cells else []


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
        moments.fill(board.moment, board.layout, cell, int(solution[cell]))
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
    if support.min() < moments.UNSUPPORTED:
        return int(rng.choice(open_cells[support == support.min()]))
    candidates = np.array([int(mask).bit_count() for mask in board.moment.candidates[open_cells]])
    return int(rng.choice(open_cells[candidates == candidates.min()]))
