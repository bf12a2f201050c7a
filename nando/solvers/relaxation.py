"""Constraint relaxation: solutions a puzzle gains when random edges of its graph are removed.

Two cells that must differ are joined by an edge; at order 3 there are 810. With k of them
removed at random the puzzle may have more solutions than its own, and cells that still have
one value in all of them are fixed. Hard puzzles gain more solutions and keep fewer cells fixed.
With edges gone a house need not hold every value, so only inequality is propagated.

Source: Krivanek 2011; Pelanek 2014 (fixedness). The thesis counts 864 constraints, which no
way of counting gives; 810 is used.
"""

from dataclasses import dataclass
from functools import cache, singledispatchmethod
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from nando.puzzles import Puzzle, Sudoku
from nando.puzzles._bits import n_bits
from nando.puzzles._kernel import kernel
from nando.puzzles._sudoku_layout import sudoku_layout
from nando.solvers._base import Limit, Outcome, Seed, SolveRun, generator, unsupported
from nando.solvers.exact import unique_solution


@dataclass(frozen=True)
class RelaxationProfile:
    """What the samples of :class:`Relaxation` say about a puzzle.

    Attributes
    ----------
    extra_solutions : float
        Mean number of solutions besides the puzzle's own; capped samples count with the cap.
    unique_share : float
        Share of samples that keep one solution.
    fixed_blanks : float
        Mean number of blanks with one value in all solutions found.
    capped_share : float
        Share of samples in which counting stopped at the cap.
    fixedness : ndarray of float64, shape (n_cells,)
        Share of samples in which the cell is fixed; 1 for givens.
    """

    extra_solutions: float
    unique_share: float
    fixed_blanks: float
    capped_share: float
    fixedness: NDArray[np.float64]


@dataclass(frozen=True)
class Relaxation:
    """Constraint relaxation.

    Parameters
    ----------
    removed_edges : int
        Edges removed from the graph, drawn without replacement; edges to givens count.
    cap : int
        Solutions at which counting stops.

    Notes
    -----
    A run is one sample: ``run.n_solutions`` counts all solutions up to the cap, steps are the
    branches of the count, and the trace is empty.
    """

    name: ClassVar[str] = "relaxation"
    removed_edges: int = 45
    cap: int = 1_000

    def __post_init__(self) -> None:
        if self.removed_edges < 0:
            raise ValueError(f"removed_edges must be at least 0, got {self.removed_edges!r}")
        if self.cap < 2:
            raise ValueError(f"cap must be at least 2, got {self.cap!r}")

    def run(self, puzzle: Puzzle, *, limit: Limit | None = None, rng: Seed = None) -> SolveRun:
        """One sample; ``limit.steps`` bounds the branches.

        Raises
        ------
        PuzzleError
            Where the puzzle has not exactly one solution.
        ValueError
            Where more edges should go than there are.
        """
        solution, counts, _ = self._sample(puzzle, 1, generator(rng), limit or Limit())
        found, steps, ended = counts[0].tolist()
        if found >= self.cap:
            outcome = Outcome.SOLVED
        else:
            outcome = Outcome.EXHAUSTED if ended else Outcome.STEP_LIMIT
        return SolveRun(outcome, steps, solution, n_solutions=found)

    def profile(
        self, puzzle: Puzzle, *, runs: int = 100, rng: Seed = None, limit: Limit | None = None
    ) -> RelaxationProfile:
        """Means over `runs` samples; a limit holds for each.

        Raises
        ------
        PuzzleError
            Where the puzzle has not exactly one solution.
        ValueError
            Where `runs` is below 1, or more edges should go than there are.
        """
        if runs < 1:
            raise ValueError(f"runs must be at least 1, got {runs}")
        _, counts, fixed = self._sample(puzzle, runs, generator(rng), limit or Limit())
        solutions = counts[:, 0]
        fixedness = fixed / runs
        return RelaxationProfile(
            extra_solutions=float(solutions.mean() - 1),
            unique_share=float((solutions == 1).mean()),
            fixed_blanks=float(fixedness[np.asarray(puzzle.givens) == 0].sum()),
            capped_share=float(((solutions >= self.cap) | (counts[:, 2] == 0)).mean()),
            fixedness=fixedness,
        )

    @singledispatchmethod
    def _sample(
        self, puzzle: Puzzle, runs: int, rng: np.random.Generator, limit: Limit
    ) -> tuple[NDArray[np.int8], NDArray[np.int64], NDArray[np.float64]]:
        raise unsupported(self, puzzle)

    @_sample.register
    def _(
        self, puzzle: Sudoku, runs: int, rng: np.random.Generator, limit: Limit
    ) -> tuple[NDArray[np.int8], NDArray[np.int64], NDArray[np.float64]]:
        edges = _edges(puzzle.order)
        if self.removed_edges > len(edges):
            raise ValueError(
                f"removed_edges must be at most {len(edges)} at order {puzzle.order}, "
                f"got {self.removed_edges}"
            )
        solution = unique_solution(puzzle)
        counts = np.zeros((runs, 3), np.int64)
        fixed = np.zeros(puzzle.layout.n_cells)
        bounds = (self.removed_edges, self.cap, limit.steps or 1 << 62)
        _samples(puzzle.givens, solution, puzzle.layout, edges, bounds, rng, counts, fixed)
        return solution, counts, fixed


@cache
def _edges(order: int) -> NDArray[np.int16]:
    """Edges of the Sudoku graph, shape (n_edges, 4): cell, place of its peer, peer, place back."""
    peers = sudoku_layout(order).peers
    return np.array(
        [
            (cell, place, peer, int(np.searchsorted(peers[peer], cell)))
            for cell in range(len(peers))
            for place, peer in enumerate(peers[cell].tolist())
            if cell < peer
        ],
        np.int16,
    )


@kernel
def _samples(givens, solution, layout, edges, bounds, rng, counts, fixed):
    """Fill rows of `counts` (solutions, branches, ended) and add up `fixed` cells."""
    removed_edges, cap, most = bounds
    n_cells = layout.n_cells
    drawn = np.arange(edges.shape[0])
    joined = np.ones((n_cells, layout.peers.shape[1]), np.bool_)
    n_blanks = 0
    for cell in range(n_cells):
        if givens[cell] == 0:
            n_blanks += 1
    masks = np.zeros((n_blanks + 2, n_cells), np.int32)
    branches = np.zeros((n_blanks + 2, 2), np.int64)
    same = np.ones(n_cells, np.bool_)
    for sample in range(counts.shape[0]):
        # The first places of a shuffle that is never undone are a fresh draw each time.
        for i in range(removed_edges):
            j = i + int(rng.random() * (drawn.shape[0] - i))
            chosen = drawn[j]
            drawn[j] = drawn[i]
            drawn[i] = chosen
            joined[edges[chosen, 0], edges[chosen, 1]] = False
            joined[edges[chosen, 2], edges[chosen, 3]] = False
        same[:] = True
        found, steps, ended = _count(
            givens, solution, layout, joined, (cap, most), masks, branches, same
        )
        counts[sample, 0] = found
        counts[sample, 1] = steps
        counts[sample, 2] = ended
        for cell in range(n_cells):
            if same[cell]:
                fixed[cell] += 1.0
        for i in range(removed_edges):
            chosen = drawn[i]
            joined[edges[chosen, 0], edges[chosen, 1]] = True
            joined[edges[chosen, 2], edges[chosen, 3]] = True


@kernel
def _count(givens, solution, layout, joined, bounds, masks, branches, same):
    """Solutions of the relaxed puzzle up to the cap, branches, and 1 where all were seen.

    A decided cell has bit 30 of its mask set. `same` loses each cell that differs from
    `solution` in one of them.
    """
    cap, most = bounds
    decided = 1 << 30
    first = masks[0]
    first[:] = (1 << layout.size) - 1
    for cell in range(layout.n_cells):
        if givens[cell] > 0:
            # Givens keep their values even where the graph no longer says so.
            first[cell] = decided | 1 << (int(givens[cell]) - 1)
    for cell in range(layout.n_cells):
        if givens[cell] > 0:
            _strike(first, layout, joined, cell, 1 << (int(givens[cell]) - 1))
    found = 0
    steps = 0
    depth = 0
    alive = _settle(first, layout, joined)
    while depth >= 0:
        if alive:
            branch = _fewest_values(masks[depth], layout.n_cells)
            if branch < 0:
                found += 1
                for cell in range(layout.n_cells):
                    if int(masks[depth, cell]) & ~decided != 1 << (int(solution[cell]) - 1):
                        same[cell] = False
                if found >= cap:
                    return found, steps, 0
                alive = False
                depth -= 1
                continue
            branches[depth, 0] = branch
            branches[depth, 1] = masks[depth, branch]
        values = branches[depth, 1]
        if values == 0:
            depth -= 1
            alive = False
            continue
        if steps >= most:
            return found, steps, 0
        steps += 1
        branches[depth, 1] = values & (values - 1)
        for cell in range(layout.n_cells):
            masks[depth + 1, cell] = masks[depth, cell]
        masks[depth + 1, branches[depth, 0]] = values & -values
        alive = _settle(masks[depth + 1], layout, joined)
        if alive:
            depth += 1
    return found, steps, 1


@kernel
def _strike(masks, layout, joined, cell, bit):
    """Take a value from the undecided neighbours; False where one has none left."""
    for i in range(layout.peers.shape[1]):
        if joined[cell, i]:
            peer = int(layout.peers[cell, i])
            mask = int(masks[peer])
            if mask >> 30 == 0 and mask & bit:
                masks[peer] = mask ^ bit
                if mask == bit:
                    return False
    return True


@kernel
def _settle(masks, layout, joined):
    """Decide cells with one value left until there is none; False at a contradiction."""
    changed = True
    while changed:
        changed = False
        for cell in range(layout.n_cells):
            mask = int(masks[cell])
            if mask == 0:
                return False
            if mask >> 30 == 0 and mask & (mask - 1) == 0:
                masks[cell] = mask | 1 << 30
                if not _strike(masks, layout, joined, cell, mask):
                    return False
                changed = True
    return True


@kernel
def _fewest_values(masks, n_cells):
    """The undecided cell with the fewest values; -1 where all are decided."""
    fewest = 32
    branch = -1
    for cell in range(n_cells):
        mask = int(masks[cell])
        if mask >> 30 == 0:
            count = n_bits(mask)
            if count < fewest:
                fewest = count
                branch = cell
                if count == 2:
                    break
    return branch
