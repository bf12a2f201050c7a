"""The technique race: how long a person looks, and which techniques open the next cell.

Our own model, and the mechanism behind the rating. While there are singles, each is found at a
rate that depends on how it can be seen, and all of them race, as in
:mod:`nando.solvers.people.search_time`; the emptier the grid, the longer each look takes. The time
is summed apart for the moments at which the best way on is seen at a glance (a hidden single in a
box, or the last cell of a house), along a line, or only by counting the candidates of a cell.

At an impasse, where there is no single, the easiest family of techniques that leads to one is
found: locked candidates, then pairs, then triplets and X-wings, each with all that come before it.
One of the cells it opens is filled, and counted. Where none leads to a single, a cell with the
fewest candidates is filled, and counted apart. What these fills cost a person in seconds is left
to a rating model; here they are numbers.
"""

from dataclasses import dataclass, fields
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from nando.kernels.bits import unsigned
from nando.kernels.compile import kernel, lean_kernel
from nando.puzzles import Puzzle, Sudoku, Values
from nando.solvers.exact.search import unique_solution
from nando.solvers.people.imitation import Imitation
from nando.solvers.protocol import STEP, Rule, unsupported
from nando.solvers.sudoku.closures import TRIPLETS, close, open_singles, scratch_of
from nando.solvers.sudoku.singles import (
    HIDDEN,
    IN_BOX,
    IN_COLUMN,
    IN_ROW,
    LAST_IN_BOX,
    LAST_IN_COLUMN,
    LAST_IN_ROW,
    copy_of,
    fewest_candidates,
    place,
    rates_of_ways,
    restore,
    shared_given_state,
)

_HIDDEN_SINGLE = int(Rule.HIDDEN_SINGLE)
_NAKED_SINGLE = int(Rule.NAKED_SINGLE)
_ELIMINATION = int(Rule.ELIMINATION)
_GUESS = int(Rule.GUESS)

_AT_A_GLANCE = IN_BOX | LAST_IN_ROW | LAST_IN_COLUMN | LAST_IN_BOX
_ALONG_A_LINE = IN_ROW | IN_COLUMN

_SUMS = (
    "glance",
    "lines",
    "cells",
    "locked",
    "pairs",
    "triplets",
    "beyond",
    "beyond_blanks",
)
_GLANCE, _LINES, _CELLS, _LOCKED, _PAIRS, _TRIPLETS, _BEYOND, _BEYOND_BLANKS = range(8)


_KNOWN = 64
"""Impasses that the runs on a puzzle remember: most come up again and again, since the singles
before an impasse end in the same grid in whatever order they are found."""


@dataclass(frozen=True)
class TechniqueRaceProfile:
    """What many runs of :class:`TechniqueRace` say about a puzzle; means over runs.

    Attributes
    ----------
    glance, lines, cells : float
        Time of looking at moments whose best single is seen at a glance, along a row or column,
        or only by the candidates of its cell.
    locked, pairs, triplets : float
        Fills at an impasse that locked candidates open; that pairs do besides; that triplets and
        X-wings do besides.
    beyond : float
        Fills at an impasse that none of these opens.
    beyond_blanks : float
        Sum over these of the number of empty cells, in thirds of 81.
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
class TechniqueRace(Imitation[TechniqueRaceProfile]):
    """The technique race.

    Parameters
    ----------
    box_rate, line_rate, naked_rate : float
        Rate at which a hidden single in a box, a hidden single in a row or column, and a naked
        single are found.
    last_rate : float
        Rate added for each house in which the cell is the last empty one.
    typical_blanks : float
        Empty cells at which a look takes 1 / (sum of rates); it takes the square root of their
        ratio longer where there are more.

    Notes
    -----
    The rates were chosen once, by the agreement with several crowds, and are the same for all. In
    a trace `options` is the number of cells that singles fill, and `cost` the time of the look: 0
    at an impasse, where the rule is an elimination or a guess.

    Examples
    --------
    >>> from nando.datasets import load_examples
    >>> profile = TechniqueRace().profile(load_examples().puzzles[0], runs=24, rng=0)
    >>> profile.beyond
    0.0
    """

    name: ClassVar[str] = "technique_race"
    box_rate: float = 1.0
    line_rate: float = 0.6
    naked_rate: float = 0.35
    last_rate: float = 0.5
    typical_blanks: float = 27.0

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if not 0 < value < float("inf"):
                raise ValueError(f"{field.name} must be a number above 0, got {value!r}")

    def _play(
        self, puzzle: Puzzle, runs: int, rng: np.random.Generator
    ) -> tuple[Values, NDArray[np.void], TechniqueRaceProfile]:
        if not isinstance(puzzle, Sudoku):
            raise unsupported(self, puzzle)
        solution = unique_solution(puzzle)
        given = shared_given_state(puzzle)
        trace = np.zeros(int(given.counts[1]), STEP)
        order = np.zeros(puzzle.layout.n_cells)
        sums = np.zeros(len(_SUMS))
        settings = (self._rates, float(self.typical_blanks))
        scratch = scratch_of(puzzle.size)
        _race_often(
            given, puzzle.layout, solution, settings, rng, runs, trace, (sums, order, scratch)
        )
        means = dict(zip(_SUMS, (sums / runs).tolist(), strict=True))
        return solution, trace, TechniqueRaceProfile(**means, order=order / runs)

    @cached_property
    def _rates(self) -> NDArray[np.float64]:
        """Rate of every combination of ways to see a cell, shape (2**7,)."""
        return rates_of_ways(self.box_rate, self.line_rate, self.naked_rate, self.last_rate)


@kernel
def _race_often(given, layout, solution, settings, rng, runs, trace, room):
    """Add up `runs` runs into the sums and the order."""
    sums, order, scratch = room
    state = copy_of(given)
    closed = given.candidates.copy()
    found = np.empty(layout.n_cells, np.int64)
    known = (
        np.zeros(1, np.int64),
        np.empty((_KNOWN, layout.n_cells // 63 + 1), np.int64),
        np.empty((_KNOWN, 2 + layout.n_cells), np.int64),
    )
    for _ in range(runs):
        restore(state, given)
        _race(state, layout, solution, settings, rng, trace, sums, (closed, found, scratch, known))
        for k in range(trace.shape[0]):
            order[trace[k]["cell"]] += k + 1


@lean_kernel
def _race(state, layout, solution, settings, rng, trace, sums, room):
    """Fill the grid of `state`, a row of `trace` per cell."""
    rates, typical_blanks = settings
    for k in range(trace.shape[0]):
        options = int(state.counts[0])
        blanks = trace.shape[0] - k
        cost = 0.0
        if options > 0:
            cell, total, best = _first_seen(state, rates, rng)
            rule = _HIDDEN_SINGLE if int(state.ways[unsigned(cell)]) & HIDDEN else _NAKED_SINGLE
            cost = np.sqrt(blanks / typical_blanks) / total
            sums[best] += cost
        else:
            cell, level = _opened(state, layout, rng, room)
            rule = _ELIMINATION
            if level > TRIPLETS:
                rule = _GUESS
                sums[_BEYOND_BLANKS] += blanks / 27.0
            sums[_LOCKED + level - 1] += 1.0
        trace[k]["step"] = k + 1
        trace[k]["cell"] = cell
        trace[k]["value"] = solution[cell]
        trace[k]["rule"] = rule
        trace[k]["options"] = options
        trace[k]["cost"] = cost
        place(state, layout, cell, int(solution[cell]) - 1)


@lean_kernel
def _first_seen(state, rates, rng):
    """A cell drawn by its rate, the sum of rates, and how the best of all is seen."""
    total = 0.0
    ways = 0
    for i in range(state.counts[0]):
        of_cell = int(state.ways[unsigned(int(state.open[unsigned(i)]))])
        total += rates[unsigned(of_cell)]
        ways |= of_cell
    left = rng.random() * total
    i = 0
    cell = int(state.open[0])
    left -= rates[unsigned(state.ways[unsigned(cell)])]
    while left >= 0.0 and i + 1 < state.counts[0]:
        i += 1
        cell = int(state.open[unsigned(i)])
        left -= rates[unsigned(state.ways[unsigned(cell)])]
    best = _CELLS
    if ways & _AT_A_GLANCE:
        best = _GLANCE
    elif ways & _ALONG_A_LINE:
        best = _LINES
    return cell, total, best


@lean_kernel
def _opened(state, layout, rng, room):
    """A cell that the easiest techniques open, drawn among all of them, and their level.

    Above the last level where none opens one; the cell then has the fewest candidates.
    """
    n_known, blanks, opened = room[3]
    entry = int(n_known[0])
    _write_blanks(state, layout, blanks, entry)
    same = _first_like(blanks, entry)
    if same == entry:
        _open(state, layout, room, opened, entry)
        # When there is room for no more, all are forgotten.
        n_known[0] = entry + 1 if entry + 1 < opened.shape[0] else 0
    level = int(opened[same, 0])
    if level > TRIPLETS:
        return fewest_candidates(state, layout, rng), level
    return int(opened[same, 2 + int(rng.random() * opened[same, 1])]), level


@lean_kernel
def _open(state, layout, room, opened, entry):
    """Write the level of the easiest techniques that open a cell, and all cells they open."""
    closed, found, scratch, _ = room
    for cell in range(layout.n_cells):
        closed[cell] = state.candidates[cell]
    opened[entry, 0] = TRIPLETS + 1
    opened[entry, 1] = 0
    for level in range(1, TRIPLETS + 1):
        close(closed, layout, level, scratch)
        n = open_singles(closed, layout, found)
        if n > 0:
            opened[entry, 0] = level
            opened[entry, 1] = n
            for i in range(n):
                opened[entry, 2 + i] = found[i]
            return


@lean_kernel
def _write_blanks(state, layout, blanks, row):
    """Write the set of empty cells."""
    for word in range(blanks.shape[1]):
        bits = 0
        for i in range(min(63, layout.n_cells - 63 * word)):
            bits |= int(state.candidates[63 * word + i] != 0) << i
        blanks[row, word] = bits


@lean_kernel
def _first_like(rows, row):
    """The first row with the same words."""
    for other in range(row):
        word = 0
        while word < rows.shape[1] and rows[other, word] == rows[row, word]:
            word += 1
        if word == rows.shape[1]:
            return other
    return row
