"""Every place that the table of kinds names exists; nothing is imported before it is used."""

import subprocess
import sys
from dataclasses import fields

import pytest

from nando.solvers.kinds import KINDS, kinds_with, logic_of

_OPTIONAL = {"nurikabe": {"replay", "names"}, "sudoku": set()}


@pytest.mark.parametrize("kind", KINDS)
def test_every_place_of_a_kind_can_be_imported(kind):
    entry = KINDS[kind]
    for record in (entry, entry.logic):
        absent = {field.name for field in fields(record) if getattr(record, field.name) is None}
        assert absent <= _OPTIONAL[kind]
    for record, data in ((entry, {"logic", "choices"}), (entry.logic, {"ladder", "scale"})):
        for field in fields(record):
            value = getattr(record, field.name)
            assert field.name in data or value is None or callable(value)
    assert callable(entry.choices.replay)
    assert entry.logic.ladder[0].kind == kind


def test_the_table_imports_no_solver():
    script = "import sys, nando.solvers.kinds; print('numba' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout == "False\n"


def test_a_kind_without_a_part_is_not_listed():
    assert kinds_with("logic") == kinds_with("choices") == ("sudoku", "nurikabe")
    with pytest.raises(ValueError, match="no ladder of techniques for 'chess'"):
        logic_of("chess")
