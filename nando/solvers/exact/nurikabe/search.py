"""Exact search for Nurikabe: trials of single cells, then two searches for hard puzzles.

Learning comes second. If it does not get far, the frontier search follows on narrow boards.
"""

from nando.puzzles.nurikabe import Nurikabe
from nando.solvers.exact.bands import DEPTH, FOUND, GUESSES
from nando.solvers.exact.nurikabe.frontier import FrontierSearch, frontier_search
from nando.solvers.exact.nurikabe.learning import LearningSearch, learning_search
from nando.solvers.exact.nurikabe.probing import ProbingSearch

_PATIENCE = 40_000_000
"""Guesses times cells after which a search without a limit gives up: ten seconds to a minute."""
_LEAST_PATIENCE = 20_000

_PROBES = 500_000
"""Guesses times cells, some tenths of a second, after which learning replaces trials.

Most puzzles take a hundredth of that, so the learning search need not be compiled for them.
"""

_CONFLICTS = 10_000
"""Conflicts, some seconds, before the frontier is tried. Hardly any published puzzle has more."""


class NurikabeSearch:
    """Search for the solutions of a Nurikabe; see :class:`nando.solvers.kinds.Search`.

    A guess is a cell tried in both colours, a cell branched on, a conflict learned from, or 64
    states of the frontier.
    """

    def __init__(self, puzzle: Nurikabe) -> None:
        self.patience = max(_LEAST_PATIENCE, _PATIENCE // puzzle.n_cells)
        self._puzzle = puzzle
        self._probes = _PROBES // puzzle.n_cells
        self._probing = ProbingSearch(puzzle)
        self._learning: LearningSearch | None = None
        self._learns_until = 0
        self._frontier: FrontierSearch | None = None
        self.progress = self._probing.progress
        self.solutions = self._probing.solutions

    def advance(self, limit: int, most_guesses: int) -> None:
        """Continue until `limit` solutions, `most_guesses` guesses in all, or the end."""
        if self._learning is None:
            self._probing.advance(limit, min(most_guesses, self._probes))
            if not self._goes_on(limit, most_guesses):
                return
            # Only two solutions are stored, so further ones could not be excluded.
            if self.progress[FOUND] < 2:
                self._learn_anew()
            if self._learning is None:
                self._probes = 1 << 62
                self._probing.advance(limit, most_guesses)
                return
            self._learns_until = int(self.progress[GUESSES]) + _CONFLICTS
        if self._frontier is None:
            self._learning.advance(limit, min(most_guesses, self._learns_until))
            if not self._goes_on(limit, most_guesses):
                return
            self._learns_until = 1 << 62
            if limit <= 2:
                self._frontier = frontier_search(
                    self._puzzle, self._learning.possible_regions(), self.progress, self.solutions
                )
        if self._frontier is not None and limit <= 2:
            n_found = int(self.progress[FOUND])
            self._frontier.advance(most_guesses)
            if self.progress[FOUND] > n_found:
                self._learn_anew()
        if self._learning is not None and self._goes_on(limit, most_guesses):
            # The board is too wide or has too many states, or more solutions are counted.
            self._learning.advance(limit, most_guesses)

    def _learn_anew(self) -> None:
        """Begin a learning search that excludes the solutions found so far."""
        self._learning = learning_search(
            self._puzzle, self.progress, self.solutions, self._probing.settled
        )

    def _goes_on(self, limit: int, most_guesses: int) -> bool:
        progress = self.progress
        return bool(
            progress[DEPTH] >= 0 and progress[FOUND] < limit and progress[GUESSES] < most_guesses
        )
