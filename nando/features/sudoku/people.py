"""The features of Sudoku by the solvers that imitate people, the thesis's, and techniques."""

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from nando.features.feature import Feature, FeatureGroup
from nando.features.shared import EXACT
from nando.puzzles import Puzzle, Sudoku
from nando.solvers.logic.sudoku.techniques import SUKAKU_EXPLAINER

if TYPE_CHECKING:
    from nando.solvers import DigitSweep, LogicSolver, Refutation, SearchTime

DEPENDENCY_STEPS = (5, 10, 15, 20, 25, 30, 35, 40)
"""Steps k of the published dependency table."""


@cache
def _sisus() -> "Refutation":
    from nando.solvers import Refutation

    return Refutation()


@cache
def _race() -> "SearchTime":
    from nando.solvers import SearchTime

    return SearchTime()


@cache
def _sweep() -> "DigitSweep":
    from nando.solvers import DigitSweep

    return DigitSweep()


@cache
def _solver() -> "LogicSolver":
    from nando.solvers import LogicSolver

    return LogicSolver(SUKAKU_EXPLAINER)


def _givens(puzzle: Puzzle, runs: int, rng: np.random.Generator) -> Sequence[float]:
    del runs, rng
    givens = puzzle.givens[puzzle.givens > 0]
    per_value = np.bincount(givens, minlength=puzzle.shape[0] + 1)[1:]
    return float(givens.size), float(per_value.min()), float(per_value.std())


def _refutation(puzzle: Puzzle, runs: int, rng: np.random.Generator) -> Sequence[float]:
    from nando.solvers import singles_suffice

    # If singles suffice, no run reaches an impasse, and all are 0.
    if isinstance(puzzle, Sudoku) and singles_suffice(puzzle):
        return 0.0, 0.0, 0.0, 0.0, 0.0
    profile = _sisus().profile(puzzle, runs=runs, rng=rng)
    return (
        profile.refutation_sum,
        float(np.log1p(profile.refutation_sum)),
        profile.refutation_max,
        profile.stuck_steps,
        profile.unrefuted_steps,
    )


def _dependency(puzzle: Puzzle, runs: int, rng: np.random.Generator) -> Sequence[float]:
    profile = _sisus().profile(puzzle, runs=runs, rng=rng)
    return [profile.dependency(steps) for steps in DEPENDENCY_STEPS]


def _search_time(puzzle: Puzzle, runs: int, rng: np.random.Generator) -> Sequence[float]:
    race = _race()
    profile = race.profile(puzzle, runs=runs, rng=rng)
    if not profile.times.size:  # a full grid takes no time: use that of the least step
        return np.log(race.entry_time), np.log(race.entry_time), 0.0, *[0.0] * 4
    shares = (max(quarter, 1e-9) / profile.total for quarter in _quarters(profile.times))
    total, longest, *logs = np.log([profile.total, profile.longest, *shares]).tolist()
    return total, longest, profile.stuck_steps, *logs


def _quarters(times: NDArray[np.float64]) -> list[float]:
    """Sums of the parts of ``np.array_split(times, 4)``, which takes longer than a run."""
    least, longer = divmod(times.size, 4)
    ends = [least * i + min(longer, i) for i in range(5)]
    return [float(np.add.reduce(times[i:j])) for i, j in pairwise(ends)]


def _digit_sweep(puzzle: Puzzle, runs: int, rng: np.random.Generator) -> Sequence[float]:
    row: list[float] = _digit_sweep_of_many([puzzle], runs, [rng])[0].tolist()
    return row


def _digit_sweep_of_many(
    puzzles: Sequence[Puzzle], runs: int, rngs: Iterable[np.random.Generator]
) -> NDArray[np.float64]:
    return np.log1p(_sweep().means_many(puzzles, runs=runs, rngs=rngs)[:, :3])


def _relaxation(puzzle: Puzzle, runs: int, rng: np.random.Generator) -> Sequence[float]:
    from nando.solvers import Relaxation

    profile = Relaxation().profile(puzzle, runs=runs, rng=rng)
    return float(np.log1p(profile.extra_solutions)), profile.fixed_blanks, profile.unique_share


def _brute_force(puzzle: Puzzle, runs: int, rng: np.random.Generator) -> Sequence[float]:
    from nando.solvers import BruteForce, Limit

    limit = Limit(steps=BRUTE_FORCE_STEPS)
    return (float(np.log(BruteForce().profile(puzzle, runs=runs, rng=rng, limit=limit).steps)),)


def _annealing(puzzle: Puzzle, runs: int, rng: np.random.Generator) -> Sequence[float]:
    from nando.solvers import Annealing, Limit

    limit = Limit(steps=ANNEALING_STEPS)
    profile = Annealing.thesis().profile(puzzle, runs=runs, rng=rng, limit=limit)
    return float(np.log1p(profile.steps)), profile.solved_share


def _harmony(puzzle: Puzzle, runs: int, rng: np.random.Generator) -> Sequence[float]:
    from nando.solvers import HarmonySearch

    return (HarmonySearch().profile(puzzle, runs=runs, rng=rng).best_cost,)


def _logic(puzzle: Puzzle, runs: int, rng: np.random.Generator) -> Sequence[float]:
    del runs, rng
    if not isinstance(puzzle, Sudoku):
        from nando.solvers import UnsupportedError

        raise UnsupportedError(f"the feature group 'logic' is for Sudoku, got {puzzle.kind!r}")
    steps = list(_solver().steps(puzzle))
    filled = sum(step.placement is not None for step in steps)
    hardest = max((step.rating for step in steps), default=0.0)
    uses = Counter(step.technique.name for step in steps)
    return (
        hardest,
        round(sum(step.rating for step in steps), 1),
        float(len(steps)),
        float(filled < int((puzzle.givens == 0).sum())),
        float(sum(step.rating == hardest for step in steps)),
        *(float(uses[technique.name]) for technique in SUKAKU_EXPLAINER),
    )


def _uses(technique: str) -> str:
    """Name of the feature that counts the uses of a technique."""
    return f"uses_{technique.lower().replace(' ', '_').replace('-', '_')}"


BRUTE_FORCE_STEPS = 1_000_000
"""Budget of one brute-force run; the feature is the median, so few capped runs do no harm."""

ANNEALING_STEPS = 6_000_000
"""Budget of one annealing run, as in the pilot that measured its correlation."""

_THESIS = "Krivanek 2011"
_SURVEY = "Pelanek 2014"
_OURS = "nando, solvers.SearchTime"
_SERATE = "nando, solvers.LogicSolver, on the scale of Sukaku Explainer"

SUDOKU_GROUPS = (
    FeatureGroup(
        "givens",
        0,
        (
            Feature("givens", "given cells", "cells", "easier", _SURVEY),
            Feature(
                "rarest_value_givens",
                "givens of the value that is given least often",
                "cells",
                "easier",
                "nando",
            ),
            Feature(
                "givens_spread",
                "standard deviation of the number of givens per value",
                "cells",
                "either",
                "nando",
            ),
        ),
        _givens,
    ),
    FeatureGroup(
        "refutation",
        1,
        (
            Feature(
                "refutation_sum",
                "mean over runs of the summed refutation scores of impasses",
                "steps",
                "harder",
                f"{_THESIS}; {_SURVEY}",
            ),
            Feature(
                "log_refutation_sum",
                "natural logarithm of 1 + refutation_sum",
                "log steps",
                "harder",
                "nando",
            ),
            Feature(
                "refutation_max",
                "mean over runs of the largest refutation score (the thesis's Serate)",
                "steps",
                "harder",
                _THESIS,
            ),
            Feature(
                "stuck_steps",
                "mean number of impasses: steps at which no single is available",
                "steps",
                "harder",
                "nando",
            ),
            Feature(
                "unrefuted_steps",
                "mean number of impasses that singles cannot resolve either",
                "steps",
                "harder",
                "nando",
            ),
        ),
        _refutation,
        30,
    ),
    FeatureGroup(
        "dependency",
        8,
        tuple(
            Feature(
                f"dependency_{steps}",
                f"mean number of cells a single can fill, over the first {steps} steps",
                "cells",
                "easier",
                f"{_SURVEY}, Table 2",
            )
            for steps in DEPENDENCY_STEPS
        ),
        _dependency,
        30,
    ),
    FeatureGroup(
        "search_time",
        2,
        (
            Feature(
                "search_time",
                "logarithm of the mean total time of a simulated singles-first solve",
                "log time of a lone box hidden single",
                "harder",
                _OURS,
            ),
            Feature(
                "search_time_longest",
                "logarithm of the mean longest step of that solve",
                "log time of a lone box hidden single",
                "harder",
                _OURS,
            ),
            Feature(
                "search_time_stuck",
                "mean number of steps of that solve without a single",
                "steps",
                "harder",
                _OURS,
            ),
            *(
                Feature(
                    f"search_time_quarter_{quarter}",
                    f"logarithm of the share of that time spent in quarter {quarter} of the cells",
                    "log share",
                    "either",
                    _OURS,
                )
                for quarter in (1, 2, 3, 4)
            ),
        ),
        _search_time,
        30,
    ),
    FeatureGroup(
        "digit_sweep",
        10,
        tuple(
            Feature(
                f"sweep_{name}",
                f"logarithm of 1 + mean number of {definition} while the digits are gone "
                "through one after another",
                "log visits",
                "harder",
                "nando, solvers.DigitSweep",
            )
            for name, definition in (
                ("easy_visits", "visits at a glance"),
                ("line_visits", "visits that look at all rows and columns"),
                ("naked_visits", "visits that look for cells with one candidate"),
            )
        ),
        _digit_sweep,
        8,
        _digit_sweep_of_many,
    ),
    EXACT,
    FeatureGroup(
        "relaxation",
        4,
        (
            Feature(
                "relaxation_extra_solutions",
                "logarithm of 1 + mean extra solutions with 45 edges removed",
                "log solutions",
                "harder",
                f"{_THESIS}; {_SURVEY}",
            ),
            Feature(
                "relaxation_fixed_blanks",
                "mean number of blanks with one value in all solutions, 45 edges removed",
                "cells",
                "easier",
                f"{_SURVEY} (fixedness)",
            ),
            Feature(
                "relaxation_unique_share",
                "share of samples that keep a unique solution, 45 edges removed",
                "share",
                "easier",
                _THESIS,
            ),
        ),
        _relaxation,
        50,
    ),
    FeatureGroup(
        "brute_force",
        5,
        (
            Feature(
                "brute_force_steps",
                "logarithm of the median number of suggestions of the thesis's brute force",
                "log steps",
                "harder",
                _THESIS,
            ),
        ),
        _brute_force,
        100,
    ),
    FeatureGroup(
        "annealing",
        6,
        (
            Feature(
                "annealing_steps",
                "logarithm of 1 + the median number of steps of the thesis's annealing",
                "log steps",
                "harder",
                _THESIS,
            ),
            Feature(
                "annealing_solved",
                "share of annealing runs that end solved within the budget",
                "share",
                "easier",
                "nando",
            ),
        ),
        _annealing,
        11,
    ),
    FeatureGroup(
        "harmony",
        7,
        (
            Feature(
                "harmony_cost",
                "median over runs of the best cost after 10,000 improvisations",
                "missing symbols",
                "harder",
                _THESIS,
            ),
        ),
        _harmony,
        11,
    ),
    FeatureGroup(
        "logic",
        9,
        (
            Feature(
                "se_rating",
                "rating of the hardest step that the human-style solver takes; where its "
                "techniques do not suffice, of those it found",
                "rating",
                "harder",
                _SERATE,
            ),
            Feature("se_sum", "sum of the ratings of its steps", "rating", "harder", _SERATE),
            Feature("logic_steps", "number of its steps", "steps", "harder", _SERATE),
            Feature(
                "logic_stuck",
                "1 where its techniques do not suffice, else 0",
                "0 or 1",
                "harder",
                _SERATE,
            ),
            Feature(
                "hardest_steps",
                "number of its steps at the rating of the hardest",
                "steps",
                "either",
                _SERATE,
            ),
            *(
                Feature(
                    _uses(technique.name),
                    f"number of its steps by {technique.name}, rated from {technique.rating:.1f}",
                    "steps",
                    "harder" if technique.rating > 1.5 else "either",
                    _SERATE,
                )
                for technique in SUKAKU_EXPLAINER
            ),
        ),
        _logic,
    ),
)
"""Groups of Sudoku; see :data:`nando.rating.GROUPS`."""
