"""A game, reduced to the order and times in which the blanks were filled correctly.

Only the last entry of a cell counts, not entries that were erased or replaced. The game's notes
report what was dropped or repaired.

A log should have milliseconds since the start of each game. Many logs have something else: seconds,
dates, a device clock that was set during the game, or the clocks of two devices in turn. None of
this is evidence against a player. Times are therefore repaired where possible, repairs are always
reported, and unknown delays are excluded from the judgement.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from nando.arrays import Cells, Floats
from nando.games.kinds import find_kind
from nando.games.said import Said, figure, say, say_counted
from nando.puzzles import Puzzle, Values, blanks_of
from nando.puzzles.frozen import EqualFields
from nando.solvers import unique_solution

Move = tuple[float, int | str, int]
"""Milliseconds since the start, cell from 0, value (0 erases); a name is no cell of the grid."""


@dataclass(frozen=True, eq=False)
class Game(EqualFields):
    """A game as the order and the times of its fills.

    Attributes
    ----------
    name, player : str
    puzzle : Puzzle
        A puzzle with exactly one solution.
    solution : ndarray of int8, shape (n_cells,)
    cells : ndarray of int16, shape (n_moves,)
        Different blanks, in the order of their last entries.
    seconds : ndarray of float64, shape (n_moves,)
        Seconds since the start of the game, never decreasing.
    notes : tuple of str
        What was dropped or repaired, and the numbers of hints and pauses.
    waits : ndarray of float64, shape (n_moves,), or None
        Seconds from the previous entry of any kind to each fill; NaN if the clock does not show
        it. None uses the differences of `seconds`.
    doubtful : bool
        Whether the moves cannot come from a single game, so that they are not judged.
    n_hints : int
        Number of hints that the log records.
    n_corrections : int
        Number of entries that were erased or replaced, right or wrong.
    n_marks : int
        Number of pencil marks that the log records.
    """

    name: str
    player: str
    puzzle: Puzzle
    solution: Values = field(repr=False)
    cells: Cells = field(repr=False)
    seconds: Floats = field(repr=False)
    notes: tuple[str, ...] = ()
    waits: Floats | None = field(default=None, repr=False)
    doubtful: bool = False
    n_hints: int = 0
    n_corrections: int = 0
    n_marks: int = 0

    @classmethod
    def from_moves(
        cls,
        puzzle: Puzzle,
        moves: Iterable[Move],
        *,
        name: str = "",
        player: str = "",
        trusted_clock: bool = False,
    ) -> Self:
        """Reduce the entries of a game to its fills.

        Parameters
        ----------
        puzzle : Puzzle
        moves : iterable of (t_ms, cell, value)
            In the order of the log; a value of 0 erases.
        name, player : str
        trusted_clock : bool
            Whether the times are milliseconds for certain, for example those of one's own server.
            Otherwise a game that is faster than any hand is read as one in seconds.

        Raises
        ------
        PuzzleError
            If the puzzle does not have exactly one solution.
        ValueError
            For a kind without known games.

        Examples
        --------
        >>> from nando.datasets import load_examples
        >>> puzzle = load_examples().puzzles[0]
        >>> blank = int((puzzle.givens == 0).argmax())
        >>> game = Game.from_moves(puzzle, [(900, blank, 0), (1200, 99, 1)])
        >>> game.notes[0]
        '1 entry outside the grid or the digits, the first: cell 99, value 1'
        """
        kind, solution = find_kind(puzzle.kind), unique_solution(puzzle)
        n_cells, largest = len(solution), int(solution.max())
        faults = _Faults(n_cells)
        kept: list[tuple[float, int, int]] = []
        for t_ms, cell, value in moves:
            if isinstance(cell, str) or not (0 <= cell < n_cells and 0 <= value <= largest):
                faults.outside.append((cell, value))
            elif puzzle.givens[cell]:
                faults.given += value != puzzle.givens[cell]
            else:
                kept.append((t_ms, cell, value))
        times = np.array([t_ms for t_ms, _, _ in kept], np.float64)
        factor, unit = (1.0, "") if trusted_clock else unit_of(times)
        clock = repair_times(times * factor / 1000.0, trusted=trusted_clock)
        places = np.full(n_cells, -1, np.int64)
        entered_again = np.zeros(n_cells, bool)
        held = np.zeros(n_cells, np.int64)
        n_corrections = 0
        for place, (_, cell, value) in enumerate(kept):
            right = value == solution[cell]
            n_corrections += int(held[cell] not in (0, value))
            held[cell] = value
            if places[cell] >= 0:
                faults.again += 1
                entered_again[cell] |= right
            faults.wrong[cell] = not right and value != 0
            places[cell] = place if right else -1
        filled = np.flatnonzero(places >= 0)
        cells = filled[np.argsort(places[filled], kind="stable")]
        blank = np.zeros(n_cells, bool)
        blank[blanks_of(puzzle)] = True
        n_blanks = int(blank.sum())
        n_missing = int((kind.entered(solution) & blank & (places < 0)).sum())
        # In any game a few cells are entered twice; if two games are mixed, half of them are.
        doubtful = int(entered_again.sum()) > max(n_blanks // 2, 4)
        notes = [*filter(None, [unit]), *clock.notes, *faults.notes(n_missing)]
        if doubtful:
            notes.append(say("note.two_games"))
        return cls(
            name,
            player,
            puzzle,
            solution,
            cells.astype(np.int16),
            clock.seconds[places[cells]],
            tuple(notes),
            clock.waits[places[cells]],
            doubtful,
            n_corrections=n_corrections,
        )

    @classmethod
    def from_ranks(cls, puzzle: Puzzle, ranks: Floats, *, name: str = "", player: str = "") -> Self:
        """Return a game from an order without times; its seconds are all 0.

        Parameters
        ----------
        puzzle : Puzzle
        ranks : ndarray of float64, shape (n_cells,)
            NaN for cells that were not filled.
        name, player : str

        Raises
        ------
        PuzzleError
            If the puzzle does not have exactly one solution.
        """
        filled = np.flatnonzero(np.isfinite(ranks) & (puzzle.givens == 0))
        cells = filled[np.argsort(ranks[filled], kind="stable")].astype(np.int16)
        return cls(name, player, puzzle, unique_solution(puzzle), cells, np.zeros(len(cells)))

    @property
    def n_blanks(self) -> int:
        """Blanks of the puzzle."""
        return len(blanks_of(self.puzzle))

    @property
    def finished(self) -> bool:
        """True if every blank, or every black cell of a Nurikabe, was filled correctly."""
        to_enter = find_kind(self.puzzle.kind).entered(self.solution) & (self.puzzle.givens == 0)
        return bool(np.isin(np.flatnonzero(to_enter), self.cells).all())

    @property
    def timed(self) -> bool:
        """True if the times of the fills are known."""
        return bool(self.seconds.any())

    @property
    def delays(self) -> Floats:
        """Seconds from the previous entry to each fill; NaN if unknown.

        The first delay is unknown, because it includes the time to open and study the puzzle.
        """
        if not self.timed:
            return np.full(len(self.cells), np.nan)
        waits = np.diff(self.seconds, prepend=0.0) if self.waits is None else self.waits.copy()
        waits[:1] = np.nan
        return waits

    def with_seconds(self, seconds: Floats) -> "Game":
        """Return a game with the same order and other times."""
        return replace(self, seconds=seconds, waits=None)


class _Faults:
    """Counts of the faults of a game."""

    def __init__(self, n_cells: int) -> None:
        self.outside: list[tuple[int | str, int]] = []
        self.given = 0
        self.again = 0
        self.wrong = np.zeros(n_cells, bool)

    def notes(self, n_missing: int) -> Iterator[Said]:
        wrong = int(self.wrong.sum())
        if self.outside:
            cell, value = self.outside[0]
            yield say_counted("note.outside", len(self.outside), cell=cell, value=value)
        if self.given:
            yield say_counted("note.over_given", int(self.given))
        if self.again:
            yield say_counted("note.again", self.again)
        if wrong:
            yield say_counted("note.wrong", wrong)
        if n_missing:
            yield say_counted("note.unfinished", n_missing)


# ---------------------------------------------------------------- the clock

LONGEST_PAUSE = 600.0
"""Seconds; a longer delay is a break or a clock that was set, not time to think."""

_JITTER = 2.0
"""Seconds by which entries of a log may be out of order."""
_MIXED = 0.2
"""Share of jumps above which a game is assumed to have two clocks."""
_DATE = 1e9
"""Seconds above which a time is a date since 1970, because nobody plays for thirty years."""
_QUARTER = 900.0
"""A quarter of an hour in seconds; time zones differ by multiples of it."""
_NEAR = 30.0

_HASTY = 0.15
"""Seconds for an entry, on average, that no whole game takes less of: the fastest of 1,089 real
games took 2.1 s for a fill, and the fastest ten fills in a row 0.66 s each."""
_LEAST_MOVES = 10


class Clock(NamedTuple):
    """The repaired times of a game's entries.

    Attributes
    ----------
    seconds : ndarray of float64, shape (n_entries,)
        Seconds since the start, never decreasing.
    waits : ndarray of float64, shape (n_entries,)
        Seconds since the previous entry; NaN if unknown.
    notes : list of Said
    """

    seconds: Floats
    waits: Floats
    notes: list[Said]


def repair_times(times: Floats, *, trusted: bool = False) -> Clock:
    """Repair the times of a game's entries in log order so that they never decrease.

    Unless the clock is `trusted`, a game that is faster than any hand has no delays: its clock is
    wrong, whatever its unit.

    Examples
    --------
    >>> clock = repair_times(np.array([3.0, 5.0, 3606.0, 3608.5]))
    >>> clock.notes
    ['the clock jumps by 1 h before entry 3: that delay is left out']
    >>> clock.waits[1:].tolist()
    [2.0, nan, 2.5]
    """
    notes: list[Said] = []
    times = np.asarray(times, np.float64)
    if len(times) and times[0] >= _DATE:
        times = times - times[0]
    steps = np.diff(times, prepend=0.0)
    early = (steps < 0) & (steps >= -_JITTER)
    steps[early] = 0.0
    jumps = np.flatnonzero((steps < 0) | (steps > LONGEST_PAUSE))
    jumps = jumps[jumps > 0]
    waits = steps.copy()
    waits[jumps] = np.nan
    if not trusted and _is_hasty(times):
        notes.append(say("note.too_fast", seconds=figure(float(np.ptp(times)), ".2g")))
        return Clock(np.cumsum(np.maximum(steps, 0.0)), np.full(len(times), np.nan), notes)
    if early.any():
        notes.append(say_counted("note.backwards", int(early.sum()), most=figure(_JITTER, "g")))
    if len(jumps) > max(2.0, _MIXED * len(times)):
        notes.append(say("note.two_clocks", n=len(jumps)))
        waits[:] = np.nan
    elif len(jumps):
        notes.append(_jumps(steps, jumps))
    # A clock that was set back hides the delay.
    steps[steps < 0] = 0.0
    return Clock(np.cumsum(steps), waits, notes)


def _jumps(steps: Floats, jumps: NDArray[np.intp]) -> Said:
    """Return a sentence on pauses that are too long, and on clocks that were set."""
    step = float(steps[jumps[0]])
    quarters = round(step / _QUARTER)
    set_anew = step < 0 or (quarters != 0 and abs(step - quarters * _QUARTER) <= _NEAR)
    single, several = ("jump", "jumps") if set_anew else ("pause", "long_pauses")
    return say(
        f"note.{several if len(jumps) > 1 else single}",
        time=_duration(step),
        entry=int(jumps[0]) + 1,
        more=len(jumps) - 1,
    )


def unit_of(times: Floats) -> tuple[float, str]:
    """Return the factor that converts the times of a game to milliseconds.

    The unit is decided for each game, because games of one log may come from different programs.

    Parameters
    ----------
    times : ndarray of float64, shape (n_entries,)
        Times of a game's entries, in what should be milliseconds.

    Returns
    -------
    factor : float
        1 for milliseconds, 1000 for seconds, less than 1 for fractions of a millisecond.
    note : str
        A sentence if the factor is not 1.
    """
    latest = float(np.max(times, initial=0.0))
    for factor, unit in ((1e-6, "nanoseconds"), (1e-3, "microseconds")):
        # Read as milliseconds, these dates would be thousands of years in the future.
        if latest * factor >= 1e3 * _DATE:
            return factor, say("note.since_1970", unit=say(f"unit.{unit}"))
    if _DATE <= latest < 1e2 * _DATE:
        return 1e3, say("note.since_1970", unit=say("unit.seconds"))
    if latest >= _DATE or not _is_hasty(times / 1000):
        return 1.0, ""
    typical = float(np.median(np.diff(times)))
    return 1e3, say("note.seconds", typical=figure(typical, "g"))


def _is_hasty(times: Floats) -> bool:
    """Return True if entries follow each other faster than any hand can enter them."""
    n = len(times)
    return n >= _LEAST_MOVES and 0 < times.max() - times.min() < _HASTY * (n - 1)


def _duration(seconds: float) -> str:
    minutes = round(seconds / 60)
    if minutes % 60 == 0 and minutes:
        return f"{minutes // 60} h"
    return f"{minutes} min" if minutes else f"{seconds:.0f} s"
