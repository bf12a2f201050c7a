"""Which variable the learning search decides next: the one most at fault in recent conflicts."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.kernels.compile import lean_kernel

DECAY = 0.95
"""What remains of a variable's weight at each conflict, compared with what is added."""
_TOP_WEIGHT = 1e100


class Choice(NamedTuple):
    """The open variables in a heap; each is decided as it was last assigned, at first false.

    Source: Moskewicz et al. 2001, "Chaff"; Een and Sorensson 2003, "An extensible SAT-solver".
    """

    n_heap: NDArray[np.int64]
    """Variables in the heap, shape (1,)."""
    heap: NDArray[np.int32]
    """Variables; none has more weight than the one above it, at half its place."""
    place: NDArray[np.int32]
    """By variable: its place in the heap, -1 if it is not there."""
    weight: NDArray[np.float64]
    """By variable; the last entry is what a conflict adds."""
    was_false: NDArray[np.int8]
    """By variable: 1 if it was false when last assigned."""


def new_choice(n_variables: int) -> Choice:
    """Return all variables in the heap, with the same weight."""
    weight = np.zeros(n_variables + 1)
    weight[-1] = 1.0
    order = np.arange(n_variables, dtype=np.int32)
    n_heap = np.array([n_variables], np.int64)
    return Choice(n_heap, order, order.copy(), weight, np.ones(n_variables, np.int8))


@lean_kernel
def next_decision(trail, choice):
    """Return the open variable of the greatest weight, as it was last; -1 if none is open."""
    while choice.n_heap[0] > 0:
        variable = choice.heap[0]
        choice.place[variable] = -1
        choice.n_heap[0] -= 1
        n = choice.n_heap[0]
        if n > 0:
            last = choice.heap[n]
            choice.heap[0] = last
            choice.place[last] = 0
            _sink(choice, 0)
        if trail.value[2 * variable] == 0:
            return 2 * variable + choice.was_false[variable]
    return -1


@lean_kernel
def insert(choice, variable):
    """Put a variable back into the heap, if it is not there."""
    if choice.place[variable] < 0:
        n = choice.n_heap[0]
        choice.heap[n] = variable
        choice.place[variable] = n
        choice.n_heap[0] += 1
        _rise(choice, n)


@lean_kernel
def bump(choice, variable):
    """Give a variable more weight."""
    weight = choice.weight
    weight[variable] += weight[weight.size - 1]
    if weight[variable] > _TOP_WEIGHT:
        for i in range(weight.size):
            weight[i] /= _TOP_WEIGHT
    if choice.place[variable] >= 0:
        _rise(choice, choice.place[variable])


@lean_kernel
def _rise(choice, place):
    heap = choice.heap
    variable = heap[place]
    while place > 0:
        above = (place - 1) // 2
        if choice.weight[heap[above]] >= choice.weight[variable]:
            break
        heap[place] = heap[above]
        choice.place[heap[place]] = place
        place = above
    heap[place] = variable
    choice.place[variable] = place


@lean_kernel
def _sink(choice, place):
    heap = choice.heap
    n = choice.n_heap[0]
    variable = heap[place]
    while True:
        below = 2 * place + 1
        if below >= n:
            break
        if below + 1 < n and choice.weight[heap[below + 1]] > choice.weight[heap[below]]:
            below += 1
        if choice.weight[heap[below]] <= choice.weight[variable]:
            break
        heap[place] = heap[below]
        choice.place[heap[place]] = place
        place = below
    heap[place] = variable
    choice.place[variable] = place
