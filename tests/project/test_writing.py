"""Files are written whole or not at all."""

import os
import subprocess
import sys
import threading

import pytest

from nando.cli.stream import Journal
from nando.rating import load_model
from nando.writing import remove_abandoned, replace_file


def write(path, content=b"new"):
    with replace_file(path) as file:
        file.write(content)


def test_a_file_is_replaced_when_the_block_ends(tmp_path):
    path, link = tmp_path / "file", tmp_path / "link"
    path.write_bytes(b"old")
    link.symlink_to(path)
    with replace_file(link) as file:
        file.write(b"new")
        assert path.read_bytes() == b"old"
    assert path.read_bytes() == b"new"
    assert link.is_symlink()


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_nothing_is_left_after_an_error(tmp_path, error):
    path = tmp_path / "file"
    path.write_bytes(b"old")
    with pytest.raises(error), replace_file(path) as file:  # noqa: PT012
        file.write(b"new")
        raise error
    assert [*tmp_path.iterdir()] == [path]
    assert path.read_bytes() == b"old"


def model(folder):
    load_model().to_json(folder / "model.json")


def journal(folder):
    Journal(folder / "rows.csv", {"options": "x" * 300_000}, resume=False)


def raw(folder):
    write(folder / "file", bytes(300_000))


@pytest.mark.parametrize("writer", [model, journal, raw])
def test_a_full_disk_leaves_no_partial_file(small_disk, writer):
    (small_disk / "filling").write_bytes(bytes(250_000))
    before = {path.name: path.stat().st_size for path in small_disk.iterdir()}
    with pytest.raises(OSError, match="No space left on device") as raised:
        writer(small_disk)
    assert raised.value.filename.startswith(str(small_disk))
    assert {path.name: path.stat().st_size for path in small_disk.iterdir()} == before


def test_threads_that_write_the_same_file_do_not_mix(tmp_path):
    path = tmp_path / "file"
    opened = threading.Barrier(2)

    def run(letter):
        with replace_file(path) as file:
            opened.wait()
            file.write(letter * 100_000)
            opened.wait()

    threads = [threading.Thread(target=run, args=(letter,)) for letter in (b"a", b"b")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert path.read_bytes() in (b"a" * 100_000, b"b" * 100_000)
    assert [*tmp_path.iterdir()] == [path]


def test_only_files_of_killed_processes_are_removed(tmp_path):
    path = tmp_path / "file"
    program = (
        "import os, sys\nfrom nando.writing import replace_file\n"
        "with replace_file(sys.argv[1]) as file:\n    file.write(b'new')\n    os._exit(1)"
    )
    subprocess.run([sys.executable, "-c", program, str(path)], check=False)
    (left,) = tmp_path.iterdir()
    assert left.suffix == ".part"
    with replace_file(path) as file:
        remove_abandoned(path)
        file.write(b"new")
    assert [*tmp_path.iterdir()] == [path]


@pytest.mark.skipif(os.name == "nt", reason="needs /dev/full")
def test_a_special_file_is_written_directly():
    with pytest.raises(OSError, match="Cannot be written: No space left on device: '/dev/full'"):
        write("/dev/full")
