"""The frontier search for Nurikabe against all colourings of small boards, bound by bound."""

from itertools import pairwise, product

import numpy as np
import pytest
from helpers.oracles.nurikabe_islands import drawn_puzzle, solutions
from helpers.plain_kernels import compiled_and_plain

from nando.puzzles.nurikabe import WHITE, Nurikabe
from nando.solvers.exact.bands import DEPTH, FOUND, GUESSES
from nando.solvers.exact.nurikabe import frontier, frontier_states, search
from nando.solvers.exact.nurikabe.frontier import frontier_search
from nando.solvers.exact.nurikabe.frontier_states import (
    can_meet,
    new_frontier,
    new_workspace,
    pack,
    unpack,
)
from nando.solvers.exact.nurikabe.learning import learning_search
from nando.solvers.exact.nurikabe.probing import ProbingSearch
from nando.solvers.exact.nurikabe.search import NurikabeSearch
from nando.solvers.exact.search import count_solutions, unique_solution

pytestmark = pytest.mark.thorough

NO_BOUND = 1 << 62
LOOSE = Nurikabe("...../.?.1./...../1..?./.....")
"""134 solutions."""
PUZZLE = Nurikabe("......../.....3.1/.4....../......1./.2.1.?../......1./...1.1..")
"""One solution."""
RING = Nurikabe("....../.(21)..../..4.../....../....../......")
"""One solution: an island all around the border, and one in the middle."""
SHAPES = [(1, 1), (1, 7), (2, 2), (2, 6), (6, 2), (3, 3), (3, 4), (4, 3), (5, 2), (4, 4)]


def new_search(puzzle):
    progress, found = np.zeros(3, np.int64), np.zeros((2, puzzle.n_cells), np.int8)
    anything = np.ones((puzzle.n_cells, np.count_nonzero(puzzle.numbers) + 1), bool)
    return frontier_search(puzzle, anything, progress, found)


def searched(puzzle):
    search = new_search(puzzle)
    search.advance(NO_BOUND)
    return search


def check(search, puzzle, n_wanted):
    assert search.progress[FOUND] == min(n_wanted, 2), puzzle
    assert search.progress[DEPTH] == (0 if n_wanted > 1 else -1)
    for values in search.solutions[: search.progress[FOUND]]:
        assert puzzle.is_solution(values), puzzle
    if n_wanted > 1:
        assert not np.array_equal(*search.solutions), puzzle


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_counts_are_those_of_all_colourings(shape):
    rng = np.random.default_rng(shape)
    for _ in range(300):
        puzzle = drawn_puzzle(shape, rng)
        check(searched(puzzle), puzzle, len(solutions(puzzle)))


@pytest.mark.parametrize(
    "text",
    ["11/..", "3../.../..3", "../..", "9../.../...", "(99)./..", "?", "...", "5..../1...."],
)
def test_odd_boards(text):
    puzzle = Nurikabe(text)
    check(searched(puzzle), puzzle, len(solutions(puzzle)))


def test_counts_are_those_of_the_other_searches():
    """Counts agree on boards too large for enumeration, also turned and mirrored."""
    rng = np.random.default_rng(1)
    for puzzle in (PUZZLE, LOOSE):
        for _ in range(8):
            turned = puzzle.shuffled(rng)
            check(searched(turned), turned, count_solutions(turned, limit=2))


@pytest.mark.parametrize("shape", [(5, 5), (4, 7), (6, 5)], ids=str)
def test_large_islands(shape):
    """Two or three numbers can leave as many river cells as the islands have."""
    rng = np.random.default_rng(shape)
    seen = set()
    for _ in range(400):
        n_islands, n_cells = int(rng.integers(2, 4)), shape[0] * shape[1]
        shares = rng.dirichlet(np.ones(n_islands)) * rng.uniform(0.4, 0.75) * n_cells
        numbers = np.zeros(n_cells, int)
        numbers[rng.choice(n_cells, n_islands, replace=False)] = np.maximum(1, shares)
        puzzle = Nurikabe.from_numbers(numbers.reshape(shape))
        other = ProbingSearch(puzzle)
        other.advance(2, NO_BOUND)
        check(searched(puzzle), puzzle, int(other.progress[FOUND]))
        seen.add(int(other.progress[FOUND]))
    assert seen == {0, 1, 2}


def test_it_continues_from_what_was_learnt():
    rng = np.random.default_rng(2)
    n_excluded = 0
    for _ in range(60):
        puzzle = drawn_puzzle((4, 4), rng)
        progress, found = np.zeros(3, np.int64), np.zeros((2, 16), np.int8)
        learning = learning_search(puzzle, progress, found)
        learning.advance(2, 2)
        if progress[DEPTH] < 0 or progress[FOUND] >= 2:
            continue
        may_be = learning.possible_regions()
        n_excluded += (~may_be).sum()
        frontier_search(puzzle, may_be, progress, found).advance(NO_BOUND)
        assert progress[FOUND] == min(2, len(solutions(puzzle))), puzzle
    assert n_excluded > 100


def test_an_island_around_the_border():
    search = searched(RING)
    check(search, RING, 1)
    assert search.solutions[0].reshape(6, 6)[0].tolist() == [WHITE] * 6


@pytest.mark.parametrize("most", [1, 5])
def test_a_search_continues_where_it_stopped(most):
    whole, found = searched(PUZZLE), new_search(PUZZLE)
    n_stops = 0
    while found.progress[DEPTH] >= 0:
        found.advance(int(found.progress[GUESSES]) + most)
        n_stops += 1
    assert n_stops > 2
    assert np.array_equal(found.progress, whole.progress)
    assert np.array_equal(found.solutions, whole.solutions)


# Bounds and states


def noncrossing(n, kinds):
    """Yield all ways to join places 0 to n - 1 of the same kind on one side of a line."""
    if n == 0:
        yield ()
        return
    for rest in noncrossing(n - 1, kinds):
        for block in [*range(max(rest, default=-1) + 1), max(rest, default=-1) + 1]:
            found = (*rest, block)
            members = [i for i in range(n - 1) if rest[i] == block]
            if (
                members
                and (
                    kinds[members[0]] != kinds[n - 1]
                    # Places between two joined ones cannot be joined to places outside.
                    or len(set(rest[members[-1] + 1 :]) & set(rest[: members[-1]])) > 0
                )
            ):
                continue
            yield found


def joined(above, below, kinds):
    """Return True if the joins of both sides together connect all places of each kind."""
    root = list(range(len(kinds)))
    for side in (above, below):
        for i, j in product(range(len(kinds)), repeat=2):
            if side[i] == side[j]:
                root = [root[i] if r == root[j] else r for r in root]
    return all(
        len({r for r, k in zip(root, kinds, strict=True) if k == kind}) == 1 for kind in set(kinds)
    )


def test_regions_that_cannot_meet_are_those_without_a_way_to_join_them():
    """All lines of six cells with two regions are checked with all joins above and below."""
    seen = set()
    for kinds in product((0, 1), repeat=6):
        ways = list(noncrossing(6, kinds))
        for above in ways:
            # Neighbours of one region are joined.
            if any(kinds[i] == kinds[j] and above[i] != above[j] for i, j in pairwise(range(6))):
                continue
            state = new_frontier()
            state.group[:6] = np.array(above) + 1
            state.region[:6] = kinds
            can = can_meet(state, max(kinds), 6, new_workspace())
            assert can == any(joined(above, below, kinds) for below in ways), (kinds, above)
            seen.add(can)
    assert seen == {True, False}


def test_a_packed_state_is_unpacked_again():
    rng = np.random.default_rng(3)
    for _ in range(200):
        state, again = new_frontier(), new_frontier()
        n_columns = int(rng.integers(1, 16))
        state.group[:n_columns] = np.arange(1, n_columns + 1)
        # Between two islands, one cell of river.
        state.region[1:n_columns:2] = rng.permutation(np.arange(1, 9))[: n_columns // 2]
        state.island[1:9] = rng.permutation(127)[:8]
        state.n_cells[1:9] = rng.integers(1, 128, 8)
        state.flags[:] = rng.integers(0, 2, 2)
        words = np.zeros(4, np.int64)
        pack(state, n_columns, new_workspace(), words)
        n_islands = unpack(words, n_columns, again)
        assert n_islands == n_columns // 2
        assert np.array_equal(again.group, state.group)
        assert np.array_equal(again.flags, state.flags)
        for part in ("island", "n_cells"):
            mine = getattr(state, part)[state.region[1:n_columns:2]]
            assert np.array_equal(mine, getattr(again, part)[again.region[1:n_columns:2]])


@pytest.mark.parametrize(
    "text", ["...../.2.1./...../1..2./.....", "2.../..../...3/1...", "?.../..2."]
)
def test_kernels_are_their_plain_python(text):
    compiled, plain = compiled_and_plain(
        lambda: searched(Nurikabe(text)), frontier, frontier_states
    )
    assert np.array_equal(compiled.progress, plain.progress)
    assert np.array_equal(compiled.solutions, plain.solutions)
    for mine, other in zip(compiled._links, plain._links, strict=True):
        assert np.array_equal(mine, other)


# From one search to the other


@pytest.mark.parametrize("conflicts", [0, 3])
def test_counts_do_not_depend_on_when_the_frontier_begins(conflicts, monkeypatch):
    monkeypatch.setattr(search, "_PROBES", 0)
    monkeypatch.setattr(search, "_CONFLICTS", conflicts)
    rng = np.random.default_rng(5)
    n_passed = 0
    for _ in range(100):
        puzzle = drawn_puzzle((4, 4), rng)
        found, wanted = NurikabeSearch(puzzle), len(solutions(puzzle))
        found.advance(2, NO_BOUND)
        assert found.progress[FOUND] == min(2, wanted), puzzle
        n_passed += found._frontier is not None
        # Further solutions are left to the learning search, which starts without these two.
        found.advance(NO_BOUND, NO_BOUND)
        assert found.progress[FOUND] == wanted, puzzle
        assert found.progress[DEPTH] == -1
    assert n_passed > 10


@pytest.mark.parametrize("bound", ["_MOST_STATES", "_MOST_LINKS"])
def test_too_many_states_are_left_to_learning(bound, monkeypatch):
    monkeypatch.setattr(search, "_PROBES", 0)
    monkeypatch.setattr(search, "_CONFLICTS", 0)
    monkeypatch.setattr(frontier, bound, 3)
    found = NurikabeSearch(PUZZLE)
    found.advance(2, NO_BOUND)
    assert found._frontier.gave_up
    assert found.progress.tolist()[:2] == [-1, 1]


@pytest.mark.parametrize("text", ["/".join(["." * 16] * 16), "(128)" + "." * 20 + "/" + "." * 21])
def test_boards_that_it_does_not_hold(text):
    assert new_search(Nurikabe(text)) is None


def test_the_hardest_published_puzzle_has_one_solution():
    """No other search decides two islands of 37 and 36 on 100 cells within a minute."""
    puzzle = Nurikabe("/".join(["." * 10, ".(37)" + "." * 8, "..(36)" + "." * 7, *["." * 10] * 7]))
    values = unique_solution(puzzle).reshape(10, 10)
    border = np.ones((10, 10), bool)
    border[1:-1, 1:-1] = False
    border[1, 1] = True
    inner = np.zeros((10, 10), bool)
    inner[2:-2, 2:-2] = True
    assert np.array_equal(values == WHITE, border | inner)
