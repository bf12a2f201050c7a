"""Tables of columns: a change that moves a number raises the version of the columns.

A table holds 60 puzzles of a kind and all columns of the groups of its shipped model. After raising
the version of a kind, ``python tests/features/test_golden.py`` writes its new table.
"""

import csv
from pathlib import Path

import numpy as np
import pytest

from nando.features.classes import classes_of
from nando.features.groups import KINDS
from nando.puzzles import find_puzzle
from nando.rating import load_model

GOLDEN = Path(__file__).parent / "golden"
"""A table for each kind, whose name contains the version."""


def table_of(kind):
    return GOLDEN / f"{kind}-{KINDS[kind].version}.csv"


def columns(kind, puzzles):
    extractor = load_model(kind=kind).extractor_for(n_jobs=None, runs=None)
    return extractor.columns, extractor.class_table(puzzles, classes_of(puzzles), extractor.columns)


def read(path, kind):
    with path.open(encoding="utf-8", newline="") as file:
        names, *rows = csv.reader(file)
    return [find_puzzle(kind).parse(row[0]) for row in rows], names[1:], rows


@pytest.mark.parametrize("kind", KINDS)
def test_columns_move_only_with_their_version(kind):
    path = table_of(kind)
    assert path.exists(), f"version {path.stem} has no table: run python {Path(__file__).name}"
    puzzles, names, rows = read(path, kind)
    known, table = columns(kind, puzzles)
    assert names == list(known)
    moved = sorted(
        {names[j] for i, j in np.argwhere(table != np.array([r[1:] for r in rows], float)).tolist()}
    )
    assert not moved, (
        f"{', '.join(moved)} of {kind} moved: if that is meant, raise the version of the kind in "
        f"nando/features/groups.py, and run python {Path(__file__).name}; else caches and stored "
        "ratings would mix numbers"
    )


def write(kind):
    """Write the table of a kind in place of an older one."""
    path = table_of(kind)
    older = next(GOLDEN.glob(f"{kind}-*.csv"))
    puzzles, _, _ = read(older, kind)
    older.unlink()
    names, table = columns(kind, puzzles)
    lines = [["puzzle", *names]]
    lines += [[p.text, *map(repr, row)] for p, row in zip(puzzles, table.tolist(), strict=True)]
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(lines)


if __name__ == "__main__":
    for name in KINDS:
        if not table_of(name).exists():
            write(name)
