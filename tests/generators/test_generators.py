"""New puzzles: grids, carving and the search for a target."""

import itertools
import statistics
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np
import pytest
from helpers.plain_kernels import compiled_and_plain, plain_kernels
from helpers.samples.sudokus import EXAMPLES

from nando.generators import (
    SYMMETRIES,
    FailedDraw,
    Known,
    NurikabeSource,
    OutOfReachError,
    SudokuSource,
    Target,
    VariantSource,
    carving,
    generate,
    grids,
    lewis_instance,
    orbits,
    random_grid,
    root_grid,
    sudoku,
)
from nando.generators.search import search
from nando.generators.target import Effort
from nando.kernels.streams import spawned_streams
from nando.puzzles import Sudoku
from nando.solvers import count_solutions

EMPTY = {order: Sudoku("." * order**4) for order in (3, 4, 5)}


def puzzles_of(source, count, **options):
    return [made.puzzle for made in generate(source, count, **options)]


def per_house(puzzle):
    return (puzzle.givens > 0)[puzzle.layout.houses].sum(axis=1)


# Full grids


@pytest.mark.parametrize("order", [3, 4, 5])
def test_grids_obey_the_rules_and_follow_the_seed(order):
    grids = [random_grid(order, seed) for seed in range(3)]
    assert all(EMPTY[order].is_solution(grid) for grid in grids)
    assert len({grid.tobytes() for grid in grids}) == 3
    assert np.array_equal(random_grid(order, 1), grids[1])
    assert EMPTY[order].is_solution(root_grid(order))


def test_lewis_instances():
    root = root_grid(3)
    assert root[:12].tolist() == [1, 2, 3, 4, 5, 6, 7, 8, 9, 4, 5, 6]
    assert lewis_instance(0.0).n_givens == 0
    full = lewis_instance(1.0, order=4, rng=1)
    assert full.is_solution(full.givens)
    assert full.equivalence_key() == Sudoku.from_values(root_grid(4)).equivalence_key()
    share = np.mean([lewis_instance(0.3, rng=seed).n_givens for seed in range(100)]) / 81
    assert abs(share - 0.3) < 0.03
    own = lewis_instance(1.0, rng=5, grid=random_grid(3, 0))
    assert own.equivalence_key() != Sudoku.from_values(root).equivalence_key()


def test_lewis_instances_refused():
    with pytest.raises(ValueError, match=r"p must be between 0 and 1, got 1\.5"):
        lewis_instance(1.5)
    with pytest.raises(ValueError, match="grid must be a full 9x9 grid"):
        lewis_instance(0.5, grid=np.ones(81, np.int8))


# Symmetry


@pytest.mark.parametrize("symmetry", SYMMETRIES)
@pytest.mark.parametrize("size", [9, 16])
def test_orbits_are_the_cells_in_groups(symmetry, size):
    found = orbits(size, symmetry)
    cells = found[found >= 0]
    assert sorted(cells.tolist()) == list(range(size * size))
    image = {
        "none": lambda r, c: (r, c),
        "rotational": lambda r, c: (size - 1 - r, size - 1 - c),
        "rotational-90": lambda r, c: (c, size - 1 - r),
        "mirror": lambda r, c: (r, size - 1 - c),
        "diagonal": lambda r, c: (c, r),
    }[symmetry]
    group_of = {int(cell): i for i, group in enumerate(found) for cell in group if cell >= 0}
    for r, c in itertools.product(range(size), repeat=2):
        row, column = image(r, c)
        assert group_of[r * size + c] == group_of[row * size + column]


# Carving


def carved_plainly(givens, groups, fewest):
    """Carve one group after another and count up to two solutions each time."""
    givens = givens.copy()
    for group in groups:
        cells = group[group >= 0]
        cells = cells[givens[cells] > 0]
        fewer = givens.copy()
        fewer[cells] = 0
        enough = (fewer > 0).sum() >= fewest
        if cells.size and enough and count_solutions(Sudoku.from_values(fewer)) == 1:
            givens = fewer
    return givens


@pytest.mark.parametrize("symmetry", ["none", "rotational", "rotational-90"])
@pytest.mark.parametrize(("order", "fewest"), [(3, 0), (3, 30), (3, 70), (4, 120)])
def test_carving_agrees_with_removing_groups_one_by_one(symmetry, order, fewest):
    rng = np.random.default_rng(4)
    for _ in range(4 if order == 3 else 1):
        grid = random_grid(order, rng)
        groups = rng.permutation(orbits(order**2, symmetry))
        carved = carving.carve(grid, groups, fewest)
        assert np.array_equal(carved, carved_plainly(grid, groups, fewest))
        # Carving can also start from a puzzle with blanks.
        again = rng.permutation(groups)
        assert np.array_equal(
            carving.carve(carved, again, fewest), carved_plainly(carved, again, fewest)
        )


@pytest.mark.thorough
def test_drawing_and_filling_compiled_and_plain_agree():
    source = SudokuSource(most_per_house=6)

    def path():
        (candidate,) = source.draw_many(spawned_streams(8, range(1)))
        easier = candidate.easier_ones(np.random.default_rng(0))
        return [easier[step].puzzle for step in range(len(easier))]

    compiled, plain = compiled_and_plain(path, carving, grids, sudoku)
    assert compiled == plain
    assert per_house(plain[-1]).max() == 6
    assert plain[-1].n_givens == plain[0].n_givens + len(plain) - 1


@pytest.mark.thorough
def test_groups_that_can_go_alone():
    rng = np.random.default_rng(9)
    for symmetry in ("none", "rotational"):
        grid = random_grid(3, rng)
        groups = rng.permutation(orbits(9, symmetry))
        givens = carving.carve(grid, groups, 32, grid)
        present = groups[givens[groups[:, 0]] > 0]
        found = carving.can_go(givens, present, grid)
        with plain_kernels(carving):
            plain = carving.can_go(givens, present, grid)
        assert found.tolist() == plain.tolist()
        assert found.tolist() == [
            not np.array_equal(carved_plainly(givens, group[None], 0), givens) for group in present
        ]
        assert found.any()
        assert not found.all()


@pytest.mark.thorough
def test_other_solutions_are_found_where_there_are_any():
    """Other solutions are found near to the solution and far from it, as counting confirms."""
    rng = np.random.default_rng(7)
    states = carving.new_alternatives()
    seen = Counter()
    for n_given in (22, 26, 30, 40) * 10:
        grid = random_grid(3, rng)
        givens = np.where(rng.permutation(81) < n_given, grid, 0).astype(np.int8)
        cell = int(rng.choice(np.flatnonzero(givens == 0)))
        carving.know(states, grid)
        found = carving.has_another(states, givens, cell, grid[cell] - 1)
        others = givens.copy()
        wanted = any(
            count_solutions(Sudoku.from_values(with_cell(others, cell, digit)), limit=1)
            for digit in set(range(1, 10)) - {int(grid[cell])}
        )
        assert found == wanted
        assert carving.has_another.py_func(states, givens, cell, grid[cell] - 1) == wanted
        seen[wanted] += 1
    assert min(seen[True], seen[False]) >= 5


def with_cell(givens, cell, digit):
    changed = givens.copy()
    changed[cell] = digit
    return changed


@pytest.mark.thorough
@pytest.mark.parametrize("compiled", [True, False])
def test_exchanges_are_other_grids(compiled):
    find = carving.find_exchanges if compiled else carving.find_exchanges.py_func
    grid = random_grid(3, 8)
    givens = np.where(np.random.default_rng(8).permutation(81) < 30, grid, 0).astype(np.int8)
    sets_of, n_given = np.zeros((81, 4), np.int64), np.zeros(carving.N_SETS + 9, np.int64)
    find(grid, givens, sets_of, n_given)
    for number in range(sets_of.max() + 1):
        cells = np.flatnonzero((sets_of == number).any(axis=1))
        assert n_given[number] == (givens[cells] > 0).sum()
        table = np.zeros((9, 9), bool)
        table.flat[cells] = True
        lines = np.flatnonzero(table.any(axis=1))
        exchanged, turned = grid.reshape(9, 9).copy(), len(lines) > 2
        if turned:
            exchanged, table = exchanged.T, table.T
            lines = np.flatnonzero(table.any(axis=1))
        assert len(lines) == 2
        columns = np.flatnonzero(table.any(axis=0))
        exchanged[np.ix_(lines, columns)] = exchanged[np.ix_(lines[::-1], columns)]
        assert EMPTY[3].is_solution((exchanged.T if turned else exchanged).ravel())


# Sources


def spared(puzzle, symmetry="none"):
    """Return the groups of givens whose removal leaves one solution."""
    found = []
    for group in orbits(puzzle.size, symmetry):
        cells = group[group >= 0]
        if puzzle.givens[cells].all():
            values = puzzle.givens.copy()
            values[cells] = 0
            if count_solutions(Sudoku.from_values(values)) == 1:
                found.append(cells.tolist())
    return found


@pytest.mark.parametrize("symmetry", SYMMETRIES)
def test_puzzles_are_symmetric_unique_and_minimal(symmetry):
    for puzzle in puzzles_of(SudokuSource(symmetry=symmetry, minimal=True), 10):
        assert count_solutions(puzzle) == 1
        given = puzzle.givens > 0
        for group in orbits(9, symmetry):
            cells = group[group >= 0]
            assert given[cells].all() or not given[cells].any()
        assert spared(puzzle, symmetry) == []


@pytest.mark.parametrize(
    ("givens", "symmetry"),
    [(22, "none"), (24, "rotational"), (25, "rotational"), (32, "rotational-90"), (45, "mirror")],
)
def test_wanted_givens(givens, symmetry):
    for puzzle in puzzles_of(SudokuSource(givens=givens, symmetry=symmetry), 5):
        assert puzzle.n_givens == givens
        assert count_solutions(puzzle) == 1


def test_no_house_is_dense():
    for source in (
        SudokuSource(givens=36, most_per_house=5),
        SudokuSource(givens=50),
        SudokuSource(most_per_house=4),
    ):
        bound = source.most_per_house or 7
        assert all(per_house(puzzle).max() <= bound for puzzle in puzzles_of(source, 5))


def test_a_pattern_is_kept():
    drawn = np.random.default_rng(2).permutation(81) < 27
    puzzles = puzzles_of(SudokuSource(pattern=tuple(drawn.tolist())), 4)
    for puzzle in puzzles:
        assert np.array_equal(puzzle.givens > 0, drawn)
        assert count_solutions(puzzle) == 1
    assert len({puzzle.equivalence_key() for puzzle in puzzles}) == 4


@pytest.mark.parametrize(("order", "givens"), [(4, 110), (5, 360)])
def test_large_puzzles(order, givens):
    (puzzle,) = puzzles_of(SudokuSource(order=order, givens=givens, symmetry="rotational"), 1)
    assert (puzzle.order, puzzle.n_givens) == (order, givens)
    assert count_solutions(puzzle) == 1


WHOLE = (True,) * 81


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"most_per_house": 2}, "most_per_house must be 3 to 9, got 2"),
        ({"order": 6}, "order must be 3, 4 or 5, got 6"),
        ({"pattern": WHOLE[:80]}, "a pattern has 81 cells, got 80"),
        ({"pattern": WHOLE, "order": 4}, "a pattern needs order 3, got order 4"),
        ({"pattern": WHOLE, "minimal": True}, "leave out givens, minimal and symmetry"),
        ({"pattern": (True,) * 16 + (False,) * 65}, "the pattern has 16 givens"),
        ({"pattern": (True,) * 9 + (False,) * 18 + (True,) * 54}, "leaves rows 2 and 3 empty"),
        (
            {"pattern": tuple(cell % 9 not in (3, 5) for cell in range(81))},
            "leaves columns 4 and 6 empty",
        ),
    ],
)
def test_sudokus_that_cannot_be(options, message):
    with pytest.raises(ValueError, match=message):
        SudokuSource(**options)


def test_easier_ones_grow_and_moves_are_puzzles_near_by():
    source = SudokuSource(symmetry="rotational")
    rng = np.random.default_rng(0)
    candidate = source.draw(rng)
    path = candidate.easier_ones(rng)
    assert path[0].puzzle == candidate.puzzle
    for fewer, more in itertools.pairwise(path[i] for i in range(12)):
        assert set(np.flatnonzero(fewer.givens)) < set(np.flatnonzero(more.givens))
        assert more.puzzle.n_givens - fewer.puzzle.n_givens in (1, 2)
    middle = path[6]
    for harder, compare in ((True, np.less_equal), (False, np.greater)):
        for near in itertools.islice(middle.moves(rng, harder=harder), 5):
            assert count_solutions(near.puzzle) == 1
            assert compare(near.puzzle.n_givens, middle.puzzle.n_givens)


@pytest.mark.parametrize("source", [SudokuSource(givens=26), SudokuSource(minimal=True)])
def test_moves_keep_the_requested_properties(source):
    rng = np.random.default_rng(0)
    candidate = source.draw(rng)
    assert list(candidate.easier_ones(rng)) == [candidate]
    seen = list(itertools.islice(candidate.moves(rng, harder=True), 6))
    assert seen
    for near in seen:
        assert count_solutions(near.puzzle) == 1
        assert near.puzzle.text != candidate.puzzle.text
        assert near.puzzle.n_givens == 26 or spared(near.puzzle) == []


# The search


def few_givens(puzzles):
    return [-puzzle.n_givens for puzzle in puzzles]


def givens(most, fewest, **options):
    """Return the target of a number of givens: fewer of them score higher."""
    return Target.by(few_givens, -most, -fewest, **options)


@dataclass
class Rough:
    """A judge that guesses before it counts the givens, and remembers what it has counted."""

    guess: Callable[[int], float]
    error: float
    margin: float = 0.0
    cost: Callable = np.ones_like
    counted: list[int] = field(default_factory=list)

    @property
    def screens(self):
        return (self.rough,)

    @property
    def checks(self):
        return (self.exact,)

    def rough(self, puzzles):
        guesses = [self.guess(score) for score in few_givens(puzzles)]
        return np.array(guesses), np.full(len(puzzles), self.error)

    def exact(self, puzzles):
        self.counted += [puzzle.n_givens for puzzle in puzzles]
        return np.array(few_givens(puzzles), float), np.zeros(len(puzzles))

    def estimates(self, puzzle):
        yield self.guess(-puzzle.n_givens), 0.0

    def time(self, scores):
        return self.cost(scores)

    def words(self, score):
        return f"{-score:.0f} givens"


def test_aims_spread_the_puzzles():
    target = givens(50, 25, aims=(-48, -27))
    found = [puzzle.n_givens for puzzle in puzzles_of(SudokuSource(), 20, target=target)]
    assert max(found) - min(found) > 10


def test_screens_spare_exact_scores():
    """Only puzzles that may be in the range get exact scores; threads change nothing."""
    screened = set()

    def guess(score):
        screened.add(score)
        return score + 0.2

    source, judge = SudokuSource(minimal=True), Rough(guess, 0.2)
    target = Target(-26.2, -25.8, judge)
    found = list(generate(source, 6, target=target, seed=1))
    assert all(made.puzzle.n_givens == 26 for made in found)
    assert set(judge.counted) == {26}
    assert len(screened) > 3
    # Batch sizes do not change the puzzles or the effort.
    again = list(generate(source, 6, target=target, seed=1, n_jobs=2))
    assert again == found
    for made in found:
        alone = generate(source, made.index + 1, target=target, seed=1, first=made.index)
        assert next(alone) == made


def test_the_first_of_a_search_that_passes_is_taken():
    """The result is that of an oracle that draws and scores candidate after candidate."""
    source = SudokuSource()
    target = givens(23.2, 22.8)
    for made in generate(source, 8, target=target, seed=5):
        for number in range(made.effort.drawn):
            seeds = np.random.SeedSequence(5, spawn_key=(made.index, number))
            stream = seeds.generate_state(4).astype(np.int64)[None]
            (candidate,) = source.draw_many(stream)
            is_last = number + 1 == made.effort.drawn
            fits = candidate is not None and candidate.puzzle.n_givens == 23
            assert fits == is_last
        assert candidate.puzzle == made.puzzle


def test_easy_targets_are_reached_from_hard_candidates():
    """Minimal puzzles never have so many givens, so hard candidates are made easier."""
    target = givens(36, 34)
    for made in generate(SudokuSource(symmetry="rotational"), 6, target=target, seed=3):
        assert 34 <= made.puzzle.n_givens <= 36
        assert made.effort.drawn < made.effort.scored
        assert made.effort.drawn <= 6


@pytest.mark.parametrize("target", [(32, 30), (23.2, 22.8), (28.5, 27.5)])
def test_batch_sizes_do_not_matter(target, monkeypatch):
    """Batch sizes do not matter where puzzles are made easier, drawn or moved."""
    source = SudokuSource(minimal=target[0] == 28.5)

    def made(together, most):
        monkeypatch.setattr("nando.generators.search._TOGETHER", together)
        monkeypatch.setattr("nando.generators.search._EACH", together)
        monkeypatch.setattr("nando.generators.batch._MOST", most)
        monkeypatch.setattr("nando.generators.batch._FEWEST", most)
        return list(generate(source, 3, target=givens(*target), seed=2))

    assert made(1, 1) == made(128, 3) == made(7, 2)


def test_only_puzzles_likely_to_be_in_the_range_are_checked():
    """A check needs 0.45 of the chance that a puzzle at the aim has, by normal errors."""
    normal = statistics.NormalDist(0.0, 2.0)

    def chance(score):
        return normal.cdf(-23.5 - score) - normal.cdf(-24.5 - score)

    judge = Rough(float, 2.0)
    list(generate(SudokuSource(minimal=True), 20, target=Target(-24.5, -23.5, judge)))
    likely = {n for n in range(17, 35) if chance(-n) >= 0.45 * chance(-24)}
    assert set(judge.counted) <= likely == {22, 23, 24, 25, 26}
    assert {22, 26} <= set(judge.counted)
    unsure = Rough(float, np.inf)
    list(generate(SudokuSource(minimal=True), 20, target=Target(-24.5, -23.5, unsure)))
    assert set(unsure.counted) > likely


def test_checks_that_take_long_need_a_better_chance():
    counted = []
    for cost in (np.ones_like, lambda scores: np.where(scores < -24.0, 100.0, 1.0)):
        judge = Rough(float, 1.0, cost=cost)
        list(generate(SudokuSource(minimal=True), 20, target=Target(-24.5, -23.5, judge)))
        counted.append(set(judge.counted))
    assert counted[0] >= {23, 24, 25}
    assert 23 in counted[1]
    assert 25 not in counted[1]


def test_aims_are_roughly_the_middle_of_the_target():
    spread = Target.by(few_givens, 0.0, 10.0, aims=(1.0, 9.0))
    assert spread.around(5.0) == (1.5, 8.5)
    assert spread.around(1.0) == (0.0, 4.5)
    assert replace(spread, low=-np.inf, aims=(2.0, 4.0)).around(3.0) == pytest.approx((2.3, 3.7))
    assert replace(spread, aims=(5.0, 5.0)).around(5.0) == (0.0, 10.0)
    assert replace(spread, aims=None).around(5.0) == (0.0, 10.0)


def test_targets_that_are_rarely_drawn_are_reached_by_moves():
    """A score of 28 givens is reached, which one minimal puzzle in a thousand has."""
    target = givens(28.5, 27.5)
    found = list(generate(SudokuSource(minimal=True), 3, target=target, seed=2))
    for made in found:
        assert made.puzzle.n_givens == 28
        assert spared(made.puzzle) == []
    # Without moves, as many puzzles are scored as drawn.
    assert any(made.effort.scored > made.effort.drawn for made in found)


def test_unconfirmed_puzzles_are_not_taken():
    judge = Rough(lambda score: score + 8.0, 0.0)
    target = Target(-18.0, -10.0, judge)
    with pytest.raises(OutOfReachError, match=r"\d+ were within, but might not be when rated"):
        puzzles_of(SudokuSource(), 1, target=target, most_scored=40)
    assert judge.counted


def test_an_unreachable_target_names_the_nearest_puzzle_and_the_effort():
    target = Target(-12.0, -10.0, Rough(float, 0.0))
    with pytest.raises(OutOfReachError) as error:
        puzzles_of(SudokuSource(), 2, target=target, most_scored=60)
    effort = error.value.effort
    assert error.value.index == 0
    assert effort.scored >= 60
    assert effort.nearest.n_givens == -effort.nearest_score
    assert "puzzle 1: 12 givens to 10 givens was not reached with" in str(error.value)
    assert f"the nearest has {effort.nearest.n_givens} givens: {effort.nearest}" in str(error.value)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (
            SudokuSource(givens=17),
            r"none of 600 grids gave a suitable puzzle, the nearest has (18|19|20) givens; ask for "
            "another number of givens, or raise most_per_house",
        ),
        (
            SudokuSource(pattern=(True,) * 17 + (False, True, False) * 21 + (False,)),
            r"none of 60 grids .*, the nearest has [\d,]+ solutions; draw a pattern with more",
        ),
        (
            NurikabeSource((4, 4), 2.0, unknown=4),
            r"none of 3,000 grids .*, the nearest has \d islands of unknown size; ask for fewer",
        ),
    ],
    ids=["givens", "pattern", "nurikabe"],
)
@pytest.mark.thorough
def test_every_search_without_a_puzzle_ends(source, message):
    """Without a budget a search ends, says how near it came, and what to change."""
    with pytest.raises(OutOfReachError, match=message):
        list(generate(source, 1))


def test_a_source_without_luck_ends_with_the_nearest_failed_draw():
    class Unlucky:
        hint = "ask for more"

        def __init__(self, least):
            self.least = least

        def draw(self, rng):
            n = int(rng.integers(3, 9))
            return FailedDraw(n, f"{n} givens") if n > self.least else None

    with pytest.raises(OutOfReachError, match=r"50 grids .*, the nearest has 5 givens; ask for m"):
        list(generate(Unlucky(4), 1, most_scored=50))
    with pytest.raises(OutOfReachError, match="puzzle 1: none of 7 grids gave a suitable puzzle; "):
        list(generate(Unlucky(9), 1, most_scored=7))


@pytest.mark.parametrize(("low", "high", "aim"), [(1, 3, 2), (1, np.inf, 1), (-np.inf, 3, 3)])
def test_aim_of_a_range(low, high, aim):
    assert Target.by(few_givens, low, high).aim(np.random.default_rng(0)) == aim


def test_an_empty_range_is_refused():
    with pytest.raises(ValueError, match=r"the target's range is empty: 2\.0 to 1\.0"):
        Target.by(few_givens, 2.0, 1.0)


def test_the_search_continues_after_a_find():
    target = givens(36, 30)
    effort = Effort(500)
    found = list(
        itertools.islice(search(SudokuSource(), target, np.random.default_rng(0), effort), 4)
    )
    assert len(set(found)) == 4


# Batches


@pytest.mark.parametrize(
    ("source", "target", "count"),
    [
        (SudokuSource(), None, 6),
        (SudokuSource(), givens(32, 30), 6),
        (NurikabeSource((6, 6)), None, 6),
        (VariantSource(["killer"], size=6), None, 4),
    ],
    ids=["drawn", "wanted", "nurikabe", "variant"],
)
def test_batches_depend_on_the_seed_alone(source, target, count):
    alone = puzzles_of(source, count, target=target, seed=3)
    assert len(set(alone)) == count
    assert puzzles_of(source, count, target=target, seed=3, n_jobs=2) == alone
    assert puzzles_of(source, 2, target=target, seed=3) == alone[:2]
    known = Known(alone[:2])
    assert puzzles_of(source, count, target=target, seed=3, first=2, known=known) == alone[2:]
    assert puzzles_of(source, count, target=target, seed=4) != alone


class Few:
    """A source of few puzzles, each in many equivalent forms."""

    puzzles = EXAMPLES[:8]

    def draw(self, rng):
        puzzle = self.puzzles[int(rng.integers(len(self.puzzles)))].shuffled(rng)
        return type("CandidatePuzzle", (), {"puzzle": puzzle})()


@pytest.mark.parametrize("n_jobs", [None, 2])
def test_no_two_puzzles_are_equivalent(n_jobs):
    found = puzzles_of(Few(), 8, n_jobs=n_jobs)
    assert len({puzzle.equivalence_key() for puzzle in found}) == 8
    assert found == puzzles_of(Few(), 8)
    assert found[3:] == puzzles_of(Few(), 8, first=3, known=Known(found[:3]), n_jobs=n_jobs)


def test_known_puzzles_do_not_come_up():
    bank = Known(puzzle.shuffled(np.random.default_rng(1)) for puzzle in Few.puzzles[:5])
    found = {puzzle.equivalence_key() for puzzle in puzzles_of(Few(), 3, known=bank)}
    assert found == {puzzle.equivalence_key() for puzzle in Few.puzzles[5:]}
    with pytest.raises(OutOfReachError, match="puzzle 1: none of 50 grids"):
        puzzles_of(Few(), 1, known=bank, most_scored=50)


def test_equal_hashes_do_not_make_puzzles_equal(monkeypatch):
    monkeypatch.setattr(Sudoku, "equivalence_hash", lambda puzzle: 0)
    one, other = Few.puzzles[:2]
    known = Known([one])
    assert one.shuffled(np.random.default_rng(0)) in known
    assert other not in known


def test_many_puzzles_differ_in_their_givens():
    counts = Counter(puzzle.n_givens for puzzle in puzzles_of(SudokuSource(), 200))
    assert set(counts) <= set(range(20, 30))
    assert 23.8 < sum(n * k for n, k in counts.items()) / 200 < 25.0
