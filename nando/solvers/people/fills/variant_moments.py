"""Moments of a game on a variant: the board as a person sees it before each fill.

A person sees at a glance the candidates that filled cells leave through a house, a relation, or a
sum whose other cells are filled. Thought is counted in rounds; see
:mod:`nando.solvers.people.fills.variant_thought`. The module knows no rules, only constraints.

The marks of the logic solver (`nando.solvers.logic.variants.rule_state`) cannot serve here: they
have what all steps so far removed, while a moment tells candidates seen at a glance from those that
houses alone, relations alone and some rounds of thought leave.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.kernels.compile import inlined_kernel, lean_kernel, n_bits
from nando.puzzles import Variant
from nando.solvers.people.fills import moments
from nando.solvers.people.fills.variant_thought import StaticBoard, static_board, think, ways_of
from nando.solvers.variants.work import Work, new_work

RUN = 5
"""Index in `VariantMoment.history` of the number of fills directly before the last one with its
digit."""

_COOLING = 0.7
"""Factor of the warmth of earlier fills at each fill."""
_SLOW_COOLING = 0.85
"""Factor of the warmth of rows, columns and boxes at each fill."""
_PASSING = 0.8
"""Factor, at each fill, of how near earlier fills were to a single that they passed over."""
_HEAT = 0.3
"""Amount that a fill adds to the warmth of its houses and of its kind."""


class VariantMoment(NamedTuple):
    """A partly filled variant as a person sees it; all arrays are changed in place.

    Attributes
    ----------
    values, candidates, ways, support, empties, seen_since, placed_when_seen, digit_filled,
    refutation, digit_placed, digit_singles
        As in :class:`nando.solvers.people.fills.moments.Moment`. `candidates` are those that can be
        seen at a glance.
    marks : ndarray of int64, shape (n_cells,)
        Candidates after the rounds of thought; the digit alone where filled.
    plain, ruled : ndarray of int64, shape (n_cells,)
        Candidates that filled cells leave if only the differing of cells counts, and if only
        relations count.
    plain_ways : ndarray of uint8, shape (n_cells,)
        Like `ways`, but with the candidates `plain`.
    tightest : ndarray of int16, shape (n_cells,)
        Fewest digits that a relation to one filled cell leaves.
    ties : ndarray of int16, shape (n_cells,)
        Number of ties that join each cell to open cells: relations that exclude many pairs of
        digits.
    open_peers : ndarray of int16, shape (n_cells,)
        Number of open cells that must differ from each cell.
    by_rule : ndarray of uint8, shape (n_cells,)
        1 if a rule, and not only houses, removed a candidate at a glance.
    marked_since : ndarray of int16, shape (n_cells,)
        Number of fills after which little thought made the cell a single, -1 before that.
    changed : ndarray of uint8, shape (n_cells,)
        Number of candidates that the last fill removed at a glance.
    rounds : ndarray of int16, shape (n_cells,)
        Round of thought in which each cell becomes a single, 0 for none.
    by_one : ndarray of uint8, shape (n_cells,)
        Kinds of single constraint that leave the cell one candidate in some round, as bits.
    warmth, digit_warmth : ndarray of float32, shapes (n_cells,) and (size,)
        How near the last fills were to each cell, and how often they had each digit; it fades.
    house_warmth : ndarray of float32, shape (3 * n,)
        How often the last fills were in each row, column and box; it fades more slowly.
    kind_warmth : ndarray of float32, shape (5,)
        How often the last fills were the last of a house, a hidden single of a box, another hidden
        single, a naked single alone, none of these; it fades.
    marked_warmth : ndarray of float32, shape (n_cells,)
        How near fills were to each cell after thought made it a single; it does not fade.
    passed : ndarray of float32, shape (n_cells,)
        How near the last fills were to each cell while it was a single; it fades.
    sum_left : ndarray of int64, shape (n_sums,)
        Total of the open cells of each sum.
    sum_empties : ndarray of int16, shape (n_sums,)
        Number of the open cells of each sum.
    lone : ndarray of int64, shape (n_houses,)
        Digits with one place in each house.
    before, old : ndarray of int64, shape (n_cells,)
        Marks before a round: a working copy that one constraint at a time narrows, and the
        originals.
    paired : ndarray of int64, shape (n_words,)
        Houses to search for pairs, as bits.
    places : ndarray of int64, shape (size,)
        Workspace: the places of each digit in one of them, as bits.
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
    places: NDArray[np.int64]
    history: NDArray[np.int16]
    work: Work


def first_moment(puzzle: Variant) -> VariantMoment:
    """Return the moment before the first fill."""
    board = static_board(puzzle)
    network, size = board.network, puzzle.size
    n_cells, n_houses = network.n_cells, len(network.houses)
    givens = puzzle.givens[puzzle.places]
    moment = VariantMoment(
        values=np.zeros(n_cells, np.int8),
        candidates=network.start.copy(),
        marks=network.start.copy(),
        ways=np.zeros(n_cells, np.uint8),
        by_rule=np.zeros(n_cells, np.uint8),
        support=np.full(n_cells, moments.UNSUPPORTED, np.uint8),
        plain=np.full(n_cells, (1 << size) - 1, np.int64),
        ruled=np.full(n_cells, (1 << size) - 1, np.int64),
        plain_ways=np.zeros(n_cells, np.uint8),
        tightest=np.full(n_cells, size, np.int16),
        ties=_n_ties(board),
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
        house_warmth=np.zeros(3 * max(board.turns), np.float32),
        kind_warmth=np.zeros(5, np.float32),
        marked_warmth=np.zeros(n_cells, np.float32),
        passed=np.zeros(n_cells, np.float32),
        placed_when_seen=np.zeros(n_cells, np.int16),
        digit_filled=np.full(size, -1, np.int16),
        refutation=np.zeros(n_cells, np.int16),
        digit_placed=np.bincount(givens, minlength=size + 1)[1:].astype(np.int16),
        digit_singles=np.zeros(size, np.int16),
        sum_left=network.sum_totals.copy(),
        sum_empties=np.diff(network.sum_start).astype(np.int16),
        lone=np.zeros(n_houses, np.int64),
        paired=np.zeros(network.house_bits.shape[1], np.int64),
        places=np.zeros(size, np.int64),
        history=np.array([-1, -1, 0, (givens == 0).sum(), 0, 0], np.int16),
        work=new_work(network),
    )
    for cell in np.flatnonzero(givens):
        _enter(moment, board, int(cell), int(givens[cell]))
    return moment


def _n_ties(board: StaticBoard) -> NDArray[np.int16]:
    network = board.network
    ends = np.repeat(np.arange(network.n_cells), np.diff(network.arc_start))
    ties = np.bincount(ends[board.is_tie[network.arc_table]], minlength=network.n_cells)
    return ties.astype(np.int16)


@lean_kernel
def fill(moment, board, cell, value):
    """Put a value into an open cell."""
    _warm(moment, board, cell, value)
    _enter(moment, board, cell, value)
    moments.note_fill(moment, cell, value)


@lean_kernel
def _enter(moment, board, cell, value):
    """Put a value into an open cell, outside the history of the game."""
    network = board.network
    bit = 1 << (value - 1)
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
        moment.ties[other] -= board.is_tie[network.arc_table[i]]
    for i in range(network.cell_house_start[cell], network.cell_house_start[cell + 1]):
        moment.empties[network.cell_houses[i]] -= 1
    for i in range(network.cell_sum_start[cell], network.cell_sum_start[cell + 1]):
        number = network.cell_sums[i]
        _fill_sum(moment, network, number, cell, value, number < board.n_sums)
    moment.marks[cell] = bit


@lean_kernel
def _warm(moment, board, cell, value):
    """Update all warmth for a cell that is about to be filled."""
    for other in range(moment.values.size):
        near = board.nearness[cell, other]
        moment.warmth[other] = _COOLING * moment.warmth[other] + near
        moment.passed[other] *= _PASSING
        if moment.values[other] == 0 and moment.support[other] == moments.SINGLE:
            moment.passed[other] += near
        if moment.values[other] == 0 and moment.support[other] != moments.SINGLE:
            if moment.support[other] == moments.UNSUPPORTED:
                moment.marked_warmth[other] = 0.0
            else:
                moment.marked_warmth[other] += near
    for digit in range(moment.digit_warmth.size):
        moment.digit_warmth[digit] *= _COOLING
    moment.digit_warmth[value - 1] += 1.0
    for house in range(moment.house_warmth.size):
        moment.house_warmth[house] *= _SLOW_COOLING
    for kind in range(3):
        moment.house_warmth[place_of_house(moment, board, cell, kind)] += _HEAT
    for kind in range(moment.kind_warmth.size):
        moment.kind_warmth[kind] *= _COOLING
    moment.kind_warmth[kind_of(moment, board, cell)] += _HEAT
    last = int(moment.history[moments.LAST])
    again = last >= 0 and moment.values[last] == value
    moment.history[RUN] = moment.history[RUN] + 1 if again else 0


@inlined_kernel
def place_of_house(moment, board, cell, kind):
    """Return the index in `house_warmth` of the row (0), column (1) or box (2) of a cell."""
    return moment.house_warmth.size // 3 * kind + board.houses[cell, kind]


@inlined_kernel
def kind_of(moment, board, cell):
    """Return the way in which an open cell is seen, as an index in `VariantMoment.kind_warmth`."""
    network = board.network
    for i in range(network.cell_house_start[cell], network.cell_house_start[cell + 1]):
        if moment.empties[network.cell_houses[i]] == 1:
            return 0
    ways = int(moment.ways[cell])
    if ways & moments.IN_BOX:
        return 1
    if ways & moments.NAKED:
        return 3
    return 2 if ways else 4


@inlined_kernel
def _leave(moment, cell, kept):
    """Restrict a cell to the candidates `kept`; return True if it loses others."""
    gone = moment.candidates[cell] & ~kept
    moment.candidates[cell] &= kept
    moment.changed[cell] += n_bits(gone)
    return gone > 0


@lean_kernel
def _fill_sum(moment, network, number, cell, value, at_a_glance):
    """Subtract a filled cell from a sum; if one cell is left, it may be seen at a glance."""
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
def look(moment, board, solution):
    """Find the singles that are seen at a glance, and update the marks."""
    network = board.network
    moments.see_lone(moment, network.houses, moment.candidates)
    moments.forget_singles(moment)
    now = moment.history[moments.N_FILLED]
    for cell in range(network.n_cells):
        if moment.values[cell] == 0:
            moment.ways[cell] = ways_of(moment, board, cell, moment.candidates[cell])
            moments.note_single(moment, cell, solution)
            if moment.ways[cell] and moment.marked_since[cell] < 0:
                moment.marked_since[cell] = now
    moments.see_lone(moment, network.houses, moment.plain)
    for cell in range(network.n_cells):
        if moment.values[cell] == 0:
            moment.plain_ways[cell] = ways_of(moment, board, cell, moment.plain[cell])
    think(moment, board, now)
