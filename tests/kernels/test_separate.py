"""Kernels with machine code of their own, which their callers only declare."""

import pytest
from helpers.installed import COUNT, Installed

INNER = """
import numpy as np
from nando.kernels.compile import kernel, lean_kernel, separate

@lean_kernel
def twice(n):
    return n + n

@separate
@lean_kernel
def lowest(values, n):
    if n < 0:
        raise ValueError("negative")
    return values[0] + twice(n)

@separate
@kernel
def middle(values, n):
    room = np.zeros(values.size, np.int64)
    room[0] = lowest(values, n)
    return room
"""
OUTER = """
from nando.kernels.compile import kernel, lean_kernel
from nando.puzzles.inner import lowest, middle, twice

@lean_kernel
def linked(values, n):
    return lowest(values, n) + 1

@kernel
def outer(values, n):
    return linked(values, n) + middle(values, n)[0] + lowest(values, twice(n))

@lean_kernel
def other(values, n):
    return linked(values, n)
"""
CALL = (
    COUNT
    + """
import numpy as np
from nando.puzzles import inner, outer
values = np.arange(3, 9, dtype=np.int64)
def call(kernel, n):
    try:
        return np.sum(kernel(values, n))
    except ValueError as error:
        return error
"""
)


def plain(n):
    lowest = 3 + 2 * n
    return (lowest + 1) + lowest + (3 + 4 * n)


@pytest.fixture
def installed(tmp_path):
    return Installed(tmp_path, {"inner": INNER, "outer": OUTER})


def run(installed, *calls, **more):
    """Return the results of calls of kernels and the names of the kernels compiled for them."""
    lines = "".join(f"print(call({kernel}, {n}))\n" for kernel, n in calls)
    printed = installed.run(CALL + lines + "print(*Count.names)", **more)
    *results, compiled = printed.split("\n")[:-1]
    return results, compiled.split()


def sides(installed):
    kept = (path.name.rsplit("-", 2)[:2] for path in (installed.folder / "cache").rglob("*.nbc"))
    return {"-".join(names) for names in kept}


@pytest.mark.thorough
def test_it_is_compiled_once_and_loaded_with_each_caller(installed):
    results, compiled = run(installed, ("outer.outer", 2), ("outer.outer", -1))
    assert results == [str(plain(2)), "negative"]
    assert sorted(compiled) == ["linked", "lowest", "middle", "outer", "twice"]
    assert sides(installed) == {
        "outer-python",
        "linked-linked",
        "twice-linked",
        "lowest-separate",
        "middle-separate",
    }
    # For another caller, `linked` needs `lowest`, which it only declares.
    assert run(installed, ("outer.other", 2), ("outer.other", -1)) == (
        ["8", "negative"],
        ["other"],
    )
    both = run(installed, ("outer.outer", 4), ("outer.other", 2), ("outer.outer", -1))
    assert both == ([str(plain(4)), "8", "negative"], [])


@pytest.mark.thorough
def test_python_calls_the_same_machine_code(installed):
    run(installed, ("outer.outer", 2))
    calls = [("inner.lowest", 5), ("inner.middle", 1), ("inner.lowest", -2)]
    results = ["13", "5", "negative"]
    # Only the entry is compiled.
    assert run(installed, *calls) == (results, ["lowest", "middle"])
    assert run(installed, *calls) == (results, [])


@pytest.mark.thorough
@pytest.mark.parametrize("lost", ["lowest", "middle"])
def test_one_that_was_lost_is_compiled_again_for_its_callers(installed, lost):
    run(installed, ("outer.outer", 2))
    for path in (installed.folder / "cache").rglob(f"{lost}-separate-*.nbc"):
        path.unlink()
    assert run(installed, ("outer.outer", 2)) == ([str(plain(2))], [lost])
    assert run(installed, ("outer.outer", 2)) == ([str(plain(2))], [])


@pytest.mark.thorough
def test_a_wheel_contains_it(installed):
    folder = installed.ship(CALL + "print(call(outer.outer, 2))")
    names = {path.name.rsplit("-", 2)[0] for path in folder.rglob("*.nbc")}
    assert names == {"outer", "lowest", "middle"}
    assert run(installed, ("outer.outer", 2), cache="new") == ([str(plain(2))], [])


@pytest.mark.thorough
def test_changed_source_is_compiled(installed):
    run(installed, ("outer.outer", 2))
    inner = installed.package / "puzzles" / "inner.py"
    inner.write_text(INNER.replace("return n + n", "return 2 * n + 100"))
    results, compiled = run(installed, ("outer.outer", 2))
    assert results == [str(108 + 107 + 311)]
    assert sorted(compiled) == ["linked", "lowest", "middle", "outer", "twice"]


@pytest.mark.thorough
def test_numba_alone_compiles_it_as_any_other(installed):
    results, _ = run(installed, ("outer.outer", 2), NANDO_FALLBACK_KERNELS="1")
    assert results == [str(plain(2))]
