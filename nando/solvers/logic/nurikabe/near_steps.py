"""Techniques that use a cell and its neighbours, or one group and its exits."""

from nando.kernels.compile import lean_kernel
from nando.puzzles.nurikabe import BLACK, WHITE
from nando.solvers.logic.nurikabe.reach_steps import (
    N_CELLS,
    N_GROUPS,
    because,
    because_of_group,
    begin,
    decide,
    takes,
    takes_cell,
)
from nando.solvers.nurikabe.state import OPEN, part_beside


@lean_kernel
def find_between(state, groups, finding, degree, rating):
    """Find a cell that would join two islands; at degree 0 two numbers must be next to it."""
    colour = state.colour
    steps = (-state.width, -1, 1, state.width)
    for cell in range(state.width, colour.size - state.width):
        if colour[cell] != OPEN:
            continue
        for i in range(4):
            one = cell + steps[i]
            island = groups.island[groups.part[one]] if colour[one] == WHITE else 0
            if island == 0 or (degree == 0 and state.island_at[one] == 0):
                continue
            for j in range(i):
                two = cell + steps[j]
                other = groups.island[groups.part[two]] if colour[two] == WHITE else 0
                if other == 0 or other == island or (degree == 0 and state.island_at[two] == 0):
                    continue
                begin(finding, rating, BLACK)
                decide(finding, cell)
                because_of_group(groups, finding, groups.part[one])
                because_of_group(groups, finding, groups.part[two])
                if takes(finding):
                    return True
    return False


@lean_kernel
def find_complete(state, groups, finding, degree, rating):
    """Find an island that has all its cells, at degree 0 a 1: the cells around it are river."""
    colour = state.colour
    for island in range(1, state.n_islands + 1):
        group = groups.part[state.start[island]]
        wanted = state.wanted[island]
        if groups.size[group] != wanted or groups.n_exits[group] == 0:
            continue
        if degree == 0 and wanted > 1:
            continue
        begin(finding, rating, BLACK)
        because_of_group(groups, finding, group)
        _decide_exits(colour, groups, finding, group, state.width)
        if takes(finding):
            return True
    return False


@lean_kernel
def _decide_exits(colour, groups, finding, group, width):
    for i in range(groups.first[group], groups.first[group] + groups.size[group]):
        for step in (-width, -1, 1, width):
            other = groups.members[i] + step
            if colour[other] == OPEN:
                seen = False
                for j in range(finding.head[N_CELLS]):
                    seen |= finding.cells[j] == other
                if not seen:
                    decide(finding, other)


@lean_kernel
def find_pool(state, finding, rating):
    """Find a 2x2 block with three river cells: the fourth is white."""
    colour = state.colour
    for cell in range(state.width, colour.size - state.width - 1):
        n_black = 0
        opening = 0
        for step in (0, 1, state.width, state.width + 1):
            if colour[cell + step] == BLACK:
                n_black += 1
            elif colour[cell + step] == OPEN:
                opening = cell + step
        if n_black == 3 and opening > 0:
            begin(finding, rating, WHITE)
            decide(finding, opening)
            for step in (0, 1, state.width, state.width + 1):
                if cell + step != opening:
                    because(finding, cell + step)
            if takes(finding):
                return True
    return False


@lean_kernel
def find_river_exit(state, groups, finding, rating):
    """Find a part of the river with one way out, and more river elsewhere."""
    n_black = state.counts[BLACK]
    if state.n_white >= 0:
        n_black = state.n_cells - state.n_white
    for group in range(1, groups.counts[N_GROUPS] + 1):
        if _has_one_exit(state, groups, group, BLACK) and groups.size[group] < n_black:
            first_exit = groups.first_exit[group]
            if takes_cell(groups, finding, rating, BLACK, first_exit, group):
                return True
    return False


@lean_kernel
def find_island_exit(state, groups, finding, rating):
    """Find white cells with one way out that lack cells, or a number."""
    for group in range(1, groups.counts[N_GROUPS] + 1):
        wanted = state.wanted[groups.island[group]]
        lacks = wanted >= 0 and groups.size[group] != wanted
        if lacks and _has_one_exit(state, groups, group, WHITE):
            first_exit = groups.first_exit[group]
            if takes_cell(groups, finding, rating, WHITE, first_exit, group):
                return True
    return False


@lean_kernel
def _has_one_exit(state, groups, group, colour):
    """Return True if a group is of a colour, and one open cell touches it."""
    cell = groups.members[groups.first[group]]
    return state.colour[cell] == colour and groups.n_exits[group] == 1


@lean_kernel
def find_oversize(state, groups, finding, rating):
    """Find a cell that would make an island larger than its number, or than every number."""
    for cell in range(state.width, state.colour.size - state.width):
        if state.colour[cell] != OPEN:
            continue
        size = 1
        most = state.largest
        for i in range(4):
            group = part_beside(state.colour, state.width, groups.part, cell, i)
            if group > 0:
                size += groups.size[group]
                if state.wanted[groups.island[group]] > 0:
                    most = min(most, state.wanted[groups.island[group]])
        if size > most and size > 1:
            begin(finding, rating, BLACK)
            decide(finding, cell)
            for i in range(4):
                group = part_beside(state.colour, state.width, groups.part, cell, i)
                if group > 0:
                    because_of_group(groups, finding, group)
            if takes(finding):
                return True
    return False


@lean_kernel
def find_shared_exit(state, groups, finding, rating):
    """Find an island that lacks one cell: a cell next to all its exits is black."""
    colour = state.colour
    steps = (-state.width, -1, 1, state.width)
    for island in range(1, state.n_islands + 1):
        group = groups.part[state.start[island]]
        if groups.size[group] != state.wanted[island] - 1:
            continue
        for i in range(4):
            cell = groups.first_exit[group] + steps[i]
            if colour[cell] != OPEN:
                continue
            n_next = 0
            is_exit = False
            for j in range(4):
                if groups.part[cell + steps[j]] == group:
                    is_exit = True
                if colour[cell + steps[j]] == OPEN and _touches(
                    groups, cell + steps[j], group, state.width
                ):
                    n_next += 1
            touches_all = not is_exit and n_next == groups.n_exits[group]
            if touches_all and takes_cell(groups, finding, rating, BLACK, cell, group):
                return True
    return False


@lean_kernel
def _touches(groups, cell, group, width):
    found = False
    for step in (-width, -1, 1, width):
        found |= groups.part[cell + step] == group
    return found
