"""A conflict is analysed: the clause that would have avoided it, and the level to go back to.

Source: Marques-Silva and Sakallah 1999, "GRASP"; Een and Sorensson 2003, "An extensible
SAT-solver".
"""

from nando.kernels.compile import lean_kernel
from nando.solvers.exact.nurikabe.choice import DECAY, bump, insert
from nando.solvers.exact.nurikabe.clauses import LENGTH, LITERALS, learn
from nando.solvers.exact.nurikabe.trail import LEVEL, N_CONFLICT, N_SET, STAMP, assign, go_back


@lean_kernel
def analyse(variables, trail, clauses, choice):
    """Learn the clause of the conflict's first unique implication point, and go back to use it.

    False if the conflict needs no decision: there is no other solution.
    """
    counts = trail.counts
    learned = clauses.learned
    counts[STAMP] += 1
    stamp = counts[STAMP]
    level = 0
    for i in range(counts[N_CONFLICT]):
        level = max(level, trail.level[trail.conflict[i] >> 1])
    if level == 0:
        return False
    if level < counts[LEVEL]:
        # The latest decisions have no part in it.
        n = counts[N_CONFLICT]
        give_up_level(trail, choice, level)
        counts[N_CONFLICT] = n
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
    learned[0] = literal ^ 1
    n = _shorten(trail, clauses, n, stamp)
    # The literal of the latest level but one is watched too.
    back = 0
    for i in range(1, n):
        if trail.level[learned[i] >> 1] > back:
            back = trail.level[learned[i] >> 1]
            learned[1], learned[i] = learned[i], learned[1]
    glue = _glue(trail, learned, n)
    choice.weight[choice.weight.size - 1] /= DECAY
    give_up_level(trail, choice, back)
    if n == 1:
        assign(variables, trail, learned[0], 0)
    else:
        clause = learn(trail, clauses, n, glue)
        if clause >= 0:
            assign(variables, trail, learned[0], -1 - clause)
    return True


@lean_kernel
def _take(trail, clauses, choice, literal, stamp, n, n_open):
    """Note a false literal of a clause that has a part in the conflict."""
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
    """Leave out literals that follow from the others; return how many are left."""
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
    """Decision levels of a clause's literals."""
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
