"""Variants of Sudoku from tables: rated by a program, in the order of books, and timed."""

import csv
import io
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar, Unpack

from nando.datasets.base import DataFile, DataSet, Form, bunch, data_set
from nando.puzzles import Variant, rules
from nando.puzzles.boards.board import Cell
from nando.puzzles.boards.rule import Rule
from nando.puzzles.files import read_text, shortened

Row = TypeVar("Row")


def _read_table(
    path: Path, columns: tuple[str, ...], read: Callable[[dict[str, str]], Row], delimiter: str
) -> list[Row]:
    """Return what `read` makes of each row of a table; ValueError names the first damaged line."""
    rows = csv.DictReader(io.StringIO(read_text(path)), delimiter=delimiter)
    if not set(columns) <= set(rows.fieldnames or ()):
        raise ValueError(f"{path}: the columns must be {', '.join(columns)}")
    found = []
    for number, row in enumerate(rows, 2):
        try:
            found.append(read(row))
        except (KeyError, TypeError, ValueError, IndexError) as error:
            raise ValueError(f"{path}, line {number}: {error}") from None
    return found


def _bunch(
    data: DataSet, found: Sequence[tuple[Any, ...]], columns: Sequence[str], target: str, form: Form
) -> Any:
    """Return rows that begin with their puzzle, and have these columns after it."""
    import pandas as pd

    records = [(puzzle.text, *rest) for puzzle, *rest in found]
    frame = pd.DataFrame(records, columns=["puzzle", *columns])
    return bunch(data, [puzzle for puzzle, *_ in found], frame, target, **form)


_RATINGS = "c64eb5aee2674b5feeb628b4d6aff2b1fa7adfd2d09bc277f3f1dd3b201b3567"

SUKAKU_VARIANTS = DataSet(
    "sukaku_variants",
    "408 Sudoku with one further rule, with Sukaku Explainer ratings",
    "made for nando: free to use",
    (DataFile("ratings.tsv", None, _RATINGS),),
)

_COLUMNS = ("rule", "puzzle", "er", "ep", "ed")

RULES: dict[str, Rule] = {
    "diagonals": rules.Diagonals(),
    "windoku": rules.Windoku(),
    "disjoint-groups": rules.DisjointGroups(),
    "anti-knight": rules.AntiKnight(),
    "anti-king-diagonal": rules.AntiKing(),
    "non-consecutive": rules.NonConsecutive(),
}
"""The rules of the file by their names in it. Neighbours in a row or column differ anyway, so the
diagonal moves of a king and all its moves are one rule."""


def fetch_sukaku_variants(
    *,
    rule: str | None = None,
    data_home: str | Path | None = None,
    **form: Unpack[Form],
) -> Any:
    """Return 9x9 puzzles with one further rule and their Sukaku Explainer ratings.

    Parameters
    ----------
    rule : str, optional
        A name in :data:`RULES`; default all.
    return_X_y, as_frame, data_home
        As in :func:`fetch_cloud_sudoku`.

    Returns
    -------
    Bunch
        ``puzzles`` (list of Variant), ``target`` (rating of the hardest step), ``frame`` (columns
        puzzle, rule, er, ep, ed: ratings of the hardest step, of the steps before the first
        placement, and before the first elimination), ``feature_names``, ``DESCR``, ``provenance``.

    Raises
    ------
    DataNotFoundError
        If the file is not stored locally; it was never published by itself.
    ValueError
        For an unknown rule, or a damaged line; the message has its number.
    """
    if rule is not None and rule not in RULES:
        raise ValueError(f"unknown rule {rule!r}; known: {', '.join(RULES)}")
    path = SUKAKU_VARIANTS.path("ratings.tsv", data_home)

    def read(row: dict[str, str]) -> tuple[Any, ...]:
        puzzle = Variant.of(row["puzzle"], [RULES[row["rule"]]])
        return puzzle, row["rule"], *(float(row[name]) for name in _COLUMNS[2:])

    found = _read_table(path, _COLUMNS, read, "\t")
    found = [row for row in found if rule in (None, row[1])]
    return _bunch(SUKAKU_VARIANTS, found, ("rule", "er", "ep", "ed"), "er", form)


KILLER_BOOKS = data_set("killer_books")
_BOOK_COLUMNS = ("vol", "book", "puzzle", "puzz_color", "puzz_hint", "solved")


def fetch_killer_books(*, data_home: str | Path | None = None, **form: Unpack[Form]) -> Any:
    """Return the killers of a publisher's books, which are ordered by difficulty.

    Parameters
    ----------
    return_X_y, as_frame, data_home
        As in :func:`fetch_cloud_sudoku`.

    Returns
    -------
    Bunch
        ``puzzles`` (list of Variant), ``target`` (book, 1 the easiest to 100), ``frame`` (columns
        puzzle, volume, book, number, solution), ``feature_names``, ``DESCR``, ``provenance``.

    Raises
    ------
    DataNotFoundError
        If the file is not on this machine and cannot be downloaded.
    ValueError
        For a file that is not the published one.
    """
    path = KILLER_BOOKS.path("dataset_killer_sudoku.csv", data_home)
    found = _read_table(path, _BOOK_COLUMNS, _read_killer, ",")
    return _bunch(KILLER_BOOKS, found, ("volume", "book", "number", "solution"), "book", form)


def _read_killer(row: dict[str, str]) -> tuple[Variant, int, int, int, str]:
    kind, letters = row["puzz_color"][:1], row["puzz_color"][1:]
    sums = [int(number) for number in row["puzz_hint"].split(",")]
    # Cages are named A to Z, then a to z, and the sums are in this order.
    names = sorted(set(letters))
    if kind != "K" or len(letters) != 81 or len(names) != len(sums):
        raise ValueError(
            f"{shortened(row['puzz_color'])!r} with {len(sums)} sums, wanted K, 81 letters, and a "
            "sum for each letter"
        )
    cells: dict[str, list[Cell]] = {name: [] for name in names}
    for name, cell in zip(letters, Variant("9x9").board.cells, strict=True):
        cells[name].append(cell)
    cages = map(rules.Cage, map(tuple, cells.values()), sums)
    puzzle = Variant.of("." * 81, [*Variant("9x9").rules, *cages])
    volume, book, number = (int(row[name]) for name in ("vol", "book", "puzzle"))
    return puzzle, volume, book, number, row["solved"]


_TIMES = "52c2871b1e507d3809b12840d215383a55f4388d5fd06da8e9d8b19b48fea156"

SUDOKU_6X6 = DataSet(
    "sudoku_6x6",
    "20 Sudokus 6x6, each solved twice by one of two students",
    "none stated for the data: for your own use, not to be redistributed",
    (DataFile("times.csv", None, _TIMES),),
)


def fetch_sudoku_6x6(*, data_home: str | Path | None = None, **form: Unpack[Form]) -> Any:
    """Return the times of two students on Sudokus 6x6.

    Parameters
    ----------
    return_X_y, as_frame, data_home
        As in :func:`fetch_cloud_sudoku`.

    Returns
    -------
    Bunch
        ``puzzles`` (list of Variant, each as often as it was solved), ``target`` (seconds),
        ``frame`` (columns puzzle, person, attempt, seconds), ``feature_names``, ``DESCR``,
        ``provenance``.

    Raises
    ------
    DataNotFoundError
        If the file is not stored locally; it was never published by itself.
    ValueError
        For a file that is not the transcribed one.
    """

    def read(row: dict[str, str]) -> tuple[Variant, int, int, float]:
        person, attempt = int(row["person"]), int(row["attempt"])
        return Variant.of(row["puzzle"]), person, attempt, float(row["seconds"])

    path = SUDOKU_6X6.path("times.csv", data_home)
    found = _read_table(path, ("person", "puzzle", "attempt", "seconds"), read, ",")
    return _bunch(SUDOKU_6X6, found, ("person", "attempt", "seconds"), "seconds", form)
