"""From puzzles to columns: a table of numbers, with numpy alone.

The features of puzzle i of a batch depend only on the seed, on i and on the group: not on the
number of jobs, on how a batch is split, or on the other groups computed. The random stream of a
puzzle is that of ``default_rng(SeedSequence(seed, spawn_key=(number, group)))``. Building one for
each group takes a twentieth of the time of a rating, and its first use in a kernel takes twice as
long. So the seeds of a batch are computed together, and one generator is set to each stream. NumPy
guarantees that seeds and streams do not change.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nando.checks import cores, whole
from nando.features.classes import members, stream_of
from nando.features.feature import FeatureGroup
from nando.features.groups import DEFAULT_GROUPS, GROUPS, feature_names, find_groups, kinds_of
from nando.kernels.streams import spawned_words, words_of
from nando.puzzles import Puzzle, PuzzleError, PuzzleLike, as_puzzles
from nando.solvers import status
from nando.solvers.protocol import check_runs
from nando.stages import counted, is_watched

Item = TypeVar("Item")
Result = TypeVar("Result")

_PART = 32
"""Items sent to a worker at a time: sending one takes longer than working on it."""


def in_parts(
    task: Callable[[Sequence[Item]], Iterable[Result]], items: Sequence[Item], n_jobs: int | None
) -> Iterator[Result]:
    """Return the results of `task` for each item, in order.

    Parameters
    ----------
    task : callable
        Takes a part of the items and returns one result for each; must be picklable.
    items : sequence
    n_jobs : int or None
        Number of joblib threads. Another backend in the caller's ``joblib.parallel_config`` takes
        precedence.
    """
    parts = (items[i : i + _PART] for i in range(0, len(items), _PART))
    if n_jobs in (None, 1) or len(items) <= _PART:
        return chain.from_iterable(map(task, parts))
    from joblib import Parallel, delayed

    parallel = Parallel(n_jobs=n_jobs, prefer="threads", return_as="generator")
    return chain.from_iterable(parallel(delayed(task)(part) for part in parts))


_MULTIPLIER = 0x2360ED051FC65DA44385DF649FCCF645
"""Multiplier of a step of PCG64."""
_WORD = (1 << 128) - 1
"""Mask of 128 bits, the size of the state of PCG64."""


def random_streams(seed: int, numbers: Sequence[int], group: int) -> Iterator[np.random.Generator]:
    """Yield one generator, set to the stream of each number in turn.

    Parameters
    ----------
    seed : int
    numbers : sequence of int
        At least 0.
    group : int
        At least 0; the last word of the spawn key.
    """
    rng = np.random.default_rng(0)
    for high, low, which_high, which_low in seeding(seed, numbers, group).tolist():
        increment = ((which_high << 64 | which_low) << 1 | 1) & _WORD
        start = (increment + (high << 64 | low)) * _MULTIPLIER + increment & _WORD
        rng.bit_generator.state = {
            "bit_generator": "PCG64",
            "state": {"state": start, "inc": increment},
            "has_uint32": 0,
            "uinteger": 0,
        }
        yield rng


def seeding(seed: int, numbers: Sequence[int], group: int) -> NDArray[np.uint64]:
    """Compute ``SeedSequence(seed, spawn_key=(number, group)).generate_state(4, uint64)``.

    Returns
    -------
    ndarray of uint64, shape (len(numbers), 4)
    """
    states = np.empty((len(numbers), 4), np.uint64)
    lengths = np.array([len(words_of(number)) for number in numbers])
    for length in np.unique(lengths):
        chosen = np.flatnonzero(lengths == length)
        keys = np.array(
            [(*words_of(numbers[i]), *words_of(group)) for i in chosen.tolist()], np.uint32
        )
        words = spawned_words(seed, keys, 8)
        low, high = words[:, ::2].astype(np.uint64), words[:, 1::2].astype(np.uint64)
        states[chosen] = low | high << np.uint64(32)
    return states


Numbered = tuple[Puzzle, int]
"""A puzzle and the number of its random stream."""


@dataclass(frozen=True)
class FeatureExtractor:
    """Computes a fixed set of named columns of puzzles.

    :class:`nando.features.SolverFeatures` does the same as a transformer of scikit-learn.

    Parameters
    ----------
    groups : sequence of str
        Names of :data:`nando.features.GROUPS`; :func:`nando.features.default_groups` has those of
        kinds other than Sudoku.
    runs : int or None
        Runs of each stochastic solver; None takes each group's own number. Use the
        number that a model was fitted with; the rater does so.
    random_state : int
        Seed. Puzzle i uses the i-th seed spawned from it.
    n_jobs : int or None
        Threads for joblib; never changes a result.
    progress : bool
        Show a progress bar on a terminal.

    Examples
    --------
    >>> from nando.puzzles import Sudoku
    >>> extractor = FeatureExtractor(["givens"])
    >>> extractor.columns
    ['givens', 'rarest_value_givens', 'givens_spread']
    >>> extractor.table([Sudoku("123456789" + "." * 72)]).tolist()
    [[9.0, 1.0, 0.0]]
    """

    groups: Sequence[str] = DEFAULT_GROUPS
    runs: int | None = None
    random_state: int = 0
    n_jobs: int | None = None
    progress: bool = False

    def checked(self) -> list[FeatureGroup]:
        """Return the groups.

        Raises
        ------
        ValueError
            For an unknown group, fewer than one run, or another number out of range.
        """
        if self.runs is not None:
            check_runs(self.runs)
        whole("random_state", self.random_state, 0)
        cores(self.n_jobs)
        return find_groups(self.groups)

    @property
    def columns(self) -> list[str]:
        """Names of the columns, in order."""
        return feature_names(self.groups)

    def table(
        self,
        puzzles: Iterable[PuzzleLike],
        *,
        first_index: int = 0,
        streams: Sequence[int] | None = None,
    ) -> NDArray[np.float64]:
        """Return the columns of each puzzle.

        Parameters
        ----------
        puzzles : iterable of Puzzle, or of anything that :func:`nando.puzzles.as_puzzle` takes
            Each with exactly one solution.
        first_index : int
            Number of the first puzzle within its batch, for a batch that comes in parts.
        streams : sequence of int or None
            Number of each puzzle's random stream, for draws that do not depend on its place.

        Returns
        -------
        ndarray of float64, shape (len(puzzles), len(columns))

        Raises
        ------
        PuzzleError
            For the first puzzle that does not have exactly one solution, with its `index`.
        ValueError
            For an unknown group, fewer than one run, or a puzzle of a kind without one of the
            groups.
        """
        groups = self.checked()
        read = as_puzzles(puzzles)
        for kind in dict.fromkeys(puzzle.kind for puzzle in read):
            _check_kind(kind, groups)
        width = len(self.columns)
        numbers = range(first_index, first_index + len(read)) if streams is None else streams
        task = partial(_rows, groups=groups, runs=self.runs, seed=self.random_state)
        with naming_bad(read):
            rows = list(self._all_rows(task, list(zip(read, numbers, strict=True))))
        return np.array(rows, dtype=np.float64).reshape(len(rows), width)

    def class_table(
        self, puzzles: Sequence[Puzzle], keys: Sequence[str], columns: Sequence[str]
    ) -> NDArray[np.float64]:
        """Return columns that equivalent puzzles share, as ratings need them.

        The draws come from the stream of a puzzle's class, and the solvers run on its chosen
        member.

        Parameters
        ----------
        puzzles : sequence of Puzzle
        keys : sequence of str
            The class of each puzzle; see :func:`nando.features.classes.classes_of`.
        columns : sequence of str
            Names of some of the columns.

        Returns
        -------
        ndarray of float64, shape (len(puzzles), len(columns))
        """
        streams = [stream_of(key) for key in keys]
        drawn = list(zip(puzzles, keys, streams, strict=True))
        with naming_bad(puzzles):
            rated = list(in_parts(members, drawn, self.n_jobs))
            table = self.table(rated, streams=streams)
        return chosen_columns(table, self.columns, columns)

    def _all_rows(
        self, task: Callable[[Sequence[Numbered]], NDArray[np.float64]], numbered: list[Numbered]
    ) -> Iterator[NDArray[np.float64]]:
        rows = in_parts(task, numbered, self.n_jobs)
        if is_watched() or not self.progress:
            return counted(rows, "puzzles' features", len(numbered))
        from rich.console import Console
        from rich.progress import track

        console = Console(stderr=True)
        if not console.is_terminal:
            return iter(rows)
        return iter(track(rows, "features", total=len(numbered), console=console, transient=True))


@contextmanager
def naming_bad(puzzles: Sequence[Puzzle]) -> Iterator[None]:
    """Make the PuzzleError of a block that of the first bad one of the puzzles, with its index."""
    try:
        yield
    except PuzzleError as error:
        for index, puzzle in enumerate(puzzles):
            found = status(puzzle)
            if not found.valid:
                raise PuzzleError(found, index) from error
        raise


def chosen_columns(
    table: ArrayLike, names: Iterable[str], columns: Sequence[str]
) -> NDArray[np.float64]:
    """Return columns of a table of features by their names.

    Parameters
    ----------
    table : array_like, shape (n, n_names)
    names : iterable of str
    columns : sequence of str
        Some of the names.

    Returns
    -------
    ndarray of float64, shape (n, len(columns))

    Raises
    ------
    ValueError
        For a column that the table lacks.
    """
    index = {name: i for i, name in enumerate(names)}
    absent = [name for name in columns if name not in index]
    if absent:
        raise ValueError(f"the features lack column {absent[0]!r} of the model")
    return np.asarray(table, dtype=np.float64)[:, [index[name] for name in columns]]


def _rows(
    part: Sequence[Numbered], groups: Sequence[FeatureGroup], runs: int | None, seed: int
) -> NDArray[np.float64]:
    puzzles, numbers = zip(*part, strict=True)
    # Group by group, so that each solver stays in the processor's caches. The i-th spawned seed of
    # the batch, then one stream per group.
    columns = [
        group.rows(puzzles, runs or group.runs, random_streams(seed, numbers, group.number))
        for group in groups
    ]
    return np.concatenate(columns, axis=1)


def _check_kind(kind: str, groups: Sequence[FeatureGroup]) -> None:
    for group in groups:
        if kind not in kinds_of([group.name]):
            known = ", ".join(name for name in GROUPS if kind in kinds_of([name]))
            raise ValueError(
                f"feature group {group.name!r} is not for {kind!r} puzzles; those that are: "
                f"{known or 'none'}"
            )
