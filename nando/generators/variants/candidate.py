"""A new variant, and the puzzles that it can become."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.generators.target import EasierPuzzles
from nando.generators.variants.board import Canvas, Span
from nando.generators.variants.choice import GUESSES, Unit
from nando.generators.variants.clues import CLUES
from nando.puzzles import Variant
from nando.puzzles.boards.board import Board, Cell
from nando.puzzles.boards.constraints import Constraint
from nando.puzzles.boards.rule import Rule
from nando.puzzles.frozen import EqualFields
from nando.puzzles.rules.boxes import Boxes, Regions
from nando.puzzles.variants.text import Content
from nando.solvers.exact.bands import DEPTH, FOUND
from nando.solvers.exact.variants import quick_search
from nando.solvers.kinds import Search
from nando.solvers.variants.network import Network, join, network_of
from nando.solvers.variants.propagation import propagate
from nando.solvers.variants.tables import Ints
from nando.solvers.variants.work import enlist_all, new_work

_EXCHANGES = 2
"""Exchanges that are tried for each given and clue."""

_LONGER = 10
"""Times the guesses of a short search in which a puzzle without a rule shows two solutions."""


class Layout(NamedTuple):
    """The board and rules before the digits are drawn.

    Attributes
    ----------
    board : Board
    rules : tuple of Rule
    constraints : tuple of (int, Constraint)
    network : Network
    groups : list of list of int
        Numbers of the cells that are given together.
    """

    board: Board
    rules: tuple[Rule, ...]
    constraints: tuple[tuple[int, Constraint], ...]
    network: Network
    groups: list[list[int]]

    @property
    def sizes(self) -> Ints:
        """The number of cells of each group."""
        return np.array([len(group) for group in self.groups])

    @classmethod
    def of(cls, puzzle: Variant, groups: list[list[int]]) -> "Layout":
        """Return the layout of a puzzle; its givens do not count."""
        none = np.zeros(len(puzzle.board.cells), np.int64)
        network = join(puzzle.board, puzzle.constraints, none)[0]
        return cls(puzzle.board, puzzle.rules, puzzle.constraints, network, groups)


@dataclass(frozen=True, eq=False)
class VariantCandidate(EqualFields):
    """A puzzle with one solution, and the puzzles it can become.

    Attributes
    ----------
    layout : Layout
    canvas : Canvas
        The canvas on which the clues are drawn.
    units : tuple of Unit
    spare : tuple of Unit
        Units that can be added.
    digits : ndarray of int64, shape (n_cells,)
        The solution.
    given : ndarray of bool, shape (n_groups,)
        True for each group of cells that is given.
    open_groups : tuple of int
        Groups that can be given.
    givens : Span
        The least and the most givens.
    """

    layout: Layout
    canvas: Canvas
    units: tuple[Unit, ...]
    spare: tuple[Unit, ...]
    digits: Ints
    given: NDArray[np.bool_]
    open_groups: tuple[int, ...]
    givens: Span

    @cached_property
    def puzzle(self) -> Variant:
        """The puzzle itself."""
        cells = self.layout.board.cells
        given = np.flatnonzero(self.given).tolist()
        numbers = [cell for i in given for cell in self.layout.groups[i]]
        givens = {cells[number]: int(self.digits[number]) for number in numbers}
        rules = [*self.layout.rules, *join_clues(self.clues)]
        return variant(self.layout.board, rules, givens)

    @cached_property
    def clues(self) -> tuple[Rule, ...]:
        """The clues of all units."""
        return tuple(clue for unit in self.units for clue in unit)

    @property
    def n_givens(self) -> int:
        """Number of givens."""
        return int(self.layout.sizes[self.given].sum())

    @cached_property
    def needless_rule(self) -> str:
        """The name of a rule without which no second solution is found; empty if there is none."""
        kinds = dict.fromkeys(type(rule) for rule in self.puzzle.rules if type(rule) is not Boxes)
        others = ((kind.name, without_rules(self.puzzle, kind)) for kind in kinds)
        return next((n for n, other in others if search(other, _LONGER).progress[FOUND] < 2), "")

    @property
    def is_unique(self) -> bool:
        """True if a short search proves that there is one solution."""
        return is_unique(self.puzzle)

    def easier_ones(self, rng: np.random.Generator) -> EasierPuzzles:
        """Return this puzzle, then easier ones: with smaller clues, more clues, then more givens.

        The path ends when some rule would no longer be needed.
        """
        smaller = [self]
        while (refined := smaller[-1]._refine(rng)) is not None:
            smaller.append(refined)
        return Path(smaller, self._more_groups(rng))

    def moves(self, rng: np.random.Generator, *, harder: bool) -> Iterator["VariantCandidate"]:
        """Yield other puzzles near this one, in random order; perhaps none.

        Parameters
        ----------
        rng : Generator
        harder : bool
            Make the puzzle harder, by larger or fewer clues or fewer givens, instead of easier.
            Exchanges of a clue or given for another, which may do either, come last.
        """
        exchanged = chain.from_iterable(self._exchanged(rng) for _ in range(_EXCHANGES))
        for changed in chain(self._change(rng, harder), exchanged):
            if changed.is_unique and not changed.needless_rule:
                yield changed

    def with_unit(self) -> "VariantCandidate":
        """Return the puzzle with the first of the spare units."""
        return replace(self, units=(*self.units, self.spare[0]), spare=self.spare[1:])

    def with_groups(self, groups: Sequence[int], is_given: bool = True) -> "VariantCandidate":
        """Return the puzzle with these groups given, or not."""
        given = self.given.copy()
        given[groups] = is_given
        return replace(self, given=given)

    def _change(self, rng: np.random.Generator, harder: bool) -> Iterator["VariantCandidate"]:
        if not harder:
            if (refined := self._refine(rng)) is not None:
                yield refined
            if self.spare:
                yield self.with_unit()
            yield from (self.with_groups([i]) for i in self._more_groups(rng))
            return
        yield from self._fewer(rng)
        merge = next((CLUES[cage.name].merge for cage in self._cages), None)
        if merge is not None and self.canvas.is_whole:
            for i in rng.permutation(len(self._cages)).tolist():
                for clues in merge(self.canvas, self._cages, i):
                    yield self._with_cages(clues)

    def _fewer(self, rng: np.random.Generator) -> Iterator["VariantCandidate"]:
        """Yield the puzzle without one group of givens, then without one unit."""
        sizes, count = self.layout.sizes, self.n_givens
        for i in rng.permutation(np.flatnonzero(self.given)).tolist():
            if count - sizes[i] >= self.givens[0]:
                yield self.with_groups([i], False)
        for i in rng.permutation(len(self.units)).tolist():
            unit, others = self.units[i], (*self.units[:i], *self.units[i + 1 :])
            name = unit[0].name
            is_kept = self.canvas.is_whole and CLUES[name].merge is not None
            left = sum(clue.name == name for clue in self.clues) - len(unit)
            if not is_kept and left >= self.canvas.scopes[name].clues[0]:
                yield replace(self, units=others, spare=(unit, *self.spare))

    def _exchanged(self, rng: np.random.Generator) -> Iterator["VariantCandidate"]:
        """Yield the puzzle with another unit or group of givens instead of one.

        It excludes one of two solutions without the first, so that often one is left.
        """
        board, sizes = self.layout.board, self.layout.sizes
        for fewer in self._fewer(rng):
            found = search(fewer.puzzle)
            if found.progress[FOUND] < 2:
                continue
            solutions = found.solutions[:2, fewer.puzzle.places]
            differ = set(np.flatnonzero(solutions[0] != solutions[1]).tolist())
            grids = [board.grid_of(each) for each in solutions.tolist()]
            left = self.givens[1] - fewer.n_givens
            changes = [
                fewer.with_groups([i])
                for i in self.open_groups
                if not self.given[i] and differ & {*self.layout.groups[i]} and sizes[i] <= left
            ]
            for unit in self.spare:
                if not all(clue.obeyed(board, grid) for clue in unit for grid in grids):
                    spare = tuple(each for each in fewer.spare if each != unit)
                    changes.append(replace(fewer, units=(*fewer.units, unit), spare=spare))
            if changes:
                yield changes[rng.integers(len(changes))]

    def _more_groups(self, rng: np.random.Generator) -> list[int]:
        """Return the groups that can be given, too, in random order."""
        chosen, left = list[int](), self.givens[1] - self.n_givens
        for i in rng.permutation(self.open_groups).tolist():
            if not self.given[i] and self.layout.sizes[i] <= left:
                chosen.append(i)
                left -= int(self.layout.sizes[i])
        return chosen

    @property
    def _cages(self) -> list[Rule]:
        return [clue for clue in self.clues if CLUES[clue.name].refine]

    def _with_cages(self, clues: Sequence[Rule]) -> "VariantCandidate":
        others = [unit for unit in self.units if not CLUES[unit[0].name].refine]
        return replace(self, units=(*others, *((clue,) for clue in clues)))

    def _refine(self, rng: np.random.Generator) -> "VariantCandidate | None":
        """Return the puzzle with one clue replaced by smaller ones."""
        if not self.canvas.is_whole:
            return None
        clues = refine(self.canvas, self._cages, self.canvas.digits, rng)
        return None if clues is None else self._with_cages(clues)


class Path:
    """A puzzle that becomes easier step by step, as long as every rule is needed.

    Parameters
    ----------
    smaller : list of VariantCandidate
        Puzzles with ever smaller clues. Some may have several solutions, since split cages allow a
        digit twice; such a puzzle is replaced by the last one before it.
    groups : list of int
        Groups that are given, one by one, after the last of these puzzles and its spare clues.
    """

    def __init__(self, smaller: list[VariantCandidate], groups: list[int]) -> None:
        self._smaller, self._groups = smaller, groups
        # Clues and givens can only make rules needless, so bisection finds the most of them with
        # which all rules are needed.
        first, last = 0, len(smaller[-1].spare) + len(groups) + 1
        while last - first > 1:
            middle = (first + last) // 2
            if self._with(middle).needless_rule:
                last = middle
            else:
                first = middle
        self._most = first

    def __len__(self) -> int:
        return len(self._smaller) + self._most

    def __getitem__(self, step: int) -> VariantCandidate:
        if not 0 <= step < len(self):
            raise IndexError(step)
        if step >= len(self._smaller):
            return self._with(step - len(self._smaller) + 1)
        return self._unique(step)

    def _unique(self, step: int) -> VariantCandidate:
        while step > 0 and not self._smaller[step].is_unique:
            step -= 1
        return self._smaller[step]

    def _with(self, count: int) -> VariantCandidate:
        """Return the last puzzle with so many clues and givens more."""
        easier = self._unique(len(self._smaller) - 1)
        n_units = min(count, len(easier.spare))
        for _ in range(n_units):
            easier = easier.with_unit()
        return easier.with_groups(self._groups[: count - n_units])


def refine(
    canvas: Canvas, clues: Sequence[Rule], other: Mapping[Cell, int], rng: np.random.Generator
) -> list[Rule] | None:
    """Replace one clue by stricter ones that the digits `other` break.

    Return all clues, or None if no clue can be replaced.
    """
    for i in rng.permutation(len(clues)).tolist():
        refine = CLUES[clues[i].name].refine
        stricter = [] if refine is None else refine(canvas, clues, i, other)
        if stricter:
            return stricter
    return None


def join_clues(clues: Sequence[Rule]) -> list[Rule]:
    """Join clues to rules: all marks of one kind are one rule."""
    rules: list[Rule] = []
    together: dict[type[Rule], list[Rule]] = {}
    for clue in clues:
        if CLUES[clue.name].joins:
            together.setdefault(type(clue), []).append(clue)
        else:
            rules.append(clue)
    for same in together.values():
        cells = {
            field.name: tuple(cell for clue in same for cell in getattr(clue, field.name))
            for field in fields(same[0])
            if isinstance(getattr(same[0], field.name), tuple)
        }
        rules.append(replace(same[0], **cells))
    return rules


def search(puzzle: Variant, times: int = 1) -> Search:
    """Run a short search for two solutions, or one so many times as long, and return it."""
    short_search = quick_search(puzzle)
    n_cells = len(puzzle.board.cells)
    short_search.advance(2, times * (GUESSES if n_cells <= 100 else 5 * n_cells))
    return short_search


def is_unique(puzzle: Variant) -> bool:
    """Return True if a short search proves that a puzzle has one solution."""
    progress = search(puzzle).progress
    return bool(progress[DEPTH] < 0 and progress[FOUND] == 1)


def fixed_by_a_rule(puzzle: Variant) -> set[Cell]:
    """Return the cells for which one rule and the houses leave one digit, without any given."""
    houses = [rule for rule in puzzle.rules if isinstance(rule, Boxes | Regions)]
    fixed: set[Cell] = set()
    for rule in set(puzzle.rules).difference(houses):
        network = network_of(variant(puzzle.board, [*houses, rule]))[0]
        work, masks = new_work(network), network.start.copy()
        enlist_all(masks, network, work)
        propagate(masks, network, work)
        fixed.update(
            cell
            for cell, mask in zip(puzzle.board.cells, masks, strict=True)
            if int(mask).bit_count() == 1
        )
    return fixed


def without_rules(puzzle: Variant, kind: type[Rule]) -> Variant:
    """Return a puzzle without its rules of one kind."""
    rules = tuple(rule for rule in puzzle.rules if type(rule) is not kind)
    return Variant._of(Content(puzzle.board, rules, puzzle.givens.copy()))


def variant(board: Board, rules: Sequence[Rule], givens: dict[Cell, int] | None = None) -> Variant:
    """Return the puzzle of a board, exactly these rules, and givens."""
    values = np.zeros((board.n_rows, board.n_columns), np.int8)
    for cell, digit in (givens or {}).items():
        values[cell] = digit
    return Variant._of(Content(board, tuple(rules), values.ravel()))
