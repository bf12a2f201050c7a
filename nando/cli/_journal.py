"""What a long command has finished, kept beside its output until the output is written."""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any


class Journal:
    """Rows, one JSON object a line, after a first line that says what they are the rows of.

    It is on disk after each row, so neither Ctrl-C nor a crash loses a finished one. Where the
    output is no regular file there is no journal, and nothing to resume.

    Parameters
    ----------
    output : Path
    settings : mapping
        Everything the rows depend on, as plain values.
    resume : bool
        Go on with the rows that are there.

    Raises
    ------
    ValueError
        Where there is a journal and `resume` is not asked for, and where the journal is that of a
        run with other settings.
    OSError
        Where the file cannot be written.
    """

    def __init__(self, output: Path, settings: Mapping[str, Any], *, resume: bool) -> None:
        self.rows: list[dict[str, Any]] = []
        self.path = output.with_name(output.name + ".part")
        self._file: IO[str] | None = None
        if output.exists() and not output.is_file():
            return
        head = json.dumps({"nando": settings}, sort_keys=True)
        if self.path.exists():
            if not resume:
                raise ValueError(
                    f"{self.path} keeps what an interrupted run has finished: go on with --resume, "
                    "or delete it"
                )
            self._read(head)
        # Rewritten, since a crash may have cut its last line.
        fresh = self.path.with_name(self.path.name + ".new")
        self._file = open(fresh, "w", encoding="utf-8")  # noqa: SIM115
        self._file.write(head + "\n")
        rows, self.rows = self.rows, []
        for row in rows:
            self.add(row)
        self._file.flush()
        os.replace(fresh, self.path)

    def _read(self, head: str) -> None:
        lines = self.path.read_text(encoding="utf-8").split("\n")
        if lines[0] != head:
            raise ValueError(
                f"{self.path} is of a run with other options: give the same ones, or delete it"
            )
        for line in lines[1:]:
            try:
                self.rows.append(json.loads(line))
            except ValueError:
                break

    def add(self, row: dict[str, Any]) -> None:
        """Keep a row."""
        self.rows.append(row)
        if self._file is not None:
            self._file.write(json.dumps(row) + "\n")
            self._file.flush()

    def close(self, *, done: bool) -> None:
        """End; the file goes where the output is written."""
        if self._file is not None:
            self._file.close()
            if done:
                self.path.unlink()

    @property
    def is_kept(self) -> bool:
        """Whether there is a file to resume from."""
        return self._file is not None
