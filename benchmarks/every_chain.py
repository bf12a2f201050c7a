"""Count all chains of a position, of which `nando explain --all` lists the shortest.

    python benchmarks/every_chain.py [LONGEST]

A chain leads link by link from a candidate that is true to the same one being false, through as
many as LONGEST candidates (12). The position is one of few candidates, late in a hard puzzle.
"""

import sys
from collections import Counter

from nando.puzzles import Sudoku
from nando.solvers.logic import walk_through
from nando.solvers.logic.sudoku_chains.implications import Implications, list_implications
from nando.solvers.logic.sudoku_finders.state import logic_layout, state_of

PUZZLE = "9....8...4.85...16.7....4.........5....83....8.6.95..4.1.2..76............5..68.."
STEP = 65


def links_after(graph: Implications, candidate: int, on: bool) -> list[int]:
    """Candidates that a candidate turns off by being on, or on by being off."""
    if on:
        return graph.weak[graph.weak_from[candidate] : graph.weak_from[candidate + 1]].tolist()
    return sorted({other for other in graph.strong[candidate].tolist() if other >= 0})


def count(graph: Implications, longest: int) -> Counter[int]:
    """Chains by their length."""
    lengths: Counter[int] = Counter()

    def walk(path: list[int], on: bool) -> None:
        for other in links_after(graph, path[-1], on):
            if other == path[0] and on and len(path) > 2:
                lengths[len(path)] += 1
            elif other not in path and len(path) < longest:
                walk([*path, other], not on)

    for start in range(graph.n):
        walk([start], True)
    return lengths


if __name__ == "__main__":
    marks = walk_through(Sudoku(PUZZLE)).steps[STEP - 1].position
    state = state_of(marks.values, marks.candidates)
    graph = Implications(*list_implications(logic_layout(3), state.candidates, state.positions))
    print(f"{graph.n} candidates")
    total = 0
    for length, n in sorted(count(graph, int(sys.argv[1]) if sys.argv[1:] else 12).items()):
        total += n
        print(f"{length:3} candidates in the chain: {n:7,}, {total:7,} so far")
