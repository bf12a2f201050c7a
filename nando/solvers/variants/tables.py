"""The relations and automata of a variant as tables."""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from nando.puzzles.boards.constraints import Automaton
from nando.solvers.variants.rows import Ints


@lru_cache(maxsize=1_024)
def converse(allowed: tuple[int, ...]) -> tuple[int, ...]:
    """Return a relation of two cells as the second one sees it."""
    n = range(len(allowed))
    return tuple(sum(1 << i for i in n if allowed[i] >> j & 1) for j in n)


@lru_cache(maxsize=64)
def supports(tables: tuple[tuple[int, ...], ...], n: int) -> tuple[Ints, Ints]:
    """Return tables, and what they allow for masks, in parts of nine digits."""
    joined = np.array(tables, np.int64).reshape(-1, n)
    allowed = np.zeros((len(tables), (n + 8) // 9, 512), np.int64)
    masks = np.arange(512)
    for digit in range(n):
        part, bit = divmod(digit, 9)
        allowed[:, part, masks >> bit & 1 == 1] |= joined[:, digit, None]
    return joined, allowed


@lru_cache(maxsize=64)
def _machine(automaton: Automaton, n: int) -> tuple[Ints, NDArray[np.bool_]]:
    accepting = np.zeros(len(automaton.moves), np.bool_)
    accepting[list(automaton.accepting)] = True
    return np.array(automaton.moves, np.int64).reshape(-1, n), accepting


def joined_automata(
    automata: list[Automaton], n: int
) -> tuple[Ints, Ints, Ints, NDArray[np.bool_]]:
    """Return first row, end, moves and accepting rows of automata, each of which comes once."""
    first: dict[Automaton, int] = {}
    moves: list[Ints] = [np.zeros((0, n), np.int64)]
    accepting: list[NDArray[np.bool_]] = [np.zeros(0, np.bool_)]
    offset = 0
    for automaton in automata:
        if automaton in first:
            continue
        first[automaton] = offset
        own, ends = _machine(automaton, n)
        moves.append(np.where(own < 0, -1, own + offset))
        accepting.append(ends)
        offset += len(own)
    begin = np.array([first[automaton] for automaton in automata], np.int64)
    sizes = np.array([len(automaton.moves) for automaton in automata], np.int64)
    return begin, begin + sizes, np.concatenate(moves), np.concatenate(accepting)
