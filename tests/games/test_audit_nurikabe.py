"""Nurikabe in an audit: judged by the order alone, among cells of one colour."""

import csv
import io
from pathlib import Path

import numpy as np
import pytest
from helpers.command import run
from helpers.pages.played_pages import SUDOKU
from helpers.plain_kernels import compiled_and_plain
from helpers.samples.nurikabe_boards import EASY, WHAT_IF
from helpers.samples.simulated_games import auditor

from nando.games import Auditor, Game, load_auditor, load_fill_order
from nando.games.evidence.verdicts import players_of
from nando.puzzles import Nurikabe
from nando.puzzles.nurikabe import BLACK
from nando.solvers import unique_solution
from nando.solvers.nurikabe.local import find_local
from nando.solvers.nurikabe.state import OPEN, colour_cell
from nando.solvers.people.fills import nurikabe as choices

EXAMPLES = Path("examples/nurikabe.txt").read_text(encoding="utf-8").splitlines()
PUZZLES = [Nurikabe(line) for line in EXAMPLES if not line.startswith("#")]
F = choices.Feature


def game_of(puzzle, cells, *, name="1", player="ada", only=None):
    """Return a game with known times; `only` leaves the cells of the other colour open."""
    solution = unique_solution(puzzle)
    cells = np.asarray(cells)[puzzle.givens[cells] == 0]
    if only is not None:
        cells = cells[solution[cells] == only]
    moves = [(800 * (k + 1), int(cell), int(solution[cell])) for k, cell in enumerate(cells)]
    return Game.from_moves(puzzle, moves, name=name, player=player)


def honest(count, *, only=None, seed=0):
    """Return games drawn from the population, three per player."""
    rng = np.random.default_rng(seed)
    people = load_fill_order(kind="nurikabe")
    return [
        game_of(
            puzzle,
            people.sample_order(puzzle, rng),
            name=str(i),
            player=f"player {i // 3}",
            only=only,
        )
        for i in range(count)
        for puzzle in [PUZZLES[i % len(PUZZLES)]]
    ]


def typed(puzzle, how, **known):
    n_rows, n_columns = puzzle.shape
    row, column = np.divmod(np.arange(n_rows * n_columns), n_columns)
    rng = np.random.default_rng(3)
    order = {
        "row by row": (column, row),
        "column by column": (row, column),
        "from the end": (-column, -row),
        "chess-board": (column, row, (row + column) % 2),
        "random": (rng.random(len(row)),),
    }[how]
    return game_of(puzzle, np.lexsort(order), **known)


# ---------------------------------------------------------------- what a fill is compared with


def known_whites(puzzle, solution, filled, known):
    """Colour the filled cells, then apply the local rules to the known ones, in plain Python."""
    board = choices.new_board(puzzle, solution)
    for cell in filled:
        colour_cell(board.state, board.cells[cell], int(solution[cell]))
    while True:
        find_local(board.state, board.local)
        given = [
            cell
            for cell in np.flatnonzero(known)
            if board.state.colour[board.cells[cell]] == OPEN
            and board.local.demanded[board.cells[cell]] == solution[cell]
        ]
        if not given:
            return board
        for cell in given:
            colour_cell(board.state, board.cells[cell], int(solution[cell]))


@pytest.mark.parametrize("puzzle", [EASY, WHAT_IF], ids=["easy", "what-if"])
@pytest.mark.parametrize("share", [0.0, 0.1, 0.6, 1.0])
def test_a_fill_is_one_of_the_open_cells_of_its_colour(puzzle, share):
    """The fills agree with their definition at every moment, for any share of white cells."""
    rng = np.random.default_rng(1)
    solution, blank = unique_solution(puzzle), puzzle.givens == 0
    black, white = (blank & (solution == BLACK), blank & (solution != BLACK))
    chosen = rng.permutation(np.flatnonzero(white))[: round(share * white.sum())]
    cells = rng.permutation(np.concatenate([np.flatnonzero(black), chosen])).astype(np.int16)
    known = white & ~np.isin(np.arange(puzzle.n_cells), cells) & (len(chosen) / white.sum() < 0.25)
    found = choices.replay_of_colour(puzzle, solution, cells)
    for k, cell in enumerate(cells):
        board = known_whites(puzzle, solution, cells[:k], known)
        colour = [c for c in range(puzzle.n_cells) if solution[c] == solution[cell] and blank[c]]
        among = [c for c in colour if board.state.colour[board.cells[c]] == OPEN]
        rows = slice(found.starts[k], found.starts[k + 1])
        assert found.cells[rows].tolist() == among
        assert found.cells[found.chosen[k]] == cell
        demanded = [bool(board.local.demanded[board.cells[c]]) for c in among]
        assert (found.table[rows, F.DEMANDED] > 0).tolist() == demanded
    assert found.starts[-1] == len(found.table)


def test_the_replay_of_a_colour_as_plain_python():
    solution = unique_solution(EASY)
    cells = np.flatnonzero((EASY.givens == 0) & (solution == BLACK)).astype(np.int16)[::-1].copy()
    compiled, plain = compiled_and_plain(
        lambda: choices.replay_of_colour(EASY, solution, cells), choices
    )
    for one, other in zip(compiled, plain, strict=True):
        assert np.allclose(one, other, atol=1e-6)


# ---------------------------------------------------------------- verdicts


@pytest.mark.parametrize("only", [None, BLACK], ids=["both colours", "the river only"])
def test_people_are_not_taken_for_programs_with_either_colour(only):
    audits = auditor().audit(honest(24, only=only))
    assert all(audit.n_moves >= 10 for audit in audits)
    assert sum(audit.p_value <= 0.01 for audit in audits) <= 1
    assert not any(player.verdict.startswith("unlike") for player in players_of(audits))


@pytest.mark.parametrize("only", [None, BLACK], ids=["both colours", "the river only"])
@pytest.mark.parametrize(
    ("how", "words"),
    [
        ("row by row", "colours row by row explains"),
        ("column by column", "colours column by column explains"),
        ("from the end", "colours row by row from the end explains"),
        ("chess-board", "explains"),
    ],
)
def test_typed_solutions_are_stated_and_forbidden_on_the_screen(how, words, only):
    games = [typed(puzzle, how, only=only) for puzzle in PUZZLES]
    audits = auditor().audit(games)
    assert all(audit.entered_p_value <= 0.01 for audit in audits)
    assert all(audit.verdict == "entered from a finished solution" for audit in audits)
    assert words in audits[0].evidence[0]
    assert all(audit.finding.accuses for audit in auditor().audit(games, on_screen=True))


def test_random_cells_are_found_in_several_games():
    audits = auditor().audit([typed(puzzle, "random", only=BLACK) for puzzle in PUZZLES])
    (player,) = players_of(audits, on_screen=True)
    assert (player.n_games, player.player) == (3, "ada")
    assert player.verdict.startswith("not solved on the screen at the 1 in ")


def test_only_the_order_counts_and_the_audit_says_so():
    """A program gets the same verdict at the delays of a person and at no delays at all."""
    game = typed(PUZZLES[0], "row by row")
    audits = auditor().audit([game, game.with_seconds(np.zeros(len(game.cells)))])
    assert audits[0].log_odds == audits[1].log_odds
    assert audits[0].timing_odds == 0
    assert audits[0].notes == ("judged by its order alone",)
    assert "Sudoku" not in (reported := " ".join(audits[0].evidence))
    assert "single" not in reported


def test_the_same_order_on_the_same_puzzle_is_a_copy():
    first = honest(1)[0]
    other = Game("2", "ben", first.puzzle, first.solution, first.cells, first.seconds)
    third = honest(4)[3]
    assert third.puzzle == first.puzzle
    audits = auditor().audit([first, other, third])
    assert audits[0].evidence[0].startswith("the same order as game 2 of ben in")
    assert audits[1].evidence[0].startswith("the same order as game 0 of player 0 in")
    assert not any("the same order" in sentence for sentence in audits[2].evidence)


def test_history_is_of_the_kind_that_is_played():
    sudoku = game_of(SUDOKU, np.arange(81), player="player 0")
    games = honest(3)
    audits = auditor().audit([sudoku, *games], history=honest(6, seed=5)[:3])
    assert audits[0].standard == "other people"
    assert all("know 3 games" in audit.standard for audit in audits[1:])


def test_a_population_of_nurikabe_is_an_auditor(tmp_path):
    people = load_fill_order(kind="nurikabe")
    path = tmp_path / "mine.json"
    people.to_json(path)
    found = load_auditor(path)
    assert found.population.kind == "nurikabe"
    assert found.model_id == people.model_id
    games = honest(2)
    mine, shipped = found.audit(games), auditor().audit(games)
    assert [one.log_odds for one in mine] == [one.log_odds for one in shipped]
    assert found.models_of(games) == auditor().models_of(games) == people.model_id
    assert isinstance(Auditor.from_json(found.to_json()), Auditor)


# ---------------------------------------------------------------- logs


@pytest.fixture
def log(tmp_path):
    """Write a log of typed games of both kinds."""
    path = tmp_path / "log.csv"
    solution = unique_solution(SUDOKU).tolist()
    blanks = [cell for cell in range(81) if not SUDOKU.givens[cell]]
    rows = [("1", "ada", SUDOKU.text, 700 * k, c, solution[c]) for k, c in enumerate(blanks)]
    game = typed(PUZZLES[0], "row by row", only=BLACK)
    rows += [
        ("2", "ada", game.puzzle.text, 700 * k, c, BLACK) for k, c in enumerate(game.cells.tolist())
    ]
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["game", "player", "puzzle", "t_ms", "cell", "value"])
        writer.writerows(rows)
    return path


def test_a_log_of_both_kinds(log):
    found = run("audit", log, "-f", "csv")
    assert found.exit_code == 0, found.output
    rows = {row["game"]: row for row in csv.DictReader(io.StringIO(found.stdout))}
    assert rows["2"]["verdict"] == "entered from a finished solution"
    assert rows["2"]["finding"] == "entered"
    assert rows["2"]["notes"] == "judged by its order alone"
    assert (rows["1"]["notes"], float(rows["2"]["timing_score"])) == ("", 0.0)


def test_the_terminal_and_the_report_say_it_too(log, tmp_path):
    sentence = "judged by their order alone, because no times of Nurikabe are known: 1 of 2 games"
    assert sentence in run("audit", log).stderr
    run("audit", log, "-o", tmp_path / "report.html")
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert f"<p>{sentence}.</p>" in page
    assert "judged by its order alone" in page
    models = auditor().model_id, load_fill_order(kind="nurikabe").model_id
    assert f"model {', '.join(models)}" in page
