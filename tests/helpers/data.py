"""Published data sets, which not every machine has."""

import os
from pathlib import Path

import pytest

from nando.datasets import DATASETS


def needs(*names, file=""):
    """Skip a test without data sets, or without a file of the only one that is named."""
    sets = [DATASETS[name][0] for name in names]
    is_there = all(s.find(file) is not None if file else s.is_available() for s in sets)
    wanted = f"{names[0]}/{file}" if file else ", ".join(names)
    return pytest.mark.skipif(
        not is_there, reason=f"{wanted} is not on this machine (see NANDO_DATA)"
    )


def stored(name):
    """Return the path of a file or folder below NANDO_DATA, or skip the test."""
    path = Path(os.environ.get("NANDO_DATA", os.devnull), name)
    if not path.exists():
        pytest.skip(f"{name} is not on this machine (see NANDO_DATA)")
    return path
