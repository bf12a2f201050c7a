"""Uniformly random 9x9 grids: the steps of the draw, and the distribution."""

from itertools import permutations, product

import numpy as np
import pytest

from nando.generators import grids, random_grid
from nando.kernels.compile import kernel
from nando.kernels.streams import spawned_streams

N_GRIDS = 6_670_903_752_021_072_936_960
N_BANDS = 362_880 * 56 * 6**6


def fillings(sets):
    """Count the ways to put each column's three digits into rows without a repetition in a row."""
    rows_of = [{0: set(), 1: set(), 2: set()}]
    count = 0
    columns = [[digit for digit in range(9) if mask >> digit & 1] for mask in sets]

    def place(column, rows):
        nonlocal count
        if column == 9:
            count += 1
            return
        for digits in permutations(columns[column]):
            if all(digit not in row for digit, row in zip(digits, rows, strict=True)):
                place(column + 1, [row | {d} for row, d in zip(rows, digits, strict=True)])

    place(0, [set(rows_of[0][row]) for row in range(3)])
    return count


def proposal(stream, work):
    most = grids._draw_columns(work, 0, stream)
    return most, work[27:36].copy(), work[36:45].copy()


def test_column_sets_divide_the_digits():
    (stream,) = spawned_streams(0, range(1))
    work = grids.new_workspace()
    for _ in range(20):
        _, middle, bottom = proposal(stream, work)
        top = work[:27].reshape(3, 9)
        assert sorted(top.ravel().tolist()) == sorted([*range(9)] * 3)
        for column in range(9):
            above = sum(1 << digit for digit in top[:, column].tolist())
            assert above | middle[column] | bottom[column] == 511
            assert above + middle[column] + bottom[column] == 511
        for sets in (middle, bottom):
            assert sets.reshape(3, 3).sum(axis=1).tolist() == [511] * 3


@pytest.mark.thorough
def test_fillings_are_counted_and_chosen():
    (stream,) = spawned_streams(1, range(1))
    work = grids.new_workspace()
    digits, turns = np.zeros(27, np.int64), np.zeros(9, np.int64)
    for _ in range(4):
        _, sets, _ = proposal(stream, work)
        count = grids._filling(sets, digits, turns, -1)
        # Six orders of the rows for each.
        assert 6 * count == fillings(sets.tolist())
        written = set()
        for chosen in range(count):
            filling = grids._filling(sets, digits, turns, chosen)
            assert grids._filling.py_func(sets, digits, turns, chosen) == filling
            band = np.full(27, -1, np.int8)
            grids._write_band(band, sets, filling, chosen % 6)
            table = band.reshape(3, 9)
            assert all(sorted(row) == [*range(9)] for row in table.tolist())
            assert [sum(1 << d for d in column) for column in table.T.tolist()] == sets.tolist()
            # No set of rows appears twice.
            written.add(frozenset(map(tuple, table.tolist())))
        assert len(written) == count


@kernel
def most_fillings(partitions, digits, turns, sets, most):
    """Find the most fillings with and without a set shared by all stacks, over all column sets."""
    for i in range(partitions.shape[0]):
        for j in range(partitions.shape[0]):
            shared = 0
            for a in range(3):
                sets[a] = 0b111 << 3 * a
                sets[3 + a] = partitions[i, a]
                sets[6 + a] = partitions[j, a]
            for a in range(3):
                for b in range(3):
                    for c in range(3):
                        shared |= sets[a] == sets[3 + b] and sets[a] == sets[6 + c]
            count = grids._filling(sets, digits, turns, -1)
            most[shared] = max(most[shared], count)
            most[2] = min(most[2], count)


@pytest.mark.thorough
def test_bounds_of_the_number_of_fillings():
    """The bounds hold over all column sets, up to digit names and column order in a stack."""
    masks = [mask for mask in range(512) if mask.bit_count() == 3]
    partitions = np.array(
        [(a, b, 511 ^ a ^ b) for a, b in product(masks, masks) if a < b < 511 ^ a ^ b and not a & b]
    )
    assert len(partitions) == 280
    most = np.array([0, 0, 999])
    most_fillings(partitions, *(np.zeros(n, np.int64) for n in (27, 9, 9)), most)
    assert most.tolist() == [grids._MOST_WITHOUT_TRIPLE, grids._MOST, 16]


def test_sets_shared_by_all_stacks():
    first, other = [0o7, 0o70, 0o700], [0o16, 0o61, 0o700]
    for sets, shared in (
        ([*first, *first[::-1], *first], 3),
        ([*first, *other, *first], 1),
        ([*first, *other, 0o13, 0o64, 0o700], 1),
        ([*other, *other, 0o13, 0o70, 0o704], 0),
    ):
        assert grids._n_shared(np.array(sets), 2) == shared
        assert grids._n_shared.py_func(np.array(sets), 2) == shared


def test_proposals_estimate_the_number_of_grids():
    """Top bands times column splits times mean fillings of the others estimate the total."""
    (stream,) = spawned_streams(2, range(1))
    work = grids.new_workspace()
    digits, turns = np.zeros(27, np.int64), np.zeros(9, np.int64)
    products = []
    for _ in range(20_000):
        _, middle, bottom = proposal(stream, work)
        m, b = (grids._filling(sets, digits, turns, -1) for sets in (middle, bottom))
        products.append(36 * m * b)
    wanted = N_GRIDS / (N_BANDS * 56**3)
    assert abs(np.mean(products) - wanted) < 4 * np.std(products) / np.sqrt(len(products))


def cycles(grid):
    """Return the number of cycles that two rows of a band form, for all 9 pairs of rows."""
    found = []
    for first, second in (
        (3 * b + i, 3 * b + j) for b in range(3) for i, j in ((0, 1), (0, 2), (1, 2))
    ):
        to = {int(a): int(b) for a, b in zip(grid[first], grid[second], strict=True)}
        left, n = set(to), 0
        while left:
            digit, n = left.pop(), n + 1
            while (digit := to[digit]) in left:
                left.discard(digit)
        found.append(n)
    return found


def test_rows_and_columns_have_the_same_statistics():
    """Uniform grids look the same transposed, though rows and columns are drawn differently."""
    n = 3_000
    rng = np.random.default_rng(3)
    counts = np.zeros((2, n, 9))
    for i in range(n):
        grid = random_grid(3, rng).reshape(9, 9)
        counts[0, i], counts[1, i] = cycles(grid), cycles(grid.T)
    means = counts.reshape(2, n, 3, 3).mean(axis=3)  # of each band and stack
    centre = means.mean()
    error = means.std(axis=1) / np.sqrt(n)
    assert (abs(means.mean(axis=1) - centre) < 4 * error).all()


def test_grids_are_uniform_where_that_is_known():
    """In 2 of 56 bands, weighted by completions, the rows of one box stay together in the next."""
    rng = np.random.default_rng(1)
    n = 4_000
    together = 0
    for _ in range(n):
        band = random_grid(3, rng)[:27].reshape(3, 9)
        rows = [set(row[:3]) for row in band]
        together += all(set(row[3:6]) in rows for row in band)
    assert abs(together / n - 2 / 56) < 4 * np.sqrt(2 / 56 / n)


@pytest.mark.thorough
def test_grids_without_compiling():
    compiled, plain = (
        (np.zeros(81, np.int8), grids.new_workspace(), spawned_streams(3, range(1))[0])
        for _ in range(2)
    )
    grids.draw_uniform(*compiled)
    grids.draw_grids.py_func(*plain)
    assert np.array_equal(compiled[0], plain[0])
    assert np.array_equal(compiled[2], plain[2])


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["_draw_columns", "_fill_box", "_divide_columns", "_turn"])
def test_steps_without_compiling(name):
    """Compiled and plain kernels make every step alike from the same state."""
    function = getattr(grids, name)
    (stream,) = spawned_streams(4, range(1))
    work = grids.new_workspace()
    for needed in (0, 8_000, 80_000):
        _, sets, _ = proposal(stream, work)
        grids._filling(sets, work[45:72], work[72:81], -1)
        results = []
        for call in (function, function.py_func):
            own, drawn = work.copy(), stream.copy()
            top, both, digits = own[:27], own[27:45], own[45:72]
            rows = sum(
                i << 2 * int(d)
                for first in (0, 3, 6)
                for i, d in enumerate(digits[first : first + 3])
            )
            arguments = {
                "_draw_columns": (own, needed, drawn),
                "_fill_box": (top, 1 + needed % 2, 17, drawn),
                "_divide_columns": (both, top, 2, 23),
                "_turn": (digits, rows, own[72:]),
            }[name]
            results.append((call(*arguments), own.tolist(), drawn.tolist()))
        assert results[0] == results[1]
