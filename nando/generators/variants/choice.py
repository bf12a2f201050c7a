"""The choice among the clues on offer: those that say most, then the fewest givens."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np

from nando.generators.variants.board import Canvas
from nando.generators.variants.clues import CLUES
from nando.generators.variants.switches import (
    UNIQUE,
    Panel,
    best_unit,
    drop_needless,
    find_candidates,
    find_other,
    switch,
    weigh,
)
from nando.puzzles.boards.board import Cell
from nando.puzzles.boards.rule import Rule
from nando.puzzles.rules.outside import Outside
from nando.puzzles.rules.sums import Cage, LittleKiller
from nando.solvers.variants.tables import Ints

Unit = tuple[Rule, ...]
"""Clues that a puzzle has together or not at all: a clue, or a clue and its image."""

Points = frozenset[tuple[str, int, int]]

GUESSES, _PATIENCE = 100, 1_000
"""Most guesses of a search for another solution while clues are made smaller or chosen again, and
while they are chosen first; after that a clue counts as needed."""

_PACKED = 4_000
"""Random units for which those in their way may be given up."""

_ROUNDS, _AGAIN = 6, 3
"""Times that clues and givens are chosen again, and most of each that are."""

_SAMPLE = 32
"""Clues among which the best is chosen."""


def units_of(canvas: Canvas, clues: Sequence[Rule]) -> list[Unit]:
    """Return clues as units that have the symmetry of the canvas, as far as the digits allow.

    Lines and areas without an image that the digits obey are left out.
    """
    if canvas.symmetry == "none":
        return [(clue,) for clue in clues]
    units: dict[frozenset[Rule], Unit] = {}
    for clue in clues:
        image = _recount(canvas, clue.moved(canvas.image, canvas.image_of_line))
        kind, own, other = CLUES[clue.name], points_of([clue]), points_of([image])
        obeyed = image.obeyed(canvas.board, canvas.digits)
        if own == other and own:
            unit: Unit = (clue,)
        elif obeyed and not own & other and image != clue:
            unit = (clue, image)
        elif kind.layer:
            continue
        else:
            unit = (clue,)
        units.setdefault(frozenset(unit), unit)
    return list(units.values())


def _recount(canvas: Canvas, clue: Rule) -> Rule:
    """Return a clue with the number that the digits have, if the clue has one."""
    changed: Any = clue
    if isinstance(clue, Cage | LittleKiller):
        total = sum(canvas.digits[cell] for cell in clue.cells_named())
        changed = replace(changed, total=total)
    if isinstance(clue, Outside):
        number = clue.number_in(canvas.board, canvas.digits)
        changed = replace(changed, number=number or clue.number)
    recounted: Rule = changed
    return recounted


def covered_by(unit: Sequence[Rule]) -> set[Cell]:
    """Return the cells of clues on which no given may be."""
    return {
        cell
        for clue in unit
        if clue.name in CLUES and CLUES[clue.name].covers
        for cell in clue.cells_named()
    }


def points_of(unit: Sequence[Rule]) -> Points:
    """Return what the clues of a layer take up: their cells, and corners that lines cross.

    Coordinates are doubled.
    """
    points = set()
    for clue in unit:
        layer, cells = CLUES[clue.name].layer, clue.cells_named()
        if not layer:
            continue
        points |= {(layer, 2 * cell.row, 2 * cell.column) for cell in cells}
        if layer == "line":
            steps = [(a.row + b.row, a.column + b.column) for a, b in pairwise(cells)]
            points |= {(layer, row, column) for row, column in steps if row & column & 1}
    return frozenset(points)


class Choice:
    """Chooses among units of clues and groups of givens, which a panel switches on and off.

    Parameters
    ----------
    canvas : Canvas
    panel : Panel
        The switches of the units, then of the groups.
    units : sequence of Unit
    """

    def __init__(self, canvas: Canvas, panel: Panel, units: Sequence[Unit]) -> None:
        self.canvas, self.panel, self.units = canvas, panel, units
        self._points = [points_of(unit) for unit in units]
        self._patience = _PATIENCE
        self._n_rules = len({unit[0].name for unit in units})
        self.bits = np.zeros(len(units))
        self._taken: set[tuple[str, int, int]] = set()
        self._counts: Counter[str] = Counter()

    def fits(self, number: int) -> bool:
        """Return True if a unit can be drawn beside those that are on."""
        name, size = self.units[number][0].name, len(self.units[number])
        most = self.canvas.scopes[name].clues[1]
        return self._counts[name] + size <= most and not self._points[number] & self._taken

    def switch_on(self, number: int) -> None:
        """Switch on a unit or a group."""
        switches, network, work, _ = self.panel
        switch(switches, network, work, number, True)
        if number < len(self.units):
            self._taken |= self._points[number]
            self._counts[self.units[number][0].name] += len(self.units[number])

    def switch_off(self, number: int) -> None:
        """Switch off a unit or a group."""
        switches, network, work, _ = self.panel
        switch(switches, network, work, number, False)
        if number < len(self.units):
            self._taken -= self._points[number]
            self._counts[self.units[number][0].name] -= len(self.units[number])

    def pack_clues(self, boards: Ints, kept: Sequence[int]) -> None:
        """Switch on the units `kept`, and others side by side that say as much as possible.

        A unit takes the place of those in its way if it says more than they do together; `boards`
        are random boards by which this is weighed.
        """
        bits, on = self.bits, set[int]()
        weigh(*self.panel, boards, bits)
        for i in kept:
            self.switch_on(i)
        placed = [i for i, points in enumerate(self._points) if points and i not in kept]
        again = self.canvas.rng.integers(len(placed), size=_PACKED) if placed else ()
        for i in [*sorted(placed, key=lambda i: -bits[i]), *(placed[k] for k in again)]:
            removed = {i} if i in on else self._in_the_way(i, on)
            if bits[i] > sum(bits[j] for j in removed):
                on = (on - removed) | {i}
        for i in sorted(on):
            self.switch_on(i)
        for own in self._by_rule(i for i in range(len(self.units)) if self._n_rules > 1):
            if not self._counts[self.units[own[0]][0].name]:
                fitting = [i for i in own if self.fits(i)]
                if fitting:
                    self.switch_on(max(fitting, key=lambda i: bits[i]))

    def _by_rule(self, units: Iterable[int]) -> list[list[int]]:
        """Return units by their rules."""
        by_rule: dict[str, list[int]] = {}
        for i in units:
            by_rule.setdefault(self.units[i][0].name, []).append(i)
        return list(by_rule.values())

    def _in_the_way(self, unit: int, on: set[int]) -> set[int]:
        """Return the units that share points with one, and the weakest that are too many with it.

        Each of several rules has its share of the clues.
        """
        removed = {j for j in on if self._points[unit] & self._points[j]}
        name = self.units[unit][0].name
        most = -(-self.canvas.scopes[name].clues[1] // self._n_rules)
        same = [j for j in on - removed if self.units[j][0].name == name]
        excess = sum(len(self.units[j]) for j in [*same, unit]) - most
        while excess > 0 and same:
            weakest = min(same, key=lambda j: (self.bits[j], j))
            same.remove(weakest)
            removed.add(weakest)
            excess -= len(self.units[weakest])
        return removed

    def choose_clues(self) -> bool:
        """Switch on units until the solution is the only one; return False if none is left."""
        left = self._open_units()
        while True:
            left = self.canvas.shuffle(i for i in left if self.fits(i))
            sample = left[:_SAMPLE]
            chosen = int(best_unit(*self.panel, np.array(sample, np.int64), self._patience))
            if chosen == UNIQUE:
                return True
            if not left:
                return False
            if chosen >= 0:
                self.switch_on(chosen)
                left.remove(chosen)
            else:
                left = left[_SAMPLE:]

    def make_room(self, kept: Sequence[int]) -> bool:
        """Switch off the unit that says least, so that its cells can be given; False if none is.

        It is one of those on cells that have other digits in another solution.
        """
        placed = [
            i for i in self._on() if i < len(self.units) and self._points[i] and i not in kept
        ]
        cells = self.canvas.board.cells
        if find_other(*self.panel, -1, self._patience) > 0:
            differ = self.panel.memory.solutions[0] != self.panel.switches.known + 1
            other = {cells[i] for i in np.flatnonzero(differ).tolist()}
            placed = [i for i in placed if covered_by(self.units[i]) & other] or placed
        if not placed:
            return False
        self.switch_off(min(placed, key=lambda i: self.bits[i]))
        return True

    def choose_givens(self, groups: Sequence[int], sample: int | None = None) -> bool:
        """Switch on groups until the solution is the only one; return False if none is left.

        Each is the best of a sample, or of all. The smaller the sample, the harder the puzzles.
        """
        left = self.canvas.shuffle(i for i in groups if not self.panel.switches.is_on[i])
        while True:
            chosen = int(best_unit(*self.panel, np.array(left[:sample], np.int64), self._patience))
            if chosen == UNIQUE or not left:
                return chosen == UNIQUE
            if chosen >= 0:
                self.switch_on(chosen)
                left = self.canvas.shuffle(i for i in left if i != chosen)
            else:
                left = left[len(left[:sample]) :]

    def drop_needless(self, kept: Sequence[int]) -> None:
        """Switch off what is not needed: givens first, then the units that say least.

        The units `kept` stay, and so do as many as each rule must have.
        """
        n_units = len(self.units)
        units = [i for i in self._on() if i < n_units and i not in kept]
        units = sorted(self.canvas.shuffle(units), key=lambda i: self.bits[i])
        # The strongest unit of each rule comes last, so that every rule is needed.
        strongest = {own[-1] for own in self._by_rule(units)}
        units.sort(key=lambda i: i in strongest)
        order = [*self.canvas.shuffle(self._on(n_units)), *units]
        drop_needless(*self.panel, np.array(order, np.int64), self._patience)
        on = [i for i in self._on() if i < n_units]
        self._counts = Counter(clue.name for i in on for clue in self.units[i])
        self._taken = {point for i in on for point in self._points[i]}
        for i in sorted(set(units) - set(on), key=units.index):
            name = self.units[i][0].name
            if self._counts[name] < self.canvas.scopes[name].clues[0]:
                self.switch_on(i)

    def choose_again(
        self, open_groups: Callable[[], Sequence[int]], kept: Sequence[int], few: int
    ) -> None:
        """Choose some clues and givens again and again, until there are at most `few` givens."""
        n_units, best, self._patience = len(self.units), self._on(), GUESSES
        for _ in range(_ROUNDS):
            n_givens = self.n_givens
            if n_givens <= few:
                return
            units = self.canvas.shuffle(i for i in best if i < n_units and i not in kept)
            givens = self.canvas.shuffle(i for i in best if i >= n_units)
            for i in [*units[:_AGAIN], *givens[:_AGAIN]]:
                self.switch_off(i)
            if self.choose_clues() or self.choose_givens(open_groups()):
                self.drop_needless(kept)
                if self.n_givens <= n_givens:
                    best = self._on()
            for i in set(self._on()).difference(best):
                self.switch_off(i)
            for i in sorted(set(best).difference(self._on())):
                self.switch_on(i)

    @property
    def n_givens(self) -> int:
        """Number of givens."""
        return int(np.diff(self.panel.switches.cell_start)[self._on(len(self.units))].sum())

    def _on(self, first: int = 0) -> list[int]:
        """Return the numbers of all that is on, from the first."""
        return (first + np.flatnonzero(self.panel.switches.is_on[first:])).tolist()

    def spare(self) -> list[Unit]:
        """Return units that can be added to those that are on, and to each other."""
        counts, taken, spare = Counter(self._counts), set(self._taken), list[Unit]()
        for i in self.canvas.shuffle(self._open_units()):
            name, size = self.units[i][0].name, len(self.units[i])
            most = self.canvas.scopes[name].clues[1]
            if counts[name] + size <= most and not self._points[i] & taken:
                spare.append(self.units[i])
                counts[name] += size
                taken |= self._points[i]
        return spare

    def _open_units(self) -> list[int]:
        """Return the units that can be switched on, and cover no given."""
        switches = self.panel.switches
        given = {
            self.canvas.board.cells[cell]
            for group in self._on(len(self.units))
            for cell in switches.cells[switches.cell_start[group] : switches.cell_start[group + 1]]
        }
        return [
            i
            for i in np.flatnonzero(switches.is_on[: len(self.units)] == 0).tolist()
            if self.fits(i) and not covered_by(self.units[i]) & given
        ]

    def not_fixed(self) -> list[int]:
        """Return the cells that the clues leave more than one candidate, without the givens."""
        switches, network, work, memory = self.panel
        given = self._on(len(self.units))
        for i in given:
            self.switch_off(i)
        find_candidates(switches, network, work, memory)
        for i in given:
            self.switch_on(i)
        masks = memory.stack[0]
        return np.flatnonzero(masks & masks - 1).tolist()
