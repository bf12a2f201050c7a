"""Acknowledged moves are kept: through kill -9, a full disk, and on another database."""

import asyncio
import gc
import sys
from pathlib import Path

import pytest
from helpers.pages.contests import Visitor, blanks, entry, served
from helpers.pages.played_pages import NURIKABE, SUDOKU
from helpers.pages.postgres import postgres, programs
from sqlalchemy import event as events
from sqlalchemy.exc import IntegrityError, OperationalError

from nando.serve.journal import Write
from nando.serve.store import INSERT_PLAYER, Store

BENCHMARKS = Path(__file__).resolve().parent.parent.parent / "benchmarks"
FIRST, SECOND = blanks(SUDOKU)[:2]


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


@pytest.mark.thorough
def test_a_killed_server_has_all_that_it_acknowledged(load, tmp_path):
    players, at_crash = asyncio.run(load.crash(tmp_path, "", n_players=20, rate=60, seconds=4))
    assert load.check(f"sqlite:///{tmp_path}/contest.db", players, at_crash) > 0
    assert sum(player.n_again for player in players) > 0


@pytest.mark.thorough
def test_a_killed_server_on_postgresql_has_all_that_it_acknowledged(load, tmp_path, database):
    players, at_crash = asyncio.run(
        load.crash(tmp_path, database, n_players=20, rate=60, seconds=4)
    )
    assert load.check(database, players, at_crash) > 0


@pytest.mark.thorough
def test_a_check_sees_what_is_missing(load, tmp_path):
    """The check fails if a move is missing; otherwise it would prove nothing."""
    players, at_crash = asyncio.run(load.crash(tmp_path, "", n_players=2, rate=10, seconds=1))
    url = f"sqlite:///{tmp_path}/contest.db"
    engine = load.create_engine(url)
    with engine.begin() as connection:
        connection.execute(load.text("delete from moves where seq = 1"))
    engine.dispose()
    with pytest.raises(AssertionError):
        load.check(url, players, at_crash)


def test_unwritten_moves_are_not_acknowledged_and_are_sent_again(tmp_path):
    with served(tmp_path) as contest:
        ada = Visitor(contest)
        ada.join("Ada")
        assert ada.send(entry(1, *FIRST)).status_code == 200
        broken = []

        def full(connection, cursor, statement, parameters, context, executemany):
            if broken and statement.startswith("INSERT INTO moves"):
                raise OperationalError(statement, parameters, Exception("disk full"))

        events.listen(contest.server.store.engine, "before_cursor_execute", full)
        broken.append(True)
        found = ada.send(entry(2, *SECOND))
        assert found.status_code == 503
        assert "disk full" in found.json()["detail"]
        assert ada("GET", "/contest").json()["player"]["seq"] == 1
        broken.clear()
        assert ada.send(entry(2, *SECOND)).json()["seq"] == 2


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
def test_postgresql_plays_the_same_contest(tmp_path, database):
    from sqlalchemy import create_engine

    from nando.serve.tables import METADATA

    engine = create_engine(database)
    METADATA.drop_all(engine)
    engine.dispose()
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
        assert ada.solve(NURIKABE, 1, 52)
        (line,) = ada("GET", "/contest/standings").json()["standings"]
        assert (line["name"], line["points"]) == ("Ada <é>", 25)
        log = Visitor(contest).login()("GET", "/organiser/games.csv").text
        assert len(log.splitlines()) == 1 + len(blanks(SUDOKU)) + len(blanks(NURIKABE))
    assert not list(tmp_path.glob("*.db"))


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
