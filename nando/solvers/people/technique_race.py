"""The technique race: how long a person looks, and which techniques open the next cell.

This model is our own, and the mechanism behind the rating. While there are singles, each is found
at a rate that depends on how it can be seen, and all of them race, as in
:mod:`nando.solvers.people.search_time`; the emptier the grid, the longer each look takes. The time
is summed separately by how the easiest single is seen: at a glance (a hidden single in a box, or
the last cell of a house), along a line, or only by counting the candidates of a cell.

At an impasse, where there is no single, the easiest family of techniques that leads to one is
found: locked candidates, then pairs, then triplets and X-wings, each with all that come before it.
One of the cells it opens is filled, and counted. If no family leads to a single, a cell with the
fewest candidates is filled, and counted separately. A rating model determines how many seconds
these fills cost a person; here they are only counted.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.checks import positive
from nando.kernels.compile import inlined_kernel, lean_kernel, unsigned
from nando.puzzles.frozen import EqualFields
from nando.puzzles.sudoku.layout import SudokuLayout
from nando.records import setting
from nando.solvers import singles
from nando.solvers.people.closures import TRIPLETS, close, open_singles, scratch_of
from nando.solvers.people.imitation import SpreadImitation, rule_of_single, runs_of, write_fill
from nando.solvers.protocol import Rule

_AT_A_GLANCE = singles.IN_BOX | singles.LAST_IN_ROW | singles.LAST_IN_COLUMN | singles.LAST_IN_BOX
_ALONG_A_LINE = singles.IN_ROW | singles.IN_COLUMN

_GLANCE, _LINES, _CELLS, _LOCKED, _PAIRS, _TRIPLETS, _BEYOND, _BEYOND_BLANKS = range(8)


_REMEMBERED = 64
"""Number of impasses that the runs on a puzzle remember. Most impasses recur, since the singles
before an impasse lead to the same grid in whatever order they are found."""


@dataclass(frozen=True, eq=False)
class TechniqueRaceProfile(EqualFields):
    """Statistics of many runs of :class:`TechniqueRace` on a puzzle; means over runs.

    Attributes
    ----------
    glance, lines, cells : float
        Time of looks whose easiest single is seen at a glance, along a row or column, or only by
        the candidates of its cell.
    locked, pairs, triplets : float
        Number of fills at an impasse that locked candidates open; that only pairs open, too; that
        only triplets and X-wings open, too.
    beyond : float
        Number of fills at an impasse that none of these opens.
    beyond_blanks : float
        Sum of the number of empty cells over these fills, divided by 27.
    order : ndarray of float64, shape (n_cells,)
        Step, from 1, at which each cell was filled; 0 for givens.
    """

    glance: float
    lines: float
    cells: float
    locked: float
    pairs: float
    triplets: float
    beyond: float
    beyond_blanks: float
    order: NDArray[np.float64]

    @property
    def search(self) -> float:
        """Time of looking for singles."""
        return self.glance + self.lines + self.cells


@dataclass(frozen=True)
class TechniqueRace(SpreadImitation[TechniqueRaceProfile]):
    """The technique race.

    Parameters
    ----------
    box_rate, line_rate, naked_rate : float
        Rate at which a hidden single in a box, a hidden single in a row or column, and a naked
        single are found.
    last_rate : float
        Rate added for each house in which the cell is the last empty one.
    typical_blanks : float
        Number of empty cells at which a look takes 1 / (sum of rates). With another number of
        empty cells it takes the square root of the ratio times as long.

    Notes
    -----
    The rates were chosen once, by agreement with several crowds, and are the same for all. The
    draws are spread evenly over the runs on a puzzle: sixteen runs have less noise than 24
    independent ones. In a trace `options` is the number of cells that singles fill, and `cost` the
    time of the look: 0 at an impasse, where the rule is an elimination or a guess.

    Examples
    --------
    >>> from nando.datasets import load_examples
    >>> profile = TechniqueRace().profile(load_examples().puzzles[0], runs=24, rng=0)
    >>> profile.beyond
    0.0
    """

    name: ClassVar[str] = "technique_race"
    profile_class: ClassVar[type] = TechniqueRaceProfile
    box_rate: float = setting(1.0, positive)
    line_rate: float = setting(0.6, positive)
    naked_rate: float = setting(0.35, positive)
    last_rate: float = setting(0.5, positive)
    typical_blanks: float = setting(27.0, positive)

    @property
    def settings(self) -> tuple[NDArray[np.float64], NDArray[np.float64], float]:
        """The settings of the kernel: rates and 1 / rates of all ways, and typical blanks."""
        return self._rates, self._waits, float(self.typical_blanks)

    @staticmethod
    def workspace(layout: SudokuLayout) -> Any:
        """Return the workspace of the kernel."""
        n = layout.n_cells
        return np.empty(n), (np.zeros(n, np.int32), scratch_of(layout.size), new_impasses(n))

    @cached_property
    def _rates(self) -> NDArray[np.float64]:
        """Rate of every combination of ways to see a cell, shape (2**7,)."""
        return singles.rates_of_ways(self.box_rate, self.line_rate, self.naked_rate, self.last_rate)

    @cached_property
    def _waits(self) -> NDArray[np.float64]:
        """1 / rate of every combination of ways, 0 for no way, shape (2**7,)."""
        return np.append(0.0, 1.0 / self._rates[1:])


class Impasses(NamedTuple):
    """The impasses met before, and the cells that open at them; the arrays are changed in place."""

    n_stored: NDArray[np.int64]
    """Their number, shape (1,)."""
    blanks: NDArray[np.int64]
    """Set of the empty cells of each, shape (capacity, n_words)."""
    levels: NDArray[np.int64]
    """Level of the easiest techniques that open cells, ``TRIPLETS + 1`` if none does."""
    n_opened: NDArray[np.int64]
    """Number of cells that they open."""
    opened: NDArray[np.int64]
    """These cells, shape (capacity, n_cells)."""


def new_impasses(n_cells: int, capacity: int = _REMEMBERED) -> Impasses:
    """Return an empty memory of up to `capacity` impasses."""
    return Impasses(
        n_stored=np.zeros(1, np.int64),
        blanks=np.empty((capacity, n_cells // 63 + 1), np.int64),
        levels=np.empty(capacity, np.int64),
        n_opened=np.empty(capacity, np.int64),
        opened=np.empty((capacity, n_cells), np.int64),
    )


@lean_kernel
def _race(state, layout, solution, settings, drawn, place_in_draws, trace, sums, workspace):
    """Fill the grid of `state`, a row of `trace` per cell.

    `unseen` is how long each cell stays unseen at rate 1; it decreases as time passes.
    """
    rates, waits, typical_blanks = settings
    puzzle, run = place_in_draws
    unseen, at_impasses = workspace
    for cell in range(layout.n_cells):
        unseen[cell] = drawn[0][puzzle, run, cell]
    if run == 0:
        at_impasses[2].n_stored[0] = 0
    for k in range(trace.shape[0]):
        options = int(state.counts[singles.N_OPEN])
        blanks = trace.shape[0] - k
        cost = 0.0
        if options > 0:
            cell, total, best = _first_seen(state, rates, waits, unseen)
            rule = rule_of_single(state, cell)
            cost = np.sqrt(blanks / typical_blanks) / total
            sums[best] += cost
        else:
            cell, level = _open_easiest(state, layout, unseen, at_impasses)
            rule = Rule.ELIMINATION.value
            if level > TRIPLETS:
                rule = Rule.GUESS.value
                sums[_BEYOND_BLANKS] += blanks / 27.0
            sums[_LOCKED + level - 1] += 1.0
        write_fill(trace, k, cell, solution[unsigned(cell)], rule, options, cost)
        singles.place(state, layout, cell, int(solution[cell]) - 1)


race_all = TechniqueRace.play_all = runs_of(_race)


@inlined_kernel
def _first_seen(state, rates, waits, unseen):
    """Return the cell that is seen first, the sum of rates, and how the easiest single is seen.

    A look is counted as 1 / (sum of rates), its expectation, whatever was drawn.
    """
    total = 0.0
    ways = 0
    first = int(state.open[0])
    soonest = np.inf
    for i in range(state.counts[singles.N_OPEN]):
        cell = int(state.open[unsigned(i)])
        of_cell = int(state.ways[unsigned(cell)])
        total += rates[unsigned(of_cell)]
        ways |= of_cell
        after = unseen[unsigned(cell)] * waits[unsigned(of_cell)]
        if after < soonest:
            soonest = after
            first = cell
    for i in range(state.counts[singles.N_OPEN]):
        cell = int(state.open[unsigned(i)])
        unseen[unsigned(cell)] -= soonest * rates[unsigned(state.ways[unsigned(cell)])]
    best = _CELLS
    if ways & _AT_A_GLANCE:
        best = _GLANCE
    elif ways & _ALONG_A_LINE:
        best = _LINES
    return first, total, best


@lean_kernel
def _open_easiest(state, layout, unseen, workspace):
    """Return the first cell that the easiest techniques open, and their level.

    If none opens a cell, the level is ``TRIPLETS + 1`` and the cell has the fewest candidates. No
    remaining cell was ever open, so the draws of the cells have not been used yet, and make each
    cell equally likely.
    """
    closed, scratch, impasses = workspace
    entry = int(impasses.n_stored[0])
    _write_blanks(state, layout, impasses.blanks, entry)
    same = _first_like(impasses.blanks, entry)
    if same == entry:
        _open(state, layout, closed, scratch, impasses, entry)
        # If the memory is full, forget all impasses.
        impasses.n_stored[0] = entry + 1 if entry + 1 < impasses.levels.shape[0] else 0
    level = int(impasses.levels[same])
    if level > TRIPLETS:
        return singles.fewest_candidates_first(state.candidates, unseen), level
    cells = impasses.opened[same]
    first = int(cells[0])
    for i in range(1, impasses.n_opened[same]):
        cell = int(cells[i])
        if unseen[cell] < unseen[first]:
            first = cell
    return first, level


@lean_kernel
def _open(state, layout, closed, scratch, impasses, entry):
    """Write the level of the easiest techniques that open a cell, and all cells they open."""
    for cell in range(layout.n_cells):
        closed[cell] = state.candidates[cell]
    impasses.levels[entry] = TRIPLETS + 1
    impasses.n_opened[entry] = 0
    for level in range(1, TRIPLETS + 1):
        close(closed, layout, level, scratch)
        n = open_singles(closed, layout, impasses.opened[entry])
        if n > 0:
            impasses.levels[entry] = level
            impasses.n_opened[entry] = n
            return


@lean_kernel
def _write_blanks(state, layout, blanks, row):
    """Write the set of empty cells into a row."""
    for word in range(blanks.shape[1]):
        bits = 0
        for i in range(min(63, layout.n_cells - 63 * word)):
            bits |= int(state.candidates[63 * word + i] != 0) << i
        blanks[row, word] = bits


@lean_kernel
def _first_like(rows, row):
    """Return the first row that equals a row."""
    for other in range(row):
        word = 0
        while word < rows.shape[1] and rows[other, word] == rows[row, word]:
            word += 1
        if word == rows.shape[1]:
            return other
    return row
