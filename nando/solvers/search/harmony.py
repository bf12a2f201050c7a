"""Harmony search: a memory of filled grids from which new ones are improvised cell by cell.

It never solves an ordinary Sudoku; the best cost it reaches is the metric. The original fitness
adds up how far the sum of each house is from that of 1..n and has false zeros, so the thesis
counts missing symbols instead; both are here.

Source: Krivanek 2011, after Geem 2007.
"""

from dataclasses import dataclass
from functools import partial
from typing import ClassVar, Literal

import numpy as np

from nando.puzzles import Puzzle
from nando.settings import Settings, between, setting
from nando.solvers.kinds import part_for
from nando.solvers.protocol import (
    Limit,
    Outcome,
    Rule,
    Seed,
    SolveRun,
    generator,
)
from nando.solvers.repeated import Budget, descend, run_often, solved_share
from nando.solvers.search.harmony_memory import Improvise, new_memory

_CHUNK = 1_000
"""Improvisations between two checks of the clock."""


@dataclass(frozen=True)
class HarmonyProfile:
    """Statistics of many runs of :class:`HarmonySearch` on a puzzle.

    Attributes
    ----------
    best_cost : float
        Median over runs of the least cost in memory at the end.
    solved_share : float
        Share of runs that found a solution.
    """

    best_cost: float
    solved_share: float


@dataclass(frozen=True)
class HarmonySearch(Settings):
    """Harmony search.

    Parameters
    ----------
    memory_size : int
        Grids in memory.
    considering_rate : float
        Chance that a cell is taken from memory and not drawn afresh.
    adjusting_rate : float
        Chance that a value from memory is moved by one, up or down alike; a move outside the
        values is not made.
    improvisations : int
        New grids per run.
    fitness : {"missing", "sum"}
        Missing symbols over all houses, or Geem's distance of sums; Sudoku only. Nurikabe has
        the cost of annealing.

    Notes
    -----
    Steps are improvisations. The trace has a row for each one that lowered the best cost;
    `step` is its number and `cost` the new best. A run ends at cost 0, which is SOLVED only
    where the grid obeys the rules: the distance of sums is 0 for many that do not, and so is the
    cost of a Nurikabe with white cells on no island.
    """

    name: ClassVar[str] = "harmony"
    memory_size: int = setting(50, between(1))
    considering_rate: float = setting(0.7, between(0, 1))
    adjusting_rate: float = setting(0.1, between(0, 1))
    improvisations: int = setting(10_000, between(1))
    fitness: Literal["missing", "sum"] = "missing"

    def run(self, puzzle: Puzzle, *, limit: Limit | None = None, rng: Seed = None) -> SolveRun:
        """Improvise within `improvisations` and the limit.

        The outcome is STUCK where `improvisations` were spent, or the cost is 0 for a grid that
        breaks the rules.
        """
        return self._run(puzzle, Budget(limit, self.improvisations), generator(rng))

    def profile(
        self, puzzle: Puzzle, *, runs: int = 100, rng: Seed = None, limit: Limit | None = None
    ) -> HarmonyProfile:
        """Run `runs` times and take the median of the best cost.

        Raises
        ------
        ValueError
            If `runs` is below 1.
        """
        done = run_often(self, puzzle, runs, limit, rng)
        return HarmonyProfile(
            best_cost=float(np.median([run.trace["cost"][-1] for run in done])),
            solved_share=solved_share(done),
        )

    def _run(self, puzzle: Puzzle, budget: Budget, rng: np.random.Generator) -> SolveRun:
        begin = part_for(self, puzzle, "improvise")
        memory = new_memory(self.memory_size, len(puzzle.givens), budget.most)
        improvise: Improvise = begin(puzzle, memory, self.fitness, rng)
        rates = (float(self.considering_rate), float(self.adjusting_rate))
        bests, progress = memory.bests, memory.progress
        go_on = partial(improvise, rates)
        trace = descend(bests, progress, budget, _CHUNK, go_on, Rule.HARMONY)
        steps, solved = int(progress[0]), trace["cost"][-1] == 0
        if solved and not puzzle.is_solution(memory.best):
            return SolveRun(Outcome.STUCK, steps, None, trace)
        return budget.ended(steps, memory.best if solved else None, trace)
