"""What-ifs: assume a colour for a cell and follow the consequences."""

from nando.kernels.compile import lean_kernel
from nando.puzzles.nurikabe import BLACK, WHITE
from nando.solvers.logic.nurikabe import reach_steps
from nando.solvers.nurikabe.rules import RULES, propagate
from nando.solvers.nurikabe.state import N_SET, OPEN, colour_cell, take_back

DEEPEST = 20_000
"""Most nested what-ifs for one step."""


@lean_kernel
def find_refutation(state, finding, degree, rating):
    """Find the cell and colour that lead to a contradiction in the shortest way.

    At degree LOCAL only local rules are followed. Longer ways are rated higher.
    """
    shortest = state.n_cells + 1
    for cell in range(state.width, state.colour.size - state.width):
        if state.colour[cell] == OPEN:
            shortest = refute(state, finding, cell, degree, rating, shortest)
    return shortest <= state.n_cells


@lean_kernel
def refute(state, finding, cell, degree, rating, shortest):
    """Write how a colour of a cell leads to a contradiction within fewer than `shortest` cells.

    Return the number of cells, or `shortest` if there is no such way.
    """
    n_set = state.counts[N_SET]
    for colour in (WHITE, BLACK):
        colour_cell(state, cell, colour)
        # A longer way is of no use.
        alive = propagate(state, degree, n_set + shortest)
        if not alive and state.counts[N_SET] - n_set < shortest:
            shortest = _keep_way(state, finding, n_set)
            reach_steps.begin(finding, rating + _length_rating(shortest), WHITE + BLACK - colour)
            reach_steps.decide(finding, cell)
            finding.head[reach_steps.N_REASON] = shortest
        take_back(state, n_set)
    return shortest


@lean_kernel
def find_dilemma(state, finding, rating):
    """Find a cell whose colours, white and black, both give the same colour to other cells."""
    for cell in range(state.width, state.colour.size - state.width):
        if state.colour[cell] == OPEN and settle(state, finding, cell, OPEN, rating):
            return True
    return False


@lean_kernel
def settle(state, finding, cell, colour, rating):
    """Write the other cells that have `colour` whichever colour `cell` has.

    If `colour` is OPEN, it is the colour of the first such cell. Return False if there is none.
    """
    n_set = state.counts[N_SET]
    colour_cell(state, cell, WHITE)
    alive = propagate(state, RULES, state.n_cells)
    n_way = _keep_way(state, finding, n_set)
    take_back(state, n_set)
    colour_cell(state, cell, BLACK)
    alive &= propagate(state, RULES, state.n_cells)
    reach_steps.begin(finding, rating, colour)
    for i in range(1, n_way):
        other = finding.reason[i]
        same = int(finding.colours[i])
        if state.colour[other] == same:
            if finding.head[reach_steps.COLOUR] == OPEN:
                finding.head[reach_steps.COLOUR] = same
            if finding.head[reach_steps.COLOUR] == same:
                reach_steps.decide(finding, other)
    take_back(state, n_set)
    finding.head[reach_steps.N_REASON] = 1
    return alive and finding.head[reach_steps.N_CELLS] > 0


@lean_kernel
def find_deep_refutation(state, finding, rating):
    """Find a cell and a colour that lead to a contradiction with nested what-ifs."""
    finding.head[reach_steps.N_TRIES] = DEEPEST
    for cell in range(state.width, state.colour.size - state.width):
        if state.colour[cell] == OPEN and refute_deeply(state, finding, cell, rating):
            return True
    return False


@lean_kernel
def refute_deeply(state, finding, cell, rating):
    """Write how a colour of a cell leads to a contradiction, while nested what-ifs are left."""
    n_set = state.counts[N_SET]
    for colour in (WHITE, BLACK):
        colour_cell(state, cell, colour)
        alive = propagate(state, RULES, state.n_cells)
        settled = False
        while alive and not settled and finding.head[reach_steps.N_TRIES] > 0:
            settled = True
            for other in range(state.width, state.colour.size - state.width):
                if state.colour[other] != OPEN or not alive:
                    continue
                for held in (WHITE, BLACK):
                    n_before = state.counts[N_SET]
                    finding.head[reach_steps.N_TRIES] -= 1
                    colour_cell(state, other, held)
                    if not propagate(state, RULES, state.n_cells):
                        take_back(state, n_before)
                        colour_cell(state, other, WHITE + BLACK - held)
                        alive = propagate(state, RULES, state.n_cells)
                        settled = False
                        break
                    take_back(state, n_before)
        if not alive:
            n_way = _keep_way(state, finding, n_set)
            reach_steps.begin(finding, rating, WHITE + BLACK - colour)
            reach_steps.decide(finding, cell)
            finding.head[reach_steps.N_REASON] = n_way
        take_back(state, n_set)
        if not alive:
            return True
    return False


@lean_kernel
def _keep_way(state, finding, n_set):
    """Record the cells coloured since `n_set`; return their number."""
    n_way = state.counts[N_SET] - n_set
    for i in range(n_way):
        cell = state.trail[n_set + i]
        finding.reason[i] = cell
        finding.colours[i] = state.colour[cell]
    return n_way


@lean_kernel
def _length_rating(length):
    """Return the tenths that the length of a way adds to the rating: one for each doubling."""
    tenths = 0
    while length > 1:
        length //= 2
        tenths += 1
    return tenths
