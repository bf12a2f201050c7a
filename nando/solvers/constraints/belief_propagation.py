"""Loopy belief propagation: messages between cells and houses about the likely values.

The graph has a vertex for each cell and one for each house, 81 and 27 at order 3. The cells of
a house hold every value once: from the beliefs of its cells a house computes, exactly, its message
to each of them (sum-product over all permutations). A cell multiplies the messages of its three
houses, and sends each the product of the other two. The graph has many short cycles, so the beliefs
are biased, and may converge to something that is not a solution.

Source: Moon and Gunther 2006, "Multiple constraint satisfaction by belief propagation: an example
using Sudoku"; described in Krivanek 2011.
"""

from dataclasses import dataclass
from typing import ClassVar, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.kernels.compile import copy_rows, kernel, lean_kernel, lowest_bit, n_bits
from nando.puzzles import Puzzle, Sudoku, Values
from nando.records import below_one, between, setting
from nando.solvers.protocol import (
    BoundedSearch,
    Budget,
    Limit,
    Outcome,
    Rule,
    Seed,
    SolveRun,
    run_often,
    solved_share,
    trace_of,
)

MOST_OPEN = 16
"""Most empty cells of a house: a message takes time and memory in 2 to their power."""

_LEAST = 1e-18
"""Least belief in a possible value. It keeps products over a house above 0, so that a belief of 0
proves that the value is impossible."""

_GOING_ON, _SOLVED, _SETTLED, _BROKEN = 0, 1, 2, 3


@dataclass(frozen=True)
class BeliefProfile:
    """Means over runs of :class:`BeliefPropagation` on a puzzle.

    Attributes
    ----------
    solved_share : float
        Share of runs whose likeliest values became the solution.
    iterations : float
        Iterations of a run.
    entropy : float
        Entropy of the beliefs at the end, summed over cells, in bits.
    entropy_sum : float
        The same, summed over the iterations.
    """

    solved_share: float
    iterations: float
    entropy: float
    entropy_sum: float


@dataclass(frozen=True)
class BeliefPropagation(BoundedSearch):
    """Loopy belief propagation, sum-product.

    Parameters
    ----------
    damping : float
        Weight of the old message of a house against the new one, at least 0 and below 1.
    schedule : {"parallel", "random"}
        "parallel" lets all houses send at once, so that every run is the same. "random" lets them
        send one after another, in a new random order in each iteration; each house uses the
        messages sent before its own.
    tolerance : float
        The messages have converged once none of their values changes by more than this, before
        damping.
    iterations : int
        Most iterations of a run.

    Notes
    -----
    Steps are iterations, in each of which every house sends once. The trace has a row (rule
    MESSAGES, cell -1) for each: `cost` is the entropy of the beliefs, summed over cells, in
    bits, and `options` the number of cells that share their likeliest value with a peer. The run
    is solved once there are no such cells, and stuck if the beliefs converge before that. It is
    exhausted if the beliefs show that there is no solution; this last iteration is not counted.

    The thesis gives no parameters. The defaults are nando's choice and change little: with
    damping from 0 to 0.5, 39 of the 46 puzzles of Mantere and Koljonen are solved. Messages are
    probabilities that add up to 1. A value that no permutation allows in a cell is ruled out at
    once, whatever the damping. The belief in any other value stays at or above 1e-18, so that a
    belief which became certain too soon can be revised. Given cells and their values take no
    part. Houses with more than 16 empty cells are rejected, because the time of an exact message
    grows as 2 to the power of the empty cells.

    Examples
    --------
    >>> from nando.puzzles import Sudoku
    >>> puzzle = Sudoku(
    ...     "...4..7.2.64....5.1....7..921...8..3....5....8..1...759..7....8.8....92.5.7..2..."
    ... )
    >>> BeliefPropagation().run(puzzle).outcome.value
    'solved'
    """

    name: ClassVar[str] = "belief_propagation"
    damping: float = setting(0.2, below_one)
    schedule: Literal["parallel", "random"] = "parallel"
    tolerance: float = setting(1e-6, between(0))
    iterations: int = setting(200, between(1))

    def profile(
        self, puzzle: Puzzle, *, runs: int = 1, rng: Seed = None, limit: Limit | None = None
    ) -> BeliefProfile:
        """Run `runs` times; one run is enough unless the schedule is random.

        Raises
        ------
        ValueError
            If `runs` is below 1, and as for :meth:`run`.
        """
        done = run_often(self, puzzle, runs, limit, rng)
        return BeliefProfile(
            solved_share=solved_share(done),
            iterations=float(np.mean([run.steps for run in done])),
            entropy=float(np.mean([run.trace["cost"][-1:].sum() for run in done])),
            entropy_sum=float(np.mean([run.trace["cost"].sum() for run in done])),
        )

    def _run(self, puzzle: Sudoku, budget: Budget, rng: np.random.Generator) -> SolveRun:
        layout = puzzle.layout
        messages = _first_messages(puzzle)
        if messages is None:
            return SolveRun(Outcome.EXHAUSTED, 0, None)
        most = budget.most
        trace = trace_of(Rule.MESSAGES, most, step=np.arange(1, most + 1), cell=-1)
        steps, late = 0, False
        code = _GOING_ON if (puzzle.givens == 0).any() else _SOLVED
        while steps < most and code == _GOING_ON and not late:
            settings = (self.damping, float(self.tolerance), self.schedule == "parallel")
            code = _pass_messages(messages, layout, settings, trace[steps : steps + 1], rng)
            steps += code != _BROKEN
            late = budget.late
        if code in (_SETTLED, _BROKEN):
            outcome = Outcome.STUCK if code == _SETTLED else Outcome.EXHAUSTED
            return SolveRun(outcome, steps, None, trace[:steps])
        return budget.ended(steps, messages.values if code == _SOLVED else None, trace[:steps])


class _Messages(NamedTuple):
    """The messages; all arrays but `n_open`, `opened` and `prior` are changed in place."""

    n_open: NDArray[np.int64]
    """Number of empty cells of each house."""
    opened: NDArray[np.int16]
    """Empty cells of each house, then zeros, shape (3 * size, size)."""
    lacking: NDArray[np.int16]
    """Values (from 0) that each house lacks, then zeros, in the same shape."""
    prior: NDArray[np.float64]
    """1 where a value is a candidate, else 0, shape (n_cells, size)."""
    received: NDArray[np.float64]
    """Messages to each cell from its row, column and box, shape (n_cells, 3, size)."""
    heard: NDArray[np.float64]
    """The messages received in the last iteration, to which the cells respond."""
    values: Values
    """Likeliest value of each cell."""


def _first_messages(puzzle: Sudoku) -> _Messages | None:
    """Return the uniform messages; None if a cell or house cannot be filled."""
    layout, givens = puzzle.layout, puzzle.givens
    size, n_cells = layout.size, layout.n_cells
    blank = givens == 0
    n_open = blank[layout.houses].sum(axis=1)
    if n_open.max() > MOST_OPEN:
        raise ValueError(
            f"belief_propagation needs houses with at most {MOST_OPEN} empty cells, "
            f"got one with {n_open.max()}"
        )
    opened = np.zeros((3 * size, size), np.int16)
    lacking = np.zeros((3 * size, size), np.int16)
    prior = np.ones((n_cells, size))
    for house, cells in enumerate(layout.houses):
        given = givens[cells][givens[cells] > 0].astype(int) - 1
        lacks = np.setdiff1d(np.arange(size), given)
        if len(lacks) != n_open[house]:  # a value is given twice
            return None
        opened[house, : len(lacks)] = cells[blank[cells]]
        lacking[house, : len(lacks)] = lacks
        prior[np.ix_(cells, given)] = 0.0
    if not prior[blank].any(axis=1).all():
        return None
    # A given cell is certain of its value.
    prior[~blank] = np.arange(1, size + 1) == givens[~blank, None]
    received = np.zeros((n_cells, 3, size))
    for house, count in enumerate(n_open.tolist()):
        cells = opened[house, :count, None]
        received[cells, house // size, lacking[house, :count]] = 1.0 / max(count, 1)
    for kind in range(3):
        received[~blank, kind] = prior[~blank]
    return _Messages(n_open, opened, lacking, prior, received, received.copy(), givens.copy())


@kernel
def _pass_messages(messages, layout, settings, row, rng):
    """Let every house send once; return a code and write a row of the trace."""
    damping, tolerance, parallel = settings
    n_houses = messages.n_open.shape[0]
    order = np.arange(n_houses)
    heard = messages.received
    if parallel:
        heard = messages.heard
        for cell in range(heard.shape[0]):
            copy_rows(heard[cell], messages.received[cell])
    else:
        for i in range(n_houses):
            j = int(rng.random() * (i + 1))
            order[i] = order[j]
            order[j] = i
    widest = messages.n_open.max()
    incoming = np.empty((widest, widest))
    outgoing = np.empty((widest, widest))
    before = np.empty(1 << widest)
    after = np.empty(1 << widest)
    moved = 0.0
    for i in range(n_houses):
        house = order[i]
        n = messages.n_open[house]
        kind = house // layout.size
        if not _listen(messages, heard, house, kind, incoming[:n, :n]):
            return _BROKEN
        _sum_product(incoming[:n, :n], outgoing[:n, :n], before, after)
        for k in range(n):
            total = outgoing[k, :n].sum()
            if not total > 0.0:
                return _BROKEN
            received = messages.received[messages.opened[house, k], kind]
            for v in range(n):
                value = messages.lacking[house, v]
                new = outgoing[k, v] / total
                moved = max(moved, abs(new - received[value]))
                if new > 0.0:
                    new = max((1.0 - damping) * new + damping * received[value], _LEAST)
                received[value] = new
    clashes, entropy = _believe(messages, layout)
    row[0]["options"] = clashes
    row[0]["cost"] = entropy
    if clashes == 0:
        return _SOLVED
    return _SETTLED if moved <= tolerance else _GOING_ON


@lean_kernel
def _listen(messages, heard, house, kind, incoming):
    """Write the messages of its empty cells to a house; return False if a cell has no value."""
    n = incoming.shape[0]
    for k in range(n):
        cell = int(messages.opened[house, k])
        total = 0.0
        for v in range(n):
            value = messages.lacking[house, v]
            chance = messages.prior[cell, value]
            for other in range(3):
                if other != kind:
                    chance *= heard[cell, other, value]
            incoming[k, v] = chance
            total += chance
        if not total > 0.0:
            return False
        for v in range(n):
            if incoming[k, v] > 0.0:
                incoming[k, v] = max(incoming[k, v] / total, _LEAST)
    return True


@lean_kernel
def _sum_product(incoming, outgoing, before, after):
    """Write the sum over all permutations that give a value to a cell, for each cell and value.

    A permutation counts with the product of the other cells' beliefs. For each set of values,
    `before` holds the sum over the first cells and `after` the sum over the last cells; the two are
    combined around each cell.
    """
    n = incoming.shape[0]
    full = (1 << n) - 1
    before[0] = 1.0
    after[0] = 1.0
    for used in range(1, full + 1):
        count = n_bits(used)
        first = 0.0
        last = 0.0
        left = used
        while left:
            v = lowest_bit(left)
            rest = used & ~(1 << v)
            first += before[rest] * incoming[count - 1, v]
            last += after[rest] * incoming[n - count, v]
            left &= left - 1
        before[used] = first
        after[used] = last
    outgoing[:] = 0.0
    for used in range(full):
        k = n_bits(used)
        left = full & ~used
        while left:
            v = lowest_bit(left)
            outgoing[k, v] += before[used] * after[full & ~used & ~(1 << v)]
            left &= left - 1


@kernel
def _believe(messages, layout):
    """Set the likeliest values; return the number of conflicting cells and the entropy in bits."""
    entropy = 0.0
    chances = np.empty(layout.size)
    for cell in range(layout.n_cells):
        total = 0.0
        best = 0
        for value in range(layout.size):
            chance = messages.prior[cell, value]
            for kind in range(3):
                chance *= messages.received[cell, kind, value]
            chances[value] = chance
            total += chance
            if chance > chances[best]:
                best = value
        messages.values[cell] = best + 1
        for value in range(layout.size):
            if chances[value] > 0.0:
                share = chances[value] / total
                entropy -= share * np.log2(share)
    clashes = 0
    for cell in range(layout.n_cells):
        for i in range(layout.peers.shape[1]):
            if messages.values[layout.peers[cell, i]] == messages.values[cell]:
                clashes += 1
                break
    return clashes, entropy
