"""Games of the page without a browser: storage, undo, hints and export."""

from itertools import groupby

import numpy as np
import pytest
from helpers.command import rows_of
from helpers.pages.played_pages import NURIKABE, SUDOKU, TRICKY, page_of
from hypothesis import given, settings
from hypothesis import strategies as st

from nando.games import Game, read_games
from nando.play.puzzle import KINDS
from nando.puzzles import Nurikabe
from nando.solvers import unique_solution
from nando.solvers.logic import shorten, walk_through

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466"
VALUE, CORNER, CENTRE = 0, 1, 2
N_CELLS = 81
BOARDS = {"sudoku": SUDOKU, "nurikabe": NURIKABE}


# ---------------------------------------------------------------- what is typed


class Board:
    """A slow model of what each action does to the board, written from the manual."""

    def __init__(self, puzzle):
        self.puzzle = puzzle
        n = puzzle.givens.size
        self.layers = [[0] * n, [0] * n, [0] * n]
        self.past, self.future = [], []
        self.solution = unique_solution(puzzle).tolist()

    @property
    def solved(self):
        wanted = 2 if self.puzzle.kind == "nurikabe" else None
        there = [g or v for g, v in zip(self.puzzle.givens.tolist(), self.layers[0], strict=True)]
        if wanted is None:
            return there == self.solution
        return [v == wanted for v in there] == [v == wanted for v in self.solution]

    def do(self, event):
        """Return the cells that an action changes as (layer, cell, after); none if none change."""
        before = [list(layer) for layer in self.layers]
        name = event["e"]
        if name == "undo":
            if self.past:
                self.future.append(before)
                self.layers = self.past.pop()
        elif name == "redo":
            if self.future:
                self.past.append(before)
                self.layers = self.future.pop()
        else:
            getattr(self, name)([c for c in event.get("c", ()) if not self.puzzle.givens[c]], event)
            if before != self.layers:
                self.past.append(before)
                self.future.clear()
        return {
            (layer, cell, self.layers[layer][cell])
            for layer in range(3)
            for cell in range(len(before[0]))
            if before[layer][cell] != self.layers[layer][cell]
        }

    def value(self, cells, event):
        values = self.layers[VALUE]
        again = not event.get("keep") and all(values[c] == event["v"] for c in cells)
        for cell in cells:
            values[cell] = 0 if again else event["v"]
        if event.get("clean") and not again:
            for cell in cells:
                for other in self.peers(cell):
                    for layer in (CORNER, CENTRE):
                        self.layers[layer][other] &= ~(1 << event["v"])

    def peers(self, cell):
        row, column = divmod(cell, 9)
        for other in range(N_CELLS):
            r, c = divmod(other, 9)
            near = r == row or c == column or (r // 3, c // 3) == (row // 3, column // 3)
            if near and other != cell:
                yield other

    def _mark(self, layer, cells, event):
        bit = 1 << event["v"]
        cells = [c for c in cells if not self.layers[VALUE][c]]
        everywhere = all(self.layers[layer][c] & bit for c in cells)
        for cell in cells:
            if everywhere:
                self.layers[layer][cell] &= ~bit
            else:
                self.layers[layer][cell] |= bit

    def corner(self, cells, event):
        self._mark(CORNER, cells, event)

    def centre(self, cells, event):
        self._mark(CENTRE, cells, event)

    def erase(self, cells, event):
        filled = [c for c in cells if self.layers[VALUE][c]]
        for cell in filled or cells:
            for layer in (VALUE,) if filled else (CORNER, CENTRE):
                self.layers[layer][cell] = 0

    def fill(self, cells, event):
        there = [g or v for g, v in zip(self.puzzle.givens.tolist(), self.layers[0], strict=True)]
        for cell in range(N_CELLS):
            if not there[cell]:
                seen = {there[other] for other in self.peers(cell)}
                self.layers[CENTRE][cell] = sum(1 << d for d in range(1, 10) if d not in seen)


def deeds_of(kind):
    n_cells, most = (N_CELLS, 9) if kind == "sudoku" else (25, 2)
    cells = st.lists(st.integers(0, n_cells - 1), min_size=1, max_size=4, unique=True)
    values = st.integers(1, most)
    typed = [
        st.builds(lambda c, v: {"e": "value", "c": c, "v": v}, cells, values),
        st.builds(lambda c: {"e": "erase", "c": c}, cells),
    ]
    if kind == "sudoku":
        typed += [
            st.builds(lambda c, v: {"e": "value", "c": c, "v": v, "clean": True}, cells, values),
            st.builds(lambda c, v: {"e": "corner", "c": c, "v": v}, cells, values),
            st.builds(lambda c, v: {"e": "centre", "c": c, "v": v}, cells, values),
            st.just({"e": "fill"}),
        ]
    else:
        typed.append(
            st.builds(lambda c, v: {"e": "value", "c": c[:1], "v": v, "keep": True}, cells, values)
        )
    others = st.sampled_from(
        [*({"e": e} for e in ("pause", "resume", "hide", "show")), {"e": "hint", "k": 0, "d": 2}]
    )
    # Enter correct values often enough for games to progress.
    solution = unique_solution(BOARDS[kind]).tolist()
    right = st.integers(0, n_cells - 1).map(
        lambda c: {"e": "value", "c": [c], "v": solution[c], "keep": True}
    )
    one = st.one_of(right, *typed, others).map(lambda event: [event])
    back, forth = st.integers(1, 4), st.integers(0, 4)
    steps = st.builds(lambda n, m: [{"e": "undo"}] * n + [{"e": "redo"}] * m, back, forth)
    then = st.sampled_from(["", "", "", "reload"])
    burst = st.tuples(st.integers(1, 5000), st.one_of(one, one, one, steps), then)
    return st.lists(burst, max_size=40)


def expected(puzzle, timed):
    """Return the rows of a log, recorded while a game is played on the slow board."""
    board, rows, end = Board(puzzle), [], None
    for t_ms, event in timed:
        if end is not None:
            t_ms = end  # the clock has stopped
        if event["e"] in ("start", "pause", "resume", "hide", "show", "hint"):
            rows.append((event["e"], "", "", t_ms))
        elif end is None and (changes := board.do(event)):
            named = {VALUE: "value", CORNER: "corner", CENTRE: "centre"}
            rows += sorted(
                (named[layer], puzzle.cell_name(cell), str(after) if layer == VALUE else "", t_ms)
                for layer, cell, after in changes
            )
            if board.solved:
                rows.append(("finish", "", "", t_ms))
                end = t_ms
    return board, rows, end


def in_order(rows):
    """Sort the rows of each action, which share a time and come in any order."""
    groups = groupby(rows, key=lambda row: (row[3], bool(row[1])))
    return [
        row for (_, of_cells), group in groups for row in (sorted(group) if of_cells else group)
    ]


@pytest.mark.thorough
@pytest.mark.parametrize("kind", BOARDS)
@given(data=st.data())
@settings(max_examples=100, deadline=None)
def test_the_export_has_the_typed_moves(player, kind, data, tmp_path_factory):
    puzzle = BOARDS[kind]
    script, timed, now = deeds({"e": "start"}, step=0), [(0, {"e": "start"})], 0
    for wait, events, then in data.draw(deeds_of(kind)):
        for event in events:
            now += wait
            script.append({"at": now, "do": "record", "event": event})
            timed.append((now, event))
        if then:
            # The clock, which is saved every second, continues from its last value.
            script += [{"at": now, "do": "tick"}, {"at": now, "do": then}]
    found = player("play", page=page_of(puzzle), player=PLAYER, deeds=script)
    board, wanted, end = expected(puzzle, timed)
    rows = rows_of(found["csv"])
    events = [(row["event"], row["cell"], row["value"], int(row["t_ms"])) for row in rows]
    assert in_order(events) == wanted
    assert found["layers"] == board.layers
    assert found["finished"] == end
    assert {(row["player"], row["puzzle"]) for row in rows} <= {(PLAYER, puzzle.text)}
    assert found["reloaded"]["layers"] == found["layers"]
    assert found["reloaded"]["csv"] == found["csv"]
    # nando reads the game of the typed values and understands every line of the log.
    path = tmp_path_factory.mktemp("log") / "games.csv"
    path.write_text(found["csv"], encoding="utf-8")
    read = read_games(path)
    assert read.problems == []
    moves = [(t, cell_of(puzzle, cell), int(value)) for e, cell, value, t in events if e == "value"]
    assert len(read.games) == bool(moves)
    for game in read.games:
        same = Game.from_moves(puzzle, moves)
        assert game.cells.tolist() == same.cells.tolist()
        assert game.seconds.tolist() == same.seconds.tolist()
        assert game.finished == (end is not None)
        assert game.player == PLAYER
        assert game.n_hints == sum(event["e"] == "hint" for _, event in timed)


PLAYER = 'ada, "b"'


def cell_of(puzzle, name):
    row, column = name[1:].split("c")
    return (int(row) - 1) * puzzle.shape[1] + int(column) - 1


def deeds(*events, step=1000):
    """Return a game with an action every second."""
    timed = [{"at": step * (i + 1), "do": "record", "event": e} for i, e in enumerate(events)]
    return [{"at": 0, "do": "start"}, *timed]


def test_undo_takes_back_a_whole_stroke_of_the_pointer(player):
    strokes = [{"e": "value", "c": [c], "v": 2, "keep": True, "g": "1"} for c in (1, 2, 3)]
    strokes += [{"e": "value", "c": [c], "v": 2, "keep": True, "g": "2"} for c in (6, 7)]
    found = player("play", page=page_of(NURIKABE), deeds=deeds(*strokes, {"e": "undo"}))
    assert [c for c, v in enumerate(found["layers"][VALUE]) if v] == [1, 2, 3]
    undone = [row for row in rows_of(found["csv"]) if row["by"] == "undo"]
    assert sorted(row["cell"] for row in undone) == ["r2c2", "r2c3"]
    again = deeds(*strokes, {"e": "undo"}, {"e": "undo"}, {"e": "redo"}, {"e": "redo"})
    found = player("play", page=page_of(NURIKABE), deeds=again)
    assert [c for c, v in enumerate(found["layers"][VALUE]) if v] == [1, 2, 3, 6, 7]


def test_a_stopped_clock_counts_nothing(player):
    script = [
        {"at": 0, "do": "start"},
        {"at": 1000.4, "do": "record", "event": {"e": "pause"}},
        {"at": 1000.4, "do": "stop"},
        {"at": 61_000, "do": "record", "event": {"e": "resume"}},
        {"at": 61_000, "do": "start"},
        {"at": 62_000, "do": "record", "event": {"e": "value", "c": [2], "v": 4}},
    ]
    found = player("play", page=page_of(SUDOKU), deeds=script)
    rows = rows_of(found["csv"])
    assert [row["t_ms"] for row in rows] == ["1000", "1000", "2000"]
    assert [row["real_ms"] for row in rows] == ["0", "60000", "61000"]


def test_a_crash_loses_neither_events_nor_more_than_a_second(player):
    script = [
        *deeds({"e": "start"}, {"e": "value", "c": [2], "v": 4}),
        {"at": 9000, "do": "tick"},
        {"at": 9700, "do": "reload"},
        {"at": 10_700, "do": "record", "event": {"e": "undo"}},
    ]
    found = player("play", page=page_of(SUDOKU), deeds=script)
    assert [row["t_ms"] for row in rows_of(found["csv"])] == ["1000", "2000", "10000"]
    assert not any(found["layers"][VALUE])


def test_long_games_are_kept_in_pieces(player):
    typed = [{"e": "value", "c": [2], "v": 1 + i % 9} for i in range(1050)]
    found = player("play", page=page_of(SUDOKU), deeds=deeds(*typed))
    assert len(rows_of(found["csv"])) == 1050
    assert found["reloaded"]["csv"] == found["csv"]


def test_a_full_storage_is_reported_once_and_the_game_continues(player):
    typed = [{"e": "value", "c": [2], "v": 1 + i % 9} for i in range(300)]
    found = player("play", page=page_of(SUDOKU), deeds=deeds(*typed), most=4000)
    assert found["failures"] == 1
    assert len(rows_of(found["csv"])) == 300


def test_a_restart_is_another_game_of_the_log(player):
    solution = unique_solution(SUDOKU).tolist()
    right = [{"e": "value", "c": [c], "v": v} for c, v in enumerate(solution)]
    script = [*deeds(*right[:20]), {"at": 30_000, "do": "restart"}, {"at": 31_000, "do": "start"}]
    after = {"e": "undo"}  # a finished board is closed
    script += [
        {"at": 32_000 + 1000 * c, "do": "record", "event": e} for c, e in enumerate([*right, after])
    ]
    found = player("play", page=page_of(SUDOKU), player="=eve", deeds=script)
    assert found["solved"]
    rows = rows_of(found["csv"])
    assert sorted({row["game"] for row in rows}) == ["0123abcd-1.1", "0123abcd-1.2"]
    assert {row["player"] for row in rows} == {"'=eve"}  # no formula
    assert rows[-1]["event"] == "finish"
    assert min(int(row["t_ms"]) for row in rows if row["game"].endswith("2")) < 5000
    assert found["reloaded"]["csv"] == found["csv"]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("  Ada\tLovelace ", "Ada Lovelace"),
        ("a\u2028b\x85c\nd\x00e", "a b c d e"),
        ("x" * 100, "x" * 60),
        ("<b>Zoë</b>", "<b>Zoë</b>"),
        (f"{FAMILY}\u200d a\u200db", f"{FAMILY} a\u200db"),
        ("x" * 55 + FAMILY, "x" * 55),
        ("x" * 49 + FAMILY, "x" * 49 + FAMILY),
    ],
)
def test_names_fit_on_a_line(player, text, name):
    assert player("name", text=text) == name


# ---------------------------------------------------------------- rules and hints


def test_the_kinds_of_the_page_are_those_of_the_table(player):
    assert player("kinds") == list(KINDS)


@pytest.mark.parametrize("text", [NURIKABE.text, NURIKABE.text.replace("3", "?")])
def test_boards_of_nurikabe_are_judged_as_the_rules_say(player, text):
    puzzle, solution = Nurikabe(text), unique_solution(NURIKABE)
    rng = np.random.default_rng(5)
    boards = [rng.choice([1, 2], size=25, p=(0.45, 0.55)) for _ in range(300)]
    for _ in range(300):
        # Near the solution, a single mistake stands alone.
        flipped = rng.choice(25, size=rng.integers(0, 4), replace=False)
        boards.append(np.where(np.isin(np.arange(25), flipped), 3 - solution, solution))
    boards = [np.where(puzzle.givens > 0, puzzle.givens, board) for board in boards]
    (plain,) = page_of(NURIKABE)["puzzles"]
    plain = plain | {"numbers": puzzle.numbers.tolist()}
    judged = player("judge", puzzle=plain, boards=[board.tolist() for board in boards])
    is_solution = [puzzle.is_solution(board.astype(np.int8)) for board in boards]
    assert [not found["conflicts"] for found in judged] == is_solution
    assert 0 < sum(is_solution) < 200


def test_boards_of_sudoku_are_judged_as_the_rules_say(player):
    rng = np.random.default_rng(6)
    solution = unique_solution(SUDOKU)
    blanks = np.flatnonzero(SUDOKU.givens == 0)
    boards = [solution.copy() for _ in range(100)]
    for board in boards[1:]:
        cells = rng.choice(blanks, size=2, replace=False)
        board[cells] = board[cells[::-1]]
    (puzzle,) = page_of(SUDOKU)["puzzles"]
    judged = player("judge", puzzle=puzzle, boards=[board.tolist() for board in boards])
    is_solution = [SUDOKU.is_solution(board) for board in boards]
    assert [not found["conflicts"] for found in judged] == is_solution
    assert [found["solved"] for found in judged] == is_solution
    assert 0 < sum(is_solution) < 100


@pytest.mark.thorough
@pytest.mark.parametrize("puzzle", [SUDOKU, TRICKY, NURIKABE], ids=["easy", "tricky", "nurikabe"])
def test_hints_lead_to_the_solution_in_three_degrees(player, puzzle):
    found = player("follow", page=page_of(puzzle))
    assert found["solved"]
    walk = walk_through(puzzle)
    assert found["marks"][:4] == [[0, 1], [0, 2], [0, 3], [1, 1]]
    assert {k for k, _ in found["marks"]} <= set(range(len(walk.steps)))


@pytest.mark.parametrize(
    "puzzle", [*(pytest.param(p, marks=pytest.mark.thorough) for p in (SUDOKU, TRICKY)), NURIKABE]
)
def test_the_walk_is_seen_on_the_positions_of_the_solver(player, puzzle):
    (plain,) = page_of(puzzle)["puzzles"]
    positions = player("positions", puzzle=plain)
    walk = shorten(walk_through(puzzle))
    for seen, taken in zip(positions, walk.steps, strict=True):
        there = [g or v for g, v in zip(plain["givens"], seen["values"], strict=True)]
        assert there == np.asarray(taken.position.values).tolist()
        for cell, value in enumerate(there if puzzle is not NURIKABE else ()):
            digits = [d for d in range(1, 10) if seen["marks"][cell] >> d & 1]
            assert value or digits == list(taken.position.digits(cell))


@pytest.mark.thorough
def test_steps_without_remaining_marks_are_done(player):
    steps = page_of(TRICKY)["puzzles"][0]["steps"]
    k, step = next((k, step) for k, step in enumerate(steps) if not step["set"])
    values = [pair for earlier in steps[:k] for pair in earlier["set"]]
    cells = {cell for cell, _ in step["out"]}
    gone = {(cell, digit) for cell, digit in step["out"]}
    marks = [(c, d) for c in cells for d in range(1, 10) if (c, d) not in gone]
    page = page_of(TRICKY)
    assert player("hint", page=page, values=values, marks=[])["step"] == k
    assert player("hint", page=page, values=values, marks=marks)["step"] == k + 1


# ---------------------------------------------------------------- the player's own pace


def paces(player, games, **limits):
    return player("paces", games=games, **limits)


def test_the_usual_pace_is_the_median_of_the_games_before(player):
    shares = [0.8, 1.2, 1.0, 0.9, 2.0]
    found = paces(player, [[f"page-{i}.1", "model", share] for i, share in enumerate(shares)])
    assert found["usual"][:3] == [None] * 3
    assert found["usual"][3] == {"n": 3, "share": 1.0}
    assert found["usual"][4] == {"n": 4, "share": pytest.approx(0.95)}
    assert found["without"] is None


def test_times_of_other_models_and_old_ones_do_not_count(player):
    games = [[f"old-{i}.1", "model", 5.0] for i in range(30)]
    games += [[f"new-{i}.1", "model", 1.0] for i in range(20)]
    games += [[f"other-{i}.1", "other", 3.0] for i in range(300)]
    found = paces(player, games)
    assert found["usual"][49] == {"n": 20, "share": 1.0}
    assert found["usual"][52] is None
    assert found["usual"][53] == {"n": 3, "share": 3.0}
    assert found["kept"] == 200


def test_a_full_storage_saves_no_pace(player):
    assert paces(player, [["page-1.1", "model", 1.0]] * 4, most=3)["kept"] == 0


def test_a_share_needs_a_first_game_without_hints_and_a_prediction(player):
    puzzle = {"predicted": 300}
    game = {"name": "page-1.1", "finished": 150_000, "entries": [], "puzzle": puzzle}
    others = [
        {"name": "page-1.2"},
        {"finished": None},
        {"entries": [{"event": {"e": "hint"}}]},
        {"puzzle": {"predicted": None}},
    ]
    found = player("shares", games=[game, *({**game, **other} for other in others)])
    assert found == [0.5, None, None, None, None]
