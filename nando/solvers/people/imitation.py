"""Runs whose draws are spread evenly, so that the mean of few runs is as steady as that of many.

A run draws only how long each cell stays unseen: one number per cell, whatever the order in which
cells are seen. Over the n runs on a puzzle, the numbers of a cell are one from each n-th part of
the unit interval, in random order (a Latin hypercube; McKay, Beckman and Conover 1979). The effect
of a single cell on the mean then hardly varies, and this effect is most of the variance: a mean of
n runs is as steady as one of two to four times as many independent runs. A single run has the
distribution of an independent one, so means are not biased.
"""

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import fields
from functools import cache
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from nando.kernels.compile import inlined_kernel, kernel, unsigned
from nando.puzzles import Puzzle, Sudoku, Values, blanks_of
from nando.puzzles.sudoku.layout import SudokuLayout
from nando.records import Settings
from nando.solvers import protocol, singles
from nando.solvers.exact.search import unique_solutions

Profile = TypeVar("Profile")

Draws = tuple[NDArray[np.float64], ...]
"""Numbers in [0, 1) for all runs on a puzzle, or on several."""


class Batch(NamedTuple):
    """Sudokus of one size in the form of the kernels.

    Attributes
    ----------
    empty : SinglesState
        The state of an empty grid.
    layout : SudokuLayout
    givens, solutions : ndarray of int8, shape (n_puzzles, n_cells)
    """

    empty: singles.SinglesState
    layout: SudokuLayout
    givens: Values
    solutions: Values


class Played(NamedTuple):
    """Results of runs on puzzles.

    Attributes
    ----------
    solutions : sequence of ndarray of int8, shape (n_cells,)
    trace : ndarray of STEP
        The last run on the last puzzle is in its first rows.
    means : ndarray of float64, shape (n_puzzles, n_numbers)
    order : sequence of ndarray of float64, shape (n_cells,)
        Mean step, from 1, at which each cell was filled; 0 for givens.
    """

    solutions: Values | Sequence[Values]
    trace: NDArray[np.void]
    means: NDArray[np.float64]
    order: NDArray[np.float64] | Sequence[NDArray[np.float64]]


class Imitation(Settings, Generic[Profile]):
    """Runs and profiles from `_play`, which fills a puzzle many times."""

    def run(
        self, puzzle: Puzzle, *, limit: protocol.Limit | None = None, rng: protocol.Seed = None
    ) -> protocol.SolveRun:
        """Fill the puzzle once.

        Raises
        ------
        PuzzleError
            If the puzzle does not have exactly one solution.
        """
        solution, trace, _ = self._play(puzzle, 1, protocol.generator(rng))
        return protocol.filled_run(solution, trace, limit)

    def profile(self, puzzle: Puzzle, *, runs: int = 30, rng: protocol.Seed = None) -> Profile:
        """Fill the puzzle `runs` times and take means.

        Raises
        ------
        PuzzleError
            If the puzzle does not have exactly one solution.
        ValueError
            If `runs` is below 1.
        """
        protocol.check_runs(runs)
        _, _, profile = self._play(puzzle, runs, protocol.generator(rng))
        return profile

    @abstractmethod
    def _play(
        self, puzzle: Puzzle, runs: int, rng: np.random.Generator
    ) -> tuple[Values, NDArray[np.void], Profile]:
        """Return the solution, the trace of the last run (one row per fill) and the means."""


class SpreadImitation(Imitation[Profile], Generic[Profile]):
    """Runs on many puzzles at once, from `draw`, `spread` and `_play_many`."""

    name: ClassVar[str]
    kind: ClassVar[type[Puzzle]] = Sudoku
    """The puzzles that it plays."""
    profile_class: ClassVar[type]
    """Its fields are the numbers of a profile and, last, the order of the cells."""
    play_all: ClassVar[Any]
    """A kernel from :func:`runs_of`."""

    @property
    def n_numbers(self) -> int:
        """Number of values in a profile, without those of each cell."""
        return len(fields(self.profile_class)) - 1

    def means_many(
        self, puzzles: Sequence[Puzzle], *, runs: int = 30, rngs: Iterable[np.random.Generator]
    ) -> NDArray[np.float64]:
        """Return the numbers of :meth:`profile` for many puzzles, each with a generator of its own.

        Parameters
        ----------
        puzzles : sequence of Puzzle
        runs : int
        rngs : iterable of Generator
            One for each puzzle; each is used before the next is requested.

        Returns
        -------
        ndarray of float64, shape (n_puzzles, n_numbers)
            The attributes of the profile in their order, without those of each cell.

        Raises
        ------
        PuzzleError
            If a puzzle does not have exactly one solution.
        ValueError
            If `runs` is below 1.
        """
        protocol.check_runs(runs)
        for puzzle in puzzles:
            self._check(puzzle)
        drawn = [self.draw(puzzle, runs, rng) for puzzle, rng in zip(puzzles, rngs, strict=True)]
        of_size: dict[int, list[int]] = {}
        for i, draws in enumerate(drawn):
            of_size.setdefault(draws[0].shape[1], []).append(i)
        means = np.zeros((len(puzzles), self.n_numbers))
        for same in of_size.values():
            alike = tuple(puzzles[i] for i in same)
            means[same] = self._play_many(alike, stack([drawn[i] for i in same])).means
        return means

    def _play(
        self, puzzle: Puzzle, runs: int, rng: np.random.Generator
    ) -> tuple[Values, NDArray[np.void], Profile]:
        self._check(puzzle)
        played = self._play_many((puzzle,), stack([self.draw(puzzle, runs, rng)]))
        trace = played.trace[: len(blanks_of(puzzle))]
        return played.solutions[0], trace, self._profile(played.means[0], played.order[0])

    def _check(self, puzzle: Puzzle) -> None:
        if not isinstance(puzzle, self.kind):
            raise protocol.unsupported(self, puzzle)

    def draw(self, puzzle: Any, runs: int, rng: np.random.Generator) -> Draws:
        """Return all draws for the runs on a puzzle: how long its cells stay unseen."""
        return (rng.random((runs + 1, puzzle.size**2)),)

    def spread(self, draws: Draws) -> tuple[NDArray[Any], ...]:
        """Return the draws of puzzles in the form of the kernel, evenly spread over the runs."""
        return (-np.log(unseen_of(draws[0])),)

    def _play_many(self, puzzles: tuple[Any, ...], draws: Draws) -> Played:
        """Return the runs on puzzles that have as many cells."""
        givens = np.stack([puzzle.givens for puzzle in puzzles])
        # A writable copy, as in a sketch: numba compiles separately for read-only arrays.
        solutions = unique_solutions(puzzles).values.copy()
        layout, empty = puzzles[0].layout, singles.shared_empty_state(puzzles[0].order)
        batch = Batch(empty, layout, givens, solutions)
        spread = self.spread(draws)
        trace = np.zeros(layout.n_cells, protocol.STEP)
        sums, order = np.zeros((len(puzzles), self.n_numbers)), np.zeros(givens.shape)
        workspace = self.workspace(layout)
        self.play_all(*batch, self.settings, spread, trace, (sums, order), workspace)
        runs = spread[0].shape[1]
        return Played(solutions, trace, sums / runs, order / runs)

    @property
    def settings(self) -> Any:
        """The settings of the kernel."""
        raise NotImplementedError

    @staticmethod
    def workspace(layout: SudokuLayout) -> Any:
        """Return the workspace of the kernel."""
        raise NotImplementedError

    def _profile(self, means: NDArray[np.float64], order: NDArray[np.float64]) -> Profile:
        """Return the profile with these means."""
        profile: Profile = self.profile_class(*means.tolist(), order)
        return profile


def unseen_of(drawn: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return how long each cell stays unseen in each run, as the chance to stay unseen so long.

    Parameters
    ----------
    drawn : ndarray of float64, shape (n_puzzles, runs + 1, n_cells)
        Row 0 shifts the parts of each cell; the other rows are positions within the parts.

    Returns
    -------
    ndarray of float64, shape (n_puzzles, runs, n_cells)
        Numbers in (0, 1], each uniformly distributed.
    """
    runs = drawn.shape[1] - 1
    shift = np.floor(drawn[:, :1] * runs)
    unseen = (_parts(runs, drawn.shape[2]) + shift + (1.0 - drawn[:, 1:])) / runs
    unseen -= unseen > 1.0
    return np.asarray(unseen)


@cache
def _parts(runs: int, n_cells: int) -> NDArray[np.float64]:
    """Return the part of each run and cell: for each cell a random order of the runs."""
    runs_by_cell = np.repeat(np.arange(float(runs))[:, None], n_cells, axis=1)
    return np.random.default_rng(0).permuted(runs_by_cell, axis=0)


def stack(draws: Sequence[Draws]) -> Draws:
    """Join the draws of several puzzles of one size."""
    if len(draws) == 1:
        return tuple(array[None] for array in draws[0])
    return tuple(np.stack(same) for same in zip(*draws, strict=True))


def runs_of(play: Any) -> Any:
    """Return the kernel that adds up the runs on each puzzle, of which a kernel plays one.

    Parameters
    ----------
    play : kernel
        Takes a state, which it fills, the layout, the solution, the settings, the draws for all
        runs, the numbers of the puzzle and of the run, the trace, which it writes, the sums of the
        puzzle, and the workspace.

    Returns
    -------
    kernel
        Takes the fields of a `Batch`, the settings, the draws, the trace, the totals (the sums of
        each puzzle, and of the steps at which its cells were filled) and the workspace.
    """

    @kernel
    def play_all(empty, layout, givens, solutions, settings, drawn, trace, totals, workspace):
        """Add up the runs on each puzzle."""
        sums, order = totals
        given, state = singles.copy_of(empty), singles.copy_of(empty)
        for i in range(givens.shape[0]):
            singles.restore(given, empty)
            singles.place_all(given, layout, givens[i])
            rows = trace[: given.counts[singles.N_EMPTY]]
            for run in range(drawn[0].shape[1]):
                singles.restore(state, given)
                play(
                    state, layout, solutions[i], settings, drawn, (i, run), rows, sums[i], workspace
                )
                for k in range(rows.shape[0]):
                    order[i, unsigned(rows[unsigned(k)]["cell"])] += k + 1

    return play_all


@inlined_kernel
def write_fill(trace, k, cell, value, rule, options, cost):
    """Write fill `k` of a run, from 0, into its row of the trace."""
    row = trace[unsigned(k)]
    row["step"] = k + 1
    row["cell"] = cell
    row["value"] = value
    row["rule"] = rule
    row["options"] = options
    row["cost"] = cost


@inlined_kernel
def rule_of_single(state, cell):
    """Return the rule by which a cell that is a single is filled."""
    is_hidden = int(state.ways[unsigned(cell)]) & singles.HIDDEN
    return protocol.Rule.HIDDEN_SINGLE.value if is_hidden else protocol.Rule.NAKED_SINGLE.value


@inlined_kernel
def winner_of_race(rates, n, total, rng):
    """Draw an index below `n` with chances proportional to `rates`, whose sum is `total`."""
    left = rng.random() * total - rates[0]
    i = 0
    while left >= 0.0 and i + 1 < n:
        i += 1
        left -= rates[unsigned(i)]
    return i
