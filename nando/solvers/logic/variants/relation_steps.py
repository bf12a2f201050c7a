"""Steps from one relation or pattern: what two cells exclude, and what a line of cells allows.

A relation may be that two cells differ, so naked subsets and large wings are here, too, and what
all positions of a digit exclude. On a Sudoku the cells of a large wing lie in a house, and sets are
found in another order: see :mod:`nando.solvers.logic.finders.wings`. Patterns are clues outside the
grid, lines between circles, and quadruples.
"""

from nando.kernels.compile import lean_kernel, lowest_bit, n_bits
from nando.solvers.logic.finders.finding import (
    CELLS,
    CHOSEN,
    ITEMS,
    MASKS,
    add_cell,
    add_cells,
    add_house,
    begin,
    keep_better,
)
from nando.solvers.logic.finders.subsets import next_subset
from nando.solvers.logic.variants.rule_state import (
    ARC,
    CLOCK,
    GROUP,
    KEPT,
    PATTERN,
    UNIONS,
    add_part,
    conflict,
    is_new,
    remove,
    remove_seen,
    takes,
)
from nando.solvers.variants.propagation import read_pattern

LOOSE, EXACT = range(2)
"""Degrees: without, or with, the fact that cells which see each other hold different digits."""

MOST_DIGITS = 9
"""Most digits of a board on which exact patterns are searched for."""


@lean_kernel
def find_pattern(layout, state, finding, degree, rating):
    """Find a pattern that rules out a candidate."""
    n_patterns = layout.pattern_first.size
    base = layout.arc_cell.size + layout.sum_totals.size + degree * n_patterns
    for number in range(n_patterns):
        start, end = layout.pattern_start[number], layout.pattern_start[number + 1]
        blanks = False
        for i in range(start, end):
            blanks |= not state.filled[layout.pattern_cells[i]]
        if not blanks or not is_new(state, layout.pattern_cells[start:end], base + number):
            continue
        if degree == LOOSE:
            filter_pattern(layout, state, finding, number)
        elif not filter_exactly(layout, state, finding, number):
            continue
        begin(finding, rating, 0)
        n_gone = 0
        for i in range(start, end):
            cell = layout.pattern_cells[i]
            gone = state.mask[cell] & ~finding.lists[KEPT, i - start]
            remove(state, finding, cell, gone)
            add_cell(finding, cell)
            n_gone += gone != 0
        if n_gone == 0:
            state.looked[base + number] = state.counts[CLOCK] + 1
            continue
        add_part(finding, PATTERN, number)
        if takes(finding):
            return True
    return False


@lean_kernel
def filter_pattern(layout, state, finding, number):
    """Write into the workspace the digits that each cell has on some way through the automaton."""
    read_pattern(state.mask, layout, state.reading, finding.lists[KEPT], number)


@lean_kernel
def filter_exactly(layout, state, finding, number):
    """Filter as `filter_pattern` does, but without repeated digits; return False if not applicable.

    It is applicable if all cells see each other and the digits are few enough.
    """
    start = layout.pattern_start[number]
    k = layout.pattern_start[number + 1] - start
    if layout.grid.size > MOST_DIGITS or k > layout.grid.size:
        return False
    for i in range(start, start + k):
        for j in range(start, i):
            if not layout.grid.sees[layout.pattern_cells[i], layout.pattern_cells[j]]:
                return False
    first = layout.pattern_first[number]
    n_states = layout.pattern_end[number] - first
    nodes = state.nodes
    n_sets = 1 << layout.grid.size
    nodes[: n_sets * n_states] = 0
    nodes[0] = 1
    # A set of digits comes after all of its subsets.
    for used in range(n_sets):
        i = n_bits(used)
        if i >= k:
            continue
        mask = state.mask[layout.pattern_cells[start + i]] & ~used
        for s in range(n_states):
            if nodes[used * n_states + s] == 0:
                continue
            left = mask
            while left:
                digit = lowest_bit(left)
                left &= left - 1
                to = layout.moves[first + s, digit]
                if to >= 0:
                    nodes[(used | 1 << digit) * n_states + to - first] = 1
    finding.lists[KEPT, :k] = 0
    for used in range(n_sets - 1, -1, -1):
        i = n_bits(used)
        if i > k:
            continue
        if i == k:
            for s in range(n_states):
                if nodes[used * n_states + s] and layout.accepting[first + s]:
                    nodes[used * n_states + s] = 2
            continue
        mask = state.mask[layout.pattern_cells[start + i]] & ~used
        for s in range(n_states):
            if nodes[used * n_states + s] == 0:
                continue
            left = mask
            while left:
                digit = lowest_bit(left)
                left &= left - 1
                to = layout.moves[first + s, digit]
                if to >= 0 and nodes[(used | 1 << digit) * n_states + to - first] == 2:
                    nodes[used * n_states + s] = 2
                    finding.lists[KEPT, i] |= 1 << digit
    return True


@lean_kernel
def find_naked_subset(layout, state, finding, size, rating):
    """Find `size` cells of a group with as many digits, which the cells that see them lose."""
    chosen = finding.lists[CHOSEN]
    items = finding.lists[ITEMS]
    masks = finding.lists[MASKS]
    for group in range(layout.group_start.size - 1):
        n = 0
        n_open = 0
        for i in range(layout.group_start[group], layout.group_start[group + 1]):
            cell = layout.group_cells[i]
            if state.filled[cell]:
                continue
            n_open += 1
            if 2 <= n_bits(state.mask[cell]) <= size:
                items[n] = cell
                masks[n] = state.mask[cell]
                n += 1
        if n < size or (group < len(layout.grid.houses) and n_open <= size):
            continue
        chosen[0] = -1
        while next_subset(masks, n, size, size, chosen):
            digits = 0
            for i in range(size):
                digits |= masks[chosen[i]]
            begin(finding, rating, digits)
            for i in range(size):
                add_cell(finding, items[chosen[i]])
            while digits:
                cells = finding.lists[CELLS, :size]
                remove_seen(layout, state, finding, cells, lowest_bit(digits))
                digits &= digits - 1
            if group < len(layout.grid.houses):
                add_house(finding, group)
            else:
                add_part(finding, GROUP, group - len(layout.grid.houses))
            if takes(finding):
                return True
    return False


# Steps from relations, and candidates that all positions of a digit rule out

NEXT_TO_DIGIT, OPEN = range(2)
"""Degrees of relations: one of the two cells is filled, or neither is."""

MOST_PLACES = 6
"""Most positions of a digit that are considered together."""


@lean_kernel
def find_relation(layout, state, finding, degree, rating):
    """Find candidates that a relation to another cell rules out.

    All candidates that a filled cell rules out are one step.
    """
    for cell in range(layout.grid.n_cells):
        if state.filled[cell] != (degree == NEXT_TO_DIGIT):
            continue
        if state.mask[cell] == 0:
            continue
        begin(finding, rating, state.mask[cell])
        for arc in range(layout.arc_start[cell], layout.arc_start[cell + 1]):
            to = layout.arc_cell[arc]
            if state.filled[to]:
                continue
            seen = state.looked[arc]
            if seen > state.touched[cell] and seen > state.touched[to]:
                continue
            allowed = supported(layout, arc, state.mask[cell])
            if state.mask[to] & ~allowed:
                if degree == OPEN:
                    begin(finding, rating, state.mask[cell])
                remove(state, finding, to, ~allowed)
                add_cell(finding, cell)
                add_cell(finding, to)
                add_part(finding, ARC, arc)
                if degree == OPEN and takes(finding):
                    return True
            else:
                state.looked[arc] = state.counts[CLOCK] + 1
        if degree == NEXT_TO_DIGIT and takes(finding):
            return True
    return False


@lean_kernel
def supported(layout, arc, mask):
    """Return the digits that a relation allows if the other cell has the candidates `mask`."""
    allowed = 0
    table = layout.arc_table[arc]
    while mask:
        allowed |= layout.tables[table, lowest_bit(mask)]
        mask &= mask - 1
    return allowed


@lean_kernel
def find_ruled_out(layout, state, finding, rating):
    """Find a candidate that all positions of a digit in a house rule out."""
    for house in range(len(layout.grid.houses)):
        for digit in range(layout.grid.size):
            places = state.positions[house, digit]
            if places & (places - 1) == 0 or n_bits(places) > MOST_PLACES:
                continue
            first = layout.grid.houses[house, lowest_bit(places)]
            begin(finding, rating, 1 << digit)
            for i in range(layout.grid.peer_start[first], layout.grid.peer_start[first + 1]):
                _try(layout, state, finding, house, digit, layout.grid.peers[i], 1 << digit)
            for arc in range(layout.arc_start[first], layout.arc_start[first + 1]):
                out = ~layout.tables[layout.arc_table[arc], digit]
                _try(layout, state, finding, house, digit, layout.arc_cell[arc], out)
            _try(layout, state, finding, house, digit, first, ~(1 << digit))
            add_cells(finding, layout.grid, house, places)
            add_house(finding, house)
            if takes(finding):
                return True
    return False


@lean_kernel
def _try(layout, state, finding, house, digit, cell, digits):
    """Remove candidates of a cell, of `digits`, that conflict with all positions of a digit."""
    if state.filled[cell]:
        return
    digits &= state.mask[cell]
    while digits:
        other = lowest_bit(digits)
        digits &= digits - 1
        left = state.positions[house, digit]
        seen = True
        while left and seen:
            place = layout.grid.houses[house, lowest_bit(left)]
            left &= left - 1
            # A position of the digit itself is not removed.
            own = place == cell and other == digit
            seen = not own and conflict(layout, place, digit, cell, other)
        if seen:
            remove(state, finding, cell, 1 << other)


@lean_kernel
def find_large_wing(layout, state, finding, trial, degree, rating):
    """Find a WXYZ-wing (`degree` 3) and so on: an almost locked set and a bivalue cell.

    The set is `degree` cells that see each other and have `degree` + 1 digits. A digit of the
    bivalue cell that all its cells in the set see cannot be true in both, so the other digit is
    true in one of them. If that holds for both digits, every digit of the set is locked. With up to
    four cells, sets whose largest cell has few candidates, or all, are easier.
    """
    chosen = trial.lists[CHOSEN]
    items = trial.lists[ITEMS]
    masks = trial.lists[MASKS]
    unions = trial.lists[UNIONS]
    improved = False
    finding.head[0]["rating"] = 0
    n = 0
    for cell in range(layout.grid.n_cells):
        if not state.filled[cell] and 2 <= n_bits(state.mask[cell]) <= degree + 1:
            items[n] = cell
            masks[n] = state.mask[cell]
            n += 1
    depth = 0
    chosen[0] = -1
    while depth >= 0:
        chosen[depth] += 1
        if chosen[depth] > n - degree + depth:
            depth -= 1
            continue
        cell = items[chosen[depth]]
        union = masks[chosen[depth]] | (unions[depth - 1] if depth else 0)
        fits = n_bits(union) <= degree + 1
        i = depth - 1
        while fits and i >= 0:
            fits = layout.grid.sees[cell, items[chosen[i]]]
            i -= 1
        if not fits:
            continue
        unions[depth] = union
        if depth < degree - 1:
            chosen[depth + 1] = chosen[depth]
            depth += 1
            continue
        if n_bits(union) == degree + 1:
            improved |= _with_bivalue(layout, state, finding, trial, (degree, union, rating))
    return improved


@lean_kernel
def _with_bivalue(layout, state, finding, trial, locked_set):
    """Try the bivalue cells that see a cell of the set; return True if one makes a better step."""
    degree, digits, rating = locked_set
    chosen = trial.lists[CHOSEN]
    items = trial.lists[ITEMS]
    improved = False
    largest = 0
    n_digits = 0
    for i in range(degree):
        largest = max(largest, n_bits(state.mask[items[chosen[i]]]))
        n_digits += n_bits(state.mask[items[chosen[i]]])
    harder = degree - 2 - abs(3 - largest) if degree < 5 else 0
    for k in range(degree):
        near = items[chosen[k]]
        for i in range(layout.grid.peer_start[near], layout.grid.peer_start[near + 1]):
            cell = layout.grid.peers[i]
            mask = state.mask[cell]
            if state.filled[cell] or n_bits(mask) != 2 or mask & ~digits:
                continue
            inside = False
            for j in range(degree):
                inside |= items[chosen[j]] == cell
            if inside:
                continue
            low = mask & -mask
            first = _all_see(layout, state, trial, degree, cell, low)
            second = _all_see(layout, state, trial, degree, cell, mask ^ low)
            if not first and not second:
                continue
            locked = digits if first and second else mask ^ low if first else low
            begin(trial, rating + harder, digits)
            for j in range(degree):
                add_cell(trial, items[chosen[j]])
            add_cell(trial, cell)
            while locked:
                cells = trial.lists[CELLS, : degree + 1]
                remove_seen(layout, state, trial, cells, lowest_bit(locked))
                locked &= locked - 1
            double = first and second
            trial.head[0]["tie"] = 10000 * double + 1000 * largest + n_digits
            improved |= keep_better(finding, trial)
    return improved


@lean_kernel
def _all_see(layout, state, finding, degree, cell, bit):
    """Return True if a cell sees all cells of the set with a digit."""
    chosen = finding.lists[CHOSEN]
    items = finding.lists[ITEMS]
    for j in range(degree):
        mine = items[chosen[j]]
        if state.mask[mine] & bit and not layout.grid.sees[cell, mine]:
            return False
    return True
