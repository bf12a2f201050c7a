"""New variants of given rules."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.checks import check_fields, one_of
from nando.generators.sudoku.symmetry import SYMMETRIES, Symmetry
from nando.generators.variants.asked import Asked, read_rules
from nando.generators.variants.cages import cage_of
from nando.generators.variants.canvas import Canvas
from nando.generators.variants.filling import NoGridError, random_board
from nando.generators.variants.makers import MAKERS
from nando.generators.variants.placing import groups_of, joined
from nando.generators.variants.switches import (
    Panel,
    add_needed,
    drop_needless,
    panel_of,
    switch_on,
)
from nando.puzzles import Variant
from nando.puzzles.boards.board import Board, Cell
from nando.puzzles.boards.constraints import Constraint
from nando.puzzles.boards.rule import Rule
from nando.puzzles.frozen import EqualFields
from nando.puzzles.rules.boxes import Boxes
from nando.puzzles.rules.cages import Cage
from nando.puzzles.variants.symmetry import Content
from nando.solvers.exact.bands import FOUND
from nando.solvers.exact.variants import VariantSearch
from nando.solvers.variants.network import Ints, Network, join

_GUESSES = 400
"""Guesses of a search for another solution, after which a clue counts as needed."""

_LAYOUTS = 20
"""Layouts tried until one can be filled."""

_REFINED = 12
"""Times that clues are made smaller, until a puzzle without givens has one solution."""


class Layout(NamedTuple):
    """What is on the board before the digits.

    Attributes
    ----------
    board : Board
    rules : tuple of Rule
    constraints : tuple of (int, Constraint)
    network : Network
    """

    board: Board
    rules: tuple[Rule, ...]
    constraints: tuple[tuple[int, Constraint], ...]
    network: Network

    @classmethod
    def of(cls, puzzle: Variant) -> "Layout":
        """Return the layout of a puzzle; its givens do not count."""
        none = np.zeros(len(puzzle.board.cells), np.int64)
        network = join(puzzle.board, puzzle.constraints, none)[0]
        return cls(puzzle.board, puzzle.rules, puzzle.constraints, network)


@dataclass(frozen=True)
class VariantSource:
    """What all puzzles of a batch have in common.

    Parameters
    ----------
    rules : tuple of str
        Names of rules, some with a parameter: ``killer``, ``whispers:4``, ``diagonals:falling``; of
        arrangements of several grids, for example ``samurai``; ``no-boxes``.
    size : int or None
        Digits of a grid. Default: those of the layout, or 9.
    symmetry : {"none", "rotational", "rotational-90", "mirror", "diagonal"}
        Of the givens; cages and jigsaw regions have it, too, a half turn in place of a quarter.
    givens : int or None
        Number of givens. Default: as few as the puzzle needs, or more if it is to be easier.
    clues : int or None
        Most clues of each rule, for example thermometers. Default: what looks well.
    singles : int
        Most cages of a single cell.
    layout : Variant or None
        A drawing whose board and rules are kept. A cage without a number gets one; givens do not
        count.

    Raises
    ------
    ValueError
        For an unknown rule, rules that the board cannot have, and impossible numbers.
    """

    rules: tuple[str, ...] = ()
    size: int | None = None
    symmetry: Symmetry = "none"
    givens: int | None = None
    clues: int | None = None
    singles: int = 0
    layout: Variant | None = None

    def __post_init__(self) -> None:
        if isinstance(self.rules, str):
            raise TypeError(f"rules must be a list of names, got {self.rules!r}")
        object.__setattr__(self, "rules", tuple(self.rules))
        check_fields(self)
        one_of("symmetry", self.symmetry, SYMMETRIES)
        if self.layout is not None and self.size not in (None, self.layout.size):
            raise ValueError(
                f"the layout has {self.layout.size} digits: leave the size {self.size} out"
            )
        if self.layout is None and not self.rules and self.size in (None, 9, 16, 25):
            raise ValueError("a variant needs a rule, a layout, or a size that no Sudoku has")
        n_cells = len(self._plain.board.cells)
        for name, value, least in (
            ("givens", self.givens, 0),
            ("clues", self.clues, 1),
            ("singles", self.singles, 0),
        ):
            if value is not None and not least <= value <= n_cells:
                raise ValueError(f"{name} must be {least} to {n_cells}, got {value}")
        _ = self._groups

    @cached_property
    def _asked(self) -> Asked:
        return read_rules(self.rules)

    @cached_property
    def _plain(self) -> Variant:
        """The board with the rules that every puzzle has."""
        asked, drawing = self._asked, self.layout
        size = self.size or 9
        if drawing is None:
            return Variant.of(
                f"{size}x{size}", asked.fixed, corners=asked.corners, boxed=asked.is_boxed
            )
        rules = {*drawing.rules, *asked.fixed}
        size = drawing.size
        corners = drawing.board.corners
        return Variant.of(f"{size}x{size}", rules, corners=corners, boxed=False)

    @cached_property
    def _groups(self) -> list[list[int]]:
        return groups_of(self._plain.board, self.symmetry)

    @cached_property
    def _layout(self) -> Layout:
        return Layout.of(self._plain)

    def draw(self, rng: np.random.Generator) -> "VariantCandidate | None":
        """Return a puzzle with as few givens as possible or wanted; None if the draw failed.

        Raises
        ------
        ValueError
            If no digits obey the rules.
        """
        layout, digits = self._filled(rng)
        board = layout.board
        canvas = self._canvas(board, rng)
        canvas.digits.update(zip(board.cells, digits.tolist(), strict=True))
        if any(_has_no_number(rule) for rule in layout.rules):
            rules = [
                cage_of(canvas, rule.cells_named()) if _has_no_number(rule) else rule
                for rule in layout.rules
            ]
            layout = Layout.of(_variant(board, rules))
        clues: list[Rule] = []
        for asked in self._asked.clues:
            maker = MAKERS[asked.rule.name]
            if not maker.is_layout:
                clues += maker.draw(canvas, asked.rule, dict(asked.given))
        return self._chosen(layout, canvas, digits, clues)

    def _canvas(self, board: Board, rng: np.random.Generator) -> Canvas:
        return Canvas(board, {}, rng, self.clues, self.symmetry, self.singles)

    def _filled(self, rng: np.random.Generator) -> tuple[Layout, Ints]:
        """Return a layout and digits that obey it."""
        drawn = [asked for asked in self._asked.clues if MAKERS[asked.rule.name].is_layout]
        for _ in range(_LAYOUTS):
            layout = self._layout
            if drawn:
                canvas = self._canvas(layout.board, rng)
                rules = [
                    rule
                    for asked in drawn
                    for rule in MAKERS[asked.rule.name].draw(canvas, asked.rule, {})
                ]
                layout = Layout.of(_variant(layout.board, [*layout.rules, *rules]))
            try:
                digits = random_board(layout.network, rng)
            except NoGridError:
                if not drawn:
                    raise ValueError(
                        f"no digits obey {self._named}: leave a rule out, or change the layout"
                    ) from None
                continue
            if digits is not None:
                return layout, digits
        raise ValueError(
            f"no digits were found that obey {self._named}: leave a rule out, or change the layout"
        )

    @property
    def _named(self) -> str:
        names = [*self.rules, *(["the layout"] if self.layout is not None else [])]
        return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)

    def _chosen(
        self, layout: Layout, canvas: Canvas, digits: Ints, clues: list[Rule]
    ) -> "VariantCandidate | None":
        """Return the puzzle of clues and givens, as few as it needs of those that may go."""
        with_givens = self.givens != 0
        is_refined = not self.givens and any(MAKERS[clue.name].refine for clue in clues)
        for tried in range(_REFINED + 1):
            is_refined &= tried < _REFINED
            panel, order = self._panel(layout, canvas, digits, clues)
            if with_givens and not is_refined:
                givens = len(clues) + canvas.rng.permutation(len(self._groups))
                order = np.concatenate([order, givens])
            answer = add_needed(*panel, order, _GUESSES)
            if answer == 1:
                break
            if not is_refined:
                return None
            refined = self._refined(canvas, clues, panel if answer == 0 else None)
            is_refined = refined is not None
            clues = refined or clues
        drop_needless(*panel, order[::-1].copy(), _GUESSES)
        is_on = panel.switches.is_on
        kept = tuple(clue for clue, on in zip(clues, is_on, strict=False) if on)
        given = is_on[len(clues) :].astype(np.bool_)
        candidate = VariantCandidate(self, layout, kept, digits, given)
        return candidate.with_wanted_givens(canvas.rng)

    def _panel(
        self, layout: Layout, canvas: Canvas, digits: Ints, clues: Sequence[Rule]
    ) -> tuple[Panel, Ints]:
        """Return switches, on for clues that stay, and the numbers of the others."""
        board, rng = layout.board, canvas.rng
        constraints = [list(clue.constraints(board)) for clue in clues]
        panel = panel_of(board, layout.constraints, constraints, self._groups, digits)
        stays = np.array([MAKERS[clue.name].keeps_all for clue in clues], np.bool_)
        for unit in np.flatnonzero(stays).tolist():
            switch_on(panel.switches, panel.work, unit)
        return panel, rng.permutation(np.flatnonzero(~stays))

    def _refined(
        self, canvas: Canvas, clues: Sequence[Rule], panel: Panel | None
    ) -> list[Rule] | None:
        """Return clues of which one says more; None if none can."""
        other = dict(canvas.digits)
        if panel is not None:
            cells = zip(canvas.board.cells, panel.memory.other[0].tolist(), strict=True)
            other = dict(cells)
        for i in canvas.rng.permutation(len(clues)).tolist():
            refine = MAKERS[clues[i].name].refine
            parts = [] if refine is None else refine(canvas, clues[i], other)
            if parts:
                return [*clues[:i], *parts, *clues[i + 1 :]]
        return None


@dataclass(frozen=True, eq=False)
class VariantCandidate(EqualFields):
    """A puzzle with one solution, and the puzzles it can become.

    Attributes
    ----------
    source : VariantSource
    layout : Layout
    clues : tuple of Rule
    digits : ndarray of int64, shape (n_cells,)
        The solution.
    given : ndarray of bool, shape (n_groups,)
        Which groups of cells are given.
    """

    source: VariantSource
    layout: Layout
    clues: tuple[Rule, ...]
    digits: Ints
    given: NDArray[np.bool_]

    @cached_property
    def puzzle(self) -> Variant:
        """The puzzle itself."""
        rules = [*self.layout.rules, *joined(self.clues)]
        return _variant(self.layout.board, rules, self._givens)

    @property
    def _givens(self) -> dict[Cell, int]:
        cells = self.layout.board.cells
        groups = self.source._groups
        numbers = [cell for i in np.flatnonzero(self.given).tolist() for cell in groups[i]]
        return {cells[number]: int(self.digits[number]) for number in numbers}

    def with_wanted_givens(self, rng: np.random.Generator) -> "VariantCandidate | None":
        """Return the puzzle with as many givens as wanted; None if it cannot have them."""
        sizes = np.array([len(group) for group in self.source._groups])
        given, wanted = self.given.copy(), self.source.givens
        count = int(sizes[given].sum())
        if wanted is not None:
            for i in rng.permutation(np.flatnonzero(~given)).tolist():
                if count + sizes[i] <= wanted:
                    given[i] = True
                    count += int(sizes[i])
            if count != wanted:
                return None
        candidate = replace(self, given=given)
        return candidate if candidate.needs_every_rule else None

    @cached_property
    def needs_every_rule(self) -> bool:
        """Whether the puzzle has several solutions without any one of its rules."""
        puzzle = self.puzzle
        kinds = {type(rule) for rule in puzzle.rules if type(rule) is not Boxes}
        asked = self.source._asked.clues
        if not all(made.rule in kinds for made in asked):
            return False
        return all(_needs(puzzle, kind) for kind in kinds)

    def easier_ones(self, rng: np.random.Generator) -> Sequence["VariantCandidate"]:
        """Return this puzzle, then easier ones with one more group of givens each.

        They go on as long as every rule is needed.
        """
        if self.source.givens is not None:
            return [self]
        path = [self]
        for i in rng.permutation(np.flatnonzero(~self.given)).tolist():
            given = path[-1].given.copy()
            given[i] = True
            path.append(replace(self, given=given))
        # With more givens, no rule is needed more: the last puzzle that needs all is found by
        # halving.
        first, last = 0, len(path)
        while last - first > 1:
            middle = (first + last) // 2
            if path[middle].needs_every_rule:
                first = middle
            else:
                last = middle
        return path[:last]

    def moves(self, rng: np.random.Generator, *, harder: bool) -> Iterator["VariantCandidate"]:
        """Yield other puzzles near this one, in random order; perhaps none.

        Parameters
        ----------
        rng : Generator
        harder : bool
            Whether to make the puzzle harder. Removing a given makes it harder, adding one easier.
        """
        if self.source.givens is not None:
            return
        for i in rng.permutation(np.flatnonzero(self.given == harder)).tolist():
            given = self.given.copy()
            given[i] = not harder
            candidate = replace(self, given=given)
            if candidate.is_unique if harder else candidate.needs_every_rule:
                yield candidate

    @property
    def is_unique(self) -> bool:
        """Whether the search finds one solution in time."""
        search = VariantSearch(self.puzzle)
        search.advance(2, _GUESSES)
        return bool(search.progress[0] < 0 and search.progress[FOUND] == 1)


def _has_no_number(rule: Rule) -> bool:
    return isinstance(rule, Cage) and rule.total is None and not rule.repeats


def _needs(puzzle: Variant, kind: type[Rule]) -> bool:
    """Return True if a puzzle has several solutions without its rules of one kind."""
    rules = tuple(rule for rule in puzzle.rules if type(rule) is not kind)
    search = VariantSearch(Variant._of(Content(puzzle.board, rules, puzzle.givens.copy())))
    search.advance(2, _GUESSES)
    return bool(search.progress[FOUND] > 1)


def _variant(board: Board, rules: Sequence[Rule], givens: dict[Cell, int] | None = None) -> Variant:
    """Return the puzzle of a board, exactly these rules, and givens."""
    values = np.zeros((board.n_rows, board.n_columns), np.int8)
    for cell, digit in (givens or {}).items():
        values[cell] = digit
    return Variant._of(Content(board, tuple(rules), values.ravel()))
