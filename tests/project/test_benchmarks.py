"""Scripts that no test runs import existing names from nando."""

import runpy
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parent.parent.parent / "benchmarks"
SCRIPTS = sorted([*FOLDER.glob("*.py"), *FOLDER.glob("suites/*.py")])


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_a_script_finds_what_it_imports(script, monkeypatch):
    monkeypatch.syspath_prepend(str(FOLDER))
    try:
        runpy.run_path(str(script), run_name=script.stem)
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] in ("nando", "common"):
            raise
        pytest.skip(f"needs {error.name}, which is not installed")
