"""Two searches for a variant that take turns: one guesses, the other learns from conflicts.

Most puzzles are decided by a few guesses, and killers with large cages by many. Thermometers
without givens, long lines and regions that cannot be filled need learning. The first turn is long
enough for all but the hardest puzzles, so the learning search need not be compiled for them.
"""

import numpy as np
from numpy.typing import NDArray

from nando.puzzles import Variant
from nando.solvers.exact import variants
from nando.solvers.exact.bands import DEPTH, FOUND, GUESSES
from nando.solvers.exact.variant_clauses import formula_of
from nando.solvers.exact.variant_learning import LearningSearch
from nando.solvers.kinds import Search

_FIRST = 50_000
"""Guesses of the first turn."""
_FACTOR = 8
"""Guesses (or conflicts) after the second turn, divided by those after the first, and so on."""
_CONFLICTS = 15_000
"""Conflicts of the first turn of the learning search."""


def exact_search(puzzle: Variant) -> Search:
    """Return the search whose guesses ratings count."""
    return TurnSearch(puzzle, variants.VariantSearch(puzzle))


def quick_search(puzzle: Variant) -> Search:
    """Return the fastest search for a variant."""
    return TurnSearch(puzzle, variants.quick_search(puzzle))


class TurnSearch:
    """Search for the solutions of a variant; see :class:`nando.solvers.kinds.Search`.

    A guess is one of the first search, or a conflict of the second one.
    """

    def __init__(self, puzzle: Variant, guessing: Search) -> None:
        self.patience = guessing.patience
        self.progress, self.solutions = guessing.progress, guessing.solutions
        self._puzzle = puzzle
        self._parts = [guessing]
        self._turn, self._ends = 0, [_FIRST, _CONFLICTS]

    def advance(self, limit: int, most_guesses: int) -> None:
        """Continue until `limit` solutions, `most_guesses` guesses in all, or the end."""
        if len(self._parts) == 1:  # in microseconds, as long as most searches take
            end = self._ends[0]
            self._parts[0].advance(limit, most_guesses if most_guesses < end else end)
            if self.progress[GUESSES] < end:
                return
        while not self._has_ended(limit, most_guesses):
            part = self._parts[self._turn]
            end, left = self._ends[self._turn], most_guesses - int(self.progress[GUESSES])
            own = int(part.progress[GUESSES])
            part.advance(limit, min(end, own + left))
            self._combine()
            if part.progress[GUESSES] >= end and not self._has_ended(limit, most_guesses):
                self._pass_on(end)

    def _has_ended(self, limit: int, most_guesses: int) -> bool:
        depth, found, guesses = self.progress[:3].tolist()
        return bool(depth < 0 or found >= limit or guesses >= most_guesses)

    def _pass_on(self, end: int) -> None:
        """End the turn of one search, and begin the first one of the search that learns."""
        self._ends[self._turn] = _FACTOR * end
        if len(self._parts) > 1:
            self._turn = 1 - self._turn
        # Only two solutions are stored, so further ones could not be excluded.
        elif self.progress[FOUND] < 2 and (formula := formula_of(self._puzzle)) is not None:
            known = self.solutions[: self.progress[FOUND]].copy()
            self._parts.append(LearningSearch(self._puzzle, formula, known))
            self.progress, self.solutions = np.zeros(3, np.int64), self.solutions.copy()
            self._turn = 1
            self._combine()

    def _combine(self) -> None:
        """Take over what both searches found; they may have found the same."""
        if len(self._parts) == 1:
            return
        rows: dict[bytes, NDArray[np.int8]] = {}
        for part in self._parts:
            rows |= {row.tobytes(): row for row in part.solutions[: part.progress[FOUND]]}
        for place, row in enumerate(list(rows.values())[:2]):
            self.solutions[place] = row
        both = np.array([part.progress[:3] for part in self._parts])
        self.progress[DEPTH] = both[:, DEPTH].min()
        self.progress[FOUND] = max(len(rows), both[:, FOUND].max())
        self.progress[GUESSES] = both[:, GUESSES].sum()
