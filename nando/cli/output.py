"""The output of a command, and its format."""

import shutil
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Literal

from nando.cli.table import Shown, TableWriter, takes_colour
from nando.cli.writers import CsvWriter, JsonWriter, Layout, ParquetWriter, Writer

Format = Literal["table", "csv", "json", "jsonl", "parquet"]
"""Formats of the output."""

_SUFFIXES: dict[str, Format] = {
    ".txt": "table",
    ".csv": "csv",
    ".json": "json",
    ".jsonl": "jsonl",
    ".parquet": "parquet",
}


@dataclass(frozen=True)
class Destination:
    """A file or standard output, and its format.

    Parameters
    ----------
    path : Path or None
        None and ``-`` are standard output.
    chosen : Format or None
        None chooses by the suffix of the file.
    others : sequence of str
        Other suffixes that the command accepts, listed in the error for an unknown suffix.
    """

    path: Path | None
    chosen: Format | None = None
    others: Sequence[str] = ()

    @property
    def file(self) -> Path | None:
        """The file; None for standard output."""
        return None if self.path is None or str(self.path) == "-" else self.path

    @property
    def suffix(self) -> str:
        """The suffix of the path, in lower case."""
        return "" if self.path is None else self.path.suffix.lower()

    @property
    def form(self) -> Format:
        """The requested format, or by default the format of the suffix.

        Raises
        ------
        ValueError
            For an unknown suffix, or gzip of parquet.
        """
        if self.file is None:
            return self.chosen or "table"
        name = self.file.name.lower()
        form = self.chosen or _SUFFIXES.get(Path(name.removesuffix(".gz")).suffix)
        if form is None:
            known = ", ".join([*_SUFFIXES, *self.others])
            raise ValueError(f"{self.file}: unknown suffix; known: {known}, or give --format")
        if form == "parquet" and name.endswith(".gz"):
            raise ValueError(f"{self.file}: parquet is already compressed; leave out .gz")
        return form

    @property
    def is_json(self) -> bool:
        """True for a list of objects, and for one object per line."""
        return self.form in ("json", "jsonl")

    @property
    def is_for_people(self) -> bool:
        """True if the output is a table."""
        return self.form == "table"

    @contextmanager
    def opened(self, layout: Layout) -> Iterator[Writer]:
        """Open the output and yield a writer of rows.

        A file is replaced when the block ends without an error; OSError is raised at once if it is
        not writable. JSON is one object per line on standard output and in ``.jsonl``, else a list.
        """
        form = self.form
        if self.file is None:
            if form == "parquet" and sys.stdout.isatty():
                raise ValueError(
                    "parquet cannot be shown on a terminal: give -o FILE.parquet or use a pipe"
                )
            binary = getattr(sys.stdout, "buffer", None)
            writer = _writer(form, sys.stdout, binary, layout)
            yield writer
            writer.close()
            sys.stdout.flush()
            return
        from nando.writing import packed_text, replaced_file

        with replaced_file(self.file) as file, packed_text(file, self.file) as text:
            writer = _writer(form, text, file, layout)
            try:
                yield writer
            except BaseException:
                if isinstance(writer, ParquetWriter):
                    writer.abandon()
                raise
            writer.close()

    def write(self, layout: Layout, rows: Sequence[dict[str, Any]]) -> None:
        """Write all rows at once."""
        with self.opened(layout) as writer:
            writer.write(rows)

    def write_pages(self, pages: Sequence[str]) -> None:
        """Write pages of text, with a blank line between them."""
        self.write(Layout({}, [Shown("", 0, "text")]), [{"text": "\n\n".join(pages)}])

    def write_table(self, rows: Sequence[dict[str, Any]]) -> None:
        """Write rows whose columns are not known in advance."""
        from nando.rating.rating import plain

        rows = [{str(key): plain(value) for key, value in row.items()} for row in rows]
        columns = {
            key: type(value) if isinstance(value, int | float) else str
            for key, value in (rows[0] if rows else {}).items()
        }
        shown = [
            Shown(key, max([len(key), *(len(_short(row[key])) for row in rows)]) * sign, key)
            for key, kind in columns.items()
            for sign in [-1 if kind is str else 1]
        ]
        if columns and [*columns.values()][-1] is str:
            shown[-1] = shown[-1]._replace(width=0)
        self.write(Layout(columns, shown), rows)


def _short(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _writer(form: Format, text: IO[str], binary: IO[bytes] | None, layout: Layout) -> Writer:
    if form == "parquet":
        if binary is None:
            raise ValueError("parquet needs a file: give -o FILE.parquet")
        return ParquetWriter(binary, layout.columns)
    if form == "csv":
        return CsvWriter(text, layout.columns)
    if form in ("json", "jsonl"):
        return JsonWriter(text, layout.columns, lines=form == "jsonl")
    width = shutil.get_terminal_size().columns if text.isatty() else None
    return TableWriter(text, layout.shown, width=width, coloured=takes_colour(text))
