"""Clues and givens that a search can switch on and off without a new network.

The network has the constraints of all clues. A relation is off while its table allows everything;
a sum or pattern is off while it is marked as listed, so that nothing lists it.
"""

import math
from collections.abc import Sequence
from itertools import combinations, pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.kernels.compile import copy_values, lean_kernel, n_bits
from nando.puzzles.boards.board import Board
from nando.puzzles.boards.constraints import (
    AllDifferent,
    Candidates,
    Constraint,
    Relation,
    Sum,
    apart,
)
from nando.solvers.exact.bands import DEPTH, FOUND
from nando.solvers.exact.variants import Memory, advance_variant, new_memory
from nando.solvers.variants.network import Network, join
from nando.solvers.variants.propagation import propagate
from nando.solvers.variants.tables import Ints, lists
from nando.solvers.variants.work import CELLS, Work, enlist_all, forget, new_work


class Switches(NamedTuple):
    """The units that can be switched on and off; each is a clue or a group of givens.

    Attributes
    ----------
    is_on : ndarray of uint8, shape (n_units,)
    cell_start, cells, masks : ndarray of int64
        For each unit, cells and the digits that it leaves them.
    arc_start, arcs, sum_start, sums, pattern_start, patterns : ndarray of int64
        For each unit, numbers of relations, sums and patterns of the network.
    tables : ndarray of int64, shape (n_arcs,)
        ``network.arc_table``, which is read-only there; changed in place.
    own_tables, owners : ndarray of int64, shape (n_arcs,)
        The table of each relation while it is on, and its first cell.
    free : ndarray of int64, shape (n_cells,)
        Candidates of each cell while all units are off.
    known : ndarray of int64, shape (n_cells,)
        The digits of the known solution, from 0.
    """

    is_on: NDArray[np.uint8]
    cell_start: Ints
    cells: Ints
    masks: Ints
    arc_start: Ints
    arcs: Ints
    sum_start: Ints
    sums: Ints
    pattern_start: Ints
    patterns: Ints
    tables: Ints
    own_tables: Ints
    owners: Ints
    free: Ints
    known: Ints


class Panel(NamedTuple):
    """The switches of clues and givens, the network that they change, and memory for searches.

    The first of ``memory.solutions`` is the other solution that was found last.
    """

    switches: Switches
    network: Network
    work: Work
    memory: Memory


Numbered = Sequence[tuple[int, Constraint]]
"""Constraints with the number of their rule or unit."""


def panel_of(
    board: Board,
    fixed: Numbered,
    clues: Sequence[Sequence[Constraint]],
    groups: Sequence[Sequence[int]],
    digits: Ints,
) -> Panel:
    """Return the switches of clues, then of groups of givens; all of them are off.

    Parameters
    ----------
    board : Board
    fixed : sequence of (int, Constraint)
        Constraints that cannot be switched off.
    clues : sequence of sequences of Constraint
        The constraints of each clue.
    groups : sequence of sequences of int
        Cells that are given together.
    digits : ndarray of int64, shape (n_cells,)
        The known solution.
    """
    n, none = board.digits, np.zeros(len(board.cells), np.int64)
    base = join(board, fixed, none)[0]
    masks: list[list[tuple[int, int]]] = []
    added: list[tuple[int, Constraint]] = []
    distinct = set()
    differ = None
    for number, constraints in enumerate(clues):
        masks.append([])
        for own in constraints:
            if isinstance(own, Candidates):
                masks[-1].append((board.number_of[own.cell], own.mask))
            elif isinstance(own, AllDifferent):
                distinct.add((number, frozenset(own.cells)))
                differ = _see(base) if differ is None else differ
                added += [(number, pair) for pair in _pairs(board, differ, own)]
            else:
                added.append((number, own))
    masks += [[(cell, 1 << int(digits[cell]) - 1) for cell in group] for group in groups]
    n_units, first = len(masks), 1 + max((number for number, _ in fixed), default=-1)
    network, tables, origins = base, base.arc_table.copy(), [_places((), n_units)] * 3
    if added:
        numbered = [(first + number, own) for number, own in added]
        network, joined = join(board, [*fixed, *numbered], none)
        tables = network.arc_table.copy()
        network = _with_free_table(network, tables, n)
        plain = [
            (number, frozenset(own.cells)) in distinct
            for number, own in added
            if isinstance(own, Sum)
        ]
        network = _with_distinct(network, plain)
        kinds = joined.arcs, joined.sums, joined.patterns
        origins = [_places([rule - first for rule in rules], n_units) for rules in kinds]
    arrays: list[Any] = [np.zeros(n_units, np.uint8), *_columns(masks)]
    for start, numbers in origins:
        arrays += [start, numbers]
    owners = np.repeat(np.arange(network.n_cells), np.diff(network.arc_start))
    arrays += [tables, tables.copy(), owners, network.start, digits - 1]
    switches = Switches(*arrays)
    work = new_work(network)
    tables[switches.arcs] = len(network.tables) - 1
    work.has_sum[switches.sums] = 1
    work.has_pattern[switches.patterns] = 1
    n_cells = network.n_cells
    return Panel(switches, network, work, new_memory(network, range(n_cells), n_cells))


def _see(network: Network) -> list[set[int]]:
    """Return for each cell the cells that it sees."""
    bounds, peers = network.peer_start.tolist(), network.peers.tolist()
    return [set(peers[first:end]) for first, end in pairwise(bounds)]


def _pairs(board: Board, seen: list[set[int]], own: AllDifferent) -> list[Relation]:
    """Return relations of the cells that do not see each other yet."""
    table, number_of = apart(board.values, 1), board.number_of
    return [
        Relation(first, second, table)
        for first, second in combinations(own.cells, 2)
        if number_of[second] not in seen[number_of[first]]
    ]


def _with_free_table(network: Network, tables: Ints, n: int) -> Network:
    """Return the network with a last table that allows everything, and tables that can change."""
    full = (1 << n) - 1
    free = np.full((1, n), full, np.int64)
    parts = np.full((1, (n + 8) // 9, 512), full, np.int64)
    parts[:, :, 0] = 0
    shown = tables.view()
    new: dict[str, Any] = {
        "tables": np.concatenate([network.tables, free]),
        "supports": np.concatenate([network.supports, parts]),
        "arc_table": shown,
    }
    for array in new.values():
        array.setflags(write=False)
    return network._replace(**new)


def _with_distinct(network: Network, plain: Sequence[bool]) -> Network:
    """Return the network with the last sums marked as sums of different digits."""
    if not plain:
        return network
    distinct = network.sum_distinct.copy()
    distinct[len(distinct) - len(plain) :] |= plain
    distinct.setflags(write=False)
    return network._replace(sum_distinct=distinct)


def _places(rules: Sequence[int], n_units: int) -> tuple[Ints, Ints]:
    """Return for each unit the indices of its number in a list, as :func:`lists` does."""
    units = np.array(rules, np.int64)
    order = np.argsort(units, kind="stable")
    order = order[units[order] >= 0]
    return np.searchsorted(units[order], np.arange(n_units + 1)), order


def _columns(masks: Sequence[Sequence[tuple[int, int]]]) -> tuple[Ints, Ints, Ints]:
    start, cells = lists([[cell for cell, _ in own] for own in masks])
    return start, cells, lists([[mask for _, mask in own] for own in masks])[1]


@lean_kernel
def switch(switches, network, work, unit, is_on):
    """Switch a unit on or off."""
    switches.is_on[unit] = is_on
    for i in range(switches.arc_start[unit], switches.arc_start[unit + 1]):
        arc = switches.arcs[i]
        free = network.tables.shape[0] - 1
        switches.tables[arc] = switches.own_tables[arc] if is_on else free
    for i in range(switches.sum_start[unit], switches.sum_start[unit + 1]):
        work.has_sum[switches.sums[i]] = not is_on
    for i in range(switches.pattern_start[unit], switches.pattern_start[unit + 1]):
        work.has_pattern[switches.patterns[i]] = not is_on


@lean_kernel
def find_other(switches, network, work, memory, unit, most):
    """Search for a solution other than the known one, which breaks some unit that is off.

    Return 1 and write the solution into ``memory.solutions[0]``, 0 if there is none, or -1 after
    `most` guesses. If `unit` is a unit of a single cell, only solutions that break it are searched
    for; -1 stands for no unit.
    """
    masks, progress = memory.stack[0], memory.progress
    _open(switches, masks)
    if unit >= 0:
        first = switches.cell_start[unit]
        if switches.cell_start[unit + 1] - first == 1:
            masks[switches.cells[first]] &= ~switches.masks[first]
    for cell in range(masks.size):
        if masks[cell] == 0:
            return 0
    for i in range(progress.size):
        progress[i] = 0
    answer = _search(switches, network, work, memory, most)
    forget(work, CELLS, 0)
    return answer


@lean_kernel
def _search(switches, network, work, memory, most):
    """Return the answer of `find_other` from the candidates at the bottom of the stack."""
    progress, other = memory.progress, memory.solutions
    for limit in range(1, 3):
        advance_variant(memory, network, work, (limit, most))
        if progress[FOUND] < limit:
            return 0 if progress[DEPTH] < 0 else -1
        same = True
        for cell in range(network.n_cells):
            same &= other[limit - 1, cell] == switches.known[cell] + 1
        if not same:
            copy_values(other[0], other[limit - 1])
            return 1
    return 0


@lean_kernel
def breaks(switches, network, unit, digits):
    """Return True if a unit, switched on, would exclude a full board; digits count from 1."""
    for i in range(switches.cell_start[unit], switches.cell_start[unit + 1]):
        if switches.masks[i] >> digits[switches.cells[i]] - 1 & 1 == 0:
            return True
    for i in range(switches.arc_start[unit], switches.arc_start[unit + 1]):
        arc = switches.arcs[i]
        first, second = digits[switches.owners[arc]] - 1, digits[network.arc_cell[arc]] - 1
        if network.tables[switches.own_tables[arc], first] >> second & 1 == 0:
            return True
    for i in range(switches.sum_start[unit], switches.sum_start[unit + 1]):
        number = switches.sums[i]
        total = 0
        for j in range(network.sum_start[number], network.sum_start[number + 1]):
            total += network.sum_weights[j] * digits[network.sum_cells[j]]
        if total != network.sum_totals[number]:
            return True
    for i in range(switches.pattern_start[unit], switches.pattern_start[unit + 1]):
        number = switches.patterns[i]
        state = network.pattern_first[number]
        for j in range(network.pattern_start[number], network.pattern_start[number + 1]):
            if state >= 0:
                state = network.moves[state, digits[network.pattern_cells[j]] - 1]
        if state < 0 or not network.accepting[state]:
            return True
    return False


@lean_kernel
def weigh(switches, network, work, memory, boards, bits):
    """Write how many bits each unit says.

    These are the bits that it takes from the candidates when no unit is on, and those of the share
    of some full boards that obey it.
    """
    masks, trial = memory.stack[0], memory.stack[1]
    copy_values(masks, switches.free)
    before = _spread_all(masks, network, work)
    for unit in range(bits.size):
        obeyed = 0.5
        for i in range(boards.shape[0]):
            obeyed += not breaks(switches, network, unit, boards[i])
        left = _spread_with(switches, network, work, unit, masks, trial)
        bits[unit] = math.log2((boards.shape[0] + 0.5) / obeyed) + before - left


@lean_kernel
def _spread_with(switches, network, work, unit, masks, trial):
    """Return the bits that are left of candidates after a unit that is off is switched on."""
    copy_values(trial, masks)
    for i in range(switches.cell_start[unit], switches.cell_start[unit + 1]):
        trial[switches.cells[i]] &= switches.masks[i]
    switch(switches, network, work, unit, True)
    left = _spread_all(trial, network, work)
    switch(switches, network, work, unit, False)
    return left


UNIQUE, NOTHING = -1, -2
"""Answers of :func:`best_unit` other than a unit."""


@lean_kernel
def best_unit(switches, network, work, memory, units, most):
    """Return the unit of a list, all of which are off, after which the fewest candidates are left.

    If there is another solution, it breaks the unit, if it breaks any of the list. Return `UNIQUE`
    if there is none, and `NOTHING` if no unit of the list excludes anything.
    """
    answer = find_other(switches, network, work, memory, -1, most)
    if answer == 0:
        return UNIQUE
    masks, trial = memory.stack[0], memory.stack[1]
    _open(switches, masks)
    before = _spread_all(masks, network, work)
    chosen = NOTHING
    best = 0.0
    for unit in units:
        gain = before - _spread_with(switches, network, work, unit, masks, trial)
        if answer > 0 and breaks(switches, network, unit, memory.solutions[0]):
            gain += network.n_digits * network.n_cells
        if gain > best:
            chosen = unit
            best = gain
    return chosen


@lean_kernel
def _open(switches, masks):
    """Write the candidates that the units that are on leave at first."""
    copy_values(masks, switches.free)
    for i in range(switches.is_on.size):
        if switches.is_on[i]:
            for j in range(switches.cell_start[i], switches.cell_start[i + 1]):
                masks[switches.cells[j]] &= switches.masks[j]


@lean_kernel
def _spread_all(masks, network, work):
    """Propagate all candidates, and return the number of bits that tell which of them hold."""
    enlist_all(masks, network, work)
    propagate(masks, network, work)
    bits = 0.0
    for cell in range(masks.size):
        bits += math.log2(n_bits(int(masks[cell])))
    return bits


@lean_kernel
def find_candidates(switches, network, work, memory):
    """Write the candidates that the units that are on leave into ``memory.stack[0]``.

    Return the number of bits that tell which of them hold.
    """
    _open(switches, memory.stack[0])
    return _spread_all(memory.stack[0], network, work)


@lean_kernel
def drop_needless(switches, network, work, memory, order, most):
    """Switch off, in this order, the units without which the solution stays the only one."""
    for i in range(order.size):
        unit = order[i]
        if switches.is_on[unit]:
            switch(switches, network, work, unit, False)
            if find_other(switches, network, work, memory, unit, most) != 0:
                switch(switches, network, work, unit, True)
