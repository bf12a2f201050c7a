"""The library over HTTP: the same answers as in Python, and no job that starves the others."""

import asyncio
import os
from pathlib import Path

import anyio
import pytest
from helpers.command import rows_of
from helpers.pages.contests import Visitor
from helpers.pages.jobs import alive, die, fail, hang, sleep
from helpers.pages.played_pages import NURIKABE, SUDOKU

import nando
from nando.serve import jobs
from nando.serve.jobs import BrokenError, BusyError, TooLongError, Workers
from nando.solvers.logic.language import PAGE_LANGUAGES

SEVERAL = "." * 81
GAMES = Path(__file__).resolve().parent.parent.parent / "examples" / "games.csv"


@pytest.fixture
def ask(shared):
    headers = {"authorization": f"Bearer {shared.server.secrets.token}"}

    def asked(method, path, **options):
        return shared.request(method, path, headers=headers, **options)

    return asked


def test_ratings_are_those_of_python(ask):
    rating = nando.rate(SUDOKU)
    one = ask("GET", "/api/rate", params={"puzzle": SUDOKU.text}).json()["ratings"]
    several = ask("POST", "/api/rate", json={"puzzles": [SUDOKU.text]}).json()["ratings"]
    assert one == several == [rating.to_dict()]
    (untimed,) = ask("POST", "/api/rate", json={"puzzles": [NURIKABE.text]}).json()["ratings"]
    assert untimed["predicted_seconds"] == nando.rate(NURIKABE).predicted
    assert untimed["flag_codes"] == ["nobody_timed"]


def test_explanations_are_those_of_python(ask):
    found = nando.explain(SUDOKU)
    answer = ask("GET", "/api/explain", params={"puzzle": SUDOKU.text}).json()
    assert answer == ask("POST", "/api/explain", json={"puzzle": SUDOKU.text}).json()
    german = {"puzzle": SUDOKU.text, "language": "de"}
    (first, *_) = ask("GET", "/api/explain", params=german).json()["steps"]
    assert first["sentence"] == "Versteckter Einer: In Block 2 passt die 8 nur in Z1S6."
    assert ask("POST", "/api/explain", json={**german, "language": "xx"}).status_code == 422
    assert answer["summary"] == found.summary()
    assert [step["sentence"] for step in answer["steps"]] == [s.sentence() for s in found.steps]


@pytest.mark.parametrize(
    "asked",
    [
        {"grade": "beginner", "count": 2, "seed": 4},
        pytest.param({"rule": "killer", "size": 4, "seed": 3}, marks=pytest.mark.thorough),
    ],
)
def test_puzzles_are_those_of_python(ask, asked):
    wanted = {"rules" if name == "rule" else name: value for name, value in asked.items()}
    records = nando.generate(count=wanted.pop("count", 1), **wanted)
    for found in (
        ask("POST", "/api/generate", json=asked),
        ask("GET", "/api/generate", params=asked),
    ):
        assert [p["puzzle"] for p in found.json()["puzzles"]] == [r.puzzle.text for r in records]


def test_games_are_audited(ask, shared):
    rows = rows_of(GAMES.read_text(encoding="utf-8"))
    found = ask("POST", "/api/games", json={"games": rows}).json()
    assert len(found["games"]) == len({(row["game"], row["player"]) for row in rows})
    assert {"verdict", "p_value", "evidence"} <= found["games"][0].keys()
    players = {player["player"]: player["games"] for player in found["players"]}
    assert players == {"ada": 5, "ben": 5}
    ada = Visitor(shared)
    ada.join("Ada")
    ada.solve(SUDOKU)
    log = ask("GET", "/api/games")
    assert log.headers["content-type"].startswith("text/csv")
    assert {row["player"] for row in rows_of(log.text)} == {"Ada"}


def test_the_organiser_reads_the_audit_in_the_language_of_the_page(shared):
    log = GAMES.read_text(encoding="utf-8")
    evidence = shared.server.site.evidence
    evidence.found = jobs.audit(log, ".csv", 0.01, tuple(PAGE_LANGUAGES))
    evidence.n_moves, evidence.made_ms = 1, 1
    organiser = Visitor(shared).login()
    for language, word, title in (("en", "person", "Audit of"), ("de", "Mensch", "Prüfung von")):
        headers = {"accept-language": language}
        answer = organiser("GET", "/organiser/state", headers=headers).json()["audit"]
        assert answer["games"]
        assert any(word in game["verdict"] for game in answer["games"])
        assert any(word in player["verdict"] for player in answer["players"])
        report = organiser("GET", "/organiser/report", headers=headers).text
        assert f'<html lang="{language}">' in report
        assert title in report
    assert organiser("GET", "/organiser/state").json()["audit"]["has_times"]
    rows = rows_of(organiser("GET", "/organiser/puzzles.csv").text)
    played = {row["puzzle"] for row in rows_of(log)}
    assert {row["puzzle"] for row in rows} == played
    assert all(float(row["median"]) > 0 and float(row["predicted"]) > 0 for row in rows)
    picture = organiser("GET", "/organiser/puzzles.svg")
    assert picture.headers["content-type"] == "image/svg+xml"
    assert picture.text.startswith("<svg")


@pytest.mark.parametrize(
    ("path", "asked", "message"),
    [
        ("rate", {"puzzles": [SEVERAL]}, "several solutions"),
        ("rate", {"puzzles": ["nonsense"]}, "wrong length"),
        ("rate", {"puzzles": []}, "at least 1 item"),
        ("rate", {"puzzle": SUDOKU.text}, "puzzles"),
        ("explain", {"puzzle": SEVERAL}, "several solutions"),
        ("generate", {"grade": "easy", "minutes": 3}, "contradict each other"),
        ("generate", {"count": 1_000_000}, "less than or equal to 100"),
        ("games", {"games": [{"x": 1}]}, None),
        ("games", {"games": []}, "at least 1 item"),
    ],
)
def test_bad_input_is_one_sentence(ask, path, asked, message):
    found = ask("POST", f"/api/{path}", json=asked)
    if message is None:
        assert found.json()["problems"]
        return
    assert found.status_code == 422, found.text
    assert message in found.json()["detail"]


def test_the_schema_names_every_route(shared):
    paths = shared.get("/openapi.json").json()["paths"]
    for name in ("rate", "explain", "generate", "games"):
        assert set(paths[f"/api/{name}"]) == {"get", "post"}
    assert "/static/{name}" not in paths


# ---------------------------------------------------------------- jobs, run in workers


def test_a_hanging_worker_is_killed_and_replaced():
    async def tried():
        workers = Workers(1)
        first = await workers.run(sleep, 0, seconds=60)
        with pytest.raises(TooLongError):
            await workers.run(sleep, 600, seconds=0.5)
        assert not alive(first)
        second = await workers.run(sleep, 0, seconds=60)
        assert alive(second)
        assert second not in (first, os.getpid())

    asyncio.run(tried())


def test_a_dead_worker_is_replaced_and_errors_come_back():
    async def tried():
        workers = Workers(1)
        with pytest.raises(BrokenError):
            await workers.run(die, seconds=60)
        with pytest.raises(ArithmeticError, match="no"):
            await workers.run(fail, seconds=60)
        assert await workers.run(sleep, 0, seconds=60) != os.getpid()

    asyncio.run(tried())


def test_only_so_many_jobs_wait():
    async def tried():
        workers = Workers(1, queue=2)
        async with anyio.create_task_group() as jobs:
            for _ in range(3):
                jobs.start_soon(lambda: workers.run(sleep, 0.2, seconds=60))
            await anyio.sleep(0.1)
            with pytest.raises(BusyError):
                await workers.run(sleep, 0, seconds=60)
        assert await workers.run(sleep, 0, seconds=60)

    asyncio.run(tried())


def test_waiting_does_not_count_towards_the_time_limit():
    async def tried():
        workers = Workers(1)
        await workers.run(sleep, 0, seconds=60)
        async with anyio.create_task_group() as jobs:
            jobs.start_soon(lambda: workers.run(sleep, 1.2, seconds=60))
            await anyio.sleep(0.1)
            assert await workers.run(sleep, 0, seconds=1)

    asyncio.run(tried())


@pytest.mark.thorough
def test_heavy_work_keeps_nobody_waiting(shared, ask, monkeypatch):
    """Players play on while the only worker hangs; it is killed, and its work continues."""
    monkeypatch.setattr("nando.serve.library.SECONDS", 3.0)
    monkeypatch.setattr("nando.serve.jobs.explain", hang)

    async def tried():
        def explain():
            return ask("GET", "/api/explain", params={"puzzle": SUDOKU.text})

        hanging = asyncio.get_running_loop().run_in_executor(None, explain)
        await asyncio.sleep(0.5)
        ben = Visitor(shared)
        await asyncio.to_thread(ben.join, "Ben")
        for _ in range(5):
            found = await asyncio.to_thread(ben, "GET", "/contest/standings")
            assert found.status_code == 200
        assert not hanging.done()
        return await hanging

    found = asyncio.run(tried())
    assert found.status_code == 504
    assert "took more than 3 s" in found.json()["detail"]
