"""Krivanek 2011 and Pelanek 2014: metrics beside human times, relaxation, orders of fills.

Their human data were never published, so the public Cloud Sudoku times and Sudoku Insight games
stand for them: orders and signs can be checked, the numbers themselves cannot.
"""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nando.datasets import (
    DATASETS,
    DataNotFoundError,
    fetch_cloud_sudoku,
    fetch_sudoku_insight,
    fill_times,
    load_examples,
)
from nando.evaluation.published import PUBLISHED
from nando.puzzles import Sudoku
from nando.reproduction.core import Cell, Curve, Experiment, Findings, Published, Settings
from nando.solvers import (
    Annealing,
    BruteForce,
    HarmonySearch,
    Limit,
    LogicSolver,
    Refutation,
    Relaxation,
    count_many,
    singles_suffice,
)

_NOT_PUBLIC = "the human data are not public; those of another site, on other puzzles, stand for it"
_SETS = {"fed-sudoku": "sudoku_insight", "sudoku.org.uk": "cloud_sudoku"}
"""Single experienced solvers, and means over many players."""


class _Times(NamedTuple):
    puzzles: list[Sudoku]
    seconds: NDArray[np.float64]
    simple: NDArray[np.bool_]
    """Whether singles suffice."""


def _times(name: str, most: int) -> _Times:
    """Puzzles with one solution and human seconds, evenly thinned out to at most so many."""
    if not DATASETS[name][0].is_available():
        raise DataNotFoundError(
            f"the data set {name} is not at hand: `nando datasets {name} --fetch`"
        )
    if name == "cloud_sudoku":
        data = fetch_cloud_sudoku()
        puzzles, seconds = data.puzzles, data.target
    else:
        data = fetch_sudoku_insight(as_frame=True)
        kept = data.frame["completed"].to_numpy() & (count_many(data.puzzles) == 1)
        puzzles = [puzzle for puzzle, keep in zip(data.puzzles, kept, strict=True) if keep]
        seconds = data.target[kept]
    chosen = np.unique(np.linspace(0, len(puzzles) - 1, most).round().astype(int))
    puzzles = [puzzles[i] for i in chosen]
    simple = np.array([singles_suffice(puzzle) for puzzle in puzzles], bool)
    return _Times(puzzles, np.asarray(seconds)[chosen], simple)


def _pearson(x: Sequence[float] | NDArray[np.float64], y: NDArray[Any]) -> tuple[float, float]:
    """Correlation over what is known of both, and its standard error."""
    x = np.asarray(x, float)
    known = np.isfinite(x) & np.isfinite(y)
    if known.sum() < 4 or x[known].std() == 0:
        return math.nan, 0.0
    r = float(np.corrcoef(x[known], y[known])[0, 1])
    return r, (1 - r * r) / math.sqrt(known.sum() - 2)


# Dependency by k.

_OTHERS = "not so here, and no reason found; the paper's puzzles and times are not public"

_KS = (5, 10, 15, 20, 25, 30, 35, 40)
_BY_K = {
    ("fed-sudoku", "all"): (0.42, 0.57, 0.65, 0.67, 0.64, 0.58, 0.51, 0.47),
    ("fed-sudoku", "simple"): (0.57, 0.64, 0.70, 0.73, 0.74, 0.73, 0.70, 0.66),
    ("sudoku.org.uk", "all"): (0.31, 0.54, 0.62, 0.70, 0.74, 0.76, 0.76, 0.73),
    ("sudoku.org.uk", "simple"): (0.62, 0.71, 0.76, 0.79, 0.80, 0.80, 0.78, 0.75),
}


def _dependencies(task: tuple[Sudoku, int], rng: np.random.Generator) -> list[float]:
    puzzle, runs = task
    profile = Refutation().profile(puzzle, runs=runs, rng=rng)
    return [profile.dependency(k) for k in _KS]


def _dependency_by_k(settings: Settings) -> Findings:
    most, runs = settings.pick((400, 10), (2000, 30))
    cells: list[Cell] = []
    curves: list[Curve] = []
    used = []
    for source, name in _SETS.items():
        rows = [row for row in _BY_K if row[0] == source]
        try:
            times = _times(name, most)
        except DataNotFoundError as error:
            cells += [
                Cell(f"{source}, {part}", f"k = {k}", Published.lost(str(error), value))
                for _, part in rows
                for k, value in zip(_KS, _BY_K[source, part], strict=True)
            ]
            continue
        used.append(f"{len(times.puzzles):,} of {name}")
        found = np.array(
            settings.map(f"dependency, {name}", _dependencies, [(p, runs) for p in times.puzzles])
        )
        tops = {}
        for _, part in rows:
            kept = times.simple if part == "simple" else np.ones(len(found), bool)
            # Fewer possibilities, more time: the papers print the magnitude.
            log = np.log(times.seconds[kept])
            r = [_pearson(-found[kept, i], log) for i in range(len(_KS))]
            values = [value for value, _ in r]
            tops[part] = max(values)
            cells += [
                Cell(
                    f"{source}, {part}",
                    f"k = {k}",
                    Published.near(value, 0.1, "other", _NOT_PUBLIC),
                    measured,
                    error,
                )
                for k, value, (measured, error) in zip(_KS, _BY_K[source, part], r, strict=True)
            ]
            best = _KS[int(np.argmax(values))]
            was = _KS[int(np.argmax(_BY_K[source, part]))]
            claim = Published(
                was, 15, 35, "order", f"it rises, then falls; 20 to 30 are alike; {_OTHERS}"
            )
            cells.append(Cell(f"{source}, {part}", "k of the largest", claim, float(best)))
            xs = [float(k) for k in _KS]
            panel = f"correlation with log time, {part}"
            curves += [
                Curve(panel, f"{name}, measured", xs, values),
                Curve(panel, f"{source}, published", xs, list(_BY_K[source, part]), True),
            ]
        gain = max(_BY_K[source, "simple"]) - max(_BY_K[source, "all"])
        claim = Published(
            round(gain, 2), 0.0, instances="order", reason=f"better on simple puzzles; {_OTHERS}"
        )
        cells.append(Cell(source, "largest, simple less all", claim, tops["simple"] - tops["all"]))
    return Findings(f"{'; '.join(used) or 'none'}; {runs} runs; log of the time", cells, curves)


# Correlations of all metrics.

_OWN_NAMES = {"backtracking": "brute force", "simulated annealing": "annealing, median steps"}
_PUBLISHED = {
    _OWN_NAMES.get(name, name): both for name, both in PUBLISHED.items() if name != "SFRD"
}
_EASIER = ("number of givens", "relaxation, fixedness", "dependency")
"""Large on easy puzzles; the papers print magnitudes."""
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
    refutation = Refutation().profile(puzzle, runs=effort.runs, rng=rng)
    relaxation = Relaxation().profile(puzzle, runs=effort.samples, rng=rng)
    annealing = Annealing.thesis().profile(
        puzzle, runs=effort.costly_runs, rng=rng, limit=Limit(steps=6_000_000)
    )
    return {
        "brute force": BruteForce().profile(puzzle, runs=effort.runs, rng=rng).steps,
        "harmony search": HarmonySearch()
        .profile(puzzle, runs=effort.costly_runs, rng=rng)
        .best_cost,
        "number of givens": float(puzzle.n_givens),
        "annealing, median steps": annealing.steps,
        "relaxation, solutions": relaxation.extra_solutions,
        "relaxation, fixedness": relaxation.fixed_blanks,
        "dependency": refutation.dependency(25),
        "refutation sum": refutation.refutation_sum,
        "Serate": LogicSolver().profile(puzzle).rating,
    }


def _half_splits(
    columns: NDArray[np.float64], y: NDArray[np.float64], rng: np.random.Generator
) -> tuple[float, float]:
    """Mean correlation of a linear model on the other half, and its spread, over 200 splits."""
    found = []
    terms = np.column_stack([columns, np.ones(len(columns))])
    for _ in range(200):
        order = rng.permutation(len(y))
        train, test = order[: len(y) // 2], order[len(y) // 2 :]
        weights = np.linalg.lstsq(terms[train], y[train], rcond=None)[0]
        found.append(np.corrcoef(terms[test] @ weights, y[test])[0, 1])
    return float(np.mean(found)), float(np.std(found))


def _correlations(settings: Settings) -> Findings:
    most = settings.pick(120, 2000)
    effort = settings.pick(_Effort(10, 3, 30), _Effort(30, 11, 100))
    cells: list[Cell] = []
    curves: list[Curve] = []
    used = []
    for place, (source, name) in enumerate(_SETS.items()):
        lost = [
            Cell(metric, source, Published.lost(why, values[place]))
            for metric, (*values, why) in _UNKNOWN.items()
        ]
        try:
            times = _times(name, most)
        except DataNotFoundError as error:
            cells += lost + [
                Cell(metric, source, Published.lost(str(error), values[place]))
                for metric, values in _PUBLISHED.items()
            ]
            continue
        used.append(f"{len(times.puzzles):,} of {name}")
        rows = settings.map(f"metrics, {name}", _metrics, [(p, effort) for p in times.puzzles])
        found = {
            metric: _pearson(
                (-1 if metric in _EASIER else 1) * np.array([row[metric] for row in rows]),
                times.seconds,
            )
            for metric in rows[0]
        }
        terms = np.array([[row["refutation sum"], row["dependency"]] for row in rows])
        rng = np.random.default_rng([settings.seed, place])
        found["RD"] = _half_splits(terms, times.seconds, rng)
        cells += [
            Cell(
                metric,
                source,
                Published.near(values[place], 0.1, "other", _NOT_PUBLIC),
                *found[metric],
            )
            for metric, values in _PUBLISHED.items()
        ]
        cells += lost + _orders(source, found, place)
        xs = [float(i) for i in range(1, len(_PUBLISHED) + 1)]
        curves += [
            Curve(source, "published", xs, [v[place] for v in _PUBLISHED.values()], True),
            Curve(source, f"measured, {name}", xs, [found[m][0] for m in _PUBLISHED]),
        ]
    about = f"{'; '.join(used) or 'none'}; {effort.runs} runs, {effort.costly_runs} of annealing"
    return Findings(f"{about} and harmony search; seconds as they are", cells, curves)


def _orders(source: str, found: dict[str, tuple[float, float]], place: int) -> list[Cell]:
    """Which metric is above which, and how alike the two rankings are."""
    from scipy.stats import spearmanr

    published = [values[place] for values in _PUBLISHED.values()]
    alike = float(spearmanr(published, [found[metric][0] for metric in _PUBLISHED]).statistic)
    cells = [
        Cell(
            "all metrics",
            f"rank correlation with {source}",
            Published(1.0, 0.5, 1.0, "order", "metrics that are good there are good here"),
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
            Cell(
                f"{better} above {worse}",
                source,
                Published(round(claim, 2), 0.0, instances="order"),
                found[better][0] - found[worse][0],
                math.hypot(found[better][1], found[worse][1]),
            )
        )
    return cells


# Orders of fills.

_ORDERS = {
    "annealing": (0.58, 0.43, 0.27, 0.42, 0.58, 0.32, 0.72, 0.50, 0.69, 0.71),
    "brute force": (0.33, 0.18, 0.14, -0.11, 0.22, 0.01, 0.39, -0.23, 0.50, 0.38),
}


def _order_of(
    task: tuple[Sudoku, NDArray[np.float64], _Effort], rng: np.random.Generator
) -> tuple[float, float, float, float]:
    puzzle, seconds, effort = task
    filled = np.isfinite(seconds)
    rank = seconds[filled].argsort().argsort()
    places = (
        Refutation().profile(puzzle, runs=effort.runs, rng=rng).order,
        -Relaxation().profile(puzzle, runs=effort.samples, rng=rng).fixedness,
        Annealing.thesis()
        .profile(puzzle, runs=effort.costly_runs, rng=rng, limit=Limit(steps=6_000_000))
        .order,
        BruteForce().profile(puzzle, runs=effort.runs, rng=rng).order,
    )
    a, b, c, d = (_pearson(place[filled], rank)[0] for place in places)
    return a, b, c, d


def _order(settings: Settings) -> Findings:
    lost = [
        Cell(f"{solver}, puzzle {i}", "order", Published.lost("the ten puzzles are not public", r))
        for solver, values in _ORDERS.items()
        for i, r in enumerate(values, 1)
    ]
    count = settings.pick(60, 500)
    effort = settings.pick(_Effort(20, 5, 50), _Effort(100, 30, 200))
    names = ("SiSuS", "fixedness", "annealing", "brute force")
    wanted = {
        "SiSuS": Published(0.9, 0.8, 0.98, "other", 'most "0.85 to 0.95", of 15 puzzles'),
        "fixedness": Published.lost("no number printed: slightly below SiSuS"),
        **{
            solver: Published.near(round(float(np.mean(values)), 3), 0.15, "other", _NOT_PUBLIC)
            for solver, values in _ORDERS.items()
        },
    }
    row = "mean over games"
    tasks = _games(count, effort)
    if tasks is None:
        why = "the data set sudoku_insight is not at hand: `nando datasets sudoku_insight --fetch`"
        missing = [Cell(row, name, Published.lost(why, wanted[name].value)) for name in names]
        return Findings("none", missing + lost)
    found = np.array(settings.map("orders", _order_of, tasks))
    mean = np.nanmean(found, axis=0)
    error = np.nanstd(found, axis=0) / math.sqrt(len(found))
    cells = [
        Cell(
            row,
            name,
            wanted[name],
            None if name == "fixedness" else float(mean[i]),
            float(error[i]),
        )
        for i, name in enumerate(names)
    ]
    for better, worse, claim in (
        ("SiSuS", "fixedness", None),
        ("SiSuS", "annealing", None),
        ("annealing", "brute force", 0.341),
    ):
        i, j = names.index(better), names.index(worse)
        difference = found[:, i] - found[:, j]
        cells.append(
            Cell(
                row,
                f"{better} less {worse}",
                Published(claim, 0.0, instances="order"),
                float(np.nanmean(difference)),
                float(np.nanstd(difference) / math.sqrt(len(found))),
            )
        )
    ordered = np.sort(found, axis=0)
    x = [float(i) for i in np.linspace(0, 1, len(found))]
    curves = [
        Curve("correlation, games from low to high", name, x, ordered[:, i].tolist())
        for i, name in enumerate(names)
    ]
    about = f"{len(tasks)} games of sudoku_insight, {effort.runs} runs, {effort.costly_runs} of"
    return Findings(f"{about} annealing", cells + lost, curves)


def _games(count: int, effort: _Effort) -> list[Any] | None:
    """Completed games of puzzles with one solution: puzzle, seconds of each cell, effort."""
    if not DATASETS["sudoku_insight"][0].is_available():
        return None
    data = fetch_sudoku_insight(as_frame=True)
    kept = np.flatnonzero(data.frame["completed"].to_numpy() & (count_many(data.puzzles) == 1))
    kept = kept[np.unique(np.linspace(0, len(kept) - 1, count).round().astype(int))]
    events = dict(list(data.events.groupby("game")))
    return [
        (
            data.puzzles[place],
            fill_times(events[data.frame["game"].iloc[place]], data.puzzles[place]),
            effort,
        )
        for place in kept
    ]


# Relaxation.

_REMOVED = (5, 10, 15, 20, 25, 30, 35, 40, 45, 50)


def _relaxations(
    task: tuple[Sudoku, int], rng: np.random.Generator
) -> list[tuple[float, float, float]]:
    puzzle, samples = task
    profiles = [
        Relaxation(removed_edges=k, cap=10_000).profile(puzzle, runs=samples, rng=rng)
        for k in _REMOVED
    ]
    return [(p.extra_solutions, p.unique_share, p.capped_share) for p in profiles]


def _law(settings: Settings) -> Findings:
    count, samples = settings.pick((12, 40), (36, 1000))
    puzzles = [puzzle for puzzle in load_examples().puzzles if puzzle.order == 3]
    puzzles = puzzles[-count:]
    found = np.array(settings.map("relaxation", _relaxations, [(p, samples) for p in puzzles]))
    ks = np.array(_REMOVED, float)
    extra, unique = found[:, :, 0], found[:, :, 1]
    # Below 20 removed edges most samples have nothing to gain, so means are noise.
    late = ks >= 20
    scales = np.array(
        [1 / np.polyfit(ks[late], np.log(np.maximum(row[late], 1e-3)), 1)[0] for row in extra]
    )
    factor = extra[:, _REMOVED.index(45)] / math.exp(45 / 6)
    line = unique.mean(axis=0)
    r2 = float(np.corrcoef(ks, line)[0, 1] ** 2)
    at_50 = float(line[-1])
    inside = float(np.mean((factor >= 0.01) & (factor <= 0.4)))
    cells = [
        Cell(
            "c e^(k/s)",
            "s, median over puzzles",
            Published.near(6, 1.5, reason="slope of the log of extra solutions from k = 20"),
            float(np.median(scales)),
            float(scales.std() / math.sqrt(count)),
        ),
        Cell(
            "c e^(k/6)",
            "c at k = 45, median",
            Published(0.06, 0.01, 0.4, reason="0.02 to 0.2 by puzzle, within a factor of 2"),
            float(np.median(factor)),
        ),
        Cell(
            "c e^(k/6)",
            "share of puzzles with c from 0.01 to 0.4",
            Published(1.0, 0.9, 1.0, reason=_OTHERS),
            inside,
        ),
        Cell(
            "share still unique",
            "at k = 50",
            Published(0.0, 0.0, 0.1, reason='"near zero"'),
            at_50,
            float(unique[:, -1].std() / math.sqrt(count)),
        ),
        Cell(
            "share still unique",
            "how linear its fall is, R2",
            Published(None, 0.95, 1.0, reason='"almost linearly"'),
            r2,
        ),
    ]
    x = ks.tolist()
    law = [c * np.exp(ks / 6) for c in (0.02, 0.2)]
    panel = "log10 of extra solutions"
    curves = [
        Curve(
            panel, "measured, median", x, np.log10(np.maximum(np.median(extra, 0), 1e-3)).tolist()
        ),
        *(
            Curve(panel, f"published, c = {c}", x, np.log10(of).tolist(), True)
            for c, of in zip((0.02, 0.2), law, strict=True)
        ),
        Curve("share still unique", "measured, mean", x, line.tolist()),
    ]
    capped = float(found[:, _REMOVED.index(45), 2].mean())
    about = f"{count} puzzles that ship with nando, {samples} samples for each k"
    return Findings(f"{about}; {capped:.1%} capped at 10,000 at k = 45", cells, curves)


EXPERIMENTS = (
    Experiment(
        "thesis-correlations",
        "Krivanek 2011; Pelanek 2014, correlations with time",
        "Pearson correlation of each metric with human seconds.",
        _correlations,
        ("metric, as in the table", ""),
    ),
    Experiment(
        "thesis-order",
        "Krivanek 2011; Pelanek 2014, orders of fills",
        "Correlation of a solver's order of cells with that of people.",
        _order,
        ("share of games", ""),
    ),
    Experiment(
        "dependency-by-k",
        "Pelanek 2014, table 2",
        "Correlation of the dependency metric with time by the number k of steps it looks at.",
        _dependency_by_k,
        ("k", ""),
    ),
    Experiment(
        "relaxation-law",
        "Pelanek 2014, figures of constraint relaxation",
        "Solutions gained as edges are removed, and how often none is.",
        _law,
        ("removed edges k", ""),
    ),
)
