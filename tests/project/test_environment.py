"""The environment for conda has the requirements of the package."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent


def packages(lines):
    """Return the sorted name and version of each requirement."""
    return sorted(re.fullmatch(r"([\w.-]+?)((?:[<>=!~].*)?)", line).groups() for line in lines)


def test_conda_and_pip_install_the_same():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    text = (ROOT / "environment.yml").read_text(encoding="utf-8")
    found = re.search(
        r"^dependencies:\n((?:  - .*\n)*)  - pip\n  - pip:\n      (.*)\n\Z", text, re.M
    )
    assert found[2] == "- --editable ."
    listed = [line.removeprefix("  - ") for line in found[1].splitlines()]
    python = f"python{project['requires-python']}"
    assert packages(listed) == packages([python, *project["dependencies"]])
    assert "channels:\n  - conda-forge\n" in text
