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
from typing import Any, NamedTuple, Self

import numpy as np

from nando import __version__
from nando.arrays import Floats
from nando.checks import cores, share, whole
from nando.features.classes import classes_of, members, stream_of
from nando.features.extractor import in_parts, naming_bad, random_streams
from nando.features.feature import FeatureGroup
from nando.features.groups import KINDS, find_groups, kinds_of
from nando.puzzles import Puzzle, PuzzleLike, as_puzzles
from nando.rating.model import Rater
from nando.rating.result import Rating, Ratings
from nando.solvers.protocol import check_runs

Columns = Floats
"""The columns of a model, for one puzzle or several."""

_SEAL = 8
"""Bytes of the hash at the start of each cache row."""
_LATEST = 4096
"""Most puzzles whose classes are kept: a puzzle is rated soon after a search has judged it."""


class _Class(NamedTuple):
    """The class of a puzzle, the number of its random stream, and the member that is rated."""

    key: str
    stream: int
    member: Puzzle


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
    >>> one, two = Bank(load_model()).rate([puzzle, turned])
    >>> one.predicted == two.predicted
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
        """Classes computed so far, without those of a search."""
        self._extractor = rater.extractor_for(n_jobs=n_jobs, runs=runs)
        columns = {name: place for place, name in enumerate(rater.columns)}
        self.groups = [
            group
            for group in find_groups(self._extractor.groups)
            if any(own.name in columns for own in group.features)
        ]
        """The groups of features that the model needs."""
        self._places = {
            group.name: (
                [own.name in columns for own in group.features],
                [columns[own.name] for own in group.features if own.name in columns],
            )
            for group in self.groups
        }
        self._rows: dict[str, Columns] = {}
        self._latest: dict[tuple[str, str], _Class] = {}
        self._lock = Lock()

    def rate(self, puzzles: Iterable[PuzzleLike]) -> Ratings[Rating]:
        """Rate puzzles that each have exactly one solution.

        Parameters
        ----------
        puzzles : iterable of Puzzle, or of anything that :func:`nando.puzzles.as_puzzle` takes

        Returns
        -------
        Ratings of Rating
            As from :meth:`Rater.rate`.
        """
        read = as_puzzles(puzzles)
        return self.rater.rate_columns(self.columns(read), read, coverage=self.coverage)

    def columns(self, puzzles: Iterable[PuzzleLike]) -> Columns:
        """Return the model's columns of puzzles, shape ``(n_puzzles, n_columns)``.

        They come from memory, from the cache or from a new computation.
        """
        read = as_puzzles(puzzles)
        with naming_bad(read):
            classes = [self._latest.get((puzzle.kind, puzzle.text)) for puzzle in read]
            unknown = [puzzle for puzzle, own in zip(read, classes, strict=True) if own is None]
            found = iter(in_parts(classes_of, unknown, self._extractor.n_jobs))
            keys = [next(found) if own is None else own.key for own in classes]
            one_of = dict(zip(keys, read, strict=True))
            rows = self._recall(one_of)
            missing = [key for key, row in rows.items() if np.isnan(row).any()]
            if missing:
                chosen = [one_of[key] for key in missing]
                table = self._extractor.class_table(chosen, missing, self.rater.columns)
                computed = dict(zip(missing, table, strict=True))
                rows |= computed
                if self.cache is not None:
                    self.cache.write(computed)
        self._keep(rows)
        self.computed += len(missing)
        return np.array([rows[key] for key in keys]).reshape(len(keys), len(self.rater.columns))

    def columns_of_groups(
        self, puzzles: Sequence[Puzzle], groups: Iterable[FeatureGroup]
    ) -> Columns:
        """Return the model's columns of puzzles, of which those of other groups may be NaN.

        Parameters
        ----------
        puzzles : sequence of Puzzle
            Each with exactly one solution; few, because this thread alone computes them.
        groups : iterable of FeatureGroup
            Some of the bank's `groups`.
        """
        classes = self._classes_of(puzzles)
        rows = self._recall([own.key for own in classes])
        table = np.array([rows[own.key] for own in classes])
        for group in groups:
            wanted, places = self._places[group.name]
            new = np.flatnonzero(np.isnan(table[:, places[0]]))
            if new.size:
                chosen = [classes[i] for i in new.tolist()]
                streams = [own.stream for own in chosen]
                rngs = random_streams(self._extractor.random_state, streams, group.number)
                runs = self._extractor.runs or group.runs
                computed = np.asarray(group.rows([own.member for own in chosen], runs, rngs))
                table[new[:, None], places] = computed[:, wanted]
        self._keep(dict(zip([own.key for own in classes], table, strict=True)))
        return table

    def _classes_of(self, puzzles: Sequence[Puzzle]) -> list[_Class]:
        """Return the classes of a few puzzles, and remember the latest."""
        names = [(puzzle.kind, puzzle.text) for puzzle in puzzles]
        latest = {name: self._latest[name] for name in names if name in self._latest}
        new = {
            name: puzzle for name, puzzle in zip(names, puzzles, strict=True) if name not in latest
        }
        if new:
            keys = classes_of(list(new.values()))
            streams = [stream_of(key) for key in keys]
            drawn = members(list(zip(new.values(), keys, streams, strict=True)))
            latest |= zip(new, map(_Class, keys, streams, drawn), strict=True)
            if len(self._latest) > _LATEST:
                self._latest = {}
            self._latest |= latest
        return [latest[name] for name in names]

    def _recall(self, keys: Iterable[str]) -> dict[str, Columns]:
        """Return the known columns of classes; the others are NaN."""
        blank = np.full(len(self.rater.columns), np.nan)
        with self._lock:
            rows = {key: self._rows.get(key, blank) for key in keys}
        if self.cache is not None:
            rows |= self.cache.read([key for key, row in rows.items() if row is blank])
        return rows

    def _keep(self, rows: Mapping[str, Columns]) -> None:
        """Remember columns; those of the least recently used classes are dropped first."""
        with self._lock:
            for key in rows:
                self._rows.pop(key, None)
            self._rows |= rows
            while len(self._rows) > self.remembered:
                del self._rows[next(iter(self._rows))]

    def identity(self) -> dict[str, Any]:
        """Return everything except the class that columns depend on, as plain values."""
        return {
            "model_id": self.rater.model_id,
            "random_state": self._extractor.random_state,
            "runs": self._extractor.runs,
            "columns": {kind: KINDS[kind].version for kind in kinds_of(self._extractor.groups)},
        }

    def ratings_identity(self) -> dict[str, Any]:
        """Return everything except the puzzle that ratings depend on, as plain values."""
        return self.identity() | {"nando": __version__}


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
                    columns[key] = self._open(key, row[0])
        return columns

    def write(self, columns: Mapping[str, Columns]) -> None:
        """Store the columns in one transaction."""
        rows: Iterable[tuple[str, str, bytes]] = (
            (self._context, key, self._seal(key, numbers.astype("<f8").tobytes()))
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

    def _seal(self, key: str, numbers: bytes) -> bytes:
        """Return the numbers, preceded by a hash of the settings, the class and the numbers."""
        hashed = f"{self._context} {key} ".encode() + numbers
        return hashlib.sha256(hashed).digest()[:_SEAL] + numbers

    def _open(self, key: str, kept: Any) -> Columns:
        if not isinstance(kept, bytes) or self._seal(key, kept[_SEAL:]) != kept:
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
