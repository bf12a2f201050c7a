"""Banks that are too long for one process to read and write: parts in, parts out, one manifest.

A worker reads its part, rates it, and writes it; only counts come back. So reading and writing grow
with the workers, on one machine as on a cluster. Parts do not know each other's puzzles: equivalent
ones in two parts are computed twice, unless there is a cache.
"""

import hashlib
import json
import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from nando.cli.progress import Expected, progress
from nando.cli.reading import PuzzleFiles

if TYPE_CHECKING:
    from nando.puzzles import Entry

ROWS = 1 << 16
"""Rows of a part of a Parquet file, rounded up to whole row groups: some two minutes of work."""

MANIFEST = "_manifest.json"
FORMAT = "nando parts 1"

COLUMN = "puzzle"
"""Column of a Parquet file that has the puzzles."""


_PAUSE = 20
"""The manifest of many thousand parts takes a tenth of a second to write; then it rests so many
times as long. A kill in between costs the parts that were done since."""


class Part(NamedTuple):
    """A file, or some row groups of a Parquet file.

    Attributes
    ----------
    file : str
    first_row : int
        Number of the row before the first, 0 for a whole file.
    groups : tuple of int
        Row groups; none for a file of another kind, which is a part by itself.
    """

    file: str
    first_row: int = 0
    groups: tuple[int, ...] = ()

    def entries(self, kind: str) -> Iterator["Entry"]:
        """Yield the puzzles, and the texts that are none, by line or row."""
        from nando.puzzles import Entry, PuzzleError, find_puzzle, read_puzzles

        puzzle_class = find_puzzle(kind)
        if not self.groups:
            yield from read_puzzles(self.file, puzzle_class)
            return
        import pyarrow.parquet as pq

        with pq.ParquetFile(self.file) as file:
            texts = file.read_row_groups(list(self.groups), columns=[COLUMN]).column(COLUMN)
        for row, text in enumerate(texts.to_pylist(), self.first_row + 1):
            text = "" if text is None else str(text)
            try:
                yield Entry.of(row, text, puzzle_class.parse(text))
            except PuzzleError as error:
                yield Entry.of(row, text, error)


class Done(NamedTuple):
    """What a worker says of a part: its numbers, and the hash of the file it has written."""

    n_read: int
    n_bad: int
    sha256: str


def is_parts(files: Sequence[str | bytes] | None, output: Path | None) -> bool:
    """Return True if a command is asked to work in parts.

    Its output is then a folder, or is not there and has no suffix.

    Raises
    ------
    ValueError
        For a folder, and nothing but standard input or a puzzle to read.
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
    """Return the parts of files and folders, by name.

    Raises
    ------
    OSError
        For a file that is not there.
    ValueError
        For a folder without files, and a Parquet file that is damaged or has no puzzles.
    """
    parts: list[Part] = []
    for name in files:
        path = Path(name)
        if path.is_dir():
            inside = sorted(one for one in path.iterdir() if _is_part(one))
            if not inside:
                raise ValueError(f"{name}: no files in this folder")
        else:
            path.stat()  # told at once where it is not there
            inside = [path]
        for one in inside:
            parts += _row_groups(one) if one.suffix.lower() == ".parquet" else [Part(str(one))]
    return parts


def kind_of_part(part: Part, wanted: str | None) -> str:
    """Return the kind that is wanted, or that of the first puzzle of a part; else Sudoku."""
    from nando.puzzles import Sudoku, find_puzzle, kind_of_text

    if wanted is not None:
        return find_puzzle(wanted).kind
    if not part.groups:
        return PuzzleFiles([part.file]).kind
    first = next((entry.text for entry in part.entries(Sudoku.kind)), "")
    return kind_of_text(first) or Sudoku.kind


def _is_part(path: Path) -> bool:
    return path.is_file() and not path.name.startswith((".", "_")) and path.name != MANIFEST


def _row_groups(path: Path) -> list[Part]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(path) as file:
            names, metadata = file.schema_arrow.names, file.metadata
            sizes = [metadata.row_group(i).num_rows for i in range(metadata.num_row_groups)]
    except pa.ArrowInvalid as error:
        raise ValueError(f"{path}: damaged Parquet file ({error}); take another copy") from None
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


@dataclass
class Manifest:
    """Which parts of a folder are done, and what they depend on.

    Parameters
    ----------
    folder : Path
        Made where it is not there.
    settings : mapping
        Everything that rows depend on, as plain values.
    parts : sequence of Part
    resume : bool
        Go on with the parts that are done.

    Raises
    ------
    ValueError
        For a folder with other parts, or with these where `resume` is false.
    """

    folder: Path
    settings: Mapping[str, Any]
    parts: Sequence[Part]
    resume: bool

    def __post_init__(self) -> None:
        self.done: dict[int, Done] = {}
        of_file = Counter(part.file for part in self.parts)
        sizes = {file: _size(file) / count for file, count in of_file.items()}
        self._bytes = [sizes[part.file] for part in self.parts]
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self.folder / MANIFEST
        if path.exists():
            self._read(path)
        self.write()

    def _read(self, path: Path) -> None:
        from nando.puzzles.files import parse_json, read_text

        if not self.resume:
            raise ValueError(
                f"{path} is of an earlier run: continue with --resume, or name another folder"
            )
        try:
            record = parse_json(read_text(path))
            rows = record["parts"]
            same = record["format"] == FORMAT and record["settings"] == dict(self.settings)
            same &= [(row["file"], row["first_row"]) for row in rows] == [
                (part.file, part.first_row) for part in self.parts
            ]
            listed = [self._known(row) for row in rows] if same else []
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError(
                f"{path}: damaged manifest ({error!r}); delete it, and the parts are made again"
            ) from None
        if not same:
            raise ValueError(
                f"{path} is of a run with other files, model or settings: name another folder"
            )
        self.done = {i: done for i, done in enumerate(listed) if done is not None}

    def _known(self, row: Mapping[str, Any]) -> Done | None:
        """Return what is done of a part, if its file is as it was written."""
        if row["sha256"] is None:
            return None
        path = self.folder / row["name"]
        whole = path.is_file() and sha256_of(path) == row["sha256"]
        return Done(int(row["rows"]), int(row["bad"]), row["sha256"]) if whole else None

    def name(self, number: int) -> str:
        """File name of a part."""
        return f"part-{number:05d}.parquet"

    @property
    def left(self) -> list[int]:
        """Numbers of the parts that are not done."""
        return [i for i in range(len(self.parts)) if i not in self.done]

    def expected(self) -> Expected | None:
        """About how many puzzles there are, by the bytes of the parts that are done."""
        n_read = sum(done.n_read for done in self.done.values())
        n_bytes = sum(self._bytes[i] for i in self.done)
        if not n_read or not n_bytes:
            return None
        about = len(self.done) < len(self.parts)
        return Expected(round(n_read * sum(self._bytes) / n_bytes), about)

    def add(self, number: int, done: Done) -> None:
        """Note that a part is done; of many parts, in the file only now and then."""
        self.done[number] = done
        if time.monotonic() >= self._write_from:
            self.write()

    def write(self) -> None:
        """Write the file anew."""
        from nando.writing import replaced_file

        start = time.monotonic()
        rows = []
        for i, part in enumerate(self.parts):
            done = self.done.get(i)
            rows.append(
                {
                    "name": self.name(i),
                    "file": part.file,
                    "first_row": part.first_row,
                    "rows": None if done is None else done.n_read,
                    "bad": None if done is None else done.n_bad,
                    "sha256": None if done is None else done.sha256,
                }
            )
        record = {"format": FORMAT, "settings": dict(self.settings), "parts": rows}
        with replaced_file(self.folder / MANIFEST) as file:
            file.write((json.dumps(record, indent=1) + "\n").encode())
        end = time.monotonic()
        self._write_from = end + _PAUSE * (end - start)


def _size(file: str) -> int:
    """Bytes of a file; 0 of one that is gone, which the worker tells."""
    return os.path.getsize(file) if os.path.exists(file) else 0


def sha256_of(path: Path) -> str:
    """Hash of a file."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


Work = Callable[[Part, Path], Done]
"""Reads a part, works on it and writes a file. It is called in other processes."""


def run_parts(manifest: Manifest, work: Work, jobs: int | None) -> int:
    """Work on all parts that are left, in processes or on the cluster in use; the exit status."""
    from joblib import Parallel, delayed

    if manifest.done:
        print(f"resumed: {len(manifest.done):,} parts are done", file=sys.stderr)
    with progress("rated:", to_file=True, total=manifest.expected) as advance:
        advance(sum(done.n_read for done in manifest.done.values()))
        found = Parallel(n_jobs=jobs, return_as="generator_unordered", batch_size=1)(
            delayed(_numbered)(work, i, manifest.parts[i], manifest.folder / manifest.name(i))
            for i in manifest.left
        )
        try:
            for number, done in found:
                manifest.add(number, done)
                advance(done.n_read)
        finally:
            manifest.write()
    n_read = sum(done.n_read for done in manifest.done.values())
    n_bad = sum(done.n_bad for done in manifest.done.values())
    if not n_read:
        raise ValueError("no puzzles found in any of the files")
    if n_bad:
        print(f"{n_bad:,} of {n_read:,} puzzles cannot be used; see 'error'", file=sys.stderr)
    return 1 if n_bad else 0


def _numbered(work: Work, number: int, part: Part, output: Path) -> tuple[int, Done]:
    return number, work(part, output)
