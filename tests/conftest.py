"""Settings for collecting tests, and fixtures that many tests share."""

import gc
import os
import subprocess

import hypothesis
import pytest

# The same examples in every run; `pytest --hypothesis-profile=default` looks for others.
hypothesis.settings.register_profile("repeatable", derandomize=True, print_blob=True)
hypothesis.settings.load_profile("repeatable")

# Matrices are small here, and the threads of several workers would wait for each other. NumPy reads
# this when it is imported.
os.environ.setdefault("OMP_NUM_THREADS", "1")


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """Make the objects of imports and collection old, so that they are seldom visited as garbage.

    They do not stay frozen, because frozen objects are counted whenever a kernel is loaded.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()
        gc.unfreeze()
        gc.set_threshold(700, 10, 1000)  # the many old objects are seldom visited


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector):
    """Let every second worker collect from the end.

    The worker that reaches a file first rewrites its assertions, which takes half the time of
    collecting; the other workers read the result from its cache.
    """
    report = yield
    worker = os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")
    if isinstance(collector, pytest.Dir) and int(worker) % 2:
        report.result = report.result[::-1]
    return report


def pytest_collection_modifyitems(config, items):
    if hasattr(config, "workerinput"):
        items.sort(key=lambda item: item.path)  # workers must have the same order


def pytest_configure(config):
    is_worker = hasattr(config, "workerinput")
    runs_all = config.args_source is pytest.Config.ArgsSource.TESTPATHS
    if runs_all and not is_worker and not config.option.collectonly:
        from nando.precompile import compile_everything

        compile_everything()  # before several workers compile the same kernels


@pytest.fixture(autouse=True, scope="session")
def compiled_when_called():
    """Let a command compile the kernels it lacks, and start no processes that load all others."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("nando.precompile.compile_together", lambda kind, names: None)
        yield


@pytest.fixture(scope="module")
def browser():
    """Start a Chromium."""
    from helpers.pages.browser import chromium

    with chromium() as opened:
        yield opened


@pytest.fixture
def small_disk(tmp_path):
    """Mount a disk of 256 kB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", str(folder)]
    try:
        subprocess.run(mount, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("only root may mount a small disk")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)
