"""The finders that Sudoku and variants share, by the numbers of techniques."""

from nando.kernels.compile import lean_kernel
from nando.solvers.logic import kernel_numbers as kernels
from nando.solvers.logic.finders.link_graph import find_strong_links
from nando.solvers.logic.finders.singles import find_hidden_single, find_locked, find_naked_single
from nando.solvers.logic.finders.subsets import find_fish, find_hidden_subset
from nando.solvers.logic.finders.wings import find_wing


@lean_kernel
def find_by_houses(state, grid, rung, finding, trial):
    """Run the kernel of a rung; return True if it found a step, False if it is another kernel."""
    number, degree, rating = rung[0], rung[1], rung[2]
    if number == kernels.HIDDEN_SINGLE:
        return find_hidden_single(state, grid, finding, degree, rating)
    if number == kernels.NAKED_SINGLE:
        return find_naked_single(state, grid, finding, rating)
    if number in (kernels.DIRECT_POINTING, kernels.POINTING):
        return find_locked(state, grid, finding, False, number == kernels.DIRECT_POINTING, rating)
    if number in (kernels.DIRECT_CLAIMING, kernels.CLAIMING):
        return find_locked(state, grid, finding, True, number == kernels.DIRECT_CLAIMING, rating)
    if number in (kernels.DIRECT_HIDDEN_SUBSET, kernels.HIDDEN_SUBSET):
        direct = number == kernels.DIRECT_HIDDEN_SUBSET
        return find_hidden_subset(state, grid, finding, degree, direct, rating)
    if number == kernels.FISH:
        return find_fish(state, grid, finding, degree, rating)
    if number == kernels.WING:
        return find_wing(state, grid, finding, degree, rating)
    if number == kernels.STRONG_LINKS:
        return find_strong_links(state, grid, finding, trial, degree, rating)
    return False
