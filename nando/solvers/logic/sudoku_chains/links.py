"""Write the links of a chain into a step."""

from nando.kernels.compile import inlined_kernel, lean_kernel
from nando.solvers.logic.sudoku_finders.finding import CELLS, add_cell

X, Y, XY = range(3)
"""Kinds of links that a chain uses: in houses, in cells, or both."""

CYCLE_X, CYCLE_Y, CYCLE_XY, CHAIN_X, CHAIN_XY = range(1, 6)
"""Variants of the technique."""


@inlined_kernel
def add_link(finding, graph, size, first, second):
    """Add a link from a literal to another."""
    n = finding.head[0]["n_links"]
    if n < finding.links.shape[1]:
        for end in range(2):
            literal = second if end else first
            i = literal >> 1
            place = graph.cell[i] * size + graph.digit[i]
            finding.links[end, n] = 2 * place + (literal & 1)
        finding.head[0]["n_links"] = n + 1


@lean_kernel
def finish_links(finding, size):
    """Reverse the links, written from last to first, and add their cells and digits."""
    n = finding.head[0]["n_links"]
    for k in range(n // 2):
        for end in range(2):
            literal = finding.links[end, k]
            finding.links[end, k] = finding.links[end, n - 1 - k]
            finding.links[end, n - 1 - k] = literal
    note_links(finding, size)


@lean_kernel
def note_links(finding, size):
    """Add the cells and digits that the links join to the pattern."""
    for k in range(finding.head[0]["n_links"]):
        for end in range(2):
            place = finding.links[end, k] >> 1
            cell = place // size
            finding.head[0]["digits"] |= 1 << place % size
            known = False
            for i in range(finding.head[0]["n_cells"]):
                known |= finding.lists[CELLS, i] == cell
            if not known:
                add_cell(finding, cell)
