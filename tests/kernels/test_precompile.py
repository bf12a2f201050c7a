"""Kernels that are compiled on several cores before a command runs."""

from collections import deque
from contextlib import suppress

import pytest
from helpers.sampled import one_in

from nando import precompile
from nando.cli.progress import RATING
from nando.kernels.internals.storage import kernel_files
from nando.precompile import TASKS, compile_together
from nando.solvers.logic.chains import house_ladder

SUDOKU = TASKS["sudoku"]


@pytest.fixture
def started(monkeypatch, tmp_path):
    """Collect the names of the tasks that processes are started for; compile nothing."""
    for name in ("NUMBA_CACHE_DIR", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    names = []

    def note(tasks):
        with suppress(IndexError):
            while True:
                names.append(tasks.popleft()[1])

    monkeypatch.setattr(precompile, "_run_apart", note)
    monkeypatch.setattr(precompile, "uses_internals", lambda: True)
    monkeypatch.setattr(precompile, "cpu_count", lambda: 2)
    return names


def test_each_task_that_a_command_needs_has_a_process(started):
    compile_together("sudoku", RATING)
    assert sorted(started) == sorted(SUDOKU.keys() & set(RATING))


def test_compiled_kernels_are_not_compiled_again(started):
    compile_together("sudoku", SUDOKU)
    n_all = len(started)
    kernel = house_ladder._rate_or_find
    kernel_files(kernel.py_func, "python", kernel.options).save("key", "code")
    compile_together("sudoku", SUDOKU)
    assert set(started[n_all:]) == SUDOKU.keys() - {"ladder", "chains"}


def test_one_core_or_numba_alone_starts_no_process(started, monkeypatch):
    monkeypatch.setattr(precompile, "cpu_count", lambda: 1)
    compile_together("sudoku", SUDOKU)
    monkeypatch.setattr(precompile, "cpu_count", lambda: 2)
    monkeypatch.setattr(precompile, "uses_internals", lambda: False)
    compile_together("sudoku", SUDOKU)
    assert not started


@pytest.mark.parametrize("kind", TASKS)
def test_the_tasks_of_a_kind_that_has_some_of_them(started, kind):
    compile_together(kind, RATING)
    named = TASKS[kind].keys() & set(RATING)
    assert set(started) == (named if len(named) > 1 else set())


@pytest.mark.parametrize(
    ("kind", "name"), one_in(2, [(kind, name) for kind, tasks in TASKS.items() for name in tasks])
)
def test_a_task_calls_kernels_of_its_module(kind, name):
    """A task compiles kernels of its module, and its folder shows that it is done."""
    task = TASKS[kind][name]
    task.run()
    assert task.is_done


def test_tasks_that_cannot_run_are_passed_over(monkeypatch):
    tasks = deque([("sudoku", "nothing"), ("sudoku", "neither"), ("chess", "exact")])
    precompile._run_apart(tasks)
    assert not tasks
    tasks.append(("sudoku", "exact"))
    monkeypatch.setattr(precompile.sys, "executable", "/nowhere/python")
    precompile._run_apart(tasks)
    assert tasks
