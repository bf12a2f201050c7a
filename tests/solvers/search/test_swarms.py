"""Swarms of grids whose rows hold every value once: the particle swarm and the cultural one."""

import numpy as np
import pytest
from helpers.oracles.domains import PUZZLES
from helpers.oracles.missing_symbols import missing_symbols

from nando.puzzles import Sudoku
from nando.solvers import CulturalSwarm, Limit, Outcome, ParticleSwarm, solve
from nando.solvers.protocol import N_ROWS, STEPS
from nando.solvers.search import swarms
from nando.solvers.search import swarms as rows

pytestmark = pytest.mark.thorough

SWARMS = (ParticleSwarm, CulturalSwarm)
PUZZLE = PUZZLES["s09b"]
LAYOUT = PUZZLE.layout


def started(puzzle=PUZZLE, members=12, seed=0):
    swarm = rows.new_swarm(puzzle, members)
    rows.start_swarm(swarm, puzzle.layout, np.random.default_rng(seed))
    rows.note_best(swarm, 0, swarm.costs.min())
    return swarm


def are_grids(values, puzzle=PUZZLE):
    size = puzzle.size
    assert (np.sort(values.reshape(-1, size)) == np.arange(1, size + 1)).all()
    given = puzzle.givens > 0
    assert (values.reshape(-1, size * size)[:, given] == puzzle.givens[given]).all()


def test_rows_are_filled_with_every_order_equally_often():
    swarm = started(members=3_000)
    are_grids(swarm.values)
    for values, cost in zip(swarm.values[:50], swarm.costs, strict=False):
        assert cost == missing_symbols(PUZZLE, values)
    blank = np.flatnonzero(PUZZLE.givens[:9] == 0)
    lacking = np.setdiff1d(np.arange(1, 10), PUZZLE.givens[:9])
    for cell in blank:
        shares = [(swarm.values[:, cell] == value).mean() for value in lacking]
        np.testing.assert_allclose(shares, 1 / len(lacking), atol=0.03)


def test_swaps_move_two_blanks_of_a_row():
    swarm, rng = started(), np.random.default_rng(1)
    moved = set()
    for _ in range(500):
        child = swarm.values[0].copy()
        rows.swap_blanks(child, swarm.blanks, swarm.givens, 9, rng)
        (changed,) = np.nonzero(child != swarm.values[0])
        assert len(changed) == 2
        are_grids(child)
        moved |= set(changed.tolist())
    assert moved == set(np.flatnonzero(PUZZLE.givens == 0).tolist())


@pytest.mark.parametrize("reach", [1, 3, 6])
def test_leaders_are_the_best_of_the_ring(reach):
    costs = np.random.default_rng(reach).integers(0, 9, 12)
    for i in range(12):
        ring = [(i + step) % 12 for step in range(-reach, reach + 1)]
        leader = swarms._leader(costs, i, reach)
        assert leader in ring
        assert costs[leader] == min(costs[j] for j in ring)


@pytest.mark.parametrize("shares", [(0.5, 0.5), (0.0, 0.3), (0.7, 0.0), (1.0, 0.0), (0.0, 1.0)])
def test_a_particle_lies_between_itself_its_memory_and_its_leader(shares):
    positions, swarm = started().values.copy(), started(seed=1)
    before, best = positions.copy(), swarm.values.copy()
    leaders = [swarms._leader(swarm.costs, i, 2) for i in range(12)]
    # Memories change as the particles move; with costs below 0 they do not.
    swarm.costs[:] += -1 - swarm.costs.max()
    settings = (*shares, 2, 0.0)
    swarms._move_all(swarm, positions, LAYOUT, settings, np.random.default_rng(2), 1)
    assert (swarm.values == best).all()
    are_grids(positions)
    for i, values in enumerate(positions):
        sources = [
            source
            for source, share in (
                (before[i], (1 - shares[0]) * (1 - shares[1])),
                (best[i], shares[0] * (1 - shares[1])),
                (best[leaders[i]], shares[1]),
            )
            if share > 0
        ]
        assert np.any([values == source for source in sources], axis=0).all()
        if max(shares) < 1:
            assert (values != before[i]).any()


def test_particles_remember_their_best():
    swarm = started()
    positions = swarm.values.copy()
    rng = np.random.default_rng(3)
    for step in range(1, 30):
        before = swarm.costs.copy()
        swarms._move_all(swarm, positions, LAYOUT, (0.9, 0.1, 1, 0.6), rng, step)
        are_grids(positions)
        now = [missing_symbols(PUZZLE, values) for values in positions]
        for values, cost in zip(swarm.values, swarm.costs, strict=True):
            assert cost == missing_symbols(PUZZLE, values)
        assert (swarm.costs == np.minimum(before, now)).all()
        assert rows.least_cost(swarm) == swarm.costs.min()


def test_first_beliefs_are_uniform_over_the_candidates():
    even = swarms._even_beliefs(PUZZLE)
    for cell in range(81):
        seen = set(PUZZLE.givens[LAYOUT.peers[cell]].tolist())
        allowed = [v for v in range(1, 10) if v not in seen]
        if PUZZLE.givens[cell]:
            allowed = [int(PUZZLE.givens[cell])]
        wanted = [1 / len(allowed) if v in allowed else 0 for v in range(1, 10)]
        np.testing.assert_allclose(even[cell], wanted)


def test_the_cube_holds_what_the_best_members_hold():
    swarm, even = started(), swarms._even_beliefs(PUZZLE)
    beliefs = swarms._Beliefs(even.copy(), even)
    rng = np.random.default_rng(4)
    settings = (3, 0.25, 0.5, 0.3, 1_000, 0.5)
    for step in range(1, 15):
        cube, costs = beliefs.cube.copy(), swarm.costs.copy()
        swarms._evolve(swarm, beliefs, LAYOUT, settings, rng, step)
        are_grids(swarm.values)
        assert (swarm.costs <= costs).all()
        for values, cost in zip(swarm.values, swarm.costs, strict=True):
            assert cost == missing_symbols(PUZZLE, values)
        accepted = swarm.values[np.argsort(swarm.costs, kind="stable")[:3]]
        written = (accepted[:, :, None] == np.arange(1, 10)).mean(axis=0) * (even > 0)
        wanted = np.where(PUZZLE.givens[:, None] > 0, even, 0.75 * cube + 0.25 * written)
        np.testing.assert_allclose(beliefs.cube, wanted, atol=1e-12)
        assert rows.least_cost(swarm) == swarm.costs.min()


def test_a_stagnant_swarm_restarts_and_the_cube_fades():
    swarm, even = started(members=2), swarms._even_beliefs(PUZZLE)
    beliefs = swarms._Beliefs(even.copy(), even)
    rng = np.random.default_rng(0)
    while swarm.progress[rows.CHANGED] == swarm.trace["step"][swarm.progress[N_ROWS] - 1]:
        step = int(swarm.progress[STEPS]) + 1
        before, cube = swarm.values.copy(), beliefs.cube.copy()
        swarms._evolve(swarm, beliefs, LAYOUT, (1, 0.0, 0.5, 0.0, 20, 0.25), rng, step)
    assert swarm.progress[rows.CHANGED] == step
    assert (swarm.values != before).sum() > 40
    np.testing.assert_allclose(beliefs.cube, 0.75 * cube + 0.25 * even)


def test_swaps_follow_the_cube():
    swarm = started()
    solution = solve(PUZZLE)
    cube = (solution[:, None] == np.arange(1, 10)).astype(float)
    rng = np.random.default_rng(0)
    swarm.child[:] = swarm.values[0]
    for _ in range(1_000):
        swarms._believe(swarm, cube, 9, rng)
        are_grids(swarm.child)
    assert swarm.child.tolist() == solution.tolist()


@pytest.mark.parametrize("swarm", SWARMS)
def test_a_nearly_full_grid_takes_no_step(swarm):
    solution = solve(PUZZLES["s01a"])
    values = solution.copy()
    values[0] = 0
    run = swarm().run(Sudoku.from_values(values), rng=0)
    assert (run.outcome, run.steps) == (Outcome.SOLVED, 0)
    assert run.solution.tolist() == solution.tolist()


@pytest.mark.parametrize("swarm", SWARMS)
def test_one_impossible_blank_causes_no_endless_loop(swarm):
    # The first row lacks only the 9, which is in the column already.
    puzzle = Sudoku("12345678." + "." * 8 + "9" + "." * 63)
    run = swarm().run(puzzle, limit=Limit(steps=5), rng=0)
    assert run.outcome is Outcome.STEP_LIMIT
    full = solve(PUZZLES["s01a"])
    full[0] = 0
    full[9], full[10] = full[10], full[9]
    run = swarm(iterations=5).run(Sudoku.from_values(full), rng=0)
    assert run.outcome in (Outcome.STUCK, Outcome.EXHAUSTED)
