"""Consequences of one literal: no pools, and one owner for each cell and its white neighbours."""

from nando.kernels.compile import lean_kernel
from nando.solvers.exact.nurikabe.variables import NONE, OUTSIDE
from nando.solvers.exact.trail import conclude, fail, give, has_room


@lean_kernel
def follow_literal(variables, trail, literal):
    """Draw the consequences of a true literal; return False at a conflict."""
    variable = literal >> 1
    cell = variables.cell[variable]
    if variables.island[variable] >= 0:
        if literal & 1:
            return _not_owned(variables, trail, variable, cell)
        return _spread_owner(variables, trail, variable, cell)
    if literal & 1:
        for owner in range(variables.first[cell], variables.first[cell + 1]):
            if not _keep(trail, 2 * owner + 1, 2 * cell, NONE):
                return False
        return _no_pool(variables, trail, cell)
    return _white(variables, trail, cell)


@lean_kernel
def _no_pool(variables, trail, cell):
    """Require a white cell in each 2x2 block around a black cell; return False at a conflict."""
    near = variables.near
    for vertical in (0, 3):
        for horizontal in (1, 2):
            a, b = near[cell, vertical], near[cell, horizontal]
            if a < 0 or b < 0:
                continue
            c = near[a, horizontal]
            n_black = 0
            last = -1
            for other in (a, b, c):
                value = trail.value[2 * other]
                if value < 0:
                    n_black += 1
                elif value > 0:
                    n_black = -4
                else:
                    last = other
            if n_black < 2:
                continue
            if not has_room(trail):
                return False
            n = give(trail, 2 * cell, 0)
            for other in (a, b, c):
                if other != last:
                    n = give(trail, 2 * other, n)
            if last < 0:
                return fail(trail, n)
            if not conclude(trail, 2 * last, n):
                return False
    return True


@lean_kernel
def _has_owner(variables, trail, cell):
    """Give a white cell to the only possible island; if there is none, the cell is black."""
    first, end = variables.first[cell], variables.first[cell + 1]
    last = -1
    for owner in range(first, end):
        if trail.value[2 * owner] >= 0:
            if last >= 0:
                return True
            last = owner
    if last >= 0 and (trail.value[2 * last] > 0 or trail.value[2 * cell] <= 0):
        return True
    if not has_room(trail):
        return False
    n = 0
    for owner in range(first, end):
        if owner != last:
            n = give(trail, 2 * owner, n)
    if last < 0:
        return conclude(trail, 2 * cell + 1, n)
    n = give(trail, 2 * cell + 1, n)
    return conclude(trail, 2 * last, n)


@lean_kernel
def _white(variables, trail, cell):
    """Require a white cell to have an owner, the same as its white neighbours."""
    if not _has_owner(variables, trail, cell):
        return False
    black = 2 * cell + 1
    for owner in range(variables.first[cell], variables.first[cell + 1]):
        for side in range(4):
            other = variables.beside[owner, side]
            if other == OUTSIDE:
                continue
            beyond_black = 2 * variables.near[cell, side] + 1
            if not _keep(trail, 2 * owner + 1, beyond_black, 2 * other):
                return False
            if other >= 0 and not _keep(trail, 2 * other + 1, black, 2 * owner):
                return False
    for side in range(4):
        # The neighbour's islands that cannot reach this cell.
        beyond = variables.near[cell, side]
        if beyond < 0:
            continue
        for owner in range(variables.first[beyond], variables.first[beyond + 1]):
            if variables.beside[owner, 3 - side] == NONE and not _keep(
                trail, 2 * owner + 1, black, NONE
            ):
                return False
    return True


@lean_kernel
def _spread_owner(variables, trail, owner, cell):
    """Make an owned cell white, of no other island, with white neighbours of the same island."""
    no = 2 * owner + 1
    if not _keep(trail, no, 2 * cell, NONE):
        return False
    for other in range(variables.first[cell], variables.first[cell + 1]):
        if other != owner and not _keep(trail, no, 2 * other + 1, NONE):
            return False
    for side in range(4):
        other = variables.beside[owner, side]
        if other == OUTSIDE:
            continue
        beyond_black = 2 * variables.near[cell, side] + 1
        if not _keep(trail, no, beyond_black, 2 * other):
            return False
    return True


@lean_kernel
def _not_owned(variables, trail, owner, cell):
    """Require another owner if the cell is white; then no neighbour belongs to this island."""
    if not _has_owner(variables, trail, cell):
        return False
    for side in range(4):
        other = variables.beside[owner, side]
        if other >= 0 and not _keep(trail, 2 * other + 1, 2 * cell + 1, 2 * owner):
            return False
    return True


@lean_kernel
def _keep(trail, first, second, third):
    """Apply a clause of three literals: if two are false, the other is true; False at a conflict.

    A negative `third` stands for no literal.
    """
    value = trail.value
    last = -1
    n_open = 0
    if value[first] >= 0:
        last = first
        n_open += 1
    if value[second] >= 0:
        last = second
        n_open += 1
    if third >= 0 and value[third] >= 0:
        last = third
        n_open += 1
    if n_open > 1 or (n_open == 1 and value[last] > 0):
        return True
    if not has_room(trail):
        return False
    n = 0
    if last != first:
        n = give(trail, first, n)
    if last != second:
        n = give(trail, second, n)
    if third >= 0 and last != third:
        n = give(trail, third, n)
    return conclude(trail, last, n) if last >= 0 else fail(trail, n)
