"""Sudoku with one further rule, rated by Sukaku Explainer."""

import csv
import io
from pathlib import Path
from typing import Any, Unpack

from nando.datasets.base import DataFile, DataSet, Form, bunch
from nando.puzzles import PuzzleError, Variant, rules
from nando.puzzles.boards.rule import Rule
from nando.puzzles.files import read_text

_FILE = "ratings.tsv"

SUKAKU_VARIANTS = DataSet(
    "sukaku_variants",
    "408 Sudoku with one further rule, with Sukaku Explainer ratings",
    "made for nando: free to use",
    (DataFile(_FILE, None, "c64eb5aee2674b5feeb628b4d6aff2b1fa7adfd2d09bc277f3f1dd3b201b3567"),),
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
    import pandas as pd

    if rule is not None and rule not in RULES:
        raise ValueError(f"unknown rule {rule!r}; known: {', '.join(RULES)}")
    path = SUKAKU_VARIANTS.path(_FILE, data_home)
    rows = csv.DictReader(io.StringIO(read_text(path)), delimiter="\t")
    if tuple(rows.fieldnames or ()) != _COLUMNS:
        raise ValueError(f"{path}: the columns must be {', '.join(_COLUMNS)}")
    puzzles: list[Variant] = []
    records = []
    for number, row in enumerate(rows, 2):
        try:
            puzzle = Variant.of(row["puzzle"], [RULES[row["rule"]]])
            ratings = [float(row[name]) for name in _COLUMNS[2:]]
        except (PuzzleError, KeyError, TypeError, ValueError) as error:
            raise ValueError(f"{path}, line {number}: {error}") from None
        if rule in (None, row["rule"]):
            puzzles.append(puzzle)
            records.append((puzzle.text, row["rule"], *ratings))
    return bunch(
        SUKAKU_VARIANTS,
        puzzles,
        pd.DataFrame(records, columns=["puzzle", *("rule", "er", "ep", "ed")]),
        "er",
        **form,
    )
