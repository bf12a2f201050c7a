"""Geometric particle swarm: grids move towards better ones by crossing over.

A particle is a full grid in which every row holds each value once. There is no velocity. In each
iteration the particle becomes a mixture of itself, its own best grid so far and the best grid so
far of its neighbours, cycle by cycle of each row, and is then moved by swaps within rows. Its cost
is the number of values that columns and boxes lack.

Source: Moraglio and Togelius 2007, "Geometric particle swarm optimization for the Sudoku
puzzle"; described in Krivanek 2011.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

import numpy as np

from nando.kernels.arrays import copy_values
from nando.kernels.compile import kernel, lean_kernel
from nando.puzzles import Sudoku
from nando.records import below_one, between, setting
from nando.solvers.repeated import STEPS
from nando.solvers.search.row_grids import (
    Swarm,
    SwarmSearch,
    cross_rows,
    lacking_of,
    least_cost,
    note_best,
    swap_blanks,
)


@dataclass(frozen=True)
class ParticleSwarm(SwarmSearch):
    """Geometric particle swarm with rows as permutations.

    Parameters
    ----------
    particles : int
        Grids in the swarm, at least 2.
    inertia, memory, sociality : float
        Weights of a particle itself, of its own best grid, and of the best grid of its neighbours;
        at least 0. Only their proportion counts.
    reach : int or None
        Number of neighbours on each side of a particle in a ring; None for the whole swarm.
    mutation : float
        Chance of swapping two cells of a row that are not given; after each swap, the chance of
        another one.
    iterations : int
        Most iterations of a run.

    Notes
    -----
    Steps are iterations, in which every particle moves once. The trace has a row (rule SWAP,
    cell -1) for the start and for each iteration that lowered the least cost, which is its
    `cost`.

    The thesis gives about 100 particles, rows as permutations, and a swap as mutation after a
    crossover. The weights, the chance of a mutation, the neighbours, and cycle crossover as the
    way to mix grids are nando's choices.

    Examples
    --------
    >>> from nando.puzzles import Sudoku
    >>> puzzle = Sudoku(
    ...     ".71.39...46..75.1.83..6.7.2.42....586.....97..1.5....4.....846979.342...5....13.."
    ... )
    >>> ParticleSwarm().run(puzzle, rng=1).outcome.value
    'solved'
    """

    name: ClassVar[str] = "particle_swarm"
    size: ClassVar[str] = "particles"
    particles: int = setting(100, between(2))
    inertia: float = setting(0.0, between(0))
    memory: float = setting(0.9, between(0))
    sociality: float = setting(0.1, between(0))
    reach: int | None = setting(1, between(1))
    mutation: float = setting(0.6, below_one)
    iterations: int = setting(2_000, between(1))

    def check(self) -> None:
        """Reject weights that are all 0."""
        if not self.inertia + self.memory + self.sociality > 0.0:
            raise ValueError("inertia, memory or sociality must be above 0, got 0 for all")

    def _mover(
        self, puzzle: Sudoku, swarm: Swarm, rng: np.random.Generator
    ) -> Callable[[int], object]:
        positions = swarm.values.copy()
        return partial(_move_all, swarm, positions, puzzle.layout, self._settings(), rng)

    def _settings(self) -> tuple[float, float, int, float]:
        """Return the shares of memory and of the neighbours' best, the reach, and the mutation."""
        own = self.inertia + self.memory
        most = self.particles // 2
        return (
            float(self.memory / own) if own > 0.0 else 0.0,
            float(self.sociality / (own + self.sociality)),
            most if self.reach is None else min(self.reach, most),
            float(self.mutation),
        )


@kernel
def _move_all(swarm, positions, layout, settings, rng, pause):
    """Move the particles until `pause` iterations or cost 0.

    `positions`, shape (particles, n_cells), holds the present grids; `swarm` holds the best grid so
    far of each particle.
    """
    memory_share, social_share, reach, mutation = settings
    n = swarm.costs.shape[0]
    step = swarm.progress[STEPS]
    while step < pause and least_cost(swarm) > 0:
        step += 1
        for i in range(n):
            leader = _leader(swarm.costs, i, reach)
            values = positions[i]
            cross_rows(values, swarm.values[i], layout, memory_share, rng)
            cross_rows(values, swarm.values[leader], layout, social_share, rng)
            while swarm.blanks.shape[0] > 0 and rng.random() < mutation:
                swap_blanks(values, swarm.blanks, swarm.givens, layout.size, rng)
            cost = lacking_of(values, layout)
            if cost <= swarm.costs[i]:
                swarm.costs[i] = cost
                copy_values(swarm.values[i], values)
        note_best(swarm, step, swarm.costs.min())
    swarm.progress[STEPS] = step


@lean_kernel
def _leader(best_costs, i, reach):
    """Find the particle with the least cost, the nearest of equals, within `reach` on each side."""
    n = best_costs.shape[0]
    leader = i
    for distance in range(1, reach + 1):
        for other in ((i + distance) % n, (i - distance) % n):
            if best_costs[other] < best_costs[leader]:
                leader = other
    return leader
