"""Data for fitting and checking models, by kind of puzzle."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from nando import datasets, puzzles, solvers

if TYPE_CHECKING:
    from nando.puzzles import Puzzle

BASELINE = {
    "sudoku": "givens",
    "nurikabe": "nurikabe_shared_cells",
    "variant": "variant_fills",
}
"""The column whose scores are compared with those of a fitted model."""


class Training(NamedTuple):
    """Puzzles with their times, or with levels.

    Attributes
    ----------
    puzzles : list of Puzzle
    values : list of float
        Seconds, or the points of levels.
    players : list of float or None
        Number of players behind each value.
    name : str
        Name of the data, used in the name of a model.
    provenance : dict
    strata, order : list or None
        If values of all puzzles cannot be compared, puzzles of the same stratum are compared by
        `order`.
    """

    puzzles: "list[Puzzle]"
    values: list[float]
    players: list[float] | None
    name: str
    provenance: dict[str, Any]
    strata: Sequence[Any] | None = None
    order: Sequence[float] | None = None


def known_training(kind: str, target: Any = "mean_seconds") -> Training:
    """Return the published data to which the shipped model of a kind is fitted."""
    if kind == "nurikabe":
        return nurikabe_levels()
    return logged_times() if target == "game_seconds" else cloud_times(target)


def logged_times() -> Training:
    """Return the lengths of the finished games of the Sudoku Insight logs."""
    data = datasets.fetch_sudoku_insight(as_frame=True)
    kept = [
        i
        for i in data.frame.index[data.frame["completed"]]
        if solvers.status(data.puzzles[i]).valid and data.target[i] > 0
    ]
    return Training(
        [data.puzzles[i] for i in kept],
        data.target[kept].tolist(),
        None,
        "sudoku-insight",
        data.provenance,
    )


def cloud_times(target: Any = "mean_seconds") -> Training:
    """Return the human times of the Cloud Sudoku data set."""
    data = datasets.fetch_cloud_sudoku(target=target)
    return Training(
        data.puzzles,
        data.target.tolist(),
        data.weight.tolist(),
        "cloud-sudoku",
        data.provenance,
    )


def nurikabe_levels() -> Training:
    """Return the points of the Nurikabe puzzles that have a level.

    A puzzle has one point per blank cell, doubled at each level above the first.

    Both the proportion to the blank cells and the doubling are conventions. Only the order of
    levels among puzzles of one size is data.
    """
    import numpy as np

    data = datasets.fetch_nurikabe()
    chosen = [i for i, level in enumerate(data.target.tolist()) if np.isfinite(level)]
    puzzles = [data.puzzles[i] for i in chosen]
    levels = [float(data.target[i]) for i in chosen]
    blanks = [int(np.count_nonzero(puzzle.givens == 0)) for puzzle in puzzles]
    return Training(
        puzzles,
        [n * 2.0 ** (level - 1.0) for n, level in zip(blanks, levels, strict=True)],
        None,
        "nurikabe-levels",
        data.provenance,
        [tuple(sorted(puzzle.shape)) for puzzle in puzzles],
        levels,
    )


def players_behind(target: str, puzzles: "Sequence[Puzzle]") -> list[float] | None:
    """Return the number of players behind each puzzle's time; None unless all are known."""
    if target == "game_seconds":
        return None
    known = known_training("sudoku")
    count = dict(zip(known.puzzles, known.players or (), strict=True))
    return [count[puzzle] for puzzle in puzzles] if all(p in count for p in puzzles) else None


class TimedPuzzle(NamedTuple):
    """A row of a table of times.

    Attributes
    ----------
    puzzle : Puzzle
    seconds : float
    players : float or None
        Number of players behind the time; None without such a column.
    player : str
        The player; empty without such a column.
    """

    puzzle: "Puzzle"
    seconds: float
    players: float | None = None
    player: str = ""


def read_times(path: Path, kind: str) -> Training:
    """Read times from a CSV with the columns puzzle, seconds and, optionally, players.

    The form and the errors are those of :func:`timed_puzzles`.
    """
    rows = timed_puzzles(path, kind)
    return Training(
        [row.puzzle for row in rows],
        [row.seconds for row in rows],
        [row.players for row in rows if row.players is not None] or None,
        path.name.split(".")[0],
        {"file": path.name},
    )


class TableRow(NamedTuple):
    """A row of a table of times.

    Attributes
    ----------
    line : int
        Number of its last line in the file.
    fields : dict of str to str
        By the names of the columns in small letters.
    decimal : str
        The sign for decimals.
    """

    line: int
    fields: dict[str, str]
    decimal: str

    def number(self, name: str) -> float:
        """Return a number above 0; ValueError for anything else."""
        text = self.fields[name]
        try:
            value = float(text.replace(self.decimal, "."))
        except ValueError:
            value = 0.0
        if not 0.0 < value < float("inf"):
            from nando.puzzles.files import shortened

            raise ValueError(f"{name} must be a number above 0, got {shortened(repr(text))}")
        return value


def table_rows(path: Path) -> Iterator[TableRow]:
    """Yield the rows of a CSV, the names of its columns first.

    Columns are separated by commas, semicolons or tabs. With semicolons or tabs, numbers may have
    a decimal comma.

    Raises
    ------
    OSError, ValueError
        If it is not a text, or not a CSV.
    """
    import csv
    import io

    from nando.puzzles.files import read_text
    from nando.puzzles.formats.table import delimiter_of

    text = read_text(path)
    delimiter = delimiter_of(text.partition("\n")[0])
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    names: list[str] = []
    try:
        for row in rows:
            fields = [field.strip() for field in row]
            if not any(fields):
                continue
            names = names or [field.casefold() for field in fields]
            fields += [""] * (len(names) - len(fields))
            by_name = dict(zip(names, fields, strict=False))
            yield TableRow(rows.line_num, by_name, "." if delimiter == "," else ",")
    except csv.Error as error:
        raise ValueError(f"{path}: line {rows.line_num}: {error}; wanted a CSV") from None


def sole_solution_puzzle(text: str, kind: str | None = None) -> "Puzzle":
    """Return the puzzle of a text; None recognises its kind.

    Raises
    ------
    ValueError
        If it is not a puzzle with exactly one solution.
    """
    puzzle = puzzles.find_puzzle(kind or puzzles.kind_of_text(text) or puzzles.Sudoku.kind).parse(
        text
    )
    result = solvers.status(puzzle)
    if not result.valid:
        raise puzzles.PuzzleError(result)
    return puzzle


def timed_puzzles(path: Path, kind: str | None = None) -> list[TimedPuzzle]:
    """Read the rows of a CSV with the columns puzzle, seconds and, optionally, players and player.

    The form is that of :func:`table_rows`.

    Parameters
    ----------
    path : Path
    kind : str or None
        Kind of the puzzles; None recognises that of each.

    Raises
    ------
    ValueError
        If lines lack a puzzle with exactly one solution or a time above 0; the message names the
        first.
    """
    from nando.puzzles.files import shortened

    rows = table_rows(path)
    names = next(rows, TableRow(0, {}, "")).fields
    for column in ("puzzle", "seconds"):
        if column not in names:
            there = shortened(", ".join(filter(None, names)))
            raise ValueError(
                f"{path}: no column {column!r}; there are {there}; wanted puzzle, seconds and "
                "optionally players"
            )
    timed: list[TimedPuzzle] = []
    faults: list[str] = []
    for row in rows:
        try:
            puzzle = sole_solution_puzzle(row.fields["puzzle"], kind)
            players = row.number("players") if "players" in names else None
            timed.append(
                TimedPuzzle(puzzle, row.number("seconds"), players, row.fields.get("player", ""))
            )
        except ValueError as error:
            faults.append(f"line {row.line}: {shortened(error)}")
    if faults:
        more = f" and {len(faults) - 5:,} more" if len(faults) > 5 else ""
        raise ValueError(f"{path}: {'; '.join(faults[:5])}{more}")
    if not timed:
        raise ValueError(f"no puzzles found in {path}")
    return timed
