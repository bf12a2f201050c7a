"""Rating on several machines: the same bytes as on one, even if a worker dies."""

import os
import signal
import threading

import numpy as np
import pytest
from helpers.command import run
from helpers.samples.sudokus import EXAMPLES


@pytest.fixture
def distributed():
    return pytest.importorskip("distributed", reason="needs nando[cluster]")


@pytest.fixture
def bank(tmp_path):
    rng = np.random.default_rng(0)
    examples = EXAMPLES
    lines = [puzzle.shuffled(rng).text for puzzle in examples for _ in range(2)]
    path = tmp_path / "bank.txt"
    path.write_text("\n".join(lines * 10))
    return path


@pytest.mark.thorough
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="signals are those of POSIX")
@pytest.mark.parametrize("suffix", [".csv", ""], ids=["file", "parts"])
def test_a_worker_dies_and_the_bytes_are_the_same(bank, tmp_path, distributed, suffix):
    alone, together = tmp_path / f"alone{suffix}", tmp_path / f"together{suffix}"
    options = ("rate", bank, "--runs", 40)
    assert run(*options, "-o", alone).exit_code == 0
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, host="127.0.0.1", dashboard_address=None
    ) as cluster:
        workers, states = [*cluster.workers.values()], cluster.scheduler.workers
        done = []
        ended = threading.Event()

        def kill():
            busy = []
            while not busy:
                if ended.wait(0.001):
                    return
                busy = [worker for worker in workers if states[worker.worker_address].processing]
            os.kill(busy[0].pid, signal.SIGKILL)
            done.append(bytes_of(together) == bytes_of(alone))

        killer = threading.Thread(target=kill)
        killer.start()
        result = run(*options, "-o", together, "--cluster", cluster.scheduler_address)
        ended.set()
        killer.join()
    assert result.exit_code == 0, result.output
    assert done == [False], "it was to die before the end"
    assert bytes_of(together) == bytes_of(alone)


def bytes_of(path):
    """Return the bytes of a file, or those of all files of a folder; nothing if neither exists."""
    files = sorted(path.iterdir()) if path.is_dir() else [path]
    return [file.read_bytes() for file in files if file.exists()]


def test_no_scheduler(bank, tmp_path, monkeypatch, distributed):
    monkeypatch.setattr(distributed, "Client", refused)
    result = run("rate", bank, "-o", tmp_path / "r.csv", "--cluster", "tcp://127.0.0.1:9")
    assert result.exit_code == 2
    assert "no Dask scheduler answers at 'tcp://127.0.0.1:9'" in result.stderr
    assert not list(tmp_path.glob("r.csv*"))


def refused(address, timeout):
    raise OSError(f"timed out after {timeout}")
