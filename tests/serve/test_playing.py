"""A contest with players and connections: joining, moves, the clock, the standings."""

import asyncio
import json
import secrets
import socket

import pytest
from helpers.command import rows_of
from helpers.pages.contests import END, START, Visitor, begin, blanks, entry, served
from helpers.pages.played_pages import NURIKABE, SUDOKU
from hypothesis import given, settings
from hypothesis import strategies as st

from nando.games import read_games
from nando.puzzles import Variant
from nando.serve import PuzzlePart
from nando.serve.board import move_time
from nando.serve.evidence import Evidence
from nando.serve.evidence import log_of as log_pieces
from nando.serve.jobs import audit
from nando.serve.standings import Solve, standings

HOUR = (END - START).total_seconds()
FIRST, SECOND, THIRD = blanks(SUDOKU)[:3]
VARIANT = Variant("...4.6..6.23.31.6.5.42313.264..45312+killer:r1c1r1c2:3+thermometer:r1c1r1c2r1c3")


@pytest.fixture
def player(shared):
    visitor = Visitor(shared)
    visitor.join(secrets.token_hex(8))
    assert visitor.send(begin()).json()["seq"] == 1
    return visitor


@pytest.fixture
def ada(ada):
    assert ada.send(begin()).json()["seq"] == 1
    return ada


def log_of(contest, folder):
    """Return the rows of the organiser's export and the games that nando reads from it."""
    found = Visitor(contest).login()("GET", "/organiser/games.csv")
    assert found.status_code == 200
    (folder / "games.csv").write_bytes(found.content)
    read = read_games(folder / "games.csv")
    assert read.problems == []
    return [row for row in rows_of(found.text) if row["event"] != "start"], read.games


def test_puzzles_are_handed_out_at_the_start_and_not_before(contest, ada):
    contest.clock.set(-5)
    early = ada("GET", "/contest/puzzles")
    assert (early.status_code, early.json()["detail"]) == (425, "the contest starts in 5 s")
    assert SUDOKU.text not in early.text + ada("GET", "/contest").text + ada("GET", "/").text
    assert ada.send(entry(2, *FIRST)).status_code == 425
    contest.clock.set(0)
    puzzles = ada("GET", "/contest/puzzles").json()["puzzles"]
    assert [one["text"] for one in puzzles] == [SUDOKU.text, NURIKABE.text]
    assert [one["worth"] for one in puzzles] == [20, 5]
    assert all(one["solution"] is None and one["steps"] == [] for one in puzzles)


def test_each_move_counts_once_however_often_it_is_sent(contest, ada, tmp_path):
    moves = [entry(2, *FIRST), entry(3, *SECOND)]
    for _ in range(3):
        assert ada.send(*moves).json()["seq"] == 3
    assert ada.send(*moves, entry(4, *THIRD)).json()["seq"] == 4
    rows, (game,) = log_of(contest, tmp_path)
    assert [row["cell"] for row in rows] == [SUDOKU.cell_name(c) for c, _ in (FIRST, SECOND, THIRD)]
    assert game.cells.tolist() == [FIRST[0], SECOND[0], THIRD[0]]


def test_moves_of_another_page_are_refused_where_there_are_some_already(contest, ada):
    assert ada.send(entry(2, *FIRST), device="one").status_code == 200
    # The other page keeps its own games and does not know about the first page's move.
    found = ada.send(entry(2, *SECOND), entry(3, *THIRD), device="two")
    assert (found.status_code, found.json()["reason"]) == (409, "elsewhere")
    assert contest.server.room.n_moves == 2
    assert ada.send(entry(3, *SECOND), device="two").json()["seq"] == 3
    assert ada.send(entry(3, *THIRD), device="one").status_code == 409
    (seat,) = contest.server.room
    assert seat.boards[0].values[THIRD[0]] == 0


def test_games_of_both_kinds_are_audited(contest, ada):  # ada only opens a puzzle
    ben = Visitor(contest)
    ben.join("Ben")
    river = ben.solve(NURIKABE, 1, first=ben.solve(SUDOKU))
    assert contest.server.room.n_moves == river
    found = audit("".join(log_pieces(contest.server.room.store)), ".csv", 0.01, ("en", "de"))
    games = {game["game"]: game for game in found["games"]}
    assert set(games) == {"2-1.1", "2-2.1"}
    assert [games[name]["moves"] for name in sorted(games)] == [51, len(blanks(NURIKABE))]
    assert games["2-2.1"]["notes"] == "judged by its order alone"
    assert found["notes"] == [
        "judged by their order alone, because no times of Nurikabe are known: 1 of 2 games",
        *found["notes"][1:],
    ]
    assert "allein nach der Reihenfolge beurteilt" in found["reports"]["de"]["page"]
    assert "judged by its order alone" in found["reports"]["en"]["page"]


def test_a_variant_is_played_and_audited(tmp_path):
    parts = (PuzzlePart(puzzle=SUDOKU.text, points=20), PuzzlePart(puzzle=VARIANT.text, points=5))
    with served(tmp_path, puzzles=parts) as contest:
        contest.clock.set(60)
        ada = Visitor(contest)
        ada.join("Ada")
        handed = ada("GET", "/contest/puzzles").json()["puzzles"][1]
        assert (handed["kind"], handed["solution"], handed["worth"]) == ("variant", None, 5)
        *most, (cell, value) = blanks(VARIANT)
        first = ada.solve(SUDOKU)
        moves = [entry(n, *move, puzzle=1) for n, move in enumerate(most, first + 1)]
        ada.send(begin(first, puzzle=1), *moves)
        last = first + 1 + len(most)
        wrong = ada.send(entry(last, cell, value % 6 + 1, puzzle=1)).json()
        assert wrong["solved"] == [0]
        mended = ada.send(entry(last + 1, cell, value, puzzle=1, before=value % 6 + 1)).json()
        assert mended["solved"] == [0, 1]
        found = audit("".join(log_pieces(contest.server.room.store)), ".csv", 0.01, ("en", "de"))
    games = {game["game"]: game for game in found["games"]}
    assert games["1-1.1"]["moves"] == 51
    # Every blank is a single: a scan from left to right fills them as a typed solution does.
    assert games["1-2.1"]["moves"] == len(blanks(VARIANT))
    assert games["1-2.1"]["verdict"] == "consistent with a person"
    assert games["1-2.1"]["notes"] == "judged by its order alone"


class Here:
    """Workers that do their jobs at once."""

    async def run(self, job, *args, seconds):
        return job(*args)


@pytest.mark.parametrize("on_screen", [False, True])
def test_the_audits_of_a_contest_judge_by_its_rule(tmp_path, on_screen):
    parts = (PuzzlePart(puzzle=SUDOKU.text, points=20),)
    with served(tmp_path, puzzles=parts, on_screen=on_screen) as contest:
        ada = Visitor(contest)
        ada.join("Ada")
        ada.send(begin())
        for seq, move in enumerate(blanks(SUDOKU), 2):
            contest.clock.set(60 + 2 * seq)
            ada.send(entry(seq, *move))
        evidence = Evidence(contest.server.room, Here())
        asyncio.run(evidence._make())
    (game,) = evidence.found["games"]
    verdict = "not solved on the screen" if on_screen else "entered from a finished solution"
    assert game["verdict"].startswith(verdict)


def test_a_gap_is_reported_and_filled(contest, ada):
    ada.send(entry(2, *FIRST))
    found = ada.send(entry(4, *THIRD))
    assert (found.status_code, found.json()["detail"]) == (409, {"seq": 2})
    assert ada.send(entry(3, *SECOND), entry(4, *THIRD)).json()["seq"] == 4


def test_the_clock_of_the_server_counts(contest, ada, tmp_path):
    contest.clock.set(100)
    ada("GET", "/contest/puzzles")
    ada.send(entry(2, *FIRST))
    contest.clock.set(200)
    # Two moves waited for the connection, the second for 40 s; the first claims to be older than
    # the move before it.
    ada.send(entry(3, *SECOND, age_ms=500_000), entry(4, *THIRD, age_ms=40_000))
    rows, (game,) = log_of(contest, tmp_path)
    moves = [row for row in rows if row["event"] == "value"]
    assert [int(row["t_ms"]) for row in moves] == [40_000, 40_000, 100_000]
    start = 1000 * START.timestamp()
    assert [int(row["received_ms"]) - start for row in moves] == [100_000, 200_000, 200_000]
    assert game.notes[-1].startswith(
        "most of the game was sent after the connection was lost, 2 of"
    )


def test_answers_are_sent_at_once(contest, ada):
    """Without TCP_NODELAY, a body waits 40 ms for the acknowledgement of its headers."""
    (connection,) = contest.running.server_state.connections
    sending = connection.transport.get_extra_info("socket")
    assert sending.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


@given(st.integers(0, 10**6), st.integers(0, 10**7), st.integers(0, 10**6))
def test_a_move_lies_between_the_one_before_it_and_its_arrival(received, age, earlier):
    earliest = min(earlier, received)
    assert earliest <= move_time(received, age, earliest) <= received
    assert move_time(received, 0, earliest) == received


def test_a_solved_puzzle_is_known_when_it_arrives(contest, ada):
    contest.clock.set(90)
    ada("GET", "/contest/puzzles")
    *most, last = [entry(n, *move) for n, move in enumerate(blanks(SUDOKU), 2)]
    assert ada.send(*most).json()["solved"] == []
    contest.clock.set(120)
    assert ada.send(last | {"age_ms": 25_000}).json()["solved"] == [0]
    contest.clock.set(130)
    ada.solve(NURIKABE, 1, len(most) + 3)
    lines = ada("GET", "/contest/standings").json()["standings"]
    (line,) = lines
    assert line == {
        **{"rank": 1, "name": "Ada", "points": 25, "solved": 2},
        **{"time_ms": 130_000, "late": 0},
    }


def test_a_restart_is_another_game(contest, ada, tmp_path):
    again = [entry(n, *move, attempt=1) for n, move in ((4, FIRST), (5, SECOND))]
    assert ada.send(entry(2, *FIRST), begin(3, attempt=1), *again).json()["seq"] == 5
    _, games = log_of(contest, tmp_path)
    assert [len(game.cells) for game in games] == [1, 2]
    assert len({game.name for game in games}) == 2


def test_moves_after_the_end_are_recorded_and_do_not_count(contest, ada, tmp_path):
    contest.clock.set(HOUR + 1)
    ada.send(*[entry(n, *move) for n, move in enumerate(blanks(SUDOKU), 2)])
    _, (game,) = log_of(contest, tmp_path)
    assert game.finished
    assert ada("GET", "/contest/standings").json()["standings"][0]["points"] == 0


def test_pauses_do_not_count_as_time(contest, ada, tmp_path):
    for seq, (seconds, event) in enumerate(
        [(80, "pause"), (180, "resume"), (200, "hide"), (210, "show")], 2
    ):
        contest.clock.set(seconds)
        moved = entry(seq, *FIRST) | {"event": {"e": event, "t": 0, "w": 0}, "changes": []}
        ada.send(moved)
    contest.clock.set(220)
    ada.send(entry(6, *FIRST))
    rows, (game,) = log_of(contest, tmp_path)
    assert [int(row["t_ms"]) for row in rows] == [20_000, 20_000, 40_000, 40_000, 50_000]
    assert "pauses: 2" in game.notes


def test_marks_are_in_the_log_and_no_moves(contest, ada, tmp_path):
    cell = FIRST[0]
    digit = FIRST[1]
    marks = {
        "event": {"e": "centre", "c": [cell, SECOND[0]], "v": digit},
        "changes": [[2, cell, 0, 1 << digit], [2, SECOND[0], 0, 1 << digit]],
    }
    filled = entry(3, *FIRST)
    filled["event"]["clean"] = True
    filled["changes"].append([2, SECOND[0], 1 << digit, 0])
    assert ada.send(entry(2, *FIRST) | marks, filled).json()["seq"] == 3
    rows, (game,) = log_of(contest, tmp_path)
    events = [(row["event"], row["by"], row["detail"]) for row in rows]
    assert events == [
        *[("centre", "", f"+{digit}")] * 2,
        ("value", "", ""),
        ("centre", "automatic", f"-{digit}"),
    ]
    assert game.cells.tolist() == [cell]


EVENT = {"e": "value", "c": [FIRST[0]], "v": FIRST[1]}
BLANK = [cell for cell, _ in blanks(SUDOKU)]


@pytest.mark.parametrize(
    "bad",
    [
        {"puzzle": 2},
        {"attempt": 2},
        {"seq": "1"},
        {"age_ms": -1},
        {"event": {"e": "hint", "k": 0, "d": 3}},
        {"event": {"e": "value", "more": "x"}},
        # The board is what the event says.
        {"changes": []},
        {"changes": [[0, FIRST[0]]]},
        {"changes": [[0, FIRST[0], 0, 9]]},
        {"changes": [[0, FIRST[0], 1, FIRST[1]]]},
        {"changes": [[0, *FIRST, 0], [0, SECOND[0], 0, 1]]},
        {"event": EVENT | {"c": BLANK}, "changes": [[0, c, 0, v] for c, v in blanks(SUDOKU)]},
        {"event": EVENT | {"v": 10}, "changes": [[0, FIRST[0], 0, 10]]},
        {"event": EVENT | {"v": True}, "changes": [[0, FIRST[0], 0, 1]]},
        {"event": {"e": "value", "c": [FIRST[0]]}, "changes": []},
        {"event": EVENT | {"c": [FIRST[0]] * 2}, "changes": [[0, FIRST[0], 0, FIRST[1]]] * 2},
        {"event": EVENT | {"c": [81]}, "changes": [[0, 81, 0, FIRST[1]]]},
        {"event": EVENT | {"c": [0]}, "changes": [[0, 0, 0, FIRST[1]]]},  # a given
        {"event": EVENT | {"c": [0]}, "changes": []},
        {"event": {"e": "centre", "c": [FIRST[0]], "v": 0}, "changes": [[2, FIRST[0], 0, 1]]},
        {"event": {"e": "erase", "c": [FIRST[0]]}, "changes": []},
        {"event": {"e": "undo"}, "changes": []},
        {"event": {"e": "undo"}, "changes": [[0, *FIRST, 0]]},
        # A game begins once, with its start.
        {"event": {"e": "start"}, "changes": []},
        {"attempt": 1},
        {"puzzle": 1, "event": EVENT | {"v": 2}, "changes": [[0, FIRST[0], 0, 2]]},
        {"puzzle": 1, "attempt": 1, "event": {"e": "start"}, "changes": []},
    ],
)
def test_requests_that_no_page_sends_are_refused_and_not_recorded(player, bad):
    found = player.send(entry(2, *FIRST) | bad)
    assert found.status_code == 422
    assert isinstance(found.json()["detail"], str)
    assert player("GET", "/contest").json()["player"]["seq"] == 1
    assert player.send(entry(2, *FIRST)).json()["seq"] == 2


@pytest.mark.parametrize("last", ["pause", "hide", "finish"])
def test_nothing_is_entered_while_the_clock_of_the_game_stands(player, last):
    def happens(seq, what):
        return begin(seq) | {"event": {"e": what}}

    assert player.send(happens(2, last)).json()["seq"] == 2
    assert player.send(entry(3, *FIRST)).status_code == 422
    found = player.send(happens(3, "resume"), entry(4, *FIRST))
    assert found.status_code == (422 if last == "finish" else 200)


def test_a_nurikabe_has_no_marks(player):
    player.send(begin(2, puzzle=1))
    cell = blanks(NURIKABE)[0][0]
    mark = {"event": {"e": "corner", "c": [cell], "v": 1}, "changes": [[1, cell, 0, 2]]}
    assert player.send(entry(3, cell, 2, puzzle=1) | mark).status_code == 422


def test_moves_are_not_older_than_the_puzzles_in_the_hands_of_the_player(contest, tmp_path):
    contest.clock.set(600)
    ada, ben, cy = (Visitor(contest) for _ in range(3))
    for visitor, name in ((ada, "Ada"), (ben, "Ben"), (cy, "Cy")):
        visitor.join(name)
    ada("GET", "/contest/puzzles")
    contest.clock.set(601)
    ada("GET", "/contest/puzzles")  # a second time changes nothing
    late = [entry(n, *move, age_ms=10**13) for n, move in enumerate(blanks(SUDOKU), 2)]
    some = late[:20] + [move | {"age_ms": 0} for move in late[20:]]
    # Ben never had the puzzles from the server; Cy's connection was lost for the first 20 moves.
    cy("GET", "/contest/puzzles")
    first = begin() | {"age_ms": 10**13}
    for visitor, moves in ((ada, [first, *late]), (ben, [first, *late]), (cy, [begin(), *some])):
        assert visitor.send(*moves).json()["solved"] == [0]
    start = 1000 * START.timestamp()
    rows, games = log_of(contest, tmp_path)
    for number, (had, n_late) in enumerate([(600, 51), (601, 51), (601, 20)], 1):
        mine = [row for row in rows if row["game"] == f"{number}-1.1" and row["event"] == "value"]
        assert {int(row["t_ms"]) for row in mine} == {0}
        assert {int(row["received_ms"]) - start for row in mine} == {601_000}
        told = [row["detail"] for row in rows if row["event"] == "late"]
        assert f"{601_000 - 1000 * had} ms, {10**13} ms by its own clock" in told
        (note,) = [note for note in games[number - 1].notes if "after" in note]
        mostly = "most of the game" in note
        assert (f"{n_late}" in note, mostly) == (True, n_late > 25)
    lines = ada("GET", "/contest/standings").json()["standings"]
    assert {line["name"]: line["late"] for line in lines} == {"Ada": 1, "Ben": 1, "Cy": 0}


@pytest.mark.parametrize("device", ["", "\0", "a b", "x" * 41, "\ud800"])
def test_a_device_has_a_plain_name(player, device):
    body = json.dumps({"device": device, "moves": []})
    found = player(
        "POST", "/contest/moves", content=body, headers={"content-type": "application/json"}
    )
    assert found.status_code == 422


def test_a_player_continues_with_the_key_on_another_device(contest, ada):
    assert ada.send(entry(2, *FIRST), device="phone").json()["seq"] == 2
    other = Visitor(contest)
    found = other("POST", "/contest/return", json={"name": "ada", "key": ada.answer["key"].upper()})
    assert found.status_code == 200
    me = other("GET", "/contest").json()["player"]
    assert (me["name"], me["seq"], me["device"]) == ("Ada", 2, "phone")
    _, kept = other("GET", "/contest/moves").json()["moves"]
    assert (kept["puzzle"], kept["event"]["c"]) == (0, [FIRST[0]])
    # One device plays at a time.
    assert ada.send(entry(3, *SECOND)).status_code == 401
    assert other.send(entry(3, *SECOND), device="tablet").json()["seq"] == 3


def test_a_restarted_server_knows_everything(tmp_path):
    with served(tmp_path) as contest:
        ada, ben = Visitor(contest), Visitor(contest)
        ada.join("Ada")
        ben.join("Ben")
        ben.solve(NURIKABE, 1)
        ada("GET", "/contest/puzzles")
        contest.clock.set(100)
        late = [entry(n, *move, age_ms=30_000) for n, move in enumerate(blanks(SUDOKU)[:-1], 2)]
        ada.send(begin(), *late)
    with served(tmp_path) as contest:
        ada.client = ben.client = contest
        last = len(blanks(SUDOKU)) + 1
        contest.clock.set(100)
        assert ada("GET", "/contest").json()["player"]["seq"] == last - 1
        assert ada.send(entry(last, *blanks(SUDOKU)[-1])).json() == {
            "seq": last,
            "solved": [0],
            "now_ms": contest.clock.now(),
        }
        lines = ben("GET", "/contest/standings").json()["standings"]
        got = [(line["name"], line["points"], line["late"]) for line in lines]
        assert got == [("Ada", 20, 1), ("Ben", 5, 0)]
        assert [seat.handed_ms for seat in contest.server.room] == [
            round(1000 * START.timestamp()) + 60_000,
            None,
        ]
    with served(tmp_path) as contest:
        ada.client = contest
        assert ada("GET", "/contest/standings").json()["standings"] == lines


def test_standings_are_sent_when_they_change(contest, ada):
    first = ada("GET", "/contest/standings")
    tag = {"if-none-match": first.headers["etag"]}
    assert ada("GET", "/contest/standings", headers=tag).status_code == 304
    ada.solve(NURIKABE, 1, 2)
    assert ada("GET", "/contest/standings", headers=tag).status_code == 200


times = st.dictionaries(
    st.integers(0, 4), st.builds(Solve, st.integers(0, 120), st.booleans()), max_size=5
)


@settings(max_examples=50)
@given(st.lists(times, max_size=6))
def test_standings_are_points_then_time(solves):
    points = [5, 1, 3, 3, 0]
    found = standings([(f"p{n}", s) for n, s in enumerate(solves)], points, 10, 100)
    assert len(found) == len(solves)
    for line in found:
        solved = solves[int(line.name[1:])].items()
        counted = {p: one.received_ms for p, one in solved if 10 <= one.received_ms <= 100}
        assert line.late == sum(one.is_late for p, one in solved if p in counted)
        assert line.points == sum(points[p] for p in counted)
        assert line.time_ms == (max(counted.values()) - 10 if counted else 0)
        better = [o for o in found if (-o.points, o.time_ms) < (-line.points, line.time_ms)]
        assert line.rank == len(better) + 1
