"""Moves on their way from the page to the server, with every kind of loss."""

import json
import subprocess
from functools import cache
from importlib.resources import files
from pathlib import Path

import pytest
from helpers.pages.played_pages import NODE, NURIKABE, SUDOKU, page_of
from hypothesis import given, settings
from hypothesis import strategies as st

from nando.play.variants import board_of
from nando.puzzles import Variant
from nando.serve.board import Board, Layout
from nando.solvers import unique_solution

pytestmark = pytest.mark.skipif(NODE is None, reason="node is not installed")

VARIANT = Variant(
    "...4.6..6.23.31.6.5.42313.264..45312+killer:r1c1r1c2:3+thermometer:r1c1r1c2r1c3+even:r1c2"
)
GAPS = Variant("9x9+samurai")
DRIVER = Path(__file__).with_name("outbox.mjs")


@cache
def layout(puzzle):
    known = puzzle.givens if puzzle == GAPS else unique_solution(puzzle)
    return Layout(puzzle, known)


@cache
def page():
    """Return a page with all puzzles as a contest hands them out, and one that nobody can solve."""
    rows, columns = GAPS.shape
    plain = {"kind": "variant", "rows": rows, "columns": columns, "givens": GAPS.givens.tolist()}
    shown = [*page_of(*PUZZLES[:-1])["puzzles"], plain | board_of(GAPS)]
    return {"id": "0123abcd", "puzzles": [one | {"solution": None, "steps": []} for one in shown]}


@pytest.fixture(scope="module")
def node():
    folders = [f"file://{files(package) / 'web'}" for package in ("nando.play", "nando.serve")]
    with subprocess.Popen(
        [NODE, DRIVER, *folders],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
    ) as process:

        def asked(request, **values):
            process.stdin.write(json.dumps({"request": request, **values}) + "\n")
            process.stdin.flush()
            return json.loads(process.stdout.readline())

        yield asked
        process.stdin.close()


outcomes = st.lists(st.sampled_from(["ok", "lost", "unanswered", 409, 425, 429, 500, 503]))


@settings(max_examples=20, deadline=None)
@given(
    count=st.integers(1, 30), outcomes=outcomes, restarts=st.lists(st.integers(2, 30), max_size=3)
)
def test_every_move_arrives_once_and_in_order(node, count, outcomes, restarts):
    found = node("send", count=count, outcomes=outcomes, restarts=restarts)
    assert found["server"] == list(range(1, count + 1))
    assert (found["waiting"], found["state"]) == (0, "clear")


def test_many_moves_that_wait_go_together(node):
    found = node("send", count=25, outcomes=["lost"], restarts=[])
    assert [len(moves) for moves in found["sent"]] == [1, 25]


def test_moves_that_the_server_has_are_not_sent_again(node):
    found = node("send", count=10, outcomes=[], restarts=[6])
    assert sum(map(len, found["sent"])) == 10


@pytest.mark.parametrize(("status", "state"), [(401, "over"), (403, "over"), (422, "refused")])
def test_a_refusal_is_not_tried_for_ever(node, status, state):
    found = node("send", count=4, outcomes=["ok", status], restarts=[])
    assert (found["state"], found["waiting"], found["server"]) == (state, 3, [1])
    assert len(found["sent"]) == 2


PUZZLES = (SUDOKU, NURIKABE, VARIANT, GAPS)
cells = st.lists(st.integers(0, 24), min_size=1, max_size=3, unique=True)
deeds = st.one_of(
    st.just({"do": "restart"}),
    st.builds(lambda puzzle: {"do": "open", "puzzle": puzzle}, st.integers(0, 3)),
    st.builds(
        lambda e, c, v, more: {"do": "record", "event": {"e": e, "c": c, "v": v, **more}},
        st.sampled_from(["value", "value", "corner", "centre", "erase"]),
        cells,
        st.integers(1, 2),
        st.sampled_from([{}, {"clean": True}, {"keep": True, "g": "1.1"}, {"keep": True}]),
    ),
    st.sampled_from(["undo", "redo", "fill", "start", "pause"]).map(
        lambda e: {"do": "record", "event": {"e": e}}
    ),
)


@settings(max_examples=20, deadline=None)
@given(deeds=st.lists(deeds, min_size=1, max_size=25))
def test_another_device_gets_the_games_that_were_played(node, deeds):
    found = node("restored", page=page(), deeds=deeds)
    assert found["again"] == found["layers"]
    assert found["undone"][0] == found["undone"][1]
    assert found["kept"] == list(range(1, len(found["kept"]) + 1))
    # The server computes the same boards from the events.
    boards = {}
    for move in found["events"]:
        place = move["puzzle"], move["attempt"]
        board = boards.setdefault(place, Board(layout(PUZZLES[move["puzzle"]])))
        changes = board.changes_of(move["event"])
        assert sorted(changes) == sorted(map(tuple, move["changes"]))
        board.apply(move["event"], changes, 0)
    mine = {place: board.layers for place, board in boards.items()}
    assert mine == {
        (puzzle, attempt): layers
        for puzzle, games in enumerate(found["layers"])
        for attempt, layers in enumerate(games)
    }
    if found["kept"]:
        assert found["behind"] == [False, True, True]


def test_nothing_more_is_sent_where_another_page_has_the_games(node):
    found = node("send", count=6, outcomes=["ok", "ok", "elsewhere"], restarts=[])
    assert (found["server"], found["state"]) == ([1, 2], "stopped")
    assert (len(found["sent"]), found["left_to_others"]) == (3, 1)
