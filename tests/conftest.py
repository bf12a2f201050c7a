"""Marks the files of quick tests, by the seconds that they took when they were last recorded.

``python -m pytest --record-seconds`` writes `seconds.csv` anew: run it on an idle machine, with all
kernels compiled. The quickest files that together take `QUICK` seconds are the quick ones.
With ``-m thorough`` or ``-m slow`` it notes these tests in `slow.csv`.
"""

import csv
import gc
import os
import subprocess
from collections import defaultdict
from pathlib import Path

import pytest

# Matrices are small here, and the threads of several workers would wait for each other. NumPy reads
# this when it is imported.
os.environ.setdefault("OMP_NUM_THREADS", "1")

FILES = Path(__file__).with_name("seconds.csv")
SLOW = Path(__file__).with_name("slow.csv")
QUICK = 30.0
"""Recorded seconds; with the imports of two workers they take under half a minute."""
MARKS = ("thorough", "slow")
"""Tests that do not run unless they are asked for."""


def pytest_addoption(parser):
    parser.addoption(
        "--record-seconds", action="store_true", help="write what the tests of this run took"
    )


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """Keep what is imported and collected, which stays, out of collections of garbage."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector):
    """Let every second worker collect from the end.

    The first to come to a file rewrites its assertions, which takes half the time of collecting;
    the other workers read what it kept.
    """
    report = yield
    worker = os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")
    if isinstance(collector, pytest.Dir) and int(worker) % 2:
        report.result = report.result[::-1]
    return report


def compile_for_many_tests():
    """Compile what many tests need once, before workers would do so at the same time."""
    from nando.precompile import TASKS, compile_together

    for kind, tasks in TASKS.items():
        compile_together(kind, tasks)


def pytest_collection_modifyitems(config, items):
    if hasattr(config, "workerinput"):
        items.sort(key=lambda item: item.path)  # workers must have the same order
    quick = quick_files()
    for item in items:
        if file_of(item.nodeid) in quick and not set(MARKS) & set(item.keywords):
            item.add_marker(pytest.mark.quick)


def quick_files():
    """Files from the quickest on, as long as they keep below `QUICK` together."""
    total, quick = 0.0, set()
    for row in sorted(read(FILES), key=lambda row: float(row["seconds"])):
        total += float(row["seconds"])
        if total > QUICK:
            break
        quick.add(row["file"])
    return quick


def file_of(node):
    """A test's file, below the folder of tests."""
    return node.partition("::")[0].removeprefix("tests/")


def read(path):
    if not path.is_file():
        return []
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def write(path, names, rows):
    with path.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(names)
        writer.writerows(sorted(rows, key=lambda row: (-float(row[0]), *row[1:])))


class Recorder:
    """Adds up what tests and their fixtures take, and writes it at the end."""

    def __init__(self):
        self.seconds = defaultdict(lambda: defaultdict(float))
        self.marks = {}

    def pytest_runtest_logreport(self, report):
        name = report.nodeid.partition("::")[2].partition("[")[0]
        self.seconds[file_of(report.nodeid)][name] += report.duration
        self.marks[file_of(report.nodeid), name] = [m for m in MARKS if m in report.keywords]

    def pytest_sessionfinish(self):
        slow, files = {}, []
        for file, tests in self.seconds.items():
            usual = {name: took for name, took in tests.items() if not self.marks[file, name]}
            if usual:
                slowest = max(usual, key=usual.get)
                total, most = sum(usual.values()), usual[slowest]
                files.append((f"{total:.1f}", file, len(usual), slowest, f"{most:.1f}"))
            for name in tests.keys() - usual.keys():
                slow[file, name] = (f"{tests[name]:.1f}", self.marks[file, name][0], file, name)
        if files:
            write(FILES, ("seconds", "file", "tests", "slowest", "its_seconds"), files)
        if slow:
            known = {(row["file"], row["test"]): tuple(row.values()) for row in read(SLOW)}
            write(SLOW, ("seconds", "mark", "file", "test"), (known | slow).values())


def pytest_configure(config):
    is_worker = hasattr(config, "workerinput")
    runs_all = config.args_source is pytest.Config.ArgsSource.TESTPATHS
    if runs_all and not is_worker and not config.option.collectonly:
        compile_for_many_tests()
    if config.getoption("--record-seconds") and not is_worker:
        config.pluginmanager.register(Recorder())


@pytest.fixture
def small_disk(tmp_path):
    """A disk of 256 kB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", str(folder)]
    try:
        subprocess.run(mount, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("only root may mount a small disk")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)
