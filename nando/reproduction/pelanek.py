"""Pelanek 2014: the dependency metric by its k, and the law of constraint relaxation."""

import math

import numpy as np

from nando.datasets import DataNotFoundError, load_examples
from nando.puzzles import Sudoku
from nando.reproduction.core import Cell, Curve, Experiment, Findings, Published, Settings
from nando.reproduction.human_times import NOT_PUBLIC, OTHERS, SETS, human_times, pearson
from nando.solvers import Refutation, Relaxation

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
    for source, name in SETS.items():
        rows = [row for row in _BY_K if row[0] == source]
        try:
            times = human_times(name, most)
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
            r = [pearson(-found[kept, i], log) for i in range(len(_KS))]
            values = [value for value, _ in r]
            tops[part] = max(values)
            cells += [
                Cell(
                    f"{source}, {part}",
                    f"k = {k}",
                    Published.near(value, 0.1, "other", NOT_PUBLIC),
                    measured,
                    error,
                )
                for k, value, (measured, error) in zip(_KS, _BY_K[source, part], r, strict=True)
            ]
            best = _KS[int(np.argmax(values))]
            was = _KS[int(np.argmax(_BY_K[source, part]))]
            claim = Published(
                was, 15, 35, "order", f"it rises, then falls; 20 to 30 are alike; {OTHERS}"
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
            round(gain, 2), 0.0, instances="order", reason=f"better on simple puzzles; {OTHERS}"
        )
        cells.append(Cell(source, "largest, simple less all", claim, tops["simple"] - tops["all"]))
    return Findings(f"{'; '.join(used) or 'none'}; {runs} runs; log of the time", cells, curves)


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
            Published(1.0, 0.9, 1.0, reason=OTHERS),
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
