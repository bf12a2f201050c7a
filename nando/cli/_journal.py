"""What a long command has finished, kept beside its output until the output is written."""

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import IO, Any

from nando.puzzles.writing import remove_abandoned


class Journal:
    """Rows, one JSON object a line, after a first line that says what they are the rows of.

    They are with the system as soon as they are added, so neither Ctrl-C nor a crash nor a kill
    loses a finished one; nor do they fill the memory. Where the output is no regular file there is
    no journal, and nothing to resume.

    Parameters
    ----------
    output : Path
    settings : mapping
        Everything the rows depend on, as plain values.
    resume : bool
        Go on with the rows that are there.

    Attributes
    ----------
    path : Path
    n_kept : int
        Rows there were at the start.

    Raises
    ------
    ValueError
        Where there is a journal and `resume` is not asked for, and where the journal is that of a
        run with other settings.
    OSError
        Where the file cannot be written.
    """

    def __init__(self, output: Path, settings: Mapping[str, Any], *, resume: bool) -> None:
        self.path = output.with_name(output.name + ".part")
        self.n_kept = 0
        self._file: IO[bytes] | None = None
        if output.exists() and not output.is_file():
            return
        head = json.dumps({"nando": settings}, sort_keys=True).encode() + b"\n"
        if not self.path.exists():
            fresh = self.path.with_name(self.path.name + ".new")
            fresh.write_bytes(head)
            os.replace(fresh, self.path)
        elif not resume:
            raise ValueError(
                f"{self.path} keeps what an interrupted run has finished: go on with --resume, "
                "or delete it"
            )
        else:
            remove_abandoned(output)
        self._file = open(self.path, "r+b")  # noqa: SIM115
        if self._file.readline() != head:
            self._file.close()
            raise ValueError(
                f"{self.path} is of a run with other options: give the same ones, or delete it"
            )
        self._first = end = self._file.tell()
        for line in self._file:
            if not _is_row(line):  # a kill has cut it
                break
            self.n_kept += 1
            end += len(line)
        self._file.seek(end)
        self._file.truncate()

    def kept(self) -> Iterator[dict[str, Any]]:
        """The rows there were at the start, in order."""
        if self._file is None:
            return
        with open(self.path, "rb") as file:
            file.seek(self._first)
            for _ in range(self.n_kept):
                yield json.loads(file.readline())

    def add(self, rows: Iterable[Mapping[str, Any]]) -> None:
        """Keep rows."""
        if self._file is not None:
            self._file.write(b"".join(json.dumps(row).encode() + b"\n" for row in rows))
            self._file.flush()

    def close(self, *, done: bool) -> None:
        """End; the file goes where the output is written."""
        if self._file is not None:
            self._file.close()
            if done:
                self.remove()

    def remove(self) -> None:
        """Delete the file."""
        if self._file is not None:
            self.path.unlink()

    @property
    def is_kept(self) -> bool:
        """Whether there is a file to resume from."""
        return self._file is not None


def _is_row(line: bytes) -> bool:
    if not line.endswith(b"\n"):
        return False
    try:
        return isinstance(json.loads(line), dict)
    except ValueError:
        return False
