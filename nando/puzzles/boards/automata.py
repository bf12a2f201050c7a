"""Automata of patterns along a line, built from a rule for the next state."""

from collections.abc import Callable
from typing import Any

from nando.puzzles.boards.constraints import Automaton

MOST_STATES = 20_000
"""Most states of an automaton."""


def automaton_of(
    digits: int,
    start: Any,
    step: Callable[[Any, int], Any],
    accepts: Callable[[Any], bool],
) -> Automaton:
    """Return the automaton whose states are the values that `step` reaches from `start`.

    Parameters
    ----------
    digits : int
        The automaton reads 1 to `digits`.
    start : hashable
    step : callable
        Takes a state and a digit; returns the next state, or None if there is none.
    accepts : callable
        Returns True for a state in which a line may end.

    Raises
    ------
    ValueError
        If more than `MOST_STATES` states can be reached.
    """
    numbers = {start: 0}
    states = [start]
    moves = []
    for state in states:
        row = []
        for digit in range(1, digits + 1):
            reached = step(state, digit)
            if reached is None:
                row.append(-1)
                continue
            if reached not in numbers:
                numbers[reached] = len(states)
                states.append(reached)
                if len(states) > MOST_STATES:
                    raise ValueError(f"a pattern must have at most {MOST_STATES:,} states")
            row.append(numbers[reached])
        moves.append(tuple(row))
    accepting = frozenset(i for i, state in enumerate(states) if accepts(state))
    return Automaton(tuple(moves), accepting)
