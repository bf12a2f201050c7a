"""Exact search for Nurikabe: trials of single cells first, learning where these do not get far."""

from nando.puzzles.nurikabe.puzzle import Nurikabe
from nando.solvers.exact.bands import DEPTH, FOUND, GUESSES
from nando.solvers.exact.nurikabe.learning import LearningSearch, learning_search
from nando.solvers.exact.nurikabe.probing import ProbingSearch

_PATIENCE = 40_000_000
"""Guesses times cells after which a search without a limit gives up: ten seconds to a minute."""
_LEAST_PATIENCE = 20_000

_PROBES = 500_000
"""Guesses times cells by trials, some tenths of a second, before the search begins to learn.

Most puzzles take a hundredth of that, and then need not compile the learning search.
"""


class NurikabeSearch:
    """Search for the solutions of a Nurikabe; see :class:`nando.solvers.exact.kinds.Search`.

    A guess is a cell tried in both colours, a cell branched on, or a conflict learned from.
    """

    def __init__(self, puzzle: Nurikabe) -> None:
        self.patience = max(_LEAST_PATIENCE, _PATIENCE // puzzle.n_cells)
        self._puzzle = puzzle
        self._probes = _PROBES // puzzle.n_cells
        self._probing = ProbingSearch(puzzle)
        self._learning: LearningSearch | None = None
        self.progress = self._probing.progress
        self.solutions = self._probing.solutions

    def advance(self, limit: int, most_guesses: int) -> None:
        """Continue until `limit` solutions, `most_guesses` guesses in all, or the end."""
        if self._learning is None:
            self._probing.advance(limit, min(most_guesses, self._probes))
            if not self._goes_on(limit, most_guesses):
                return
            # More than two solutions are not kept, and could not be excluded.
            if self.progress[FOUND] < 2:
                self._learning = learning_search(
                    self._puzzle, self.progress, self.solutions, self._probing.settled
                )
            if self._learning is None:
                self._probes = 1 << 62
        (self._learning or self._probing).advance(limit, most_guesses)

    def _goes_on(self, limit: int, most_guesses: int) -> bool:
        progress = self.progress
        return bool(
            progress[DEPTH] >= 0 and progress[FOUND] < limit and progress[GUESSES] < most_guesses
        )
