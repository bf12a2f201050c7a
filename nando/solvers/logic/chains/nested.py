"""Forcing chains with chains nested in their assumptions.

When links and patterns lead an assumption no further, chains on the remaining grid are searched
for. A candidate that such a chain removes is turned off, as by one more link, and the literals of
the chain count as those of the assumption.
"""

import numpy as np

from nando.kernels.compile import inlined_kernel, kernel, lean_kernel, lowest_bit
from nando.solvers.logic.chains.assumed_patterns import find_patterns
from nando.solvers.logic.chains.assumptions import begin_assumption, follow_dynamic
from nando.solvers.logic.chains.deductions import (
    clash_place,
    in_chains,
    n_literal_words,
    new_assumption,
)
from nando.solvers.logic.chains.forcing import begin_step, end_step, write_source
from nando.solvers.logic.chains.implications import list_implications
from nando.solvers.logic.chains.nested_chains import find_nested, new_nested
from nando.solvers.logic.chains.starts import (
    CONTRADICTION,
    KIND,
    LENGTH,
    N_SOURCES,
    NONE,
    ON,
    SOURCES,
    START,
    TARGET,
    compare,
    keep,
    list_starts,
    new_best,
    new_workspace,
    next_best,
)
from nando.solvers.logic.finders.finding import ends_search
from nando.solvers.logic.finders.grid import WORD


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
    assumption = new_assumption(grid, graph.n, graph.n)
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
    begin_assumption(state, grid, graph, assumption, literal, kind, bound)
    while follow_dynamic(state, grid, graph, assumption, kind):
        if not find_patterns(state, grid, graph, assumption):
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
    others = assumption.behind[assumption.owner[clash_place(assumption)]]
    n_words = n_literal_words(assumption.n_behind.size)
    for k in range(n_words, ones.size):
        counts["n_clash"] -= in_chains(assumption, ones[k] & others[k], (k - n_words) * WORD)


@lean_kernel
def _count_once(assumption, best, met, n_met):
    """Subtract from the length the nested chains behind the target that were met before.

    A chain that is nested in several assumptions of a step counts once. The first `n_met` rows of
    `met` are the literals of the chains met so far, as in `Assumption.chained`; new ones are added.
    Return the number of rows.
    """
    behind = assumption.behind[assumption.owner[best[TARGET]]]
    n_words = n_literal_words(assumption.n_behind.size)
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
