"""A set of puzzles in which equivalent ones count as one."""

from collections.abc import Iterable

from nando.puzzles import Puzzle


class Known:
    """Puzzles that must not come up again, under any symmetry of their kind.

    A cheap hash tells most puzzles apart; only where two share it are their canonical forms
    computed. So a bank of a million puzzles is taken in within seconds.

    Examples
    --------
    >>> import numpy as np
    >>> from nando.datasets import load_examples
    >>> puzzle, other = load_examples().puzzles[:2]
    >>> known = Known([puzzle])
    >>> puzzle.shuffled(np.random.default_rng(0)) in known, other in known
    (True, False)
    """

    def __init__(self, puzzles: Iterable[Puzzle] = ()) -> None:
        self._by_hash: dict[int, list[Puzzle]] = {}
        for puzzle in puzzles:
            self.add(puzzle)

    def add(self, puzzle: Puzzle) -> None:
        """Take a puzzle in."""
        self._by_hash.setdefault(puzzle.equivalence_hash(), []).append(puzzle)

    def __contains__(self, puzzle: Puzzle) -> bool:
        alike = self._by_hash.get(puzzle.equivalence_hash(), [])
        return any(
            puzzle.text == other.text or puzzle.equivalence_key() == other.equivalence_key()
            for other in alike
        )
