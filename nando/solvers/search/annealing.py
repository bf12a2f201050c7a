"""Simulated annealing: random moves, accepted if they lower a cost, otherwise by chance.

On Sudoku each box is filled with a permutation, and a move swaps two cells of a box that are not
given; the cost counts the symbols that rows and columns lack. Two published forms differ in how a
pair is drawn and in how the temperature falls. On Nurikabe a move swaps the colours of a white cell
and a black one, and the cost has four parts.

Source: Lewis 2007 (:meth:`Annealing.lewis`); Krivanek 2011 (:meth:`Annealing.thesis`), chapter 4
for Nurikabe.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, Literal, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from nando.checks import positive, share
from nando.kernels.compile import inlined_kernel, kernel, lean_kernel
from nando.puzzles import Puzzle, Sudoku, Values
from nando.puzzles.frozen import EqualFields
from nando.puzzles.nurikabe import BLACK, WHITE, Nurikabe
from nando.records import Settings, between, setting
from nando.solvers.kinds import part_for
from nando.solvers.nurikabe.cost import ColourBoard, cost_of, new_board
from nando.solvers.protocol import (
    Budget,
    Limit,
    Outcome,
    Rule,
    Seed,
    SolveRun,
    generator,
    median_steps,
    run_often,
    solved_share,
    trace_of,
)

_WARM_UP_MOVES = 100
_STEPS_PER_CALL = 100_000

COST, N_MOVES = range(2)
"""Indices of :attr:`Board.counts`."""


Schedule = tuple[float, float, bool]
"""Factor of the temperature; lowest temperature; True if only accepted moves cool."""


Move = Callable[[float, Schedule, int, NDArray[np.float64]], tuple[bool, float]]
"""Takes a temperature, a schedule, a number of moves, and an array for costs. It tries the moves,
and returns True if one lowered the cost, and the temperature at the end. It ends early at cost 0
and at the lowest temperature. The array receives the costs after the first moves, up to its
length."""


class Board(NamedTuple):
    """A filled board that moves change in place.

    A place is an index into its arrays.
    """

    move: Move
    values: Values
    last_swap: NDArray[np.int64]
    """The move that last changed the value at each place, 0 for none."""
    cost_then: NDArray[np.int64]
    """The cost after that move."""
    counts: NDArray[np.int64]
    """Cost (`COST`); moves so far (`N_MOVES`)."""
    places: NDArray[np.integer]
    """The place of each cell of the puzzle."""
    n_movable: int
    """Number of cells that moves can change."""
    n_free: int
    """Number of cells that are not given."""
    most_steps: int
    """Most moves of a run without a limit."""


@dataclass(frozen=True, eq=False)
class AnnealingProfile(EqualFields):
    """Statistics of many runs of :class:`Annealing` on a puzzle.

    Attributes
    ----------
    steps : float
        Median number of moves; a run that its budget ended counts with the budget.
    solved_share : float
        Share of runs that ended solved.
    order : ndarray of float64, shape (n_cells,)
        Mean rank, from 1, of each cell by its last swap; 0 for givens.
    """

    steps: float
    solved_share: float
    order: NDArray[np.float64]


@dataclass(frozen=True)
class Annealing(Settings):
    """Simulated annealing; see the two presets for the published forms.

    Parameters
    ----------
    cooling : float
        Factor of the temperature, above 0 and below 1.
    start_temperature : float or None
        First temperature, and that after a reheat; None takes the variance of the cost over 100
        moves that are all accepted.
    sweep : int or None
        Moves at one temperature; None is the square of the number of cells that are not given.
    lowest_temperature : float
        Reheat once the temperature is not above this; 0 for never.
    patience : int or None
        Reheat after this number of temperatures in a row without an accepted move that lowered
        the cost; None for never. (If "no improvement" meant "no new best since the last reheat",
        the search would reheat for ever.)
    pick : {"cell", "box"}
        Draw a movable cell and then its partner in the box, or draw the box first; Sudoku only.
    cool_on_accepted : bool
        Let only accepted moves cool; needs a sweep of 1 and no patience.

    Notes
    -----
    Steps are moves tried. The trace has a row for each cell that is not given, ordered by the
    step of its last accepted swap (0 if it never moved); `cost` is the cost after this swap.
    """

    name: ClassVar[str] = "annealing"
    cooling: float = setting(0.99, share)
    start_temperature: float | None = setting(None, positive)
    sweep: int | None = setting(None, between(1))
    lowest_temperature: float = setting(0.0, between(0))
    patience: int | None = setting(20, between(1))
    pick: Literal["cell", "box"] = "cell"
    cool_on_accepted: bool = False

    def check(self) -> None:
        """Reject temperatures and a schedule that contradict each other."""
        if self.start_temperature is not None and not (
            self.start_temperature > self.lowest_temperature
        ):
            raise ValueError(
                f"start_temperature must be above lowest_temperature, "
                f"got {self.start_temperature!r} and {self.lowest_temperature!r}"
            )
        if self.cool_on_accepted and not self._continuous:
            raise ValueError(
                f"cool_on_accepted needs sweep=1 and patience=None, "
                f"got sweep={self.sweep!r} and patience={self.patience!r}"
            )

    @classmethod
    def lewis(cls) -> Self:
        """Return the solver of Lewis 2007.

        It cools by 0.99 after (unfixed cells)^2 moves and reheats when it is frozen.
        """
        return cls()

    @classmethod
    def thesis(cls, *, cool_on_accepted: bool = False) -> Self:
        """Return the solver of Krivanek 2011: cool from 40 by 0.99995 at every move, reheat at 0.1.

        The thesis does not state the lowest temperature; 0.1 makes a cycle of 120,000 moves. It
        mentions cooling at each step and cooling after a change; `cool_on_accepted` is the latter.
        """
        return cls(
            cooling=0.99995,
            start_temperature=40.0,
            sweep=1,
            lowest_temperature=0.1,
            patience=None,
            pick="box",
            cool_on_accepted=cool_on_accepted,
        )

    @classmethod
    def thesis_nurikabe(cls, cooling: float = 0.9999) -> Self:
        """Return the solver of Krivanek 2011, chapter 4: cool at every move by `cooling`.

        The thesis uses 0.99, 0.999 and 0.9999 and does not state the other numbers. A first
        temperature of 40, as for Sudoku, would be far above the costs of Nurikabe, so this starts
        at 10. It reheats at 0.1, as for Sudoku.
        """
        return cls(
            cooling=cooling,
            start_temperature=10.0,
            sweep=1,
            lowest_temperature=0.1,
            patience=None,
        )

    @property
    def _continuous(self) -> bool:
        """True if the temperature falls at every move, inside the kernel."""
        return self.sweep == 1 and self.patience is None

    def run(self, puzzle: Puzzle, *, limit: Limit | None = None, rng: Seed = None) -> SolveRun:
        """Anneal once.

        Without a limit, a run has as many moves as fit into Lewis's time limits, 3 million at order
        3; 1 million on Nurikabe.
        """
        board: Board = part_for(self, puzzle, "board")(puzzle, self.pick, generator(rng))
        outcome = self._anneal(board, limit or Limit(steps=board.most_steps))
        if outcome is Outcome.SOLVED and not puzzle.is_solution(board.values[board.places]):
            outcome = Outcome.STUCK  # givens that conflict, or that no solution could hold
        return _result_of(puzzle, outcome, board)

    def profile(
        self, puzzle: Puzzle, *, runs: int = 100, rng: Seed = None, limit: Limit | None = None
    ) -> AnnealingProfile:
        """Anneal `runs` times.

        Raises
        ------
        ValueError
            If `runs` is below 1.
        """
        done = run_often(self, puzzle, runs, limit, rng)
        order = np.zeros(len(puzzle.givens))
        for run in done:
            order[run.trace["cell"]] += np.arange(1, len(run.trace) + 1)
        return AnnealingProfile(
            steps=median_steps(done),
            solved_share=solved_share(done),
            order=order / runs,
        )

    def _anneal(self, board: Board, limit: Limit) -> Outcome:
        """Run the temperature schedule around the moves."""
        counts = board.counts
        if counts[COST] == 0:
            return Outcome.SOLVED
        if board.n_movable == 0:
            return Outcome.STUCK
        budget = Budget(limit)
        most = budget.most
        steady = (1.0, 0.0, False)
        start = self.start_temperature
        if start is None:
            costs = np.zeros(min(_WARM_UP_MOVES, most))
            board.move(math.inf, steady, len(costs), costs)
            start = max(float(costs.var()) or 1.0, 2.0 * self.lowest_temperature)
        sweep = self.sweep or board.n_free**2
        nothing = np.zeros(0)
        schedule = steady
        if self._continuous:
            # The kernel cools; a sweep is only the time between two checks of the clock.
            schedule = (self.cooling, float(self.lowest_temperature), self.cool_on_accepted)
            sweep = _STEPS_PER_CALL
        temperature, unimproved = start, 0
        while counts[COST] > 0:
            if counts[N_MOVES] >= most:
                return Outcome.STEP_LIMIT
            if budget.late:
                return Outcome.TIME_LIMIT
            moves = min(sweep, most - int(counts[N_MOVES]))
            improved, temperature = board.move(temperature, schedule, moves, nothing)
            unimproved = 0 if improved else unimproved + 1
            if not self._continuous:
                temperature *= self.cooling
            if temperature <= self.lowest_temperature or (
                self.patience is not None and unimproved >= self.patience
            ):
                temperature, unimproved = start, 0
        return Outcome.SOLVED


def _result_of(puzzle: Puzzle, outcome: Outcome, board: Board) -> SolveRun:
    """Return the result of a run: its trace has the cells in the order of their last moves."""
    values = board.values[board.places]
    last_swap = board.last_swap[board.places]
    free = np.flatnonzero(puzzle.givens == 0)
    free = free[np.argsort(last_swap[free], kind="stable")]
    trace = trace_of(
        Rule.SWAP,
        len(free),
        step=last_swap[free],
        cell=free,
        value=values[free],
        cost=board.cost_then[board.places[free]],
    )
    solved = outcome is Outcome.SOLVED
    steps = int(board.counts[N_MOVES])
    return SolveRun(outcome, steps, values if solved else None, trace, int(solved))


_STEPS_OF_ORDER = {3: 3_000_000, 4: 60_000_000, 5: 675_000_000}
"""Lewis's CPU limits of 2, 40 and 450 s at the rate of moves that fits his table best."""


def _tries_of(propose: Any, settle: Any) -> Any:
    """Return the kernel of the moves on boards of one kind.

    Parameters
    ----------
    propose : kernel
        Takes a state and a generator; returns the numbers of two cells, and the change of the cost.
    settle : kernel
        Takes a state, the two numbers, and whether the move is accepted; returns the two places.
    """

    @kernel
    def try_moves(state, rng, temperature, schedule, moves, costs):
        """Try `moves` moves; return True if one lowered the cost, and the temperature at the end.

        `schedule` and `costs` are as for :data:`nando.solvers.search.annealing.Move`.
        """
        factor, lowest, on_accepted = schedule
        counts = state.counts
        improved = False
        for move in range(moves):
            first, second, delta = propose(state, rng)
            counts[N_MOVES] += 1
            accepted = delta <= 0 or rng.random() < math.exp(-delta / temperature)
            places = settle(state, first, second, accepted)
            if accepted:
                counts[COST] += delta
                improved |= delta < 0
                for place in places:
                    state.last_swap[place] = counts[N_MOVES]
                    state.cost_then[place] = counts[COST]
            if move < costs.shape[0]:
                costs[move] = counts[COST]
            if accepted or not on_accepted:
                temperature *= factor
            if counts[COST] == 0 or temperature <= lowest:
                break
        return improved, temperature

    return try_moves


def filled_board(puzzle: Sudoku, pick: str, rng: np.random.Generator) -> Board:
    """Return a Sudoku whose boxes are filled."""
    state = _filled_boxes(puzzle, pick == "box", rng)
    return Board(
        move=partial(_swap_often, state, rng),
        values=state.values,
        last_swap=state.last_swap,
        cost_then=state.cost_then,
        counts=state.counts,
        places=np.arange(len(state.values)),
        n_movable=len(state.movable),
        n_free=int(np.count_nonzero(puzzle.givens == 0)),
        most_steps=_STEPS_OF_ORDER[puzzle.order],
    )


class _Boxes(NamedTuple):
    """Boxes filled with permutations, and how often each line has each symbol."""

    values: NDArray[np.int8]
    row_of: NDArray[np.int16]
    column_of: NDArray[np.int16]
    movable: NDArray[np.int16]
    """Free cells of boxes with two or more."""
    place: NDArray[np.int16]
    """Index of each free cell in the row of its box in ``mates``."""
    mates: NDArray[np.int16]
    """Free cells of each box, shape (size, size): the first ``n_mates`` entries of its row."""
    n_mates: NDArray[np.int16]
    in_row: NDArray[np.int16]
    """Number of times each row has each symbol, shape (size, size)."""
    in_column: NDArray[np.int16]
    """Number of times each column has each symbol, shape (size, size)."""
    box_of: NDArray[np.int16]
    """Row of ``mates`` of each cell; boxes that can move come first."""
    last_swap: NDArray[np.int64]
    cost_then: NDArray[np.int64]
    counts: NDArray[np.int64]
    """Cost; moves so far; boxes that can move."""
    by_box: bool
    """Whether a move draws the box first."""


def _filled_boxes(puzzle: Sudoku, by_box: bool, rng: np.random.Generator) -> _Boxes:
    """Fill the free cells of every box with its missing symbols in random order."""
    layout = puzzle.layout
    size = layout.size
    values = puzzle.givens.copy()
    mates = np.zeros((size, size), np.int16)
    place = np.zeros(layout.n_cells, np.int16)
    n_mates = np.zeros(size, np.int16)
    for number, box in enumerate(layout.houses[2 * size :]):
        empty = box[values[box] == 0]
        missing = np.setdiff1d(np.arange(1, size + 1), values[box])
        # Givens that conflict inside the box leave too many symbols; the cost then stays up.
        values[empty] = rng.permutation(missing)[: len(empty)]
        mates[number, : len(empty)] = empty
        place[empty] = np.arange(len(empty))
        n_mates[number] = len(empty)
    box_of = (layout.house_of[:, 2] - 2 * size).astype(np.int16)
    free = puzzle.givens == 0
    in_row = np.zeros((size, size), np.int16)
    in_column = np.zeros((size, size), np.int16)
    cells = np.arange(layout.n_cells)
    np.add.at(in_row, (cells // size, values - 1), 1)
    np.add.at(in_column, (cells % size, values - 1), 1)
    cost = int((in_row == 0).sum() + (in_column == 0).sum())
    # Boxes that can move come first, so that one of them can be drawn.
    order = np.argsort(n_mates < 2, kind="stable")
    can_move = int((n_mates >= 2).sum())
    rank = np.argsort(order)
    return _Boxes(
        values,
        (cells // size).astype(np.int16),
        (cells % size).astype(np.int16),
        np.flatnonzero(free & (n_mates[box_of] >= 2)).astype(np.int16),
        place,
        mates[order],
        n_mates[order],
        in_row,
        in_column,
        rank[box_of].astype(np.int16),
        np.zeros(layout.n_cells, np.int64),
        np.zeros(layout.n_cells, np.int64),
        np.array([cost, 0, can_move], np.int64),
        by_box,
    )


@inlined_kernel
def _propose_swap(state, rng):
    """Draw two cells of a box, and return them and the change of the cost."""
    first, second = _draw_pair(state, rng)
    return first, second, _change_of_cost(state, first, second)


@inlined_kernel
def _settle_swap(state, first, second, accepted):
    """Swap two cells if the move is accepted; return them."""
    if accepted:
        _swap(state, first, second)
    return first, second


_swap_often = _tries_of(_propose_swap, _settle_swap)


@inlined_kernel
def _draw_pair(state, rng):
    """Return two free cells of a box: draw the box first, or the first of the cells."""
    if state.by_box:
        box = int(rng.random() * state.counts[2])
        n = int(state.n_mates[box])
        i = int(rng.random() * n)
    else:
        cell = int(state.movable[int(rng.random() * state.movable.shape[0])])
        box = int(state.box_of[cell])
        n = int(state.n_mates[box])
        i = int(state.place[cell])
    j = int(rng.random() * (n - 1))
    if j >= i:
        j += 1
    return int(state.mates[box, i]), int(state.mates[box, j])


@inlined_kernel
def _change_of_cost(state, first, second):
    """Return the change of the cost if two cells swap their symbols."""
    a, b = int(state.values[first]) - 1, int(state.values[second]) - 1
    in_row, in_column = state.in_row, state.in_column
    row_a, row_b = int(state.row_of[first]), int(state.row_of[second])
    column_a, column_b = int(state.column_of[first]), int(state.column_of[second])
    delta = 0
    if row_a != row_b:
        delta += _change(in_row[row_a, a], in_row[row_a, b])
        delta += _change(in_row[row_b, b], in_row[row_b, a])
    if column_a != column_b:
        delta += _change(in_column[column_a, a], in_column[column_a, b])
        delta += _change(in_column[column_b, b], in_column[column_b, a])
    return delta


@inlined_kernel
def _swap(state, first, second):
    """Swap the symbols of two cells, and update the counts of their lines."""
    a, b = int(state.values[first]) - 1, int(state.values[second]) - 1
    in_row, in_column = state.in_row, state.in_column
    row_a, row_b = int(state.row_of[first]), int(state.row_of[second])
    column_a, column_b = int(state.column_of[first]), int(state.column_of[second])
    state.values[first] = b + 1
    state.values[second] = a + 1
    in_row[row_a, a] -= 1
    in_row[row_a, b] += 1
    in_row[row_b, b] -= 1
    in_row[row_b, a] += 1
    in_column[column_a, a] -= 1
    in_column[column_a, b] += 1
    in_column[column_b, b] -= 1
    in_column[column_b, a] += 1


@inlined_kernel
def _change(lost, gained):
    """Return the change of the number of symbols that a line lacks after a swap.

    `lost` and `gained` are how often the line had the symbol that it loses, and that it gains.
    """
    return int(lost == 1) - int(gained == 0)


# Annealing moves on Nurikabe: swap the colours of a white cell and a black one

_MOST_STEPS = 1_000_000


def coloured_board(puzzle: Nurikabe, pick: str, rng: np.random.Generator) -> Board:
    """Return a coloured Nurikabe; `pick` is not used, since there is one way to pick cells."""
    del pick
    state = drawn_colouring(puzzle, rng)
    n_free = len(state.free)
    return Board(
        move=partial(swap_colours, state, rng),
        values=state.board.colour,
        last_swap=state.last_swap,
        cost_then=state.cost_then,
        counts=state.counts,
        places=state.board.cells,
        n_movable=0 if state.n_white in (0, n_free) else n_free,
        n_free=n_free,
        most_steps=_MOST_STEPS,
    )


class Colouring(NamedTuple):
    """A coloured board and the cells that may change."""

    board: ColourBoard
    free: NDArray[np.int32]
    """Places without a number; if the number of white cells is known, the white ones come first."""
    n_white: int
    """Number of white places in `free`; -1 if it is unknown, and a move changes one cell."""
    last_swap: NDArray[np.int64]
    """The move that last changed each place."""
    cost_then: NDArray[np.int64]
    """The cost after that move."""
    counts: NDArray[np.int64]
    """Cost (`COST`); moves so far (`N_MOVES`)."""


def drawn_colouring(puzzle: Nurikabe, rng: np.random.Generator) -> Colouring:
    """Return a colouring with white numbers and as many random white cells as a solution has."""
    board = new_board(puzzle)
    blank = np.asarray(puzzle.numbers) == 0
    free = rng.permutation(board.cells[blank])
    board.colour[board.cells] = WHITE
    if puzzle.n_white is None:
        n_white = -1
        board.colour[free] = rng.integers(WHITE, BLACK + 1, len(free))
    else:
        # If the numbers cannot fit on the board, the cost never becomes 0.
        n_white = min(max(puzzle.n_white - puzzle.n_islands, 0), len(free))
        board.colour[free[n_white:]] = BLACK
    cost, stray = cost_of(board)
    counts = np.array([cost + stray * (n_white < 0), 0], np.int64)
    n_places = len(board.colour)
    return Colouring(
        board, free, n_white, np.zeros(n_places, np.int64), np.zeros(n_places, np.int64), counts
    )


@lean_kernel
def _propose_colours(state, rng):
    """Draw a move, make it, and return its cells, as indices of `free`, and the change of the cost.

    If the number of white cells is unknown, a move changes one cell, and each white cell outside
    all islands costs 1; otherwise a board could break the rules at cost 0.
    """
    colour, free, n_white = state.board.colour, state.free, state.n_white
    if n_white < 0:
        i = int(rng.random() * free.shape[0])
        j = i
        colour[free[i]] = WHITE + BLACK - colour[free[i]]
    else:
        i = int(rng.random() * n_white)
        j = n_white + int(rng.random() * (free.shape[0] - n_white))
        colour[free[i]] = BLACK
        colour[free[j]] = WHITE
    new, stray = cost_of(state.board)
    if n_white < 0:
        new += stray
    return i, j, new - state.counts[COST]


@lean_kernel
def _settle_colours(state, i, j, accepted):
    """Take a move back unless it is accepted; return the places of its cells."""
    colour, free = state.board.colour, state.free
    first, second = free[i], free[j]
    if accepted:
        free[i], free[j] = second, first
    elif state.n_white < 0:
        colour[first] = WHITE + BLACK - colour[first]
    else:
        colour[first] = WHITE
        colour[second] = BLACK
    return first, second


swap_colours = _tries_of(_propose_colours, _settle_colours)
