"""A set of puzzles in which equivalent ones count as one."""

from collections.abc import Iterable

from nando.puzzles import Puzzle


class Known:
    """A set of puzzles that treats equivalent ones as equal.

    A cheap hash separates most puzzles; canonical forms are computed only if two hashes agree.
    Therefore adding a bank of a million puzzles takes seconds. Only their texts are stored.

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
        self._by_hash: dict[int, list[tuple[type[Puzzle], str]]] = {}
        for puzzle in puzzles:
            self.add(puzzle)

    def add(self, puzzle: Puzzle) -> None:
        """Add a puzzle."""
        alike = self._by_hash.setdefault(puzzle.equivalence_hash(), [])
        alike.append((type(puzzle), puzzle.text))

    def __contains__(self, puzzle: Puzzle) -> bool:
        alike = self._by_hash.get(puzzle.equivalence_hash(), [])
        return any(
            puzzle.text == text or puzzle.equivalence_key() == kind.parse(text).equivalence_key()
            for kind, text in alike
            if kind is type(puzzle)
        )
