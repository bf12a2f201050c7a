"""Constraint relaxation: the solutions a puzzle gains when some constraints are weakened.

Cells that still have one value in all solutions are fixed. Hard puzzles gain more solutions and
keep fewer cells fixed. On Nurikabe numbers become unknown. On Sudoku random edges of the graph are
removed: two cells that must differ are joined by an edge, and at order 3 there are 810. Without
some of its edges a house need not hold every value, so only inequality is propagated.

Source: Krivanek 2011; Pelanek 2014 (fixedness). The thesis counts 864 constraints, which we
cannot reproduce; 810 is used.
"""

from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.kernels.compile import copy_rows, kernel, lean_kernel, lowest_bit, n_bits
from nando.puzzles import Puzzle, Sudoku, Values
from nando.puzzles.frozen import EqualFields
from nando.puzzles.nurikabe import UNKNOWN, Nurikabe
from nando.records import Settings, between, setting
from nando.solvers.constraints.colouring import colouring_edges
from nando.solvers.exact.bands import DEPTH, FOUND, GUESSES
from nando.solvers.exact.nurikabe.probing import ProbingSearch
from nando.solvers.exact.search import unique_solution
from nando.solvers.kinds import part_for
from nando.solvers.protocol import Budget, Limit, Outcome, Seed, SolveRun, check_runs, generator


class Samples(NamedTuple):
    """The results of the samples of a puzzle.

    Attributes
    ----------
    solution : ndarray of int8, shape (n_cells,)
        The puzzle's own solution.
    counts : ndarray of int64, shape (runs, 3)
        Solutions, branches of the count, and 1 if all solutions were found.
    fixed : ndarray of float64, shape (n_cells,)
        Number of samples in which a cell has one value in all solutions found.
    """

    solution: Values
    counts: NDArray[np.int64]
    fixed: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class RelaxationProfile(EqualFields):
    """Statistics of the samples of :class:`Relaxation` on a puzzle.

    Attributes
    ----------
    extra_solutions : float
        Mean number of solutions in addition to the puzzle's own; capped samples count with the cap.
    unique_share : float
        Share of samples that keep one solution.
    fixed_blanks : float
        Mean number of blanks with one value in all solutions found.
    capped_share : float
        Share of samples in which counting stopped at the cap or a limit.
    fixedness : ndarray of float64, shape (n_cells,)
        Share of samples in which the cell is fixed; 1 for givens.
    """

    extra_solutions: float
    unique_share: float
    fixed_blanks: float
    capped_share: float
    fixedness: NDArray[np.float64]


@dataclass(frozen=True)
class Relaxation(Settings):
    """Constraint relaxation.

    Parameters
    ----------
    removed_edges : int
        Edges removed from the graph of a Sudoku, drawn without replacement; edges to givens
        count.
    cap : int
        Solutions at which counting stops.
    relaxed_share : float
        Share of the numbers of a Nurikabe that become unknown, at least one.

    Notes
    -----
    A run is one sample: ``run.n_solutions`` counts all solutions up to the cap (at least the
    puzzle's own), steps are the branches of the count, and the trace is empty. The outcome is
    SOLVED at the cap and EXHAUSTED if all solutions were found.
    """

    name: ClassVar[str] = "relaxation"
    removed_edges: int = setting(45, between(0))
    cap: int = setting(1_000, between(2))
    relaxed_share: float = setting(0.1, between(0, 1))

    def run(self, puzzle: Puzzle, *, limit: Limit | None = None, rng: Seed = None) -> SolveRun:
        """Take one sample; a limit of steps bounds the branches.

        Raises
        ------
        PuzzleError
            If the puzzle does not have exactly one solution.
        ValueError
            If more edges are to be removed than there are.
        """
        limit = limit or Limit()
        solution, counts, _ = self._sample(puzzle, 1, generator(rng), limit)
        n_found, steps, ended = counts[0].tolist()
        if n_found >= self.cap:
            outcome = Outcome.SOLVED
        elif ended:
            outcome = Outcome.EXHAUSTED
        else:
            spent = limit.steps is not None and steps >= limit.steps
            outcome = Outcome.STEP_LIMIT if spent else Outcome.TIME_LIMIT
        return SolveRun(outcome, steps, solution, n_solutions=n_found)

    def profile(
        self, puzzle: Puzzle, *, runs: int = 100, rng: Seed = None, limit: Limit | None = None
    ) -> RelaxationProfile:
        """Take `runs` samples and return their means; a limit holds for each.

        Raises
        ------
        PuzzleError
            If the puzzle does not have exactly one solution.
        ValueError
            If `runs` is below 1, or more edges are to be removed than there are.
        """
        check_runs(runs)
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

    def _sample(self, puzzle: Puzzle, runs: int, rng: np.random.Generator, limit: Limit) -> Samples:
        relax = part_for(self, puzzle, "relax")
        samples: Samples = relax(puzzle, self, runs, rng, limit)
        return samples


# Constraint relaxation on Nurikabe: some of the numbers become unknown.
#
# Pelanek 2014 relaxes Nurikabe too, but does not say which constraints. Here the constraints are
# the sizes of the islands. A relaxed number still belongs to one island, but the size of this
# island is unknown. The relaxed puzzle is a Nurikabe, and the exact search counts its solutions.

_CHUNK = 1_000
"""Guesses between two checks of the clock."""


def relax_numbers(
    puzzle: Nurikabe, solver: Relaxation, runs: int, rng: np.random.Generator, limit: Limit
) -> Samples:
    """Count the solutions of samples with numbers made unknown; a limit holds for each."""
    solution = unique_solution(puzzle)
    counts = np.zeros((runs, 3), np.int64)
    fixed = np.zeros(len(solution))
    for row in counts:
        relaxed_puzzle = hide_numbers(puzzle, solver.relaxed_share, rng)
        row[:], same = count_relaxed(relaxed_puzzle, solution, solver.cap, limit)
        fixed += same
    return Samples(solution, counts, fixed)


def hide_numbers(puzzle: Nurikabe, share: float, rng: np.random.Generator) -> Nurikabe:
    """Return the puzzle with a share of its known numbers, at least one, made unknown."""
    known = np.flatnonzero(puzzle.numbers > 0)
    n_relaxed = min(max(round(share * len(known)), int(share > 0)), len(known))
    numbers = puzzle.numbers.copy()
    numbers[rng.choice(known, n_relaxed, replace=False)] = UNKNOWN
    return Nurikabe.from_numbers(numbers.reshape(puzzle.shape))


def count_relaxed(
    puzzle: Nurikabe, solution: Values, cap: int, limit: Limit
) -> tuple[tuple[int, int, bool], NDArray[np.bool_]]:
    """Count the solutions of a relaxed puzzle, up to a cap and a limit.

    Return a tuple of the number of solutions, the number of guesses, and True if all solutions were
    found; and an array with True for each cell whose value never differs from `solution`.
    """
    search = ProbingSearch(puzzle)
    budget = Budget(limit)
    fixed = np.ones(puzzle.n_cells, np.bool_)
    n_found = 0
    while n_found < cap and search.progress[DEPTH] >= 0:
        guesses = int(search.progress[GUESSES])
        if guesses >= budget.most or budget.late:
            break
        # The search keeps only its first solutions, so each new one is stored as the first.
        search.progress[FOUND] = 0
        search.advance(1, budget.pause(guesses, _CHUNK))
        if search.progress[FOUND]:
            n_found += 1
            fixed &= search.solutions[0] == solution
    # The puzzle's own solution counts even if the limit came before it.
    counted = max(n_found, 1), int(search.progress[GUESSES]), bool(search.progress[DEPTH] < 0)
    return counted, fixed


_SEARCH_CHUNK = 10_000
"""Branches between two checks of the clock."""
_WORD = 60
"""Cells in a word of a set of cells; the sign bit stays free."""


def relax_edges(
    puzzle: Sudoku, solver: Relaxation, runs: int, rng: np.random.Generator, limit: Limit
) -> Samples:
    """Count the solutions of samples with edges removed; a limit holds for each.

    Raises
    ------
    ValueError
        If more edges are to be removed than there are.
    """
    edges = _edges(puzzle.order)
    if solver.removed_edges > len(edges):
        raise ValueError(
            f"removed_edges must be at most {len(edges)} at order {puzzle.order}, "
            f"got {solver.removed_edges}"
        )
    solution = unique_solution(puzzle)
    count = _count_of(puzzle, solution)
    drawn = np.arange(len(edges))
    counts = np.zeros((runs, 3), np.int64)
    fixed = np.zeros(len(solution))
    removed, cap = solver.removed_edges, solver.cap
    for row in counts:
        _begin(count, edges, drawn, removed, rng)
        budget = Budget(limit)
        while not _advance(count, cap, budget.pause(int(count.progress[_STEPS]), _SEARCH_CHUNK)):
            if count.progress[_STEPS] >= budget.most or budget.late:
                break
        _end(count, edges, drawn, removed, row, fixed)
    return Samples(solution, counts, fixed)


_DEPTH, _ALIVE, _FOUND, _STEPS = range(4)
"""Indices of the numbers of a count in its `progress`."""
_CELL, _LEFT = range(2)
"""Columns of its `branches`."""


class _Count(NamedTuple):
    """A count of solutions that can be resumed; sets of cells are bits.

    A level of the search holds, for each value, the cells that may have it, and last the cells
    not yet decided.
    """

    apart: NDArray[np.int64]
    """The cells that must differ from each cell, shape (n_cells, n_words)."""
    given: NDArray[np.int64]
    solution: NDArray[np.int64]
    """The cells of each value, shape (size, n_words)."""
    levels: NDArray[np.int64]
    branches: NDArray[np.int64]
    """The cell of each level (`_CELL`), and its values not yet tried (`_LEFT`)."""
    planes: NDArray[np.int64]
    """Cells with one value or more, two or more, three or more."""
    same: NDArray[np.int64]
    """The cells with one value in all solutions so far."""
    progress: NDArray[np.int64]


def _count_of(puzzle: Sudoku, solution: Values) -> _Count:
    """Return a new count on the whole graph."""
    layout = puzzle.layout
    n_levels = int(np.count_nonzero(puzzle.givens == 0)) + 2
    apart = _sets(list(layout.peers), layout.n_cells)
    n_words = apart.shape[1]
    values = np.arange(1, layout.size + 1)
    return _Count(
        apart=apart,
        given=_sets([np.flatnonzero(puzzle.givens == v) for v in values], layout.n_cells),
        solution=_sets([np.flatnonzero(solution == v) for v in values], layout.n_cells),
        levels=np.zeros((n_levels, layout.size + 1, n_words), np.int64),
        branches=np.zeros((n_levels, 2), np.int64),
        planes=np.zeros((3, n_words), np.int64),
        same=np.zeros(n_words, np.int64),
        progress=np.zeros(4, np.int64),
    )


def _sets(groups: list[NDArray[Any]], n_cells: int) -> NDArray[np.int64]:
    """Return each group of cells as a set, shape (n_groups, n_words)."""
    sets = np.zeros((len(groups), -(-n_cells // _WORD)), np.int64)
    for row, cells in zip(sets, groups, strict=True):
        np.bitwise_or.at(row, cells // _WORD, 1 << (cells % _WORD).astype(np.int64))
    return sets


@cache
def _edges(order: int) -> NDArray[np.int16]:
    """Return the edges of the Sudoku graph, shape (n_edges, 2)."""
    return np.array(colouring_edges(Sudoku("." * order**4)), np.int16)


@kernel
def _begin(count, edges, drawn, removed, rng):
    """Remove the edges of a new sample and reset the search."""
    # Each time the first entries are shuffled further, they are a new random sample.
    for i in range(removed):
        j = i + int(rng.random() * (drawn.shape[0] - i))
        chosen = drawn[j]
        drawn[j] = drawn[i]
        drawn[i] = chosen
        _flip(count.apart, edges[chosen])
    level = count.levels[0]
    n_cells, n_words = count.apart.shape
    size = count.given.shape[0]
    for w in range(n_words):
        every = (1 << min(_WORD, n_cells - w * _WORD)) - 1
        count.same[w] = every
        for value in range(size):
            every &= ~count.given[value, w]
        # Givens are decided whatever edges are left, so they have no other value.
        level[size, w] = every
        for value in range(size):
            level[value, w] = every | count.given[value, w]
    for value in range(size):
        for w in range(n_words):
            cells = count.given[value, w]
            while cells:
                _strike(level[value], count.apart[w * _WORD + lowest_bit(cells)])
                cells &= cells - 1
    count.progress[_DEPTH] = 0
    count.progress[_ALIVE] = _settle(level, count)
    count.progress[_FOUND] = 0
    count.progress[_STEPS] = 0


@lean_kernel
def _end(count, edges, drawn, removed, row, fixed):
    """Record the result of the sample and restore its edges."""
    # The puzzle's own solution counts even if the limit came before it.
    row[0] = max(count.progress[_FOUND], 1)
    row[1] = count.progress[_STEPS]
    row[2] = count.progress[_DEPTH] < 0
    for cell in range(fixed.shape[0]):
        if count.same[cell // _WORD] >> cell % _WORD & 1:
            fixed[cell] += 1.0
    for i in range(removed):
        _flip(count.apart, edges[drawn[i]])


@lean_kernel
def _flip(apart, edge):
    """Remove an edge, or put it back."""
    a = int(edge[0])
    b = int(edge[1])
    apart[a, b // _WORD] ^= 1 << b % _WORD
    apart[b, a // _WORD] ^= 1 << a % _WORD


@lean_kernel
def _advance(count, cap, pause):
    """Continue until `cap` solutions, `pause` branches or the end; return False at the pause."""
    levels = count.levels
    branches = count.branches
    size = count.given.shape[0]
    n_words = count.apart.shape[1]
    depth, alive, n_found, steps = count.progress
    while depth >= 0 and n_found < cap:
        if alive:
            cell = _fewest_values(levels[depth], count)
            if cell < 0:
                n_found += 1
                for value in range(size):
                    for w in range(n_words):
                        count.same[w] &= ~(levels[depth, value, w] ^ count.solution[value, w])
                depth -= 1
            else:
                branches[depth, _CELL] = cell
                branches[depth, _LEFT] = _values_of(levels[depth], cell, size)
            alive = 0
            continue
        values = branches[depth, _LEFT]
        if values == 0:
            depth -= 1
            continue
        if steps >= pause:
            break
        steps += 1
        branches[depth, _LEFT] = values & (values - 1)
        above = levels[depth + 1]
        copy_rows(above, levels[depth])
        cell = branches[depth, _CELL]
        chosen = lowest_bit(values)
        for value in range(size):
            if value != chosen:
                above[value, cell // _WORD] &= ~(1 << cell % _WORD)
        alive = _settle(above, count)
        depth += alive
    count.progress[_DEPTH] = depth
    count.progress[_ALIVE] = alive
    count.progress[_FOUND] = n_found
    count.progress[_STEPS] = steps
    return depth < 0 or n_found >= cap


@lean_kernel
def _strike(cells, apart):
    """Remove from the cells of a value those that must differ from a cell that has it."""
    for w in range(cells.shape[0]):
        cells[w] &= ~apart[w]


@lean_kernel
def _settle(level, count):
    """Decide cells with one value until there are none; return 0 at a contradiction, else 1.

    If there is no contradiction, the planes describe the level afterwards.
    """
    once, twice, thrice = count.planes
    n_cells, n_words = count.apart.shape
    size = count.given.shape[0]
    settled = False
    while not settled:
        settled = True
        for w in range(n_words):
            one = 0
            two = 0
            three = 0
            for value in range(size):
                cells = level[value, w]
                three |= two & cells
                two |= one & cells
                one |= cells
            if one != (1 << min(_WORD, n_cells - w * _WORD)) - 1:
                return 0
            once[w] = level[size, w] & ~two
            twice[w] = two
            thrice[w] = three
            level[size, w] &= two
            if once[w]:
                settled = False
        if settled:
            break
        for value in range(size):
            for w in range(n_words):
                # A single may eliminate another of its value, which then has none left.
                cells = once[w] & level[value, w]
                while cells:
                    place = lowest_bit(cells)
                    _strike(level[value], count.apart[w * _WORD + place])
                    cells &= cells - 1
                    cells &= level[value, w]
    return 1


@lean_kernel
def _fewest_values(level, count):
    """Return the first undecided cell with the fewest values, or -1 if all cells are decided.

    The planes must describe the level.
    """
    size = count.given.shape[0]
    n_words = count.apart.shape[1]
    for w in range(n_words):
        pairs = level[size, w] & ~count.planes[2, w]
        if pairs:
            return w * _WORD + lowest_bit(pairs)
    fewest = size + 1
    branch = -1
    for w in range(n_words):
        cells = level[size, w]
        while cells:
            cell = w * _WORD + lowest_bit(cells)
            cells &= cells - 1
            n_values = n_bits(_values_of(level, cell, size))
            if n_values < fewest:
                fewest = n_values
                branch = cell
    return branch


@lean_kernel
def _values_of(level, cell, size):
    """Return the values of a cell as a mask."""
    values = 0
    for value in range(size):
        values |= (level[value, cell // _WORD] >> cell % _WORD & 1) << value
    return values
