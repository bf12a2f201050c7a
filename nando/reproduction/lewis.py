"""Lewis 2007: annealing, and the hybrid with constraint programming."""

from typing import NamedTuple, get_args

import numpy as np

from nando.datasets import DataNotFoundError
from nando.generators.sudoku.lewis import lewis_instance
from nando.puzzles import Sudoku
from nando.reproduction.core import (
    Cell,
    Curve,
    Experiment,
    Findings,
    Published,
    Settings,
    share_error,
)
from nando.reproduction.instances import royle
from nando.solvers import (
    Annealing,
    ConstraintProgramming,
    HybridAnnealing,
    Limit,
    Outcome,
)
from nando.solvers.constraints.constraint_programming import HouseKind

_KINDS: tuple[HouseKind, ...] = get_args(HouseKind)

_PLURALS = {"row": "rows", "column": "columns", "box": "boxes"}
_NEWSPAPER = "the newspaper's puzzles of early 2006 are not public as a list"
_WEBSITE = "the puzzles came from a site that is gone"
_TABLE = (
    # source, order, grade, successes of annealing, fixed, successes of the hybrid, why not
    ("newspaper, order 3, gentle", 0.99, 0.94, 1.00, _NEWSPAPER),
    ("newspaper, order 3, tough", 0.95, 0.59, 1.00, _NEWSPAPER),
    ("newspaper, order 3, diabolical", 0.82, 0.48, 0.99, _NEWSPAPER),
    ("website, order 4, easy", 0.04, 0.47, 0.24, _WEBSITE),
    ("website, order 4, hard", 0.10, 0.48, 0.28, _WEBSITE),
    ("website, order 4, superhard", 0.91, 0.74, 1.00, _WEBSITE),
    ("website, order 5, easy", 0.01, 0.51, 0.04, _WEBSITE),
    ("website, order 5, hard", 0.00, 0.49, 0.00, _WEBSITE),
)


class _Anneal(NamedTuple):
    puzzle: Sudoku
    runs: int
    steps: int | None
    programming: ConstraintProgramming | None
    """None is annealing alone."""


def _anneal(task: _Anneal, rng: np.random.Generator) -> tuple[float, float, float]:
    """Return the share solved, the mean moves of these, and the share of cells fixed before."""
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


def _table1(settings: Settings) -> Findings:
    cells: list[Cell] = []
    for row, annealed, fixed, hybrid, why in _TABLE:
        for column, value in (
            ("success, annealing", annealed),
            ("fixed after CP", fixed),
            ("success, hybrid", hybrid),
        ):
            cells.append(Cell(row, column, Published.lost(why, value)))
    # The puzzles are the sample: with so many, more runs of each would hardly narrow the errors.
    count, runs = settings.pick((100, 1), (1000, 2))
    row = "Royle, 17 givens"
    one_house = "the step as written fixes far more; with columns or boxes alone it fits"
    crowded = "the list's rows vary more in givens than columns and boxes: variance 0.86, not 0.55"
    wanted = {
        "success, annealing": Published(
            0.01, 0.0, 0.03, reason="3,000,000 moves for 2 s of 2007, fitted to this column"
        ),
        **{
            f"{column}, {_PLURALS[kind]} only": published
            for kind, reason in zip(_KINDS, (crowded, one_house, one_house), strict=True)
            for column, published in (
                ("fixed after CP", Published.near(0.30, 0.015, reason=reason)),
                ("success, hybrid", Published(0.16, 0.10, 0.30, reason=reason)),
            )
        },
        "fixed after CP, as written": Published.near(0.30, 0.015, reason=one_house),
        "success, hybrid, as written": Published(0.16, 0.10, 0.30, reason=one_house),
    }
    try:
        puzzles = royle(count)
    except DataNotFoundError as error:
        lost = [
            Cell(row, name, Published.lost(str(error), of.value)) for name, of in wanted.items()
        ]
        return Findings("none", lost + cells)
    forms = [
        ("", None),
        *((f", {_PLURALS[kind]} only", ConstraintProgramming((kind,))) for kind in _KINDS),
        (", as written", ConstraintProgramming()),
    ]
    measured = []
    for suffix, programming in forms:
        tasks = [_Anneal(puzzle, runs, None, programming) for puzzle in puzzles]
        found = np.array(settings.map(f"17 givens{suffix}", _anneal, tasks))
        share, fixed_share = found[:, 0], found[:, 2]
        name = "success, annealing" if programming is None else f"success, hybrid{suffix}"
        # Runs on one puzzle are not independent: the puzzles are the sample.
        spread = max(share_error(float(share.mean()), len(share) * runs), _error(share))
        measured.append(Cell(row, name, wanted[name], float(share.mean()), spread))
        if programming is not None:
            name = f"fixed after CP{suffix}"
            measured.append(
                Cell(row, name, wanted[name], float(fixed_share.mean()), _error(fixed_share))
            )
    return Findings(
        f"{len(puzzles):,} of Royle's puzzles, {runs} runs of 3,000,000 moves", measured + cells
    )


def _error(values: np.ndarray) -> float:
    return float(values.std(ddof=1) / np.sqrt(len(values))) if len(values) > 1 else 0.0


def _instances(
    task: tuple[float, int, int], rng: np.random.Generator
) -> tuple[float, float, float]:
    p, order, count = task
    found = []
    for _ in range(count):
        puzzle = lewis_instance(p, order, rng)
        profile = ConstraintProgramming().profile(puzzle)
        given = float(np.mean(np.asarray(puzzle.givens) > 0))
        found.append((given, profile.fixed_share, float(profile.solved)))
    given, fixed, solved = np.array(found).mean(axis=0).tolist()
    return given, fixed, solved


def _figure2(settings: Settings) -> Findings:
    count = settings.pick(20, 100)
    shares = [round(0.05 * i, 2) for i in range(21)]
    cells, curves = [], []
    for order in (3, 4, 5):
        found = np.array(
            settings.map(f"order {order}", _instances, [(p, order, count) for p in shares])
        )
        gained, fixed, solved = found[:, 1] - found[:, 0], found[:, 1], found[:, 2]
        cells += [
            Cell(
                f"order {order}",
                "largest gain over the givens for p up to 0.2",
                Published(
                    None, 0.0, 0.02, reason="constraint programming is useless below about 0.2"
                ),
                float(gained[: shares.index(0.2) + 1].max()),
            ),
            Cell(
                f"order {order}",
                "least share fixed for p from 0.75",
                Published(None, 0.98, reason='"nearly always" completes above about 0.75'),
                float(fixed[shares.index(0.75) :].min()),
            ),
            Cell(
                f"order {order}",
                "largest gain, p between",
                Published(None, 0.2, reason="the curve leaves the diagonal in the middle"),
                float(gained.max()),
            ),
        ]
        curves += [
            Curve("fixed after constraint programming", f"order {order}", shares, fixed.tolist()),
            Curve("solved by it alone", f"order {order}", shares, solved.tolist()),
        ]
    lost = "the figure is printed without numbers; these are the statements about it"
    cells.append(Cell("all orders", "values of the curves", Published.lost(lost)))
    return Findings(f"{count} instances for each p and order", cells, curves)


def _figure3(settings: Settings) -> Findings:
    count, runs = settings.pick((5, 2), (20, 20))
    step = settings.pick(0.1, 0.05)
    shares = [round(step * i, 2) for i in range(round(1 / step) + 1)]
    curves: list[Curve] = []
    share, moves = _both(settings, 3, shares, count, runs, None, curves)
    n = count * runs
    low = np.array(shares) <= 0.2
    middle = (np.array(shares) > 0.2) & (np.array(shares) <= 0.7)
    # Moves, summed over p so that no ratio is taken of one instance.
    ratio = {
        name: float(moves[1][part].sum() / moves[0][part].sum())
        for name, part in (("low", low), ("middle", middle))
    }
    cells = [
        Cell(
            "order 3",
            f"least success over p, {name}",
            Published(1.0, 0.99, 1.0, reason="both are at 100 % everywhere"),
            float(share[i].min()),
            share_error(float(share[i].min()), n),
        )
        for i, name in enumerate(("annealing", "hybrid"))
    ]
    cells += [
        Cell(
            "order 3",
            "moves of the hybrid over annealing's, p up to 0.2",
            Published.near(1.0, 0.25, reason="equal times; moves stand for time"),
            ratio["low"],
        ),
        Cell(
            "order 3",
            "the same, p from 0.25 to 0.7",
            Published(None, 0.0, 0.95, reason="the hybrid is faster"),
            ratio["middle"],
        ),
    ]
    # A quick run looks at three p's alone, with a third of the published budget.
    wide = settings.pick([0.1, 0.4, 0.8], [0.0, 0.1, 0.2, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.8, 1.0])
    count, runs = settings.pick((4, 1), (5, 2))
    steps = settings.pick(20_000_000, 60_000_000)
    share, _ = _both(settings, 4, wide, count, runs, steps, curves)
    n = count * runs
    for i, name in enumerate(("annealing", "hybrid")):
        inner = share[i][1:-1]
        dip = float(min(share[i][0], share[i][-1]) - inner.min())
        cells.append(
            Cell(
                "order 4",
                f"depth of the dip in the middle, {name}",
                Published(
                    None,
                    0.05,
                    instances="order",
                    reason=f"success dips in the middle; {steps:,} moves (published: 60,000,000)",
                ),
                dip,
                share_error(float(inner.min()), n),
            )
        )
    cells += [
        Cell(
            "order 5",
            "success over p",
            Published.lost("675,000,000 moves a run: days for a curve; left out at both efforts"),
        ),
        Cell("all orders", "values of the curves", Published.lost("printed without numbers")),
    ]
    return Findings(
        f"order 3: {settings.pick('5 x 2', '20 x 20')} for each of {len(shares)} p; "
        f"order 4: {count} x {runs} for {len(wide)} p",
        cells,
        curves,
    )


def _both(
    settings: Settings,
    order: int,
    shares: list[float],
    count: int,
    runs: int,
    steps: int | None,
    curves: list[Curve],
) -> tuple[np.ndarray, np.ndarray]:
    """Success and mean moves of the solved runs, a row an algorithm, a column a p."""
    rng = np.random.default_rng([settings.seed, order])
    puzzles = [lewis_instance(p, order, rng) for p in shares for _ in range(count)]
    success, moves = [], []
    for name, programming in (("annealing", None), ("hybrid", ConstraintProgramming())):
        tasks = [_Anneal(puzzle, runs, steps, programming) for puzzle in puzzles]
        found = np.array(settings.map(f"order {order}, {name}", _anneal, tasks))
        success.append(found[:, 0].reshape(len(shares), count).mean(axis=1))
        at = np.nan_to_num(found[:, 1]).reshape(len(shares), count).mean(axis=1)
        moves.append(at)
        curves.append(Curve("success", f"{name}, order {order}", shares, success[-1].tolist()))
        if order == 3:
            curves.append(Curve("moves, order 3", name, shares, at.tolist()))
    return np.array(success), np.array(moves)


EXPERIMENTS = (
    Experiment(
        "lewis-table1",
        "Lewis 2007, table 1",
        "Success of annealing and of the hybrid, and the share of cells fixed before it.",
        _table1,
    ),
    Experiment(
        "lewis-fig2",
        "Lewis 2007, figure 2",
        "Share of cells fixed after constraint programming against the share p given.",
        _figure2,
        ("p", ""),
    ),
    Experiment(
        "lewis-fig3",
        "Lewis 2007, figure 3",
        "Success and effort of annealing and the hybrid against the share p given.",
        _figure3,
        ("p", ""),
    ),
)
