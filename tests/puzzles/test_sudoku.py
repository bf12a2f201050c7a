"""Sudoku itself: text, validity, symmetries, layout and canonical form."""

import pickle
from itertools import combinations, permutations, product

import numpy as np
import pytest
from helpers.plain_kernels import compiled_and_plain
from helpers.samples.sudokus import LINE, SOLUTION
from hypothesis import given, settings
from hypothesis import strategies as st

from nando.puzzles import FaultKind, PuzzleError, Sudoku
from nando.puzzles.sudoku import minlex as minlex_module
from nando.puzzles.sudoku.layout import colour_sum, sudoku_layout
from nando.puzzles.sudoku.minlex import minlex
from nando.puzzles.sudoku.puzzle import SYMBOLS

PUZZLE = Sudoku(LINE)

orders = st.sampled_from([3, 4, 5])
seeds = st.integers(min_value=0, max_value=2**32 - 1)


def values_of(order, seed, share=0.4):
    """Return values drawn without regard to the rules."""
    rng = np.random.default_rng(seed)
    return rng.integers(1, order**2 + 1, order**4) * (rng.random(order**4) < share)


def solved_grid(order):
    n = order
    return np.array(
        [[(n * (r % n) + r // n + c) % n**2 + 1 for c in range(n**2)] for r in range(n**2)]
    )


# Text and values


@given(orders, seeds)
@settings(max_examples=50, deadline=None)
def test_forms_round_trip(order, seed):
    values = values_of(order, seed)
    puzzle = Sudoku.from_values(values)
    assert np.array_equal(puzzle.givens, values)
    assert puzzle.givens.dtype == np.int8
    assert puzzle.order == order
    assert puzzle.shape == (order**2, order**2)
    assert puzzle.n_givens == np.count_nonzero(values)
    blank_as_minus_one = np.where(values, values, -1)
    for again in (
        Sudoku(puzzle.text),
        Sudoku(puzzle.text.lower()),
        Sudoku.parse(puzzle.grid()),
        Sudoku.parse(" ".join(map(str, values))),
        Sudoku.parse(" ".join(map(str, blank_as_minus_one))),
        Sudoku.from_values(blank_as_minus_one.reshape(puzzle.shape)),
        pickle.loads(pickle.dumps(puzzle)),
    ):
        assert again == puzzle
        assert hash(again) == hash(puzzle)


def test_caller_keeps_the_array():
    values = np.zeros(81, dtype=np.int8)
    puzzle = Sudoku.from_values(values)
    values[0] = 5
    assert puzzle.givens[0] == 0


@pytest.mark.parametrize(
    ("text", "kinds", "parts"),
    [
        ("", {FaultKind.WRONG_LENGTH}, ["0 symbols"]),
        ("." * 80, {FaultKind.WRONG_LENGTH}, ["80 symbols", "81 (9x9)", "625 (25x25)"]),
        ("." * 80 + "x", {FaultKind.FOREIGN_SYMBOL}, ["'x' at position 81", "1 to 9"]),
        ("." * 255 + "H", {FaultKind.FOREIGN_SYMBOL}, ["'H' at position 256", "1 to G"]),
        ("." * 624 + "Q", {FaultKind.FOREIGN_SYMBOL}, ["'Q' at position 625", "1 to P"]),
        ("x" * 81, {FaultKind.FOREIGN_SYMBOL}, ["and 76 more"]),
        ("\u00b2" * 81, {FaultKind.FOREIGN_SYMBOL}, ["'\u00b2' at position 1"]),
        ("x" * 10_000_000, {FaultKind.WRONG_LENGTH, FaultKind.FOREIGN_SYMBOL}, ["10,000,000"]),
    ],
)
def test_bad_text_is_named(text, kinds, parts):
    for read in (Sudoku, Sudoku.parse):
        with pytest.raises(PuzzleError) as caught:
            read(text)
        assert caught.value.status.kinds == kinds
        assert all(part in str(caught.value) for part in parts)
        assert len(str(caught.value)) < 500
        again = pickle.loads(pickle.dumps(caught.value))
        assert again.status == caught.value.status


@pytest.mark.parametrize("value", ["10", "99", "-2", "--", "9" * 30, "1" * 5000])
def test_bad_integers_are_puzzle_errors(value):
    with pytest.raises(PuzzleError):
        Sudoku.parse(" ".join([value] + ["0"] * 80))


def test_bad_values_are_named():
    with pytest.raises(PuzzleError, match="10 at position 2; wanted 1 to 9"):
        Sudoku.from_values([0, 10] + [0] * 79)
    with pytest.raises(PuzzleError, match="80 symbols"):
        Sudoku.from_values([0] * 80)
    with pytest.raises(TypeError, match="integers, got float64"):
        Sudoku.from_values(np.zeros(81))


# Validity


def test_conflicts_are_named_with_cells_and_houses():
    status = Sudoku("11" + "." * 79).status()
    assert str(status) == "conflicting givens: 1 at r1c1 and r1c2 (row 1, box 1)"
    assert status.faults[0].cells == (0, 1)
    assert Sudoku("." * 81).status().valid
    status = Sudoku("1.......11" + "." * 71).status()
    assert [fault.cells for fault in status.faults] == [(0, 8), (0, 9)]


@given(orders, seeds, st.sampled_from([0.03, 0.1, 0.4]))
@settings(max_examples=50, deadline=None)
def test_status_against_pairs_of_cells(order, seed, share):
    puzzle = Sudoku.from_values(values_of(order, seed, share))
    grid = puzzle.givens.reshape(puzzle.shape).tolist()
    size = order**2
    named = set()
    for fault in puzzle.status().faults:
        assert fault.kind is FaultKind.CONFLICTING_GIVENS
        named |= {(a, b) for a in fault.cells for b in fault.cells if a < b}
    # Cells are reported as one conflict only if every two of them conflict.
    given = [(r, c) for r, c in product(range(size), repeat=2) if grid[r][c]]
    conflicting = {
        (r * size + c, x * size + y)
        for (r, c), (x, y) in combinations(given, 2)
        if grid[r][c] == grid[x][y]
        and (r == x or c == y or (r // order, c // order) == (x // order, y // order))
    }
    assert named == conflicting


def test_is_solution():
    solution = Sudoku(SOLUTION).givens
    assert PUZZLE.is_solution(solution)
    assert not PUZZLE.is_solution(PUZZLE.givens)
    assert not PUZZLE.is_solution(solution[:80])
    assert not Sudoku("1" + "." * 80).is_solution(solution)
    swapped = solution.copy()
    swapped[[2, 3]] = swapped[[3, 2]]
    assert not PUZZLE.is_solution(swapped)
    for order in (3, 4, 5):
        assert Sudoku("." * order**4).is_solution(solved_grid(order).ravel())


# Layout


@pytest.mark.parametrize("order", [3, 4, 5])
def test_layout_against_the_definition(order):
    layout = sudoku_layout(order)
    size = order**2
    cells = [(r, c) for r in range(size) for c in range(size)]
    assert (layout.order, layout.size, layout.n_cells) == (order, size, size**2)
    for index, (r, c) in enumerate(cells):
        box = r // order * order + c // order
        assert layout.house_of[index].tolist() == [r, size + c, 2 * size + box]
        peers = [
            i
            for i, (x, y) in enumerate(cells)
            if i != index and (x == r or y == c or x // order * order + y // order == box)
        ]
        assert layout.peers[index].tolist() == peers
    for house in range(3 * size):
        wanted = [i for i in range(size**2) if house in layout.house_of[i]]
        assert layout.houses[house].tolist() == wanted
    assert not any(array.flags.writeable for array in layout[3:])
    assert sudoku_layout(order) is layout


@pytest.mark.parametrize("order", [2, 6, "3", None])
def test_layout_of_another_order(order):
    with pytest.raises(ValueError, match="order must be 3, 4 or 5, got"):
        sudoku_layout(order)


# Symmetries and canonical form


@given(orders, seeds)
@settings(max_examples=30, deadline=None)
def test_shuffled_is_equivalent(order, seed):
    rng = np.random.default_rng(seed)
    puzzle = Sudoku.from_values(solved_grid(order).ravel() * (rng.random(order**4) < 0.4))
    other = puzzle.shuffled(rng)
    assert other.status().valid
    assert other.n_givens == puzzle.n_givens
    counts = [np.sort(np.bincount(p.givens, minlength=order**2 + 1)[1:]) for p in (puzzle, other)]
    assert np.array_equal(*counts)
    assert other.equivalence_key() == puzzle.equivalence_key()
    assert other.equivalence_hash() == puzzle.equivalence_hash()
    assert Sudoku(LINE).shuffled(np.random.default_rng(seed)) == PUZZLE.shuffled(
        np.random.default_rng(seed)
    )


def test_shuffled_reaches_both_transpositions_and_every_symbol():
    """Two givens of one row can end up in one row or in one column."""
    puzzle = Sudoku("1...2" + "." * 76)
    seen = {
        (cells[0] // 9 == cells[1] // 9, tuple(p.givens[cells]))
        for p in (puzzle.shuffled(np.random.default_rng(i)) for i in range(400))
        for cells in [np.flatnonzero(p.givens)]
    }
    assert {same_row for same_row, _ in seen} == {True, False}
    assert {value for _, values in seen for value in values} == set(range(1, 10))


@given(orders, seeds)
@settings(max_examples=30, deadline=None)
def test_key_distinguishes_puzzles(order, seed):
    """A puzzle with one given less has another key."""
    rng = np.random.default_rng(seed)
    values = solved_grid(order).ravel() * (rng.random(order**4) < 0.4)
    less = values.copy()
    less[rng.choice(np.flatnonzero(values))] = 0
    more, fewer = Sudoku.from_values(values), Sudoku.from_values(less)
    assert more.equivalence_key() != fewer.equivalence_key()
    assert more.equivalence_hash() != fewer.equivalence_hash()


def test_colours_without_compiling():
    assert colour_sum.py_func(PUZZLE.givens, PUZZLE.layout) == PUZZLE.equivalence_hash()


def relabelled(grids):
    """Number digits by their first appearance along each line of shape (n, length)."""
    rows = np.arange(len(grids))
    label = np.zeros((len(grids), 10), dtype=np.int8)
    count = np.zeros(len(grids), dtype=np.int8)
    out = np.empty_like(grids)
    for i, column in enumerate(grids.T):
        new = (column > 0) & (label[rows, column] == 0)
        count[new] += 1
        label[rows[new], column[new]] = count[new]
        out[:, i] = label[rows, column]
    return out


def least_equivalent(values):
    """Find the minlex form by definition: try every symmetry with the least first row."""
    orders = np.array(
        [
            [3 * band + line for band in bands for line in inner[band]]
            for bands in permutations(range(3))
            for inner in product(permutations(range(3)), repeat=3)
        ]
    )
    grid = values.reshape(9, 9)
    first = [
        (grid_, top, columns, tuple(row))
        for grid_ in (grid, grid.T)
        for top in range(9)
        for columns, row in zip(orders, relabelled(grid_[top][orders]), strict=True)
    ]
    least = min(row for *_, row in first)
    best = None
    for grid_, top, columns, row in first:
        if row == least:
            lines = grid_[orders[orders[:, 0] == top]][:, :, columns].reshape(-1, 81)
            best = min(best or (9,) * 81, *map(tuple, relabelled(lines).tolist()))
    return best


@pytest.mark.parametrize(
    "line",
    [
        pytest.param(LINE, marks=pytest.mark.thorough),
        pytest.param(
            "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9",
            marks=pytest.mark.thorough,
        ),
        "1.......2.9.4...5...6...7...5.9.3.......7.......85..4.7.....6...3...9.8...2.....1",
        pytest.param(
            "".join("." if i % 4 == 0 else symbol for i, symbol in enumerate(SOLUTION)),
            marks=pytest.mark.thorough,
        ),
    ],
)
def test_minlex_is_the_least_equivalent(line):
    values = Sudoku(line).givens
    assert tuple(minlex(values).tolist()) == least_equivalent(values)
    assert minlex(values).dtype == np.int8


def test_minlex_without_compiling():
    compiled, plain = compiled_and_plain(lambda: minlex(PUZZLE.givens), minlex_module)
    assert np.array_equal(compiled, plain)


def test_symbols():
    assert SYMBOLS == ".123456789ABCDEFGHIJKLMNOP"
    assert "\n".join(PUZZLE.grid().splitlines()[2:5]) == (
        ". 9 8 | . . . | . 6 .\n------+-------+------\n8 . . | . 6 . | . . 3"
    )
