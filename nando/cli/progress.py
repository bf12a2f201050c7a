"""Progress of a command on standard error."""

import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import cache
from typing import TYPE_CHECKING, NamedTuple, Protocol

from nando import rating
from nando.checks import how_many

if TYPE_CHECKING:
    from rich.progress import Progress


STEPS = ("ladder", "chains", "exact")
RATING = (*STEPS, "people", "classes")
"""Tasks of `nando.precompile` that explanations and ratings need."""


def announce_compiling(*tasks: str) -> None:
    """Print a message when kernels must be compiled, and compile them on all cores.

    Parameters
    ----------
    *tasks : str
        Tasks of `nando.precompile` that the command needs.
    """
    from nando.kernels.extensions import on_first_compile

    def begin(module: str) -> None:
        _say_compiling()
        if tasks:
            from nando.precompile import compile_together

            known = (kind for kind in ("nurikabe", "variant") if kind in module)
            kind = next(known, "sudoku")
            compile_together(kind, tasks)

    on_first_compile(begin)


@cache
def _say_compiling() -> None:
    """Print that kernels are compiled, once even if a command compiles at several stages."""
    print(
        "compiling kernels that no command has needed so far, to keep them (half a minute) ...",
        file=sys.stderr,
    )


_FEW = 5
"""A pace from fewer games is called uncertain."""


def announce_pace(model: "rating.Rater", player: str | None) -> None:
    """Print what a model knows about its player on standard error; nothing without a player."""
    if model.pace_ is not None:
        print(_describe_pace(model.pace_, player), file=sys.stderr)


def _describe_pace(pace: "rating.Pace", player: str | None) -> str:
    share, low, high = pace.factor()
    line = (
        f"{player or 'the player'}: {how_many(pace.games, 'game')}, "
        f"{share:.0%} of the typical person's time ({low:.0%} to {high:.0%})"
    )
    if pace.carried:
        return f"{line}; none of this kind of puzzle, so only the pace carries over"
    return f"{line}; a few games say little about a pace" if pace.games < _FEW else line


class Advance(Protocol):
    """A function that counts finished puzzles."""

    def __call__(self, n: int, /) -> None:
        """Count `n` more."""
        ...


_REMEMBERED = 600.0
"""Seconds over which the speed is averaged: a single fold of a fit may take a minute."""


class Expected(NamedTuple):
    """A number of puzzles, exact or estimated."""

    number: int
    about: bool = False

    def __str__(self) -> str:
        """Return for example ``about 1,000``."""
        return f"{'about ' if self.about else ''}{self.number:,}"


@contextmanager
def progress(
    doing: str,
    *,
    to_file: bool,
    total: int | Callable[[], Expected | None] | None = None,
    unit: str = "puzzles",
    stages: bool = False,
) -> Iterator[Advance]:
    """Show a count on standard error, with the time left if it is known.

    Nothing is shown if standard error is not a terminal, or if the rows appear on the terminal.

    Parameters
    ----------
    doing : str
        Beginning of the line, for example ``"rated:"``.
    to_file : bool
        True if the rows go to a file.
    total : int, callable or None
        The total, or a function that returns or estimates it. The function is called only if the
        progress is shown, and again whenever the count advances. None means unknown.
    unit : str
        What is counted; empty for a single piece of work, which shows only the elapsed time.
    stages : bool
        Show a line for each stage of the work that the library reports, with its time left.
    """
    if not sys.stderr.isatty() or (sys.stdout.isatty() and not to_file):
        yield lambda _: None
        return

    def expected() -> Expected | None:
        number = total() if callable(total) else total
        return Expected(number) if isinstance(number, int) else number

    def state(done: int) -> tuple[str, int | None]:
        known = expected()
        of = "" if known is None else f" of {known}"
        return f"{doing} {done:,}{of} {unit}" if unit else doing, known and known.number

    with display() as bar, _stages_in(bar) if stages else nullcontext():
        text, all_of_them = state(0)
        task = bar.add_task(text, total=all_of_them)

        def advance(n: int) -> None:
            done = int(bar.tasks[0].completed) + n
            text, all_of_them = state(done)
            bar.update(task, description=text, completed=done, total=all_of_them)

        yield advance


def display() -> "Progress":
    """Return an empty display with a line for each piece of work, and its time left if known."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, Task, TextColumn, TimeElapsedColumn
    from rich.progress import TimeRemainingColumn as Remaining
    from rich.text import Text

    class TimeLeft(Remaining):
        def render(self, task: Task) -> Text:
            left = super().render(task)
            return left if task.total is None else Text.assemble("time left ", left)

    return Progress(
        BarColumn(bar_width=20),
        TextColumn("{task.description}"),
        TimeElapsedColumn(),
        TimeLeft(),
        console=Console(stderr=True),
        transient=True,
        redirect_stdout=False,
        speed_estimate_period=_REMEMBERED,
    )


def _stages_in(bar: "Progress") -> AbstractContextManager[None]:
    """Show each stage of the work in a display while it lasts."""
    from nando.stages import watched

    @contextmanager
    def line(doing: str, total: int) -> Iterator[Advance]:
        task = bar.add_task(doing, total=total)
        done = 0

        def advance(n: int) -> None:
            nonlocal done
            done += n
            bar.update(task, description=f"  {doing}: {done:,} of {total:,}", completed=done)

        advance(0)
        try:
            yield advance
        finally:
            bar.remove_task(task)

    return watched(line)
