"""New variants: one solution, rules that all count, and seeds that reproduce them."""

import time
from collections.abc import Callable
from itertools import count, pairwise

import numpy as np
import pytest
from helpers.plain_kernels import compiled_and_plain
from helpers.sampled import only

import nando
from nando.generators import OutOfReachError, Target, VariantSource, generate
from nando.generators.variants import switches
from nando.generators.variants.board import Canvas, draw_regions, fill, random_board
from nando.generators.variants.candidate import VariantCandidate
from nando.generators.variants.clues import CLUES
from nando.puzzles import Variant
from nando.puzzles.boards.board import Board, Cell
from nando.puzzles.rules.registry import RULES, find_rule
from nando.puzzles.variants.text import digits_of
from nando.solvers import count_solutions, unique_solution
from nando.solvers.exact.variants import new_memory
from nando.solvers.variants.network import network_of
from nando.solvers.variants.propagation import propagate
from nando.solvers.variants.work import enlist_all, new_work

THOROUGH = pytest.mark.thorough


def drawn(source: VariantSource, seed: int = 0) -> Variant:
    """Return the first puzzle that can be drawn from a source."""
    rng = np.random.default_rng(seed)
    draws = (source.draw(rng) for _ in range(50))
    return next(each.puzzle for each in draws if isinstance(each, VariantCandidate))


def target(score: Callable[[Variant], float], low: float, high: float) -> Target:
    """Return the range of a score of single puzzles."""
    return Target.by(lambda puzzles: [score(puzzle) for puzzle in puzzles], low, high)


def without(puzzle: Variant, name: str) -> Variant:
    """Return a puzzle without its rules of this name."""
    rules = [rule for rule in puzzle.rules if rule.name != name]
    board = puzzle.board
    digits = digits_of(board)
    return Variant.of(puzzle.givens, rules, corners=board.corners, boxed=False, digits=digits)


FIXED = [rule.name for rule in RULES if rule.name not in (*CLUES, "boxes")]


@pytest.mark.parametrize(
    "names",
    [
        "diagonals",
        "diagonals:falling,anti-knight",
        "killer,diagonals",
        "jigsaw,region-sum",
        "thermometer",
        "frame-sum",
        "whispers,digits:0-5",
        "killer,jigsaw,digits:0-6",
        *(pytest.param(name, marks=pytest.mark.thorough) for name in (*CLUES, *FIXED)),
        *(
            pytest.param(
                f"{name},digits:0-{6 - find_rule(name).needs_every_digit}",
                marks=pytest.mark.thorough,
            )
            for name in CLUES
            if not find_rule(name).names_places
        ),
    ],
)
def test_every_rule_is_made_obeyed_and_needed(names):
    puzzle = drawn(VariantSource(names.split(","), size=6 if "digits" in names else 9))
    assert count_solutions(puzzle) == 1
    grid = puzzle.board.grid_of(unique_solution(puzzle).tolist())
    assert set(grid.values()) <= {*puzzle.board.values}
    assert all(rule.obeyed(puzzle.board, grid) for rule in puzzle.rules)
    assert not [fault for rule in puzzle.rules for fault in rule.faults(puzzle.board)]
    needed = {rule.name for rule in puzzle.rules} - {"boxes"}
    for name in needed - {"regions"} or needed:  # sums of regions need some
        assert count_solutions(without(puzzle, name)) == 2
    assert Variant(puzzle.text) == puzzle


@pytest.mark.parametrize("names", only(["samurai"], ["samurai", "shogun", "samurai,thermometer"]))
def test_several_grids(names):
    puzzle = drawn(VariantSource(names.split(",")))
    assert count_solutions(puzzle) == 1
    assert all(f"+{name}" in puzzle.text for name in names.split(","))


@pytest.mark.parametrize("size", [4, 5, 6, 7, 8, 10, pytest.param(12, marks=pytest.mark.thorough)])
def test_jigsaws_of_any_size(size):
    puzzle = drawn(VariantSource(["jigsaw"], size=size, symmetry="rotational"))
    assert count_solutions(puzzle) == 1
    (regions,) = (rule for rule in puzzle.rules if rule.name == "regions")
    turned = {
        tuple(sorted(Cell(size - 1 - row, size - 1 - column) for row, column in region))
        for region in regions.regions
    }
    assert turned == set(regions.regions)
    spans = [[len(set(side)) for side in zip(*each, strict=True)] for each in regions.regions]
    assert any(rows * columns > size for rows, columns in spans)  # not the boxes again
    for region in regions.regions:
        reached = [region[0]]
        for cell in reached:
            reached += [
                other
                for other in region
                if other not in reached
                and abs(other.row - cell.row) + abs(other.column - cell.column) == 1
            ]
        assert len(reached) == size


def test_lines_do_not_tangle():
    puzzle = drawn(VariantSource(["thermometer", "renban", "whispers:4"], clues=3))
    lines = [rule.cells for rule in puzzle.rules if rule.name != "boxes"]
    used = [cell for line in lines for cell in line]
    assert len(used) == len(set(used))
    steps = [
        (a, b)
        for line in lines
        for a, b in pairwise(line)
        if a.row != b.row and a.column != b.column
    ]
    middles = [(a.row + b.row, a.column + b.column) for a, b in steps]
    assert len(middles) == len(set(middles))
    for line in lines:
        apart = [(line[i], line[j]) for j in range(len(line)) for i in range(j - 1)]
        assert all(abs(a.row - b.row) + abs(a.column - b.column) > 1 for a, b in apart)
    assert {rule.difference for rule in puzzle.rules if rule.name == "whispers"} == {4}


def test_a_request_for_givens_and_clues_is_met():
    assert drawn(VariantSource(["diagonals"], givens=30)).n_givens == 30
    puzzle = drawn(VariantSource(["arrow"], clues=(8, 9), cells=(3, 4), givens=(3, 30)))
    arrows = [rule for rule in puzzle.rules if rule.name == "arrow"]
    assert 8 <= len(arrows) <= 9
    assert {len(arrow.cells_named()) for arrow in arrows} <= {3, 4}
    assert 3 <= puzzle.n_givens <= 30
    assert drawn(VariantSource(["killer"], givens=(2, 4))).n_givens in (2, 3, 4)


@pytest.mark.parametrize(
    "rules",
    [
        "thermometer",
        *(
            pytest.param(more, marks=THOROUGH)
            for more in ("arrow", "whispers", "nabner", "region-sum", "renban,anti-knight")
        ),
    ],
)
def test_in_a_newspaper_the_clues_carry_the_puzzle(rules):
    """A few givens are off the lines, and none has a digit that the lines determine."""
    source = VariantSource(rules.split(","))
    puzzle = drawn(source)
    candidate = next(filter(None, map(source.draw, map(np.random.default_rng, range(9)))))
    _, *_, easiest = candidate.easier_ones(np.random.default_rng(0))
    for each in (puzzle, easiest.puzzle):
        lines = {c for rule in each.rules if rule.name != "boxes" for c in rule.cells_named()}
        given = {cell for cell, d in zip(each.board.cells, each.givens, strict=True) if d}
        assert len(given) <= 8
        assert not lines & given
    network = network_of(Variant.of("9x9", puzzle.rules, boxed=False))[0]
    masks, work = network.start.copy(), new_work(network)
    enlist_all(masks, network, work)
    assert propagate(masks, network, work)
    assert all(masks[puzzle.givens > 0] & masks[puzzle.givens > 0] - 1)


def test_beside_numbers_outside_easier_puzzles_have_more_givens():
    wanted = target(lambda puzzle: -puzzle.n_givens, -14, -12)
    (made,) = generate(VariantSource(["skyscraper"], size=6), 1, target=wanted)
    assert 12 <= made.puzzle.n_givens <= 14


@pytest.mark.parametrize(
    "rules", ["killer", *(pytest.param(more, marks=THOROUGH) for more in ("arrow", "x-sums"))]
)
def test_setters_give_no_digits(rules):
    puzzle = drawn(VariantSource(rules.split(","), size=6, look="setter"))
    assert puzzle.n_givens == 0
    assert count_solutions(puzzle) == 1


@pytest.mark.parametrize(
    "symmetry",
    ["diagonal", *(pytest.param(more, marks=THOROUGH) for more in ("rotational", "mirror"))],
)
@pytest.mark.parametrize("name", only(["thermometer"], ["thermometer", "sandwich", "lunchbox"]))
def test_lines_and_numbers_outside_are_symmetric_on_wish(name, symmetry):
    puzzle = drawn(VariantSource([name], size=6, symmetry=symmetry))
    canvas = Canvas(puzzle.board, {}, np.random.default_rng(0), symmetry=symmetry)
    lines = {rule for rule in puzzle.rules if rule.name in ("thermometer", "lunchbox")}
    turned = {rule.moved(canvas.image, canvas.image_of_line) for rule in lines}
    assert turned == lines
    given = {cell for cell, d in zip(puzzle.board.cells, puzzle.givens, strict=True) if d}
    assert set(map(canvas.image, given)) == given
    numbers = {rule.line for rule in puzzle.rules if rule.name == "sandwich"}
    turned = {canvas.image_of_line(line) for line in numbers}
    assert turned == numbers or symmetry != "diagonal"


def test_puzzles_become_easier_and_harder():
    def cages_and_givens(puzzle: Variant) -> float:
        return -float(len(puzzle.rules) + puzzle.n_givens)

    source = VariantSource(["killer"], size=6)
    wanted = target(cages_and_givens, -18, -16)
    puzzles = [made.puzzle for made in generate(source, 3, target=wanted, seed=1)]
    assert all(-18 <= cages_and_givens(puzzle) <= -16 for puzzle in puzzles)
    candidate = next(filter(None, map(source.draw, map(np.random.default_rng, range(9)))))
    for harder in (False, True):
        for moved in candidate.moves(np.random.default_rng(0), harder=harder):
            assert count_solutions(moved.puzzle) == 1
            change = cages_and_givens(moved.puzzle) - cages_and_givens(candidate.puzzle)
            assert change == 0 or (change > 0) == harder


def test_clues_and_givens_are_exchanged():
    source = VariantSource(["thermometer"], size=6)
    exchanged = 0
    for seed in range(3):
        candidate = source.draw(np.random.default_rng(seed))
        solution = unique_solution(candidate.puzzle)
        for moved in candidate.moves(np.random.default_rng(0), harder=True):
            sizes = [len(each.units) + int(each.given.sum()) for each in (candidate, moved)]
            exchanged += sizes[0] == sizes[1]
            assert moved.puzzle != candidate.puzzle
            assert np.array_equal(unique_solution(moved.puzzle), solution)
            assert moved.n_givens <= candidate.givens[1]
    assert exchanged


def test_an_unreached_target_is_reported_with_the_range_drawn():
    wanted = target(lambda puzzle: puzzle.n_givens, 5, 6)
    with pytest.raises(OutOfReachError, match=r"which have \d+ to \d+; the nearest has"):
        list(generate(VariantSource(["windoku"]), 1, target=wanted, most_scored=12))


def test_rules_that_cannot_do_without_givens_are_given_up_soon():
    """The farther they are from what is asked, the sooner, unless a larger budget is given."""
    source = VariantSource(["odd"], size=8, givens=2)
    with pytest.raises(OutOfReachError, match=r"none of [3-7] grids .* \d+ givens; ask for o"):
        list(generate(source, 1))
    with pytest.raises(OutOfReachError, match="none of 8 grids"):
        list(generate(source, 1, most_scored=8))


def test_time_ends_a_search_and_changes_no_puzzle_that_is_found(monkeypatch):
    source, n_rules = VariantSource(["killer"], size=6), lambda puzzle: float(len(puzzle.rules))
    wanted, beyond = target(n_rules, 15, 16), target(n_rules, 1, 2)
    made = [next(generate(source, 1, target=wanted, most_seconds=s)).puzzle for s in (None, 600)]
    assert made[0] == made[1]
    for goal, seconds, message in (
        (None, 1, "none of 0 grids in 1 seconds gave a"),
        (beyond, 6, r"not reached with 1 grid and \d scored puzzles in 6 seconds, which have"),
    ):
        later = count(time.monotonic() + 1).__next__  # a second for each reading of the clock
        with monkeypatch.context() as patch:
            patch.setattr("time.monotonic", later)
            with pytest.raises(OutOfReachError, match=message):
                list(generate(source, 1, target=goal, most_seconds=seconds))


def test_a_weak_rule_is_needed_beside_a_strong_one():
    source = VariantSource(["x-sums", "odd"])
    draws = [source.draw(np.random.default_rng(i)) for i in range(3)]
    assert all(isinstance(each, VariantCandidate) for each in draws)


def test_cages_of_a_single_cell_make_killers_easier_where_they_are_allowed():
    def n_cages(puzzle: Variant) -> float:
        return -float(len(puzzle.rules))

    source = VariantSource(["killer"], size=6, givens=0)
    with pytest.raises(OutOfReachError, match="easier puzzles allow givens or more cages of a"):
        list(generate(source, 1, target=target(n_cages, -30, -22), most_scored=30))
    with_singles = VariantSource(["killer"], size=6, givens=0, singles=9)
    (made,) = generate(with_singles, 1, target=target(n_cages, -30, -22))
    sizes = [len(rule.cells) for rule in made.puzzle.rules if rule.name == "killer"]
    assert 0 < sizes.count(1) <= 9
    assert made.puzzle.n_givens == 0


def test_a_killer_is_covered_by_cages_of_two_to_five_cells():
    puzzle = drawn(VariantSource(["killer"], symmetry="rotational"))
    cages = [rule.cells for rule in puzzle.rules if rule.name == "killer"]
    assert sorted(cell for cage in cages for cell in cage) == sorted(puzzle.board.cells)
    assert {len(cage) for cage in cages} <= {2, 3, 4, 5}


@pytest.mark.parametrize(
    ("rule", "cells"),
    [("quadruple", 1), ("clone", 1), ("equal-sums", 1), ("region-sum", 2), ("look-and-say", 10)],
)
def test_short_and_long_clues_that_say_something_are_made(rule, cells):
    candidate = VariantSource([rule], cells=cells).draw(np.random.default_rng(1))
    assert candidate.clues
    assert count_solutions(candidate.puzzle) == 1


def test_single_cells_join_one_by_one():
    source, rng = (
        VariantSource(["killer"], size=6, cells=(1, 3), singles=2),
        np.random.default_rng(0),
    )
    found = [each for each in (source.draw(rng) for _ in range(9)) if each]
    assert found
    for each in found:
        assert count_solutions(each.puzzle) == 1
        assert max(len(clue.cells) for clue in each.clues) <= 3


@pytest.mark.parametrize("symmetry", ["rotational", "mirror"])
def test_cages_stay_symmetric_while_they_are_split_and_joined(symmetry):
    source = VariantSource(["killer"], size=6, symmetry=symmetry, singles=2)
    rng = np.random.default_rng(3)
    draws = filter(None, (source.draw(rng) for _ in range(50)))
    candidate = next(each for each in draws if len(each.easier_ones(rng)) > 1)
    path = candidate.easier_ones(rng)
    near = [moved for harder in (False, True) for moved in candidate.moves(rng, harder=harder)]
    assert near
    for each in (*path, *near):
        cages = {frozenset(clue.cells) for clue in each.clues}
        canvas = candidate.canvas
        assert {frozenset(map(canvas.image, cage)) for cage in cages} == cages
        assert sum(map(len, cages)) == len(frozenset().union(*cages)) == 36


def test_a_layout_is_kept_and_its_empty_cages_get_numbers():
    layout = Variant("6x6+killer:r1c1r1c2r2c1+killer:r3c3r3c4:7+thermometer:r6c1r5c1r4c1")
    puzzle = nando.generate(layout=layout, seed=2).puzzle
    first, second = (rule for rule in puzzle.rules if rule.name == "killer")
    assert (first.cells, second) == (layout.rules[1].cells, layout.rules[2])
    assert first.total == sum(unique_solution(puzzle)[[0, 1, 6]])
    assert puzzle.rules[-1] == layout.rules[-1]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"layout": "4x4+killer:r1c1r2c1:3+killer:r1c2r2c2:3"}, "no digits obey the layout"),
        ({"layout": "4x4+diagonals", "size": 6}, "leave the size 6 out"),
        ({"rules": "sandwich,digits:0-9"}, "rows with all 10 digits, got 9 cells: name other"),
        ({"rules": "indexing,digits:0-8"}, "digits from 1, which name places: name other"),
        ({"rules": "killer,digits"}, "digits must be 0-8 or 1-9, as many as a row"),
    ],
)
def test_bad_input_is_one_sentence(options, message):
    with pytest.raises(ValueError, match=message):
        nando.generate(**options)


@pytest.mark.thorough
def test_a_random_board_is_the_same_compiled_and_plain():
    network = network_of(Variant("6x6+diagonals"))[0]
    digits = []
    for run in (fill, fill.py_func):
        memory = new_memory(network, range(36), 36)
        assert run(memory, network, new_work(network), np.arange(1, 5), 100) == 1
        digits.append(memory.solutions[0].tolist())
    assert digits[0] == digits[1]
    assert Variant("6x6+diagonals").is_solution(np.array(digits[0]))


def test_borders_of_regions_are_the_same_compiled_and_plain():
    def regions():
        canvas = Canvas(Board(4), {}, np.random.default_rng(0), symmetry="rotational")
        return draw_regions(canvas)

    compiled, plain = compiled_and_plain(regions)
    assert compiled == plain


@pytest.mark.thorough
def test_units_that_are_added_and_dropped_are_the_same_compiled_and_plain():
    puzzle = Variant("4x4")
    rules = Variant("4x4+killer:r1c1r2c1r2c2+killer:r3c3r3c4r4c4+odd:r2c3+xv:v=r1c3r1c4").rules[1:]
    digits = random_board(network_of(puzzle)[0], np.random.default_rng(4))
    assert digits is not None
    grid = dict(zip(puzzle.board.cells, digits.tolist(), strict=True))
    clues = [
        list(rule.constraints(puzzle.board)) for rule in rules if rule.obeyed(puzzle.board, grid)
    ]
    rng = np.random.default_rng(0)
    boards = np.array([random_board(network_of(puzzle)[0], rng) for _ in range(9)])
    chosen, bits = [], list[np.ndarray]()
    for best, drop, own in (
        (switches.best_unit, switches.drop_needless, switches.weigh),
        (switches.best_unit.py_func, switches.drop_needless.py_func, switches.weigh.py_func),
    ):
        groups = [[cell] for cell in range(16)]
        panel = switches.panel_of(puzzle.board, puzzle.constraints, clues, groups, digits)
        bits.append(np.zeros(len(clues) + 16))
        own(*panel, boards, bits[-1])
        order = np.random.default_rng(1).permutation(len(panel.switches.is_on))
        left = order
        while (unit := int(best(*panel, left, 100))) != switches.UNIQUE:
            assert unit >= 0
            switches.switch(panel.switches, panel.network, panel.work, unit, True)
            left = left[left != unit]
        drop(*panel, order, 100)
        chosen.append(panel.switches.is_on.tolist())
    assert chosen[0] == chosen[1]
    # A given of 4x4 says two bits of its cell, and of the seven cells that see it log2(4/3) each.
    obeyed = (boards[:, 0] == digits[0]).sum() + 0.5
    given = 2 + 7 * np.log2(4 / 3) + np.log2(9.5 / obeyed)
    assert bits[0] == pytest.approx(bits[1])
    assert bits[0][len(clues)] == pytest.approx(given)
