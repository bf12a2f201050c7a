"""Kernels are compiled once, are never stale, and are compared with their plain Python."""

import gc
import sys
from types import ModuleType
from typing import NamedTuple

import numpy as np
import pytest
from helpers.plain_kernels import compiled_and_plain, compiled_kernels, plain_kernels
from numba import typeof, types

from nando.kernels import cache, streams
from nando.kernels.compile import Kernel, kernel, lean_kernel, stable_order
from nando.kernels.extensions import on_first_compile
from nando.kernels.internals.dispatchers import keep_garbage, with_room
from nando.kernels.internals.storage import Files
from nando.solvers.exact import words
from nando.solvers.exact.bands import count_bands

MODULE = """
from enum import IntEnum
from typing import NamedTuple
import numpy as np
from nando.kernels.compile import n_bits
from nando.kernels.compile import kernel, lean_kernel
from nando.kernels.lanes import formula
from {other} import other

class Way(IntEnum):
    ROW = 1

class Pair(NamedTuple):
    first: int
    second: int

MOST = 4
TABLE = np.arange(3)
DTYPE = np.dtype([("cell", np.int8)])

@formula
def doubled(n):
    return 2 * n

@kernel
def inner(n):
    'Double.'
    return doubled(n) + Pair(n, MOST).first  # twice

@lean_kernel
def outer(n):
    return inner(n) + TABLE[0] + Way.ROW.value + n_bits(n) + np.zeros(1, DTYPE)[0]["cell"]

@kernel
def calls_other(n):
    return other(n)

@kernel
def alone(n):
    return [n for _ in range(7)][0]
"""
OTHER = "from nando.kernels.compile import kernel\n@kernel\ndef other(n):\n    return n + 1\n"
CHANGES = [
    ("n + 1", "n + 2", {"calls_other"}),
    ("2 * n", "3 * n", {"inner", "outer"}),
    ("MOST = 4", "MOST = 5", {"inner", "outer"}),
    ("second: int", "last: int", {"inner", "outer"}),
    ("arange(3)", "arange(4)", {"outer"}),
    ("ROW = 1", "ROW = 2", {"outer"}),
    ("np.int8", "np.int16", {"outer"}),
    ("@lean_kernel\ndef outer", "@kernel\ndef outer", {"outer"}),
    ("@kernel\ndef inner", "@lean_kernel\ndef inner", {"inner", "outer"}),
    ("range(7)", "range(8)", {"alone"}),
    ("Double", "Twice", set()),
    ("  # twice", "\n\n", set()),
]


def files_of(monkeypatch, old="", new=""):
    """Return the names of the files of two modules' kernels, with some text replaced."""
    modules = ModuleType("theirs.one"), ModuleType("theirs.two")
    texts = MODULE.format(other="theirs.two"), OTHER
    assert old in "".join(texts)
    monkeypatch.setitem(sys.modules, "theirs.two", modules[1])
    for module, text in zip(modules[::-1], texts[::-1], strict=True):
        exec(text.replace(old, new), vars(module))
    kernels = {k: v for module in modules for k, v in vars(module).items() if isinstance(v, Kernel)}
    return {k: cache.file_name(v.py_func, "python", v.options) for k, v in kernels.items()}


@pytest.mark.parametrize(("old", "new", "changed"), CHANGES)
def test_a_change_moves_the_files_of_the_kernels_that_see_it_and_no_others(
    monkeypatch, old, new, changed
):
    before, after = files_of(monkeypatch), files_of(monkeypatch, old, new)
    assert {name for name in before if before[name] != after[name]} - {"other"} == changed


def test_a_change_in_what_extends_numba_moves_the_files(monkeypatch):
    before = cache.fingerprint.__wrapped__(count_bands.py_func)
    cache._parts.cache_clear()
    changed = words._narrow_triples.__code__.replace(co_code=words._narrow.__code__.co_code)
    monkeypatch.setattr(words._narrow_triples, "__code__", changed)
    assert cache.fingerprint.__wrapped__(count_bands.py_func) != before
    monkeypatch.undo()
    cache._parts.cache_clear()
    assert cache.fingerprint.__wrapped__(count_bands.py_func) == before


def test_another_compiler_moves_the_files(monkeypatch, tmp_path):
    def name():
        return cache.fingerprint.__wrapped__(count_bands.py_func)

    monkeypatch.setattr(cache, "compiler", cache.compiler.__wrapped__)
    monkeypatch.chdir(tmp_path)
    names = [name()]
    monkeypatch.setenv("NUMBA_OPT", "1")
    names.append(name())
    (tmp_path / ".numba_config.yaml").write_text("opt: 1")
    names.append(name())
    for changed in ("version", "_passes"):
        monkeypatch.setattr(cache, changed, lambda *_: "0.0.1")
        names.append(name())
    assert len(set(names)) == 5


def test_named_tuples_with_other_fields_have_other_files():
    kinds = [typeof(NamedTuple("Pair", [(f, int) for f in names])(1, 2)) for names in ("ab", "ba")]
    assert repr(kinds[0]) == repr(kinds[1])
    files = Files("some.module", "kernel-0123")
    assert files._file((kinds[0],)) != files._file((kinds[1],))
    nested = [types.Tuple((types.int64, kind)) for kind in kinds]
    assert files._file((nested[0],)) != files._file((nested[1],))


def test_compiling_is_said_once_and_the_disk_searched_again(monkeypatch, tmp_path):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    modules = []

    def compile_apart(module):
        modules.append(module)
        Files("some.module", "kernel-0123").save("key", "code")

    on_first_compile(compile_apart)
    files = Files("some.module", "kernel-0123")
    assert files.load("key") == "code"
    assert files.load("another key") is None
    assert modules == ["some.module"]


@pytest.mark.parametrize("n", [0, 1, 2, 40])
def test_the_stable_order_is_that_of_numpy(n):
    values = np.random.default_rng(n).integers(0, 9, n)
    expected = np.argsort(values, kind="stable").tolist()
    assert stable_order(values).tolist() == stable_order.py_func(values).tolist() == expected


@pytest.mark.parametrize("enabled", [False, True])
def test_garbage_is_collected_again_afterwards(enabled):
    before = gc.isenabled()
    try:
        (gc.enable if enabled else gc.disable)()
        with keep_garbage():
            assert not gc.isenabled()
        assert gc.isenabled() == enabled
    finally:
        (gc.enable if before else gc.disable)()


def test_calls_at_any_depth_take_no_memory_from_the_system():
    resource = pytest.importorskip("resource")

    def pages():
        return resource.getrusage(resource.RUSAGE_SELF).ru_minflt

    def most_pages_of_calls(depth):
        before = pages()
        for _ in range(200):
            leaf()
        taken = pages() - before
        return max(taken, most_pages_of_calls(depth - 1)) if depth else taken

    def leaf():
        pass

    assert with_room(lambda: most_pages_of_calls(300))() < 100


# Plain Python in place of kernels


HERE = sys.modules[__name__]
WAY = "compiled"
"""A global that kernels keep as it was when they were compiled."""


@lean_kernel
def is_plain(number):
    return number + (WAY != "compiled")


@kernel
def outer(number):
    return 10 * is_plain(number)


IMPORTED = {"elsewhere": outer}
"""A place that no patch of a module's names would reach."""


def called():
    return IMPORTED["elsewhere"](1), is_plain(2)


@pytest.fixture
def changed(monkeypatch):
    called()
    monkeypatch.setattr(HERE, "WAY", "plain")


@pytest.mark.usefixtures("changed")
def test_the_first_is_compiled_and_the_second_is_plain():
    assert compiled_and_plain(called) == ((10, 2), (20, 3))
    assert compiled_and_plain(called, HERE) == ((10, 2), (20, 3))


@pytest.mark.usefixtures("changed")
def test_kernels_of_other_modules_stay_compiled():
    stream = np.arange(4)
    with plain_kernels(streams):
        word = streams.next_word(stream)
        assert called() == (10, 2)
    assert word == streams.next_word(np.arange(4))


def test_a_block_without_kernels_is_noticed():
    with pytest.raises(AssertionError, match="no kernel was run"), compiled_kernels():
        pass
    with pytest.raises(AssertionError, match="no kernel was run as plain Python"), plain_kernels():
        pass
    with (
        pytest.raises(AssertionError, match=r"no kernel of nando.kernels.streams was run"),
        plain_kernels(HERE, streams),
    ):
        called()
