"""Krivanek 2011 and Pelanek 2014: metrics and human times, orders of fills, relaxed constraints."""

import math
from typing import Any, NamedTuple

import numpy as np

from nando import solvers
from nando.arrays import Floats
from nando.datasets import DataNotFoundError, fill_times, load_examples
from nando.evaluation.scores import PUBLISHED
from nando.puzzles import Sudoku
from nando.reproduction import core

_OWN_NAMES = {"backtracking": "brute force", "simulated annealing": "annealing, median steps"}
_PUBLISHED = {
    _OWN_NAMES.get(name, name): both for name, both in PUBLISHED.items() if name != "SFRD"
}
_EASIER = ("number of givens", "relaxation, fixedness", "dependency")
"""Metrics that are large on easy puzzles; the papers print magnitudes of correlations."""
_UNKNOWN = {
    "Fowler's": (0.68, 0.87, "the formula is unknown and its site gone"),
    "SFRD": (*PUBLISHED["SFRD"], "needs Fowler's metric"),
    "Serate LM": (0.78, 0.86, "the thirteen techniques and their counting are not given"),
}


class _Effort(NamedTuple):
    runs: int
    costly_runs: int
    samples: int


def _metrics(task: tuple[Sudoku, _Effort], rng: np.random.Generator) -> dict[str, float]:
    puzzle, effort = task
    refutation = solvers.Refutation().profile(puzzle, runs=effort.runs, rng=rng)
    relaxation = solvers.Relaxation().profile(puzzle, runs=effort.samples, rng=rng)
    annealing = solvers.Annealing.thesis().profile(
        puzzle, runs=effort.costly_runs, rng=rng, limit=solvers.Limit(steps=6_000_000)
    )
    return {
        "brute force": solvers.BruteForce().profile(puzzle, runs=effort.runs, rng=rng).steps,
        "harmony search": solvers.HarmonySearch()
        .profile(puzzle, runs=effort.costly_runs, rng=rng)
        .best_cost,
        "number of givens": float(puzzle.n_givens),
        "annealing, median steps": annealing.steps,
        "relaxation, solutions": relaxation.extra_solutions,
        "relaxation, fixedness": relaxation.fixed_blanks,
        "dependency": refutation.dependency(25),
        "refutation sum": refutation.refutation_sum,
        "Serate": solvers.LogicSolver().profile(puzzle).rating,
    }


def _half_splits(columns: Floats, y: Floats, rng: np.random.Generator) -> tuple[float, float]:
    """Fit lines to one half and return their mean correlation on the other half over 200 splits."""
    splits = []
    terms = np.column_stack([columns, np.ones(len(columns))])
    for _ in range(200):
        order = rng.permutation(len(y))
        train, test = order[: len(y) // 2], order[len(y) // 2 :]
        weights = np.linalg.lstsq(terms[train], y[train], rcond=None)[0]
        splits.append(np.corrcoef(terms[test] @ weights, y[test])[0, 1])
    return float(np.mean(splits)), float(np.std(splits))


def correlations(settings: core.Settings) -> core.Findings:
    """Correlate each metric with human times."""
    most = settings.pick(120, 2000)
    effort = settings.pick(_Effort(10, 3, 30), _Effort(30, 11, 100))
    cells: list[core.Cell] = []
    curves: list[core.Curve] = []
    used = []
    for place, (source, name) in enumerate(core.SETS.items()):
        lost = [
            core.Cell(metric, source, core.Published.lost(why, values[place]))
            for metric, (*values, why) in _UNKNOWN.items()
        ]
        try:
            times = core.human_times(name, most)
        except DataNotFoundError as error:
            cells += lost + [
                core.Cell(metric, source, core.Published.lost(str(error), values[place]))
                for metric, values in _PUBLISHED.items()
            ]
            continue
        used.append(f"{len(times.puzzles):,} of {name}")
        rows = settings.map(f"metrics, {name}", _metrics, [(p, effort) for p in times.puzzles])
        measures = {
            metric: core.pearson(
                (-1 if metric in _EASIER else 1) * np.array([row[metric] for row in rows]),
                times.seconds,
            )
            for metric in rows[0]
        }
        terms = np.array([[row["refutation sum"], row["dependency"]] for row in rows])
        rng = np.random.default_rng([settings.seed, place])
        measures["RD"] = _half_splits(terms, times.seconds, rng)
        cells += [
            core.Cell(
                metric,
                source,
                core.Published.near(values[place], 0.1, "other", core.NOT_PUBLIC),
                *measures[metric],
            )
            for metric, values in _PUBLISHED.items()
        ]
        cells += lost + _orders(source, measures, place)
        xs = [float(i) for i in range(1, len(_PUBLISHED) + 1)]
        curves += [
            core.Curve(source, "published", xs, [v[place] for v in _PUBLISHED.values()], True),
            core.Curve(source, f"measured, {name}", xs, [measures[m][0] for m in _PUBLISHED]),
        ]
    about = f"{'; '.join(used) or 'none'}; {effort.runs} runs, {effort.costly_runs} of annealing"
    return core.Findings(f"{about} and harmony search; seconds as they are", cells, curves)


def _orders(source: str, fractions: dict[str, tuple[float, float]], place: int) -> list[core.Cell]:
    """Return the order of pairs of metrics and the similarity of the two rankings."""
    from scipy.stats import spearmanr

    published = [values[place] for values in _PUBLISHED.values()]
    alike = float(spearmanr(published, [fractions[metric][0] for metric in _PUBLISHED]).statistic)
    cells = [
        core.Cell(
            "all metrics",
            f"rank correlation with {source}",
            core.Published(1.0, 0.5, 1.0, "order", "metrics that are good there are good here"),
            alike,
        )
    ]
    for better, worse in (
        ("refutation sum", "brute force"),
        ("refutation sum", "harmony search"),
        ("dependency", "number of givens"),
        ("relaxation, fixedness", "relaxation, solutions"),
        ("RD", "refutation sum"),
        ("RD", "dependency"),
    ):
        claim = _PUBLISHED[better][place] - _PUBLISHED[worse][place]
        cells.append(
            core.Cell(
                f"{better} above {worse}",
                source,
                core.Published(round(claim, 2), 0.0, instances="order"),
                fractions[better][0] - fractions[worse][0],
                math.hypot(fractions[better][1], fractions[worse][1]),
            )
        )
    return cells


# Orders of fills.

_SOLVERS = ("SiSuS", "fixedness", "annealing", "brute force")


def _order_of(
    task: tuple[Sudoku, Floats, _Effort], rng: np.random.Generator
) -> tuple[float, float, float, float]:
    puzzle, seconds, effort = task
    filled = np.isfinite(seconds)
    rank = seconds[filled].argsort().argsort()
    places = (
        solvers.Refutation().profile(puzzle, runs=effort.runs, rng=rng).order,
        -solvers.Relaxation().profile(puzzle, runs=effort.samples, rng=rng).fixedness,
        solvers.Annealing.thesis()
        .profile(puzzle, runs=effort.costly_runs, rng=rng, limit=solvers.Limit(steps=6_000_000))
        .order,
        solvers.BruteForce().profile(puzzle, runs=effort.runs, rng=rng).order,
    )
    a, b, c, d = (core.pearson(place[filled], rank)[0] for place in places)
    return a, b, c, d


def orders(settings: core.Settings) -> core.Findings:
    """Correlate the orders of four solvers with those of people."""
    count = settings.pick(60, 500)
    effort = settings.pick(_Effort(20, 5, 50), _Effort(100, 30, 200))
    row = "mean over games"
    try:
        tasks = _games(count, effort)
    except DataNotFoundError as error:
        return core.Findings("none", core.compare("thesis-order", {}, missing={row: str(error)}))
    per_game = np.array(settings.map("orders", _order_of, tasks))
    columns = dict(zip(_SOLVERS, per_game.T, strict=True))
    for better, worse in (
        ("SiSuS", "fixedness"),
        ("SiSuS", "annealing"),
        ("annealing", "brute force"),
    ):
        columns[f"{better} less {worse}"] = columns[better] - columns[worse]
    measured = {
        (row, name): (float(np.nanmean(r)), float(np.nanstd(r) / math.sqrt(len(r))))
        for name, r in columns.items()
    }
    # The paper prints no number.
    measured[row, "fixedness"] = math.nan, measured[row, "fixedness"][1]
    x = [float(i) for i in np.linspace(0, 1, len(per_game))]
    curves = [
        core.Curve("correlation, games from low to high", name, x, np.sort(columns[name]).tolist())
        for name in _SOLVERS
    ]
    about = f"{len(tasks)} games of sudoku_insight, {effort.runs} runs, {effort.costly_runs} of"
    return core.Findings(f"{about} annealing", core.compare("thesis-order", measured), curves)


def _games(count: int, effort: _Effort) -> list[Any]:
    """Return completed games with one solution: puzzle, seconds of each cell, and effort."""
    data, kept = core.completed_games(count)
    events = dict(list(data.events.groupby("game")))
    return [
        (
            data.puzzles[place],
            fill_times(events[data.frame["game"].iloc[place]], data.puzzles[place]),
            effort,
        )
        for place in kept
    ]


# The dependency metric by k.

_KS = (5, 10, 15, 20, 25, 30, 35, 40)


def _dependencies(task: tuple[Sudoku, int], rng: np.random.Generator) -> list[float]:
    puzzle, runs = task
    profile = solvers.Refutation().profile(puzzle, runs=runs, rng=rng)
    return [profile.dependency(k) for k in _KS]


def dependency_by_k(settings: core.Settings) -> core.Findings:
    """Correlate the dependency metric with human times, for each k."""
    most, runs = settings.pick((400, 10), (2000, 30))
    measured: dict[core.Place, float | core.Measured] = {}
    missing: dict[str, str] = {}
    curves: list[core.Curve] = []
    used = []
    xs = [float(k) for k in _KS]
    for source, name in core.SETS.items():
        try:
            times = core.human_times(name, most)
        except DataNotFoundError as error:
            missing[source] = str(error)
            continue
        used.append(f"{len(times.puzzles):,} of {name}")
        scores = np.array(
            settings.map(f"dependency, {name}", _dependencies, [(p, runs) for p in times.puzzles])
        )
        tops = {}
        for part, kept in (("all", np.ones(len(scores), bool)), ("simple", times.simple)):
            row = f"{source}, {part}"
            places = [(row, f"k = {k}") for k in _KS]
            # The correlation is negative; the papers print its magnitude.
            log = np.log(times.seconds[kept])
            r = [core.pearson(-scores[kept, i], log) for i in range(len(_KS))]
            values = [value for value, _ in r]
            tops[part] = max(values)
            measured |= zip(places, r, strict=True)
            measured[row, "k of the largest"] = float(_KS[int(np.argmax(values))])
            panel = f"correlation with log time, {part}"
            published = core.values_of("dependency-by-k", places)
            curves += [
                core.Curve(panel, f"{name}, measured", xs, values),
                core.Curve(panel, f"{source}, published", xs, published, True),
            ]
        measured[source, "largest, simple less all"] = tops["simple"] - tops["all"]
    about = f"{'; '.join(used) or 'none'}; {runs} runs; log of the time"
    return core.Findings(about, core.compare("dependency-by-k", measured, missing=missing), curves)


# The law of constraint relaxation.

_REMOVED = (5, 10, 15, 20, 25, 30, 35, 40, 45, 50)


def _relaxations(
    task: tuple[Sudoku, int], rng: np.random.Generator
) -> list[tuple[float, float, float]]:
    puzzle, samples = task
    profiles = [
        solvers.Relaxation(removed_edges=k, cap=10_000).profile(puzzle, runs=samples, rng=rng)
        for k in _REMOVED
    ]
    return [(p.extra_solutions, p.unique_share, p.capped_share) for p in profiles]


def relaxation_law(settings: core.Settings) -> core.Findings:
    """Fit the law to the solutions gained as edges are removed."""
    count, samples = settings.pick((12, 40), (36, 1000))
    puzzles = [puzzle for puzzle in load_examples().puzzles if puzzle.order == 3]
    puzzles = puzzles[-count:]
    gained = np.array(settings.map("relaxation", _relaxations, [(p, samples) for p in puzzles]))
    ks = np.array(_REMOVED, float)
    extra, unique = gained[:, :, 0], gained[:, :, 1]
    # With fewer than 20 removed edges most samples gain nothing, so means are noise.
    late = ks >= 20
    scales = np.array(
        [1 / np.polyfit(ks[late], np.log(np.maximum(row[late], 1e-3)), 1)[0] for row in extra]
    )
    factor = extra[:, _REMOVED.index(45)] / math.exp(45 / 6)
    line = unique.mean(axis=0)
    inside = float(np.mean((factor >= 0.01) & (factor <= 0.4)))
    root, unique_at_50 = math.sqrt(count), unique[:, -1]
    measured: dict[core.Place, float | core.Measured] = {
        ("c e^(k/s)", "s, median over puzzles"): (
            float(np.median(scales)),
            float(scales.std() / root),
        ),
        ("c e^(k/6)", "c at k = 45, median"): float(np.median(factor)),
        ("c e^(k/6)", "share of puzzles with c from 0.01 to 0.4"): inside,
        ("share still unique", "at k = 50"): (float(line[-1]), float(unique_at_50.std() / root)),
        ("share still unique", "how linear its fall is, R2"): float(
            np.corrcoef(ks, line)[0, 1] ** 2
        ),
    }
    x = ks.tolist()
    law = [c * np.exp(ks / 6) for c in (0.02, 0.2)]
    panel = "log10 of extra solutions"
    curves = [
        core.Curve(
            panel, "measured, median", x, np.log10(np.maximum(np.median(extra, 0), 1e-3)).tolist()
        ),
        *(
            core.Curve(panel, f"published, c = {c}", x, np.log10(of).tolist(), True)
            for c, of in zip((0.02, 0.2), law, strict=True)
        ),
        core.Curve("share still unique", "measured, mean", x, line.tolist()),
    ]
    capped = float(gained[:, _REMOVED.index(45), 2].mean())
    about = f"{count} puzzles that ship with nando, {samples} samples for each k"
    about += f"; {capped:.1%} capped at 10,000 at k = 45"
    return core.Findings(about, core.compare("relaxation-law", measured), curves)
