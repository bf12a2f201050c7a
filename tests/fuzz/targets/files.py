"""Readers of users' other files and arguments.

Manifests, logs, times, journals, patterns, contests.
"""

import json

import numpy as np
from fuzz.target import (
    LINE,
    LONGEST_MESSAGE,
    NURIKABE,
    SOLUTION,
    Target,
    choice,
    file_of,
    folder,
    refusal,
    text_of,
)
from helpers.samples.recordings import replay_file, steps_file

from nando.books import Book
from nando.checks import shape_of
from nando.cli import making
from nando.cli.making import pattern_in
from nando.cli.stream import Journal
from nando.games.log import read_games
from nando.generators import Record
from nando.puzzles import Nurikabe, Sudoku
from nando.puzzles.files import parse_json
from nando.rating.fitting.training import read_times
from nando.serve.contest import puzzle_of, read_contest
from nando.solvers.exact.search import unique_solution
from nando.solvers.logic import SUKAKU_EXPLAINER, read_order

LOG_SUFFIXES = (".csv", ".json", ".jsonl", ".tsv")


def recordings(data: bytes) -> None:
    text = text_of(data)
    if text.startswith("{"):
        path = file_of("game.json", data)
    else:  # the actions of a replay, which the fuzzer cannot pack
        path = file_of("game.replay", replay_file(text).encode())
    with refusal():
        (game,) = read_games(path).games
        assert np.isfinite(game.seconds).all()
        assert (np.diff(game.seconds) >= 0).all()


def manifest(data: bytes) -> None:
    with refusal():
        book = Book.from_manifest(parse_json(text_of(data)))
        assert book.n_pages
        book.write(folder() / "book.html")
        assert Book.from_manifest(parse_json(json.dumps(book.to_manifest()))) == book


def games(data: bytes) -> None:
    suffix, rest = choice(data, LOG_SUFFIXES)
    with refusal():
        log = read_games(file_of(f"log{suffix}", rest))
        assert all(0 < len(problem) < LONGEST_MESSAGE for problem in log.problems)
        for game in log.games:
            assert np.isfinite(game.seconds).all()
            assert (np.diff(game.seconds) >= 0).all()
            assert len(game.cells) <= game.n_blanks


def step_order(data: bytes) -> None:
    with refusal():
        order = read_order(file_of("order.csv", data))
        assert len(set(order.ladder)) == len(order.ladder) >= len(SUKAKU_EXPLAINER)
        assert all(0 <= points <= 1e6 for points in order.points.values())


def times(data: bytes) -> None:
    with refusal():
        found = read_times(file_of("times.csv", data), "sudoku")
        assert len(found.puzzles) == len(found.values) > 0


def journal(data: bytes) -> None:
    output = folder() / "out.csv"
    Journal(output, {}, resume=True).close(done=True)
    made = Journal(output, {}, resume=False)
    head = made.path.read_bytes()
    made.close(done=False)
    made.path.write_bytes(head + data)
    again = Journal(output, {}, resume=True)
    assert sum(isinstance(row, dict) for row in again.rows()) == again.n_kept
    again.close(done=False)
    assert data.startswith(again.path.read_bytes()[len(head) :])


def pattern(data: bytes) -> None:
    with refusal():
        assert len(pattern_in(str(file_of("pattern.txt", data)))) == 81


def arguments(data: bytes) -> None:
    text = text_of(data)[:300]  # as long as people type; messages repeat it
    for read in (
        making.seconds,
        making.minutes,
        shape_of,
    ):
        with refusal():
            read(text)
    with refusal():
        making.counts(text, "--grades")


def contest(data: bytes) -> None:
    with refusal():
        found = read_contest(file_of("contest.toml", data))
        assert isinstance(found.start_ms, int)
        assert found.start_ms < found.end_ms
        assert f"{found.start:%Y-%m-%d %H:%M} {found.end:%Y-%m-%d %H:%M}"
        for part in found.puzzles:
            assert part.is_made == (not part.puzzle and not part.file)
            if part.size:
                with refusal():
                    part.source()
            if part.puzzle:
                with refusal():
                    assert unique_solution(puzzle_of(part)) is not None


def _book() -> str:
    record = Record(Sudoku(LINE), SOLUTION, predicted=350.0, grade="easy", first_cell=3)
    board = Nurikabe(NURIKABE)
    solution = board.solution_text(unique_solution(board))
    other = Record(board, solution, predicted=90.0)
    sound = Book.from_records([record]).to_manifest()
    sound["sections"].append({"title": "Two", "per_page": 2, "records": [other.to_dict()]})
    return json.dumps(sound)


def _moves(form: int) -> str:
    cells = [i for i, symbol in enumerate(LINE) if symbol == "."]
    moves = [(100 * i, cell, int(SOLUTION[cell])) for i, cell in enumerate(cells)][:6]
    names = ("game", "player", "puzzle", "t_ms", "cell", "value")
    rows = [("1", "a", LINE, *move) for move in moves] + [("1", "a", LINE, 900, "r1c3", 0)]
    records = [dict(zip(names, row, strict=True)) for row in rows]
    return (
        chr(form)
        + (
            "\n".join(",".join(map(str, row)) for row in [names, *rows]),
            json.dumps(records),
            "\n".join(map(json.dumps, records)),
            f"{LINE}\t" + json.dumps([f"{t},-1,{cell},{value}" for t, cell, value in moves]),
        )[form]
    )


_CONTESTS = [
    f"""title = "Tea"
code = "tea-time"
password = "long enough"
language = "de"
seed = 5
start = 2027-03-01T19:00:00+01:00
end = 2027-03-01T20:00:00Z

[[puzzles]]
puzzle = "{LINE}"
points = 7

[[puzzles]]
puzzle = "{NURIKABE}"
kind = "nurikabe"
""",
    """start = 2027-03-01T19:00:00
end = 2027-03-01T20:30:00.5

[[puzzles]]
grade = "easy"
count = 3

[[puzzles]]
kind = "nurikabe"
minutes = 4
size = "8x8"

[[puzzles]]
minutes = 4.5

[[puzzles]]
file = "evening.csv"
""",
]


TARGETS = (
    Target(manifest, lambda: [_book()], is_json=True),
    Target(games, lambda: [_moves(form) for form in range(len(LOG_SUFFIXES))]),
    Target(
        recordings, lambda: [steps_file(), "I01_2B1_9J_1I2_1D2_1C3_1F2_1G_1H_1O12_30M_1B9_2N_1P_1"]
    ),
    Target(step_order, lambda: ["# mine\nNaked Single, 1\nY-Wing / Simple Colouring, 5\n"]),
    Target(times, lambda: [f"puzzle,seconds,players\n{LINE},300,12\n"]),
    Target(journal, lambda: [b'{"puzzle": "x"}\t%08x\n' % 0x6B4DC8D2, b""]),
    Target(pattern, lambda: ["\n".join("x.x.x.x.x" for _ in range(9))]),
    Target(contest, lambda: _CONTESTS),
    Target(arguments, lambda: ["1h 30min", "120 points", "10x8", "10%", "easy:12, hard:6"]),
)
