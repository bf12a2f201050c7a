"""Maire and Prissette 2012: estimation of distribution, and its restarts (RESEDA)."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from nando.datasets import DataNotFoundError
from nando.puzzles import Sudoku
from nando.reproduction import core
from nando.solvers import DistributionEstimation, Outcome, solve
from nando.solvers.search.reseda import Zones

_FORMS = {
    "permutations": DistributionEstimation(precomputation=False),
    "pre-computation": DistributionEstimation(permutations=False),
    "both": DistributionEstimation(),
}
_ZONES: dict[str, Zones | None] = {
    "none": None,
    "3 zones": "diagonal boxes",
    "9 zones": "boxes",
    "27 zones": "houses",
}
_CLASS_ZONES = ("27 zones", "9 zones", "3 zones")
_SUCCESS, _ROUNDS = "success, %", "rounds of 100 grids"

Task = tuple[DistributionEstimation, Sudoku]


def _run(task: Task, rng: np.random.Generator) -> tuple[float, float, float]:
    """Return whether the puzzle was solved, the iterations, and the grids drawn."""
    solver, puzzle = task
    run = solver.run(puzzle, rng=rng)
    return float(run.outcome is Outcome.SOLVED), float(run.trace["options"].sum()), float(run.steps)


def _means(
    settings: core.Settings, part: str, solver: DistributionEstimation, puzzles: list[Sudoku]
) -> tuple[core.Measured, core.Measured, core.Measured]:
    """Return the percentage solved, mean iterations and mean grids with standard errors."""
    runs = np.array(settings.map(part, _run, [(solver, puzzle) for puzzle in puzzles]))
    share, iterations, grids = runs.mean(axis=0).tolist()
    _, of_iterations, of_grids = (runs.std(axis=0) / math.sqrt(len(runs))).tolist()
    error = core.share_error(share, len(runs))
    return (100 * share, 100 * error), (iterations, of_iterations), (grids, of_grids)


def _curves(
    experiment: str,
    panel_and_prefix: tuple[str, str],
    x: list[float],
    places: Sequence[core.Place],
    measured: Mapping[core.Place, core.Measured],
) -> list[core.Curve]:
    """Return a curve of the measurements at the places and one of the published numbers."""
    panel, prefix = panel_and_prefix
    return [
        core.Curve(panel, f"{prefix}measured", x, [measured[place][0] for place in places]),
        core.Curve(panel, f"{prefix}published", x, core.values_of(experiment, places), True),
    ]


def table1(settings: core.Settings) -> core.Findings:
    """Measure table 1: each refinement and both together, by alpha."""
    return _by_alpha(settings, "reseda-table1", "easy", "3.1", [0.99, 0.9, 0.7, 0.5], _FORMS)


def table2(settings: core.Settings) -> core.Findings:
    """Measure table 2: the medium puzzle by alpha."""
    alphas = [0.99, 0.9, 0.7, 0.5, 0.3, 0.1]
    forms = {"": DistributionEstimation()}
    return _by_alpha(settings, "reseda-table2", "medium", "3.2", alphas, forms)


def _by_alpha(
    settings: core.Settings,
    experiment: str,
    level: str,
    figure: str,
    alphas: list[float],
    forms: Mapping[str, DistributionEstimation],
) -> core.Findings:
    """Measure forms of the estimation on a printed puzzle, by alpha."""
    puzzle = core.read_printed(f"Maire and Prissette 2012, figure {figure}")
    runs = settings.pick(100, 300)
    measured: dict[core.Place, core.Measured] = {}
    curves: list[core.Curve] = []
    for form, estimation in forms.items():
        prefix = f"{form}, " if form else ""
        places = [(f"{prefix}alpha {alpha}", _SUCCESS) for alpha in alphas]
        for (row, _), alpha in zip(places, alphas, strict=True):
            solver = replace(estimation, alpha=alpha)
            percent, rounds, grids = _means(settings, row, solver, [puzzle] * runs)
            measured |= {(row, _SUCCESS): percent, (row, _ROUNDS): rounds}
            if row == "both, alpha 0.7":
                measured[row, "grids drawn"] = grids
        curves += _curves(experiment, (_SUCCESS, prefix), alphas, places, measured)
    about = f"the printed {level} puzzle, {runs} runs"
    return core.Findings(about, core.compare(experiment, measured), curves)


def table3(settings: core.Settings) -> core.Findings:
    """Measure table 3: the hard puzzle by the zones of its restarts."""
    puzzle = core.read_printed("Maire and Prissette 2012, figure 4.1")
    runs = settings.pick(100, 1000)
    measured: dict[core.Place, core.Measured] = {}
    costs = {}
    before, before_error, last = 0.0, 0.0, ""
    for name, zones in _ZONES.items():
        (percent, error), _, grids = _means(
            settings, name, DistributionEstimation(zones=zones), [puzzle] * runs
        )
        measured[name, _SUCCESS] = percent, error
        if last:
            gain = percent - before, math.hypot(error, before_error)
            measured[name, f"success above that with {last}, points"] = gain
        before, before_error, last = percent, error, name
        costs[name] = 100 * grids[0] / percent if percent else math.inf
    for name in ("none", "9 zones", "27 zones"):
        column = "grids to a success, over those with 3 zones"
        measured[name, column] = costs[name] / costs["3 zones"], 0.0
    panel = "success, % (0, 3, 9, 27 zones)"
    places = [(name, _SUCCESS) for name in _ZONES]
    curves = _curves("reseda-table3", (panel, ""), [0, 1, 2, 3], places, measured)
    about = f"the printed hard puzzle, {runs} runs"
    return core.Findings(about, core.compare("reseda-table3", measured), curves)


def table4(settings: core.Settings) -> core.Findings:
    """Measure table 4: five classes of puzzles by the zones of the restarts."""
    count = settings.pick(20, 1000)
    measured: dict[core.Place, core.Measured] = {}
    missing, n_puzzles = {}, []
    for level in core.CLASSES:
        try:
            puzzles = core.debian(level, count)
        except DataNotFoundError as error:
            missing[level] = str(error)
            continue
        n_puzzles.append(len(puzzles))
        for name in _CLASS_ZONES:
            solver = DistributionEstimation(zones=_ZONES[name])
            percent, _, _ = _means(settings, f"{level}, {name}", solver, puzzles)
            measured[level, f"success, {name}, %"] = percent
    curves: list[core.Curve] = []
    x = [float(i) for i in range(1, 6)]
    for name in () if missing else _CLASS_ZONES:
        places = [(level, f"success, {name}, %") for level in core.CLASSES]
        panel = "success, %, by class"
        curves += _curves("reseda-table4", (panel, f"{name}, "), x, places, measured)
    about = "none"
    if n_puzzles:
        about = f"{min(n_puzzles)} puzzles a class of Debian's generator, one run each"
    return core.Findings(about, core.compare("reseda-table4", measured, missing=missing), curves)


def table5(settings: core.Settings) -> core.Findings:
    """Measure table 5: AI Escargot, as given and with its first box filled."""
    puzzle = core.benchmark()["s16"]
    runs = settings.pick(40, 1000)
    solution = solve(puzzle)
    assert solution is not None
    completed = np.asarray(puzzle.givens).reshape(9, 9).copy()
    completed[:3, :3] = np.asarray(solution).reshape(9, 9)[:3, :3]
    measured = {}
    for row, zones, of in (
        *((name, name, puzzle) for name in ("3 zones", "9 zones", "27 zones")),
        ("27 zones, first box right", "27 zones", Sudoku.from_values(completed)),
    ):
        part = "completed box" if of is not puzzle else row
        solver = DistributionEstimation(zones=_ZONES[zones])
        measured[row, _SUCCESS], _, _ = _means(settings, part, solver, [of] * runs)
    return core.Findings(f"AI Escargot, {runs} runs", core.compare("reseda-table5", measured))
