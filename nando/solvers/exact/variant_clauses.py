"""The constraints of a variant as clauses, for the search that learns from conflicts.

Variable ``n * cell + digit`` states that a cell holds a digit. Further variables stand for the sets
of digits that cells which see each other may hold together, for the sums of these sets, and for
the states after each part of a sum or pattern. So a sum knows which of its cells differ, and a line
of consecutive digits which of them it holds.

Source: Quimper and Walsh 2006, "Global grammar constraints" (automata).
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import combinations, product
from math import comb
from typing import Any, NamedTuple

import numpy as np

from nando.puzzles import Variant
from nando.solvers.variants.innies import derived_sums, leftovers
from nando.solvers.variants.network import Network, differing, network_of, with_sums
from nando.solvers.variants.tables import Ints, lists, rows_of

_MOST_SETS = 300
"""Most sets of digits that are told apart for one group of cells."""
_MOST_TRIED = 20_000
"""Most sets whose sums are computed for it."""
_MOST_STATES = 1_000
"""Most states after a part of a sum or pattern."""
_MOST_CLAUSES = 1_500_000


class Formula(NamedTuple):
    """Clauses, of which those of two literals stand for themselves.

    A literal is twice its variable, plus 1 for the negation.

    Attributes
    ----------
    n_variables : int
    pair_start, pairs : ndarray of int64
        For each literal, the literals that follow from it alone.
    start, literals : ndarray of int64
        The other clauses.
    """

    n_variables: int
    pair_start: Ints
    pairs: Ints
    start: Ints
    literals: Ints


Options = dict[int, int]
"""A literal for each of several values, of which exactly one is right."""


def formula_of(puzzle: Variant) -> Formula | None:
    """Return the clauses of a variant, or None if they are too many."""
    network, origins = network_of(puzzle)
    network = with_sums(network, [own[:3] for own in derived_sums(puzzle)])
    writer = _Writer(network)
    try:
        writer.write_cells()
        writer.write_relations()
        for cells, weights, total in zip(
            rows_of(network.sum_start, network.sum_cells),
            rows_of(network.sum_start, network.sum_weights),
            network.sum_totals.tolist(),
            strict=True,
        ):
            writer.write_sum(cells, weights, total)
        for number, cells in enumerate(rows_of(network.pattern_start, network.pattern_cells)):
            writer.write_pattern(cells, number)
        for _, group in origins.groups:
            writer.write_group(group)
        for first, second in leftovers(puzzle.board.cells, network):
            writer.write_equal_digits(first, second)
    except _TooManyError:
        return None
    return writer.formula()


class _TooManyError(Exception):
    """There are more clauses than a search can use."""


class _Writer:
    """Writes the clauses of a network."""

    def __init__(self, network: Network) -> None:
        self._network = network
        self._n = network.n_digits
        self._differ = differing(network)
        self._start = network.start.tolist()
        self._n_variables = network.n_cells * self._n
        self._pairs: list[Ints] = []
        self._clauses: list[Sequence[int]] = []
        self._groups: dict[Any, Options] = {}

    def formula(self) -> Formula:
        """Return all clauses."""
        short = [clause for clause in self._clauses if len(clause) == 2]
        pairs = np.concatenate([*self._pairs, np.array(short, np.int64).reshape(-1, 2)])
        pairs = np.unique(np.concatenate([pairs ^ [1, 0], pairs[:, ::-1] ^ [1, 0]]), axis=0)
        start = np.searchsorted(pairs[:, 0], np.arange(2 * self._n_variables + 1))
        others = lists([clause for clause in self._clauses if len(clause) != 2])
        return Formula(self._n_variables, start, np.ascontiguousarray(pairs[:, 1]), *others)

    def write_cells(self) -> None:
        """Write that each cell holds one digit, cells that see each other two, houses all."""
        network, n = self._network, self._n
        literals = 2 * np.arange(network.n_cells * n).reshape(-1, n)
        self._clauses += literals.tolist()
        self._clauses += literals[network.houses].transpose(0, 2, 1).reshape(-1, n).tolist()
        possible = network.start[:, None] >> np.arange(n) & 1 == 1
        self._clauses += (literals[~possible] + 1)[:, None].tolist()
        first, second = np.triu_indices(n, 1)
        self._pairs.append(np.stack([literals[:, first], literals[:, second]], -1).reshape(-1, 2))
        first, second = np.nonzero(np.triu(self._differ))
        self._pairs.append(np.stack([literals[first], literals[second]], -1).reshape(-1, 2))
        self._pairs = [pairs + 1 for pairs in self._pairs]

    def write_relations(self) -> None:
        """Write the digits that each digit of a cell leaves to a related cell."""
        network, n = self._network, range(self._n)
        tables = network.tables.tolist()
        for cell in range(network.n_cells):
            arcs = slice(network.arc_start[cell], network.arc_start[cell + 1])
            for other, table in zip(
                network.arc_cell[arcs].tolist(), network.arc_table[arcs].tolist(), strict=True
            ):
                for digit in n:
                    left = tables[table][digit]
                    self._add(
                        self._no(cell, digit), *(self._has(other, d) for d in n if left >> d & 1)
                    )

    def write_sum(self, cells: list[int], weights: list[int], total: int) -> None:
        """Write a sum as one of groups of cells that see each other and have one weight."""
        parts: list[Options] = []
        for weight in sorted(set(weights)):
            alike = [cell for cell, own in zip(cells, weights, strict=True) if own == weight]
            groups = self._groups_among(alike)
            if len(groups) == 1 and set(weights) == {weight} and total % weight == 0:
                sets = self._sets(groups[0], total // weight)
                if sets is not None:
                    self._sums_of(groups[0], sets)
                    return
            for group in groups:
                sets = self._sets(group) if len(group) > 1 else None
                if sets is None:
                    digits = [self._digits(cell) for cell in group]
                    parts += [{weight * (d + 1): own[d] for d in own} for own in digits]
                else:
                    own = self._sums_of(group, sets)
                    parts.append({weight * value: own[value] for value in own})
        self._write_states(
            parts, 0, lambda state, value: state + value, lambda state: state == total
        )

    def write_pattern(self, cells: list[int], number: int) -> None:
        """Write the states of an automaton."""
        network = self._network
        moves, accepting = network.moves.tolist(), network.accepting.tolist()

        def step(state: int, digit: int) -> int | None:
            reached = moves[state][digit]
            return None if reached < 0 else reached

        first = int(network.pattern_first[number])
        self._write_states(list(map(self._digits, cells)), first, step, accepting.__getitem__)

    def write_group(self, cells: tuple[int, ...]) -> None:
        """Write the sets of digits of a group of which all pairs of cells are related alike."""
        network = self._network
        common: set[int] | None = None
        for first, second in combinations(cells, 2):
            arcs = slice(network.arc_start[first], network.arc_start[first + 1])
            own = network.arc_table[arcs][network.arc_cell[arcs] == second].tolist()
            common = set(own) if common is None else common & set(own)
        if common:
            near = network.tables[min(common)].tolist()
            sets = self._sets(cells)
            if sets is not None:
                fits = [
                    own for own in sets if all(near[a] >> b & 1 for a, b in combinations(own, 2))
                ]
                self._sums_of(cells, fits)

    def write_equal_digits(self, first: list[int], second: list[int]) -> None:
        """Write that two groups of cells hold the same digits, each as often."""
        for digit, (own, other) in product(range(self._n), ((first, second), (second, first))):
            for cell in own:
                self._add(self._no(cell, digit), *(self._has(c, digit) for c in other))
            for a, b in combinations(own, 2):
                if not self._differ[a, b]:
                    for cell in other:
                        left = [self._has(c, digit) for c in other if c != cell]
                        self._add(self._no(a, digit), self._no(b, digit), *left)

    def _has(self, cell: int, digit: int) -> int:
        return 2 * (cell * self._n + digit)

    def _no(self, cell: int, digit: int) -> int:
        return 2 * (cell * self._n + digit) + 1

    def _digits(self, cell: int) -> Options:
        return {d: self._has(cell, d) for d in range(self._n) if self._start[cell] >> d & 1}

    def _add(self, *clause: int) -> None:
        self._clauses.append(clause)
        if len(self._clauses) > _MOST_CLAUSES:
            raise _TooManyError

    def _new(self) -> int:
        self._n_variables += 1
        return 2 * self._n_variables - 2

    def _groups_among(self, cells: list[int]) -> list[tuple[int, ...]]:
        """Divide cells into groups that see each other, the largest first."""
        left, groups = list(cells), []
        while left:
            largest: list[int] = []
            for cell in left:
                group = [cell]
                for other in left:
                    if self._differ[other, group].all():
                        group.append(other)
                if len(group) > len(largest):
                    largest = group
            groups.append(tuple(sorted(largest)))
            left = [cell for cell in left if cell not in largest]
        return groups

    def _sets(self, cells: tuple[int, ...], total: int = 0) -> list[tuple[int, ...]] | None:
        """Return the sets of digits that cells may hold; None if they are too many to write.

        Their sum is `total` unless that is 0.
        """
        union = [d for d in range(self._n) if any(self._start[cell] >> d & 1 for cell in cells)]
        if comb(len(union), len(cells)) > _MOST_TRIED:
            return None
        sets = []
        for own in combinations(union, len(cells)):
            if total in (0, sum(own) + len(own)):
                sets.append(own)
                if len(sets) > _MOST_SETS:
                    return None
        return sets

    def _sums_of(self, cells: tuple[int, ...], sets: list[tuple[int, ...]]) -> Options:
        """Write that different cells hold one of some sets; return the literals of their sums."""
        key = cells, tuple(sets)
        if key in self._groups:
            return self._groups[key]
        within = [self._new() for _ in range(self._n)]
        chosen = [self._new() for _ in sets]
        for digit in range(self._n):
            self._add(within[digit] + 1, *(self._has(cell, digit) for cell in cells))
            for cell in cells:
                self._add(within[digit], self._no(cell, digit))
            holding = [v for v, own in zip(chosen, sets, strict=True) if digit in own]
            self._add(within[digit] + 1, *holding)
            self._add(within[digit], *(v for v in chosen if v not in holding))
        self._add(*chosen)
        by_sum: dict[int, list[int]] = {}
        for literal, own in zip(chosen, sets, strict=True):
            for digit in range(self._n):
                self._add(literal + 1, within[digit] if digit in own else within[digit] + 1)
            by_sum.setdefault(sum(own) + len(own), []).append(literal)
        sums = {}
        for total, ways in sorted(by_sum.items()):
            sums[total] = self._new() if len(ways) > 1 else ways[0]
            if len(ways) > 1:
                self._add(sums[total] + 1, *ways)
                for literal in ways:
                    self._add(sums[total], literal + 1)
        self._groups[key] = sums
        return sums

    def _write_states(
        self,
        parts: Sequence[Options],
        first: int,
        step: Callable[[int, int], int | None],
        accepts: Callable[[int], bool],
    ) -> None:
        """Write that the values of the parts lead from a first state to one that is accepted."""
        reached = {first}
        moves: list[list[tuple[int, int, int]]] = []
        for part in parts:
            moves.append(
                [
                    (state, value, after)
                    for state in sorted(reached)
                    for value in part
                    if (after := step(state, value)) is not None
                ]
            )
            reached = {after for _, _, after in moves[-1]}
            if len(reached) > _MOST_STATES:
                raise _TooManyError
        kept = {state for state in reached if accepts(state)}
        layers = [kept]
        for i in range(len(parts) - 1, -1, -1):
            moves[i] = [move for move in moves[i] if move[2] in kept]
            kept = {state for state, _, _ in moves[i]}
            layers.append(kept)
        names = [{state: self._new() for state in sorted(layer)} for layer in reversed(layers)]
        for name in names:
            self._add(*name.values())
            self._exclude(name.values())
        for part, own, before, beyond in zip(parts, moves, names, names[1:], strict=False):
            for value, literal in part.items():
                self._add(literal + 1, *(before[s] for s, v, _ in own if v == value))
            ways: dict[tuple[bool, int], dict[int, None]] = {}
            sources: dict[tuple[int, int], list[int]] = {}
            for state, value, end in own:
                self._add(before[state] + 1, part[value] + 1, beyond[end])
                ways.setdefault((True, before[state]), {})[part[value]] = None
                ways.setdefault((False, beyond[end]), {})[part[value]] = None
                sources.setdefault((beyond[end], part[value]), []).append(before[state])
            for (_, state), literals in ways.items():
                self._add(state + 1, *literals)
            for (end, literal), states in sources.items():
                self._add(end + 1, literal + 1, *states)

    def _exclude(self, literals: Iterable[int]) -> None:
        """Write that no two literals are true."""
        own = np.array(list(literals), np.int64)
        first, second = np.triu_indices(len(own), 1)
        self._pairs.append(np.stack([own[first], own[second]], -1) + 1)
