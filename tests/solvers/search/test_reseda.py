"""Estimation of distribution, and RESEDA's restarts."""

import numpy as np
import pytest
from helpers.oracles.missing_symbols import missing_symbols
from helpers.samples.sudokus import EASY, ESCARGOT, MEDIUM

from nando.kernels.compile import kernel
from nando.puzzles import Sudoku
from nando.solvers import Limit, Outcome, solve
from nando.solvers.search import distribution as kernels
from nando.solvers.search.reseda import DistributionEstimation, completed_boxes
from nando.solvers.search.swarms import lacking_from

pytestmark = pytest.mark.thorough

HARD = Sudoku(".1.7.89..38.........9..56...9..7.....31....2....45..8..5..6249.673.49.51.4......3")


def settings(**changes):
    values = {
        "alpha": 0.7,
        "beta": 0.6,
        "kept": 10,
        "tournament": True,
        "permutations": True,
        "random_ties": False,
    }
    return kernels.Parameters(**(values | changes))


def started(puzzle, samples=100, precomputation=True):
    return kernels.start(puzzle.layout, puzzle.givens, samples, precomputation)


# The distribution


def test_first_probabilities_are_uniform_over_the_candidates():
    chances = started(EASY).chances
    for cell in range(81):
        seen = {int(EASY.givens[peer]) for peer in EASY.layout.peers[cell]}
        left = set(range(1, 10)) - seen
        if EASY.givens[cell]:
            left = {int(EASY.givens[cell])}
        wanted = [(value in left) / len(left) for value in range(1, 10)]
        assert chances[cell].tolist() == pytest.approx(wanted)
    blind = started(EASY, precomputation=False).chances
    assert (blind[EASY.givens == 0] == 1 / 9).all()
    assert (blind.argmax(axis=1) + 1)[EASY.givens > 0].tolist() == list(
        EASY.givens[EASY.givens > 0]
    )


def drawn_as_written(chances, givens, layout, random):
    """Draw one grid with boxes as permutations, after the paper's words, over dictionaries."""
    size = layout.size
    grid = givens.tolist()
    for box in layout.houses[2 * size :].tolist():
        blanks = [cell for cell in box if not grid[cell]]
        left = sorted(set(range(1, size + 1)) - {grid[cell] for cell in box})
        while blanks:
            share = {}
            for cell in blanks:
                mass = sum(chances[cell][value - 1] for value in left)
                if mass > 0:
                    share[cell] = max(chances[cell][value - 1] for value in left) / mass
            if not share:
                break
            cell = max(share, key=lambda cell: (share[cell], -cell))
            mass = sum(chances[cell][value - 1] for value in left)
            threshold = random() * mass
            for value in left:
                if chances[cell][value - 1] > 0:
                    grid[cell] = value
                    threshold -= chances[cell][value - 1]
                    if threshold < 0:
                        break
            left.remove(grid[cell])
            blanks.remove(cell)
        for cell in blanks:
            grid[cell] = left.pop(int(random() * len(left)))
    return grid


@pytest.mark.parametrize("puzzle", [EASY, ESCARGOT, Sudoku("." * 81)], ids=str)
def test_boxes_are_drawn_as_written(puzzle):
    state = started(puzzle)
    # Chances in sixteenths, many of them 0, so that sums are exact and some cells go unfilled.
    rng = np.random.default_rng(5)
    state.chances[:] = rng.integers(0, 5, state.chances.shape) / 16
    state.chances[rng.random(81) < 0.3, 3:] = 0
    for seed in range(30):
        grid = np.zeros(81, np.int8)
        rng = np.random.default_rng(seed)
        kernels._draw_boxes(grid, state, puzzle.layout, False, rng)
        random = np.random.default_rng(seed).random
        assert grid.tolist() == drawn_as_written(
            state.chances, puzzle.givens, puzzle.layout, random
        )
        boxes = np.sort(grid[puzzle.layout.houses[18:]], axis=1)
        assert (boxes == np.arange(1, 10)).all()


@kernel
def draw_cells(grid, state, layout, rng):
    """Draw from a kernel, because a lean kernel takes no generator from Python."""
    kernels._draw_cells(grid, state, layout, rng)


def test_cells_are_drawn_by_their_chances():
    state = started(MEDIUM)
    cell = int(np.flatnonzero(MEDIUM.givens == 0)[0])
    state.chances[cell] = [0.5, 0, 0.3, 0, 0, 0, 0, 0, 0.2]
    rng = np.random.default_rng(0)
    grid = np.zeros(81, np.int8)
    values = []
    for _ in range(5_000):
        draw_cells(grid, state, MEDIUM.layout, rng)
        values.append(int(grid[cell]))
    shares = np.bincount(values, minlength=10)[1:] / 5_000
    assert shares == pytest.approx(state.chances[cell], abs=0.025)
    assert (shares[state.chances[cell] == 0] == 0).all()
    given = MEDIUM.givens > 0
    assert (grid[given] == MEDIUM.givens[given]).all()


def test_equally_sure_cells_are_drawn_in_turn_or_at_random():
    """Of four cells equally sure to be 1, the first is drawn, or any where ties are random."""
    state = started(Sudoku("." * 81))
    box = EASY.layout.houses[18]
    state.chances[box] = 0
    state.chances[box[[1, 4, 6, 8]], 0] = 1
    places = {}
    for random_ties in (False, True):
        rng = np.random.default_rng(0)
        grid = np.zeros(81, np.int8)
        found = []
        for _ in range(2_000):
            kernels._draw_boxes(grid, state, EASY.layout, random_ties, rng)
            found.append(int(np.flatnonzero(grid[box] == 1)[0]))
        places[random_ties] = np.bincount(found, minlength=9) / 2_000
    assert places[False][1] == 1
    assert places[True] == pytest.approx(np.isin(np.arange(9), [1, 4, 6, 8]) / 4, abs=0.05)


@pytest.mark.parametrize("tournament", [True, False])
def test_learning_mixes_in_the_frequencies_of_the_kept_grids(tournament):
    state = started(MEDIUM, samples=20)
    rng = np.random.default_rng(0)
    for i in range(20):
        kernels._draw_boxes(state.grids[i], state, MEDIUM.layout, False, rng)
        state.costs[i] = lacking_from(state.grids[i], MEDIUM.layout, 0)
        assert state.costs[i] == missing_symbols(MEDIUM, state.grids[i])
    if tournament:
        kept = [min(range(i, i + 4), key=lambda j: state.costs[j]) for i in range(0, 20, 4)]
    else:
        kept = sorted(range(20), key=lambda j: state.costs[j])[:5]
    frequencies = np.stack(
        [(state.grids[kept] == value).mean(axis=0) for value in range(1, 10)], axis=1
    )
    wanted = 0.8 * state.chances + 0.2 * frequencies
    least = kernels._learn(state, MEDIUM.layout, settings(alpha=0.8, kept=5, tournament=tournament))
    assert state.chances == pytest.approx(wanted)
    assert least == pytest.approx(wanted.max(axis=1).min())


# One estimation


@pytest.mark.parametrize("selection", ["tournament", "truncation"])
@pytest.mark.parametrize(
    ("puzzle", "alpha", "shares"), [(EASY, 0.7, (0.93, 1.0)), (MEDIUM, 0.7, (0.5, 0.82))]
)
def test_shares_of_the_paper(puzzle, alpha, shares, selection):
    """The paper has 100 % in 9 rounds for easy, 61 % in 14 for medium puzzles."""
    solver = DistributionEstimation(alpha=alpha, selection=selection)
    profile = solver.profile(puzzle, runs=150, rng=0)
    assert shares[0] <= profile.solved_share <= shares[1]
    assert profile.iterations_when_solved == pytest.approx({0: 9, 1: 13}[puzzle is MEDIUM], rel=0.2)
    assert profile.grids == pytest.approx(100 * profile.iterations)
    assert profile.grids_to_success == pytest.approx(profile.grids / profile.solved_share)


def test_a_solved_run_and_its_trace():
    run = DistributionEstimation().run(EASY, rng=1)
    assert run.outcome is Outcome.SOLVED
    assert (run.solution == solve(EASY)).all()
    assert run.trace["step"].tolist() == [run.steps]
    assert run.steps == 100 * run.trace["options"][0]
    assert run.trace["cost"].tolist() == [0]


@pytest.mark.parametrize("approximation", ["best", "last", "likeliest"])
def test_reliability_of_cells(approximation):
    solver = DistributionEstimation(approximation=approximation)
    maps = [solver.reliability(puzzle, runs=30, rng=0) for puzzle in (EASY, MEDIUM, ESCARGOT)]
    assert (maps[2][ESCARGOT.givens > 0] == 1).all()
    means = [shares.mean() for shares in maps]
    assert means[0] > means[1] > means[2]
    assert means[0] > 0.97
    # Some cells of a puzzle that is never solved come out right nearly always, others hardly.
    blanks = maps[2][ESCARGOT.givens == 0]
    assert blanks.max() >= 0.9
    assert blanks.min() <= 0.3


# Restarts


@pytest.mark.parametrize(
    ("zones", "boxes"), [("diagonal boxes", [19, 23, 27]), ("boxes", range(19, 28))]
)
def test_partial_restarts_take_the_zones_named(zones, boxes):
    run = DistributionEstimation(zones=zones).run(ESCARGOT, rng=0)
    assert run.outcome is Outcome.STUCK
    # Drawn with permutations, every box holds every symbol once.
    assert run.trace["value"].tolist() == [0, *boxes]
    assert (np.diff(run.trace["step"]) == 100 * run.trace["options"][1:]).all()
    assert (run.trace["cost"] > 0).all()


def test_only_zones_that_hold_every_symbol_once_are_taken():
    run = DistributionEstimation(zones="houses").run(ESCARGOT, rng=0)
    zones = run.trace["value"]
    assert zones[zones > 18].tolist() == list(range(19, 28))
    assert len(zones) < 28
    again = DistributionEstimation(zones="houses", full_restarts=1).run(ESCARGOT, rng=0)
    assert (again.trace["value"] == 0).sum() == 2
    assert again.trace[: len(zones)].tolist() == run.trace.tolist()


def test_more_zones_solve_more():
    shares = [
        DistributionEstimation(zones=zones).profile(HARD, runs=40, rng=0).solved_share
        for zones in (None, "diagonal boxes", "houses")
    ]
    assert shares[0] < shares[1] < shares[2]
    assert shares[2] >= 0.9


@pytest.mark.parametrize("approximation", ["best", "last", "likeliest"])
def test_full_restarts_go_on_to_the_solution(approximation):
    solver = DistributionEstimation(
        zones="diagonal boxes", full_restarts=None, approximation=approximation
    )
    for seed in range(3):
        assert solver.run(HARD, limit=Limit(steps=10**6), rng=seed).outcome is Outcome.SOLVED


def test_restarts_end_where_givens_leave_nothing_to_draw():
    """The first cell has no symbol left: 1 to 8 are in its row, 9 in its column."""
    nothing = Sudoku(".12345678" + "9" + "." * 71)
    solver = DistributionEstimation(full_restarts=None, zones="boxes")
    run = solver.run(nothing, limit=Limit(steps=1_000), rng=0)
    assert (run.outcome, run.steps) == (Outcome.STUCK, 0)
    blind = DistributionEstimation(precomputation=False, longest=3).run(nothing, rng=0)
    assert (blind.outcome, blind.steps) == (Outcome.STUCK, 300)
    clash = Sudoku("11" + "." * 79)
    assert DistributionEstimation(longest=20).run(clash, rng=0).outcome is Outcome.STUCK


# Filled boxes


def test_filled_boxes_of_ai_escargot():
    """As in the paper, there are 24 ways, and one of them is right."""
    puzzles = list(completed_boxes(ESCARGOT, 0))
    assert len({puzzle.text for puzzle in puzzles}) == 24
    solution = solve(ESCARGOT)
    box = ESCARGOT.layout.houses[18]
    for puzzle in puzzles:
        assert sorted(puzzle.givens[box]) == list(range(1, 10))
        assert puzzle.status().valid
        assert puzzle.n_givens == ESCARGOT.n_givens + 6
    assert sum(puzzle.is_solution(solution) for puzzle in puzzles) == 1
    full = Sudoku.from_values(solution)
    assert list(completed_boxes(full, 8)) == [full]
    assert not list(completed_boxes(Sudoku(".12345678" + "9" + "." * 71), 0))
    assert next(completed_boxes(Sudoku("." * 625), 24)).n_givens == 25
    with pytest.raises(ValueError, match="box must be from 0 to 8, got 9"):
        completed_boxes(EASY, 9)


def test_boxes_are_filled_in_turn():
    solver = DistributionEstimation(completed_box=0)
    run = solver.run(ESCARGOT, rng=0)
    assert (run.outcome, len(run.trace)) == (Outcome.STUCK, 24)
    run = solver.run(EASY, rng=0)
    assert run.outcome is Outcome.SOLVED
    assert EASY.is_solution(run.solution)
    with pytest.raises(ValueError, match="completed_box must be below 9 here, got 9"):
        DistributionEstimation(completed_box=9).run(EASY)


def test_restarts_without_end_need_a_limit():
    with pytest.raises(ValueError, match="full_restarts=None needs a limit"):
        DistributionEstimation(full_restarts=None).run(EASY)


def test_a_profile_without_success():
    profile = DistributionEstimation().profile(ESCARGOT, runs=2, rng=0, limit=Limit(steps=100))
    assert profile.grids_to_success == np.inf
