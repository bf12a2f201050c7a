"""Cuckoo search with geometric operators on the candidates that AC-3 leaves.

A nest is a filled grid in which every row holds each value once and every cell one of its
candidates. A new egg takes each cell from a nest or from the best nest, and is then moved by swaps
within rows: usually few, but sometimes many (a Levy flight). Its cost is the number of values that
columns and boxes lack. AC-3 filters the givens once, before the search.

Source: Soto et al. 2014, "A prefiltered cuckoo search algorithm with geometric operators for
solving Sudoku problems"; Yang and Deb 2009 for cuckoo search itself.
"""

from dataclasses import dataclass
from functools import partial
from typing import ClassVar, NamedTuple

import numpy as np

from nando.checks import positive
from nando.kernels.compile import copy_values, drawn_bit, kernel, lowest_bit, n_bits, stable_order
from nando.puzzles import Sudoku
from nando.records import between, setting
from nando.solvers.protocol import STEPS, Budget, IteratedSearch, Outcome, SolveRun
from nando.solvers.search import domain_filters, swarms

_CHUNK = 100
"""Generations between two checks of the clock."""


@dataclass(frozen=True)
class CuckooSearch(IteratedSearch):
    """Cuckoo search after one AC-3.

    Parameters
    ----------
    nests : int
        Number of grids, at least 2.
    abandoned_share : float
        Share of the nests that are rebuilt after each generation: the worst ones, never the best.
    best_share : float
        Chance that a part of a row comes from the best nest when an egg is laid.
    levy_exponent : float
        An egg is moved by k or more swaps with chance k ** -levy_exponent, up to the number of
        open cells.
    iterations : int
        Most generations of a run.

    Notes
    -----
    Steps are generations, in which every nest lays one egg; a puzzle that AC-3 solves takes 0.
    The trace has a row (rule SWAP, cell -1) for the start and for each generation that lowered
    the least cost, which is its `cost`.

    The paper gives only the plan: AC-3 as a preparation, not inside the search, and cuckoo search
    with geometric operators. Yang and Deb give the loop (eggs laid by Levy flights, a share of
    the worst nests abandoned, the best kept), the share of 0.25 and the exponent of 1.5. The rest
    is nando's choice: rows as permutations within the candidates; the cost; cycle crossover as the
    geometric operator, since it takes every cell from one of two nests; an egg that replaces its
    own nest unless it is worse; new nests as random matchings of cells and values in each row;
    and the other defaults. With a larger `best_share` all nests soon become alike. Do not expect
    the numbers of the paper.

    Examples
    --------
    >>> from nando.puzzles import Sudoku
    >>> puzzle = Sudoku(
    ...     "2.6....49.37..9...1..7....6...58.9..7.5...8.4..9.62...9....4..1...3..49.41....2.8"
    ... )
    >>> CuckooSearch().run(puzzle, rng=1).outcome.value
    'solved'
    """

    name: ClassVar[str] = "cuckoo"
    nests: int = setting(25, between(2))
    abandoned_share: float = setting(0.25, between(0, 1))
    best_share: float = setting(0.05, between(0, 1))
    levy_exponent: float = setting(1.5, positive)
    iterations: int = setting(10_000, between(1))

    def _run(self, puzzle: Sudoku, budget: Budget, rng: np.random.Generator) -> SolveRun:
        layout = puzzle.layout
        domains = domain_filters.given_domains(puzzle)
        if not domain_filters.propagate(domains, layout, domain_filters.STRENGTHS["ac3"]):
            return SolveRun(Outcome.EXHAUSTED, 0, None)
        if domain_filters.n_open(domains.candidates) == 0:
            return SolveRun(
                Outcome.SOLVED, 0, domain_filters.values_of(domains.candidates), n_solutions=1
            )
        nests = new_nests(puzzle, domains, self.nests)
        if not _build_all(nests, layout, rng):
            return SolveRun(Outcome.EXHAUSTED, 0, None)
        settings = (
            int(self.abandoned_share * self.nests),
            float(self.best_share),
            self.levy_exponent,
        )

        go_on = partial(_breed, nests, layout, settings, rng)
        return swarms.run_swarm(nests.swarm, budget, _CHUNK, go_on)


class Nests(NamedTuple):
    """The nests and the candidates of their cells."""

    swarm: swarms.Swarm
    """The filled grids. `blanks` holds the cells with several candidates; `child` is the egg."""
    domains: domain_filters.Domains
    """Filtered givens; only the scratch is changed."""


def new_nests(puzzle: Sudoku, domains: domain_filters.Domains, nests: int) -> Nests:
    """Return empty nests."""
    swarm = swarms.new_swarm(puzzle, nests)
    assert swarm is not None  # AC-3 refuses a value that is given twice in a house
    candidates = domains.candidates
    opened = np.flatnonzero(candidates & (candidates - 1)).astype(np.int16)
    return Nests(swarm._replace(blanks=opened), domains)


@kernel
def _build_all(nests, layout, rng):
    """Build every nest; return False if a row cannot be filled."""
    for nest in range(nests.swarm.costs.shape[0]):
        if not _build(nests, layout, nest, rng):
            return False
    swarms.note_best(nests.swarm, 0, nests.swarm.costs.min())
    return True


@kernel
def _build(nests, layout, nest, rng):
    """Fill each row by a random matching of its open cells and values."""
    candidates = nests.domains.candidates
    values = nests.swarm.values[nest]
    cells, held, holder, _, order = nests.domains.scratch
    for cell in range(layout.n_cells):
        values[cell] = 1 + lowest_bit(int(candidates[cell]))
    for row in range(layout.size):
        count, free = domain_filters.open_cells_of(nests.domains, layout, row, cells)
        holder[:] = -1
        for i in range(count):
            j = int(rng.random() * (i + 1))
            order[i] = order[j]
            order[j] = i
        for k in range(count):
            i = order[k]
            mask = int(candidates[cells[i]]) & free
            held[i] = -1
            if mask:
                held[i] = drawn_bit(mask, n_bits(mask), rng)
                holder[held[i]] = i
                free &= ~(1 << held[i])
        for i in range(count):
            if held[i] < 0 and not domain_filters.match(candidates, i, nests.domains.scratch):
                return False
        for i in range(count):
            values[cells[i]] = 1 + held[i]
    nests.swarm.costs[nest] = swarms.lacking_of(values, layout)
    return True


@kernel
def _breed(nests, layout, settings, rng, pause):
    """Go on until `pause` generations or cost 0."""
    n_abandoned, best_share, levy_exponent = settings
    swarm = nests.swarm
    n_nests = swarm.costs.shape[0]
    egg = swarm.child
    step = swarm.progress[STEPS]
    while step < pause and swarms.least_cost(swarm) > 0:
        step += 1
        best = int(np.argmin(swarm.costs))
        for nest in range(n_nests):
            copy_values(egg, swarm.values[nest])
            if nest != best:
                swarms.cross_rows(egg, swarm.values[best], layout, best_share, rng)
            _fly(nests, layout, levy_exponent, rng)
            cost = swarms.lacking_of(egg, layout)
            if cost <= swarm.costs[nest]:
                copy_values(swarm.values[nest], egg)
                swarm.costs[nest] = cost
        worst_last = stable_order(swarm.costs)
        swarms.note_best(swarm, step, swarm.costs[worst_last[0]])
        if swarm.costs[worst_last[0]] > 0:
            for k in range(max(n_nests - n_abandoned, 1), n_nests):
                _build(nests, layout, worst_last[k], rng)
    swarm.progress[STEPS] = step


@kernel
def _fly(nests, layout, levy_exponent, rng):
    """Move the egg by swaps within rows that keep to the candidates."""
    egg = nests.swarm.child
    candidates = nests.domains.candidates
    longest = float(nests.swarm.blanks.shape[0])
    chance = max(1.0 - rng.random(), longest**-levy_exponent)
    swaps = int(chance ** (-1.0 / levy_exponent))
    for _ in range(swaps):
        cell = int(nests.swarm.blanks[int(rng.random() * nests.swarm.blanks.shape[0])])
        old = int(egg[cell]) - 1
        others = int(candidates[cell]) & ~(1 << old)
        new = drawn_bit(others, n_bits(others), rng)
        other = cell // layout.size * layout.size
        while int(egg[other]) != new + 1:
            other += 1
        if int(candidates[other]) >> old & 1:
            egg[cell] = new + 1
            egg[other] = old + 1
