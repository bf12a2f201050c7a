"""New Sudoku, drawn at random and changed in steps that keep the one solution."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from nando.checks import one_of
from nando.generators.carving import MOST_COUNTED, Groups, can_go, carve, draw_carved, with_pattern
from nando.generators.grids import random_grid
from nando.generators.target import MOST_SCORED, EasierPuzzles, FailedDraw
from nando.kernels.compile import kernel
from nando.kernels.streams import drawn_stream
from nando.names import Symmetry as Symmetry
from nando.puzzles import Sudoku, Values
from nando.puzzles.boards.board import Board
from nando.puzzles.frozen import EqualFields
from nando.puzzles.sudoku.layout import sudoku_layout
from nando.records import Settings

SYMMETRIES: tuple[Symmetry, ...] = get_args(Symmetry)


def orbits(size: int, symmetry: Symmetry) -> NDArray[np.int16]:
    """Return the cells that are given together.

    Parameters
    ----------
    size : int
        Rows of the grid.
    symmetry : {"none", "rotational", "rotational-90", "mirror", "diagonal"}
        "rotational" is a half turn, "rotational-90" a quarter turn, "mirror" exchanges left and
        right, "diagonal" rows and columns.

    Returns
    -------
    ndarray of int16, shape (n_orbits, 4)
        Each cell once; orbits of fewer than four cells are padded with -1.

    Raises
    ------
    ValueError
        For an unknown symmetry.

    Examples
    --------
    >>> orbits(2, "rotational").tolist()
    [[0, 3, -1, -1], [1, 2, -1, -1]]
    """
    one_of("symmetry", symmetry, SYMMETRIES)
    groups = groups_of(Board(size), symmetry)
    return np.array([[*group, *[-1] * (4 - len(group))] for group in groups], np.int16)


def images_of(grid: NDArray[Any], symmetry: Symmetry) -> list[NDArray[Any]]:
    """Return a table of cells, and how it looks after each turn or reflection of a symmetry."""
    return {
        "none": [grid],
        "rotational": [grid, np.rot90(grid, 2)],
        "rotational-90": [np.rot90(grid, turns) for turns in range(4)],
        "mirror": [grid, np.fliplr(grid)],
        "diagonal": [grid, grid.T],
    }[symmetry]


@lru_cache(maxsize=16)
def groups_of(board: Board, symmetry: Symmetry) -> list[list[int]]:
    """Return the numbers of the cells of a board that are given together.

    Raises
    ------
    ValueError
        If the board does not have the symmetry.
    """
    grid = np.full((board.n_rows, board.n_columns), -1)
    for number, (row, column) in enumerate(board.cells):
        grid[row, column] = number
    turns = images_of(grid, symmetry)
    if any(turn.shape != grid.shape or ((turn < 0) != (grid < 0)).any() for turn in turns):
        raise ValueError(f"the board has no {symmetry} symmetry: ask for another, or none")
    images = np.stack([turn.ravel() for turn in turns], axis=1).tolist()
    groups = {tuple(sorted(set(group))) for group in images} - {(-1,)}
    return list(map(list, sorted(groups)))


FEWEST_GIVENS = 17
"""No 9x9 Sudoku with fewer has one solution. Source: McGuire, Tugemann and Civario 2014."""

_WALK = {3: 400, 4: 400, 5: 4}
"""Moves tried to reduce the givens of one grid to a given number: a few seconds at most."""

_PATTERN_MOVES = 1_000
"""Moves tried to give the pattern of one grid values with one solution."""


@dataclass(frozen=True)
class SudokuSource(Settings):
    """The settings that all puzzles of a batch share.

    Parameters
    ----------
    order : int
        3, 4 or 5.
    symmetry : {"none", "rotational", "rotational-90", "mirror", "diagonal"}
        Symmetry of the given cells.
    givens : int or None
        Number of givens.
    minimal : bool
        Make every given necessary; with a symmetry, every group of images.
    pattern : tuple of bool or None
        True for each given cell; order 3 only.
    most_per_house : int or None
        Most givens in a row, column or box. Default: two less than its cells, so that no house is
        almost full. With a pattern: no bound.

    Raises
    ------
    ValueError
        For an impossible combination; the message says why.
    """

    order: int = 3
    symmetry: Symmetry = "none"
    givens: int | None = None
    minimal: bool = False
    pattern: tuple[bool, ...] | None = None
    most_per_house: int | None = None

    def check(self) -> None:
        """Reject settings that contradict each other, or that no puzzle has."""
        size = sudoku_layout(self.order).size
        groups = orbits(size, self.symmetry)
        if self.pattern is not None:
            self._check_pattern(self.pattern)
        if self.givens is not None:
            self._check_givens(self.givens, (groups >= 0).sum(axis=1))
        most = self.most_per_house
        if most is not None and not 3 <= most <= size:
            raise ValueError(f"most_per_house must be 3 to {size}, got {most}")

    def _check_givens(self, givens: int, sizes: NDArray[np.int_]) -> None:
        n_cells = int(sizes.sum())
        fewest = FEWEST_GIVENS if self.order == 3 else 1
        if self.minimal:
            raise ValueError(
                "givens and minimal cannot be combined: leave one out "
                "(a minimal puzzle has as many givens as it needs)"
            )
        if not fewest <= givens <= n_cells:
            why = "; with fewer no 9x9 puzzle has one solution" if self.order == 3 else ""
            raise ValueError(f"givens must be {fewest} to {n_cells}, got {givens}{why}")
        most = self._most_per_house
        if givens > most * sudoku_layout(self.order).size:
            raise ValueError(
                f"{givens} givens are more than {most} a house; ask for fewer, "
                "or raise most_per_house"
            )
        reachable = np.zeros(n_cells + 1, bool)
        reachable[0] = True
        for group in sizes:
            reachable[group:] |= reachable[:-group].copy()
        if not reachable[givens]:
            counts = np.flatnonzero(reachable)
            below, above = counts[counts < givens][-1], counts[counts > givens][0]
            raise ValueError(
                f"{givens} givens cannot have {self.symmetry} symmetry; {below} or {above} can"
            )

    def _check_pattern(self, pattern: tuple[bool, ...]) -> None:
        if self.order != 3:
            raise ValueError(f"a pattern needs order 3, got order {self.order}")
        if not isinstance(pattern, Sequence | np.ndarray) or isinstance(pattern, str):
            raise TypeError(f"pattern must be a tuple of 81 truth values, got {pattern!r}")
        if len(pattern) != 81:
            raise ValueError(f"a pattern has 81 cells, got {len(pattern)}")
        if self.givens is not None or self.minimal or self.symmetry != "none":
            raise ValueError(
                "a pattern says which cells are given: leave out givens, minimal and symmetry"
            )
        n_givens = sum(pattern)
        if n_givens < FEWEST_GIVENS:
            raise ValueError(
                f"the pattern has {n_givens} givens; with fewer than {FEWEST_GIVENS} "
                "no 9x9 puzzle has one solution"
            )
        given = np.array(pattern).reshape(9, 9)
        for name, lines in (("rows", given), ("columns", given.T)):
            for first in range(0, 9, 3):
                empty = [first + i + 1 for i in range(3) if not lines[first + i].any()]
                if len(empty) > 1:
                    raise ValueError(
                        f"the pattern leaves {name} {empty[0]} and {empty[1]} empty: they can be "
                        "exchanged, so no puzzle has one solution; give a cell in one of them"
                    )

    @property
    def _most_per_house(self) -> int:
        size = sudoku_layout(self.order).size
        if self.most_per_house is not None:
            return self.most_per_house
        return size if self.pattern is not None else size - 2

    @cached_property
    def _groups(self) -> Groups:
        return orbits(sudoku_layout(self.order).size, self.symmetry)

    @property
    def draws_many(self) -> bool:
        """True if :meth:`draw_many` makes these puzzles."""
        return self.order == 3 and self.pattern is None and self.givens is None

    def draw_many(
        self, streams: NDArray[np.int64], *, hashed: bool = False
    ) -> "list[SudokuCandidate | None]":
        """Return a minimal 9x9 puzzle from each stream, or None if the draw failed.

        The streams have the shape (n, 4). If `hashed`, equivalence hashes are computed at once.
        """
        candidates = self._carve(streams)
        givens = np.array([c.givens for c in candidates if c is not None])
        puzzles = Sudoku.from_table(givens, hashed=hashed)
        for candidate, puzzle in zip(filter(None, candidates), puzzles, strict=True):
            candidate.__dict__["puzzle"] = puzzle
        return candidates

    def _carve(self, streams: NDArray[np.int64]) -> "list[SudokuCandidate | None]":
        grids, givens = draw_carved(streams, self._groups)
        in_house = (givens > 0)[:, sudoku_layout(3).houses].sum(axis=2)
        is_spread = (in_house <= self._most_per_house).all(axis=1)
        return [
            SudokuCandidate(self, values, grid) if spread else None
            for values, grid, spread in zip(givens, grids, is_spread.tolist(), strict=True)
        ]

    @property
    def most_scored(self) -> int:
        """Puzzles scored for one puzzle before its target counts as out of reach."""
        return {3: MOST_SCORED, 4: 1_000, 5: 300}[self.order]

    @property
    def most_failed(self) -> int:
        """Draws that may fail before the first puzzle: half a minute of work."""
        if self.draws_many:
            return MOST_SCORED
        return 60 if self.pattern is not None else {3: 600, 4: 3, 5: 2}[self.order]

    @property
    def hint(self) -> str:
        """Advice if no grid gives a suitable puzzle."""
        if self.pattern is not None:
            return "draw a pattern with more givens, or with other ones"
        hints = [] if self.givens is None else ["ask for another number of givens"]
        hints += ["ask for less symmetry"] if self.symmetry != "none" else []
        return ", or ".join([*hints, "raise most_per_house"])

    def draw(self, rng: np.random.Generator) -> "SudokuCandidate | FailedDraw | None":
        """Return a puzzle from a new grid, minimal by default, or how near a failed draw came."""
        if self.draws_many:
            return self._carve(drawn_stream(rng)[None])[0]
        grid = random_grid(self.order, rng)
        if self.pattern is not None:
            cells = np.flatnonzero(self.pattern)
            values, n_solutions = with_pattern(grid, cells, rng, _PATTERN_MOVES)
            if n_solutions > 1:
                at_least = "at least " if n_solutions == MOST_COUNTED else ""
                return FailedDraw(n_solutions, f"{at_least}{n_solutions:,} solutions")
            return SudokuCandidate(self, values)
        order = rng.permutation(self._groups)
        givens = carve(grid, order, self.givens or 0)
        if self.givens is not None and (
            _count(givens) != self.givens or not self._is_spread(givens)
        ):
            # Carve down to a minimal puzzle, then add givens if allowed.
            return self._with_wanted_givens(carve(givens, order), grid, rng)
        return SudokuCandidate(self, givens, grid) if self._is_spread(givens) else None

    def _with_wanted_givens(
        self, givens: Values, grid: Values, rng: np.random.Generator
    ) -> "SudokuCandidate | FailedDraw":
        """Reduce the givens by exchanges, then add givens up to the number."""
        assert self.givens is not None
        for _ in range(_WALK[self.order]):
            if _count(givens) <= self.givens:
                break
            fewer = self._exchange(givens, grid, rng)
            if _count(fewer) <= _count(givens):
                givens = fewer
        for group in self._absent(givens, rng):
            if _count(givens) + _size(group) <= self.givens:
                more = _with(givens, grid, group)
                givens = more if self._is_spread(more) else givens
        count = _count(givens)
        if count != self.givens:
            return FailedDraw(abs(count - self.givens), f"{count} givens")
        if not self._is_spread(givens):
            return FailedDraw(0, f"more than {self._most_per_house} givens in a house")
        return SudokuCandidate(self, givens, grid)

    def _exchange(self, givens: Values, grid: Values, rng: np.random.Generator) -> Values:
        """Add a group, then remove as many as possible and allowed, the new one last."""
        absent = self._absent(givens, rng)
        if not len(absent):
            return givens
        more = _with(givens, grid, absent[0])
        groups = np.concatenate([self._present(givens, rng), absent[:1]])
        return carve(more, groups, self.givens or 0, grid)

    def _present(self, givens: Values, rng: np.random.Generator) -> Groups:
        """Return the groups of givens, in random order."""
        return rng.permutation(self._groups[givens[self._groups[:, 0]] > 0])

    def _absent(self, givens: Values, rng: np.random.Generator) -> Groups:
        return rng.permutation(self._groups[givens[self._groups[:, 0]] == 0])

    def _is_spread(self, givens: Values) -> bool:
        """Return True if no house has more givens than allowed."""
        houses = sudoku_layout(self.order).houses
        return bool(((givens > 0)[houses].sum(axis=1) <= self._most_per_house).all())


@dataclass(frozen=True, eq=False)
class SudokuCandidate(EqualFields):
    """A puzzle with one solution, and the puzzles it can become.

    Attributes
    ----------
    source : SudokuSource
    givens : ndarray of int8, shape (n_cells,)
    grid : ndarray of int8, shape (n_cells,), or None
        The solution; None if the pattern is fixed, so that moves change the values.
    """

    source: SudokuSource
    givens: Values
    grid: Values | None = None

    @cached_property
    def puzzle(self) -> Sudoku:
        """The puzzle itself."""
        return Sudoku.from_values(self.givens)

    @property
    def _is_free(self) -> bool:
        """True if givens may be added and removed."""
        source = self.source
        return self.grid is not None and source.givens is None and not source.minimal

    def easier_ones(self, rng: np.random.Generator) -> EasierPuzzles:
        """Return this puzzle, then easier ones with one more group of givens each.

        If givens may not be added, return only this puzzle.
        """
        return _Filling(self, rng) if self._is_free else [self]

    def moves(self, rng: np.random.Generator, *, harder: bool) -> Iterator["SudokuCandidate"]:
        """Yield other puzzles near this one, in random order; perhaps none.

        Parameters
        ----------
        rng : Generator
        harder : bool
            Make the puzzle harder instead of easier. Removing a given makes a puzzle harder, and
            adding one makes it easier. If their number is fixed, a move exchanges some, which may
            do either.
        """
        if self.grid is None:
            # Fill the pattern with other values.
            while isinstance(fresh := self.source.draw(rng), SudokuCandidate):
                yield fresh
        elif self._is_free and not harder:
            for group in self.source._absent(self.givens, rng):
                yield from self._check(_with(self.givens, self.grid, group))
        else:
            if self._is_free:
                groups = self.source._present(self.givens, rng)
                for group in self._that_can_go(groups):
                    yield from self._check(carve(self.givens, group[None], 0, self.grid))
            for _ in range(len(self.source._groups)):
                yield from self._exchange(rng)

    def _that_can_go(self, groups: Groups) -> Iterator[NDArray[np.int16]]:
        """Yield the groups of givens that can be removed individually."""
        if self.source.order == 3:
            yield from groups[can_go(self.givens, groups, self.grid)]
        else:
            for group in groups:
                if _count(carve(self.givens, group[None])) < _count(self.givens):
                    yield group

    def _check(self, givens: Values) -> Iterator["SudokuCandidate"]:
        if self.source._is_spread(givens):
            yield replace(self, givens=givens)

    def _exchange(self, rng: np.random.Generator) -> Iterator["SudokuCandidate"]:
        """Add one group and remove others."""
        assert self.grid is not None
        givens = self.source._exchange(self.givens, self.grid, rng)
        if np.array_equal(givens, self.givens) or self.source.givens not in (None, _count(givens)):
            return
        yield from self._check(givens)


class _Filling:
    """A puzzle with 0, 1, 2, ... more groups of givens in random order, created on request."""

    def __init__(self, candidate: SudokuCandidate, rng: np.random.Generator) -> None:
        source = candidate.source
        layout = sudoku_layout(source.order)
        groups = source._absent(candidate.givens, rng)
        most = source._most_per_house
        # The step at which each cell gets its digit: 0 for a given, beyond the end for never.
        step_of = np.where(candidate.givens > 0, 0, layout.n_cells + 1)
        steps: int = _fill_steps(step_of, groups, layout.house_of, 3 * layout.size, most)
        self._candidate = candidate
        self._step_of = step_of
        self._steps = steps

    def __len__(self) -> int:
        return self._steps + 1

    def __getitem__(self, step: int) -> SudokuCandidate:
        assert self._candidate.grid is not None
        givens = np.where(self._step_of <= step, self._candidate.grid, 0).astype(np.int8)
        return replace(self._candidate, givens=givens)


@kernel
def _fill_steps(step_of, groups, house_of, n_houses, most):
    """Write the step at which each group is filled, if no house gets too many givens.

    Return the number of steps.
    """
    in_house = np.zeros(n_houses, np.int64)
    for cell in range(step_of.shape[0]):
        for house in house_of[cell]:
            in_house[house] += 1 if step_of[cell] == 0 else 0
    steps = 0
    for i in range(groups.shape[0]):
        fits = True
        for cell in groups[i]:
            if cell >= 0:
                for house in house_of[cell]:
                    in_house[house] += 1
        for cell in groups[i]:
            if cell >= 0:
                for house in house_of[cell]:
                    fits &= in_house[house] <= most
        steps += 1 if fits else 0
        for cell in groups[i]:
            if cell >= 0:
                if fits:
                    step_of[cell] = steps
                else:
                    for house in house_of[cell]:
                        in_house[house] -= 1
    return steps


def _count(givens: Values) -> int:
    return int(np.count_nonzero(givens))


def _size(group: NDArray[np.int16]) -> int:
    return int((group >= 0).sum())


def _with(givens: Values, grid: Values, group: NDArray[np.int16]) -> Values:
    more = givens.copy()
    cells = group[group >= 0]
    more[cells] = grid[cells]
    return more
