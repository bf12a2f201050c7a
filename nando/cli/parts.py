"""Rate a large bank in parts: files in, a folder of files out, with a manifest.

A worker reads a part, rates it and writes it, and returns only counts, so that reading and writing
scale with the number of workers on one machine or a cluster. Equivalent puzzles in different parts
are computed twice unless there is a cache.
"""

import hashlib
import json
import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from nando import puzzles
from nando.cli.progress import progress
from nando.cli.reading import without_drawings

ROWS = 1 << 16
"""Minimum number of rows of a part of a Parquet file, which has whole row groups; two minutes."""

MANIFEST = "_manifest.json"
FORMAT = "nando parts 1"

COLUMN = "puzzle"
"""Column of a Parquet file that holds the puzzles."""


_PAUSE = 20.0
"""Seconds between two writes of the manifest, which has a line for each of many thousand parts. If
the command is killed, the parts that were finished since the last write are repeated."""


class Part(NamedTuple):
    """A file, or some row groups of a Parquet file.

    Attributes
    ----------
    file : str
    first_row : int
        Index of the first row from 0; 0 for a whole file.
    groups : tuple of int
        Row groups of a Parquet file; empty for any other file, which is one part.
    """

    file: str
    first_row: int = 0
    groups: tuple[int, ...] = ()

    def entries(self, kind: str) -> Iterator["puzzles.Entry"]:
        """Yield an entry for each puzzle or faulty text, with its line or row."""
        from nando.puzzles.formats.table import read_table
        from nando.puzzles.lines import Line
        from nando.puzzles.sheets import parquet_lines

        puzzle_class = puzzles.find_puzzle(kind)
        if not self.groups:
            for found in puzzles.read_puzzles(self.file, puzzle_class):
                entry, note = without_drawings(found, kind)
                if note:
                    print(f"{self.file}:{entry.line}: {note}", file=sys.stderr)
                yield entry
            return
        lines = parquet_lines(self.file, self.file, self.groups, self.first_row)
        yield from read_table((Line(n, text, len(text)) for n, text in lines), puzzle_class)


class Done(NamedTuple):
    """The result of a part: its numbers of puzzles, and the hash of the file that was written."""

    n_read: int
    n_bad: int
    sha256: str


def is_parts(files: Sequence[str | bytes] | None, output: Path | None) -> bool:
    """Return True if the output of a command is a folder of parts.

    This is an existing folder, or a name without a suffix that does not exist yet.

    Raises
    ------
    ValueError
        If the output is a folder and the input is standard input or a puzzle.
    """
    if output is None or str(output) == "-":
        return False
    if not output.is_dir() and (output.suffix or output.exists()):
        return False
    if not files or not all(isinstance(file, str) and os.path.exists(file) for file in files):
        raise ValueError(
            f"{output}: give a file with a suffix, for example .csv; or, for a folder of parts, "
            "name files or folders to read"
        )
    return True


def parts_of(files: Sequence[str]) -> list[Part]:
    """Return the parts of files and of the files in folders.

    Raises
    ------
    OSError
        For a file that does not exist.
    ValueError
        For a folder without files, or a Parquet file that is damaged or has no column of puzzles.
    """
    parts: list[Part] = []
    for name in files:
        path = Path(name)
        if path.is_dir():
            inside = sorted(file for file in path.iterdir() if _is_part(file))
            if not inside:
                raise ValueError(f"{name}: no files in this folder")
        else:
            path.stat()  # raises OSError if the file does not exist
            inside = [path]
        for file in inside:
            parts += _row_groups(file) if file.suffix.lower() == ".parquet" else [Part(str(file))]
    return parts


def _is_part(path: Path) -> bool:
    return path.is_file() and not path.name.startswith((".", "_")) and path.name != MANIFEST


def _row_groups(path: Path) -> list[Part]:
    from nando.puzzles.sheets import open_parquet

    with open_parquet(str(path), str(path)) as file:
        names, metadata = file.schema_arrow.names, file.metadata
        sizes = [metadata.row_group(i).num_rows for i in range(metadata.num_row_groups)]
    if COLUMN not in names:
        raise ValueError(f"{path}: no column {COLUMN!r}; there are {', '.join(names)}")
    parts: list[Part] = []
    groups: list[int] = []
    first = row = 0
    for i, size in enumerate(sizes):
        groups.append(i)
        row += size
        if row - first >= ROWS or i == len(sizes) - 1:
            parts.append(Part(str(path), first, tuple(groups)))
            groups, first = [], row
    return parts


class Manifest:
    """The parts of a folder, which of them are done, and the settings they depend on.

    Parameters
    ----------
    folder : Path
        Created if it does not exist.
    settings : mapping
        Everything that rows depend on, as plain values.
    parts : sequence of Part
    resume : bool
        Keep the parts that are done.

    Attributes
    ----------
    done : dict of int to Done
        The results of the parts that are done, by their numbers.

    Raises
    ------
    ValueError
        If the folder has other parts, or `resume` is false and the folder has a manifest.
    """

    def __init__(
        self, folder: Path, settings: Mapping[str, Any], parts: Sequence[Part], resume: bool
    ) -> None:
        self.folder = folder
        self.parts = parts
        self.done: dict[int, Done] = {}
        self._head = {"format": FORMAT, "settings": dict(settings)}
        self._path = folder / MANIFEST
        folder.mkdir(parents=True, exist_ok=True)
        if self._path.exists():
            if not resume:
                raise ValueError(
                    f"{self._path} belongs to an earlier run: continue with --resume, or name "
                    "another folder"
                )
            self._read()
        self.write()

    def _read(self) -> None:
        from nando.puzzles.files import parse_json, read_text

        try:
            record = parse_json(read_text(self._path))
            rows = record["parts"]
            places = [(row["file"], row["first_row"]) for row in rows]
            same = {key: record[key] for key in self._head} == self._head
            if same and places == [(part.file, part.first_row) for part in self.parts]:
                known = map(self._recall, rows)
                self.done = {i: done for i, done in enumerate(known) if done is not None}
                return
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError(
                f"{self._path}: damaged manifest ({error!r}); delete it to make the parts again"
            ) from None
        raise ValueError(
            f"{self._path} belongs to a run with other files, model or settings: name another "
            "folder"
        )

    def _recall(self, row: Mapping[str, Any]) -> Done | None:
        """Return the result of a part, or None if its file is missing or has changed."""
        path = self.folder / row["name"]
        if row["sha256"] is None or not path.is_file() or sha256_of(path) != row["sha256"]:
            return None
        return Done(int(row["rows"]), int(row["bad"]), row["sha256"])

    def file(self, number: int) -> Path:
        """Return the file of a part."""
        return self.folder / f"part-{number:05d}.parquet"

    @property
    def left(self) -> list[int]:
        """Numbers of the parts that are not done."""
        return [i for i in range(len(self.parts)) if i not in self.done]

    def add(self, number: int, done: Done) -> None:
        """Record that a part is done, and write the manifest unless it was written recently."""
        self.done[number] = done
        if time.monotonic() >= self._written + _PAUSE:
            self.write()

    def write(self) -> None:
        """Write the manifest."""
        from nando.writing import write_file

        rows = []
        for i, part in enumerate(self.parts):
            rows_read, bad, sha256 = self.done.get(i, (None, None, None))
            place = {"name": self.file(i).name, "file": part.file, "first_row": part.first_row}
            rows.append({**place, "rows": rows_read, "bad": bad, "sha256": sha256})
        write_file(self._path, json.dumps({**self._head, "parts": rows}, indent=1) + "\n")
        self._written = time.monotonic()


def sha256_of(path: Path) -> str:
    """Return the SHA-256 hash of a file, in hexadecimal."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


Work = Callable[[Part, Path], Done]
"""A function that reads a part and writes a file; it is called in other processes."""


def run_parts(manifest: Manifest, work: Work, jobs: int | None) -> int:
    """Work on all parts that are left, in processes or on a cluster; return the exit status."""
    from joblib import Parallel, delayed

    if manifest.done:
        print(f"resumed: {len(manifest.done):,} parts are done", file=sys.stderr)
    with progress("rated:", to_file=True, total=len(manifest.parts), unit="parts") as advance:
        advance(len(manifest.done))
        results = Parallel(n_jobs=jobs, return_as="generator_unordered", batch_size=1)(
            delayed(_work_on)(work, i, manifest.parts[i], manifest.file(i)) for i in manifest.left
        )
        try:
            for number, done in results:
                manifest.add(number, done)
                advance(1)
        finally:
            manifest.write()
    n_read = sum(done.n_read for done in manifest.done.values())
    n_bad = sum(done.n_bad for done in manifest.done.values())
    if not n_read:
        raise ValueError("no puzzles found in any of the files")
    if n_bad:
        print(
            f"{n_bad:,} of {n_read:,} puzzles cannot be used; see the column 'error'",
            file=sys.stderr,
        )
    return 1 if n_bad else 0


def _work_on(work: Work, number: int, part: Part, output: Path) -> tuple[int, Done]:
    return number, work(part, output)
