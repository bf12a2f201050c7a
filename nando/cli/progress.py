"""Progress on standard error."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol


def announce_compiling() -> None:
    """Announce the compilation of kernels in the first run of a version."""
    from nando.kernels.compile import on_first_compile

    def tell() -> None:
        print("compiling kernels, once for this version (up to two minutes) ...", file=sys.stderr)

    on_first_compile(tell)


class Advance(Protocol):
    """Counts finished puzzles."""

    def __call__(self, n: int, /) -> None:
        """Note `n` more."""
        ...


@contextmanager
def progress(doing: str, *, to_file: bool, total: int | None = None) -> Iterator[Advance]:
    """A count of puzzles on standard error if that is a terminal.

    There is none if the rows themselves appear on the terminal.
    """
    if not sys.stderr.isatty() or (sys.stdout.isatty() and not to_file):
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    of = "" if total is None else f" of {total:,}"
    columns = (
        SpinnerColumn() if total is None else BarColumn(),
        TextColumn("{task.description} {task.completed:,.0f}" + of + " puzzles"),
        TimeElapsedColumn(),
    )
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, redirect_stdout=False) as bar:
        task = bar.add_task(doing, total=total)
        yield lambda n: bar.advance(task, n)
