"""Search for a variant by learning a clause from each conflict, in turns with a search by guesses.

Most puzzles are decided by a few guesses, and killers with large cages by many. Thermometers
without givens, long lines and regions that cannot be filled need learning. The first turn of the
guesses is long enough for all but the hardest puzzles, so the learning search need not be compiled
for them.

Source: Marques-Silva and Sakallah 1999, "GRASP"; Moskewicz et al. 2001, "Chaff".
"""

import numpy as np
from numpy.typing import NDArray

from nando.kernels.compile import inlined_kernel, lean_kernel
from nando.puzzles import Variant
from nando.solvers.exact import conflicts, variants
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
from nando.solvers.exact.variant_clauses import Formula, formula_of
from nando.solvers.kinds import Search
from nando.solvers.variants.tables import lists

_FIRST = 50_000
"""Guesses of the first turn."""
_FACTOR = 8
"""Guesses (or conflicts) after the second turn, divided by those after the first, and so on."""
_CONFLICTS = 15_000
"""Conflicts of the first turn of the learning search."""

_RESTART = 8
"""Conflicts before the first restart; the unit of the others."""
_KEPT = 3_000
"""Learned clauses at which half of them are deleted."""


class LearningSearch:
    """Search for the solutions of a variant, none of which is among the `known` ones.

    See :class:`nando.solvers.kinds.Search`. A guess is a conflict.
    """

    patience = 1 << 62

    def __init__(self, puzzle: Variant, formula: Formula, known: NDArray[np.int8]) -> None:
        self._places = np.array(puzzle.places, np.int64)
        self._formula = formula
        n = self._n = puzzle.size
        other = [
            [
                2 * (cell * n + digit - 1) + 1
                for cell, digit in enumerate(row[self._places].tolist())
            ]
            for row in known
        ]
        starts, literals = lists(other)
        size = 2 * (len(formula.literals) + len(literals)) + 4 * len(formula.start)
        self._trail = trails.new_trail(formula.n_variables, 4 * formula.n_variables + 1)
        # The reason of a literal that follows from another one alone; it is never written again.
        self._trail.why[:-1:2] = 1
        self._trail.why[1::2] = np.arange(2 * formula.n_variables) ^ 1
        self._clauses = new_clauses(formula.n_variables, size + (1 << 18))
        self._choice = conflicts.new_choice(formula.n_variables)
        self._schedule = np.array([0, _RESTART, 0], np.int64)
        self.progress = np.array([0, len(known), 0], np.int64)
        self.solutions = np.zeros((2, puzzle.givens.size), np.int8)
        self.solutions[: len(known)] = known
        for some in ((formula.start, formula.literals), (starts, literals)):
            add_clauses(self._trail, self._clauses, *some, self.progress)
        self._schedule[conflicts.N_KEPT] = self._clauses.counts[N_LEARNED] + _KEPT

    def advance(self, limit: int, most_guesses: int) -> None:
        """Continue until `limit` solutions, `most_guesses` conflicts in all, or the end."""
        formula = self._formula
        while True:
            advance_learning(
                (formula.pair_start, formula.pairs),
                self._trail,
                self._clauses,
                self._choice,
                self._schedule,
                (limit, most_guesses),
                self.progress,
                (self.solutions, self._places, self._n),
            )
            if not self._trail.counts[trails.FULL]:
                return
            self._trail.counts[trails.FULL] = 0
            store = self._clauses.store
            self._clauses = self._clauses._replace(store=np.concatenate([store, 0 * store]))


@lean_kernel
def add_clauses(trail, clauses, start, literals, progress):
    """Add clauses, none of which is ever deleted; the depth is -1 if one of them is empty."""
    for i in range(start.size - 1):
        n = start[i + 1] - start[i]
        for j in range(n):
            clauses.learned[j] = literals[start[i] + j]
        if n > 1:
            learn(trail, clauses, n, 0)
        elif n == 0 or trail.value[clauses.learned[0]] < 0:
            progress[DEPTH] = -1
        elif trail.value[clauses.learned[0]] == 0:
            trails.assign(trail, clauses.learned[0], 0)


@lean_kernel
def advance_learning(pairs, trail, clauses, choice, schedule, most, progress, found):
    """Continue until `most`, a number of solutions and one of conflicts, or the end (depth -1).

    If there is no room for a clause, the search stops with FULL set, and can be continued with a
    larger store.
    """
    counts = trail.counts
    limit, most_guesses = most
    while progress[DEPTH] >= 0 and progress[FOUND] < limit and progress[GUESSES] < most_guesses:
        if not _propagate(pairs, trail, clauses):
            progress[GUESSES] += 1
            schedule[conflicts.UNTIL_RESTART] -= 1
            if not conflicts.analyse(trail, clauses, choice):
                progress[DEPTH] = -1
        elif schedule[conflicts.UNTIL_RESTART] <= 0:
            conflicts.restart(trail, choice, schedule, _RESTART)
            if clauses.counts[N_LEARNED] > schedule[conflicts.N_KEPT]:
                if not tidy(trail, clauses, _KEPT // 2):
                    progress[DEPTH] = -1
                schedule[conflicts.N_KEPT] = clauses.counts[N_LEARNED] + _KEPT
                conflicts.shuffle(choice, schedule[conflicts.N_RESTARTS])
                counts[trails.HEAD] = 0
        else:
            literal = conflicts.next_decision(trail, choice)
            if literal >= 0:
                trails.decide(trail, literal)
                progress[DEPTH] = counts[trails.LEVEL]
            elif has_space(trail, clauses, counts[trails.LEVEL]):
                _keep_solution(trail, progress, found)
                conflicts.exclude_decisions(trail, clauses, choice, progress)
        if counts[trails.FULL] > 0:
            conflicts.give_up_level(trail, choice, 0)
            counts[trails.HEAD] = 0
            return


@lean_kernel
def _propagate(pairs, trail, clauses):
    """Draw all consequences; return False at a conflict."""
    counts = trail.counts
    while counts[trails.HEAD] < counts[trails.N_SET]:
        literal = trail.trail[counts[trails.HEAD]]
        counts[trails.HEAD] += 1
        if not _follow_pairs(pairs, trail, literal) or not follow_clauses(trail, clauses, literal):
            return False
    return True


@inlined_kernel
def _follow_pairs(pairs, trail, literal):
    """Draw the consequences of a literal alone; return False at a conflict."""
    start, implied = pairs
    for i in range(start[literal], start[literal + 1]):
        other = implied[i]
        if trail.value[other] == 0:
            trails.assign(trail, other, 2 * literal + 1)
        elif trail.value[other] < 0:
            trail.conflict[0] = other
            trail.conflict[1] = literal ^ 1
            trail.counts[trails.N_CONFLICT] = 2
            return False
    return True


@lean_kernel
def _keep_solution(trail, progress, found):
    solutions, places, n = found
    if progress[FOUND] < 2:
        for cell in range(places.size):
            for digit in range(n):
                if trail.value[2 * (cell * n + digit)] > 0:
                    solutions[progress[FOUND], places[cell]] = digit + 1
    progress[FOUND] += 1


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
