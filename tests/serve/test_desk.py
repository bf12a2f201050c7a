"""What the organiser changes while a contest runs: stored before it is made, kept by a restart."""

import pytest
from helpers.command import rows_of
from helpers.pages.contests import END, START, Visitor, begin, blanks, entry, served
from helpers.pages.played_pages import NURIKABE, SUDOKU
from sqlalchemy import event as events
from sqlalchemy.exc import OperationalError

HOUR = (END - START).total_seconds()
FIRST, SECOND = blanks(SUDOKU)[:2]


@pytest.fixture
def organiser(contest):
    return Visitor(contest).login()


@pytest.fixture
def players(contest):
    found = {}
    for name in ("Ada", "Ben"):
        found[name] = Visitor(contest)
        found[name].answer = found[name].join(name)
    return found


def rule(organiser, target="contest", status=200, **ruling):
    found = organiser("POST", f"/organiser/{target}", json=ruling)
    assert found.status_code == status, found.text
    return found.json()


def standings(visitor):
    found = visitor("GET", "/contest/standings").json()
    return [(line["rank"], line["name"], line["points"]) for line in found["standings"]]


def test_a_player_is_renamed_everywhere(contest, organiser, players, tmp_path):
    players["Ada"].send(begin(), entry(2, *FIRST))
    refused = rule(organiser, "players/1", 409, do="rename", name="BEN")
    assert refused["reason"] == "name_taken"
    assert rule(organiser, "players/1", 422, do="rename", name="admin")["reason"] == "reserved"
    rule(organiser, "players/1", do="rename", name="Augusta")
    assert players["Ada"]("GET", "/contest").json()["player"]["name"] == "Augusta"
    log = organiser("GET", "/organiser/games.csv").text
    assert "Augusta" in log
    assert "Ada" not in log
    # The old name is free, the new one is taken, and the key belongs to the new one.
    Visitor(contest).join("Ada")
    again = {"name": "augusta", "code": "tea-time"}
    assert Visitor(contest)("POST", "/contest/join", json=again).status_code == 409
    back = {"name": "Augusta", "key": players["Ada"].answer["key"]}
    assert Visitor(contest)("POST", "/contest/return", json=back).status_code == 200


def test_a_disqualified_player_has_no_rank_and_can_get_it_back(contest, organiser, players):
    contest.clock.set(100)
    players["Ada"].solve(SUDOKU)
    assert standings(players["Ben"]) == [(1, "Ada", 20), (2, "Ben", 0)]
    rule(organiser, "players/1", do="disqualify")
    assert standings(players["Ben"]) == [(1, "Ben", 0), (None, "Ada", 20)]
    rule(organiser, "players/1", do="reinstate")
    assert standings(players["Ben"])[0] == (1, "Ada", 20)


def test_a_removed_player_is_gone_with_all_moves(contest, organiser, players):
    contest.clock.set(100)
    players["Ada"].solve(SUDOKU)
    rule(organiser, "players/1", do="remove")
    assert rule(organiser, "players/1", 404, do="remove")["reason"] == "removed"
    assert standings(players["Ben"]) == [(1, "Ben", 0)]
    assert players["Ada"].send(entry(99, *FIRST)).status_code == 401
    back = {"name": "Ada", "key": players["Ada"].answer["key"]}
    assert Visitor(contest)("POST", "/contest/return", json=back).status_code == 403
    assert "Ada" not in organiser("GET", "/organiser/games.csv").text
    again = Visitor(contest)
    again.join("Ada")
    # The number is not used again, because browsers keep games under it.
    assert again("GET", "/contest").json()["player"]["id"] == 3


def test_a_pause_stops_the_clock_of_the_contest(contest, organiser, players):
    contest.clock.set(100)
    players["Ada"].send(begin(), entry(2, *FIRST))
    rule(organiser, do="pause")
    rule(organiser, do="pause")
    contest.clock.set(400)
    found = players["Ada"].send(entry(3, *SECOND))
    assert (found.status_code, found.json()["reason"]) == (425, "paused")
    assert players["Ben"]("GET", "/contest/puzzles").status_code == 425
    assert players["Ben"]("GET", "/contest/standings").json()["is_paused"]
    rule(organiser, do="resume")
    told = players["Ben"]("GET", "/contest").json()
    assert (told["is_paused"], told["end_ms"]) == (False, 1000 * (END.timestamp() + 300))
    assert players["Ada"].send(entry(3, *SECOND)).json()["seq"] == 3
    # 5 minutes after the end in the file, but not after that of the contest.
    contest.clock.set(HOUR + 200)
    assert players["Ben"].solve(NURIKABE, 1)
    (line, _) = players["Ben"]("GET", "/contest/standings").json()["standings"]
    assert (line["name"], line["points"], line["time_ms"]) == ("Ben", 5, 1000 * (HOUR - 100))
    contest.clock.set(HOUR + 301)
    assert rule(organiser, status=409, do="pause")["reason"] == "not_running"


def test_a_contest_is_extended_also_after_its_end(contest, organiser, players):
    rule(organiser, do="extend", minutes=10)
    end = 1000 * END.timestamp()
    assert players["Ada"]("GET", "/contest").json()["end_ms"] == end + 600_000
    contest.clock.set(HOUR + 1_200)
    rule(organiser, do="extend", minutes=5)
    assert players["Ada"]("GET", "/contest").json()["end_ms"] == end + 1_500_000
    players["Ada"].solve(SUDOKU)
    assert standings(players["Ben"])[0] == (1, "Ada", 20)
    rule(organiser, status=422, do="extend", minutes=0)


def test_all_rulings_survive_a_restart(tmp_path):
    with served(tmp_path) as contest:
        organiser = Visitor(contest).login()
        contest.clock.set(100)
        visitors = [Visitor(contest) for _ in range(3)]
        for visitor, name in zip(visitors, ("Ada", "Ben", "Cy"), strict=True):
            visitor.join(name)
        visitors[0].solve(SUDOKU)
        visitors[2].solve(SUDOKU)
        rule(organiser, "players/1", do="disqualify")
        rule(organiser, "players/2", do="rename", name="Benedict")
        rule(organiser, "players/3", do="remove")
        rule(organiser, do="extend", minutes=10)
        rule(organiser, do="announce", text="Tea is \n ready.")
        rule(organiser, do="pause")
        told = visitors[1]("GET", "/contest/standings").json()
    with served(tmp_path) as contest:
        contest.clock.set(500)
        visitors[1].client = contest
        assert visitors[1]("GET", "/contest/standings").json() == told
        assert told["announcement"] == "Tea is ready."
        assert [line["name"] for line in told["standings"]] == ["Benedict", "Ada"]
        rule(Visitor(contest).login(), do="resume")
        ended = visitors[1]("GET", "/contest").json()["end_ms"]
        assert ended == 1000 * (END.timestamp() + 600 + 400)
        newcomer = Visitor(contest)
        newcomer.join("Cy")
        assert newcomer("GET", "/contest").json()["player"]["id"] == 4


def test_a_ruling_that_cannot_be_stored_is_not_made(contest, organiser, players):
    def full(connection, cursor, statement, parameters, context, executemany):
        if statement.startswith("UPDATE"):
            raise OperationalError(statement, parameters, Exception("disk full"))

    told = players["Ben"]("GET", "/contest/standings").json()
    engine = contest.server.store.engine
    events.listen(engine, "before_cursor_execute", full)
    for target, ruling in (
        ("contest", {"do": "extend"}),
        ("contest", {"do": "pause"}),
        ("contest", {"do": "announce", "text": "Tea"}),
        ("players/1", {"do": "disqualify"}),
        ("players/1", {"do": "rename", "name": "Eve"}),
        ("players/1", {"do": "remove"}),
    ):
        rule(organiser, target, 503, **ruling)
    events.remove(engine, "before_cursor_execute", full)
    assert players["Ben"]("GET", "/contest/standings").json() == told
    assert players["Ada"].send(begin(), entry(2, *FIRST)).status_code == 200


def test_standings_are_exported_and_players_see_their_own_times(contest, organiser, players):
    Visitor(contest).join("\uff1d1+1")
    contest.clock.set(100)
    following = players["Ada"].solve(SUDOKU)
    contest.clock.set(200)
    players["Ada"].solve(NURIKABE, 1, following)
    rule(organiser, "players/2", do="disqualify")
    assert players["Ada"]("GET", "/contest/standings").json()["own"] == {"0": 100_000, "1": 200_000}
    assert players["Ben"]("GET", "/contest/standings").json()["own"] == {}
    listed = organiser("GET", "/organiser/standings.json").json()
    assert [line["times_ms"] for line in listed] == [[100_000, 200_000], [None] * 2, [None] * 2]
    found = organiser("GET", "/organiser/standings.csv")
    assert "standings.csv" in found.headers["content-disposition"]
    first, second, third = rows_of(found.text)
    assert (first["name"], first["rank"], first["puzzle_2_ms"]) == ("Ada", "1", "200000")
    assert (second["name"], second["puzzle_1_ms"]) == ("'\uff1d1+1", "")
    assert (third["name"], third["rank"]) == ("Ben", "")
