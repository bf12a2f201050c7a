"""Scripts that no test runs: at least what they import from nando must be there."""

import runpy
from pathlib import Path

import pytest

SCRIPTS = sorted((Path(__file__).resolve().parent.parent / "benchmarks").glob("*.py"))


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_a_script_finds_what_it_imports(script):
    try:
        names = runpy.run_path(str(script), run_name=script.stem)
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] == "nando":
            raise
        pytest.skip(f"needs {error.name}, which is not installed")
    assert callable(names["main"])
