"""Exact search for Nurikabe: trials of single cells, then learning for hard puzzles.

The learning search decides, draws consequences, and learns a clause from each conflict. Each
consequence of sizes and connection has a clause that explains it, so that a conflict can be traced
to the decisions that caused it.

Source: Marques-Silva and Sakallah 1999, "GRASP"; Moskewicz et al. 2001, "Chaff"; Ohrimenko, Stuckey
and Codish 2009, "Propagation via lazy clause generation".
"""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from nando.kernels.compile import lean_kernel
from nando.puzzles.nurikabe import BLACK, WHITE, Nurikabe
from nando.solvers.exact import conflicts
from nando.solvers.exact import trail as trails
from nando.solvers.exact.bands import DEPTH, FOUND, GUESSES
from nando.solvers.exact.clauses import (
    N_LEARNED,
    follow_clauses,
    has_space,
    learn,
    new_clauses,
    tidy,
)
from nando.solvers.exact.nurikabe.ownership import Variables, follow_literal, new_variables
from nando.solvers.exact.nurikabe.probing import ProbingSearch
from nando.solvers.exact.nurikabe.regions import follow_region

_PATIENCE = 40_000_000
"""Guesses times cells after which a search without a limit gives up: ten seconds to a minute."""
_LEAST_PATIENCE = 20_000

_PROBES = 500_000
"""Guesses times cells, some tenths of a second, after which learning replaces trials.

Most puzzles take a hundredth of that, so the learning search need not be compiled for them.
"""

_RESTART = 64
"""Conflicts before the first restart; the unit of the others."""
_KEPT = 10_000
_ROOM = 1 << 18
"""Entries for learned clauses at the start."""
_MOST_VARIABLES = 200_000


def learning_search(
    puzzle: Nurikabe,
    progress: NDArray[np.int64],
    solutions: NDArray[np.int8],
    colours: Iterable[tuple[int, int]] = (),
) -> "LearningSearch | None":
    """Return a search for solutions not found yet, or None if the board has too many variables.

    Parameters
    ----------
    puzzle : Nurikabe
    progress, solutions : ndarray
        Results so far, which are continued: see :class:`nando.solvers.kinds.Search`. Solutions that
        were counted but are not among the `solutions` can be found again.
    colours : iterable of (int, int)
        Cells and the colours they have in all other solutions.
    """
    variables = new_variables(puzzle, _MOST_VARIABLES)
    if variables is None:
        return None
    search = LearningSearch(variables, progress, solutions)
    search.begin(colours)
    return search


class LearningSearch:
    """See :func:`learning_search`. A guess is a conflict."""

    def __init__(
        self, variables: Variables, progress: NDArray[np.int64], solutions: NDArray[np.int8]
    ) -> None:
        n_variables = variables.cell.size
        self.progress = progress
        self.solutions = solutions
        self._variables = variables
        self._trail = trails.new_trail(n_variables, 16 * n_variables, variables.start.size)
        self._clauses = new_clauses(n_variables, _ROOM)
        self._choice = conflicts.new_choice(n_variables)
        self._schedule = np.array([0, _RESTART, _KEPT], np.int64)

    def begin(self, colours: Iterable[tuple[int, int]]) -> None:
        """Set numbers and known colours, and exclude the known solutions."""
        literals = [2 * start for start in self._variables.start[:-1].tolist()]
        literals += [2 * cell + int(colour == BLACK) for cell, colour in colours]
        assign_all(self._variables, self._trail, np.array(literals, np.int32))
        for values in self.solutions[: self.progress[FOUND]]:
            exclude_colours(self._variables, self._trail, self._clauses, self.progress, values)

    def advance(self, limit: int, most_guesses: int) -> None:
        """Continue until `limit` solutions, `most_guesses` guesses in all, or the end."""
        while True:
            advance_learning(
                self._variables,
                self._trail,
                self._clauses,
                self._choice,
                self._schedule,
                self.progress,
                limit,
                most_guesses,
                self.solutions,
            )
            if not self._trail.counts[trails.FULL]:
                return
            self._trail.counts[trails.FULL] = 0
            self._trail = self._trail._replace(why=_double(self._trail.why))
            self._clauses = self._clauses._replace(store=_double(self._clauses.store))


def _double(array: NDArray[np.int32]) -> NDArray[np.int32]:
    return np.concatenate([array, np.zeros_like(array)])


@lean_kernel
def advance_learning(
    variables, trail, clauses, choice, schedule, progress, limit, most_guesses, solutions
):
    """Continue until `limit` solutions, `most_guesses` conflicts, or the end (depth -1).

    `solutions` receives the first two. If there is no room for a clause, the search stops with FULL
    set, and can be continued with larger arrays.
    """
    counts = trail.counts
    while progress[DEPTH] >= 0 and progress[FOUND] < limit and progress[GUESSES] < most_guesses:
        if not propagate(variables, trail, clauses):
            if counts[trails.FULL] == 0:
                progress[GUESSES] += 1
                schedule[conflicts.UNTIL_RESTART] -= 1
                if not conflicts.analyse(trail, clauses, choice):
                    progress[DEPTH] = -1
        elif schedule[conflicts.UNTIL_RESTART] <= 0:
            conflicts.restart(trail, choice, schedule, _RESTART)
            if clauses.counts[N_LEARNED] > schedule[conflicts.N_KEPT]:
                if not tidy(trail, clauses, schedule[conflicts.N_KEPT] // 2):
                    progress[DEPTH] = -1
                schedule[conflicts.N_KEPT] += schedule[conflicts.N_KEPT] // 16
                counts[trails.HEAD] = 0
        else:
            literal = conflicts.next_decision(trail, choice)
            if literal >= 0:
                trails.decide(trail, literal)
                progress[DEPTH] = counts[trails.LEVEL]
            elif has_space(trail, clauses, counts[trails.LEVEL]):
                _keep_solution(variables, trail, progress, solutions)
                conflicts.exclude_decisions(trail, clauses, choice, progress)
        if counts[trails.FULL] > 0:
            conflicts.give_up_level(trail, choice, 0)
            touch_all(variables, trail)
            return


@lean_kernel
def assign_all(variables, trail, literals):
    """Make literals true at level 0."""
    for literal in literals:
        if trail.value[literal] == 0:
            trails.assign(trail, literal, 0)
    touch_all(variables, trail)


@lean_kernel
def touch_all(variables, trail):
    """Mark everything as changed, so that all consequences are drawn again."""
    n_islands = variables.start.size - 1
    trail.counts[trails.HEAD] = 0
    trail.counts[trails.RIVER] = 1
    trail.counts[trails.N_DIRTY] = n_islands
    for island in range(n_islands):
        trail.is_dirty[island] = 1
        trail.dirty[island] = island


@lean_kernel
def propagate(variables, trail, clauses):
    """Draw all consequences; return False at a conflict, or if there is no room."""
    counts = trail.counts
    while True:
        while counts[trails.HEAD] < counts[trails.N_SET]:
            literal = trail.trail[counts[trails.HEAD]]
            counts[trails.HEAD] += 1
            island = variables.island[literal >> 1]
            if island < 0:
                counts[trails.RIVER] = 1
            elif trail.is_dirty[island] == 0:
                trail.is_dirty[island] = 1
                trail.dirty[counts[trails.N_DIRTY]] = island
                counts[trails.N_DIRTY] += 1
            if not follow_literal(variables, trail, literal):
                return False
            if not follow_clauses(trail, clauses, literal):
                return False
        if counts[trails.N_DIRTY] > 0:
            counts[trails.N_DIRTY] -= 1
            region = trail.dirty[counts[trails.N_DIRTY]]
            trail.is_dirty[region] = 0
        elif counts[trails.RIVER] > 0:
            # The largest region comes last.
            counts[trails.RIVER] = 0
            region = variables.start.size - 1
        else:
            return True
        if not follow_region(variables, trail, region):
            return False


# Solutions


@lean_kernel
def _keep_solution(variables, trail, progress, solutions):
    if progress[FOUND] < 2:
        for cell in range(variables.n_cells):
            is_white = trail.value[2 * cell] > 0
            solutions[progress[FOUND], cell] = WHITE if is_white else BLACK
    progress[FOUND] += 1


@lean_kernel
def exclude_colours(variables, trail, clauses, progress, values):
    """At the start: learn that some cell differs from a solution already found."""
    n = 0
    for cell in range(variables.n_cells):
        literal = 2 * cell + (values[cell] == WHITE)
        if trail.value[literal] > 0:
            return
        if trail.value[literal] == 0:
            clauses.learned[n] = literal
            n += 1
    if n == 0:
        progress[DEPTH] = -1
    elif n == 1:
        trails.assign(trail, clauses.learned[0], 0)
    else:
        learn(trail, clauses, n, 0)


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
