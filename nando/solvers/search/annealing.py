"""Simulated annealing: random moves, kept where they lower a cost and by chance where not.

For Sudoku two published forms share one state and one move. The state fills each box with a
permutation; a move swaps two cells of a box that are not given; the cost counts the symbols that
rows and columns lack. They differ in how a pair is drawn and in how the temperature falls.

On Nurikabe a move swaps a white cell and a black one, and the cost has four parts:
:func:`nando.solvers.nurikabe.cost.colour_cost`.

Source: Lewis 2007 (:meth:`Annealing.lewis`); Krivanek 2011 (:meth:`Annealing.thesis`).
"""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial, singledispatchmethod
from typing import ClassVar, Literal, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from nando.kernels.compile import inlined_kernel, lean_kernel
from nando.puzzles import Puzzle, Sudoku, Values
from nando.puzzles.nurikabe.puzzle import Nurikabe
from nando.solvers.protocol import (
    STEP,
    Limit,
    Outcome,
    Rule,
    Seed,
    SolveRun,
    generator,
    unsupported,
)
from nando.solvers.repeated import median_steps, run_often, solved_share
from nando.solvers.search.nurikabe.annealing import Colouring, drawn_colouring, swap_colours

_SWAP = int(Rule.SWAP)
_WARM_UP_MOVES = 100
_STEPS_PER_CALL = 100_000
_STEPS_OF_ORDER = {3: 3_000_000, 4: 60_000_000, 5: 675_000_000}
"""Lewis's CPU limits of 2, 40 and 450 s at the rate of moves that fits his table best."""
_STEPS_OF_NURIKABE = 1_000_000

Schedule = tuple[float, float, bool]
"""Factor of the temperature, where it ends, whether accepted moves alone cool."""
Move = Callable[[float, Schedule, int, NDArray[np.float64]], tuple[bool, float]]
"""Tries so many moves from a temperature: whether one improved, and the temperature then."""


@dataclass(frozen=True)
class AnnealingProfile:
    """What many runs of :class:`Annealing` say about a puzzle.

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
class Annealing:
    """Simulated annealing; see the two presets for the published forms.

    Parameters
    ----------
    cooling : float
        Factor of the temperature, above 0 and below 1.
    start_temperature : float or None
        None takes the variance of the cost over 100 moves that are all accepted.
    sweep : int or None
        Moves at one temperature; None is the square of the number of cells that are not given.
    lowest_temperature : float
        Reheat once the temperature is not above this; 0 for never.
    patience : int or None
        Reheat after so many temperatures in a row at each of which no accepted move lowered
        the cost; None for never. (Taking "no improvement" as "no new best since the last
        reheat" would reheat for ever.)
    pick : {"cell", "box"}
        Draw a movable cell among all and its partner in the box, or a box first; Sudoku only.
    cool_on_accepted : bool
        Let only accepted moves cool; needs a sweep of 1 and no patience.

    Notes
    -----
    Steps are moves tried. The trace has a row for each cell that is not given, ordered by the
    step of its last accepted swap (0 if it never moved), `cost` being the cost after it.
    """

    name: ClassVar[str] = "annealing"
    cooling: float = 0.99
    start_temperature: float | None = None
    sweep: int | None = None
    lowest_temperature: float = 0.0
    patience: int | None = 20
    pick: Literal["cell", "box"] = "cell"
    cool_on_accepted: bool = False

    def __post_init__(self) -> None:
        if not 0.0 < self.cooling < 1.0:
            raise ValueError(f"cooling must be above 0 and below 1, got {self.cooling!r}")
        if self.start_temperature is not None and self.start_temperature <= 0:
            raise ValueError(
                f"start_temperature must be above 0 or None, got {self.start_temperature!r}"
            )
        if self.lowest_temperature < 0:
            raise ValueError(
                f"lowest_temperature must be at least 0, got {self.lowest_temperature!r}"
            )
        if self.start_temperature is not None and not (
            self.start_temperature > self.lowest_temperature
        ):
            raise ValueError(
                f"start_temperature must be above lowest_temperature, "
                f"got {self.start_temperature!r} and {self.lowest_temperature!r}"
            )
        for name in ("sweep", "patience"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise ValueError(f"{name} must be at least 1 or None, got {value!r}")
        if self.pick not in ("cell", "box"):
            raise ValueError(f"pick must be 'cell' or 'box', got {self.pick!r}")
        if self.cool_on_accepted and not self._continuous:
            raise ValueError(
                f"cool_on_accepted needs sweep=1 and patience=None, "
                f"got sweep={self.sweep!r} and patience={self.patience!r}"
            )

    @classmethod
    def lewis(cls) -> Self:
        """Lewis 2007: cooling 0.99 after (unfixed cells)^2 moves, reheat when frozen."""
        return cls()

    @classmethod
    def thesis(cls, *, cool_on_accepted: bool = False) -> Self:
        """Krivanek 2011: from 40 by 0.99995 at every move, reheated at 0.1.

        The thesis does not state the lowest temperature; 0.1 makes a cycle of 120,000 moves. It
        speaks of cooling both at each step and after a change; `cool_on_accepted` is the latter.
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
        """Krivanek 2011, chapter 4: cooled at every move by 0.99, 0.999 or 0.9999.

        The other numbers are not stated. Sudoku's 40 as the first temperature would be far above
        the costs of Nurikabe; 10 is used, and a reheat at 0.1 as for Sudoku.
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
        """Whether the temperature falls move by move, inside the kernel."""
        return self.sweep == 1 and self.patience is None

    def run(self, puzzle: Puzzle, *, limit: Limit | None = None, rng: Seed = None) -> SolveRun:
        """Anneal once.

        Without a limit, Lewis's times as moves, 3 million at order 3; 1 million on Nurikabe.
        """
        return self._run(puzzle, limit, generator(rng))

    def profile(
        self, puzzle: Puzzle, *, runs: int = 100, rng: Seed = None, limit: Limit | None = None
    ) -> AnnealingProfile:
        """Anneal `runs` times.

        Raises
        ------
        ValueError
            Where `runs` is below 1.
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

    @singledispatchmethod
    def _run(self, puzzle: Puzzle, limit: Limit | None, rng: np.random.Generator) -> SolveRun:
        raise unsupported(self, puzzle)

    @_run.register
    def _(self, puzzle: Sudoku, limit: Limit | None, rng: np.random.Generator) -> SolveRun:
        state = _filled_boxes(puzzle, rng)
        limit = limit or Limit(steps=_STEPS_OF_ORDER[puzzle.order])
        move = partial(_move, state, self.pick == "box", rng)
        n_free = int(np.count_nonzero(state.free))
        outcome = self._anneal(move, state.counts, len(state.movable), n_free, limit)
        if outcome is Outcome.SOLVED and not puzzle.is_solution(state.values):
            outcome = Outcome.STUCK  # givens that conflict inside a box
        return _annealed(puzzle, outcome, state.values, state)

    @_run.register
    def _(self, puzzle: Nurikabe, limit: Limit | None, rng: np.random.Generator) -> SolveRun:
        state = drawn_colouring(puzzle, rng)
        limit = limit or Limit(steps=_STEPS_OF_NURIKABE)
        move = partial(swap_colours, state, rng)
        outcome = self._anneal(move, state.counts, state.n_movable, len(state.free), limit)
        cells = state.board.cells
        values = state.board.colour[cells]
        if outcome is Outcome.SOLVED and not puzzle.is_solution(values):
            outcome = Outcome.STUCK  # numbers that no board could hold
        moved = state._replace(last_swap=state.last_swap[cells], cost_then=state.cost_then[cells])
        return _annealed(puzzle, outcome, values, moved)

    def _anneal(
        self,
        move: Move,
        counts: NDArray[np.int64],
        n_movable: int,
        n_free: int,
        limit: Limit,
    ) -> Outcome:
        """The temperature schedule around the moves; `counts` has the cost and the steps."""
        if counts[0] == 0:
            return Outcome.SOLVED
        if n_movable == 0:
            return Outcome.STUCK
        most = limit.steps if limit.steps is not None else 1 << 62
        end = None if limit.seconds is None else time.monotonic() + limit.seconds
        steady = (1.0, 0.0, False)
        start = self.start_temperature
        if start is None:
            costs = np.zeros(min(_WARM_UP_MOVES, most))
            move(math.inf, steady, len(costs), costs)
            start = max(float(costs.var()) or 1.0, 2.0 * self.lowest_temperature)
        sweep = self.sweep or n_free**2
        nothing = np.zeros(0)
        schedule = steady
        if self._continuous:
            # The kernel cools; a sweep is only the time between two looks at the clock.
            schedule = (self.cooling, float(self.lowest_temperature), self.cool_on_accepted)
            sweep = _STEPS_PER_CALL
        temperature, unimproved = start, 0
        while counts[0] > 0:
            if counts[1] >= most:
                return Outcome.STEP_LIMIT
            if end is not None and time.monotonic() > end:
                return Outcome.TIME_LIMIT
            moves = min(sweep, most - int(counts[1]))
            improved, temperature = move(temperature, schedule, moves, nothing)
            unimproved = 0 if improved else unimproved + 1
            if not self._continuous:
                temperature *= self.cooling
            if temperature <= self.lowest_temperature or (
                self.patience is not None and unimproved >= self.patience
            ):
                temperature, unimproved = start, 0
        return Outcome.SOLVED


def _annealed(
    puzzle: Puzzle, outcome: Outcome, values: Values, state: "_Boxes | Colouring"
) -> SolveRun:
    """Result of a run; `state` has the last swap of each cell."""
    free = np.flatnonzero(puzzle.givens == 0)
    free = free[np.argsort(state.last_swap[free], kind="stable")]
    trace = np.zeros(len(free), STEP)
    trace["step"] = state.last_swap[free]
    trace["cell"] = free
    trace["value"] = values[free]
    trace["rule"] = _SWAP
    trace["cost"] = state.cost_then[free]
    solved = outcome is Outcome.SOLVED
    return SolveRun(outcome, int(state.counts[1]), values if solved else None, trace, int(solved))


class _Boxes(NamedTuple):
    """Boxes filled with permutations, and how often each line has each symbol."""

    values: NDArray[np.int8]
    row_of: NDArray[np.int16]
    column_of: NDArray[np.int16]
    free: NDArray[np.bool_]
    movable: NDArray[np.int16]
    """Free cells of boxes with two or more."""
    place: NDArray[np.int16]
    """Place of each free cell among the mates of its box."""
    mates: NDArray[np.int16]
    """Free cells of each box, shape (size, size), the first ``n_mates`` of each."""
    n_mates: NDArray[np.int16]
    in_row: NDArray[np.int16]
    in_column: NDArray[np.int16]
    box_of: NDArray[np.int16]
    last_swap: NDArray[np.int64]
    cost_then: NDArray[np.int64]
    counts: NDArray[np.int64]
    """Cost; moves so far; boxes that can move."""


def _filled_boxes(puzzle: Sudoku, rng: np.random.Generator) -> _Boxes:
    """Every box with its missing symbols in random order in its free cells."""
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
    # Boxes that can move come first, so that one can be drawn.
    order = np.argsort(n_mates < 2, kind="stable")
    can_move = int((n_mates >= 2).sum())
    rank = np.argsort(order)
    return _Boxes(
        values,
        (cells // size).astype(np.int16),
        (cells % size).astype(np.int16),
        free,
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
    )


@lean_kernel
def _move(state, by_box, rng, temperature, schedule, moves, costs):
    """Try `moves` swaps; whether one improved, and the temperature at the end.

    Each move (or each accepted one) multiplies the temperature by a factor. Ends early at cost 0
    and at the lowest temperature. `costs`, where it has room, gets the cost after each move.
    """
    factor, lowest, on_accepted = schedule
    values = state.values
    row_of = state.row_of
    column_of = state.column_of
    in_row = state.in_row
    in_column = state.in_column
    n_movable = state.movable.shape[0]
    cost = state.counts[0]
    step = state.counts[1]
    improved = False
    for move in range(moves):
        if by_box:
            box = int(rng.random() * state.counts[2])
            n = int(state.n_mates[box])
            i = int(rng.random() * n)
        else:
            cell = int(state.movable[int(rng.random() * n_movable)])
            box = int(state.box_of[cell])
            n = int(state.n_mates[box])
            i = int(state.place[cell])
        j = int(rng.random() * (n - 1))
        if j >= i:
            j += 1
        first = int(state.mates[box, i])
        second = int(state.mates[box, j])
        a = int(values[first]) - 1
        b = int(values[second]) - 1
        row_a = int(row_of[first])
        column_a = int(column_of[first])
        row_b = int(row_of[second])
        column_b = int(column_of[second])
        delta = 0
        if row_a != row_b:
            delta += _change(in_row[row_a, a], in_row[row_a, b])
            delta += _change(in_row[row_b, b], in_row[row_b, a])
        if column_a != column_b:
            delta += _change(in_column[column_a, a], in_column[column_a, b])
            delta += _change(in_column[column_b, b], in_column[column_b, a])
        step += 1
        accepted = delta <= 0 or rng.random() < math.exp(-delta / temperature)
        if accepted:
            values[first] = b + 1
            values[second] = a + 1
            in_row[row_a, a] -= 1
            in_row[row_a, b] += 1
            in_row[row_b, b] -= 1
            in_row[row_b, a] += 1
            in_column[column_a, a] -= 1
            in_column[column_a, b] += 1
            in_column[column_b, b] -= 1
            in_column[column_b, a] += 1
            cost += delta
            improved |= delta < 0
            state.last_swap[first] = step
            state.last_swap[second] = step
            state.cost_then[first] = cost
            state.cost_then[second] = cost
        if move < costs.shape[0]:
            costs[move] = cost
        if accepted or not on_accepted:
            temperature *= factor
        if cost == 0 or temperature <= lowest:
            break
    state.counts[0] = cost
    state.counts[1] = step
    return improved, temperature


@inlined_kernel
def _change(lost, gained):
    """Change of a line's missing symbols by how often it had the symbol lost and that gained."""
    return int(lost == 1) - int(gained == 0)
