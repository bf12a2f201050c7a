"""Count all chains of a position, of which `nando explain --all` lists the shortest.

    python benchmarks/every_chain.py [LONGEST]

A chain leads link by link from a candidate that is true to the same one being false, through as
many as LONGEST candidates (12). The position is one of few candidates, late in a hard puzzle.
"""

import sys
from collections import Counter

from nando.puzzles import Sudoku
from nando.solvers.logic import walk_through
from nando.solvers.logic.sudoku.chains.links import CHAIN_XY
from nando.solvers.logic.sudoku.every.board import Board
from nando.solvers.logic.sudoku.every.chains import Graph, graph_of, links_after

PUZZLE = "9....8...4.85...16.7....4.........5....83....8.6.95..4.1.2..76............5..68.."
STEP = 65


def count(graph: Graph, longest: int) -> Counter[int]:
    """Chains by their length."""
    found: Counter[int] = Counter()

    def walk(path: list[int], on: bool) -> None:
        for other, then_on in links_after(graph, (path[-1], on), CHAIN_XY):
            if other == path[0] and not then_on and len(path) > 2:
                found[len(path)] += 1
            elif other not in path and len(path) < longest:
                walk([*path, other], then_on)

    for start in range(len(graph.candidates)):
        walk([start], True)
    return found


if __name__ == "__main__":
    graph = graph_of(Board.of(walk_through(Sudoku(PUZZLE)).steps[STEP - 1].position))
    print(f"{len(graph.candidates)} candidates")
    total = 0
    for length, n in sorted(count(graph, int(sys.argv[1]) if sys.argv[1:] else 12).items()):
        total += n
        print(f"{length:3} candidates in the chain: {n:7,}, {total:7,} so far")
