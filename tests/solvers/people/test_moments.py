"""The view of a person at each moment of a game, against slow definitions."""

import numpy as np
import pytest
from helpers.oracles.singles import BOX, LAST, NAKED, Grid
from helpers.samples.sudokus import EXAMPLES

from nando.puzzles import Sudoku
from nando.solvers import unique_solution
from nando.solvers.people.fills import choices as base
from nando.solvers.people.fills import features, moments
from nando.solvers.people.fills.choices import row_chances
from nando.solvers.people.fills.features import Feature
from nando.solvers.people.fills.houses import SUDOKU as choices

HARD = Sudoku("8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..")


def games():
    """Yield puzzles, their solutions and a random order of fills."""
    rng = np.random.default_rng(1)
    for puzzle in [*EXAMPLES[:3], HARD]:
        blanks = np.flatnonzero(puzzle.givens == 0)
        yield puzzle, unique_solution(puzzle), rng.permutation(blanks).astype(np.int16)


def followed(puzzle, solution, cells):
    """Yield the moments of a game after looking at each."""
    moment = moments.first_moment(puzzle)
    for cell in cells:
        moments.look(moment, puzzle.layout, solution)
        yield moment
        moments.fill(moment, puzzle.layout, int(cell), int(solution[cell]))


def reduced_by_definition(grid, marks):
    """Remove locked candidates and pairs once; return True if any were removed."""
    gone = set()
    for one in grid.houses:
        for other in grid.houses:
            common = set(one) & set(other)
            if one == other or len(common) < 2:
                continue
            for value in range(1, grid.size + 1):
                places = {cell for cell in one if value in marks[cell]}
                if places and places <= common:
                    gone |= {(c, value) for c in set(other) - common if value in marks[c]}
    locked = {(c, v) for c, v in gone}
    for house in grid.houses:
        for i, first in enumerate(house):
            for second in house[i + 1 :]:
                if marks[first] == marks[second] and len(marks[first]) == 2:
                    rest = set(house) - {first, second}
                    gone |= {(c, v) for c in rest for v in marks[c] & marks[first]}
        for one in range(1, grid.size + 1):
            for two in range(one + 1, grid.size + 1):
                places = [{c for c in house if value in marks[c]} for value in (one, two)]
                if places[0] == places[1] and len(places[0]) == 2:
                    gone |= {(c, v) for c in places[0] for v in marks[c] - {one, two}}
    return locked, gone


def singles_of(grid, marks):
    found = {cell for cell, values in enumerate(marks) if len(values) == 1}
    for house in grid.houses:
        for value in range(1, grid.size + 1):
            places = [cell for cell in house if value in marks[cell]]
            if len(places) == 1:
                found.add(places[0])
    return found


def support_by_definition(values):
    grid = Grid(values)
    marks = [grid.candidates(cell) for cell in range(len(values))]
    level = dict.fromkeys(singles_of(grid, marks), moments.SINGLE)
    locked, _ = reduced_by_definition(grid, marks)
    for cell, value in locked:
        marks[cell] = marks[cell] - {value}
    for cell in singles_of(grid, marks):
        level.setdefault(cell, moments.LOCKED)
    while True:
        _, gone = reduced_by_definition(grid, marks)
        if not gone:
            break
        for cell, value in gone:
            marks[cell] = marks[cell] - {value}
    for cell in singles_of(grid, marks):
        level.setdefault(cell, moments.SUBSET)
    return [
        None if value else level.get(cell, moments.UNSUPPORTED) for cell, value in enumerate(values)
    ]


@pytest.mark.thorough
def test_candidates_and_singles_are_those_of_the_definition():
    seen = 0
    for puzzle, solution, cells in games():
        for moment in list(followed_copies(puzzle, solution, cells))[::9]:
            grid = Grid(moment.values.tolist())
            ways = grid.ways()
            for cell in range(81):
                mask = sum(1 << value - 1 for value in grid.candidates(cell))
                assert moment.candidates[cell] == mask
                kinds = {kind for kind, _ in ways.get(cell, []) if kind != LAST}
                assert bool(moment.ways[cell] & moments.NAKED) == (NAKED in kinds)
                assert bool(moment.ways[cell] & moments.IN_BOX) == (BOX in kinds)
                seen += bool(kinds)
    assert seen > 100


def copied(moment):
    """Return an independent copy of a moment."""
    return moments.Moment(*(array.copy() for array in moment[:-1]), moment.given)


def followed_copies(puzzle, solution, cells):
    for moment in followed(puzzle, solution, cells):
        yield copied(moment)


@pytest.mark.thorough
def test_support_is_that_of_the_definition():
    levels = set()
    for puzzle, solution, cells in games():
        for moment in list(followed_copies(puzzle, solution, cells))[:30:7]:
            wanted = support_by_definition(moment.values.tolist())
            found = [
                None if value else int(level)
                for value, level in zip(moment.values, moment.support, strict=True)
            ]
            assert found == wanted
            levels |= set(found)
    assert levels == {None, moments.SINGLE, moments.LOCKED, moments.SUBSET, moments.UNSUPPORTED}


def test_memory_of_the_game():
    puzzle, solution, cells = next(games())
    first_seen = {}
    for k, moment in enumerate(followed(puzzle, solution, cells)):
        for cell in np.flatnonzero(moment.ways):
            first_seen.setdefault(int(cell), k)
            assert moment.seen_since[cell] == first_seen[int(cell)]
        for digit in range(9):
            assert moment.digit_placed[digit] == (moment.values == digit + 1).sum()
            singles = [c for c in np.flatnonzero(moment.ways) if solution[c] == digit + 1]
            assert moment.digit_singles[digit] == len(singles)
        assert moment.history[moments.N_FILLED] == k
        assert moment.history[moments.LAST] == (cells[k - 1] if k else -1)
    assert len(first_seen) > 20


def test_refutations_are_contradictions():
    """Every wrong candidate of a refuted cell makes the grid unsolvable."""
    puzzle, solution = HARD, unique_solution(HARD)
    moment = next(followed(puzzle, solution, np.array([1], np.int16)))
    assert moment.history[moments.N_SINGLES] == 0
    moment = next(followed(puzzle, solution, np.flatnonzero(puzzle.givens == 0)[:1]))
    assert (moment.refutation[moment.values > 0] == 0).all()
    tried = moment.refutation > 0
    assert (moment.refutation <= base.MOST_STEPS).all()
    for cell in np.flatnonzero(tried):
        assert bin(moment.candidates[cell]).count("1") <= base.MOST_CANDIDATES


def rows_of(puzzle, solution, cells):
    """Yield the features of each fill by name."""
    replay = choices.replay(puzzle, solution, cells)
    for row in replay.table[replay.chosen]:
        yield dict(zip(choices.FEATURES, row.tolist(), strict=True))


def test_features_of_the_filled_cell():
    puzzle, solution, cells = next(games())
    previous = None
    for cell, row in zip(cells.tolist(), rows_of(puzzle, solution, cells), strict=True):
        if previous is not None:
            last = previous
            assert row["same_digit"] == (solution[cell] == solution[last])
            assert row["same_row"] == (cell // 9 == last // 9)
            assert row["same_column"] == (cell % 9 == last % 9)
            assert row["ahead_in_scan"] == (cell > last)
            ahead = (solution[cell] - solution[last]) % 9
            assert row["digits_ahead"] == pytest.approx(ahead / 9)
            distance = np.hypot(cell // 9 - last // 9, cell % 9 - last % 9) / 9
            assert row["distance"] == pytest.approx(distance, rel=1e-6)
            assert row["rows_ahead"] == pytest.approx((cell // 9 - last // 9) % 9 / 9)
            assert row["columns_ahead"] == pytest.approx((cell - last) % 9 / 9)
        previous = cell


@pytest.mark.thorough
def test_rounds_count_the_singles_that_they_come_to_first():
    puzzle, solution, cells = next(games())
    table = np.empty((81, len(choices.FEATURES)), np.float32)
    open_cells = np.empty(81, np.int64)
    rounds = {
        Feature.SKIPPED_BY_ROWS: lambda cell: (cell // 9, cell % 9),
        Feature.SKIPPED_BY_COLUMNS: lambda cell: (cell % 9, cell // 9),
        Feature.SKIPPED_BY_BOXES: lambda cell: (cell // 27 * 3 + cell % 9 // 3, cell),
        Feature.SKIPPED_BY_DIGITS: lambda cell: (solution[cell], cell),
    }
    last = -1
    for k, moment in enumerate(followed(puzzle, solution, cells)):
        n = features.describe_all(moment, puzzle.layout, solution, table, open_cells)
        singles = {int(open_cells[i]): i for i in range(n) if moment.ways[open_cells[i]]}
        for column, place in rounds.items():
            ahead = sorted((c for c in singles if last < 0 or place(c) > place(last)), key=place)
            behind = sorted(set(singles) - set(ahead), key=place)
            for skipped, cell in enumerate(ahead + behind):
                assert table[singles[cell], column] == min(skipped, 6)
        last = int(cells[k])


@pytest.mark.thorough
def test_larger_grids():
    puzzle = Sudoku("." * 256)
    layout = puzzle.layout
    solution = np.array(
        [(r % 4 * 4 + r // 4 + c) % 16 + 1 for r in range(16) for c in range(16)], np.int8
    )
    cells = np.arange(250, dtype=np.int16)
    replay = choices.replay(puzzle, solution, cells)
    chances = row_chances(replay, np.zeros((1, len(choices.FEATURES))))
    np.testing.assert_allclose(chances[replay.chosen, 0], 1 / (256 - np.arange(250)), rtol=1e-5)
    assert layout.size == 16
