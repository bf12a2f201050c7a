"""The ladder race: seconds of a simulated solve, with times from logs of single moves.

This is the search-time race, continued beyond singles. While there are singles they race: each is
found at a rate that depends on how it can be seen, and on whether it shares its digit or a house
with the last fill. At an impasse a person works through the steps of the logic ladder until a
single appears; each step takes time, and a step with a higher rating takes longer. The sum is the
time of a solve, in seconds of the player to whose moves the times were fitted.

An impasse is a moment without a single. Filling singles ends in the same grid whatever the order,
and the logic ladder is deterministic. So the impasses of a puzzle, and the steps that resolve them,
are the same in every run. They are found once and stored as a script.

The loops over steps of a script are in Python: a kernel that calls `find_step` would compile the
whole ladder again, and a step takes longer than the call.
"""

from dataclasses import dataclass, fields
from functools import cache, cached_property, lru_cache
from typing import ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from nando.kernels.compile import inlined_kernel, kernel, lean_kernel, n_bits, unsigned
from nando.puzzles import Puzzle, Sudoku, Values
from nando.puzzles.frozen import EqualFields
from nando.records import between, setting
from nando.solvers.exact.search import unique_solution
from nando.solvers.logic.chains.house_ladder import find_step
from nando.solvers.logic.finders.finding import GONE_CELLS, GONE_DIGITS, Finding, apply, new_finding
from nando.solvers.logic.finders.finding import apply as apply_step
from nando.solvers.logic.finders.grid import sudoku_grid
from nando.solvers.logic.finders.pencil_marks import LogicState
from nando.solvers.logic.finders.pencil_marks import given_state as marks_of
from nando.solvers.logic.house_walk import SUKAKU_EXPLAINER
from nando.solvers.logic.kernel_numbers import HIDDEN_SINGLE, NAKED_SINGLE
from nando.solvers.logic.technique import rungs_of
from nando.solvers.people.imitation import Imitation, rule_of_single, winner_of_race, write_fill
from nando.solvers.protocol import STEP, Rule, unsupported
from nando.solvers.singles import (
    HIDDEN,
    IN_BOX,
    LAST_IN_BOX,
    LAST_IN_COLUMN,
    LAST_IN_ROW,
    N_EMPTY,
    N_OPEN,
    N_WAYS,
    copy_of,
    eliminate,
    given_state,
    place,
    restore,
    shared_given_state,
    singles_suffice,
)

BEYOND_RATING = 10.0
"""Rating of a step that no technique of the ladder finds."""

N_STEPS, RATINGS, FIRST_ELIMINATION, FORCED = range(4)
"""Columns of :attr:`Script.impasses`."""

_SINGLES = (HIDDEN_SINGLE, NAKED_SINGLE)


class Script(NamedTuple):
    """The impasses of a puzzle, in order.

    Attributes
    ----------
    impasses : ndarray of int64, shape (n_impasses + 1, 4)
        Number of steps; sum of their ratings in tenths; first row in `eliminations`; the cell that
        they finally fill, or -1 if they leave a single. The last row only marks the end of the
        last impasse.
    eliminations : ndarray of int64, shape (n_eliminations, 2)
        Cell and digit (0-based) of each candidate removed.
    """

    impasses: NDArray[np.int64]
    eliminations: NDArray[np.int64]


NOTHING = Script(np.zeros((1, 4), np.int64), np.zeros((0, 2), np.int64))
"""Script of a puzzle that singles solve."""


@cache
def rungs(singles: bool) -> NDArray[np.int64]:
    """Return the ladder for kernels, with the singles first or without them."""
    first = tuple(t for t in SUKAKU_EXPLAINER if singles and t.kernel in _SINGLES)
    rest = tuple(t for t in SUKAKU_EXPLAINER if t.kernel not in _SINGLES)
    return rungs_of(first + rest)


def script_of(puzzle: Sudoku, solution: Values) -> Script:
    """Solve a puzzle with the whole ladder, singles first, and return its impasses."""
    layout, ladder = sudoku_grid(puzzle.order), rungs(True)
    finding, trial = new_finding(puzzle.order), new_finding(puzzle.order)
    state, _ = marks_of(puzzle)
    impasses: list[list[int]] = []
    eliminations: list[tuple[int, int]] = []
    at_impasse = False
    while state.n_blanks[0]:
        rung = find_step(state, layout, ladder, finding, trial)
        if rung >= 0 and ladder[rung, 0] in _SINGLES:
            at_impasse = False
            apply(state, layout, finding)
            continue
        if not at_impasse:
            impasses.append([0, 0, len(eliminations), -1])
        if rung < 0:
            cell = _fewest(state)
            fill_step(finding, cell, int(solution[cell]) - 1)
            finding.head[0]["rating"] = round(10 * BEYOND_RATING)
        impasse = impasses[-1]
        impasse[N_STEPS] += 1
        impasse[RATINGS] += int(finding.head[0]["rating"])
        impasse[FORCED] = int(finding.head[0]["cell"])
        eliminations += eliminations_of(finding, state)
        at_impasse = impasse[FORCED] < 0
        apply(state, layout, finding)
    impasses.append([0, 0, len(eliminations), 0])
    return Script(np.array(impasses, np.int64), np.array(eliminations, np.int64).reshape(-1, 2))


def eliminations_of(finding: Finding, state: LogicState) -> list[tuple[int, int]]:
    """Return the cell and digit (0-based) of each candidate that a step removes."""
    cells, masks = finding.lists[[GONE_CELLS, GONE_DIGITS], : finding.head[0]["n_gone"]]
    gone = masks & state.candidates[cells]
    return [
        (cell, digit)
        for cell, mask in zip(cells.tolist(), gone.tolist(), strict=True)
        for digit in range(mask.bit_length())
        if mask >> digit & 1
    ]


def fill_step(finding: Finding, cell: int, digit: int) -> None:
    """Write a step that only fills a cell; the digit is 0-based."""
    finding.words[:] = 0
    finding.head[0]["cell"], finding.head[0]["digit"] = cell, digit


def _fewest(state: LogicState) -> int:
    """Return the first empty cell with the fewest candidates.

    In Python, as the loop that calls it: few puzzles need this, and the kernel of
    `nando.solvers.singles` would be compiled for it in half a second.
    """
    candidates = state.candidates.tolist()
    empty = [cell for cell, mask in enumerate(candidates) if mask]
    return min(empty, key=lambda cell: n_bits(candidates[cell]))


WAYS = ("last", "box", "line", "naked")
"""The easiest way to see a single: last cell of a house, hidden in a box, in a line, naked."""

PLACES = ("elsewhere", "same digit", "same house")
"""The relation of a single to the last fill: the same digit, else a shared house, else neither."""

N_CLASSES = len(WAYS) * len(PLACES)

BOTTLENECKS = (1, 2, 3)
"""A bottleneck of k: a run of fills at each of which at most k cells are open to a single."""

_LAST = LAST_IN_ROW | LAST_IN_COLUMN | LAST_IN_BOX
_COMBINATIONS = np.arange(1 << N_WAYS)
_WAY_OF = np.select(
    [(_COMBINATIONS & bits) > 0 for bits in (_LAST, IN_BOX, HIDDEN)], [0, 1, 2], 3
).astype(np.int8)
"""The index in `WAYS` for every combination of the ways of `nando.solvers.singles`."""

_ENTRY, _IMPASSE, _STEP, _POINT = range(N_CLASSES, N_CLASSES + 4)
_SEARCH, _THOUGHT, _LONGEST, _BOTTLENECK = range(4)
_SECONDS, _LOG_RATE = range(2)
"""Rows of what is added up for each fill."""
_NONE_GONE = np.zeros((0, 2), np.int64)


@dataclass(frozen=True, eq=False)
class LadderRaceProfile(EqualFields):
    """Statistics of many runs of :class:`LadderRace` on a puzzle.

    Attributes
    ----------
    total : float
        Mean seconds of a run.
    search, thought : float
        Its parts: for finding singles and entering digits, and at impasses.
    longest : float
        Mean over runs of the longest fill.
    bottlenecks : ndarray of float64, shape (3,)
        Mean over runs of the longest run of fills with at most 1, 2, 3 cells open to a single.
    times : ndarray of float64, shape (n_blanks,)
        Mean seconds of each fill, first to last.
    log_rates : ndarray of float64, shape (n_blanks,)
        Mean logarithm of the summed rates at each fill: how easily something is seen.
    order : ndarray of float64, shape (n_cells,)
        Mean fill, from 1, at which each cell was filled; 0 for givens.
    """

    total: float
    search: float
    thought: float
    longest: float
    bottlenecks: NDArray[np.float64]
    times: NDArray[np.float64]
    log_rates: NDArray[np.float64]
    order: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Following(EqualFields):
    """The singles and ladder steps before each fill of a game.

    Attributes
    ----------
    singles : ndarray of int64, shape (n_moves, 12)
        Number of cells open to a single, by `WAYS` and, within each, `PLACES`.
    n_steps, ratings : ndarray of float64, shape (n_moves,)
        Number of ladder steps at an impasse, and the sum of their ratings above 1.
    """

    singles: NDArray[np.int64]
    n_steps: NDArray[np.float64]
    ratings: NDArray[np.float64]


@dataclass(frozen=True)
class LadderRace(Imitation[LadderRaceProfile]):
    """The ladder race.

    Parameters
    ----------
    rates : tuple of 12 floats
        Singles found per second, by `WAYS` and, within each, `PLACES`.
    entry_seconds : float
        Time to enter a digit.
    stuck_seconds : float
        Time to notice an impasse.
    step_seconds, rating_seconds : float
        Time of a step of the ladder, and further time for each point of its rating above 1.

    Notes
    -----
    In a trace `options` is the number of cells open to a single and `cost` the seconds of the
    fill. A fill that a step of the ladder makes directly has the rule `LOCAL_RULE`.

    Examples
    --------
    >>> puzzle = Sudoku(
    ...     "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    ... )
    >>> profile = LadderRace().profile(puzzle, rng=1)
    >>> profile.thought
    0.0
    """

    name: ClassVar[str] = "ladder_race"
    rates: tuple[float, ...] = (
        *(0.117, 16.7, 0.305),
        *(0.0213, 1.6, 0.0414),
        *(0.0159, 0.211, 0.0308),
        *(0.0104, 0.00928, 0.0266),
    )
    entry_seconds: float = setting(1.18, between(0))
    stuck_seconds: float = setting(51.9, between(0))
    step_seconds: float = setting(8.93, between(0))
    rating_seconds: float = setting(5.18, between(0))

    def check(self) -> None:
        """Reject a wrong number of rates, and rates that are not above 0."""
        if len(self.rates) != N_CLASSES or not min(self.rates) > 0:
            raise ValueError(f"rates must be {N_CLASSES} numbers above 0, got {self.rates!r}")

    def _play(
        self, puzzle: Puzzle, runs: int, rng: np.random.Generator
    ) -> tuple[Values, NDArray[np.void], LadderRaceProfile]:
        if not isinstance(puzzle, Sudoku):
            raise unsupported(self, puzzle)
        solution = unique_solution(puzzle)
        script = _script_of(puzzle)
        given = shared_given_state(puzzle)
        trace = np.zeros(int(given.counts[N_EMPTY]), STEP)
        means = np.zeros((2, len(trace)))
        order = np.zeros(puzzle.layout.n_cells)
        sums = np.zeros(_BOTTLENECK + len(BOTTLENECKS))
        _race_often(
            given,
            puzzle.layout,
            solution,
            script,
            (self.parameters, runs, _WAY_OF),
            rng,
            trace,
            (means, order, sums),
        )
        sums /= runs
        means /= runs
        profile = LadderRaceProfile(
            total=float(sums[_SEARCH] + sums[_THOUGHT]),
            search=float(sums[_SEARCH]),
            thought=float(sums[_THOUGHT]),
            longest=float(sums[_LONGEST]),
            bottlenecks=sums[_BOTTLENECK:],
            times=means[_SECONDS],
            log_rates=means[_LOG_RATE],
            order=order / runs,
        )
        return solution, trace, profile

    @cached_property
    def parameters(self) -> NDArray[np.float64]:
        """The rates, then the four seconds, shape ``(16,)``."""
        seconds = [float(getattr(self, field.name)) for field in fields(self)[1:]]
        return np.array([*self.rates, *seconds])

    @classmethod
    def of_parameters(cls, values: NDArray[np.float64]) -> Self:
        """Return the race with these :attr:`parameters`."""
        rates, seconds = values[:N_CLASSES].tolist(), values[N_CLASSES:].tolist()
        return cls(tuple(rates), *seconds)


@lru_cache(maxsize=256)
def _script_of(puzzle: Sudoku) -> Script:
    """Return the script of a puzzle, which is the same in every run."""
    return NOTHING if singles_suffice(puzzle) else script_of(puzzle, unique_solution(puzzle))


def follow(puzzle: Sudoku, solution: Values, cells: NDArray[np.int16]) -> Following:
    """Return the singles before each fill of a game, and the ladder's steps at impasses.

    Parameters
    ----------
    puzzle : Sudoku
    solution : ndarray of int8, shape (n_cells,)
    cells : ndarray of int16, shape (n_moves,)
        Different blanks, in the order of their fills.
    """
    singles = np.zeros((len(cells), N_CLASSES), np.int64)
    n_steps, ratings = np.zeros((2, len(cells)))
    layout, ladder = sudoku_grid(puzzle.order), rungs(False)
    finding, trial = new_finding(puzzle.order), new_finding(puzzle.order)
    state, (marks, _) = given_state(puzzle), marks_of(puzzle)
    gone, is_open = _NONE_GONE, False
    k = n_marked = 0
    while True:
        start = (k, is_open, gone)
        k = _fill_until_stuck(state, puzzle.layout, solution, cells, start, _WAY_OF, singles)
        if k == len(cells):
            return Following(singles, n_steps, ratings)
        for cell in cells[n_marked:k].tolist():
            fill_step(finding, cell, int(solution[cell]) - 1)
            apply_step(marks, layout, finding)
        n_marked = k
        n_steps[k] += 1
        if find_step(marks, layout, ladder, finding, trial) < 0:
            ratings[k] += BEYOND_RATING - 1.0
            gone, is_open = _NONE_GONE, True
            continue
        ratings[k] += finding.head[0]["rating"] / 10.0 - 1.0
        gone = np.array(eliminations_of(finding, marks), np.int64).reshape(-1, 2)
        is_open = finding.head[0]["cell"] >= 0
        if not is_open:
            apply_step(marks, layout, finding)


@kernel
def _race_often(given, layout, solution, script, settings, rng, trace, sums_of):
    """Add up runs: seconds and log rate of each fill, order of the cells, and the rest."""
    seconds, runs, way_of = settings
    by_fill, order, sums = sums_of
    state = copy_of(given)
    n = by_fill.shape[1]
    log_rates = np.zeros(n)
    workspace = (log_rates, np.zeros(layout.n_cells), way_of)
    for _ in range(runs):
        restore(state, given)
        sums[_THOUGHT] += _race(state, layout, solution, script, seconds, rng, trace, workspace)
        longest = 0.0
        total = 0.0
        for k in range(n):
            cost = trace[k]["cost"]
            total += cost
            longest = max(longest, cost)
            by_fill[_SECONDS, k] += cost
            by_fill[_LOG_RATE, k] += log_rates[k]
            order[trace[k]["cell"]] += k + 1
        sums[_SEARCH] += total
        sums[_LONGEST] += longest
        for most in range(1, sums.shape[0] - _BOTTLENECK + 1):
            length = 0
            longest_run = 0
            for k in range(n):
                length = length + 1 if trace[k]["options"] <= most else 0
                longest_run = max(longest_run, length)
            sums[_BOTTLENECK + most - 1] += longest_run
    sums[_SEARCH] -= sums[_THOUGHT]


@lean_kernel
def _race(state, layout, solution, script, seconds, rng, trace, workspace):
    """Fill the grid of `state`, a row of `trace` per cell; return the seconds spent at impasses."""
    log_rates, rates, way_of = workspace
    impasse = 0
    all_thought = 0.0
    last = last_digit = -1
    log_rate = 0.0
    for k in range(trace.shape[0]):
        options = state.counts[N_OPEN]
        thought = 0.0
        cell = -1
        if options == 0:
            n_steps = script.impasses[impasse, N_STEPS]
            points = script.impasses[impasse, RATINGS] / 10.0 - n_steps
            thought = seconds[_IMPASSE] + seconds[_STEP] * n_steps + seconds[_POINT] * points
            all_thought += thought
            first = script.impasses[impasse, FIRST_ELIMINATION]
            for i in range(first, script.impasses[impasse + 1, FIRST_ELIMINATION]):
                eliminate(state, layout, script.eliminations[i, 0], script.eliminations[i, 1])
            cell = script.impasses[impasse, FORCED]
            impasse += 1
        cost = seconds[_ENTRY] + thought
        rule = Rule.LOCAL_RULE.value
        if cell < 0:
            n_open = state.counts[N_OPEN]
            total = 0.0
            for i in range(n_open):
                single = int(state.open[unsigned(i)])
                class_index = _class_of(state, layout, single, last, last_digit, way_of)
                rates[unsigned(i)] = seconds[unsigned(class_index)]
                total += rates[unsigned(i)]
            cell = int(state.open[unsigned(winner_of_race(rates, n_open, total, rng))])
            rule = rule_of_single(state, cell)
            cost += 1.0 / total
            log_rate = np.log(total)
        if options == 0:
            log_rate = -np.log(cost)
        log_rates[k] = log_rate
        write_fill(trace, k, cell, solution[cell], rule, options, cost)
        last = cell
        last_digit = int(solution[cell]) - 1
        place(state, layout, cell, last_digit)
    return all_thought


@inlined_kernel
def _class_of(state, layout, cell, last, last_digit, way_of):
    """Return the class of a single, the index of its rate; `last` is -1 before the first fill."""
    index = unsigned(cell)
    first = 3 * int(way_of[state.ways[index]])
    if last < 0:
        return first
    if state.digit[index] == last_digit:
        return first + 1
    word, bit = unsigned(cell >> 5), cell & 31
    return first + 2 * (layout.peer_bits[unsigned(last), word] >> bit & 1)


@lean_kernel
def _fill_until_stuck(state, layout, solution, cells, start, way_of, singles):
    """Continue a game and count the singles before each fill; return the first fill without one.

    `start` is a tuple of the next fill, True if it is made even without a single, and the
    candidates to eliminate first.
    """
    first, is_open, gone = start
    for i in range(gone.shape[0]):
        eliminate(state, layout, gone[i, 0], gone[i, 1])
    last = last_digit = -1
    if first > 0:
        last = int(cells[first - 1])
        last_digit = int(solution[last]) - 1
    for k in range(first, cells.shape[0]):
        if state.counts[N_OPEN] == 0 and not (is_open and k == first):
            return k
        for i in range(state.counts[N_OPEN]):
            cell = int(state.open[i])
            singles[k, _class_of(state, layout, cell, last, last_digit, way_of)] += 1
        last = int(cells[k])
        last_digit = int(solution[last]) - 1
        place(state, layout, last, last_digit)
    return cells.shape[0]
