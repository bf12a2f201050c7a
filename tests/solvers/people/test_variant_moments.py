"""Moments of variants against plain Python from the constraints alone, and against Sudoku's."""

from itertools import combinations, product

import numpy as np
import pytest
from helpers.oracles.variants import fits, fitting_lines
from helpers.samples.sudokus import EXAMPLES

from nando.puzzles import Variant, blanks_of
from nando.puzzles.boards.constraints import AllDifferent, Candidates, Relation, Sum
from nando.puzzles.variants.text import LAYOUTS
from nando.solvers import unique_solution
from nando.solvers.exact.variants import VariantSearch
from nando.solvers.people.fills import variant_moments
from nando.solvers.people.fills.houses import SUDOKU as sudoku_choices
from nando.solvers.people.fills.houses import VARIANT as variant_choices
from nando.solvers.people.fills.variant_features import FEATURES
from nando.solvers.people.fills.variant_thought import static_board

PUZZLES = [
    "4x4+killer:r1c1r1c2:3+killer:r1c3r1c4:7+killer:r2c1r3c1:5+killer:r2c2r2c3:4+killer:r2c4r3c4:6"
    "+killer:r3c2r3c3:5+killer:r4c1r4c2:7+killer:r4c3r4c4:3",
    "4x4+no-boxes+killer:r1c1r1c2r2c1:6+greater:r1c1r1c2-r2c3r1c3",
    "4x4+thermometer:r1c1r1c2r1c3+odd:r1c1r2c1+arrow:r1c3:r1c2r2c3",
    "4x4+skyscraper:right3:4+renban:r1c1r1c2r1c3",
    "6x6+entropic:r1c1r2c2r3c3r3c4+diagonals:rising",
]

RELATED = "5x5+no-boxes+kropki:black=r1c1r1c2+greater:r3c3r3c4+greater:r4c3r4c4+greater:r2c5r3c5"


def with_givens(text, n_blank, seed=0):
    """Return the puzzle with givens in all but some cells, and the solution."""
    puzzle = Variant(text)
    search = VariantSearch(puzzle)
    search.advance(1, 10_000)
    solution = search.solutions[0]
    assert solution.any(), "the puzzle has no solution"
    rng = np.random.default_rng(seed)
    givens = solution.copy()
    givens[rng.permutation(puzzle.places)[:n_blank]] = 0
    return Variant.of(givens, puzzle.rules, corners=puzzle.board.corners, boxed=False), solution


def at_a_glance(puzzle, grid):
    """Return the digits of each open cell that no constraint open in this cell alone excludes."""
    left = {}
    for cell in puzzle.board.cells:
        if cell in grid:
            continue
        left[cell] = set(range(1, puzzle.size + 1))
        for _, own in puzzle.constraints:
            match own:
                case AllDifferent(cells) if cell in cells:
                    left[cell] -= {grid[other] for other in cells if other in grid}
                case Candidates(at, mask) if at == cell:
                    left[cell] &= {d for d in left[cell] if mask >> d - 1 & 1}
                case Relation(first, second, _) if cell in (first, second):
                    if {first, second} <= {cell, *grid}:
                        left[cell] = {d for d in left[cell] if fits(own, {**grid, cell: d})}
                case Sum(cells) if cell in cells and {*cells} <= {cell, *grid}:
                    left[cell] = {d for d in left[cell] if fits(own, {**grid, cell: d})}
    return left


@pytest.mark.thorough
@pytest.mark.parametrize("text", PUZZLES)
def test_candidates_and_singles_at_a_glance(text):
    puzzle, solution = with_givens(text, 12)
    board, moment = static_board(puzzle), variant_moments.first_moment(puzzle)
    cells = puzzle.board.cells
    digits = solution[puzzle.places]
    grid = {c: int(d) for c, d in zip(cells, puzzle.givens[puzzle.places], strict=True) if d}
    houses = [
        own.cells
        for _, own in puzzle.constraints
        if isinstance(own, AllDifferent) and len(own.cells) == puzzle.size
    ]
    rng = np.random.default_rng(1)
    for number in rng.permutation([i for i, cell in enumerate(cells) if cell not in grid]):
        variant_moments.look(moment, board, digits)
        left = at_a_glance(puzzle, grid)
        for i, cell in enumerate(cells):
            if cell in grid:
                assert moment.ways[i] == 0
                continue
            assert moment.candidates[i] == sum(1 << d - 1 for d in left[cell])
            own = int(digits[i])
            hidden = any(
                cell in house and not any(own in left.get(c, ()) for c in house if c != cell)
                for house in houses
            )
            assert (moment.ways[i] > 0) == (hidden or len(left[cell]) == 1)
            check_thought(puzzle, moment, i, own)
        check_rounds(puzzle, moment, grid, left)
        variant_moments.fill(moment, board, int(number), int(digits[number]))
        grid[cells[number]] = int(digits[number])


def check_thought(puzzle, moment, i, own):
    """Assert that thought keeps the digit of the solution and comes in rounds after a glance."""
    assert moment.marks[i] >> own - 1 & 1
    assert (moment.rounds[i] > 0) == (moment.support[i] in (1, 2))
    if moment.ways[i]:
        assert moment.support[i] == 0


def check_rounds(puzzle, moment, grid, left):
    """Assert that a cell with one digit left by one constraint is a single in the first round."""
    number_of = puzzle.board.number_of
    digits = {**{cell: {digit} for cell, digit in grid.items()}, **left}
    for _, own in puzzle.constraints:
        match own:
            case AllDifferent() | Candidates():
                continue
            case Relation(first, second, _):
                pairs = product(digits[first], digits[second])
                lines = [{first: a, second: b} for a, b in pairs]
                lines = [line for line in lines if fits(own, line)]
            case _:
                lines = fitting_lines(own, digits)
        for cell in lines[0]:
            if cell in left and len({line[cell] for line in lines}) == 1:
                assert moment.ways[number_of[cell]] or moment.rounds[number_of[cell]] == 1


def test_a_sudoku_has_the_columns_of_sudoku():
    """A plain Sudoku as a variant has the columns of Sudoku, except those of thought."""
    thought = ("locked", "subset", "two_candidates", "refut")
    columns = [
        i
        for i, name in enumerate(sudoku_choices.FEATURES)
        if not any(word in name for word in thought)
    ]
    assert len(columns) > 60
    assert FEATURES[: len(sudoku_choices.FEATURES)] == sudoku_choices.FEATURES
    for sudoku in EXAMPLES[:3]:
        solution = unique_solution(sudoku)
        cells = np.random.default_rng(3).permutation(blanks_of(sudoku)).astype(np.int16)
        variant = Variant.of(sudoku.givens)
        one = sudoku_choices.replay(sudoku, solution, cells)
        other = variant_choices.replay(variant, solution, cells)
        assert np.array_equal(one.table[:, columns], other.table[:, columns])
        assert np.array_equal(one.chosen, other.chosen)


def room_of(game, k):
    """Yield what rooms and last fills of a Sudoku offer before a fill, in plain Python."""
    open_cells, last = game[k:], game[k - 1][0]
    rows = {c: [c // 9, 9 + c % 9, 18 + c // 27 * 3 + c % 9 // 3] for c in range(81)}
    empties = [sum(house in rows[cell] for cell, _ in open_cells) for house in range(27)]
    warmth = np.zeros(27)
    for cell, _ in game[:k]:
        warmth *= 0.85
        warmth[rows[cell]] += 0.3
    run = 0
    while run < k - 1 and game[k - 2 - run][1] == game[k - 1][1]:
        run += 1
    for cell, digit in open_cells:
        shared = [empties[house] for house in set(rows[cell]) & set(rows[last])]
        peers = sum(not {*rows[cell]}.isdisjoint(rows[other]) for other, _ in open_cells) - 1
        yield {
            "log_empties": np.log(min(empties[house] for house in rows[cell])),
            "log_open_peers": np.log(1 + peers),
            "row_warmth": warmth[rows[cell][0]],
            "column_warmth": warmth[rows[cell][1]],
            "box_warmth": warmth[rows[cell][2]],
            "digit_run": (digit == game[k - 1][1]) * np.log(1 + run),
            "log_shared_empties": np.log(min(shared, default=1)),
        }


def test_offers_of_houses_and_the_last_fills_agree_with_plain_python():
    sudoku = EXAMPLES[0]
    solution = unique_solution(sudoku)
    cells = blanks_of(sudoku)[np.argsort(solution[blanks_of(sudoku)], kind="stable")]
    replay = variant_choices.replay(Variant.of(sudoku.givens), solution, cells.astype(np.int16))
    game = [(int(cell), int(solution[cell])) for cell in cells]
    columns = {name: replay.table[:, i] for i, name in enumerate(FEATURES)}
    ways = ["box_single", "row_single", "column_single", "naked_single"]
    singles = np.any([columns[name] > 0 for name in ways], axis=0)
    sight = ("last_in_house", "box_single", "naked_single")
    kinds = np.select([columns[name] > 0 for name in sight], (0, 1, 3), np.where(singles, 2, 4))
    warmth = np.zeros(5)
    for k in range(1, len(game)):
        rows = slice(replay.starts[k], replay.starts[k + 1])
        warmth = 0.7 * warmth + 0.3 * (np.arange(5) == kinds[replay.chosen[k - 1]])
        by_kind = np.where(singles, warmth[kinds], 0.0)[rows]
        assert np.allclose(columns["kind_warmth"][rows], by_kind, atol=1e-5)
        rooms = {cell: room for (cell, _), room in zip(game[k:], room_of(game, k), strict=True)}
        places = replay.cells[rows]
        for name in rooms[game[k][0]]:
            naive = [rooms[cell][name] for cell in places]
            assert np.allclose(columns[name][rows], naive, atol=1e-5), name
        apart = np.hypot(*(np.subtract.outer(axis, axis) for axis in np.divmod(places, 9)))
        near = np.exp(-0.5 * apart) @ singles[rows] - singles[rows]
        assert np.allclose(columns["singles_near"][rows], near, atol=1e-5)
        full = columns["log_empties"][rows]
        fewest = singles[rows] & (full <= full[singles[rows]].min(initial=np.inf))
        assert np.array_equal(columns["fewest_empties"][rows] > 0, fewest)


def what_relations_say(puzzle, grid):
    """Return the pairs of digits allowed by each relation between two cells, both ways."""
    digits = range(1, puzzle.size + 1)
    said = {}
    for _, own in puzzle.constraints:
        if isinstance(own, Relation):
            pairs = [
                (a, b)
                for a, b in product(digits, digits)
                if fits(own, {own.first: a, own.second: b})
            ]
            said[own.first, own.second] = pairs
            said[own.second, own.first] = [(b, a) for a, b in pairs]
    return said


def ties_of(puzzle, grid, game):
    """Yield what relations, sums and houses each say of every open cell, in plain Python."""
    size, digits = puzzle.size, range(1, puzzle.size + 1)
    said = what_relations_say(puzzle, grid)
    share = {ends: len(pairs) / size**2 for ends, pairs in said.items()}
    apart = [own.cells for _, own in puzzle.constraints if isinstance(own, AllDifferent)]
    sums = [own for _, own in puzzle.constraints if isinstance(own, Sum) and not own.weights]
    houses = [cells for cells in apart if len(cells) == size]
    left = {
        cell: set(digits)
        - {grid[c] for cells in apart if cell in cells for c in cells if c in grid}
        for cell in puzzle.board.cells
        if cell not in grid
    }
    last, before = (game[-1] if game else None), (game[-2] if len(game) > 1 else None)
    for cell in left:
        by_one = [
            {a for a, b in pairs if b == grid[end[1]]}
            for end, pairs in said.items()
            if end[0] == cell and end[1] in grid
        ]
        ties = sum(
            share[end] < np.exp(-0.5) for end in said if end[0] == cell and end[1] not in grid
        )
        certainties = [0.0]
        for own in sums:
            if cell in own.cells and any({*own.cells} <= {*cells} for cells in apart):
                open_cells = [c for c in own.cells if c not in grid]
                rest = own.total - sum(grid[c] for c in own.cells if c in grid)
                sets = [some for some in combinations(digits, len(open_cells)) if sum(some) == rest]
                certainties.append(1 / (1 + len(sets)))
        yield (
            cell,
            {
                "tightest": np.log(size / min(map(len, by_one), default=size)),
                "log_rule_options": np.log(len(set(digits).intersection(*by_one))),
                "open_ties": ties,
                "sum_certainty": max(certainties),
                "plain_naked": len(left[cell]) == 1,
                "two_left": min(sum(c not in grid for c in h) for h in houses if cell in h) == 2,
                "relation_to_last": -np.log(share.get((cell, last), 1.0)),
                "relation_to_before": -np.log(share.get((cell, before), 1.0)),
                "ties_by_last": ties * ((cell, last) in share),
                "distance_before": 0.0
                if before is None
                else np.hypot(*np.subtract(cell, before)) / size,
                "orthogonal": last is not None and abs(np.subtract(cell, last)).sum() == 1,
                "next_in_row": last is not None
                and np.subtract(cell, last).tolist() in ([0, 1], [0, -1]),
            },
        )


@pytest.mark.parametrize("text", [*PUZZLES[:3], RELATED])
def test_relations_sums_and_houses_agree_with_plain_python(text):
    puzzle, solution = with_givens(text, 13)
    cells = np.random.default_rng(2).permutation(blanks_of(puzzle)).astype(np.int16)
    replay = variant_choices.replay(puzzle, solution, cells)
    columns = {name: replay.table[:, i] for i, name in enumerate(FEATURES)}
    board = puzzle.shape
    of_place = {row * board[1] + column: (row, column) for row, column in puzzle.board.cells}
    grid = {of_place[p]: int(puzzle.givens[p]) for p in puzzle.places if puzzle.givens[p]}
    game = []
    for k, place in enumerate(cells.tolist()):
        rows = slice(replay.starts[k], replay.starts[k + 1])
        naive = dict(ties_of(puzzle, grid, game))
        for i, at in zip(range(rows.start, rows.stop), replay.cells[rows], strict=True):
            for name, value in naive[of_place[int(at)]].items():
                assert columns[name][i] == pytest.approx(float(value), abs=1e-5), name
        game.append(of_place[place])
        grid[of_place[place]] = int(solution[place])


def test_a_single_is_described_among_the_others():
    sudoku = EXAMPLES[0]
    solution = unique_solution(sudoku)
    cells = np.random.default_rng(4).permutation(blanks_of(sudoku)).astype(np.int16)
    replay = variant_choices.replay(Variant.of(sudoku.givens), solution, cells)
    columns = {name: replay.table[:, i] for i, name in enumerate(FEATURES)}
    ways = ["box_single", "row_single", "column_single", "naked_single"]
    singles = np.any([columns[name] > 0 for name in ways], axis=0)
    passed = np.zeros(81)
    for k, last in enumerate(cells.tolist()):
        rows = slice(replay.starts[k], replay.starts[k + 1])
        at, single = replay.cells[rows], singles[rows]
        full, far = columns["log_empties"][rows], columns["distance"][rows]
        others = full[single], far[single]
        fuller = np.array([np.count_nonzero(others[0] < own) for own in full]) * single
        nearer = np.array([np.count_nonzero(others[1] < own) for own in far]) * single
        assert np.allclose(columns["log_fuller"][rows], np.log(1 + fuller))
        best = single & (fuller == 0) & (nearer == 0)
        assert np.array_equal(columns["nearest_and_fullest"][rows] > 0, best)
        assert np.allclose(columns["passed"][rows], passed[at] * single, atol=1e-5)
        # In a Sudoku the rules are those of houses, so that each single is a plain one.
        assert np.array_equal(columns["plain_box"][rows], columns["box_single"][rows])
        assert np.array_equal(columns["plain_naked"][rows], columns["naked_single"][rows])
        assert not columns["ruled_hidden"][rows].any()
        few = columns["last_in_house"][rows] == 0
        boxed = far * few * (columns["box_single"][rows] > 0)
        assert np.allclose(columns["distance_of_box_single"][rows], boxed)
        naked = (
            single
            & (columns["naked_single"][rows] > 0)
            & ~np.any([columns[name][rows] > 0 for name in ways[:3]], axis=0)
        )
        assert np.allclose(columns["distance_of_naked"][rows], far * few * naked)
        marked = (columns["locked_single"][rows] + columns["subset_single"][rows]) > 0
        impasse = marked & (not single.any()) & (far <= far[marked].min(initial=np.inf))
        assert np.array_equal(columns["nearest_marked"][rows] > 0, impasse)
        apart = np.hypot(at // 9 - last // 9, at % 9 - last % 9)
        passed *= 0.8
        passed[at] += np.exp(-0.5 * apart) * single


def test_a_hidden_single_that_takes_a_rule():
    """The signs leave the 4 one place in the first row, where houses leave it three."""
    puzzle = Variant("....3421........+no-boxes+greater:r2c1r1c1-r2c3r1c3")
    search = VariantSearch(puzzle)
    search.advance(1, 10_000)
    replay = variant_choices.replay(puzzle, search.solutions[0], blanks_of(puzzle).astype(np.int16))
    columns = {name: replay.table[:12, i] for i, name in enumerate(FEATURES)}
    assert np.array_equal(replay.cells[:12][columns["ruled_hidden"] > 0], [3])
    assert columns["row_single"][columns["ruled_hidden"] > 0].all()


def test_cells_of_several_grids_are_places_of_the_board():
    blank = Variant.of("9x9", corners=LAYOUTS["butterfly"][1])
    puzzle, solution = with_givens(blank.text, 10)
    blanks = blanks_of(puzzle)
    assert len(blanks) == 10
    assert set(blanks.tolist()) <= set(puzzle.places)
    cells = np.random.default_rng(0).permutation(blanks).astype(np.int16)
    replay = variant_choices.replay(puzzle, solution, cells)
    assert np.array_equal(replay.cells[replay.chosen], cells)
    assert replay.starts[-1] == len(replay.table) == 55
    drawn = variant_choices.sample(
        puzzle, solution, np.zeros(len(FEATURES)), 3, np.random.default_rng(1)
    )
    assert all(set(run.tolist()) == set(blanks.tolist()) for run in drawn)


def test_drawn_games_do_not_depend_on_earlier_runs():
    """Each run begins at the same first moment."""
    puzzle, solution = with_givens(PUZZLES[0], 16)
    coefficients = np.random.default_rng(0).normal(0, 1, len(FEATURES))
    rng = np.random.default_rng(5)
    together = variant_choices.sample(puzzle, solution, coefficients, 6, rng)
    rng = np.random.default_rng(5)
    singly = [variant_choices.sample(puzzle, solution, coefficients, 1, rng)[0] for _ in range(6)]
    assert np.array_equal(together, singly)
