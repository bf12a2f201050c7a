"""Soto et al. 2015: alldifferent filtering and tabu search on Mantere and Koljonen's puzzles."""

from typing import get_args

import numpy as np

from nando.puzzles import Sudoku
from nando.reproduction.core import Cell, Curve, Experiment, Findings, Published, Settings
from nando.reproduction.instances import benchmark
from nando.solvers import TabuSearch
from nando.solvers.constraints.alldifferent import DomainFilter, filter_domains
from nando.solvers.repeated import SuccessProfile

_FILTERS: tuple[DomainFilter, ...] = get_args(DomainFilter)
_EASY = ("s01", "s06", "s10", "s13")
"""Levels 1, E, Easy and GA-E, three puzzles each."""
_SEARCHED: tuple[DomainFilter, ...] = ("ac3", "alldifferent")
_LOST = "the tables are images in every copy found, and which puzzles form a class is not said"


def _profile(
    task: tuple[Sudoku, DomainFilter, int, int], rng: np.random.Generator
) -> SuccessProfile:
    puzzle, domain_filter, runs, successes = task
    return TabuSearch(domain_filter=domain_filter).profile(
        puzzle, runs=runs, successes=successes, rng=rng
    )


def _measure(settings: Settings) -> Findings:
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
    # A puzzle that no run solved took at least all iterations.
    means = [np.where(np.isnan(of), 10_000.0, of) for of in means]
    fewer = float((means[1] < means[0])[~easy].sum())
    more = float((means[1] > means[0])[~easy].sum())
    escargot = filter_domains(puzzles["s16"], "alldifferent").sizes.reshape(9, 9)[:3, :3]
    blank = np.asarray(puzzles["s16"].givens).reshape(9, 9)[:3, :3] == 0
    solved = [float(np.mean([p.solved_share for p in of])) for of in (ac3, alldifferent)]
    cells = [
        Cell(
            "AI Escargot, first box",
            "candidates before",
            Published.near(57, 0),
            float(np.where(blank, 9, 1).sum()),
        ),
        Cell(
            "AI Escargot, first box",
            "candidates of blanks after",
            Published.near(20, 0, reason="23 with the givens; the paper leaves them out"),
            float(escargot[blank].sum()),
        ),
        Cell(
            "all 46",
            "puzzles that AC-3 filters more than alldifferent",
            Published.near(0, 0),
            float((reduction["ac3"] > reduction["alldifferent"] + 1e-9).sum()),
        ),
        Cell(
            "easy (12)",
            "mean iterations, alldifferent less AC-3",
            Published.near(0, 1, reason='"no relevant difference"; classes by their page\'s names'),
            float((means[1] - means[0])[easy].mean()),
        ),
        Cell(
            "others (34)",
            "puzzles with fewer iterations, less those with more",
            Published(None, 1, reason="alldifferent needs fewer on medium, SD and hard puzzles"),
            fewer - more,
        ),
        Cell(
            "all 46",
            "share of runs solved in 10,000 iterations, alldifferent",
            Published(1.0, 0.995, 1.0, reason="all were solved; the lengths of lists are ours"),
            solved[1],
        ),
        Cell(
            "all 46",
            "share of runs solved, alldifferent less AC-3",
            Published(None, 0.0, reason="AC-3 tabu search does no better"),
            solved[1] - solved[0],
        ),
        *(Cell(f"table {i}", "all numbers", Published.lost(_LOST)) for i in (1, 2, 3, 4)),
    ]
    order = np.argsort(means[0], kind="stable")
    curves = [
        Curve(
            "mean iterations, puzzles by AC-3's",
            name,
            list(range(1, n + 1)),
            [float(x) for x in of[order]],
        )
        for name, of in zip(("AC-3", "alldifferent"), means, strict=True)
    ]
    curves += [
        Curve(
            "reduction of candidates, %",
            name,
            list(range(1, n + 1)),
            [float(x) for x in reduction[name][order]],
        )
        for name in _FILTERS
    ]
    return Findings(
        f"46 puzzles of Mantere and Koljonen, {runs} runs of each filter", cells, curves
    )


EXPERIMENTS = (
    Experiment(
        "soto",
        "Soto et al. 2015, text",
        "What alldifferent filters beyond AC-3, and what it saves a tabu search.",
        _measure,
        ("puzzle", ""),
    ),
)
