"""New variants: one solution, rules that all count, and seeds that reproduce them."""

import numpy as np
import pytest

import nando
from nando.generators import Known, VariantSource, generate
from nando.generators.variants.filling import fill, random_board
from nando.generators.variants.switches import add_needed, drop_needless, panel_of
from nando.puzzles import Variant
from nando.puzzles.boards.board import Cell
from nando.solvers import count_solutions, unique_solution
from nando.solvers.exact.variants import first_weights
from nando.solvers.variants.network import network_of
from nando.solvers.variants.work import new_work


def drawn(source: VariantSource, seed: int = 0) -> Variant:
    """Return the first puzzle of a source that is drawn."""
    rng = np.random.default_rng(seed)
    return next(filter(None, (source.draw(rng) for _ in range(50)))).puzzle


def without(puzzle: Variant, name: str) -> Variant:
    """Return a puzzle without its rules of one name."""
    rules = [rule for rule in puzzle.rules if rule.name != name]
    return Variant.of(puzzle.givens, rules, corners=puzzle.board.corners, boxed=False)


@pytest.mark.parametrize(
    ("rules", "names"),
    [
        (["diagonals"], ["diagonals"]),
        (["diagonals:falling", "anti-knight"], ["diagonals", "anti-knight"]),
        (["windoku"], ["windoku"]),
        (["jigsaw"], ["regions"]),
        (["killer"], ["killer"]),
        (["killer", "diagonals"], ["killer", "diagonals"]),
    ],
)
def test_puzzles_have_one_solution_and_need_every_rule(rules, names):
    puzzle = drawn(VariantSource(rules, size=9))
    assert count_solutions(puzzle) == 1
    values = unique_solution(puzzle)
    grid = {Cell(*divmod(i, 9)): digit for i, digit in enumerate(values.tolist())}
    assert all(rule.obeyed(puzzle.board, grid) for rule in puzzle.rules)
    for name in names:
        assert count_solutions(without(puzzle, name)) == 2


def test_seeds_reproduce_puzzles_on_any_number_of_threads():
    source = VariantSource(["killer"], size=6)
    texts = [
        [made.puzzle.text for made in generate(source, 4, seed=3, n_jobs=jobs)] for jobs in (1, 2)
    ]
    assert texts[0] == texts[1]
    assert len(set(texts[0])) == 4
    later = generate(source, 4, seed=3, first=2, known=Known(map(Variant, texts[0][:2])))
    assert [made.puzzle.text for made in later] == texts[0][2:]


def test_a_killer_is_covered_by_cages_of_two_to_five_cells():
    puzzle = drawn(VariantSource(["killer"], symmetry="rotational"))
    cages = [rule.cells for rule in puzzle.rules if rule.name == "killer"]
    assert sorted(cell for cage in cages for cell in cage) == sorted(puzzle.board.cells)
    assert {len(cage) for cage in cages} <= {2, 3, 4, 5}


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
        ({"rules": ["killr"]}, "did you mean 'killer'"),
        ({"rules": ["killer", "killer"]}, "named twice"),
        ({"rules": ["windoku"], "size": 6}, "needs a grid of 9x9"),
        ({"rules": ["killer:3"]}, "ask for killer"),
        ({"rules": ["killer"], "symmetry": "round"}, "symmetry must be one of"),
        ({"rules": ["killer"], "givens": -1}, "givens must be 0 to 81"),
        ({"layout": "4x4+diagonals", "size": 6}, "leave the size 6 out"),
        ({"size": 9}, "a variant needs a rule"),
        ({"rules": ["non-consecutive"], "size": 4}, "no digits obey non-consecutive"),
    ],
)
def test_bad_input_is_one_sentence(options, message):
    with pytest.raises(ValueError, match=message):
        nando.generate(**options)


def test_a_random_board_is_the_same_compiled_and_plain():
    network = network_of(Variant("6x6+diagonals"))[0]
    digits = []
    for run in (fill, fill.py_func):
        stack, guesses = np.empty((37, 36), np.int64), np.zeros((37, 2), np.int64)
        stream, found = np.arange(1, 5), np.zeros(36, np.int64)
        work, weights = new_work(network), first_weights(network)
        assert run(stack, guesses, network, work, weights, stream, 100, found) == 1
        digits.append(found.tolist())
    assert digits[0] == digits[1]
    assert Variant("6x6+diagonals").is_solution(np.array(digits[0]))


def test_units_that_are_added_and_dropped_are_the_same_compiled_and_plain():
    puzzle = Variant("4x4")
    rules = Variant("4x4+killer:r1c1r2c1r2c2+killer:r3c3r3c4r4c4+odd:r2c3+xv:v=r1c3r1c4").rules[1:]
    digits = random_board(network_of(puzzle)[0], np.random.default_rng(4))
    assert digits is not None
    grid = dict(zip(puzzle.board.cells, digits.tolist(), strict=True))
    clues = [
        list(rule.constraints(puzzle.board)) for rule in rules if rule.obeyed(puzzle.board, grid)
    ]
    chosen = []
    for add, drop in ((add_needed, drop_needless), (add_needed.py_func, drop_needless.py_func)):
        groups = [[cell] for cell in range(16)]
        panel = panel_of(puzzle.board, puzzle.constraints, clues, groups, digits)
        order = np.random.default_rng(1).permutation(len(panel.switches.is_on))
        assert add(*panel, order, 100) == 1
        drop(*panel, order[::-1].copy(), 100)
        chosen.append(panel.switches.is_on.tolist())
    assert chosen[0] == chosen[1]
