"""Simulated annealing in its two published forms."""

import numpy as np
import pytest
from helpers.oracles.missing_symbols import missing_symbols
from helpers.samples.sudokus import EASY
from helpers.samples.sudokus import ESCARGOT as HARD

from nando.solvers import Annealing, Limit, Outcome
from nando.solvers.search import annealing as module

pytestmark = pytest.mark.thorough

PRESETS = {
    "lewis": Annealing.lewis(),
    "thesis": Annealing.thesis(),
    "thesis, accepted": Annealing.thesis(cool_on_accepted=True),
}


def grid(text):
    return np.array([int(symbol) for symbol in text], np.int8)


def test_costs_of_the_thesis_figures():
    """Figure 3.1 is printed with 42, but its digits give 43."""
    boxes = grid(
        "137296276248153489956478531325129567419346329786857184628639841745417563931825792"
    )
    assert missing_symbols(EASY, boxes, "lines") == 43
    sums = grid("835465923265319874493827651577743219942186735317592486774651348654238197138974562")
    assert missing_symbols(EASY, sums) == 17
    line = np.tile(grid("223335678"), 9)
    assert missing_symbols(EASY, line, "lines") == 9 * 3 + 9 * 8


@pytest.mark.parametrize("name", PRESETS)
def test_solves_an_easy_puzzle(name):
    profile = PRESETS[name].profile(EASY, runs=10, rng=1)
    assert profile.solved_share >= 0.9
    run = PRESETS[name].run(EASY, rng=3)
    assert run.outcome is Outcome.SOLVED
    assert EASY.is_solution(run.solution)


@pytest.mark.parametrize("name", PRESETS)
def test_state_stays_consistent_move_by_move(name):
    """Counts and cost match the grid, boxes stay permutations, givens stay."""
    rng = np.random.default_rng(0)
    state = module._filled_boxes(HARD, name != "lewis", rng)
    given = HARD.givens > 0
    for temperature in (40.0, 1.0, 0.2):
        module._swap_often(state, rng, temperature, (1.0, 0.0, False), 500, np.zeros(0))
        assert state.counts[0] == missing_symbols(HARD, state.values, "lines")
        assert (state.values[given] == HARD.givens[given]).all()
        boxes = np.sort(state.values[HARD.layout.houses[18:]], axis=1)
        assert (boxes == np.arange(1, 10)).all()
        rows = state.values.reshape(9, 9)
        for line in range(9):
            counts = np.bincount(rows[line], minlength=10)[1:]
            assert (state.in_row[line] == counts).all()


@pytest.mark.parametrize("name", PRESETS)
def test_trace_ranks_cells_by_their_last_swap(name):
    run = PRESETS[name].run(HARD, limit=Limit(steps=20_000), rng=0)
    assert run.outcome is Outcome.STEP_LIMIT
    assert run.steps == 20_000
    assert run.solution is None
    assert (np.diff(run.trace["step"]) >= 0).all()
    assert sorted(run.trace["cell"]) == np.flatnonzero(HARD.givens == 0).tolist()


def test_temperature_falls_at_each_move_or_each_accepted_one():
    ended = {}
    for on_accepted in (False, True):
        rng = np.random.default_rng(0)
        state = module._filled_boxes(HARD, True, rng)
        schedule = (0.99, 0.5, on_accepted)
        ended[on_accepted] = module._swap_often(state, rng, 1.0, schedule, 50, np.zeros(0))[1]
    assert ended[False] == pytest.approx(0.99**50)
    accepted = np.log(ended[True]) / np.log(0.99)
    assert accepted == pytest.approx(round(accepted))
    assert 0 < accepted < 50
    # 69 moves take the temperature from 1 to 0.5, where the kernel stops for the reheating.
    before = int(state.counts[1])
    module._swap_often(state, rng, 1.0, (0.99, 0.5, False), 1_000, np.zeros(0))
    assert state.counts[1] == before + 69


def test_cooling_to_nothing_reheats():
    search = Annealing(cooling=0.4, start_temperature=10.0, sweep=1, patience=None)
    assert search.run(HARD, limit=Limit(steps=50_000), rng=0).steps == 50_000


def test_lewis_reheats_only_when_frozen():
    """If reheating waited for no new best since the last one, this puzzle would stay unsolved."""
    patient = Annealing.lewis().profile(EASY, runs=6, rng=0).solved_share
    restless = Annealing(patience=1, cooling=0.9999).profile(EASY, runs=6, rng=0).steps
    assert patient == 1.0
    assert restless > 100_000
