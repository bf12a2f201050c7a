"""The table of all solvers: a new one needs its file, a line in the stub, and an entry here."""

from dataclasses import dataclass, field

from nando import solvers
from nando.displayed import Displayed
from nando.puzzles import Puzzle, PuzzleLike
from nando.solvers.exact.search import read_checked
from nando.solvers.protocol import Limit, Outcome, Seed, Solver

SOLVERS: tuple[type[Solver], ...] = (
    solvers.ExactSearch,
    solvers.BruteForce,
    solvers.Refutation,
    solvers.SearchTime,
    solvers.DigitSweep,
    solvers.LadderRace,
    solvers.TechniqueRace,
    solvers.VariantRace,
    solvers.Annealing,
    solvers.HarmonySearch,
    solvers.Relaxation,
    solvers.LogicSolver,
    solvers.ConstraintProgramming,
    solvers.HybridAnnealing,
    solvers.Multistart,
    solvers.DistributionEstimation,
    solvers.TabuSearch,
    solvers.CuckooSearch,
    solvers.ColouringTabu,
    solvers.BeliefPropagation,
    solvers.ParticleSwarm,
    solvers.CulturalSwarm,
    solvers.ChaosFlow,
)
"""Every solver, in the order in which commands list them."""


def find_solver(name: str) -> type[Solver]:
    """Return the solver class of a name.

    Raises
    ------
    ValueError
        For an unknown name; the message lists the known ones.
    """
    for solver in SOLVERS:
        if solver.name == name:
            return solver
    known = ", ".join(solver.name for solver in SOLVERS)
    raise ValueError(f"unknown solver {name!r}; known: {known}")


# Solve a puzzle with a solver given by its name


@dataclass(frozen=True)
class Solution(Displayed):
    """The result of a solver; ``str()`` is the solution's line.

    Attributes
    ----------
    puzzle : Puzzle
    text : str or None
        The solution as a line; None if none was found.
    outcome : Outcome
    steps : int
        Steps spent, as the solver counts them.
    seed : int or None
        The seed of :func:`nando.solve`, which gives the same solution again; None if the caller
        passed a generator.
    """

    puzzle: Puzzle
    text: str | None
    outcome: Outcome
    steps: int
    seed: int | None = field(default=None, compare=False)

    def __str__(self) -> str:
        """Return the solution's line, or why there is none."""
        return self.text or f"not solved ({self.outcome.value})"

    def to_dict(self) -> dict[str, str | int | None]:
        """Return plain values by column, as ``nando solve`` writes them.

        The JSON schema ``solve`` describes each (:func:`nando.schemas.load_schema`).
        """
        return {
            "puzzle": self.puzzle.text,
            "solution": self.text,
            "outcome": self.outcome.value,
            "steps": self.steps,
        }


def solve_by(
    puzzle: PuzzleLike, method: str = "exact", *, limit: Limit | None = None, rng: Seed = None
) -> Solution:
    """Solve a puzzle.

    Parameters
    ----------
    puzzle : Puzzle, or anything that :func:`nando.puzzles.as_puzzle` takes
        It must have exactly one solution, which is not checked.
    method : str
        Name of a solver, one of those in :data:`nando.solvers.SOLVERS`.
    limit : Limit or None
    rng : seed or Generator

    Raises
    ------
    ValueError
        For an unknown solver.
    UnsupportedError
        If the solver does not run on puzzles of the kind.
    """
    read = read_checked(puzzle)
    run = find_solver(method)().run(read, limit=limit, rng=rng)
    text = None if run.solution is None else read.solution_text(run.solution)
    return Solution(read, text, run.outcome, run.steps)
