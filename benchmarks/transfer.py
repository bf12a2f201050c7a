"""From one crowd to another person: models fitted to Cloud Sudoku, asked about logged games.

Printed is how the predictions correlate with the lengths of the games, of all and of those that
need more than singles. The ladder race was fitted to moves of these games, not to their lengths.

Run: python benchmarks/transfer.py (needs the Cloud Sudoku times and the Sudoku Insight logs)
"""

import numpy as np
from scipy.stats import spearmanr

from nando.features import SolverFeatures, groups_of
from nando.rating import LinearRater
from nando.rating.kinds import default_columns
from nando.rating.training import known_training
from nando.solvers import singles_suffice

COLUMNS = default_columns("sudoku")
MODELS = {
    "the shipped model": list(COLUMNS),
    "without the ladder race": [c for c in COLUMNS if c != "mechanistic_seconds"],
    "without refutation": [c for c in COLUMNS if c != "log_refutation_sum"],
    "ladder race and sweep": ["mechanistic_seconds", "sweep_easy_visits"],
    "ladder race alone": ["mechanistic_seconds"],
    "search-time race alone": ["search_time"],
}


def main():
    """Print the table as Markdown."""
    puzzles, seconds, players = known_training("sudoku", "mean_seconds")[:3]
    played, lengths = known_training("sudoku", "game_seconds")[:2]
    features = SolverFeatures(groups=groups_of(COLUMNS)).set_output(transform="pandas")
    timed, asked = features.fit_transform(puzzles), features.fit_transform(played)
    logs = np.log(lengths)
    hard = np.array([not singles_suffice(puzzle) for puzzle in played])
    print(f"| columns | {len(played):,} games | singles suffice | {hard.sum()} beyond singles |")
    print("| --- | --- | --- | --- |")
    for name, columns in MODELS.items():
        rater = LinearRater(tuple(columns))
        rater._fit_line(timed[columns].to_numpy(), np.log(seconds), np.asarray(players))
        predicted = rater.log_seconds(asked[columns].to_numpy())
        cells = [
            f"{np.corrcoef(predicted[part], logs[part])[0, 1]:.3f} / "
            f"{spearmanr(predicted[part], logs[part]).statistic:.3f}"
            for part in (np.ones_like(hard), ~hard, hard)
        ]
        print(f"| {name} | {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
