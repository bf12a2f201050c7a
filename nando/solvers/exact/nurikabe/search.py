"""Exact search for Nurikabe: trials of single cells, then learning for hard puzzles."""

from nando.puzzles.nurikabe import Nurikabe
from nando.solvers.exact.bands import DEPTH, FOUND, GUESSES
from nando.solvers.exact.nurikabe.learning import LearningSearch, learning_search
from nando.solvers.exact.nurikabe.probing import ProbingSearch

_PATIENCE = 40_000_000
"""Guesses times cells after which a search without a limit gives up: ten seconds to a minute."""
_LEAST_PATIENCE = 20_000

_PROBES = 500_000
"""Guesses times cells, some tenths of a second, after which learning replaces trials.

Most puzzles take a hundredth of that, so the learning search need not be compiled for them.
"""


class NurikabeSearch:
    """Search for the solutions of a Nurikabe; see :class:`nando.solvers.kinds.Search`.

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
        progress = self.progress
        if self._learning is None:
            self._probing.advance(limit, min(most_guesses, self._probes))
            if progress[DEPTH] < 0 or progress[FOUND] >= limit or progress[GUESSES] >= most_guesses:
                return
            # Only two solutions are stored, so further ones could not be excluded.
            if progress[FOUND] < 2:
                self._learning = learning_search(
                    self._puzzle, progress, self.solutions, self._probing.settled
                )
            if self._learning is None:
                self._probes = 1 << 62
                self._probing.advance(limit, most_guesses)
                return
        self._learning.advance(limit, most_guesses)
