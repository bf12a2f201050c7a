"""Export a Sudoku as a graph to be coloured: edges join the cells that must differ.

Givens are precoloured vertices. Where a format has none, one more vertex per colour can express
them: these vertices are all joined to each other, and a given cell is joined to all of them but
that of its own colour. A colouring with as many colours as the grid has symbols is a solution.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from nando.puzzles import Sudoku, Values

if TYPE_CHECKING:
    import networkx


def colouring_edges(puzzle: Sudoku, *, colour_vertices: bool = False) -> list[tuple[int, int]]:
    """Return the edges of the graph, each once, the lower vertex first, in ascending order.

    Parameters
    ----------
    puzzle : Sudoku
    colour_vertices : bool
        Express the givens by vertices ``n_cells`` to ``n_cells + size - 1``, one per colour.

    Examples
    --------
    >>> len(colouring_edges(Sudoku("." * 81)))
    810
    """
    layout = puzzle.layout
    edges = [(cell, int(peer)) for cell in range(layout.n_cells) for peer in layout.peers[cell]]
    edges = [(cell, peer) for cell, peer in edges if cell < peer]
    if colour_vertices:
        first = layout.n_cells
        edges += [
            (cell, first + colour)
            for cell, given in enumerate(puzzle.givens.tolist())
            for colour in range(layout.size)
            if given and colour != given - 1
        ]
        edges += [
            (first + a, first + b) for a in range(layout.size) for b in range(a + 1, layout.size)
        ]
    return sorted(edges)


def colouring_graph(puzzle: Sudoku, *, colour_vertices: bool = False) -> "networkx.Graph":
    """Return the graph for networkx.

    Parameters
    ----------
    puzzle : Sudoku
    colour_vertices : bool
        Also express the givens by one vertex per colour; see :func:`colouring_edges`.

    Returns
    -------
    networkx.Graph
        Vertices are cells, 0-based and row-major, with the attributes `row`, `column` and `box`
        (0-based) and, for givens, `colour` (1 to the size). The vertex of a colour has only
        `colour`. The graph has the attribute `n_colours`.

    Raises
    ------
    ImportError
        If networkx is not installed.
    """
    try:
        import networkx
    except ImportError as error:
        raise ImportError(
            "colouring_graph needs networkx, which is not installed; "
            "install it with: pip install 'nando[graph]'"
        ) from error
    layout = puzzle.layout
    graph = networkx.Graph(n_colours=layout.size)
    for cell, given in enumerate(puzzle.givens.tolist()):
        row, column, box = (layout.house_of[cell] - [0, layout.size, 2 * layout.size]).tolist()
        graph.add_node(cell, row=row, column=column, box=box)
        if given:
            graph.nodes[cell]["colour"] = given
    if colour_vertices:
        for colour in range(layout.size):
            graph.add_node(layout.n_cells + colour, colour=colour + 1)
    graph.add_edges_from(colouring_edges(puzzle, colour_vertices=colour_vertices))
    return graph


def dimacs_text(puzzle: Sudoku, *, colour_vertices: bool = True) -> str:
    r"""Return the graph in the DIMACS ``.col`` format: vertices from 1, a line ``e`` for each edge.

    The format has no precoloured vertices. `colour_vertices` expresses the givens by vertices and
    edges; comments ``c given VERTEX COLOUR`` always list them.

    Examples
    --------
    >>> text = dimacs_text(Sudoku("1" + "." * 80))
    >>> print("\n".join(text.splitlines()[:4]))
    c Sudoku 1................................................................................
    c Vertices 1 to 81 are the cells in row-major order, 82 to 90 the colours; colour with 9.
    c given 1 1
    p edge 90 854
    """
    n_cells, size = puzzle.layout.n_cells, puzzle.size
    edges = colouring_edges(puzzle, colour_vertices=colour_vertices)
    colours = f", {n_cells + 1} to {n_cells + size} the colours" if colour_vertices else ""
    lines = [
        f"c Sudoku {puzzle.text}",
        f"c Vertices 1 to {n_cells} are the cells in row-major order{colours}; colour with {size}.",
    ]
    givens = enumerate(puzzle.givens.tolist(), 1)
    lines += [f"c given {cell} {given}" for cell, given in givens if given]
    lines.append(f"p edge {n_cells + size * colour_vertices} {len(edges)}")
    lines += [f"e {a + 1} {b + 1}" for a, b in edges]
    return "\n".join(lines) + "\n"


def values_of_colouring(puzzle: Sudoku, colouring: Mapping[int, int] | Sequence[int]) -> Values:
    """Return the values of the cells from the colours that a colouring tool gave the vertices.

    Parameters
    ----------
    puzzle : Sudoku
        Only its order is used.
    colouring : mapping or sequence of int
        Colour of each vertex; vertices are numbered from 0. If the vertices of the colours are
        included, the colours may be any numbers; otherwise they must be the values 1 to the size.

    Returns
    -------
    ndarray of int8, shape (n_cells,)
        Not checked against the rules; see :meth:`nando.puzzles.Sudoku.is_solution`.

    Raises
    ------
    ValueError
        If a vertex has no colour, or a colour belongs to no symbol.
    """
    n_cells, size = puzzle.layout.n_cells, puzzle.size
    if len(colouring) not in (n_cells, n_cells + size):
        raise ValueError(
            f"colouring must have {n_cells} vertices, or {n_cells + size} with those of the "
            f"colours, got {len(colouring)}"
        )
    symbols = {colour: colour for colour in range(1, size + 1)}
    if len(colouring) > n_cells:
        symbols = {colouring[n_cells + i]: i + 1 for i in range(size)}
    if len(symbols) < size:
        raise ValueError("colouring must give each symbol a colour of its own, got one for two")
    foreign = {colouring[cell] for cell in range(n_cells)} - symbols.keys()
    if foreign:
        raise ValueError(
            f"colours of cells must be among {sorted(symbols)}, got {sorted(foreign)[:5]}"
        )
    return np.array([symbols[colouring[cell]] for cell in range(n_cells)], np.int8)
