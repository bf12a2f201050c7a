"""Every rule: its text and JSON read back, and its constraints mean what the rule says."""

import re
from functools import cache
from itertools import product

import numpy as np
import pytest
from helpers.oracles.variants import MEANINGS, accepts, fits, latin_squares
from helpers.sampled import one_in, only
from helpers.samples.variant_samples import NOT_IN_4X4, SAMPLES, TEXTS

from nando.puzzles import PuzzleError, Variant
from nando.puzzles.boards.board import Board, Cell
from nando.puzzles.boards.constraints import Automaton, of_length
from nando.puzzles.rules.marks import Consecutive, Ratio
from nando.puzzles.rules.outside import FullRank
from nando.puzzles.rules.registry import RULES
from nando.puzzles.rules.sums import RegionSum
from nando.solvers import count_solutions, solve_by

FROM_ZERO = [
    f"{text}+digits:0-3"
    for text in TEXTS
    if "4x4" in text and not re.search("indexing|numbered|left2:5|:2-4", text)
]
"""Samples on digits from 0, without those that they make impossible."""
WITH_ABSENT = [
    f"{text}+digits:{'0-5' if i % 2 else '1-6'}"
    for i, text in enumerate(TEXTS)
    if "4x4" in text and not re.search("indexing|numbered|sandwich|rank|:2-4|whispers", text)
]
"""Samples on digits of which every row lacks two, where that has a meaning."""


def test_every_rule_has_a_sample() -> None:
    assert set(SAMPLES) == {rule.name for rule in RULES}


@pytest.mark.parametrize("text", [*TEXTS, *one_in(4, FROM_ZERO), *one_in(4, WITH_ABSENT)])
def test_text_and_json_read_back(text: str) -> None:
    puzzle = Variant(text)
    assert Variant(puzzle.text) == puzzle
    assert Variant.from_json(puzzle.to_json()) == puzzle
    rng = np.random.default_rng(0)
    for _ in range(2):
        image = puzzle.shuffled(rng)
        assert Variant(image.text) == image
        assert image.equivalence_key() == puzzle.equivalence_key()


@pytest.mark.parametrize("text", [*TEXTS, *one_in(4, FROM_ZERO), *one_in(4, WITH_ABSENT)])
def test_constraints_mean_what_the_rule_says(text: str) -> None:
    puzzle = Variant(text)
    outcomes = set()
    rules = {number for number, _ in puzzle.constraints if number >= 0}
    for grid in _latin_squares(puzzle.board.size, puzzle.size):
        for number in rules:
            constraints = [own for rule, own in puzzle.constraints if rule == number]
            holds = all(fits(constraint, grid) for constraint in constraints)
            rule = puzzle.rules[number]
            values = {cell: digit + puzzle.board.lowest - 1 for cell, digit in grid.items()}
            assert holds == rule.obeyed(puzzle.board, values)
            if rule.name in MEANINGS:
                assert holds == MEANINGS[rule.name](rule, values)
            outcomes.add((number, holds))
            for cells, classes in rule.splits(puzzle.board) if holds else ():
                assert any(own >= {grid[cell] for cell in cells} for own in classes)
    asked = len(puzzle.rules) - 1
    if puzzle.size == 4 and puzzle.board.lowest == 1:
        assert (asked, False) in outcomes
        assert ((asked, True) in outcomes) != (text in NOT_IN_4X4)


@pytest.mark.parametrize(
    "text", [text for name in MEANINGS for text in SAMPLES[name].split() if "4x4" not in text]
)
def test_a_solution_obeys_the_rules_as_people_read_them(text: str) -> None:
    puzzle = Variant(text)
    values = puzzle.solution_values(str(solve_by(puzzle)))
    assert puzzle.is_solution(values)
    grid = {
        cell: int(values[place])
        for cell, place in zip(puzzle.board.cells, puzzle.places, strict=True)
    }
    assert all(fits(constraint, grid) for _, constraint in puzzle.constraints)
    asked = puzzle.rules[-1]
    assert MEANINGS[asked.name](asked, grid)


@pytest.mark.parametrize(
    ("rule", "belong"),
    [
        (Consecutive, lambda a, b: abs(a - b) == 1),
        (Ratio, lambda a, b: a == 2 * b or b == 2 * a),
    ],
)
def test_all_marks_of_a_solution_are_right_and_none_may_be_missing(rule, belong) -> None:
    for grid in _latin_squares(4)[::37]:
        pairs = [
            (a, b) for a, b in Variant("4x4").board.adjacent_pairs() if belong(grid[a], grid[b])
        ]
        values = np.array(list(grid.values()), np.int8)
        whole = Variant.of("4x4", [rule(tuple(pairs), all_given=True)], boxed=False)
        assert whole.is_solution(values)
        less = Variant.of("4x4", [rule(tuple(pairs[1:]), all_given=True)], boxed=False)
        assert not less.is_solution(values)
        assert not all(fits(constraint, grid) for _, constraint in less.constraints)


@pytest.mark.parametrize("text", one_in(12, TEXTS))
def test_symmetries_keep_solutions(text: str) -> None:
    puzzle = Variant(text)
    rng = np.random.default_rng(2)
    image = puzzle.shuffled(rng)
    if puzzle.size == 4:
        assert _n_solutions(puzzle) == _n_solutions(image)


@pytest.mark.parametrize(
    ("text", "lengths"),
    [
        ("6x6", [3, 1, 2]),
        ("6x6+boxes:3:2", [1, 4, 1]),
        ("6x6+regions:111222113222133444333444555666555666", [2, 2, 2]),
        ("9x9+butterfly", [4, 1, 1]),
        ("6x6+grids:r1c1r2c1", [4, 2]),
    ],
)
def test_a_line_of_region_sums_is_cut_at_the_regions_of_its_board(
    text: str, lengths: list[int]
) -> None:
    line = "r1c2r1c3r2c3r3c3r3c4r4c4"
    puzzle = Variant(f"{text}+region-sum:{line}")
    rng = np.random.default_rng(4)
    for image in (puzzle, *(puzzle.shuffled(rng) for _ in range(6))):
        rule = next(rule for rule in image.rules if isinstance(rule, RegionSum))
        parts = rule.parts(image.board)
        assert list(map(len, parts)) in (lengths, lengths[::-1])
        assert sum(parts, ()) == rule.cells


def test_boxes_that_stand_upright_keep_frame_sums_and_groups() -> None:
    """A transposed 6x6 has boxes of 3x2, and the same digits obey the rules on boxes."""
    text = "6x6+frame-sum:left1:6+frame-sum:top1:5+disjoint-groups"
    puzzle = Variant(text)
    transposed = Variant("6x6+boxes:3:2+frame-sum:top1:6+frame-sum:left1:5+disjoint-groups")
    assert transposed.equivalence_key() == puzzle.equivalence_key()
    solution = puzzle.solution_values(str(solve_by(puzzle)))
    assert puzzle.is_solution(solution)
    assert transposed.is_solution(solution.reshape(6, 6).T.ravel())


def test_region_sums_need_regions() -> None:
    with pytest.raises(PuzzleError, match="region-sum r1c1r1c2 needs boxes or regions"):
        Variant("4x4+no-boxes+region-sum:r1c1r1c2")
    line = RegionSum((Cell(0, 0), Cell(0, 1), Cell(0, 2)))
    assert line.parts(Board(4)) == [line.cells]
    assert not list(line.constraints(Board(4)))


def test_the_automaton_of_a_length_accepts_the_same_lines_of_it():
    rng = np.random.default_rng(8)
    sizes = []
    for n_states, length in product((1, 4, 9), (1, 2, 4)):
        moves = rng.integers(-1, n_states, (n_states, 3)).tolist()
        whole = Automaton(tuple(map(tuple, moves)), frozenset({n_states - 1}))
        part = of_length(whole, length)
        sizes.append(len(part.moves))
        for digits in product((1, 2, 3), repeat=length):
            assert accepts(part, digits) == accepts(whole, digits)
        assert not any(accepts(part, digits) for digits in product((1, 2, 3), repeat=length + 1))
    assert max(sizes) > 5


@cache
def _latin_squares(size: int, n: int | None = None) -> list[dict[Cell, int]]:
    """Return all Latin squares of size 4, or some of another size, or parts of larger ones."""
    n = n or size
    if n == 4:
        grids = latin_squares(4)
    else:
        rng = np.random.default_rng(1)
        base = np.add.outer(np.arange(n), np.arange(n)) % n
        grids = [
            (1 + rng.permutation(n))[base[rng.permutation(n)][:, rng.permutation(n)]].tolist()
            for _ in range(200)
        ]
    return [
        {Cell(i, j): int(rows[i][j]) for i in range(size) for j in range(size)} for rows in grids
    ]


@pytest.mark.parametrize("text", [text for text in TEXTS if text.startswith("4x4")])
def test_images_of_a_full_grid_obey_the_rules(text: str) -> None:
    puzzle = Variant(text)
    values = (np.array(list(grid.values()), np.int8) for grid in _latin_squares(4))
    solved = next(filter(puzzle.is_solution, values), None)
    if solved is None:
        pytest.skip("no grid of 4x4 obeys these rules")
    full = Variant("".join(map(str, solved)) + text.removeprefix("4x4"))
    for seed in range(4):
        image = full.shuffled(np.random.default_rng(seed))
        assert image.is_solution(image.givens)


def _n_solutions(puzzle: Variant) -> int:
    values = [np.array(list(grid.values()), np.int8) for grid in _latin_squares(4)]
    return sum(puzzle.is_solution(value) for value in values)


@pytest.mark.parametrize("n", [4, 6, 9])
def test_each_digit_begins_four_of_the_ranked_lines(n: int) -> None:
    board = Board(n)
    for grid in _latin_squares(n)[::29]:
        for line in board.views():
            rank = FullRank(line, 1, ties=True).number_in(board, grid)
            assert rank is not None
            assert grid[board.line(line)[0]] == (rank - 1) // 4 + 1


@pytest.mark.parametrize("ties", only([False], [False, True]))
def test_ranks_leave_the_solutions_that_are_found_by_trying_all_grids(ties: bool) -> None:
    board = Board(4)
    for grid in _latin_squares(4)[::97]:
        ranks = [
            (line, FullRank(line, 1, ties=ties).number_in(board, grid)) for line in board.views()
        ]
        clues = [FullRank(line, rank, ties=ties) for line, rank in ranks if rank is not None]
        for chosen in (clues[::5], clues[2::7], clues):
            puzzle = Variant.of("4x4", chosen, boxed=False)
            assert count_solutions(puzzle, 600) == _n_solutions(puzzle) > 0


def test_indexing_counts_from_its_edge():
    """From the right and from below, the first cell is the fourth, and its 2 leads to a 4."""
    grid = Variant("2341341241231234+no-boxes")
    told = {
        edge: Variant(f"{grid.text}+indexing:r1c1:{edge}").is_solution(grid.givens)
        for edge in ("left", "right", "top", "bottom")
    }
    assert told == {"left": False, "right": True, "top": False, "bottom": True}


def test_box_indexing_counts_from_its_corner():
    """The 2 in the corner of 23 / 14 names the place of its own place in two of these orders."""
    grid = Variant("2314142332414132")
    orders = ("top-left", "top-left:columns", "top-right", "bottom-left", "bottom-right")
    told = [
        Variant(f"{grid.text}+box-indexing:r1c1:{order}").is_solution(grid.givens)
        for order in orders
    ]
    assert told == [False, True, True, False, False]
