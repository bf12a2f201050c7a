"""Techniques, ladders and scales, and the steps, positions and walkers of a solution by them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from nando.puzzles import Puzzle
from nando.puzzles.frozen import EqualFields
from nando.solvers.kinds import logic_of
from nando.solvers.protocol import Rule
from nando.tables import load_rows


@dataclass(frozen=True)
class Technique:
    """One rung of a ladder.

    Parameters
    ----------
    name : str
    rating : float
        Rating of its easiest step; some techniques rate larger patterns higher.
    sentence : str
        A description for people.
    kernel, degree : int
        Number of the kernel that finds it, and the size of the pattern it looks for.
    kind : str
        Kind of puzzle it is for.
    """

    name: str
    rating: float
    sentence: str
    kernel: int
    degree: int = 0
    kind: str = "sudoku"


Ladder = tuple[Technique, ...]
"""Techniques in the order in which they are tried before each step."""


def read_ladder(kind: str, numbers: Mapping[str, Any]) -> Ladder:
    """Return the techniques in the table of a kind of puzzle, in the folder ``ladders``.

    `numbers` maps the names of kernels, and of some degrees, to their numbers.
    """
    return tuple(
        Technique(
            row["name"],
            float(row["rating"]),
            row["sentence"],
            numbers[row["kernel"]],
            numbers[row["degree"]] if row["degree"] in numbers else int(row["degree"]),
            kind,
        )
        for row in load_rows("nando.solvers.logic", f"ladders/{kind}.csv")
    )


def rungs_of(ladder: Ladder) -> NDArray[np.int64]:
    """Return a ladder for kernels, shape (n_techniques, 3).

    The columns are kernel, degree, and least rating in tenths.
    """
    return np.array([(t.kernel, t.degree, round(t.rating * 10)) for t in ladder], np.int64)


class Part(NamedTuple):
    """Successive rungs of a ladder: their numbers, the rungs, and True if they are searches."""

    numbers: NDArray[np.int64]
    rungs: NDArray[np.int64]
    searches: bool


def select_techniques(
    ladder: Ladder, *, only: Sequence[str] | None = None, without: Sequence[str] = ()
) -> Ladder:
    """Select techniques of a ladder by name.

    Parameters
    ----------
    ladder : tuple of Technique
    only : str or sequence of str, optional
        Names of techniques to keep, in a text with commas between them; default: all.
    without : str or sequence of str
        Names of techniques to leave out.

    Returns
    -------
    tuple of Technique
        In the order of the ladder.

    Raises
    ------
    ValueError
        For a name that matches no technique, and if no technique is left.

    Notes
    -----
    A name selects every technique that contains its words in order: ``"naked"`` selects naked
    singles, pairs and so on, ``"chains"`` all chains. Case, hyphens and plurals do not matter.
    """
    kept = set(ladder) if only is None else _select_named(ladder, only)
    kept -= _select_named(ladder, without)
    if not kept:
        raise ValueError("no technique is left; name more with 'only', or fewer with 'without'")
    return tuple(technique for technique in ladder if technique in kept)


def _select_named(ladder: Ladder, names: Sequence[str]) -> set[Technique]:
    selected: set[Technique] = set()
    for name in names.split(",") if isinstance(names, str) else names:
        if not isinstance(name, str):
            raise TypeError(f"a technique is named by text, got {name!r}")
        matches = {
            technique for technique in ladder if named_words(name) in named_words(technique.name)
        }
        if not matches:
            known = ", ".join(technique.name for technique in ladder)
            raise ValueError(f"no technique is called {name!r}; there are {known}")
        selected |= matches
    return selected


def named_words(name: str) -> str:
    """Return the words of a name between spaces, without case, hyphens and plurals."""
    words = name.casefold().replace("-", " ").split()
    return f" {' '.join(word.removesuffix('s') for word in words)} "


class Scale(NamedTuple):
    """The scale of a ladder's ratings.

    Attributes
    ----------
    name : str
        Name of the rating of a puzzle, that of its hardest step.
    source : str
        The ladder or program that defines the scale.
    hardest : str
        The hardest techniques of ladders on this scale.
    hardest_from : float
        The least rating of these techniques.
    """

    name: str
    source: str
    hardest: str
    hardest_from: float

    @property
    def column(self) -> str:
        """Name of the rating in a table."""
        return self.name.lower().replace(" ", "_")


def standard_ladder(kind: str) -> Ladder:
    """Return the standard techniques of a kind of puzzle, easiest first.

    Raises
    ------
    ValueError
        For a kind without a ladder.
    """
    ladder: Ladder = logic_of(kind).ladder
    return ladder


def scale_of(kind: str) -> Scale:
    """Return the scale of the ratings of a kind of puzzle.

    Raises
    ------
    ValueError
        For a kind without a ladder.
    """
    scale: Scale = logic_of(kind).scale
    return scale


# Steps of the logic solver on Sudoku and its variants


class Broken(Enum):
    """The constraint that a board can no longer keep."""

    CELL = "cell"
    """A cell has no candidate left."""
    HOUSE = "house"
    """A digit has no position left in a house."""
    RULE = "rule"
    """A rule cannot be obeyed."""


class Contradiction(NamedTuple):
    """The contradiction to which an assumption leads.

    Attributes
    ----------
    broken : Broken
    number : int
        Index of the cell in the puzzle's values, number of the house, or index of the rule.
    digit : int
        The digit without a position, from 1; else 0.
    cells : tuple of int
        The two cells between which the rule cannot be obeyed, if it relates two.
    """

    broken: Broken
    number: int
    digit: int = 0
    cells: tuple[int, ...] = ()


@dataclass(frozen=True)
class LogicStep:
    """One step: its pattern and its conclusion.

    Attributes
    ----------
    technique : Technique
    rating : float
    variant : int
        Type, 1 to 4, of a unique loop or bivalue universal grave. Of a chain: 1 a cycle on one
        digit, 2 through cells, 3 both; 4 a forcing chain on one digit, 5 through cells as well.
        Of nishio, multiple and dynamic forcing chains: 1 a candidate on or off, 2 the candidates
        of a cell, 3 the positions of a digit in a house, 4 a contradiction. Else 0.
    houses, cells, digits : tuple of int
        The pattern; houses are numbered rows, columns, boxes, and on a variant as for
        :meth:`PencilMarks.house`. Cells are indices into ``puzzle.givens``, digits count from 1.
    placement : (cell, digit) or None
    eliminations : tuple of (cell, digit)
        Candidates removed, apart from those a placement rules out.
    links : tuple of (cell, digit, on, cell, digit, on)
        Links of a chain; empty for other steps. If the first candidate is true (`on`) or false,
        the second one is true or false, too, given the other links that lead to it. Each link
        comes after those that lead to its start. A cycle is listed once round, from a candidate
        that is true.
        Forcing chains are listed one after the other, one for each assumption. No link of a chain
        leads to its assumption. An assumption that is itself the conclusion has no chain. A
        contradiction is one chain, to a candidate that is true as well as false.
        On a variant a link may also follow from a rule other than a house.
    rules : tuple of int
        Rules of a variant that the step applies, as indices into ``puzzle.rules``.
    branches : tuple of tuple of (cell, digit, on)
        For each case of a what-if, the literals that follow from it, the assumed one first; empty
        for other steps.
    contradiction : Contradiction or None
        The contradiction to which the only branch leads; None if all branches lead to the
        conclusion.
    n_cases : int
        Number of assumptions that a deep what-if takes; 0 for other steps.
    """

    technique: Technique
    rating: float
    variant: int
    houses: tuple[int, ...]
    cells: tuple[int, ...]
    digits: tuple[int, ...]
    placement: tuple[int, int] | None
    eliminations: tuple[tuple[int, int], ...]
    links: tuple[tuple[int, int, bool, int, int, bool], ...] = ()
    rules: tuple[int, ...] = ()
    branches: tuple[tuple[tuple[int, int, bool], ...], ...] = ()
    contradiction: Contradiction | None = None
    n_cases: int = 0


class Position(Protocol):
    """What a person has on paper before a step. It is immutable."""

    @property
    def puzzle(self) -> Puzzle:
        """The puzzle."""
        ...

    @property
    def n_blanks(self) -> int:
        """Number of cells not decided yet."""
        ...

    def after(self, step: Any) -> "Position":
        """Return the position after a step of the same kind of puzzle."""
        ...


class Step(Protocol):
    """One step, as plain data: a technique, its pattern, and the conclusion.

    The words of a step depend on the position before it: see :mod:`nando.solvers.logic.words`.
    """

    @property
    def technique(self) -> Technique:
        """The rung of the ladder."""
        ...

    @property
    def rating(self) -> float:
        """The difficulty of the step, on the scale of the ladder."""
        ...


class Fill(NamedTuple):
    """A cell that a step decides, as a trace records it."""

    cell: int
    value: int
    rule: Rule


@dataclass(frozen=True, eq=False)
class LogicRatings(EqualFields):
    """Ratings of many puzzles by a ladder.

    Attributes
    ----------
    solved : ndarray of bool, shape (n,)
        True if the ladder solves the puzzle.
    rating : ndarray of float64, shape (n,)
        Rating of the hardest step found.
    uses : ndarray of int64, shape (n, n_techniques)
        Uses of each technique, in the order of the ladder.
    blanks : ndarray of int64, shape (n,)
        Cells that the ladder leaves undecided.
    """

    solved: NDArray[np.bool_]
    rating: NDArray[np.float64]
    uses: NDArray[np.int64]
    blanks: NDArray[np.int64]


class Walker(Protocol):
    """Finds the steps of one kind of puzzle with the techniques of one ladder."""

    def steps(self, puzzle: Any, start: Any = None) -> Iterator[Step]:
        """Return the steps, one by one, until the puzzle is solved or no technique finds one.

        `start` is the position at which to begin; None begins with the givens.
        """
        ...

    def fills(self, step: Any) -> Sequence[Fill]:
        """Return the cells that a step decides; none if it only removes candidates."""
        ...

    def rate(self, puzzles: Sequence[Any]) -> LogicRatings:
        """Return the ratings of puzzles, without a check for exactly one solution."""
        ...
