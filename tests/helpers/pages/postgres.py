"""A PostgreSQL server for tests and benchmarks, where its programs are installed.

``python -m helpers.pages.postgres COMMAND ...``, in the folder ``tests``, starts one and runs a
command in which ``{url}`` stands for a new database.
"""

import contextlib
import os
import pwd
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

USERS = ("postgres", "nobody")
"""Whom it runs as where root runs the tests: it refuses to run as root."""


def programs():
    """Return the folder of initdb and postgres; None if they are not installed."""
    folders = [*map(Path, os.environ["PATH"].split(os.pathsep)), *sorted(
        Path("/usr/lib/postgresql").glob("*/bin"), reverse=True
    )]  # fmt: skip
    for folder in folders:
        if (folder / "initdb").is_file() and (folder / "postgres").is_file():
            return folder
    return None


def _user():
    if os.geteuid():
        return None
    known = {entry.pw_name for entry in pwd.getpwall()}
    return next((name for name in USERS if name in known), None)


@contextlib.contextmanager
def postgres():
    """Yield the URL of an empty database on a server that stops when the block ends."""
    where, user = programs(), _user()
    folder = Path(tempfile.mkdtemp(prefix="nando-postgres-"))
    try:
        if user:
            shutil.chown(folder, user)
        data = folder / "data"
        options = {"user": user, "cwd": folder} if user else {"cwd": folder}
        initdb = [where / "initdb", "-D", data, "-U", "nando", "-A", "trust", "-E", "UTF8"]
        subprocess.run(
            initdb, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.STDOUT, **options
        )
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        server = subprocess.Popen(
            [where / "postgres", "-D", data, "-p", str(port), "-h", "127.0.0.1", "-k", folder],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            **options,
        )
        try:
            _wait(port)
            yield f"postgresql+psycopg://nando@127.0.0.1:{port}/postgres"
        finally:
            server.terminate()
            server.wait()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _wait(port):
    import psycopg

    for _ in range(100):
        try:
            psycopg.connect(host="127.0.0.1", port=port, user="nando", dbname="postgres").close()
            return
        except psycopg.OperationalError:
            time.sleep(0.1)
    raise RuntimeError("PostgreSQL does not answer")


if __name__ == "__main__":
    with postgres() as url:
        subprocess.run([part.replace("{url}", url) for part in sys.argv[1:]], check=True)
