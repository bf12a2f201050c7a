"""New variants of given rules."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from nando.generators.sudoku import Symmetry, groups_of
from nando.generators.target import FailedDraw
from nando.generators.variants.board import Canvas, NoGridError, random_board
from nando.generators.variants.cages import cage_of
from nando.generators.variants.candidate import (
    GUESSES,
    Layout,
    VariantCandidate,
    refine,
    variant,
)
from nando.generators.variants.clues import CLUES, Asked, read_rules
from nando.generators.variants.switches import (
    Panel,
    add_needed,
    drop_needless,
    panel_of,
    switch,
)
from nando.puzzles import Variant
from nando.puzzles.boards.board import Board
from nando.puzzles.boards.rule import Rule
from nando.puzzles.rules.cages import Cage
from nando.records import Settings, setting
from nando.solvers.logic.language import words_of
from nando.solvers.variants.tables import Ints

_LAYOUTS = 20
"""Most layouts tried until one can be filled."""

_REFINED = 12
"""Most times that clues are made smaller until a puzzle without givens has one solution."""


def _names(name: str, value: Iterable[str]) -> tuple[str, ...]:
    if isinstance(value, str):
        raise TypeError(f"{name} must be a list of names, got {value!r}")
    return tuple(value)


@dataclass(frozen=True)
class VariantSource(Settings):
    """The settings that all puzzles of a batch share.

    Parameters
    ----------
    rules : tuple of str
        Names of rules, some with a parameter: ``killer``, ``whispers:4``, ``diagonals:falling``; of
        arrangements of several grids, for example ``samurai``; ``no-boxes``.
    size : int or None
        Digits of a grid. Default: those of the layout, or 9.
    symmetry : {"none", "rotational", "rotational-90", "mirror", "diagonal"}
        Symmetry of the givens. Cages and jigsaw regions have it, too, but with a half turn instead
        of a quarter turn.
    givens : int or None
        Number of givens. Default: as few as the puzzle needs, or more if it is to be easier.
    clues : int or None
        Most clues of each rule, for example thermometers. Default: a number that looks good.
    singles : int
        Most cages of a single cell.
    layout : Variant or None
        A drawing whose board and rules are kept. A cage without a number gets one; givens do not
        count.

    Raises
    ------
    ValueError
        For an unknown rule, rules that the board cannot have, or impossible numbers.
    """

    most_scored: ClassVar[int] = 300
    """Puzzles scored for one puzzle before its target counts as out of reach."""

    most_failed: ClassVar[int] = 40
    """Draws that may fail before the first puzzle. If a puzzle can be made, nearly all draws
    succeed, or about half without givens."""

    rules: tuple[str, ...] = setting((), _names)
    size: int | None = None
    symmetry: Symmetry = "none"
    givens: int | None = None
    clues: int | None = None
    singles: int = 0
    layout: Variant | None = None

    def check(self) -> None:
        """Reject settings that contradict each other, or that no puzzle has."""
        if self.layout is not None and self.size not in (None, self.layout.size):
            raise ValueError(
                f"the layout has {self.layout.size} digits: leave the size {self.size} out"
            )
        if self.layout is None and not self.rules and self.size in (None, 9, 16, 25):
            order = {16: 4, 25: 5}.get(self.size or 9, 3)
            hint = (
                f"; for a Sudoku of {order**2}x{order**2}, give the order {order} (--order {order})"
            )
            raise ValueError(
                f"a variant needs a rule, a layout, or a size that no Sudoku has{hint}"
            )
        n_cells = len(self._plain.board.cells)
        for name, value, least in (
            ("givens", self.givens, 0),
            ("clues", self.clues, 1),
            ("singles", self.singles, 0),
        ):
            if value is not None and not least <= value <= n_cells:
                raise ValueError(f"{name} must be {least} to {n_cells}, got {value}")
        _ = self._groups
        for asked in self._asked.clues:
            if asked.is_impossible(self._plain.board):
                name = ":".join([asked.rule.name, *(str(number) for _, number in asked.given)])
                n = self._plain.size
                raise ValueError(f"{name} fits no two of {n} digits: ask for another number")

    @property
    def easier(self) -> str:
        """Advice on settings that would allow easier puzzles."""
        if self.givens is None:
            return ""
        more = "more givens" if self.givens else "givens"
        if any(asked.rule is Cage for asked in self._asked.clues):
            return f"allow {more} or more cages of a single cell"
        return f"allow {more}"

    @property
    def hint(self) -> str:
        """Advice if no grid gives a suitable puzzle."""
        if self.givens is None:
            return "ask for fewer rules: each of them must be needed"
        givens = "another number of givens" if self.givens else "givens"
        return f"ask for {givens}, or for other rules"

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
        return Layout.of(self._plain, self._groups)

    def draw(self, rng: np.random.Generator) -> "VariantCandidate | FailedDraw | None":
        """Return a puzzle with few givens, or the requested number.

        A failed draw returns None, or how near it came to the number of givens.

        Raises
        ------
        ValueError
            If no digits obey the rules.
        """
        layout, digits = self._fill(rng)
        board = layout.board
        canvas = self._canvas(board, rng)
        canvas.digits.update(zip(board.cells, digits.tolist(), strict=True))
        if any(_has_no_number(rule) for rule in layout.rules):
            rules = [
                cage_of(canvas, rule.cells_named()) if _has_no_number(rule) else rule
                for rule in layout.rules
            ]
            layout = Layout.of(variant(board, rules), self._groups)
        clues: list[Rule] = []
        for asked in self._asked.clues:
            kind = CLUES[asked.rule.name]
            if not kind.is_layout:
                clues += kind.draw(canvas, asked.rule, dict(asked.given))
        return self._choose(layout, canvas, digits, clues)

    def _canvas(self, board: Board, rng: np.random.Generator) -> Canvas:
        return Canvas(board, {}, rng, self.clues, self.symmetry, self.singles)

    def _fill(self, rng: np.random.Generator) -> tuple[Layout, Ints]:
        """Return a layout and digits that obey it."""
        drawn = [asked for asked in self._asked.clues if CLUES[asked.rule.name].is_layout]
        for _ in range(_LAYOUTS):
            layout = self._layout
            if drawn:
                canvas = self._canvas(layout.board, rng)
                rules = [
                    rule
                    for asked in drawn
                    for rule in CLUES[asked.rule.name].draw(canvas, asked.rule, {})
                ]
                layout = Layout.of(variant(layout.board, [*layout.rules, *rules]), self._groups)
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
        return words_of("en").listed(names)

    def _choose(
        self, layout: Layout, canvas: Canvas, digits: Ints, clues: list[Rule]
    ) -> "VariantCandidate | FailedDraw | None":
        """Return a puzzle with only those clues and givens that it needs; None on failure."""
        with_givens = self.givens != 0
        is_refined = not self.givens and any(CLUES[clue.name].refine for clue in clues)
        for tried in range(_REFINED + 1):
            is_refined &= tried < _REFINED
            panel, order = self._panel(layout, canvas, digits, clues)
            if with_givens and not is_refined:
                givens = len(clues) + canvas.rng.permutation(len(self._groups))
                order = np.concatenate([order, givens])
            answer = add_needed(*panel, order, GUESSES)
            if answer == 1:
                break
            if not is_refined:
                return None
            other = dict(canvas.digits)
            if answer == 0:
                other = dict(
                    zip(canvas.board.cells, panel.memory.solutions[0].tolist(), strict=True)
                )
            stricter = refine(canvas, clues, other, canvas.rng)
            is_refined = stricter is not None
            clues = stricter or clues
        drop_needless(*panel, order[::-1].copy(), GUESSES)
        is_on = panel.switches.is_on
        kept = tuple(clue for clue, on in zip(clues, is_on, strict=False) if on)
        given, count = self._with_wanted(is_on[len(clues) :].astype(np.bool_), canvas.rng)
        if self.givens not in (None, count):
            return FailedDraw(abs(count - self.givens), f"{count} givens")
        asked = {made.rule for made in self._asked.clues if not CLUES[made.rule.name].is_layout}
        if not asked <= {type(clue) for clue in kept}:
            return None
        is_fixed = self.givens is not None
        candidate = VariantCandidate(layout, canvas, kept, digits, given, is_fixed)
        return candidate if candidate.needs_every_rule else None

    def _with_wanted(
        self, given: NDArray[np.bool_], rng: np.random.Generator
    ) -> tuple[NDArray[np.bool_], int]:
        """Add givens up to the requested number, if any; return them and their number."""
        sizes = np.array([len(group) for group in self._groups])
        count = int(sizes[given].sum())
        if self.givens is None:
            return given, count
        for i in rng.permutation(np.flatnonzero(~given)).tolist():
            if count + sizes[i] <= self.givens:
                given[i] = True
                count += int(sizes[i])
        return given, count

    def _panel(
        self, layout: Layout, canvas: Canvas, digits: Ints, clues: Sequence[Rule]
    ) -> tuple[Panel, Ints]:
        """Return a panel with the clues that must stay on, and the numbers of the others."""
        board, rng = layout.board, canvas.rng
        constraints = [list(clue.constraints(board)) for clue in clues]
        panel = panel_of(board, layout.constraints, constraints, self._groups, digits)
        stays = np.array([CLUES[clue.name].keeps_all for clue in clues], np.bool_)
        for unit in np.flatnonzero(stays).tolist():
            switch(panel.switches, panel.network, panel.work, unit, True)
        return panel, rng.permutation(np.flatnonzero(~stays))


def _has_no_number(rule: Rule) -> bool:
    return isinstance(rule, Cage) and rule.total is None and not rule.repeats
