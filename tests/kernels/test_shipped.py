"""Kernels that come compiled with the package, for this processor or for a baseline."""

import json

import pytest
from helpers.installed import COUNT, Installed

from nando.kernels import cache

OUTER = """
from nando.kernels.compile import kernel
from nando.puzzles.inner import inner

@kernel
def outer(n):
    return inner(n) + 1
"""
INNER = """
from nando.kernels.compile import kernel

@kernel
def inner(n):
    return n + n
"""
CALL = (
    COUNT
    + """
import os
from nando.kernels.internals.storage import processor
from nando.kernels.cache import note_processor
from nando.puzzles.outer import outer
if os.environ.get("NUMBA_CPU_NAME"):
    note_processor(processor())
print(outer(20), len(Count.names))
"""
)


class Shipping(Installed):
    def __init__(self, folder):
        super().__init__(folder, {"outer": OUTER, "inner": INNER})

    def call(self, cache="cache", call=CALL, **more):
        numbers, said = self.run(call, cache, **more)
        assert said == ""
        return numbers

    def ship(self, **more):
        return super().ship(CALL, **more)


@pytest.fixture
def installed(tmp_path):
    return Shipping(tmp_path)


@pytest.mark.thorough
def test_shipped_kernels_are_not_compiled_again(installed):
    folder = installed.ship()
    assert not (folder / "processor.json").exists()
    names = sorted(path.name.rpartition("-")[0] for path in folder.rglob("*.nbc"))
    assert names == ["outer-python"]
    assert installed.call() == (41, 0)
    assert not (installed.folder / "cache").exists()  # the self-check does not run again either


@pytest.mark.thorough
def test_changed_source_is_compiled(installed):
    installed.ship()
    inner = installed.package / "puzzles" / "inner.py"
    inner.write_text(INNER.replace("n + n", "n + 2 * n"))
    assert installed.call() == (61, 2)


BASELINE = {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": ""}
FANCIFUL = "+sse2,+a-feature-that-no-processor-has"


@pytest.mark.thorough
def test_a_wheel_for_other_processors(installed):
    folder = installed.ship(**BASELINE)
    assert json.loads((folder / "processor.json").read_text())[1:] == ["generic", ""]
    assert installed.call() == (41, 0)
    assert installed.call(NANDO_OWN_KERNELS="1") == (41, 2)  # as `nando warmup` does
    assert installed.call() == (41, 0)


@pytest.mark.thorough
def test_a_processor_that_lacks_a_feature_compiles_its_own(installed):
    folder = installed.ship(**BASELINE)
    note = folder / "processor.json"
    triple, name, _ = json.loads(note.read_text())
    note.write_text(json.dumps([triple, name, FANCIFUL]))
    assert installed.call() == (41, 2)


@pytest.mark.thorough
def test_a_named_processor_compiles_its_own(installed):
    installed.ship()
    assert installed.call(**BASELINE) == (41, 2)


@pytest.mark.thorough
@pytest.mark.parametrize("note", ["", "{}", "[1, 2", '["x"]'])
def test_a_damaged_note_is_ignored(installed, note):
    folder = installed.ship(**BASELINE)
    (folder / "processor.json").write_text(note)
    assert installed.call() == (41, 2)


@pytest.mark.thorough
def test_damaged_files_are_compiled_again(installed):
    for path in installed.ship().rglob("*.nbc"):
        path.write_bytes(path.read_bytes()[:99])
    assert installed.call() == (41, 2)


def test_features_decide():
    triple = "x86_64-unknown-linux-gnu"
    old, new = (triple, "old", "+a,-b"), (triple, "new", "+a,+b")
    assert cache._runs_on(new, old)
    assert not cache._runs_on(old, new)
    assert not cache._runs_on(("arm64", "new", "+a,+b"), old)
