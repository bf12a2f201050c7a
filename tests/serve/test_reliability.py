"""Acknowledged moves are kept: through kill -9, a full disk, and on another database."""

import asyncio
import contextlib
import gc
import logging
import os
import shutil
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest
from helpers.command import run
from helpers.pages.browser import until
from helpers.pages.contests import Visitor, begin, blanks, contest_file, entry, served
from helpers.pages.played_pages import NURIKABE, SUDOKU
from helpers.pages.postgres import postgres, programs
from sqlalchemy import create_engine, text
from sqlalchemy import event as events
from sqlalchemy.exc import IntegrityError, OperationalError

from nando.serve.store import INSERT_PLAYER, METADATA, Store, Write

BENCHMARKS = Path(__file__).resolve().parent.parent.parent / "benchmarks"
FIRST = blanks(SUDOKU)[0]


@pytest.fixture
def load(monkeypatch):
    if not (BENCHMARKS / "contest.py").exists() or not Path("/proc/self/stat").exists():
        pytest.skip("needs the folder of benchmarks, and /proc")
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    yield __import__("contest")
    sys.modules.pop("contest", None)


@pytest.fixture(scope="module")
def database():
    if programs() is None:
        pytest.skip("PostgreSQL is not installed")
    with postgres() as url:
        yield url


@pytest.fixture
def empty_database(database):
    engine = create_engine(database)
    METADATA.drop_all(engine)
    engine.dispose()
    return database


@pytest.mark.thorough
@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_a_killed_server_has_all_that_it_acknowledged(load, tmp_path, request, kind):
    url = request.getfixturevalue("database") if kind == "postgresql" else ""
    players, at_crash = asyncio.run(load.crash(tmp_path, url, n_players=20, rate=60, seconds=4))
    assert load.check(url or f"sqlite:///{tmp_path}/contest.db", players, at_crash) > 0
    assert url or sum(player.n_again for player in players) > 0


HOST = 'connection to server at "db.internal" (10.0.0.5) failed:\n\tdisk full'


def test_unwritten_moves_are_sent_again_and_only_the_organiser_reads_why(
    tmp_path, monkeypatch, caplog
):
    monkeypatch.setattr("nando.serve.store.CHECK_SECONDS", 0.05)
    with served(tmp_path) as contest:
        logging.getLogger("uvicorn.error").addHandler(caplog.handler)
        ada, organiser = Visitor(contest), Visitor(contest)
        ada.join("Ada")
        assert ada.send(begin()).status_code == 200
        broken = [True]

        def full(connection, cursor, statement, parameters, context, executemany):
            if broken and not statement.startswith("SELECT"):
                raise OperationalError(statement, parameters, Exception(HOST))

        events.listen(contest.server.store.journal.engine, "before_cursor_execute", full)
        joining = {"json": {"name": "Ben", "code": "tea-time"}}
        for found in (
            ada.send(entry(2, *FIRST)),
            Visitor(contest)("POST", "/contest/join", **joining),
            ada("POST", "/contest/leave"),
        ):
            assert (found.status_code, found.json()["reason"]) == (503, "not_kept")
            assert "disk" not in found.text
            assert "10.0.0.5" not in found.text
        assert ada("GET", "/contest").json()["player"]["seq"] == 1
        # The organiser can log in even now.
        storage = organiser.login()("GET", "/organiser/state").json()["storage"]
        assert storage["problem"] == HOST.replace("\n\t", " ")
        assert 0 <= 1000 * time.time() - storage["since_ms"] < 60_000
        broken.clear()
        # The server finds out by itself.
        until(lambda: not organiser("GET", "/organiser/state").json()["storage"]["problem"])
        assert ada.send(entry(2, *FIRST)).json()["seq"] == 2
        said = [record.getMessage() for record in caplog.records]
        assert said == [
            "moves cannot be saved, players send them again: " + HOST.replace("\n\t", " "),
            "moves are saved again",
        ]


def test_a_failed_read_says_nothing_of_the_database_either(tmp_path):
    with served(tmp_path) as contest:
        ada = Visitor(contest)
        ada.join("Ada")

        def lost(connection, cursor, statement, parameters, context, executemany):
            raise OperationalError(statement, parameters, Exception(HOST))

        events.listen(contest.server.store.engine, "before_cursor_execute", lost)
        found = ada("GET", "/contest/moves")
        assert (found.status_code, found.json()["reason"]) == (503, "not_kept")
        assert "disk" not in found.text


def test_an_audit_that_finds_the_disk_full_says_so(tmp_path, monkeypatch):
    def full(store):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("nando.serve.evidence.log_of", full)
    with served(tmp_path) as contest:
        ada, organiser = Visitor(contest), Visitor(contest).login()
        ada.join("Ada")
        ada.send(begin())
        organiser("GET", "/organiser/state")
        until(lambda: organiser("GET", "/organiser/state").json()["audit"]["problem"])
        assert "No space left" in organiser("GET", "/organiser/state").json()["audit"]["problem"]


def test_one_bad_request_takes_no_other_with_it(tmp_path):
    """Of requests that are committed together, only the bad one fails."""
    store = Store(f"sqlite:///{tmp_path / 'contest.db'}")

    def player(number, name):
        row = {"id": number, "name": name, "folded": name, "key_hash": "", "joined_ms": 0}
        return store.write(Write(INSERT_PLAYER, [row]))

    async def written():
        names = ["ada", "ben", "ada", "cy", None]
        return await asyncio.gather(
            *(player(n, name) for n, name in enumerate(names, 1)), return_exceptions=True
        )

    try:
        found = [type(error) for error in asyncio.run(written())]
        assert found == [type(None), type(None), IntegrityError, type(None), IntegrityError]
        assert sorted(store.names().values()) == ["ada", "ben", "cy"]
    finally:
        store.close()


def test_a_second_server_is_refused(tmp_path):
    with served(tmp_path) as contest:
        with (
            pytest.raises(ValueError, match="another server has this database open"),
            served(tmp_path),
        ):
            pass
        assert Visitor(contest).join("Ada")["name"] == "Ada"


@pytest.mark.skipif(os.name != "posix", reason="only there is the file locked")
@pytest.mark.parametrize("kind", ["sqlite", pytest.param("postgresql", marks=pytest.mark.thorough)])
def test_a_server_that_lost_its_database_stops_before_it_writes(
    tmp_path, monkeypatch, request, kind
):
    monkeypatch.setattr("nando.serve.store.CHECK_SECONDS", 600.0)
    url = request.getfixturevalue("empty_database") if kind == "postgresql" else ""
    with served(tmp_path, database=url) as first:
        ada = Visitor(first)
        ada.join("Ada")
        assert ada.send(begin()).json()["seq"] == 1
        if url:
            before = cut_connections(url)
            until(lambda: asked(url, LOCKS) != [before])
        else:
            (tmp_path / "contest.db-lock").unlink()
        with served(tmp_path, database=url) as second:
            assert ada.send(entry(2, *FIRST)).status_code == 503
            assert first.running.should_exit
            ada.client = second
            assert ada("GET", "/contest").json()["player"]["seq"] == 1
            assert ada.send(entry(2, *FIRST)).json()["seq"] == 2
            assert second.server.store.journal.problem == ""


@contextlib.contextmanager
def serving(path, *options):
    """Run `nando serve` in a process of its own, from when it has told its secrets."""
    with subprocess.Popen(
        [sys.executable, "-m", "nando", "serve", str(path), "--port", "0", *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        env=os.environ | {"PYTHONUNBUFFERED": "1"},
    ) as process:
        try:
            assert any(line.startswith("Keep the secrets") for line in process.stdout)
            yield process
        finally:
            process.terminate()


@pytest.mark.thorough
@pytest.mark.skipif(os.name != "posix", reason="only there is the file locked")
def test_a_server_without_players_notices_by_itself_and_says_so(tmp_path):
    path = contest_file(tmp_path)
    with serving(path) as first:
        (tmp_path / "contest.db-lock").unlink()
        with serving(path, "--new-secrets") as second:
            assert first.wait(30) == 2
            assert second.poll() is None
        said = first.stdout.read()
    assert f"nando: sqlite:///{tmp_path}/contest.db: another server has taken the database" in said


def rows_of(path):
    with contextlib.closing(sqlite3.connect(path)) as database:
        return [
            database.execute(f"select * from {table} order by 1, 2").fetchall()
            for table in ("players", "moves", "puzzles")
        ]


def test_a_backup_has_everything_while_the_contest_runs(tmp_path):
    path, copy = contest_file(tmp_path), tmp_path / "copies" / "copy.db"
    copy.parent.mkdir()
    early = run("serve", path, "--backup", copy)
    assert early.exit_code == 2
    assert "no contest was served from this database yet" in early.stderr
    with served(tmp_path, wait=False) as contest:
        ada = Visitor(contest)
        ada.join("Ada")
        ada.solve(SUDOKU)
        shutil.copy(tmp_path / "contest.db", copy)
        with pytest.raises(sqlite3.OperationalError, match="no such table"):
            rows_of(copy)  # everything is still in the write-ahead log
        assert run("serve", path, "--backup", copy).stdout == f"{copy}: players: 1, moves: 52\n"
        assert rows_of(copy) == rows_of(tmp_path / "contest.db")
        assert [len(rows) for rows in rows_of(copy)] == [1, 52, 2]
        itself = run("serve", path, "--backup", tmp_path / "contest.db")
        assert itself.exit_code == 2
        assert "is the database itself: name another file" in itself.stderr
        # Backups and playing do not wait for each other.
        last = ada.solve(NURIKABE, 1, 53)
        assert f"moves: {last - 1}" in run("serve", path, "--backup", copy).stdout
    files = {file for file in copy.parent.iterdir() if not file.name.startswith("contest")}
    assert files == {copy}
    copy.rename(copy.with_name("contest.db"))
    with served(copy.parent) as contest:
        ada.client = contest
        assert ada("GET", "/contest").json()["player"]["solved"] == [0, 1]


@pytest.mark.skipif(os.name != "posix", reason="only there have files a mode")
def test_only_their_owner_reads_the_database_and_its_copies(tmp_path):
    before = os.umask(0)
    try:
        with served(tmp_path) as contest:
            Visitor(contest).join("Ada")
            run("serve", contest_file(tmp_path), "--backup", tmp_path / "copy.db")
            modes = {file.name: file.stat().st_mode & 0o777 for file in tmp_path.iterdir()}
    finally:
        os.umask(before)
    modes.pop("contest.toml")
    names = ("contest.db", "contest.db-lock", "contest.db-shm", "contest.db-wal", "copy.db")
    assert modes == dict.fromkeys(names, 0o600)


def test_other_puzzles_do_not_take_over_a_database(tmp_path):
    with served(tmp_path):
        pass
    with (
        pytest.raises(ValueError, match="holds a contest with other puzzles"),
        served(tmp_path, seed=1),
    ):
        pass
    with served(tmp_path):
        pass


@pytest.mark.thorough
def test_postgresql_plays_the_same_contest(tmp_path, empty_database):
    database = empty_database
    with served(tmp_path, database=database) as contest:
        ada = Visitor(contest)
        ada.join("Ada <é>")
        ada.solve(SUDOKU)
        with (
            pytest.raises(ValueError, match="another server has this database open"),
            served(tmp_path, database=database),
        ):
            pass
    with served(tmp_path, database=database) as contest:
        ada.client = contest
        assert ada.solve(NURIKABE, 1, 53)
        (line,) = ada("GET", "/contest/standings").json()["standings"]
        assert (line["name"], line["points"]) == ("Ada <é>", 25)
        log = Visitor(contest).login()("GET", "/organiser/games.csv").text
        assert len(log.splitlines()) == 3 + len(blanks(SUDOKU)) + len(blanks(NURIKABE))
    assert not list(tmp_path.glob("*.db"))


def asked(database, query):
    """Return the rows of a query as a list of values."""
    engine = create_engine(database)
    with engine.begin() as connection:
        found = list(connection.execute(text(query)).scalars())
    engine.dispose()
    return found


LOCKS = "select pid from pg_locks where locktype = 'advisory' and granted"


def cut_connections(database):
    """End all connections, as a restart of PostgreSQL does; return who held the lock."""
    (owner,) = asked(database, LOCKS)
    asked(
        database,
        "select pg_terminate_backend(pid) from pg_stat_activity "
        "where datname = current_database() and pid <> pg_backend_pid()",
    )
    return owner


@pytest.mark.thorough
def test_the_lock_of_postgresql_is_taken_again(tmp_path, empty_database, monkeypatch):
    monkeypatch.setattr("nando.serve.store.CHECK_SECONDS", 0.05)
    with served(tmp_path, database=empty_database) as contest:
        ada = Visitor(contest)
        ada.join("Ada")
        assert ada.send(begin()).json()["seq"] == 1
        for _ in range(3):
            before = cut_connections(empty_database)
            until(lambda before=before: asked(empty_database, LOCKS) not in ([], [before]))
            with (
                pytest.raises(ValueError, match="another server has this database open"),
                served(tmp_path, database=empty_database),
            ):
                pass
        assert ada.send(entry(2, *FIRST)).json()["seq"] == 2
        assert not contest.running.should_exit


@pytest.mark.thorough
def test_postgresql_is_copied_by_its_own_program(tmp_path, empty_database):
    with served(tmp_path, database=empty_database):
        options = ("--backup", tmp_path / "copy.db", "--database", empty_database)
        found = run("serve", contest_file(tmp_path), *options)
    assert found.exit_code == 2
    assert "pg_dump copies a PostgreSQL database while it is used" in found.stderr
    assert not (tmp_path / "copy.db").exists()


@pytest.mark.thorough
def test_loaded_objects_are_left_out_of_collections(tmp_path, monkeypatch):
    """Collecting all loaded objects would make players wait for tenths of a second."""
    frozen = []

    class Asgi:
        def run(self, sockets):
            frozen.append(gc.get_freeze_count())

    gc.unfreeze()
    assert gc.get_freeze_count() == 0
    with served(tmp_path) as contest:
        monkeypatch.setattr(contest.server, "asgi_server", Asgi)
        try:
            contest.server.run()
        finally:
            gc.unfreeze()
    assert frozen[0] > 10_000
