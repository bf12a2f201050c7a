"""What few columns tell of a rating: the constants of `nando/rating/kinds.py`, measured.

New minimal puzzles are rated in full, and judged as a search for a wanted time judges them: by the
guesses of the exact search, by a sketch, and by the steps of the human-style solver. For each the
mean and the standard deviation of the rating are shown by what was expected, and how long the
solver takes. Difficulties are on the model's common scale.

Run: python benchmarks/rough_scores.py [--puzzles N]
"""

import argparse
import time

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LinearRegression

from nando.features.classes import classes_of
from nando.generators import SudokuSource, generate
from nando.rating import Bank, Ladder, load_model
from nando.rating.kinds import _WITHOUT_STEPS
from nando.rating.parts import PART_COLUMNS, parts_of

TOGETHER = 64


def by_bins(
    title: str, expected: NDArray, rated: NDArray, milliseconds: NDArray, width: float
) -> None:
    """Mean rating in bins of what was expected, and the standard deviation around the latter."""
    print(f"\n{title}\n{'expected':>9} {'puzzles':>8} {'mean':>6} {'error':>6} {'ms':>6}")
    bins = np.round(expected / width).astype(int)
    for number in np.unique(bins):
        of_bin = bins == number
        if (n := of_bin.sum()) >= 20:
            print(
                f"{expected[of_bin].mean():>9.2f} {n:>8} {rated[of_bin].mean():>6.2f} "
                f"{(rated - expected)[of_bin].std():>6.3f} {milliseconds[of_bin].mean():>6.2f}"
            )


def main() -> None:
    """Print the tables and the regression."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--puzzles", type=int, default=20_000)
    count = parser.parse_args().puzzles
    rater = load_model()
    ladder, scale = Ladder(Bank(rater)), rater.scale_
    puzzles = [each.puzzle for each in generate(SudokuSource(), count, seed=11)]
    ladder.by_steps(puzzles[:50])
    sketches, tables, milliseconds = [], [], []
    for first in range(0, count, TOGETHER):
        some = puzzles[first : first + TOGETHER]
        sketches.append(ladder._sketch(some))
        for puzzle in some:
            start = time.process_time()
            ladder.by_steps([puzzle])
            milliseconds.append(1e3 * (time.process_time() - start))
        extractor = rater.extractor_for(n_jobs=None, runs=None)
        tables.append(extractor.class_table(some, classes_of(some), rater.columns))
    took = np.array(milliseconds)
    table = np.concatenate(tables)
    known = {name: np.concatenate([sketch[name] for sketch in sketches]) for name in sketches[0]}
    rated = scale.difficulty(parts_of(table))

    sketched = np.zeros_like(table)
    for i, name in enumerate(PART_COLUMNS):
        sketched[:, i] = known.get(name, 0.0)
    without = scale.difficulty(parts_of(sketched) * _WITHOUT_STEPS)
    steps = np.array([name.startswith("technique_") for name in PART_COLUMNS])
    with_steps = scale.difficulty(parts_of(np.where(steps, table, sketched)))
    guesses = known["exact_guesses"]
    guessed = guesses > 0.0

    by_bins("by the logarithm of 1 + guesses", guesses, rated, took, 0.1)
    by_bins("by the sketch, no guesses", without[~guessed], rated[~guessed], took[~guessed], 0.15)
    columns = {
        "difficulty": without,
        "exact_guesses": guesses,
        "race_beyond_blanks": np.log1p(known["race_beyond_blanks"]),
        "race_beyond": np.log1p(known["race_beyond"]),
        "is_beyond": (known["race_beyond"] > 0.0).astype(float),
    }
    X = np.column_stack(list(columns.values()))[guessed]
    fitted = LinearRegression().fit(X, rated[guessed])
    print("\nregression of those with guesses:")
    print({name: round(float(c), 3) for name, c in zip(columns, fitted.coef_, strict=True)})
    print(f"and {fitted.intercept_:.3f} for all")
    by_bins("by the regression", fitted.predict(X), rated[guessed], took[guessed], 0.15)
    by_bins("by the sketch and the steps", with_steps, rated, took, 0.3)


if __name__ == "__main__":
    main()
