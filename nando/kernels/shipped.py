"""Compiled kernels that are part of a wheel, in `nando/compiled`.

Wheels for a package index contain them (`hatch_build.py`); `pip install .` makes none. They are
compiled for the processor of the machine that built the wheel, or for a baseline processor that a
file names. A processor with all the baseline's features uses the baseline's kernels until `nando
warmup` compiles its own.
"""

import json
import os
import shutil
from functools import cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parent.parent / "compiled"
"""Read only. It exists in an installed package, not in a source tree."""

COLLECT = "NANDO_COLLECT_KERNELS"
"""Environment variable: a folder that gets a copy of every kernel that Python calls."""

OWN = "NANDO_OWN_KERNELS"
"""Environment variable; 1 refuses kernels of a baseline processor."""

_NAME = "processor.json"


def keys(key: Any) -> list[Any]:
    """Return the keys, as numba makes them, under which `FOLDER` may have a kernel, best first."""
    if not FOLDER.is_dir():
        return []
    signature, own, *rest = key
    baseline = _baseline()
    if baseline is None or os.environ.get(OWN, "") not in ("", "0") or not _runs_on(own, baseline):
        return [key]
    return [key, (signature, baseline, *rest)]


@cache
def _baseline() -> tuple[str, str, str] | None:
    """Return the triple, name and features of the processor of the compiled kernels, or None."""
    try:
        triple, name, features = json.loads((FOLDER / _NAME).read_text())
        return str(triple), str(name), str(features)
    except (OSError, ValueError):  # the file is missing or damaged
        return None


def _runs_on(processor: tuple[str, str, str], baseline: tuple[str, str, str]) -> bool:
    """Return True if a processor can run code compiled for the baseline."""
    has, needs = (
        {feature for feature in features.split(",") if feature.startswith("+")}
        for _, _, features in (processor, baseline)
    )
    return processor[0] == baseline[0] and needs <= has


def collect(path: Path) -> None:
    """Copy a compiled kernel to the collecting folder, if there is one."""
    if target := os.environ.get(COLLECT):
        folder = Path(target) / path.parent.name
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, folder / path.name)


def collect_mark(name: str) -> None:
    """Make an empty file in the collecting folder, if there is one."""
    if target := os.environ.get(COLLECT):
        (Path(target) / name).touch()


def note_processor(processor: tuple[str, str, str]) -> None:
    """Write the processor that kernels are compiled for to the collecting folder, if any."""
    if target := os.environ.get(COLLECT):
        (Path(target) / _NAME).write_text(json.dumps(processor))
