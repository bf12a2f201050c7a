"""The finished rows of a long command, kept next to its output until the output is written."""

import json
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

from nando.writing import check_writable, named_errors, remove_abandoned, write_file


class Journal:
    """A file of finished rows, one JSON object per line; the first line holds the settings.

    Each line ends with a checksum. The journal ends at the first damaged line, and later rows are
    computed again. Rows are flushed to the system at once, so that Ctrl-C, a crash or a kill loses
    none, and are not held in memory. An output that is not a regular file has no journal and cannot
    be resumed.

    Parameters
    ----------
    output : Path
    settings : mapping
        Everything the rows depend on, as plain values.
    resume : bool
        Continue with the existing rows.

    Attributes
    ----------
    path : Path
    n_kept : int
        Number of rows in the journal when it was opened.

    Raises
    ------
    ValueError
        If there is a journal and `resume` is false, or the journal belongs to a run with other
        settings.
    OSError
        If the file cannot be written.
    """

    def __init__(self, output: Path, settings: Mapping[str, Any], *, resume: bool) -> None:
        self.path = output.with_name(output.name + ".part")
        self.n_kept = 0
        self._file: IO[bytes] | None = None
        if output.exists() and not output.is_file():
            return
        if self.path.is_dir():
            raise IsADirectoryError(21, "Is a directory", str(self.path))
        head = _line({"nando": dict(sorted(settings.items()))})
        if not self.path.exists():
            check_writable(output)
            write_file(self.path, head)
        elif not resume:
            raise ValueError(
                f"{self.path} has the results of an interrupted run: continue with --resume, "
                "or delete it"
            )
        else:
            remove_abandoned(output)
        self._file = open(self.path, "r+b")  # noqa: SIM115
        if self._file.readline() != head:
            self._file.close()
            raise ValueError(
                f"{self.path} belongs to a run with other options, or is damaged: "
                "use the same options, or delete it"
            )
        self._first = end = self._file.tell()
        while _row(line := self._file.readline(_LONGEST)) is not None:
            self.n_kept += 1
            end += len(line)
        self._file.seek(end)
        self._file.truncate()

    def kept(self) -> Iterator[dict[str, Any]]:
        """Yield the rows that were in the journal when it was opened, in order."""
        if self._file is None:
            return
        with open(self.path, "rb") as file:
            file.seek(self._first)
            for _ in range(self.n_kept):
                row = _row(file.readline(_LONGEST))
                if row is None:
                    raise ValueError(f"{self.path} was changed while it was read: start again")
                yield row

    def add(self, rows: Iterable[Mapping[str, Any]]) -> None:
        """Add rows."""
        if self._file is not None:
            with named_errors(self.path):
                self._file.write(b"".join(map(_line, rows)))
                self._file.flush()

    def close(self, *, done: bool) -> None:
        """Close the journal; if `done`, delete it, because the output is written."""
        if self._file is not None:
            with named_errors(self.path):
                self._file.close()
            if done:
                self.remove()

    def remove(self) -> None:
        """Delete the journal."""
        if self._file is not None:
            self.path.unlink()

    @property
    def is_kept(self) -> bool:
        """True if there is a journal to resume from."""
        return self._file is not None


_LONGEST = 1 << 24
"""Most bytes of a line; a row has a few hundred."""


def _line(row: Mapping[str, Any]) -> bytes:
    """Return a row as JSON, a tab (which JSON escapes) and a checksum."""
    text = json.dumps(row).encode()
    return b"%s\t%08x\n" % (text, zlib.crc32(text))


def _row(line: bytes) -> dict[str, Any] | None:
    """Return the row of a line; None if the line is damaged."""
    text, _, rest = line.rpartition(b"\t")
    if rest != b"%08x\n" % zlib.crc32(text):
        return None
    with suppress(ValueError, RecursionError):
        row = json.loads(text)
        return row if isinstance(row, dict) else None
    return None
