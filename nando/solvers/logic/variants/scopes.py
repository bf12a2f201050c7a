"""Where a person looks at several rules at once: a line, rules that meet, one or two houses.

A scope is some cells with the houses, sums and patterns that lie within them, its units. What it
leaves of the candidates follows from these, and from the pairs of its cells that see each other or
that a relation joins. While a filling that a search has found is possible, so are its candidates.

The kernels take the areas, the number of the scope, its cells, and the degree of the step.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import count
from typing import NamedTuple

from nando.kernels.compile import inlined_kernel, lean_kernel
from nando.puzzles import Variant
from nando.solvers.logic.variants.layout import Layout, Sources, layout_of
from nando.solvers.logic.variants.rule_state import UNIONS
from nando.solvers.variants.groups import with_groups
from nando.solvers.variants.innies import derived_sums
from nando.solvers.variants.network import Network, network_of, sums_of, with_sums
from nando.solvers.variants.tables import Ints, lists, rows_of
from nando.solvers.variants.work import enlist_constraints, narrow

MOST_CELLS = 40
"""Most cells of a scope."""

MOST_LEFT = 6
"""Most cells of a sum that follows from houses."""

Area = frozenset[int]
MOST_WAYS = 40
"""Most fillings of a scope that are kept."""


class Scopes(NamedTuple):
    """The scopes of a variant, those of few cells first; all arrays are read-only.

    Attributes
    ----------
    start, cells : ndarray of int64
        For each scope, its cells.
    unit_start, units : ndarray of int64
        For each scope, the units whose cells all lie in it. Units are numbered: first the houses,
        then the sums, the patterns, and the lines, which are cells alone.
    own_start, own_cells : ndarray of int64
        For each unit, its cells.
    """

    start: Ints
    cells: Ints
    unit_start: Ints
    units: Ints
    own_start: Ints
    own_cells: Ints


@lru_cache(maxsize=64)
def scopes_of(puzzle: Variant) -> tuple[Network, Scopes]:
    """Return a network with all sums that follow by the 45 rule or by adding up, and the scopes.

    There are none if all rules are houses.
    """
    layout, sources = layout_of(puzzle)
    left = {(own.cells, own.weights): own.total for own in sources.unions}
    n_own, rules = layout.n_sums, network_of(puzzle)[0]
    known = {(tuple(cells), tuple(weights)) for cells, weights, _ in sums_of(rules)}
    left |= {own[:2]: own.total for own in derived_sums(puzzle, MOST_LEFT) if own[:2] not in known}
    network = with_groups(with_sums(rules, [(*own, total) for own, total in left.items()]))
    sums, patterns, houses = (
        [frozenset(own) for own in rows]
        for rows in (
            rows_of(network.sum_start, network.sum_cells),
            rows_of(layout.pattern_start, layout.pattern_cells),
            layout.grid.houses.tolist(),
        )
    )
    found: set[Area] = set()
    lines = sorted(_lines(layout, sources), key=sorted)
    if layout.arc_cell.size + len(sums) + len(patterns):
        own = {*sums[:n_own], *patterns, *lines}
        short = sorted((line for line in own if 1 < len(line) <= MOST_CELLS), key=sorted)
        pairs = _pairs_of_houses(puzzle, houses, sources.houses)
        found = {*_areas(short, sums[n_own : n_own + len(left)], houses), *_around(pairs, short)}
    areas = sorted(
        (area for area in found if len(area) <= MOST_CELLS), key=lambda area: (len(area), *area)
    )
    units = [*houses, *sums, *patterns, *lines]
    n_rules = len(units) - len(lines)
    scopes = Scopes(
        *lists([sorted(area) for area in areas]),
        *lists([[i for i in range(n_rules) if units[i] <= area] for area in areas]),
        *lists([sorted(unit) for unit in units]),
    )
    for array in scopes:
        array.setflags(write=False)
    return network, scopes


def origin_of(puzzle: Variant, area: Area, units: Sequence[int]) -> tuple[list[int], list[int]]:
    """Return the houses and the rules of an area, those of the sums that it uses among them."""
    network, _ = scopes_of(puzzle)
    layout, sources = layout_of(puzzle)
    n_houses, n_sums = len(layout.grid.houses), network.sum_totals.size
    houses = [unit for unit in units if unit < n_houses]
    numbers = [unit - n_houses for unit in units if unit >= n_houses]
    of_rules = [*sources.sums, *[-1] * (n_sums - len(sources.sums)), *sources.patterns]
    rules = [of_rules[i] for i in numbers if i < len(of_rules) and of_rules[i] >= 0]
    arcs = rows_of(layout.arc_start, layout.arc_cell)
    ends = [(cell, other) for cell, others in enumerate(arcs) for other in others]
    for (cell, other), of in zip(ends, sources.arcs, strict=True):
        rules += of if cell in area and other in area else ()
    if not rules:
        # Only sums that follow from houses lie in it.
        left = [(own.cells, own.houses) for own in sources.unions]
        left += [(own.cells, own.houses) for own in derived_sums(puzzle, MOST_LEFT)]
        for inside, theirs in left:
            houses += theirs if area.issuperset(inside) else ()
    groups = rows_of(layout.group_start, layout.group_cells)[n_houses:]
    rules += [
        rule for rule, own in zip(sources.groups, groups, strict=True) if area.issuperset(own)
    ]
    return houses, rules


def _lines(layout: Layout, sources: Sources) -> Iterator[Area]:
    """Yield the cells that relations of one rule join to each other, and groups without repeats."""
    joined: dict[int, dict[int, set[int]]] = {}
    arcs = zip(rows_of(layout.arc_start, layout.arc_cell), count(), strict=False)
    rules = iter(sources.arcs)
    for to, cell in arcs:
        for other, of in zip(to, rules, strict=False):
            for rule in of:
                joined.setdefault(rule, {}).setdefault(cell, set()).add(other)
    for of_rule in joined.values():
        left = set(of_rule)
        while left:
            line: set[int] = set()
            new = {left.pop()}
            while new:
                line |= new
                new = set().union(*(of_rule[cell] for cell in new)) - line
            left -= line
            yield frozenset(line)
    for group in rows_of(layout.group_start, layout.group_cells)[len(layout.grid.houses) :]:
        yield frozenset(group)


def _pairs_of_houses(
    puzzle: Variant, houses: Sequence[Area], rules: Sequence[int]
) -> Iterator[Area]:
    """Yield neighbours of one rule together, and houses that share several cells."""
    places = puzzle.board.cells
    around = [
        {
            (row + down, column + right)
            for row, column in map(places.__getitem__, house)
            for down, right in ((0, 1), (1, 0), (0, -1), (-1, 0))
        }
        for house in houses
    ]
    for i, house in enumerate(houses):
        for j, other in enumerate(houses[:i]):
            shared = len(house & other)
            near = rules[i] == rules[j] and any(places[cell] in around[i] for cell in other)
            if shared > 1 or (shared == 0 and near):
                yield house | other


def _areas(lines: Sequence[Area], left: Sequence[Area], houses: Sequence[Area]) -> Iterator[Area]:
    """Yield lines and the sums that houses leave, pairs of them that meet, and houses.

    Two lines meet if they share a cell, or if both have several cells in a house.
    """
    yield from lines
    yield from left
    for i, line in enumerate(lines):
        for other in lines[:i]:
            if line & other or any(len(line & h) > 1 and len(other & h) > 1 for h in houses):
                yield line | other
        for cells in left:
            if line & cells:
                yield line | cells
    yield from _around(houses, lines)


def _around(areas: Iterable[Area], lines: Sequence[Area]) -> Iterator[Area]:
    """Yield each area, then with the lines that mostly lie in it, and with all that touch it."""
    for area in areas:
        yield area
        yield area.union(*(line for line in lines if 2 * len(line & area) >= len(line)))
        yield area.union(*(line for line in lines if line & area))


@lean_kernel
def open_area(areas, mask, used, units):
    """Begin with the candidates of the cells in use; shut out constraints that are not in `units`.

    The constraints in `units` are listed to be checked.
    """
    network, work, own = areas.network, areas.work, areas.own_houses
    n_houses, n_sums = len(network.houses), network.sum_totals.size
    own[:] = 0
    work.has_sum[:] = 1
    work.has_pattern[:] = 1
    for unit in units:
        if unit < n_houses:
            own[unit >> 5] |= 1 << (unit & 31)
        elif unit < n_houses + n_sums:
            work.has_sum[unit - n_houses] = 0
        elif unit < n_houses + n_sums + network.pattern_first.size:
            work.has_pattern[unit - n_houses - n_sums] = 0
    outer = 0
    while own[outer >> 5] >> (outer & 31) & 1 and outer + 1 < n_houses:
        outer += 1
    for i in range(len(network.overlaps)):
        first, second = network.overlaps[i, 0], network.overlaps[i, 1]
        within = own[first >> 5] >> (first & 31) & own[second >> 5] >> (second & 31) & 1
        # A house of which no cell is listed never changes.
        areas.overlaps[i, 0] = first if within else outer
        areas.overlaps[i, 1] = second if within else outer
    areas.start[:] = 0
    for cell in range(used.size):
        if used[cell]:
            for word in range(own.size):
                areas.house_bits[cell, word] = network.house_bits[cell, word] & own[word]
            narrow(areas.start, work, cell, int(mask[cell]))
    enlist_constraints(network, work)


@lean_kernel
def close_area(areas):
    """Allow all constraints again."""
    areas.work.has_sum[:] = 0
    areas.work.has_pattern[:] = 0


@lean_kernel
def recall(work, state, finding):
    """Drop the fillings of a scope that are no longer possible; gather the digits of the others."""
    areas, scope, cells, _ = work
    ways = areas.ways[MOST_WAYS * areas.scopes.start[scope] :]
    for cell in cells:
        finding.lists[UNIONS, cell] = 0
    n_kept = 0
    for way in range(areas.n_ways[scope]):
        possible = True
        i = 0
        while possible and i < cells.size:
            possible = state.mask[cells[i]] >> ways[way * cells.size + i] & 1 == 1
            i += 1
        if possible:
            for i in range(cells.size):
                digit = ways[way * cells.size + i]
                ways[n_kept * cells.size + i] = digit
                finding.lists[UNIONS, cells[i]] |= 1 << int(digit)
                areas.memory.preferred[cells[i]] = 1 << int(digit)
            n_kept += 1
    areas.n_ways[scope] = n_kept


@lean_kernel
def keep_way(work, finding):
    """Note the filling that the search has found."""
    areas, scope, cells, _ = work
    n_ways = areas.n_ways[scope]
    ways = areas.ways[MOST_WAYS * areas.scopes.start[scope] + n_ways * cells.size :]
    for i in range(cells.size):
        digit = areas.memory.solutions[0, cells[i]] - 1
        finding.lists[UNIONS, cells[i]] |= 1 << int(digit)
        areas.memory.preferred[cells[i]] = 1 << int(digit)
        if n_ways < MOST_WAYS:
            ways[i] = digit
    if n_ways < MOST_WAYS:
        areas.n_ways[scope] += 1


@inlined_kernel
def has_way_without(work, digit):
    """Return True if a known filling of a scope lacks a digit."""
    areas, scope, cells, _ = work
    ways = areas.ways[MOST_WAYS * areas.scopes.start[scope] :]
    for way in range(areas.n_ways[scope]):
        lacks = True
        for i in range(cells.size):
            lacks &= ways[way * cells.size + i] != digit
        if lacks:
            return True
    return False
