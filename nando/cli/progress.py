"""Progress on standard error."""

import sys
from collections.abc import Callable, Iterator
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
def progress(
    doing: str,
    *,
    to_file: bool,
    total: int | Callable[[], int | None] | None = None,
    what: str = "puzzles",
) -> Iterator[Advance]:
    """A count on standard error if that is a terminal, with the time left where that is known.

    There is none if the rows themselves appear on the terminal.

    Parameters
    ----------
    doing : str
        What was done with those counted, such as ``"rated:"``.
    to_file : bool
        Whether the rows go to a file.
    total : int, callable or None
        How many there are, or what counts them; it is asked only where the progress is shown. None
        is unknown.
    what : str
        What is counted; empty for one piece of work, of which only the time so far is shown.
    """
    if not sys.stderr.isatty() or (sys.stdout.isatty() and not to_file):
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        Progress,
        ProgressColumn,
        SpinnerColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    known = total() if callable(total) else total
    count = f"{{task.completed:,.0f}}{'' if known is None else f' of {known:,}'} {what}"
    text = TextColumn("{task.description}" + (f" {count}" if what else ""))
    columns: list[ProgressColumn] = [
        SpinnerColumn() if known is None else BarColumn(),
        text,
        TimeElapsedColumn(),
    ]
    if known is not None:
        columns += [TextColumn("time left"), TimeRemainingColumn()]
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, redirect_stdout=False) as bar:
        task = bar.add_task(doing, total=known)
        yield lambda n: bar.advance(task, n)
