"""Tables of results: the times of players, and whether their solutions were right."""

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import numpy as np

from nando.puzzles import Puzzle
from nando.puzzles.files import shortened
from nando.rating.fitting.training import TableRow, sole_solution_puzzle, table_rows

TIMES = {"seconds": 1.0, "time": 1.0, "minutes": 60.0}
"""Columns of times, and their unit in seconds; a text such as 4:32 is read in each."""

_RIGHT = ("1", "true", "yes", "y", "right", "correct")
_WRONG = ("", "0", "false", "no", "n", "wrong")


class Result(NamedTuple):
    """The first right solution of a puzzle by a player.

    Attributes
    ----------
    line : str
        Line of the file.
    player : str
    puzzle : Puzzle
    seconds : float
    n_digits : int
        Number of digits that had to be entered; 0 if it is not known.
    """

    line: str
    player: str
    puzzle: Puzzle
    seconds: float
    n_digits: int


@dataclass
class ResultLog:
    """The results of a table, its faults, and counts of the results that are not judged.

    Attributes
    ----------
    results : list of Result
    problems : list of str
        A sentence for each line that cannot be read.
    left_out : dict of str to Counter
        Numbers of ``wrong`` and ``again`` solutions by player.
    """

    results: list[Result] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    left_out: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))

    def join(self, other: "ResultLog", name: str) -> None:
        """Add the results of another file, whose lines get its name unless that is empty."""
        place = f"{name}:" if name else ""
        self.results += [one._replace(line=f"{place}{one.line}") for one in other.results]
        self.problems += [f"{place}{problem}" for problem in other.problems]
        for player, counts in other.left_out.items():
            self.left_out[player] += counts


def are_results(path: str | Path) -> bool:
    """Return True if a file is a table of players, puzzles and times, and not a log of moves."""
    path = Path(path)
    if path.suffix.lower() not in (".csv", ".tsv", ".txt") or not path.is_file():
        return False
    with open(path, encoding="utf-8-sig", errors="replace") as file:
        header = file.readline(10_000).casefold()
    names = {name.strip(' "\n') for name in header.replace(";", ",").replace("\t", ",").split(",")}
    return {"player", "puzzle"} <= names and bool(names & TIMES.keys()) and "t_ms" not in names


def read_results(path: str | Path) -> ResultLog:
    """Read a CSV with the columns player, puzzle and seconds, time or minutes.

    A column ``correct`` tells right solutions from wrong ones, and a column ``digits`` how many
    digits had to be entered, by default all. A puzzle that a player tried before is left out.

    Raises
    ------
    OSError, ValueError
        If the file is not such a table.
    """
    rows = table_rows(Path(path))
    names = next(rows, TableRow(0, {}, "")).fields
    times = [name for name in TIMES if name in names]
    if not times or not {"player", "puzzle"} <= names.keys():
        there = shortened(", ".join(filter(None, names)))
        raise ValueError(
            f"{path}: wanted the columns player, puzzle and seconds; there are {there}"
        )
    log = ResultLog()
    puzzles: dict[str, Puzzle] = {}
    tried: set[tuple[str, Puzzle]] = set()
    for row in rows:
        try:
            text, player = row.fields["puzzle"], row.fields["player"]
            if not player:
                raise ValueError("no player")
            puzzle = puzzles[text] = puzzles.get(text) or sole_solution_puzzle(text)
            is_right = bool(row.fields[times[0]]) and _is_right(row.fields.get("correct", "1"))
            if not is_right:
                log.left_out[player]["wrong"] += 1
            elif (player, puzzle) in tried:
                log.left_out[player]["again"] += 1
            else:
                result = Result(
                    str(row.line), player, puzzle, _seconds(row, times[0]), _digits(row, puzzle)
                )
                log.results.append(result)
            tried.add((player, puzzle))
        except ValueError as error:
            log.problems.append(f"line {row.line}: {shortened(error)}")
    return log


def _is_right(text: str) -> bool:
    if text.casefold() not in _RIGHT + _WRONG:
        raise ValueError(f"correct must be 1 or 0, got {shortened(repr(text))}")
    return text.casefold() in _RIGHT


def _seconds(row: TableRow, name: str) -> float:
    """Return a time that is a number, or hours, minutes and seconds with colons."""
    *larger, last = row.fields[name].split(":")
    if not larger:
        return TIMES[name] * row.number(name)
    try:
        total = 0.0
        for part in larger:
            total = 60.0 * (total + int(part))
        total += float(last.replace(row.decimal, "."))
    except ValueError:
        total = 0.0
    if not 0.0 < total < 1e9 or len(larger) > 2:
        wrong = shortened(repr(row.fields[name]))
        raise ValueError(f"{name} must be a number above 0, or a time such as 4:32, got {wrong}")
    return total


def _digits(row: TableRow, puzzle: Puzzle) -> int:
    if row.fields.get("digits"):
        return int(row.number("digits"))
    return 0 if puzzle.kind == "nurikabe" else int(np.count_nonzero(puzzle.givens == 0))
