"""Sums that follow from houses, where the sums of rules overlap."""

from itertools import combinations

import numpy as np
import pytest

from nando.puzzles import Variant
from nando.puzzles.boards.board import Line
from nando.puzzles.rules.outside import FrameSum
from nando.puzzles.rules.sums import Cage
from nando.solvers import solve
from nando.solvers.logic.variants.layout import unions_of
from nando.solvers.variants.network import network_of


def framed(edges, share=1.0):
    """Return the network of a board with frame sums at these edges, and the digits of its cells."""
    rng = np.random.default_rng(0)
    board = Variant("9x9").board
    digits = np.concatenate([[0], 1 + rng.permutation(9)])[solve(Variant("9x9"))]
    rules = []
    for edge in edges:
        for number in range(1, 10):
            cells = board.line(Line(edge, number))[:3]
            total = sum(int(digits[9 * cell.row + cell.column]) for cell in cells)
            if rng.random() < share:
                rules.append(FrameSum(Line(edge, number), total))
    boxes = Variant("9x9").rules
    return network_of(Variant.of("9x9", [*boxes, *rules]))[0], digits


def cells_of(network, number):
    """Return the cells of a sum."""
    return set(network.sum_cells[slice(*network.sum_start[number : number + 2])].tolist())


def test_frame_sums_leave_the_middle_of_every_row_and_column():
    network, _ = framed(("left", "right", "top", "bottom"))
    middles = {union.cells for union in unions_of(network) if len(union.cells) == 3}
    rows = np.arange(81).reshape(9, 9)
    assert middles >= {tuple(line[3:6].tolist()) for line in (*rows, *rows.T)}


@pytest.mark.parametrize("share", [1.0, 0.6, 0.3])
def test_unions_hold_and_take_sums_that_do_not_overlap(share):
    network, digits = framed(("top", "left", "right", "bottom"), share)
    unions = unions_of(network)
    assert unions
    for union in unions:
        assert np.dot(union.weights, digits[list(union.cells)]) == union.total
        taken = [cells_of(network, number) for number in union.sums]
        assert not any(a & b for a, b in combinations(taken, 2))
        left = np.zeros(81, np.int64)
        np.add.at(left, network.houses[list(union.houses)].ravel(), 1)
        for cells in taken:
            left[list(cells)] -= 1
        assert np.flatnonzero(left).tolist() == list(union.cells)


def test_where_sums_overlap_either_is_taken_first():
    # Two cages share a cell in row 1, so each leaves its own innies.
    board = Variant("9x9").board
    row = board.line(Line("left", 1))
    cages = [Cage(row[:4], 10), Cage(row[3:8], 30)]
    for rules in (cages, cages[::-1]):
        network = network_of(Variant.of("9x9", [*Variant("9x9").rules, *rules]))[0]
        found = {union.cells: union.total for union in unions_of(network)}
        assert found[tuple(range(4, 9))] == 35
        assert found[0, 1, 2, 8] == 15
