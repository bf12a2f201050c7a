"""All that follows from assuming one candidate on or off, until it contradicts itself.

A static assumption uses the links of the grid as it stands. A dynamic one takes the candidates
off that it has turned off, so that new links arise: such a link has all the eliminations that made
it as parents. The more capable ones also see locked candidates, pairs and X-wings that arise.
"""

from nando.kernels.bits import lowest_bit
from nando.kernels.compile import inlined_kernel, lean_kernel, separate
from nando.solvers.logic.sudoku_chains.deductions import (
    add_parent,
    begin_parents,
    clash_place,
    conclude,
    enqueue,
    is_waiting,
    next_in_queue,
    reach,
)
from nando.solvers.logic.sudoku_chains.patterns import find_patterns
from nando.solvers.logic.sudoku_finders.state import WORD, kind_at

STATIC, NISHIO, DYNAMIC, PATTERNS, WITH_CHAINS, WITH_MULTIPLE, WITH_DYNAMIC = range(7)
"""What an assumption may use: links of the grid as it is; of one digit, as they arise; all links
as they arise; patterns that arise as well; and chains on the grid that is left, each more."""


@separate
@lean_kernel
def assume(state, layout, graph, made, literal, kind, bound):
    """Follow an assumption to its end or to the first clash, noted in `made.counts`.

    It may end sooner if no literal would follow with fewer than `bound` behind it.
    """
    begin_assumption(state, layout, graph, made, literal, kind, bound)
    if kind == STATIC:
        _follow_links(graph, made)
        return
    while follow_dynamic(state, layout, graph, made, kind):
        if kind < PATTERNS or not find_patterns(state, layout, graph, made):
            return


@inlined_kernel
def begin_assumption(state, layout, graph, made, literal, kind, bound):
    """Make an assumption in place of the last one."""
    counts = made.counts[0]
    counts["n_parents"] = 0
    counts["clash"] = -1
    counts["n_clash"] = 0
    counts["n_short"] = 0
    counts["bound"] = bound
    counts["n_nested"] = 0
    made.n_queued[:] = 0
    made.n_taken[:] = 0
    made.n_behind[:] = 0
    made.n_behind[literal] = 1
    made.parents_from[literal, 1] = 0
    made.owner[literal] = literal
    enqueue(made, literal)
    if kind == STATIC:
        return
    for k in range(made.behind.shape[1]):
        made.behind[literal, k] = 0
    made.behind[literal, literal // WORD] = 1 << literal % WORD
    if kind == NISHIO:
        for at in range(graph.digit[literal >> 1], state.positions.size, layout.size):
            made.positions[at] = state.positions[at]
    else:
        for cell in range(layout.n_cells):
            made.candidates[cell] = state.candidates[cell]
        for at in range(state.positions.size):
            made.positions[at] = state.positions[at]


@inlined_kernel
def _follow_links(graph, made):
    """Follow the links of the grid as it is."""
    while made.counts[0]["n_short"]:
        if is_waiting(made, 1):
            literal = next_in_queue(made, 1)
            i = literal >> 1
            for k in range(graph.weak_from[i], graph.weak_from[i + 1]):
                if not reach(made, literal, 2 * graph.weak[k]):
                    return
        elif is_waiting(made, 0):
            literal = next_in_queue(made, 0)
            for k in range(graph.strong.shape[1]):
                other = graph.strong[literal >> 1, k]
                if other >= 0:
                    if made.n_behind[2 * other + 1] == 0:
                        made.cause[2 * other + 1] = k
                    if not reach(made, literal, 2 * other + 1):
                        return


@inlined_kernel
def follow_dynamic(state, layout, graph, made, kind):
    """Follow links as they arise; return False on a clash."""
    size = layout.size
    candidates = made.candidates
    positions = made.positions
    while made.counts[0]["n_short"] or kind >= PATTERNS:
        if is_waiting(made, 1):
            literal = next_in_queue(made, 1)
            cell = graph.cell[literal >> 1]
            digit = graph.digit[literal >> 1]
            if kind != NISHIO:
                others = candidates[cell] & ~(1 << digit)
                while others:
                    other = graph.number[cell * size + lowest_bit(others)]
                    others &= others - 1
                    if not reach(made, literal, 2 * other):
                        return False
            for k in range(layout.house_of.shape[1]):
                house_kind = kind_at(k)
                house = layout.house_of[cell, house_kind]
                if house < 0:
                    continue
                others = positions[house * size + digit] & layout.others_in[cell, house_kind]
                while others:
                    peer = layout.houses[house, lowest_bit(others)]
                    others &= others - 1
                    if not reach(made, literal, 2 * graph.number[peer * size + digit]):
                        return False
            for arc in range(layout.arc_from[cell], layout.arc_from[cell + 1]):
                if not _bar(state, layout, graph, made, literal, kind, arc):
                    return False
        elif is_waiting(made, 0):
            literal = next_in_queue(made, 0)
            if not _take_off(state, layout, graph, made, literal, kind):
                return False
        else:
            break
    return True


@lean_kernel
def _bar(state, layout, graph, made, literal, kind, arc):
    """Turn off what a literal that is on bars in another cell; return False on a clash."""
    digit = graph.digit[literal >> 1]
    other = layout.arc_cell[arc]
    barred = layout.arc_bars[arc, digit]
    if kind == NISHIO:
        barred &= state.candidates[other] & 1 << digit
    else:
        barred &= made.candidates[other]
    while barred:
        after = 2 * graph.number[other * layout.size + lowest_bit(barred)]
        barred &= barred - 1
        if not reach(made, literal, after):
            return False
    return True


@inlined_kernel
def _take_off(state, layout, graph, made, literal, kind):
    """Take a candidate off and turn on each that is then the last one; return False on a clash."""
    size = layout.size
    cell = graph.cell[literal >> 1]
    digit = graph.digit[literal >> 1]
    if kind != NISHIO:
        left = made.candidates[cell] & ~(1 << digit)
        if left and left & (left - 1) == 0:
            after = 2 * graph.number[cell * size + lowest_bit(left)] + 1
            if _begins(made, literal, after):
                gone = state.candidates[cell] & ~made.candidates[cell]
                while gone:
                    add_parent(made, 2 * graph.number[cell * size + lowest_bit(gone)])
                    gone &= gone - 1
                if not _turn_on(made, after, 0):
                    return False
        made.candidates[cell] = left
    for k in range(layout.house_of.shape[1]):
        house = layout.house_of[cell, kind_at(k)]
        if house < 0:
            continue
        at = house * size + digit
        left = made.positions[at] & ~(1 << layout.position_in[cell, kind_at(k)])
        if left and left & (left - 1) == 0:
            other = layout.houses[house, lowest_bit(left)]
            after = 2 * graph.number[other * size + digit] + 1
            if _begins(made, literal, after):
                gone = state.positions[at] & ~made.positions[at]
                while gone:
                    other = layout.houses[house, lowest_bit(gone)]
                    gone &= gone - 1
                    add_parent(made, 2 * graph.number[other * size + digit])
                if not _turn_on(made, after, k + 1):
                    return False
        made.positions[at] = left
    return True


@inlined_kernel
def _begins(made, literal, after):
    """Return True if a literal leads to a new one, or a clash; its parents begin with it."""
    begins = made.n_behind[after] == 0 or made.n_behind[after ^ 1] > 0
    if begins:
        begin_parents(made)
        add_parent(made, literal)
    return begins


@inlined_kernel
def _turn_on(made, literal, cause):
    """Turn on the last candidate of a cell or house; return False on a clash."""
    clashes = made.n_behind[literal ^ 1] > 0
    into = clash_place(made) if clashes else literal
    made.cause[into] = cause
    conclude(made, literal, into, -1)
    return not clashes
