"""What is compiled on several cores before a command runs."""

import subprocess

import pytest

from nando import precompile
from nando.cli.progress import RATING
from nando.precompile import TASKS, compile_together


@pytest.fixture
def started(monkeypatch, tmp_path):
    """Names of the tasks that processes were started for; nothing is compiled."""
    for name in ("NUMBA_CACHE_DIR", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    names = []
    monkeypatch.setattr(precompile, "_run_apart", names.append)
    monkeypatch.setattr(precompile, "internals_work", lambda: True)
    monkeypatch.setattr(precompile, "cpu_count", lambda: 2)
    return names


def test_each_task_that_a_command_needs_has_a_process(started):
    compile_together(RATING)
    assert sorted(started) == sorted(RATING)


def test_what_is_compiled_is_not_compiled_again(started, tmp_path):
    compile_together(TASKS)
    n_all = len(started)
    (tmp_path / "nando" / precompile.folder_name(TASKS["ladder"].module)).mkdir(parents=True)
    compile_together(TASKS)
    assert set(started[n_all:]) == TASKS.keys() - {"ladder", "chains"}


def test_one_core_or_numba_alone_starts_no_process(started, monkeypatch):
    monkeypatch.setattr(precompile, "cpu_count", lambda: 1)
    compile_together(TASKS)
    monkeypatch.setattr(precompile, "cpu_count", lambda: 2)
    monkeypatch.setattr(precompile, "internals_work", lambda: False)
    compile_together(TASKS)
    assert not started


@pytest.mark.parametrize("name", TASKS)
def test_a_task_calls_kernels_of_its_module(name):
    """Its folder says whether the task is done."""
    task = TASKS[name]
    task.run()
    assert task.is_done


def test_a_task_that_cannot_run_is_passed_over(monkeypatch):
    monkeypatch.setattr(precompile.sys, "executable", "/nowhere/python")
    precompile._run_apart("exact")
    monkeypatch.undo()
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: None)
    precompile._run_apart("exact")
