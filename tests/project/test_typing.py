"""Misspelt names and options of the wrong type fail under a type checker."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
CALLS = Path(__file__).with_name("typed") / "calls.py"


@pytest.mark.thorough
def test_a_type_checker_flags_wrong_calls_and_no_others():
    api = pytest.importorskip("mypy.api", reason="mypy is not installed (nando[dev])")
    found, problems, _ = api.run(
        ["--strict", "--config-file", str(ROOT / "pyproject.toml"), str(CALLS)]
    )
    assert not problems
    flagged = {int(number) for number in re.findall(r"calls\.py:(\d+): error", found)}
    lines = CALLS.read_text(encoding="utf-8").splitlines()
    wrong = {number for number, line in enumerate(lines, 1) if line.endswith("# wrong")}
    assert flagged == wrong, found
    assert len(wrong) > 20
