"""Marks the files of quick tests, by the seconds that they took when they were last recorded.

``python -m pytest --record-seconds`` writes `seconds.csv` anew: run it on an idle machine, with all
kernels compiled. The quickest files that together take `QUICK` seconds are the quick ones.
"""

import csv
from collections import defaultdict
from pathlib import Path

import pytest

TABLE = Path(__file__).parent / "seconds.csv"
QUICK = 15.0
"""Recorded seconds; with the imports of two workers they take under half a minute."""


def pytest_addoption(parser):
    parser.addoption(
        "--record-seconds", action="store_true", help="write tests/seconds.csv from this run"
    )


def pytest_collection_modifyitems(config, items):
    quick = quick_files()
    for item in items:
        if file_of(item.nodeid) in quick and "slow" not in item.keywords:
            item.add_marker(pytest.mark.quick)


def quick_files():
    """Files from the quickest on, as long as they keep below `QUICK` together."""
    if not TABLE.is_file():
        return set()
    with TABLE.open(newline="") as file:
        rows = sorted(csv.DictReader(file), key=lambda row: float(row["seconds"]))
    total, quick = 0.0, set()
    for row in rows:
        total += float(row["seconds"])
        if total > QUICK:
            break
        quick.add(row["file"])
    return quick


def file_of(node):
    """A test's file, below the folder of tests."""
    return node.partition("::")[0].removeprefix("tests/")


class Recorder:
    """Adds up what tests and their fixtures take, and writes it at the end."""

    def __init__(self):
        self.seconds = defaultdict(lambda: defaultdict(float))

    def pytest_runtest_logreport(self, report):
        self.seconds[file_of(report.nodeid)][report.nodeid] += report.duration

    def pytest_sessionfinish(self):
        rows = []
        for file, tests in self.seconds.items():
            slowest = max(tests, key=tests.get)
            name = slowest.partition("::")[2].partition("[")[0]
            rows.append((sum(tests.values()), file, len(tests), name, tests[slowest]))
        with TABLE.open("w", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(["seconds", "file", "tests", "slowest", "its_seconds"])
            for total, file_name, n_tests, name, most in sorted(rows, reverse=True):
                writer.writerow([f"{total:.1f}", file_name, n_tests, name, f"{most:.1f}"])


def pytest_configure(config):
    is_worker = hasattr(config, "workerinput")
    if config.getoption("--record-seconds") and not is_worker:
        config.pluginmanager.register(Recorder())
