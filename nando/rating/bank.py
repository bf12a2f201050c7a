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
from nando.checks import cores, share
from nando.features.classes import classes_of
from nando.features.extractor import in_parts, naming_bad
from nando.puzzles import Puzzle, PuzzleLike, as_puzzles
from nando.rating.base import Rater
from nando.rating.rating import Rating
from nando.rating.sources import columns_digest, ratings_digest
from nando.solvers.protocol import check_runs

Columns = Floats
"""The columns of a model, for one puzzle or several."""

_SEAL = 8
"""Bytes of the hash at the start of each cache row."""
_REMEMBERED = 1 << 18
"""Classes that are kept in memory: at most 100 MB."""


class Bank:
    """Rates puzzles by their classes. Several threads may share a bank that has no cache.

    Parameters
    ----------
    rater : Rater
    cache : RatingCache or None
        Keeps columns between runs.
    n_jobs, runs, coverage
        As in :meth:`Rater.rate`.

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
    ) -> None:
        cores(n_jobs)
        if runs is not None:
            check_runs(runs)
        if coverage is not None:
            share("coverage", coverage)
        self.rater = rater
        self.cache = cache
        self.coverage = coverage
        self.computed = 0
        """Classes computed so far."""
        self._extractor = rater.extractor_for(n_jobs=n_jobs, runs=runs)
        self._columns: dict[str, Columns] = {}
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

    def columns(self, puzzles: Iterable[PuzzleLike]) -> Columns:
        """Return the model's columns of puzzles, shape ``(n_puzzles, n_columns)``."""
        read = as_puzzles(puzzles)
        with naming_bad(read):
            keys = list(in_parts(classes_of, read, self._extractor.n_jobs))
            known = self._known(dict(zip(keys, read, strict=True)))
        return np.array([known[key] for key in keys]).reshape(len(keys), len(self.rater.columns))

    def _known(self, classes: Mapping[str, Puzzle]) -> dict[str, Columns]:
        """Return the columns of classes, each given with one of its puzzles.

        They come from memory, from the cache or from a new computation.
        """
        with self._lock:
            known = {key: self._columns[key] for key in classes if key in self._columns}
        if self.cache is not None:
            known |= self.cache.read([key for key in classes if key not in known])
        missing = [key for key in classes if key not in known]
        if missing:
            puzzles = [classes[key] for key in missing]
            table = self._extractor.class_table(puzzles, missing, self.rater.columns)
            computed = dict(zip(missing, table, strict=True))
            known |= computed
            if self.cache is not None:
                self.cache.write(computed)
        with self._lock:
            self.computed += len(missing)
            for key in classes:  # the least recently used classes are dropped first
                self._columns.pop(key, None)
                self._columns[key] = known[key]
            while len(self._columns) > _REMEMBERED:
                del self._columns[next(iter(self._columns))]
        return known

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
