"""Uniformly random 9x9 grids: their distribution, where it is known."""

from itertools import permutations, product

import numpy as np
import pytest

from nando.generators import grids, random_grid
from nando.kernels.compile import kernel

N_GRIDS = 6_670_903_752_021_072_936_960
N_BANDS = 362_880 * 56 * 6**6


def fillings(band):
    """Count the bands of three rows whose columns have the same digits, except for their order."""
    first, *others = band.T.tolist()

    def count(columns, rows):
        if not columns:
            return 1
        return sum(
            count(columns[1:], [(*row, digit) for row, digit in zip(rows, digits, strict=True)])
            for digits in permutations(columns[0])
            if not any(digit in row for digit, row in zip(digits, rows, strict=True))
        )

    return 6 * count(others, [(digit,) for digit in first])


@pytest.mark.thorough
def test_no_grid_is_likelier_than_others():
    """Each grid weighs the inverse of the number of grids with its first band and column sets.

    So the weights of all grids add up to the number of first bands, times the ways to divide the
    other digits of each stack's columns between the other bands.
    """
    rng = np.random.default_rng(2)
    weights = []
    for _ in range(150):
        _, *bands = random_grid(3, rng).reshape(3, 3, 9)
        counts = [fillings(band) for band in bands]
        assert all(6 * 16 <= count <= 6 * 288 for count in counts)
        weights.append(1 / np.prod(counts))
    wanted = N_BANDS * 56**3 / N_GRIDS
    error = np.std(weights) / np.sqrt(len(weights))
    assert error < wanted / 12
    assert abs(np.mean(weights) - wanted) < 4 * error


@pytest.mark.thorough
def test_fillings_of_a_band_are_counted_and_chosen():
    digits, turns = np.zeros(27, np.int64), np.zeros(9, np.int64)
    for seed in range(4):
        drawn = random_grid(3, seed).reshape(3, 3, 9)[1] - 1
        sets = (1 << drawn.astype(int)).sum(axis=0)
        count = grids.filling_of(sets, digits, turns, -1)
        # Six orders of the rows for each.
        assert 6 * count == fillings(drawn)
        written = set()
        for chosen in range(count):
            band = np.full(27, -1, np.int8)
            grids.write_band(band, sets, grids.filling_of(sets, digits, turns, chosen), chosen % 6)
            table = band.reshape(3, 9)
            assert all(sorted(row) == [*range(9)] for row in table.tolist())
            assert np.array_equal((1 << table.astype(int)).sum(axis=0), sets)
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
            count = grids.filling_of(sets, digits, turns, -1)
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
    assert most.tolist() == [grids.MOST_WITHOUT_TRIPLE, grids.MOST_FILLINGS, 16]


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
