"""New variants of given rules.

Some lines are drawn before the digits, so that they can be longer than random digits allow.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from nando.checks import how_many
from nando.generators.sudoku import Symmetry, groups_of
from nando.generators.target import FailedDraw
from nando.generators.variants.asked import Asked, Clues, read_rules
from nando.generators.variants.board import Canvas, NoGridError, Scope, Span, random_board
from nando.generators.variants.cages import cage_of
from nando.generators.variants.candidate import Layout, VariantCandidate, refine, variant
from nando.generators.variants.choice import GUESSES, Choice, Unit, covered_by, points_of, units_of
from nando.generators.variants.clues import CLUES, draw_path
from nando.generators.variants.switches import find_other, panel_of
from nando.names import Look
from nando.puzzles import Variant
from nando.puzzles.boards.board import Board
from nando.puzzles.boards.rule import Relabelling, Rule
from nando.puzzles.rules.sums import Cage
from nando.puzzles.variants.puzzle import constraints_of_rule
from nando.puzzles.variants.text import digits_of
from nando.records import Settings, setting
from nando.solvers.logic.language import words_of
from nando.solvers.variants.tables import Ints

_BEGUN = 200
"""Lines begun for one rule."""


def draw_guides(
    canvas: Canvas, layout: Layout, asked: Sequence[Clues]
) -> tuple[list[Rule], Ints | None]:
    """Return long lines that share no cell and do not cross, and random digits that obey them.

    Each line is drawn where the others leave room, and kept if digits are found at once. The digits
    are None if there are no such lines.
    """
    guides, found = list[Rule](), None
    makers = [(make, clues) for clues in asked if (make := CLUES[clues.rule.name].line)]
    for make, clues in makers:
        (_, count), (least, most) = canvas.scopes[clues.rule.name]
        left = -(-count // len(makers))
        for _ in range(_BEGUN):
            cells = draw_path(canvas, (least, most - canvas.below((most - least) // 2 + 1)))
            if cells is None:
                continue
            line = make(clues.rule, dict(clues.given), cells)
            lines = list(dict.fromkeys((line, line.moved(canvas.image, canvas.image_of_line))))
            if len(lines) > left or not _are_apart([*guides, *lines]):
                continue
            digits = _digits(canvas, layout, [*guides, *lines])
            if digits is not None:
                guides += lines
                found = digits
                left -= len(lines)
                canvas.used.update(cell for each in lines for cell in each.cells_named())
    return guides, found


def _are_apart(lines: Sequence[Rule]) -> bool:
    return len(points_of(lines)) == sum(len(points_of([line])) for line in lines)


def _digits(canvas: Canvas, layout: Layout, lines: Sequence[Rule]) -> Ints | None:
    """Return random digits that obey lines, the last of which says something; None for none."""
    if not any(True for _ in lines[-1].constraints(layout.board)):
        return None
    rules = [*layout.rules, *lines]
    try:
        network = Layout.of(variant(layout.board, rules), layout.groups).network
        return random_board(network, canvas.rng, 1)
    except NoGridError:
        return None


_LAYOUTS = 20
"""Most layouts tried until one can be filled."""

_REFINED = 12
"""Most times that clues are made smaller until a puzzle has one solution."""

_RESTARTS = 3
"""Grids tried until clues carry a puzzle; the one with the fewest givens is taken."""

_LARGE = 81
"""Cells of the largest boards whose clues carry a puzzle without givens on them."""

_WEIGHED = 200
"""Random boards by which clues are weighed."""

_FEW = 8
"""Most givens of a puzzle that its clues carry."""


def _names(name: str, value: Iterable[str]) -> tuple[str, ...]:
    if isinstance(value, str):
        raise TypeError(f"{name} must be a list of names, got {value!r}")
    return tuple(value)


def _span(name: str, value: Any) -> Span:
    """Return a range, whose ends may be equal."""
    least, most = (value, value) if isinstance(value, int) else value
    if least > most:
        raise ValueError(f"{name} must be a range from less to more, got {least}-{most}")
    return least, most


@dataclass(frozen=True)
class VariantSource(Settings):
    """The settings that all puzzles of a batch share.

    Parameters
    ----------
    rules : tuple of str
        Names of rules, some with a parameter: ``killer``, ``whispers:4``, ``diagonals:falling``; of
        arrangements of several grids, for example ``samurai``; ``no-boxes``; the lowest and the
        highest digit, for example ``digits:0-8``.
    size : int or None
        Rows and columns of a grid. Default: those of the layout, or 9.
    symmetry : {"none", "rotational", "rotational-90", "mirror", "diagonal"}
        Symmetry of the givens. Lines, cages and jigsaw regions have it, too, but with a half turn
        instead of a quarter turn.
    look : {"newspaper", "setter"}
        Clues that carry the puzzle, with few givens and none on a line or in a cage; or no givens,
        and few long clues.
    givens : int, pair of int, or None
        Number of givens, or a range. Default: as few as the puzzle needs. An easier puzzle has
        more, but at most eight beside lines or cages that carry it.
    clues : int, pair of int, or None
        Number of clues of each rule, for example thermometers. Default: those of the look.
    cells : int, pair of int, or None
        Number of cells of each line or cage, or digits of a quadruple. Default: those of the look.
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
    """Draws that may fail before the first puzzle, fewer if they have many givens more than they
    may have. If a puzzle can be made, nearly all draws succeed, or about half without givens."""

    @property
    def most_seconds(self) -> float:
        """Seconds of the search for one puzzle: a minute for a board of 9x9, more for larger."""
        return 60.0 * max(1.0, self._all / 81)

    rules: tuple[str, ...] = setting((), _names)
    size: int | None = None
    symmetry: Symmetry = "none"
    look: Look = "newspaper"
    givens: Span | int | None = setting(None, _span)
    clues: Span | int | None = setting(None, _span)
    cells: Span | int | None = setting(None, _span)
    singles: int = 0
    layout: Variant | None = None

    def check(self) -> None:
        """Reject settings that contradict each other, or that no puzzle has."""
        if self.layout is not None and self.size not in (None, n := self.layout.board.size):
            raise ValueError(f"the layout is {n}x{n}: leave the size {self.size} out")
        if self.layout is None and not self.rules and self.size in (None, 9, 16, 25):
            order = {16: 4, 25: 5}.get(self.size or 9, 3)
            hint = (
                f"; for a Sudoku of {order**2}x{order**2}, give the order {order} (--order {order})"
            )
            raise ValueError(
                f"a variant needs a rule, a layout, or a size that no Sudoku has{hint}"
            )
        n_cells = self._all
        for name, value, bound in (
            ("givens", self.givens, 0),
            ("clues", self.clues, 1),
            ("cells", self.cells, 1),
            ("singles", self.singles, 0),
        ):
            if value is None:
                continue
            least, most = value if isinstance(value, tuple) else (value, value)
            if not bound <= least <= most <= n_cells:
                shown = most if most > n_cells else least
                raise ValueError(f"{name} must be {bound} to {n_cells}, got {shown}")
        kinds = {rule.name: CLUES[rule.name] for rule in self._drawn}
        for name, kind in kinds.items():
            (fewest, _), (smallest, _) = self._scopes[name]
            if kind.layer and fewest * smallest > n_cells:
                raise ValueError(
                    f"{fewest} clues of {name} with {smallest} cells do not fit on {n_cells} "
                    "cells: ask for fewer, or for shorter ones"
                )
        if self.look == "setter" and (not kinds or any(not kind.setter for kind in kinds.values())):
            lacking = [name for name, kind in kinds.items() if not kind.setter] or [self._named]
            raise ValueError(
                f"the look setter has no givens, and {lacking[0]} has no clues that can do without "
                "them: leave the look out, or name a rule with lines, cages or numbers outside"
            )
        for name, of_rules, missing in (
            ("clues", kinds, "clues to count"),
            ("cells", any(kind.has_sizes for kind in kinds.values()), "clues of several cells"),
            ("singles", Cage in self._drawn, "cages"),
        ):
            if getattr(self, name) and not of_rules:
                raise ValueError(f"{self._named}: no {missing}; leave {name} out")
        if self._most_givens < self._fewest_givens:
            raise ValueError(
                f"{self._named} holds for any exchange of digits, or for their reversal, so a "
                f"puzzle needs at least {how_many(self._fewest_givens, 'given')}: allow that many, "
                "or name another rule, too"
            )
        _ = self._groups
        for asked in self._asked.clues:
            kind, board = CLUES[asked.rule.name], self._plain.board
            if isinstance(self.cells, tuple) and kind.has_sizes:
                (least, most), (fewest, longest) = kind.lengths(asked, board), self.cells
                if fewest > most:
                    raise ValueError(
                        f"cells must be at most {most} for {asked.rule.name}, got {fewest}"
                    )
                if longest < least:
                    single = "; singles allows cages of one" if asked.rule is Cage else ""
                    raise ValueError(
                        f"cells must be at least {least} for {asked.rule.name}, "
                        f"got {longest}{single}"
                    )
            for unfit in asked.rule.unfit_digits(board):
                raise ValueError(f"{unfit}: name other digits, or another rule")
            if asked.is_impossible(board):
                name = ":".join([asked.rule.name, *(str(number) for _, number in asked.given)])
                n = self._plain.size
                raise ValueError(f"{name} fits no two of {n} digits: ask for another number")

    @property
    def easier(self) -> str:
        """Advice on settings that would allow easier puzzles."""
        more = "more givens" if self._most_givens else "givens"
        if Cage in self._drawn:
            return f"allow {more} or more cages of a single cell"
        return f"allow {more}" if self._most_givens < self._all else ""

    @property
    def hint(self) -> str:
        """Advice if no grid gives a suitable puzzle."""
        if self.look == "setter" and self.givens is None:
            return "name another rule with clues, too, or allow some givens"
        asked = [name for name in ("givens", "clues", "cells") if getattr(self, name) is not None]
        if not asked:
            return "ask for fewer rules: each of them must be needed"
        return f"ask for other {words_of('en').listed(asked)}, or for other rules"

    @cached_property
    def _asked(self) -> Asked:
        return read_rules(self.rules)

    @cached_property
    def _plain(self) -> Variant:
        """The board with the rules that every puzzle has."""
        asked, drawing = self._asked, self.layout
        size, rules, boxed = self.size or 9, {*asked.fixed}, asked.is_boxed
        corners, digits = asked.corners, asked.digits
        if drawing is not None:
            size, rules, boxed = drawing.board.size, rules.union(drawing.rules), False
            corners, digits = drawing.board.corners, digits or digits_of(drawing.board)
        return Variant.of(f"{size}x{size}", rules, corners=corners, boxed=boxed, digits=digits)

    @cached_property
    def _groups(self) -> list[list[int]]:
        return groups_of(self._plain.board, self.symmetry)

    @cached_property
    def _layout(self) -> Layout:
        return Layout.of(self._plain, self._groups)

    def draw(self, rng: np.random.Generator) -> "VariantCandidate | FailedDraw | None":
        """Return a puzzle with few givens, or the requested number.

        A failed draw returns None, or how near it came to what was requested.

        Raises
        ------
        ValueError
            If no digits obey the rules.
        """
        best: VariantCandidate | FailedDraw | None = None
        for _ in range(_RESTARTS if self._is_carried and self._most_givens > _FEW else 1):
            drawn = self._draw(rng)
            if isinstance(drawn, VariantCandidate):
                if not self._is_carried or drawn.n_givens <= _FEW:
                    return drawn
                if not isinstance(best, VariantCandidate) or drawn.n_givens < best.n_givens:
                    best = drawn
            else:
                return best or drawn
        return best

    def _draw(self, rng: np.random.Generator) -> "VariantCandidate | FailedDraw | None":
        layout, digits, guides = self._fill(rng)
        board = layout.board
        canvas = self._canvas(board, rng)
        canvas.digits.update(board.grid_of(digits.tolist()))
        if any(_has_no_number(rule) for rule in layout.rules):
            rules = [
                cage_of(canvas, rule.cells_named()) if _has_no_number(rule) else rule
                for rule in layout.rules
            ]
            layout = Layout.of(variant(board, rules), self._groups)
        units: list[Unit] = []
        for asked in self._asked.clues:
            kind = CLUES[asked.rule.name]
            if kind.is_layout:
                continue
            clues = [line for line in guides if type(line) is asked.rule]
            clues += kind.draw(canvas, asked.rule, dict(asked.given))
            is_whole = canvas.is_whole and kind.keeps_all
            units += [(clue,) for clue in clues] if is_whole else units_of(canvas, clues)
        return self._choose(layout, canvas, digits, units)

    @cached_property
    def _drawn(self) -> list[type[Rule]]:
        """The rules whose clues are drawn after the digits."""
        return [asked.rule for asked in self._asked.clues if not CLUES[asked.rule.name].is_layout]

    @property
    def _is_carried(self) -> bool:
        """True if the clues may be enough without more than a few givens."""
        return any(rule.relabelling is not Relabelling.ANY for rule in self._drawn)

    @property
    def _most_givens(self) -> int:
        if isinstance(self.givens, tuple):
            return self.givens[1]
        return int(self._fewest_givens == 1) if self.look == "setter" else self._all

    @property
    def _all(self) -> int:
        return len(self._plain.board.cells)

    @cached_property
    def _fewest_givens(self) -> int:
        """The givens without which digits could be exchanged, or reversed."""
        rules = [type(rule) for rule in self._plain.rules]
        rules += [asked.rule for asked in self._asked.clues]
        if all(rule.relabelling is Relabelling.ANY for rule in rules):
            return min(self._plain.board.size, self._plain.size - 1)
        is_reversible = all(
            rule.relabelling is not Relabelling.NONE
            and rule.reversed_digits is Rule.reversed_digits
            for rule in rules
        )
        return int(is_reversible)

    @cached_property
    def _scopes(self) -> dict[str, Scope]:
        """How many clues each rule may have, and of how many cells."""
        scopes = {}
        n, share = self._plain.size, self._all / 81
        for asked in self._asked.clues:
            name, kind = asked.rule.name, CLUES[asked.rule.name]
            scope = (kind.setter if self.look == "setter" else None) or kind.newspaper
            (fewest, most), (least, longest) = scope
            clues, cells = (fewest, max(2, round(share * most))), (min(least, n), min(longest, n))
            if isinstance(self.clues, tuple):
                clues = self.clues
            if isinstance(self.cells, tuple) and kind.has_sizes:
                cells = self.cells
            scopes[name] = Scope(clues, cells)
        return scopes

    def _canvas(self, board: Board, rng: np.random.Generator) -> Canvas:
        is_whole = self.look == "newspaper" and len(self._drawn) == 1 and self.clues is None
        return Canvas(board, {}, rng, self._scopes, self.symmetry, self.singles, is_whole)

    def _fill(self, rng: np.random.Generator) -> tuple[Layout, Ints, list[Rule]]:
        """Return a layout, digits that obey it, and lines that they obey, too."""
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
            if self._all <= _LARGE:
                canvas = self._canvas(layout.board, rng)
                guides, digits = draw_guides(canvas, layout, self._asked.clues)
                if digits is not None:
                    return layout, digits, guides
            try:
                digits = random_board(layout.network, rng)
            except NoGridError:
                if not drawn:
                    raise ValueError(
                        f"no digits obey {self._named}: leave a rule out, or change the layout"
                    ) from None
                continue
            if digits is not None:
                return layout, digits, []
        raise ValueError(
            f"no digits were found that obey {self._named}: leave a rule out, or change the layout"
        )

    def _boards(self, layout: Layout, rng: np.random.Generator) -> Ints:
        """Return random boards by which clues are weighed; few or none if they take long."""
        boards: list[Ints] = []
        while len(boards) < (_WEIGHED if self._all <= _LARGE and self._drawn else 0):
            board = random_board(layout.network, rng, 1)
            if board is None:
                break
            boards.append(board)
        return np.array(boards, np.int64).reshape(-1, layout.network.n_cells)

    @property
    def _named(self) -> str:
        names = [*self.rules, *(["the layout"] if self.layout is not None else [])]
        return words_of("en").listed(names)

    def _choose(
        self, layout: Layout, canvas: Canvas, digits: Ints, units: list[Unit]
    ) -> "VariantCandidate | FailedDraw | None":
        """Return a puzzle with only those clues and givens that it needs."""
        boards = self._boards(layout, canvas.rng)
        for tried in range(_REFINED + 1):
            kept = [i for i in range(len(units)) if canvas.is_whole and _keeps(units[i])]
            constraints = [
                [own for clue in unit for own in constraints_of_rule(clue, layout.board)]
                for unit in units
            ]
            panel = panel_of(layout.board, layout.constraints, constraints, layout.groups, digits)
            choice = Choice(canvas, panel, units)
            choice.pack_clues(boards, kept)
            is_unique = choice.choose_clues()
            if is_unique or tried == _REFINED:
                break
            cages = [units[i][0] for i in kept if CLUES[units[i][0].name].refine]
            answer = find_other(*panel, -1, GUESSES)
            other = panel.memory.solutions[0].tolist() if answer > 0 else digits.tolist()
            stricter = refine(canvas, cages, canvas.board.grid_of(other), canvas.rng)
            if stricter is None:
                break
            others = [units[i] for i in range(len(units)) if units[i][0] not in cages]
            units = [*others, *((clue,) for clue in stricter)]
        off, fallback = self._open_groups(layout, choice)
        sample = None if self._is_carried else 1
        while not is_unique:
            for groups in (off, [*off, *fallback]):
                numbers = [len(units) + i for i in groups]
                is_unique = is_unique or choice.choose_givens(numbers, sample)
            if not is_unique:
                if not choice.make_room(kept):
                    return None
                off, fallback = self._open_groups(layout, choice)
        choice.drop_needless(kept)
        if self._is_carried and self._all <= _LARGE:
            choice.choose_again(
                lambda: [len(units) + i for i in self._open_groups(layout, choice)[0]],
                kept,
                min(_FEW, self._most_givens),
            )
        is_on = panel.switches.is_on
        chosen = tuple(units[i] for i in np.flatnonzero(is_on[: len(units)]).tolist())
        given = is_on[len(units) :].astype(np.bool_)
        spare = tuple(choice.spare())
        covered = self._covered(layout, [*chosen, *spare])
        off, _ = self._open_groups(layout, choice)
        open_groups = [i for i in off if not covered & set(layout.groups[i])] or fallback
        candidate = VariantCandidate(
            layout,
            canvas,
            chosen,
            spare,
            digits,
            given,
            tuple(open_groups),
            self._span_of(int(layout.sizes[given].sum())),
        )
        return self._fitting(candidate, fallback)

    def _span_of(self, count: int) -> Span:
        """Return the least and the most givens of a puzzle that needs `count`."""
        if isinstance(self.givens, tuple):
            return self.givens
        leaves_room = not any(CLUES[rule.name].covers for rule in self._drawn)
        is_free = leaves_room or not self._is_carried
        return 0, self._most_givens if is_free else min(max(count, _FEW), self._most_givens)

    def _fitting(
        self, candidate: VariantCandidate, fallback: Sequence[int]
    ) -> "VariantCandidate | FailedDraw | None":
        """Return a candidate with as many givens and clues as requested."""
        least, most = candidate.givens
        if candidate.n_givens < least:
            options = [*candidate.canvas.shuffle(candidate.open_groups), *fallback]
            for i in options:
                if not candidate.given[i] and candidate.n_givens + len(self._groups[i]) <= least:
                    candidate = candidate.with_groups([i])
        if not least <= candidate.n_givens <= most:
            distance = max(least - candidate.n_givens, candidate.n_givens - most)
            return FailedDraw(distance, f"{candidate.n_givens} givens", distance)
        counts = Counter(clue.name for clue in candidate.clues)
        for rule in self._drawn:
            fewest, count = self._scopes[rule.name].clues[0], counts[rule.name]
            if count < fewest and not (candidate.canvas.is_whole and count):
                return FailedDraw(fewest - count, f"{count} clues of {rule.name}")
        needless = candidate.needless_rule
        return FailedDraw(1, f"no need of {needless}") if needless else candidate

    def _covered(self, layout: Layout, units: Iterable[Unit]) -> set[int]:
        """Return the cells on which no given may be."""
        clues = [*layout.rules, *(clue for unit in units for clue in unit)]
        return {layout.board.number_of[cell] for cell in covered_by(clues)}

    def _open_groups(self, layout: Layout, choice: Choice) -> tuple[list[int], list[int]]:
        """Return the groups that can be given, and those that can if these are not enough."""
        on = np.flatnonzero(choice.panel.switches.is_on[: len(choice.units)]).tolist()
        covered = self._covered(layout, [choice.units[i] for i in on])
        not_fixed = set(choice.not_fixed())
        free = [i for i, group in enumerate(layout.groups) if set(group) <= not_fixed]
        off = [i for i in free if not covered & set(layout.groups[i])]
        is_strict = self.layout is None and self.givens is None and self._all <= _LARGE
        # Cages that cover a board say too little where rows lack digits.
        is_strict &= not layout.board.absent
        return off, [] if is_strict else [i for i in free if i not in off]


def _keeps(unit: Unit) -> bool:
    return CLUES[unit[0].name].keeps_all


def _has_no_number(rule: Rule) -> bool:
    return isinstance(rule, Cage) and rule.total is None and not rule.repeats
