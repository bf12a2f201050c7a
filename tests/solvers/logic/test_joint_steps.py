"""Steps from several rules at once, and from classes of digits, against all fillings."""

from itertools import chain, combinations, islice, product

import numpy as np
import pytest
from helpers.plain_kernels import compiled_and_plain
from helpers.sampled import one_in

from nando.puzzles import Variant
from nando.puzzles.boards.board import Line
from nando.puzzles.boards.constraints import AllDifferent, Candidates, Relation, Sum
from nando.puzzles.rules.outside import FrameSum
from nando.puzzles.rules.sums import Cage
from nando.solvers import solve
from nando.solvers.logic.house_walk import HouseWalker, every_step
from nando.solvers.logic.kernel_numbers import (
    DEEP_WHAT_IF,
    FORCING,
    JOINT,
    NESTED_FORCING,
    SPLIT,
    TRUSTING,
    WHAT_IFS,
)
from nando.solvers.logic.marks import PencilMarks
from nando.solvers.logic.technique import standard_ladder
from nando.solvers.logic.variants.joint_steps import LARGE, MANY
from nando.solvers.logic.variants.layout import layout_of, unions_of
from nando.solvers.logic.variants.rule_state import BROKEN, CLOCK, new_state
from nando.solvers.logic.variants.scopes import scopes_of
from nando.solvers.logic.variants.trials import count_groups
from nando.solvers.variants.network import network_of
from nando.solvers.variants.tables import rows_of

LADDER = standard_ladder("variant")
DEEP = tuple(technique for technique in LADDER if technique.kernel == DEEP_WHAT_IF)
JOINTS = tuple(technique for technique in LADDER if technique.kernel in (JOINT, SPLIT))

SMALL = [
    "4x4+killer:r1c1r1c2r2c1:6+kropki:r1c2r1c3",
    "4x4+arrow:r1c1:r2c2r3c3+whispers:r1c4r2c4r3c4:2",
    "4x4+renban:r1c1r2c2r3c3+thermometer:r1c2r2c2r2c3",
    "4x4+sandwich:left2:2+region-sum:r1c1r1c2r1c3",
]


def near(solution, share, n, rng):
    """Return candidates that keep a solution, each other one with a probability."""
    kept = rng.random((solution.size, n)) < share
    kept[np.arange(solution.size), solution - 1] = True
    return kept


def allows(own, digits):
    """Return True if the digits, by cell, keep a constraint."""
    if isinstance(own, AllDifferent):
        held = [digits[cell] for cell in own.cells]
        return len(set(held)) == len(held)
    if isinstance(own, Sum):
        weights = own.weights or [1] * len(own.cells)
        held = (w * digits[cell] for w, cell in zip(weights, own.cells, strict=True))
        return sum(held) == own.total
    if isinstance(own, Relation):
        return own.allowed[digits[own.first] - 1] >> digits[own.second] - 1 & 1 == 1
    state = 0
    for cell in own.cells:
        state = own.automaton.moves[state][digits[cell] - 1]
        if state < 0:
            return False
    return state in own.automaton.accepting


def cells_of(own):
    return {own.first, own.second} if isinstance(own, Relation) else set(own.cells)


def fillings(puzzle, area, options):
    """Yield the digits of an area that break no rule within it, or between two of its cells.

    The sums that houses leave count as rules; that they hold is tested with the exact search.
    """
    known = [own for _, own in puzzle.constraints if not isinstance(own, Candidates)]
    wide, _ = scopes_of(puzzle)
    rows = (rows_of(wide.sum_start, row) for row in (wide.sum_cells, wide.sum_weights))
    for cells, weights, total in zip(*rows, wide.sum_totals.tolist(), strict=True):
        known.append(Sum(tuple(puzzle.board.cells[i] for i in cells), total, tuple(weights)))
    inside = [own for own in known if cells_of(own) <= {*area}]
    pairs = [
        AllDifferent(tuple(cells_of(own) & {*area}))
        for own in known
        if isinstance(own, AllDifferent) and len(cells_of(own) & {*area}) > 1
    ]
    for filling in product(*(options[cell] for cell in area)):
        digits = dict(zip(area, filling, strict=True))
        if all(allows(own, digits) for own in (*inside, *pairs)):
            yield digits


@pytest.mark.parametrize("text", SMALL)
def test_a_scope_keeps_what_some_filling_has(text):
    rng = np.random.default_rng(SMALL.index(text))
    puzzle = Variant(text)
    solution = solve(puzzle)
    assert solution is not None
    board = puzzle.board.cells
    _, scopes = scopes_of(puzzle)
    areas = {
        tuple(scopes.cells[scopes.start[i] : scopes.start[i + 1]].tolist())
        for i in range(scopes.start.size - 1)
    }
    many = tuple(technique for technique in JOINTS if technique.degree == MANY)
    n_found = 0
    for share in (0.4, 0.7):
        kept = near(solution, share, puzzle.size, rng)
        marks = PencilMarks.standing(puzzle, np.zeros(solution.size, np.int8), kept)
        options = {board[i]: (np.flatnonzero(kept[i]) + 1).tolist() for i in range(len(board))}
        found = {}
        for step in every_step(marks, many, np.zeros(1, np.int64)):
            found.setdefault(step.cells, set()).update(step.eliminations)
            n_found += 1
        for area in (area for area in areas if len(area) <= 7):
            cells = [board[i] for i in area]
            left = list(fillings(puzzle, cells, options))
            held = {(i, digits[board[i]]) for digits in left for i in area}
            gone = {(i, d) for i in area for d in options[board[i]]} - held
            inside = {(i, d) for i, d in found.get(area, ()) if i in area}
            assert inside <= gone
            if not found.get(area, set()) - inside:
                # A smaller scope that removes as much is listed instead.
                others = [removed for other, removed in found.items() if {*other} <= {*area}]
                assert gone <= set().union(*others)
            for cell, digit in found.get(area, set()) - inside:
                # A digit that every filling needs is locked in its cells.
                assert all(
                    any(marks.sees(cell, i) and digits[board[i]] == digit for i in area)
                    for digits in left
                )
    assert n_found


NINE = [
    "9x9+windoku+diagonals",
    "9x9+killer:r1c1r1c2r2c1:9+killer:r1c3r1c4r1c5:20+arrow:r5c5:r4c4r3c3+renban:r7c1r8c2r9c3r9c4",
    "9x9+digits:0-8+entropic:r1c1r2c2r3c3r4c3+modular:r9c1r8c2r7c3r6c4+parity:r5c5r5c6r5c7",
    "9x9+whispers:r1c1r2c2r3c3r4c3r5c3+thermometer:r9c9r8c8r7c8r6c8+region-sum:r6c1r6c2r6c3r6c4r6c5",
]
QUICK = tuple(
    rung for rung in LADDER if rung.kernel not in (*TRUSTING, FORCING, NESTED_FORCING, *WHAT_IFS)
)


@pytest.mark.parametrize("text", one_in(2, NINE))
def test_no_step_takes_a_digit_of_a_known_solution(text):
    rng = np.random.default_rng(7)
    puzzle = Variant(text)
    solution = solve(puzzle).astype(np.int64)
    names = set()
    for share in (0.15, 0.25, 0.35, 0.6):
        kept = near(solution, share, 9, rng)
        marks = PencilMarks.standing(puzzle, np.zeros(81, np.int8), kept)
        deep = islice(HouseWalker(DEEP, 5000).steps(puzzle, marks), 20)
        for step in chain(every_step(marks, QUICK, np.zeros(1, np.int64)), deep):
            names.add(step.technique.name)
            assert all(solution[cell] != digit for cell, digit in step.eliminations), step
            assert step.placement is None or solution[step.placement[0]] == step.placement[1]
    assert {"two strong links", "XY-wing", "deep what-if"} <= names
    for name in ("rules of a larger area", "cases of a line"):
        assert (name in names) == ("windoku" not in text)


@pytest.mark.parametrize("text", SMALL)
def test_a_chosen_area_allows_no_filling_with_the_candidate(text):
    rng = np.random.default_rng(SMALL.index(text))
    puzzle = Variant(text)
    solution = solve(puzzle)
    larger = tuple(own for own in JOINTS if (own.kernel, own.degree) == (JOINT, LARGE))
    board, sizes = puzzle.board.cells, set()
    for share in (0.3, 0.6, 1):
        kept = near(solution, share, puzzle.size, rng)
        marks = PencilMarks.standing(puzzle, np.zeros(solution.size, np.int8), kept)
        options = {board[i]: (np.flatnonzero(kept[i]) + 1).tolist() for i in range(len(board))}
        gone = set()
        for step in every_step(marks, larger, np.full(1, 10_000)):
            gone.update(step.eliminations)
            sizes.add(len(step.cells))
            for cell, digit in step.eliminations if len(step.cells) <= 8 else ():
                cells = [board[i] for i in step.cells]
                assert cell in step.cells
                assert not any(fillings(puzzle, cells, {**options, board[cell]: [digit]}))
    # Of all candidates, those are refuted that no solution has.
    for cell, digit in product(range(len(board)), range(1, puzzle.size + 1)):
        row, column = divmod(cell, puzzle.size)
        fixed = Variant(f"{text}+candidates:r{row + 1}c{column + 1}:{digit}")
        assert ((cell, digit) in gone) == (solve(fixed) is None)
    assert max(sizes) > 4


def test_counting_leaves_what_cells_without_repeats_can_hold():
    rng = np.random.default_rng(5)
    layout, _ = layout_of(Variant("6x6+killer:r2c1r1c2r3c2r2c3"))
    groups = rows_of(layout.group_start, layout.group_cells)
    n_broken = 0
    for number in range(300):
        cells = groups[-1] if number % 2 else groups[number % len(groups)]
        state = new_state(layout)
        state.mask[:] = 63
        state.mask[cells] = np.maximum(rng.integers(64, size=(2, len(cells))).min(0), 1)
        options = [[d for d in range(6) if state.mask[cell] >> d & 1] for cell in cells]
        fits = [own for own in product(*options) if len({*own}) == len(own)]
        since = 1
        while count_groups(layout, state, since) and not state.counts[BROKEN]:
            since = state.counts[CLOCK]
            state.counts[CLOCK] += 1
        if fits:
            held = [sum({1 << d for d in own}) for own in zip(*fits, strict=True)]
            assert state.mask[cells].tolist() == held
        assert fits or state.counts[BROKEN]
        n_broken += not fits
    assert 20 < n_broken < 280


@pytest.mark.parametrize("text", [*SMALL, NINE[1], NINE[2]])
def test_a_walk_that_keeps_fillings_takes_the_steps_of_fresh_searches(text):
    """A board remembers the ways of each scope; a new board at each position knows none."""
    puzzle = Variant(text)
    solution = solve(puzzle)
    kept = near(solution, 0.45, puzzle.size, np.random.default_rng(3))
    start = PencilMarks.standing(puzzle, np.zeros(solution.size, np.int8), kept)
    walker = HouseWalker(JOINTS, 0)
    walk = list(islice(walker.steps(puzzle, start), 12))
    marks = start
    for step in walk:
        assert next(walker.steps(puzzle, marks)) == step
        marks = marks.after(step)
    assert len(walk) > 1


def test_kernels_of_joint_steps_behave_like_their_python():
    def walks():
        return [list(HouseWalker(JOINTS, 0).steps(Variant(text))) for text in SMALL[:2]]

    compiled, plain = compiled_and_plain(walks)
    assert compiled == plain
    assert sum(map(len, compiled)) > 3


# Unions of houses and cages


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


def cells_of_sum(network, number):
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
        taken = [cells_of_sum(network, number) for number in union.sums]
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
