"""Where a person looks at several rules at once: a line, rules that meet, up to three houses.

A scope is some cells with the houses, sums and patterns that lie within them. What it leaves of
the candidates follows from these, and from the pairs of its cells that see each other or that a
relation joins. While a filling that a search has found is possible, so are its candidates.

The kernels take the areas, the number of the scope, its cells, and the degree of the step.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations, count
from typing import NamedTuple

import numpy as np

from nando.kernels.compile import inlined_kernel, lean_kernel
from nando.puzzles import Variant
from nando.solvers.logic.variants.layout import Layout, Sources, layout_of
from nando.solvers.logic.variants.rule_state import UNIONS
from nando.solvers.variants.innies import derived_sums
from nando.solvers.variants.network import Network, WeightedSum, network_of, with_sums
from nando.solvers.variants.tables import Ints, lists, rows_of

MOST_CELLS = 60
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
    house_start, houses, sum_start, sums, pattern_start, patterns : ndarray of int64
        For each scope, the houses, sums and patterns whose cells all lie in it.
    """

    start: Ints
    cells: Ints
    house_start: Ints
    houses: Ints
    sum_start: Ints
    sums: Ints
    pattern_start: Ints
    patterns: Ints


@lru_cache(maxsize=64)
def scopes_of(puzzle: Variant) -> tuple[Network, Layout, Scopes]:
    """Return a network and a layout with all sums that follow by the 45 rule, and the scopes.

    There are none if all rules are houses.
    """
    narrow, sources = layout_of(puzzle)
    layout = _with_sums(narrow, [own[:3] for own in derived_sums(puzzle, MOST_LEFT)])
    sums, patterns, houses = (
        [frozenset(own) for own in rows]
        for rows in (
            rows_of(layout.sum_start, layout.sum_cells),
            rows_of(layout.pattern_start, layout.pattern_cells),
            layout.grid.houses.tolist(),
        )
    )
    found: set[Area] = set()
    if layout.arc_cell.size + len(sums) + len(patterns):
        own = {*sums[: layout.n_sums], *patterns, *_lines(layout, sources)}
        lines = sorted((line for line in own if 1 < len(line) <= MOST_CELLS), key=sorted)
        pairs, trios = _unions_of_houses(puzzle, houses, sources.houses)
        found = {*_areas(lines, sums[layout.n_sums :], houses), *_around(pairs, lines)}
        # Without all that crosses them, three houses left no more on the killers that were tried.
        found |= {_with_all(area, lines) for area in trios}
    areas = sorted(
        (area for area in found if len(area) <= MOST_CELLS), key=lambda area: (len(area), *area)
    )
    inside = [
        lists([[i for i, own in enumerate(kind) if own <= area] for area in areas])
        for kind in (houses, sums, patterns)
    ]
    scopes = Scopes(*lists([sorted(area) for area in areas]), *inside[0], *inside[1], *inside[2])
    for array in scopes:
        array.setflags(write=False)
    rows = (rows_of(layout.sum_start, row) for row in (layout.sum_cells, layout.sum_weights))
    own_sums = list(zip(*rows, layout.sum_totals.tolist(), strict=True))
    network = with_sums(network_of(puzzle)[0], own_sums[layout.n_sums :])
    return network, layout, scopes


def origin_of_scope(puzzle: Variant, number: int) -> tuple[list[int], list[int]]:
    """Return the houses and the rules of a scope, those of the sums that it uses among them."""
    _, layout, scopes = scopes_of(puzzle)
    _, sources = layout_of(puzzle)
    area = {*rows_of(scopes.start, scopes.cells)[number]}
    houses = rows_of(scopes.house_start, scopes.houses)[number]
    sums = rows_of(scopes.sum_start, scopes.sums)[number]
    rules = [sources.sums[own] for own in sums if own < len(sources.sums)]
    rules += [
        sources.patterns[own] for own in rows_of(scopes.pattern_start, scopes.patterns)[number]
    ]
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
    groups = rows_of(layout.group_start, layout.group_cells)[len(layout.grid.houses) :]
    rules += [
        rule for rule, own in zip(sources.groups, groups, strict=True) if area.issuperset(own)
    ]
    return houses, rules


def _with_sums(layout: Layout, sums: Sequence[WeightedSum]) -> Layout:
    """Return a layout with further sums, without those that it has."""
    cells = rows_of(layout.sum_start, layout.sum_cells)
    weights = rows_of(layout.sum_start, layout.sum_weights)
    known = {(tuple(own), tuple(theirs)) for own, theirs in zip(cells, weights, strict=True)}
    new = [own for own in sums if (tuple(own[0]), tuple(own[1])) not in known]
    start, joined = lists([*cells, *(own[0] for own in new)])
    return layout._replace(
        sum_start=start,
        sum_cells=joined,
        sum_weights=lists([*weights, *(own[1] for own in new)])[1],
        sum_totals=np.array([*layout.sum_totals, *(own[2] for own in new)], np.int64),
    )


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


def _unions_of_houses(
    puzzle: Variant, houses: Sequence[Area], rules: Sequence[int]
) -> tuple[list[Area], list[Area]]:
    """Return houses in pairs, and in threes that lie side by side.

    Pairs are neighbours of one rule, and houses that share several cells.
    """
    places = puzzle.board.cells
    around = [
        {
            (row + down, column + right)
            for row, column in map(places.__getitem__, house)
            for down, right in ((0, 1), (1, 0), (0, -1), (-1, 0))
        }
        for house in houses
    ]
    beside: list[set[int]] = [set() for _ in houses]
    pairs, trios = [], []
    for i, house in enumerate(houses):
        for j, other in enumerate(houses[:i]):
            shared = len(house & other)
            near = rules[i] == rules[j] and any(places[cell] in around[i] for cell in other)
            if shared == 0 and near:
                beside[i].add(j)
                beside[j].add(i)
            if shared > 1 or j in beside[i]:
                pairs.append(house | other)
    for middle, near_by in enumerate(beside):
        for i, j in combinations(sorted(near_by), 2):
            if not houses[i] & houses[j]:
                trios.append(houses[middle] | houses[i] | houses[j])
    return pairs, trios


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
        yield _with_all(area, lines)


def _with_all(area: Area, lines: Iterable[Area]) -> Area:
    """Return an area with all lines that touch it."""
    return area.union(*(line for line in lines if line & area))


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
