"""Simulated annealing: random moves, accepted if they lower a cost, otherwise by chance.

On Sudoku a move swaps two cells of a box, and the cost counts the symbols that lines lack:
:mod:`nando.solvers.search.boards`. Two published forms differ in how a pair is drawn and
in how the temperature falls. On Nurikabe a move swaps a white cell and a black one, and the cost
has four parts: :mod:`nando.solvers.search.boards`.

Source: Lewis 2007 (:meth:`Annealing.lewis`); Krivanek 2011 (:meth:`Annealing.thesis`).
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Literal, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from nando.checks import positive, share
from nando.puzzles import Puzzle, Values
from nando.puzzles.frozen import EqualFields
from nando.records import Settings, between, setting
from nando.solvers.kinds import part_for
from nando.solvers.protocol import Limit, Outcome, Rule, Seed, SolveRun, generator, trace_of
from nando.solvers.repeated import Budget, median_steps, run_often, solved_share

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
