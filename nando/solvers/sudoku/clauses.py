"""A Sudoku as clauses over the candidates that its givens leave."""

from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.puzzles import Sudoku, Values


class Clauses(NamedTuple):
    """Conjunctive normal form; a variable for each candidate of each empty cell.

    It is made of groups of variables one of which must be true: the candidates of an empty cell,
    and the places of a value that a house lacks. Each group gives one clause that says so, and
    one that excludes each pair of its variables; a pair in two groups has two clauses.
    """

    cells: NDArray[np.int32]
    """Cell of each variable, ascending."""
    values: NDArray[np.int32]
    """Value of each variable."""
    starts: NDArray[np.int32]
    """Where the variables of each group begin in ``members``, and where the last end."""
    members: NDArray[np.int32]
    """Variables of one group after another."""
    pairs: NDArray[np.int32]
    """Variables that exclude each other, shape (n_pairs, 2)."""

    @property
    def n_clauses(self) -> int:
        """Number of clauses; those of groups come first, then those of pairs."""
        return len(self.starts) - 1 + len(self.pairs)


def clauses_of(puzzle: Sudoku) -> Clauses | None:
    """Return the clauses; None where a value is given twice in a house, or a group is empty."""
    layout, givens = puzzle.layout, puzzle.givens
    every = np.arange(1, layout.size + 1)
    numbers: dict[tuple[int, int], int] = {}
    groups: list[list[int]] = []
    for cell in np.flatnonzero(givens == 0).tolist():
        free = np.setdiff1d(every, givens[layout.peers[cell]]).tolist()
        groups.append([len(numbers) + i for i in range(len(free))])
        numbers |= {(cell, value): len(numbers) + i for i, value in enumerate(free)}
    for cells in layout.houses:
        lacking = np.setdiff1d(every, givens[cells]).tolist()
        if len(lacking) != int((givens[cells] == 0).sum()):
            return None
        groups += [
            [numbers[cell, value] for cell in cells.tolist() if (cell, value) in numbers]
            for value in lacking
        ]
    if not all(groups):
        return None
    pairs = [pair for group in groups for pair in combinations(group, 2)]
    variables = np.array(list(numbers), np.int32).reshape(-1, 2)
    return Clauses(
        cells=variables[:, 0].copy(),
        values=variables[:, 1].copy(),
        starts=np.cumsum([0, *map(len, groups)]).astype(np.int32),
        members=np.array([variable for group in groups for variable in group], np.int32),
        pairs=np.array(pairs, np.int32).reshape(-1, 2),
    )


def grid_of(clauses: Clauses, truths: NDArray[np.bool_], puzzle: Sudoku) -> Values:
    """Return the givens with the values of the true variables."""
    grid = puzzle.givens.copy()
    grid[clauses.cells[truths]] = clauses.values[truths]
    return grid
