"""Predict the next games of a person from the games before, the person left out of the scale.

The only person whose times can be downloaded is the player of Sudoku Insight, whose games are taken
in the order of the log. The other rows are groups, as if each were a person; their puzzles have no
order, so a random one is drawn. Every 20 games are predicted from the n games before them by two
models of the same kind: moved to the person's pace are the common scale, or a line on the number of
givens, both fitted to the other data sets. Intervals of 95 % draw blocks of 20 games.

    python benchmarks/persons.py
"""

import argparse

import numpy as np

from nando.rating import LinearRater, PersonalRater
from nando.rating.base import Rater
from nando.rating.scale.parts import PART_COLUMNS, parts_of
from nando.rating.scale.published import columns_by_class, fit_published, published_crowds
from nando.stages import counted

GAMES = (0, 5, 10, 20, 50)
NEXT = 20
GIVENS = "givens"


def bases(name, crowds, table) -> dict[str, Rater]:
    """Return the models that never saw the data set of a crowd."""
    others = {n: crowd for n, crowd in crowds.items() if crowd.data_set != crowds[name].data_set}
    parts = dict(zip(table.index, parts_of(table[list(PART_COLUMNS)].to_numpy()), strict=True))
    timed = [crowd for crowd in others.values() if not crowd.levels and crowd.typical]
    classes = [key for crowd in timed for key in crowd.classes]
    seconds = np.concatenate([crowd.responses for crowd in timed])
    line = LinearRater((GIVENS,)).fit(table.loc[classes, [GIVENS]], seconds, groups=classes)
    return {"nando": fit_published(others, parts), GIVENS: line}


def errors(base: Rater, columns, log_seconds, n: int, first: int) -> np.ndarray:
    """Return the error of log seconds and True for those inside the interval, by block of games.

    Shape (n_blocks, NEXT, 2).
    """
    blocks = []
    for start in range(first, len(log_seconds) - NEXT + 1, NEXT):
        rater = base
        if n:
            before = slice(start - n, start)
            rater = PersonalRater(base=base)
            rater.fit_quickly(columns[before], log_seconds[before], np.ones(n))
        here = slice(start, start + NEXT)
        actual = log_seconds[here]
        ends, _ = rater.interval_of(columns[here], [3] * NEXT, 0.8)
        inside = (ends[:, 0] <= actual) & (actual <= ends[:, 1])
        blocks.append(np.stack([rater.log_seconds(columns[here]) - actual, inside], axis=1))
    return np.array(blocks)


def interval(values: np.ndarray, n_bootstrap: int) -> str:
    """Return the mean of blocks with its 95 % interval."""
    rng = np.random.default_rng(0)
    drawn = values[rng.integers(len(values), size=(n_bootstrap, len(values)))].mean(axis=1)
    return f"{values.mean():.3f} [{np.quantile(drawn, 0.025):.3f}, {np.quantile(drawn, 0.975):.3f}]"


def main() -> None:
    """Print a row for each person and number of games."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bootstrap", type=int, default=1000)
    options = parser.parse_args()
    crowds = published_crowds()
    classes = [key for each in crowds.values() for key in each.classes]
    table = columns_by_class(classes, (*PART_COLUMNS, GIVENS))
    names = [name for name, each in crowds.items() if not each.levels]
    print("who | games | error of log times | median off by | inside 80 % | givens: error | inside")
    for name in sorted(names, key=lambda name: name != "phone"):
        crowd, models = crowds[name], bases(name, crowds, table)
        order = np.arange(len(crowd.classes))
        if name != "phone":
            order = np.random.default_rng(0).permutation(order)
        here = table.loc[[crowd.classes[i] for i in order]]
        logs = np.log(crowd.responses[order])
        for n in counted(GAMES, f"games of {name}", len(GAMES)):
            row = [name, str(n)]
            for who, base in models.items():
                columns = here[list(base.columns)].to_numpy()
                residuals = errors(base, columns, logs, n, max(GAMES))
                row.append(interval(np.abs(residuals[..., 0]).mean(axis=1), options.bootstrap))
                if who == "nando":
                    row.append(f"{np.median(np.abs(np.expm1(residuals[..., 0]))):.0%}")
                row.append(interval(residuals[..., 1].mean(axis=1), options.bootstrap))
            print(" | ".join(row), flush=True)


if __name__ == "__main__":
    main()
