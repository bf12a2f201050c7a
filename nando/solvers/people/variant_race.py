"""The variant race: the technique race on the constraints of a variant.

As in :mod:`nando.solvers.people.technique_race`, all singles race while there are any. The time of
looking is summed separately by how the easiest single is seen: at a glance (in a box or region, or
the last cell of a house), along a row or column, in a further house (a diagonal, a window), as the
rest of a sum, or only by counting the candidates of its cell. Filled cells rule out candidates by
every relation of the rules, and a sum with one blank has a known rest.

At an impasse the easiest family that opens a single is found: the rules' own first (combinations
of sums, relations between open cells, patterns along lines), then the 45 rule, locked candidates,
pairs, and triplets and X-wings, each with all that come before it. What the rules open races as
singles do: the more cells, the sooner one is seen. If they open none, the look was in vain.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from nando.checks import positive
from nando.kernels.compile import inlined_kernel, lean_kernel, lowest_bit, unsigned
from nando.puzzles import Puzzle, Values, Variant
from nando.puzzles.frozen import EqualFields
from nando.records import setting
from nando.solvers.exact.search import unique_solution
from nando.solvers.logic.finders.grid import BOX, OTHER
from nando.solvers.logic.variants.layout import Layout, layout_of
from nando.solvers.people import variant_rounds
from nando.solvers.people.imitation import Draws, Played, SpreadImitation, write_fill
from nando.solvers.protocol import STEP, Rule
from nando.solvers.variants.network import Network, network_of, with_sums
from nando.solvers.variants.work import new_work

_GLANCE, _RESTS, _NEXT, _LINES, _HOUSES, _CELLS, _RULES = range(7)
_BEYOND = _RULES + variant_rounds.N_LEVELS
_BEYOND_BLANKS, _ROUND = _BEYOND + 1, _BEYOND + 2

_NAKED_SINGLE, _HIDDEN_SINGLE = int(Rule.NAKED_SINGLE), int(Rule.HIDDEN_SINGLE)
_ELIMINATION, _GUESS = int(Rule.ELIMINATION), int(Rule.GUESS)

_TYPICAL_BLANKS = 27.0

_USUAL_SIZE = 9
"""Number of digits from which looking through a house takes one look; less on a smaller board."""

_IN_VAIN = 4.0
"""Looks through all rules that open none, next to a look at the only rule that opens a cell."""


@dataclass(frozen=True, eq=False)
class VariantRaceProfile(EqualFields):
    """Statistics of many runs of :class:`VariantRace` on a puzzle; means over runs.

    Attributes
    ----------
    glance, rests, next, lines, houses, cells : float
        Time of looks whose easiest single is seen at a glance, as the rest of a sum, next to a
        digit by a relation, along a row or column, in a further house, or only by the candidates
        of its cell.
    rules : float
        Looks through all relations, sums and patterns at impasses. Each counts 1 divided by the
        fourth root of the number of cells that they open, and 4 if they open none.
    unions, locked, pairs, triplets : float
        Number of fills at an impasse that only the 45 rule opens, too; that only locked
        candidates, pairs, or triplets and X-wings open, too.
    beyond : float
        Number of fills at an impasse that none of these opens, on a puzzle without rules.
    beyond_blanks : float
        Sum of the number of empty cells over these fills, divided by 27.
    marks : float
        Sum, over the blanks of the rules, of the binary logarithm of the candidates that each rule
        leaves by itself, before any fill.
    waits : float
        Number of blanks, summed over the rounds of singles, of looks through all rules, or of
        techniques beyond these.
    order : ndarray of float64, shape (n_places,)
        Step, from 1, at which each cell was filled; 0 for givens.
    """

    glance: float
    rests: float
    next: float
    lines: float
    houses: float
    cells: float
    rules: float
    unions: float
    locked: float
    pairs: float
    triplets: float
    beyond: float
    beyond_blanks: float
    marks: float
    waits: float
    order: NDArray[np.float64]


@dataclass(frozen=True)
class VariantRace(SpreadImitation[VariantRaceProfile]):
    """The technique race on variants.

    Parameters
    ----------
    box_rate, line_rate, naked_rate, last_rate : float
        As in :class:`nando.solvers.TechniqueRace`.
    house_rate : float
        Rate at which a hidden single in a further house is found.
    rest_rate, next_rate : float
        Rate added to that of a naked single if the cell is the only blank of a sum, and if a
        relation joins it to a filled cell.

    Examples
    --------
    >>> from nando.puzzles import Variant
    >>> cages = "+killer:r2c1r3c1:5+killer:r3c2r4c2:4"
    >>> puzzle = Variant(f"...............1{cages}+thermometer:r1c1r1c2r1c3r1c4")
    >>> profile = VariantRace().profile(puzzle, runs=4, rng=0)
    >>> profile.rules > 0, profile.beyond
    (True, 0.0)
    """

    name: ClassVar[str] = "variant_race"
    kind: ClassVar[type[Puzzle]] = Variant
    profile_class: ClassVar[type] = VariantRaceProfile
    box_rate: float = setting(1.0, positive)
    line_rate: float = setting(0.6, positive)
    house_rate: float = setting(0.6, positive)
    rest_rate: float = setting(1.5, positive)
    next_rate: float = setting(0.65, positive)
    naked_rate: float = setting(0.35, positive)
    last_rate: float = setting(0.5, positive)

    def draw(self, puzzle: Variant, runs: int, rng: np.random.Generator) -> Draws:
        """Return all draws for the runs on a puzzle: how long its cells stay unseen."""
        return (rng.random((runs + 1, len(puzzle.places))),)

    def _play_many(self, puzzles: tuple[Variant, ...], draws: Draws) -> Played:
        (unseen,) = self.spread(draws)
        runs = unseen.shape[1]
        means = np.zeros((len(puzzles), self.n_numbers))
        solutions, orders = [], []
        for puzzle, own, sums in zip(puzzles, unseen, means, strict=True):
            solution, trace, order = self._race_often(puzzle, own, sums)
            solutions.append(solution)
            orders.append(order / runs)
        return Played(solutions, trace, means / runs, orders)

    def _race_often(
        self, puzzle: Variant, unseen: NDArray[np.float64], sums: NDArray[np.float64]
    ) -> tuple[Values, NDArray[np.void], NDArray[np.float64]]:
        """Add up the runs; return the solution, the last run, and the sum of the orders."""
        solution = unique_solution(puzzle)
        network, layout, n_sums = board_of(puzzle)
        places = np.array(puzzle.places)
        given = puzzle.givens[places] > 0
        trace = np.zeros(int(network.n_cells - given.sum()), STEP)
        order, rates = np.zeros(network.n_cells), np.array([getattr(self, name) for name in _RATES])
        race_variant(
            (network, layout, n_sums),
            (given, solution[places].astype(np.int64) - 1),
            rates,
            unseen,
            (trace, sums, order),
            (new_work(network), variant_rounds.new_race_state(network)),
        )
        trace["cell"] = places[trace["cell"]]
        of_places = np.zeros(puzzle.givens.size)
        of_places[places] = order
        return solution, trace, of_places


_RATES = (
    "line_rate",
    "line_rate",
    "box_rate",
    "house_rate",
    "naked_rate",
    "rest_rate",
    "next_rate",
    "last_rate",
)
"""Rates of hidden singles by the kind of house: ROW, COLUMN, BOX, OTHER; then the others."""
_NAKED_RATE, _REST_RATE, _NEXT_RATE, _LAST_RATE = range(4, 8)
"""Indices of rates after those of the kinds of house."""


@lru_cache(maxsize=16)
def board_of(puzzle: Variant) -> tuple[Network, Layout, int]:
    """Return the network with the sums of the 45 rule, the layout, and the number of other sums."""
    layout, sources = layout_of(puzzle)
    unions = [(union.cells, union.weights, union.total) for union in sources.unions]
    return with_sums(network_of(puzzle)[0], unions), layout, layout.n_sums


@lean_kernel
def race_variant(board, known, rates, unseen, totals, work_and_state):
    """Add up the runs on a puzzle into the sums and the order of the cells."""
    network, _, n_sums = board
    given, solution = known
    trace, sums, order = totals
    work, state = work_and_state
    for run in range(unseen.shape[0]):
        _begin(network, n_sums, given, solution, state)
        if run == 0:
            variant_rounds.close_first(board, work, state)
        for level in range(variant_rounds.N_LEVELS):
            for cell in range(network.n_cells):
                state.levels[level, cell] = state.starts[level, cell]
        _race(board, solution, rates, unseen[run], trace, sums, (work, state))
        for k in range(trace.shape[0]):
            order[trace[k]["cell"]] += k + 1
    _begin(network, n_sums, given, solution, state)
    variant_rounds.go_round(board, work, state, solution, state.starts, sums[_ROUND:])
    for i in range(_ROUND, sums.shape[0]):
        sums[i] *= unseen.shape[0]  # as if each run went round


@lean_kernel
def _begin(network, n_sums, given, solution, state):
    """Enter the givens on an empty board."""
    for cell in range(network.n_cells):
        state.masks[cell] = network.start[cell]
        state.filled[cell] = 0
        state.rest[cell] = 0
        state.next[cell] = 0
    for cell in range(network.n_cells):
        if given[cell]:
            _place(network, state, n_sums, cell, int(solution[cell]))
    for number in range(n_sums):
        _leave_rest(network, state, number)


@lean_kernel
def _race(board, solution, rates, unseen, trace, sums, work_and_state):
    """Fill the board, a row of `trace` per cell; `unseen` decreases as time passes."""
    network, layout, n_sums = board
    work, state = work_and_state
    has_rules = network.arc_cell.size + n_sums + network.pattern_first.size > 0
    size = min(network.n_digits, _USUAL_SIZE) / _USUAL_SIZE
    for k in range(trace.shape[0]):
        blanks = trace.shape[0] - k
        options, total, best = _see(network, layout, rates, state)
        cost = 0.0
        if options > 0:
            cell = _first_seen(network, state, unseen)
            mask = int(state.masks[cell])
            rule = _HIDDEN_SINGLE if mask & (mask - 1) else _NAKED_SINGLE
            cost = size * np.sqrt(blanks / _TYPICAL_BLANKS) / total
            sums[best] += cost
        else:
            level, cell, n_open = variant_rounds.open_easiest(board, work, state, unseen)
            rule = _ELIMINATION
            if level == variant_rounds.N_LEVELS:
                rule = _GUESS
            if level == variant_rounds.RULES:
                sums[_RULES] += n_open**-0.25
            else:
                sums[_RULES] += _IN_VAIN * has_rules
                if level < variant_rounds.N_LEVELS:
                    sums[_RULES + level] += 1.0
                elif not has_rules:
                    sums[_BEYOND] += 1.0
                    sums[_BEYOND_BLANKS] += blanks / _TYPICAL_BLANKS
        digit = int(solution[cell])
        write_fill(trace, k, cell, digit + 1, rule, options, cost)
        _place(network, state, n_sums, cell, digit)


@lean_kernel
def _place(network, state, n_sums, cell, digit):
    """Enter a digit, and remove the candidates that it directly excludes."""
    bit = 1 << digit
    state.masks[cell] = bit
    state.filled[cell] = 1
    for i in range(network.peer_start[cell], network.peer_start[cell + 1]):
        peer = int(network.peers[unsigned(i)])
        if state.filled[peer] == 0:
            state.masks[peer] &= ~bit
    for i in range(network.arc_start[cell], network.arc_start[cell + 1]):
        to = int(network.arc_cell[unsigned(i)])
        if state.filled[to] == 0:
            state.masks[to] &= network.tables[network.arc_table[unsigned(i)], digit]
            state.next[to] = 1
    for i in range(network.cell_sum_start[cell], network.cell_sum_start[cell + 1]):
        number = int(network.cell_sums[unsigned(i)])
        if number < n_sums:
            _leave_rest(network, state, number)


@inlined_kernel
def _leave_rest(network, state, number):
    """Restrict the only blank of a sum, if there is only one, to the rest of the sum."""
    left = int(network.sum_totals[number])
    blank, weight = -1, 1
    for i in range(network.sum_start[number], network.sum_start[number + 1]):
        cell, own = int(network.sum_cells[unsigned(i)]), int(network.sum_weights[unsigned(i)])
        if state.filled[cell]:
            left -= own * (lowest_bit(int(state.masks[cell])) + 1)
        elif blank >= 0:
            return
        else:
            blank, weight = cell, own
    if blank >= 0:
        state.masks[blank] &= 1 << left // weight - 1
        state.rest[blank] = 1


@lean_kernel
def _see(network, layout, rates, state):
    """Write the rate at which each cell is seen.

    Return the number of cells that can be filled, the sum of rates, and how the easiest is seen.
    """
    n = network.n_digits
    best = _CELLS
    for cell in range(network.n_cells):
        rate = 0.0
        mask = int(state.masks[unsigned(cell)])
        if state.filled[unsigned(cell)] == 0 and mask & (mask - 1) == 0:
            rate = rates[_NAKED_RATE]
            if state.rest[cell]:
                rate += rates[_REST_RATE]
                best = min(best, _RESTS)
            if state.next[cell]:
                rate += rates[_NEXT_RATE]
                best = min(best, _NEXT)
        state.rates[unsigned(cell)] = rate
    for house in range(network.houses.shape[0]):
        hidden, blanks = variant_rounds.hidden_digits(network, state, state.masks, house)
        if hidden == 0:
            continue
        kind = layout.grid.house_kind[house]
        rate = rates[kind]
        if blanks == 1 or kind == BOX:
            best = _GLANCE
        else:
            best = min(best, _HOUSES if kind == OTHER else _LINES)
        if blanks == 1:
            rate += rates[_LAST_RATE]
        for i in range(n):
            cell = int(network.houses[unsigned(house), unsigned(i)])
            if state.filled[unsigned(cell)] == 0 and state.masks[unsigned(cell)] & hidden:
                state.rates[unsigned(cell)] += rate
    options = 0
    total = 0.0
    for cell in range(network.n_cells):
        if state.rates[unsigned(cell)] > 0.0:
            options += 1
            total += state.rates[unsigned(cell)]
    return options, total, best


@inlined_kernel
def _first_seen(network, state, unseen):
    """Return the cell that is seen first, and subtract the time from the others.

    The technique race does the same with a table of 1 / rates. If both called one kernel, which
    would have to divide, the technique race would take 3 % longer.
    """
    first = -1
    soonest = np.inf
    for cell in range(network.n_cells):
        rate = state.rates[unsigned(cell)]
        if rate > 0.0 and unseen[unsigned(cell)] < soonest * rate:
            soonest = unseen[unsigned(cell)] / rate
            first = cell
    for cell in range(network.n_cells):
        unseen[unsigned(cell)] -= soonest * state.rates[unsigned(cell)]
    return first
