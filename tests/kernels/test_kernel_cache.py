"""Kernels on disk: never stale, shared by processes, and optional."""

import os
import subprocess
import sys
import time
import warnings

import pytest
from helpers.installed import COUNT

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

CALL = "import numpy, tiny; print(tiny.outer(numpy.ones(5, numpy.int8)), len(tiny.Count.names))"


@pytest.fixture
def tiny(tmp_path):
    """Run a program that calls a kernel; return its result, compiled kernels and messages."""
    (tmp_path / "tiny.py").write_text(TINY)

    def start(program=CALL, **environment):
        folders = [str(tmp_path), *sys.path]
        return subprocess.Popen(
            [sys.executable, "-c", program],
            env=os.environ
            | {"PYTHONPATH": os.pathsep.join(filter(None, folders))}
            | {"NUMBA_CACHE_DIR": str(tmp_path / "cache"), "XDG_CACHE_HOME": str(tmp_path / "user")}
            | {"NANDO_FALLBACK_KERNELS": "0"}
            # Python itself would not see a change of the same age and size.
            | {"PYTHONDONTWRITEBYTECODE": "1"}
            | environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def result(process):
        out, said = process.communicate()
        assert process.returncode == 0, said
        value, compiled = map(int, out.split())
        return value, compiled, said

    start.result = result
    start.run = lambda *arguments, **environment: result(start(*arguments, **environment))
    start.folder = tmp_path
    return start


@pytest.mark.thorough
def test_arguments_of_any_width_or_constancy_compile_once(tiny):
    assert tiny.run() == (12, 3, "")
    assert tiny.run() == (12, 0, "")


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
    (tiny.folder / "raises.py").write_text(RAISES)
    call = """
import raises
try:
    raises.{}(3)
except ValueError as error:
    print(int(error.args == ("too large", 3, "for", 2)), raises.outer(2))
"""
    for name in ("outer", "other", "outer"):  # compiled; inner loaded; loaded
        assert tiny.run(call.format(name)) == (1, 3, "")


@pytest.mark.thorough
def test_python_and_kernels_may_both_call_a_kernel(tiny):
    both = CALL.replace("print(", "print(tiny.inner(numpy.ones(5, numpy.int8), 3) - 4 + ")
    assert tiny.run(both) == (12, 4, "")
    assert tiny.run(both) == (12, 0, "")
    assert tiny.run() == (12, 0, "")


@pytest.mark.thorough
def test_the_same_age_and_size_is_not_the_same_source(tiny):
    tiny.run()
    module = tiny.folder / "tiny.py"
    age = module.stat().st_mtime_ns
    module.write_text(TINY.replace("ADDED = 0", "ADDED = 8"))
    os.utime(module, ns=(age, age))
    assert tiny.run() == (20, 2, "")


@pytest.mark.thorough
def test_a_touched_file_is_the_same_source(tiny):
    tiny.run()
    os.utime(tiny.folder / "tiny.py", (1, 1))
    assert tiny.run() == (12, 0, "")


@pytest.mark.thorough
def test_four_processes_that_compile_at_once(tiny):
    values, compiled, _ = zip(*map(tiny.result, [tiny() for _ in range(4)]), strict=True)
    assert set(values) == {12}
    assert sum(compiled) == 3  # each kernel by one of the processes
    assert tiny.run() == (12, 0, "")
    assert {path.suffix for path in (tiny.folder / "cache").rglob("*") if path.is_file()} == {
        ".nbc"
    }


@pytest.mark.thorough
def test_a_file_that_is_cut_off_is_compiled_again(tiny):
    tiny.run()
    for path in (tiny.folder / "cache").rglob("*.nbc"):
        path.write_bytes(path.read_bytes()[:100])
    assert tiny.run() == (12, 3, "")
    assert tiny.run() == (12, 0, "")


@pytest.mark.thorough
def test_where_the_folder_cannot_be_written_the_users_is(tiny):
    (tiny.folder / "file").write_text("no folder")
    nowhere = {"NUMBA_CACHE_DIR": str(tiny.folder / "file")}
    assert tiny.run(**nowhere) == (12, 3, "")
    assert tiny.run(**nowhere) == (12, 0, "")
    assert list((tiny.folder / "user").rglob("*.nbc"))


@pytest.mark.thorough
def test_where_nothing_can_be_written_it_is_said_once(tiny):
    (tiny.folder / "file").write_text("no folder")
    file = str(tiny.folder / "file")
    value, compiled, said = tiny.run(NUMBA_CACHE_DIR=file, XDG_CACHE_HOME=file)
    assert (value, compiled) == (12, 3)
    assert said.count("compiled kernels cannot be cached") == 1
    assert said.count("RuntimeWarning") == 1


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
