"""Every place that the table of kinds names exists; nothing is imported before it is used."""

import subprocess
import sys
from dataclasses import fields

import pytest

from nando.solvers.kinds import KINDS, kinds_with, logic_of

_OPTIONAL = {
    "nurikabe": {"needed", "names", "quick", "together"},
    "sudoku": {"quick"},
    "variant": {"refute", "choices", "board", "harmonies", "brute_force", "relax", "names"},
}


@pytest.mark.parametrize("kind", KINDS)
def test_every_place_of_a_kind_can_be_imported(kind):
    entry = KINDS[kind]
    records = [record for record in (entry, entry.logic) if record is not None]
    for record in records:
        absent = {field.name for field in fields(record) if getattr(record, field.name) is None}
        assert absent <= _OPTIONAL[kind]
    data = {"logic", "choices", "ladder", "scale", "texts"}
    for record in records:
        for field in fields(record):
            value = getattr(record, field.name)
            assert field.name in data or value is None or callable(value)
    assert entry.choices is None or callable(entry.choices.replay)
    assert entry.logic is None or entry.logic.ladder[0].kind == kind


def test_the_table_imports_no_solver():
    script = "import sys, nando.solvers.kinds; print('numba' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout == "False\n"


def test_a_kind_without_a_part_is_not_listed():
    assert kinds_with("logic") == tuple(KINDS)
    assert kinds_with("choices") == tuple(KINDS)
    with pytest.raises(ValueError, match="no ladder of techniques for 'chess'"):
        logic_of("chess")
