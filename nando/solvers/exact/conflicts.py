"""The clause that would have avoided a conflict, and the variable that is decided next.

The search goes back to the level at which that clause has a consequence. Then it decides the
variable that had most part in recent conflicts.

Source: Marques-Silva and Sakallah 1999, "GRASP"; Een and Sorensson 2003, "An extensible
SAT-solver".
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.kernels.compile import lean_kernel
from nando.solvers.exact.bands import DEPTH
from nando.solvers.exact.clauses import LENGTH, LITERALS, learn
from nando.solvers.exact.trail import LEVEL, N_CONFLICT, N_SET, STAMP, assign, go_back

DECAY = 0.95
"""Factor by which weights decay at each conflict, relative to the weight that is added."""
_TOP_WEIGHT = 1e100

# Indices in `schedule`: when to restart, and when to delete clauses.
N_RESTARTS = 0
UNTIL_RESTART = 1
"""Number of conflicts before the next restart."""
N_KEPT = 2
"""Number of learned clauses at which half of them are deleted."""


class Choice(NamedTuple):
    """A heap of the open variables; each is decided as it was last assigned, at first false.

    Source: Moskewicz et al. 2001, "Chaff"; Een and Sorensson 2003, "An extensible SAT-solver".
    """

    n_heap: NDArray[np.int64]
    """Number of variables in the heap, shape (1,)."""
    heap: NDArray[np.int32]
    """The variables; none has more weight than its parent in the heap."""
    place: NDArray[np.int32]
    """Index of each variable in the heap, -1 if it is not there."""
    weight: NDArray[np.float64]
    """Weight of each variable; the last entry is the weight that a conflict adds."""
    was_false: NDArray[np.int8]
    """1 for each variable that was false when last assigned."""


def new_choice(n_variables: int) -> Choice:
    """Return a heap of all variables, with equal weights."""
    weight = np.zeros(n_variables + 1)
    weight[-1] = 1.0
    order = np.arange(n_variables, dtype=np.int32)
    n_heap = np.array([n_variables], np.int64)
    return Choice(n_heap, order, order.copy(), weight, np.ones(n_variables, np.int8))


@lean_kernel
def next_decision(trail, choice):
    """Return the open variable of most weight as a literal, as last assigned; -1 for none."""
    while choice.n_heap[0] > 0:
        variable = choice.heap[0]
        choice.place[variable] = -1
        choice.n_heap[0] -= 1
        n = choice.n_heap[0]
        if n > 0:
            last = choice.heap[n]
            choice.heap[0] = last
            choice.place[last] = 0
            _sink(choice, 0)
        if trail.value[2 * variable] == 0:
            return 2 * variable + choice.was_false[variable]
    return -1


@lean_kernel
def insert(choice, variable):
    """Put a variable back into the heap, if it is not there."""
    if choice.place[variable] < 0:
        n = choice.n_heap[0]
        choice.heap[n] = variable
        choice.place[variable] = n
        choice.n_heap[0] += 1
        _rise(choice, n)


@lean_kernel
def bump(choice, variable):
    """Increase the weight of a variable."""
    weight = choice.weight
    weight[variable] += weight[weight.size - 1]
    if weight[variable] > _TOP_WEIGHT:
        for i in range(weight.size):
            weight[i] /= _TOP_WEIGHT
    if choice.place[variable] >= 0:
        _rise(choice, choice.place[variable])


@lean_kernel
def shuffle(choice, seed):
    """Forget all weights and earlier values, so that other variables are decided first."""
    n = choice.was_false.size
    number = 2 * seed + 1
    for variable in range(n):
        number = number * 1_103_515_245 + 12_345 & 0x7FFFFFFF
        choice.weight[variable] = number / 0x7FFFFFFF
        choice.was_false[variable] = 1
        insert(choice, variable)
    choice.weight[n] = 1.0
    for place in range(choice.n_heap[0] // 2, -1, -1):
        _sink(choice, place)


@lean_kernel
def _rise(choice, place):
    heap = choice.heap
    variable = heap[place]
    while place > 0:
        above = (place - 1) // 2
        if choice.weight[heap[above]] >= choice.weight[variable]:
            break
        heap[place] = heap[above]
        choice.place[heap[place]] = place
        place = above
    heap[place] = variable
    choice.place[variable] = place


@lean_kernel
def _sink(choice, place):
    heap = choice.heap
    n = choice.n_heap[0]
    variable = heap[place]
    while True:
        below = 2 * place + 1
        if below >= n:
            break
        if below + 1 < n and choice.weight[heap[below + 1]] > choice.weight[heap[below]]:
            below += 1
        if choice.weight[heap[below]] <= choice.weight[variable]:
            break
        heap[place] = heap[below]
        choice.place[heap[place]] = place
        place = below
    heap[place] = variable
    choice.place[variable] = place


@lean_kernel
def analyse(trail, clauses, choice):
    """Learn the clause of the conflict's first unique implication point, and go back to use it.

    Return False if the conflict depends on no decision: then there is no other solution.
    """
    counts = trail.counts
    learned = clauses.learned
    level = 0
    for i in range(counts[N_CONFLICT]):
        level = max(level, trail.level[trail.conflict[i] >> 1])
    if level == 0:
        return False
    if level < counts[LEVEL]:
        # The latest decisions have no part in the conflict.
        n_conflict = counts[N_CONFLICT]
        give_up_level(trail, choice, level)
        counts[N_CONFLICT] = n_conflict
    counts[STAMP] += 1
    n = _resolve(trail, clauses, choice, counts[STAMP])
    n = _shorten(trail, clauses, n, counts[STAMP])
    # The literal of the second latest level is the other watched one.
    back = 0
    for i in range(1, n):
        if trail.level[learned[i] >> 1] > back:
            back = trail.level[learned[i] >> 1]
            learned[1], learned[i] = learned[i], learned[1]
    glue = _glue(trail, learned, n)
    choice.weight[choice.weight.size - 1] /= DECAY
    give_up_level(trail, choice, back)
    if n == 1:
        assign(trail, learned[0], 0)
    else:
        clause = learn(trail, clauses, n, glue)
        if clause >= 0:
            assign(trail, learned[0], -1 - clause)
    return True


@lean_kernel
def _resolve(trail, clauses, choice, stamp):
    """Resolve the conflict with reasons until one literal of the present level is left.

    Write the learned clause, beginning with this literal's opposite, and return its length.
    """
    counts = trail.counts
    n = 1
    n_open = 0
    for i in range(counts[N_CONFLICT]):
        literal = trail.conflict[i]
        n, n_open = _take(trail, clauses, choice, literal, stamp, n, n_open)
    i = counts[N_SET]
    while True:
        i -= 1
        literal = trail.trail[i]
        variable = literal >> 1
        if trail.seen[variable] != stamp:
            continue
        n_open -= 1
        if n_open == 0:
            break
        reason = trail.reason[variable]
        if reason > 0:
            for j in range(reason, reason + trail.why[reason - 1]):
                n, n_open = _take(trail, clauses, choice, trail.why[j], stamp, n, n_open)
        else:
            clause = -1 - reason
            for j in range(clause + LITERALS, clause + LITERALS + clauses.store[clause + LENGTH]):
                if clauses.store[j] != literal:
                    n, n_open = _take(trail, clauses, choice, clauses.store[j], stamp, n, n_open)
    clauses.learned[0] = literal ^ 1
    return n


@lean_kernel
def _take(trail, clauses, choice, literal, stamp, n, n_open):
    """Mark the variable of a false literal of a clause that has a part in the conflict.

    Return `n` and `n_open`: the number of literals learned so far, and of marked variables of the
    present level that are not yet resolved.
    """
    variable = literal >> 1
    if trail.seen[variable] == stamp or trail.level[variable] == 0:
        return n, n_open
    trail.seen[variable] = stamp
    bump(choice, variable)
    if trail.level[variable] == trail.counts[LEVEL]:
        return n, n_open + 1
    clauses.learned[n] = literal
    return n + 1, n_open


@lean_kernel
def _shorten(trail, clauses, n, stamp):
    """Remove literals that follow from the others; return the number of those left."""
    learned = clauses.learned
    n_left = 1
    for i in range(1, n):
        literal = learned[i]
        reason = trail.reason[literal >> 1]
        follows = reason != 0
        if reason > 0:
            for j in range(reason, reason + trail.why[reason - 1]):
                variable = trail.why[j] >> 1
                follows &= trail.seen[variable] == stamp or trail.level[variable] == 0
        elif reason < 0:
            clause = -1 - reason
            for j in range(clause + LITERALS, clause + LITERALS + clauses.store[clause + LENGTH]):
                variable = clauses.store[j] >> 1
                follows &= trail.seen[variable] == stamp or trail.level[variable] == 0
        if not follows:
            learned[n_left] = literal
            n_left += 1
    return n_left


@lean_kernel
def _glue(trail, learned, n):
    """Return the number of decision levels of a clause's literals."""
    trail.counts[STAMP] += 1
    stamp = trail.counts[STAMP]
    glue = 0
    for i in range(n):
        level = trail.level[learned[i] >> 1]
        if trail.given[level] != stamp:
            trail.given[level] = stamp
            glue += 1
    return glue


@lean_kernel
def give_up_level(trail, choice, level):
    """Go back to a level; variables that become open can be chosen again."""
    if trail.counts[LEVEL] > level:
        for i in range(trail.level_start[level], trail.counts[N_SET]):
            literal = trail.trail[i]
            choice.was_false[literal >> 1] = literal & 1
            insert(choice, literal >> 1)
    go_back(trail, level)


@lean_kernel
def restart(trail, choice, schedule, unit):
    """Take back all decisions; the next restart is due after a multiple of `unit` conflicts."""
    schedule[N_RESTARTS] += 1
    schedule[UNTIL_RESTART] = unit * luby(schedule[N_RESTARTS])
    give_up_level(trail, choice, 0)


@lean_kernel
def exclude_decisions(trail, clauses, choice, progress):
    """Learn that not all present decisions hold: they lead to a solution already found."""
    n = trail.counts[LEVEL]
    if n == 0:
        progress[DEPTH] = -1
        return
    for i in range(n):
        clauses.learned[n - 1 - i] = trail.trail[trail.level_start[i]] ^ 1
    give_up_level(trail, choice, n - 1)
    if n == 1:
        assign(trail, clauses.learned[0], 0)
        return
    clause = learn(trail, clauses, n, 0)
    assign(trail, clauses.learned[0], -1 - clause)


@lean_kernel
def luby(i):
    """Return entry i, from 0, of the sequence 1, 1, 2, 1, 1, 2, 4, ... of Luby et al. (1993)."""
    size, power = 1, 1
    while size < i + 1:
        size = 2 * size + 1
        power *= 2
    while size - 1 != i:
        size //= 2
        power //= 2
        i %= size
    return power
