"""Kernels that are compiled on several cores before a command runs."""

import pytest
from helpers.sampled import one_in

from nando import precompile
from nando.cli.progress import RATING
from nando.precompile import TASKS, compile_everything, compile_together


@pytest.fixture
def started(monkeypatch):
    """Collect the tasks that processes are started for, and do none."""
    done = []
    monkeypatch.setattr(precompile, "Parallel", lambda n, **_: done.extend)
    monkeypatch.setattr(precompile, "delayed", lambda _: lambda task: task)
    monkeypatch.setattr(precompile, "uses_internals", lambda: True)
    monkeypatch.setattr(precompile, "cpu_count", lambda: 2)
    return done


@pytest.mark.parametrize("kind", TASKS)
def test_the_tasks_of_a_kind_that_a_command_needs(started, kind):
    compile_together(kind, RATING)
    assert started == [TASKS[kind][name] for name in TASKS[kind] if name in RATING]
    assert len(started) > 1


def test_one_core_or_numba_alone_starts_no_process(started, monkeypatch):
    monkeypatch.setattr(precompile, "cpu_count", lambda: 1)
    compile_everything()
    monkeypatch.setattr(precompile, "cpu_count", lambda: 2)
    monkeypatch.setattr(precompile, "uses_internals", lambda: False)
    compile_everything()
    assert not started


@pytest.mark.parametrize(
    ("kind", "name"), one_in(2, [(kind, name) for kind, tasks in TASKS.items() for name in tasks])
)
def test_each_task_can_be_done(kind, name):
    TASKS[kind][name]()


@pytest.mark.thorough
def test_processes_do_tasks_and_pass_over_those_that_fail(monkeypatch, tmp_path):
    monkeypatch.setattr(precompile, "cpu_count", lambda: 2)
    marks = [tmp_path / "first", tmp_path / "second"]
    precompile._run_together([marks[0].touch, "no task", marks[1].touch])
    assert all(mark.exists() for mark in marks)
