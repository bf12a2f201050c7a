"""Lewis's constraint programming step, and the hybrid that anneals the rest.

The step fills naked singles while there are any, then one hidden single in a row, in a column or
in a box, and repeats. His published shares of fixed cells fit hidden singles in one kind of
house only, so the kinds are a parameter.

Source: Lewis 2007.
"""

import math
from dataclasses import dataclass, field, replace
from typing import ClassVar, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from nando.kernels.compile import lean_kernel
from nando.puzzles import Puzzle, Sudoku, Values
from nando.solvers import singles
from nando.solvers.protocol import (
    STEP,
    Limit,
    Outcome,
    Rule,
    Seed,
    SolveRun,
    check_runs,
    filled_run,
    generator,
    unsupported,
)
from nando.solvers.search.annealing import Annealing

HouseKind = Literal["row", "column", "box"]

_BIT_OF = {"row": singles.IN_ROW, "column": singles.IN_COLUMN, "box": singles.IN_BOX}


@dataclass(frozen=True)
class ConstraintProgrammingProfile:
    """The result of :class:`ConstraintProgramming` on a puzzle.

    Attributes
    ----------
    fixed_share : float
        Share of the cells that are given or filled when the step ends.
    solved : bool
        Whether that solves the puzzle.
    naked, hidden : int
        Cells filled as naked and as hidden singles.
    """

    fixed_share: float
    solved: bool
    naked: int
    hidden: int


@dataclass(frozen=True)
class ConstraintProgramming:
    """Fills naked singles, and hidden singles in the given kinds of house.

    Parameters
    ----------
    hidden_singles_in : tuple of {"row", "column", "box"}
        Kinds of house in which hidden singles are found. The published step uses all three; the
        published numbers fit a single kind.

    Notes
    -----
    Steps are cells filled, and the trace has a row for each. Naked singles come first, by cell,
    then hidden ones, by house and cell; `options` is the number of cells that could be filled. A
    contradiction ends the run. Nothing is random.

    Examples
    --------
    >>> puzzle = Sudoku(
    ...     "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3.."
    ... )
    >>> ConstraintProgramming().profile(puzzle)
    ConstraintProgrammingProfile(fixed_share=0.296..., solved=False, naked=0, hidden=1)
    """

    name: ClassVar[str] = "constraint_programming"
    hidden_singles_in: tuple[HouseKind, ...] = get_args(HouseKind)

    def __post_init__(self) -> None:
        kinds = self.hidden_singles_in
        if not isinstance(kinds, tuple):
            raise TypeError(f"hidden_singles_in must be a tuple of house kinds, got {kinds!r}")
        for kind in kinds:
            if kind not in _BIT_OF:
                allowed = ", ".join(map(repr, _BIT_OF))
                raise ValueError(f"hidden_singles_in must be some of {allowed}, got {kind!r}")

    def run(self, puzzle: Puzzle, *, limit: Limit | None = None, rng: Seed = None) -> SolveRun:
        """Fill all singles; the outcome is STUCK if blanks are left. `rng` is not used."""
        generator(rng)
        values, trace = self._fill(puzzle)
        run = filled_run(values, trace, limit)
        if run.outcome is Outcome.SOLVED and not puzzle.is_solution(values):
            return SolveRun(Outcome.STUCK, run.steps, None, trace)
        return run

    def fixed(self, puzzle: Puzzle) -> Values:
        """Return the value of each cell when the step ends, 0 for blanks, shape ``(n_cells,)``."""
        return self._fill(puzzle)[0]

    def profile(self, puzzle: Puzzle) -> ConstraintProgrammingProfile:
        """Fill the puzzle once, since every run is the same."""
        values, trace = self._fill(puzzle)
        naked = int(np.count_nonzero(trace["rule"] == Rule.NAKED_SINGLE))
        return ConstraintProgrammingProfile(
            fixed_share=float(np.count_nonzero(values) / len(values)),
            solved=puzzle.is_solution(values),
            naked=naked,
            hidden=len(trace) - naked,
        )

    def _fill(self, puzzle: Puzzle) -> tuple[Values, NDArray[np.void]]:
        if not isinstance(puzzle, Sudoku):
            raise unsupported(self, puzzle)
        layout = puzzle.layout
        values = puzzle.givens.copy()
        state = singles.copy_of(singles.shared_empty_state(puzzle.order))
        if not singles.place_all(state, layout, values):
            return values, np.zeros(0, STEP)  # the givens leave a cell or a digit without a place
        hidden = sum(_BIT_OF[kind] for kind in set(self.hidden_singles_in))
        trace = np.zeros(int(state.counts[singles.N_EMPTY]), STEP)
        return values, trace[: _fill_singles(state, layout, hidden, values, trace)]


@dataclass(frozen=True)
class HybridProfile:
    """Statistics of many runs of :class:`HybridAnnealing` on a puzzle.

    Attributes
    ----------
    fixed_share : float
        Share of the cells that are given or filled before annealing.
    solved_share : float
        Share of runs that ended solved.
    steps : float
        Median number of moves; a run that its budget ended counts with the budget.
    steps_when_solved : float
        Mean number of moves of the runs that ended solved; NaN if no run did.
    """

    fixed_share: float
    solved_share: float
    steps: float
    steps_when_solved: float


@dataclass(frozen=True)
class HybridAnnealing:
    """Constraint programming, then annealing around all cells it has filled.

    Parameters
    ----------
    programming : ConstraintProgramming
    annealing : Annealing

    Notes
    -----
    Steps are moves of the annealing; there are none if constraint programming solves the puzzle.
    The trace begins with the cells filled, at step 0, and continues with that of the annealing.
    """

    name: ClassVar[str] = "hybrid_annealing"
    programming: ConstraintProgramming = field(default_factory=ConstraintProgramming)
    annealing: Annealing = field(default_factory=Annealing.lewis)

    def run(self, puzzle: Puzzle, *, limit: Limit | None = None, rng: Seed = None) -> SolveRun:
        """Fill, then anneal within the limit, by default that of :meth:`Annealing.run`."""
        chance = generator(rng)
        return self._anneal(puzzle, *self.programming._fill(puzzle), limit, chance)

    def profile(
        self, puzzle: Puzzle, *, runs: int = 10, rng: Seed = None, limit: Limit | None = None
    ) -> HybridProfile:
        """Fill once and anneal `runs` times.

        Raises
        ------
        ValueError
            If `runs` is below 1.
        """
        check_runs(runs)
        chance = generator(rng)
        values, trace = self.programming._fill(puzzle)
        done = [self._anneal(puzzle, values, trace, limit, chance) for _ in range(runs)]
        solved = [run.steps for run in done if run.outcome is Outcome.SOLVED]
        return HybridProfile(
            fixed_share=float(np.count_nonzero(values) / len(values)),
            solved_share=len(solved) / runs,
            steps=float(np.median([run.steps for run in done])),
            steps_when_solved=float(np.mean(solved)) if solved else math.nan,
        )

    def _anneal(
        self,
        puzzle: Puzzle,
        values: Values,
        filled: NDArray[np.void],
        limit: Limit | None,
        rng: np.random.Generator,
    ) -> SolveRun:
        filled = filled.copy()
        filled["step"] = 0
        run = self.annealing.run(Sudoku.from_values(values), limit=limit, rng=rng)
        return replace(run, trace=np.concatenate([filled, run.trace]))


@lean_kernel
def _fill_singles(state, layout, hidden, values, trace):
    """Fill singles until there are none, or a contradiction; return their number."""
    size = layout.size
    n_filled = 0
    while True:
        chosen, first, n_open = -1, 4 * layout.n_cells, 0
        for i in range(state.counts[singles.N_OPEN]):
            cell = int(state.open[i])
            ways = int(state.ways[cell])
            if ways & singles.NAKED:
                turn = cell
            elif ways & hidden & singles.IN_ROW:
                turn = layout.n_cells + cell
            elif ways & hidden & singles.IN_COLUMN:
                turn = 2 * layout.n_cells + cell % size * size + cell // size
            elif ways & hidden & singles.IN_BOX:
                row, column = divmod(cell, size)
                in_box = row % layout.order * layout.order + column % layout.order
                box = int(layout.house_of[cell, 2]) - 2 * size
                turn = 3 * layout.n_cells + box * size + in_box
            else:
                continue
            n_open += 1
            if turn < first:
                chosen, first = cell, turn
        if chosen < 0:
            return n_filled
        values[chosen] = state.digit[chosen] + 1
        step = trace[n_filled]
        n_filled += 1
        step["step"] = n_filled
        step["cell"] = chosen
        step["value"] = values[chosen]
        step["rule"] = (
            Rule.NAKED_SINGLE.value if first < layout.n_cells else Rule.HIDDEN_SINGLE.value
        )
        step["options"] = n_open
        if not singles.place(state, layout, chosen, int(state.digit[chosen])):
            return n_filled
