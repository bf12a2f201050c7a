"""Domain filters: AC-3, Hall intervals, Hall sets."""

import itertools

import numpy as np
import pytest
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_bipartite_matching

from nando.puzzles import Sudoku
from nando.puzzles._sudoku_layout import SudokuLayout
from nando.solvers import _domain_filters as kernels
from nando.solvers import solve
from nando.solvers.alldifferent import filter_domains

FILTERS = ("ac3", "alldifferent", "gac")

# Mantere and Koljonen's puzzles.
PUZZLES = """
s01a .4....179..2..8.54..6..5..8.8..7.91..5..9..3..19.6..4.3..4..7..57.1..2..928....6.
s01b 8.2.5.7.1..7.8246..1.9.....6....18325.......91843....6.....4.2..9561.3..3.8.9.6.7
s01c ........772.3.9..1..87.5.6.5.289.....4.5.1.9.....637.5.3.9.61..2..1.7.539........
s02a 2.6....49.37..9...1..7....6...58.9..7.5...8.4..9.62...9....4..1...3..49.41....2.8
s02b .25..7..4..1..5.2.7...2.5..5.9..48.............75..6.9..3.7...6.4.1..7..8..2..91.
s02c ..1725....8..1...625....13..7....5.....1.6.....9....8..45....297...9..6....6483..
s03a .5.2.....3....5.8.96..782......3..2.7.8...1.3.4..8......164..32.7.5....1.....9.5.
s03b 8..2...46..79.....1.....5.....5...324.8...7.132...7.....6.....9.....32..28...6..3
s03c ..1725....8..1....25....13..7....5.....186.....9....8..45....29....9..6....6483..
s04a .5..9......48....9...1.728.56....137.........173....42.215.8...6....38......1..6.
s04b ...4..7.2.64....5.1....7..921...8..3....5....8..1...759..7....8.8....92.5.7..2...
s04c ....543.6.....327....72...19...7..53.........82..1...93...61....469.....7.154....
s05a 1.5...37.......2...973...1.....531.23..8.1..42.147.....7...864...8.......12...8.7
s05b ..13..7.2..62...1..2......42..6.13.9.........4.38.9..71......8..5...64..9.4..85..
s05c ..1725....8..1....25....13..7....5.....1.6.....9....8..45....29....9..6....6483..
s06a ..8.6.9.....2.36787.6.51..4973.481..62..39.5...17.....58.9..3.6..........4...5721
s06b 3.2.65.47.5..34182.9.17..6.2.6.9.3.81.....27..895.34..47.3....5...648.91...2.....
s06c .71.39...46..75.1.83..6.7.2.42....586.....97..1.5....4.....846979.342...5....13..
s07a ..2..4.....86......9.....3.8...62...14..3.5.9.7........35..86.7.......42...9.1..3
s07b ....4...9...7.......1...6...1369.4..........8...528....6718..........9.2954.3..1.
s07c ..7..14...6.......2.5........176..58....3.....9.2.4....3..5...9..4...6...5..8.721
s08a 67...8.1..2..6........3....2.1.....648...17..........9..45...........3....34..8.2
s08b .........1...4..7.7..5...2..176..5...6....3.....8.26.....9...45..92.8.....8.3....
s08c 9.3....24..7.94.....1..6.3..64..8..........4....9...5......37..5.....1...8..6....
s09a .9.384.....2.7...........715....324..3.........1..5.9....8.....7.652.........64..
s09b .4.......8.6.....75.....1....519..6...4.5.......3...91.....2436.9............8.2.
s09c .27...8....1...7.....4.....3......8..5......9.7..28....9..67...58.....3.....4..56
s10a ..2...5...1.7.5.2.4...9...7.49...73.8.1.3.4.9.36...21.2...8...4.8.9.2.6...7...8..
s10b .5..1..4.1.7...6.2...9.5...2.8.3.5.1.4..7..2.9.1.8.4.6...4.1...3.4...7.9.2..6..1.
s10c ...6.2...4...5...1.85.1.62..382.671...........194.735..26.4.53.9...2...7...8.9...
s11a ..........79.5.18.8.......7..73.68..45.7.8.96..35.27..7.......5.16.3.42..........
s11b .......85...21...996..8.1..5..8...16.........89...6..7..9.7..523...54...48.......
s11c 7....4..1.2..6..8...15..2..8...9.7...5.3.7.2...6.5...8..8..91...9..1..6.5..8....3
s12a .....3.17.15..9..8.6.......1....7.....9...2.....5....4.......2.5..6..34.34.2.....
s12b 38..........4..785..9.2.3...6..9....8..3.2..9....4..7...1.7.5..495..6..........92
s12c ...7..8....6....31.4...2....24.7.....1..3..8.....6.29....8...7.86....5....2..6...
s13a 7.31.84599...6.8............1.29.367.75..3..8...7.1.....2.7..15.8635..2.....1....
s13b ....59.2..9.74....4.6..19.8.17.2.5..8....57.2.....3.4158.6.....934...28..61..2...
s13c 9.75.182..35.2..1..18..6..3......2.9.9.652..11.2.495..3864.....75.21.6..4......8.
s14a ....6...5624....1...1...3....8..4.37..91..5....75...9..8247.....9.31........29.53
s14b 8.6....52.9.74.....72658.34...2...639.316...7............5..6..41....3255.7.....8
s14c 1..843.....8.27.316..........43..1..5379...8..1...43.549..3..7.3..1........4.5.1.
s15a 79......34......6.8.1..4..2..5......3..1......4...62.92...3.5.6.3.6.5421......3..
s15b ...8154..1.5....3......4..1.19....8..6.4.....2.879......1....438.....297..6..2...
s15c 79......3.......6.8.1..4..2..5......3..1......4...62.92...3...6.3.6.5421.........
s16 1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3..
"""
PUZZLES = {name: Sudoku(text) for name, text in map(str.split, PUZZLES.split("\n")[1:-1])}

# Percent of the candidates that each filter removes, where not all of them remove all.
REDUCTIONS = """
s02a 74.26 76.47 100
s03a 90.09 100 100
s03b 69.77 78.86 100
s03c 78.24 79.17 100
s04a 69.81 75.24 100
s04b 70.83 100 100
s04c 71.23 71.23 80.90
s05a 67.40 74.51 100
s05b 69.34 70.75 100
s05c 75.00 76.36 100
s07a 85.49 100 100
s08a 62.92 70.55 100
s08b 68.32 77.80 100
s08c 73.52 88.14 100
s09a 64.01 65.73 100
s09b 62.29 69.07 79.66
s09c 62.71 66.74 100
s11a 77.12 100 100
s11b 73.41 75.00 100
s11c 71.70 75.71 100
s12a 60.59 62.08 100
s12b 69.32 79.32 84.09
s12c 62.93 64.66 100
s14a 80.05 81.97 100
s14b 79.08 82.65 100
s14c 74.75 100 100
s15a 68.98 81.94 86.34
s15b 67.82 72.69 86.81
s15c 65.57 80.92 84.21
s16 64.44 65.73 65.73
"""
REDUCTIONS = {
    name: tuple(map(float, percents))
    for name, *percents in map(str.split, REDUCTIONS.split("\n")[1:-1])
}


def blanked(order, keep, seed):
    """Some puzzle of any order that has a solution, with that solution."""
    rng = np.random.default_rng(seed)
    size = order**2
    row, column = np.divmod(np.arange(size**2), size)
    full = (row * order + row // order + column) % size + 1
    full = Sudoku.from_values(full).shuffled(rng).givens
    return Sudoku.from_values(np.where(rng.random(size**2) < keep, full, 0)), full


def sets_of(candidates):
    return [{value + 1 for value in range(25) if int(mask) >> value & 1} for mask in candidates]


def given_sets(puzzle):
    every = range(1, puzzle.size + 1)
    return [{given} if given else set(every) for given in puzzle.givens.tolist()]


def ac3(domains, layout):
    """Mackworth's AC-3: revise arcs until none is left."""
    arcs = [(a, b) for a in range(layout.n_cells) for b in layout.peers[a].tolist()]
    waiting = set(arcs)
    while waiting:
        a, b = waiting.pop()
        kept = {x for x in domains[a] if any(x != y for y in domains[b])}
        if kept != domains[a]:
            domains[a] = kept
            waiting |= {(c, a) for c in layout.peers[a].tolist()}
    return all(domains)


def hall(domains, layout, value_sets):
    """Take every Hall set among `value_sets` from the other cells of its house, until none is."""
    changed = True
    while changed:
        changed = False
        for house in layout.houses.tolist():
            for values in value_sets:
                inside = [cell for cell in house if domains[cell] <= values]
                if len(inside) > len(values):
                    return False
                if len(inside) == len(values):
                    for cell in set(house) - set(inside):
                        changed |= bool(domains[cell] & values)
                        domains[cell] -= values
    return all(domains)


def intervals(size):
    return [
        set(range(low, high + 1)) for low in range(1, size + 1) for high in range(low, size + 1)
    ]


def subsets(size):
    every = range(1, size + 1)
    return [set(s) for k in every for s in itertools.combinations(every, k)]


def oracle(domains, layout, domain_filter):
    if domain_filter == "ac3":
        return ac3(domains, layout)
    value_sets = intervals if domain_filter == "alldifferent" else subsets
    return hall(domains, layout, value_sets(layout.size))


@pytest.mark.parametrize("name", PUZZLES)
def test_reductions_of_the_benchmark(name):
    filtered = [filter_domains(PUZZLES[name], domain_filter) for domain_filter in FILTERS]
    reductions = tuple(round(result.reduction, 2) for result in filtered)
    assert reductions == REDUCTIONS.get(name, (100, 100, 100))
    solution = solve(PUZZLES[name])
    for result in filtered:
        assert result.consistent
        assert (result.candidates >> (solution - 1) & 1).all()
        if result.reduction == 100:
            assert result.solution.tolist() == solution.tolist()
        else:
            assert result.solution is None


@pytest.mark.parametrize("domain_filter", FILTERS)
def test_first_box_of_ai_escargot(domain_filter):
    puzzle = PUZZLES["s16"]
    box = puzzle.layout.houses[18]
    blank = puzzle.givens[box] == 0
    assert np.where(blank, 9, 1).sum() == 57
    sizes = filter_domains(puzzle, domain_filter).sizes[box]
    assert (sizes.sum(), sizes[blank].sum()) == (23, 20)


@pytest.mark.parametrize("domain_filter", FILTERS)
@pytest.mark.parametrize("name", ["s02a", "s09b", "s12b", "s16"])
def test_fixed_point_is_that_of_the_definition(name, domain_filter):
    puzzle = PUZZLES[name]
    domains = given_sets(puzzle)
    assert oracle(domains, puzzle.layout, domain_filter)
    assert sets_of(filter_domains(puzzle, domain_filter).candidates) == domains


@pytest.mark.parametrize("domain_filter", FILTERS)
def test_proofs_of_no_solution_are_those_of_the_definition(domain_filter):
    """A solved grid with some values put wrong: consistent for a filter or not."""
    seen = set()
    for seed in range(12):
        puzzle, _ = blanked(3, 0.35, seed)
        rng = np.random.default_rng(seed)
        values = puzzle.givens.copy()
        wrong = rng.choice(np.flatnonzero(values == 0), 1 + seed % 2)
        values[wrong] = rng.integers(1, 10, len(wrong))
        puzzle = Sudoku.from_values(values)
        domains = given_sets(puzzle)
        consistent = oracle(domains, puzzle.layout, domain_filter)
        result = filter_domains(puzzle, domain_filter)
        assert result.consistent == consistent
        seen.add(consistent)
        if consistent:
            assert sets_of(result.candidates) == domains
        else:
            assert not result.candidates.any()
            assert np.isnan(result.reduction)
            assert result.solution is None
    assert seen == {True, False}


@pytest.mark.parametrize(("order", "keep"), [(4, 0.45), (5, 0.5)])
def test_larger_orders(order, keep):
    puzzle, full = blanked(order, keep, 1)
    results = [filter_domains(puzzle, domain_filter) for domain_filter in FILTERS]
    for weaker, stronger in itertools.pairwise(results):
        assert not (stronger.candidates & ~weaker.candidates).any()
        assert weaker.reduction < stronger.reduction
    for result in results:
        assert (result.candidates >> (full - 1) & 1).all()
    domains = given_sets(puzzle)
    assert ac3(domains, puzzle.layout)
    assert sets_of(results[0].candidates) == domains
    if order == 4:
        assert hall(domains, puzzle.layout, intervals(16))
        assert sets_of(results[1].candidates) == domains


def supported(domains, size):
    """Values of each cell of a house that have a place in some filling of it."""
    kept = []
    for fixed, values in enumerate(domains):
        kept.append(set())
        for value in values:
            graph = np.zeros((size, size), int)
            for cell, others in enumerate(domains):
                for other in {value} if cell == fixed else others - {value}:
                    graph[cell, other - 1] = 1
            if (maximum_bipartite_matching(csr_array(graph)) >= 0).all():
                kept[-1].add(value)
    return kept


def permutations_of(domains, taken=()):
    if len(taken) == len(domains):
        yield taken
        return
    for value in domains[len(taken)] - set(taken):
        yield from permutations_of(domains, (*taken, value))


def one_house(order):
    """A layout of a single house, which is as long as those of a Sudoku of this order."""
    size = order**2
    cells = np.arange(size)
    layout = SudokuLayout(
        order,
        size,
        size,
        houses=cells[None, :].astype(np.int16),
        house_of=np.zeros((size, 3), np.int16),
        peers=np.stack([np.delete(cells, cell) for cell in cells]).astype(np.int16),
        peer_bits=((1 << size) - 1 ^ 1 << cells)[:, None],
    )
    for array in layout[3:]:
        array.setflags(write=False)
    return layout


def random_house(size, rng):
    """Candidates that have a filling, most often, and many Hall sets."""
    near = np.arange(size) if rng.random() < 0.5 else rng.permutation(size)
    candidates = np.zeros(size, np.int32)
    for cell in range(size):
        for offset in {0, *rng.integers(0, 4, rng.integers(1, 4)).tolist()}:
            candidates[cell] |= 1 << int(near[min(cell + offset, size - 1)])
    if rng.random() < 0.3:
        candidates[rng.integers(size)] = candidates[rng.integers(size)]
    return candidates


@pytest.mark.parametrize("order", [3, 5])
@pytest.mark.parametrize("domain_filter", FILTERS)
def test_one_house(domain_filter, order):
    rng = np.random.default_rng(order)
    layout = one_house(order)
    seen = set()
    for _ in range(40):
        candidates = random_house(layout.size, rng)
        before = sets_of(candidates)
        if domain_filter == "gac":
            expected = supported(before, layout.size)
            consistent = all(expected)
            if order == 3:
                fillings = list(permutations_of(before))
                assert expected == [{row[cell] for row in fillings} for cell in range(9)]
        else:
            expected = [set(values) for values in before]
            consistent = oracle(expected, layout, domain_filter)
        domains = kernels.domains_of(candidates, layout.size)._replace(changed=np.ones(1, np.uint8))
        found = kernels.propagate(domains, layout, kernels.STRENGTHS[domain_filter])
        assert found == consistent
        if found:
            assert sets_of(candidates) == expected
        assert domains.counts[0] == 0
        assert not domains.changed.any()
        seen.add((consistent, expected == before))
    assert {(True, False), (False, False)} <= seen


def test_only_hall_intervals_depend_on_the_names_of_values():
    puzzle = PUZZLES["s12b"]
    reductions = {domain_filter: set() for domain_filter in FILTERS}
    for seed in range(5):
        alike = puzzle.shuffled(np.random.default_rng(seed))
        for domain_filter in FILTERS:
            reductions[domain_filter].add(filter_domains(alike, domain_filter).reduction)
    assert len(reductions["ac3"]) == len(reductions["gac"]) == 1
    assert len(reductions["alldifferent"]) > 1


def test_nothing_to_filter():
    _, full = blanked(3, 1, 0)
    result = filter_domains(Sudoku.from_values(full))
    assert (result.reduction, result.solution.tolist()) == (100, full.tolist())
    assert filter_domains(Sudoku("." * 625), "gac").reduction == 0


def test_compiled_and_plain_agree(monkeypatch):
    compiled = {}
    for name, domain_filter in itertools.product(("s09b", "s16"), FILTERS):
        compiled[name, domain_filter] = filter_domains(PUZZLES[name], domain_filter)
    for name, value in list(vars(kernels).items()):
        if hasattr(value, "py_func"):
            monkeypatch.setattr(kernels, name, value.py_func)
    for (name, domain_filter), result in compiled.items():
        domains = kernels.given_domains(PUZZLES[name])
        strength = kernels.STRENGTHS[domain_filter]
        assert kernels.propagate(domains, PUZZLES[name].layout, strength)
        assert domains.candidates.tolist() == result.candidates.tolist()


def test_arguments_are_checked():
    with pytest.raises(ValueError, match=r"domain_filter must be 'ac3', .* got 'none'"):
        filter_domains(PUZZLES["s16"], "none")
    with pytest.raises(TypeError, match=r"filter_domains takes a Sudoku, got '1...'"):
        filter_domains("1...")
