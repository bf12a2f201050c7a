"""The cells without which the river of a board would fall apart.

As in the exact search (`nando.solvers.nurikabe.rules`), but joined river cells count as one place.
Late in the closure most river cells are joined, and few places are left to search.
"""

from nando.kernels.compile import lean_kernel
from nando.puzzles.nurikabe.puzzle import BLACK, WHITE
from nando.solvers.nurikabe.state import OPEN, STAMP, colour_cell


@lean_kernel
def join_river(state):
    """Black where the river would else fall apart or be too small, white where it cannot come.

    All coloured cells are in groups, and some are black. The places are open cells, and groups
    named after one of their cells. A depth-first search (Tarjan 1972) finds the places whose
    removal cuts others off.
    """
    counts = state.counts
    colour = state.colour
    seen = state.seen
    order, low, above, turn = state.tree[0], state.tree[1], state.tree[2], state.tree[3]
    below, must, cut, cut_must = state.tree[4], state.tree[5], state.tree[6], state.tree[7]
    # The cell of a group from which the search goes on.
    member = state.link
    steps = (-state.width, -1, 1, state.width)
    counts[STAMP] += 1
    stamp = counts[STAMP]
    i = 0
    while colour[state.trail[i]] != BLACK:
        i += 1
    place = state.part[state.trail[i]]
    root = place
    above[root] = 0
    n_places = 0
    n_open = 0
    is_new = True
    while place > 0:
        if is_new:
            is_new = False
            n_places += 1
            seen[place] = stamp
            order[place] = n_places
            low[place] = n_places
            turn[place] = 0
            member[place] = place
            cut[place] = 0
            cut_must[place] = 0
            if colour[place] == BLACK:
                below[place] = state.size[place]
                must[place] = 1
            else:
                below[place] = 1
                must[place] = 0
                state.queue[n_open] = place
                n_open += 1
        if turn[place] < 4:
            other = member[place] + steps[turn[place]]
            turn[place] += 1
            if colour[place] == BLACK:
                if turn[place] == 4:
                    following = state.members[member[place]]
                    if following != place:
                        member[place] = following
                        turn[place] = 0
                if colour[other] != OPEN:
                    continue
            elif colour[other] == BLACK:
                other = state.part[other]
            elif colour[other] != OPEN:
                continue
            if seen[other] != stamp:
                above[other] = place
                place = other
                is_new = True
            elif order[other] < low[place]:
                low[place] = order[other]
            continue
        parent = above[place]
        if parent > 0:
            below[parent] += below[place]
            must[parent] += must[place]
            if low[place] >= order[parent]:
                cut[parent] += below[place]
                cut_must[parent] += must[place]
            elif low[place] < low[parent]:
                low[parent] = low[place]
        place = parent
    n_joined = below[root]
    n_river = state.n_cells - state.n_white
    for i in range(n_open):
        cell = state.queue[i]
        if cut_must[cell] > 0 or n_joined - cut[cell] - 1 < n_river:
            colour_cell(state, cell, BLACK)
    if n_joined + counts[WHITE] < state.n_cells:
        for cell in range(state.width, colour.size - state.width):
            if colour[cell] == OPEN and seen[cell] != stamp:
                colour_cell(state, cell, WHITE)
