"""Lewis 2007: annealing, and the hybrid with constraint programming."""

from typing import NamedTuple, get_args

import numpy as np

from nando.datasets import DataNotFoundError
from nando.generators.grids import lewis_instance
from nando.puzzles import Sudoku
from nando.reproduction import core
from nando.solvers import Annealing, ConstraintProgramming, HybridAnnealing, Limit, Outcome
from nando.solvers.constraints.constraint_programming import HouseKind

_KINDS: tuple[HouseKind, ...] = get_args(HouseKind)

_ALGORITHMS = ("annealing", "hybrid")
_PLURALS = {"row": "rows", "column": "columns", "box": "boxes"}


class _Anneal(NamedTuple):
    puzzle: Sudoku
    runs: int
    steps: int | None
    programming: ConstraintProgramming | None
    """None for annealing alone."""


def _anneal(task: _Anneal, rng: np.random.Generator) -> tuple[float, float, float]:
    """Return the share of solved runs, their mean moves, and the share of cells fixed before."""
    limit = None if task.steps is None else Limit(steps=task.steps)
    if task.programming is not None:
        hybrid = HybridAnnealing(task.programming).profile(
            task.puzzle, runs=task.runs, rng=rng, limit=limit
        )
        return hybrid.solved_share, hybrid.steps_when_solved, hybrid.fixed_share
    done = [Annealing.lewis().run(task.puzzle, rng=rng, limit=limit) for _ in range(task.runs)]
    solved = [run.steps for run in done if run.outcome is Outcome.SOLVED]
    given = float(np.mean(np.asarray(task.puzzle.givens) > 0))
    return len(solved) / task.runs, float(np.mean(solved)) if solved else np.nan, given


def table1(settings: core.Settings) -> core.Findings:
    """Measure table 1 on Royle's puzzles; the other puzzles are lost."""
    # Puzzles are the sampling units, so more runs of each would hardly reduce the errors.
    count, runs = settings.pick((100, 1), (1000, 2))
    row = "Royle, 17 givens"
    try:
        puzzles = core.royle(count)
    except DataNotFoundError as error:
        return core.Findings("none", core.compare("lewis-table1", {}, missing={row: str(error)}))
    forms = [
        ("", None),
        *((f", {_PLURALS[kind]} only", ConstraintProgramming((kind,))) for kind in _KINDS),
        (", as written", ConstraintProgramming()),
    ]
    measured = {}
    for suffix, programming in forms:
        tasks = [_Anneal(puzzle, runs, None, programming) for puzzle in puzzles]
        means = np.array(settings.map(f"17 givens{suffix}", _anneal, tasks))
        share, fixed_share = means[:, 0], means[:, 2]
        name = "success, annealing" if programming is None else f"success, hybrid{suffix}"
        # Runs on one puzzle are not independent, so puzzles are the sampling units.
        spread = max(core.share_error(float(share.mean()), len(share) * runs), _error(share))
        measured[row, name] = float(share.mean()), spread
        if programming is not None:
            fixed = float(fixed_share.mean()), _error(fixed_share)
            measured[row, f"fixed after CP{suffix}"] = fixed
    about = f"{len(puzzles):,} of Royle's puzzles, {runs} runs of 3,000,000 moves"
    return core.Findings(about, core.compare("lewis-table1", measured))


def _error(values: np.ndarray) -> float:
    return float(values.std(ddof=1) / np.sqrt(len(values))) if len(values) > 1 else 0.0


def _instances(
    task: tuple[float, int, int], rng: np.random.Generator
) -> tuple[float, float, float]:
    p, order, count = task
    instances = []
    for _ in range(count):
        puzzle = lewis_instance(p, order, rng)
        profile = ConstraintProgramming().profile(puzzle)
        given = float(np.mean(np.asarray(puzzle.givens) > 0))
        instances.append((given, profile.fixed_share, float(profile.solved)))
    given, fixed, solved = np.array(instances).mean(axis=0).tolist()
    return given, fixed, solved


def figure2(settings: core.Settings) -> core.Findings:
    """Measure the statements of the text on figure 2, and its curves."""
    count = settings.pick(20, 100)
    shares = [round(0.05 * i, 2) for i in range(21)]
    measured, curves = {}, []
    for order in (3, 4, 5):
        row = f"order {order}"
        means = np.array(settings.map(row, _instances, [(p, order, count) for p in shares]))
        gained, fixed, solved = means[:, 1] - means[:, 0], means[:, 1], means[:, 2]
        low, high = gained[: shares.index(0.2) + 1], fixed[shares.index(0.75) :]
        measured[row, "largest gain over the givens for p up to 0.2"] = float(low.max())
        measured[row, "least share fixed for p from 0.75"] = float(high.min())
        measured[row, "largest gain, p between"] = float(gained.max())
        curves += [
            core.Curve("fixed after constraint programming", row, shares, fixed.tolist()),
            core.Curve("solved by it alone", row, shares, solved.tolist()),
        ]
    about = f"{count} instances for each p and order"
    return core.Findings(about, core.compare("lewis-fig2", measured), curves)


def figure3(settings: core.Settings) -> core.Findings:
    """Measure the statements of the text on figure 3, and its curves for orders 3 and 4."""
    count, runs = settings.pick((5, 2), (20, 20))
    step = settings.pick(0.1, 0.05)
    shares = [round(step * i, 2) for i in range(round(1 / step) + 1)]
    curves: list[core.Curve] = []
    share, moves = _both(settings, 3, shares, count, runs, None, curves)
    low = np.array(shares) <= 0.2
    middle = (np.array(shares) > 0.2) & (np.array(shares) <= 0.7)
    measured: dict[core.Place, float | core.Measured] = {}
    # Moves are summed over p, to avoid ratios of single instances.
    for column, part in (
        ("moves of the hybrid over annealing's, p up to 0.2", low),
        ("the same, p from 0.25 to 0.7", middle),
    ):
        measured["order 3", column] = float(moves[1][part].sum() / moves[0][part].sum())
    for name, success in zip(_ALGORITHMS, share, strict=True):
        least = float(success.min())
        column = f"least success over p, {name}"
        measured["order 3", column] = least, core.share_error(least, count * runs)
    # A quick run uses only three values of p, with a third of the published budget.
    wide = settings.pick([0.1, 0.4, 0.8], [0.0, 0.1, 0.2, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.8, 1.0])
    count, runs = settings.pick((4, 1), (5, 2))
    steps = settings.pick(20_000_000, 60_000_000)
    share, _ = _both(settings, 4, wide, count, runs, steps, curves)
    for name, success in zip(_ALGORITHMS, share, strict=True):
        least = float(success[1:-1].min())
        dip = float(min(success[0], success[-1]) - least)
        column = f"depth of the dip in the middle, {name}"
        measured["order 4", column] = dip, core.share_error(least, count * runs)
    about = (
        f"order 3: {settings.pick('5 x 2', '20 x 20')} for each of {len(shares)} p; "
        f"order 4: {count} x {runs} for {len(wide)} p"
    )
    return core.Findings(about, core.compare("lewis-fig3", measured, steps=steps), curves)


def _both(
    settings: core.Settings,
    order: int,
    shares: list[float],
    count: int,
    runs: int,
    steps: int | None,
    curves: list[core.Curve],
) -> tuple[np.ndarray, np.ndarray]:
    """Return success rates and mean moves of solved runs, by algorithm (rows) and p (columns)."""
    rng = np.random.default_rng([settings.seed, order])
    puzzles = [lewis_instance(p, order, rng) for p in shares for _ in range(count)]
    success, moves = [], []
    for name, programming in zip(_ALGORITHMS, (None, ConstraintProgramming()), strict=True):
        tasks = [_Anneal(puzzle, runs, steps, programming) for puzzle in puzzles]
        means = np.array(settings.map(f"order {order}, {name}", _anneal, tasks))
        success.append(means[:, 0].reshape(len(shares), count).mean(axis=1))
        mean_moves = np.nan_to_num(means[:, 1]).reshape(len(shares), count).mean(axis=1)
        moves.append(mean_moves)
        curves.append(core.Curve("success", f"{name}, order {order}", shares, success[-1].tolist()))
        if order == 3:
            curves.append(core.Curve("moves, order 3", name, shares, mean_moves.tolist()))
    return np.array(success), np.array(moves)
