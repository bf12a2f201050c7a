"""A distribution over grids: draw grids from it, and learn from the better ones."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.kernels.compile import (
    copy_values,
    drawn_bit,
    inlined_kernel,
    kernel,
    lean_kernel,
    lowest_bit,
    n_bits,
    stable_order,
)
from nando.puzzles import Values
from nando.puzzles.sudoku.layout import SudokuLayout
from nando.solvers.search.swarms import lacking_from

GOING_ON, SOLVED, SETTLED, SPENT = range(4)
"""Results of `iterate`: it can continue, it drew a grid without missing symbols, every cell is sure
enough, or the budget of grids is spent."""

N_DRAWN, N_ITERATIONS, LEAST = range(3)
"""Indices of :attr:`Estimation.counts`."""


class Parameters(NamedTuple):
    """The parameters that kernels read."""

    alpha: float
    beta: float
    kept: int
    tournament: bool
    permutations: bool
    random_ties: bool


class Estimation(NamedTuple):
    """One estimation; all arrays are changed in place."""

    givens: Values
    chances: NDArray[np.float64]
    """Chance of each symbol in each cell, shape (n_cells, size)."""
    grids: NDArray[np.int8]
    costs: NDArray[np.int64]
    best: Values
    """Best grid of all iterations."""
    last: Values
    """Best grid of the last iteration."""
    counts: NDArray[np.int64]
    """Grids drawn (`N_DRAWN`); iterations (`N_ITERATIONS`); cost of the best grid (`LEAST`)."""


def start(layout: SudokuLayout, givens: Values, samples: int, precomputation: bool) -> Estimation:
    """Return an estimation with uniform chances.

    With `precomputation` the symbols that no given peer has share the chance; otherwise all do.
    """
    size, n_cells = layout.size, layout.n_cells
    possible = np.ones((n_cells, size + 1), np.bool_)
    if precomputation:
        possible[np.arange(n_cells)[:, None], givens[layout.peers]] = False
    given = np.flatnonzero(givens)
    possible[given] = False
    possible[given, givens[given]] = True
    chances = possible[:, 1:] / np.maximum(possible[:, 1:].sum(axis=1, keepdims=True), 1)
    return Estimation(
        givens.copy(),  # writable, because numba compiles again for a read-only array
        chances,
        np.zeros((samples, n_cells), np.int8),
        np.zeros(samples, np.int64),
        np.zeros(n_cells, np.int8),
        np.zeros(n_cells, np.int8),
        np.array([0, 0, 3 * size * size], np.int64),
    )


@kernel
def iterate(state, layout, settings, iterations, most, rng):
    """Draw, keep and learn, `iterations` times or until `most` grids were drawn in all."""
    grids = state.grids
    costs = state.costs
    counts = state.counts
    for _ in range(iterations):
        n = min(grids.shape[0], most - counts[N_DRAWN])
        for i in range(n):
            if settings.permutations:
                _draw_boxes(grids[i], state, layout, settings.random_ties, rng)
            else:
                _draw_cells(grids[i], state, layout, rng)
            costs[i] = lacking_from(grids[i], layout, 0)
        counts[N_DRAWN] += n
        counts[N_ITERATIONS] += 1
        first = int(np.argmin(costs[:n]))
        copy_values(state.last, grids[first])
        if costs[first] < counts[LEAST]:
            counts[LEAST] = costs[first]
            copy_values(state.best, grids[first])
        if counts[LEAST] == 0:
            return SOLVED
        if counts[N_DRAWN] == most:
            return SPENT
        if _learn(state, layout, settings) > settings.beta:
            return SETTLED
    return GOING_ON


@kernel
def _learn(state, layout, settings):
    """Move the chances towards the kept grids; return the best chance in the least certain cell."""
    chances = state.chances
    costs = state.costs
    kept = settings.kept
    group = costs.shape[0] // kept
    ranked = stable_order(costs)
    weight = (1.0 - settings.alpha) / kept
    chances *= settings.alpha
    for i in range(kept):
        chosen = int(ranked[i])
        if settings.tournament:
            chosen = i * group + int(np.argmin(costs[i * group : (i + 1) * group]))
        for cell in range(layout.n_cells):
            chances[cell, int(state.grids[chosen, cell]) - 1] += weight
    least = 1.0
    for cell in range(layout.n_cells):
        if state.givens[cell] == 0:
            least = min(least, chances[cell].max())
    return least


@lean_kernel
def _draw_cells(grid, state, layout, rng):
    """Draw every cell independently."""
    for cell in range(layout.n_cells):
        grid[cell] = state.givens[cell]
        if grid[cell] == 0:
            grid[cell] = 1 + _draw_symbol(state.chances, cell, (1 << layout.size) - 1, 1.0, rng)


@kernel
def _draw_boxes(grid, state, layout, random_ties, rng):
    """Draw every box as a permutation: the surest cell first, the rest at random."""
    size = layout.size
    chances = state.chances
    blanks = np.empty(size, np.int64)
    for box in range(2 * size, 3 * size):
        left = (1 << size) - 1
        n = 0
        for i in range(size):
            cell = int(layout.houses[box, i])
            given = int(state.givens[cell])
            grid[cell] = given
            if given:
                left &= ~(1 << (given - 1))
            else:
                blanks[n] = cell
                n += 1
        while n:
            chosen, surest, mass_there, equals = -1, 0.0, 0.0, 1
            for i in range(n):
                mass = 0.0
                top = 0.0
                mask = left
                while mask:
                    chance = chances[blanks[i], lowest_bit(mask)]
                    mask &= mask - 1
                    mass += chance
                    top = max(top, chance)
                if mass <= 0.0 or top / mass < surest:
                    continue
                if top / mass > surest:
                    equals = 1
                else:
                    equals += 1
                    if not random_ties or rng.random() * equals >= 1.0:
                        continue
                chosen, surest, mass_there = i, top / mass, mass
            if chosen < 0:
                break
            symbol = _draw_symbol(chances, blanks[chosen], left, mass_there, rng)
            grid[blanks[chosen]] = symbol + 1
            left &= ~(1 << symbol)
            n -= 1
            for i in range(chosen, n):
                blanks[i] = blanks[i + 1]
        for i in range(n):
            symbol = drawn_bit(left, n_bits(left), rng)
            grid[blanks[i]] = symbol + 1
            left &= ~(1 << symbol)


@inlined_kernel
def _draw_symbol(chances, cell, symbols, mass, rng):
    """Draw a symbol (0-based) of a mask by its chances, whose sum is `mass`."""
    left = rng.random() * mass
    symbol = 0
    while symbols and left >= 0.0:
        candidate = lowest_bit(symbols)
        symbols &= symbols - 1
        chance = chances[cell, candidate]
        if chance > 0.0:  # so that rounding never draws an impossible symbol
            symbol = candidate
            left -= chance
    return symbol
