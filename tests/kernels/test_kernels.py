"""The disk cache of compiled kernels: never stale, and as small as possible."""

import importlib
import pkgutil
from types import ModuleType

import numpy as np
import pytest

import nando
from nando.kernels import cache as _kernel
from nando.kernels.arrays import stable_order
from nando.kernels.cache import cache_folder, seen_by
from nando.kernels.extensions import on_first_compile
from nando.kernels.internals.storage import Files


def modules() -> list[ModuleType]:
    names = [
        module.name
        for package in ("puzzles", "solvers", "generators")
        for module in pkgutil.walk_packages([f"{nando.__path__[0]}/{package}"], f"nando.{package}.")
    ]
    return [importlib.import_module(name) for name in names]


@pytest.mark.thorough
def test_the_folder_of_a_kernel_depends_on_all_that_it_uses():
    checked = 0
    for module in modules():
        for value in vars(module).values():
            body = getattr(value, "py_func", None)
            if body is None or body.__module__ != module.__name__:
                continue
            for name in body.__code__.co_names:
                called = body.__globals__.get(name)
                home = getattr(getattr(called, "py_func", called), "__module__", None) or ""
                if home.startswith("nando."):
                    checked += 1
                    assert home in seen_by(module.__name__), f"{module.__name__} uses {name}"
    assert checked > 20


def test_a_changed_line_moves_the_folders_that_see_it_and_no_others(monkeypatch):
    race, layout = "nando.solvers.people.search_time", "nando.puzzles.sudoku.layout"
    seen, unseen = cache_folder(race), cache_folder(layout)
    original = _kernel._source

    def edited(module: str) -> bytes:
        return original(module) + (b"#" if module == "nando.solvers.singles" else b"")

    monkeypatch.setattr(_kernel, "_source", edited)
    monkeypatch.setattr(_kernel, "folder_name", _kernel.folder_name.__wrapped__)
    assert cache_folder(race) != seen
    assert cache_folder(layout) == unseen


def test_the_folder_is_where_the_user_says(monkeypatch, tmp_path):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    assert cache_folder("nando.solvers.search.annealing").is_relative_to(tmp_path / "nando")


def test_compiling_is_said_once_and_the_disk_searched_again(monkeypatch, tmp_path):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    modules = []

    def compile_apart(module):
        modules.append(module)
        Files("some.module-0123", "kernel").save("key", "code")

    on_first_compile(compile_apart)
    files = Files("some.module-0123", "kernel")
    assert files.load("key") == "code"
    assert files.load("another key") is None
    assert modules == ["some.module"]


@pytest.mark.parametrize("module", ["nando.solvers.nothing", "nando.nothing.nothing"])
def test_an_unknown_module_has_no_folder(module):
    with pytest.raises(FileNotFoundError):
        cache_folder(module)


@pytest.mark.parametrize("n", [0, 1, 2, 40])
def test_the_stable_order_is_that_of_numpy(n):
    values = np.random.default_rng(n).integers(0, 9, n)
    expected = np.argsort(values, kind="stable").tolist()
    assert stable_order(values).tolist() == stable_order.py_func(values).tolist() == expected
