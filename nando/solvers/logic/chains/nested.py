"""Forcing chains with chains nested in their assumptions.

When links and patterns lead an assumption no further, chains on the grid that it leaves are
searched for. A candidate that such a chain removes is turned off, as by one more link, and the
literals of the chain count as those of the assumption. Its parents are the eliminations of the
assumption in each cell or house where a candidate of the chain is the last one left.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.kernels.compile import inlined_kernel, kernel, lean_kernel, lowest_bit, stable_order
from nando.solvers.logic.chains import assumptions, deductions
from nando.solvers.logic.chains.chain import walk_chain
from nando.solvers.logic.chains.forcing import (
    CELLS_FORCE,
    CONTRADICTION,
    HOUSE_FORCES,
    HOUSE_OF,
    KIND,
    LENGTH,
    N_SOURCES,
    NONE,
    ON,
    SOURCES,
    START,
    TARGET,
    begin_step,
    compare,
    end_step,
    follow_starts,
    keep,
    list_starts,
    new_best,
    new_workspace,
    next_best,
    write_source,
)
from nando.solvers.logic.chains.link_sets import (
    CHAIN_X,
    CHAIN_XY,
    XY,
    X,
    find_lengths,
    link_sets,
    list_implications,
    longer,
    new_lengths,
)
from nando.solvers.logic.finders.finding import ends_search
from nando.solvers.logic.finders.grid import WORD, kind_at
from nando.solvers.logic.finders.pencil_marks import LogicState

_CHAIN = 10
"""Added to the variants of chains to distinguish them from those of forcing chains."""


class Nested(NamedTuple):
    """Workspace for chains on the grid that an assumption leaves.

    Attributes
    ----------
    assumption : Assumption
    An assumption on the remaining grid.
    kept, starts
    See :func:`nando.solvers.logic.chains.forcing.new_room`.
    best : ndarray of int64, shape (n, 4)
    The easiest chain that removes each candidate.
    walk : ndarray of int64, shape (3, 2 * n + 1)
        Literals of the chain that were met; literals that wait; and 1 for each listed parent.
    """

    assumption: deductions.Assumption
    kept: tuple[NDArray[np.int64], NDArray[np.int16], NDArray[np.int16]]
    starts: NDArray[np.int64]
    best: NDArray[np.int64]
    walk: NDArray[np.int64]


@kernel
def new_nested(grid, n):
    """Return the workspace for chains on grids of at most `n` candidates."""
    kept, starts = new_workspace(grid, n)
    return Nested(
        deductions.new_assumption(grid, n, 0),
        kept,
        starts,
        np.empty((n, 4), np.int64),
        np.zeros((3, 2 * n + 1), np.int64),
    )


@kernel
def find_nested(state, grid, graph, assumption, nested, kind):
    """Turn off the candidates that the easiest kind of chain removes; return True if any.

    The chains are those of the remaining grid.
    """
    links = list_implications(grid, assumption.candidates, assumption.positions)
    if kind < assumptions.WITH_DYNAMIC:
        sets = link_sets(links)
        workspace = new_lengths(links.n, sets.cells.shape[1])
        _find_chains(links, sets, workspace, nested.best)
        order = stable_order(nested.best[: links.n, LENGTH])
        if _turn_off(state, grid, graph, assumption, nested, links, kind, order):
            return True
        if kind == assumptions.WITH_CHAINS:
            return False
    kind = assumptions.STATIC if kind == assumptions.WITH_MULTIPLE else assumptions.DYNAMIC
    _find_forcing(state, assumption, grid, links, nested, kind)
    order = stable_order(nested.best[: links.n, LENGTH])
    return _turn_off(state, grid, graph, assumption, nested, links, kind, order)


@inlined_kernel
def _rest(state, assumption):
    """Return the state with the candidates that an assumption leaves."""
    return LogicState(
        state.values,
        assumption.candidates,
        assumption.positions,
        state.empties,
        state.hidden,
        state.naked,
        state.single_in,
        state.last_in,
        state.n_blanks,
    )


@lean_kernel
def _find_chains(links, sets, workspace, best):
    """Find the easiest chain from one literal to its opposite that removes each candidate.

    Cycles are not searched for, since these chains remove as much.
    """
    lengths = workspace[0]
    for i in range(links.n):
        best[i, LENGTH] = NONE
    for which in (X, XY):
        variant = CHAIN_X if which == X else CHAIN_XY
        find_lengths(sets, which, 2 * links.n, False, workspace)
        for start in range(links.n):
            for on in range(1, -1, -1):
                length = lengths[on, start]
                if length == 0:
                    continue
                if on:
                    _take_easier(best[start], length, variant, start, on)
                else:
                    for k in range(links.weak_from[start], links.peers_from[start]):
                        _take_easier(best[links.weak[k]], length, variant, start, on)


@inlined_kernel
def _take_easier(best, length, variant, start, on):
    """Keep a chain if it is easier; of two equally long ones, one on a single digit is easier."""
    before = best[LENGTH]
    if before < NONE:
        harder = 4 if variant == CHAIN_XY and best[KIND] == CHAIN_X + _CHAIN else 0
        rating = longer(length) + harder
        if rating > longer(before) or (rating == longer(before) and length >= before):
            return
    best[LENGTH] = length
    best[KIND] = variant + _CHAIN
    best[START] = start
    best[TARGET] = on


@lean_kernel
def _find_forcing(state, assumption, grid, links, nested, kind):
    """Find the shortest forcing chains that remove each candidate of the remaining grid."""
    best = nested.best
    ends = nested.kept[0]
    for i in range(links.n):
        best[i, LENGTH] = NONE
        best[i, KIND] = NONE
        ends[2 * i, ON] = -1
        ends[2 * i + 1, ON] = -1
    rest = _rest(state, assumption)
    follow_starts(rest, grid, links, nested.assumption, nested.kept, nested.starts, best, kind)


@lean_kernel
def _turn_off(state, grid, graph, assumption, nested, links, kind, order):
    """Turn off the candidates that the chains in `best` remove, the easiest first; True if any."""
    best = nested.best
    some = False
    for i in order:
        if best[i, LENGTH] >= NONE:
            break
        if best[i, KIND] < 0:
            continue
        deductions.begin_parents(assumption)
        for k in range(nested.walk.shape[1]):
            nested.walk[2, k] = 0
        chain = assumption.counts[0]["n_nested"]
        for k in range(assumption.chained.shape[1]):
            assumption.chained[chain, k] = 0
        if best[i, KIND] > _CHAIN:
            proved = 2 * best[i, START] + 1 - best[i, TARGET]
            _walk_chain(state, grid, graph, assumption, nested, links, best[i])
        else:
            proved = best[i, TARGET] ^ (best[i, KIND] == CONTRADICTION)
            _walk_forcing(state, grid, graph, assumption, nested, links, kind, best[i])
        used = deductions.n_parents(assumption) > 0
        deductions.end_parents(assumption, used)
        if not used:
            continue
        some = True
        assumption.counts[0]["n_nested"] += 1
        assumption.n_chained[chain] = best[i, LENGTH]
        if proved & 1:
            j = proved >> 1
            for k in range(links.weak_from[j], links.peers_from[j]):
                other = links.weak[k]
                if other != i and _same(best[other], best[i]):
                    best[other, KIND] = -1
                    _conclude(grid, graph, assumption, links, other, chain)
        _conclude(grid, graph, assumption, links, i, chain)
    return some


@inlined_kernel
def _same(first, second):
    """Return True if two candidates are removed by the same chain."""
    same_start = first[KIND] == second[KIND] and first[START] == second[START]
    return same_start and first[TARGET] == second[TARGET]


@inlined_kernel
def _conclude(grid, graph, assumption, links, i, chain):
    """Turn off a candidate of the remaining grid."""
    literal = 2 * graph.number[links.cell[i] * grid.size + links.digit[i]]
    deductions.conclude(assumption, literal, literal, chain)


@lean_kernel
def _walk_chain(state, grid, graph, assumption, nested, links, best):
    """List the eliminations that a chain relies on, and record its literals."""
    start = best[START]
    on = best[TARGET]
    variant = best[KIND] - _CHAIN
    walk_chain(links, variant, start, on, nested.walk)
    literal = 2 * start + 1 - on
    while literal != 2 * start + on:
        before = nested.walk[0, literal]
        _note(grid, graph, assumption, links, literal)
        if literal & 1:
            cause = 1 if variant == CHAIN_X else 0
            while links.strong[before >> 1, cause] != literal >> 1:
                cause += 1
            _rely(state, grid, graph, assumption, nested, links, literal, cause)
        literal = before
    _note(grid, graph, assumption, links, literal)


@lean_kernel
def _walk_forcing(state, grid, graph, assumption, nested, links, kind, best):
    """List the eliminations that forcing chains rely on, and record their literals."""
    rest = _rest(state, assumption)
    inner = nested.assumption
    start = nested.starts[best[START]]
    variant = best[KIND]
    for source in start[SOURCES : SOURCES + start[N_SOURCES]]:
        assumptions.assume(rest, grid, links, inner, source, kind, best[LENGTH] + NONE)
        cause = 0
        if variant == HOUSE_FORCES:
            cause = 1
            cell = links.cell[source >> 1]
            while grid.house_of[cell, kind_at(cause - 1)] != start[HOUSE_OF]:
                cause += 1
        if variant in (CELLS_FORCE, HOUSE_FORCES):
            _rely(state, grid, graph, assumption, nested, links, source, cause)
        for k in range(inner.n_behind.size):
            nested.walk[0, k] = 0
        if variant == CONTRADICTION:
            clash = inner.counts[0]["clash"]
            _walk_back(state, grid, graph, assumption, nested, links, clash ^ 1, clash ^ 1)
            _walk_back(
                state, grid, graph, assumption, nested, links, deductions.clash_place(inner), clash
            )
        else:
            target = best[TARGET]
            _walk_back(state, grid, graph, assumption, nested, links, target, target)


@lean_kernel
def _walk_back(state, grid, graph, assumption, nested, links, place, end):
    """List the eliminations that a literal relies on, and record all literals behind it.

    The literal, `end`, is stored at `place`.
    """
    inner = nested.assumption
    met = nested.walk[0]
    waits = nested.walk[1]
    met[place] = 1
    waits[0] = place
    n = 1
    while n:
        n -= 1
        here = waits[n]
        literal = end if here == place else here
        _note(grid, graph, assumption, links, literal)
        parents = inner.parents_from[here, deductions.N_PARENTS]
        if literal & 1 and parents:
            _rely(state, grid, graph, assumption, nested, links, literal, inner.cause[here])
        first = inner.parents_from[here, deductions.FIRST_PARENT]
        for k in range(first, first + parents):
            parent = inner.parents[k]
            if met[parent] == 0:
                met[parent] = 1
                waits[n] = parent
                n += 1


@inlined_kernel
def _note(grid, graph, assumption, links, literal):
    """Record a literal of the remaining grid in the chain that is being walked."""
    i = graph.number[links.cell[literal >> 1] * grid.size + links.digit[literal >> 1]]
    assumption.chained[assumption.counts[0]["n_nested"], 2 * i + (literal & 1)] += 1


@lean_kernel
def _rely(state, grid, graph, assumption, nested, links, literal, cause):
    """List the eliminations in the cell or house in which a literal is the last one."""
    size = grid.size
    parents = nested.walk[2]
    cell = links.cell[literal >> 1]
    digit = links.digit[literal >> 1]
    if cause == 0:
        gone = state.candidates[cell] & ~assumption.candidates[cell]
    else:
        house = grid.house_of[cell, kind_at(cause - 1)]
        gone = state.positions[house * size + digit] & ~assumption.positions[house * size + digit]
    while gone:
        if cause == 0:
            parent = 2 * graph.number[cell * size + lowest_bit(gone)]
        else:
            parent = 2 * graph.number[grid.houses[house, lowest_bit(gone)] * size + digit]
        gone &= gone - 1
        if parents[parent] == 0:
            parents[parent] = 1
            deductions.add_parent(assumption, parent)


@kernel
def find_nested_forcing(state, grid, finding, effort, kind, rating):
    """Find the shortest forcing chains whose assumptions are of a kind with nested chains.

    `effort`, shape (1,), is the number of searches for nested chains that are left. Once they are
    spent, the best chains found so far are taken. If all steps are listed, list the shortest chains
    for each candidate that they remove.
    """
    if effort[0] <= 0 and finding.head[0]["listed"] == 0:
        return False
    graph = list_implications(grid, state.candidates, state.positions)
    assumption = deductions.new_assumption(grid, graph.n, graph.n)
    nested = new_nested(grid, graph.n)
    kept, starts = new_workspace(grid, graph.n)
    best = new_best(finding, graph.n)
    _search(state, grid, graph, (assumption, nested, effort), kept, starts, best, kind)
    walk = np.empty((3, 2 * graph.n + 1), np.int64)
    # Unlimited effort follows an assumption at least as far as before, when effort may have ended.
    workspace = (assumption, nested, np.full(1, NONE, np.int64))
    i = next_best(best, -1)
    while i >= 0:
        chosen = best[i].copy()
        start = starts[chosen[START]]
        met = np.empty((start[N_SOURCES] * graph.n, 2 * graph.n), np.uint8)
        begin_step(finding, start, chosen)
        _write(state, grid, finding, graph, workspace, (start, walk, met), chosen, kind)
        end_step(state, grid, finding, graph, chosen, rating)
        if ends_search(finding):
            return True
        i = next_best(best, i)
    return False


@lean_kernel
def _search(state, grid, graph, workspace, kept, starts, best, kind):
    """Follow the assumptions and compare their consequences, as `follow_starts` does."""
    slack = NONE if best.shape[0] > 1 else 0
    n_starts = list_starts(grid, state.candidates, state.positions, graph, starts, kind)
    for start in range(n_starts):
        for j in range(starts[start, N_SOURCES]):
            literal = starts[start, SOURCES + j]
            if kept[0][literal, ON] < 0:
                _assume(state, grid, graph, workspace, literal, kind, best[0, LENGTH] + slack)
                keep(workspace[0], kept, literal, graph.n, kind)
        compare(kept, starts, start, graph, best)


@lean_kernel
def _write(state, grid, finding, graph, workspace, start_workspace, best, kind):
    """Write the links of the best chains, following their assumptions again."""
    assumption = workspace[0]
    start, walk, met = start_workspace
    n_met = 0
    for source in start[SOURCES : SOURCES + start[N_SOURCES]]:
        _assume(state, grid, graph, workspace, source, kind, best[LENGTH] + NONE)
        write_source(grid, finding, graph, assumption, best, walk)
        if best[KIND] != CONTRADICTION:
            n_met = _count_once(assumption, best, met, n_met)


@lean_kernel
def _assume(state, grid, graph, workspace, literal, kind, bound):
    """Follow an assumption as `assume` does, with patterns and then chains on the remaining grid.

    It ends early once the effort is spent.
    """
    assumption, nested, effort = workspace
    assumptions.begin_assumption(state, grid, graph, assumption, literal, kind, bound)
    while assumptions.follow_dynamic(state, grid, graph, assumption, kind):
        if not deductions.find_patterns(state, grid, graph, assumption):
            if effort[0] <= 0:
                return
            # The work grows with the square of the candidates: 1 for up to 255 of them.
            effort[0] -= 1 + (graph.n * graph.n >> 16)
            if not find_nested(state, grid, graph, assumption, nested, kind):
                return
        # All that follows has one of the new literals behind it.
        if assumption.counts[0]["n_short"] == 0:
            return
    counts = assumption.counts[0]
    ones = assumption.behind[assumption.owner[counts["clash"] ^ 1]]
    others = assumption.behind[assumption.owner[deductions.clash_place(assumption)]]
    n_words = deductions.n_literal_words(assumption.n_behind.size)
    for k in range(n_words, ones.size):
        counts["n_clash"] -= deductions.in_chains(
            assumption, ones[k] & others[k], (k - n_words) * WORD
        )


@lean_kernel
def _count_once(assumption, best, met, n_met):
    """Subtract from the length the nested chains behind the target that were met before.

    A chain that is nested in several assumptions of a step counts once. The first `n_met` rows of
    `met` are the literals of the chains met so far, as in `Assumption.chained`; new ones are added.
    Return the number of rows.
    """
    behind = assumption.behind[assumption.owner[best[TARGET]]]
    n_words = deductions.n_literal_words(assumption.n_behind.size)
    for k in range(n_words, behind.size):
        left = behind[k]
        while left:
            chain = (k - n_words) * WORD + lowest_bit(left)
            left &= left - 1
            known = False
            for m in range(n_met):
                known = known or _equal(met[m], assumption.chained[chain])
            if known:
                best[LENGTH] -= assumption.n_chained[chain]
            else:
                for j in range(met.shape[1]):
                    met[n_met, j] = assumption.chained[chain, j]
                n_met += 1
    return n_met


@inlined_kernel
def _equal(a, b):
    """Return True if two rows are equal."""
    k = 0
    while k < a.size and a[k] == b[k]:
        k += 1
    return k == a.size
