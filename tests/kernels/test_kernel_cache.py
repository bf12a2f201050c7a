"""Kernels on disk: never stale, shared by processes, and optional."""

import os
import time
import warnings

import pytest
from helpers.installed import COUNT, Installed

from nando.kernels.internals import storage
from nando.kernels.internals.storage import Files

TINY = (
    COUNT
    + """
from nando.kernels.compile import inlined_kernel, kernel, lean_kernel

@kernel
def outer(values):
    return inner(values, 3) + inner(values, values.shape[0]) + twice(values[0])

@lean_kernel
def inner(values, n):
    return values[0] + n

@inlined_kernel
def twice(value):
    return 2 * int(value) + ADDED

ADDED = 0
"""
)

CALL = """
import numpy
from nando.puzzles import tiny
print(tiny.outer(numpy.ones(5, numpy.int8)), len(tiny.Count.names))
"""


class Tiny(Installed):
    """A package whose kernels are compiled in one of the two ways, or in nando's own."""

    def __init__(self, folder, way="0"):
        super().__init__(folder, {"tiny": TINY, "raises": RAISES})
        self.way, self.module = way, self.package / "puzzles" / "tiny.py"

    def call(self, program=CALL, **more):
        """Return the value of a kernel, the number of kernels compiled, and what was said."""
        (value, compiled), said = self.run(program, NANDO_FALLBACK_KERNELS=self.way, **more)
        return value, compiled, said


@pytest.fixture
def tiny(tmp_path):
    return Tiny(tmp_path)


@pytest.fixture(params=["0", "1"], ids=["internals", "fallback"])
def either(request, tmp_path):
    return Tiny(tmp_path, request.param)


@pytest.mark.thorough
def test_kernels_are_found_again_and_a_change_in_one_that_is_called_is_seen(either):
    value, compiled, said = either.call()
    assert (value, compiled > 0, said) == (12, True, "")
    assert either.call() == (12, 0, "")
    age = either.module.stat().st_mtime_ns
    either.module.write_text(TINY.replace("ADDED = 0", "ADDED = 8"))
    os.utime(either.module, ns=(age, age))
    value, compiled, said = either.call()
    assert (value, compiled > 0, said) == (20, True, "")


@pytest.mark.thorough
def test_where_nothing_can_be_written_it_is_said_once(either):
    (either.folder / "file").write_text("no folder")
    nowhere = {name: str(either.folder / "file") for name in ("NUMBA_CACHE_DIR", "XDG_CACHE_HOME")}
    for _ in range(2):
        value, compiled, said = either.call(**nowhere)
        assert (value, compiled > 0) == (12, True)
        assert said.count("compiled kernels cannot be cached") == 1
        assert said.count("RuntimeWarning") == 1


RAISES = """
from nando.kernels.compile import kernel

@kernel
def inner(n):
    if n > 2:
        raise ValueError("too large", n, "for", 2)
    return n

@kernel
def outer(n):
    return inner(n) + inner(n - 1)

@kernel
def other(n):
    return inner(n)
"""


@pytest.mark.thorough
def test_an_error_in_a_kernel_that_another_calls(tiny):
    call = """
from nando.puzzles import raises
try:
    raises.{}(3)
except ValueError as error:
    print(int(error.args == ("too large", 3, "for", 2)), raises.outer(2))
"""
    for name in ("outer", "other", "outer"):  # compiled; inner loaded; loaded
        assert tiny.call(call.format(name)) == (1, 3, "")


@pytest.mark.thorough
def test_python_and_kernels_may_both_call_a_kernel(tiny):
    both = CALL.replace("print(", "print(tiny.inner(numpy.ones(5, numpy.int8), 3) - 4 + ")
    assert tiny.call(both) == (12, 4, "")
    assert tiny.call(both) == (12, 0, "")
    assert tiny.call() == (12, 0, "")


@pytest.mark.thorough
def test_a_touched_file_is_the_same_source(tiny):
    tiny.call()
    os.utime(tiny.module, (1, 1))
    assert tiny.call() == (12, 0, "")


@pytest.mark.thorough
def test_four_processes_that_compile_at_once(tiny):
    numbers = [found for found, _ in map(tiny.wait, [tiny.start(CALL) for _ in range(4)])]
    assert {value for value, _ in numbers} == {12}
    assert 3 <= sum(compiled for _, compiled in numbers) <= 12  # each kernel at least once
    assert tiny.call() == (12, 0, "")
    assert {path.suffix for path in (tiny.folder / "cache").rglob("*") if path.is_file()} == {
        ".nbc"
    }


@pytest.mark.thorough
def test_a_file_that_is_cut_off_is_compiled_again(tiny):
    tiny.call()
    for path in (tiny.folder / "cache").rglob("*.nbc"):
        path.write_bytes(path.read_bytes()[:100])
    assert tiny.call() == (12, 3, "")
    assert tiny.call() == (12, 0, "")


@pytest.mark.thorough
def test_where_the_folder_cannot_be_written_the_users_is(tiny):
    (tiny.folder / "file").write_text("no folder")
    nowhere = {"NUMBA_CACHE_DIR": str(tiny.folder / "file")}
    assert tiny.call(**nowhere) == (12, 3, "")
    assert tiny.call(**nowhere) == (12, 0, "")
    assert list((tiny.folder / "cache-of-user").rglob("*.nbc"))


def test_another_signature_is_another_file(tmp_path, monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    files = Files("some.module", "kernel-linked-0123")
    assert files.load(("int64",)) is None
    files.save(("int64",), "long")
    files.save(("float64",), "real")
    assert (files.load(("int64",)), files.load(("float64",))) == ("long", "real")
    files.flush()
    assert files.load(("int64",)) is None


def test_a_full_disk_leaves_no_partial_file(small_disk, tmp_path, monkeypatch):
    roots = [small_disk / "nando", tmp_path / "user"]
    monkeypatch.setattr(storage, "roots", lambda: roots)
    files = Files("module", "kernel-0123")
    files.save("small", [1])
    files.save("large", bytes(300_000))
    assert files.load("small") == [1]
    assert files.load("large") == bytes(300_000)
    for root in roots:
        (path,) = (path for path in root.rglob("*") if path.is_file())
        assert path.suffix == ".nbc"


def test_files_of_earlier_versions_are_removed_when_unused(tmp_path, monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    old, fresh, other = (
        tmp_path / "nando" / "some.module" / name
        for name in (
            "kernel-linked-01.1.nbc",
            "kernel-linked-02.1.nbc",
            "kernel_too-linked-01.1.nbc",
        )
    )
    old.parent.mkdir(parents=True)
    month_ago = time.time() - 30 * 24 * 3600
    for file in (old, fresh, other):
        file.touch()
    for file in (old, other):
        os.utime(file, (month_ago, month_ago))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        Files("some.module", "kernel-linked-03").save("key", 1)
    assert not old.exists()
    assert fresh.exists()
    assert other.exists()
