"""The 45 rule against its definition, cage by cage."""

from itertools import combinations

import numpy as np

from nando.puzzles import Variant
from nando.puzzles.rules.sums import Cage
from nando.solvers import count_solutions, solve
from nando.solvers.exact.variants import VariantSearch
from nando.solvers.variants.innies import derived_sums
from nando.solvers.variants.network import network_of, with_sums


def caged(text, rng, share=1.0):
    """Divide a solved board into cages of two to five cells; return the puzzle and the solution."""
    blank = Variant(text)
    solution = np.concatenate([[0], 1 + rng.permutation(blank.size)])[solve(blank)]
    board, rules = blank.board, []
    free = set(board.cells)
    while free:
        cage = [min(free)]
        free -= set(cage)
        while len(cage) < rng.integers(2, 6):
            around = [
                other
                for cell in cage
                for other in board.around(cell, ((0, 1), (1, 0), (0, -1), (-1, 0)))
                if other in free
            ]
            if not around:
                break
            cage.append(around[rng.integers(len(around))])
            free.discard(cage[-1])
        digits = [int(solution[cell.row * board.n_columns + cell.column]) for cell in cage]
        if rng.random() < share:
            repeats = len(set(digits)) < len(digits)
            rules.append(Cage(tuple(cage), sum(digits), repeats))
    return Variant.of(text.split("+")[0], [*blank.rules, *rules]), solution


def touching(puzzle, houses, a, b):
    cells = puzzle.board.cells
    return any(
        abs(cells[i].row - cells[j].row) + abs(cells[i].column - cells[j].column) == 1
        for i in houses[a]
        for j in houses[b]
    )


def by_definition(puzzle, most_cells):
    """Return the cells with their weights, up to the sign, of every union of up to 4 houses."""
    network, origins = network_of(puzzle)
    houses = network.houses.tolist()
    cages = [
        set(network.sum_cells[network.sum_start[i] : network.sum_start[i + 1]].tolist())
        for i in range(len(network.sum_totals))
    ]
    sums = set()
    for size in range(1, 5):
        for chosen in combinations(range(len(houses)), size):
            area = {cell for house in chosen for cell in houses[house]}
            if len(area) < size * puzzle.size or len({origins.houses[own] for own in chosen}) > 1:
                continue
            reached = {chosen[0]}
            for _ in chosen:
                reached |= {b for a in reached for b in chosen if touching(puzzle, houses, a, b)}
            if reached != set(chosen):
                continue
            weights = dict.fromkeys(area, 1)
            for cage in cages:
                if cage <= area or 2 * len(cage & area) > len(cage):
                    for cell in cage:
                        weights[cell] = weights.get(cell, 0) - 1
            left = {cell: weight for cell, weight in weights.items() if weight}
            if 0 < len(left) <= most_cells and set(left) not in cages:
                sign = max(left.values(), key=lambda weight: weight * left[min(left)])
                sums.add(frozenset((cell, weight * sign) for cell, weight in left.items()))
    return sums


def test_all_unions_of_houses_are_tried():
    rng = np.random.default_rng(3)
    for share in (1.0, 0.7):
        puzzle, _ = caged("6x6", rng, share)
        derived = derived_sums(puzzle)
        found = set()
        for own in derived:
            sign = own.weights[0]
            found.add(frozenset((c, w * sign) for c, w in zip(own.cells, own.weights, strict=True)))
        assert len(found) == len(derived) > 3
        assert found == by_definition(puzzle, 4)


def test_sums_hold_and_say_where_they_come_from():
    rng = np.random.default_rng(4)
    for text in ("9x9", "9x9+diagonals", "6x6", "8x8", "9x9+windoku"):
        puzzle, solution = caged(text, rng)
        network, _ = network_of(puzzle)
        values = solution[puzzle.places]
        for own in derived_sums(puzzle, 8):
            assert 1 <= len(own.cells) <= 8
            assert np.dot(own.weights, values[list(own.cells)]) == own.total
            left = np.zeros(network.n_cells, np.int64)
            for house in own.houses:
                left[network.houses[house]] += 1
            for cage in (*own.inside, *own.taken):
                cells = network.sum_cells[network.sum_start[cage] : network.sum_start[cage + 1]]
                assert (left[cells] == 1).all() == (cage in own.inside)
                left[cells] -= 1
            assert sorted(np.flatnonzero(left)) == list(own.cells)
            assert abs(left[list(own.cells)] @ own.weights) == len(own.cells)


def test_a_search_with_them_counts_the_same():
    rng = np.random.default_rng(5)
    for share in (0.9, 0.6):
        puzzle, _ = caged("6x6", rng, share)
        plain = VariantSearch(puzzle)
        plain._further = []
        plain.advance(300, 1 << 62)
        assert count_solutions(puzzle, 300) == min(plain.progress[1], 300)


def test_further_sums_come_after_the_own_ones():
    puzzle, _ = caged("6x6", np.random.default_rng(6))
    network = network_of(puzzle)[0]
    derived = derived_sums(puzzle)
    larger = with_sums(network, [own[:3] for own in derived])
    n_own = len(network.sum_totals)
    assert len(larger.sum_totals) == n_own + len(derived)
    assert larger.sum_totals[n_own:].tolist() == [own.total for own in derived]
    assert larger.sum_distinct[:n_own].tolist() == network.sum_distinct.tolist()
    for number, own in enumerate(derived, n_own):
        first, end = larger.sum_start[number : number + 2]
        assert larger.sum_cells[first:end].tolist() == list(own.cells)
        assert all(
            number in larger.cell_sums[larger.cell_sum_start[c] : larger.cell_sum_start[c + 1]]
            for c in own.cells
        )
    assert with_sums(network, []) is network


def test_no_cages_no_sums():
    assert derived_sums(Variant("9x9+diagonals")) == []
