"""Moments of a game on a variant: the board as a person sees it before each fill.

What is seen at a glance: the candidates that filled cells leave, whether through a house, a
relation or a sum whose other cells are filled. What takes thought is counted in rounds: see
:mod:`nando.solvers.people.fills.variant_thought`. No rule is named here, only constraints.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.kernels.bits import n_bits
from nando.kernels.compile import inlined_kernel, lean_kernel
from nando.puzzles import Variant
from nando.solvers.people.fills.moments import (
    BEFORE,
    IN_BOX,
    LAST,
    N_FILLED,
    N_SINGLES,
    NAKED,
    SINGLE,
    UNSUPPORTED,
)
from nando.solvers.people.fills.variant_ground import Ground, ground_of
from nando.solvers.people.fills.variant_thought import see_lone, think, ways_of
from nando.solvers.variants.work import Work, new_work

RUN = 5
"""Place in `VariantMoment.history`: fills before the last that had its digit, without a break."""

_COOLING = 0.7
"""What is left of the warmth of earlier fills after each fill."""
_SLOW_COOLING = 0.85
"""The same of the warmth of rows, columns and boxes."""
_PASSING = 0.8
"""The same of how near the last fills were to a single that was passed over."""
_HEAT = 0.3
"""Added by a fill to the warmth of its houses and of its kind."""


class VariantMoment(NamedTuple):
    """A partly filled variant as a person sees it; all arrays are changed in place.

    Attributes
    ----------
    values, candidates, ways, support, empties, seen_since, placed_when_seen, digit_filled,
    refutation, digit_placed, digit_singles
        As in :class:`nando.solvers.people.fills.moments.Moment`; `candidates` are those seen at a
        glance.
    marks : ndarray of int64, shape (n_cells,)
        Candidates after the rounds of thought; the digit alone where filled.
    plain, ruled : ndarray of int64, shape (n_cells,)
        Candidates that filled cells leave through what must differ, and through relations alone.
    plain_ways : ndarray of uint8, shape (n_cells,)
        As `ways`, by the candidates of `plain`.
    tightest : ndarray of int16, shape (n_cells,)
        Fewest digits that a relation to one filled cell leaves.
    ties : ndarray of int16, shape (n_cells,)
        Ties that join each cell to open cells: relations that exclude many pairs of digits.
    open_peers : ndarray of int16, shape (n_cells,)
        Open cells that must differ from each cell.
    by_rule : ndarray of uint8, shape (n_cells,)
        Whether a rule, and not only houses, removed a candidate at a glance.
    marked_since : ndarray of int16, shape (n_cells,)
        Number of fills after which little thought made the cell a single, -1 before that.
    changed : ndarray of uint8, shape (n_cells,)
        Candidates that the last fill removed at a glance.
    rounds : ndarray of int16, shape (n_cells,)
        Round of thought in which each cell becomes a single, 0 for none.
    by_one : ndarray of uint8, shape (n_cells,)
        Single constraints that leave the cell one candidate in some round.
    warmth, digit_warmth : ndarray of float32, shapes (n_cells,) and (size,)
        How near the last fills were to each cell, and how often they had each digit; it fades.
    house_warmth : ndarray of float32, shape (3 * n,)
        How often the last fills were in each row, column and box; it fades more slowly.
    kind_warmth : ndarray of float32, shape (5,)
        How often the last fills were the last of a house, a hidden single of a box, another hidden
        single, a naked single alone, none of these; it fades.
    marked_warmth : ndarray of float32, shape (n_cells,)
        How near fills were to each cell since thought made it a single; it does not fade.
    passed : ndarray of float32, shape (n_cells,)
        How near the last fills were to each cell while it was a single; it fades.
    sum_left : ndarray of int64, shape (n_sums,)
    sum_empties : ndarray of int16, shape (n_sums,)
        What the open cells of each sum must add, and their number.
    lone : ndarray of int64, shape (n_houses,)
        Digits with one place in each house.
    before, old : ndarray of int64, shape (n_cells,)
        Marks before a round, as constraints narrow them one by one, and as they were.
    paired : ndarray of int64, shape (n_words,)
        Houses in which pairs are to be looked for, as bits.
    history : ndarray of int16, shape (6,)
    work : Work
    """

    values: NDArray[np.int8]
    candidates: NDArray[np.int64]
    marks: NDArray[np.int64]
    ways: NDArray[np.uint8]
    by_rule: NDArray[np.uint8]
    support: NDArray[np.uint8]
    plain: NDArray[np.int64]
    ruled: NDArray[np.int64]
    plain_ways: NDArray[np.uint8]
    tightest: NDArray[np.int16]
    ties: NDArray[np.int16]
    empties: NDArray[np.int16]
    open_peers: NDArray[np.int16]
    seen_since: NDArray[np.int16]
    marked_since: NDArray[np.int16]
    before: NDArray[np.int64]
    old: NDArray[np.int64]
    changed: NDArray[np.uint8]
    rounds: NDArray[np.int16]
    by_one: NDArray[np.uint8]
    warmth: NDArray[np.float32]
    digit_warmth: NDArray[np.float32]
    house_warmth: NDArray[np.float32]
    kind_warmth: NDArray[np.float32]
    marked_warmth: NDArray[np.float32]
    passed: NDArray[np.float32]
    placed_when_seen: NDArray[np.int16]
    digit_filled: NDArray[np.int16]
    refutation: NDArray[np.int16]
    digit_placed: NDArray[np.int16]
    digit_singles: NDArray[np.int16]
    sum_left: NDArray[np.int64]
    sum_empties: NDArray[np.int16]
    lone: NDArray[np.int64]
    paired: NDArray[np.int64]
    history: NDArray[np.int16]
    work: Work


def first_moment(puzzle: Variant) -> VariantMoment:
    """Return the moment before the first fill."""
    ground = ground_of(puzzle)
    network, size = ground.network, puzzle.size
    n_cells, n_houses = network.n_cells, len(network.houses)
    moment = VariantMoment(
        values=np.zeros(n_cells, np.int8),
        candidates=network.start.copy(),
        marks=network.start.copy(),
        ways=np.zeros(n_cells, np.uint8),
        by_rule=np.zeros(n_cells, np.uint8),
        support=np.full(n_cells, UNSUPPORTED, np.uint8),
        plain=np.full(n_cells, (1 << size) - 1, np.int64),
        ruled=np.full(n_cells, (1 << size) - 1, np.int64),
        plain_ways=np.zeros(n_cells, np.uint8),
        tightest=np.full(n_cells, size, np.int16),
        ties=_n_ties(ground),
        empties=np.full(n_houses, size, np.int16),
        open_peers=np.diff(network.peer_start).astype(np.int16),
        seen_since=np.full(n_cells, -1, np.int16),
        marked_since=np.full(n_cells, -1, np.int16),
        before=network.start.copy(),
        old=network.start.copy(),
        changed=np.zeros(n_cells, np.uint8),
        rounds=np.zeros(n_cells, np.int16),
        by_one=np.zeros(n_cells, np.uint8),
        warmth=np.zeros(n_cells, np.float32),
        digit_warmth=np.zeros(size, np.float32),
        house_warmth=np.zeros(3 * max(ground.turns), np.float32),
        kind_warmth=np.zeros(5, np.float32),
        marked_warmth=np.zeros(n_cells, np.float32),
        passed=np.zeros(n_cells, np.float32),
        placed_when_seen=np.zeros(n_cells, np.int16),
        digit_filled=np.full(size, -1, np.int16),
        refutation=np.zeros(n_cells, np.int16),
        digit_placed=np.zeros(size, np.int16),
        digit_singles=np.zeros(size, np.int16),
        sum_left=network.sum_totals.copy(),
        sum_empties=np.diff(network.sum_start).astype(np.int16),
        lone=np.zeros(n_houses, np.int64),
        paired=np.zeros(network.house_bits.shape[1], np.int64),
        history=np.zeros(6, np.int16),
        work=new_work(network),
    )
    givens = puzzle.givens[puzzle.places]
    for cell in np.flatnonzero(givens):
        fill(moment, ground, int(cell), int(givens[cell]))
    moment.digit_filled[:] = -1
    moment.warmth[:] = 0.0
    moment.digit_warmth[:] = 0.0
    moment.house_warmth[:] = 0.0
    moment.kind_warmth[:] = 0.0
    moment.marked_warmth[:] = 0.0
    moment.passed[:] = 0.0
    moment.history[:] = [-1, -1, 0, int((givens == 0).sum()), 0, 0]
    return moment


def _n_ties(ground: Ground) -> NDArray[np.int16]:
    network = ground.network
    ends = np.repeat(np.arange(network.n_cells), np.diff(network.arc_start))
    ties = np.bincount(ends[ground.is_tie[network.arc_table]], minlength=network.n_cells)
    return ties.astype(np.int16)


@lean_kernel
def fill(moment, ground, cell, value):
    """Put a value into an open cell."""
    network = ground.network
    bit = 1 << (value - 1)
    _warm(moment, ground, cell, value)
    moment.values[cell] = value
    moment.candidates[cell] = 0
    for other in range(network.n_cells):
        moment.changed[other] = 0
    for i in range(network.peer_start[cell], network.peer_start[cell + 1]):
        _leave(moment, network.peers[i], ~bit)
        moment.plain[network.peers[i]] &= ~bit
        moment.open_peers[network.peers[i]] -= 1
    for i in range(network.arc_start[cell], network.arc_start[cell + 1]):
        allowed = network.tables[network.arc_table[i], value - 1]
        other = network.arc_cell[i]
        if _leave(moment, other, allowed):
            moment.by_rule[other] = 1
        moment.ruled[other] &= allowed
        moment.tightest[other] = min(moment.tightest[other], n_bits(allowed))
        moment.ties[other] -= ground.is_tie[network.arc_table[i]]
    for i in range(network.cell_house_start[cell], network.cell_house_start[cell + 1]):
        moment.empties[network.cell_houses[i]] -= 1
    for i in range(network.cell_sum_start[cell], network.cell_sum_start[cell + 1]):
        number = network.cell_sums[i]
        _fill_sum(moment, network, number, cell, value, number < ground.n_sums)
    moment.marks[cell] = bit
    moment.digit_filled[value - 1] = moment.history[N_FILLED]
    moment.digit_placed[value - 1] += 1
    moment.history[BEFORE] = moment.history[LAST]
    moment.history[LAST] = cell
    moment.history[N_FILLED] += 1


@lean_kernel
def _warm(moment, ground, cell, value):
    """Note where, what and how a cell is about to be filled."""
    for other in range(moment.values.size):
        near = ground.nearness[cell, other]
        moment.warmth[other] = _COOLING * moment.warmth[other] + near
        moment.passed[other] *= _PASSING
        if moment.values[other] == 0 and moment.support[other] == SINGLE:
            moment.passed[other] += near
        if moment.values[other] == 0 and moment.support[other] != SINGLE:
            if moment.support[other] == UNSUPPORTED:
                moment.marked_warmth[other] = 0.0
            else:
                moment.marked_warmth[other] += near
    for digit in range(moment.digit_warmth.size):
        moment.digit_warmth[digit] *= _COOLING
    moment.digit_warmth[value - 1] += 1.0
    for house in range(moment.house_warmth.size):
        moment.house_warmth[house] *= _SLOW_COOLING
    for kind in range(3):
        moment.house_warmth[place_of_house(moment, ground, cell, kind)] += _HEAT
    for kind in range(moment.kind_warmth.size):
        moment.kind_warmth[kind] *= _COOLING
    moment.kind_warmth[kind_of(moment, ground, cell)] += _HEAT
    last = int(moment.history[LAST])
    again = last >= 0 and moment.values[last] == value
    moment.history[RUN] = moment.history[RUN] + 1 if again else 0


@inlined_kernel
def place_of_house(moment, ground, cell, kind):
    """Return the place of a row (0), column (1) or box (2) of a cell in `house_warmth`."""
    return moment.house_warmth.size // 3 * kind + ground.houses[cell, kind]


@inlined_kernel
def kind_of(moment, ground, cell):
    """Return how an open cell is seen, as its place in `VariantMoment.kind_warmth`."""
    network = ground.network
    for i in range(network.cell_house_start[cell], network.cell_house_start[cell + 1]):
        if moment.empties[network.cell_houses[i]] == 1:
            return 0
    ways = int(moment.ways[cell])
    if ways & IN_BOX:
        return 1
    if ways & NAKED:
        return 3
    return 2 if ways else 4


@inlined_kernel
def _leave(moment, cell, kept):
    """Leave a cell some candidates; return True if others are gone."""
    gone = moment.candidates[cell] & ~kept
    moment.candidates[cell] &= kept
    moment.changed[cell] += n_bits(gone)
    return gone > 0


@lean_kernel
def _fill_sum(moment, network, number, cell, value, at_a_glance):
    """Count a filled cell in a sum; the last cell of a sum of a rule is then seen at a glance."""
    last, weight = -1, 0
    for i in range(network.sum_start[number], network.sum_start[number + 1]):
        other = network.sum_cells[i]
        if other == cell:
            moment.sum_left[number] -= network.sum_weights[i] * value
        elif moment.values[other] == 0:
            last, weight = other, network.sum_weights[i]
    moment.sum_empties[number] -= 1
    if moment.sum_empties[number] == 1 and at_a_glance:
        digit = moment.sum_left[number] // weight - 1
        _leave(moment, last, 1 << digit)
        moment.by_rule[last] = 1


@lean_kernel
def look(moment, ground, solution):
    """See singles at a glance, and bring the marks up to date."""
    network = ground.network
    see_lone(moment, network, moment.candidates)
    now = moment.history[N_FILLED]
    n_singles = 0
    for digit in range(ground.size):
        moment.digit_singles[digit] = 0
    for cell in range(network.n_cells):
        moment.ways[cell] = 0
        if moment.values[cell]:
            continue
        ways = ways_of(moment, ground, cell, moment.candidates[cell])
        moment.ways[cell] = ways
        if ways:
            digit = solution[cell] - 1
            n_singles += 1
            moment.digit_singles[digit] += 1
            if moment.seen_since[cell] < 0:
                moment.seen_since[cell] = now
                moment.placed_when_seen[cell] = moment.digit_placed[digit]
            if moment.marked_since[cell] < 0:
                moment.marked_since[cell] = now
    moment.history[N_SINGLES] = n_singles
    see_lone(moment, network, moment.plain)
    for cell in range(network.n_cells):
        if moment.values[cell] == 0:
            moment.plain_ways[cell] = ways_of(moment, ground, cell, moment.plain[cell])
    think(moment, ground, now)
