"""Rate banks of puzzles: equivalent puzzles share a rating, which is computed only once.

A rating depends only on the puzzle's class (:mod:`nando.features.classes`), so it can be cached.
"""

import hashlib
import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import Any, Self

import numpy as np

from nando.arrays import Floats
from nando.checks import cores, share, whole
from nando.features.classes import classes_of, members, stream_of
from nando.features.extractor import in_parts, naming_bad, random_streams
from nando.features.groups import find_groups
from nando.puzzles import Puzzle, PuzzleLike, as_puzzles
from nando.rating.base import Rater
from nando.rating.rating import Rating
from nando.rating.sources import columns_digest, ratings_digest
from nando.solvers.protocol import check_runs

Columns = Floats
"""The columns of a model, for one puzzle or several."""

_SEAL = 8
"""Bytes of the hash at the start of each cache row."""
_LATEST = 4096
"""Most puzzles whose classes are kept: a puzzle is rated soon after a search has judged it."""


class Bank:
    """Rates puzzles by their classes. Several threads may share a bank that has no cache.

    Columns are computed once, whoever asks for them: a search for a difficulty asks for some groups
    of features of many puzzles, and for the others of the few that remain.

    Parameters
    ----------
    rater : Rater
    cache : RatingCache or None
        Keeps columns between runs.
    n_jobs, runs, coverage
        As in :meth:`Rater.rate`.
    remembered : int
        Most classes that are kept in memory; by default they take at most 100 MB.

    Examples
    --------
    >>> from nando.datasets import load_examples
    >>> from nando.rating import load_model
    >>> puzzle = load_examples().puzzles[0]
    >>> turned = puzzle.shuffled(np.random.default_rng(1))
    >>> table = Bank(load_model()).rate([puzzle, turned])
    >>> bool(table.predicted_seconds[0] == table.predicted_seconds[1])
    True
    """

    def __init__(
        self,
        rater: Rater,
        *,
        cache: "RatingCache | None" = None,
        n_jobs: int | None = None,
        runs: int | None = None,
        coverage: float | None = None,
        remembered: int = 1 << 18,
    ) -> None:
        cores(n_jobs)
        if runs is not None:
            check_runs(runs)
        if coverage is not None:
            share("coverage", coverage)
        self.rater = rater
        self.cache = cache
        self.coverage = coverage
        self.remembered = whole("remembered", remembered, 0)
        self.computed = 0
        """Classes of which columns were computed so far."""
        self._extractor = rater.extractor_for(n_jobs=n_jobs, runs=runs)
        self.groups = {group.name: group for group in find_groups(self._extractor.groups)}
        """The groups of features that the model needs, by name."""
        names = list(rater.columns)
        self._places = {
            name: [names.index(own.name) for own in group.features if own.name in names]
            for name, group in self.groups.items()
        }
        self._rows: dict[str, Columns] = {}
        self._keys: dict[tuple[str, str], str] = {}
        self._lock = Lock()

    def rate(self, puzzles: Iterable[PuzzleLike], *, with_columns: bool = False) -> Any:
        """Rate puzzles that each have exactly one solution.

        Parameters
        ----------
        puzzles : iterable of Puzzle, or of anything that :func:`nando.puzzles.as_puzzle` takes
        with_columns : bool
            Add the model's columns to the table.

        Returns
        -------
        pandas.DataFrame
            The table of :meth:`Rater.rate`.
        """
        read = as_puzzles(puzzles)
        table = self.columns(read)
        rated = self.rater.rate_columns(table, read, coverage=self.coverage)
        if with_columns:
            rated[list(self.rater.columns)] = table
        return rated

    def ratings(self, puzzles: Iterable[PuzzleLike]) -> list[Rating]:
        """Return the same ratings as objects, without pandas."""
        read = as_puzzles(puzzles)
        return self.rater.ratings(self.columns(read), read, coverage=self.coverage)

    def columns(
        self, puzzles: Iterable[PuzzleLike], groups: Sequence[str] | None = None
    ) -> Columns:
        """Return the model's columns of puzzles, shape ``(n_puzzles, n_columns)``.

        Parameters
        ----------
        puzzles : iterable of Puzzle, or of anything that :func:`nando.puzzles.as_puzzle` takes
            Each with exactly one solution.
        groups : sequence of str or None
            Names of some of the bank's `groups`; the columns of others may be NaN. None: all.

        Raises
        ------
        PuzzleError
            For the first puzzle that does not have exactly one solution, with its `index`.
        """
        read = as_puzzles(puzzles)
        with naming_bad(read):
            # A search, which names groups, runs in threads of its own.
            keys = self._classes_of(read, self._extractor.n_jobs if groups is None else None)
            known = self._known(
                dict(zip(keys, read, strict=True)),
                tuple(self.groups) if groups is None else tuple(groups),
            )
        return np.array([known[key] for key in keys]).reshape(len(keys), len(self.rater.columns))

    def _classes_of(self, puzzles: Sequence[Puzzle], n_jobs: int | None) -> list[str]:
        """Return the class of each puzzle, and remember those of the latest."""
        named = [(puzzle.kind, puzzle.text) for puzzle in puzzles]
        latest = {name: self._keys[name] for name in named if name in self._keys}
        new = [puzzle for name, puzzle in zip(named, puzzles, strict=True) if name not in latest]
        keys = in_parts(classes_of, new, n_jobs)
        latest |= {(puzzle.kind, puzzle.text): key for puzzle, key in zip(new, keys, strict=True)}
        if len(new) <= _LATEST:  # a whole bank is rated only once
            if len(self._keys) > _LATEST:
                self._keys = {}
            self._keys |= latest
        return [latest[name] for name in named]

    def _known(self, classes: Mapping[str, Puzzle], groups: tuple[str, ...]) -> dict[str, Columns]:
        """Return the columns of classes, each given with one of its puzzles.

        They come from memory, from the cache or from a new computation.
        """
        blank = np.full(len(self.rater.columns), np.nan)
        with self._lock:
            known = {key: self._rows.get(key, blank) for key in classes}
        if self.cache is not None:
            known |= self.cache.read([key for key in classes if known[key] is blank])
        lacking: dict[tuple[str, ...], list[str]] = {}
        for key in classes:
            if names := self._lacking(known[key], groups):
                lacking.setdefault(names, []).append(key)
        for names, keys in lacking.items():
            fresh = self._computed([classes[key] for key in keys], keys, names)
            for key, row in zip(keys, fresh, strict=True):
                known[key] = np.where(np.isnan(row), known[key], row)
            if self.cache is not None:
                complete = {key: known[key] for key in keys if not np.isnan(known[key]).any()}
                self.cache.write(complete)
        with self._lock:
            self.computed += sum(map(len, lacking.values()))
            for key in classes:  # the least recently used classes are dropped first
                self._rows.pop(key, None)
                self._rows[key] = known[key]
            while len(self._rows) > self.remembered:
                del self._rows[next(iter(self._rows))]
        return known

    def _lacking(self, row: Columns, groups: tuple[str, ...]) -> tuple[str, ...]:
        """Return the groups that are not yet in the columns of a class."""
        unknown = np.isnan(row)
        if not unknown.any():
            return ()
        return tuple(name for name in groups if unknown[self._places[name]].any())

    def _computed(
        self, puzzles: Sequence[Puzzle], keys: Sequence[str], names: tuple[str, ...]
    ) -> Columns:
        """Return the columns of groups for puzzles of different classes; the others are NaN."""
        if names == tuple(self.groups):
            return self._extractor.class_table(puzzles, keys, self.rater.columns)
        streams = [stream_of(key) for key in keys]
        rated = members(list(zip(puzzles, keys, streams, strict=True)))
        table = np.full((len(puzzles), len(self.rater.columns)), np.nan)
        for group in map(self.groups.__getitem__, names):
            drawn = random_streams(self._extractor.random_state, streams, group.number)
            rows = np.array(group.rows(rated, self._extractor.runs or group.runs, drawn))
            chosen = [own.name in self.rater.columns for own in group.features]
            table[:, self._places[group.name]] = rows[:, chosen]
        return table

    def identity(self) -> dict[str, Any]:
        """Return everything except the class that columns depend on, as plain values."""
        groups = tuple(self._extractor.groups)
        return self._settings() | {"source": columns_digest(groups)}

    def ratings_identity(self) -> dict[str, Any]:
        """Return everything except the puzzle that ratings depend on, as plain values."""
        groups = tuple(self._extractor.groups)
        return self._settings() | {"source": ratings_digest(groups, type(self.rater).__module__)}

    def _settings(self) -> dict[str, Any]:
        return {
            "model_id": self.rater.model_id,
            "random_state": self._extractor.random_state,
            "runs": self._extractor.runs,
        }


class RatingCache:
    """Columns by class in an SQLite file, for one model and one set of settings.

    Several processes may use a file at once. Killing one of them leaves the file intact.

    Parameters
    ----------
    path : Path
    identity : mapping
        From :meth:`Bank.identity`. Columns of other identities in the same file are ignored.

    Raises
    ------
    ValueError
        If the file is not a cache of ratings.
    """

    def __init__(self, path: Path, identity: Mapping[str, Any]) -> None:
        self.path = path
        text = json.dumps(identity, sort_keys=True)
        self._context = hashlib.sha256(text.encode()).hexdigest()
        try:
            self._file = sqlite3.connect(path, timeout=60, isolation_level=None)
            self._file.execute("PRAGMA journal_mode=WAL")
            self._file.execute(
                "CREATE TABLE IF NOT EXISTS columns (context TEXT, class TEXT, numbers BLOB, "
                "PRIMARY KEY (context, class)) WITHOUT ROWID"
            )
            self._file.execute("SELECT context, class, numbers FROM columns LIMIT 1")
        except sqlite3.Error as error:
            raise ValueError(
                f"{path}: not a cache of ratings ({error}); name another file, or delete it"
            ) from None

    def read(self, keys: Sequence[str]) -> dict[str, Columns]:
        """Return the columns of the classes that the cache contains.

        Raises
        ------
        ValueError
            If a row differs from what was written.
        """
        columns: dict[str, Columns] = {}
        with self._errors_named():
            for key in keys:
                row = self._file.execute(
                    "SELECT numbers FROM columns WHERE context = ? AND class = ?",
                    (self._context, key),
                ).fetchone()
                if row is not None:
                    columns[key] = self._opened(key, row[0])
        return columns

    def write(self, columns: Mapping[str, Columns]) -> None:
        """Store the columns in one transaction."""
        rows: Iterable[tuple[str, str, bytes]] = (
            (self._context, key, self._sealed(key, numbers.astype("<f8").tobytes()))
            for key, numbers in columns.items()
        )
        with self._errors_named(), self._transaction():
            self._file.executemany("INSERT OR IGNORE INTO columns VALUES (?, ?, ?)", rows)

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """Commit the changes of the block, or undo them if anything fails."""
        self._file.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._file.execute("COMMIT")
        finally:
            if self._file.in_transaction:
                self._file.execute("ROLLBACK")

    def _sealed(self, key: str, numbers: bytes) -> bytes:
        """Return the numbers, preceded by a hash of the settings, the class and the numbers."""
        hashed = f"{self._context} {key} ".encode() + numbers
        return hashlib.sha256(hashed).digest()[:_SEAL] + numbers

    def _opened(self, key: str, kept: Any) -> Columns:
        if not isinstance(kept, bytes) or self._sealed(key, kept[_SEAL:]) != kept:
            raise sqlite3.DatabaseError("a row is not as it was written")
        return np.frombuffer(kept[_SEAL:], dtype="<f8")

    @contextmanager
    def _errors_named(self) -> Iterator[None]:
        """Convert SQLite errors in the block into errors that name the file."""
        try:
            yield
        except sqlite3.OperationalError as error:  # locked, full, gone
            raise OSError(f"{self.path}: {error}; free it, or name another cache") from None
        except sqlite3.Error as error:
            raise ValueError(
                f"{self.path}: damaged cache of ratings ({error}); delete it; its ratings are "
                "computed again"
            ) from None

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()
