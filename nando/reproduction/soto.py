"""Soto et al. 2015: alldifferent filtering and tabu search on Mantere and Koljonen's puzzles."""

from typing import get_args

import numpy as np

from nando.puzzles import Sudoku
from nando.reproduction.core import Curve, Findings, Settings, benchmark, compare
from nando.solvers import TabuSearch
from nando.solvers.protocol import SuccessProfile
from nando.solvers.search.domain_filters import DomainFilter, filter_domains

_FILTERS: tuple[DomainFilter, ...] = get_args(DomainFilter)
_EASY = ("s01", "s06", "s10", "s13")
"""Puzzles of the levels 1, E, Easy and GA-E, which have three puzzles each."""
_SEARCHED: tuple[DomainFilter, ...] = ("ac3", "alldifferent")


def _profile(
    task: tuple[Sudoku, DomainFilter, int, int], rng: np.random.Generator
) -> SuccessProfile:
    puzzle, domain_filter, runs, successes = task
    return TabuSearch(domain_filter=domain_filter).profile(
        puzzle, runs=runs, successes=successes, rng=rng
    )


def text(settings: Settings) -> Findings:
    """Measure the statements of the text; the tables are lost."""
    puzzles = benchmark()
    runs, successes = settings.pick((10, 10), (50, 30))
    reduction = {
        name: np.array([filter_domains(puzzle, name).reduction for puzzle in puzzles.values()])
        for name in _FILTERS
    }
    tasks = [(p, name, runs, successes) for name in _SEARCHED for p in puzzles.values()]
    profiles = settings.map("tabu", _profile, tasks)
    n = len(puzzles)
    ac3, alldifferent = profiles[:n], profiles[n:]
    easy = np.array([name.startswith(_EASY) for name in puzzles])
    means = [np.array([profile.iterations_mean for profile in of]) for of in (ac3, alldifferent)]
    # A puzzle that no run solved takes at least all iterations.
    means = [np.where(np.isnan(of), 10_000.0, of) for of in means]
    fewer = float((means[1] < means[0])[~easy].sum())
    more = float((means[1] > means[0])[~easy].sum())
    escargot = filter_domains(puzzles["s16"], "alldifferent").sizes.reshape(9, 9)[:3, :3]
    blank = np.asarray(puzzles["s16"].givens).reshape(9, 9)[:3, :3] == 0
    solved = [float(np.mean([p.solved_share for p in of])) for of in (ac3, alldifferent)]
    box, all_46 = "AI Escargot, first box", "all 46"
    solved_of_all = "share of runs solved in 10,000 iterations, alldifferent"
    filtered_more = reduction["ac3"] > reduction["alldifferent"] + 1e-9
    measured = {
        (box, "candidates before"): float(np.where(blank, 9, 1).sum()),
        (box, "candidates of blanks after"): float(escargot[blank].sum()),
        (all_46, "puzzles that AC-3 filters more than alldifferent"): float(filtered_more.sum()),
        ("easy (12)", "mean iterations, alldifferent less AC-3"): float(
            (means[1] - means[0])[easy].mean()
        ),
        ("others (34)", "puzzles with fewer iterations, less those with more"): fewer - more,
        (all_46, solved_of_all): solved[1],
        (all_46, "share of runs solved, alldifferent less AC-3"): solved[1] - solved[0],
    }
    order = np.argsort(means[0], kind="stable")
    x: list[float] = list(range(1, n + 1))
    curves = [
        Curve("mean iterations, puzzles by AC-3's", name, x, of[order].tolist())
        for name, of in zip(("AC-3", "alldifferent"), means, strict=True)
    ]
    curves += [
        Curve("reduction of candidates, %", name, x, reduction[name][order].tolist())
        for name in _FILTERS
    ]
    about = f"46 puzzles of Mantere and Koljonen, {runs} runs of each filter"
    return Findings(about, compare("soto", measured), curves)
