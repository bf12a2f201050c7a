"""Pelanek 2014: the dependency metric by k, and the law of constraint relaxation."""

import math

import numpy as np

from nando.datasets import DataNotFoundError, load_examples
from nando.puzzles import Sudoku
from nando.reproduction.claims import Measured, Place, claimed, compared
from nando.reproduction.core import Curve, Findings, Settings
from nando.reproduction.instances import SETS, human_times, pearson
from nando.solvers import Refutation, Relaxation

_KS = (5, 10, 15, 20, 25, 30, 35, 40)


def _dependencies(task: tuple[Sudoku, int], rng: np.random.Generator) -> list[float]:
    puzzle, runs = task
    profile = Refutation().profile(puzzle, runs=runs, rng=rng)
    return [profile.dependency(k) for k in _KS]


def dependency_by_k(settings: Settings) -> Findings:
    """Correlate the dependency metric with human times, for each k."""
    most, runs = settings.pick((400, 10), (2000, 30))
    measured: dict[Place, float | Measured] = {}
    missing: dict[str, str] = {}
    curves: list[Curve] = []
    used = []
    xs = [float(k) for k in _KS]
    for source, name in SETS.items():
        try:
            times = human_times(name, most)
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
            r = [pearson(-scores[kept, i], log) for i in range(len(_KS))]
            values = [value for value, _ in r]
            tops[part] = max(values)
            measured |= zip(places, r, strict=True)
            measured[row, "k of the largest"] = float(_KS[int(np.argmax(values))])
            panel = f"correlation with log time, {part}"
            published = claimed("dependency-by-k", places)
            curves += [
                Curve(panel, f"{name}, measured", xs, values),
                Curve(panel, f"{source}, published", xs, published, True),
            ]
        measured[source, "largest, simple less all"] = tops["simple"] - tops["all"]
    about = f"{'; '.join(used) or 'none'}; {runs} runs; log of the time"
    return Findings(about, compared("dependency-by-k", measured, missing=missing), curves)


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


def relaxation_law(settings: Settings) -> Findings:
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
    measured: dict[Place, float | Measured] = {
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
        Curve(
            panel, "measured, median", x, np.log10(np.maximum(np.median(extra, 0), 1e-3)).tolist()
        ),
        *(
            Curve(panel, f"published, c = {c}", x, np.log10(of).tolist(), True)
            for c, of in zip((0.02, 0.2), law, strict=True)
        ),
        Curve("share still unique", "measured, mean", x, line.tolist()),
    ]
    capped = float(gained[:, _REMOVED.index(45), 2].mean())
    about = f"{count} puzzles that ship with nando, {samples} samples for each k"
    about += f"; {capped:.1%} capped at 10,000 at k = 45"
    return Findings(about, compared("relaxation-law", measured), curves)
